#ifndef LINKSPAN_CONNECTOR_INTERCEPTOR_HPP
#define LINKSPAN_CONNECTOR_INTERCEPTOR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A call as interceptors receive it. An interceptor may change `tool`, `arguments` and `options` before it invokes the
/// next function.
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
struct tool_request {
    /// Constructs a request without a tool.
    tool_request() {}

    /// Name of the server that receives the attempt. Empty in interceptors of a connector, unless the caller selected
    /// one server. Changes have no effect.
    std::string server;

    /// Name of the tool. In interceptors of a server: the own name of the tool; in interceptors of a connector: the
    /// name that the caller passed.
    std::string tool;

    /// Arguments, as the text of a JSON object. A changed text is checked again: a text that is not one JSON object
    /// without duplicate keys completes the call with `error::invalid_arguments`.
    std::string arguments = "{}";

    /// Options of the call.
    call_options options;
};

namespace detail {
struct interceptor_chain;
}

/// The rest of the chain of interceptors, with the call at its end. May be invoked more than once, or not at all.
///
/// \par Lifetime
/// Shares ownership of the chain; may outlive the call of the interceptor.
class next_call {
public:
    /// Constructs the part of a chain that begins with the interceptor `at`. Used by the library.
    next_call(std::shared_ptr<detail::interceptor_chain const> chain, std::size_t at) noexcept
        : chain_(std::move(chain)), at_(at)
    {}

    /// Runs the remaining interceptors and the call.
    ///
    /// \param request The request, possibly changed.
    /// \returns An awaitable of the result. If the tool reported its own failure, `is_error()` of the result is true.
    /// \throws call_error in the coroutine, if the call fails.
    /// \par Cancellation
    /// A cancellation of the coroutine cancels the call.
    LINKSPAN_DECL asio::awaitable<call_result> operator()(tool_request request) const;

private:
    std::shared_ptr<detail::interceptor_chain const> chain_;
    std::size_t at_; // index of the next interceptor; the number of interceptors: the call itself
};

/// Coroutine around a call. The coroutine may change the request and the result, and may return a result without a
/// call.
///
///     hub.add_interceptor([](tool_request request, next_call next) -> asio::awaitable<call_result> {
///         pass_deps(request.options, deps_of_this_user()); // from <linkspan/session/call_context.hpp>
///         auto result = co_await next(std::move(request));
///         co_return result;
///     });
///
/// The interceptor that was added first is the outermost. Interceptors of a connector
/// (`connector_base::add_interceptor`) surround a call with all its attempts; those of a server
/// (`server_options::interceptors`) surround each attempt at that server.
///
/// \par Errors
/// An exception completes the surrounded call or attempt with an error. The call receives the code and the attempts of
/// a `call_error`; a `system_error` with `operation_aborted` completes the call with this code; any other exception
/// completes the call with `interceptor_failed`, with the text of the exception as detail. If an interceptor of a
/// server throws before it invokes the next function, the delivery certainty of the attempt is `not_sent`.
/// \par Cancellation
/// A cancellation of the call is forwarded to the operation that the coroutine awaits, within the cancellation types
/// that the coroutine enables; Asio enables `terminal` by default. When `call_options::timeout` elapses,
/// interceptors around attempts are cancelled. Interceptors around whole calls have no timeout.
/// \par Executor
/// Runs on the executor of the connector.
using interceptor = std::function<asio::awaitable<call_result>(tool_request, next_call)>;

namespace detail {

// Interceptors of one call or attempt, shared by the coroutines of the chain.
struct interceptor_chain {
    using last_function = std::function<void(pending_handler<void(error_code, call_result)>, tool_request)>;

    std::vector<interceptor> all; // the first is the outermost
    last_function last;           // starts the call itself, after the interceptors
    asio::any_io_executor executor;
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/interceptor.ipp>
#endif

#endif
