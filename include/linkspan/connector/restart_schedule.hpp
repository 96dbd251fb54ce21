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

/// Determines when a server is restarted, as a state machine without a clock.
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe.
class restart_schedule {
public:
    /// Constructs a schedule without earlier restarts.
    explicit restart_schedule(restart_options options = {}) noexcept : options_(options) {}

    /// Reports that the server became ready.
    void on_up(time_point now) noexcept { up_since_ = now; }

    /// Reports that the server was lost or could not be started.
    ///
    /// \param now The current time.
    /// \param draw 64 random bits.
    /// \returns The wait before the restart. Empty: the server is not restarted.
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

    /// Reports that a caller starts the server. Resets all counts.
    void reset() noexcept
    {
        restarts_.clear();
        streak_ = slow_streak_ = 0;
        up_since_.reset();
    }

    /// Returns whether the last wait preceded a slow restart.
    bool is_slow() const noexcept { return slow_streak_ != 0; }

private:
    restart_options options_;            // set by the constructor
    std::vector<time_point> restarts_;   // times of the restarts within the window; cleared by reset()
    unsigned streak_ = 0;                // restarts since the server was last ready for `settled_after`
    unsigned slow_streak_ = 0;           // slow restarts since then; 0 before the first one
    std::optional<time_point> up_since_; // set by on_up(), cleared by on_down() and reset()
};

} // namespace linkspan

#endif
