#include <linkspan/model/call_error.hpp>

#include <boost/asio/detached.hpp>

#include <set>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(exhausted_servers_test)

// Result of a call that fails on each of one, two or three servers.

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct exhausted_world : hub_world {
    void on_pay(action const& what)
    {
        for (auto* const server : {&a, &b, &c})
            server->on(call("pay")).then(what);
    }

    // Makes a connector of lazy servers, of which the first `down` refuse connections.
    hub_type& make_lazy(std::size_t servers, std::size_t down)
    {
        hub.emplace(executor);
        scripted_server* const all[] = {&a, &b, &c};
        for (std::size_t i = 0; i != servers; ++i) {
            auto const config = i < down ? refused_connection() : inproc_config(*all[i]);
            auto options = with(9 - static_cast<int>(i));
            options.start = start_mode::lazy;
            hub->add<inproc>(std::string(1, "abc"[i]), config, options);
        }
        return *hub;
    }

    // Checks that one call fails on all servers, and that its trail and exception have the servers and the last error.
    asio::awaitable<void> check_exhausted(std::size_t servers, error_code last, std::string words)
    {
        BOOST_TEST_CONTEXT(servers << " servers") {
            auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
            BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
            std::set<std::string> servers_of_trail;
            for (auto const& attempt : result.attempts())
                servers_of_trail.insert(attempt.server);
            BOOST_TEST(servers_of_trail.size() == servers);
            BOOST_TEST_REQUIRE(!result.attempts().empty());
            BOOST_TEST(result.attempts().back().result.ec == last);
            std::string const what = call_error(ec, result).what();
            BOOST_TEST(contains(what, "call of tool 'pay' failed: "), what);
            BOOST_TEST(contains(what, words), what);
            BOOST_TEST(contains(what, "[" + last.to_string() + "]"), what);
        }
    }
};

constexpr std::size_t counts[] = {1, 2, 3};

} // namespace

LINKSPAN_CASE_IN(exhausted_world, error_responses_refusing_call_result_in_all_servers_failed)
{
    on_pay(rpc_error(-32600, "not in the mood"));
    for (auto const servers : counts) {
        co_await make({}, servers).async_open();
        co_await check_exhausted(servers, rpc(-32600), "not in the mood");
    }
}

LINKSPAN_CASE_IN(exhausted_world, error_responses_to_a_read_only_call_result_in_all_servers_failed)
{
    on_pay(rpc_error(-32603, "database is down"));
    for (auto const servers : counts) {
        co_await make(replay_class::read_only, servers).async_open();
        co_await check_exhausted(servers, rpc(-32603), "database is down");
    }
}

LINKSPAN_CASE_IN(exhausted_world, connection_failures_result_in_all_servers_failed)
{
    for (auto const servers : counts) {
        make_lazy(servers, servers);
        co_await check_exhausted(servers, asio::error::connection_refused, "refused");
    }
}

LINKSPAN_CASE_IN(exhausted_world, connection_failures_before_an_error_response_result_in_all_servers_failed)
{
    on_pay(rpc_error(-32601, "no such method"));
    for (auto const servers : counts) {
        make_lazy(servers, servers - 1);
        co_await check_exhausted(servers, rpc(-32601), "no such method");
    }
}

LINKSPAN_CASE_IN(exhausted_world, call_while_all_servers_are_disconnected_completes_with_all_servers_failed)
{
    on_pay(text("paid"));
    for (auto const servers : counts) {
        co_await make({}, servers).async_open();
        for (auto* const server : {&a, &b, &c})
            server->drop_connections();
        co_await settle(executor);
        co_await check_exhausted(servers, error::not_connected, "every eligible server failed");
    }
}

LINKSPAN_CASE_IN(exhausted_world, lost_responses_of_a_read_only_call_result_in_all_servers_failed)
{
    on_pay(drop_connection());
    for (auto const servers : counts) {
        co_await make(replay_class::read_only, servers).async_open();
        co_await check_exhausted(servers, error::stream_ended, "closed the stream");
    }
}

// Repeating the call is not safe, so the result must differ from `all_servers_failed`.
LINKSPAN_CASE_IN(exhausted_world, lost_response_of_unsafe_call_results_in_outcome_unknown)
{
    on_pay(drop_connection());
    for (auto const servers : counts) {
        co_await make({}, servers).async_open();
        auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
        BOOST_TEST(ec == make_error_code(error::outcome_unknown));
        BOOST_TEST(trail_of(result) == "a unknown");
    }
}

LINKSPAN_CASE_IN(exhausted_world, error_response_to_executed_call_is_returned_without_failover)
{
    // Invalid arguments for an existing tool, errors of the application, and an internal error after possible
    // execution.
    int const codes[] = {-32602, 7, -32000, -32603};
    auto& responses = a.on(call("pay"));
    for (int const code : codes)
        responses.times(std::size(counts), rpc_error(code, "amount is negative"));
    b.on(call("pay")).then(text("paid"));
    c.on(call("pay")).then(text("paid"));
    for (int const code : codes) {
        for (auto const servers : counts) {
            co_await make({}, servers).async_open();
            auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
            BOOST_TEST(ec == rpc(code));
            BOOST_TEST(result.detail() == "amount is negative");
            BOOST_TEST(result.attempts().size() == 1u); // the call did not fail over
        }
    }
}

LINKSPAN_CASE_IN(exhausted_world, tool_error_is_returned_as_result_on_any_number_of_servers)
{
    on_pay(tool_error("no money"));
    for (auto const servers : counts) {
        co_await make(replay_class::read_only, servers).async_open();
        auto const result = co_await hub->async_call("pay");
        BOOST_TEST(result.is_error());
        BOOST_TEST(result.text() == "no money");
        BOOST_TEST(result.server() == "a");
    }
}

// Full queues are not failures.
LINKSPAN_CASE_IN(exhausted_world, call_while_all_queues_are_full_completes_with_no_eligible_server)
{
    on_pay(hang());
    auto options = with(0);
    options.session.max_in_flight = 1;
    options.session.max_queued = 0;
    hub.emplace(executor).add<inproc>("a", a, options).add<inproc>("b", b, options);
    co_await hub->async_open();
    hub->async_call("pay", asio::detached);
    hub->async_call("pay", asio::detached);
    auto const [ec, result] = co_await hub->async_call("pay", in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_eligible_server));
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::queue_full));
}

LINKSPAN_CASE_IN(exhausted_world, call_with_unmatched_selector_completes_with_no_eligible_server)
{
    on_pay(text("paid"));
    co_await make().async_open();
    selector nowhere;
    nowhere.any_of = {"asia"};
    auto const [ec, result] = co_await hub->on_servers(nowhere).async_call("pay", in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_eligible_server));
    BOOST_TEST(result.attempts().empty());
}

BOOST_AUTO_TEST_SUITE_END()
