#ifndef LINKSPAN_HTTP_CLIENT_HTTP_REPLY_HPP
#define LINKSPAN_HTTP_CLIENT_HTTP_REPLY_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string_view>

namespace linkspan {

/// The answer of an HTTP server to a POST, read whole. Views of header values are empty where a header is missing.
struct http_reply {
    int status = 0;
    std::string_view retry_after;
    std::string_view body;
};

/// What was posted.
struct http_post {
    request_id id = 0;                       ///< 0: a notification or an answer
    bool opens = false;                      ///< it is the probe or `initialize`
    std::optional<protocol_version> version; ///< what it was written in; empty on `initialize`
    bool has_session = false;                ///< the server had given us a session, which the request named
};

/// What a reply means: a message for the session, a report in its place, or nothing more than that it came.
struct http_verdict {
    enum class kind {
        message, ///< the body is one; the status allows at most the certainty `how`
        report,  ///< the request failed
        silence, ///< a notification or answer was accepted
    };

    kind what = kind::report;
    linkspan::certainty certainty = linkspan::certainty::unknown;
    error_code ec;
    era_evidence era = era_evidence::none; ///< also of a message: an error that refuses `initialize`
    std::optional<duration> retry_after;   ///< 0 to 24 hours
};

/// Reads a reply that is not a stream of events. A body that is a JSON-RPC message is one whatever the status, but for
/// those by which the carrier itself refuses: 401, 403, 429, 503 with `Retry-After`, and 404 of a session. An answer to
/// another request than was posted is none.
///
/// A reply that says too little counts as `unknown`: only the statuses that refuse before a tool could run count as
/// `refused`.
///
/// Specification: 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; RFC 9110, section 15.
LINKSPAN_DECL http_verdict judge(http_post const& what, http_reply const& reply);

/// The pause of a `Retry-After` in seconds; nothing for a date, and for what is neither.
LINKSPAN_DECL std::optional<duration> read_retry_after(std::string_view value) noexcept;

/// Whether a header `Content-Type` names this type, whatever its parameters.
LINKSPAN_DECL bool is_media_type(std::string_view content_type, std::string_view type) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_reply.ipp>
#endif

#endif
