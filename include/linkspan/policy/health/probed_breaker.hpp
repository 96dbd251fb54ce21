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

namespace linkspan::inline LINKSPAN_ABI {
namespace health {

/// Determines health from the outcomes of calls and of periodic probes, with a circuit breaker per server. The default
/// policy.
///
/// | state       | condition                                                                 | effect            |
/// |-------------|---------------------------------------------------------------------------|-------------------|
/// | `unknown`   | the server has not responded yet                                          | receives calls    |
/// | `healthy`   | the server responded                                                      | receives calls    |
/// | `degraded`  | the last probe failed, or its response took longer than `slow_after`      | receives calls    |
/// | `unhealthy` | the last `failure_threshold` probes failed                                | see below         |
/// | `tripped`   | the circuit breaker is open                                               | see below         |
///
/// The routing policies of the library select an unhealthy server only if all candidates are unhealthy. A server with
/// an open breaker is the last resort: one call at a time uses the server, and only if no other server can execute the
/// call. A server is probed if `interval` has elapsed since its last response. The interval varies by a tenth, so that
/// many clients do not probe at the same time. A server that was not reached is probed after `first_probe`, also while
/// its breaker is open; this wait is doubled with each probe, up to `interval`. A successful probe, or the result of a
/// call that was sent after the opening, closes the breaker.
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe; the connector uses its policy on its executor only.
struct probed_breaker {
    using role = health_role;

    /// Limits and times of the circuit breakers.
    breaker_options breaker{};

    /// Time without a response after which a server is probed; also the upper bound of the wait between probes of a
    /// server that was not reached. Default: 30 s.
    duration interval = std::chrono::seconds(30);

    /// Time to the response of a probe above which a server is `degraded`. Default: 5 s.
    duration slow_after = std::chrono::seconds(5);

    /// Number of consecutive failed probes after which a server is `unhealthy`. Default: 3.
    unsigned failure_threshold = 3;

    /// Wait before the first probe of a server that was not reached; doubled with each further probe. Default: 1 s.
    duration first_probe = std::chrono::seconds(1);

    /// Reports the outcome of an attempt, a failed opening or a lost connection, and returns the new state.
    health_state on_result(server_id server, outcome const& result, time_point now)
    {
        auto& one = at(server);
        bool const was_open = one.gate.is_open();
        one.gate.on_result(result, now);
        if (result.certainty == certainty::completed) {
            one.last_response = now;
            one.failed_contacts = 0;
        } else if (one.failed_contacts == 0 && health::breaker::is_unreachable(result)) {
            one.failed_contacts = 1;
            one.probe_at.reset();
        }
        if (was_open && !one.gate.is_open())
            one.failures = 0;
        if (was_open != one.gate.is_open() && one.failed_contacts == 0)
            one.probe_at.reset();
        return state_of(one);
    }

    /// Reports the outcome of a probe, and returns the new state. A probe that was cancelled or failed inside this
    /// process (`breaker::is_local`), for example because of a full queue, does not change the state.
    health_state on_probe(server_id server, outcome const& result, time_point now)
    {
        auto& one = at(server);
        one.probe_at.reset();
        if (!result.has_response && health::breaker::is_local(result)) {
            one.not_before = now + first_probe;
            return state_of(one);
        }
        one.failed_contacts = health::breaker::is_unreachable(result) ? std::min(one.failed_contacts + 1, 32u) : 0;
        // Probes of an unreachable server must not prolong the time for which its breaker is open.
        if (one.failed_contacts == 0 || now >= one.gate.until())
            one.gate.on_probe(result.has_response, now);
        one.failures = result.has_response ? 0 : one.failures + 1;
        one.slow = result.has_response && result.elapsed > slow_after;
        if (result.has_response)
            one.last_response = now;
        return state_of(one);
    }

    /// Returns the current state; `unknown` for a server that has not responded yet.
    health_state state(server_id server, time_point) const
    {
        auto const found = servers_.find(server);
        return found == servers_.end() ? health_state::unknown : state_of(found->second);
    }

    /// Returns the time of the next probe. Never empty.
    std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw)
    {
        auto& one = at(server);
        if (one.failed_contacts != 0) {
            auto const wait = doubled(first_probe, interval, one.failed_contacts);
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
        // The first probe is anywhere within the interval, so that servers that start together are probed at different
        // times.
        auto const spread = interval * 9 / 10 + random_share(interval / 5, draw);
        if (!one.probe_at)
            one.probe_at = now + (one.begun ? spread : random_share(interval, draw));
        one.begun = true;
        if (one.last_response && *one.last_response + interval * 9 / 10 > *one.probe_at)
            one.probe_at = *one.last_response + spread;
        return one.probe_at;
    }

    /// Discards the record of a removed server.
    void removed(server_id server) { servers_.erase(server); }

private:
    // State of one server; created with its first outcome or probe, erased by removed().
    struct record {
        explicit record(breaker_options const& options) noexcept : gate(options) {}

        health::breaker gate;
        unsigned failures = 0; // failed probes in a row; cleared by a successful probe and when the breaker closes
        // Set to 1 by a call that did not reach the server, incremented by each probe that did not reach the server;
        // cleared by a completed call and by a probe that was sent.
        unsigned failed_contacts = 0;
        bool slow = false;       // the last probe succeeded, but took longer than `slow_after`
        bool begun = false;      // set with the time of the first periodic probe
        time_point not_before{}; // set when a probe could not be sent; the earliest time of the next one
        std::optional<time_point> last_response; // time of the last response to a call or probe
        std::optional<time_point> probe_at;      // time of the next probe; cleared when it has to be drawn again
    };

    record& at(server_id server) { return servers_.try_emplace(server, breaker).first->second; }

    health_state state_of(record const& one) const noexcept
    {
        if (one.gate.is_open())
            return health_state::tripped;
        if (one.failures >= failure_threshold)
            return health_state::unhealthy;
        if (one.failures != 0 || one.slow)
            return health_state::degraded;
        return one.last_response ? health_state::healthy : health_state::unknown;
    }

    std::unordered_map<server_id, record> servers_;
};

static_assert(check_policy<probed_breaker>());

} // namespace health

using health::probed_breaker;

} // namespace linkspan

#endif
