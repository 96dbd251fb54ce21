#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVER_CONNECTION_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVER_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/http/server/http_server_limits.hpp>
#include <linkspan/http/server/http_server_message.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class http_service;

namespace detail {

class http_server_core;
struct connection_group;
struct http_remote;

} // namespace detail

/// Handle of one request for which the server writes a response: a whole response by `respond`, or a stream by
/// `begin_stream`, `event` and `end`.
///
/// A handle may be copied and stored. After the exchange is over or its connection is closed, the functions have no
/// effect.
///
/// \par Executor
/// All functions must be called on the executor of the connection.
/// \par Thread safety
/// Objects of different connections: safe. Objects of the same connection: unsafe.
class http_exchange {
public:
    /// Type of the header fields of a response.
    using fields_type = std::vector<http_server_field>;

    /// Creates a handle without an exchange. `is_over()` is true.
    http_exchange() = default;

    /// Returns true if the exchange is over: the response was completed, or the connection was closed.
    LINKSPAN_DECL bool is_over() const noexcept;

    /// Returns true if a part of the final response was written. Interim responses do not count.
    LINKSPAN_DECL bool has_begun() const noexcept;

    /// Returns the number of bytes of the response that were not passed to a write operation yet, because the client
    /// reads slowly. 0 if the exchange is over.
    LINKSPAN_DECL std::size_t unwritten_bytes() const noexcept;

    /// Writes an interim response with a status 1xx. No effect after the final response has begun.
    LINKSPAN_DECL void send_interim(int status, fields_type const& fields = {});

    /// Writes a whole response, and completes the exchange. The function adds Content-Length, except with status 204,
    /// and for a body the Content-Type application/json, unless `fields` contains these headers. If a response has
    /// already begun, the function closes the connection instead.
    LINKSPAN_DECL void respond(int status, fields_type const& fields = {}, std::string_view body = {});

    /// @name A stream of server-sent events
    /// @{

    /// Writes the head of a response with status 200 and, unless `fields` contains a Content-Type, the type
    /// text/event-stream. The headers `Cache-Control: no-store` and `X-Accel-Buffering: no` are added. The body is
    /// chunked; for a client of HTTP/1.0, the body ends with the connection. The function has no effect if a response
    /// has already begun.
    LINKSPAN_DECL void begin_stream(fields_type const& fields = {});

    /// Writes one event. Has no effect without a stream.
    LINKSPAN_DECL void event(http_server_event const& content);

    /// Writes a comment, which clients ignore. Has no effect without a stream.
    LINKSPAN_DECL void comment(std::string_view text);

    /// Writes bytes as a part of the stream. Has no effect without a stream.
    LINKSPAN_DECL void text(std::string_view bytes);

    /// Ends the stream and the exchange.
    LINKSPAN_DECL void end();
    /// @}

    /// Writes bytes without framing, instead of a response or within one. `end` or `cut` must follow. Tests use the
    /// function for invalid responses.
    LINKSPAN_DECL void raw(std::string_view bytes);

    /// Completes the exchange, and closes the connection when all bytes are written.
    LINKSPAN_DECL void cut() noexcept;

    /// Refuses the request with status 503. If the response has begun, or no memory is available, the function has the
    /// effect of `cut`.
    LINKSPAN_DECL void fail() noexcept;

    /// Sets a function that is called once if the connection is lost before the exchange is over, for example because
    /// the client cancelled the request. `http_server_connection::close` and the destructor do not call the function.
    LINKSPAN_DECL void on_disconnect(std::function<void()> callback);

    /// Returns true if both are handles of the same request of the same connection, or if both have no exchange.
    friend bool operator==(http_exchange const& a, http_exchange const& b) noexcept
    {
        return a.number_ == b.number_ && !a.core_.owner_before(b.core_) && !b.core_.owner_before(a.core_);
    }

private:
    friend class detail::http_server_core;
    friend class http_service;

    http_exchange(std::weak_ptr<detail::http_server_core> core, std::uint64_t number)
        : core_(std::move(core)), number_(number)
    {}

    std::shared_ptr<detail::http_server_core> current() const noexcept;

    // Adds header fields to the final response, in addition to those of the function that writes it.
    LINKSPAN_DECL void add_fields(fields_type const& fields);

    // Returns the remote side of the connection; null: the exchange is over.
    LINKSPAN_DECL detail::http_remote* remote() const noexcept;

    // Returns the counted bytes of the body of the request, which count while a copy exists; null: they do not count.
    LINKSPAN_DECL std::shared_ptr<void> body_share() const noexcept;

    std::weak_ptr<detail::http_server_core> core_; // connection of the exchange; empty: no exchange
    std::uint64_t number_ = 0;                     // number of the exchange in its connection
};

/// Interface of the receiver of the requests of one or more connections.
class http_request_handler {
public:
    /// Called for each complete request, on the executor of the connection. The response may be written later. The next
    /// request of the same connection is read after the response.
    ///
    /// \param request The request, which is valid during the call.
    /// \param exchange Handle for the response.
    virtual void on_request(http_server_request const& request, http_exchange exchange) = 0;

    /// Called when the first graceful stop of the listener begins (`http_listener::async_stop`). Does nothing by
    /// default.
    virtual void on_stop() {}

protected:
    ~http_request_handler() = default;
};

/// Server side of one HTTP/1.1 connection: reads requests one after another, and writes their responses.
///
/// Requests that are not valid HTTP are refused with the status 400 or 505, requests that exceed a size limit with 413,
/// 431 or 503, and requests that exceed a timeout with 408. The connection is closed afterwards.
///
/// \par Executor
/// All handlers run on the executor that was passed to the constructor.
/// \par Lifetime
/// `handler` must outlive the connection. The connection may be destroyed at any time, also inside a handler, which
/// closes it.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// RFC 9112; HTML, "Server-sent events".
class http_server_connection {
public:
    /// Starts to read requests.
    ///
    /// \param executor Runs all steps; must not run two handlers concurrently.
    /// \param stream An open stream to the client.
    /// \param handler Receives the requests.
    /// \param limits Limits of the connection.
    /// \param on_end Called once when the connection has ended, unless `close` or the destructor ended it. May destroy
    /// the connection. May be empty.
    /// \param address Address of the client, for limits per address. Empty: not known.
    /// \param group Objects that this and other connections share, set by an `http_listener`. Null: none; the limits
    /// over all connections do not apply.
    LINKSPAN_DECL http_server_connection(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                                         http_request_handler& handler, http_server_limits const& limits = {},
                                         std::function<void()> on_end = {}, std::string address = {},
                                         std::shared_ptr<detail::connection_group> group = nullptr);
    http_server_connection(http_server_connection const&) = delete;
    http_server_connection& operator=(http_server_connection const&) = delete;
    /// Closes the connection.
    LINKSPAN_DECL ~http_server_connection();

    /// Closes the connection when the current exchange is over, or immediately if there is none, and then calls
    /// `on_end`.
    LINKSPAN_DECL void stop();

    /// Closes the connection as if the peer had closed it. Calls the functions of `http_exchange::on_disconnect` and
    /// `on_end`.
    LINKSPAN_DECL void disconnect();

    /// Closes the connection immediately, without calling any function. Idempotent.
    LINKSPAN_DECL void close() noexcept;

private:
    std::shared_ptr<detail::http_server_core> core_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
// includes the bodies, which need the classes of both headers
#include <linkspan/http/server/detail/http_server_core.hpp>
#endif

#endif
