#include <linkspan/connector/signal_guard.hpp>
#include <linkspan/core/time.hpp>

#include <csignal>
#include <vector>

#include "support/harness.hpp"
#include "support/mock_fault.hpp"

BOOST_AUTO_TEST_SUITE(signal_guard_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::server_state;
using linkspan::signal_guard;
using linkspan::stdio;

namespace {

// Waits for the next signal that the guard reports.
struct raised_signals {
    explicit raised_signals(asio::any_io_executor const& executor) : next(executor) {}

    auto hook()
    {
        return [this](int number) {
            numbers.push_back(number);
            next.cancel();
        };
    }

    asio::awaitable<void> raise(int number)
    {
        next.expires_after(observe::limit);
        std::raise(number);
        co_await next.async_wait(in_tuple);
    }

    std::vector<int> numbers;
    linkspan::timer next;
};

bool has_default(int signal)
{
    struct sigaction now {};
    BOOST_TEST_REQUIRE(::sigaction(signal, nullptr, &now) == 0);
    return now.sa_handler == SIG_DFL;
}

} // namespace

HARNESS_CASE(first_signal_shuts_servers_down_gracefully)
{
    for (int const number : {SIGINT, SIGTERM}) {
        hub_type hub(executor);
        hub.add<stdio>("a", fault("none")).add<stdio>("b", mock("mock-calculator"));
        co_await opens(hub);
        raised_signals signals(executor);
        {
            signal_guard const guard(hub, signals.hook());
            co_await signals.raise(number);
            auto const [ec, report] = co_await hub.async_shutdown(in_tuple); // joins the shutdown in progress
            BOOST_TEST(!ec, ec.message());
            BOOST_TEST(report.servers.size() == 2u);
        }
        BOOST_TEST((signals.numbers == std::vector<int>{number}));
        BOOST_TEST(!observe::has_children());
        for (auto const& server : hub.state().servers)
            BOOST_TEST((server.state == server_state::closed));
    }
}

HARNESS_CASE(second_signal_closes_servers_immediately)
{
    hub_type hub(executor);
    auto stubborn = fault("stubborn");
    stubborn.close_grace = stubborn.term_grace = 1h;
    hub.add<stdio>("a", std::move(stubborn));
    co_await opens(hub);
    raised_signals signals(executor);
    signal_guard const guard(hub, signals.hook(), 1h);
    co_await signals.raise(SIGINT);
    BOOST_TEST(observe::has_children());
    co_await signals.raise(SIGTERM);
    BOOST_TEST(!observe::has_children());
    BOOST_TEST((signals.numbers == std::vector<int>{SIGINT, SIGTERM}));
}

BOOST_AUTO_TEST_CASE(context_with_only_a_guard_stops_after_signal)
{
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    hub.add<stdio>("a", fault("none"));
    signal_guard const guard(hub);
    hub.async_open([](linkspan::error_code, linkspan::open_report const& report) {
        BOOST_TEST(report.failures() == 0u);
        std::raise(SIGTERM);
    });
    context.run_for(observe::limit);
    BOOST_TEST(context.stopped());
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(guard_restores_signals_after_shutdown)
{
    hub_type hub(executor);
    hub.add<stdio>("a", fault("none"));
    co_await opens(hub);
    raised_signals signals(executor);
    signal_guard const guard(hub, signals.hook());
    co_await signals.raise(SIGINT);
    co_await shuts_down(hub);
    BOOST_TEST(has_default(SIGINT));
    BOOST_TEST(has_default(SIGTERM));
}

BOOST_AUTO_TEST_CASE(destroyed_guard_restores_signals)
{
    {
        asio::io_context context(1);
        hub_type hub(context.get_executor());
        signal_guard const guard(hub);
    }
    BOOST_TEST(has_default(SIGTERM));
}

BOOST_AUTO_TEST_SUITE_END()
