#ifndef LINKSPAN_POLICY_FALLBACK_HPP
#define LINKSPAN_POLICY_FALLBACK_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/policy/concepts.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {
namespace fallback {

/// Repeats calls only if a second execution is impossible or permitted. The default policy.
///
/// The next step depends on the delivery certainty of the failed attempt and the replay class of the tool:
///
/// | certainty   | `never`  | `idempotent`                  | `read_only`                    | `keyed`         |
/// |-------------|----------|-------------------------------|--------------------------------|-----------------|
/// | `not_sent`  | other servers, then the same server, for all classes                                         |
/// | `refused`   | other servers; the same one only if it sent `Retry-After`, for all classes                   |
/// | `unknown`   | give up  | same server once, then others | other servers, then the same   | the same server |
/// | `completed` | give up, for all classes: the error response is the result of the call                       |
///
/// A wait precedes each repeated attempt on a server: after a refusal the time of `Retry-After`, otherwise a random
/// time. While another server could execute the call, an attempt may use only a share of the remaining time, so that
/// time is left for the other server. If the call may not be repeated on another server, an attempt may use all of the
/// remaining time.
///
///     using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>, linkspan::safe_failover>;
///     hub_type hub(executor, linkspan::safe_failover{.max_attempts = 2});
///
/// \par Thread safety
/// Stateless. Distinct objects and concurrent reads of the same object: safe.
struct safe_failover {
    using role = fallback_role;

    /// Maximum number of attempts that were refused, have an unknown outcome, or were repeated on one server; the first
    /// attempt on a server that was not reached does not count. 0: a failed attempt completes the call. Default: 4.
    unsigned max_attempts = 4;

    /// Upper bound of the random wait before a repeated attempt on a server while at most one attempt counts for
    /// `max_attempts`; doubled with each further counted attempt, on any server. Default: 200 ms.
    duration backoff = std::chrono::milliseconds(200);

    /// Upper bound of the random wait, for any number of attempts. Default: 5 s.
    duration max_backoff = std::chrono::seconds(5);

    /// Maximum value of `Retry-After` for which the call waits. A longer `Retry-After` ends the attempts on that
    /// server. Default: 60 s.
    duration max_pause = std::chrono::seconds(60);

    /// Share of the remaining time that an attempt may use while another server could execute the call, 0 to 1.
    /// Default: 0.5.
    double max_attempt_share = 0.5;

    /// Returns the next step after a failed attempt, as in the table.
    verdict after_failure(attempt_view const& failed) const noexcept
    {
        if (failed.counted_attempts >= max_attempts)
            return verdict::give_up();
        bool const others = !failed.others.empty();
        switch (failed.result.certainty) {
        case certainty::completed: return verdict::give_up();
        case certainty::not_sent: return others ? verdict::next_server() : again(failed);
        case certainty::refused: return others ? verdict::next_server() : after_pause(failed);
        case certainty::unknown: break;
        }
        switch (failed.server.replay) {
        case replay_class::never: return verdict::give_up();
        case replay_class::keyed: return again(failed);
        case replay_class::idempotent:
            return others && (failed.repeats != 0 || !can_repeat(failed)) ? verdict::next_server() : again(failed);
        case replay_class::read_only: return others ? verdict::next_server() : again(failed);
        }
        return verdict::give_up();
    }

    /// Returns `max_attempt_share`.
    double attempt_share(certainty) const noexcept { return max_attempt_share; }

    /// Returns a random wait before another attempt on the same server. Its upper bound is `backoff`, doubled for each
    /// counted attempt of the call after the first, up to `max_backoff`.
    ///
    /// \par Specification
    /// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("full jitter").
    duration pause_after(attempt_view const& failed) const noexcept
    {
        return full_jitter(backoff, max_backoff, failed.counted_attempts, failed.call.draw);
    }

    /// Returns whether the same server may receive another attempt: the connector permits it, and the server has not
    /// requested a pause of more than `max_pause`, also in a response to another call.
    bool can_repeat(attempt_view const& failed) const noexcept
    {
        auto const until = failed.server.throttled_until;
        return failed.same_allowed && (!until || *until - failed.call.now <= max_pause);
    }

private:
    verdict again(attempt_view const& failed) const noexcept
    {
        return can_repeat(failed) ? verdict::retry_same(pause_after(failed)) : verdict::give_up();
    }

    verdict after_pause(attempt_view const& failed) const noexcept
    {
        auto const pause = failed.result.retry_after;
        return failed.same_allowed && pause && *pause <= max_pause ? verdict::retry_same(*pause) : verdict::give_up();
    }
};

/// Like `safe_failover`, but completes the call whenever the tool may have run, also if the replay class of the tool
/// permits a second execution.
///
/// The policy is suitable for tools that have effects and whose replay classes are not reliable.
///
/// \par Thread safety
/// Stateless. Distinct objects and concurrent reads of the same object: safe.
struct never_replay {
    using role = fallback_role;

    /// Decides about failures after which the tool certainly did not run.
    safe_failover known_outcome_policy{};

    /// Returns `give_up` after an unknown outcome, else the decision of `known_outcome_policy`.
    verdict after_failure(attempt_view const& failed) const noexcept
    {
        return failed.result.certainty == certainty::unknown ? verdict::give_up()
                                                             : known_outcome_policy.after_failure(failed);
    }

    /// Returns the share of the remaining time that an attempt may use. `at_timeout`: delivery certainty of the attempt
    /// if it times out. Returns 1 for `unknown`, because this policy then completes the call, else the share of
    /// `known_outcome_policy`.
    double attempt_share(certainty at_timeout) const noexcept
    {
        return at_timeout == certainty::unknown ? 1 : known_outcome_policy.max_attempt_share;
    }
};

/// Like `safe_failover`, but repeats every call whose outcome is unknown, so that **a tool may run twice**.
///
/// A call without a response is repeated on the same server, and on another one if that server is unavailable; a call
/// of a read-only tool is repeated on other servers first. Typed calls of tools whose hints forbid a second execution
/// do not compile with this policy.
///
/// \par Thread safety
/// Stateless. Distinct objects and concurrent reads of the same object: safe.
struct at_least_once {
    using role = fallback_role;

    /// Declares that the replay classes of tools are not respected.
    static constexpr bool replays_all = true;

    /// Decides about failures with a known outcome, and about read-only tools; contains the limit of attempts and the
    /// waits.
    safe_failover known_outcome_policy{};

    /// Returns the next step; after an unknown outcome another attempt until `known_outcome_policy.max_attempts` is
    /// reached.
    verdict after_failure(attempt_view const& failed) const noexcept
    {
        if (failed.result.certainty != certainty::unknown || failed.server.replay == replay_class::read_only)
            return known_outcome_policy.after_failure(failed);
        if (failed.counted_attempts >= known_outcome_policy.max_attempts)
            return verdict::give_up();
        auto decision = known_outcome_policy.can_repeat(failed)
                            ? verdict::retry_same(known_outcome_policy.pause_after(failed))
                            : verdict::next_server();
        decision.min_replay_class = replay_class::never;
        return decision;
    }

    /// Returns the share of `known_outcome_policy`.
    double attempt_share(certainty) const noexcept { return known_outcome_policy.max_attempt_share; }
};

/// Permits one attempt per call: a failure completes the call.
///
/// If the connection to the server has to be opened first, the opening is part of the attempt.
///
/// \par Thread safety
/// Stateless. Distinct objects and concurrent reads of the same object: safe.
struct no_failover {
    using role = fallback_role;

    /// Returns `give_up`.
    verdict after_failure(attempt_view const&) const noexcept { return verdict::give_up(); }
};

/// Repeats a call a fixed number of times after a fixed wait if a server was not reached or did not respond.
///
/// The attempts use the same server while it is available, else another one. **A tool may run twice**: typed calls of
/// tools whose hints forbid a second execution do not compile with this policy.
///
///     linkspan::fallback::retry twice{.times = 2, .wait = std::chrono::seconds(1)};
///
/// \par Thread safety
/// Stateless. Distinct objects and concurrent reads of the same object: safe.
struct retry {
    using role = fallback_role;

    /// Declares that the replay classes of tools are not respected.
    static constexpr bool replays_all = true;

    /// Maximum number of additional attempts. 0: one attempt per call. Default: 1.
    unsigned times = 1;

    /// Wait before each additional attempt. Default: 3 s.
    duration wait = std::chrono::seconds(3);

    /// Returns the next step: `give_up` after any response or refusal, and after `times` additional attempts.
    verdict after_failure(attempt_view const& failed) const noexcept
    {
        bool const has_response = failed.result.has_response || failed.result.certainty == certainty::refused ||
                                  failed.result.certainty == certainty::completed;
        if (has_response || failed.number > times)
            return verdict::give_up();
        auto decision = failed.same_allowed ? verdict::retry_same(wait) : verdict::next_server(wait);
        decision.min_replay_class = replay_class::never;
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
