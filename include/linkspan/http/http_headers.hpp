#ifndef LINKSPAN_HTTP_HTTP_HEADERS_HPP
#define LINKSPAN_HTTP_HTTP_HEADERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/text_writer.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/header_value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Appends "name: value" and CR LF.
inline void append_header(std::string& out, std::string_view name, std::string_view value)
{
    using namespace std::string_view_literals;
    auto const begin = out.size();
    out.resize(begin + name.size() + 2 + value.size() + 2);
    text_writer to(out.data() + begin);
    to.add(name);
    to.add(": "sv);
    to.add(value);
    to.add("\r\n"sv);
}

} // namespace detail

/// Properties of a message from which the headers of its HTTP request are derived.
///
/// \par Lifetime
/// All members are views; the texts must outlive the object.
struct http_message {
    std::string_view method;                 ///< method of the request or notification; empty for responses
    std::string_view name;                   ///< name of the tool or prompt, or URI of the resource; empty: none
    std::optional<protocol_version> version; ///< protocol version of the message; empty only for `initialize`
    std::span<header_value const> mirrored;  ///< arguments that are sent as headers to a stateless server
    std::string_view session;                ///< session id that the server assigned; empty: none
};

/// Appends the MCP headers of a POST request. Each header ends with CR LF.
///
/// The headers are Content-Type and Accept; for a stateless server also the protocol version, the method, the name and
/// the mirrored arguments; for a server of the handshake era also the session id and, since 2025-06-18, the protocol
/// version.
///
/// \par Specification
/// 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP".
LINKSPAN_DECL void append_post_headers(std::string& out, http_message const& message);

namespace detail {

// The two parts of `append_post_headers`: the headers that depend on the method, the protocol version and the session,
// and those that depend on the single message.
LINKSPAN_DECL void append_common_headers(std::string& out, http_message const& message);
LINKSPAN_DECL void append_call_headers(std::string& out, http_message const& message);

} // namespace detail

/// Appends the MCP headers of a request without a message: GET of an event stream, and DELETE of a session. Each header
/// ends with CR LF.
///
/// The headers are the session id, the protocol version since 2025-06-18, and Last-Event-ID.
///
/// \param session Session id and protocol version; the other members are not used.
/// \param last_event Id of the event after which a stream is resumed; empty: none. An id with a line end is not sent.
LINKSPAN_DECL void append_session_headers(std::string& out, http_message const& session, std::string_view last_event);

/// Checks a header that is to be sent with each request.
///
/// \returns The human-readable reason why the header is not allowed: the name is not a token of HTTP, the transport
/// sets the header itself, or the value contains a control character. Empty: the header is allowed.
LINKSPAN_DECL std::string_view header_fault(std::string_view name, std::string_view value) noexcept;

/// Returns true if a text is a valid session id: not empty, and only visible ASCII characters (0x21 to 0x7E).
///
/// \par Specification
/// 2025-11-25, basic/transports, "Session Management".
LINKSPAN_DECL bool is_session_id(std::string_view text) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_headers.ipp>
#endif

#endif
