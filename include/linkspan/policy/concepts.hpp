#ifndef LINKSPAN_POLICY_CONCEPTS_HPP
#define LINKSPAN_POLICY_CONCEPTS_HPP

#include <linkspan/policy/views.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Concepts of the policies of a connector.
//
// A policy is a value type with a member type `role` and a few synchronous functions. A policy has no base class, and
// needs no clock, no lock and no Asio: time and random bits are arguments, so that decisions are reproducible.
//
// Each policy may also have these functions, which the connector calls when servers are added and removed:
//
//     void added(server_view const& server, boost::json::object const& settings); // server_options::settings
//     void removed(server_id server);
//
// The connector invokes policies on its executor, one at a time, inside the call that needs a decision. A policy must
// not throw and must not call the connector. Views that are passed to a policy are valid during that invocation only.
//
//     struct first_candidate {
//         using role = linkspan::routing_role;
//         std::optional<linkspan::server_id> select(linkspan::call_view const&,
//                                                   std::span<linkspan::server_view const> candidates)
//         {
//             return candidates.front().id;
//         }
//     };
//     static_assert(linkspan::check_policy<first_candidate>());

namespace linkspan::inline LINKSPAN_ABI {

struct routing_role;
struct fallback_role;
struct health_role;
struct admission_role;
struct budget_role;
struct hedging_role;
struct naming_role;
struct observer_role;

/// Selects the server of the next attempt.
///
/// `policy.select(call, candidates)` returns a value that converts to `std::optional<server_id>`. `candidates` contains
/// at least one server, in configuration order; for each of them, the replay class of the tool or the fallback policy
/// permits the next attempt. The result is the `id` of one of the candidates. An empty result, or an id of another
/// server, completes the call with `no_eligible_server`, or with the error that earlier attempts determine. The
/// connector does not invoke `select` if the caller gave an order of servers (`call_view::in_order`).
///
/// A policy `P` that always selects the candidate of a call with only one candidate, and whose later decisions do not
/// depend on that invocation, may declare `using selects_only_candidate = P`. The connector then does not invoke
/// `select` for the first attempt of a call with one candidate, if that server is available and the admission policy
/// declares `admits_all`. A class that is derived from `P` makes its own declaration.
///
/// A policy `P` that selects between two servers drawn at random if many are equally suitable may declare `using
/// accepts_sample = P`. For the first attempt of a call whose name identifies more than 16 interchangeable tools, the
/// connector then invokes `select` with two candidates in random order, so that the cost of the call does not depend on
/// the number of servers. The connector draws the two candidates from the servers with the highest priority, or, if
/// most of these are not available, from those that were available at most a second ago; if only one server has the
/// highest priority, the other candidate is any server. Both candidates are available and not unhealthy; if only one
/// such server is known, it is the only candidate. If several draws find no such servers, or the policies select none
/// of the candidates, `select` is invoked with all candidates. A class that is derived from `P` makes its own
/// declaration.
template<class P>
concept RoutingPolicy = requires(P& policy, call_view const& call, std::span<server_view const> candidates) {
    requires std::same_as<typename P::role, routing_role>;
    requires std::convertible_to<decltype(policy.select(call, candidates)), std::optional<server_id>>;
};

/// Decides the next step after a failed attempt.
///
/// `policy.after_failure(failed)` returns a value that converts to `verdict`. If the call may have been executed, the
/// connector sends it again, as the verdict requests, only to a server on which the replay class of the call
/// (`server_view::replay`) is at least `verdict::min_replay_class`. If the response stream of an attempt is
/// interrupted, and the connection by which the transport attempts to resume the stream fails, the connector also
/// invokes the function before the attempt ends, to decide between another server and the resumption of the stream; the
/// function may therefore be invoked more than once for an attempt.
///
/// A policy that lowers `verdict::min_replay_class` for any tool declares `static constexpr bool replays_all = true`.
/// Typed calls do not compile with such a policy if the hints of their tool forbid a second execution.
///
/// `double attempt_share(certainty) const` is optional. The function returns a share, 0 to 1, of the time until the
/// deadline of the call. An attempt may use this share while another server could execute the call after the attempt.
/// The argument is the certainty that the attempt would have after its timeout: `not_sent` or `unknown`. Without the
/// function, an attempt may use all of the remaining time. `call_options::attempt_share` takes precedence.
template<class P>
concept FallbackPolicy = requires(P& policy, attempt_view const& failed) {
    requires std::same_as<typename P::role, fallback_role>;
    requires std::convertible_to<decltype(policy.after_failure(failed)), verdict>;
};

/// Determines the health state of servers from the outcomes of calls and probes.
///
/// - `policy.on_result(server, result, now)` receives the outcome of an attempt, a failed opening or a lost connection,
///   and returns the new state.
/// - `policy.state(server, now)` returns the current state. Servers with `health_state::tripped` are used only if no
///   other server can execute the call.
/// - `policy.next_probe(server, now, draw)` returns the time of the next probe; a time that is not after `now` means
///   immediately, an empty value means no probe. The connector calls the function again after each probe, after each
///   attempt that was not sent, and whenever the state changes. When the time is reached, the connector calls the
///   function once more, and sends the probe only if the result is then not after `now`: a policy stores the time
///   instead of computing a new one from `now`. `draw` contains 64 random bits.
/// - `policy.on_probe(server, result, now)` is optional and receives the outcome of a probe; a successful opening
///   counts as a successful probe. Without the function, `on_result` is called instead.
///
/// A probe is a `ping` request, or `server/discover` in stateless protocol versions.
template<class P>
concept HealthPolicy =
    requires(P& policy, server_id server, outcome const& result, time_point now, std::uint64_t draw) {
        requires std::same_as<typename P::role, health_role>;
        requires std::convertible_to<decltype(policy.on_result(server, result, now)), health_state>;
        requires std::convertible_to<decltype(policy.state(server, now)), health_state>;
        requires std::convertible_to<decltype(policy.next_probe(server, now, draw)), std::optional<time_point>>;
    };

/// Admits calls to servers, for example to limit the concurrent calls or the rate of calls of a server.
///
/// `policy.admit(call, server)` returns a value that converts to `bool`. False excludes the server from this call; the
/// routing policy then selects among the remaining servers. `call_result::attempts()` records the exclusion.
///
/// A policy `P` that admits every call, and whose later decisions do not depend on the invocation, may declare `using
/// admits_all = P`. The connector then does not always invoke `admit`. A class that is derived from `P` makes its own
/// declaration.
template<class P>
concept AdmissionPolicy = requires(P& policy, call_view const& call, server_view const& server) {
    requires std::same_as<typename P::role, admission_role>;
    requires std::convertible_to<decltype(policy.admit(call, server)), bool>;
};

/// Limits additional attempts, so that retries do not overload a server that already fails.
///
/// - `policy.spend(server, in_flight, now)` is called before another attempt of a call, unless the previous attempt has
///   the certainty `not_sent`. The result converts to `bool`; false completes the call. `server` is the server of the
///   previous attempt, and `in_flight` is the number of outstanding calls of the connector.
/// - `policy.on_result(server, result, now)` receives the outcome of an attempt, a failed opening or a lost connection.
template<class P>
concept BudgetPolicy =
    requires(P& policy, server_id server, std::uint32_t in_flight, outcome const& result, time_point now) {
        requires std::same_as<typename P::role, budget_role>;
        requires std::convertible_to<decltype(policy.spend(server, in_flight, now)), bool>;
        policy.on_result(server, result, now);
    };

/// Starts a second, concurrent attempt if the first one is slow. Reserved: a connector does not accept a hedging
/// policy.
///
/// `policy.after(call, candidates)` returns a value that converts to `std::optional<duration>`: the time until the
/// second attempt.
template<class P>
concept HedgingPolicy = requires(P& policy, call_view const& call, std::span<server_view const> candidates) {
    requires std::same_as<typename P::role, hedging_role>;
    requires std::convertible_to<decltype(policy.after(call, candidates)), std::optional<duration>>;
};

/// Determines the names by which tools are exposed to models and programs.
///
/// `policy.expose(server_key, tool)` returns a value that converts to `std::string`: the exposed name of a tool. Equal
/// arguments give equal names. Names are compared, never parsed. If two tools have the same exposed name, neither is
/// exposed, unless the name is the tools' own name.
///
/// `bool accepts_own_name(std::string_view tool) const` is optional. The function returns whether the connector also
/// accepts the tool's own name if that name is unambiguous. The own name is displayed instead of the exposed name if
/// the connector has only one server, or if all tools with this name are interchangeable. Without the function, own
/// names are not displayed.
template<class P>
concept NamingPolicy = requires(P const& policy, std::string_view server_key, std::string_view tool) {
    requires std::same_as<typename P::role, naming_role>;
    requires std::convertible_to<decltype(policy.expose(server_key, tool)), std::string>;
};

/// Receives information about attempts, servers and events, for logs and metrics.
///
/// An observer has at least one of the functions `policy.on_attempt(attempt_view const&)`, `policy.on_state(state_view
/// const&)` and `policy.on_event(event_view const&)`. The connector does not produce the information for an absent
/// function.
template<class P>
concept Observer = requires { requires std::same_as<typename P::role, observer_role>; } &&
                   (
                       requires(P& policy, attempt_view const& view) { policy.on_attempt(view); } ||
                       requires(P& policy, state_view const& view) { policy.on_state(view); } ||
                       requires(P& policy, event_view const& view) { policy.on_event(view); });

/// Role of routing policies: `using role = linkspan::routing_role;`. At most one per connector.
struct routing_role {
    /// Fails to compile, with the required signature, if `P` does not satisfy `RoutingPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(RoutingPolicy<P>,
                      "linkspan: a routing policy must have a function "
                      "std::optional<server_id> select(call_view const&, std::span<server_view const>)");
        return true;
    }
};

/// Role of fallback policies: `using role = linkspan::fallback_role;`. At most one per connector.
struct fallback_role {
    /// Fails to compile, with the required signature, if `P` does not satisfy `FallbackPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(FallbackPolicy<P>,
                      "linkspan: a fallback policy must have a function verdict after_failure(attempt_view const&)");
        return true;
    }
};

/// Role of health policies: `using role = linkspan::health_role;`. At most one per connector.
struct health_role {
    /// Fails to compile, with the required signatures, if `P` does not satisfy `HealthPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(HealthPolicy<P>, "linkspan: a health policy must have functions "
                                       "health_state on_result(server_id, outcome const&, time_point), "
                                       "health_state state(server_id, time_point) and "
                                       "std::optional<time_point> next_probe(server_id, time_point, std::uint64_t)");
        return true;
    }
};

/// Role of admission policies: `using role = linkspan::admission_role;`. At most one per connector.
struct admission_role {
    /// Fails to compile, with the required signature, if `P` does not satisfy `AdmissionPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(
            AdmissionPolicy<P>,
            "linkspan: an admission policy must have a function bool admit(call_view const&, server_view const&)");
        return true;
    }
};

/// Role of budget policies: `using role = linkspan::budget_role;`. At most one per connector.
struct budget_role {
    /// Fails to compile, with the required signatures, if `P` does not satisfy `BudgetPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(
            BudgetPolicy<P>,
            "linkspan: a budget policy must have functions bool spend(server_id, std::uint32_t, time_point) and "
            "void on_result(server_id, outcome const&, time_point)");
        return true;
    }
};

/// Role of hedging policies: `using role = linkspan::hedging_role;`. A connector does not accept one.
struct hedging_role {
    /// Fails to compile, with the required signature, if `P` does not satisfy `HedgingPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(HedgingPolicy<P>,
                      "linkspan: a hedging policy must have a function "
                      "std::optional<duration> after(call_view const&, std::span<server_view const>)");
        return true;
    }
};

/// Role of naming policies: `using role = linkspan::naming_role;`. At most one per connector.
struct naming_role {
    /// Fails to compile, with the required signature, if `P` does not satisfy `NamingPolicy`.
    template<class P>
    static consteval bool check()
    {
        static_assert(NamingPolicy<P>, "linkspan: a naming policy must have a function "
                                       "std::string expose(std::string_view, std::string_view) const");
        return true;
    }
};

/// Role of observers: `using role = linkspan::observer_role;`. At most one per connector; `observe_all` combines
/// several.
struct observer_role {
    /// Fails to compile, with the possible signatures, if `P` does not satisfy `Observer`.
    template<class P>
    static consteval bool check()
    {
        static_assert(
            Observer<P>,
            "linkspan: an observer must have one of on_attempt(attempt_view const&), on_state(state_view const&) "
            "and on_event(event_view const&)");
        return true;
    }
};

namespace detail {

// `P::replays_all` if the policy declares the member, else false.
template<class P>
inline constexpr bool replays_all = [] {
    if constexpr (requires { P::replays_all; })
        return P::replays_all;
    else
        return false;
}();

// True if the policy makes the declaration itself. The declarations name their class, because a derived class with
// other functions inherits them.
template<class P>
inline constexpr bool selects_only_candidate =
    requires { requires std::same_as<typename P::selects_only_candidate, P>; };
template<class P>
inline constexpr bool accepts_sample = requires { requires std::same_as<typename P::accepts_sample, P>; };
template<class P>
inline constexpr bool admits_all = requires { requires std::same_as<typename P::admits_all, P>; };

template<class T, class... Ts>
inline constexpr bool is_one_of = (std::same_as<T, Ts> || ...);

} // namespace detail

/// The type is one of the roles of a connector's policies.
template<class Role>
concept PolicyRole = detail::is_one_of<Role, routing_role, fallback_role, health_role, admission_role, budget_role,
                                       hedging_role, naming_role, observer_role>;

/// Checks that a policy has the functions that its role requires.
///
/// Returns true, or fails to compile with one message that contains the missing function. Use the function in a
/// `static_assert` next to a custom policy; the connector makes the same check.
///
///     static_assert(linkspan::check_policy<my_routing>());
///
/// \tparam P The policy, with a member type `role`.
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
