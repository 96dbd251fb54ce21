#ifndef LINKSPAN_PROTOCOL_RESTART_SCHEDULE_HPP
#define LINKSPAN_PROTOCOL_RESTART_SCHEDULE_HPP

#include <linkspan/back_off.hpp>
#include <linkspan/fwd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace linkspan {

/// How a server that was lost, or could not be started, is started again. To start it again never means to send a call
/// again: that is the fallback policy's to say.
struct restart_options {
    unsigned most = 5;                                 ///< in `window`; one more and it has failed. 0: never
    duration window = std::chrono::minutes(10);        ///< in which restarts are counted
    duration wait = std::chrono::seconds(1);           ///< before the first, half of it at least; doubled each time
    duration max_wait = std::chrono::seconds(30);      ///< however often
    duration settled_after = std::chrono::seconds(60); ///< when it was up for so long, the wait begins anew
    duration patience = std::chrono::seconds(5);       ///< calls wait for a restart that is due within this time
};

/// When to start a server again, and when to leave it alone.
class restart_schedule {
public:
    explicit restart_schedule(restart_options options = {}) noexcept : options_(options) {}

    /// Event: the server is up.
    void on_up(time_point now) noexcept { up_since_ = now; }

    /// Event: it was lost, or could not be started. Yields the wait before it is started again; nothing when it was
    /// started too often. `draw`: 64 random bits.
    std::optional<duration> on_down(time_point now, std::uint64_t draw)
    {
        if (up_since_ && now - *up_since_ >= options_.settled_after)
            streak_ = 0;
        up_since_.reset();
        std::erase_if(restarts_, [&](time_point then) { return now - then >= options_.window; });
        if (restarts_.size() >= options_.most)
            return std::nullopt;
        restarts_.push_back(now);
        return equal_jitter(options_.wait, options_.max_wait, ++streak_, draw);
    }

    /// Event: somebody starts it by hand. What was counted is forgotten.
    void reset() noexcept
    {
        restarts_.clear();
        streak_ = 0;
        up_since_.reset();
    }

private:
    restart_options options_;
    std::vector<time_point> restarts_; // within the window
    unsigned streak_ = 0;              // restarts without a settled time between them
    std::optional<time_point> up_since_;
};

} // namespace linkspan

#endif
