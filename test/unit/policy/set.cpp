#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/health/health.hpp>
#include <linkspan/policy/naming.hpp>
#include <linkspan/policy/routing.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/policy/unlimited.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/dot_naming.hpp"
#include "support/observers.hpp"

BOOST_AUTO_TEST_SUITE(set_test)

using namespace linkspan;
using linkspan::test::attempt_observer;
using linkspan::test::dot_naming;

namespace {

using defaults = policy_set<by_priority, safe_failover, health::assume_up, admit_all, no_budget, qualified>;
using log_type = std::shared_ptr<std::vector<std::string>>;

template<class... Policies>
typed_policy_table<policy_set<Policies...>> table_of(Policies... policies)
{
    using set_type = policy_set<Policies...>;
    return typed_policy_table<set_type>(
        set_type(std::move(policies)...),
        std::make_unique<typed_policy_table<defaults>>(defaults({}, {}, {}, {}, {}, {})));
}

server_view server(unsigned id, int priority = 0)
{
    server_view view;
    view.id = server_id{id};
    view.key = "a";
    view.priority = priority;
    return view;
}

struct last_first {
    using role = routing_role;
    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates)
    {
        return candidates.back().id;
    }
};

struct refuses_all {
    using role = admission_role;
    bool admit(call_view const&, server_view const&) const { return false; }
};

struct rejecting_budget {
    using role = budget_role;
    log_type log;
    bool spend(server_id, std::uint32_t, time_point) const { return false; }
    void on_result(server_id, outcome const&, time_point) const { log->push_back("budget"); }
};

struct always_unhealthy {
    using role = health_role;
    log_type log;
    health_state on_result(server_id, outcome const&, time_point) const
    {
        log->push_back("health");
        return health_state::unhealthy;
    }
    health_state state(server_id, time_point) const { return health_state::unhealthy; }
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) const { return {}; }
};

// Policy that is notified of added and removed servers, with the `settings` of each added server.
struct notified_policy {
    using role = fallback_role;
    log_type log;
    verdict after_failure(attempt_view const&) const { return verdict::give_up(); }
    void added(server_view const& server, boost::json::object const& settings) const
    {
        log->push_back("added " + std::string(server.key) + " " + std::string(settings.at("tier").as_string()));
    }
    void removed(server_id server) const { log->push_back("removed " + std::to_string(unsigned(server))); }
};

struct state_observer {
    using role = observer_role;
    log_type log;
    void on_state(state_view const& view) const { log->push_back("state " + std::string(view.state)); }
};

struct event_observer {
    using role = observer_role;
    log_type log;
    void on_event(event_view const& view) const { log->push_back("event " + std::string(view.name)); }
};

struct full_observer : attempt_observer, state_observer, event_observer {
    using role = observer_role;
    explicit full_observer(log_type to) : attempt_observer{to}, state_observer{to}, event_observer{to} {}
};

struct notifier {
    call_view call;
    server_view from = server(1);
    outcome result;

    void notify_all(policy_table& table) const
    {
        table.on_attempt({call, from, 3, 2, result, false, {}});
        table.on_state({from, "ready", {}, {}});
        table.on_event({"a", "unexpected_output", {}});
    }
};

log_type make_log() { return std::make_shared<std::vector<std::string>>(); }

// Checks that a table of these policies uses each of them, in any order of the arguments.
template<class... Policies>
void check_roles(Policies... policies)
{
    auto table = table_of(std::move(policies)...);
    auto const low = server(1, 0), high = server(2, 9), last = server(3, 0);
    std::vector<server_view> const candidates{low, high, last};
    BOOST_TEST((table.select({}, candidates) == last.id));
    BOOST_TEST(table.expose("a", "b") == "a.b");
    BOOST_TEST(!table.admit({}, low));
    BOOST_TEST(!table.spend(low.id, 1, {}));
    BOOST_TEST((table.health(low.id, {}) == health_state::unhealthy));
}

} // namespace

BOOST_AUTO_TEST_CASE(roles_can_be_given_in_any_order)
{
    auto const log = make_log();
    check_roles(last_first(), dot_naming(), refuses_all(), rejecting_budget{log}, always_unhealthy{log});
    check_roles(always_unhealthy{log}, rejecting_budget{log}, refuses_all(), dot_naming(), last_first());
    check_roles(full_observer(log), refuses_all(), last_first(), always_unhealthy{log}, dot_naming(),
                rejecting_budget{log});
    check_roles(dot_naming(), always_unhealthy{log}, last_first(), notified_policy{log}, rejecting_budget{log},
                refuses_all());
}

BOOST_AUTO_TEST_CASE(absent_role_has_its_default_policy)
{
    auto table = table_of();
    std::vector<server_view> const candidates{server(1, 0), server(2, 9), server(3, 0)};
    BOOST_TEST((table.select({}, candidates) == server_id{2}));
    BOOST_TEST(table.expose("a", "b") == "a__b");
    BOOST_TEST(table.accepts_own_name("b"));
    BOOST_TEST(!table.accepts_own_name("b.c"));
    BOOST_TEST(table.admit({}, candidates[0]));
    BOOST_TEST(table.spend(server_id{1}, 1'000, {}));
    BOOST_TEST((table.health(server_id{1}, {}) == health_state::healthy));
    call_view const call;
    outcome lost;
    lost.certainty = certainty::unknown;
    auto const decision = table.after_failure({call, candidates[0], 1, 1, lost, true, candidates});
    BOOST_TEST((decision.what == verdict::kind::give_up));
}

BOOST_AUTO_TEST_CASE(one_user_policy_keeps_the_other_defaults)
{
    auto table = table_of(last_first());
    std::vector<server_view> const candidates{server(1, 9), server(2, 0)};
    BOOST_TEST((table.select({}, candidates) == server_id{2}));
    BOOST_TEST(table.expose("a", "b") == "a__b");
    BOOST_TEST(table.admit({}, candidates[0]));
}

BOOST_AUTO_TEST_CASE(policy_keeps_its_settings)
{
    safe_failover once;
    once.max_attempts = 1;
    auto table = table_of(once);
    call_view const call;
    auto from = server(1);
    from.replay = replay_class::read_only;
    std::vector<server_view> const others{server(2)};
    outcome const lost;
    auto const decision = table.after_failure({call, from, 1, 1, lost, true, others});
    BOOST_TEST((decision.what == verdict::kind::give_up));
}

BOOST_AUTO_TEST_CASE(results_are_passed_to_health_and_budget)
{
    auto const log = make_log();
    auto table = table_of(rejecting_budget{log}, always_unhealthy{log});
    table.on_result(server_id{1}, {}, {});
    BOOST_TEST(*log == (std::vector<std::string>{"health", "budget"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(state_after_a_result_is_that_of_the_health_policy)
{
    outcome completed;
    completed.certainty = certainty::completed;
    completed.has_response = true;
    auto const state_with = [&](auto... policies) {
        auto table = table_of(std::move(policies)...);
        return table.on_result(server_id{1}, completed, time_point(std::chrono::seconds(1)));
    };
    BOOST_TEST((state_with() == health_state::healthy));
    BOOST_TEST((state_with(rejecting_budget{make_log()}) == health_state::healthy));
    BOOST_TEST((state_with(always_unhealthy{make_log()}) == health_state::unhealthy));
    BOOST_TEST((state_with(rejecting_budget{make_log()}, always_unhealthy{make_log()}) == health_state::unhealthy));
}

BOOST_AUTO_TEST_CASE(policy_need_not_be_invoked_only_if_its_own_type_declares_it)
{
    BOOST_TEST(table_of().selects_only_candidate());
    BOOST_TEST(table_of().admits_all());
    BOOST_TEST(!table_of(last_first()).selects_only_candidate());
    BOOST_TEST(table_of(last_first()).admits_all());
    BOOST_TEST(!table_of(routing::round_robin()).selects_only_candidate());
    BOOST_TEST(!table_of(routing::by_tags<>()).selects_only_candidate());
    BOOST_TEST(table_of(routing::sticky<>()).selects_only_candidate());
    auto const by_tool = [](call_view const& call) { return call.tool; };
    BOOST_TEST(!table_of(routing::sticky<decltype(by_tool)>{by_tool}).selects_only_candidate());
    BOOST_TEST(!table_of(refuses_all()).admits_all());
    BOOST_TEST(table_of(refuses_all()).selects_only_candidate());
    struct derived_routing : by_priority {};
    struct derived_admission : admit_all {};
    BOOST_TEST(!table_of(derived_routing()).selects_only_candidate());
    BOOST_TEST(!table_of(derived_admission()).admits_all());
}

BOOST_AUTO_TEST_CASE(policy_is_notified_of_added_and_removed_servers)
{
    auto const log = make_log();
    auto table = table_of(notified_policy{log}, last_first());
    auto view = server(7);
    view.key = "files";
    boost::json::object const settings{{"tier", "gold"}};
    table.added(view, settings);
    table.removed(view.id);
    BOOST_TEST(*log == (std::vector<std::string>{"added files gold", "removed 7"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(table_without_observer_observes_nothing)
{
    auto table = table_of();
    BOOST_TEST(!table.observes_attempts());
    BOOST_TEST(!table.observes_events());
    notifier().notify_all(table);
}

BOOST_AUTO_TEST_CASE(observer_is_notified_only_by_the_functions_that_it_defines)
{
    auto const logged_by = [](auto make) {
        auto const log = make_log();
        auto table = table_of(make(log), last_first());
        notifier().notify_all(table);
        return std::tuple(table.observes_attempts(), table.observes_events(), *log);
    };
    using texts = std::vector<std::string>;
    BOOST_TEST((logged_by([](log_type log) { return attempt_observer{log}; }) ==
                std::tuple(true, false, texts{"attempt 3 of a"})));
    BOOST_TEST((logged_by([](log_type log) { return state_observer{log}; }) ==
                std::tuple(false, false, texts{"state ready"})));
    BOOST_TEST((logged_by([](log_type log) { return event_observer{log}; }) ==
                std::tuple(false, true, texts{"event unexpected_output"})));
    BOOST_TEST((logged_by([](log_type log) { return full_observer(log); }) ==
                std::tuple(true, true, texts{"attempt 3 of a", "state ready", "event unexpected_output"})));
}

BOOST_AUTO_TEST_SUITE_END()
