#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/detail/task_host.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/task_timestamps.hpp"

// The messages of a session with tasks are covered by scenario.session.session_hosted_tasks.

BOOST_AUTO_TEST_SUITE(task_host_test)

using linkspan::envelope;
using linkspan::task_timestamp;
using linkspan::time_point;
using linkspan::wall_time;
using linkspan::detail::server_request_id;
using linkspan::detail::task_host;
using namespace std::chrono_literals;
namespace json_scan = linkspan::json_scan;

namespace {

constexpr task_timestamp start{wall_time(1'000'000h), time_point(1'000h)};
constexpr std::string_view params = R"({"task":{"ttl":60000}})";

// Returns the responses as text, such as "7={...}" or "8!-32602", separated by spaces.
std::string text_of(std::vector<task_host::response> const& responses)
{
    std::string out;
    for (auto const& each : responses)
        (out += out.empty() ? "" : " ") +=
            each.raw_id + (each.result.empty() ? "!" + std::to_string(each.code) : "=" + each.result);
    return out;
}

struct fixture {
    task_host tasks{2};
    server_request_id cancelled = 0;

    // Begins a task, and returns its id.
    std::string begin(server_request_id request)
    {
        auto const announced = tasks.begin(request, params, start);
        auto const task = json_scan::member(announced, "task");
        return std::string(json_scan::quoted(json_scan::member(task, "taskId")).value_or(""));
    }

    std::vector<task_host::response> send(std::string_view method, std::string_view id, std::string_view raw_id,
                                          task_timestamp now = start)
    {
        auto const text = R"({"taskId":")" + std::string(id) + R"("})";
        envelope request;
        request.what = envelope::kind::request;
        request.method = method;
        request.params = text;
        request.raw_id = raw_id;
        return tasks.on_request(request, now, cancelled);
    }

    std::string status(std::string_view id)
    {
        auto const found = send("tasks/get", id, "0");
        return std::string(json_scan::quoted(json_scan::member(found[0].result, "status")).value_or("unknown"));
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(outcome_of_a_working_task_is_sent_to_all_requests_for_it, fixture)
{
    auto const id = begin(1);
    BOOST_TEST(tasks.is_running(1));
    BOOST_TEST(status(id) == "working");
    BOOST_TEST(send("tasks/result", id, "7").empty());
    BOOST_TEST(send("tasks/result", id, "8").empty());
    BOOST_TEST(send("tasks/result", id, "9").empty());
    tasks.on_cancelled("8"); // the request, not the task
    auto const result = R"({"a":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":")" + id + R"("}}})";
    BOOST_TEST(text_of(tasks.on_outcome(1, R"({"a":1})", 0, {}, start)) == "7=" + result + " 9=" + result);
    BOOST_TEST(!tasks.is_running(1));
    BOOST_TEST(status(id) == "completed");
    BOOST_TEST(text_of(send("tasks/result", id, "10")) == "10=" + result);
    BOOST_TEST(text_of(send("tasks/cancel", id, "11")) == "11!-32602");
    BOOST_TEST(tasks.on_outcome(1, "{}", 0, {}, start).empty()); // a second response has no effect
    BOOST_TEST(cancelled == 0u);
}

BOOST_FIXTURE_TEST_CASE(refused_and_cancelled_tasks_have_errors, fixture)
{
    auto const failed = begin(1), ended = begin(2);
    BOOST_TEST(begin(3) == ""); // too many tasks
    BOOST_TEST(!tasks.is_running(3));
    send("tasks/result", failed, "7");
    send("tasks/result", ended, "8");
    BOOST_TEST(text_of(tasks.on_outcome(1, {}, -5, "no", start)) == "7!-5");
    BOOST_TEST(status(failed) == "failed");
    auto const responses = send("tasks/cancel", ended, "9");
    BOOST_TEST_REQUIRE(responses.size() == 2u);
    BOOST_TEST(text_of({responses[0]}) == "8!-32603");
    BOOST_TEST(responses[1].raw_id == "9");
    BOOST_TEST(json_scan::member(responses[1].result, "status") == R"("cancelled")");
    BOOST_TEST(cancelled == 2u);
    BOOST_TEST(!tasks.is_running(2));
    BOOST_TEST(text_of(send("tasks/cancel", ended, "10")) == "10!-32602");
    BOOST_TEST(text_of(send("tasks/result", ended, "11")) == "11!-32603");
    BOOST_TEST(text_of(send("tasks/get", "?", "12")) == "12!-32602");
    BOOST_TEST(text_of(send("tasks/other", ended, "13")) == "13!-32601");
}

BOOST_FIXTURE_TEST_CASE(task_that_becomes_final_after_its_time_has_expired, fixture)
{
    auto const id = begin(1);
    BOOST_TEST(send("tasks/result", id, "7").empty());
    BOOST_TEST(text_of(tasks.on_outcome(1, "{}", 0, {}, start + 61s)) == "7!-32602");
    BOOST_TEST(text_of(send("tasks/get", id, "8", start + 61s)) == "8!-32602");
}

BOOST_AUTO_TEST_CASE(result_that_exceeds_the_limit_of_bytes_is_replaced_by_an_error)
{
    task_host tasks(3, 200);
    server_request_id cancelled = 0;
    std::string ids[2];
    for (server_request_id request : {server_request_id{1}, server_request_id{2}}) {
        auto const announced = tasks.begin(request, params, start);
        ids[request - 1] =
            R"({"taskId":)" + std::string(json_scan::member(json_scan::member(announced, "task"), "taskId")) + "}";
    }
    envelope request;
    request.what = envelope::kind::request;
    request.method = "tasks/result";
    request.params = ids[1];
    request.raw_id = "7";
    auto const large = R"({"a":")" + std::string(110, 'x') + R"("})";
    BOOST_TEST(tasks.on_request(request, start, cancelled).empty());
    tasks.on_outcome(1, large, 0, {}, start);
    auto const sent = tasks.on_outcome(2, large, 0, {}, start);
    BOOST_TEST(text_of(sent) == "7!-32603");
    BOOST_TEST(sent.at(0).message.find("limit of stored bytes") != std::string::npos, sent.at(0).message);
    request.raw_id = "8";
    BOOST_TEST(text_of(tasks.on_request(request, start, cancelled)) == "8!-32603");
    request.params = ids[0];
    BOOST_TEST(text_of(tasks.on_request(request, start, cancelled)).find(std::string(110, 'x')) != std::string::npos);
    tasks.begin(3, params, start);
    tasks.on_outcome(3, large, 0, {}, start + 61s); // the other tasks have expired
    request.method = "tasks/list";
    auto const list = tasks.on_request(request, start + 50s, cancelled);
    BOOST_TEST(text_of(list).find(R"("status":"completed")") != std::string::npos, text_of(list));
}

BOOST_FIXTURE_TEST_CASE(result_is_not_lost_if_the_system_clock_is_set, fixture)
{
    auto const id = begin(1);
    BOOST_TEST(send("tasks/result", id, "7").empty());
    auto now = start + 30s;
    now.wall += 24h;
    auto const result = R"(={"_meta":{"io.modelcontextprotocol/related-task":{"taskId":")" + id + R"("}}})";
    BOOST_TEST(text_of(tasks.on_outcome(1, "{}", 0, {}, now)) == "7" + result);
    BOOST_TEST(text_of(send("tasks/result", id, "8", now)) == "8" + result);
}

BOOST_FIXTURE_TEST_CASE(discarded_tasks_are_unknown, fixture)
{
    auto const id = begin(1);
    send("tasks/result", id, "7");
    tasks.discard();
    BOOST_TEST(!tasks.is_running(1));
    BOOST_TEST(tasks.on_outcome(1, "{}", 0, {}, start).empty());
    BOOST_TEST(text_of(send("tasks/list", "", "8")) == R"(8={"tasks":[]})");
    BOOST_TEST(begin(2) != "");
}

BOOST_AUTO_TEST_CASE(task_is_unchanged_after_a_failed_allocation_in_each_event)
{
    std::string const first(40, '7'), second(40, '8'); // longer than the small buffer of a string
    for (std::string const last : {"completed", "failed", "cancelled"})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            fixture of;
            std::string announced;
            if (!failing([&] { announced = of.tasks.begin(1, params, start); })) {
                BOOST_TEST(!of.tasks.is_running(1));
                BOOST_TEST(text_of(of.send("tasks/list", "", "0")) == R"(0={"tasks":[]})");
                announced = of.tasks.begin(1, params, start);
            }
            auto const task = json_scan::member(announced, "task");
            std::string const id(json_scan::quoted(json_scan::member(task, "taskId")).value_or(""));
            BOOST_TEST(text_of(of.send("tasks/get", id, "0")) == "0=" + std::string(task));
            for (auto const& raw_id : {first, second})
                if (!failing([&] { of.send("tasks/result", id, raw_id); }))
                    of.send("tasks/result", id, raw_id);
            std::vector<task_host::response> sent;
            auto const end = [&] {
                sent = last == "cancelled"   ? of.send("tasks/cancel", id, "9")
                       : last == "completed" ? of.tasks.on_outcome(1, R"({"text":"a long result"})", 0, {}, start)
                                             : of.tasks.on_outcome(1, {}, -5, "a long message of an error", start);
            };
            if (!failing(end)) {
                BOOST_TEST(of.tasks.is_running(1));
                BOOST_TEST(of.status(id) == "working");
                BOOST_TEST(of.cancelled == 0u);
                end();
            }
            BOOST_TEST_REQUIRE(sent.size() == (last == "cancelled" ? 3u : 2u));
            BOOST_TEST(sent[0].raw_id == first);
            BOOST_TEST(sent[1].raw_id == second);
            BOOST_TEST(of.cancelled == (last == "cancelled" ? 1u : 0u));
            BOOST_TEST(!of.tasks.is_running(1));
            BOOST_TEST(of.status(id) == last);
        });
}

BOOST_AUTO_TEST_SUITE_END()
