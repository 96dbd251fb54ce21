// Tasks of a server, in both forms.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/task.hpp>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto with_tasks = R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
constexpr auto initialize = R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                            R"("clientInfo":{"name":"c","version":"1"}})";

std::string_view result_of(std::string const& response) { return json_scan::member(response, "result"); }
std::string text_in(std::string_view object, std::string_view key)
{
    return json_scan::string(json_scan::member(object, key)).value_or("");
}

// A server with tools that support tasks, and a client.
struct tasks_world : server_world {
    std::shared_ptr<line_client> raw;
    std::vector<server_request> held; // requests of the tool "hold"

    void make_tools(std::optional<protocol_version> only = {})
    {
        auto& own = make(only);
        auto hold = any_tool("hold");
        hold.tasks = task_support::optional;
        own.add(hold, [this](server_request request) {
            request.become_task();
            held.push_back(std::move(request));
        });
        auto required = any_tool("required");
        required.tasks = task_support::required;
        own.add(required, [](server_request request) {
            request.become_task();
            request.complete(tool_output::text("done"));
        });
        own.add(any_tool("plain"), [](server_request request) { request.complete(tool_output::text("plain")); });
        raw = line_client::open(executor, inproc_to(own));
    }

    asio::awaitable<void> test_settle() { co_await settle(executor); }

    // Calls the tool "hold" of a server of 2026-07-28. Returns the id of the task.
    asio::awaitable<std::string> hold_task()
    {
        auto const created = co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
        co_return text_in(result_of(created), "taskId");
    }

    void clean_up()
    {
        held.clear();
        raw->close();
        raw.reset();
        served.reset();
    }
};

std::string with_id(std::string const& id) { return R"("taskId":")" + id + '"'; }

} // namespace

LINKSPAN_CASE_IN(tasks_world, task_is_found_after_the_response_that_creates_it_and_contains_its_result)
{
    make_tools();
    co_await settle(executor);
    auto const created = co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    auto const id = text_in(result_of(created), "taskId");
    BOOST_TEST(text_in(result_of(created), "resultType") == "task");
    BOOST_TEST(text_in(result_of(created), "status") == "working");
    BOOST_TEST(json_scan::member(result_of(created), "ttlMs") == "3600000");
    auto const working = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(working), "resultType") == "complete");
    BOOST_TEST(text_in(result_of(working), "status") == "working");
    held.at(0).complete(tool_output::text("late"));
    auto const completed = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(completed), "status") == "completed");
    BOOST_TEST(contains(completed, R"("result":{"content":[{"type":"text","text":"late"}]})"), completed);
    BOOST_TEST(served->counters().tasks == 1u);
}

LINKSPAN_CASE_IN(tasks_world, clients_without_the_extension_get_no_task)
{
    make_tools();
    co_await settle(executor);
    auto const refused = co_await raw->ask("tools/call", R"("name":"required")");
    BOOST_TEST(contains(refused, R"("code":-32021)"), refused);
    BOOST_TEST(contains(refused, R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})"));
    co_await raw->ask("tools/call", R"("name":"hold")");
    BOOST_TEST(raw->response(raw->last_id()) == ""); // the request is no task, and has no response yet
    held.at(0).complete(tool_output::text("now"));
    co_await settle(executor);
    BOOST_TEST(contains(raw->response(raw->last_id()), "now"));
    for (std::string const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
        auto const inputs = method == "tasks/update" ? R"(,"inputResponses":{})" : "";
        auto const gated = co_await raw->ask(method, with_id("x") + inputs);
        BOOST_TEST(contains(gated, R"("code":-32021)"), gated);
    }
    auto const unknown = co_await raw->ask("tasks/get", with_id("x"), with_tasks);
    BOOST_TEST(contains(unknown, R"("code":-32602)"), unknown);
    auto const removed = co_await raw->ask("tasks/list", "", with_tasks);
    BOOST_TEST(contains(removed, R"("code":-32601)"), removed);
}

LINKSPAN_CASE_IN(tasks_world, a_cancelled_task_stays_cancelled)
{
    make_tools();
    co_await settle(executor);
    auto const id = co_await hold_task();
    int cancelled = 0;
    held.at(0).on_cancelled([&] { ++cancelled; });
    auto const acknowledged = co_await raw->ask("tasks/cancel", with_id(id), with_tasks);
    BOOST_TEST(!contains(acknowledged, "taskId"), acknowledged);
    BOOST_TEST(cancelled == 1);
    held.at(0).complete(tool_output::text("late"));
    auto const state = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(state), "status") == "cancelled");
    co_await raw->ask("tasks/cancel", with_id(id), with_tasks);
    BOOST_TEST(cancelled == 1);
}

LINKSPAN_CASE_IN(tasks_world, a_task_publishes_its_input_requests_and_continues_with_each_input)
{
    make_tools();
    auto const id = co_await hold_task();
    int received = 0;
    for (int count = 0; count != 2; ++count) {
        elicit_request asked;
        asked.message = "Continue?";
        held.at(0).async_ask<elicitation>(asked, [&](error_code ec, elicit_result const&) { received += !ec; });
    }
    co_await settle(executor);
    auto const waiting = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(waiting), "status") == "input_required");
    BOOST_TEST(contains(waiting, R"("inputRequests":{"input-1":{"method":"elicitation/create")"), waiting);
    std::string const responses = R"({"other":{"action":"accept"},"input-1":{"action":"decline"}})";
    co_await raw->ask("tasks/update", with_id(id) + R"(,"inputResponses":)" + responses, with_tasks);
    BOOST_TEST(received == 1);
    auto const partly = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(!contains(partly, "input-1"), partly);
    BOOST_TEST(contains(partly, "input-2"), partly);
    co_await raw->ask("tasks/update", with_id(id) + R"(,"inputResponses":{"input-2":{"action":"decline"}})",
                      with_tasks);
    BOOST_TEST(received == 2);
    auto const continued = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(continued), "status") == "working");
}

LINKSPAN_CASE_IN(tasks_world, key_that_a_handler_uses_in_two_rounds_is_sent_to_the_client_as_two_keys)
{
    make_tools();
    auto twice = any_tool("twice");
    twice.tasks = task_support::optional;
    served->add(twice, [](server_request request) {
        request.become_task();
        auto const state = std::string(request.state());
        auto const given = std::string(request.input_text("name"));
        if (state.starts_with("second"))
            return request.complete(tool_output::text(state.substr(6) + given));
        elicit_request asked;
        asked.message = "Name?";
        request.require_input({request.to_input<elicitation>("name", asked)}, given.empty() ? "" : "second" + given);
    });
    co_await settle(executor);
    auto const created = co_await raw->ask("tools/call", R"("name":"twice")", with_tasks);
    auto const id = text_in(result_of(created), "taskId");
    std::vector<std::string> keys;
    for (std::string const action : {"decline", "cancel"}) {
        auto const waiting = co_await raw->ask("tasks/get", with_id(id), with_tasks);
        json_scan::reader requests(json_scan::member(result_of(waiting), "inputRequests"));
        auto const request = requests.next();
        BOOST_TEST_REQUIRE(request.has_value(), waiting);
        keys.emplace_back(request->key);
        auto const response = R"(,"inputResponses":{")" + keys.back() + R"(":{"action":")" + action + R"("}})";
        co_await raw->ask("tasks/update", with_id(id) + response, with_tasks);
    }
    BOOST_TEST(keys[0] != keys[1]);
    auto const completed = co_await raw->ask("tasks/get", with_id(id), with_tasks);
    BOOST_TEST(text_in(result_of(completed), "status") == "completed");
    BOOST_TEST(contains(completed, R"({\"action\":\"decline\"}{\"action\":\"cancel\"})"), completed);
}

LINKSPAN_CASE_IN(tasks_world, listeners_are_notified_of_changed_tasks)
{
    make_tools();
    co_await settle(executor);
    auto const id = co_await hold_task();
    co_await raw->ask("subscriptions/listen", R"("notifications":{"taskIds":["other",")" + id + R"("]})", with_tasks);
    BOOST_TEST(contains(raw->messages.back(), R"("notifications":{"taskIds":[")" + id + R"("]})"),
               raw->messages.back());
    held.at(0).fail(-32000, "no memory");
    co_await settle(executor);
    auto const& notified = raw->messages.back();
    BOOST_TEST(contains(notified, R"("method":"notifications/tasks")"), notified);
    BOOST_TEST(contains(notified, R"("status":"failed")"), notified);
    BOOST_TEST(contains(notified, R"("error":{"code":-32000,"message":"no memory"})"), notified);
    BOOST_TEST(contains(notified, "io.modelcontextprotocol/subscriptionId"), notified);
}

LINKSPAN_CASE_IN(tasks_world, final_tasks_expire_after_their_time_to_live_and_not_before)
{
    make_tools();
    co_await settle(executor);
    auto const created = co_await raw->ask("tools/call", R"("name":"required")", with_tasks);
    auto const id = text_in(result_of(created), "taskId");
    co_await pass(executor, 1h);
    BOOST_TEST(contains(co_await raw->ask("tasks/get", with_id(id), with_tasks), "completed"));
    co_await pass(executor, 1s);
    BOOST_TEST(contains(co_await raw->ask("tasks/get", with_id(id), with_tasks), R"("code":-32602)"));
}

LINKSPAN_CASE_IN(tasks_world, tasks_of_2025_11_25_are_requested_by_the_client)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    auto const opened = co_await raw->ask_in_session("initialize", initialize);
    BOOST_TEST(contains(opened, R"("tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})"), opened);
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const listed = co_await raw->ask_in_session("tools/list", "{}");
    BOOST_TEST(contains(listed, R"("execution":{"taskSupport":"optional"})"), listed);
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{"ttl":5000}})");
    auto const task = std::string(json_scan::member(result_of(created), "task"));
    BOOST_TEST(json_scan::member(task, "ttl") == "5000");
    auto const id = R"({"taskId":")" + text_in(task, "taskId") + "\"}";
    auto const waiting = co_await raw->ask_in_session("tasks/result", id);
    BOOST_TEST(waiting == "");
    auto const waiting_id = raw->last_id();
    auto const other_page = co_await raw->ask_in_session("tasks/list", R"({"cursor":"x"})");
    BOOST_TEST(contains(other_page, R"("code":-32602)"), other_page);
    auto const tasks = co_await raw->ask_in_session("tasks/list", "{}");
    BOOST_TEST(contains(tasks, R"("tasks":[{"taskId":)"), tasks);
    held.at(0).complete(tool_output::text("late"));
    co_await settle(executor);
    auto const delivered = raw->response(waiting_id);
    BOOST_TEST(contains(delivered, R"("text":"late")"), delivered);
    BOOST_TEST(contains(delivered, R"("io.modelcontextprotocol/related-task":{"taskId":)"), delivered);
    auto const cancelled = co_await raw->ask_in_session("tasks/cancel", id);
    BOOST_TEST(contains(cancelled, R"("code":-32602)"), cancelled);
    auto const required = co_await raw->ask_in_session("tools/call", R"({"name":"required"})");
    BOOST_TEST(contains(required, R"("code":-32601)"), required);
    auto const forbidden = co_await raw->ask_in_session("tools/call", R"({"name":"plain","task":{}})");
    BOOST_TEST(contains(forbidden, R"("code":-32601)"), forbidden);
}

LINKSPAN_CASE_IN(tasks_world, messages_of_a_task_of_2025_11_25_have_its_id)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", initialize);
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const created =
        co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{},"_meta":{"progressToken":7}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    auto const related = R"("io.modelcontextprotocol/related-task":{"taskId":")" + id + "\"}";
    held.at(0).report_progress(1);
    held.at(0).log(log_level::info, raw_json(R"("half")"));
    held.at(0).complete(raw_json(R"({"content":[],"_meta":{"own":1}})"));
    co_await settle(executor);
    for (auto const* const method : {"notifications/progress", "notifications/message"}) {
        auto const is_of = [&](std::string const& each) { return contains(each, method) && contains(each, related); };
        BOOST_TEST(std::ranges::count_if(raw->messages, is_of) == 1, method);
    }
    auto const delivered = co_await raw->ask_in_session("tasks/result", R"({"taskId":")" + id + "\"}");
    BOOST_TEST(contains(delivered, related), delivered);
    BOOST_TEST(contains(delivered, R"("own":1)"), delivered);
}

LINKSPAN_CASE_IN(tasks_world, task_that_expires_during_its_cancellation_is_in_the_response)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", initialize);
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{"ttl":0}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    std::size_t tasks = 1;
    held.at(0).on_cancelled([&] { tasks = served->counters().tasks; }); // removes expired tasks
    co_await pass(executor, 1ms);
    auto const response = co_await raw->ask_in_session("tasks/cancel", "{" + with_id(id) + "}");
    BOOST_TEST(text_in(result_of(response), "taskId") == id);
    BOOST_TEST(text_in(result_of(response), "status") == "cancelled");
    BOOST_TEST(tasks == 0u);
}

LINKSPAN_CASE_IN(tasks_world, each_status_of_a_task_of_2025_11_25_is_notified_to_its_client)
{
    make_tools(protocol_version::v2025_11_25);
    auto const other = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    for (auto const& each : {raw, other}) {
        co_await each->ask_in_session("initialize", initialize);
        each->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    auto const statuses = [](line_client const& of) {
        std::string out;
        for (auto const& each : of.messages)
            if (contains(each, R"("method":"notifications/tasks/status")"))
                out += text_in(json_scan::member(each, "params"), "status") + ' ';
        return out;
    };
    BOOST_TEST(statuses(*raw) == "");
    elicit_request asked;
    asked.message = "Continue?";
    bool has_input = false;
    held.at(0).async_ask<elicitation>(asked, [&](error_code ec, elicit_result const&) { has_input = !ec; });
    co_await settle(executor);
    BOOST_TEST(statuses(*raw) == "input_required ");
    auto const is_request = [](std::string const& each) { return contains(each, R"("method":"elicitation/create")"); };
    auto const request = std::ranges::find_if(raw->messages, is_request);
    BOOST_TEST_REQUIRE((request != raw->messages.end()));
    raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(json_scan::member(*request, "id")) +
              R"(,"result":{"action":"decline"}})");
    co_await settle(executor);
    BOOST_TEST(has_input);
    BOOST_TEST(statuses(*raw) == "input_required working ");
    auto const& last = raw->messages.back();
    BOOST_TEST(contains(last, R"("params":{"taskId":")" + id + '"'), last);
    BOOST_TEST(contains(last, R"("ttl":3600000)"), last);
    BOOST_TEST(!contains(last, "_meta"), last); // the params have the id of the task already
    held.at(0).complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST(statuses(*raw) == "input_required working completed ");
    BOOST_TEST(!contains(raw->messages.back(), R"("result")"), raw->messages.back());
    BOOST_TEST(statuses(*other) == "");
    other->close();
}

LINKSPAN_CASE_IN(tasks_world, changes_of_a_task_of_2025_11_25_in_one_turn_are_notified_together)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", initialize);
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{"ttl":1000}})");
    held.at(0).async_ask<elicitation>(elicit_request(), [](error_code, elicit_result const&) {});
    held.at(0).fail(-32000, "no");
    co_await pass(executor, 2s);
    held.at(1).complete(tool_output::text("late"));
    co_await settle(executor);
    auto const is_status = [](std::string const& each) { return contains(each, "notifications/tasks/status"); };
    BOOST_TEST(std::ranges::count_if(raw->messages, is_status) == 1); // the other task has expired
    auto const found = std::ranges::find_if(raw->messages, is_status);
    BOOST_TEST_REQUIRE((found != raw->messages.end()));
    BOOST_TEST(contains(*found, id), *found);
    BOOST_TEST(contains(*found, R"("status":"failed")"), *found);
}

LINKSPAN_CASE_IN(tasks_world, the_number_of_tasks_is_limited)
{
    options.max_tasks = 1;
    make_tools();
    co_await settle(executor);
    co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    BOOST_TEST(contains(raw->response(raw->last_id()), R"("resultType":"task")"));
    co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    BOOST_TEST(raw->response(raw->last_id()) == ""); // handled without a task
    held.at(1).complete(tool_output::text("now"));
    co_await settle(executor);
    BOOST_TEST(contains(raw->response(raw->last_id()), R"("resultType":"complete")"));
}

LINKSPAN_CASE_IN(tasks_world, request_of_a_task_to_its_client_counts_for_max_kept_params_until_its_result)
{
    constexpr std::size_t kib = 1'024;
    options.max_kept_params = 1'000 * kib;
    make_tools();
    co_await settle(executor);
    elicit_request form;
    form.message = std::string(600 * kib, 'x');
    auto const seen = std::make_shared<std::vector<error_code>>(); // the last handler outlives the case
    std::vector<std::string> ids;
    for (std::size_t i = 0; i != 3; ++i) {
        auto const id = co_await hold_task();
        ids.push_back(id);
        held.at(i).async_ask<elicitation>(form, [seen](error_code ec, elicit_result const&) { seen->push_back(ec); });
        co_await settle(executor);
        if (i == 1) { // releases the bytes of the first request
            auto const input = with_id(ids[0]) + R"(,"inputResponses":{"input-1":{"action":"decline"}})";
            co_await raw->ask("tasks/update", input, with_tasks);
        }
    }
    auto const refused = co_await raw->ask("tasks/get", with_id(ids[1]), with_tasks);
    BOOST_TEST(contains(refused, R"("error":{"code":-32603,"message":"Too many requests wait for input"})"), refused);
    auto const first = co_await raw->ask("tasks/get", with_id(ids[0]), with_tasks);
    BOOST_TEST(text_in(result_of(first), "status") == "working");
    auto const last = co_await raw->ask("tasks/get", with_id(ids[2]), with_tasks);
    BOOST_TEST(text_in(result_of(last), "status") == "input_required");
    BOOST_TEST(served->counters().refused == 1u);
    BOOST_TEST_REQUIRE(seen->size() == 2u);
    BOOST_TEST((seen->at(0) == asio::error::operation_aborted)); // of the task that failed
    BOOST_TEST(!seen->at(1));
}

LINKSPAN_CASE_IN(tasks_world, a_task_whose_result_exceeds_the_limit_of_bytes_fails)
{
    constexpr std::size_t kib = 1'024;
    options.max_kept_results = 1'000 * kib;
    make_tools();
    co_await settle(executor);
    std::string ids[3];
    for (auto& id : ids)
        id = co_await hold_task();
    std::string const large(600 * kib, 'x');
    held.at(0).complete(tool_output::text(large));
    BOOST_TEST(served->counters().refused == 0u);
    held.at(1).complete(tool_output::text(large));
    BOOST_TEST(served->counters().refused == 1u);
    auto const first = co_await raw->ask("tasks/get", with_id(ids[0]), with_tasks);
    BOOST_TEST(contains(first, large));
    auto const second = co_await raw->ask("tasks/get", with_id(ids[1]), with_tasks);
    BOOST_TEST(text_in(result_of(second), "status") == "failed");
    BOOST_TEST(contains(second, R"("error":{"code":-32603,"message":"The outcome of the task was discarded)"), second);
    BOOST_TEST(served->counters().tasks == 3u);
    co_await pass(executor, 1h + 1ms);
    BOOST_TEST(served->counters().tasks == 1u); // two tasks have expired
    held.at(2).complete(tool_output::text(large));
    BOOST_TEST(served->counters().refused == 1u);
    BOOST_TEST(served->counters().tasks == 0u); // and the third one
}

LINKSPAN_CASE_IN(tasks_world, results_of_the_tasks_of_one_client_have_a_limit_of_bytes)
{
    options.max_kept_results_per_principal = 1'000;
    make_tools(protocol_version::v2025_11_25);
    auto const other = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    std::string last;
    for (auto const& each : {raw, raw, other}) {
        if (each != raw || held.empty())
            co_await each->ask_in_session("initialize", initialize);
        auto const created = co_await each->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
        auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
        held.back().complete(tool_output::text(std::string(600, 'x')));
        last += (co_await each->ask_in_session("tasks/result", "{" + with_id(id) + "}")) + '\n';
    }
    auto const second = last.find("The outcome of the task was discarded");
    BOOST_TEST((second != last.npos), last);
    BOOST_TEST(last.find("The outcome of the task was discarded", second + 1) == last.npos);
    BOOST_TEST(last.find(std::string(600, 'x')) < second);
    BOOST_TEST((last.find(std::string(600, 'x'), second) != last.npos));
    BOOST_TEST(served->counters().refused == 1u);
    other->close();
}

LINKSPAN_CASE_IN(tasks_world, tasks_result_is_refused_if_the_task_completes_after_its_time_to_live)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", initialize);
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{"ttl":1000}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    co_await raw->ask_in_session("tasks/result", R"({"taskId":")" + id + "\"}");
    auto const waiting = raw->last_id();
    co_await pass(executor, 2s);
    held.at(0).complete(tool_output::text("late"));
    co_await settle(executor);
    BOOST_TEST(contains(raw->response(waiting), R"("code":-32602)"), raw->response(waiting));
    auto const unlimited =
        co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{"ttl":9223372036854775807}})");
    BOOST_TEST(contains(unlimited, R"("ttl":86400000)"), unlimited);
}

LINKSPAN_CASE_IN(tasks_world, a_failure_of_a_tool_is_a_failed_task_in_2025_11_25_only)
{
    make_tools();
    co_await settle(executor);
    auto const created = co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    held.at(0).complete(tool_output::failure("no"));
    auto const id = text_in(result_of(created), "taskId");
    BOOST_TEST(contains(co_await raw->ask("tasks/get", with_id(id), with_tasks), R"("status":"completed")"));
    co_await raw->ask_in_session("initialize", initialize);
    auto const old = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
    held.at(1).complete(tool_output::failure("no"));
    auto const old_id = R"({"taskId":")" + text_in(json_scan::member(result_of(old), "task"), "taskId") + "\"}";
    BOOST_TEST(contains(co_await raw->ask_in_session("tasks/get", old_id), R"("status":"failed")"));
    BOOST_TEST(contains(co_await raw->ask_in_session("tasks/result", old_id), R"("isError":true)"));
}

namespace {

// Stores the completion of `async_stop`.
auto store(std::optional<error_code>& stopped)
{
    return [&stopped](error_code ec) { stopped = ec; };
}

} // namespace

LINKSPAN_CASE_IN(tasks_world, a_stop_waits_for_tasks_and_accepts_requests_about_them)
{
    make_tools();
    co_await settle(executor);
    std::string ids[3];
    for (auto& id : ids)
        id = co_await hold_task();
    bool has_input = false;
    held.at(0).async_ask<elicitation>(elicit_request(), [&](error_code ec, elicit_result const&) { has_input = !ec; });
    std::optional<error_code> stopped;
    served->async_stop(1min, store(stopped));
    co_await settle(executor);
    BOOST_TEST(!stopped.has_value());
    auto const refused = co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    BOOST_TEST(contains(refused, "The server is shutting down"), refused);
    BOOST_TEST(contains(co_await raw->ask("tools/list", ""), "The server is shutting down"));
    BOOST_TEST(served->counters().refused == 2u);
    auto const waiting = co_await raw->ask("tasks/get", with_id(ids[0]), with_tasks);
    BOOST_TEST(text_in(result_of(waiting), "status") == "input_required");
    co_await raw->ask("tasks/update", with_id(ids[0]) + R"(,"inputResponses":{"input-1":{"action":"decline"}})",
                      with_tasks);
    BOOST_TEST(has_input);
    co_await raw->ask("tasks/cancel", with_id(ids[1]), with_tasks);
    BOOST_TEST(held.at(1).is_over());
    held.at(0).complete(tool_output::text("late"));
    auto const completed = co_await raw->ask("tasks/get", with_id(ids[0]), with_tasks);
    BOOST_TEST(contains(completed, R"("text":"late")"), completed);
    BOOST_TEST(!held.at(2).is_over());
    BOOST_TEST(!stopped.has_value());
    held.at(2).fail(-32000, "no");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST(!*stopped, stopped->message());
    BOOST_TEST(raw->has_ended);
    BOOST_TEST(served->counters().cancelled == 1u);
}

LINKSPAN_CASE_IN(tasks_world, a_stop_delivers_a_result_for_which_a_client_of_2025_11_25_waits)
{
    make_tools(protocol_version::v2025_11_25);
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", initialize);
    auto const created = co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
    auto const id = text_in(json_scan::member(result_of(created), "task"), "taskId");
    std::optional<error_code> stopped;
    served->async_stop(1min, store(stopped));
    co_await settle(executor);
    BOOST_TEST((co_await raw->ask_in_session("tasks/result", "{" + with_id(id) + "}")) == "");
    auto const listed = co_await raw->ask_in_session("tasks/list", "{}");
    BOOST_TEST(contains(listed, "The server is shutting down"), listed);
    BOOST_TEST(!stopped.has_value());
    held.at(0).complete(tool_output::text("late"));
    co_await settle(executor);
    auto const is_result = [](std::string const& each) { return contains(each, R"("text":"late")"); };
    BOOST_TEST(std::ranges::count_if(raw->messages, is_result) == 1);
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST(!*stopped, stopped->message());
}

LINKSPAN_CASE_IN(tasks_world, a_stop_cancels_tasks_after_its_time)
{
    make_tools();
    co_await settle(executor);
    co_await raw->ask("tools/call", R"("name":"hold")", with_tasks);
    int cancelled = 0;
    held.at(0).on_cancelled([&] { ++cancelled; });
    std::optional<error_code> stopped;
    served->async_stop(1min, store(stopped));
    co_await pass(executor, 1min - 1ms);
    BOOST_TEST(!stopped.has_value());
    BOOST_TEST(cancelled == 0);
    co_await pass(executor, 1ms);
    co_await settle(executor);
    BOOST_TEST(cancelled == 1);
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST((*stopped == asio::error::timed_out), stopped->message());
    BOOST_TEST(raw->has_ended);
}

LINKSPAN_CASE_IN(tasks_world, a_request_that_becomes_a_task_during_a_stop_is_awaited)
{
    auto& own = make(protocol_version::v2026_07_28);
    auto late = any_tool("late");
    late.tasks = task_support::optional;
    own.add(late, [this](server_request request) { held.push_back(std::move(request)); });
    raw = line_client::open(executor, inproc_to(own));
    co_await settle(executor);
    BOOST_TEST((co_await raw->ask("tools/call", R"("name":"late")", with_tasks)) == "");
    std::optional<error_code> stopped;
    served->async_stop(1min, store(stopped));
    BOOST_TEST(held.at(0).become_task());
    co_await settle(executor);
    BOOST_TEST(!stopped.has_value());
    held.at(0).complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST(!*stopped, stopped->message());
}

// The requests about tasks are not served.
LINKSPAN_CASE_IN(tasks_world, no_request_becomes_a_task_if_no_tool_supports_tasks)
{
    auto& own = make({});
    std::optional<bool> is_task;
    own.add(any_tool("plain"), [&is_task](server_request request) {
        is_task = request.become_task();
        request.complete(tool_output::text("plain"));
    });
    raw = line_client::open(executor, inproc_to(own));
    co_await settle(executor);
    auto const response = co_await raw->ask("tools/call", R"("name":"plain")", with_tasks);
    BOOST_TEST(contains(response, R"("text":"plain")"), response);
    BOOST_TEST_REQUIRE(is_task.has_value());
    BOOST_TEST(!*is_task);
}

BOOST_AUTO_TEST_SUITE_END()
