#ifndef LINKSPAN_POLICY_CONCEPTS_HPP
#define LINKSPAN_POLICY_CONCEPTS_HPP

#include <linkspan/attempt.hpp>
#include <linkspan/fwd.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace linkspan {

enum class health_state { unknown, healthy, degraded, unhealthy };

/// A logical call as policies see it. Views borrow: they are valid during the call of the policy that gets them.
struct call_view {
    std::string_view tool;
    std::string_view affinity;               ///< calls with equal keys belong together; empty: none
    bool targeted = false;                   ///< the caller named the server
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

struct routing_role;

/// Chooses the server of the next attempt.
///
/// `select` gets at least one candidate, in the order of configuration; each may take the call safely. It returns the
/// id of one of them, or nothing when the call shall fail rather than use any.
template<class P>
concept RoutingPolicy = requires(P& policy, call_view const& call, std::span<server_view const> candidates) {
    requires std::same_as<typename P::role, routing_role>;
    requires std::convertible_to<decltype(policy.select(call, candidates)), std::optional<server_id>>;
};

/// Says `using role = routing_role;` in a policy that routes.
struct routing_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(RoutingPolicy<P>,
                      "linkspan: a routing policy has a function "
                      "std::optional<server_id> select(call_view const&, std::span<server_view const>)");
        return true;
    }
};

/// The roles that a connector has a place for.
template<class Role>
concept PolicyRole = std::same_as<Role, routing_role>;

/// True for a policy that fills the role it names; anything else is refused with one sentence. Meant for a
/// `static_assert` beside your own policy; the connector makes the same check.
template<class P>
consteval bool check_policy()
{
    constexpr bool has_role = requires { requires PolicyRole<typename P::role>; };
    static_assert(has_role, "linkspan: a policy names its role, as in: using role = linkspan::routing_role");
    if constexpr (has_role)
        return P::role::template check<P>();
    else
        return true;
}

} // namespace linkspan

#endif
