// Calls of a connector that become tasks.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/connector/interceptor.hpp>
#include <linkspan/connector/tasks.hpp>
#include <linkspan/describe.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/connector_case.hpp"
#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto handshake_tasks = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
constexpr auto stateless_tasks = R"({"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr auto created = R"("task":{"taskId":"t1","status":"working","createdAt":"2025-11-25T10:00:00Z",)"
                         R"("lastUpdatedAt":"2025-11-25T10:00:00Z","ttl":60000})";
constexpr auto created_stateless = R"("resultType":"task","taskId":"t2","status":"working",)"
                                   R"("createdAt":"2026-07-28T10:00:00Z","lastUpdatedAt":"2026-07-28T10:00:00Z",)"
                                   R"("ttlMs":60000)";

// Returns the options of a call that may become a task.
call_options permitted_task()
{
    call_options out;
    out.allow_task = true;
    return out;
}

// Returns a list with the tool "work", whose calls may become tasks. "members": JSON members to add to the tool.
action work_list(std::string_view members = {})
{
    return result(R"("tools":[{"name":"work","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"})" +
                  std::string(members) + "}]");
}

struct work {
    using result_type = int;
    static constexpr std::string_view tool = "work";
    int n = 1;
};
LINKSPAN_STRUCT(work, n)

// Servers with the tool "work": "a" with 2025-11-25, and "b" with 2026-07-28. open(1), the default, adds "a" only.
struct task_world : hub_world {
    task_world()
    {
        a.dialogue().protocol_versions = {protocol_version::v2025_11_25};
        a.dialogue().capabilities = handshake_tasks;
        b.dialogue().protocol_versions = {protocol_version::v2026_07_28};
        b.dialogue().capabilities = stateless_tasks;
        for (auto* const each : {&a, &b})
            each->on(request("tools/list")).then(work_list());
    }

    asio::awaitable<void> open(std::size_t servers = 1)
    {
        hub.emplace(executor);
        auto options = with(9);
        options.tools["work"].replay = replay_class::read_only;
        hub->add<inproc>("a", a, options);
        options.priority = 8;
        if (servers == 2)
            hub->add<inproc>("b", b, options);
        co_await hub->async_open();
    }

    // Returns the last `tools/call` that a server received.
    static std::string last_call(scripted_server const& of)
    {
        std::string out;
        for (auto const& line : of.received())
            if (contains(line, "\"tools/call\""))
                out = line;
        return out;
    }
};

} // namespace

LINKSPAN_CASE_IN(task_world, result_of_task_is_awaited_at_the_server_that_created_it)
{
    co_await open();
    a.on(call("work")).then(result(created));
    a.on(request("tasks/get"))
        .then(result(R"("taskId":"t1","status":"completed","createdAt":"2025-11-25T10:00:00Z",)"
                     R"("lastUpdatedAt":"2025-11-25T10:00:01Z","ttl":60000)"));
    a.on(request("tasks/result")).then(text("done"));
    task_request options;
    options.ttl = 5s;
    boost::json::object const input{{"n", 1}};
    auto const started = co_await async_start_task(*hub, "work", input, options);
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.task->id == "t1");
    BOOST_TEST(started.result.server() == "a");
    BOOST_TEST(contains(last_call(a), R"("task":{"ttl":5000})"), last_call(a));
    BOOST_TEST(contains(last_call(a), R"("arguments":{"n":1})"), last_call(a));
    auto const session = find_session(*hub, started.result.server());
    auto const outcome = co_await async_wait_task(session.value(), *started.task);
    BOOST_TEST(outcome.text() == "done");
}

LINKSPAN_CASE_IN(task_world, async_call_with_allow_task_returns_the_task_in_both_eras)
{
    a.on(call("work")).then(result(created));
    b.on(call("work")).then(result(created_stateless));
    co_await open(2);
    boost::json::object const input{{"n", 1}};
    auto const options = permitted_task();
    auto const of_a = co_await hub->on_server("a").async_call("work", input, options);
    BOOST_TEST_REQUIRE(of_a.task().has_value());
    BOOST_TEST(of_a.task()->id == "t1");
    BOOST_TEST(of_a.server() == "a");
    BOOST_TEST(contains(last_call(a), R"("task":{})"), last_call(a));
    BOOST_TEST(contains(last_call(a), R"("arguments":{"n":1})"), last_call(a));
    auto const of_b = co_await hub->on_server("b").async_call("work", input, options);
    BOOST_TEST_REQUIRE(of_b.task().has_value());
    BOOST_TEST(of_b.task()->id == "t2");
    BOOST_TEST(!contains(last_call(b), R"("task":{})"), last_call(b));
    BOOST_TEST(contains(last_call(b), R"("extensions":{"io.modelcontextprotocol/tasks":{}})"), last_call(b));
    b.on(request("tasks/get"))
        .then(result(R"("taskId":"t2","status":"completed","createdAt":"2026-07-28T10:00:00Z",)"
                     R"("lastUpdatedAt":"2026-07-28T10:00:01Z","ttlMs":60000,)"
                     R"("result":{"content":[{"type":"text","text":"done"}]})"));
    auto const session = find_session(*hub, of_b.server());
    auto const outcome = co_await async_wait_task(session.value(), of_b.task().value());
    BOOST_TEST(outcome.text() == "done");
    BOOST_TEST(!outcome.task().has_value());
}

LINKSPAN_CASE_IN(task_world, async_call_with_allow_task_has_the_result_if_the_server_responds_with_it)
{
    a.on(call("work")).then(result(R"("content":[{"type":"text","text":"done"}],"structuredContent":{"task":1})"));
    b.on(call("work")).then(text("done"));
    co_await open(2);
    auto const options = permitted_task();
    for (auto const* const name : {"a", "b"}) {
        auto const direct = co_await hub->on_server(name).async_call("work", arguments(), options);
        BOOST_TEST(direct.text() == "done");
        BOOST_TEST(!direct.task().has_value());
    }
}

LINKSPAN_CASE_IN(task_world, async_call_with_allow_task_fails_over_and_rejects_an_invalid_task)
{
    a.on(call("work")).then(drop_connection());
    b.on(call("work")).once(result(created_stateless)).then(result(R"("resultType":"task","status":"working")"));
    co_await open(2);
    auto const options = permitted_task();
    auto const moved = co_await hub->async_call("work", arguments(), options);
    BOOST_TEST_REQUIRE(moved.task().has_value());
    BOOST_TEST(moved.task()->id == "t2");
    BOOST_TEST(trail_of(moved) == "a unknown, b completed");
    auto const [ec, none] = co_await hub->on_server("b").async_call("work", arguments(), options, in_tuple);
    BOOST_TEST((ec == error::malformed_message), ec.message());
    BOOST_TEST(contains(none.detail(), "the task is not valid"), none.detail());
}

LINKSPAN_CASE_IN(task_world, interceptors_receive_the_task_of_async_call_with_allow_task)
{
    a.on(call("work")).then(result(created));
    std::vector<std::string> seen;
    interceptor const reading = [&seen](tool_request request, next_call next) -> asio::awaitable<call_result> {
        auto out = co_await next(std::move(request));
        seen.push_back(out.task() ? out.task()->id : "no task");
        co_return out;
    };
    server_options options;
    options.interceptors.push_back(reading);
    hub.emplace(executor).add<inproc>("a", a, options);
    hub->add_interceptor(reading);
    co_await hub->async_open();
    auto const permitted = permitted_task();
    auto const started = co_await hub->async_call("work", arguments(), permitted);
    BOOST_TEST(seen == (std::vector<std::string>{"t1", "t1"}), boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(started.task().has_value());
    BOOST_TEST(started.task()->id == "t1");
    BOOST_TEST(a.received(R"("task":{})") == 1u);
}

LINKSPAN_CASE_IN(task_world, typed_call_with_allow_task_fails_if_the_server_responds_with_a_task)
{
    a.on(call("work")).once(result(created)).then(result(R"("content":[{"type":"text","text":"5"}])"));
    co_await open();
    auto const options = permitted_task();
    work const input;
    auto const [ec, none] = co_await hub->async_call(input, options, in_tuple);
    BOOST_TEST((ec == error::unexpected_result), ec.message());
    auto const [ok, value] = co_await hub->async_call(input, options, in_tuple);
    BOOST_TEST(!ok, ok.message());
    BOOST_TEST(*value == 5);
}

LINKSPAN_CASE_IN(task_world, async_call_with_allow_task_is_cancelled)
{
    a.on(call("work")).then(hang());
    co_await open();
    asio::cancellation_signal cancel;
    error_code ended;
    hub->async_call("work", arguments(), permitted_task(),
                    asio::bind_cancellation_slot(cancel.slot(), [&](error_code ec, call_result) { ended = ec; }));
    co_await settle(executor);
    cancel.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST((ended == asio::error::operation_aborted), ended.message());
    BOOST_TEST(a.received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(task_world, only_async_start_task_declares_the_tasks_extension_to_a_stateless_server)
{
    b.on(call("work")).once(result(created_stateless)).then(text("done"));
    hub.emplace(executor).add<inproc>("b", b);
    co_await hub->async_open();
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.task->id == "t2");
    BOOST_TEST(contains(last_call(b), R"("extensions":{"io.modelcontextprotocol/tasks":{}})"), last_call(b));
    co_await hub->async_call("work");
    BOOST_TEST(!contains(last_call(b), "io.modelcontextprotocol/tasks"), last_call(b));
}

LINKSPAN_CASE_IN(task_world, each_attempt_requests_the_task_as_the_protocol_version_of_its_server_requires)
{
    a.on(call("work")).then(drop_connection());
    b.on(call("work")).then(result(created_stateless));
    co_await open(2);
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.task->id == "t2");
    BOOST_TEST(started.result.server() == "b");
    BOOST_TEST(trail_of(started.result) == "a unknown, b completed");
    BOOST_TEST(contains(last_call(a), R"("task":{})"), last_call(a));
    BOOST_TEST(!contains(last_call(b), R"("task":{})"), last_call(b));
}

LINKSPAN_CASE_IN(task_world, call_is_an_ordinary_call_if_the_server_or_the_tool_does_not_support_tasks)
{
    a.dialogue().capabilities = R"({"tools":{}})";
    a.on(call("work")).then(text("done"));
    co_await open();
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST(!started.task.has_value());
    BOOST_TEST(started.result.text() == "done");
    BOOST_TEST(!contains(last_call(a), "\"task\""), last_call(a));
    c.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    c.dialogue().capabilities = handshake_tasks;
    c.on(request("tools/list")).then(result(R"("tools":[{"name":"plain","inputSchema":{"type":"object"}}])"));
    c.on(call("plain")).then(text("plain"));
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    auto const plain = co_await async_start_task(*hub, "plain");
    BOOST_TEST(!plain.task.has_value());
    BOOST_TEST(!contains(last_call(c), "\"task\""), last_call(c));
}

LINKSPAN_CASE_IN(task_world, invalid_task_and_unknown_tool_fail)
{
    a.on(call("work")).then(result(R"("task":{"status":"working"})"));
    co_await open();
    auto const [ec, started] = co_await async_start_task(*hub, "work", arguments(), in_tuple);
    BOOST_TEST((ec == error::malformed_message));
    BOOST_TEST(contains(started.result.detail(), "the task is not valid"), started.result.detail());
    auto const [unknown, none] = co_await async_start_task(*hub, "play", arguments(), in_tuple);
    BOOST_TEST((unknown == error::tool_not_found));
    BOOST_TEST(!none.task.has_value());
}

LINKSPAN_CASE_IN(task_world, task_is_not_validated_against_the_output_schema)
{
    c.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    c.dialogue().capabilities = handshake_tasks;
    c.on(request("tools/list"))
        .then(work_list(R"(,"outputSchema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}})"));
    c.on(call("work")).once(result(created)).then(result(R"("content":[],"structuredContent":{"n":"x"})"));
    server_options options;
    options.validate_results = true;
    hub.emplace(executor).add<inproc>("c", c, options);
    co_await hub->async_open();
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST(started.task.has_value());
    auto const [ec, direct] = co_await async_start_task(*hub, "work", arguments(), in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST(!direct.task.has_value());
}

LINKSPAN_CASE_IN(task_world, interceptors_of_the_connector_and_of_the_server_receive_the_call)
{
    a.on(call("work")).then(result(created));
    int seen = 0;
    interceptor const counting = [&seen](tool_request request, next_call next) -> asio::awaitable<call_result> {
        ++seen;
        co_return co_await next(std::move(request));
    };
    server_options options;
    options.interceptors.push_back(counting);
    hub.emplace(executor).add<inproc>("a", a, options);
    hub->add_interceptor(counting);
    co_await hub->async_open();
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST(seen == 2);
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.task->id == "t1");
    BOOST_TEST(contains(last_call(a), R"("task":{})"), last_call(a));
}

LINKSPAN_CASE_IN(task_world, task_of_concurrent_calls_of_an_interceptor_is_read_as_its_server_returned_it)
{
    a.on(call("work")).then(result(created));
    b.on(call("work")).then(result(created_stateless));
    co_await open(2);
    // Both calls are started before the first one is complete.
    hub->add_interceptor([this](tool_request request, next_call next) -> asio::awaitable<call_result> {
        call_result last;
        std::size_t done = 0;
        for (int i = 0; i != 2; ++i) {
            auto other = request;
            other.arguments = R"({"n":)" + std::to_string(i) + "}";
            asio::co_spawn(executor, next(std::move(other)), [&](std::exception_ptr, call_result value) {
                ++done;
                last = std::move(value);
            });
        }
        while (done != 2)
            co_await settle(executor);
        co_return last;
    });
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST_REQUIRE(started.task.has_value());
    BOOST_TEST(started.task->id == (started.result.server() == "a" ? "t1" : "t2"));
    BOOST_TEST(a.received(R"("arguments":{"n":0})") + b.received(R"("arguments":{"n":0})") == 1u);
    BOOST_TEST(a.received(R"("arguments":{"n":1})") + b.received(R"("arguments":{"n":1})") == 1u);
}

LINKSPAN_CASE_IN(task_world, interceptor_that_returns_a_result_starts_no_task)
{
    server_options options;
    options.interceptors.push_back([](tool_request, next_call) -> asio::awaitable<call_result> {
        std::string const stored = R"({"content":[{"type":"text","text":"stored"}],"task":{"taskId":"x"}})";
        co_return call_result(linkspan::detail::shared_text(stored), {});
    });
    hub.emplace(executor).add<inproc>("a", a, options);
    co_await hub->async_open();
    auto const started = co_await async_start_task(*hub, "work");
    BOOST_TEST(!started.task.has_value());
    BOOST_TEST(started.result.text() == "stored");
}

LINKSPAN_CASE_IN(task_world, async_start_task_is_aborted_if_cancelled_or_if_the_connector_is_destroyed)
{
    a.on(call("work")).then(hang());
    co_await open();
    asio::cancellation_signal cancel;
    error_code ended, destroyed;
    async_start_task(*hub, "work", arguments(),
                     asio::bind_cancellation_slot(cancel.slot(), [&](error_code ec, started_call) { ended = ec; }));
    co_await settle(executor);
    cancel.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST((ended == asio::error::operation_aborted));
    async_start_task(*hub, "work", arguments(), [&](error_code ec, started_call) { destroyed = ec; });
    co_await settle(executor);
    hub.reset();
    co_await settle(executor);
    BOOST_TEST((destroyed == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
