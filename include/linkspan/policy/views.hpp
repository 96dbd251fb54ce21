#ifndef LINKSPAN_POLICY_VIEWS_HPP
#define LINKSPAN_POLICY_VIEWS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace linkspan {

enum class health_state {
    unknown,
    healthy,
    degraded,  ///< slow; takes calls like any other
    unhealthy, ///< comes last
    tripped,   ///< its breaker is open: tried only if no other server can take a call, by one call at a time
};

constexpr std::string_view to_string(health_state health) noexcept
{
    switch (health) {
    case health_state::unknown: return "unknown";
    case health_state::healthy: return "healthy";
    case health_state::degraded: return "degraded";
    case health_state::unhealthy: return "unhealthy";
    case health_state::tripped: return "tripped";
    }
    return "?";
}

/// A logical call as policies see it. Views borrow: they are valid during the call of the policy that gets them.
struct call_view {
    std::string_view tool;
    std::string_view affinity;               ///< calls with equal keys belong together; empty: none
    std::string_view correlation;            ///< the caller's own id of the call; empty: none
    bool targeted = false;                   ///< the caller named the server
    bool in_order = false;                   ///< the caller named the servers and their order: routing is not asked
    time_point deadline = time_point::max(); ///< of the logical call, over all attempts
    time_point now{};                        ///< read once for the decision at hand
    std::uint64_t draw = 0;                  ///< 64 random bits, fresh for the decision at hand
};

/// A server as policies see it.
struct server_view {
    server_id id{};
    std::string_view key; ///< the name in the configuration
    std::span<std::string_view const> tags;
    int priority = 0; ///< 0 to 100; the higher, the earlier
    health_state health = health_state::unknown;
    std::uint32_t in_flight = 0;               ///< requests sent and not answered
    std::uint32_t limit = 256;                 ///< of `in_flight`; at least 1
    std::optional<duration> latency;           ///< smoothed; empty before the first answer
    std::optional<time_point> throttled_until; ///< the server asked for a pause
    replay_class meet = replay_class::never;   ///< the weaker class of this tool, here and on the server that failed
};

/// An attempt that is over and did not bring a result.
struct attempt_view {
    call_view const& call;
    server_view const& server; ///< its `meet` is the replay class of the tool there
    unsigned number = 1;       ///< of the attempt, over all servers
    unsigned tries = 0;        ///< attempts that count: those that reached a server, or returned to one
    outcome const& result;
    bool same_allowed = false;           ///< the same server could take the call again
    std::span<server_view const> others; ///< servers that were not tried, and could take it
    unsigned repeats = 0;                ///< attempts of the call on this server, before this one
    bool tool_failed = false;            ///< it has a result, which says so; for observers
};

/// What shall follow a failed attempt.
struct verdict {
    enum class kind { give_up, retry_same, next_server };

    kind what = kind::give_up;
    duration wait{}; ///< before the next attempt
    /// The lowest `meet` that a successor may have. Empty: any, when the failure is certain; else `idempotent`.
    std::optional<replay_class> at_least;

    static verdict give_up() { return {}; }
    static verdict retry_same(duration wait = {}) { return {kind::retry_same, wait, {}}; }
    static verdict next_server(duration wait = {}) { return {kind::next_server, wait, {}}; }
};

/// A change in the life of a server, for observers.
struct state_view {
    server_view const& server;
    std::string_view state; ///< as `to_string(server_state)` names it
    error_code ec;          ///< why it was lost, or could not be opened
    std::string_view detail;
    time_point now{};
};

/// Something worth a line in a log, for observers. `what` is one of
///
///     unexpected_output            the server wrote what is no message: the text; the first five times
///     health           it is judged otherwise now: the judgement
///     slow_restarts    it was restarted too often, and is retried slowly from now on: how often, and when
///     odd_schema       the input of a tool is said to be no object: the tool
///     unusable_schema  calls of a tool go unchecked, because its schema cannot be used: the tool, and why
///     unusable_tool    a tool is left out, because it cannot be called over its transport, or is not what it was
///                      pinned as: the tool, and why
///     pin_broken       a tool is not what it was when bindings were made for it: the tool, and how
///     name_collision   two tools would have the same name, and neither has it: the name
///     catalog_changed  there is a new catalogue
struct event_view {
    std::string_view server; ///< its name in the configuration; empty: it concerns none
    std::string_view what;
    std::string_view detail;
};

} // namespace linkspan

#endif
