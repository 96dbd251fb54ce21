// Tasks of servers that misbehave, poll intervals, and the messages about tasks.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <stdexcept>

#include "support/contains.hpp"
#include "support/session_case.hpp"
#include "support/task_members.hpp"

BOOST_AUTO_TEST_SUITE(session_task_faults_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto handshake = protocol_version::v2025_11_25;
constexpr auto stateless = protocol_version::v2026_07_28;
constexpr auto offers_tasks = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}},)"
                              R"("extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr std::string_view declaration = R"("extensions":{"io.modelcontextprotocol/tasks":{}})";

// The response to a call that became a task in 2026-07-28.
std::string created(std::string_view more = R"(,"pollIntervalMs":1000)")
{
    return R"("resultType":"task",)" + task_members("t", "working", more);
}

// A session with a scripted server that offers tasks.
struct scripted_world : world {
    std::optional<scripted_server> own;
    std::optional<session> client;
    session_options options;
    tool work;
    task known;           // the task "t" in the status `working`, with a pause of 1 s
    completion_box ended; // of the wait

    scripted_world()
    {
        work.name = "work";
        work.tasks = task_support::optional;
        known.id = "t";
        known.poll_interval = 1s;
    }

    scripted_server& make(protocol_version version, std::string capabilities = offers_tasks)
    {
        client.reset();
        own.emplace(std::vector{version});
        own->dialogue().capabilities = std::move(capabilities);
        return *own;
    }

    session& connect() { return client.emplace(executor, via<inproc>(*own), options); }

    // Returns the last message with a method.
    std::string last(std::string_view method) const
    {
        std::string out;
        for (auto const& message : own->received())
            if (message.find(R"("method":")" + std::string(method) + '"') != message.npos)
                out = message;
        return out;
    }

    void clean_up()
    {
        client.reset();
        own.reset();
    }
};

} // namespace

LINKSPAN_CASE_IN(scripted_world, calls_request_tasks_only_if_server_and_tool_support_them)
{
    auto const no_tasks = R"({"tools":{},"tasks":{"list":{},"requests":{}}})";
    struct gate {
        protocol_version version;
        std::string capabilities;
        task_support of_tool;
        bool is_open;
    };
    std::vector<gate> const gates{{handshake, offers_tasks, task_support::optional, true},
                                  {handshake, offers_tasks, task_support::required, true},
                                  {handshake, offers_tasks, task_support::forbidden, false},
                                  {handshake, no_tasks, task_support::optional, false},
                                  {handshake, no_tasks, task_support::required, false},
                                  {handshake, R"({"tasks":{"requests":{"tools":{}}}})", task_support::optional, false},
                                  {protocol_version::v2025_06_18, offers_tasks, task_support::optional, false},
                                  {protocol_version::v2024_11_05, offers_tasks, task_support::optional, false}};
    for (auto const& each : gates) {
        make(each.version, each.capabilities).on(call("work")).then(text("done"));
        auto& calls = connect();
        co_await calls.async_open();
        work.tasks = each.of_tool;
        task_request with;
        with.ttl = 60s;
        auto const started = co_await async_start_task(calls, work, {}, with);
        BOOST_TEST(!started.task.has_value());
        BOOST_TEST(started.result.text() == "done");
        BOOST_TEST(contains(last("tools/call"), R"("task":{"ttl":60000})") == each.is_open, last("tools/call"));
        BOOST_TEST(!contains(last("tools/call"), declaration));
    }
}

LINKSPAN_CASE_IN(scripted_world, calls_declare_the_extension_only_if_the_server_offers_it)
{
    for (bool const is_offered : {true, false}) {
        for (auto const of_tool : {task_support::forbidden, task_support::required}) {
            make(stateless, is_offered ? offers_tasks : R"({"tools":{},"extensions":{}})")
                .on(call("work"))
                .then(text("done"));
            auto& calls = connect();
            co_await calls.async_open();
            work.tasks = of_tool; // a member of 2025-11-25
            co_await async_start_task(calls, work);
            BOOST_TEST(contains(last("tools/call"), declaration) == is_offered, last("tools/call"));
            BOOST_TEST(!contains(last("tools/call"), R"("task":)"), last("tools/call"));
            BOOST_TEST(!contains(last("server/discover"), declaration));
        }
    }
}

LINKSPAN_CASE_IN(scripted_world, a_task_in_the_response_to_an_ordinary_call_is_malformed)
{
    for (bool const is_offered : {true, false}) {
        make(stateless, is_offered ? offers_tasks : R"({"tools":{}})").on(call("work")).then(result(created()));
        auto& calls = connect();
        co_await calls.async_open();
        auto const [ec, ordinary] = co_await calls.async_call_tool("work", in_tuple);
        BOOST_TEST((ec == error::malformed_message));
        auto const [start_ec, started] = co_await async_start_task(calls, work, {}, in_tuple);
        BOOST_TEST((start_ec == (is_offered ? error_code() : error::malformed_message)));
        BOOST_TEST(started.task.has_value() == is_offered);
    }
}

LINKSPAN_CASE_IN(scripted_world, an_invalid_task_in_the_response_to_a_call_is_malformed)
{
    for (auto const invalid : {R"("status":"working")", R"("taskId":"","status":"working")", R"("taskId":"t")",
                               R"("taskId":"t","status":"paused")", R"("taskId":7,"status":"working")"}) {
        for (auto const version : {handshake, stateless}) {
            auto const in_task = R"("task":{)" + std::string(invalid) + "}";
            make(version)
                .on(call("work"))
                .then(result(version == stateless ? R"("resultType":"task",)" + std::string(invalid) : in_task));
            auto& calls = connect();
            co_await calls.async_open();
            auto const [ec, started] = co_await async_start_task(calls, work, {}, in_tuple);
            BOOST_TEST((ec == error::malformed_message), invalid);
            BOOST_TEST(!started.task.has_value());
            BOOST_TEST(contains(started.result.detail(), "the task is not valid: "), started.result.detail());
            BOOST_TEST_REQUIRE(started.result.attempts().size() == 1u);
            BOOST_TEST((started.result.attempts()[0].result.certainty == certainty::unknown));
        }
    }
}

LINKSPAN_CASE_IN(scripted_world, invalid_arguments_of_a_task_are_not_sent)
{
    make(stateless);
    auto& calls = connect();
    co_await calls.async_open();
    auto const [ec, started] = co_await async_start_task(calls, work, raw_json("[1]"), in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST(started.result.attempts().empty());
    BOOST_TEST(last("tools/call") == "");
}

LINKSPAN_CASE_IN(scripted_world, the_start_of_a_task_is_cancelled_as_a_call)
{
    make(stateless).on(call("work")).then(hang());
    auto& calls = connect();
    co_await calls.async_open();
    asio::cancellation_signal cancel;
    error_code ended_ec;
    async_start_task(calls, work, {},
                     asio::bind_cancellation_slot(cancel.slot(), [&](error_code ec, started_call) { ended_ec = ec; }));
    co_await settle(executor);
    cancel.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST((ended_ec == asio::error::operation_aborted));
    BOOST_TEST(own->received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(scripted_world, the_last_response_determines_the_next_poll)
{
    make(stateless)
        .on(request("tasks/get"))
        .once(result(task_members("t", "working", R"(,"pollIntervalMs":5000)")))
        .once(result(R"("resultType":"task",)" +
                     task_members("t", "working", R"(,"pollIntervalMs":0)"))) // both types are valid
        .once(result(task_members("t", "working")))
        .once(result(task_members("t", "working", R"(,"pollIntervalMs":999999999999999)")))
        .then(result(task_members("t", "completed", R"(,"result":{"content":[]})")));
    auto& calls = connect();
    co_await calls.async_open();
    async_wait_task(calls, known, ended.handler());
    std::size_t polls = 0;
    co_await pass(executor, 1ms);
    for (auto const pause : {1'000ms, 5'000ms, 100ms, 1'000ms, 3'600'000ms}) {
        co_await pass(executor, pause - 2ms); // to 1 ms before the poll
        BOOST_TEST(own->received("tasks/get") == polls);
        co_await pass(executor, 2ms); // to 1 ms after the poll
        BOOST_TEST(own->received("tasks/get") == ++polls);
    }
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(!ended.ec);
    BOOST_TEST(contains(last("tasks/get"), declaration), last("tasks/get"));
}

LINKSPAN_CASE_IN(scripted_world, invalid_responses_to_a_poll_fail_the_wait)
{
    std::vector<std::pair<std::string, std::string>> const cases{
        {R"("taskId":"other","status":"working")", "the response describes task 'other' instead of 't'"},
        {R"("status":"working")", "the task is not valid: {"},
        {R"("taskId":"t","status":"asleep")", "the task is not valid: {"},
        {task_members("t", "completed"), "the completed task has no valid result"},
        {task_members("t", "completed", R"(,"result":{"resultType":"input_required"})"),
         "the completed task has no valid result"},
        {task_members("t", "failed"), "the failed task has no valid error"},
        {task_members("t", "input_required", R"(,"inputRequests":[])"),
         "the input requests of the task are not valid"}};
    for (auto const& [response, detail] : cases) {
        make(stateless).on(request("tasks/get")).then(result(response));
        auto& calls = connect();
        co_await calls.async_open();
        auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
        BOOST_TEST((ec == error::malformed_message));
        BOOST_TEST(result.detail().starts_with(detail), result.detail());
        BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    }
    make(stateless).on(request("tasks/get")).then(result(task_members("t", "working")));
    auto& calls = connect();
    co_await calls.async_open();
    auto const [ec, other] = co_await async_get_task(calls, "other", in_tuple);
    BOOST_TEST((ec == error::malformed_message));
    BOOST_TEST(contains(other.result().detail(), "the response describes another task"), other.result().detail());
}

LINKSPAN_CASE_IN(scripted_world, input_requested_without_end_fails_the_wait)
{
    options.max_input_rounds = 3;
    auto& rule = make(stateless).on(request("tasks/get"));
    for (int i = 0; i != 5; ++i)
        rule.once(result(task_members(
            "t", "input_required", R"(,"inputRequests":{"k)" + std::to_string(i) + R"(":{"method":"roots/list"}})")));
    own->on(request("tasks/update")).then(result(""));
    auto& calls = connect();
    int asked = 0;
    calls.on_request("roots/list", [&](std::string_view, responder reply) {
        ++asked;
        reply(raw_json(R"({"roots":[]})"));
    });
    co_await calls.async_open();
    auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
    BOOST_TEST((ec == error::too_many_input_rounds));
    BOOST_TEST(asked == 3);
    BOOST_TEST(own->received("tasks/update") == 3u);
    BOOST_TEST(contains(last("tasks/update"), R"("taskId":"t","inputResponses":{"k2":{"roots":[]}})"));
}

LINKSPAN_CASE_IN(scripted_world, input_without_handler_fails_the_wait_before_any_handler_runs)
{
    make(stateless)
        .on(request("tasks/get"))
        .then(result(task_members("t", "input_required",
                                  R"(,"inputRequests":{"a":{"method":"roots/list"},"b":{"method":"own/secret"}})")));
    auto& calls = connect();
    int asked = 0;
    calls.on_request("roots/list", [&](std::string_view, responder) { ++asked; });
    co_await calls.async_open();
    auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
    BOOST_TEST((ec == error::unsupported_input_request));
    BOOST_TEST(result.detail() == "own/secret");
    BOOST_TEST(asked == 0);
}

LINKSPAN_CASE_IN(scripted_world, late_responses_of_handlers_are_ignored_after_the_end_of_the_wait)
{
    make(stateless)
        .on(request("tasks/get"))
        .once(result(task_members("t", "input_required", R"(,"inputRequests":{"a":{"method":"roots/list"}})")))
        .then(result(task_members("t", "completed", R"(,"result":{"content":[]})")));
    auto& calls = connect();
    std::vector<responder> kept;
    calls.on_request("roots/list", [&](std::string_view, responder reply) { kept.push_back(std::move(reply)); });
    co_await calls.async_open();
    async_wait_task(calls, known, ended.handler());
    co_await pass(executor, 1500ms);
    BOOST_TEST_REQUIRE(kept.size() == 1u);
    BOOST_TEST(kept[0].is_awaited());
    co_await pass(executor, 1s);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(!kept[0].is_awaited());
    kept[0](raw_json(R"({"roots":[]})"));
    kept.clear();
    BOOST_TEST(own->received("tasks/update") == 0u);
}

LINKSPAN_CASE_IN(scripted_world, a_refused_update_fails_the_wait)
{
    make(stateless)
        .on(request("tasks/get"))
        .then(result(task_members("t", "input_required", R"(,"inputRequests":{"a":{"method":"roots/list"}})")));
    own->on(request("tasks/update")).then(rpc_error(-32602, "too late"));
    auto& calls = connect();
    calls.on_request("roots/list", [](std::string_view, responder reply) { reply(raw_json(R"({"roots":[]})")); });
    co_await calls.async_open();
    auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
    BOOST_TEST((ec == error_code(-32602, rpc_category())));
    BOOST_TEST(result.detail() == "too late");
}

LINKSPAN_CASE_IN(scripted_world, a_task_that_never_ends_times_out)
{
    make(stateless).on(request("tasks/get")).then(result(task_members("t", "working", R"(,"pollIntervalMs":4000)")));
    auto& calls = connect();
    co_await calls.async_open();
    call_options brief;
    brief.timeout = 1min;
    auto const begun = since_start(time);
    auto const [ec, result] = co_await async_wait_task(calls, known, brief, in_tuple);
    BOOST_TEST((ec == error::deadline_exceeded));
    BOOST_TEST((since_start(time) - begun == 1min));
    BOOST_TEST(own->received("tasks/get") == 15u);
}

LINKSPAN_CASE_IN(scripted_world, a_poll_without_response_times_out)
{
    make(stateless).on(request("tasks/get")).then(hang());
    auto& calls = connect();
    co_await calls.async_open();
    auto begun = since_start(time);
    auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
    BOOST_TEST((ec == error::attempt_timed_out));
    BOOST_TEST((since_start(time) - begun == 31s)); // the pause and the default `idle_timeout`
    call_options brief;
    brief.timeout = 5s;
    begun = since_start(time);
    auto const [wait_ec, other] = co_await async_wait_task(calls, known, brief, in_tuple);
    BOOST_TEST((wait_ec == error::deadline_exceeded));
    BOOST_TEST((since_start(time) - begun == 5s));
}

LINKSPAN_CASE_IN(scripted_world, cancellation_and_destruction_at_each_request_end_the_wait)
{
    auto const required = task_members("t", "input_required", R"(,"inputRequests":{"a":{"method":"roots/list"}})");
    for (bool const is_destroyed : {false, true})
        for (std::string const method : {"tasks/get", "tasks/update", "tasks/result"}) {
            auto& rule = make(method == "tasks/result" ? handshake : stateless).on(request("tasks/get"));
            if (method == "tasks/get")
                rule.then(hang());
            else
                rule.then(result(required));
            if (method != "tasks/get")
                own->on(request(method)).then(hang());
            auto& calls = connect();
            calls.on_request("roots/list",
                             [](std::string_view, responder reply) { reply(raw_json(R"({"roots":[]})")); });
            co_await calls.async_open();
            asio::cancellation_signal cancel;
            completion_box stopped;
            async_wait_task(calls, known, asio::bind_cancellation_slot(cancel.slot(), stopped.handler()));
            co_await pass(executor, 1500ms);
            BOOST_TEST(own->received('"' + method + '"') == 1u);
            BOOST_TEST(calls.in_flight() == 1u);
            if (is_destroyed)
                client.reset();
            else
                cancel.emit(asio::cancellation_type::terminal);
            BOOST_TEST(stopped.count == 0u);
            co_await pass(executor, 1h);
            BOOST_TEST(stopped.count == 1u);
            BOOST_TEST((stopped.ec == asio::error::operation_aborted));
            BOOST_TEST(own->received("tasks/cancel") == 0u);
            BOOST_TEST(own->received("tasks/get") == 1u);
            if (client)
                BOOST_TEST(client->in_flight() == 0u);
        }
}

LINKSPAN_CASE_IN(scripted_world, the_loss_of_the_connection_ends_the_wait)
{
    for (auto const version : {handshake, stateless}) {
        for (bool const is_polling : {false, true}) {
            make(version).on(request("tasks/get")).then(hang());
            auto& calls = connect();
            co_await calls.async_open();
            completion_box lost;
            async_wait_task(calls, known, lost.handler());
            if (is_polling)
                co_await pass(executor, 1500ms);
            own->drop_connections();
            co_await settle(executor);
            BOOST_TEST(lost.count == 1u);
            BOOST_TEST((lost.ec == error::stream_ended), lost.ec.message());
        }
    }
}

LINKSPAN_CASE_IN(scripted_world, a_wait_ends_with_the_closing_of_its_session)
{
    make(stateless).on(request("tasks/get")).then(result(task_members("t", "working")));
    auto& calls = connect();
    co_await calls.async_open();
    async_wait_task(calls, known, ended.handler());
    co_await pass(executor, 1500ms);
    calls.close();
    BOOST_TEST(ended.count == 0u);
    co_await calls.async_open();
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST((ended.ec == asio::error::operation_aborted));
    auto const polls = own->received("tasks/get");
    co_await pass(executor, 1min);
    BOOST_TEST(own->received("tasks/get") == polls);
}

LINKSPAN_CASE_IN(scripted_world, the_result_of_the_handshake_era_has_no_default_timeout_while_input_is_required)
{
    for (auto const status : {"input_required", "completed"}) {
        make(handshake).on(request("tasks/get")).then(result(task_members("t", status)));
        own->on(request("tasks/result")).then(delay(1h), text("late"));
        auto& calls = connect();
        co_await calls.async_open();
        auto const [ec, result] = co_await async_wait_task(calls, known, in_tuple);
        bool const is_final = std::string_view(status) == "completed";
        BOOST_TEST((ec == (is_final ? error::attempt_timed_out : error_code())));
        BOOST_TEST(result.text() == (is_final ? "" : "late"));
        BOOST_TEST(contains(last("tasks/result"), R"("params":{"taskId":"t")"), last("tasks/result"));
    }
}

LINKSPAN_CASE_IN(scripted_world, the_metadata_of_the_caller_is_in_each_request_of_the_wait)
{
    make(stateless)
        .on(request("tasks/get"))
        .then(result(task_members("t", "completed", R"(,"result":{"content":[]})")));
    own->on(request("tasks/cancel")).then(result(""));
    auto& calls = connect();
    co_await calls.async_open();
    call_options with;
    with.meta = R"({"traceparent":"00-1"})";
    co_await async_wait_task(calls, known, with);
    BOOST_TEST(contains(last("tasks/get"), R"("traceparent":"00-1")"), last("tasks/get"));
    co_await async_cancel_task(calls, "a \"quoted\" id");
    BOOST_TEST(contains(last("tasks/cancel"), R"("taskId":"a \"quoted\" id")"), last("tasks/cancel"));
    BOOST_TEST(contains(last("tasks/cancel"), declaration), last("tasks/cancel"));
}

LINKSPAN_CASE_IN(scripted_world, responses_and_progress_of_the_handshake_era_name_the_task_of_the_request)
{
    constexpr auto related = R"("io.modelcontextprotocol/related-task":{"taskId":"t"})";
    make(handshake).on(request("tasks/get")).then(result(task_members("t", "input_required")));
    own->on(request("tasks/result"))
        .then(send_request("roots/list", R"({"_meta":{"progressToken":1,)" + std::string(related) + "}}"),
              send_request("roots/list", "{}"), text("done"));
    auto& calls = connect();
    calls.on_request("roots/list", [](std::string_view, responder reply) {
        reply.report_progress({.progress = 1, .total = {}, .message = {}});
        reply(raw_json(R"({"roots":[],"_meta":{"own":1}})"));
    });
    co_await calls.async_open();
    BOOST_TEST((co_await async_wait_task(calls, known)).text() == "done");
    BOOST_TEST(own->received(R"("result":{"roots":[],"_meta":{"own":1,)" + std::string(related) + "}}") == 1u);
    BOOST_TEST(own->received(R"("result":{"roots":[],"_meta":{"own":1}})") == 1u);
    BOOST_TEST(own->received(R"("progress":1,"_meta":{)" + std::string(related) + "}") == 1u);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_handler_is_thrown_and_fails_the_wait)
{
    scripted_world here;
    here.make(stateless)
        .on(request("tasks/get"))
        .then(result(task_members("t", "input_required", R"(,"inputRequests":{"a":{"method":"roots/list"}})")));
    auto& calls = here.connect();
    calls.on_request("roots/list", [](std::string_view, responder) { throw std::runtime_error("no roots"); });
    calls.async_open([](error_code) {});
    here.time.run_for(duration::zero());
    async_wait_task(calls, here.known, here.ended.handler());
    BOOST_CHECK_THROW(here.time.run_for(2s), std::runtime_error);
    here.time.run_for(1s);
    BOOST_TEST(here.ended.count == 1u);
    BOOST_TEST((here.ended.ec == error::input_refused));
    here.clean_up();
    here.time.run_for(duration::zero());
    BOOST_TEST(here.time.pending() == 0u);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_context_drops_the_wait)
{
    auto const dropped = std::make_shared<int>();
    for (auto const after : {0s, 1s, 3s}) {
        scripted_world here;
        here.make(stateless).on(request("tasks/get")).once(result(task_members("t", "working"))).then(hang());
        auto& calls = here.connect();
        calls.async_open([](error_code) {});
        here.time.run_for(duration::zero());
        async_wait_task(calls, here.known, [dropped](error_code, call_result const&) { BOOST_ERROR("not invoked"); });
        if (after != 0s)
            here.time.run_for(after);
        BOOST_TEST(dropped.use_count() == 2);
    }
    BOOST_TEST(dropped.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
