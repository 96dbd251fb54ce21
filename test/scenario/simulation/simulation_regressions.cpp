// Regressions of the simulation, each reduced to a minimal case.

#include <memory>
#include <optional>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(simulation_regressions_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

server_options idempotent(int priority)
{
    auto options = with(priority, replay_class::idempotent);
    options.session.idle_timeout = 1s;
    return options;
}

// A call that times out on "a" and is to be retried there after a delay; "b" would respond.
struct pause_world : world {
    scripted_server a, b;
    hub_type hub{executor};
    completion_box box;

    asio::awaitable<void> pause_at_a()
    {
        a.on(call("pay")).once(hang()).then(text("a"));
        b.on(call("pay")).then(text("b"));
        hub.add<inproc>("a", a, idempotent(2)).add<inproc>("b", b, idempotent(1));
        co_await hub.async_open();
        hub.async_call("pay", {}, box.handler());
        co_await pass(executor, 1s);
        co_await settle(executor);
    }
};

// A server that is disabled while a call on it is in flight.
struct disabling_world : world {
    scripted_server slow;
    hub_type hub{executor};

    asio::awaitable<void> begin_to_disable()
    {
        slow.on(call("pay")).then(delay(1s), text("late"));
        hub.add<inproc>("slow", slow);
        co_await hub.async_open();
        hub.async_call("pay", {}, [](error_code, call_result const&) {});
        co_await settle(executor);
        hub.async_disable("slow", [](error_code) {});
    }
};

} // namespace

// An exposed name of a tool of "a" is not a tool name of "b", whose tools are unknown.
LINKSPAN_CASE(exposed_name_is_not_sent_to_server_with_unknown_tools)
{
    scripted_server a, b;
    b.on(request("tools/list")).then(rpc_error(-32603, "no"));
    b.on(call("a__pay")).then(text("b"));
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_invoke("a__pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_tool_name), ec.what());
    BOOST_TEST(b.received("tools/call") == 0u);
    hub.close();
}

LINKSPAN_CASE(call_on_removed_server_is_aborted_by_close)
{
    scripted_server slow;
    slow.on(call("pay")).then(delay(3s), text("late"));
    hub_type hub(executor);
    hub.add<inproc>("slow", slow);
    co_await hub.async_open();
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    hub.async_remove("slow", [](error_code) {});
    hub.close();
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST((box.ec == error_code(asio::error::operation_aborted)), box.ec.what());
    co_await pass(executor, 5s);
}

LINKSPAN_CASE(attempt_that_was_not_sent_has_no_id)
{
    scripted_server server;
    server.on(call("pay")).then(drop_connection());
    auto const is_there = std::make_shared<bool>(true);
    inproc_config way = server;
    way.connect = [connect = way.connect, is_there](auto const& ex, auto end) {
        return *is_there ? connect(ex, std::move(end)) : error_code(asio::error::connection_refused);
    };
    server_options options;
    options.tools["pay"].replay = replay_class::idempotent;
    hub_type hub(executor);
    hub.add<inproc>("a", way, options);
    co_await hub.async_open();
    *is_there = false;
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST_REQUIRE(result.attempts().size() >= 2u);
    BOOST_TEST((result.attempts()[1].result.certainty == certainty::not_sent));
    BOOST_TEST(result.attempts()[0].id != 0);
    BOOST_TEST(result.attempts()[1].id == 0);
    hub.close();
}

LINKSPAN_CASE(lost_server_has_no_requests_in_flight)
{
    scripted_server server({protocol_version::v2025_11_25});
    server.on(request("ping")).then(hang());
    auto options = with(0);
    options.probe_timeout = 1h;
    hub_type hub(executor);
    hub.add<inproc>("a", server, options);
    co_await hub.async_open();
    co_await pass(executor, 1min); // a probe is in flight
    BOOST_TEST(server.received("ping") == 1u);
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(hub.state().servers[0].in_flight == 0u);
    hub.close();
}

LINKSPAN_CASE_IN(disabling_world, server_being_disabled_stays_disabled_after_close_and_open)
{
    co_await begin_to_disable();
    hub.close();
    co_await hub.async_open();
    BOOST_TEST((hub.state().servers[0].state == server_state::disabled));
    BOOST_TEST(slow.connections() == 1u);
}

LINKSPAN_CASE_IN(disabling_world, server_being_disabled_stays_disabled_after_disconnect)
{
    co_await begin_to_disable();
    co_await hub.async_disconnect("slow");
    BOOST_TEST((hub.state().servers[0].state == server_state::disabled));
}

LINKSPAN_CASE(server_lost_while_disconnecting_is_not_restarted)
{
    scripted_server server;
    server.on(call("pay")).then(hang());
    hub_type hub(executor);
    hub.add<inproc>("a", server);
    co_await hub.async_open();
    hub.async_call("pay", {}, [](error_code, call_result const&) {});
    co_await settle(executor);
    bool ended = false;
    hub.async_disconnect("a", [&](error_code) { ended = true; });
    server.drop_connections();
    co_await pass(executor, 1min);
    BOOST_TEST(ended);
    BOOST_TEST((hub.state().servers[0].state == server_state::closed));
    BOOST_TEST(server.connections() == 1u);
    hub.close();
}

LINKSPAN_CASE_IN(pause_world, call_fails_over_if_its_server_is_removed_before_retry)
{
    co_await pause_at_a();
    co_await hub.async_remove("a");
    co_await pass(executor, 1s);
    BOOST_TEST_REQUIRE(box.count == 1u);
    BOOST_TEST(!box.ec, box.ec.what());
    BOOST_TEST(box.result.server() == "b");
    for (auto const& attempt : box.result.attempts())
        BOOST_TEST(attempt.server != "");
}

LINKSPAN_CASE_IN(pause_world, call_does_not_start_server_disconnected_before_retry)
{
    co_await pause_at_a();
    co_await hub.async_disconnect("a");
    co_await pass(executor, 1s);
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST_REQUIRE(box.count == 1u);
    BOOST_TEST(box.result.server() == "b");
}

LINKSPAN_CASE_IN(pause_world, call_does_not_wait_for_server_disabled_before_retry)
{
    co_await pause_at_a();
    co_await hub.async_disable("a");
    co_await pass(executor, 1s);
    BOOST_TEST_REQUIRE(box.count == 1u);
    BOOST_TEST(box.result.server() == "b");
}

BOOST_AUTO_TEST_SUITE_END()
