// Cancellation of the operations of a connector, except for calls (see connector_closing.cpp).

#include <linkspan/connector.hpp>
#include <linkspan/connector/with_open.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "support/connector_case.hpp"
#include "support/every_turn.hpp"

BOOST_AUTO_TEST_SUITE(connector_cancellation_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::server_options;
using linkspan::server_state;
using linkspan::start_mode;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

error_code const aborted = asio::error::operation_aborted;
constexpr auto graceful = 3s; // duration of the graceful end of a connection

using tracked_hub = linkspan::connector<linkspan::transports<tracked>>;

// A connector with the servers "a" and "b", whose connections are counted. Both offer the tool "pay".
struct tracked_world : world {
    scripted_server a, b;
    std::shared_ptr<std::size_t> open = std::make_shared<std::size_t>(0);
    std::optional<tracked_hub> hub;

    tracked_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
        hub.emplace(executor);
    }

    tracked_config config(scripted_server& server) const { return {server, open, graceful}; }

    void add(std::string name, scripted_server& server, server_options options = {})
    {
        hub->add<tracked>(std::move(name), config(server), std::move(options));
    }

    // Adds both servers; `tools/list` of "b" takes two seconds.
    void add_both(server_options for_b = with(1))
    {
        b.on(request("tools/list"))
            .then(delay(2s), result(R"("tools":[{"name":"pay","inputSchema":{"type":"object"}}])"));
        add("a", a, with(2));
        add("b", b, std::move(for_b));
    }

    template<class Start>
    error_code run(Start start)
    {
        std::optional<error_code> ended;
        start([&](error_code ec) { ended = ec; });
        time.run_until([&] { return ended.has_value(); });
        return *ended;
    }

    error_code open_all()
    {
        return run([&](auto done) { hub->async_open([done](error_code ec, auto const&) { done(ec); }); });
    }

    error_code shut_down()
    {
        return run([&](auto done) { hub->async_shutdown([done](error_code ec, auto const&) { done(ec); }); });
    }

    std::string call_pay()
    {
        std::string reply_text;
        run([&](auto done) {
            hub->async_call("pay", {}, [&reply_text, done](error_code ec, linkspan::call_result const& result) {
                reply_text = result.text();
                done(ec);
            });
        });
        return reply_text;
    }

    server_state state(std::size_t line) const { return hub->state().servers[line].state; }

    // Checks that the connector opens, calls and shuts down as usual, and that nothing remains afterwards.
    void check_all_works()
    {
        BOOST_TEST(!open_all());
        BOOST_TEST(call_pay() == "a");
        auto const servers = hub->state().servers.size();
        BOOST_TEST(*open == servers);
        auto const ended = shut_down();
        BOOST_TEST(!ended, ended.message());
        BOOST_TEST(*open == 0u);
        hub.reset();
        time.run_for(0s);
        context.restart();
        context.poll();
        BOOST_TEST(context.stopped());
        BOOST_TEST(time.pending() == 0u);
    }
};

// Starts an operation on a connector; the slot is bound to its handler.
using starter = std::function<void(tracked_hub&, asio::cancellation_slot, end_handler)>;

template<class Start>
starter starting(Start start)
{
    return [start](tracked_hub& hub, asio::cancellation_slot slot, end_handler done) {
        start(hub, asio::bind_cancellation_slot(slot,
                                                [done = std::move(done)](error_code ec, auto const&...) { done(ec); }));
    };
}

auto const start_open = starting([](auto& hub, auto done) { hub.async_open(std::move(done)); });
auto const connect_b = starting([](auto& hub, auto done) { hub.async_connect("b", std::move(done)); });
auto const enable_b = starting([](auto& hub, auto done) { hub.async_enable("b", std::move(done)); });
auto const refresh_it = starting([](auto& hub, auto done) { hub.async_refresh_tools(std::move(done)); });
auto const verify_b = starting(
    [](auto& hub, auto done) { hub.async_verify_pins("b", std::vector<linkspan::tool_pin>(), std::move(done)); });
auto const disconnect_a = starting([](auto& hub, auto done) { hub.async_disconnect("a", std::move(done)); });
auto const disable_a = starting([](auto& hub, auto done) { hub.async_disable("a", std::move(done)); });
auto const remove_a = starting([](auto& hub, auto done) { hub.async_remove("a", std::move(done)); });
auto const shut_down_it = starting([](auto& hub, auto done) { hub.async_shutdown(std::move(done)); });

// An operation that opens servers, on a connector whose server "a" may already be open.
struct opening_world : tracked_world {
    opening_world(starter what, std::size_t opened, server_options for_b = with(1))
        : operation(std::move(what)), opened_before(opened)
    {
        add_both(std::move(for_b));
    }

    void prepare()
    {
        if (opened_before != 0)
            run([&](auto done) { hub->async_connect("a", [done](error_code ec, auto const&) { done(ec); }); });
        BOOST_TEST(*open == opened_before);
    }

    void start(asio::cancellation_slot slot, end_handler done) { operation(*hub, slot, std::move(done)); }

    void check(error_code ec)
    {
        if (ec) {
            BOOST_TEST(ec == aborted, ec.message());
            BOOST_TEST(*open == opened_before);
            auto const was = b.connections();
            time.run_for(200s);
            BOOST_TEST(*open == opened_before);
            BOOST_TEST(b.connections() == was); // the server is not restarted
            BOOST_TEST(hub->catalog()->tools().size() == opened_before);
        }
        check_all_works();
    }

    starter operation;
    std::size_t opened_before;
};

void check_opening(starter const& operation, std::size_t opened_before, server_options const& for_b = with(1))
{
    for (auto const type : {cancel::terminal, cancel::partial}) {
        auto const turns = cancel_at_every_turn<opening_world>(type, operation, opened_before, for_b);
        BOOST_TEST(turns > 5u);
    }
}

// An operation that ends the open server "a", beside "b". A call that completes after a second may be in flight on "a".
struct ending_world : tracked_world {
    ending_world(starter what, bool calls, bool only_a) : operation(std::move(what)), is_busy(calls), of_a(only_a)
    {
        a.on(call("slow")).then(delay(1s), text("slow"));
        add("a", a, with(2));
        add("b", b, with(1));
    }

    void prepare()
    {
        BOOST_TEST(!open_all());
        if (is_busy)
            hub->async_call("slow", {}, slow.handler());
        time.run_for(0s);
    }

    void start(asio::cancellation_slot slot, end_handler done) { operation(*hub, slot, std::move(done)); }

    void check(error_code ec)
    {
        BOOST_TEST((!ec || ec == aborted), ec.message());
        BOOST_TEST(*open == (of_a ? 1u : 0u));
        BOOST_TEST(slow.count == (is_busy ? 1u : 0u));
        auto const line = hub->state().servers.front();
        BOOST_TEST((line.server == "b" || line.state == server_state::closed || line.state == server_state::disabled));
        auto const ended = run([&](auto done) { // the server may be disabled or removed
            hub->async_enable("a", [done](error_code failed, linkspan::server_report const&) { done(failed); });
        });
        BOOST_TEST(!ended, ended.message());
        auto const left = hub->state().servers.size();
        BOOST_TEST(!open_all());
        BOOST_TEST(*open == left);
        BOOST_TEST(!shut_down());
        BOOST_TEST(*open == 0u);
    }

    starter operation;
    bool is_busy, of_a;
    completion_box slow;
};

void check_ending(starter const& operation, bool only_a)
{
    for (auto const type : {cancel::terminal, cancel::partial})
        for (bool const calls : {false, true})
            cancel_at_every_turn<ending_world>(type, operation, calls, only_a);
}

} // namespace

// Operations that open servers

BOOST_AUTO_TEST_CASE(open_cancelled_at_any_turn_closes_servers_it_started)
{
    check_opening(start_open, 0);
    check_opening(start_open, 1);
}

BOOST_AUTO_TEST_CASE(open_cancelled_while_server_waits_for_restart_leaves_it_closed)
{
    struct failing_world : opening_world {
        explicit failing_world(starter what) : opening_world(std::move(what), 0, server_options())
        {
            hub.emplace(executor);
            server_options options;
            options.priority = 1;
            c.on(request("initialize")).times(2, drop_connection());
            c.on(request("server/discover")).times(2, drop_connection());
            add("a", a, with(2));
            add("c", c, options);
            add("b", b, with(1));
        }

        void check(error_code ec)
        {
            if (ec)
                BOOST_TEST(*open == 0u);
            auto const was = c.connections();
            if (ec)
                time.run_for(200s);
            BOOST_TEST(c.connections() == was);
        }

        scripted_server c;
    };
    cancel_at_every_turn<failing_world>(cancel::terminal, start_open);
}

BOOST_AUTO_TEST_CASE(connect_cancelled_at_any_turn_closes_server) { check_opening(connect_b, 1); }

BOOST_AUTO_TEST_CASE(enable_cancelled_at_any_turn_closes_server)
{
    auto disabled = with(1);
    disabled.enabled = false;
    check_opening(enable_b, 1, disabled);
}

BOOST_AUTO_TEST_CASE(refresh_cancelled_at_any_turn_closes_servers_it_started) { check_opening(refresh_it, 1); }

BOOST_AUTO_TEST_CASE(verify_pins_cancelled_at_any_turn_closes_server_it_started) { check_opening(verify_b, 1); }

BOOST_AUTO_TEST_CASE(total_cancellation_is_ignored_by_operations_that_open_or_close_servers)
{
    for (auto const& operation : {start_open, connect_b, refresh_it, verify_b, disconnect_a, remove_a, shut_down_it}) {
        tracked_world here;
        here.add_both();
        BOOST_TEST(!here.run(
            [&](auto done) { here.hub->async_connect("a", [done](error_code ec, auto const&) { done(ec); }); }));
        asio::cancellation_signal signal;
        auto const ec = here.run([&](auto done) {
            operation(*here.hub, signal.slot(), done);
            signal.emit(cancel::total);
        });
        BOOST_TEST(!ec, ec.message());
        here.hub.reset();
    }
}

// The new server is opened beside the old one, which serves all calls until the replacement is complete.
struct replacing_world : tracked_world {
    replacing_world() { add_both(); }

    void prepare()
    {
        BOOST_TEST(!open_all());
        c.on(call("pay")).then(text("c"));
        c.on(request("tools/list"))
            .then(delay(2s), result(R"("tools":[{"name":"pay","inputSchema":{"type":"object"}}])"));
    }

    void start(asio::cancellation_slot slot, end_handler done)
    {
        auto on_end = asio::bind_cancellation_slot(slot, [done](error_code ec, auto const& how) {
            BOOST_TEST(how.server == "a");
            BOOST_TEST((how.ec == ec));
            done(ec);
        });
        hub->async_replace<tracked>("a", config(c), with(2), std::move(on_end));
    }

    void check(error_code ec)
    {
        BOOST_TEST(call_pay() == (ec ? "a" : "c"));
        time.run_for(graceful);
        BOOST_TEST(*open == 2u);
        BOOST_TEST(!shut_down());
        BOOST_TEST(*open == 0u);
    }

    scripted_server c;
};

BOOST_AUTO_TEST_CASE(replace_cancelled_at_any_turn_keeps_old_server)
{
    for (auto const type : {cancel::terminal, cancel::partial, cancel::total})
        BOOST_TEST(cancel_at_every_turn<replacing_world>(type) > 5u);
}

LINKSPAN_CASE_IN(tracked_world, server_shared_by_two_opening_operations_stays_open_if_one_is_cancelled)
{
    add_both();
    asio::cancellation_signal first, second;
    std::vector<error_code> ends;
    auto const on_end = [&](error_code ec, auto const&) { ends.push_back(ec); };
    hub->async_open(asio::bind_cancellation_slot(first.slot(), on_end));
    hub->async_connect("b", asio::bind_cancellation_slot(second.slot(), on_end));
    co_await settle(executor);
    BOOST_TEST(*open == 2u);
    first.emit(cancel::terminal);
    BOOST_TEST(*open == 1u); // "a" is ready and was opened by the first operation alone
    co_await pass(executor, 5s);
    BOOST_TEST_REQUIRE(ends.size() == 2u);
    BOOST_TEST(ends[0] == aborted);
    BOOST_TEST(!ends[1]);
    second.emit(cancel::terminal); // the second operation has already completed
    co_await settle(executor);
    BOOST_TEST((state(1) == server_state::ready));
    BOOST_TEST(*open == 1u);
}

LINKSPAN_CASE_IN(tracked_world, server_is_closed_when_all_operations_opening_it_are_cancelled)
{
    add_both();
    asio::cancellation_signal first, second;
    std::vector<error_code> ends;
    auto const on_end = [&](error_code ec, auto const&) { ends.push_back(ec); };
    hub->async_open(asio::bind_cancellation_slot(first.slot(), on_end));
    co_await settle(executor);
    hub->async_open(asio::bind_cancellation_slot(second.slot(), on_end)); // "a" is already ready
    first.emit(cancel::terminal);
    BOOST_TEST(*open == 2u);
    second.emit(cancel::terminal);
    BOOST_TEST(*open == 0u);
    co_await settle(executor);
    BOOST_TEST((ends == std::vector{aborted, aborted}));
}

LINKSPAN_CASE_IN(tracked_world, server_used_by_call_stays_open_when_its_opening_is_cancelled)
{
    add_both();
    a.on(call("slow")).then(delay(1s), text("slow"));
    asio::cancellation_signal signal;
    error_code ended;
    completion_box box;
    hub->async_open(asio::bind_cancellation_slot(signal.slot(), [&](error_code ec, auto const&) { ended = ec; }));
    co_await settle(executor);
    hub->async_call("slow", {}, box.handler());
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await pass(executor, 2s);
    BOOST_TEST(ended == aborted);
    BOOST_TEST(box.result.text() == "slow");
    BOOST_TEST((state(0) == server_state::ready));
    BOOST_TEST((state(1) == server_state::closed));
    BOOST_TEST(*open == 1u);
}

LINKSPAN_CASE_IN(tracked_world, cancelled_open_reports_each_server)
{
    add_both();
    asio::cancellation_signal signal;
    linkspan::open_report report;
    auto on_end = [&](error_code ec, linkspan::open_report const& how) {
        BOOST_TEST(ec == aborted);
        report = how;
    };
    hub->async_open(asio::bind_cancellation_slot(signal.slot(), on_end));
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(report.servers.size() == 2u);
    for (auto const& line : report.servers)
        BOOST_TEST(line.ec == aborted, line.server << ": " << line.ec.message());
}

LINKSPAN_CASE_IN(tracked_world, closing_server_is_not_restarted_for_cancelled_connect)
{
    add("a", a, with(2));
    co_await hub->async_open();
    bool is_disconnected = false;
    hub->async_disconnect("a", [&](error_code) { is_disconnected = true; });
    asio::cancellation_signal signal;
    error_code ended;
    auto const on_end = [&](error_code ec, auto const&) { ended = ec; };
    hub->async_connect("a", asio::bind_cancellation_slot(signal.slot(), on_end));
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await settle(executor);
    BOOST_TEST(ended == aborted);
    BOOST_TEST(!is_disconnected);
    co_await pass(executor, 10s);
    BOOST_TEST(is_disconnected);
    BOOST_TEST((state(0) == server_state::closed));
    BOOST_TEST(a.connections() == 1u);
}

// Operations that end servers

BOOST_AUTO_TEST_CASE(disconnect_cancelled_at_any_turn_closes_server_immediately) { check_ending(disconnect_a, true); }

BOOST_AUTO_TEST_CASE(disable_cancelled_at_any_turn_closes_server_immediately) { check_ending(disable_a, true); }

BOOST_AUTO_TEST_CASE(remove_cancelled_at_any_turn_closes_server_immediately) { check_ending(remove_a, true); }

BOOST_AUTO_TEST_CASE(shutdown_cancelled_at_any_turn_closes_all_servers_immediately)
{
    check_ending(shut_down_it, false);
}

LINKSPAN_CASE_IN(tracked_world, cancelled_shutdown_keeps_servers_reopened_meanwhile)
{
    add("a", a, with(2));
    add("b", b, with(1));
    co_await hub->async_open();
    asio::cancellation_signal signal;
    linkspan::shutdown_report report;
    error_code ended;
    auto on_end = [&](error_code ec, linkspan::shutdown_report const& how) {
        ended = ec;
        report = how;
    };
    hub->async_shutdown(asio::bind_cancellation_slot(signal.slot(), on_end));
    bool is_open = false;
    hub->async_connect("b", [&](error_code, linkspan::server_report const& how) { is_open = !how.ec; });
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await settle(executor);
    BOOST_TEST(ended == aborted);
    BOOST_TEST_REQUIRE(report.servers.size() == 2u);
    BOOST_TEST(report.servers[0].ec == aborted);
    BOOST_TEST(is_open);
    BOOST_TEST((state(0) == server_state::closed));
    BOOST_TEST((state(1) == server_state::ready));
    BOOST_TEST(*open == 1u);
}

// With coroutines

LINKSPAN_CASE_IN(tracked_world, open_is_cancelled_if_timer_expires_first)
{
    using namespace asio::experimental::awaitable_operators;
    add_both();
    b.on(request("server/discover")).then(hang());
    linkspan::timer limit(executor);
    limit.expires_after(1s);
    auto opens = hub->async_open(asio::as_tuple(asio::use_awaitable));
    auto waits = limit.async_wait(asio::as_tuple(asio::use_awaitable));
    auto const first = co_await (std::move(opens) || std::move(waits));
    BOOST_TEST(first.index() == 1u);
    BOOST_TEST((since_start(time) == 1s));
    BOOST_TEST(*open == 0u);
}

LINKSPAN_CASE_IN(tracked_world, with_open_cancelled_twice_shuts_connector_down_gracefully)
{
    add("a", a, with(2));
    asio::cancellation_signal signal;
    bool is_over = false;
    auto const body = [this]() -> asio::awaitable<void> { co_await pass(executor, 1h); };
    asio::co_spawn(executor, linkspan::async_with_open(*hub, body),
                   asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { is_over = true; }));
    co_await pass(executor, 1s);
    signal.emit(cancel::terminal);
    co_await pass(executor, 1s);
    signal.emit(cancel::terminal);
    co_await settle(executor);
    BOOST_TEST(!is_over);
    BOOST_TEST(*open == 1u);
    co_await pass(executor, graceful);
    BOOST_TEST(is_over);
    BOOST_TEST(*open == 0u);
}

// Lifetime

BOOST_AUTO_TEST_CASE(signal_may_be_emitted_after_connector_and_context_are_destroyed)
{
    for (auto const& operation : {start_open, connect_b, refresh_it, verify_b, disconnect_a, remove_a, shut_down_it})
        for (bool const context_ends : {false, true}) {
            asio::cancellation_signal signal;
            std::size_t count = 0;
            {
                tracked_world here;
                here.add_both();
                here.run(
                    [&](auto done) { here.hub->async_connect("a", [done](error_code ec, auto const&) { done(ec); }); });
                operation(*here.hub, signal.slot(), [&](error_code) { ++count; });
                here.hub.reset();
                signal.emit(cancel::terminal);
                BOOST_TEST(count == 0u);
                if (!context_ends)
                    here.time.run_until_idle();
                BOOST_TEST(count == (context_ends ? 0u : 1u));
            }
            signal.emit(cancel::terminal);
            BOOST_TEST(count == (context_ends ? 0u : 1u));
        }
}

BOOST_AUTO_TEST_SUITE_END()
