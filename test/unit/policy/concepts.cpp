#include <linkspan/policy/concepts.hpp>

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(concepts_test)

namespace ls = linkspan;

// Types that satisfy each concept of policies, and one type for each violation of a concept.
namespace {

template<class Role>
struct with_role {
    using role = Role;
};

struct fallback : with_role<ls::fallback_role> {
    ls::verdict after_failure(ls::attempt_view const&) { return {}; }
};
struct fallback_of_another_role : with_role<ls::routing_role> {
    ls::verdict after_failure(ls::attempt_view const&) { return {}; }
};
struct fallback_without_verdict : with_role<ls::fallback_role> {
    bool after_failure(ls::attempt_view const&) { return false; }
};
struct fallback_that_changes_the_view : with_role<ls::fallback_role> {
    ls::verdict after_failure(ls::attempt_view&) { return {}; }
};

struct health : with_role<ls::health_role> {
    ls::health_state on_result(ls::server_id, ls::outcome const&, ls::time_point) { return {}; }
    ls::health_state state(ls::server_id, ls::time_point) { return {}; }
    ls::time_point next_probe(ls::server_id, ls::time_point, std::uint64_t) { return {}; } // not optional
};
struct health_without_state : with_role<ls::health_role> {
    ls::health_state on_result(ls::server_id, ls::outcome const&, ls::time_point) { return {}; }
    std::optional<ls::time_point> next_probe(ls::server_id, ls::time_point, std::uint64_t) { return {}; }
};
struct health_without_result : with_role<ls::health_role> {
    void on_result(ls::server_id, ls::outcome const&, ls::time_point) {}
    ls::health_state state(ls::server_id, ls::time_point) { return {}; }
    std::optional<ls::time_point> next_probe(ls::server_id, ls::time_point, std::uint64_t) { return {}; }
};

struct admission : with_role<ls::admission_role> {
    bool admit(ls::call_view const&, ls::server_view const&) const { return true; }
};
struct admission_of_calls_alone : with_role<ls::admission_role> {
    bool admit(ls::call_view const&) const { return true; }
};
struct admission_without_result : with_role<ls::admission_role> {
    void admit(ls::call_view const&, ls::server_view const&) const {}
};

struct budget : with_role<ls::budget_role> {
    bool spend(ls::server_id, std::uint32_t, ls::time_point) { return true; }
    void on_result(ls::server_id, ls::outcome const&, ls::time_point) {}
};
struct budget_without_on_result : with_role<ls::budget_role> {
    bool spend(ls::server_id, std::uint32_t, ls::time_point) { return true; }
};
struct budget_without_spend : with_role<ls::budget_role> {
    void on_result(ls::server_id, ls::outcome const&, ls::time_point) {}
};

struct hedging : with_role<ls::hedging_role> {
    std::optional<ls::duration> after(ls::call_view const&, std::span<ls::server_view const>) { return {}; }
};
struct hedging_without_time : with_role<ls::hedging_role> {
    std::string after(ls::call_view const&, std::span<ls::server_view const>) { return {}; }
};

struct naming : with_role<ls::naming_role> {
    std::string_view expose(std::string_view, std::string_view tool) const { return tool; }
};
struct naming_of_text : with_role<ls::naming_role> {
    char const* expose(std::string_view, std::string_view) const { return ""; }
};
struct naming_that_changes : with_role<ls::naming_role> {
    std::string expose(std::string_view, std::string_view) { return {}; }
};

struct attempts_only : with_role<ls::observer_role> {
    void on_attempt(ls::attempt_view const&) {}
};
struct states_only : with_role<ls::observer_role> {
    void on_state(ls::state_view const&) {}
};
struct events_only : with_role<ls::observer_role> {
    void on_event(ls::event_view const&) {}
};
struct observer_of_nothing : with_role<ls::observer_role> {};
struct observer_of_numbers : with_role<ls::observer_role> {
    void on_event(int) {}
};

struct unknown_role {};

} // namespace

BOOST_AUTO_TEST_CASE(fallback_policy_requires_a_verdict_for_a_const_view)
{
    static_assert(ls::FallbackPolicy<fallback> && ls::check_policy<fallback>());
    static_assert(!ls::FallbackPolicy<fallback_of_another_role>);
    static_assert(!ls::FallbackPolicy<fallback_without_verdict>);
    static_assert(!ls::FallbackPolicy<fallback_that_changes_the_view>);
    static_assert(!ls::FallbackPolicy<int>);
}

BOOST_AUTO_TEST_CASE(health_policy_requires_state_and_on_result)
{
    static_assert(ls::HealthPolicy<health> && ls::check_policy<health>());
    static_assert(!ls::HealthPolicy<health_without_state>);
    static_assert(!ls::HealthPolicy<health_without_result>);
    static_assert(!ls::HealthPolicy<budget>);
}

BOOST_AUTO_TEST_CASE(admission_policy_requires_admit_for_call_and_server)
{
    static_assert(ls::AdmissionPolicy<admission> && ls::check_policy<admission>());
    static_assert(!ls::AdmissionPolicy<admission_of_calls_alone>);
    static_assert(!ls::AdmissionPolicy<admission_without_result>);
    static_assert(!ls::AdmissionPolicy<fallback>);
}

BOOST_AUTO_TEST_CASE(budget_policy_requires_spend_and_on_result)
{
    static_assert(ls::BudgetPolicy<budget> && ls::check_policy<budget>());
    static_assert(!ls::BudgetPolicy<budget_without_on_result>);
    static_assert(!ls::BudgetPolicy<budget_without_spend>);
    static_assert(!ls::BudgetPolicy<health>);
}

BOOST_AUTO_TEST_CASE(hedging_policy_requires_a_duration)
{
    static_assert(ls::HedgingPolicy<hedging> && ls::check_policy<hedging>());
    static_assert(!ls::HedgingPolicy<hedging_without_time>);
    static_assert(!ls::HedgingPolicy<admission>);
}

BOOST_AUTO_TEST_CASE(naming_policy_requires_a_const_function_that_returns_a_string)
{
    static_assert(ls::NamingPolicy<naming_of_text> && ls::check_policy<naming_of_text>());
    static_assert(!ls::NamingPolicy<naming>); // std::string_view does not convert to std::string implicitly
    static_assert(!ls::NamingPolicy<naming_that_changes>);
    static_assert(!ls::NamingPolicy<hedging>);
}

BOOST_AUTO_TEST_CASE(observer_requires_at_least_one_of_three_functions)
{
    static_assert(ls::Observer<attempts_only> && ls::check_policy<attempts_only>());
    static_assert(ls::Observer<states_only> && ls::check_policy<states_only>());
    static_assert(ls::Observer<events_only> && ls::check_policy<events_only>());
    static_assert(!ls::Observer<observer_of_nothing>);
    static_assert(!ls::Observer<observer_of_numbers>);
    static_assert(!ls::Observer<naming>);
}

BOOST_AUTO_TEST_CASE(policy_role_is_one_of_eight)
{
    static_assert(ls::PolicyRole<ls::routing_role> && ls::PolicyRole<ls::fallback_role>);
    static_assert(ls::PolicyRole<ls::health_role> && ls::PolicyRole<ls::admission_role>);
    static_assert(ls::PolicyRole<ls::budget_role> && ls::PolicyRole<ls::hedging_role>);
    static_assert(ls::PolicyRole<ls::naming_role> && ls::PolicyRole<ls::observer_role>);
    static_assert(!ls::PolicyRole<unknown_role> && !ls::PolicyRole<void>);
}

BOOST_AUTO_TEST_SUITE_END()
