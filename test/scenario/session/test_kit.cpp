#include <linkspan/connector.hpp>
#include <linkspan/connector/resources.hpp>
#include <linkspan/test/calculator.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/json/array.hpp>

#include <functional>
#include <stdexcept>
#include <utility>

#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(test_kit_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::protocol_version;
using linkspan::session;
using linkspan::via;
namespace asio = boost::asio;

namespace {

// Faulty cases, which the tests below run explicitly.

struct waits_for_a_server_that_hangs : session_world {
    asio::awaitable<void> body()
    {
        server.dialogue().name = "weather";
        server.on(call("forecast")).then(hang());
        co_await make().async_open();
        co_await client->async_call_tool("forecast");
    }
};

struct waits_behind_a_connector : world {
    scripted_server server;
    linkspan::connector<linkspan::transports<inproc>> hub{executor};

    asio::awaitable<void> body()
    {
        server.dialogue().name = "Weather 2.1";
        server.on(call("forecast")).then(hang());
        hub.add<inproc>("weather", server);
        co_await hub.async_open();
        co_await hub.async_call("forecast");
    }
};

// A call that waits inside the connector, or that has had an attempt before.
struct waits_inside_a_connector : world {
    scripted_server first, second;
    linkspan::connector<linkspan::transports<inproc>> hub{executor};

    void add(std::string key, scripted_server& server, linkspan::start_mode start = linkspan::start_mode::eager)
    {
        linkspan::server_options options;
        options.start = start;
        options.tools["forecast"].replay = linkspan::replay_class::read_only;
        hub.add<inproc>(std::move(key), server, std::move(options));
    }
};

struct waits_for_a_server : waits_inside_a_connector {
    asio::awaitable<void> body()
    {
        first.on(request("tools/list")).then(hang());
        add("weather", first, linkspan::start_mode::lazy);
        co_await hub.async_call("forecast");
    }
};

struct waits_for_lists : waits_inside_a_connector {
    asio::awaitable<void> body()
    {
        for (auto* const server : {&first, &second})
            server->on(request("tools/list")).then(hang());
        add("weather", first);
        add("climate", second);
        hub.async_open([](error_code, auto const&) {});
        co_await hub.async_call("forecast");
    }
};

struct waits_for_a_second_server : waits_inside_a_connector {
    asio::awaitable<void> body()
    {
        first.on(call("forecast")).then(drop_connection());
        second.on(call("forecast")).then(hang());
        add("weather", first);
        add("climate", second);
        co_await hub.async_open();
        co_await hub.async_call("forecast");
    }
};

struct waits_for_a_resource : waits_inside_a_connector {
    asio::awaitable<void> body()
    {
        first.dialogue().capabilities = R"({"resources":{}})";
        first.on(request("resources/list")).then(result(R"("resources":[{"uri":"file:///a","name":"a"}])"));
        first.on(request("resources/read")).then(hang());
        hub.add<inproc>("files", first);
        co_await hub.async_open();
        co_await linkspan::async_read_resource(hub, "file:///a");
    }
};

// The call starts after 10 s, and is reported after 12 s, or later.
struct waits_without_a_limit : waits_inside_a_connector {
    asio::awaitable<void> body()
    {
        first.on(call("forecast")).then(hang());
        hub.add<inproc>("weather", first);
        co_await hub.async_open();
        co_await linkspan::test::pass(executor, 10s);
        linkspan::call_options options;
        options.timeout = options.idle_timeout = options.attempt_timeout = linkspan::duration::max();
        co_await hub.async_call("forecast", {}, options);
    }
};

struct waits_for_an_asio_timer : world {
    scripted_server server;
    linkspan::connector<linkspan::transports<inproc>> hub{executor};

    asio::awaitable<void> body()
    {
        hub.add<inproc>("a", server);
        co_await hub.async_open();
        asio::steady_timer foreign(executor);
        foreign.expires_after(1h);
        co_await foreign.async_wait(asio::use_awaitable);
    }
};

struct has_no_pending_wait : world {
    std::function<void()> never;

    asio::awaitable<void> body()
    {
        co_await asio::async_initiate<asio::use_awaitable_t<> const, void()>(
            [this](auto handler) {
                auto const kept = std::make_shared<decltype(handler)>(std::move(handler));
                never = [kept] { std::move (*kept)(); };
            },
            asio::use_awaitable);
    }
};

struct ends_with_outstanding_call : session_world {
    asio::awaitable<void> body()
    {
        server.on(call("forecast")).then(hang());
        co_await make().async_open();
        client->async_call_tool("forecast", {}, [](error_code, linkspan::call_result) {});
    }
};

struct throws : world {
    asio::awaitable<void> body()
    {
        co_await settle(executor);
        throw std::logic_error("the case says so");
    }
};

struct fails_with_outstanding_call : session_world {
    asio::awaitable<void> body()
    {
        server.on(call("forecast")).then(hang());
        co_await make().async_open();
        client->async_call_tool("forecast", {}, [](error_code, linkspan::call_result) {});
        co_await settle(executor);
        throw std::logic_error("the case says so");
    }
};

template<class World>
std::string stall_report(linkspan::duration within)
{
    try {
        run_case<World>(within);
    } catch (stalled const& e) {
        return e.what();
    }
    return "not stalled";
}

} // namespace

// Reports about cases

BOOST_AUTO_TEST_CASE(stall_report_names_outstanding_request)
{
    auto const report = stall_report<waits_for_a_server_that_hangs>(5s);
    BOOST_TEST(contains(report, "weather: no response to tools/call forecast, id 2"), report);
    BOOST_TEST(contains(report, "t=+"), report);
    BOOST_TEST(contains(report, "condition not met within 5s"), report);
}

BOOST_AUTO_TEST_CASE(stall_report_uses_server_name_of_connector)
{
    auto const report = stall_report<waits_behind_a_connector>(12s);
    BOOST_TEST(contains(report, "weather: no response to tools/call forecast"), report);
    BOOST_TEST(!contains(report, "Weather 2.1"), report);
    BOOST_TEST(contains(report, "\n  call of forecast, started 10 s ago: attempt 1 at server weather, id "), report);
    BOOST_TEST(contains(report, ", no response for 10 s"), report);
}

BOOST_AUTO_TEST_CASE(stall_report_lists_calls_inside_a_connector)
{
    auto report = stall_report<waits_for_lists>(12s);
    BOOST_TEST(contains(report, "\n  call of forecast, started 10 s ago: waits for lists of servers\n"), report);
    report = stall_report<waits_for_a_server>(12s);
    BOOST_TEST(contains(report, "\n  call of forecast, started 10 s ago: attempt 1 at server weather, waits until "
                                "the server is ready\n"),
               report);
    report = stall_report<waits_for_a_second_server>(12s);
    BOOST_TEST(contains(report, " s ago: attempt 2 at server climate, id 4, no response for "), report);
    report = stall_report<waits_without_a_limit>(12s);
    BOOST_TEST(contains(report, "t=+10s"), report);
    BOOST_TEST(contains(report, "\n  call of forecast, started 0 s ago: attempt 1 at server weather, id "), report);
    report = stall_report<waits_for_a_resource>(12s);
    BOOST_TEST(contains(report, "\n  call of file:///a, started 10 s ago: attempt 1 at server files, id "), report);
}

BOOST_AUTO_TEST_CASE(case_waiting_for_asio_timer_stalls_immediately)
{
    auto const report = stall_report<waits_for_an_asio_timer>(virtual_time::default_timeout);
    BOOST_TEST(contains(report, "foreign timers"), report); // reported immediately, not after a day of probes
    BOOST_TEST(contains(report, "only background waits are pending"), report);
}

BOOST_AUTO_TEST_CASE(case_without_pending_wait_stalls_immediately)
{
    auto const report = stall_report<has_no_pending_wait>(virtual_time::default_timeout);
    BOOST_TEST(contains(report, "no handler is ready and no wait with a finite deadline is pending"), report);
    BOOST_TEST(contains(report, "t=+0s"), report);
}

BOOST_AUTO_TEST_CASE(operations_outstanding_at_end_of_case_are_reported)
{
    auto const lists_request = [](leaked const& e) {
        return contains(e.what(), "linkspan-server: no response to tools/call forecast, id 2, received 0 s ago");
    };
    BOOST_CHECK_EXCEPTION(run_case<ends_with_outstanding_call>(), leaked, lists_request);
}

BOOST_AUTO_TEST_CASE(case_fails_with_its_exception)
{
    auto const has_message = [](std::logic_error const& e) { return contains(e.what(), "says so"); };
    BOOST_CHECK_EXCEPTION(run_case<throws>(), std::logic_error, has_message);
    BOOST_CHECK_EXCEPTION(run_case<fails_with_outstanding_call>(), std::logic_error, has_message);
}

LINKSPAN_CASE(virtual_time_begins_at_zero_and_advances_instantly)
{
    BOOST_TEST((since_start(time) == 0s));
    co_await pass(executor, 24h - 1ns);
    BOOST_TEST((since_start(time) == 24h - 1ns));
}

LINKSPAN_CASE(each_case_has_its_own_context_and_time)
{
    BOOST_TEST((since_start(time) == 0s)); // regardless of earlier cases
    BOOST_TEST((executor == context.get_executor()));
    co_return;
}

// Actions

LINKSPAN_CASE_IN(session_world, each_action_of_script_is_applied)
{
    boost::json::object const weather{{"high", 21}};
    server.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    server.on(call("text")).then(text("a \"quoted\"\nline"));
    server.on(call("result")).then(result(R"("content":[],"extra":1)"));
    server.on(call("structured")).then(structured(weather));
    server.on(call("tool_error")).then(tool_error("no"));
    server.on(call("rpc_error")).then(rpc_error(-32000, "why"));
    server.on(call("delay")).then(delay(7s), text("late"));
    server.on(call("raw")).then(raw("unexpected_output"), text("after"));
    server.on(call("notify")).then(notify("notifications/x", R"({"n":1})"), notify("notifications/x"), text("done"));
    server.on(call("request")).then(send_request("ping"), delay(1s), send_request("roots/list", "{}"), text("done"));
    std::vector<std::string> notifications;
    make().on_notification("notifications/x", [&](std::string_view params) { notifications.emplace_back(params); });
    co_await client->async_open();

    auto const text_result = co_await client->async_call_tool("text");
    BOOST_TEST(text_result.text() == "a \"quoted\"\nline");
    auto const plain = co_await client->async_call_tool("result");
    BOOST_TEST(plain.raw() == R"({"content":[],"extra":1})");
    auto const typed = co_await client->async_call_tool("structured");
    BOOST_TEST(typed.structured() == R"({"high":21})");
    BOOST_TEST(typed.text() == R"({"high":21})");
    auto const failed = co_await client->async_call_tool("tool_error");
    BOOST_TEST(failed.is_error());
    BOOST_TEST(failed.text() == "no");
    auto const [ec, refused] = co_await client->async_call_tool("rpc_error", {}, in_tuple);
    BOOST_TEST(ec == error_code(-32000, linkspan::rpc_category()));
    BOOST_TEST(refused.attempts()[0].detail == "why");
    BOOST_TEST((since_start(time) == 0s));
    auto const late = co_await client->async_call_tool("delay");
    BOOST_TEST((since_start(time) == 7s));
    auto const after = co_await client->async_call_tool("raw");
    BOOST_TEST(client->counters().first_unexpected_output == "unexpected_output");
    auto const notified = co_await client->async_call_tool("notify");
    BOOST_TEST(notifications == (std::vector<std::string>{R"({"n":1})", ""}), boost::test_tools::per_element());
    auto const requested = co_await client->async_call_tool("request");
    BOOST_TEST(requested.text() == "done");
    BOOST_TEST(server.received("\"id\":\"q1\",\"result\"") == 1u);
    BOOST_TEST(server.received("\"id\":\"q2\",\"error\"") == 1u);
}

LINKSPAN_CASE_IN(session_world, messages_sent_before_drop_are_delivered)
{
    server.on(call("die")).then(progress(1, 2), drop_connection());
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("die", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::stream_ended));
    BOOST_TEST(result.attempts()[0].result.started);
}

LINKSPAN_CASE_IN(session_world, phases_of_rule_are_applied_in_order)
{
    server.tool("t", "{}", [](std::string_view) { return std::string(R"("content":[{"type":"text","text":"own"}])"); });
    server.on(call("t")).once(text("1")).times(2, text("2")).pass(1).then(text("rest"));
    co_await make().async_open();
    std::string all;
    for (int i = 0; i != 6; ++i) {
        auto const result = co_await client->async_call_tool("t");
        (all += result.text()) += ' ';
    }
    BOOST_TEST(all == "1 2 2 own rest rest ");
}

LINKSPAN_CASE_IN(session_world, exhausted_rule_sends_default_response_of_server)
{
    server.tool("t", "{}", [](std::string_view args) { return R"("args":)" + std::string(args); });
    server.on(call("t")).once(rpc_error(1, "first"));
    server.on(call("t")).then(text("never used")); // the first matching rule applies
    co_await make().async_open();
    auto const [ec, ignored] = co_await client->async_call_tool("t", {}, in_tuple);
    BOOST_TEST(ec.value() == 1);
    boost::json::object const args{{"x", 1}};
    auto const result = co_await client->async_call_tool("t", args);
    BOOST_TEST(contains(result.raw(), R"("args":{"x":1})"), result.raw());
    auto const [unknown, ignored_too] = co_await client->async_call_tool("stranger", {}, in_tuple);
    BOOST_TEST(unknown.value() == -32602);
    auto const [method, ignored_three] = co_await client->async_request("no/such", {}, in_tuple);
    BOOST_TEST(method.value() == -32601);
}

LINKSPAN_CASE_IN(session_world, cancelled_request_receives_no_response)
{
    server.on(call("slow")).then(delay(10s), text("late"));
    co_await make().async_open();
    linkspan::call_options limits;
    limits.idle_timeout = 1s;
    auto const [ec, ignored] = co_await client->async_call_tool("slow", {}, limits, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    co_await pass(executor, 60s);
    BOOST_TEST(client->counters().late_responses == 0u);
}

LINKSPAN_CASE_IN(session_world, server_counts_and_keeps_received_messages)
{
    co_await make().async_open();
    BOOST_TEST(server.connections() == 1u);
    BOOST_TEST(server.received().size() == 1u);
    BOOST_TEST(server.received("server/discover") == 1u);
    BOOST_TEST(server.received("initialize") == 0u);
    client->close();
    co_await client->async_open();
    BOOST_TEST(server.connections() == 2u);
    BOOST_TEST(server.received("server/discover") == 2u);
}

LINKSPAN_CASE(calculator_computes_in_each_protocol_version)
{
    for (auto const& row : linkspan::protocol_versions) {
        scripted_server server({row.id});
        make_calculator(server);
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        boost::json::object args{{"a", 6}, {"b", 3}};
        std::string all;
        for (auto const* tool : {"add", "subtract", "multiply", "divide", "accumulate", "accumulate"}) {
            auto const result = co_await client.async_call_tool(tool, args);
            (all += result.text()) += ' ';
        }
        BOOST_TEST(all == "9 3 18 2 9 18 ");
        args["b"] = 0;
        auto const division = co_await client.async_call_tool("divide", args);
        BOOST_TEST(division.is_error());
        args["delay_ms"] = 1500;
        auto const began = time.now();
        co_await client.async_call_tool("add", args);
        BOOST_TEST((time.now() - began == 1500ms));
    }
}

LINKSPAN_CASE(calculator_formats_numbers_without_exponent)
{
    scripted_server server;
    make_calculator(server);
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    std::string all;
    for (auto const& [a, b] : {std::pair(1e5, 1.0), std::pair(1e7, 1e8), std::pair(0.5, 0.25), std::pair(-2.0, 0.0)}) {
        boost::json::object const args{{"a", a}, {"b", b}};
        auto const result = co_await client.async_call_tool("multiply", args);
        (all += result.text()) += ' ';
    }
    BOOST_TEST(all == "100000 1000000000000000 0.125 0 ");
    boost::json::object const too_large{{"a", 1e300}, {"b", 1e300}};
    auto const result = co_await client.async_call_tool("multiply", too_large);
    BOOST_TEST(result.is_error());
}

LINKSPAN_CASE_IN(session_world, actions_after_response_end_with_connection)
{
    server.on(call("greet")).then(text("hello"), delay(1s), notify("notifications/late"));
    make();
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("greet");
    BOOST_TEST(result.text() == "hello");
    client->close();
    co_await pass(executor, 2s);
}

BOOST_AUTO_TEST_SUITE_END()
