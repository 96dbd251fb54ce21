#ifndef LINKSPAN_HTTP_HTTP_HEADERS_HPP
#define LINKSPAN_HTTP_HTTP_HEADERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/header_value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace linkspan {
namespace detail {

inline void append_header(std::string& out, std::string_view name, std::string_view value)
{
    out.append(name).append(": ").append(value).append("\r\n");
}

} // namespace detail

/// What the headers of a request over HTTP depend on.
struct http_message {
    std::string_view method;                 ///< empty for answers
    std::string_view name;                   ///< of the tool, prompt or resource; empty: none
    std::optional<protocol_version> version; ///< empty on `initialize` only
    std::span<header_value const> mirrored;  ///< arguments that a stateless server wants as headers
    std::string_view session;                ///< its id; empty: none
};

/// Appends the headers by which a server tells what is posted: each ends with CR LF. A stateless server gets the
/// protocol version, the method and the name; a server with sessions gets the session and, since 2025-06-18, the protocol version.
///
/// Specification: 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP".
LINKSPAN_DECL void append_post_headers(std::string& out, http_message const& message);

/// The same for the streams and the end of a session, which have no message. `last_event` names the event behind which
/// a stream is resumed; empty: none.
LINKSPAN_DECL void append_session_headers(std::string& out, http_message const& session, std::string_view last_event);

/// Why a header cannot be sent with each request, for people: it is none, or ours to set. Empty: it can.
LINKSPAN_DECL std::string_view header_fault(std::string_view name, std::string_view value) noexcept;

/// Visible ASCII, and not empty.
LINKSPAN_DECL bool is_session_id(std::string_view text) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_headers.ipp>
#endif

#endif
