#ifndef LINKSPAN_CONNECTOR_SIGNAL_GUARD_HPP
#define LINKSPAN_CONNECTOR_SIGNAL_GUARD_HPP

#include <linkspan/connector/connector.hpp>

#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <utility>

namespace linkspan {

/// Shuts a connector down when the program is asked to end, by SIGINT or SIGTERM: gracefully at the first signal, and
/// at once at the second. As long as one of these stands, the signals do nothing else; the library itself handles none.
///
///     linkspan::signal_guard const guard(hub, [&](int) { listener.close(); });
///
/// `on_signal(number)` runs at each signal, on the executor of the connector; it may be empty. When the connector is
/// down, the guard has done its work: it waits for signals no longer, so that a context without other work comes to its
/// end, and a signal does again what it did before. Who opens the connector again makes another guard.
///
/// Children are in process groups of their own: a Ctrl-C does not reach them before this does.
///
/// Lifetime: shorter than that of the connector. Thread safety: use it on the executor of the connector.
class signal_guard {
public:
    explicit signal_guard(connector_base& hub, std::function<void(int)> on_signal = {},
                          duration timeout = std::chrono::seconds(10))
        : watch_(std::make_shared<watch>(hub, std::move(on_signal), timeout))
    {
        watch_->wait();
    }

    signal_guard(signal_guard const&) = delete;
    signal_guard& operator=(signal_guard const&) = delete;

    ~signal_guard() { watch_->signals.cancel(); }

private:
    // Kept by the guard only: a signal that is on its way when the guard goes finds nothing.
    struct watch : std::enable_shared_from_this<watch> {
        watch(connector_base& of, std::function<void(int)> function, duration most)
            : hub(of), on_signal(std::move(function)), timeout(most), signals(of.get_executor(), SIGINT, SIGTERM)
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

        connector_base& hub;
        std::function<void(int)> on_signal;
        duration timeout;
        asio::signal_set signals;
        bool is_raised = false;
    };

    std::shared_ptr<watch> watch_;
};

} // namespace linkspan

#endif
