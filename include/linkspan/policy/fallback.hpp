#ifndef LINKSPAN_POLICY_FALLBACK_HPP
#define LINKSPAN_POLICY_FALLBACK_HPP

#include <linkspan/policy/concepts.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace linkspan {

/// A random wait between nothing and `base` doubled with each try, `cap` at most ("full jitter"). `draw`: 64 random
/// bits; `tries` counts from 1.
constexpr duration full_jitter(duration base, duration cap, unsigned tries, std::uint64_t draw) noexcept
{
    auto most = std::min(base, cap);
    for (unsigned n = 1; n < tries && most < cap; ++n)
        most = most > cap / 2 ? cap : most * 2;
    auto const share = static_cast<double>(draw >> 11) * 0x1p-53; // 53 bits: [0, 1)
    return duration(static_cast<duration::rep>(static_cast<double>(most.count()) * share));
}

/// Tries again where that is provably safe, and nowhere else:
///
/// | what is known  | never    | idempotent                 | read_only                   | keyed           |
/// |----------------|----------|----------------------------|-----------------------------|-----------------|
/// | not sent       | others, then the same server, whatever the class                                         |
/// | refused        | others; the same one only when it names a time to wait                                    |
/// | unknown        | give up  | same server, then others   | others, then the same       | same server     |
/// | completed      | give up: the server answered, and its answer goes to the caller                           |
///
/// Between two attempts on one server stands a random wait. `max_attempts` counts those that reached a server.
struct safe_failover {
    using role = fallback_role;

    unsigned max_attempts = 4;
    duration backoff = std::chrono::milliseconds(200);
    duration max_backoff = std::chrono::seconds(5);
    duration max_pause = std::chrono::seconds(60); ///< the longest `retry_after` that is honoured

    verdict after_failure(attempt_view const& failed) const noexcept
    {
        if (failed.tries >= max_attempts)
            return verdict::give_up();
        bool const others = !failed.others.empty();
        switch (failed.result.how) {
        case certainty::completed: return verdict::give_up();
        case certainty::not_sent: return others ? verdict::next_server() : again(failed);
        case certainty::refused: return others ? verdict::next_server() : after_pause(failed);
        case certainty::unknown: break;
        }
        switch (failed.server.meet) {
        case replay_class::never: return verdict::give_up();
        case replay_class::keyed: return again(failed);
        case replay_class::idempotent:
            return failed.same_allowed ? again(failed) : others ? verdict::next_server() : verdict::give_up();
        case replay_class::read_only: return others ? verdict::next_server() : again(failed);
        }
        return verdict::give_up();
    }

private:
    verdict again(attempt_view const& failed) const noexcept
    {
        if (!failed.same_allowed)
            return verdict::give_up();
        return verdict::retry_same(full_jitter(backoff, max_backoff, failed.tries, failed.call.draw));
    }

    verdict after_pause(attempt_view const& failed) const noexcept
    {
        auto const pause = failed.result.retry_after;
        return failed.same_allowed && pause && *pause <= max_pause ? verdict::retry_same(*pause) : verdict::give_up();
    }
};

static_assert(check_policy<safe_failover>());

} // namespace linkspan

#endif
