#ifndef LINKSPAN_CORE_DETAIL_OPTIONAL_TIMER_HPP
#define LINKSPAN_CORE_DETAIL_OPTIONAL_TIMER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A timer that its first use creates, because a timer needs more than 200 bytes and most objects never use this one.
class optional_timer {
public:
    // Returns the timer. The first call creates it; its waits are background waits.
    timer& in_background(asio::any_io_executor const& executor)
    {
        if (!timer_) {
            timer_ = std::make_unique<timer>(executor);
            timer_->run_in_background();
        }
        return *timer_;
    }

    // Cancels the waits, if the timer exists.
    void cancel()
    {
        if (timer_)
            timer_->cancel();
    }

private:
    std::unique_ptr<timer> timer_; // set by the first call of in_background(), never cleared
};

} // namespace linkspan::detail

#endif
