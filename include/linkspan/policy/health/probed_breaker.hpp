#ifndef LINKSPAN_POLICY_HEALTH_PROBED_BREAKER_HPP
#define LINKSPAN_POLICY_HEALTH_PROBED_BREAKER_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/policy/concepts.hpp>
#include <linkspan/policy/health/breaker.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace linkspan {
namespace health {

/// Judges servers by what happens to calls, and by probes when there are none.
///
/// | a server is | when                                                                    | and then            |
/// |-------------|-------------------------------------------------------------------------|---------------------|
/// | `unknown`   | nothing is known of it                                                  | it takes calls      |
/// | `healthy`   | it answered                                                             | it takes calls      |
/// | `degraded`  | it took longer than `slow_after` for a probe, or did not answer the last | it takes calls     |
/// | `unhealthy` | it did not answer `most_failures` probes in a row                       | it comes last       |
/// | `tripped`   | its breaker is open                                                     | it is a last resort |
///
/// A call tries a server whose breaker is open only if no other server can take the call, one call at a time.
/// A server is probed when it has not answered a call for an `interval`, which varies by a tenth, so that many clients
/// do not ask at once. A server that was not reached, such as by a connection that was refused, is probed after
/// `first_probe`, doubled each time up to `interval`, also while its breaker is open. A breaker is closed by a probe
/// that is answered, or by the result of a call that was sent since it opened.
struct probed_breaker {
    using role = health_role;

    breaker_options trips{};
    duration interval = std::chrono::seconds(30);
    duration slow_after = std::chrono::seconds(5);
    unsigned most_failures = 3;
    duration first_probe = std::chrono::seconds(1); ///< of a server that was not reached

    health_state on_result(server_id server, outcome const& result, time_point now)
    {
        auto& one = at(server);
        bool const was_open = one.gate.is_open();
        one.gate.on_result(result, now);
        if (result.certainty == certainty::completed) {
            one.last_answer = now;
            one.misses = 0;
        } else if (one.misses == 0 && breaker::is_unreachable(result)) {
            one.misses = 1;
            one.probe_at.reset();
        }
        if (was_open && !one.gate.is_open())
            one.failures = 0;
        if (was_open != one.gate.is_open() && one.misses == 0)
            one.probe_at.reset();
        return judge(one);
    }

    health_state on_probe(server_id server, outcome const& result, time_point now)
    {
        auto& one = at(server);
        one.probe_at.reset();
        if (!result.answered && breaker::is_local(result)) { // such as by a full queue
            one.not_before = now + first_probe;
            return judge(one);
        }
        one.misses = breaker::is_unreachable(result) ? std::min(one.misses + 1, 32u) : 0;
        if (one.misses == 0 || now >= one.gate.until()) // else the time that it is open is not lengthened
            one.gate.on_probe(result.answered, now);
        one.failures = result.answered ? 0 : one.failures + 1;
        one.slow = result.answered && result.elapsed > slow_after;
        if (result.answered)
            one.last_answer = now;
        return judge(one);
    }

    health_state state(server_id server, time_point) const
    {
        auto const found = servers_.find(server);
        return found == servers_.end() ? health_state::unknown : judge(found->second);
    }

    std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw)
    {
        auto& one = at(server);
        if (one.misses != 0) {
            auto const wait = doubled(first_probe, interval, one.misses);
            if (!one.probe_at)
                one.probe_at = now + wait + random_share(wait / 10, draw);
            return one.probe_at;
        }
        if (one.gate.is_open()) {
            if (!one.probe_at)
                one.probe_at =
                    std::max(one.gate.until() + random_share(one.gate.open_span() / 10, draw), one.not_before);
            return one.probe_at;
        }
        auto const spread = interval * 9 / 10 + random_share(interval / 5, draw);
        if (!one.probe_at) // the first one anywhere within the interval
            one.probe_at = now + (one.begun ? spread : random_share(interval, draw));
        one.begun = true;
        if (one.last_answer && *one.last_answer + interval * 9 / 10 > *one.probe_at)
            one.probe_at = *one.last_answer + spread;
        return one.probe_at;
    }

    void removed(server_id server) { servers_.erase(server); }

private:
    struct record {
        explicit record(breaker_options const& options) noexcept : gate(options) {}

        breaker gate;
        unsigned failures = 0; // of probes, in a row
        unsigned misses = 0;   // since it was not reached: that, and the probes that did not reach it either
        bool slow = false;
        bool begun = false;
        time_point not_before{}; // for a probe, when the last one could not be sent
        std::optional<time_point> last_answer;
        std::optional<time_point> probe_at;
    };

    record& at(server_id server) { return servers_.try_emplace(server, trips).first->second; }

    health_state judge(record const& one) const noexcept
    {
        if (one.gate.is_open())
            return health_state::tripped;
        if (one.failures >= most_failures)
            return health_state::unhealthy;
        if (one.failures != 0 || one.slow)
            return health_state::degraded;
        return one.last_answer ? health_state::healthy : health_state::unknown;
    }

    std::unordered_map<server_id, record> servers_;
};

static_assert(check_policy<probed_breaker>());

} // namespace health

using health::probed_breaker;

} // namespace linkspan

#endif
