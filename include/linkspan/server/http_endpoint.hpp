#ifndef LINKSPAN_SERVER_HTTP_ENDPOINT_HPP
#define LINKSPAN_SERVER_HTTP_ENDPOINT_HPP

#if defined(LINKSPAN_LINKS_COMPILED) && !defined(LINKSPAN_LINKS_COMPILED_HTTP_SERVER)
#error "linkspan: a target with an HTTP endpoint links linkspan::compiled: link linkspan::compiled_http_server"
#endif

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_counters.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/http/server/http_service_options.hpp>
#include <linkspan/server/http_backend.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of an `http_endpoint`.
struct http_endpoint_options {
    /// Local IPv4 or IPv6 address. With an address other than loopback, the program should set `authenticate`, and must
    /// set `hosts`, because the default refuses other names. Default: "127.0.0.1".
    std::string address = "127.0.0.1";

    /// Local port. Default: 0, a free port, see `http_endpoint::listen`.
    std::uint16_t port = 0;

    /// Path of a Unix domain socket, which is used instead of `address` and `port`; at most 107 bytes. Only processes
    /// of the same user may connect, unless the program changes the mode of the path after `listen`. A socket at this
    /// path without a listening process is replaced. The path is removed when the endpoint stops. Default: empty, TCP.
    std::string unix_socket{};

    /// TLS for accepted connections: the result of `server_tls()`, in <linkspan/http/tls/server_tls.hpp>. Default:
    /// null, plain HTTP. With `unix_socket`, the URL of `http_endpoint::listen` does not show whether TLS is used.
    std::shared_ptr<stream_layer const> tls{};

    /// Path of Streamable HTTP. Default: "/mcp".
    std::string path = "/mcp";

    /// Path of the event stream of HTTP+SSE (2024-11-05), for example "/sse". Default: empty, HTTP+SSE is not served.
    std::string sse_path{};

    /// Permitted values of the header Host, without a port. Requests with other values are refused with status 403
    /// before the authentication, which prevents DNS rebinding. Exception: `Host` and `Origin` of requests for
    /// `protected_resource` are not checked. Default: the names of loopback. Empty: all values are permitted.
    std::vector<std::string> hosts{"127.0.0.1", "localhost", "[::1]"};

    /// Permitted values of the header Origin, for example "https://app.example", in addition to `cors_origins` and to
    /// the origins of `hosts` with the port of this endpoint. Default: empty.
    std::vector<std::string> origins{};

    /// Origins whose pages may read responses in a browser, such as "http://localhost:6274". Responses to these pages
    /// have the CORS header fields, and preflight requests of these pages receive a response before the authentication.
    /// Default: empty, no response has such header fields.
    std::vector<std::string> cors_origins{};

    /// Form of responses: one JSON body, or an event stream. A response is always a stream if the server sends another
    /// message before it. Default: `form::json`.
    http_service_options::form response_form = http_service_options::form::json;

    /// Whether a GET opens a stream for messages that are not related to a request; otherwise its status is 405, and a
    /// client cannot resume a stream. Default: true.
    bool get_stream = true;

    /// Whether a DELETE ends a session; otherwise its status is 405, and sessions end by `session_limits.idle_timeout`
    /// only. Default: true.
    bool delete_session = true;

    /// Whether a client of the era `handshake` can resume a stream after a lost connection (`Last-Event-ID`). The
    /// events are kept within `session_limits`. Default: true.
    bool resumable = true;

    /// Whether the connection of a POST ends after the first event of its stream. The client then resumes the stream by
    /// GET with `Last-Event-ID`, and receives the response on it. Applies to resumable streams of 2025-11-25. Default:
    /// false.
    bool polling = false;

    /// Pause that clients make before they reconnect (field `retry` of the event stream). Default: empty, not sent.
    std::optional<std::chrono::milliseconds> retry{};

    /// Maximum number of open connections; further ones remain in the accept queue of the operating system. Each stream
    /// of a client occupies one. Default: 4,096.
    std::size_t max_connections = 4'096;

    /// Maximum number of open connections of one remote IP address; further ones are closed. IPv6 addresses with the
    /// same 64-bit prefix count as one address. Does not apply to Unix domain sockets. Behind a proxy, all clients have
    /// the address of the proxy. 0: no limit. Default: 1,024.
    std::size_t max_connections_per_address = 1'024;

    /// Maximum number of requests without a response, of one principal, or of the anonymous clients of one remote IP
    /// address (IPv6: one 64-bit prefix). Streams of `subscriptions/listen` count, and so does each request of a batch.
    /// A request of a session, also of HTTP+SSE, counts for the principal or the address that began the session. It
    /// counts until it has a response, is cancelled, or the session ends. A request without a session counts at most
    /// until its connection is lost. A request or batch that would exceed the limit together with the outstanding
    /// requests is refused with status 429 and `Retry-After`. A batch that alone exceeds the limit is refused with
    /// status 400. Notifications and responses of clients are not limited. 0: no limit. Default: 1,000.
    std::size_t max_requests_per_principal = 1'000;

    /// Limits of sessions. Default: those of `http_session_limits`, with an `idle_timeout` of 1 hour.
    http_session_limits session_limits{.idle_timeout = std::chrono::hours(1)};

    /// Limits of connections.
    http_server_limits limits{};

    /// Authenticates each request. Sessions, tasks, and states of requests that wait for input belong to the principal
    /// whose request created them. If the function throws, the request is refused with status 500, and
    /// `serving_options::on_defect` receives the exception. The limits per principal of `serving_options` apply to each
    /// principal, and to the anonymous clients of each remote IP address. Default: empty, all clients are anonymous.
    http_authenticator authenticate{};

    /// Maximum time until `authenticate` passes its result. A request without a result is refused with status 503 and
    /// `Retry-After`, and `serving_options::on_defect` is called. Range: more than 0. Default: 30 s.
    duration authentication_timeout = std::chrono::seconds(30);

    /// Metadata of the protected resource (RFC 9728) as the text of a JSON object. Default: empty, there is none.
    std::string protected_resource{};
};

/// Carrier of a server over HTTP/1.1: Streamable HTTP of 2025-03-26 to 2026-07-28 on one path, and optionally HTTP+SSE
/// of 2024-11-05 on another path. Clients of both eras may be served at once.
///
///     linkspan::http_endpoint endpoint(server, {.port = 8080});
///     std::cout << endpoint.listen() << std::endl;
///     context.run();
///
/// Before the authentication, the endpoint refuses requests whose `Host` or `Origin` its options do not permit.
/// Exception: requests for the metadata of the protected resource, whose `Host` and `Origin` are not checked. For
/// clients on other machines, set `http_endpoint_options::tls`, or use a proxy that terminates TLS.
///
/// \par Executor
/// All functions must be called on the executor of the server. The endpoint calls `http_endpoint_options::authenticate`
/// on this executor. The completion handler of `async_stop` runs on its associated executor.
/// \par Lifetime
/// The server must outlive the endpoint. The destructor closes all connections of the endpoint.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28 and 2025-11-25, basic/transports; RFC 9728.
class http_endpoint final {
public:
    /// Creates an endpoint that does not listen yet.
    ///
    /// \param mcp_server The server, which must outlive the endpoint.
    /// \param options Options of the endpoint.
    LINKSPAN_DECL explicit http_endpoint(server& mcp_server, http_endpoint_options options = {});
    http_endpoint(http_endpoint const&) = delete;
    http_endpoint& operator=(http_endpoint const&) = delete;
    /// Closes all connections of the endpoint.
    LINKSPAN_DECL ~http_endpoint();

    /// Starts to listen, and returns the URL, such as "http://127.0.0.1:8080/mcp", "https://127.0.0.1:8443/mcp", or
    /// "unix:/run/tools.sock", which `server_config::from_url` reads. While the endpoint listens, further calls only
    /// return the URL.
    ///
    /// \throws boost::system::system_error The port or the Unix domain socket cannot be opened, or `async_stop` was
    /// called before (`operation_aborted`).
    std::string listen() { return service_.url(); }

    /// Returns the local port; 0 while the endpoint does not listen, and with a Unix domain socket.
    std::uint16_t port() const noexcept { return service_.listener().port(); }

    /// Serves a connection that the program has accepted. The endpoint does not apply `http_endpoint_options::tls` to
    /// the stream; for TLS, the program passes a stream that already uses it. After `async_stop`, or if the address has
    /// `max_connections_per_address` connections, the stream is destroyed.
    ///
    /// \param stream An open connection to the client.
    /// \param address Address of the client, as any text, for the limits per address, also those of `serving_options`
    /// on anonymous clients. Empty: not known; these limits do not apply.
    void serve(std::unique_ptr<byte_stream> stream, std::string address = {})
    {
        service_.listener().serve(std::move(stream), std::move(address));
    }

    /// Returns the number of sessions.
    std::size_t sessions() const noexcept { return service_.sessions(); }

    /// Returns the counters of connections, requests and sessions. `server::counters` has those of messages.
    http_counters counters() const noexcept { return service_.counters(); }

    /// Stops the endpoint gracefully: accepts no more connections, and closes each connection after its response. To
    /// complete all requests, call `server::async_stop` first.
    ///
    /// \param within Time after which the remaining connections are closed.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `timed_out`: connections were closed after `within`. `operation_aborted`: the endpoint was destroyed.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The endpoint may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_stop(duration within, Token&& token = Token())
    {
        return service_.listener().async_stop(within, std::forward<Token>(token));
    }

private:
    LINKSPAN_DECL static http_service_options service_options(http_endpoint_options&& from);

    http_backend backend_; // set by the constructor
    http_service service_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/http_endpoint.ipp>
#endif

#endif
