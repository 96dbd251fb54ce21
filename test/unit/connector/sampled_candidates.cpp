#include <linkspan/connector/detail/call_routing.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/add_server.hpp"
#include "support/scripted_policies.hpp"
#include "support/virtual_world.hpp"

// Calls of a tool that at least `min_unlisted` servers have: the routing policy receives a sample of two candidates.
BOOST_AUTO_TEST_SUITE(sampled_candidates_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::call_flow;
using detail::call_routing;
using detail::connector_core;
using detail::min_unlisted;
using kind = call_flow::action::kind;

namespace {

constexpr time_point begin{1000s};

// Servers with the interchangeable tool "read", and one call of this tool.
struct fixture : test::virtual_world {
    explicit fixture(std::size_t count = min_unlisted, std::vector<int> const& priorities = {0})
    {
        policies->samples = true;
        std::vector<catalog_entry> entries;
        for (std::size_t i = 0; i != count; ++i) {
            server_options options;
            options.priority = priorities[i % priorities.size()];
            auto const server = test::add_server(*core, "s" + std::to_string(i), options);
            tool_list list;
            list.tools.emplace_back();
            list.tools[0].name = "read";
            list.tools[0].input_schema = "{}";
            server->tools.on_listed(std::move(list), *policies, {}, false);
            entries.push_back(server->tools.tools().front());
            entries.back().accepts_own_name = true;
            entries.back().replay = replay_class::read_only;
        }
        publish(std::move(entries));
    }

    void publish(std::vector<catalog_entry> entries)
    {
        auto& publisher = core->publisher();
        publisher.begin({std::make_shared<std::vector<catalog_entry> const>(std::move(entries))}, false);
        BOOST_TEST(publisher.step());
    }

    // Makes the server unavailable for calls.
    void throttle(std::size_t i) { core->servers().order()[i]->throttled_until = begin + 1h; }

    call_view at(std::uint64_t draw) const
    {
        call_view out;
        out.tool = "read";
        out.deadline = begin + 10s;
        out.now = begin;
        out.draw = draw;
        return out;
    }

    call_flow::action start(std::uint64_t draw = 1)
    {
        routing.clear();
        routing.candidates().resolve({"read", {}, nullptr, false}, core->publisher(), core->servers());
        seen.clear();
        return routing.start(*core, at(draw));
    }

    call_flow::action fail(certainty delivery)
    {
        outcome out;
        out.certainty = delivery;
        out.ec = error::attempt_timed_out;
        return routing.on_outcome(*core, out, at(1), 1);
    }

    bool attempt(call_flow::action const& next)
    {
        BOOST_TEST((next.what == kind::attempt));
        return routing.begin_attempt(*core, next.server, next.last_resort);
    }

    test::scripted_policies* policies = new test::scripted_policies; // owned by `core`
    std::shared_ptr<connector_core> core =
        std::make_shared<connector_core>(context.get_executor(), std::unique_ptr<policy_table>(policies));
    call_routing routing;
    std::vector<std::size_t> seen; // number of candidates of each selection
};

// Installs a routing policy that records the number of its candidates and selects by priority.
void count_candidates(fixture& of)
{
    of.policies->choices = [&of](std::span<server_view const> candidates) {
        of.seen.push_back(candidates.size());
        return by_priority().select({}, candidates);
    };
}

using counts = std::vector<std::size_t>;

} // namespace

BOOST_AUTO_TEST_CASE(few_candidates_are_all_passed_to_the_policy)
{
    fixture of(min_unlisted - 1);
    count_candidates(of);
    BOOST_TEST((of.start().what == kind::attempt));
    BOOST_TEST(of.seen == counts{min_unlisted - 1}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(policy_without_accepts_sample_receives_all_candidates)
{
    fixture of;
    of.policies->samples = false;
    count_candidates(of);
    BOOST_TEST((of.start().what == kind::attempt));
    BOOST_TEST(of.seen == counts{min_unlisted}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(policy_with_accepts_sample_receives_two_different_candidates)
{
    fixture of;
    std::set<server_id> used;
    of.policies->choices = [&](std::span<server_view const> candidates) {
        BOOST_TEST(candidates.size() == 2u);
        BOOST_TEST((candidates[0].id != candidates[1].id));
        used.insert({candidates[0].id, candidates[1].id});
        return candidates[0].id;
    };
    for (std::uint64_t i = 0; i != 1000; ++i)
        BOOST_TEST((of.start(of.core->time().draw()).what == kind::attempt));
    BOOST_TEST(used.size() == min_unlisted); // each server is drawn
}

BOOST_AUTO_TEST_CASE(sample_has_the_servers_with_the_highest_priority)
{
    fixture of(60, {0, 10, 20});
    of.policies->choices = [&](std::span<server_view const> candidates) {
        BOOST_TEST(candidates[0].priority == 20);
        BOOST_TEST(candidates[1].priority == 20);
        return candidates[0].id;
    };
    for (std::uint64_t i = 0; i != 100; ++i)
        BOOST_TEST((of.start(of.core->time().draw()).what == kind::attempt));
}

BOOST_AUTO_TEST_CASE(sample_has_the_only_server_with_the_highest_priority_and_any_other)
{
    std::vector<int> priorities(min_unlisted, 5);
    for (std::size_t const preferred : {std::size_t{0}, std::size_t{3}, min_unlisted - 1}) {
        auto mixed = priorities;
        mixed[preferred] = 50;
        fixture of(min_unlisted, mixed);
        std::set<server_id> others;
        of.policies->choices = [&](std::span<server_view const> candidates) {
            BOOST_TEST(candidates.size() == 2u);
            BOOST_TEST(candidates[0].priority == 50);
            BOOST_TEST(candidates[1].priority == 5);
            others.insert(candidates[1].id);
            return by_priority().select({}, candidates);
        };
        auto const first = of.core->servers().order()[preferred]->id;
        for (std::uint64_t i = 0; i != 1000; ++i)
            BOOST_TEST((of.start(of.core->time().draw()).server == first));
        BOOST_TEST(others.size() == min_unlisted - 1);
    }
}

BOOST_AUTO_TEST_CASE(unavailable_servers_are_not_in_the_sample)
{
    fixture of(40);
    for (std::size_t i = 0; i < 40; i += 2)
        of.throttle(i);
    of.policies->choices = [&](std::span<server_view const> candidates) {
        for (auto const& one : candidates)
            BOOST_TEST(static_cast<std::uint32_t>(one.id) % 2 == 1u);
        return candidates[0].id;
    };
    for (std::uint64_t i = 0; i != 200; ++i)
        BOOST_TEST((of.start(of.core->time().draw()).what == kind::attempt));
}

BOOST_AUTO_TEST_CASE(all_candidates_are_listed_if_the_draws_find_no_two_available_servers)
{
    fixture of;
    count_candidates(of);
    for (std::size_t i = 0; i + 1 != min_unlisted; ++i)
        of.throttle(i);
    auto const next = of.start();
    BOOST_TEST((next.server == of.core->servers().order().back()->id));
    BOOST_TEST(of.seen == counts{1}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(next_sample_is_drawn_among_the_servers_that_were_available)
{
    fixture of(60, {20, 10});
    for (std::size_t i = 0; i != 60; ++i)
        if (i % 2 == 0 || i % 3 == 0)
            of.throttle(i);
    count_candidates(of);
    BOOST_TEST((of.start().what == kind::attempt));
    BOOST_TEST(of.seen == counts{20}, boost::test_tools::per_element());
    std::set<server_id> used;
    for (std::uint64_t i = 0; i != 400; ++i) {
        used.insert(of.start(of.core->time().draw()).server);
        BOOST_TEST(of.seen == counts{2}, boost::test_tools::per_element());
    }
    BOOST_TEST(used.size() == 20u);
    for (auto const id : used)
        BOOST_TEST((static_cast<std::uint32_t>(id) % 2 != 0 && static_cast<std::uint32_t>(id) % 3 != 0));
}

BOOST_AUTO_TEST_CASE(change_of_a_server_discards_the_stored_candidates)
{
    fixture of;
    for (std::size_t i = 0; i + 2 < min_unlisted; ++i)
        of.throttle(i);
    count_candidates(of);
    auto& server = *of.core->servers().order().front();
    for (int i = 0; i != 2; ++i) {
        of.start();
        BOOST_TEST(of.seen == counts{2}, boost::test_tools::per_element());
        of.start();
        auto const& known = of.core->replicas();
        auto const match = of.core->catalog_now()->find("read");
        BOOST_TEST(known.find(*of.core->catalog_now(), match, begin).size() == 2u);
        BOOST_TEST(known.find(*of.core->catalog_now(), match, begin + 1s).empty()); // expired
        BOOST_TEST(known.find(catalog(), match, begin).empty());
        of.core->publish(server, {}, {});
        BOOST_TEST(known.find(*of.core->catalog_now(), match, begin).empty());
    }
}

BOOST_AUTO_TEST_CASE(next_sample_has_the_only_available_server_of_the_highest_priority_and_another)
{
    std::vector<int> priorities(40, 5);
    std::fill_n(priorities.begin(), 20, 50);
    fixture of(40, priorities);
    for (std::size_t i = 1; i != 20; ++i)
        of.throttle(i);
    count_candidates(of);
    auto const first = of.core->servers().order().front()->id;
    BOOST_TEST((of.start().server == first));
    for (int i = 0; i != 10; ++i) {
        BOOST_TEST((of.start().server == first));
        BOOST_TEST(of.seen == counts{2}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(stored_candidates_expire_when_the_throttling_of_another_server_ends)
{
    fixture of(40, {50, 5});
    for (std::size_t i = 0; i != 40; i += 2)
        of.core->servers().order()[i]->throttled_until = begin + 200ms;
    of.start();
    auto const match = of.core->catalog_now()->find("read");
    auto const& known = of.core->replicas();
    BOOST_TEST(known.find(*of.core->catalog_now(), match, begin + 199ms).size() == 20u);
    BOOST_TEST(known.find(*of.core->catalog_now(), match, begin + 200ms).empty());
}

BOOST_AUTO_TEST_CASE(attempt_of_a_tool_bound_to_its_server_lists_no_successors)
{
    fixture of;
    auto const tools = of.core->catalog_now()->tools();
    std::vector<catalog_entry> entries(tools.begin(), tools.end());
    for (auto& one : entries) {
        one.replay = replay_class::idempotent;
        one.replay_on_same_server = true;
    }
    of.publish(std::move(entries));
    BOOST_TEST(of.attempt(of.start()));
    BOOST_TEST((of.routing.time_of_attempt(*of.core, certainty::unknown, 0.5, begin, 10s) == duration::max()));
    BOOST_TEST(of.routing.candidates().is_unlisted());
    BOOST_TEST((of.routing.time_of_attempt(*of.core, certainty::not_sent, 0.5, begin, 10s) == 5s));
}

BOOST_AUTO_TEST_CASE(only_available_server_is_selected_alone)
{
    fixture of;
    for (std::size_t i = 0; i + 1 < min_unlisted; ++i)
        of.throttle(i);
    count_candidates(of);
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST((of.start().server == of.core->servers().order().back()->id));
        BOOST_TEST(of.seen == counts{1}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(policy_receives_all_candidates_if_all_servers_are_unhealthy)
{
    fixture of;
    of.policies->state = health_state::unhealthy;
    count_candidates(of);
    BOOST_TEST((of.start().what == kind::attempt));
    BOOST_TEST(of.seen == counts{min_unlisted}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_candidates_are_listed_if_the_admission_policy_rejects_the_sample)
{
    fixture of;
    auto const& order = of.core->servers().order();
    for (std::size_t i = 0; i + 1 != min_unlisted; ++i)
        of.policies->closed.insert(order[i]->id);
    for (int i = 0; i != 100; ++i)
        BOOST_TEST((of.start().server == order.back()->id));
    of.policies->closed.insert(order.back()->id);
    BOOST_TEST((of.start().what == kind::finish));
    detail::attempt_trail trail;
    of.routing.add_rejections(*of.core, trail);
    BOOST_TEST(trail.take().size() == min_unlisted);
}

BOOST_AUTO_TEST_CASE(removed_server_that_is_still_in_the_catalog_is_not_in_the_sample)
{
    fixture of;
    auto const order = of.core->servers().order();
    for (std::size_t i = 0; i + 2 != min_unlisted; ++i)
        of.core->servers().remove(order[i]);
    for (std::uint64_t i = 0; i != 100; ++i) {
        auto const next = of.start(of.core->time().draw());
        BOOST_TEST((next.server == order[min_unlisted - 2]->id || next.server == order[min_unlisted - 1]->id));
    }
}

BOOST_AUTO_TEST_CASE(call_fails_over_to_each_server_of_the_group)
{
    fixture of;
    of.policies->verdicts = [](attempt_view const&) { return verdict::next_server(); };
    std::set<server_id> used;
    auto next = of.start();
    for (; next.what == kind::attempt; next = of.fail(certainty::not_sent)) {
        BOOST_TEST(of.attempt(next));
        BOOST_TEST(used.insert(next.server).second);
    }
    BOOST_TEST(used.size() == min_unlisted);
}

BOOST_AUTO_TEST_CASE(attempt_of_a_sampled_call_leaves_time_for_its_successor)
{
    fixture of;
    BOOST_TEST(of.attempt(of.start()));
    BOOST_TEST((of.routing.time_of_attempt(*of.core, certainty::not_sent, 0.5, begin, 10s) == 5s));
    BOOST_TEST(of.routing.candidates().is_unlisted());
    // A new call, for which only one server is available, has no successor.
    for (std::size_t i = 0; i + 1 != min_unlisted; ++i)
        of.throttle(i);
    of.start();
    BOOST_TEST((of.routing.time_of_attempt(*of.core, certainty::not_sent, 0.5, begin, 10s) == duration::max()));
}

BOOST_AUTO_TEST_CASE(successor_outside_of_the_sample_is_found)
{
    fixture of;
    auto tools = of.core->catalog_now()->tools();
    std::vector<catalog_entry> entries(tools.begin(), tools.end());
    // After an unknown outcome, only the last server may receive the call.
    for (std::size_t i = 0; i + 1 != entries.size(); ++i)
        entries[i].replay = i == 0 ? replay_class::read_only : replay_class::never;
    of.publish(std::move(entries));
    auto const first = of.core->servers().order().front()->id;
    auto const last = of.core->servers().order().back()->id;
    bool is_found = false;
    for (std::uint64_t i = 0; i != 2000 && !is_found; ++i) {
        bool has_last = false;
        of.policies->choices = [&](std::span<server_view const> candidates) {
            has_last = candidates[0].id == last || candidates[1].id == last;
            return candidates[0].id;
        };
        auto const next = of.start(of.core->time().draw());
        if (next.server != first || has_last)
            continue;
        is_found = true;
        BOOST_TEST(of.attempt(next));
        BOOST_TEST((of.routing.time_of_attempt(*of.core, certainty::unknown, 0.5, begin, 10s) == 5s));
        BOOST_TEST(!of.routing.candidates().is_unlisted());
    }
    BOOST_TEST(is_found);
}

BOOST_AUTO_TEST_CASE(servers_with_an_equal_schema_are_excluded_after_rejected_arguments)
{
    fixture of;
    auto const next = of.start();
    BOOST_TEST(of.attempt(next));
    BOOST_TEST(of.routing.candidates().on_rejected_arguments(next.server, *of.core->catalog_now()));
    BOOST_TEST(of.routing.candidates().all().size() == min_unlisted);
}

BOOST_AUTO_TEST_CASE(observer_receives_the_view_of_the_sampled_server)
{
    fixture of;
    auto const next = of.start();
    BOOST_TEST(of.attempt(next));
    std::vector<server_id> observed;
    of.policies->attempts = [&](attempt_view const& view) { observed.push_back(view.server.id); };
    of.routing.observe(*of.core, {}, false, of.at(1));
    BOOST_TEST((observed == std::vector<server_id>{next.server}));
    BOOST_TEST(of.routing.candidates().is_unlisted());
}

BOOST_AUTO_TEST_CASE(exposed_name_of_a_group_is_found_without_listing_its_candidates)
{
    fixture of;
    of.routing.candidates().resolve({"read", {}, nullptr, true}, of.core->publisher(), of.core->servers());
    BOOST_TEST(of.routing.candidates().is_unlisted());
    BOOST_TEST(of.routing.candidates().first_name() == "read");
    of.routing.clear();
    BOOST_TEST(!of.routing.candidates().is_unlisted());
}

BOOST_AUTO_TEST_SUITE_END()
