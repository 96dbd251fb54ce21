#ifndef LINKSPAN_SESSION_DETAIL_HEADER_MIRROR_HPP
#define LINKSPAN_SESSION_DETAIL_HEADER_MIRROR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Headers of the calls of one session that repeat arguments: by tool, the arguments that the server annotates with
// `x-mcp-header`, and the texts of the headers of the current call. The class performs no I/O.
//
// Invariants:
// 1. A call has headers only while the class is enabled, and only if the last complete list of tools contains
//    annotations for its tool.
// 2. Each view in `headers_` refers to an element of `by_tool_` or of `texts_`. `replace` therefore removes the
//    headers of the last call.
//
// Specification: 2026-07-28, basic/transports, "Custom Headers from Tool Parameters".
class header_mirror {
public:
    // Arguments that are sent as headers too, by the name of the tool.
    using arguments_by_tool = std::map<std::string, std::vector<mirrored_argument>, std::less<>>;

    // Called after each negotiation. `enabled`: the protocol version is stateless, and the transport sends the headers.
    void enable(bool enabled) noexcept { enabled_ = enabled; }

    // Returns whether lists of tools are to be read by `read`.
    bool is_enabled() const noexcept { return enabled_; }

    // Adds the annotations of the tools of `list` from the index `first` on to `out`. A tool with invalid annotations
    // is moved to `tool_list::unusable`; the others remain in their order.
    LINKSPAN_DECL static void read(tool_list& list, std::size_t first, arguments_by_tool& out);

    // Replaces the annotations by those of a complete list.
    void replace(arguments_by_tool listed) noexcept
    {
        headers_.clear();
        by_tool_ = std::move(listed);
    }

    // Returns the headers of a request; empty for all methods except `tools/call`. The views are valid until the next
    // call of this function or of `replace`. `params`: members of `params`, without braces.
    std::span<header_value const> headers_of(std::string_view method, std::string_view tool, std::string_view params)
    {
        if (!enabled_ || by_tool_.empty() || method != "tools/call")
            return {};
        return headers_of_call(tool, params);
    }

private:
    LINKSPAN_DECL std::span<header_value const> headers_of_call(std::string_view tool, std::string_view params);

    bool enabled_ = false;              // set by `enable`
    arguments_by_tool by_tool_;         // set by `replace`
    std::vector<std::string> texts_;    // values of `headers_`; overwritten by each call with headers
    std::vector<header_value> headers_; // headers of the last call with headers; cleared by `replace`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/header_mirror.ipp>
#endif

#endif
