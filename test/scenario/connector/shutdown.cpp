// Shutdown of a connector: report, timeout, concurrent operations, and `async_with_open`.

#include <linkspan/connector/with_open.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <stdexcept>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"
#include "support/slow_shutdown.hpp"

BOOST_AUTO_TEST_SUITE(shutdown_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

using slow_hub = connector<transports<inproc, slow_shutdown>>;

struct shutdown_world : world {
    scripted_server a, b, c;
    slow_hub hub{executor};

    shutdown_world()
    {
        a.on(call("pay")).then(text("a"));
        hub.add<inproc>("a", a).add<slow_shutdown>("b", b).add<slow_shutdown>("c", c);
    }

    bool all(server_state state) const
    {
        auto const now = hub.state();
        return std::ranges::all_of(now.servers, [&](auto const& server) { return server.state == state; });
    }
};

} // namespace

LINKSPAN_CASE_IN(shutdown_world, shutdown_closes_servers_concurrently_and_reports_duration_of_each)
{
    co_await hub.async_open();
    auto const before = since_start(time);
    auto const report = co_await hub.async_shutdown(throwing);
    BOOST_TEST((since_start(time) - before == 3s));
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    std::string order;
    for (auto const& end : report.servers) {
        order += end.server;
        BOOST_TEST(!end.ec, end.ec.message());
    }
    BOOST_TEST(order == "abc");
    BOOST_TEST((report.servers[0].elapsed == 0s));
    BOOST_TEST((report.servers[1].elapsed == 3s));
    BOOST_TEST(all(server_state::closed));
}

LINKSPAN_CASE_IN(shutdown_world, shutdown_closes_and_reports_servers_that_exceed_timeout)
{
    co_await hub.async_open();
    auto const before = since_start(time);
    auto const [ec, report] = co_await hub.async_shutdown(1s, in_tuple);
    BOOST_TEST((since_start(time) - before == 1s));
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    BOOST_TEST(!report.servers[0].ec);
    BOOST_TEST(report.servers[1].ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST(report.servers[2].ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST((report.servers[2].elapsed == 1s));
    BOOST_TEST(all(server_state::closed));
    auto const reopened = co_await hub.async_open();
    BOOST_TEST(reopened.failures() == 0u);
}

LINKSPAN_CASE_IN(shutdown_world, close_aborts_shutdown)
{
    co_await hub.async_open();
    std::size_t ends = 0;
    error_code how;
    hub.async_shutdown(2s, [&](error_code ec, shutdown_report const&) {
        ++ends;
        how = ec;
    });
    hub.close();
    co_await settle(executor);
    BOOST_TEST(ends == 1u);
    BOOST_TEST(how == asio::error::operation_aborted);
    co_await pass(executor, 10s);
    BOOST_TEST(ends == 1u);
}

LINKSPAN_CASE_IN(shutdown_world, open_during_shutdown_reopens_connector)
{
    co_await hub.async_open();
    error_code ended = error::no_eligible_server, opened = error::no_eligible_server;
    hub.async_shutdown([&](error_code ec, shutdown_report const&) { ended = ec; });
    hub.async_open([&](error_code ec, open_report const&) { opened = ec; });
    co_await pass(executor, 10s);
    BOOST_TEST(!ended, ended.message());
    BOOST_TEST(!opened, opened.message());
    BOOST_TEST(all(server_state::ready));
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
}

LINKSPAN_CASE_IN(shutdown_world, shutdown_during_open_aborts_open)
{
    a.on(request("server/discover")).then(delay(2s), rpc_error(-32601, "no"));
    error_code ended = error::no_eligible_server, opened;
    hub.async_open([&](error_code ec, open_report const&) { opened = ec; });
    hub.async_shutdown([&](error_code ec, shutdown_report const&) { ended = ec; });
    co_await pass(executor, 10s);
    BOOST_TEST(!ended, ended.message());
    BOOST_TEST(opened.failed());
    BOOST_TEST(all(server_state::closed));
}

LINKSPAN_CASE_IN(shutdown_world, server_reopened_during_shutdown_stays_open_after_shutdown_timeout)
{
    co_await hub.async_open();
    error_code ended;
    hub.async_shutdown(1s, [&](error_code ec, shutdown_report const&) { ended = ec; });
    hub.async_connect("a", [](error_code, server_report const&) {});
    co_await pass(executor, 10s);
    BOOST_TEST(ended == make_error_code(error::deadline_exceeded));
    auto const now = hub.state();
    BOOST_TEST((now.servers[0].state == server_state::ready));
    BOOST_TEST((now.servers[1].state == server_state::closed));
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
}

LINKSPAN_CASE_IN(shutdown_world, shutdown_gracefully_closes_removed_server_with_outstanding_calls)
{
    b.on(call("sleep")).then(delay(2s), text("b"));
    co_await hub.async_open();
    completion_box box;
    hub.on_server("b").async_call("sleep", {}, box.handler());
    co_await settle(executor);
    std::vector<error_code> removed;
    hub.async_remove("b", [&](error_code ec) { removed.push_back(ec); });
    auto const report = co_await hub.async_shutdown(throwing);
    BOOST_TEST(report.servers.size() == 3u);
    BOOST_TEST(report.servers[2].server == "b");
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(!box.ec, box.ec.message());
    BOOST_TEST_REQUIRE(removed.size() == 1u);
    BOOST_TEST(!removed[0], removed[0].message());
}

LINKSPAN_CASE_IN(shutdown_world, concurrent_shutdowns_complete_together)
{
    co_await hub.async_open();
    std::size_t ends = 0;
    hub.async_shutdown([&](error_code ec, shutdown_report const&) {
        BOOST_TEST(!ec, ec.message());
        ++ends;
    });
    co_await pass(executor, 1s);
    auto const report = co_await hub.async_shutdown(throwing);
    BOOST_TEST((report.servers[1].elapsed == 2s));
    co_await settle(executor);
    BOOST_TEST(ends == 1u);
}

LINKSPAN_CASE_IN(shutdown_world, with_open_opens_connector_and_shuts_it_down_gracefully)
{
    auto const body = [&]() -> asio::awaitable<std::string> {
        auto const result = co_await hub.async_call("pay");
        co_return std::string(result.text());
    };
    auto const before = since_start(time);
    auto const returned = co_await async_with_open(hub, body);
    BOOST_TEST(returned == "a");
    BOOST_TEST((since_start(time) - before == 3s));
    BOOST_TEST(all(server_state::closed));
}

LINKSPAN_CASE_IN(shutdown_world, with_open_shuts_connector_down_gracefully_if_body_throws)
{
    auto const body = [&]() -> asio::awaitable<void> {
        co_await hub.async_call("pay");
        throw std::runtime_error("as it is");
    };
    auto const before = since_start(time);
    std::string what;
    try {
        co_await async_with_open(hub, body);
    } catch (std::runtime_error const& failed) {
        what = failed.what();
    }
    BOOST_TEST(what == "as it is");
    BOOST_TEST((since_start(time) - before == 3s));
    BOOST_TEST(all(server_state::closed));
}

LINKSPAN_CASE_IN(shutdown_world, with_open_does_not_run_body_if_open_fails)
{
    server_options must;
    must.required = true;
    hub.add<inproc>("d", refused_connection(), must);
    bool was_entered = false;
    auto const body = [&]() -> asio::awaitable<void> {
        was_entered = true;
        co_return;
    };
    error_code ec;
    try {
        co_await async_with_open(hub, body);
    } catch (connection_error const& failed) {
        ec = failed.code();
    }
    BOOST_TEST(ec == make_error_code(error::connection_failed));
    BOOST_TEST(!was_entered);
    BOOST_TEST(all(server_state::closed));
}

LINKSPAN_CASE_IN(shutdown_world, cancellation_of_with_open_cancels_body_but_not_graceful_shutdown)
{
    asio::cancellation_signal cancel;
    std::exception_ptr how;
    duration took{};
    bool later_ends = false;
    auto const scope = [&]() -> asio::awaitable<void> {
        timer rest(executor);
        rest.expires_after(1h);
        auto const body = [&]() -> asio::awaitable<void> { co_await rest.async_wait(asio::use_awaitable); };
        auto const before = since_start(time);
        try {
            co_await async_with_open(hub, body);
        } catch (...) {
            how = std::current_exception();
        }
        took = since_start(time) - before;
        try { // the cancellation state of the coroutine persists
            co_await rest.async_wait(asio::use_awaitable);
        } catch (boost::system::system_error const&) {
            later_ends = true;
        }
    };
    bool done = false;
    auto const on_end = [&](std::exception_ptr) { done = true; };
    asio::co_spawn(executor, scope, asio::bind_cancellation_slot(cancel.slot(), on_end));
    co_await pass(executor, 1s);
    cancel.emit(asio::cancellation_type::terminal);
    co_await pass(executor, 10s);
    BOOST_TEST(done);
    BOOST_TEST((took == 4s));
    BOOST_TEST(later_ends);
    BOOST_TEST(all(server_state::closed));
    BOOST_CHECK_THROW(std::rethrow_exception(how), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
