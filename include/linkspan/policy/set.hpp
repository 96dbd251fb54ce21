#ifndef LINKSPAN_POLICY_SET_HPP
#define LINKSPAN_POLICY_SET_HPP

#include <linkspan/policy/concepts.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// The policies of one connector behind virtual functions, for algorithms that are not templates.
///
/// Each function forwards to the policies that its description names; see the concepts in `policy/concepts.hpp` for
/// parameters and results.
///
/// \par Thread safety
/// Unsafe. The connector calls all functions on its executor.
class policy_table {
public:
    virtual ~policy_table() = default;

    /// Returns the server of the next attempt, or an empty optional if the routing policy rejects all candidates.
    ///
    /// \param call The call.
    /// \param candidates Servers that may execute the call; at least one.
    virtual std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) = 0;

    /// Returns whether the routing policy declares `selects_only_candidate`.
    virtual bool selects_only_candidate() const noexcept { return false; }

    /// Returns whether the routing policy declares `accepts_sample`.
    virtual bool accepts_sample() const noexcept { return false; }

    /// Returns the decision of the fallback policy about the next step.
    ///
    /// \param failed The attempt that failed.
    virtual verdict after_failure(attempt_view const& failed) = 0;

    /// Returns the share of the remaining time, 0 to 1, that an attempt may use, from `attempt_share` of the fallback
    /// policy. Returns 1 if the policy does not define that function.
    virtual double attempt_share(certainty) const { return 1; }

    /// Returns whether the admission policy admits the call to the server.
    virtual bool admit(call_view const& call, server_view const& server) = 0;

    /// Returns whether the admission policy declares `admits_all`.
    virtual bool admits_all() const noexcept { return false; }

    /// Returns whether the budget policy permits another attempt.
    ///
    /// \param server The server of the failed attempt.
    /// \param in_flight Outstanding calls of the connector.
    /// \param now The current time.
    virtual bool spend(server_id server, std::uint32_t in_flight, time_point now) = 0;

    /// Returns the exposed name of a tool, as made by the naming policy.
    virtual std::string expose(std::string_view server_key, std::string_view tool) const = 0;

    /// Returns the result of `accepts_own_name` of the naming policy; false if the policy does not define that
    /// function.
    virtual bool accepts_own_name(std::string_view tool) const = 0;

    /// Reports the outcome of an attempt, a failed opening or a lost connection to the health policy and the budget
    /// policy. Returns the new state of the server.
    virtual health_state on_result(server_id server, outcome const& result, time_point now) = 0;

    /// Returns the state of a server from the health policy.
    virtual health_state health(server_id server, time_point now) = 0;

    /// Reports the outcome of a probe to `on_probe` of the health policy, or to `on_result` if the policy does not
    /// define `on_probe`.
    virtual void on_probe(server_id server, outcome const& result, time_point now) = 0;

    /// Returns the time of the next probe from the health policy. Empty: no probe.
    ///
    /// \param server The server to be probed.
    /// \param now The current time. A result that is not later means immediately.
    /// \param draw 64 random bits.
    virtual std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw) = 0;

    /// Returns whether the observer defines `on_attempt`.
    virtual bool observes_attempts() const noexcept = 0;

    /// Returns whether the observer defines `on_event`.
    virtual bool observes_events() const noexcept = 0;

    /// Forwards the view to the observer, if the observer defines this function.
    virtual void on_attempt(attempt_view const& view) = 0;

    /// Forwards the view to the observer, if the observer defines this function.
    virtual void on_state(state_view const& view) = 0;

    /// Forwards the view to the observer, if the observer defines this function.
    virtual void on_event(event_view const& view) = 0;

    /// Reports a new server to all policies that define `added`. `settings` is `server_options::settings`.
    virtual void added(server_view const& server, boost::json::object const& settings) = 0;

    /// Reports the removal of a server to all policies that define `removed`.
    virtual void removed(server_id server) = 0;
};

namespace detail {

// True if `P` declares `Role` as its role.
template<class P, class Role>
inline constexpr bool plays = requires { requires std::same_as<typename P::role, Role>; };

// The first of the policies that has the role; the last of them if none has.
template<class Role, class P, class... Ps>
struct find_role : std::conditional_t<plays<P, Role>, std::type_identity<P>, find_role<Role, Ps...>> {};

template<class Role, class P>
struct find_role<Role, P> : std::type_identity<P> {};

// True unless two of the policies have the role.
template<class Role, class... Ps>
inline constexpr bool at_most_one = (std::size_t{plays<Ps, Role>} + ... + 0) <= 1;

// True if an observer has the function for this kind of view.
template<class P, class View>
inline constexpr bool observes = false;

template<class P>
inline constexpr bool observes<P, attempt_view> = requires(P& p, attempt_view const& view) { p.on_attempt(view); };

template<class P>
inline constexpr bool observes<P, state_view> = requires(P& p, state_view const& view) { p.on_state(view); };

template<class P>
inline constexpr bool observes<P, event_view> = requires(P& p, event_view const& view) { p.on_event(view); };

} // namespace detail

/// Set of policies, accessible by their roles.
///
///     using turns = linkspan::routing::round_robin;
///     linkspan::policy_set<turns> set{turns{}};
///     auto& routing = set.get<linkspan::routing_role>(); // the round_robin
///
/// \tparam Ps Policies in any order, at most one per role. Each must pass `check_policy`.
/// \par Thread safety
/// Unsafe, unless all policies are safe.
template<class... Ps>
class policy_set {
    static_assert((check_policy<Ps>() && ...));
    static_assert(detail::at_most_one<routing_role, Ps...>, "linkspan: a connector accepts at most one routing policy");
    static_assert(detail::at_most_one<fallback_role, Ps...>,
                  "linkspan: a connector accepts at most one fallback policy");
    static_assert(detail::at_most_one<health_role, Ps...>, "linkspan: a connector accepts at most one health policy");
    static_assert(detail::at_most_one<admission_role, Ps...>,
                  "linkspan: a connector accepts at most one admission policy");
    static_assert(detail::at_most_one<budget_role, Ps...>, "linkspan: a connector accepts at most one budget policy");
    static_assert(detail::at_most_one<naming_role, Ps...>, "linkspan: a connector accepts at most one naming policy");
    static_assert(detail::at_most_one<observer_role, Ps...>,
                  "linkspan: a connector accepts at most one observer, use observe_all for several");

public:
    /// Constructs the set from values of the policies.
    explicit policy_set(Ps... given) : policies_(std::move(given)...) {}

    /// True if the set has an observer with the function for `View`: `attempt_view`, `state_view` or `event_view`.
    template<class View>
    static constexpr bool observes = ((detail::plays<Ps, observer_role> && detail::observes<Ps, View>) || ...);

    /// True if the set has a policy with the role `Role`.
    template<class Role>
    static constexpr bool has = (detail::plays<Ps, Role> || ...);

    /// Returns the policy with the role `Role`. Does not compile if `has<Role>` is false.
    template<class Role>
    auto& get() noexcept
    {
        static_assert(has<Role>, "linkspan: policy_set::get requires that the set has a policy with the role");
        return std::get<typename detail::find_role<Role, Ps...>::type>(policies_);
    }

    /// Returns the policy with the role `Role`. Does not compile if `has<Role>` is false.
    template<class Role>
    auto const& get() const noexcept
    {
        return const_cast<policy_set&>(*this).template get<Role>();
    }

    /// Invokes `function(policy)` for each policy, in the order of the template arguments.
    template<class Function>
    void for_each(Function function)
    {
        std::apply([&](auto&... policies) { (function(policies), ...); }, policies_);
    }

private:
    std::tuple<Ps...> policies_;
};

/// A `policy_table` that forwards to the policies of a `policy_set`, and to another table for the roles, except that of
/// the observer, for which the set has no policy.
///
/// \tparam Set A `policy_set`.
template<class Set>
class typed_policy_table final : public policy_table {
public:
    /// Constructs the table.
    ///
    /// \param set The policies, which are moved into the table.
    /// \param defaults The table for the other roles. May be null if the set has a policy for each role except hedging
    /// and observer.
    explicit typed_policy_table(Set set, std::unique_ptr<policy_table> defaults = nullptr)
        : set_(std::move(set)), defaults_(std::move(defaults))
    {}

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) override
    {
        if constexpr (has<routing_role>)
            return get<routing_role>().select(call, candidates);
        else
            return defaults_->select(call, candidates);
    }

    bool selects_only_candidate() const noexcept override
    {
        if constexpr (has<routing_role>)
            return detail::selects_only_candidate<policy_of<routing_role>>;
        else
            return defaults_->selects_only_candidate();
    }

    bool accepts_sample() const noexcept override
    {
        if constexpr (has<routing_role>)
            return detail::accepts_sample<policy_of<routing_role>>;
        else
            return defaults_->accepts_sample();
    }

    verdict after_failure(attempt_view const& failed) override
    {
        if constexpr (has<fallback_role>)
            return get<fallback_role>().after_failure(failed);
        else
            return defaults_->after_failure(failed);
    }

    double attempt_share(certainty at_timeout) const override
    {
        if constexpr (!has<fallback_role>) {
            return defaults_->attempt_share(at_timeout);
        } else {
            auto const& policy = set_.template get<fallback_role>();
            if constexpr (requires { policy.attempt_share(at_timeout); })
                return policy.attempt_share(at_timeout);
            else
                return 1;
        }
    }

    bool admit(call_view const& call, server_view const& server) override
    {
        if constexpr (has<admission_role>)
            return get<admission_role>().admit(call, server);
        else
            return defaults_->admit(call, server);
    }

    bool admits_all() const noexcept override
    {
        if constexpr (has<admission_role>)
            return detail::admits_all<policy_of<admission_role>>;
        else
            return defaults_->admits_all();
    }

    bool spend(server_id server, std::uint32_t in_flight, time_point now) override
    {
        if constexpr (has<budget_role>)
            return get<budget_role>().spend(server, in_flight, now);
        else
            return defaults_->spend(server, in_flight, now);
    }

    std::string expose(std::string_view server_key, std::string_view tool) const override
    {
        if constexpr (has<naming_role>)
            return set_.template get<naming_role>().expose(server_key, tool);
        else
            return defaults_->expose(server_key, tool);
    }

    bool accepts_own_name(std::string_view tool) const override
    {
        if constexpr (!has<naming_role>) {
            return defaults_->accepts_own_name(tool);
        } else {
            auto const& policy = set_.template get<naming_role>();
            if constexpr (requires { policy.accepts_own_name(tool); })
                return policy.accepts_own_name(tool);
            else
                return false;
        }
    }

    health_state on_result(server_id server, outcome const& result, time_point now) override
    {
        auto state = health_state::unknown;
        if constexpr (has<health_role>)
            state = get<health_role>().on_result(server, result, now);
        if constexpr (has<budget_role>)
            get<budget_role>().on_result(server, result, now);
        if constexpr (!has<health_role>)
            state = defaults_->on_result(server, result, now);
        else if constexpr (!has<budget_role>)
            defaults_->on_result(server, result, now);
        return state;
    }

    health_state health(server_id server, time_point now) override
    {
        if constexpr (has<health_role>)
            return get<health_role>().state(server, now);
        else
            return defaults_->health(server, now);
    }

    void on_probe(server_id server, outcome const& result, time_point now) override
    {
        if constexpr (!has<health_role>) {
            defaults_->on_probe(server, result, now);
        } else {
            auto& policy = get<health_role>();
            if constexpr (requires { policy.on_probe(server, result, now); })
                policy.on_probe(server, result, now);
            else
                policy.on_result(server, result, now);
        }
    }

    std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw) override
    {
        if constexpr (has<health_role>)
            return get<health_role>().next_probe(server, now, draw);
        else
            return defaults_->next_probe(server, now, draw);
    }

    bool observes_attempts() const noexcept override { return Set::template observes<attempt_view>; }
    bool observes_events() const noexcept override { return Set::template observes<event_view>; }

    void on_attempt(attempt_view const& view) override
    {
        if constexpr (Set::template observes<attempt_view>)
            get<observer_role>().on_attempt(view);
    }

    void on_state(state_view const& view) override
    {
        if constexpr (Set::template observes<state_view>)
            get<observer_role>().on_state(view);
    }

    void on_event(event_view const& view) override
    {
        if constexpr (Set::template observes<event_view>)
            get<observer_role>().on_event(view);
    }

    void added(server_view const& server, boost::json::object const& settings) override
    {
        set_.for_each([&](auto& policy) {
            if constexpr (requires { policy.added(server, settings); })
                policy.added(server, settings);
        });
        if (defaults_)
            defaults_->added(server, settings);
    }

    void removed(server_id server) override
    {
        set_.for_each([&](auto& policy) {
            if constexpr (requires { policy.removed(server); })
                policy.removed(server);
        });
        if (defaults_)
            defaults_->removed(server);
    }

private:
    template<class Role>
    static constexpr bool has = Set::template has<Role>;

    template<class Role>
    using policy_of = std::remove_reference_t<decltype(std::declval<Set&>().template get<Role>())>;

    template<class Role>
    auto& get() noexcept
    {
        return set_.template get<Role>();
    }

    Set set_;
    std::unique_ptr<policy_table> defaults_; // set by the constructor
};

} // namespace linkspan

#endif
