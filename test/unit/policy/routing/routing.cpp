#include <linkspan/policy/routing/routing.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(routing_test)

using linkspan::by_priority;
using linkspan::call_view;
using linkspan::health_state;
using linkspan::routing_role;
using linkspan::server_id;
using linkspan::server_view;
using linkspan::routing::by_tags;
using linkspan::routing::round_robin;
using linkspan::routing::sticky;

namespace {

server_view server(unsigned id, int priority, health_state health = health_state::healthy)
{
    server_view view;
    view.id = server_id{id};
    view.priority = priority;
    view.health = health;
    return view;
}

server_view busy(unsigned id, std::uint32_t in_flight, int priority = 0)
{
    auto view = server(id, priority);
    view.in_flight = in_flight;
    return view;
}

template<class Policy>
unsigned chosen_by(Policy&& policy, std::vector<server_view> const& candidates, call_view const& call = {})
{
    return static_cast<unsigned>(policy.select(call, candidates).value());
}

unsigned selected(std::vector<server_view> const& candidates, std::uint64_t draw = 0)
{
    call_view call;
    call.draw = draw;
    return chosen_by(by_priority(), candidates, call);
}

// Servers 1, 2, ... of one priority, with keys.
struct keyed_servers {
    std::vector<std::string> keys;
    std::vector<server_view> views;

    explicit keyed_servers(std::size_t count)
    {
        for (std::size_t i = 0; i != count; ++i)
            keys.push_back("server " + std::to_string(i + 1));
        for (std::size_t i = 0; i != count; ++i) {
            views.push_back(server(static_cast<unsigned>(i) + 1, 0));
            views.back().key = keys[i];
        }
    }
};

call_view with_affinity(std::string_view text)
{
    call_view call;
    call.affinity = text;
    return call;
}

struct never_routes {
    using role = routing_role;
    std::nullopt_t select(call_view const&, std::span<server_view const>) { return std::nullopt; }
};

struct routes_by_value {
    using role = routing_role;
    server_id select(call_view, std::span<server_view const> candidates) { return candidates.back().id; }
};

struct without_role {
    std::optional<server_id> select(call_view const&, std::span<server_view const>);
};

struct changes_candidates {
    using role = routing_role;
    std::optional<server_id> select(call_view const&, std::span<server_view>);
};

} // namespace

BOOST_AUTO_TEST_CASE(server_with_highest_priority_is_selected)
{
    BOOST_TEST(selected({server(1, 5), server(2, 90), server(3, 0)}) == 2u);
}

BOOST_AUTO_TEST_CASE(equal_priorities_keep_configuration_order)
{
    BOOST_TEST(selected({server(7, 1), server(3, 1), server(5, 1)}) == 7u);
}

BOOST_AUTO_TEST_CASE(unhealthy_server_is_selected_last)
{
    BOOST_TEST(selected({server(1, 9, health_state::unhealthy), server(2, 0)}) == 2u);
}

BOOST_AUTO_TEST_CASE(unhealthy_server_is_selected_if_all_are_unhealthy)
{
    BOOST_TEST(selected({server(1, 1, health_state::unhealthy), server(2, 2, health_state::unhealthy)}) == 2u);
}

BOOST_AUTO_TEST_CASE(unknown_and_degraded_health_do_not_outweigh_priority)
{
    BOOST_TEST(selected({server(1, 0), server(2, 1, health_state::unknown)}) == 2u);
    BOOST_TEST(selected({server(1, 0), server(2, 1, health_state::degraded)}) == 2u);
}

// by_priority, within a tier

BOOST_AUTO_TEST_CASE(least_busy_server_of_equal_priority_is_selected)
{
    BOOST_TEST(selected({busy(1, 3), busy(2, 1), busy(3, 2)}) == 2u);
    BOOST_TEST(selected({busy(1, 3, 9), busy(2, 0)}) == 1u); // the tier takes precedence over the load
    BOOST_TEST(selected({busy(1, 2), busy(2, 1), busy(3, 1), busy(4, 1)}) == 2u);
}

BOOST_AUTO_TEST_CASE(less_busy_of_two_random_servers_is_selected_among_more_than_four)
{
    std::vector<server_view> const five{busy(1, 9), busy(2, 9), busy(3, 0), busy(4, 9), busy(5, 9)};
    std::map<unsigned, int> counts;
    std::mt19937_64 draws(1);
    for (int i = 0; i != 10'000; ++i)
        ++counts[selected(five, draws())];
    // The idle one is among two of five in 4 of 10 cases.
    BOOST_TEST(counts[3] > 3'800);
    BOOST_TEST(counts[3] < 4'200);
    for (unsigned const other : {1u, 2u, 4u, 5u})
        BOOST_TEST(counts[other] > 0);
    BOOST_TEST(selected(five, 77) == selected(five, 77));
}

BOOST_AUTO_TEST_CASE(two_random_choices_are_distinct)
{
    // The busier of the two drawn servers is not selected, which requires that the two are distinct.
    for (std::uint64_t draw = 0; draw != 25; ++draw) {
        std::vector<server_view> const six{busy(1, 1), busy(2, 1), busy(3, 1), busy(4, 1), busy(5, 1), busy(6, 1)};
        auto idle = six;
        auto const taken = selected(six, draw * 0x1'0000'0001);
        idle[taken - 1].in_flight = 2;
        BOOST_TEST(selected(idle, draw * 0x1'0000'0001) != taken);
    }
}

BOOST_AUTO_TEST_CASE(load_is_spread_evenly_over_many_servers)
{
    std::vector<server_view> servers;
    for (unsigned id = 1; id <= 50; ++id)
        servers.push_back(busy(id, 0));
    std::mt19937_64 draws(7);
    for (int i = 0; i != 5'000; ++i)
        ++servers[selected(servers, draws()) - 1].in_flight;
    for (auto const& one : servers) {
        BOOST_TEST(one.in_flight > 95u);
        BOOST_TEST(one.in_flight < 105u); // at random alone it would be 70 to 130
    }
}

// round_robin

BOOST_AUTO_TEST_CASE(round_robin_selects_servers_in_turn)
{
    round_robin policy;
    std::vector<server_view> const servers{server(1, 5), server(2, 5), server(3, 0), server(4, 5)};
    std::vector<unsigned> order;
    for (int i = 0; i != 7; ++i)
        order.push_back(chosen_by(policy, servers));
    BOOST_TEST(order == (std::vector<unsigned>{1, 2, 4, 1, 2, 4, 1}), boost::test_tools::per_element());
    BOOST_TEST(chosen_by(policy, {server(3, 0)}) == 3u);
}

// sticky

BOOST_AUTO_TEST_CASE(calls_with_one_affinity_key_are_routed_to_one_server)
{
    keyed_servers const servers(10);
    std::set<unsigned> used;
    for (int i = 0; i != 100; ++i) {
        auto const text = "user " + std::to_string(i);
        auto const first = chosen_by(sticky<>(), servers.views, with_affinity(text));
        BOOST_TEST(chosen_by(sticky<>(), servers.views, with_affinity(text)) == first);
        used.insert(first);
    }
    BOOST_TEST(used.size() == 10u);
}

BOOST_AUTO_TEST_CASE(removing_a_server_moves_only_its_own_sticky_calls)
{
    keyed_servers const servers(10);
    for (std::size_t removed = 0; removed != 10; ++removed) {
        auto left = servers.views;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(removed));
        for (int i = 0; i != 200; ++i) {
            auto const text = "user " + std::to_string(i);
            auto const before = chosen_by(sticky<>(), servers.views, with_affinity(text));
            auto const now = chosen_by(sticky<>(), left, with_affinity(text));
            BOOST_TEST((now == before || before == removed + 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(sticky_calls_are_spread_evenly)
{
    keyed_servers const servers(8);
    std::map<unsigned, int> counts;
    for (int i = 0; i != 8'000; ++i)
        ++counts[chosen_by(sticky<>(), servers.views, with_affinity("user " + std::to_string(i)))];
    for (auto const& [id, count] : counts) {
        BOOST_TEST(count > 850, "server " << id);
        BOOST_TEST(count < 1'150, "server " << id);
    }
}

BOOST_AUTO_TEST_CASE(call_without_affinity_key_is_routed_by_priority)
{
    BOOST_TEST(chosen_by(sticky<>(), {server(1, 0), server(2, 1)}) == 2u);
}

BOOST_AUTO_TEST_CASE(affinity_key_can_be_any_property_of_the_call)
{
    struct by_tool {
        std::string_view operator()(call_view const& call) const { return call.tool; }
    };
    keyed_servers const servers(10);
    std::set<unsigned> used;
    for (auto const tool : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
        call_view call;
        call.tool = tool;
        used.insert(chosen_by(sticky<by_tool>(), servers.views, call));
    }
    BOOST_TEST(used.size() > 3u);
}

// by_tags

BOOST_AUTO_TEST_CASE(by_tags_selects_only_servers_with_matching_tags)
{
    constexpr std::string_view eu[] = {"eu"}, eu_fast[] = {"eu", "fast"}, us_fast[] = {"us", "fast"};
    std::vector<server_view> servers{server(1, 9), server(2, 5), server(3, 1), server(4, 99)};
    servers[0].tags = eu;
    servers[1].tags = eu_fast;
    servers[2].tags = us_fast;
    BOOST_TEST(chosen_by(by_tags<>{.all_of = {"eu"}}, servers) == 1u);
    BOOST_TEST(chosen_by(by_tags<>{.all_of = {"eu", "fast"}}, servers) == 2u);
    BOOST_TEST(chosen_by(by_tags<>{.any_of = {"us", "moon"}}, servers) == 3u);
    BOOST_TEST(chosen_by(by_tags<>{.any_of = {"us", "eu"}, .none_of = {"fast"}}, servers) == 1u);
    BOOST_TEST(chosen_by(by_tags<>{}, servers) == 4u);
    BOOST_TEST((by_tags<>{.all_of = {"moon"}}.select({}, servers) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(by_tags_filters_for_another_policy)
{
    constexpr std::string_view fast[] = {"fast"};
    std::vector<server_view> servers{server(1, 5), server(2, 5), server(3, 5)};
    servers[0].tags = servers[2].tags = fast;
    by_tags<round_robin> policy{.all_of = {"fast"}};
    BOOST_TEST(chosen_by(policy, servers) == 1u);
    BOOST_TEST(chosen_by(policy, servers) == 3u);
    BOOST_TEST(chosen_by(policy, servers) == 1u);
}

BOOST_AUTO_TEST_CASE(routing_policy_requires_role_and_const_select)
{
    static_assert(linkspan::RoutingPolicy<by_priority>);
    static_assert(linkspan::RoutingPolicy<never_routes>);
    static_assert(linkspan::RoutingPolicy<routes_by_value>);
    static_assert(!linkspan::RoutingPolicy<without_role>);
    static_assert(!linkspan::RoutingPolicy<changes_candidates>);
    static_assert(!linkspan::RoutingPolicy<int>);
}

BOOST_AUTO_TEST_SUITE_END()
