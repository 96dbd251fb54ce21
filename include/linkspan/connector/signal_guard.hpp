#ifndef LINKSPAN_CONNECTOR_SIGNAL_GUARD_HPP
#define LINKSPAN_CONNECTOR_SIGNAL_GUARD_HPP

#include <linkspan/connector/connector.hpp>

#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Shuts a connector down when the process receives SIGINT or SIGTERM.
///
/// On the first signal, the guard starts `async_shutdown`; on each further signal, the guard calls `close`. The signals
/// have no other effect until the shutdown is complete or the guard is destroyed. Without a guard, the library handles
/// neither signal. Child processes are in process groups of their own, so that Ctrl-C in a terminal reaches only this
/// process.
///
///     linkspan::signal_guard const guard(hub, [&](int) { listener.close(); });
///
/// After the shutdown the guard stops waiting for signals: an execution context without other work finishes, and the
/// signals have their default effect (`SIG_DFL`), unless another `signal_set` contains them. A connector that is opened
/// again needs a new guard.
///
/// \par Lifetime
/// The connector must outlive the guard.
/// \par Thread safety
/// Use on the executor of the connector.
class signal_guard {
public:
    /// Starts to wait for the signals.
    ///
    /// \param hub The connector.
    /// \param on_signal Invoked with the number of each signal on the executor of the connector, after the shutdown was
    /// started. May be empty.
    /// \param timeout Upper bound of the graceful shutdown. Default: 10 s.
    /// \throws boost::system::system_error if the signal handlers cannot be installed.
    explicit signal_guard(connector_base& hub, std::function<void(int)> on_signal = {},
                          duration timeout = std::chrono::seconds(10))
        : watch_(std::make_shared<watch>(hub, std::move(on_signal), timeout))
    {
        watch_->wait();
    }

    signal_guard(signal_guard const&) = delete;
    signal_guard& operator=(signal_guard const&) = delete;

    /// Stops waiting for signals. A shutdown that was started continues.
    ~signal_guard() { watch_->signals.cancel(); }

private:
    // State that the handlers share. Only the guard owns the state, so that a signal after the guard's destruction has
    // no effect.
    struct watch : std::enable_shared_from_this<watch> {
        watch(connector_base& guarded, std::function<void(int)> function, duration shutdown_timeout)
            : hub(guarded),
              on_signal(std::move(function)),
              timeout(shutdown_timeout),
              signals(guarded.get_executor(), SIGINT, SIGTERM)
        {}

        void wait()
        {
            signals.async_wait([weak = weak_from_this()](error_code ec, int number) {
                if (auto const self = weak.lock(); self && !ec)
                    self->on_raised(number);
            });
        }

        void on_raised(int number)
        {
            wait();
            if (std::exchange(is_raised, true))
                hub.close();
            else
                hub.async_shutdown(timeout, [weak = weak_from_this()](error_code, shutdown_report const&) {
                    if (auto const self = weak.lock())
                        self->retire();
                });
            if (on_signal)
                on_signal(number);
        }

        void retire()
        {
            signals.cancel();
            signals.clear();
        }

        connector_base& hub;                // outlives the guard
        std::function<void(int)> on_signal; // may be empty
        duration timeout;                   // of the shutdown
        asio::signal_set signals;           // cleared when the shutdown is complete
        bool is_raised = false;             // set by the first signal, never cleared
    };

    std::shared_ptr<watch> watch_;
};

} // namespace linkspan

#endif
