// Reads of resources and prompts of a connector: selection of the server, failover, cancellation and deadlines.

#include <linkspan/connector/prompts.hpp>
#include <linkspan/connector/resources.hpp>
#include <linkspan/policy/health/breaker.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/entries_case.hpp"
#include "support/prompt_text.hpp"

BOOST_AUTO_TEST_SUITE(entry_calls_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using contents = typed_result<std::vector<resource_contents>>;

namespace {

action note(std::string_view text)
{
    return result(R"("contents":[{"uri":"note://today","text":")" + std::string(text) + "\"}]");
}

action prompts(std::string arguments = "[]")
{
    return result(R"("prompts":[{"name":"greet","arguments":)" + std::move(arguments) + "}]");
}

action messages(std::string_view text)
{
    return result(R"("messages":[{"role":"user","content":{"type":"text","text":")" + std::string(text) + "\"}}]");
}

// Servers "a" and "b", which list the same resources.
struct notes_world : entries_world {
    notes_world()
    {
        for (auto* const each : {&a, &b})
            each->on(request("resources/list")).then(notes("today yesterday"));
        b.on(request("resources/read")).then(note("from b"));
    }

    static std::size_t reads(scripted_server const& of) { return of.received("\"resources/read\""); }
};

} // namespace

LINKSPAN_CASE_IN(notes_world, read_is_sent_to_the_preferred_server_that_lists_the_uri)
{
    a.on(request("resources/read")).then(note("from a"));
    c.on(request("resources/list")).then(notes("other"));
    c.on(request("resources/read")).then(note("from c"));
    co_await open(3);
    auto const today = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(today->at(0).text == "from a");
    BOOST_TEST(today.result().server() == "a");
    BOOST_TEST(today.result().attempts().empty());
    auto const other = co_await async_read_resource(*hub, "note://other");
    BOOST_TEST(other->at(0).text == "from c");
    co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(reads(a) == 2u);
    BOOST_TEST(reads(b) == 0u);
    BOOST_TEST(lists(a) == 1u);
}

LINKSPAN_CASE_IN(notes_world, read_fails_over_to_the_server_with_the_same_uri_if_the_connection_is_lost)
{
    a.on(request("resources/read")).then(drop_connection());
    co_await open();
    auto const today = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(today->at(0).text == "from b");
    BOOST_TEST(trail_of(today.result()) == "a unknown, b completed");
    BOOST_TEST(reads(a) == 1u);
    BOOST_TEST(reads(b) == 1u);
}

LINKSPAN_CASE_IN(notes_world, read_fails_over_if_the_preferred_server_does_not_have_the_resource_any_more)
{
    a.on(request("resources/read")).then(rpc_error(-32002, "no such note"));
    co_await open();
    auto const today = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(today->at(0).text == "from b");
    BOOST_TEST(trail_of(today.result()) == "a refused, b completed");
    co_await async_read_resource(*hub, "note://yesterday");
    co_await settle(executor);
    BOOST_TEST(lists(a) == 2u); // the list was stale
    BOOST_TEST(lists(b) == 1u);
}

LINKSPAN_CASE_IN(notes_world, error_response_of_the_only_server_is_the_result)
{
    a.on(request("resources/read")).then(rpc_error(-32002, "no such note"));
    co_await open(1);
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", in_tuple);
    BOOST_TEST(ec.value() == -32002, ec.message());
    BOOST_TEST(contains(today.result().detail(), "no such note"), today.result().detail());
}

LINKSPAN_CASE_IN(notes_world, resource_that_no_server_has_any_more_is_the_error_of_the_last_server)
{
    c.on(request("resources/list")).then(notes("today"));
    for (auto* const each : {&a, &c})
        each->on(request("resources/read")).then(rpc_error(-32002, "no such note"));
    hub.emplace(executor).add<inproc>("a", a, with(9));
    hub->add<inproc>("c", c, with(8));
    co_await hub->async_open();
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", in_tuple);
    BOOST_TEST(ec.value() == -32002, ec.message());
    BOOST_TEST(reads(a) == 1u);
    BOOST_TEST(reads(c) == 1u);
}

LINKSPAN_CASE_IN(notes_world, missing_resource_of_a_template_causes_no_list_request)
{
    a.on(request("resources/templates/list"))
        .then(result(R"("resourceTemplates":[{"uriTemplate":"file:///{name}","name":"file"}])"));
    a.on(request("resources/read")).then(rpc_error(-32002, "no such file"));
    co_await open(1);
    for (int i = 0; i != 3; ++i) {
        auto const [ec, file] = co_await async_read_resource(*hub, "file:///none", in_tuple);
        BOOST_TEST(ec.value() == -32002, ec.message());
        co_await settle(executor);
    }
    BOOST_TEST(lists(a) == 1u);
}

LINKSPAN_CASE_IN(entries_world, servers_that_do_not_list_in_time_do_not_make_the_uri_unknown)
{
    for (auto* const each : {&a, &b}) {
        each->on(request("resources/list")).then(hang());
        each->on(request("resources/templates/list")).then(hang());
    }
    co_await open();
    call_options options;
    options.timeout = 4s;
    auto const [ec, none] = co_await async_read_resource(*hub, "note://today", options, in_tuple);
    BOOST_TEST((ec == error::all_servers_failed || ec == error::deadline_exceeded), ec.message());
    BOOST_TEST(!contains(none.result().detail(), "searched: a"), none.result().detail());
}

LINKSPAN_CASE_IN(notes_world, read_without_a_server_left_reports_all_attempts)
{
    for (auto* const each : {&a, &c})
        each->on(request("resources/read")).then(drop_connection());
    c.on(request("resources/list")).then(notes("today"));
    hub.emplace(executor).add<inproc>("a", a, with(9)).add<inproc>("c", c, with(8));
    co_await hub->async_open();
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", in_tuple);
    BOOST_TEST((ec == error::all_servers_failed), ec.message());
    BOOST_TEST(trail_of(today.result()) == "a unknown, c unknown");
    BOOST_TEST(!today.has_value());
}

LINKSPAN_CASE_IN(notes_world, unknown_uri_is_an_error_with_similar_uris)
{
    co_await open();
    auto const [ec, today] = co_await async_read_resource(*hub, "note://toady", in_tuple);
    BOOST_TEST((ec == error::entry_not_found), ec.message());
    BOOST_TEST(today.result().detail() ==
               "resource 'note://toady'; similar names: note://today, note://yesterday; searched: a, b");
    BOOST_TEST(reads(a) + reads(b) == 0u);
}

LINKSPAN_CASE_IN(notes_world, uri_that_was_added_without_a_notification_is_found_after_the_end_of_the_time_to_live)
{
    c.on(request("resources/list")).once(notes("today", R"(,"ttlMs":1000)")).then(notes("tomorrow"));
    c.on(request("resources/read")).then(note("from c"));
    hub.emplace(executor).add<inproc>("c", c);
    co_await hub->async_open();
    auto const [ec, unknown] = co_await async_read_resource(*hub, "note://tomorrow", in_tuple);
    BOOST_TEST((ec == error::entry_not_found), ec.message());
    co_await pass(executor, 2s);
    auto const found = co_await async_read_resource(*hub, "note://tomorrow");
    BOOST_TEST(found->at(0).text == "from c");
    BOOST_TEST(lists(c) == 2u);
}

LINKSPAN_CASE_IN(notes_world, stale_list_is_used_and_requested_again_at_the_same_time)
{
    c.on(request("resources/list")).once(notes("today", R"(,"ttlMs":1000)")).then(delay(10s), notes("today"));
    c.on(request("resources/read")).then(note("from c"));
    hub.emplace(executor).add<inproc>("c", c);
    co_await hub->async_open();
    co_await async_read_resource(*hub, "note://today");
    co_await pass(executor, 2s);
    call_options options;
    options.timeout = 1s; // less than the time that the list takes
    auto const today = co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(today->at(0).text == "from c");
    BOOST_TEST(lists(c) == 2u);
}

LINKSPAN_CASE_IN(notes_world, read_of_a_templated_uri_is_sent_to_the_server_with_the_template)
{
    b.on(request("resources/templates/list"))
        .then(result(R"("resourceTemplates":[{"uriTemplate":"day:///{name}","name":"day"},)"
                     R"({"uriTemplate":"file:///{path*}","name":"file"}])"));
    co_await open();
    for (std::string_view const uri : {"day:///monday", "file:///a/b"}) {
        auto const day = co_await async_read_resource(*hub, uri);
        BOOST_TEST(day->at(0).text == "from b");
    }
    auto const [ec, other] = co_await async_read_resource(*hub, "day:///a/b", in_tuple);
    BOOST_TEST((ec == error::entry_not_found), ec.message());
    BOOST_TEST(reads(a) == 0u);
    BOOST_TEST(a.received("\"resources/templates/list\"") == 1u);
}

LINKSPAN_CASE_IN(notes_world, lazy_server_is_started_only_if_no_other_server_has_the_uri)
{
    c.on(request("resources/list")).then(notes("today other"));
    c.on(request("resources/read")).then(note("from c"));
    server_options lazy;
    lazy.start = start_mode::lazy;
    hub.emplace(executor).add<inproc>("c", c, lazy).add<inproc>("b", b);
    co_await hub->async_open();
    auto const today = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(today->at(0).text == "from b");
    BOOST_TEST(c.connections() == 0u);
    auto const other = co_await async_read_resource(*hub, "note://other");
    BOOST_TEST(other->at(0).text == "from c");
}

LINKSPAN_CASE_IN(notes_world, server_whose_list_failed_does_not_prevent_reads_of_the_others)
{
    c.on(request("resources/list")).then(rpc_error(-32603, "out of order"));
    co_await open(3);
    a.on(request("resources/read")).then(note("from a"));
    co_await async_read_resource(*hub, "note://today");
    co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(lists(c) == 1u); // not repeated at once
    auto const [ec, other] = co_await async_read_resource(*hub, "note://other", in_tuple);
    BOOST_TEST((ec == error::entry_not_found), ec.message());
    BOOST_TEST(contains(other.result().detail(), "searched: a, b; without a list: c"), other.result().detail());
}

LINKSPAN_CASE_IN(notes_world, server_that_does_not_list_in_time_leaves_time_for_the_others)
{
    c.on(request("resources/list")).then(hang());
    hub.emplace(executor).add<inproc>("c", c, with(9)).add<inproc>("b", b, with(8));
    co_await hub->async_open();
    call_options options;
    options.timeout = 4s;
    auto const today = co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(today->at(0).text == "from b");
}

LINKSPAN_CASE_IN(notes_world, server_that_does_not_list_delays_the_first_read_only)
{
    c.on(request("resources/list")).then(hang());
    hub.emplace(executor).add<inproc>("c", c, with(9)).add<inproc>("b", b, with(8));
    co_await hub->async_open();
    call_options options;
    options.timeout = 4s;
    co_await async_read_resource(*hub, "note://today", options);
    options.timeout = 100ms; // less than the idle timeout of the list
    auto const today = co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(today->at(0).text == "from b");
}

LINKSPAN_CASE_IN(notes_world, read_of_servers_that_cannot_be_reached_is_not_an_unknown_uri)
{
    co_await open(1);
    a.drop_connections();
    co_await settle(executor);
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", in_tuple);
    BOOST_TEST((ec == error::all_servers_failed), ec.message());
    BOOST_TEST(contains(today.result().detail(), "without a list: a"), today.result().detail());
}

LINKSPAN_CASE_IN(notes_world, read_waits_for_the_restart_of_the_only_server_that_had_the_uri)
{
    hub.emplace(executor).add<inproc>("b", b);
    co_await hub->async_open();
    co_await async_read_resource(*hub, "note://today");
    b.drop_connections();
    co_await settle(executor);
    auto const today = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(today->at(0).text == "from b");
}

LINKSPAN_CASE_IN(notes_world, deadline_ends_a_read)
{
    a.on(request("resources/read")).then(hang());
    co_await open(1);
    call_options options;
    options.timeout = 2s;
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", options, in_tuple);
    BOOST_TEST((ec == error::deadline_exceeded), ec.message());
    BOOST_TEST(trail_of(today.result()) == "a unknown");
    co_await settle(executor);
    BOOST_TEST(a.received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(notes_world, deadline_ends_the_wait_for_a_list)
{
    c.on(request("resources/list")).then(hang());
    hub.emplace(executor).add<inproc>("c", c);
    co_await hub->async_open();
    call_options options;
    options.timeout = 2s;
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", options, in_tuple);
    BOOST_TEST((ec == error::deadline_exceeded), ec.message());
    BOOST_TEST(contains(today.result().detail(), "2000 ms"), today.result().detail());
}

LINKSPAN_CASE_IN(notes_world, hanging_server_leaves_time_for_the_server_with_the_same_uri)
{
    a.on(request("resources/read")).then(hang());
    co_await open();
    call_options options;
    options.timeout = 4s;
    auto const today = co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(today->at(0).text == "from b");
    BOOST_TEST(trail_of(today.result()) == "a unknown, b completed");
}

LINKSPAN_CASE_IN(notes_world, cancellation_during_the_request_notifies_the_server)
{
    a.on(request("resources/read")).then(hang());
    co_await open();
    asio::cancellation_signal signal;
    std::optional<error_code> ended;
    auto done = [&](error_code ec, contents const& from) {
        ended = ec;
        BOOST_TEST(trail_of(from.result()) == "a unknown");
    };
    async_read_resource(*hub, "note://today", asio::bind_cancellation_slot(signal.slot(), std::move(done)));
    co_await settle(executor);
    BOOST_TEST(reads(a) == 1u);
    signal.emit(asio::cancellation_type::total); // a request was sent
    co_await settle(executor);
    BOOST_TEST(!ended);
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(!ended);
    co_await settle(executor);
    BOOST_TEST((ended == error_code(asio::error::operation_aborted)));
    BOOST_TEST(a.received("notifications/cancelled") == 1u);
    BOOST_TEST(reads(b) == 0u);
}

LINKSPAN_CASE_IN(notes_world, cancellation_during_the_look_up_sends_no_request)
{
    c.on(request("resources/list")).then(delay(1s), notes("today"));
    hub.emplace(executor).add<inproc>("c", c);
    co_await hub->async_open();
    asio::cancellation_signal signal;
    std::optional<error_code> ended;
    auto done = [&](error_code ec, contents const&) { ended = ec; };
    async_read_resource(*hub, "note://today", asio::bind_cancellation_slot(signal.slot(), std::move(done)));
    co_await settle(executor);
    signal.emit(asio::cancellation_type::total);
    co_await settle(executor);
    BOOST_TEST((ended == error_code(asio::error::operation_aborted)));
    co_await pass(executor, 2s);
    BOOST_TEST(reads(c) == 0u);
}

LINKSPAN_CASE_IN(notes_world, closing_the_connector_aborts_reads_in_each_phase)
{
    for (bool const lists_in_time : {false, true}) {
        scripted_server server;
        server.dialogue().capabilities = every_entry_capability;
        if (lists_in_time)
            server.on(request("resources/list")).then(notes("today"));
        else
            server.on(request("resources/list")).then(hang());
        server.on(request("resources/read")).then(hang());
        hub.emplace(executor).add<inproc>("s", server);
        co_await hub->async_open();
        std::optional<error_code> ended;
        async_read_resource(*hub, "note://today", [&](error_code ec, contents const&) { ended = ec; });
        co_await settle(executor);
        hub->close();
        co_await settle(executor);
        BOOST_TEST((ended == error_code(asio::error::operation_aborted)));
        auto const [ec, closed] = co_await async_read_resource(*hub, "note://today", in_tuple);
        BOOST_TEST((ec == error::not_connected), ec.message());
    }
}

LINKSPAN_CASE_IN(notes_world, failed_reads_count_for_the_health_of_the_server)
{
    a.on(request("resources/read")).then(rpc_error(-32603, "out of order"));
    co_await open();
    for (int i = 0; i != 10; ++i)
        co_await async_read_resource(*hub, "note://today", in_tuple);
    auto const state = hub->state();
    BOOST_TEST(state.servers.at(0).failures == state.servers.at(0).calls);
    BOOST_TEST(state.servers.at(0).failures != 0u);
}

LINKSPAN_CASE_IN(notes_world, result_that_is_not_valid_is_an_error)
{
    a.on(request("resources/read")).then(result(R"("contents":7)"));
    co_await open(1);
    auto const [ec, today] = co_await async_read_resource(*hub, "note://today", in_tuple);
    BOOST_TEST((ec == error::malformed_message), ec.message());
    BOOST_TEST(!today.has_value());
}

LINKSPAN_CASE_IN(entries_world, prompt_is_found_by_its_own_and_its_qualified_name)
{
    for (auto* const each : {&a, &b}) {
        each->on(request("prompts/list")).then(prompts(R"([{"name":"who","required":true}])"));
        each->on(request("prompts/get")).then(messages(each == &a ? "from a" : "from b"));
    }
    co_await open();
    argument_values const who{{"who", "me \"and\" you"}};
    auto const own = co_await async_get_prompt(*hub, "greet", who);
    BOOST_TEST(text_of(*own) == "from a");
    BOOST_TEST(a.received(R"({"who":"me \"and\" you"})") == 1u);
    auto const qualified = co_await async_get_prompt(*hub, "b__greet", who);
    BOOST_TEST(text_of(*qualified) == "from b");
    BOOST_TEST(b.received(R"("name":"greet")") == 1u);
}

LINKSPAN_CASE_IN(entries_world, prompt_fails_over_to_the_server_with_the_same_prompt)
{
    for (auto* const each : {&a, &b})
        each->on(request("prompts/list")).then(prompts());
    a.on(request("prompts/get")).then(drop_connection());
    b.on(request("prompts/get")).then(messages("from b"));
    co_await open();
    argument_values const none;
    auto const greeting = co_await async_get_prompt(*hub, "greet", none);
    BOOST_TEST(text_of(*greeting) == "from b");
    BOOST_TEST(trail_of(greeting.result()) == "a unknown, b completed");
}

LINKSPAN_CASE_IN(entries_world, different_prompts_with_the_same_name_are_ambiguous)
{
    a.on(request("prompts/list")).then(prompts());
    b.on(request("prompts/list")).then(prompts(R"([{"name":"who"}])"));
    co_await open();
    argument_values const none;
    auto const [ec, greeting] = co_await async_get_prompt(*hub, "greet", none, in_tuple);
    BOOST_TEST((ec == error::ambiguous_prompt), ec.message());
    BOOST_TEST(greeting.result().detail() == "prompt 'greet' is ambiguous; expected one of a__greet, b__greet");
    BOOST_TEST(a.received("prompts/get") == 0u);
}

LINKSPAN_CASE_IN(entries_world, unknown_prompt_is_an_error_with_similar_names)
{
    a.on(request("prompts/list")).then(prompts());
    b.dialogue().capabilities = R"({"tools":{}})";
    co_await open();
    argument_values const none;
    auto const [ec, greeting] = co_await async_get_prompt(*hub, "great", none, in_tuple);
    BOOST_TEST((ec == error::entry_not_found), ec.message());
    BOOST_TEST(greeting.result().detail() == "prompt 'great'; similar names: greet; searched: a");
}

BOOST_AUTO_TEST_SUITE_END()
