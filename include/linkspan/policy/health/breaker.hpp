#ifndef LINKSPAN_POLICY_HEALTH_BREAKER_HPP
#define LINKSPAN_POLICY_HEALTH_BREAKER_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/back_off.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/system/errc.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace linkspan {
namespace health {

/// When a breaker opens, and for how long.
struct breaker_options {
    unsigned consecutive = 5;                          ///< failures in a row that open it
    double share = 0.5;                                ///< of failures within `window`, which opens it too
    unsigned least_calls = 10;                         ///< that the share is taken of
    duration window = std::chrono::seconds(60);        ///< in which calls are counted, to a sixth of it
    duration open_for = std::chrono::seconds(30);      ///< the first time; doubled each time
    duration most_open = std::chrono::minutes(5);      ///< however often
    duration forgive_after = std::chrono::seconds(60); ///< closed for so long, one opening is forgotten
};

/// The breaker of one server: closed, it counts failures; open, it waits for a probe, or for the result of a call that
/// was sent since. The first failures of a server that is down cost calls their time; those after them are spared it.
/// All attempts of one call on the server count as one failure, and so does the loss of one connection, however many
/// calls it ends.
///
/// M. Nygard, "Release It!", 2007.
class breaker {
public:
    explicit breaker(breaker_options const& options = {}) noexcept : options_(options) {}

    bool is_open() const noexcept { return open_; }

    /// When it may be probed; while it is open.
    time_point until() const noexcept { return until_; }

    /// How long it is open, this time.
    duration open_span() const noexcept { return doubled(options_.open_for, options_.most_open, openings_); }

    /// Event: an attempt ended. What says nothing about the server is not counted: refusals, ours and its own, and
    /// calls that were cancelled.
    void on_result(outcome const& result, time_point now) noexcept
    {
        bool const failed = result.certainty != certainty::completed;
        if (open_ && !failed && now - result.elapsed > opened_at_) // else the server may have failed since
            return close(now);
        if (open_ || result.certainty == certainty::refused || is_local(result) || (failed && result.repeated))
            return;
        count(failed, now);
        consecutive_ = failed ? consecutive_ + 1 : 0;
        if (failed && (consecutive_ >= options_.consecutive || is_share_reached()))
            open(now);
    }

    /// Event: a probe ended.
    void on_probe(bool alive, time_point now) noexcept
    {
        if (!open_)
            return;
        if (!alive)
            return open(now);
        close(now);
    }

    /// The failure is one of this side, or the caller's wish.
    static bool is_local(outcome const& result) noexcept
    {
        if (result.ec == boost::system::errc::operation_canceled)
            return true;
        if (result.certainty != certainty::not_sent)
            return false;
        return result.ec == condition::not_executed || result.ec == condition::tool_refused ||
               result.ec == error::attempt_timed_out || result.ec == error::deadline_exceeded;
    }

    /// The server was not reached, such as by a connection that was refused.
    static bool is_unreachable(outcome const& result) noexcept
    {
        return result.certainty == certainty::not_sent && result.ec && !is_local(result);
    }

private:
    struct slot {
        std::int64_t number = 0; // of the part of the window, since the epoch
        unsigned calls = 0;
        unsigned failures = 0;
    };

    void open(time_point now) noexcept
    {
        auto const forgiven = closed_at_ == time_point() ? 0 : (now - closed_at_) / options_.forgive_after;
        if (!open_) {
            openings_ -= static_cast<unsigned>(std::min<std::int64_t>(forgiven, openings_));
            opened_at_ = now;
        }
        openings_ = std::min(openings_ + 1, 32u);
        open_ = true;
        until_ = now + open_span();
    }

    void close(time_point now) noexcept
    {
        open_ = false;
        closed_at_ = now;
        consecutive_ = 0;
        slots_ = {};
    }

    void count(bool failed, time_point now) noexcept
    {
        auto const part = options_.window / static_cast<int>(slots_.size());
        now_ = part > duration::zero() ? now.time_since_epoch() / part : 0;
        auto& at = slots_[static_cast<std::size_t>(now_) % slots_.size()];
        if (at.number != now_)
            at = {now_, 0, 0};
        ++at.calls;
        at.failures += failed;
    }

    bool is_share_reached() const noexcept
    {
        unsigned calls = 0, failures = 0;
        for (auto const& at : slots_)
            if (now_ - at.number < static_cast<std::int64_t>(slots_.size())) {
                calls += at.calls;
                failures += at.failures;
            }
        return calls >= options_.least_calls && failures >= options_.share * calls;
    }

    breaker_options options_;
    bool open_ = false;
    unsigned openings_ = 0;
    time_point opened_at_{}; // while it is open
    time_point until_{};
    time_point closed_at_{};
    unsigned consecutive_ = 0;
    std::int64_t now_ = 0; // the number of the slot of the last call
    std::array<slot, 6> slots_{};
};

} // namespace health

} // namespace linkspan

#endif
