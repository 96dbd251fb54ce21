#ifndef LINKSPAN_CONNECTOR_WITH_OPEN_HPP
#define LINKSPAN_CONNECTOR_WITH_OPEN_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

/// Opens a connector, runs a coroutine, and shuts the connector down gracefully, also if the coroutine throws.
///
/// In contrast, the destructor of a connector closes the connections immediately, because a destructor cannot wait.
///
///     co_await async_with_open(hub, [&]() -> boost::asio::awaitable<void> {
///         auto const reply = co_await hub.async_call("add", args);
///     });
///
/// \param hub The connector.
/// \param body Function object without parameters that returns an awaitable.
/// \param timeout Upper bound of the shutdown. Default: 10 s.
/// \returns An awaitable of the result of `body`.
/// \par Completion signature
/// None: the function is a coroutine and takes no completion token. `co_await` returns the result of `body`.
/// \par Errors
/// Throws `connection_error` in the coroutine if the connector could not be opened; otherwise the exception of `body`.
/// Errors of the shutdown are ignored.
/// \par Cancellation
/// `terminal`, and the other types that the coroutine enables: forwarded to the opening, which `total` does not abort;
/// in `body`, forwarded to the awaited operation. The shutdown is not cancelled; it takes `timeout` at most.
/// \par Executor
/// The coroutine must run on the executor of the connector.
/// \par Lifetime
/// The connector must outlive the coroutine.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Basic: after an exception of the opening or of `body`, the connector is shut down. The call itself throws
/// `std::bad_alloc` only.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, "Initialization" and "Shutdown"; 2026-07-28, `server/discover`.
template<class Body, class Result = typename std::invoke_result_t<Body&>::value_type>
asio::awaitable<Result> async_with_open(connector_base& hub, Body body, duration timeout = std::chrono::seconds(10))
{
    std::exception_ptr thrown;
    std::optional<std::conditional_t<std::is_void_v<Result>, std::monostate, Result>> result;
    try {
        co_await hub.async_open(throwing);
        if constexpr (std::is_void_v<Result>)
            co_await body();
        else
            result = co_await body();
    } catch (...) {
        thrown = std::current_exception();
    }
    // The shutdown is not cancelled, neither by the cancellation that aborted `body` nor by a later one.
    bool const throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    asio::cancellation_slot const none;
    co_await hub.async_shutdown(timeout, asio::bind_cancellation_slot(none, asio::as_tuple(asio::use_awaitable)));
    co_await asio::this_coro::throw_if_cancelled(throws);
    if (thrown)
        std::rethrow_exception(thrown);
    if constexpr (!std::is_void_v<Result>)
        co_return *std::move(result);
}

} // namespace linkspan

#endif
