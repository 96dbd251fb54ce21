#ifndef LINKSPAN_POLICY_SET_HPP
#define LINKSPAN_POLICY_SET_HPP

#include <linkspan/policy/concepts.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace linkspan {

/// The policies of one connector, of whatever types: what its algorithms, which are no templates, talk to.
class policy_table {
public:
    virtual ~policy_table() = default;

    virtual std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) = 0;
    virtual verdict after_failure(attempt_view const& failed) = 0;
    virtual double attempt_share(certainty) const { return 1; }
    virtual bool admit(call_view const& call, server_view const& server) = 0;
    virtual bool spend(server_id server, std::uint32_t in_flight, time_point now) = 0;
    virtual std::string expose(std::string_view server_key, std::string_view tool) const = 0;
    virtual bool keeps(std::string_view tool) const = 0;

    /// For health and budget.
    virtual void on_result(server_id server, outcome const& result, time_point now) = 0;
    virtual health_state health(server_id server, time_point now) = 0;

    /// For health.
    virtual void on_probe(server_id server, outcome const& result, time_point now) = 0;
    virtual std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw) = 0;

    /// For the observer; the first two say whether anybody listens.
    virtual bool observes_attempts() const noexcept = 0;
    virtual bool observes_events() const noexcept = 0;
    virtual void on_attempt(attempt_view const& view) = 0;
    virtual void on_state(state_view const& view) = 0;
    virtual void on_event(event_view const& view) = 0;

    virtual void added(server_view const& server, boost::json::object const& settings) = 0;
    virtual void removed(server_id server) = 0;
};

namespace detail {

template<class P, class Role>
inline constexpr bool plays = requires { requires std::same_as<typename P::role, Role>; };

template<class Role, class P, class... Ps>
struct find_role : std::conditional_t<plays<P, Role>, std::type_identity<P>, find_role<Role, Ps...>> {};

template<class Role, class P>
struct find_role<Role, P> : std::type_identity<P> {};

template<class Role, class... Ps>
inline constexpr bool at_most_one = (std::size_t{plays<Ps, Role>} + ... + 0) <= 1;

template<class P, class View>
inline constexpr bool hears = false;

template<class P>
inline constexpr bool hears<P, attempt_view> = requires(P& p, attempt_view const& view) { p.on_attempt(view); };

template<class P>
inline constexpr bool hears<P, state_view> = requires(P& p, state_view const& view) { p.on_state(view); };

template<class P>
inline constexpr bool hears<P, event_view> = requires(P& p, event_view const& view) { p.on_event(view); };

} // namespace detail

/// Policies by role, in any order; `Defaults` play the roles that they leave out.
template<class Defaults, class... Ps>
class policy_set;

template<template<class...> class List, class... Defaults, class... Ps>
class policy_set<List<Defaults...>, Ps...> {
    static_assert((check_policy<Ps>() && ...));
    static_assert(detail::at_most_one<routing_role, Ps...>,
                  "linkspan: a connector has one routing policy, and got two");
    static_assert(detail::at_most_one<fallback_role, Ps...>,
                  "linkspan: a connector has one fallback policy, and got two");
    static_assert(detail::at_most_one<health_role, Ps...>, "linkspan: a connector has one health policy, and got two");
    static_assert(detail::at_most_one<admission_role, Ps...>,
                  "linkspan: a connector has one admission policy, and got two");
    static_assert(detail::at_most_one<budget_role, Ps...>, "linkspan: a connector has one budget policy, and got two");
    static_assert(detail::at_most_one<naming_role, Ps...>, "linkspan: a connector has one naming policy, and got two");
    static_assert(detail::at_most_one<observer_role, Ps...>, "linkspan: a connector has one observer, and got two");

public:
    explicit policy_set(Ps... given) : given_(std::move(given)...) {}

    /// Whether an observer wants views of that kind.
    template<class View>
    static constexpr bool hears = ((detail::plays<Ps, observer_role> && detail::hears<Ps, View>) || ...);

    /// The policy that plays `Role`.
    template<class Role>
    auto& get() noexcept
    {
        if constexpr ((detail::plays<Ps, Role> || ...))
            return std::get<typename detail::find_role<Role, Ps...>::type>(given_);
        else
            return std::get<typename detail::find_role<Role, Defaults...>::type>(defaults_);
    }

    template<class Role>
    auto const& get() const noexcept
    {
        return const_cast<policy_set&>(*this).template get<Role>();
    }

    template<class Function>
    void for_each(Function function)
    {
        std::apply([&](auto&... policies) { (function(policies), ...); }, given_);
    }

private:
    std::tuple<Ps...> given_;
    std::tuple<Defaults...> defaults_;
};

/// A complete set of policies behind the table.
template<class Set>
class typed_policy_table final : public policy_table {
public:
    explicit typed_policy_table(Set set) : set_(std::move(set)) {}

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) override
    {
        return get<routing_role>().select(call, candidates);
    }

    verdict after_failure(attempt_view const& failed) override { return get<fallback_role>().after_failure(failed); }

    double attempt_share(certainty how) const override
    {
        auto const& policy = set_.template get<fallback_role>();
        if constexpr (requires { policy.attempt_share(how); })
            return policy.attempt_share(how);
        else
            return 1;
    }

    bool admit(call_view const& call, server_view const& server) override
    {
        return get<admission_role>().admit(call, server);
    }

    bool spend(server_id server, std::uint32_t in_flight, time_point now) override
    {
        return get<budget_role>().spend(server, in_flight, now);
    }

    std::string expose(std::string_view server_key, std::string_view tool) const override
    {
        return set_.template get<naming_role>().expose(server_key, tool);
    }

    bool keeps(std::string_view tool) const override
    {
        auto const& policy = set_.template get<naming_role>();
        if constexpr (requires { policy.keeps(tool); })
            return policy.keeps(tool);
        else
            return false;
    }

    void on_result(server_id server, outcome const& result, time_point now) override
    {
        get<health_role>().on_result(server, result, now);
        get<budget_role>().on_result(server, result, now);
    }

    health_state health(server_id server, time_point now) override { return get<health_role>().state(server, now); }

    void on_probe(server_id server, outcome const& result, time_point now) override
    {
        auto& policy = get<health_role>();
        if constexpr (requires { policy.on_probe(server, result, now); })
            policy.on_probe(server, result, now);
        else
            policy.on_result(server, result, now);
    }

    std::optional<time_point> next_probe(server_id server, time_point now, std::uint64_t draw) override
    {
        return get<health_role>().next_probe(server, now, draw);
    }

    bool observes_attempts() const noexcept override { return Set::template hears<attempt_view>; }
    bool observes_events() const noexcept override { return Set::template hears<event_view>; }

    void on_attempt(attempt_view const& view) override
    {
        if constexpr (Set::template hears<attempt_view>)
            get<observer_role>().on_attempt(view);
    }

    void on_state(state_view const& view) override
    {
        if constexpr (Set::template hears<state_view>)
            get<observer_role>().on_state(view);
    }

    void on_event(event_view const& view) override
    {
        if constexpr (Set::template hears<event_view>)
            get<observer_role>().on_event(view);
    }

    void added(server_view const& server, boost::json::object const& settings) override
    {
        set_.for_each([&](auto& policy) {
            if constexpr (requires { policy.added(server, settings); })
                policy.added(server, settings);
        });
    }

    void removed(server_id server) override
    {
        set_.for_each([&](auto& policy) {
            if constexpr (requires { policy.removed(server); })
                policy.removed(server);
        });
    }

private:
    template<class Role>
    auto& get() noexcept
    {
        return set_.template get<Role>();
    }

    Set set_;
};

} // namespace linkspan

#endif
