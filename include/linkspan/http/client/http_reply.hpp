#ifndef LINKSPAN_HTTP_CLIENT_HTTP_REPLY_HPP
#define LINKSPAN_HTTP_CLIENT_HTTP_REPLY_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Complete response of an HTTP server to a POST request.
///
/// \par Lifetime
/// The texts are views, which must outlive the object.
struct http_reply {
    int status = 0;               ///< HTTP status, 100 to 599
    std::string_view retry_after; ///< value of the header Retry-After; empty: the header is missing
    std::string_view body;        ///< body of the response; may be empty
};

/// Properties of the message that was sent by a POST.
struct http_post {
    request_id id = 0;                       ///< id of the JSON-RPC request; 0: a notification or a response
    bool opens = false;                      ///< true for a request of the negotiation: `server/discover`, `initialize`
    std::optional<protocol_version> version; ///< protocol version of the message; empty for `initialize`
    bool has_session = false;                ///< true if the POST had the session id that the server assigned
};

/// Interpretation of an HTTP response: a message for the session, a report that replaces a message, or neither.
struct http_verdict {
    /// Kinds of interpretations.
    enum class kind {
        message,  ///< the body is a JSON-RPC message; `certainty` is the maximum that the status allows
        report,   ///< the request failed with `ec` and `certainty`
        accepted, ///< a notification or a response was accepted; there is no message
    };

    kind what = kind::report;                                     ///< kind of the interpretation
    linkspan::certainty certainty = linkspan::certainty::unknown; ///< delivery certainty; see `kind`
    /// Error of a report: the status in `http_category`, `session_lost`, or `malformed_message` if the status is 200.
    error_code ec;
    era_evidence era = era_evidence::none; ///< era of the server, if the response to the probe or `initialize` shows it
    std::optional<duration> retry_after;   ///< requested pause, 0 to 24 hours; empty: none
    envelope message;                      ///< for `kind::message`, structure of the body, with views of the body
};

/// Interprets a response that is not an event stream.
///
/// For a notification or a response of the client, the result is `kind::accepted` with a status 2xx, and else a report
/// with the certainty `refused`. The other paragraphs describe requests.
///
/// A body that is a JSON-RPC response to the posted request is a message, independently of the status, except for the
/// statuses by which HTTP itself refuses a request: 401, 403, 429, and 503 with Retry-After. A body with the id of
/// another request is not a message.
///
/// The certainty is `refused` for statuses that a server returns before a tool can run (400, 401, 403, 404, 405, 406,
/// 413, 415, 421, 429, and 503 with Retry-After). With status 400 and an error with the id of the request, the code of
/// the error determines the certainty. The certainty is `completed` for a message with a status 2xx, and `unknown` for
/// other failures.
///
/// The error is `session_lost` if a server of the handshake era discarded the session of the request: the request
/// contained a session id and is not a request of the negotiation, and the status is 404, or the status is 400 and the
/// body is an error without an id, with the code -32000 and a message that contains "session". Such a body is not a
/// message.
///
/// \param posted The message that was sent.
/// \param reply The complete response.
/// \returns The interpretation, whose `message` has views of `reply.body`.
/// \par Specification
/// 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; RFC 9110, section 15.
LINKSPAN_DECL http_verdict interpret(http_post const& posted, http_reply const& reply);

/// Parses the value of a header Retry-After.
///
/// \returns The pause, at most 24 hours; empty for a date, and for a value that is not a number of seconds.
/// \par Specification
/// RFC 9110, section 10.2.3.
LINKSPAN_DECL std::optional<duration> read_retry_after(std::string_view value) noexcept;

/// Returns true if the value of a header Content-Type has the media type `type`. Parameters and case are ignored.
LINKSPAN_DECL bool is_media_type(std::string_view content_type, std::string_view type) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_reply.ipp>
#endif

#endif
