#include <linkspan/connector/detail/connector_context.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/connector_parts.hpp"

// scenario.connector.validated_calls tests the validation of calls, and scenario.connector.publication tests the
// publication during openings.

BOOST_AUTO_TEST_SUITE(connector_context_test)

using namespace linkspan;
using detail::flow_server;

namespace {

struct fixture : test::connector_parts {
    // Stores a list of tools, without a publication.
    void list(server_pointer const& server, std::string name)
    {
        server->tools.on_listed(list_of(std::move(name)), *policies, {}, false);
    }

    std::size_t tools() const { return core->catalog_now()->tools().size(); }

    std::vector<flow_server> views(std::vector<detail::call_candidate> const& candidates,
                                   detail::server_entry* held = nullptr)
    {
        std::vector<flow_server> out;
        core->view(candidates, held, time.now(), out);
        return out;
    }
};

detail::call_candidate candidate_on(detail::server_entry const& server)
{
    detail::call_candidate out;
    out.server = server.id;
    return out;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(catalog_is_published_after_changes_only, fixture)
{
    auto const a = add("a");
    BOOST_TEST(!core->publish_changes());
    auto const before = core->current_catalog();
    list(a, "read");
    core->on_tools_changed();
    BOOST_TEST(tools() == 0u);
    BOOST_TEST(core->publish_changes());
    BOOST_TEST(tools() == 1u);
    BOOST_TEST(before->tools().empty());
    BOOST_TEST(!core->publish_changes());
}

BOOST_FIXTURE_TEST_CASE(change_is_published_in_a_later_turn, fixture)
{
    policies->is_observing = true;
    list(add("a"), "read");
    policies->take_log();
    core->on_tools_changed();
    core->on_tools_changed();
    BOOST_TEST(policies->take_log() == "");
    run();
    BOOST_TEST(policies->take_log() == "catalog_changed");
    BOOST_TEST(tools() == 1u);
}

BOOST_FIXTURE_TEST_CASE(large_catalog_is_published_in_several_turns, fixture)
{
    core->publisher().set_max_entries(2);
    for (char key = 'a'; key != 'd'; ++key)
        list(add(std::string(1, key)), "read" + std::string(1, key));
    core->on_tools_changed();
    int done = 0;
    core->publish_changes([&] { ++done; });
    BOOST_TEST(tools() == 0u);
    list(add("e"), "write"); // part of the next catalog
    core->on_tools_changed();
    core->publish_changes([&] { done += 10; });
    BOOST_TEST(done == 0);
    run();
    BOOST_TEST(done == 11);
    BOOST_TEST(tools() == 4u);
    BOOST_TEST(!core->publisher().has_changes());
}

BOOST_FIXTURE_TEST_CASE(server_that_is_removed_during_a_build_is_not_in_the_next_catalog, fixture)
{
    core->publisher().set_max_entries(1);
    auto const a = add("a");
    list(a, "read");
    list(add("b"), "write");
    core->on_tools_changed();
    BOOST_TEST(!core->publish_changes());
    core->drop_tools(*a);
    core->servers().remove(a);
    core->on_servers_changed();
    run();
    BOOST_TEST(tools() == 1u);
    BOOST_TEST(core->catalog_now()->tools()[0].server_key == "b");
}

BOOST_FIXTURE_TEST_CASE(close_during_a_build_invokes_waiting_functions, fixture)
{
    core->publisher().set_max_entries(1);
    list(add("a"), "read");
    list(add("b"), "write");
    core->on_tools_changed();
    int done = 0;
    core->publish_changes([&] { ++done; });
    core->close();
    BOOST_TEST(done == 0);
    run();
    BOOST_TEST(done == 1);
}

BOOST_FIXTURE_TEST_CASE(publication_of_few_added_tools_waits_for_servers_that_are_being_opened, fixture)
{
    for (char key = 'a'; key != 'k'; ++key)
        list(add(std::string(1, key)), "read");
    core->on_tools_changed();
    run();
    BOOST_TEST(tools() == 10u);
    auto const opening = add("x");
    run();
    list(opening, "read");
    opening->life.on_starting();
    core->on_tools_changed();
    run();
    BOOST_TEST(tools() == 10u);
    opening->life.on_connected(time.now());
    opening->life.on_settled();
    core->publish_later();
    run();
    BOOST_TEST(tools() == 11u);
}

BOOST_FIXTURE_TEST_CASE(removal_of_dropped_tools_does_not_wait_for_servers_that_are_being_opened, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    list(a, "read");
    core->on_tools_changed();
    run();
    b->life.on_starting();
    core->drop_tools(*a);
    BOOST_TEST(tools() == 1u);
    run();
    BOOST_TEST(tools() == 0u);
    core->drop_tools(*a); // has no effect
    BOOST_TEST(!core->publish_changes());
}

BOOST_FIXTURE_TEST_CASE(state_of_a_server_is_reported_when_it_changes_or_with_an_error, fixture)
{
    auto const a = add("a");
    policies->is_observing = true;
    policies->take_log();
    make_ready(*a);
    core->publish(*a, {}, {});
    BOOST_TEST(policies->take_log() == "a ready");
    core->publish(*a, {}, {});
    BOOST_TEST(policies->take_log() == "");
    core->publish(*a, error::not_connected, "no such program");
    BOOST_TEST(policies->take_log() == "a ready");
    auto const state = core->state();
    BOOST_REQUIRE(state.servers.size() == 1u);
    BOOST_TEST((state.servers[0].state == server_state::ready));
    BOOST_TEST(state.servers[0].last_error == make_error_code(error::not_connected).message() + ": no such program");
    BOOST_TEST((a->last_failure == error::not_connected));
}

BOOST_FIXTURE_TEST_CASE(state_has_the_tools_of_all_servers, fixture)
{
    for (auto const* const key : {"a", "b"}) {
        auto const server = add(key);
        list(server, "read");
        core->publish(*server, {}, {});
    }
    BOOST_TEST(core->state().total_tools == 2u);
    BOOST_TEST(!core->state().last_refresh);
}

BOOST_FIXTURE_TEST_CASE(events_are_reported_to_an_observer_only, fixture)
{
    core->event("a", "something", {});
    BOOST_TEST(policies->take_log() == "");
    policies->is_observing = true;
    core->event("a", "something", {});
    BOOST_TEST(policies->take_log() == "something a");
}

BOOST_FIXTURE_TEST_CASE(views_contain_removed_servers_only_if_they_have_an_attempt, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    std::vector const both{candidate_on(*a), candidate_on(*b)};
    BOOST_TEST(views(both).size() == 2u);
    core->servers().remove(a);
    BOOST_REQUIRE(views(both).size() == 1u);
    BOOST_TEST((views(both)[0].view.id == b->id));
    BOOST_TEST(views(both, a.get()).size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(excluded_candidate_is_not_available, fixture)
{
    auto const a = add("a");
    auto candidate = candidate_on(*a);
    BOOST_TEST(views({candidate})[0].available);
    candidate.is_excluded = true;
    BOOST_TEST(!views({candidate})[0].available);
}

BOOST_FIXTURE_TEST_CASE(server_with_an_open_breaker_is_the_last_resort_of_one_call, fixture)
{
    auto const a = add("a");
    policies->state = health_state::tripped;
    auto const view = views({candidate_on(*a)})[0];
    BOOST_TEST(!view.available);
    BOOST_TEST(view.last_resort);
    a->last_resort_in_use = true;
    BOOST_TEST(!views({candidate_on(*a)})[0].last_resort);
}

BOOST_FIXTURE_TEST_CASE(shared_pointer_to_a_part_keeps_the_connector_alive, fixture)
{
    std::weak_ptr<detail::connector_core> const weak = core;
    auto shared = core->share(&core->lister());
    core.reset();
    BOOST_TEST(!weak.expired());
    shared.reset();
    BOOST_TEST(weak.expired());
}

BOOST_FIXTURE_TEST_CASE(limit_that_policies_cannot_represent_is_the_largest_number, fixture)
{
    constexpr auto largest = std::numeric_limits<std::uint32_t>::max();
    std::pair<std::size_t, std::uint32_t> const rows[] = {{1, 1},
                                                          {largest, largest},
                                                          {std::size_t{largest} + 1, largest},
                                                          {std::numeric_limits<std::size_t>::max(), largest}};
    for (auto const& [limit, expected] : rows) {
        server_options options;
        options.session.max_in_flight = limit;
        auto const server = add("s" + std::to_string(limit), options);
        BOOST_TEST(core->view_of(*server, time.now()).limit == expected);
        BOOST_TEST(core->view_of(*server, time.now()).in_flight == 0u);
    }
}

BOOST_FIXTURE_TEST_CASE(room_of_a_server_is_the_sum_of_both_limits_without_overflow, fixture)
{
    constexpr auto largest = std::numeric_limits<std::size_t>::max();
    auto const has_room = [&](std::size_t in_flight, std::size_t max_in_flight, std::size_t max_queued) {
        server_options options;
        options.session.max_in_flight = max_in_flight;
        options.session.max_queued = max_queued;
        detail::server_entry const server(server_id{1}, "a", options, context.get_executor());
        return server.has_room(in_flight);
    };
    BOOST_TEST(has_room(0, 1, 0));
    BOOST_TEST(!has_room(1, 1, 0));
    BOOST_TEST(has_room(2, 1, 2));
    BOOST_TEST(!has_room(3, 1, 2));
    for (std::size_t const in_flight : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
        BOOST_TEST(has_room(in_flight, largest, largest));
        BOOST_TEST(has_room(in_flight, largest, 1));
        BOOST_TEST(has_room(in_flight, 1, largest));
    }
    BOOST_TEST(!has_room(largest, largest, 0));
    BOOST_TEST(!has_room(largest, 1, largest - 1));
}

BOOST_AUTO_TEST_SUITE_END()
