#ifndef LINKSPAN_CORE_RUN_HPP
#define LINKSPAN_CORE_RUN_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Result of a coroutine. Shared with the completion handler: the coroutine may outlive a run of the context that was
// stopped. Set by the handler, never cleared.
template<class T>
struct run_state {
    bool completed = false;
    std::exception_ptr failure;
    std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> result;
};

// Completion handler of `co_spawn` that stores the result of the coroutine.
template<class T>
class run_handler {
public:
    explicit run_handler(std::shared_ptr<run_state<T>> state) : state_(std::move(state)) {}

    template<class... Value>
    void operator()(std::exception_ptr failure, Value&&... value) const
    {
        state_->completed = true;
        state_->failure = failure;
        if (!failure)
            state_->result.emplace(std::forward<Value>(value)...);
    }

private:
    std::shared_ptr<run_state<T>> state_;
};

} // namespace detail

/// Runs a coroutine on a context, on the calling thread, until the coroutine completes.
///
///     int main()
///     try {
///         boost::asio::io_context context;
///         ...
///         linkspan::run(context, work(hub));
///     } catch (std::exception const& failure) {
///         std::cerr << failure.what() << '\n';
///         return 1;
///     }
///
/// The function returns as soon as the coroutine has completed. Other work of the context, such as the connections of
/// an open connector, does not delay the return; this work remains in the context. A context that was stopped before
/// the call is restarted.
///
/// \param context Context to run. The coroutine is spawned on its executor.
/// \param coroutine Coroutine to run, for example the result of a function that returns `asio::awaitable<T>`.
/// \returns The value that the coroutine returned.
/// \par Preconditions
/// The function is not called from a handler of `context`.
/// \par Errors
/// Rethrows the exception of the coroutine. Throws `std::logic_error` if the context is stopped, or runs out of work,
/// before the coroutine completes; the coroutine then stays suspended. Throws `std::bad_alloc`.
/// \par Thread safety
/// Unsafe: no other thread may run `context` until the function has returned, because the result of the coroutine is
/// stored without synchronization.
template<class T>
T run(asio::io_context& context, asio::awaitable<T> coroutine)
{
    auto const state = std::make_shared<detail::run_state<T>>();
    if (context.stopped())
        context.restart();
    asio::co_spawn(context, std::move(coroutine), detail::run_handler<T>(state));
    while (!state->completed && context.run_one() != 0) {
    }
    if (!state->completed)
        throw std::logic_error("linkspan::run: the io_context stopped before the coroutine completed");
    if (state->failure)
        std::rethrow_exception(state->failure);
    if constexpr (!std::is_void_v<T>)
        return *std::move(state->result);
}

} // namespace linkspan

#endif
