#ifndef LINKSPAN_CORE_DETAIL_DEADLINE_TIMER_HPP
#define LINKSPAN_CORE_DETAIL_DEADLINE_TIMER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/time.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Timer for the earliest of many deadlines. The timer is not cancelled when a deadline is removed: it expires although
// no deadline is due, and its owner then arms it for the next deadline. The additional expiry is cheaper than one
// cancellation per request.
//
// Invariant: if `due_` is not `max`, the handler of the last arm() is outstanding.
class deadline_timer {
public:
    explicit deadline_timer(asio::any_io_executor const& executor) : timer_(executor) {}

    // Returns whether the timer expires before `deadline` or at that time.
    bool is_armed_for(time_point deadline) const noexcept { return due_ <= deadline; }

    // Arms the timer for an earlier deadline. The handler of an earlier call receives `operation_aborted`. Throws
    // `std::bad_alloc`: the timer is not armed.
    void arm(time_point deadline, erased_handler<void(error_code)> handler)
    {
        due_ = time_point::max();
        timer_.expires_at(deadline);
        start_wait(timer_, std::move(handler));
        due_ = deadline;
    }

    // Called by the handler, if it received no error.
    void on_expiry() noexcept { due_ = time_point::max(); }

    void cancel() noexcept
    {
        timer_.cancel();
        due_ = time_point::max();
    }

private:
    timer timer_; // armed by arm(), cancelled by cancel()
    // Expiry of `timer_`; set by arm(), reset when the timer expires or is cancelled. max: the timer is not armed.
    time_point due_ = time_point::max();
};

} // namespace linkspan::detail

#endif
