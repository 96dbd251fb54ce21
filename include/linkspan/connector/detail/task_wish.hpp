#ifndef LINKSPAN_CONNECTOR_DETAIL_TASK_WISH_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TASK_WISH_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/tasks.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The wish of a caller that a call becomes a task. The call, which is reused after its completion, shares the object
// with the handler that reads the result.
struct task_wish {
    std::optional<std::chrono::milliseconds> ttl; // requested time to live; set by the caller
    task_form form = task_form::none;             // of the response to the last request; set by each attempt
    std::string params;                           // members of `params` of the last request of the form `member`
};

// Returns whether calls of a tool of a server may become tasks; `forbidden` for a tool that is not in the catalog.
inline task_support task_support_of(catalog const& all, server_id server, std::string_view tool)
{
    auto const* const entry = all.find(server, tool);
    return entry ? entry->tool->tasks : task_support::forbidden;
}

} // namespace linkspan::detail

#endif
