#ifndef LINKSPAN_TEST_HTTP_SERVER_HPP
#define LINKSPAN_TEST_HTTP_SERVER_HPP

#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::test {

/// What a server does over HTTP where the protocol leaves it free.
struct http_server_options {
    enum class form { json, stream };

    std::string path = "/mcp";
    std::string sse_path;       ///< not empty, as "/sse": serves HTTP+SSE of 2024-11-05, and nothing else
    form answers = form::json;  ///< what says more than an answer is a stream in any case
    bool sessions = true;       ///< begun by a handshake
    bool get_stream = true;     ///< for what it says unasked; else GET is 405
    bool delete_session = true; ///< else DELETE is 405
    bool asks_on_get = false;   ///< its requests go by the stream of the GET, not by that of the call
    bool resumable = false;     ///< events have ids, a stream begins with one to resume from, and can be resumed
    bool polls = false;         ///< ends the stream of a POST behind its first event; the answer waits for a GET
    std::optional<std::chrono::milliseconds> retry{}; ///< told in the first event of a resumable stream
    std::vector<std::string> origins{};               ///< that may come
    std::vector<std::string> hosts{};                 ///< that it is known by; empty: any
    std::uint16_t port = 0;                           ///< of loopback; 0: any that is free
    http_server_limits limits{.comment_every = duration::zero()};
};

namespace detail {

class http_web;

} // namespace detail

/// Serves a scripted server over HTTP: on loopback, in real time, and over streams in memory, in virtual time.
///
///     scripted_server weather;
///     http_server web(executor, weather, {.answers = http_server_options::form::stream});
///     hub.add<streamable_http>("weather", {.url = web.url()});
///
/// The server's protocol versions make the persona: one without a handshake alone is strict about the envelope and its headers,
/// with both kinds it serves both eras in one place. A session is one connection of the scripted server; so is each
/// request without one. `drop_connection()` cuts the connection that the request came by, and ends its session.
///
/// Lifetime: `server` outlives it; it may be destroyed at any time, and closes everything.
/// Thread safety: none; used on the thread that runs `executor`.
class http_server {
public:
    http_server(asio::any_io_executor executor, scripted_server& server, http_server_options options = {});
    http_server(http_server const&) = delete;
    http_server& operator=(http_server const&) = delete;
    ~http_server();

    /// Where it is, "http://127.0.0.1:4000/mcp"; listens from the first call on. Throws what the system says.
    std::string url();

    /// Serves a connection that was made elsewhere, such as one in memory.
    void serve(std::unique_ptr<byte_stream> stream);

    /// All requests that came whole, in order.
    std::vector<http_server_request> const& requests() const noexcept;

    /// How many of them are of that method of HTTP and contain `part` in their body.
    std::size_t requests(std::string_view method, std::string_view part = {}) const;

    std::size_t connections() const noexcept;      ///< that were accepted
    std::size_t open_connections() const noexcept; ///< of these
    std::size_t sessions() const noexcept;         ///< that are alive

    /// Forgets all sessions, as a server does that starts again: their next request is answered with 404.
    void forget_sessions();

    /// Cuts all connections of HTTP. Sessions live on.
    void drop_connections();

    /// Answers the next request of that method whose body contains `part` so, whatever it asks for.
    void answer_next(std::string method, std::string part, int status, http_exchange::fields_type fields = {},
                     std::string body = {});

    /// `first` sees every request before the server does, and returns true when it has dealt with it.
    void add_interceptor(std::function<bool(http_server_request const&, http_exchange)> first);

    /// Accepts no more, and ends connections that do nothing; calls `done` when all have ended, or are cut `within`.
    void stop(duration within, std::function<void()> done);

private:
    std::unique_ptr<detail::http_web> web_;
};

/// @name Actions of a server that is reached over HTTP; over another transport they do nothing, and go on
/// @{

/// Answers with any status, fields and body. The answer must not have begun.
inline action http_answer(int status, http_exchange::fields_type fields = {}, std::string body = {})
{
    return
        [status, fields = std::move(fields), body = std::move(body)](exchange& on, std::function<void()> const& next) {
            if (auto* const http = on.http())
                http->answer(status, fields, body);
            on.leave();
            next();
        };
}

/// Announces an answer: status 1xx.
inline action http_announce(int status, http_exchange::fields_type fields = {})
{
    return [status, fields = std::move(fields)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->announce(status, fields);
        next();
    };
}

/// Writes any bytes to the connection, in place of an answer or in the midst of one.
inline action http_raw(std::string bytes)
{
    return [bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->raw(bytes);
        next();
    };
}

/// Begins a stream of events, with fields beside the usual ones.
inline action http_stream(http_exchange::fields_type fields = {})
{
    return [fields = std::move(fields)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->begin_stream(fields);
        next();
    };
}

/// Writes an event as it stands into a stream that has begun: "event: x\nid: 7\ndata: {}\n\n", or a part of one.
inline action http_event(std::string text)
{
    return [text = std::move(text)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->text(text);
        next();
    };
}

/// Ends the answer as it is, well-formed, and the connection lives on.
inline action http_end()
{
    return [](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->end();
        on.leave();
        next();
    };
}

/// Ends the connection when what was written before has left; the session lives on.
inline action http_cut()
{
    return [](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->cut();
        on.leave();
        next();
    };
}

/// @}

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/http_server.ipp>
#endif

#endif
