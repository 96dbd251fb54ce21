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

namespace linkspan::inline LINKSPAN_ABI {
namespace health {

/// Options of a circuit breaker: the conditions under which the breaker opens, and the time for which it is open.
struct breaker_options {
    /// Number of consecutive failures that opens the breaker. At least 1. Default: 5.
    unsigned consecutive_failures = 5;

    /// Share of failures within `window` that opens the breaker, 0 to 1. Default: 0.5.
    double failure_share = 0.5;

    /// Minimum number of results within `window`; with fewer results, `failure_share` has no effect. Default: 10.
    unsigned min_calls = 10;

    /// Time over which results are counted, in six slots of equal length. 0: results are counted until the breaker
    /// closes again. Default: 60 s.
    duration window = std::chrono::seconds(60);

    /// Time for which the breaker is open after its first opening; doubled with each further opening. Default: 30 s.
    duration open_for = std::chrono::seconds(30);

    /// Upper bound of the time for which the breaker is open. Default: 5 min.
    duration max_open_for = std::chrono::minutes(5);

    /// Time in the closed state after which one earlier opening no longer counts for the doubling of `open_for`; after
    /// twice this time two openings no longer count, and so on. 0 or less: no earlier opening counts. Default: 60 s.
    duration decay_period = std::chrono::seconds(60);
};

/// Circuit breaker of one server, as a state machine without a clock.
///
/// The closed breaker counts failures and opens when one of two limits is reached. The open breaker closes after a
/// successful probe, or after the result of a call that was sent later than the opening. All attempts of one call on
/// the server count as one failure. The loss of a connection counts as one failure for all calls that fail by it
/// (`outcome::repeated`).
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe.
/// \par Specification
/// M. Nygard, "Release It!", 2007, "Circuit Breaker".
class breaker {
public:
    /// Constructs a closed breaker.
    explicit breaker(breaker_options const& options = {}) noexcept : options_(options) {}

    /// Returns whether the breaker is open.
    bool is_open() const noexcept { return open_; }

    /// Returns the time from which the server may be probed. The value has a meaning only while the breaker is open.
    time_point until() const noexcept { return until_; }

    /// Returns the length of the current opening; while the breaker is closed, that of the last one.
    duration open_span() const noexcept { return doubled(options_.open_for, options_.max_open_for, openings_); }

    /// Reports the outcome of an attempt. Refusals, cancelled calls and failures inside this process (see `is_local`)
    /// are not counted, because they do not depend on the server's health.
    void on_result(outcome const& result, time_point now) noexcept
    {
        bool const failed = result.certainty != certainty::completed;
        // A result of a call that was sent before the opening does not show that the server recovered.
        if (open_ && !failed && now - result.elapsed > opened_at_)
            return close(now);
        if (open_ || result.certainty == certainty::refused || (failed && result.repeated))
            return;
        if (result.ec && is_local(result))
            return;
        count(failed, now);
        consecutive_ = failed ? consecutive_ + 1 : 0;
        if (failed && (consecutive_ >= options_.consecutive_failures || is_share_reached()))
            open(now);
    }

    /// Reports the outcome of a probe. The function has no effect on a closed breaker. A failed probe prolongs the
    /// opening: from `now` on, the breaker is open for the next longer time.
    void on_probe(bool alive, time_point now) noexcept
    {
        if (!open_)
            return;
        if (!alive)
            return open(now);
        close(now);
    }

    /// Returns whether an outcome is a failure inside this process: a cancellation, a rejected call, a full queue or an
    /// elapsed timeout of an unsent request.
    static bool is_local(outcome const& result) noexcept
    {
        if (result.ec == boost::system::errc::operation_canceled)
            return true;
        if (result.certainty != certainty::not_sent)
            return false;
        return result.ec == condition::not_executed || result.ec == condition::tool_refused ||
               result.ec == error::attempt_timed_out || result.ec == error::deadline_exceeded;
    }

    /// Returns whether an outcome shows that the server was not reached, for example because a connection was refused.
    static bool is_unreachable(outcome const& result) noexcept
    {
        return result.certainty == certainty::not_sent && result.ec && !is_local(result);
    }

private:
    // Counts of one sixth of the window.
    struct slot {
        std::int64_t number = 0; // time since the epoch in slots; a slot with an old number is reset before use
        unsigned calls = 0;
        unsigned failures = 0;
    };

    void open(time_point now) noexcept
    {
        if (!open_) {
            openings_ -= static_cast<unsigned>(std::min<std::int64_t>(decayed_openings(now), openings_));
            opened_at_ = now;
        }
        openings_ = std::min(openings_ + 1, 32u);
        open_ = true;
        until_ = now + open_span();
    }

    // Returns the number of earlier openings that no longer count for the length of the next opening.
    std::int64_t decayed_openings(time_point now) const noexcept
    {
        if (closed_at_ == time_point())
            return 0;
        return options_.decay_period > duration::zero() ? (now - closed_at_) / options_.decay_period : openings_;
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
        return calls >= options_.min_calls && failures >= options_.failure_share * calls;
    }

    breaker_options options_;
    bool open_ = false;           // set by open(), cleared by close()
    unsigned openings_ = 0;       // openings that count for the doubling; reduced when the breaker opens again
    time_point opened_at_{};      // set when the breaker opens; failed probes do not change it
    time_point until_{};          // set by each open()
    time_point closed_at_{};      // set by each close(); the epoch before the first one
    unsigned consecutive_ = 0;    // consecutive failures; cleared by a success and by close()
    std::int64_t now_ = 0;        // number of the slot of the last counted result
    std::array<slot, 6> slots_{}; // cleared by close()
};

} // namespace health

} // namespace linkspan

#endif
