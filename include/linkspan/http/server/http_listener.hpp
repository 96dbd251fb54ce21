#ifndef LINKSPAN_HTTP_SERVER_HTTP_LISTENER_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_LISTENER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/http/server/http_counters.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/stream_layer.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

class http_listener_core;
using listener_pointer = std::shared_ptr<http_listener_core>;

LINKSPAN_DECL asio::any_io_executor const& executor_of(listener_pointer const& listener) noexcept;
LINKSPAN_DECL void stop_listener(listener_pointer const& listener, duration within,
                                 pending_handler<void(error_code)> done);

} // namespace detail

/// Server socket for HTTP/1.1: accepts connections over TCP or over a Unix domain socket, and passes their requests to
/// a handler. Listens on loopback by default.
///
///     linkspan::http_listener listener(executor, handler, {.port = 8080});
///     linkspan::error_code ec;
///     listener.listen(ec);
///
/// \par Executor
/// All handlers run on the executor that was passed to the constructor.
/// \par Lifetime
/// The handler must outlive the listener. The listener may be destroyed at any time, which closes all connections.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class http_listener {
public:
    /// Options of a listener.
    struct options {
        std::string address = "127.0.0.1"; ///< local IPv4 or IPv6 address; not a host name
        std::uint16_t port = 0;            ///< local port; 0: a free port, see `port()`
        /// Path of a Unix domain socket, which is used instead of TCP. Only processes of the same user may connect. A
        /// socket at this path without a listening process is replaced; the path is removed when the listener stops.
        /// Empty: TCP.
        std::string unix_socket{};
        std::size_t max_connections = 256; ///< open connections; further ones remain in the accept queue
        /// Open connections of one remote IP address; further ones are closed. IPv6 addresses with the same 64-bit
        /// prefix count as one address. Does not apply to Unix domain sockets. 0: no limit.
        std::size_t max_per_address = 0;
        http_server_limits limits; ///< limits of each connection
        /// Layer of the accepted connections, such as `server_tls()`. Null: none.
        std::shared_ptr<stream_layer const> layer{};
    };

    /// Creates a listener that does not listen yet.
    LINKSPAN_DECL http_listener(asio::any_io_executor executor, http_request_handler& handler, options listening);

    /// Creates a listener with default options that does not listen yet.
    LINKSPAN_DECL http_listener(asio::any_io_executor executor, http_request_handler& handler);
    http_listener(http_listener const&) = delete;
    http_listener& operator=(http_listener const&) = delete;
    /// Closes the listener and all connections.
    LINKSPAN_DECL ~http_listener();

    /// Starts to accept connections.
    ///
    /// \param ec Set to `operation_aborted` after `async_stop` or `close`; to `already_open` if the listener listens;
    /// to `invalid_argument` if `options::address` is not an IP address; to `name_too_long` if the path of a Unix
    /// domain socket has more than 107 bytes; to the error of the operating system if the socket cannot be opened or
    /// bound; else cleared.
    LINKSPAN_DECL void listen(error_code& ec);

    /// Returns whether the listener listens.
    LINKSPAN_DECL bool is_listening() const noexcept;

    /// Returns the local port; 0 while the listener does not listen, and with a Unix domain socket.
    LINKSPAN_DECL std::uint16_t port() const noexcept;

    /// Serves a connection that was made elsewhere, in addition to accepted connections. `options::layer` is not added.
    /// After `async_stop` or `close`, or if the address has `options::max_per_address` connections, the stream is
    /// destroyed.
    ///
    /// \param address Address of the client, as any text, for the limits per address. Empty: not known; these limits do
    /// not apply.
    LINKSPAN_DECL void serve(std::unique_ptr<byte_stream> stream, std::string address = {});

    /// Returns the number of open connections.
    LINKSPAN_DECL std::size_t connections() const noexcept;

    /// Returns the number of connections that were accepted or passed to `serve` since the listener was created.
    LINKSPAN_DECL std::size_t accepted() const noexcept;

    /// Returns the counters of the listener. An `http_service` adds the counters of complete requests and of sessions.
    LINKSPAN_DECL http_counters counters() const noexcept;

    /// Closes all connections as if their peers had closed them, and continues to accept. Tests use the function to
    /// simulate lost connections.
    LINKSPAN_DECL void drop_connections();

    /// Resets the next connection when it is accepted or passed to `serve`, without reading from it. Each call resets
    /// one further connection. Tests use the function to simulate a failing network.
    LINKSPAN_DECL void reset_next();

    /// Stops the listener gracefully: accepts no more connections, closes idle connections, and closes the other
    /// connections when their response is written. Several stops may be outstanding; all of them complete together.
    ///
    /// \param within Time after which the remaining connections are closed. The value of the last call applies.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `asio::error::timed_out`: connections were closed after `within`. `operation_aborted`: the listener was closed
    /// or destroyed during the operation.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor complete the operation with `operation_aborted`.
    /// \par Executor
    /// Call on the listener's executor. The handler runs on its associated executor (default: the listener's executor),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The listener may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_stop(duration within, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::stop_listener>(core_), token,
                                                             within);
    }

    /// Closes the listener and all connections immediately. The functions of `http_exchange::on_disconnect` are not
    /// called. Idempotent.
    LINKSPAN_DECL void close() noexcept;

private:
    friend class http_service;

    // Returns the counters to which a service adds its own.
    LINKSPAN_DECL http_counters& shared_counters() noexcept;

    detail::listener_pointer core_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_listener.ipp>
#endif

#endif
