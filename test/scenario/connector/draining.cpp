// Servers that end while calls are outstanding or operations wait: repeated ends, and openings during an end.

#include <optional>
#include <utility>

#include "support/connector_case.hpp"
#include "support/slow_shutdown.hpp"

BOOST_AUTO_TEST_SUITE(draining_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

using slow_hub = connector<transports<inproc, slow_shutdown>>;

// The tool "pay" of server "a" takes 2 s. The end of server "b" takes 3 s.
struct draining_world : world {
    scripted_server a, b;
    slow_hub hub{executor};

    draining_world()
    {
        a.on(call("pay")).then(delay(2s), text("a"));
        b.on(call("look")).then(text("b"));
        hub.add<inproc>("a", a).add<slow_shutdown>("b", b);
    }

    server_state state_of(std::size_t line) const { return hub.state().servers.at(line).state; }
};

// The time of the completion of an operation; empty: outstanding.
struct end_box {
    std::optional<duration> at;
    error_code ec;

    auto handler(virtual_time const& time)
    {
        return [this, &time](error_code e) {
            at = since_start(time);
            ec = e;
        };
    }
};

// A call, and the time of its completion; empty: outstanding.
struct timed_call {
    std::optional<duration> at;
    completion_box box;

    auto handler(virtual_time const& time)
    {
        return [this, &time](error_code ec, call_result result) {
            at = since_start(time);
            box.handler()(ec, std::move(result));
        };
    }
};

} // namespace

LINKSPAN_CASE_IN(draining_world, later_closing_operation_on_draining_server_waits_for_its_calls)
{
    using operation = void (*)(slow_hub&, end_box&, virtual_time const&);
    std::pair<operation, std::optional<server_state>> const ends[] = {
        {[](slow_hub& on, end_box& box, virtual_time const& clock) { on.async_disconnect("a", box.handler(clock)); },
         server_state::closed},
        {[](slow_hub& on, end_box& box, virtual_time const& clock) { on.async_disable("a", box.handler(clock)); },
         server_state::disabled},
        {[](slow_hub& on, end_box& box, virtual_time const& clock) { on.async_remove("a", box.handler(clock)); }, {}}};
    for (auto const& [end, after] : ends) {
        co_await hub.async_connect("a");
        auto const start = since_start(time);
        completion_box box;
        hub.async_call("pay", {}, box.handler());
        co_await settle(executor);
        end_box first, second;
        hub.async_disconnect("a", first.handler(time));
        co_await pass(executor, 500ms);
        end(hub, second, time);
        co_await pass(executor, 2s);
        BOOST_TEST(!box.ec, box.ec.message());
        BOOST_TEST(box.result.text() == "a");
        BOOST_TEST((first.at == start + 2s));
        BOOST_TEST((second.at == start + 2s));
        BOOST_TEST(!first.ec);
        BOOST_TEST(!second.ec);
        BOOST_TEST(hub.state().servers.size() == (after ? 2u : 1u));
        if (after)
            BOOST_TEST((state_of(0) == *after));
        if (after == server_state::disabled)
            co_await hub.async_enable("a");
    }
}

LINKSPAN_CASE_IN(draining_world, later_disconnect_does_not_extend_drain_timeout)
{
    scripted_server slow;
    slow.on(call("sleep")).then(hang());
    server_options options;
    options.drain_timeout = 5s;
    hub.add<inproc>("slow", slow, options);
    co_await hub.async_connect("slow");
    completion_box box;
    hub.async_call("sleep", {}, box.handler());
    co_await settle(executor);
    end_box first, second;
    hub.async_disconnect("slow", first.handler(time));
    co_await pass(executor, 3s);
    hub.async_disconnect("slow", second.handler(time));
    co_await pass(executor, 10s);
    BOOST_TEST((first.at == 5s));
    BOOST_TEST((second.at == 5s));
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec.failed());
}

LINKSPAN_CASE_IN(draining_world, connect_while_server_drains_starts_it_afterwards)
{
    co_await hub.async_connect("a");
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    end_box end;
    hub.async_disconnect("a", end.handler(time));
    auto const report = co_await hub.async_connect("a");
    BOOST_TEST(!report.ec, report.ec.message() << ": " << report.detail);
    BOOST_TEST((since_start(time) == 2s));
    BOOST_TEST((end.at == 2s));
    BOOST_TEST(box.result.text() == "a");
    BOOST_TEST((state_of(0) == server_state::ready));
    BOOST_TEST(a.connections() == 2u);
}

LINKSPAN_CASE_IN(draining_world, later_disconnect_supersedes_connect_that_waits_for_the_closing)
{
    co_await hub.async_open();
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    for (auto const* const name : {"a", "b"}) { // drained, and in its shutdown
        hub.async_disconnect(name, [](error_code) {});
        co_await settle(executor);
        std::optional<server_report> report;
        hub.async_connect(name, [&](error_code, server_report const& how) { report = how; });
        end_box end;
        hub.async_disconnect(name, end.handler(time));
        co_await pass(executor, 5s);
        BOOST_TEST_REQUIRE(report.has_value());
        BOOST_TEST(report->ec == make_error_code(error::not_connected), name << ": " << report->ec.message());
        BOOST_TEST(end.at.has_value());
    }
    BOOST_TEST((state_of(0) == server_state::closed));
    BOOST_TEST((state_of(1) == server_state::closed));
}

LINKSPAN_CASE_IN(draining_world, disconnect_during_the_first_list_completes_connect)
{
    a.on(request("tools/list")).then(delay(2s), result(R"("tools":[])"));
    std::optional<server_report> report;
    hub.async_connect("a", [&](error_code, server_report const& how) { report = how; });
    co_await pass(executor, 1s);
    end_box end;
    hub.async_disconnect("a", end.handler(time));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(report.has_value());
    BOOST_TEST(report->ec == make_error_code(error::not_connected), report->ec.message());
    co_await pass(executor, 5s);
    BOOST_TEST((end.at == 2s));
    BOOST_TEST((state_of(0) == server_state::closed));
}

// Two calls wait for one opening. The handler of an operation between them disconnects the server.
LINKSPAN_CASE_IN(draining_world, call_that_waited_for_the_opening_is_not_sent_to_draining_server)
{
    a.on(request("server/discover")).then(delay(1s), rpc_error(-32601, "no"));
    completion_box sent, late;
    end_box end;
    hub.on_server("a").async_call("pay", {}, sent.handler());
    co_await pass(executor, 100ms);
    hub.async_connect("a", [&](error_code, server_report const& report) {
        BOOST_TEST(!report.ec, report.ec.message());
        hub.async_disconnect("a", end.handler(time));
    });
    std::optional<server_report> later;
    hub.async_connect("a", [&](error_code, server_report const& report) { later = report; });
    hub.on_server("a").async_call("pay", {}, late.handler());
    co_await pass(executor, 10s);
    BOOST_TEST(!sent.ec, sent.ec.message());
    BOOST_TEST(sent.result.text() == "a");
    BOOST_TEST((end.at == 3s));
    BOOST_TEST_REQUIRE(later.has_value());
    BOOST_TEST(later->ec == make_error_code(error::not_connected), later->ec.message());
    BOOST_TEST(late.count == 1u);
    BOOST_TEST(late.ec == make_error_code(error::not_connected), late.ec.message());
    BOOST_TEST((late.delivery() == certainty::not_sent));
    BOOST_TEST(a.received("\"tools/call\"") == 1u);
}

// The list of tools that the first call waits for is outstanding, or has failed, when the server is disconnected.

LINKSPAN_CASE_IN(draining_world, call_that_waits_for_the_first_list_is_not_sent_to_draining_server)
{
    a.on(request("tools/list")).then(delay(2s), result(R"("tools":[])"));
    completion_box late;
    end_box end;
    hub.on_server("a").async_call("pay", {}, late.handler());
    co_await pass(executor, 1s);
    hub.async_disconnect("a", end.handler(time));
    co_await pass(executor, 10s);
    BOOST_TEST((end.at == 2s));
    BOOST_TEST(late.count == 1u);
    BOOST_TEST(late.ec == make_error_code(error::not_connected), late.ec.message());
    BOOST_TEST((late.delivery() == certainty::not_sent));
    BOOST_TEST(a.received("\"tools/call\"") == 0u);
}

LINKSPAN_CASE_IN(draining_world, call_that_waited_for_a_failed_list_is_not_sent_to_draining_server)
{
    a.on(request("tools/list")).then(delay(1s), rpc_error(-32603, "no"));
    completion_box sent, late;
    end_box end;
    hub.on_server("a").async_call("pay", {}, sent.handler());
    co_await pass(executor, 100ms);
    hub.async_connect("a", [&](error_code, server_report const&) { hub.async_disconnect("a", end.handler(time)); });
    hub.on_server("a").async_call("pay", {}, late.handler());
    co_await pass(executor, 10s);
    BOOST_TEST(!sent.ec, sent.ec.message());
    BOOST_TEST(end.at.has_value());
    BOOST_TEST(late.count == 1u);
    BOOST_TEST(late.ec == make_error_code(error::not_connected), late.ec.message());
    BOOST_TEST((late.delivery() == certainty::not_sent));
    BOOST_TEST(a.received("\"tools/call\"") == 1u);
}

// Disabled servers

LINKSPAN_CASE_IN(draining_world, opening_of_disabled_server_during_its_shutdown_reports_that_it_is_disabled)
{
    co_await hub.async_open();
    end_box end;
    hub.async_disable("b", end.handler(time));
    co_await pass(executor, 1s);
    auto const report = co_await hub.async_connect("b");
    BOOST_TEST(report.ec == make_error_code(error::server_disabled), report.ec.message());
    BOOST_TEST((since_start(time) == 1s));
    auto const opened = co_await hub.async_open();
    BOOST_TEST(opened.servers.empty());
    BOOST_TEST((since_start(time) == 1s));
    co_await pass(executor, 5s);
    BOOST_TEST((end.at == 3s));
    BOOST_TEST((state_of(1) == server_state::disabled));
}

// A call does not wait for a server that is disabled while it opens, while it is shut down, and afterwards.
LINKSPAN_CASE_IN(draining_world, call_to_disabled_server_completes_without_wait)
{
    scripted_server c;
    c.on(request("server/discover")).then(delay(60s), rpc_error(-32601, "no"));
    hub.add<inproc>("c", c);
    timed_call opening, waiting, draining, closing, disabled;
    hub.on_server("c").async_call("slow", {}, opening.handler(time));
    co_await hub.async_connect("a");
    co_await hub.async_connect("b");
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await pass(executor, 1s);
    for (auto const* const name : {"a", "b", "c"})
        hub.async_disable(name, [](error_code) {});
    hub.on_server("c").async_call("slow", {}, waiting.handler(time));
    hub.on_server("a").async_call("pay", {}, draining.handler(time));
    hub.on_server("b").async_call("look", {}, closing.handler(time));
    co_await pass(executor, 9s);
    BOOST_TEST(box.result.text() == "a");
    hub.on_server("b").async_call("look", {}, disabled.handler(time));
    co_await pass(executor, 1000s);
    for (auto const* const one : {&opening, &waiting, &draining, &closing}) {
        BOOST_TEST((one->at == 1s));
        BOOST_TEST(one->box.ec.failed());
        BOOST_TEST((one->box.delivery() == certainty::not_sent));
    }
    BOOST_TEST((disabled.at == 10s));
    BOOST_TEST(disabled.box.ec == make_error_code(error::server_disabled), disabled.box.ec.message());
}

LINKSPAN_CASE_IN(draining_world, server_that_is_enabled_during_its_shutdown_is_opened_afterwards)
{
    co_await hub.async_open();
    hub.async_disable("b", [](error_code) {});
    co_await pass(executor, 1s);
    auto const report = co_await hub.async_enable("b");
    BOOST_TEST(!report.ec, report.ec.message());
    BOOST_TEST((since_start(time) == 3s));
    BOOST_TEST((state_of(1) == server_state::ready));
}

BOOST_AUTO_TEST_SUITE_END()
