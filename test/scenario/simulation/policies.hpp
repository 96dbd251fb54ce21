#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_POLICIES_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_POLICIES_HPP

#include <linkspan/connector.hpp>
#include <linkspan/policy/health/health.hpp>
#include <linkspan/transport/inproc.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// Policies whose variant is selected at run time, so that all scenarios share one connector type.

struct any_routing {
    using role = routing_role;

    std::variant<by_priority, routing::round_robin, routing::sticky<>> which;

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates)
    {
        return std::visit([&](auto& policy) { return policy.select(call, candidates); }, which);
    }
};

struct any_fallback {
    using role = fallback_role;

    std::variant<safe_failover, fallback::never_replay, fallback::at_least_once, fallback::no_failover, fallback::retry>
        which;

    // True if the policy treats every tool as replayable.
    bool replays_everything() const noexcept
    {
        return std::holds_alternative<fallback::at_least_once>(which) || std::holds_alternative<fallback::retry>(which);
    }

    verdict after_failure(attempt_view const& failed) const
    {
        return std::visit([&](auto const& policy) { return policy.after_failure(failed); }, which);
    }
};

struct any_health {
    using role = health_role;

    std::variant<probed_breaker, health::assume_up> which;

    health_state on_result(server_id server, outcome const& result, time_point now)
    {
        return std::visit([&](auto& policy) { return policy.on_result(server, result, now); }, which);
    }

    health_state on_probe(server_id server, outcome const& result, time_point now)
    {
        if (auto* const breaker = std::get_if<probed_breaker>(&which))
            return breaker->on_probe(server, result, now);
        return health_state::healthy;
    }

    health_state state(server_id server, time_point now) const
    {
        return std::visit([&](auto const& policy) { return policy.state(server, now); }, which);
    }

    std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw)
    {
        return std::visit([&](auto& policy) { return policy.next_probe(server, now, draw); }, which);
    }

    void removed(server_id server)
    {
        if (auto* const breaker = std::get_if<probed_breaker>(&which))
            breaker->removed(server);
    }
};

// Refuses a part of the calls.
struct random_admission {
    using role = admission_role;

    unsigned refuses = 0; // in percent

    bool admit(call_view const& call, server_view const& server) const noexcept
    {
        return (call.draw ^ (static_cast<std::uint64_t>(server.id) * 0x9e3779b97f4a7c15)) % 100 >= refuses;
    }
};

// Pays for a limited number of extra attempts.
struct limited_budget {
    using role = budget_role;

    unsigned extra_attempts = 0; // remaining number of attempts

    bool spend(server_id, std::uint32_t, time_point) noexcept { return extra_attempts != 0 && extra_attempts-- != 0; }
    void on_result(server_id, outcome const&, time_point) const noexcept {}
};

// Prints the course of a replayed scenario.
struct progress_printer {
    using role = observer_role;

    std::function<void(std::string const&)> log;

    void on_attempt(attempt_view const& view) const
    {
        if (log)
            log("  attempt " + std::to_string(view.number) + " on " + std::string(view.server.key) + ": " +
                std::string(to_string(view.result.certainty)) + ", " + view.result.ec.message() + ", tries " +
                std::to_string(view.counted_attempts));
    }

    void on_state(state_view const& view) const
    {
        if (log)
            log("  server " + std::string(view.server.key) + " is " + std::string(view.state) +
                (view.ec ? ": " + view.ec.message() : ""));
    }

    void on_event(event_view const& view) const
    {
        if (log)
            log("  event " + std::string(view.name) + " " + std::string(view.server) + " " + std::string(view.detail));
    }
};

using hub_type = connector<transports<inproc>, any_routing, any_fallback, any_health, random_admission, limited_budget,
                           progress_printer>;

} // namespace linkspan::test::simulation

#endif
