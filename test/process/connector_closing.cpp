// End of a connector, with outstanding operations, at any time.

#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(connector_closing_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::replay_class;
using linkspan::stdio;
using linkspan::stdio_config;
using observe::leaves_nothing;

// Records the completions of operations.
struct ends {
    std::vector<std::vector<error_code>> calls;
    std::vector<error_code> open, shutdown;

    explicit ends(std::size_t count) : calls(count) {}

    auto call(std::size_t i)
    {
        return [this, i](error_code ec, linkspan::call_result const&) { calls[i].push_back(ec); };
    }

    std::size_t aborted() const
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            calls, [](auto const& call) { return call.size() == 1 && call[0] == asio::error::operation_aborted; }));
    }

    std::size_t succeeded() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(calls, [](auto const& call) { return call.size() == 1 && !call[0]; }));
    }
};

// A connector with a context of its own and without coroutines, so that tests control each turn of the loop.
struct bare_hub {
    explicit bare_hub(stdio_config const& config, linkspan::server_options const& options = {})
    {
        hub->add<stdio>("fault", config, options);
    }

    bare_hub& open()
    {
        bool opened = false;
        hub->async_open([&](error_code ec, linkspan::open_report const&) {
            BOOST_TEST(!ec);
            opened = true;
        });
        observe::run_until(context, [&] { return opened; });
        return *this;
    }

    // Runs at most `count` turns of the loop, or fewer if `done()` is true earlier.
    template<class Done>
    void turns(int count, Done done)
    {
        context.restart();
        while (count-- > 0 && !done())
            BOOST_TEST_REQUIRE(context.run_one_for(observe::limit) == 1u);
    }

    // Runs all remaining handlers, which must not wait for any event.
    void finish()
    {
        context.restart();
        context.poll();
        BOOST_TEST(context.stopped(), "operations are still outstanding");
    }

    asio::io_context context{1};
    std::unique_ptr<hub_type> hub = std::make_unique<hub_type>(context.get_executor());
};

// The calls fail without a timer: the events that are ready after the exit of the server are sufficient.
BOOST_FIXTURE_TEST_CASE(exit_of_server_fails_calls_in_same_turn_of_loop, leaves_nothing)
{
    bare_hub bare(mock("mock-calculator"));
    bare.open();
    pid_t pid = 0;
    bare.hub->async_call("process_id", {}, [&](error_code ec, linkspan::call_result const& result) {
        BOOST_TEST_REQUIRE(!ec);
        pid = std::stoi(result.text());
    });
    observe::run_until(bare.context, [&] { return pid != 0; });
    observe::process const server(pid);
    ends seen(2);
    for (std::size_t i = 0; i != 2; ++i)
        bare.hub->async_call("add", linkspan::raw_json(R"({"a":2,"b":3,"delay_ms":100000})"), seen.call(i));
    bare.context.restart();
    bare.context.poll(); // the calls are written
    BOOST_TEST(seen.calls[0].empty());
    ::kill(pid, SIGKILL);
    BOOST_TEST(server.ends());
    bare.context.restart();
    bare.context.poll();
    for (auto const& call : seen.calls) {
        BOOST_TEST_REQUIRE(call.size() == 1u);
        BOOST_TEST((call[0] == error::outcome_unknown), call[0].message());
    }
    BOOST_TEST(contains(bare.hub->state().servers[0].last_error, "killed by signal 9"),
               bare.hub->state().servers[0].last_error);
}

// A server of protocol version 2025-11-25 that executes these shell commands after its response to `initialize`.
stdio_config greeting(std::string const& then, std::vector<std::string> args = {})
{
    return sh(R"(response='"result":{"protocolVersion":"2025-11-25","capabilities":{}}'
                 read line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'
                 read line; echo '{"jsonrpc":"2.0","id":2,'"$response"'}'
                 )" +
                  then,
              std::move(args));
}

// Creates a named pipe. The descriptor is open for reading and writing, so that neither side blocks when opening it.
linkspan::detail::unique_fd named_pipe(std::string const& path)
{
    BOOST_TEST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    return linkspan::detail::unique_fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
}

// The child process continues to run and is not waited for. It closes its output on command and reports that.
BOOST_FIXTURE_TEST_CASE(server_that_closes_its_output_is_killed_immediately, leaves_nothing)
{
    observe::folder const folder;
    auto const go = named_pipe(folder.path() + "/go"), closed = named_pipe(folder.path() + "/closed");
    bare_hub bare(greeting(R"(read go <"$0/go"; exec >&-; echo >"$0/closed"; exec sleep 1000)", {folder.path()}));
    bare.open();
    BOOST_TEST_REQUIRE(::write(go.get(), "\n", 1) == 1);
    pollfd wanted{.fd = closed.get(), .events = POLLIN, .revents = 0};
    auto const limit = std::chrono::milliseconds(observe::limit).count();
    BOOST_TEST_REQUIRE(::poll(&wanted, 1, static_cast<int>(limit)) == 1);
    bare.context.restart();
    bare.context.poll();
    auto const state = bare.hub->state().servers[0];
    BOOST_TEST((state.state == linkspan::server_state::waiting));
    BOOST_TEST(contains(state.last_error, "killed by signal 9"), state.last_error);
}

BOOST_FIXTURE_TEST_CASE(outstanding_calls_complete_once_when_connector_is_destroyed, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bare.open();
    ends seen(1500); // in flight, queued and refused
    for (std::size_t i = 0; i != 1500; ++i)
        bare.hub->async_call("echo", with_text(text_of(i)), seen.call(i));
    bare.hub.reset();
    BOOST_TEST(!observe::has_children());
    BOOST_TEST(seen.aborted() == 0u);
    bare.finish();
    BOOST_TEST(seen.aborted() >= 256u + 1023u);
    for (auto const& call : seen.calls)
        BOOST_TEST(call.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(connector_may_be_destroyed_in_call_handler, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bare.open();
    ends seen(400);
    for (std::size_t i = 0; i != 400; ++i)
        bare.hub->async_call("echo", with_text(text_of(i)), [&, i](error_code ec, linkspan::call_result const& result) {
            seen.call(i)(ec, result);
            bare.hub.reset();
        });
    observe::run_until(bare.context, [&] { return !bare.hub; });
    BOOST_TEST(!observe::has_children());
    bare.finish();
    BOOST_TEST(seen.succeeded() == 1u);
    BOOST_TEST(seen.aborted() == 399u);
}

BOOST_FIXTURE_TEST_CASE(connector_may_be_destroyed_in_open_handler, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bool opened = false;
    bare.hub->async_open([&](error_code ec, linkspan::open_report const&) {
        BOOST_TEST(!ec);
        opened = true;
        bare.hub.reset();
    });
    observe::run_until(bare.context, [&] { return opened; });
    BOOST_TEST(!observe::has_children());
    bare.finish();
}

BOOST_FIXTURE_TEST_CASE(connector_may_be_destroyed_in_handler_of_failed_call, leaves_nothing)
{
    bare_hub bare(fault("die"));
    bare.open();
    ends seen(20);
    for (std::size_t i = 0; i != 20; ++i)
        bare.hub->async_call("echo", with_text(text_of(i)), [&, i](error_code ec, linkspan::call_result const& result) {
            seen.call(i)(ec, result);
            if (ec)
                bare.hub.reset();
        });
    observe::run_until(bare.context, [&] { return !bare.hub; });
    bare.finish();
    for (auto const& call : seen.calls)
        BOOST_TEST(call.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(connector_may_be_destroyed_at_any_turn, leaves_nothing)
{
    for (int turns = 0; turns != 60; ++turns) {
        bare_hub bare(fault("none"));
        ends seen(5);
        bool const shuts_down = turns % 2 != 0;
        bare.hub->async_open([&](error_code ec, linkspan::open_report const&) {
            seen.open.push_back(ec);
            for (std::size_t i = 0; bare.hub && i != 5; ++i)
                bare.hub->async_call("echo", with_text(text_of(i)), seen.call(i));
            if (bare.hub && shuts_down)
                bare.hub->async_shutdown(
                    [&](error_code failed, linkspan::shutdown_report const&) { seen.shutdown.push_back(failed); });
        });
        bare.turns(turns, [&] { return shuts_down ? !seen.shutdown.empty() : seen.succeeded() == 5; });
        bool const was_opened = !seen.open.empty();
        bool const was_shut_down = !seen.shutdown.empty();
        bare.hub.reset();
        BOOST_TEST(!observe::has_children());
        bare.finish();
        BOOST_TEST_CONTEXT("turns: " << turns) {
            BOOST_TEST_REQUIRE(seen.open.size() == 1u);
            BOOST_TEST((seen.open[0] == (was_opened ? error_code() : asio::error::operation_aborted)),
                       seen.open[0].message());
            BOOST_TEST(seen.shutdown.size() == (was_opened && shuts_down ? 1u : 0u));
            if (was_opened && shuts_down && !was_shut_down)
                BOOST_TEST((seen.shutdown[0] == asio::error::operation_aborted), seen.shutdown[0].message());
            for (auto const& call : seen.calls)
                BOOST_TEST(call.size() == (was_opened ? 1u : 0u));
            if (was_opened && !shuts_down)
                BOOST_TEST(seen.aborted() + seen.succeeded() == 5u);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(connector_may_be_destroyed_between_attempts, leaves_nothing)
{
    linkspan::call_options options;
    options.idle_timeout = 1ms;
    for (int turns = 0; turns != 16; ++turns) {
        bare_hub bare(mock("mock-calculator"), with(0, replay_class::read_only));
        bare.open();
        ends seen(2);
        for (std::size_t i = 0; i != 2; ++i) {
            linkspan::arguments const slow(linkspan::raw_json(R"({"a":2,"b":3,"delay_ms":100000})"));
            bare.hub->async_call("add", slow, options, seen.call(i));
        }
        bare.turns(turns, [&] { return !seen.calls[0].empty() && !seen.calls[1].empty(); });
        bare.hub.reset();
        bare.finish();
        for (auto const& call : seen.calls)
            BOOST_TEST(call.size() == 1u);
    }
}

BOOST_FIXTURE_TEST_CASE(calls_after_close_are_refused_asynchronously, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bare.open();
    bare.hub->close();
    BOOST_TEST(!observe::has_children());
    ends seen(1);
    bare.hub->async_call("echo", with_text("x"), seen.call(0));
    BOOST_TEST(seen.calls[0].empty());
    bare.finish();
    BOOST_TEST_REQUIRE(seen.calls[0].size() == 1u);
    BOOST_TEST((seen.calls[0][0] == error::not_connected), seen.calls[0][0].message());
}

BOOST_FIXTURE_TEST_CASE(destroyed_context_drops_call_handlers, leaves_nothing)
{
    auto const alive = std::make_shared<int>();
    {
        bare_hub bare(fault("none"));
        bare.open();
        for (int i = 0; i != 300; ++i)
            bare.hub->async_call("echo", with_text("x"), [alive](error_code, linkspan::call_result const&) {
                BOOST_ERROR("must not be called");
            });
        bare.hub.reset();
    }
    BOOST_TEST(alive.use_count() == 1);
}

// End of the context

asio::awaitable<void> open_and_call(stdio_config config, linkspan::server_options options, std::shared_ptr<int> alive)
{
    hub_type hub(co_await asio::this_coro::executor);
    hub.add<stdio>("server", std::move(config), std::move(options));
    linkspan::call_options hasty;
    hasty.idle_timeout = 1ms;
    co_await hub.async_open(in_tuple);
    linkspan::arguments const slow(linkspan::raw_json(R"({"a":2,"b":3,"delay_ms":100000})"));
    for (int i = 0; i != 3; ++i)
        hub.async_call("add", slow, hasty, [alive](error_code, linkspan::call_result const&) {});
    co_await hub.async_call("add", slow, hasty, in_tuple);
    co_await hub.async_call("no such tool", {}, in_tuple);
    BOOST_TEST(alive.use_count() > 1);
}

// Opening, probing, in flight, between attempts, and refreshing: each outstanding operation is released with the
// context.
BOOST_FIXTURE_TEST_CASE(context_and_its_connector_may_be_destroyed_at_any_turn, leaves_nothing)
{
    auto const alive = std::make_shared<int>();
    for (auto const replay : {replay_class::never, replay_class::read_only})
        for (auto const* const mode : {"none", "leave", "hang"})
            for (int turns = 0; turns != 40; ++turns) {
                {
                    asio::io_context context{1};
                    bool const calculates = std::string_view(mode) == "none";
                    bool over = false;
                    asio::co_spawn(
                        context,
                        open_and_call(calculates ? mock("mock-calculator") : fault(mode), with(0, replay), alive),
                        [&](std::exception_ptr) { over = true; });
                    for (int i = 0; i != turns && !over; ++i)
                        BOOST_TEST_REQUIRE(context.run_one_for(observe::limit) == 1u);
                }
                BOOST_TEST(alive.use_count() == 1, mode << " after " << turns << " turns");
                BOOST_TEST(!observe::has_children());
            }
}

asio::awaitable<void> keep_a_responder(stdio_config config, bool& received_request)
{
    linkspan::session session(co_await asio::this_coro::executor, linkspan::via<stdio>(std::move(config)));
    std::vector<linkspan::responder> kept;
    session.on_request("roots/list", [&](std::string_view, linkspan::responder reply) {
        kept.push_back(std::move(reply));
        received_request = true;
    });
    co_await session.async_open();
    linkspan::timer never(session.get_executor());
    never.expires_at(linkspan::time_point::max());
    co_await never.async_wait(in_tuple);
}

BOOST_FIXTURE_TEST_CASE(responder_may_be_kept_until_context_ends, leaves_nothing)
{
    asio::io_context context{1};
    bool received_request = false;
    asio::co_spawn(
        context,
        keep_a_responder(greeting(R"(read line; echo '{"jsonrpc":"2.0","id":"q","method":"roots/list"}'; read line)"),
                         received_request),
        asio::detached);
    observe::run_until(context, [&] { return received_request; });
}

// Cancellation signals emitted after completion

HARNESS_CASE(signal_emitted_after_call_does_not_affect_later_calls_of_connector)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    co_await opens(hub);
    asio::cancellation_signal signal;
    completions first(executor, 1), second(executor, 1);
    hub.async_call("echo", with_text("one"), asio::bind_cancellation_slot(signal.slot(), first.handler(0)));
    co_await first.wait();
    hub.async_call("echo", with_text("two"), second.handler(0));
    signal.emit(asio::cancellation_type::terminal);
    co_await second.wait();
    BOOST_TEST(!second.entries()[0].ec, second.entries()[0].ec.message());
    BOOST_TEST(second.entries()[0].result.text() == "two");
    co_await shuts_down(hub);
}

HARNESS_CASE(signal_emitted_after_request_does_not_affect_session)
{
    linkspan::session session(executor, via_fault("none"));
    co_await opens(session);
    asio::cancellation_signal signal, listing;
    completions calls(executor, 2);
    session.async_call_tool("echo", with_text("one"), asio::bind_cancellation_slot(signal.slot(), calls.handler(0)));
    session.async_list_tools(
        asio::bind_cancellation_slot(listing.slot(), [](error_code, linkspan::tool_list const&) {}));
    co_await echoes(session, "answered after it");
    BOOST_TEST(calls.entries()[0].times == 1u);
    session.async_call_tool("echo", with_text("two"), calls.handler(1));
    signal.emit(asio::cancellation_type::terminal);
    listing.emit(asio::cancellation_type::terminal);
    co_await calls.wait();
    BOOST_TEST(!calls.entries()[1].ec, calls.entries()[1].ec.message());
    BOOST_TEST(calls.entries()[1].result.text() == "two");
    co_await shuts_down(session);
}

HARNESS_CASE(repeated_signals_complete_call_once)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    linkspan::session session(executor, via_fault("none"));
    co_await opens(hub);
    co_await opens(session);
    asio::cancellation_signal signals[2];
    completions calls(executor, 2);
    hub.async_call("echo", with_text("one"), asio::bind_cancellation_slot(signals[0].slot(), calls.handler(0)));
    session.async_call_tool("echo", with_text("two"),
                            asio::bind_cancellation_slot(signals[1].slot(), calls.handler(1)));
    for (auto& signal : signals) {
        signal.emit(asio::cancellation_type::terminal);
        signal.emit(asio::cancellation_type::terminal);
    }
    co_await calls.wait();
    for (auto& signal : signals)
        signal.emit(asio::cancellation_type::terminal);
    for (auto const& [times, ec, result] : calls.entries()) {
        BOOST_TEST(times == 1u);
        BOOST_TEST((ec == asio::error::operation_aborted), ec.message());
    }
    co_await echoes(hub, "three");
    co_await echoes(session, "three");
    co_await shuts_down(hub);
    co_await shuts_down(session);
}

BOOST_AUTO_TEST_SUITE_END()
