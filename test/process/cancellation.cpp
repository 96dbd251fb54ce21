// Cancellation of operations while a real child process does not respond.

#include <linkspan/config/diagnose.hpp>
#include <linkspan/config/make_connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/policy.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(cancellation_test)

using namespace harness;
using linkspan::error_code;
using linkspan::stdio;
using linkspan::stdio_config;
using observe::leaves_nothing;
using cancel = asio::cancellation_type;

namespace {

// A child process that reports its process id, reads its input and never responds. Its own child process ignores the
// end of input.
struct unresponsive_child {
    std::optional<observe::process> process;

    stdio_config config()
    {
        auto out = sh("sleep 1000 & echo $$ >&2; exec cat >/dev/null");
        out.on_stderr = [this](std::string_view line) { process.emplace(std::stoi(std::string(line))); };
        return out;
    }
};

struct end {
    std::size_t count = 0;
    error_code ec;

    auto handler(asio::cancellation_signal& signal)
    {
        return asio::bind_cancellation_slot(signal.slot(), [this](error_code failed, auto const&...) {
            ++count;
            ec = failed;
        });
    }
};

// The operation must complete without waiting for an event.
void check_aborted(asio::io_context& context, end const& seen)
{
    BOOST_TEST(seen.count == 0u);
    context.restart();
    context.poll();
    BOOST_TEST(seen.count == 1u);
    BOOST_TEST((seen.ec == asio::error::operation_aborted), seen.ec.message());
    BOOST_TEST(context.stopped(), "operations are still outstanding");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(cancelled_open_of_connector_kills_unresponsive_child_process, leaves_nothing)
{
    for (auto const type : {cancel::terminal, cancel::partial}) {
        asio::io_context context(1);
        unresponsive_child child;
        hub_type hub(context.get_executor());
        hub.add<stdio>("silent", child.config());
        asio::cancellation_signal signal;
        end seen;
        hub.async_open(seen.handler(signal));
        observe::run_until(context, [&] { return child.process.has_value(); });
        BOOST_TEST(!child.process->has_ended());
        signal.emit(type);
        BOOST_TEST(child.process->has_ended());
        BOOST_TEST(!observe::has_children());
        check_aborted(context, seen);
    }
}

BOOST_FIXTURE_TEST_CASE(cancelled_open_of_session_kills_unresponsive_child_process, leaves_nothing)
{
    asio::io_context context(1);
    unresponsive_child child;
    linkspan::session session(context.get_executor(), linkspan::via<stdio>(child.config()));
    asio::cancellation_signal signal;
    end seen;
    session.async_open(seen.handler(signal));
    observe::run_until(context, [&] { return child.process.has_value(); });
    signal.emit(cancel::terminal);
    BOOST_TEST(child.process->has_ended());
    check_aborted(context, seen);
}

// The child process ignores the end of its input, so a graceful end would last until SIGTERM.
BOOST_FIXTURE_TEST_CASE(cancelled_shutdown_kills_child_process_that_ignores_sigterm, leaves_nothing)
{
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    hub.add<stdio>("stubborn", fault("stubborn"));
    bool is_open = false;
    hub.async_open([&](error_code ec, linkspan::open_report const&) { is_open = !ec; });
    observe::run_until(context, [&] { return is_open; });
    asio::cancellation_signal signal;
    end seen;
    hub.async_shutdown(seen.handler(signal));
    context.restart();
    context.poll();
    BOOST_TEST(observe::has_children());
    signal.emit(cancel::terminal);
    BOOST_TEST(!observe::has_children());
    check_aborted(context, seen);
}

BOOST_FIXTURE_TEST_CASE(cancelled_make_connector_kills_unresponsive_child_process, leaves_nothing)
{
    asio::io_context context(1);
    auto config = linkspan::connector_config::from_json(
        R"({"mcpServers":{"silent":{"command":"/bin/sh","args":["-c","exec cat >/dev/null"]}}})");
    asio::cancellation_signal signal;
    std::optional<linkspan::made_connector<linkspan::configured_connector>> made;
    error_code ended;
    auto on_end = [&](error_code ec, linkspan::made_connector<linkspan::configured_connector> what) {
        ended = ec;
        made = std::move(what);
    };
    linkspan::async_make_connector(context.get_executor(), std::move(config), {},
                                   asio::bind_cancellation_slot(signal.slot(), std::move(on_end)));
    observe::run_until(context, [] { return observe::has_children(); });
    signal.emit(cancel::terminal);
    BOOST_TEST(!observe::has_children());
    context.restart();
    context.poll();
    BOOST_TEST((ended == asio::error::operation_aborted), ended.message());
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST_REQUIRE(made->hub);
    BOOST_TEST((made->hub->state().servers[0].state == linkspan::server_state::closed));
}

BOOST_FIXTURE_TEST_CASE(make_connector_can_be_cancelled_at_any_turn, leaves_nothing)
{
    auto const config = linkspan::connector_config::from_json(
        R"({"mcpServers":{"silent":{"command":"/bin/sh","args":["-c","exec cat >/dev/null"]}}})");
    for (auto const type : {cancel::terminal, cancel::partial})
        for (int turns = 0; turns != 12; ++turns)
            BOOST_TEST_CONTEXT(turns << " turns") {
                asio::io_context context(1);
                asio::cancellation_signal signal;
                std::optional<error_code> ended;
                auto on_end = [&](error_code ec, linkspan::made_connector<linkspan::configured_connector>) {
                    ended = ec;
                };
                linkspan::async_make_connector(context.get_executor(), config, {},
                                               asio::bind_cancellation_slot(signal.slot(), on_end));
                for (int i = 0; i != turns; ++i)
                    context.poll_one();
                signal.emit(cancel::total); // not supported, therefore ignored
                BOOST_TEST(!ended);
                signal.emit(type);
                BOOST_TEST(!observe::has_children());
                context.restart();
                context.poll();
                BOOST_TEST((ended == error_code(asio::error::operation_aborted)));
            }
}

BOOST_FIXTURE_TEST_CASE(cancelled_diagnose_kills_unresponsive_child_process, leaves_nothing)
{
    asio::io_context context(1);
    linkspan::server_config server;
    server.name = "silent";
    server.command = "/bin/sh";
    server.args = {"-c", "exec cat >/dev/null"};
    asio::cancellation_signal signal;
    end seen;
    linkspan::async_diagnose(context.get_executor(), server, {}, seen.handler(signal));
    observe::run_until(context, [] { return observe::has_children(); });
    signal.emit(cancel::total);
    BOOST_TEST(!observe::has_children());
    check_aborted(context, seen);
}

// A timer of the caller, not a timeout of the library, aborts the opening.
HARNESS_CASE(open_cancelled_by_expired_timer_kills_unresponsive_child_process)
{
    using namespace asio::experimental::awaitable_operators;
    unresponsive_child child;
    hub_type hub(executor);
    hub.add<stdio>("silent", child.config());
    linkspan::timer limit(executor);
    limit.expires_after(std::chrono::milliseconds(20));
    auto opens = hub.async_open(in_tuple);
    auto waits = limit.async_wait(in_tuple);
    auto const first = co_await (std::move(opens) || std::move(waits));
    BOOST_TEST(first.index() == 1u);
    BOOST_TEST(!observe::has_children());
}

BOOST_AUTO_TEST_SUITE_END()
