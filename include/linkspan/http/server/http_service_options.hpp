#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVICE_OPTIONS_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVICE_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/http_server_message.hpp>
#include <linkspan/http/server/stream_layer.hpp>
#include <linkspan/protocol/server/resume_log.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Result of the authentication of an HTTP request.
struct http_admission {
    int status = 200;        ///< 200: the request is admitted; else 400, 401 or 403
    std::string principal{}; ///< identity of the client; only with status 200; empty: anonymous
    std::string challenge{}; ///< value of the header `WWW-Authenticate` of a refusal; empty: none
};

/// Function that authenticates an HTTP request, and passes the result to `done`, during the call or later. The body of
/// the request has been read already; the server processes it after the result. Further calls of `done` have no effect.
/// If the function throws, the request is refused with status 500. If no result is passed within
/// `http_client_limits::authentication_timeout`, the request is refused with status 503 and `Retry-After`. Calls of
/// `done` after a refusal or after the client has disconnected have no effect.
using http_authenticator =
    std::function<void(http_server_request const& request, std::function<void(http_admission)> done)>;

/// Limits of the sessions of an HTTP server.
struct http_session_limits {
    /// Maximum number of sessions, including event streams of HTTP+SSE; a further `initialize`, or GET of HTTP+SSE, is
    /// refused with status 503. Default: 10,000.
    std::size_t max_sessions = 10'000;

    /// Maximum number of the sessions of one principal that is not anonymous; a further one is refused with status 429.
    /// 0: such principals have no sessions. Default: 1,000.
    std::size_t max_per_principal = 1'000;

    /// Maximum number of the sessions of the anonymous clients of one remote IP address; a further one is refused with
    /// status 429. IPv6 addresses with the same 64-bit prefix count as one address. Does not apply to Unix domain
    /// sockets. Behind a proxy, all clients have the address of the proxy. 0: no limit. Default: 1,000.
    std::size_t max_per_address = 1'000;

    /// Time without a request and without an open stream after which a session of Streamable HTTP ends. The same
    /// timeout applies to the state that the server keeps for clients without a session, one per handshake version and
    /// account. At most 1,024 such states exist: the one that was idle for the longest time is replaced; if all have
    /// outstanding requests or open streams, the request is refused with status 503. The server searches for idle
    /// sessions at most eight times per timeout, so that a session ends at most an eighth later. Default:
    /// `duration::max()`, never.
    duration idle_timeout = duration::max();

    /// Limits of the events of one session that are stored for the resumption of streams. `max_events` also limits the
    /// messages of one stream that are queued until the client opens the stream; the oldest are discarded. If streams
    /// can be resumed and the connection of the client is closed, a response of more than `max_bytes` is replaced by
    /// the error -32603, and another message of this size is discarded; a discarded request of the server fails with
    /// -32603.
    resume_log::limits resume{};

    /// Maximum number of bytes of the queued messages of one session; the oldest are discarded. Default: 1 MiB.
    std::size_t max_waiting_bytes = std::size_t{1} << 20;

    /// Maximum number of bytes that all sessions together keep of events that are stored for the resumption of streams,
    /// and of queued messages. Beyond the maximum, the session of a new message discards its own oldest ones; if these
    /// are not sufficient, the message is treated like one of more than `resume.max_bytes`. The sessions of one
    /// principal, or of the anonymous clients of one remote IP address, keep at most a quarter of the maximum; this
    /// does not apply to anonymous clients of Unix domain sockets. 0: no limit. Default: 256 MiB.
    std::size_t max_all_kept_bytes = std::size_t{256} << 20;
};

/// Limits of each client of an HTTP server. IPv6 addresses with the same 64-bit prefix count as one address. The limits
/// per address do not apply to Unix domain sockets.
struct http_client_limits {
    /// Maximum number of open connections of one remote IP address; further ones are closed. 0: no limit. Default: 0.
    std::size_t max_connections_per_address = 0;

    /// Maximum number of requests without a response of one principal, or of the anonymous clients of one remote IP
    /// address. A request of a handshake version, also over HTTP+SSE, counts for the account of its `http_client` (see
    /// `http_service.hpp`). It counts until it has a response or is cancelled, or until the client ends. A stateless
    /// request, and an `initialize` without a session, counts at most until its connection is lost. Each request of a
    /// batch counts; a batch that the server refuses over HTTP+SSE by one error response counts as one request. A
    /// request or batch that would exceed the limit together with the outstanding requests is refused with status 429
    /// and `Retry-After`. A batch that alone exceeds the limit is refused with status 400. 0: no limit. Default: 0.
    std::size_t max_requests_per_principal = 0;

    /// Maximum time until `http_service_options::authenticate` passes its result. Range: more than 0. Default: 30 s.
    duration authentication_timeout = std::chrono::seconds(30);
};

/// Options of an `http_service`: the choices that the protocol leaves to the server, and limits.
///
/// The members `path`, `response_form`, `sessions`, `get_stream`, `delete_session`, `requests_on_get`, `resumable`,
/// `ends_after_first_event` and `retry` have no effect for HTTP+SSE.
struct http_service_options {
    /// Form of the response to a POST.
    enum class form {
        /// One JSON body; a stream for a batch and for `subscriptions/listen`, and if the server sends another message
        /// before the response.
        json,
        /// A stream of server-sent events; one JSON body for an error response whose HTTP status is not 200, if the
        /// stream has not begun.
        stream
    };

    /// Path of the endpoint. Default: "/mcp".
    std::string path = "/mcp";

    /// Path of the event stream of HTTP+SSE (2024-11-05), for example "/sse"; the messages have the path "/message".
    /// Not empty: HTTP+SSE is served instead of Streamable HTTP, or beside it if `serves_both` is true. Empty: HTTP+SSE
    /// is not served. Default: empty.
    std::string sse_path;

    /// Form of responses. Default: `form::json`.
    form response_form = form::json;

    /// Whether a handshake begins a session with an `Mcp-Session-Id`. Default: true.
    bool sessions = true;

    /// Whether a GET opens a stream for messages that are not related to a request; otherwise it is refused with 405.
    /// Default: true.
    bool get_stream = true;

    /// Whether a DELETE ends a session; otherwise it is refused with 405. Default: true.
    bool delete_session = true;

    /// Whether requests of the server are sent on the stream of the GET instead of the stream of the call. Default:
    /// false.
    bool requests_on_get = false;

    /// Whether events have ids and streams begin with an event without data, so that a GET with `Last-Event-ID` can
    /// resume them. Applies to clients with a session, which only the handshake era has. Default: false.
    bool resumable = false;

    /// Whether the server ends the stream of a POST after its first event; the client receives the response by resuming
    /// the stream with a GET. Applies to resumable streams of 2025-11-25. Default: false.
    bool ends_after_first_event = false;

    /// Value of `retry` in the first event of a resumable stream. Default: empty, the event has no `retry`.
    std::optional<std::chrono::milliseconds> retry{};

    /// Permitted values of `Origin`, in addition to `cors_origins` and to the origins of `hosts` with the port of this
    /// server. A request with another value is refused with 403; requests without `Origin` are permitted. Default:
    /// empty.
    std::vector<std::string> origins{};

    /// Origins whose pages may read responses in a browser. Responses to these pages have the CORS header fields, and
    /// preflight requests of these pages receive a response. Default: empty, no response has such header fields.
    std::vector<std::string> cors_origins{};

    /// Permitted values of `Host`, without a port. A request with another value is refused with 403. Default: empty,
    /// any value is permitted.
    std::vector<std::string> hosts{};

    /// Local port. Default: 0, a free port that the system chooses.
    std::uint16_t port = 0;

    /// Limits of connections. Default: those of `http_server_limits`, without comments on idle event streams.
    http_server_limits limits{.comment_every = duration::zero()};

    /// Whether Streamable HTTP is served beside HTTP+SSE. Default: false.
    bool serves_both = false;

    /// Local address. Default: "127.0.0.1".
    std::string address = "127.0.0.1";

    /// Path of a Unix domain socket, which is used instead of `address` and `port`. Default: empty, TCP.
    std::string unix_socket{};

    /// Layer of accepted connections, such as `server_tls()`. Default: null, plain HTTP.
    std::shared_ptr<stream_layer const> tls{};

    /// Maximum number of open connections; further ones remain in the accept queue of the operating system. Default:
    /// 256.
    std::size_t max_connections = 256;

    /// Limits of each client. Default: those of `http_client_limits`.
    http_client_limits client_limits{};

    /// Limits of sessions. Default: those of `http_session_limits`, without a limit per address.
    http_session_limits session_limits{.max_per_address = 0};

    /// Returns a new session id of visible ASCII characters. Default: empty, ids of 128 random bits from the random
    /// number generator of the operating system.
    std::function<std::string()> make_session_id{};

    /// Authenticates each request. Default: empty, all clients are anonymous.
    http_authenticator authenticate{};

    /// Metadata of the protected resource as the text of a JSON object. The server returns it for GET requests of
    /// `/.well-known/oauth-protected-resource` and of this path followed by `path`, without authentication. Default:
    /// empty, there is none.
    ///
    /// \par Specification
    /// RFC 9728.
    std::string protected_resource{};
};

} // namespace linkspan

#endif
