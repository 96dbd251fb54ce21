// Requests of a server that continue as tasks of the client (2025-11-25).

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/session/tasks.hpp>

#include <functional>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(client_tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto handshake = protocol_version::v2025_11_25;
constexpr std::string_view all_tasks =
    R"("tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}})";

// A server whose tool "ask" elicits as a task of the client. The tool "hold" is a task of the server that does so too.
struct asking_world : server_world {
    client_task_options terms;
    std::vector<server_request> held;                   // requests of the tools
    std::vector<typed_responder<elicitation>> prompted; // elicitations that a session has received
    std::shared_ptr<line_client> raw;
    int completions = 0;          // of async_ask
    error_code ended;             // and its last error
    std::vector<double> progress; // of the client, about the request
    elicit_action action = elicit_action::cancel;
    completion_box called; // of a call, which may complete when the session is closed

    asking_world() { terms.ttl = 60s; }

    auto recorder()
    {
        return [this](error_code ec, elicit_result const& given) {
            ++completions;
            ended = ec;
            action = given.action;
        };
    }

    static elicit_request question()
    {
        elicit_request out;
        out.message = "Continue?";
        out.requested_schema = R"({"type":"object","properties":{}})";
        return out;
    }

    ask_options options_of_ask()
    {
        ask_options out;
        out.task = terms;
        out.on_progress = [this](progress_update const& update) { progress.push_back(update.progress); };
        return out;
    }

    // Sends progress of the last elicitation.
    asio::awaitable<void> report(std::string value)
    {
        auto const request = received("elicitation/create").back();
        auto const meta = json_scan::member(json_scan::member(request, "params"), "_meta");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
                  std::string(json_scan::member(meta, "progressToken")) + R"(,"progress":)" + value + "}}");
        co_await settle(executor);
    }

    void make_tools(protocol_version version = handshake)
    {
        auto& own = make(version);
        own.add(any_tool("ask"), [this](server_request request) {
            request.async_ask<elicitation>(question(), options_of_ask(), recorder());
            held.push_back(std::move(request));
        });
        auto hold = any_tool("hold");
        hold.tasks = task_support::required;
        own.add(hold, [this](server_request request) {
            request.become_task();
            request.async_ask<elicitation>(question(), options_of_ask(), recorder());
            held.push_back(std::move(request));
        });
    }

    // Makes a session that hosts tasks.
    session& make_hosting(std::size_t max_tasks = 2)
    {
        session_options with;
        with.max_hosted_tasks = max_tasks;
        auto& out = client.emplace(executor, via<inproc>(recorded_inproc_to(*served)), with);
        out.set_handler<elicitation>([this](elicit_request const&, typed_responder<elicitation> reply) {
            prompted.push_back(std::move(reply));
        });
        return out;
    }

    // Opens a client that sends texts, and calls the tool "ask".
    asio::awaitable<void> call_raw(std::string_view capabilities = all_tasks)
    {
        completions = 0;
        ended = {};
        held.clear();
        raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        co_await raw->ask_in_session("initialize",
                                     R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{})" +
                                         std::string(capabilities.empty() ? "" : ",") + std::string(capabilities) +
                                         R"(},"clientInfo":{"name":"c","version":"1"}})");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
    }

    // Returns the requests of the server with a method.
    std::vector<std::string> received(std::string_view method) const
    {
        std::vector<std::string> out;
        for (auto const& each : raw->messages)
            if (contains(each, R"("method":")" + std::string(method) + '"'))
                out.push_back(each);
        return out;
    }

    // Sends a response to the last request of the server with a method. `members`: a result or an error.
    asio::awaitable<void> respond(std::string_view method, std::string members)
    {
        auto const requests = received(method);
        BOOST_TEST_REQUIRE(!requests.empty(), method);
        raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(json_scan::member(requests.back(), "id")) + "," + members +
                  "}");
        co_await settle(executor);
    }

    static std::string task(std::string_view status)
    {
        return R"({"taskId":"t","status":")" + std::string(status) +
               R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000,)" +
               R"("pollInterval":5000})";
    }

    // Responds to the elicitation with the task "t".
    asio::awaitable<void> create(std::string_view status = "working")
    {
        co_await respond("elicitation/create", R"("result":{"task":)" + task(status) + "}");
    }

    void clean_up()
    {
        held.clear();
        prompted.clear();
        if (raw)
            raw->close();
        raw.reset();
        server_world::clean_up();
    }
};

// Stages of a request that continues as a task of the client.
enum class stage { creation, pause, poll, result };

// Reasons for which a request is over before its task is created.
enum class late { request_cancelled, request_expired, session_expired };

} // namespace

LINKSPAN_CASE_IN(asking_world, elicitation_continues_as_a_task_of_a_session_that_hosts_tasks)
{
    options.input_timeout = 10s; // of the response with the task, and of each poll
    make_tools();
    auto& calls = make_hosting();
    co_await calls.async_open();
    calls.async_call_tool("ask", called.handler());
    co_await pass(executor, 20s);
    BOOST_TEST_REQUIRE(prompted.size() == 1u);
    BOOST_TEST(completions == 0);
    prompted[0](elicit_result{elicit_action::accept, {}});
    co_await pass(executor, 1001ms); // the polling interval of a session
    BOOST_TEST(completions == 1);
    BOOST_TEST(!ended, ended.message());
    BOOST_TEST((action == elicit_action::accept));
    held.at(0).complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST(called.result.text() == "done");
}

LINKSPAN_CASE_IN(asking_world, elicitation_of_a_task_of_the_server_continues_as_a_task_of_the_client)
{
    make_tools();
    auto& calls = make_hosting();
    co_await calls.async_open();
    tool hold = any_tool("hold");
    hold.tasks = task_support::required;
    auto const started = co_await async_start_task(calls, hold);
    BOOST_TEST_REQUIRE(started.task.has_value());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(prompted.size() == 1u);
    prompted[0](elicit_result{elicit_action::accept, {}});
    co_await pass(executor, 1001ms);
    BOOST_TEST(completions == 1);
    BOOST_TEST((action == elicit_action::accept));
}

LINKSPAN_CASE_IN(asking_world, sampling_of_a_session_continues_as_a_task)
{
    terms.ttl.reset(); // a session keeps the task for 24 hours
    make_tools();
    auto& calls = make_hosting();
    std::vector<typed_responder<sampling>> asked;
    calls.set_handler<sampling>(
        [&](sampling_request const&, typed_responder<sampling> reply) { asked.push_back(std::move(reply)); });
    co_await calls.async_open();
    calls.async_call_tool("ask", called.handler());
    co_await settle(executor);
    auto const session = held.at(0).session();
    sampling_request what;
    what.set_conversation({{"user", {text_content{"hi", {}, {}}}, {}}}, handshake);
    std::string text;
    error_code sampled;
    session.async_ask<sampling>(what, options_of_ask(), [&](error_code ec, sampling_result const& result) {
        sampled = ec;
        text = result.text;
    });
    co_await pass(executor, 1h);
    BOOST_TEST_REQUIRE(asked.size() == 1u);
    sampling_result result;
    result.text = "well";
    asked[0](result);
    co_await pass(executor, 1001ms);
    BOOST_TEST(!sampled, sampled.message());
    BOOST_TEST(text == "well");
}

LINKSPAN_CASE_IN(asking_world, server_polls_the_task_by_the_interval_of_the_client_and_requests_its_result)
{
    make_tools();
    co_await call_raw();
    BOOST_TEST_REQUIRE(received("elicitation/create").size() == 1u);
    BOOST_TEST(contains(received("elicitation/create")[0], R"("task":{"ttl":60000})"),
               received("elicitation/create")[0]);
    co_await create();
    BOOST_TEST(received("tasks/get").empty());
    co_await pass(executor, 4999ms);
    BOOST_TEST(received("tasks/get").empty());
    co_await pass(executor, 2ms);
    BOOST_TEST_REQUIRE(received("tasks/get").size() == 1u);
    BOOST_TEST(contains(received("tasks/get")[0], R"("params":{"taskId":"t"})"), received("tasks/get")[0]);
    co_await respond("tasks/get", R"("result":)" + task("working"));
    co_await pass(executor, 5001ms);
    BOOST_TEST(received("tasks/get").size() == 2u);
    co_await respond("tasks/get", R"("result":)" + task("completed"));
    BOOST_TEST(received("tasks/result").size() == 1u);
    BOOST_TEST(completions == 0);
    co_await respond("tasks/result", R"("result":{"action":"accept"})");
    BOOST_TEST(completions == 1);
    BOOST_TEST(!ended);
    BOOST_TEST((action == elicit_action::accept));
    BOOST_TEST(received("tasks/cancel").empty());
}

LINKSPAN_CASE_IN(asking_world, status_notification_of_the_client_replaces_a_poll)
{
    auto const notify = [this](std::string const& params) {
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + params + "}");
    };
    std::vector<std::string> others; // notifications that belong to no task of a request
    make_tools();
    served->set_notification_handler(
        "notifications/tasks/status",
        [&others](client_info const&, std::string_view params) { others.emplace_back(params); });
    co_await call_raw();
    co_await create();
    notify(R"({"taskId":"other","status":"completed","createdAt":"x","lastUpdatedAt":"x","ttl":null})");
    notify(task("working")); // recommends 5 s again
    co_await pass(executor, 4s);
    BOOST_TEST(received("tasks/get").empty());
    BOOST_TEST(others.size() == 1u);
    notify(task("completed"));
    co_await settle(executor);
    BOOST_TEST(received("tasks/result").size() == 1u);
    notify(task("completed")); // has no effect
    co_await pass(executor, 10s);
    BOOST_TEST(received("tasks/get").empty());
    BOOST_TEST(received("tasks/result").size() == 1u);
    co_await respond("tasks/result", R"("result":{"action":"accept"})");
    BOOST_TEST(completions == 1);
    BOOST_TEST((action == elicit_action::accept));
    notify(task("completed")); // the request is complete
    co_await settle(executor);
    BOOST_TEST(others.size() == 2u);
}

LINKSPAN_CASE_IN(asking_world, request_is_ordinary_without_the_capability_of_its_kind)
{
    constexpr std::string_view sampling_only = R"("tasks":{"requests":{"sampling":{"createMessage":{}}}})";
    make_tools();
    for (auto const capabilities : {std::string_view(), sampling_only}) {
        co_await call_raw(capabilities);
        BOOST_TEST(!contains(received("elicitation/create").at(0), R"("task")"));
        co_await respond("elicitation/create", R"("result":{"action":"accept"})");
        BOOST_TEST(completions == 1);
        BOOST_TEST((action == elicit_action::accept));
        raw->close();
    }
    terms.ttl.reset();
    co_await call_raw(R"("roots":{},)" + std::string(all_tasks));
    BOOST_TEST(contains(received("elicitation/create").at(0), R"("task":{})"));
    held.at(0).async_ask<roots>({}, options_of_ask(), [](error_code, roots_result const&) {});
    co_await settle(executor);
    BOOST_TEST(!contains(received("roots/list").at(0), R"("task")")); // roots are no task
}

LINKSPAN_CASE_IN(asking_world, client_may_respond_with_the_result_instead_of_a_task)
{
    make_tools();
    co_await call_raw();
    co_await respond("elicitation/create", R"("result":{"action":"accept"})");
    BOOST_TEST(completions == 1);
    BOOST_TEST(!ended);
    BOOST_TEST((action == elicit_action::accept));
}

LINKSPAN_CASE_IN(asking_world, failures_of_the_client_complete_the_request)
{
    auto const error = R"("error":{"code":-32602,"message":"no"})";
    make_tools();
    co_await call_raw(); // the client refuses the request
    co_await respond("elicitation/create", error);
    BOOST_TEST((ended == error::input_refused));
    co_await call_raw(); // the task is not valid
    raw->is_recorded = false;
    co_await respond("elicitation/create", R"("result":{"task":{"taskId":"t"}})");
    BOOST_TEST((ended == error::malformed_message));
    co_await call_raw(); // the task has expired
    co_await create();
    co_await pass(executor, 5001ms);
    co_await respond("tasks/get", error);
    BOOST_TEST((ended == error::input_refused));
    for (auto const* const invalid : {R"({"taskId":"t"})", R"({"taskId":"other","status":"completed"})"}) {
        co_await call_raw();
        co_await create();
        co_await pass(executor, 5001ms);
        raw->is_recorded = false;
        co_await respond("tasks/get", std::string(R"("result":)") + invalid);
        BOOST_TEST((ended == error::malformed_message));
    }
    co_await call_raw(); // the client cancels its task
    co_await create();
    co_await pass(executor, 5001ms);
    co_await respond("tasks/get", R"("result":)" + task("cancelled"));
    BOOST_TEST((ended == error::task_cancelled));
    co_await call_raw(); // the task fails
    co_await create("failed");
    co_await respond("tasks/result", error);
    BOOST_TEST((ended == error::input_refused));
    co_await call_raw(); // the result is not valid
    co_await create("completed");
    co_await respond("tasks/result", R"("result":{"action":"maybe"})");
    BOOST_TEST((ended == error::malformed_message));
    BOOST_TEST(completions == 1);
    BOOST_TEST(received("tasks/cancel").empty());
}

LINKSPAN_CASE_IN(asking_world, end_of_the_connection_or_of_the_request_ends_each_stage)
{
    make_tools();
    for (bool const is_lost : {true, false})
        for (auto const at : {stage::creation, stage::pause, stage::poll, stage::result}) {
            co_await call_raw();
            if (at != stage::creation)
                co_await create(at == stage::result ? "input_required" : "working");
            if (at == stage::poll)
                co_await pass(executor, 5001ms);
            BOOST_TEST(received("tasks/get").size() == (at == stage::poll ? 1u : 0u));
            BOOST_TEST(received("tasks/result").size() == (at == stage::result ? 1u : 0u));
            BOOST_TEST(completions == 0);
            if (is_lost)
                raw->close();
            else
                raw->send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                          raw->last_id() + "}}");
            co_await settle(executor);
            BOOST_TEST(completions == 1);
            BOOST_TEST((ended == asio::error::operation_aborted));
            BOOST_TEST(received("tasks/cancel").size() == (is_lost || at == stage::creation ? 0u : 1u));
            co_await pass(executor, 10s);
            BOOST_TEST(completions == 1);
            BOOST_TEST(received("tasks/get").size() == (at == stage::poll ? 1u : 0u));
        }
}

LINKSPAN_CASE_IN(asking_world, end_of_the_connection_ends_a_task_of_the_session)
{
    make_tools();
    for (auto const at : {stage::creation, stage::pause, stage::poll, stage::result}) {
        co_await call_raw();
        auto const session = held.at(0).session();
        held.at(0).complete(tool_output::text("done"));
        co_await settle(executor);
        BOOST_TEST(completions == 1); // the request of the tool ends with it
        session.async_ask<elicitation>(question(), options_of_ask(), recorder());
        co_await settle(executor);
        if (at != stage::creation)
            co_await create(at == stage::result ? "completed" : "working");
        if (at == stage::poll)
            co_await pass(executor, 5001ms);
        BOOST_TEST(completions == 1);
        raw->close();
        co_await settle(executor);
        BOOST_TEST(completions == 2);
        BOOST_TEST((ended == asio::error::operation_aborted));
    }
}

LINKSPAN_CASE_IN(asking_world, task_is_cancelled_after_its_timeout)
{
    terms.timeout = 12s;
    make_tools();
    for (bool const can_cancel : {true, false}) {
        co_await call_raw(can_cancel ? all_tasks
                                     : std::string_view(R"("tasks":{"requests":{"elicitation":{"create":{}}}})"));
        co_await create();
        co_await pass(executor, 5001ms);
        co_await respond("tasks/get", R"("result":)" + task("working"));
        co_await pass(executor, 6s);
        BOOST_TEST(completions == 0);
        co_await pass(executor, 1s);
        BOOST_TEST(completions == 1);
        BOOST_TEST((ended == asio::error::timed_out));
        BOOST_TEST(received("tasks/get").size() == 2u);
        BOOST_TEST(received("notifications/cancelled").size() == 1u); // of the outstanding poll
        BOOST_TEST(received("tasks/cancel").size() == (can_cancel ? 1u : 0u));
        co_await pass(executor, 1min);
        BOOST_TEST(received("tasks/get").size() == 2u);
        raw->close();
    }
}

LINKSPAN_CASE_IN(asking_world, progress_is_reported_until_the_task_ends)
{
    make_tools();
    for (bool const is_of_session : {false, true}) {
        progress.clear();
        co_await call_raw();
        auto const session = held.at(0).session();
        if (is_of_session) {
            session.async_ask<elicitation>(question(), options_of_ask(), recorder());
            co_await settle(executor);
        }
        co_await report("1");
        co_await create();
        co_await report("2");
        co_await pass(executor, 5001ms);
        co_await report("3");
        co_await respond("tasks/get", R"("result":)" + task("completed"));
        co_await report("4");
        co_await respond("tasks/result", R"("result":{"action":"accept"})");
        BOOST_TEST(completions == 1);
        co_await report("5");
        BOOST_TEST(progress == (std::vector<double>{1, 2, 3, 4}), boost::test_tools::per_element());
        raw->close();
        co_await settle(executor);
    }
}

// The request about a task is cancelled, or its time is over, before the client has responded with the task.
LINKSPAN_CASE_IN(asking_world, late_task_of_a_cancelled_request_is_cancelled)
{
    options.input_timeout = 10s;
    make_tools();
    constexpr std::string_view without_cancel = R"("tasks":{"requests":{"elicitation":{"create":{}}}})";
    for (auto const at : {late::request_cancelled, late::request_expired, late::session_expired})
        for (auto const capabilities : {all_tasks, without_cancel}) {
            co_await call_raw(capabilities);
            if (at == late::session_expired) {
                auto const session = held.at(0).session();
                session.async_ask<elicitation>(question(), options_of_ask(), recorder());
                co_await settle(executor);
            }
            if (at == late::request_cancelled)
                held.at(0).complete(tool_output::text("done"));
            co_await pass(executor, at == late::request_cancelled ? 1s : 11s);
            BOOST_TEST(completions == (at == late::session_expired ? 2 : 1));
            BOOST_TEST(received("tasks/cancel").empty());
            co_await create();
            auto const sent = received("tasks/cancel");
            BOOST_TEST_REQUIRE(sent.size() == (capabilities == all_tasks ? 1u : 0u));
            if (!sent.empty())
                BOOST_TEST(contains(sent[0], R"("params":{"taskId":"t"})"), sent[0]);
            co_await create(); // a repeated response is ignored
            BOOST_TEST(received("tasks/cancel").size() == sent.size());
            BOOST_TEST(received("tasks/get").empty());
            raw->close();
            co_await settle(executor);
        }
}

// A client should not respond to cancelled requests, so that the server does not keep all of their ids.
LINKSPAN_CASE_IN(asking_world, late_tasks_of_the_last_100_cancelled_requests_are_cancelled)
{
    options.input_timeout = 10s;
    make_tools();
    co_await call_raw();
    auto const session = held.at(0).session();
    for (int i = 0; i != 100; ++i)
        session.async_ask<elicitation>(question(), options_of_ask(), recorder());
    co_await pass(executor, 11s);
    BOOST_TEST(completions == 101);
    auto const requests = received("elicitation/create");
    BOOST_TEST_REQUIRE(requests.size() == 101u);
    for (auto const at : {std::size_t(0), std::size_t(1), std::size_t(100)}) {
        raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(json_scan::member(requests[at], "id")) +
                  R"(,"result":{"task":)" + task("working") + "}}");
        co_await settle(executor);
        BOOST_TEST(received("tasks/cancel").size() == (at == 100 ? 2u : at));
    }
}

LINKSPAN_CASE_IN(asking_world, late_result_that_is_no_task_is_ignored)
{
    make_tools();
    for (auto const* const result : {R"("result":{"action":"accept"})", R"("result":{"task":{"status":"working"}})",
                                     R"("error":{"code":-32602,"message":"no"})"}) {
        co_await call_raw();
        held.at(0).complete(tool_output::text("done"));
        co_await settle(executor);
        raw->is_recorded = !contains(result, "status"); // a task without an id is invalid
        co_await respond("elicitation/create", result);
        raw->is_recorded = true;
        BOOST_TEST(received("tasks/cancel").empty());
        co_await create(); // the entry of the request was removed by the first response
        BOOST_TEST(received("tasks/cancel").empty());
        BOOST_TEST(completions == 1);
        raw->close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(asking_world, poll_without_a_response_ends_the_wait_after_the_input_timeout)
{
    options.input_timeout = 10s;
    make_tools();
    co_await call_raw();
    co_await create();
    co_await pass(executor, 5001ms);
    co_await pass(executor, 9s);
    co_await respond("tasks/get", R"("result":)" + task("working"));
    co_await pass(executor, 4s); // the timeout of a poll ends with its response
    BOOST_TEST(completions == 0);
    co_await pass(executor, 1001ms);
    BOOST_TEST(received("tasks/get").size() == 2u);
    co_await pass(executor, 9900ms);
    BOOST_TEST(completions == 0);
    co_await pass(executor, 200ms);
    BOOST_TEST(completions == 1);
    BOOST_TEST((ended == asio::error::timed_out), ended.message());
    BOOST_TEST(received("notifications/cancelled").size() == 1u); // of the poll
    BOOST_TEST(received("tasks/cancel").size() == 1u);
    co_await call_raw(); // the result has no timeout of its own
    co_await create("input_required");
    co_await pass(executor, 1h);
    BOOST_TEST(completions == 0);
    co_await respond("tasks/result", R"("result":{"action":"accept"})");
    BOOST_TEST(completions == 1);
    BOOST_TEST(!ended, ended.message());
}

LINKSPAN_CASE_IN(asking_world, cancellation_by_the_client_during_the_request_of_the_result_is_input_refused)
{
    make_tools();
    co_await call_raw();
    co_await create("input_required");
    co_await respond("tasks/result", R"("error":{"code":-32603,"message":"cancelled"})");
    BOOST_TEST(completions == 1);
    BOOST_TEST((ended == error::input_refused), ended.message());
}

LINKSPAN_CASE_IN(asking_world, stateless_clients_receive_an_ordinary_request_for_input)
{
    make_tools(protocol_version::v2026_07_28);
    auto& calls = make_hosting();
    co_await calls.async_open();
    calls.async_call_tool("ask", called.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(prompted.size() == 1u);
    prompted[0](elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    BOOST_TEST(completions == 1);
    BOOST_TEST((action == elicit_action::accept));
}

// Over HTTP, the requests about a task of the client are sent on the stream of the request that asks, or, for a task of
// the server, on that of `tasks/result`.
LINKSPAN_CASE_IN(endpoint_world, input_is_requested_by_tasks_over_http)
{
    auto ask = any_tool("ask");
    ask.tasks = task_support::optional;
    make_endpoint(handshake).add(ask, [](server_request request) -> asio::awaitable<void> {
        auto const question = asking_world::question();
        ask_options with;
        with.task.emplace();
        auto const answer = co_await request.async_ask<elicitation>(question, with, in_tuple);
        request.complete(tool_output::text(std::get<0>(answer) ? "failed" : "asked"));
    });
    session_options hosting;
    hosting.max_hosted_tasks = 2;
    auto& calls = client.emplace(executor, via<recorded_client<streamable_http>>(config), hosting);
    std::vector<typed_responder<elicitation>> prompted;
    calls.set_handler<elicitation>(
        [&](elicit_request const&, typed_responder<elicitation> reply) { prompted.push_back(std::move(reply)); });
    co_await calls.async_open();
    for (bool const is_task : {false, true}) {
        completion_box called;
        if (is_task) {
            auto const started = co_await async_start_task(calls, ask);
            BOOST_TEST_REQUIRE(started.task.has_value());
            async_wait_task(calls, *started.task, called.handler());
        } else {
            calls.async_call_tool("ask", called.handler());
        }
        co_await pass(executor, 5s);
        BOOST_TEST_REQUIRE(prompted.size() == (is_task ? 2u : 1u));
        BOOST_TEST(called.count == 0u);
        prompted.back()(elicit_result{elicit_action::accept, {}});
        co_await pass(executor, 1500ms);
        BOOST_TEST(called.count == 1u);
        BOOST_TEST(called.result.text() == "asked");
    }
}

LINKSPAN_CASE_IN(asking_world, tasks_of_the_client_are_listed_with_all_pages)
{
    make_tools();
    co_await call_raw();
    auto const session = held.at(0).session();
    int lists = 0;
    error_code listed;
    task_list tasks;
    auto const list = [&]() -> asio::awaitable<void> {
        session.async_list_tasks(5s, [&](error_code ec, task_list received) {
            ++lists;
            listed = ec;
            tasks = std::move(received);
        });
        co_await settle(executor);
    };
    auto const page = [](std::string const& entries, std::string const& cursor) {
        return R"("result":{"tasks":[)" + entries + "]" + (cursor.empty() ? "" : R"(,"nextCursor":")" + cursor + '"') +
               "}";
    };
    auto const cursor_of_last = [this] {
        auto const request = received("tasks/list").back();
        return std::string(json_scan::member(json_scan::member(request, "params"), "cursor"));
    };
    co_await list();
    BOOST_TEST(cursor_of_last() == "");
    co_await respond("tasks/list", page(task("working"), "2"));
    BOOST_TEST(cursor_of_last() == R"("2")");
    BOOST_TEST(lists == 0);
    raw->is_recorded = false;
    co_await respond("tasks/list", page(R"({"status":"working"},)" + task("completed"), ""));
    BOOST_TEST(lists == 1);
    BOOST_TEST(!listed, listed.message());
    BOOST_TEST_REQUIRE(tasks.entries.size() == 2u);
    BOOST_TEST((tasks.entries[0].status == task_status::working));
    BOOST_TEST((tasks.entries[1].status == task_status::completed));
    BOOST_TEST(tasks.dropped == 1u);
    BOOST_TEST(tasks.pages == 2u);

    co_await list();
    co_await respond("tasks/list", page(task("working"), "2"));
    co_await respond("tasks/list", page(task("working"), "2"));
    BOOST_TEST((listed == error::repeated_cursor), listed.message());
    BOOST_TEST(tasks.entries.empty());
    co_await list();
    co_await respond("tasks/list", R"("result":{"tasks":{}})");
    BOOST_TEST((listed == error::malformed_message), listed.message());
    co_await list();
    co_await respond("tasks/list", R"("error":{"code":-32601,"message":"none"})");
    BOOST_TEST((listed == error::input_refused), listed.message());
    co_await list();
    co_await pass(executor, 5s);
    co_await settle(executor);
    BOOST_TEST((listed == asio::error::timed_out), listed.message());
    co_await list();
    raw->close();
    co_await settle(executor);
    BOOST_TEST((listed == asio::error::operation_aborted), listed.message());
    co_await list();
    BOOST_TEST((listed == asio::error::not_connected), listed.message());
    BOOST_TEST(lists == 7);
}

LINKSPAN_CASE_IN(asking_world, tasks_of_a_client_that_does_not_list_them_are_not_requested)
{
    make_tools();
    for (auto const capabilities : {std::string_view(), std::string_view(R"("tasks":{"cancel":{}})")}) {
        co_await call_raw(capabilities);
        error_code listed;
        held.at(0).session().async_list_tasks(5s, [&](error_code ec, task_list const&) { listed = ec; });
        co_await settle(executor);
        BOOST_TEST((listed == error::unsupported_input_request), listed.message());
        BOOST_TEST(received("tasks/list").empty());
        raw->close();
        co_await settle(executor);
    }
}

BOOST_AUTO_TEST_SUITE_END()
