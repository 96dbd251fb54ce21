#ifndef LINKSPAN_PROTOCOL_SERVER_REQUEST_PARAMS_HPP
#define LINKSPAN_PROTOCOL_SERVER_REQUEST_PARAMS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Members of the params of a request that a server reads, as JSON texts; empty: missing.
///
/// The members are read in one pass, because each request needs several of them.
///
/// \par Lifetime
/// All views refer to the text of the params.
struct request_params {
    /// Name of a tool or a prompt.
    std::string_view name;
    /// Arguments of a tool or a prompt.
    std::string_view arguments;
    /// Input of the client for an earlier response `input_required`.
    std::string_view input_responses;
    /// State of an earlier response `input_required`.
    std::string_view request_state;
    /// Options of the task that a client of 2025-11-25 requests.
    std::string_view task;
    /// Member `_meta`.
    std::string_view meta;

    /// Returns the view to which the value of a member is assigned; null: servers do not read a member with this key,
    /// or it is repeated. The first one is significant, as for `http_serving`, which compares it with headers.
    std::string_view* find(std::string_view key) noexcept
    {
        auto* const view = key == "name"             ? &name
                           : key == "arguments"      ? &arguments
                           : key == "_meta"          ? &meta
                           : key == "inputResponses" ? &input_responses
                           : key == "requestState"   ? &request_state
                           : key == "task"           ? &task
                                                     : nullptr;
        return view && view->empty() ? view : nullptr;
    }

    /// Reads the members of the params.
    ///
    /// \param params JSON text, which must outlive the returned views. Text other than an object has no members.
    static request_params read(std::string_view params) noexcept
    {
        request_params out;
        for (json_scan::reader each(params); auto const one = each.next();)
            if (auto* const view = out.find(one->key))
                *view = one->value;
        return out;
    }

    /// Returns the same members as views of a copy of the text of the params.
    ///
    /// \par Preconditions
    /// All views refer to `text`, and `copy == text`.
    ///
    /// \param text Text of the params.
    /// \param copy Copy of the text.
    request_params in_copy(std::string_view text, std::string_view copy) const noexcept
    {
        auto out = *this;
        for (auto* const view :
             {&out.name, &out.arguments, &out.input_responses, &out.request_state, &out.task, &out.meta})
            if (!view->empty())
                *view = copy.substr(static_cast<std::size_t>(view->data() - text.data()), view->size());
        return out;
    }
};

} // namespace linkspan

#endif
