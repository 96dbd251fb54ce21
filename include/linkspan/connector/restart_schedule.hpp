#ifndef LINKSPAN_CONNECTOR_RESTART_SCHEDULE_HPP
#define LINKSPAN_CONNECTOR_RESTART_SCHEDULE_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace linkspan {

/// How a server that was lost, or could not be started, is started again. To start it again never means to send a call
/// again: that is the fallback policy's to say.
///
/// After `max_restarts` restarts within `window` the server is retried slowly and without end: after `max_wait`, doubled each
/// time up to `max_slow_wait`, until it was up for `settled_after`. With `give_up` it has failed instead.
/// `async_connect` starts a server at once in both cases, and forgets what was counted.
struct restart_options {
    unsigned max_restarts = 5;                         ///< in `window`, before the slow retries. 0: never restarted
    duration window = std::chrono::minutes(10);        ///< in which restarts are counted
    duration wait = std::chrono::seconds(1);           ///< before the first, half of it at least; doubled each time
    duration max_wait = std::chrono::seconds(30);      ///< however often
    duration settled_after = std::chrono::seconds(60); ///< when it was up for so long, the wait begins anew
    duration patience = std::chrono::seconds(5);       ///< calls wait for a restart that is due within this time
    duration max_slow_wait = std::chrono::minutes(5);  ///< before a slow retry; half of it at least
    bool give_up = false;                              ///< no slow retries: the server has failed
};

/// When to start a server again, and when to leave it alone.
class restart_schedule {
public:
    explicit restart_schedule(restart_options options = {}) noexcept : options_(options) {}

    /// Event: the server is up.
    void on_up(time_point now) noexcept { up_since_ = now; }

    /// Event: it was lost, or could not be started. Yields the wait before it is started again; nothing when it is not.
    /// `draw`: 64 random bits.
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

    /// Event: somebody starts it by hand. What was counted is forgotten.
    void reset() noexcept
    {
        restarts_.clear();
        streak_ = slow_streak_ = 0;
        up_since_.reset();
    }

    /// The last wait was one before a slow retry.
    bool is_slow() const noexcept { return slow_streak_ != 0; }

private:
    restart_options options_;
    std::vector<time_point> restarts_; // within the window
    unsigned streak_ = 0;              // restarts without a settled time between them
    unsigned slow_streak_ = 0;         // slow retries, likewise
    std::optional<time_point> up_since_;
};

} // namespace linkspan

#endif
