#ifndef LINKSPAN_CONNECTOR_RESTART_SCHEDULE_HPP
#define LINKSPAN_CONNECTOR_RESTART_SCHEDULE_HPP

#include <linkspan/connector/restart_options.hpp>
#include <linkspan/core/back_off.hpp>
#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Determines when a server is restarted. The caller passes the current time; the class reads no clock.
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe.
class restart_schedule {
public:
    /// Constructs a schedule without earlier restarts.
    ///
    /// \param options Limits and waits of the restarts.
    explicit restart_schedule(restart_options options = {}) noexcept : options_(options) {}

    /// Reports that the server became ready.
    ///
    /// \param now The current time.
    void on_up(time_point now) noexcept { up_since_ = now; }

    /// Reports that the server was lost or could not be started.
    ///
    /// \param now The current time.
    /// \param draw 64 random bits.
    /// \returns The wait before the restart. Empty: the server is not restarted, because `max_restarts` is 0, or
    /// because `give_up` is true and there were `max_restarts` restarts within `window`.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`; the call may be repeated.
    std::optional<duration> on_down(time_point now, std::uint64_t draw)
    {
        if (up_since_ && now - *up_since_ >= options_.settled_after)
            streak_ = slow_streak_ = 0;
        up_since_.reset();
        std::erase_if(restarts_, [&](time_point then) { return now - then >= options_.window; });
        if (is_slow() || restarts_.size() >= options_.max_restarts) {
            if (options_.max_restarts == 0 || options_.give_up)
                return std::nullopt;
            slow_streak_ = std::min(slow_streak_ + 1, 32u);
            return equal_jitter(options_.max_wait, std::max(options_.max_wait, options_.max_slow_wait), slow_streak_,
                                draw);
        }
        restarts_.push_back(now);
        return equal_jitter(options_.wait, options_.max_wait, ++streak_, draw);
    }

    /// Reports that an operation or a call starts the server, and resets all counts.
    void reset() noexcept
    {
        restarts_.clear();
        streak_ = slow_streak_ = 0;
        up_since_.reset();
    }

    /// Returns whether the last wait returned by `on_down()` preceded a slow restart (see `restart_options`); false
    /// after `reset()`.
    bool is_slow() const noexcept { return slow_streak_ != 0; }

private:
    restart_options options_; // set by the constructor
    // Times of restarts; added by on_down(), which also erases those older than `window`; cleared by reset().
    std::vector<time_point> restarts_;
    // Restarts, without slow ones, since the server was last ready for `settled_after`; incremented and cleared by
    // on_down(), cleared by reset().
    unsigned streak_ = 0;
    unsigned slow_streak_ = 0;           // slow restarts since that time; changed as streak_
    std::optional<time_point> up_since_; // set by on_up(), cleared by on_down() and reset()
};

} // namespace linkspan

#endif
