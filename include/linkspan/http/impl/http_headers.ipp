#ifndef LINKSPAN_HTTP_IMPL_HTTP_HEADERS_IPP
#define LINKSPAN_HTTP_IMPL_HTTP_HEADERS_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/http_headers.hpp>

#include <algorithm>
#include <array>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline void append_session(std::string& out, http_message const& message)
{
    if (!message.session.empty())
        append_header(out, "Mcp-Session-Id", message.session);
    if (message.version && traits_of(*message.version).names_protocol_version_in_header)
        append_header(out, "MCP-Protocol-Version", to_string(*message.version));
}

// Returns true for headers that the transport sets itself: they describe the message, its framing and its session.
inline bool is_reserved_header(std::string_view name) noexcept
{
    constexpr std::array<std::string_view, 16> reserved{
        "accept", "accept-encoding",   "connection",    "content-encoding",    "content-length", "content-type",
        "host",   "keep-alive",        "last-event-id", "mcp-method",          "mcp-name",       "mcp-session-id",
        "te",     "transfer-encoding", "upgrade",       "mcp-protocol-version"};
    constexpr std::string_view mirrored = "mcp-param-";
    return std::ranges::any_of(reserved, [name](std::string_view other) { return equal_ignoring_case(name, other); }) ||
           equal_ignoring_case(name.substr(0, mirrored.size()), mirrored);
}

LINKSPAN_DECL void append_common_headers(std::string& out, http_message const& message)
{
    out += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    if (!message.version)
        return;
    if (traits_of(*message.version).era == era::handshake)
        return append_session(out, message);
    append_header(out, "MCP-Protocol-Version", to_string(*message.version));
    if (!message.method.empty())
        append_header(out, "Mcp-Method", encode_header_value(message.method));
}

LINKSPAN_DECL void append_call_headers(std::string& out, http_message const& message)
{
    if (!message.version || traits_of(*message.version).era == era::handshake)
        return;
    if (!message.name.empty())
        append_header(out, "Mcp-Name", encode_header_value(message.name));
    for (auto const& header : message.mirrored)
        append_header(out, header.name, header.value);
}

} // namespace detail

LINKSPAN_DECL void append_post_headers(std::string& out, http_message const& message)
{
    detail::append_common_headers(out, message);
    detail::append_call_headers(out, message);
}

LINKSPAN_DECL void append_session_headers(std::string& out, http_message const& session, std::string_view last_event)
{
    detail::append_session(out, session);
    // An id may contain any character, but a line end would start another header.
    if (!last_event.empty() && last_event.find_first_of("\r\n") == last_event.npos)
        detail::append_header(out, "Last-Event-ID", last_event);
}

LINKSPAN_DECL std::string_view header_fault(std::string_view name, std::string_view value) noexcept
{
    if (!detail::is_http_token(name))
        return "name is not an HTTP token";
    if (detail::is_reserved_header(name))
        return "header is set by the transport";
    auto const is_control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
    return std::ranges::any_of(value, is_control) ? "value contains a control character" : "";
}

LINKSPAN_DECL bool is_session_id(std::string_view text) noexcept
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 0x21 && c <= 0x7e; });
}

} // namespace linkspan

#endif
