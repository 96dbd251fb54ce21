#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(health_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Returns the name of the health state of a server.
std::string health_of(hub_type const& hub, std::string_view name)
{
    for (auto const& server : hub.state().servers)
        if (server.server == name)
            return std::string(to_string(server.health));
    return "none";
}

struct health_world : world {
    scripted_server a, b;
    hub_type hub{executor};

    // Sends calls to the server "a", one after another, and ignores their results.
    asio::awaitable<void> fail_calls(int count)
    {
        for (int i = 0; i != count; ++i)
            co_await hub.on_server("a").async_call("pay", {}, in_tuple);
    }
};

} // namespace

LINKSPAN_CASE_IN(health_world, idle_server_is_probed_by_method_of_its_era)
{
    scripted_server handshake_server({protocol_version::v2025_11_25});
    hub.add<inproc>("a", a).add<inproc>("handshake", handshake_server);
    co_await hub.async_open();
    auto const discovers = a.received("server/discover");
    co_await pass(executor, 5min);
    BOOST_TEST(a.received("server/discover") - discovers >= 9u);
    BOOST_TEST(a.received("server/discover") - discovers <= 12u);
    BOOST_TEST(a.received("\"ping\"") == 0u);
    BOOST_TEST(handshake_server.received("\"ping\"") >= 9u);
    BOOST_TEST(health_of(hub, "a") == "healthy");
    BOOST_TEST(hub.state().servers[0].last_probe.has_value());
}

LINKSPAN_CASE_IN(health_world, server_responding_to_calls_is_not_probed)
{
    scripted_server handshake_server({protocol_version::v2025_11_25});
    handshake_server.on(call("pay")).then(text("ok"));
    hub.add<inproc>("handshake", handshake_server);
    co_await hub.async_open();
    for (int i = 0; i != 60; ++i) {
        co_await hub.async_call("pay");
        co_await pass(executor, 10s);
    }
    BOOST_TEST(handshake_server.received("\"ping\"") <= 1u); // a probe may precede the first call
}

LINKSPAN_CASE_IN(health_world, error_response_to_probe_counts_as_healthy)
{
    scripted_server handshake_server({protocol_version::v2025_11_25});
    handshake_server.on(request("ping")).then(rpc_error(-32601, "no"));
    hub.add<inproc>("handshake", handshake_server);
    co_await hub.async_open();
    co_await pass(executor, 5min);
    BOOST_TEST(health_of(hub, "handshake") == "healthy");
}

LINKSPAN_CASE_IN(health_world, server_not_responding_to_probes_is_routed_last)
{
    scripted_server stuck({protocol_version::v2025_11_25});
    stuck.on(request("ping")).times(3, hang()).then(result(""));
    stuck.on(call("pay")).then(text("stuck"));
    b.on(call("pay")).then(text("b"));
    auto first = with(9);
    hub.add<inproc>("stuck", stuck, first).add<inproc>("b", b);
    co_await hub.async_open();
    co_await pass(executor, 45s);
    BOOST_TEST(health_of(hub, "stuck") == "degraded");
    co_await pass(executor, 75s);
    BOOST_TEST(health_of(hub, "stuck") == "unhealthy");
    auto const elsewhere = co_await hub.async_call("pay");
    BOOST_TEST(elsewhere.text() == "b");
    auto const still = co_await hub.on_server("stuck").async_call("pay"); // a call on the named server is still sent
    BOOST_TEST(still.text() == "stuck");
    co_await pass(executor, 40s);
    BOOST_TEST(health_of(hub, "stuck") == "healthy");
}

LINKSPAN_CASE_IN(health_world, connection_without_any_message_is_opened_again)
{
    scripted_server stuck({protocol_version::v2025_11_25});
    stuck.on(request("ping")).times(4, hang()).then(result(""));
    stuck.on(call("pay")).then(text("paid"));
    hub.add<inproc>("stuck", stuck);
    co_await hub.async_open();
    co_await pass(executor, 125s);
    BOOST_TEST(stuck.connections() == 1u);
    co_await pass(executor, 35s);
    BOOST_TEST(stuck.connections() == 2u);
    auto const status = hub.state().servers[0];
    BOOST_TEST(status.restarts == 1u);
    BOOST_TEST((status.state == server_state::ready));
    auto const paid = co_await hub.async_call("pay");
    BOOST_TEST(paid.text() == "paid");
    co_await pass(executor, 10min);
    BOOST_TEST(stuck.connections() == 2u);
}

LINKSPAN_CASE_IN(health_world, connection_without_any_message_stays_while_a_call_is_outstanding)
{
    scripted_server busy({protocol_version::v2025_11_25});
    busy.on(request("ping")).then(hang());
    busy.on(call("pay")).then(delay(9min), text("paid"));
    hub.add<inproc>("busy", busy);
    co_await hub.async_open();
    call_options patient;
    patient.idle_timeout = patient.attempt_timeout = patient.timeout = 10min;
    auto const paid = co_await hub.async_call("pay", {}, patient);
    BOOST_TEST(paid.text() == "paid");
    BOOST_TEST(busy.connections() == 1u);
    BOOST_TEST(busy.received("\"ping\"") >= 10u);
}

LINKSPAN_CASE_IN(health_world, connection_with_messages_but_without_responses_to_probes_stays)
{
    scripted_server noisy({protocol_version::v2025_11_25});
    noisy.on(request("ping")).then(notify("notifications/message", R"({"level":"info","data":"busy"})"), hang());
    hub.add<inproc>("noisy", noisy);
    co_await hub.async_open();
    co_await pass(executor, 10min);
    BOOST_TEST(noisy.connections() == 1u);
    BOOST_TEST(health_of(hub, "noisy") == "unhealthy");
}

LINKSPAN_CASE_IN(health_world, server_with_open_breaker_is_not_called_if_another_is_available)
{
    a.on(call("pay")).then(rpc_error(-32603, "oops"));
    b.on(call("pay")).then(text("b"));
    hub.add<inproc>("a", a, with(9)).add<inproc>("b", b);
    co_await hub.async_open();
    co_await fail_calls(5);
    BOOST_TEST(health_of(hub, "a") == "tripped");
    auto const calls = a.received("tools/call");
    auto const elsewhere = co_await hub.async_call("pay");
    BOOST_TEST(elsewhere.text() == "b");
    BOOST_TEST(a.received("tools/call") == calls);
}

LINKSPAN_CASE_IN(health_world, open_breaker_of_the_only_server_admits_one_trial_call_at_a_time)
{
    a.on(call("pay")).times(5, rpc_error(-32603, "oops")).once(delay(1s), rpc_error(-32603, "oops")).then(text("well"));
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    co_await fail_calls(5);
    BOOST_TEST(health_of(hub, "a") == "tripped");
    co_await pass(executor, 1ms);
    completion_box trial;
    hub.async_call("pay", {}, trial.handler());
    co_await settle(executor);
    BOOST_TEST(a.received("tools/call") == 6u);
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed)); // fails immediately, with the time of the next probe
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    auto const back = result.attempts()[0].result.retry_after;
    BOOST_TEST((back && *back >= 29s && *back <= 34s));
    BOOST_TEST(contains(result.attempts()[0].detail, "circuit breaker is open until a probe succeeds"));
    BOOST_TEST(contains(result.attempts()[0].detail, "a trial call of another caller is in progress"));
    BOOST_TEST(a.received("tools/call") == 6u);
    co_await pass(executor, 1100ms);
    BOOST_TEST(trial.ec == rpc(-32603));
    BOOST_TEST(health_of(hub, "a") == "tripped");
    auto const next = co_await hub.async_call("pay"); // the next trial call is admitted
    BOOST_TEST(next.text() == "well");
    BOOST_TEST(health_of(hub, "a") == "healthy");
}

LINKSPAN_CASE_IN(health_world, call_after_a_cancelled_trial_call_is_admitted_by_the_open_breaker)
{
    a.on(call("pay")).times(5, rpc_error(-32603, "oops")).once(hang()).then(text("well"));
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    co_await fail_calls(5);
    co_await pass(executor, 1ms);
    completion_box trial;
    asio::cancellation_signal cancel;
    hub.async_call("pay", {}, asio::bind_cancellation_slot(cancel.slot(), trial.handler()));
    co_await settle(executor);
    cancel.emit(asio::cancellation_type::terminal);
    auto const next = co_await hub.async_call("pay");
    BOOST_TEST(next.text() == "well");
    BOOST_TEST(trial.ec == error_code(asio::error::operation_aborted));
}

LINKSPAN_CASE_IN(health_world, server_of_highest_priority_receives_trial_call_if_all_breakers_are_open)
{
    a.on(call("pay")).times(5, rpc_error(-32603, "oops")).then(text("a"));
    b.on(call("pay")).times(5, rpc_error(-32603, "oops")).then(text("b"));
    hub.add<inproc>("a", a, with(1)).add<inproc>("b", b, with(9));
    co_await hub.async_open();
    co_await fail_calls(5);
    for (int i = 0; i != 5; ++i)
        co_await hub.on_server("b").async_call("pay", {}, in_tuple);
    BOOST_TEST(health_of(hub, "a") + health_of(hub, "b") == "trippedtripped");
    co_await pass(executor, 1ms);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "b");
    auto const after = co_await hub.async_call("pay"); // its breaker is closed
    BOOST_TEST(after.text() == "b");
    BOOST_TEST(a.received("tools/call") == 5u);
}

LINKSPAN_CASE_IN(health_world, state_reports_open_breaker_with_cause_and_probe_time)
{
    a.on(call("pay")).times(5, rpc_error(-32603, "oops")).then(text("well"));
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    BOOST_TEST(!hub.state().servers[0].retry_at.has_value());
    co_await fail_calls(5);
    auto const open = hub.state().servers[0];
    BOOST_TEST(open.last_error.starts_with("circuit breaker is open until a probe succeeds, next probe in 3"),
               open.last_error);
    BOOST_TEST(contains(open.last_error, " ms; last failure: " + rpc(-32603).message()), open.last_error);
    BOOST_TEST_REQUIRE(open.retry_at.has_value());
    BOOST_TEST((*open.retry_at >= time.wall_now() + 30s && *open.retry_at <= time.wall_now() + 33s));
    BOOST_TEST(to_json(hub.state()).at("servers").at(0).at("breaker") == "open");
    co_await hub.async_refresh_tools();
    BOOST_TEST((hub.state().servers[0].retry_at == open.retry_at));
    co_await hub.async_disable("a");
    BOOST_TEST(!hub.state().servers[0].retry_at.has_value()); // no probe is scheduled
    co_await hub.async_enable("a");
    co_await pass(executor, 1ms);
    co_await hub.async_call("pay");
    auto const closed = hub.state().servers[0];
    BOOST_TEST(closed.last_error == rpc(-32603).message());
    BOOST_TEST(!closed.retry_at.has_value());
    BOOST_TEST(to_json(hub.state()).at("servers").at(0).at("breaker") == "closed");
}

LINKSPAN_CASE_IN(health_world, probe_closes_open_breaker_without_call)
{
    a.on(call("pay")).times(5, rpc_error(-32603, "oops")).then(text("well"));
    a.on(request("server/discover")).pass(1).once(hang()).pass(1000);
    hub.add<inproc>("a", a, with(9));
    co_await hub.async_open();
    auto const probes = a.received("server/discover");
    co_await fail_calls(5);
    co_await pass(executor, 29s);
    BOOST_TEST(a.received("server/discover") == probes);
    co_await pass(executor, 5s); // the first probe is outstanding; its timeout is five seconds
    BOOST_TEST(a.received("server/discover") == probes + 1);
    BOOST_TEST(to_json(hub.state()).at("servers").at(0).at("breaker") == "open");
    co_await pass(executor, 5s);
    BOOST_TEST(a.received("server/discover") == probes + 1);
    BOOST_TEST(health_of(hub, "a") == "tripped");
    co_await pass(executor, 70s);
    BOOST_TEST(a.received("server/discover") == probes + 2); // 60 s after the first probe
    BOOST_TEST(health_of(hub, "a") == "healthy");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "well");
}

LINKSPAN_CASE_IN(health_world, reconnection_closes_breaker)
{
    a.on(call("pay")).times(3, drop_connection()).then(text("well"));
    server_options options;
    options.restart.max_restarts = 10;
    hub.add<inproc>("a", a, options);
    co_await hub.async_open();
    for (int i = 0; i != 5; ++i) {
        co_await hub.on_server("a").async_call("pay", {}, in_tuple);
        co_await pass(executor, 1ms);
    }
    co_await pass(executor, 1min);
    BOOST_TEST(health_of(hub, "a") == "healthy");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "well");
}

LINKSPAN_CASE_IN(health_world, late_response_of_outstanding_call_does_not_close_breaker)
{
    a.on(call("slow")).then(delay(10s), text("late"));
    a.on(call("pay")).then(rpc_error(-32603, "oops"));
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    completion_box box;
    hub.async_call("slow", {}, box.handler());
    co_await fail_calls(5);
    co_await pass(executor, 11s);
    BOOST_TEST(box.result.text() == "late");
    BOOST_TEST(health_of(hub, "a") == "tripped");
}

BOOST_AUTO_TEST_SUITE_END()
