#ifndef LINKSPAN_HTTP_SERVER_DETAIL_REQUEST_HEADERS_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_REQUEST_HEADERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <algorithm>
#include <string_view>

// Values of the headers of a request, and their comparison with the message.
namespace linkspan::inline LINKSPAN_ABI::detail::serving {

// Removes the first part from a list, and returns it without surrounding whitespace.
inline std::string_view take_part(std::string_view& list, char separator) noexcept
{
    auto const end = std::min(list.find(separator), list.size());
    auto const part = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return trimmed(part);
}

// Returns true if a header Accept contains a media type. Weights are ignored, except "q=0": RFC 9110, section 12.5.1.
inline bool accepts(std::string_view list, std::string_view type) noexcept
{
    auto const all_of_kind = type.substr(0, type.find('/') + 1);
    while (!list.empty()) {
        auto entry = take_part(list, ',');
        auto const range = take_part(entry, ';');
        bool const matches =
            equal_ignoring_case(range, type) || range == "*/*" ||
            (range.ends_with("/*") && equal_ignoring_case(range.substr(0, range.size() - 1), all_of_kind));
        if (matches && !equal_ignoring_case(entry, "q=0"))
            return true;
    }
    return false;
}

// Returns true if a header Accept contains both media types of the responses to a POST request. Most clients send the
// list in the form of the specification, which needs no parts.
inline bool accepts_responses(std::string_view list) noexcept
{
    return list == "application/json, text/event-stream" ||
           (accepts(list, "application/json") && accepts(list, "text/event-stream"));
}

// Returns a host such as "localhost:8080" or "[::1]:8080" without the port.
inline std::string_view without_port(std::string_view host) noexcept
{
    auto const colon = host.rfind(':');
    bool const is_port =
        colon != host.npos && host.find(']', colon) == host.npos && (host.starts_with('[') || host.find(':') == colon);
    return is_port ? host.substr(0, colon) : host;
}

// Returns true if a header value has only visible ASCII characters, spaces and tabs.
inline bool is_valid_value(std::string_view value) noexcept
{
    return std::ranges::all_of(value, [](char c) { return (c >= 0x20 && c <= 0x7e) || c == '\t'; });
}

// Returns true if a header value is the encoded form of a JSON string. Most strings have no escapes, and most values
// are not encoded, so that both are compared as they are.
inline bool mirrors(std::string_view header, std::string_view raw)
{
    auto const inner = json_scan::quoted(raw);
    if (inner && inner->find('\\') == inner->npos && *inner == header && !header.starts_with("=?"))
        return is_valid_value(header);
    auto const decoded = json_scan::string(raw);
    return decoded && is_valid_value(header) && decode_header_value(header) == decoded;
}

// Returns the member of the parameters that the header Mcp-Name mirrors; empty: the method has none.
inline std::string_view key_of_name(std::string_view method) noexcept
{
    if (method == "tools/call" || method == "prompts/get")
        return "name";
    if (method == "resources/read")
        return "uri";
    if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
        return "taskId";
    return {};
}

// Returns true if a header and an argument are equal numbers, for example 42.0 and 42.
inline bool is_same_number(std::string_view header, std::string_view arguments, mirrored_argument const& which) noexcept
{
    for (auto const& key : which.path)
        arguments = json_scan::member(arguments, key);
    auto const inside = json_scan::number(arguments), outside = json_scan::number(header);
    return inside && outside && *inside == *outside;
}

} // namespace linkspan::detail::serving

#endif
