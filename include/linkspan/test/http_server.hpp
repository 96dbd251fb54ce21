#ifndef LINKSPAN_TEST_HTTP_SERVER_HPP
#define LINKSPAN_TEST_HTTP_SERVER_HPP

#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/test/http_server_options.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

class scripted_backend;

} // namespace detail

/// Serves a scripted server over HTTP/1.1: on loopback in real time, and over in-memory streams in virtual time.
///
///     scripted_server weather;
///     http_server web(executor, weather, {.response_form = http_server_options::form::stream});
///     hub.add<streamable_http>("weather", {.url = web.url()});
///
/// The protocol versions of the scripted server determine which requests are accepted. With versions of both eras, the
/// endpoint serves both. Each of the following is one connection of the scripted server: an HTTP session; an event
/// stream of HTTP+SSE; a request of a stateless protocol version; an `initialize`, if the server has no HTTP sessions;
/// all other requests without an HTTP session that have the same protocol version with a handshake and the same
/// principal or, for anonymous clients, the same address. The action `drop_connection()` closes the HTTP connections of
/// that connection and ends its session.
///
/// \par Lifetime
/// The scripted server must outlive the object. The object may be destroyed at any time; destruction closes the
/// listener and all connections.
/// \par Thread safety
/// None: use the object on the thread that runs `executor`.
/// \par Specification
/// MCP 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; MCP 2024-11-05, "HTTP with SSE".
class http_server {
public:
    /// Makes a server that does not listen yet.
    ///
    /// \param executor Executor on which connections are served.
    /// \param server The server that produces the responses.
    /// \param options Behaviour of the server over HTTP.
    http_server(asio::any_io_executor executor, scripted_server& server, http_server_options options = {});
    http_server(http_server const&) = delete;
    http_server& operator=(http_server const&) = delete;

    /// Closes the listener and all connections.
    ~http_server();

    /// Returns the URL of the endpoint, for example "http://127.0.0.1:4000/mcp". The first call starts to listen.
    ///
    /// \throws boost::system::system_error The port cannot be opened.
    std::string url();

    /// Serves a connection that the caller has established, for example an in-memory stream.
    ///
    /// \param stream An open stream. The connection counts in `connections()` and `open_connections()`.
    void serve(std::unique_ptr<byte_stream> stream);

    /// Returns all HTTP requests that were received completely, in order.
    ///
    /// \returns A reference that is valid as long as this object. Requests with a response from `respond_next` or an
    /// interceptor are included.
    std::vector<http_server_request> const& requests() const noexcept;

    /// Returns the number of received requests with the HTTP method `method` whose body contains `part`.
    std::size_t requests(std::string_view method, std::string_view part = {}) const;

    /// Returns the number of connections since construction: connections that were accepted, and connections that were
    /// passed to `serve`.
    std::size_t connections() const noexcept;

    /// Returns the number of open connections.
    std::size_t open_connections() const noexcept;

    /// Returns the number of sessions that have not ended, including event streams of HTTP+SSE.
    std::size_t sessions() const noexcept;

    /// Discards all sessions, as if the server had restarted. Their streams end; their next request receives the status
    /// 404.
    void discard_sessions();

    /// Closes all HTTP connections. Sessions of Streamable HTTP continue; sessions of HTTP+SSE end with their event
    /// streams.
    void drop_connections();

    /// Sends a fixed response to the next matching request, which does not reach the scripted server.
    ///
    /// \param method HTTP method of the request.
    /// \param part Text that the body of the request contains; empty: any body.
    /// \param status Status of the response.
    /// \param fields Header fields of the response.
    /// \param body Body of the response, JSON unless `fields` contains another `Content-Type`.
    void respond_next(std::string method, std::string part, int status, http_exchange::fields_type fields = {},
                      std::string body = {});

    /// Sets a function that is called with each request before the scripted server handles the request. The function
    /// replaces the function that was set earlier. Empty: no function is called.
    ///
    /// The function returns true if it sends the response; otherwise the scripted server handles the request. Requests
    /// with a response from `respond_next` are not passed to the function.
    void set_interceptor(std::function<bool(http_server_request const&, http_exchange)> first);

    /// Stops accepting connections and closes idle connections; other connections are closed when their response is
    /// complete.
    ///
    /// \param within Time after which the remaining connections are closed without waiting.
    /// \param done Called once, never inside this function: when all connections have ended, after `within`, or after
    /// the destruction of this object.
    void stop(duration within, std::function<void()> done);

private:
    std::unique_ptr<detail::scripted_backend> backend_;
};

/// @name Actions of a scripted server over HTTP
///
/// For a request over another transport, these actions send nothing, and the next action runs. After `http_response`,
/// `http_end` and `http_cut`, the request counts as complete, over any transport.
/// @{

/// Returns an action that sends a complete HTTP response with any status, fields and body. Unless `fields` contains
/// them, `Content-Length` (except with status 204) and, for a body, `Content-Type: application/json` are added.
///
/// The action completes the request. If a response or a stream has begun, the connection is closed instead.
inline action http_response(int status, http_exchange::fields_type fields = {}, std::string body = {})
{
    return
        [status, fields = std::move(fields), body = std::move(body)](exchange& on, std::function<void()> const& next) {
            if (auto* const http = on.http())
                http->respond(status, fields, body);
            on.mark_complete();
            next();
        };
}

/// Returns an action that sends an interim response before the response. Has no effect if a response has begun.
///
/// \param status Status from 100 to 199, for example 103.
/// \param fields Header fields of the interim response.
inline action http_interim(int status, http_exchange::fields_type fields = {})
{
    return [status, fields = std::move(fields)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->send_interim(status, fields);
        next();
    };
}

/// Returns an action that writes `bytes` to the connection without checking them, in place of a response or inside one.
/// `http_end` or `http_cut` must follow.
inline action http_raw(std::string bytes)
{
    return [bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->raw(bytes);
        next();
    };
}

/// Returns an action that begins a response with a stream of server-sent events. Has no effect if a response has begun.
///
/// \param fields Header fields in addition to those of an event stream. A `Content-Type` replaces the usual one.
inline action http_stream(http_exchange::fields_type fields = {})
{
    return [fields = std::move(fields)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->begin_stream(fields);
        next();
    };
}

/// Returns an action that writes text to a stream that has begun, for example "event: x\nid: 7\ndata: {}\n\n", or a
/// part of an event. Has no effect if no stream has begun.
inline action http_event(std::string text)
{
    return [text = std::move(text)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->text(text);
        next();
    };
}

/// Returns an action that ends the response or stream in the regular way. The connection stays open.
inline action http_end()
{
    return [](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->end();
        on.mark_complete();
        next();
    };
}

/// Returns an action that closes the HTTP connection after the bytes that were written before. The session is kept.
inline action http_cut()
{
    return [](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->cut();
        on.mark_complete();
        next();
    };
}

/// @}

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/http_server.ipp>
#endif

#endif
