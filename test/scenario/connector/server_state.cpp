// State of failing and recovering servers as reported by the connector.

#include <linkspan/observe/text_log.hpp>

#include <memory>
#include <string>
#include <vector>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(server_state_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct state_world : world {
    scripted_server a;
    hub_type hub{executor};

    server_status status() const { return hub.state().servers.at(0); }
};

} // namespace

LINKSPAN_CASE_IN(state_world, each_failed_open_is_counted_as_error)
{
    hub.add<inproc>("bad", refused_connection(), with(0));
    for (std::uint64_t opened = 1; opened != 4; ++opened) {
        co_await hub.async_open(in_tuple);
        BOOST_TEST(status().errors == opened);
    }
    BOOST_TEST(status().failures == 0u);
    BOOST_TEST(to_json(hub.state()).at("servers").at(0).at("error_count") == 3);
}

LINKSPAN_CASE_IN(state_world, lost_connection_is_counted_as_one_error_besides_failed_attempts)
{
    a.on(call("pay")).then(drop_connection());
    hub.add<inproc>("a", a, with(0));
    co_await hub.async_open();
    co_await hub.async_call("pay", {}, in_tuple);
    co_await settle(executor);
    BOOST_TEST(status().errors == 1u);
    BOOST_TEST(status().failures == 1u);
    BOOST_TEST(to_json(hub.state()).at("servers").at(0).at("error_count") == 2);
}

LINKSPAN_CASE_IN(state_world, failed_probe_is_counted_as_error)
{
    a.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    a.on(request("ping")).then(hang());
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    while (a.received("\"ping\"") == 0)
        co_await pass(executor, 1s);
    BOOST_TEST(status().errors == 0u);
    co_await pass(executor, 5s); // the timeout of a probe
    BOOST_TEST(status().errors == 1u);
    BOOST_TEST(status().failures == 0u);
    BOOST_TEST(!status().last_probe);
}

LINKSPAN_CASE_IN(state_world, times_in_state_are_unix_times)
{
    auto const unix_time = [&] { return wall_time(virtual_time::wall_start) + since_start(time); };
    a.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    hub.add<inproc>("a", a);
    co_await pass(executor, 7s);
    co_await hub.async_open();
    BOOST_TEST((hub.state().last_refresh == unix_time()));
    while (a.received("\"ping\"") == 0)
        co_await pass(executor, 1s);
    BOOST_TEST_REQUIRE(status().last_probe.has_value());
    BOOST_TEST((*status().last_probe > unix_time() - 1s));
    BOOST_TEST((*status().last_probe <= unix_time()));
    BOOST_TEST(to_json(hub.state()).at("last_refresh") == 1767225607.0);
}

LINKSPAN_CASE_IN(state_world, uptime_restarts_with_each_connection)
{
    hub.add<inproc>("a", a);
    BOOST_TEST(!status().uptime);
    co_await hub.async_open();
    co_await pass(executor, 90s);
    BOOST_TEST((status().uptime == 90s));
    co_await hub.async_refresh_tools(); // the list is published, but the connection stays the same
    BOOST_TEST((status().uptime == 90s));
    a.drop_connections();
    co_await settle(executor);
    BOOST_TEST(!status().uptime);
    co_await hub.async_connect("a");
    BOOST_TEST((status().uptime == 0s));
    BOOST_TEST(!status().pid); // an in-process server has no process id
}

LINKSPAN_CASE_IN(state_world, request_that_waits_to_be_sent_is_counted_as_queued)
{
    a.on(call("slow")).then(delay(1s), text("done"));
    server_options options;
    options.session.max_in_flight = 1;
    hub.add<inproc>("a", a, options);
    co_await hub.async_open();
    int done = 0;
    for (int i = 0; i != 2; ++i)
        hub.async_call("slow", {}, [&done](error_code ec, call_result) { done += ec ? 0 : 1; });
    co_await pass(executor, 500ms);
    BOOST_TEST(status().in_flight == 2u);
    BOOST_TEST(status().queued == 1u);
    co_await pass(executor, 1s);
    BOOST_TEST(done == 1);
    BOOST_TEST(status().in_flight == 1u);
    BOOST_TEST(status().queued == 0u);
    co_await pass(executor, 1s);
    BOOST_TEST(done == 2);
    BOOST_TEST(status().in_flight == 0u);
}

LINKSPAN_CASE_IN(state_world, server_start_is_logged_once)
{
    auto const lines = std::make_shared<std::vector<std::string>>();
    text_log const log([lines](std::string_view line) { lines->emplace_back(line); });
    connector<transports<inproc>, text_log> watched(executor, log);
    a.on(request("tools/list")).pass(2).then(rpc_error(-32603, "no"));
    watched.add<inproc>("a", a);
    co_await watched.async_open();
    co_await watched.async_refresh_tools();
    co_await watched.async_refresh_tools(); // fails
    BOOST_TEST(std::ranges::count(*lines, "[MCP] a started") == 1);
    auto const says_why = [](std::string const& line) { return contains(line, "[MCP] a did not list its tools: "); };
    BOOST_TEST(std::ranges::count_if(*lines, says_why) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
