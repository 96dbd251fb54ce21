#include <linkspan/connector/call_with_fallback.hpp>

#include <deque>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"

BOOST_AUTO_TEST_SUITE(lifecycle_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

std::string state_of(hub_type const& hub, std::string_view name)
{
    for (auto const& server : hub.state().servers)
        if (server.server == name)
            return std::string(to_string(server.state));
    return "none";
}

std::string names_of(hub_type const& hub)
{
    std::string out;
    for (auto const& server : hub.state().servers)
        out += server.server;
    return out;
}

// Switch for the connections to a server, which are refused while `*on` is false.
struct switched {
    std::shared_ptr<bool> on = std::make_shared<bool>(true);

    inproc_config to(scripted_server& server) const
    {
        inproc_config config = server;
        auto const connect = config.connect;
        config.connect = [connect, on = on](auto const& executor, auto end) {
            return *on ? connect(executor, std::move(end)) : error_code(asio::error::connection_refused);
        };
        return config;
    }
};

struct lifecycle_world : world {
    scripted_server a, b;
    hub_type hub{executor};

    lifecycle_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
    }
};

server_options lazy(int priority = 0)
{
    server_options options;
    options.priority = priority;
    options.start = start_mode::lazy;
    return options;
}

server_options at_priority(int priority)
{
    server_options options;
    options.priority = priority;
    return options;
}

} // namespace

// Operations on one server by name

LINKSPAN_CASE_IN(lifecycle_world, connect_starts_server_and_lists_its_tools)
{
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const outcome = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(outcome));
    BOOST_TEST(outcome.server == "a");
    BOOST_TEST(outcome.tools == 1u);
    BOOST_TEST((outcome.phase == open_phase::done));
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    BOOST_TEST(state_of(hub, "a") == "ready");
    BOOST_TEST(state_of(hub, "b") == "idle");
    auto const again = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(again));
    BOOST_TEST(a.connections() == 1u);
}

LINKSPAN_CASE_IN(lifecycle_world, connect_to_unknown_or_disabled_server_reports_error)
{
    server_options off;
    off.enabled = false;
    hub.add<inproc>("a", a, off);
    auto const unknown = co_await hub.async_connect("unknown_server");
    BOOST_TEST(!unknown);
    BOOST_TEST(unknown.ec == make_error_code(error::unknown_server));
    auto const disabled = co_await hub.async_connect("a");
    BOOST_TEST(disabled.ec == make_error_code(error::server_disabled));
    auto const report = co_await hub.async_open();
    BOOST_TEST(report.servers.empty());
    auto const [ec, result] = co_await hub.on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::server_disabled));
    BOOST_TEST(a.connections() == 0u);
    auto const enabled = co_await hub.async_enable("a");
    BOOST_TEST(static_cast<bool>(enabled));
    BOOST_TEST(state_of(hub, "a") == "ready");
}

LINKSPAN_CASE_IN(lifecycle_world, server_lost_during_tools_list_is_reported_immediately)
{
    a.on(request("tools/list")).then(delay(1s), drop_connection());
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const before = since_start(time);
    auto const report = co_await hub.async_open();
    BOOST_TEST((since_start(time) - before == 1s));
    BOOST_TEST_REQUIRE(report.servers.size() == 2u);
    BOOST_TEST(report.servers[0].ec == make_error_code(error::stream_ended), report.servers[0].ec.message());
    BOOST_TEST((report.servers[0].phase == open_phase::list_tools));
    BOOST_TEST((report.servers[0].elapsed == 1s));
    BOOST_TEST(static_cast<bool>(report.servers[1]));
    auto const how = co_await hub.async_connect("a");
    BOOST_TEST(how.ec == make_error_code(error::stream_ended));
    BOOST_TEST(state_of(hub, "a") == "waiting");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
}

LINKSPAN_CASE_IN(lifecycle_world, concurrent_connects_start_server_once)
{
    a.on(request("server/discover")).then(delay(1s), rpc_error(-32601, "no"));
    hub.add<inproc>("a", a);
    std::size_t ready = 0;
    for (int i = 0; i != 3; ++i)
        hub.async_connect("a", [&](error_code, server_report const& how) { ready += how ? 1 : 0; });
    co_await hub.async_open();
    co_await settle(executor);
    BOOST_TEST(ready == 3u);
    BOOST_TEST(a.connections() == 1u);
}

LINKSPAN_CASE_IN(lifecycle_world, disconnect_closes_server_and_removes_its_tools)
{
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    co_await hub.async_disconnect("a");
    BOOST_TEST(state_of(hub, "a") == "closed");
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    co_await pass(executor, 10min);
    BOOST_TEST(state_of(hub, "a") == "closed"); // the server is not restarted
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
    co_await hub.async_disconnect("a");
    co_await hub.async_disconnect("unknown_server");
    auto const back = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(back));
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

LINKSPAN_CASE_IN(lifecycle_world, outstanding_call_completes_when_its_server_is_disconnected)
{
    scripted_server slow;
    slow.on(call("wait")).then(delay(1s), text("done"));
    hub.add<inproc>("slow", slow);
    co_await hub.async_open();
    completion_box box;
    hub.async_call("wait", {}, box.handler());
    co_await settle(executor);
    co_await hub.async_disconnect("slow");
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(state_of(hub, "slow") == "closed");
}

LINKSPAN_CASE_IN(lifecycle_world, connect_during_disconnect_starts_server_afterwards)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    bool ended = false;
    hub.async_disconnect("a", [&](error_code) { ended = true; });
    auto const outcome = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(outcome));
    BOOST_TEST(ended);
    BOOST_TEST(state_of(hub, "a") == "ready");
    BOOST_TEST(a.connections() == 2u);
}

LINKSPAN_CASE_IN(lifecycle_world, disconnect_during_opening_cancels_opening)
{
    a.on(request("server/discover")).then(hang());
    hub.add<inproc>("a", a);
    std::optional<error_code> opened;
    hub.async_connect("a", [&](error_code, server_report const& how) { opened = how.ec; });
    co_await settle(executor);
    co_await hub.async_disconnect("a");
    co_await settle(executor);
    BOOST_TEST((opened == make_error_code(error::not_connected)));
    BOOST_TEST(state_of(hub, "a") == "closed");
}

// Servers added, removed and replaced while the connector is open

LINKSPAN_CASE_IN(lifecycle_world, server_added_after_open_is_used_once_connected)
{
    hub.add<inproc>("a", a, at_priority(1));
    co_await hub.async_open();
    hub.add<inproc>("b", b, at_priority(2));
    BOOST_TEST(names_of(hub) == "ab");
    co_await hub.async_connect("b");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
}

LINKSPAN_CASE_IN(lifecycle_world, removed_server_is_unknown_and_its_name_is_reusable)
{
    hub.add<inproc>("a", a, at_priority(2)).add<inproc>("b", b, at_priority(1));
    co_await hub.async_open();
    auto const before = hub.catalog();
    co_await hub.async_remove("a");
    BOOST_TEST(names_of(hub) == "b");
    BOOST_TEST(before->tools().size() == 2u); // a snapshot does not change
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    auto const [ec, result] = co_await hub.on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unknown_server));
    hub.add<inproc>("a", b);
    co_await hub.async_connect("a");
    auto const again = co_await hub.on_server("a").async_call("pay");
    BOOST_TEST(again.text() == "b");
}

LINKSPAN_CASE_IN(lifecycle_world, outstanding_call_completes_when_its_server_is_removed)
{
    scripted_server slow;
    slow.on(call("pay")).then(delay(5s), rpc_error(-32600, "what?"));
    hub.add<inproc>("slow", slow, at_priority(9)).add<inproc>("b", b);
    co_await hub.async_open();
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    co_await hub.async_remove("slow");
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST((box.delivery() != certainty::completed));
}

LINKSPAN_CASE_IN(lifecycle_world, adding_and_removing_servers_under_load_loses_no_call)
{
    hub.add<inproc>("b", b);
    co_await hub.async_open();
    std::size_t succeeded = 0, failed = 0;
    auto const count = [&](error_code ec, call_result const&) { ++(ec ? failed : succeeded); };
    for (int round = 0; round != 20; ++round) {
        for (int i = 0; i != 10; ++i)
            hub.async_call("pay", {}, count);
        hub.add<inproc>("a", a, at_priority(5));
        co_await hub.async_connect("a");
        for (int i = 0; i != 10; ++i)
            hub.async_call("pay", {}, count);
        co_await hub.async_remove("a");
    }
    co_await settle(executor);
    BOOST_TEST(succeeded == 400u);
    BOOST_TEST(failed == 0u);
    BOOST_TEST(a.received("tools/call") > 0u);
}

LINKSPAN_CASE_IN(lifecycle_world, server_can_be_disabled_and_enabled_while_connector_is_open)
{
    hub.add<inproc>("a", a, at_priority(2)).add<inproc>("b", b);
    co_await hub.async_open();
    co_await hub.async_disable("a");
    BOOST_TEST(state_of(hub, "a") == "disabled");
    auto const elsewhere = co_await hub.async_call("pay");
    BOOST_TEST(elsewhere.server() == "b");
    co_await hub.async_open();
    BOOST_TEST(state_of(hub, "a") == "disabled");
    auto const outcome = co_await hub.async_enable("a");
    BOOST_TEST(static_cast<bool>(outcome));
    auto const back = co_await hub.async_call("pay");
    BOOST_TEST(back.server() == "a");
}

LINKSPAN_CASE_IN(lifecycle_world, server_is_replaced_when_new_server_is_ready)
{
    scripted_server next;
    next.on(request("server/discover")).then(delay(3s), rpc_error(-32601, "no"));
    next.on(call("pay")).then(text("next"));
    a.on(call("slow")).then(delay(1s), text("old"));
    hub.add<inproc>("a", a).add<inproc>("b", b, at_priority(9));
    co_await hub.async_open();
    std::optional<server_report> report;
    hub.async_replace<inproc>("a", next, at_priority(1), [&](error_code, server_report how) { report = how; });
    co_await pass(executor, 1s);
    auto const meanwhile = co_await hub.on_server("a").async_call("pay");
    BOOST_TEST(meanwhile.text() == "a");
    completion_box box;
    hub.on_server("a").async_call("slow", {}, box.handler());
    co_await pass(executor, 2500ms);
    BOOST_TEST_REQUIRE(report.has_value());
    BOOST_TEST(static_cast<bool>(*report));
    BOOST_TEST(box.result.text() == "old"); // the call stays on the server on which it was started
    BOOST_TEST(names_of(hub) == "ab");
    auto const after = co_await hub.on_server("a").async_call("pay");
    BOOST_TEST(after.text() == "next");
}

LINKSPAN_CASE_IN(lifecycle_world, old_server_is_unchanged_if_new_server_fails_to_open)
{
    switched off;
    *off.on = false;
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    auto const report = co_await hub.async_replace<inproc>("a", off.to(b), {});
    BOOST_TEST(report.ec == error_code(asio::error::connection_refused));
    BOOST_TEST((report.phase == open_phase::start));
    BOOST_TEST(names_of(hub) == "a");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    co_await pass(executor, 10min);
    BOOST_TEST(b.connections() == 0u);
}

LINKSPAN_CASE_IN(lifecycle_world, replacement_of_server_that_is_removed_meanwhile_fails)
{
    scripted_server next;
    next.on(request("server/discover")).then(delay(3s), rpc_error(-32601, "no"));
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    std::optional<server_report> report;
    hub.async_replace<inproc>("a", next, {}, [&](error_code, server_report const& how) { report = how; });
    co_await pass(executor, 1s);
    co_await hub.async_remove("a");
    co_await pass(executor, 5s);
    BOOST_TEST_REQUIRE(report.has_value());
    BOOST_TEST(report->ec == make_error_code(error::unknown_server), report->ec.message());
    BOOST_TEST(report->server == "a");
    BOOST_TEST(names_of(hub) == "b");
}

// Lazy and required servers

LINKSPAN_CASE_IN(lifecycle_world, lazy_server_is_started_by_call)
{
    hub.add<inproc>("a", a, lazy());
    auto const report = co_await hub.async_open();
    BOOST_TEST(report.servers.empty());
    BOOST_TEST(a.connections() == 0u);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    BOOST_TEST(a.connections() == 1u);
    co_await hub.async_disconnect("a");
    BOOST_TEST(state_of(hub, "a") == "idle");
    auto const again = co_await hub.on_server("a").async_call("pay");
    BOOST_TEST(again.text() == "a");
}

LINKSPAN_CASE_IN(lifecycle_world, only_lazy_servers_that_are_needed_are_started)
{
    hub.add<inproc>("a", a, lazy(2)).add<inproc>("b", b, lazy(1));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(b.connections() == 0u);
    auto const qualified = co_await hub.async_call("b__pay");
    BOOST_TEST(qualified.text() == "b");
}

LINKSPAN_CASE_IN(lifecycle_world, first_call_opens_connector_that_was_never_opened)
{
    hub.add<inproc>("a", a, at_priority(1)).add<inproc>("b", b, at_priority(2));
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
    BOOST_TEST(state_of(hub, "a") == "ready");
}

LINKSPAN_CASE_IN(lifecycle_world, open_fails_if_required_server_fails)
{
    switched off;
    *off.on = false;
    server_options needed;
    needed.required = true;
    hub.add<inproc>("a", a).add<inproc>("b", off.to(b), needed);
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::connection_failed));
    BOOST_TEST(report.failures() == 1u);
    BOOST_TEST(state_of(hub, "a") == "ready");
}

// Restarts

LINKSPAN_CASE_IN(lifecycle_world, lost_server_is_restarted)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.drop_connections();
    co_await settle(executor);
    BOOST_TEST(state_of(hub, "a") == "waiting");
    co_await pass(executor, 1s);
    BOOST_TEST(state_of(hub, "a") == "ready");
    BOOST_TEST(a.connections() == 2u);
    BOOST_TEST(hub.state().servers[0].restarts == 1u);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
}

LINKSPAN_CASE_IN(lifecycle_world, call_waits_for_restart_of_only_server)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.drop_connections();
    co_await settle(executor);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST((since_start(time) >= 500ms));
    BOOST_TEST((since_start(time) <= 1s));
}

LINKSPAN_CASE_IN(lifecycle_world, call_does_not_wait_for_restart_if_another_server_is_eligible)
{
    hub.add<inproc>("a", a, at_priority(9)).add<inproc>("b", b);
    co_await hub.async_open();
    a.drop_connections();
    co_await settle(executor);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST((since_start(time) == 0s));
}

LINKSPAN_CASE_IN(lifecycle_world, repeatedly_lost_server_fails_if_give_up_is_set)
{
    switched power;
    server_options options;
    options.restart.give_up = true;
    hub.add<inproc>("a", power.to(a), options);
    co_await hub.async_open();
    *power.on = false;
    a.drop_connections();
    co_await pass(executor, 5min);
    BOOST_TEST(state_of(hub, "a") == "failed");
    BOOST_TEST(contains(hub.state().servers[0].last_error, "no further restart after 5 restarts; async_connect"));
    BOOST_TEST(hub.state().servers[0].restarts == 5u);
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST(trail_of(result) == "a not_sent");
    BOOST_TEST(contains(result.attempts()[0].detail, "no further restart after 5 restarts; async_connect"));
    *power.on = true;
    co_await pass(executor, 1h);
    BOOST_TEST(state_of(hub, "a") == "failed");
    auto const outcome = co_await hub.async_connect("a"); // async_connect still opens the server
    BOOST_TEST(static_cast<bool>(outcome));
    BOOST_TEST(state_of(hub, "a") == "ready");
}

LINKSPAN_CASE_IN(lifecycle_world, repeatedly_lost_server_is_restarted_slowly_without_end)
{
    switched power;
    linkspan::test::event_lines log{"slow_restarts"};
    connector<transports<inproc>, linkspan::test::event_lines> watched(executor, log);
    watched.add<inproc>("a", power.to(a));
    co_await watched.async_open();
    *power.on = false;
    a.drop_connections();
    co_await pass(executor, 1min);
    BOOST_TEST_REQUIRE(log.all().size() == 1u);
    BOOST_TEST(log.all().front().starts_with("a: restarted slowly after 5 restarts, next start in "));
    auto const before = watched.state().servers[0];
    BOOST_TEST((before.state == server_state::waiting));
    BOOST_TEST((before.retry_at && *before.retry_at > time.wall_now()));
    BOOST_TEST(contains(before.last_error, "restarted slowly after 5 restarts, next start in "), before.last_error);
    BOOST_TEST(contains(before.last_error, "; async_connect starts the server immediately"), before.last_error);
    co_await pass(executor, 3h);
    BOOST_TEST(log.all().size() == 1u);
    auto const later = watched.state().servers[0];
    BOOST_TEST((later.state == server_state::waiting));
    BOOST_TEST((later.retry_at && *later.retry_at - time.wall_now() <= 5min));
    BOOST_TEST(later.restarts >= before.restarts + 3 * 12);
    auto const [ec, result] = co_await watched.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    BOOST_TEST(contains(result.attempts()[0].detail, "; async_connect starts the server immediately"));
    auto const wait = result.attempts()[0].result.retry_after;
    BOOST_TEST((wait && *wait - (*later.retry_at - time.wall_now()) < 1ms));
    *power.on = true;
    co_await pass(executor, 5min);
    BOOST_TEST((watched.state().servers[0].state == server_state::ready));
    auto const back = co_await watched.async_call("pay");
    BOOST_TEST(back.text() == "a");
    watched.close();
}

LINKSPAN_CASE_IN(lifecycle_world, slowly_restarted_server_is_started_immediately_by_connect)
{
    switched power;
    hub.add<inproc>("a", power.to(a));
    co_await hub.async_open();
    *power.on = false;
    a.drop_connections();
    co_await pass(executor, 30min);
    *power.on = true;
    auto const now = time.now();
    auto const outcome = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(outcome));
    BOOST_TEST((time.now() == now));
    a.drop_connections();
    co_await pass(executor, 1s); // the count of failed restarts was reset
    BOOST_TEST(state_of(hub, "a") == "ready");
}

LINKSPAN_CASE_IN(lifecycle_world, server_that_failed_to_open_is_reopened)
{
    switched power;
    *power.on = false;
    hub.add<inproc>("a", power.to(a));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::connection_failed));
    BOOST_TEST(state_of(hub, "a") == "waiting");
    *power.on = true;
    co_await pass(executor, 1s);
    BOOST_TEST(state_of(hub, "a") == "ready");
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
}

LINKSPAN_CASE_IN(lifecycle_world, close_stops_restarts)
{
    switched power;
    *power.on = false;
    hub.add<inproc>("a", power.to(a));
    co_await hub.async_open(in_tuple);
    hub.close();
    *power.on = true;
    co_await pass(executor, 10min);
    BOOST_TEST(state_of(hub, "a") == "closed");
    BOOST_TEST(a.connections() == 0u);
}

LINKSPAN_CASE_IN(lifecycle_world, tools_of_restarted_server_are_listed_again)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.on(call("more")).then(text("new"));
    a.drop_connections();
    co_await pass(executor, 1s);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

// A restart of the server does not imply that the call is sent again.
LINKSPAN_CASE_IN(lifecycle_world, call_with_unknown_outcome_is_not_resent_after_restart)
{
    scripted_server fragile;
    fragile.on(call("pay")).once(drop_connection()).then(text("paid twice"));
    hub.add<inproc>("fragile", fragile);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    co_await pass(executor, 10s);
    BOOST_TEST(state_of(hub, "fragile") == "ready");
    BOOST_TEST(fragile.received("tools/call") == 1u);
}

// A read-only call that is lost with its server is sent again after the restart.
LINKSPAN_CASE_IN(lifecycle_world, read_only_call_is_retried_on_its_restarted_server)
{
    scripted_server fragile;
    fragile.on(call("pay")).once(drop_connection()).then(text("back"));
    server_options options;
    options.tools["pay"].replay = replay_class::read_only;
    hub.add<inproc>("fragile", fragile, options);
    co_await hub.async_open();
    auto const result = co_await hub.on_server("fragile").async_call("pay");
    BOOST_TEST(result.text() == "back");
    BOOST_TEST(trail_of(result) == "fragile unknown, fragile completed");
    auto const ids = call_ids(fragile);
    BOOST_TEST_REQUIRE(ids.size() == 2u);
    BOOST_TEST(ids[0] != ids[1]);
}

// Servers whose tools are unknown

LINKSPAN_CASE_IN(lifecycle_world, servers_without_tool_lists_are_called_in_order_of_priority)
{
    scripted_server silent;
    silent.on(request("tools/list")).then(rpc_error(-32601, "no lists here"));
    silent.tool("query", "{}", [](std::string_view) { return R"("content":[],"structuredContent":{"result":10})"; });
    switched off;
    *off.on = false;
    hub.add<inproc>("primary", off.to(a), at_priority(100)).add<inproc>("secondary", silent, at_priority(50));
    auto const result = co_await hub.async_call("query");
    BOOST_TEST(result.structured() == R"({"result":10})");
    BOOST_TEST(result.server() == "secondary");
    BOOST_TEST(state_of(hub, "primary") == "waiting"); // a connection to the server was attempted
    BOOST_TEST(silent.received("tools/call") == 1u);
    BOOST_TEST(hub.catalog()->tools().empty());
}

// No server has listed its tools, and all servers fail.
LINKSPAN_CASE_IN(lifecycle_world, call_failing_on_all_unlisted_servers_has_attempt_per_server)
{
    switched off;
    *off.on = false;
    auto first = lazy(2), second = lazy(1);
    first.restart.max_restarts = second.restart.max_restarts = 0;
    hub.add<inproc>("a", off.to(a), first).add<inproc>("b", off.to(b), second);
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
    BOOST_TEST(trail_of(result) == "a not_sent, b not_sent");
    for (auto const& attempt : result.attempts())
        BOOST_TEST(attempt.result.ec == error_code(asio::error::connection_refused));
    BOOST_TEST(hub.catalog()->tools().empty());
}

// No server has listed its tools, and all servers fail. The caller determines the order of the attempts.
LINKSPAN_CASE_IN(lifecycle_world, fallback_call_failing_on_all_unlisted_servers_has_attempt_per_server)
{
    switched off;
    *off.on = false;
    auto first = lazy(2), second = lazy(1);
    first.restart.max_restarts = second.restart.max_restarts = 0;
    hub.add<inproc>("a", off.to(a), first).add<inproc>("b", off.to(b), second);
    std::vector<std::string> const then{"a"};
    auto const [ec, result] = co_await async_call_with_fallback(hub, "b", then, "pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
    BOOST_TEST(trail_of(result) == "b not_sent, a not_sent");
}

// No server is connected, which does not imply that the tool does not exist.
LINKSPAN_CASE_IN(lifecycle_world, call_with_all_unlisted_servers_disconnected_has_attempt_per_server)
{
    switched off;
    *off.on = false;
    hub.add<inproc>("a", off.to(a), with(2)).add<inproc>("b", off.to(b), with(1));
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
    BOOST_TEST_REQUIRE(trail_of(result) == "a not_sent, b not_sent");
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::not_connected));
}

LINKSPAN_CASE_IN(lifecycle_world, call_waits_for_restart_of_unlisted_server)
{
    switched power;
    *power.on = false;
    hub.add<inproc>("a", power.to(a));
    auto const [failed, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(failed == make_error_code(error::connection_failed));
    *power.on = true;
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.text() == "a");
    BOOST_TEST((since_start(time) <= 1s));
}

LINKSPAN_CASE_IN(lifecycle_world, unknown_tool_is_not_found_after_all_servers_listed_their_tools)
{
    hub.add<inproc>("a", a).add<inproc>("b", b, lazy());
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("fly", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_TEST(b.connections() == 1u);
    BOOST_TEST(a.received("tools/call") + b.received("tools/call") == 0u);
    BOOST_TEST(trail_of(result) == "b not_sent");
}

// Refresh of tool lists

LINKSPAN_CASE_IN(lifecycle_world, stale_list_is_refreshed_without_delaying_calls)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    BOOST_TEST(a.received("tools/list") == 1u);
    co_await pass(executor, 299s);
    co_await hub.async_call("pay");
    BOOST_TEST(a.received("tools/list") == 1u);
    a.on(call("more")).then(text("new"));
    co_await pass(executor, 1s);
    for (int i = 0; i != 3; ++i)
        co_await hub.async_call("pay");
    co_await settle(executor);
    BOOST_TEST(a.received("tools/list") == 2u);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

LINKSPAN_CASE_IN(lifecycle_world, tool_list_is_refreshed_after_its_ttl)
{
    scripted_server brief;
    brief.on(call("pay")).then(text("a"));
    brief.on(request("tools/list"))
        .then(result(R"("tools":[{"name":"pay","inputSchema":{}}],"ttlMs":5000,"cacheScope":"private")"));
    hub.add<inproc>("brief", brief);
    co_await hub.async_open();
    co_await pass(executor, 4900ms);
    co_await hub.async_call("pay");
    BOOST_TEST(brief.received("tools/list") == 1u);
    co_await pass(executor, 200ms);
    co_await hub.async_call("pay");
    co_await settle(executor);
    BOOST_TEST(brief.received("tools/list") == 2u);
}

// Groups

LINKSPAN_CASE_IN(lifecycle_world, tools_of_configured_group_are_interchangeable)
{
    scripted_server left, right;
    left.tool("search", R"({"type":"object","properties":{"q":{}}})", nullptr)
        .on(call("search"))
        .then(drop_connection());
    right.tool("find", "{}", nullptr).on(call("find")).then(text("found"));
    server_options one, two;
    one.priority = 5;
    one.tools["search"].group = "lookup";
    one.tools["search"].replay = replay_class::read_only;
    two.tools["find"].group = "lookup";
    two.tools["find"].replay = replay_class::read_only;
    hub.add<inproc>("left", left, one).add<inproc>("right", right, two);
    co_await hub.async_open();
    boost::json::object const args{{"q", "x"}};
    auto const result = co_await hub.async_call("lookup", args);
    BOOST_TEST(result.text() == "found");
    BOOST_TEST(trail_of(result) == "left unknown, right completed");
    BOOST_TEST(left.received(R"("name":"search")") == 1u);
    BOOST_TEST(right.received(R"("name":"find")") == 1u);
    BOOST_TEST(right.received(R"("arguments":{"q":"x"})") == 1u);
}

// Selectors

LINKSPAN_CASE_IN(lifecycle_world, selector_restricts_call_to_servers_with_matching_tags)
{
    auto first = at_priority(9);
    first.tags = {"eu", "slow"};
    auto second = at_priority(1);
    second.tags = {"eu"};
    hub.add<inproc>("a", a, first).add<inproc>("b", b, second);
    co_await hub.async_open();
    selector fast;
    fast.all_of = {"eu"};
    fast.none_of = {"slow"};
    auto const result = co_await hub.on_servers(fast).async_call("pay");
    BOOST_TEST(result.server() == "b");
    selector nowhere;
    nowhere.any_of = {"us", "asia"};
    auto const [ec, none] = co_await hub.on_servers(nowhere).async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_eligible_server));
}

LINKSPAN_CASE_IN(lifecycle_world, servers_named_by_selector_are_called_in_its_order)
{
    std::deque<scripted_server> unreachable(10);
    switched off;
    *off.on = false;
    selector order;
    for (std::size_t i = 0; i != unreachable.size(); ++i) {
        order.servers.push_back("unreachable" + std::to_string(i));
        hub.add<inproc>(order.servers.back(), off.to(unreachable[i]), at_priority(static_cast<int>(i)));
    }
    hub.add<inproc>("a", a, at_priority(100)).add<inproc>("b", b);
    order.servers.push_back("b");
    auto const result = co_await hub.on_servers(order).async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST_REQUIRE(result.attempts().size() == 11u); // ten unreachable servers, then `b`
    for (std::size_t i = 0; i != unreachable.size(); ++i)
        BOOST_TEST(result.attempts()[i].server == order.servers[i]);
    selector wrong;
    wrong.servers = {"bb"};
    auto const [ec, none] = co_await hub.on_servers(wrong).async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unknown_server));
    BOOST_TEST(contains(none.detail(), "similar names: b"), none.detail());
}

BOOST_AUTO_TEST_SUITE_END()
