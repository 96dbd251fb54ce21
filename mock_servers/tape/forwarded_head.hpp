#ifndef LINKSPAN_MOCK_SERVERS_TAPE_FORWARDED_HEAD_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_FORWARDED_HEAD_HPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/http/http_url.hpp>
#include <linkspan/http/server/http_server_message.hpp>
#include <linkspan/test/detail/secret_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Heads of HTTP messages as a proxy forwards them. Specification: RFC 9110, section 7.6.

namespace mock_servers {
namespace detail {

// Returns whether a field belongs to one connection and is not forwarded. Fields of the body's framing are
// not forwarded either, because the proxy writes the body with a length of its own.
inline bool is_hop_by_hop(linkspan::http_head const& head, std::string_view name)
{
    using linkspan::detail::equal_ignoring_case;
    constexpr std::array<std::string_view, 11> names{"connection",
                                                     "keep-alive",
                                                     "proxy-authenticate",
                                                     "proxy-authorization",
                                                     "proxy-connection",
                                                     "te",
                                                     "trailer",
                                                     "transfer-encoding",
                                                     "upgrade",
                                                     "content-length",
                                                     "expect"};
    if (std::ranges::any_of(names, [name](auto one) { return equal_ignoring_case(name, one); }))
        return true;
    for (std::size_t i = 0; i != head.size(); ++i) {
        auto const [other, value] = head.field_at(i);
        if (!equal_ignoring_case(other, "connection"))
            continue;
        for (auto rest = value; !rest.empty();) {
            auto const end = std::min(rest.find(','), rest.size());
            if (equal_ignoring_case(linkspan::detail::trimmed(rest.substr(0, end)), name))
                return true;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return false;
}

} // namespace detail

/// Returns the text of a request as it is forwarded to a server: with the same target and body, and with the same
/// fields, except those of the connection, Host, and Accept-Encoding, because the response has to be readable.
///
/// \param to Server; its target is not used.
inline std::string forwarded_request(linkspan::http_server_request const& what, linkspan::http_url const& to)
{
    using linkspan::detail::append_header;
    using linkspan::detail::equal_ignoring_case;
    std::string out;
    ((out += what.method()) += ' ') += what.target();
    out += " HTTP/1.1\r\n";
    append_header(out, "Host", to.authority());
    for (std::size_t i = 0; i != what.head.size(); ++i) {
        auto const [name, value] = what.head.field_at(i);
        if (!detail::is_hop_by_hop(what.head, name) && !equal_ignoring_case(name, "host") &&
            !equal_ignoring_case(name, "accept-encoding"))
            append_header(out, name, value);
    }
    append_header(out, "Accept-Encoding", "identity");
    if (!what.body.empty() || what.method() == "POST")
        append_header(out, "Content-Length", std::to_string(what.body.size()));
    return (out += "\r\n") += what.body;
}

/// Returns the fields of a response as they are forwarded to a client, in their order, without those of the connection.
///
/// \param is_stream Whether the response is an event stream, which always has its own fields `Cache-Control` and
/// `X-Accel-Buffering`.
inline std::vector<linkspan::http_server_field> forwarded_fields(linkspan::http_head const& head, bool is_stream)
{
    using linkspan::detail::equal_ignoring_case;
    std::vector<linkspan::http_server_field> out;
    for (std::size_t i = 0; i != head.size(); ++i) {
        auto const [name, value] = head.field_at(i);
        bool const is_set =
            is_stream && (equal_ignoring_case(name, "cache-control") || equal_ignoring_case(name, "x-accel-buffering"));
        if (!is_set && !detail::is_hop_by_hop(head, name))
            out.push_back({std::string(name), std::string(value)});
    }
    return out;
}

/// Returns the secrets in the fields of a head: credentials without the name of their scheme, values of cookies,
/// session ids, and values of fields whose names suggest a secret. Texts of fewer than 8 characters, which may occur in
/// other texts, are not secrets.
inline std::vector<std::string> secrets_of(linkspan::http_head const& head)
{
    using linkspan::detail::equal_ignoring_case;
    constexpr std::size_t min_size = 8;
    std::vector<std::string> out;
    auto const add = [&](std::string_view text) {
        text = linkspan::detail::trimmed(text);
        if (text.size() >= min_size)
            out.emplace_back(text);
    };
    for (std::size_t i = 0; i != head.size(); ++i) {
        auto const [name, value] = head.field_at(i);
        if (equal_ignoring_case(name, "set-cookie")) {
            auto const pair = value.substr(0, value.find(';'));
            add(pair.substr(pair.find('=') + 1));
        } else if (equal_ignoring_case(name, "cookie")) {
            for (auto rest = value; !rest.empty();) {
                auto const end = std::min(rest.find(';'), rest.size());
                auto const pair = rest.substr(0, end);
                add(pair.substr(pair.find('=') + 1));
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
        } else if (equal_ignoring_case(name, "mcp-session-id") || linkspan::test::detail::suggests_secret(name)) {
            add(value.substr(value.find(' ') + 1));
        }
    }
    return out;
}

} // namespace mock_servers

#endif
