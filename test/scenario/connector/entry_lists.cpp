// Lists of the resources, templates and prompts of all servers of a connector.

#include <linkspan/connector/prompts.hpp>
#include <linkspan/connector/resources.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <string>

#include "support/contains.hpp"
#include "support/entries_case.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(entry_lists_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto changed = R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})";

// A connector with one server of this library.
struct served_world : server_world {
    std::optional<hub_type> hub;

    asio::awaitable<void> open()
    {
        hub.emplace(executor);
        hub->add<inproc>("own", recorded_inproc_to(*served));
        co_await hub->async_open();
        co_await settle(executor);
    }

    void clean_up()
    {
        hub.reset();
        server_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(entries_world, lists_are_requested_by_the_first_use_only)
{
    for (auto* const each : {&a, &b})
        each->on(request("resources/list")).then(notes("today"));
    a.on(request("resources/templates/list"))
        .then(result(R"("resourceTemplates":[{"uriTemplate":"note:///{day}","name":"day"}])"));
    b.on(request("prompts/list")).then(result(R"("prompts":[{"name":"greet"}])"));
    a.on(request("prompts/list")).then(result(R"("prompts":[])"));
    co_await open();
    BOOST_TEST(a.received("/list\"") == 1u); // tools
    auto const resources = co_await async_list_resources(*hub);
    BOOST_TEST(text_of(resources) == "a:today, b:today");
    BOOST_TEST(resources.entries.at(0)->uri == "note://today");
    BOOST_TEST((resources.entries.at(0).server != resources.entries.at(1).server));
    BOOST_TEST(a.received("/list\"") == 2u);
    auto const templates = co_await async_list_resource_templates(*hub); // "b" does not have the method
    BOOST_TEST(text_of(templates) == "a:day");
    auto const prompts = co_await async_list_prompts(*hub);
    BOOST_TEST(text_of(prompts) == "b:greet");
    co_await async_list_resources(*hub);
    co_await async_list_resource_templates(*hub);
    co_await async_list_prompts(*hub);
    BOOST_TEST(a.received("/list\"") == 4u);
    BOOST_TEST(b.received("/list\"") == 4u);
}

LINKSPAN_CASE_IN(entries_world, server_without_the_capability_receives_no_list_request)
{
    a.on(request("resources/list")).then(notes("today"));
    b.dialogue().capabilities = R"({"tools":{}})";
    co_await open();
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today");
    BOOST_TEST(b.received("resources/") == 0u);
}

LINKSPAN_CASE_IN(entries_world, failure_of_one_server_does_not_affect_the_list_of_the_other)
{
    a.on(request("resources/list")).then(rpc_error(-32603, "out of order"));
    b.on(request("resources/list")).then(notes("today"));
    co_await open();
    auto const list = co_await async_list_resources(*hub);
    BOOST_TEST(text_of(list) == "b:today, a failed");
    BOOST_TEST(list.failures.at(0).ec.value() == -32603);
    BOOST_TEST(contains(list.failures.at(0).detail, "out of order"), list.failures.at(0).detail);
}

LINKSPAN_CASE_IN(entries_world, list_without_any_server_is_an_error_with_failures)
{
    for (auto* const each : {&a, &b})
        each->on(request("resources/list")).once(rpc_error(-32603, "out of order")).then(notes("today"));
    co_await open();
    auto const [ec, list] = co_await async_list_resources(*hub, in_tuple);
    BOOST_TEST((ec == error::all_servers_failed), ec.message());
    BOOST_TEST(text_of(list) == "a failed, b failed");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today, b:today"); // is requested again at once
}

LINKSPAN_CASE_IN(entries_world, server_that_could_not_be_opened_is_a_failure)
{
    c.on(request("server/discover")).then(drop_connection());
    hub.emplace(executor).add<inproc>("c", c, with(9)); // is not restarted
    co_await hub->async_open(in_tuple);
    auto const [ec, list] = co_await async_list_resources(*hub, in_tuple);
    BOOST_TEST((ec == error::all_servers_failed), ec.message());
    BOOST_TEST(text_of(list) == "c failed");
}

LINKSPAN_CASE_IN(entries_world, server_that_the_program_disconnected_is_no_failure)
{
    for (auto* const each : {&a, &b})
        each->on(request("resources/list")).then(notes("today"));
    co_await open();
    co_await hub->async_disconnect("a");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "b:today");
}

LINKSPAN_CASE_IN(entries_world, server_that_is_connected_again_during_the_operation_is_a_failure)
{
    c.on(request("resources/list")).once(drop_connection()).then(notes("today"));
    b.on(request("resources/list")).then(delay(20s), notes("today"));
    hub.emplace(executor).add<inproc>("c", c);
    hub->add<inproc>("b", b, with(8));
    co_await hub->async_open();
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "b:today, c failed");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "c:today, b:today");
}

LINKSPAN_CASE_IN(entries_world, concurrent_operations_share_one_list_request)
{
    a.on(request("resources/list")).then(delay(1s), notes("today"));
    co_await open(1);
    int completed = 0;
    for (int i = 0; i != 3; ++i)
        async_list_resources(*hub, [&](error_code ec, merged_list<resource> const& list) {
            BOOST_TEST(!ec);
            BOOST_TEST(text_of(list) == "a:today");
            ++completed;
        });
    co_await pass(executor, 2s);
    BOOST_TEST(completed == 3);
    BOOST_TEST(lists(a) == 1u);
}

LINKSPAN_CASE_IN(entries_world, end_of_the_time_to_live_causes_a_request_at_the_next_use_only)
{
    a.on(request("resources/list")).then(notes("today", R"(,"ttlMs":5000)"));
    co_await open(1);
    co_await async_list_resources(*hub);
    co_await pass(executor, 4s);
    co_await async_list_resources(*hub);
    BOOST_TEST(lists(a) == 1u);
    co_await pass(executor, 1h);
    BOOST_TEST(lists(a) == 1u);
    co_await async_list_resources(*hub);
    BOOST_TEST(lists(a) == 2u);
}

LINKSPAN_CASE_IN(entries_world, notification_causes_a_request_at_the_next_use_only)
{
    a.on(request("resources/list")).once(notes("today")).then(notes("today tomorrow"));
    co_await open(1);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today");
    a.broadcast(changed);
    co_await settle(executor);
    BOOST_TEST(lists(a) == 1u);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today, a:tomorrow");
    BOOST_TEST(lists(a) == 2u);
}

LINKSPAN_CASE_IN(served_world, changed_list_is_requested_again_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        clean_up();
        options.list_ttl = 1h;
        auto& own = make(version);
        own.add(resource{.uri = "note://a", .name = "a"}, [] { return "a"; });
        own.add(prompt{.name = "greet"}, [] { return "hello"; });
        co_await open();
        BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "own:a");
        BOOST_TEST(text_of(co_await async_list_prompts(*hub)) == "own:greet");
        co_await settle(executor);
        own.add(resource{.uri = "note://b", .name = "b"}, [] { return "b"; });
        own.add(prompt{.name = "part"}, [] { return "goodbye"; });
        co_await settle(executor);
        BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "own:a, own:b");
        BOOST_TEST(text_of(co_await async_list_prompts(*hub)) == "own:greet, own:part");
    }
}

LINKSPAN_CASE_IN(entries_world, list_of_a_lost_server_is_kept_and_requested_again_after_the_reconnection)
{
    a.on(request("resources/list")).once(notes("today")).then(notes("tomorrow"));
    hub.emplace(executor).add<inproc>("a", a);
    co_await hub->async_open();
    co_await async_list_resources(*hub);
    a.drop_connections();
    co_await settle(executor);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today, a failed");
    co_await pass(executor, 1min);
    BOOST_TEST(lists(a) == 1u);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:tomorrow");
}

LINKSPAN_CASE_IN(entries_world, server_that_is_lost_during_the_request_is_a_failure)
{
    a.on(request("resources/list")).then(drop_connection());
    b.on(request("resources/list")).then(notes("today"));
    co_await open();
    auto const list = co_await async_list_resources(*hub);
    BOOST_TEST(text_of(list) == "b:today, a failed");
    BOOST_TEST((list.failures.at(0).ec == error::not_connected));
}

LINKSPAN_CASE_IN(entries_world, disconnected_and_removed_servers_are_not_in_the_list)
{
    for (auto* const each : {&a, &b, &c})
        each->on(request("resources/list")).then(notes("today"));
    co_await open(3);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today, b:today, c:today");
    co_await hub->async_disconnect("a");
    co_await hub->async_remove("b");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "c:today");
    co_await hub->async_disable("c");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "");
    co_await hub->async_connect("a");
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "a:today");
}

LINKSPAN_CASE_IN(entries_world, lazy_server_is_not_started_and_other_servers_are)
{
    for (auto* const each : {&a, &b})
        each->on(request("resources/list")).then(notes("today"));
    server_options lazy;
    lazy.start = start_mode::lazy;
    hub.emplace(executor).add<inproc>("a", a, lazy).add<inproc>("b", b);
    BOOST_TEST(text_of(co_await async_list_resources(*hub)) == "b:today");
    BOOST_TEST(a.connections() == 0u);
}

LINKSPAN_CASE_IN(entries_world, cancelled_operation_leaves_the_request_to_other_operations)
{
    a.on(request("resources/list")).then(delay(1s), notes("today"));
    co_await open(1);
    asio::cancellation_signal signal;
    std::optional<error_code> first;
    std::string second;
    async_list_resources(
        *hub, asio::bind_cancellation_slot(signal.slot(), [&](error_code ec, merged_list<resource>) { first = ec; }));
    async_list_resources(*hub, [&](error_code, merged_list<resource> const& list) { second = text_of(list); });
    co_await settle(executor);
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(!first);
    co_await settle(executor);
    BOOST_TEST((first == error_code(asio::error::operation_aborted)));
    co_await pass(executor, 2s);
    BOOST_TEST(second == "a:today");
    BOOST_TEST(lists(a) == 1u);
}

LINKSPAN_CASE_IN(entries_world, closing_the_connector_aborts_the_operation)
{
    a.on(request("resources/list")).then(hang());
    co_await open(1);
    std::optional<error_code> completed;
    async_list_resources(*hub, [&](error_code ec, merged_list<resource>) { completed = ec; });
    co_await settle(executor);
    hub->close();
    co_await settle(executor);
    BOOST_TEST((completed == error_code(asio::error::operation_aborted)));
    auto const [ec, list] = co_await async_list_resources(*hub, in_tuple);
    BOOST_TEST((ec == error::not_connected));
}

LINKSPAN_CASE_IN(entries_world, operation_without_completion_leaves_no_cycle_of_ownership)
{
    a.on(request("resources/list")).then(hang());
    co_await open(1);
    async_list_resources(*hub, [](error_code, merged_list<resource>) {});
}

BOOST_AUTO_TEST_SUITE_END()
