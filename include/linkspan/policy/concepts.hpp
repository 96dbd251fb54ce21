#ifndef LINKSPAN_POLICY_CONCEPTS_HPP
#define LINKSPAN_POLICY_CONCEPTS_HPP

#include <linkspan/policy/views.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// A policy is a value with a role and a few synchronous functions: no base class, no clock, no lock, no Asio. The same
// arguments get the same answer; time and random bits are among them.
//
// Any policy may also have `added(server_view const&, json::object const& settings)` and `removed(server_id)`, called
// when the set of servers changes; `settings` is `server_options::settings`. Policies run on the executor of the
// connector, within the call that needs them; they must not throw, nor call the connector.

namespace linkspan {

struct routing_role;
struct fallback_role;
struct health_role;
struct admission_role;
struct budget_role;
struct hedging_role;
struct naming_role;
struct observer_role;

/// Chooses the server of the next attempt.
///
/// `select` gets at least one candidate, in the order of configuration; each may take the call safely. It returns the
/// id of one of them, or nothing when the call shall fail rather than use any.
template<class P>
concept RoutingPolicy = requires(P& policy, call_view const& call, std::span<server_view const> candidates) {
    requires std::same_as<typename P::role, routing_role>;
    requires std::convertible_to<decltype(policy.select(call, candidates)), std::optional<server_id>>;
};

/// Decides what follows an attempt that failed. Whatever it says, a call whose tool may have run is never sent where
/// its replay class, or the verdict's own `at_least`, forbids it.
///
/// One that lowers `at_least` for any tool says so with `static constexpr bool replays_all = true`: then typed calls of
/// tools whose hints forbid it do not compile.
///
/// `double attempt_share(certainty) const` is optional: the share of the time left that an attempt may use while
/// another server could take the call if the attempt ended with this certainty, `not_sent` or `unknown`.
/// Without the function, an attempt may use all of it. `call_options::attempt_share` takes precedence.
template<class P>
concept FallbackPolicy = requires(P& policy, attempt_view const& failed) {
    requires std::same_as<typename P::role, fallback_role>;
    requires std::convertible_to<decltype(policy.after_failure(failed)), verdict>;
};

/// Judges how servers do, from what happens to the calls they get, and to probes. `on_result` also hears of connections
/// that could not be made. `next_probe` says when a server shall be asked whether it is alive: now, if that time is not
/// after `now`; it is asked again after each probe, after each attempt that was not sent, and whenever the judgement
/// changes. `draw`: 64 random bits.
///
/// `on_probe(server, result, now)` is optional, for policies to which a probe is no call; to be connected again counts
/// as a probe that was answered.
template<class P>
concept HealthPolicy =
    requires(P& policy, server_id server, outcome const& result, time_point now, std::uint64_t draw) {
        requires std::same_as<typename P::role, health_role>;
        requires std::convertible_to<decltype(policy.on_result(server, result, now)), health_state>;
        requires std::convertible_to<decltype(policy.state(server, now)), health_state>;
        requires std::convertible_to<decltype(policy.next_probe(server, now, draw)), std::optional<time_point>>;
    };

/// Lets a call in to a server, or not: breakers, bulkheads, throttles. A refusal costs the call this server only.
template<class P>
concept AdmissionPolicy = requires(P& policy, call_view const& call, server_view const& server) {
    requires std::same_as<typename P::role, admission_role>;
    requires std::convertible_to<decltype(policy.admit(call, server)), bool>;
};

/// Limits extra attempts, so that retries do not drown a server that suffers. `in_flight`: calls of the connector.
template<class P>
concept BudgetPolicy =
    requires(P& policy, server_id server, std::uint32_t in_flight, outcome const& result, time_point now) {
        requires std::same_as<typename P::role, budget_role>;
        requires std::convertible_to<decltype(policy.spend(server, in_flight, now)), bool>;
        policy.on_result(server, result, now);
    };

/// Starts a second attempt beside a slow one: after how long, if at all.
template<class P>
concept HedgingPolicy = requires(P& policy, call_view const& call, std::span<server_view const> candidates) {
    requires std::same_as<typename P::role, hedging_role>;
    requires std::convertible_to<decltype(policy.after(call, candidates)), std::optional<duration>>;
};

/// Names a tool of a server for the outside. Names are looked up, never parsed back.
///
/// `bool keeps(tool) const` is optional: whether models are shown the tool's own name where that is clear, because
/// there is one server only, or because all that have it stand in for each other.
template<class P>
concept NamingPolicy = requires(P const& policy, std::string_view server_key, std::string_view tool) {
    requires std::same_as<typename P::role, naming_role>;
    requires std::convertible_to<decltype(policy.expose(server_key, tool)), std::string>;
};

/// Watches. Any subset of `on_attempt`, `on_state`, `on_event`; a hook that is absent costs nothing.
template<class P>
concept Observer = requires { requires std::same_as<typename P::role, observer_role>; } &&
                   (
                       requires(P& policy, attempt_view const& view) { policy.on_attempt(view); } ||
                       requires(P& policy, state_view const& view) { policy.on_state(view); } ||
                       requires(P& policy, event_view const& view) { policy.on_event(view); });

/// Says `using role = routing_role;` in a policy that routes; and so with the others.
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

struct fallback_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(FallbackPolicy<P>,
                      "linkspan: a fallback policy has a function verdict after_failure(attempt_view const&)");
        return true;
    }
};

struct health_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(HealthPolicy<P>, "linkspan: a health policy has functions "
                                       "health_state on_result(server_id, outcome const&, time_point), "
                                       "health_state state(server_id, time_point) and "
                                       "std::optional<time_point> next_probe(server_id, time_point, std::uint64_t)");
        return true;
    }
};

struct admission_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(AdmissionPolicy<P>,
                      "linkspan: an admission policy has a function bool admit(call_view const&, server_view const&)");
        return true;
    }
};

struct budget_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(BudgetPolicy<P>,
                      "linkspan: a budget policy has functions bool spend(server_id, std::uint32_t, time_point) and "
                      "void on_result(server_id, outcome const&, time_point)");
        return true;
    }
};

struct hedging_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(HedgingPolicy<P>,
                      "linkspan: a hedging policy has a function "
                      "std::optional<duration> after(call_view const&, std::span<server_view const>)");
        return true;
    }
};

struct naming_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(NamingPolicy<P>, "linkspan: a naming policy has a function "
                                       "std::string expose(std::string_view, std::string_view) const");
        return true;
    }
};

struct observer_role {
    template<class P>
    static consteval bool check()
    {
        static_assert(Observer<P>,
                      "linkspan: an observer has one of on_attempt(attempt_view const&), on_state(state_view const&) "
                      "and on_event(event_view const&)");
        return true;
    }
};

namespace detail {

template<class P>
inline constexpr bool replays_all = [] {
    if constexpr (requires { P::replays_all; })
        return P::replays_all;
    else
        return false;
}();

template<class T, class... Ts>
inline constexpr bool is_one_of = (std::same_as<T, Ts> || ...);

} // namespace detail

/// The roles that a connector has a place for.
template<class Role>
concept PolicyRole = detail::is_one_of<Role, routing_role, fallback_role, health_role, admission_role, budget_role,
                                       hedging_role, naming_role, observer_role>;

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
