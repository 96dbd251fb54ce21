#ifndef LINKSPAN_POLICY_FALLBACK_FALLBACK_HPP
#define LINKSPAN_POLICY_FALLBACK_FALLBACK_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/policy/concepts.hpp>

#include <chrono>

namespace linkspan {
namespace fallback {

/// Tries again where that is provably safe, and nowhere else:
///
/// | what is known  | never    | idempotent                 | read_only                   | keyed           |
/// |----------------|----------|----------------------------|-----------------------------|-----------------|
/// | not sent       | others, then the same server, whatever the class                                         |
/// | refused        | others; the same one only when it names a time to wait                                    |
/// | unknown        | give up  | same server once, others   | others, then the same       | same server     |
/// | completed      | give up: the server answered, and its answer goes to the caller                           |
///
/// Between two attempts on one server stands a random wait. `max_attempts` counts those that reached a server.
///
/// While another server could take the call afterwards, an attempt may use `max_attempt_share` of the time left, so
/// that a server that hangs does not use up the time of the call. A call that may not be replayed elsewhere
/// keeps all of it.
struct safe_failover {
    using role = fallback_role;

    unsigned max_attempts = 4;
    duration backoff = std::chrono::milliseconds(200);
    duration max_backoff = std::chrono::seconds(5);
    duration max_pause = std::chrono::seconds(60); ///< the longest `retry_after` that is honoured
    double max_attempt_share = 0.5;                ///< 0 to 1; 1: an attempt may use all of the time

    verdict after_failure(attempt_view const& failed) const noexcept
    {
        if (failed.tries >= max_attempts)
            return verdict::give_up();
        bool const others = !failed.others.empty();
        switch (failed.result.certainty) {
        case certainty::completed: return verdict::give_up();
        case certainty::not_sent: return others ? verdict::next_server() : again(failed);
        case certainty::refused: return others ? verdict::next_server() : after_pause(failed);
        case certainty::unknown: break;
        }
        switch (failed.server.meet) {
        case replay_class::never: return verdict::give_up();
        case replay_class::keyed: return again(failed);
        case replay_class::idempotent:
            return others && (failed.repeats != 0 || !failed.same_allowed) ? verdict::next_server() : again(failed);
        case replay_class::read_only: return others ? verdict::next_server() : again(failed);
        }
        return verdict::give_up();
    }

    double attempt_share(certainty) const noexcept { return max_attempt_share; }

    /// The wait before the same server gets the call again.
    duration pause_after(attempt_view const& failed) const noexcept
    {
        return full_jitter(backoff, max_backoff, failed.tries, failed.call.draw);
    }

private:
    verdict again(attempt_view const& failed) const noexcept
    {
        return failed.same_allowed ? verdict::retry_same(pause_after(failed)) : verdict::give_up();
    }

    verdict after_pause(attempt_view const& failed) const noexcept
    {
        auto const pause = failed.result.retry_after;
        return failed.same_allowed && pause && *pause <= max_pause ? verdict::retry_same(*pause) : verdict::give_up();
    }
};

/// As `safe_failover`, and gives up whenever the tool may have run, whatever its replay class.
struct never_replay {
    using role = fallback_role;

    safe_failover otherwise{};

    verdict after_failure(attempt_view const& failed) const noexcept
    {
        return failed.result.certainty == certainty::unknown ? verdict::give_up() : otherwise.after_failure(failed);
    }

    double attempt_share(certainty how) const noexcept
    {
        return how == certainty::unknown ? 1 : otherwise.max_attempt_share;
    }
};

/// As `safe_failover`, but takes every tool for one that may run twice: **it may**. A call whose answer was lost goes
/// to the same server again, and to another one when that is gone.
struct at_least_once {
    using role = fallback_role;

    static constexpr bool replays_all = true;

    safe_failover otherwise{};

    verdict after_failure(attempt_view const& failed) const noexcept
    {
        if (failed.result.certainty != certainty::unknown || failed.server.meet == replay_class::read_only)
            return otherwise.after_failure(failed);
        if (failed.tries >= otherwise.max_attempts)
            return verdict::give_up();
        auto decision =
            failed.same_allowed ? verdict::retry_same(otherwise.pause_after(failed)) : verdict::next_server();
        decision.at_least = replay_class::never;
        return decision;
    }

    double attempt_share(certainty) const noexcept { return otherwise.max_attempt_share; }
};

/// One attempt. What it brings is what the caller gets.
struct no_failover {
    using role = fallback_role;

    verdict after_failure(attempt_view const&) const noexcept { return verdict::give_up(); }
};

/// So many attempts more, after a fixed wait, when a server was not reached or did not answer; on the same server if
/// that is there. It takes every tool for one that may run twice: **it may**.
struct retry {
    using role = fallback_role;

    static constexpr bool replays_all = true;

    unsigned times = 1;
    duration wait = std::chrono::seconds(3);

    verdict after_failure(attempt_view const& failed) const noexcept
    {
        bool const was_heard = failed.result.answered || failed.result.certainty == certainty::refused ||
                               failed.result.certainty == certainty::completed;
        if (was_heard || failed.number > times)
            return verdict::give_up();
        auto decision = failed.same_allowed ? verdict::retry_same(wait) : verdict::next_server(wait);
        decision.at_least = replay_class::never;
        return decision;
    }
};

static_assert(check_policy<safe_failover>());
static_assert(check_policy<never_replay>());
static_assert(check_policy<at_least_once>());
static_assert(check_policy<no_failover>());
static_assert(check_policy<retry>());

} // namespace fallback

using fallback::safe_failover;

} // namespace linkspan

#endif
