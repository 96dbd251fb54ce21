// Notifications of tasks: during a wait of a session, and for the handlers of programs.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/session/notifications.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/server_case.hpp"
#include "support/task_members.hpp"

BOOST_AUTO_TEST_SUITE(session_task_notifications_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto stateless = protocol_version::v2026_07_28;
constexpr auto handshake = protocol_version::v2025_11_25;

constexpr std::string_view with_result = R"(,"result":{"content":[{"type":"text","text":"notified"}]})";

// A session with a scripted server that offers tasks, whose state the test determines by notifications.
struct notified_world : world {
    scripted_server own;
    std::optional<session> client;
    completion_box ended; // of the wait
    std::vector<std::string> seen;

    notified_world()
    {
        own.dialogue().capabilities = R"({"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
        own.dialogue().protocol_versions = {stateless};
        own.on(request("tasks/get")).then(result(task_members("t", "working")));
        own.on(request("tasks/result")).then(text("requested"));
    }

    session& connect() { return client.emplace(executor, via<inproc>(own)); }

    static task known(std::string id = "t")
    {
        task out;
        out.id = std::move(id);
        return out;
    }

    // Sends the acknowledgement of the request `subscriptions/listen` with an id.
    void acknowledge(request_id id, std::string const& tasks)
    {
        own.broadcast(
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":)" +
            tasks + R"(},"_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::to_string(id) + "}}}");
    }

    void notify(std::string_view method, std::string const& described)
    {
        own.broadcast(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{)" + described + "}}");
    }

    // Returns the id and the params of the last `subscriptions/listen`.
    request_id last_listen() const
    {
        request_id out = 0;
        for (auto const& message : own.received())
            if (contains(message, R"("method":"subscriptions/listen")"))
                out = json_scan::integer(json_scan::member(message, "id")).value_or(0);
        return out;
    }

    // Opens a session that waits for the task "t", whose changes the server reports.
    asio::awaitable<void> wait_notified()
    {
        own.on(request("subscriptions/listen")).then(hang());
        auto& calls = connect();
        co_await calls.async_open();
        async_wait_task(calls, known(), ended.handler());
        co_await settle(executor);
        acknowledge(last_listen(), R"(["t"])");
        co_await settle(executor);
    }

    void clean_up() { client.reset(); }
};

} // namespace

LINKSPAN_CASE_IN(notified_world, wait_subscribes_to_its_task_and_polls_rarely_if_the_server_reports_it)
{
    co_await wait_notified();
    BOOST_TEST(own.received(R"("notifications":{"taskIds":["t"]})") == 1u);
    BOOST_TEST(own.received(R"("extensions":{"io.modelcontextprotocol/tasks":{}})") == 1u); // in that request
    co_await pass(executor, 1001ms);
    BOOST_TEST(own.received("tasks/get") == 1u); // a change before the acknowledgement may have been missed
    co_await pass(executor, 29s);
    BOOST_TEST(own.received("tasks/get") == 1u);
    co_await pass(executor, 1s);
    BOOST_TEST(own.received("tasks/get") == 2u);
    notify("notifications/tasks", task_members("other", "completed", with_result));
    notify("notifications/tasks", R"("taskId":"t","status":"asleep")");
    co_await settle(executor);
    BOOST_TEST(ended.count == 0u);
    notify("notifications/tasks", task_members("t", "completed", with_result));
    co_await settle(executor);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(!ended.ec);
    BOOST_TEST(ended.result.text() == "notified");
    BOOST_TEST(own.received("tasks/get") == 2u);
    BOOST_TEST(own.received("notifications/cancelled") == 1u); // of the subscription
}

LINKSPAN_CASE_IN(notified_world, notification_without_the_result_leads_to_an_early_poll)
{
    co_await wait_notified();
    co_await pass(executor, 2s);
    BOOST_TEST(own.received("tasks/get") == 1u);
    notify("notifications/tasks", task_members("t", "completed"));
    co_await pass(executor, 101ms);
    BOOST_TEST(own.received("tasks/get") == 2u);
    BOOST_TEST(ended.count == 0u); // the server still responds with `working`
}

LINKSPAN_CASE_IN(notified_world, failed_task_of_a_notification_fails_the_wait)
{
    co_await wait_notified();
    notify("notifications/tasks", task_members("t", "failed", R"(,"error":{"code":-5,"message":"no"})"));
    co_await settle(executor);
    BOOST_TEST((ended.ec == error_code(-5, rpc_category())));
    BOOST_TEST(ended.result.detail() == "no");
    BOOST_TEST(own.received("tasks/get") == 0u);
}

LINKSPAN_CASE_IN(notified_world, polls_continue_if_the_server_does_not_report_the_task)
{
    auto& calls = connect(); // the default response acknowledges no task
    co_await calls.async_open();
    async_wait_task(calls, known(), ended.handler());
    co_await pass(executor, 5500ms);
    BOOST_TEST(own.received("tasks/get") == 5u);
    BOOST_TEST(own.received("subscriptions/listen") == 1u);
    BOOST_TEST(own.received("notifications/cancelled") == 1u); // nothing else is wanted
}

LINKSPAN_CASE_IN(notified_world, polls_continue_if_the_server_refuses_the_subscription)
{
    own.on(request("subscriptions/listen")).then(rpc_error(-32602, "no tasks"));
    auto& calls = connect();
    co_await calls.async_open();
    async_wait_task(calls, known(), ended.handler());
    co_await pass(executor, 5500ms);
    BOOST_TEST(own.received("tasks/get") == 5u);
    BOOST_TEST(own.received("subscriptions/listen") == 1u);
    async_wait_task(calls, known(), ended.handler());
    co_await settle(executor);
    BOOST_TEST(own.received("subscriptions/listen") == 1u);
}

LINKSPAN_CASE_IN(notified_world, polls_continue_after_the_end_of_the_subscription_until_the_next_one)
{
    co_await wait_notified();
    co_await pass(executor, 2s); // the next poll is due 31 s after the start
    auto const first = last_listen();
    own.broadcast(R"({"jsonrpc":"2.0","id":)" + std::to_string(first) +
                  R"(,"result":{"resultType":"complete","_meta":{}}})");
    co_await pass(executor, 1001ms);
    BOOST_TEST(own.received("tasks/get") == 2u);
    co_await pass(executor, 1s);
    BOOST_TEST(own.received("tasks/get") == 3u);
    BOOST_TEST(last_listen() > first);
    acknowledge(last_listen(), R"(["t"])");
    co_await pass(executor, 25s);
    BOOST_TEST(own.received("tasks/get") == 4u); // the poll after the acknowledgement, and none later
}

LINKSPAN_CASE_IN(notified_world, waits_of_one_turn_share_a_subscription_and_their_ends_need_no_request)
{
    own.on(request("subscriptions/listen")).then(hang());
    auto& calls = connect();
    co_await calls.async_open();
    completion_box second;
    async_wait_task(calls, known("t"), ended.handler());
    async_wait_task(calls, known("u"), second.handler());
    async_wait_task(calls, known("u"), second.handler());
    co_await settle(executor);
    BOOST_TEST(own.received("subscriptions/listen") == 1u);
    acknowledge(last_listen(), R"(["t","u"])");
    notify("notifications/tasks", task_members("u", "completed", with_result));
    co_await settle(executor);
    BOOST_TEST(second.count == 2u);
    BOOST_TEST(own.received("subscriptions/listen") == 1u);
    BOOST_TEST(own.received("notifications/cancelled") == 0u);
    notify("notifications/tasks", task_members("t", "completed", with_result));
    co_await settle(executor);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(own.received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(notified_world, status_notification_of_2025_11_25_leads_to_the_request_of_the_result)
{
    own.dialogue().protocol_versions = {handshake};
    auto& calls = connect();
    co_await calls.async_open();
    async_wait_task(calls, known(), ended.handler());
    co_await settle(executor);
    BOOST_TEST(own.received("subscriptions/listen") == 0u);
    notify("notifications/tasks/status", task_members("t", "completed"));
    co_await settle(executor);
    BOOST_TEST(ended.result.text() == "requested");
    BOOST_TEST(own.received("tasks/get") == 0u);
}

LINKSPAN_CASE_IN(notified_world, cancelled_wait_ignores_later_notifications)
{
    own.on(request("subscriptions/listen")).then(hang());
    auto& calls = connect();
    co_await calls.async_open();
    asio::cancellation_signal stop;
    async_wait_task(calls, known(), asio::bind_cancellation_slot(stop.slot(), ended.handler()));
    co_await settle(executor);
    acknowledge(last_listen(), R"(["t"])");
    notify("notifications/tasks", task_members("t", "completed", with_result));
    stop.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST((ended.ec == asio::error::operation_aborted));
    BOOST_TEST(own.received("notifications/cancelled") == 1u); // of the subscription
}

LINKSPAN_CASE_IN(notified_world, handlers_of_programs_receive_the_notified_tasks)
{
    auto& calls = connect();
    on_task_changed(calls, [&](task const& one) { seen.push_back(one.id + ' ' + std::string(to_string(one.status))); });
    co_await calls.async_open();
    notify("notifications/tasks", task_members("t", "completed", with_result));
    notify("notifications/tasks/status", task_members("u", "working"));
    notify("notifications/tasks", R"("status":"working")"); // not valid
    co_await settle(executor);
    BOOST_TEST(seen == (std::vector<std::string>{"t completed", "u working"}), boost::test_tools::per_element());
}

// A server of this library, whose tool becomes a task.
LINKSPAN_CASE_IN(server_world, wait_with_a_server_of_this_library_completes_with_the_task)
{
    std::vector<server_request> held;
    tool hold = any_tool("hold");
    hold.tasks = task_support::optional;
    make(stateless).add(hold, [&](server_request request) {
        request.become_task({.poll_interval = 1h});
        held.push_back(std::move(request));
    });
    auto& calls = connect();
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation> reply) {
        reply(elicit_result{elicit_action::accept, {}});
    });
    co_await calls.async_open();
    auto const started = co_await async_start_task(calls, hold);
    completion_box ended;
    async_wait_task(calls, *started.task, ended.handler());
    co_await settle(executor);
    int accepted = 0;
    elicit_request asked;
    asked.message = "Continue?";
    held.at(0).async_ask<elicitation>(asked, [&](error_code ec, elicit_result const& given) {
        accepted += !ec && given.action == elicit_action::accept;
    });
    co_await settle(executor);
    BOOST_TEST(accepted == 1);
    held.at(0).complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(ended.result.text() == "done");
    BOOST_TEST(served->counters().subscriptions == 0u);
    held.clear();
}

BOOST_AUTO_TEST_SUITE_END()
