// Calls of a session that become tasks, and the wait for their outcomes, with a server of this library.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <stdexcept>

#include "support/contains.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(session_tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto stateless = protocol_version::v2026_07_28;

// A server whose tool "hold" becomes a task that the test completes, and a session with the server.
struct held_world : server_world {
    std::vector<server_request> held; // requests of the tool "hold"
    std::string declared;             // capabilities of the client in the last call of "plain"
    tool hold = any_tool("hold");
    tool plain = any_tool("plain");
    completion_box ended;                              // of the wait
    std::optional<typed_responder<elicitation>> later; // of an elicitation that the test accepts

    session& make_session(protocol_version version)
    {
        held.clear();
        hold.tasks = task_support::optional;
        auto& own = make(version);
        own.add(hold, [this](server_request request) {
            request.become_task({.poll_interval = 2s});
            held.push_back(std::move(request));
        });
        own.add(plain, [this](server_request request) {
            declared = request.client().capabilities;
            request.complete(tool_output::text("plain"));
        });
        return connect();
    }

    // Opens the session, and starts a call of "hold", which becomes a task.
    asio::awaitable<task> open_and_start(session& calls)
    {
        co_await calls.async_open();
        auto const started = co_await async_start_task(calls, hold);
        BOOST_TEST_REQUIRE(started.task.has_value());
        co_return *started.task;
    }

    void accept_later()
    {
        (*later)(elicit_result{elicit_action::accept, {}});
        later.reset();
    }

    void clean_up()
    {
        later.reset();
        held.clear();
        server_world::clean_up();
    }
};

// Asks the end user through the client; counts the accepted responses.
void ask(server_request& request, int& accepted)
{
    elicit_request asked;
    asked.message = "Continue?";
    request.async_ask<elicitation>(asked, [&](error_code ec, elicit_result const& given) {
        accepted += !ec && given.action == elicit_action::accept;
    });
}

} // namespace

LINKSPAN_CASE_IN(held_world, call_with_allow_task_returns_the_task_that_continues)
{
    call_options permitted;
    permitted.allow_task = true;
    boost::json::object const input{{"a", 1}};
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("hold", input, permitted);
        auto const running = result.task();
        BOOST_TEST_REQUIRE(running.has_value());
        BOOST_TEST((running->status == task_status::working));
        BOOST_TEST(held.at(0).arguments() == R"({"a":1})");
        async_wait_task(calls, *running, ended.handler());
        held.at(0).complete(tool_output::text("late"));
        auto const before = ended.count;
        co_await pass(executor, 3s);
        BOOST_TEST(ended.count == before + 1);
        BOOST_TEST(!ended.ec, ended.ec.message());
        BOOST_TEST(ended.result.text() == "late");
        BOOST_TEST(!ended.result.task().has_value());
    }
    auto const direct = co_await client->async_call_tool("plain", arguments(), permitted); // of 2026-07-28
    BOOST_TEST(direct.text() == "plain");
    BOOST_TEST(!direct.task().has_value());
    BOOST_TEST(contains(declared, std::string(tasks_extension)), declared);
    co_await client->async_call_tool("plain");
    BOOST_TEST(!contains(declared, std::string(tasks_extension)), declared);
}

LINKSPAN_CASE_IN(held_world, async_start_task_with_allow_task_requests_one_task)
{
    auto& calls = make_session(protocol_version::v2025_11_25);
    co_await calls.async_open();
    task_request with;
    with.call.allow_task = true;
    auto const started = co_await async_start_task(calls, hold, arguments(), with);
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.result.task()->id == started.task->id);
    BOOST_TEST(held.at(0).params().find(R"("task")") == held.at(0).params().rfind(R"("task")"), held.at(0).params());
}

LINKSPAN_CASE_IN(held_world, a_call_becomes_a_task_and_the_wait_has_its_result)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        co_await calls.async_open();
        task_request with;
        with.ttl = 60s;
        boost::json::object const arguments{{"a", 1}};
        auto const started = co_await async_start_task(calls, hold, arguments, with);
        BOOST_TEST_REQUIRE(started.task.has_value());
        BOOST_TEST((started.task->status == task_status::working));
        BOOST_TEST((started.task->poll_interval == (version == stateless ? 2000ms : 1000ms)));
        BOOST_TEST((started.task->ttl == 60'000ms) == (version != stateless)); // a server chooses in 2026-07-28
        BOOST_TEST(held.at(0).arguments() == R"({"a":1})");
        async_wait_task(calls, *started.task, ended.handler());
        co_await pass(executor, 5s);
        BOOST_TEST(calls.in_flight() == 0u);
        held.at(0).complete(tool_output::text("late"));
        auto const before = ended.count;
        co_await pass(executor, 3s);
        BOOST_TEST(ended.count == before + 1);
        BOOST_TEST(!ended.ec);
        BOOST_TEST(ended.result.text() == "late");
        BOOST_TEST(ended.result.attempts().empty());
        auto const found = co_await async_get_task(calls, started.task->id);
        BOOST_TEST((found->status == task_status::completed));
        auto const again = co_await async_wait_task(calls, *found); // a final task
        BOOST_TEST(again.text() == "late");
    }
}

LINKSPAN_CASE_IN(held_world, a_tool_may_respond_with_the_result)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        co_await calls.async_open();
        auto const started = co_await async_start_task(calls, plain);
        BOOST_TEST(!started.task.has_value());
        BOOST_TEST(started.result.text() == "plain");
    }
}

LINKSPAN_CASE_IN(held_world, only_calls_that_may_become_tasks_declare_the_extension)
{
    make_session(stateless);
    session_options with;
    with.extensions = R"({"com.example/charts":{}})";
    auto& calls = client.emplace(executor, via<inproc>(recorded_inproc_to(*served)), with);
    co_await calls.async_open();
    co_await async_start_task(calls, plain);
    BOOST_TEST(contains(declared, R"({"com.example/charts":{},"io.modelcontextprotocol/tasks":{}})"), declared);
    co_await calls.async_call_tool("plain");
    BOOST_TEST(declared == R"({"extensions":{"com.example/charts":{}}})");
    completion_box ordinary;
    calls.async_call_tool("hold", ordinary.handler());
    co_await settle(executor);
    BOOST_TEST(ordinary.count == 0u); // no task
    held.at(0).complete(tool_output::text("direct"));
    co_await settle(executor);
    BOOST_TEST(ordinary.result.text() == "direct");
}

LINKSPAN_CASE_IN(held_world, a_failed_call_fails_its_wait_with_the_error_of_the_server)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        auto const started = co_await open_and_start(calls);
        held.at(0).fail(-32000, "no memory");
        auto const [ec, result] = co_await async_wait_task(calls, started, in_tuple);
        BOOST_TEST((ec == error_code(-32000, rpc_category())));
        BOOST_TEST((ec == condition::error_response));
        BOOST_TEST(result.detail() == "no memory");
        BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST((result.attempts()[0].result.certainty == certainty::completed));
    }
}

LINKSPAN_CASE_IN(held_world, a_failure_of_the_tool_is_a_result)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        auto const started = co_await open_and_start(calls);
        held.at(0).complete(tool_output::failure("no"));
        auto const result = co_await async_wait_task(calls, started);
        BOOST_TEST(result.is_error());
        BOOST_TEST(result.text() == "no");
    }
}

LINKSPAN_CASE_IN(held_world, a_cancelled_task_fails_its_wait)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        auto const started = co_await open_and_start(calls);
        int cancelled = 0;
        held.at(0).on_cancelled([&] { ++cancelled; });
        async_wait_task(calls, started, ended.handler());
        co_await async_cancel_task(calls, started.id);
        BOOST_TEST(cancelled == 1);
        co_await pass(executor, 3s);
        BOOST_TEST((ended.ec == error::task_cancelled));
        BOOST_TEST((ended.ec == condition::error_response));
        auto const [ec, result] = co_await async_cancel_task(calls, started.id, in_tuple);
        BOOST_TEST(ec.value() == (version == stateless ? 0 : -32602)); // the status is final
    }
}

LINKSPAN_CASE_IN(held_world, required_input_reaches_the_handler_once_and_the_task_continues)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        int asked = 0, accepted = 0;
        calls.set_handler<elicitation>([&](elicit_request const&, typed_responder<elicitation> reply) {
            if (++asked == 1)
                return reply(elicit_result{elicit_action::accept, {}});
            later.emplace(std::move(reply));
        });
        auto const started = co_await open_and_start(calls);
        async_wait_task(calls, started, ended.handler());
        ask(held.at(0), accepted);
        ask(held.at(0), accepted);
        co_await pass(executor, 10s); // several polls
        BOOST_TEST(asked == 2);
        BOOST_TEST(accepted == 1);
        accept_later();
        co_await settle(executor);
        BOOST_TEST(accepted == 2);
        held.at(0).complete(tool_output::text("after input"));
        co_await pass(executor, 3s);
        BOOST_TEST(ended.result.text() == "after input");
    }
    BOOST_TEST(ended.count == 2u);
}

LINKSPAN_CASE_IN(held_world, input_may_take_longer_than_the_timeouts_of_requests)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        int accepted = 0;
        calls.set_handler<elicitation>(
            [&](elicit_request const&, typed_responder<elicitation> reply) { later.emplace(std::move(reply)); });
        auto const started = co_await open_and_start(calls);
        async_wait_task(calls, started, ended.handler());
        ask(held.at(0), accepted);
        co_await pass(executor, 9min);
        BOOST_TEST(ended.count == (version == stateless ? 1u : 0u));
        accept_later();
        co_await settle(executor);
        BOOST_TEST(accepted == 1);
        held.at(0).complete(tool_output::text("after input"));
        co_await pass(executor, 3s);
        BOOST_TEST(ended.result.text() == "after input");
    }
}

LINKSPAN_CASE_IN(held_world, refused_input_is_declined_or_fails_the_wait)
{
    auto& calls = make_session(stateless);
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation> reply) {
        reply.refuse(-1, "busy"); // sent as the action "decline"
    });
    calls.set_handler<roots>(
        [](roots_request const&, typed_responder<roots> reply) { reply.refuse(-32603, "no roots"); });
    auto const started = co_await open_and_start(calls);
    async_wait_task(calls, started, ended.handler());
    elicit_action answer = elicit_action::cancel;
    elicit_request asked;
    asked.message = "Continue?";
    held.at(0).async_ask<elicitation>(asked, [&](error_code, elicit_result const& given) { answer = given.action; });
    co_await pass(executor, 3s);
    BOOST_TEST((answer == elicit_action::decline));
    held.at(0).async_ask<roots>({}, [](error_code, auto const&) {});
    co_await pass(executor, 3s);
    BOOST_TEST((ended.ec == error::input_refused));
    BOOST_TEST(ended.result.detail() == "roots/list: no roots");
}

LINKSPAN_CASE_IN(held_world, cancellation_of_the_wait_leaves_the_task_running)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        auto const started = co_await open_and_start(calls);
        int cancelled = 0;
        held.at(0).on_cancelled([&] { ++cancelled; });
        for (auto const after : {0s, 1s, 3s}) { // before the first step, in the first pause, in the second pause
            asio::cancellation_signal cancel;
            completion_box stopped;
            async_wait_task(calls, started, asio::bind_cancellation_slot(cancel.slot(), stopped.handler()));
            if (after != 0s)
                co_await pass(executor, after);
            cancel.emit(asio::cancellation_type::total); // not supported
            cancel.emit(asio::cancellation_type::partial);
            BOOST_TEST(stopped.count == 0u); // never inside `emit`
            co_await settle(executor);
            BOOST_TEST(stopped.count == 1u);
            BOOST_TEST((stopped.ec == asio::error::operation_aborted));
            BOOST_TEST(calls.in_flight() == 0u);
        }
        BOOST_TEST(cancelled == 0);
        held.at(0).complete(tool_output::text("done"));
        BOOST_TEST((co_await async_wait_task(calls, started)).text() == "done");
    }
}

LINKSPAN_CASE_IN(held_world, cancellation_while_input_is_required_leaves_the_task_running)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        int accepted = 0, asked = 0;
        calls.set_handler<elicitation>([&](elicit_request const&, typed_responder<elicitation> reply) {
            ++asked;
            later.emplace(std::move(reply));
        });
        auto const started = co_await open_and_start(calls);
        ask(held.at(0), accepted);
        asio::cancellation_signal cancel;
        completion_box stopped;
        async_wait_task(calls, started, asio::bind_cancellation_slot(cancel.slot(), stopped.handler()));
        co_await pass(executor, 3s);
        BOOST_TEST(asked == 1);
        cancel.emit(asio::cancellation_type::terminal);
        co_await settle(executor);
        BOOST_TEST((stopped.ec == asio::error::operation_aborted));
        BOOST_TEST(!held.at(0).is_over());
        async_wait_task(calls, started, ended.handler());
        co_await pass(executor, 3s);
        accept_later();
        co_await pass(executor, 1s);
        BOOST_TEST(accepted == 1);
        held.at(0).complete(tool_output::text("done"));
        co_await pass(executor, 3s);
        BOOST_TEST(ended.result.text() == "done");
    }
    BOOST_TEST(ended.count == 2u);
}

LINKSPAN_CASE_IN(held_world, the_wait_times_out_and_can_be_repeated)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        auto const started = co_await open_and_start(calls);
        call_options brief;
        brief.timeout = 5s;
        auto const begun = since_start(time);
        auto const [ec, result] = co_await async_wait_task(calls, started, brief, in_tuple);
        BOOST_TEST((ec == error::deadline_exceeded));
        BOOST_TEST((since_start(time) - begun == 5s));
        BOOST_TEST(result.detail() == "the status of the task is working");
        held.at(0).complete(tool_output::text("done"));
        BOOST_TEST((co_await async_wait_task(calls, started)).text() == "done");
    }
}

LINKSPAN_CASE_IN(held_world, the_session_may_be_destroyed_during_the_wait)
{
    for (auto const version : newest_of_both_eras)
        for (auto const after : {0s, 1s, 3s}) {
            auto& calls = make_session(version);
            auto const started = co_await open_and_start(calls);
            completion_box stopped;
            async_wait_task(calls, started, stopped.handler());
            if (after != 0s)
                co_await pass(executor, after);
            client.reset();
            BOOST_TEST(stopped.count == 0u);
            co_await settle(executor);
            BOOST_TEST(stopped.count == 1u);
            BOOST_TEST((stopped.ec == asio::error::operation_aborted), stopped.ec.message());
        }
}

LINKSPAN_CASE_IN(held_world, expired_and_unknown_tasks_are_refused)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = make_session(version);
        co_await calls.async_open();
        auto const [ec, found] = co_await async_get_task(calls, "missing", in_tuple);
        BOOST_TEST(ec.value() == -32602);
        BOOST_TEST(!found.has_value());
        task unknown;
        unknown.id = "missing";
        auto const [wait_ec, result] = co_await async_wait_task(calls, unknown, in_tuple);
        BOOST_TEST((wait_ec == error_code(-32602, rpc_category())));
        BOOST_TEST(contains(result.detail(), "Unknown task"), result.detail());
    }
}

LINKSPAN_CASE_IN(held_world, operations_of_a_closed_session_fail)
{
    auto& calls = make_session(stateless);
    task known;
    known.id = "t";
    auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
    BOOST_TEST((ec == error::not_connected));
    auto const [start_ec, started] = co_await async_start_task(calls, hold, {}, in_tuple);
    BOOST_TEST((start_ec == error::not_connected));
    BOOST_TEST(started.result.attempts().size() == 1u);
    std::string thrown;
    try {
        co_await async_start_task(calls, hold);
    } catch (call_error const& failure) {
        thrown = failure.what();
    }
    BOOST_TEST(contains(thrown, "hold"), thrown);
    try {
        co_await async_start_task(calls, hold, {}, asio::use_awaitable);
    } catch (call_error const& failure) {
        BOOST_TEST(failure.what() == thrown);
    }
}

LINKSPAN_CASE_IN(held_world, tasks_are_listed_in_2025_11_25_only)
{
    for (auto const version : newest_of_both_eras) {
        make_session(version);
        if (version == stateless) // no schema of this version has the request tasks/list
            client.emplace(executor, via<inproc>(inproc_to(*served)));
        auto& calls = *client;
        co_await calls.async_open();
        auto const first = co_await async_start_task(calls, hold);
        auto const second = co_await async_start_task(calls, hold);
        auto const [ec, list] = co_await async_list_tasks(calls, in_tuple);
        BOOST_TEST(ec.value() == (version == stateless ? -32601 : 0));
        BOOST_TEST(list.entries.size() == (version == stateless ? 0u : 2u));
    }
}

BOOST_AUTO_TEST_SUITE_END()
