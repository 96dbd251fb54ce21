#include <linkspan/connector/call_with_fallback.hpp>

#include <deque>

#include "support/connector_case.hpp"

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

// A server whose connections can be refused by a switch.
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

// Collects the `slow_restarts` events.
struct observed {
    using role = observer_role;

    std::shared_ptr<std::vector<std::string>> events = std::make_shared<std::vector<std::string>>();

    void on_event(event_view const& view) const
    {
        if (view.what == "slow_restarts")
            events->push_back(std::string(view.server) + ": " + std::string(view.detail));
    }
};

struct life_world : world {
    scripted_server a, b;
    hub_type hub{executor};

    life_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
    }

    void clean_up() { hub.close(); }
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

// S0-43, S4-7, S4-8, S4-38, S4-39
LINKSPAN_CASE_IN(life_world, to_connect_starts_a_server_and_reads_its_tools)
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

// S4-38, S4-49
LINKSPAN_CASE_IN(life_world, to_connect_what_is_unknown_or_disabled_is_an_outcome)
{
    server_options off;
    off.enabled = false;
    hub.add<inproc>("a", a, off);
    auto const unknown = co_await hub.async_connect("nobody");
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

// S0-49, C7
LINKSPAN_CASE_IN(life_world, a_server_that_is_lost_while_it_lists_its_tools_is_a_line_in_the_report_at_once)
{
    a.on(request("tools/list")).then(delay(1s), drop_connection());
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const before = since_start(time);
    auto const report = co_await hub.async_open();
    BOOST_TEST((since_start(time) - before == 1s));
    BOOST_TEST_REQUIRE(report.servers.size() == 2u);
    BOOST_TEST(report.servers[0].ec == make_error_code(error::stream_ended), report.servers[0].ec.message());
    BOOST_TEST((report.servers[0].phase == open_phase::discover));
    BOOST_TEST((report.servers[0].elapsed == 1s));
    BOOST_TEST(static_cast<bool>(report.servers[1]));
    auto const how = co_await hub.async_connect("a");
    BOOST_TEST(how.ec == make_error_code(error::stream_ended));
    BOOST_TEST(state_of(hub, "a") == "waiting");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
}

// S4-36
LINKSPAN_CASE_IN(life_world, those_who_connect_at_once_start_a_server_once)
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

// S4-9, S4-11, S4-40, S4-42
LINKSPAN_CASE_IN(life_world, to_disconnect_ends_a_server_and_forgets_its_tools)
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
    co_await hub.async_disconnect("nobody");
    auto const back = co_await hub.async_connect("a");
    BOOST_TEST(static_cast<bool>(back));
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

LINKSPAN_CASE_IN(life_world, a_call_that_is_out_is_still_answered_when_its_server_is_disconnected)
{
    scripted_server slow;
    slow.on(call("wait")).then(delay(1s), text("done"));
    hub.add<inproc>("slow", slow);
    co_await hub.async_open();
    answer_box box;
    hub.async_call("wait", {}, box.handler());
    co_await settle(executor);
    co_await hub.async_disconnect("slow");
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(state_of(hub, "slow") == "closed");
}

LINKSPAN_CASE_IN(life_world, to_connect_while_a_server_ends_starts_it_when_it_has_ended)
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

// S0-26
LINKSPAN_CASE_IN(life_world, to_disconnect_while_a_server_opens_ends_the_opening)
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

LINKSPAN_CASE_IN(life_world, a_server_that_is_added_later_takes_part_when_it_is_connected)
{
    hub.add<inproc>("a", a, at_priority(1));
    co_await hub.async_open();
    hub.add<inproc>("b", b, at_priority(2));
    BOOST_TEST(names_of(hub) == "ab");
    co_await hub.async_connect("b");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
}

LINKSPAN_CASE_IN(life_world, a_server_that_is_removed_is_gone_and_its_name_is_free)
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

LINKSPAN_CASE_IN(life_world, a_call_falls_over_although_its_server_was_removed_meanwhile)
{
    scripted_server slow;
    slow.on(call("pay")).then(delay(5s), rpc_error(-32600, "what?"));
    hub.add<inproc>("slow", slow, at_priority(9)).add<inproc>("b", b);
    co_await hub.async_open();
    answer_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    co_await hub.async_remove("slow");
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST((box.how() != certainty::completed));
}

// C20
LINKSPAN_CASE_IN(life_world, servers_come_and_go_under_load_and_no_call_is_lost)
{
    hub.add<inproc>("b", b);
    co_await hub.async_open();
    std::size_t answered = 0, failed = 0;
    auto const count = [&](error_code ec, call_result const&) { ++(ec ? failed : answered); };
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
    BOOST_TEST(answered == 400u);
    BOOST_TEST(failed == 0u);
    BOOST_TEST(a.received("tools/call") > 0u);
}

LINKSPAN_CASE_IN(life_world, a_server_is_disabled_and_enabled_at_run_time)
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

// C20
LINKSPAN_CASE_IN(life_world, a_server_is_replaced_when_its_successor_is_ready)
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
    answer_box box;
    hub.on_server("a").async_call("slow", {}, box.handler());
    co_await pass(executor, 2500ms);
    BOOST_TEST_REQUIRE(report.has_value());
    BOOST_TEST(static_cast<bool>(*report));
    BOOST_TEST(box.result.text() == "old"); // the call stays on the server on which it was started
    BOOST_TEST(names_of(hub) == "ab");
    auto const after = co_await hub.on_server("a").async_call("pay");
    BOOST_TEST(after.text() == "next");
}

LINKSPAN_CASE_IN(life_world, a_successor_that_does_not_open_changes_nothing)
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

// Lazy and required servers

// S4-47
LINKSPAN_CASE_IN(life_world, a_lazy_server_starts_when_a_call_needs_it)
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
    auto const again = co_await hub.on_server("a").async_call("pay"); // S4-47
    BOOST_TEST(again.text() == "a");
}

LINKSPAN_CASE_IN(life_world, of_lazy_servers_only_those_are_started_that_are_needed)
{
    hub.add<inproc>("a", a, lazy(2)).add<inproc>("b", b, lazy(1));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(b.connections() == 0u);
    auto const qualified = co_await hub.async_call("b__pay");
    BOOST_TEST(qualified.text() == "b");
}

// S0-25, C27
LINKSPAN_CASE_IN(life_world, a_connector_that_was_never_opened_opens_with_the_first_call)
{
    hub.add<inproc>("a", a, at_priority(1)).add<inproc>("b", b, at_priority(2));
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
    BOOST_TEST(state_of(hub, "a") == "ready");
}

// C7
LINKSPAN_CASE_IN(life_world, an_opening_fails_when_a_required_server_does)
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

// Restarts. S0-51, S0-Q1

// S0-51
LINKSPAN_CASE_IN(life_world, a_server_that_was_lost_is_started_again)
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

LINKSPAN_CASE_IN(life_world, a_call_waits_for_a_server_that_is_started_again)
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

LINKSPAN_CASE_IN(life_world, a_call_does_not_wait_for_a_server_when_another_can_take_it)
{
    hub.add<inproc>("a", a, at_priority(9)).add<inproc>("b", b);
    co_await hub.async_open();
    a.drop_connections();
    co_await settle(executor);
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST((since_start(time) == 0s));
}

// S0-55
LINKSPAN_CASE_IN(life_world, a_server_that_is_lost_again_and_again_has_failed)
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
    BOOST_TEST(contains(hub.state().servers[0].last_error, "given up after 5 restarts; async_connect"));
    BOOST_TEST(hub.state().servers[0].restarts == 5u);
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST(trail_of(result) == "a not_sent");
    BOOST_TEST(contains(result.attempts()[0].detail, "given up after 5 restarts; async_connect"));
    *power.on = true;
    co_await pass(executor, 1h);
    BOOST_TEST(state_of(hub, "a") == "failed");
    auto const outcome = co_await hub.async_connect("a"); // async_connect still opens the server
    BOOST_TEST(static_cast<bool>(outcome));
    BOOST_TEST(state_of(hub, "a") == "ready");
}

// S0-55
LINKSPAN_CASE_IN(life_world, a_server_that_is_lost_again_and_again_is_retried_slowly_without_end)
{
    switched power;
    observed log;
    connector<transports<inproc>, observed> watched(executor, log);
    watched.add<inproc>("a", power.to(a));
    co_await watched.async_open();
    *power.on = false;
    a.drop_connections();
    co_await pass(executor, 1min);
    BOOST_TEST_REQUIRE(log.events->size() == 1u);
    BOOST_TEST(log.events->front().starts_with("a: retried slowly after 5 restarts, next start in "));
    auto const before = watched.state().servers[0];
    BOOST_TEST((before.state == server_state::waiting));
    BOOST_TEST((before.retry_at && *before.retry_at > time.wall_now()));
    BOOST_TEST(contains(before.last_error, "retried slowly after 5 restarts, next start in "), before.last_error);
    BOOST_TEST(contains(before.last_error, "; async_connect starts it at once"), before.last_error);
    co_await pass(executor, 3h);
    BOOST_TEST(log.events->size() == 1u);
    auto const later = watched.state().servers[0];
    BOOST_TEST((later.state == server_state::waiting));
    BOOST_TEST((later.retry_at && *later.retry_at - time.wall_now() <= 5min));
    BOOST_TEST(later.restarts >= before.restarts + 3 * 12);
    auto const [ec, result] = co_await watched.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    BOOST_TEST(contains(result.attempts()[0].detail, "; async_connect starts it at once"));
    auto const wait = result.attempts()[0].result.retry_after;
    BOOST_TEST((wait && *wait - (*later.retry_at - time.wall_now()) < 1ms));
    *power.on = true;
    co_await pass(executor, 5min);
    BOOST_TEST((watched.state().servers[0].state == server_state::ready));
    auto const back = co_await watched.async_call("pay");
    BOOST_TEST(back.text() == "a");
    watched.close();
}

LINKSPAN_CASE_IN(life_world, a_server_that_is_retried_slowly_is_started_at_once_by_hand)
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

LINKSPAN_CASE_IN(life_world, a_server_that_could_not_be_opened_is_tried_again)
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

LINKSPAN_CASE_IN(life_world, to_close_ends_the_restarts)
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

// S4-42
LINKSPAN_CASE_IN(life_world, the_tools_of_a_server_that_comes_back_are_read_again)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.on(call("more")).then(text("new"));
    a.drop_connections();
    co_await pass(executor, 1s);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

// A restart of the server does not imply that the call is sent again.
// S0-55, C29
LINKSPAN_CASE_IN(life_world, a_call_whose_outcome_is_unknown_is_not_sent_to_the_server_that_came_back)
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

// S0-51: a read-only call that is lost with its server is sent again after the restart
LINKSPAN_CASE_IN(life_world, a_read_only_call_returns_to_its_server_when_that_is_back)
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
}

// Servers whose tools are unknown. S0-44
LINKSPAN_CASE_IN(life_world, servers_that_do_not_tell_their_tools_are_tried_in_order_of_priority)
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
    BOOST_TEST(state_of(hub, "primary") == "waiting"); // a connection to it was attempted
    BOOST_TEST(silent.received("tools/call") == 1u);
    BOOST_TEST(hub.catalog()->tools().empty());
}

// S0-34: no server has listed its tools, and all servers fail
LINKSPAN_CASE_IN(life_world, when_servers_that_told_no_tools_all_fail_there_is_a_record_of_each_try)
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

// S0-34: the same, in the order given by the caller
LINKSPAN_CASE_IN(life_world, a_fallback_among_servers_that_told_no_tools_has_a_record_of_each_try)
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

// S0-34: no server is connected, which does not imply that the tool does not exist
LINKSPAN_CASE_IN(life_world, servers_that_told_no_tools_and_have_gone_are_lines_in_the_trail)
{
    switched off;
    *off.on = false;
    hub.add<inproc>("a", off.to(a), with(2)).add<inproc>("b", off.to(b), with(1));
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
    BOOST_TEST_REQUIRE(trail_of(result) == "a not_sent, b not_sent");
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::not_connected));
}

LINKSPAN_CASE_IN(life_world, a_call_waits_for_a_server_that_told_no_tools_and_is_started_again)
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

// S0-50
LINKSPAN_CASE_IN(life_world, a_tool_that_nobody_has_is_not_found_after_all_were_asked)
{
    hub.add<inproc>("a", a).add<inproc>("b", b, lazy());
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("fly", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_TEST(b.connections() == 1u);
    BOOST_TEST(a.received("tools/call") + b.received("tools/call") == 0u);
    BOOST_TEST(trail_of(result) == "b not_sent");
}

// Age of the catalog. S0-Q3, C6

// S0-57, S4-59, C6
LINKSPAN_CASE_IN(life_world, a_list_that_is_old_is_read_again_and_no_call_waits_for_it)
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

// S0-57, C6
LINKSPAN_CASE_IN(life_world, a_server_says_how_long_its_list_holds)
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

// S0-28
LINKSPAN_CASE_IN(life_world, tools_of_a_declared_group_stand_in_for_each_other)
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

// Selectors. S0-5

// S0-5, S0-19
LINKSPAN_CASE_IN(life_world, a_selector_leaves_a_call_to_servers_with_its_tags)
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

// S0-33, C26
LINKSPAN_CASE_IN(life_world, a_selector_of_names_is_followed_in_its_order)
{
    std::deque<scripted_server> dead(10);
    switched off;
    *off.on = false;
    selector order;
    for (std::size_t i = 0; i != dead.size(); ++i) {
        order.servers.push_back("dead" + std::to_string(i));
        hub.add<inproc>(order.servers.back(), off.to(dead[i]), at_priority(static_cast<int>(i)));
    }
    hub.add<inproc>("a", a, at_priority(100)).add<inproc>("b", b);
    order.servers.push_back("b");
    auto const result = co_await hub.on_servers(order).async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST_REQUIRE(result.attempts().size() == 11u); // all ten, in the order of the list
    for (std::size_t i = 0; i != dead.size(); ++i)
        BOOST_TEST(result.attempts()[i].server == order.servers[i]);
    selector wrong;
    wrong.servers = {"bb"};
    auto const [ec, none] = co_await hub.on_servers(wrong).async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unknown_server));
    BOOST_TEST(contains(none.detail(), "nearest: b"), none.detail());
}

BOOST_AUTO_TEST_SUITE_END()
