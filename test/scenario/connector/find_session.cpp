// Requests of a connector to one of its servers.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/session/logging.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/session/tasks.hpp>

#include "support/connector_case.hpp"
#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(find_session_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct notes_world : hub_world {
    notes_world()
    {
        a.on(request("resources/read")).then(result(R"("contents":[{"uri":"note://today","text":"sunny"}])"));
        a.on(request("resources/list")).then(result(R"("resources":[{"uri":"note://today","name":"today"}])"));
        a.on(request("prompts/get")).then(rpc_error(-32602, "no prompt for hunter2-planted"));
        a.on(request("prompts/list")).then(rpc_error(-32603, "no list for hunter2-planted"));
    }

    // Opens a connector with one server, whose configuration contains the secret, and returns the session.
    asio::awaitable<session_ref> open_with_secret(scripted_server& of)
    {
        server_options options;
        options.secrets.add("hunter2-planted");
        hub.emplace(executor).add<inproc>("a", of, options);
        co_await hub->async_open();
        co_return find_session(*hub, "a").value();
    }
};

} // namespace

LINKSPAN_CASE_IN(notes_world, requests_are_sent_to_the_named_server)
{
    make();
    co_await hub->async_open();
    auto const notes = find_session(*hub, "a");
    BOOST_TEST_REQUIRE(notes.has_value());
    BOOST_TEST((notes->state() == session_state::ready));
    auto const text = co_await async_read_resource(*notes, "note://today");
    BOOST_TEST(text->at(0).text == "sunny");
    BOOST_TEST(text.result().server() == "a");
    auto const list = co_await async_list_resources(*notes);
    BOOST_TEST(list.entries.at(0).name == "today");
    boost::json::object const today{{"uri", "note://today"}};
    auto const raw = co_await notes->async_request("resources/read", today);
    BOOST_TEST(contains(raw.raw(), "sunny"));
    BOOST_TEST(raw.server() == "a");
    BOOST_TEST(a.received("\"resources/read\"") == 2u);
    BOOST_TEST(b.received("resources/") == 0u);
    BOOST_TEST(!find_session(*hub, "z").has_value());
}

LINKSPAN_CASE_IN(notes_world, secrets_of_the_servers_are_redacted_in_errors)
{
    auto const notes = co_await open_with_secret(a);
    argument_values const none;
    auto const [ec, prompt] = co_await async_get_prompt(notes, "greet", none, in_tuple);
    BOOST_TEST(ec.value() == -32602);
    BOOST_TEST(contains(prompt.result().detail(), "no prompt for"), prompt.result().detail());
    BOOST_TEST(!contains(explain(ec, prompt.result()), "hunter2"), explain(ec, prompt.result()));
    BOOST_TEST(contains(explain(ec, prompt.result()), "a (request"), explain(ec, prompt.result()));
    auto const [list_ec, list] = co_await async_list_prompts(notes, in_tuple);
    BOOST_TEST(list_ec.value() == -32603);
    BOOST_TEST(contains(list.detail, "no list for"), list.detail);
    BOOST_TEST(!contains(list.detail, "hunter2"), list.detail);
}

// The secret begins before the end of the quoted part of the result, and ends behind it.
LINKSPAN_CASE_IN(notes_world, secrets_in_a_result_that_is_not_valid_are_redacted_before_the_result_is_cut)
{
    for (std::size_t const filling : {0u, 150u, 160u, 170u}) {
        scripted_server leaking;
        leaking.on(request("resources/read"))
            .then(result(R"("contents":[{"text":")" + std::string(filling, 'x') + R"(hunter2-planted"}])"));
        auto const notes = co_await open_with_secret(leaking);
        auto const [ec, contents] = co_await async_read_resource(notes, "note://today", in_tuple);
        BOOST_TEST((ec == error::malformed_message));
        auto const text = explain(ec, contents.result());
        BOOST_TEST(contains(text, "the result is not valid: {"), text);
        BOOST_TEST(!contains(text, "hunter"), text);
        hub.reset();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(notes_world, extensions_of_a_server_that_are_not_an_object_are_rejected)
{
    server_options options;
    options.session.extensions = "[]";
    auto const is_expected = [](std::invalid_argument const& failure) {
        return contains(failure.what(), "the extensions of server 'a' are not a JSON object");
    };
    BOOST_CHECK_EXCEPTION(hub.emplace(executor).add<inproc>("a", a, options), std::invalid_argument, is_expected);
    co_return;
}

LINKSPAN_CASE_IN(notes_world, requests_fail_while_the_server_is_not_open)
{
    make();
    auto const notes = find_session(*hub, "a");
    BOOST_TEST_REQUIRE(notes.has_value());
    auto const [early, none] = co_await async_read_resource(*notes, "note://today", in_tuple);
    BOOST_TEST((early == error::not_connected));
    BOOST_TEST(none.result().attempts().size() == 1u);
    BOOST_TEST((none.result().attempts()[0].result.certainty == certainty::not_sent));
    co_await hub->async_connect("a");
    auto const text = co_await async_read_resource(*notes, "note://today");
    BOOST_TEST(text->at(0).text == "sunny");
    hub.reset();
    auto const [late, nothing] = co_await async_read_resource(*notes, "note://today", in_tuple);
    BOOST_TEST((late == error::not_connected));
}

LINKSPAN_CASE_IN(notes_world, tasks_of_the_named_server_are_awaited)
{
    hub.emplace(executor);
    server_options options;
    options.secrets.add("hunter2-planted");
    hub->add<inproc>("a", a, options);
    a.on(request("tasks/get"))
        .once(result(R"("taskId":"t","status":"completed","result":{"content":[{"type":"text","text":"done"}]})"))
        .then(result(R"("taskId":"t","status":"failed","error":{"code":-32000,"message":"no hunter2-planted"})"));
    co_await hub->async_open();
    auto const notes = find_session(*hub, "a");
    task known;
    known.id = "t";
    auto const done = co_await async_wait_task(*notes, known);
    BOOST_TEST(done.text() == "done");
    BOOST_TEST(done.server() == "a");
    auto const [ec, failed] = co_await async_wait_task(*notes, known, in_tuple);
    BOOST_TEST(ec.value() == -32000);
    BOOST_TEST(failed.detail().starts_with("no "), failed.detail());
    BOOST_TEST(!contains(explain(ec, failed), "hunter2"), explain(ec, failed));
    BOOST_TEST(failed.attempts()[0].server == "a");
}

LINKSPAN_CASE_IN(notes_world, the_restart_of_the_server_ends_the_wait_for_its_task)
{
    make();
    co_await hub->async_open();
    auto const notes = find_session(*hub, "a");
    task known;
    known.id = "t";
    error_code ended;
    async_wait_task(*notes, known, [&](error_code ec, call_result const&) { ended = ec; });
    co_await settle(executor);
    a.drop_connections();
    co_await settle(executor);
    BOOST_TEST((ended == error::stream_ended), ended.message());
}

BOOST_AUTO_TEST_SUITE_END()
