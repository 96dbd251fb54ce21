#ifndef LINKSPAN_OBSERVE_IMPL_HANDLER_DELAY_IPP
#define LINKSPAN_OBSERVE_IMPL_HANDLER_DELAY_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/observe/handler_delay.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

// The timer, and the measured delays.
struct handler_delay::probe {
    probe(asio::any_io_executor executor, duration between) : pause(std::move(executor)), interval(between)
    {
        pause.run_in_background();
    }

    // Measures the delay once per interval until `is_running` is false.
    static void wait(std::shared_ptr<probe> const& self)
    {
        self->pause.expires_after(self->interval);
        detail::start_wait(self->pause, [weak = std::weak_ptr(self), number = self->number](error_code ec) {
            auto const alive = weak.lock();
            if (ec || !alive || !alive->is_running || alive->number != number)
                return;
            alive->record(alive->pause.now() - alive->pause.expiry());
            wait(alive);
        });
    }

    void record(duration delay) noexcept
    {
        last = delay;
        for (auto known = max.load(); delay > known && !max.compare_exchange_weak(known, delay);) {
        }
    }

    timer pause;
    duration interval;                      // set by the constructor
    bool is_running = false;                // set by start(), cleared by stop()
    unsigned number = 0;                    // incremented by start(): waits of an earlier start have no effect
    std::atomic<duration> last{duration()}; // set by record()
    std::atomic<duration> max{duration()};  // raised by record(), set to 0 by take_max()
};

LINKSPAN_DECL handler_delay::handler_delay(asio::any_io_executor executor, duration interval)
    : probe_(std::make_shared<probe>(std::move(executor), std::max<duration>(interval, std::chrono::milliseconds(1))))
{}

LINKSPAN_DECL handler_delay::~handler_delay() { stop(); }

LINKSPAN_DECL void handler_delay::start()
{
    if (std::exchange(probe_->is_running, true))
        return;
    ++probe_->number;
    probe::wait(probe_);
}

LINKSPAN_DECL void handler_delay::stop()
{
    probe_->is_running = false;
    probe_->pause.cancel();
}

LINKSPAN_DECL duration handler_delay::last() const noexcept { return probe_->last; }

LINKSPAN_DECL duration handler_delay::take_max() noexcept { return probe_->max.exchange(duration()); }

} // namespace linkspan

#endif
