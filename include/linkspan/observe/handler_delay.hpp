#ifndef LINKSPAN_OBSERVE_HANDLER_DELAY_HPP
#define LINKSPAN_OBSERVE_HANDLER_DELAY_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>

namespace linkspan::inline LINKSPAN_ABI {

/// Measures how long a ready handler of an execution context waits until it runs. The delay grows if a handler blocks,
/// or if the context has more work than its threads can do; all calls of the context are then slower.
///
///     linkspan::handler_delay delay(executor);
///     delay.start();
///     // later, in the state that the program exports:
///     state["handler_delay"] = std::chrono::duration<double>(delay.take_max()).count();
///
/// A timer expires once per `interval`. Its delay is the time from the expiry until the handler of the timer runs. A
/// handler that blocks for longer than the interval is always noticed, a shorter one only if the timer expires
/// meanwhile.
///
/// \par Lifetime
/// The object may be destroyed at any time. From `start` to `stop` or the destruction, the timer is outstanding work of
/// the context, so that `io_context::run` does not return.
/// \par Thread safety
/// `last` and `take_max`: safe from any thread. Other functions: call them on the executor, which runs one handler at a
/// time: that of a context with one thread, or a strand.
class handler_delay {
public:
    /// \param executor Executor whose handlers are measured.
    /// \param interval Time between two measurements, at least 1 ms; shorter times are raised to it. Default: 1 s.
    LINKSPAN_DECL explicit handler_delay(asio::any_io_executor executor, duration interval = std::chrono::seconds(1));
    handler_delay(handler_delay const&) = delete;
    handler_delay& operator=(handler_delay const&) = delete;

    /// Stops the measurements.
    LINKSPAN_DECL ~handler_delay();

    /// Starts the measurements. No effect if they were started.
    LINKSPAN_DECL void start();

    /// Ends the measurements. No effect if they were not started.
    LINKSPAN_DECL void stop();

    /// Returns the delay of the last measurement; 0 before the first one.
    LINKSPAN_DECL duration last() const noexcept;

    /// Returns the longest delay since the last call of this function, or since the construction; 0 if there was no
    /// measurement.
    LINKSPAN_DECL duration take_max() noexcept;

private:
    struct probe;

    std::shared_ptr<probe> probe_; // shared with the handler of the timer; never null
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/observe/impl/handler_delay.ipp>
#endif

#endif
