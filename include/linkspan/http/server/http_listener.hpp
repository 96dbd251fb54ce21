#ifndef LINKSPAN_HTTP_SERVER_HTTP_LISTENER_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_LISTENER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace linkspan {
namespace detail {

class http_listener_core;

} // namespace detail

/// Accepts connections of HTTP and serves them, on loopback unless told otherwise.
///
/// Lifetime: the handler outlives it. It may be destroyed at any time, and closes everything then.
/// Thread safety: none; all handlers run on its executor.
class http_listener {
public:
    struct options {
        std::string address = "127.0.0.1"; ///< IPv4 or IPv6, as a number
        std::uint16_t port = 0;            ///< 0: any that is free
        std::size_t max_connections = 256; ///< of those that come then, the system keeps some waiting
        http_server_limits limits;
    };

    LINKSPAN_DECL http_listener(asio::any_io_executor executor, http_request_handler& handler, options with);
    LINKSPAN_DECL http_listener(asio::any_io_executor executor, http_request_handler& handler);
    http_listener(http_listener const&) = delete;
    http_listener& operator=(http_listener const&) = delete;
    LINKSPAN_DECL ~http_listener();

    /// Accepts from here on. Errors: those of the system, `invalid_argument` for an address that is no number.
    LINKSPAN_DECL void listen(error_code& ec);

    /// Where it listens; 0 while it does not.
    LINKSPAN_DECL std::uint16_t port() const noexcept;

    /// Serves a connection that was made elsewhere, beside those that are accepted.
    LINKSPAN_DECL void serve(std::unique_ptr<byte_stream> stream);

    LINKSPAN_DECL std::size_t connections() const noexcept; ///< that are open
    LINKSPAN_DECL std::size_t accepted() const noexcept;    ///< since the beginning, with those served by hand

    /// Loses all connections, as when the server dies and is back at once.
    LINKSPAN_DECL void drop_connections();

    /// Accepts no more, ends idle connections, and the others when their answer is written.
    ///
    /// Completion signature: `void(error_code)`.
    /// Errors: `timed_out` when connections had to be cut after `within`; `operation_aborted` when it is closed.
    /// Cancellation: none; `close` ends it.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_stop(duration within, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_stop{core_, within}, token);
    }

    /// At once; nobody is told. Idempotent.
    LINKSPAN_DECL void close() noexcept;

private:
    struct initiate_stop {
        std::shared_ptr<detail::http_listener_core> core;
        duration within;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            stop(core, within, {std::forward<Handler>(handler), executor_of(core)});
        }
    };

    LINKSPAN_DECL static asio::any_io_executor executor_of(std::shared_ptr<detail::http_listener_core> const& core);
    LINKSPAN_DECL static void stop(std::shared_ptr<detail::http_listener_core> const& core, duration within,
                                   detail::pending_handler<void(error_code)> done);

    std::shared_ptr<detail::http_listener_core> core_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_listener.ipp>
#endif

#endif
