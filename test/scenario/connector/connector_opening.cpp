#include <boost/asio/detached.hpp>

#include <deque>
#include <stdexcept>
#include <string>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(connector_opening_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::inproc_config;
using linkspan::protocol_version;
using linkspan::server_state;

namespace {

constexpr std::string_view list_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

std::string states_of(hub_type const& hub)
{
    std::string out;
    for (auto const& line : hub.state().servers)
        (((out += out.empty() ? "" : ", ") += line.server) += ' ') += to_string(line.state);
    return out;
}

} // namespace

LINKSPAN_CASE(open_opens_all_servers_concurrently)
{
    std::deque<scripted_server> servers(30);
    hub_type hub(executor);
    for (std::size_t i = 0; i != servers.size(); ++i) {
        servers[i].on(request("server/discover")).then(delay(5s), rpc_error(-32601, "no"));
        hub.add<inproc>("server" + std::to_string(i), servers[i]);
    }
    auto const report = co_await hub.async_open();
    BOOST_TEST((since_start(time) == 5s));
    BOOST_TEST(report.failures() == 0u);
    BOOST_TEST_REQUIRE(report.servers.size() == 30u);
    for (std::size_t i = 0; i != servers.size(); ++i) {
        BOOST_TEST(report.servers[i].server == "server" + std::to_string(i)); // in configuration order
        BOOST_TEST((report.servers[i].elapsed == 5s));
        BOOST_TEST((report.servers[i].protocol_version == protocol_version::v2025_11_25));
    }
}

LINKSPAN_CASE(failed_server_is_one_entry_of_open_report)
{
    scripted_server a, b;
    a.on(call("greet")).then(text("hello"));
    b.on(request("server/discover")).then(drop_connection());
    b.on(request("initialize")).then(rpc_error(-32000, "licence expired"));
    hub_type hub(executor);
    hub.add<inproc>("x", refused_connection(), with(0)).add<inproc>("a", a).add<inproc>("b", b, with(0));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(!ec);
    BOOST_TEST(report.failures() == 2u);
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    BOOST_TEST(report.servers[0].ec == error_code(boost::asio::error::connection_refused));
    BOOST_TEST(!report.servers[1].ec);
    BOOST_TEST(report.servers[1].tools == 1u);
    BOOST_TEST(report.servers[2].ec == rpc(-32000));
    BOOST_TEST(contains(report.servers[2].detail, "licence expired"), report.servers[2].detail);
    BOOST_TEST(!report.servers[2].protocol_version);
    BOOST_TEST(states_of(hub) == "x closed, a ready, b closed");
    auto const result = co_await hub.async_call("greet");
    BOOST_TEST(result.text() == "hello");
}

LINKSPAN_CASE(open_fails_if_no_server_can_be_opened)
{
    hub_type hub(executor);
    hub.add<inproc>("x", refused_connection()).add<inproc>("y", refused_connection());
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::connection_failed));
    BOOST_TEST(report.failures() == 2u);
}

LINKSPAN_CASE(open_without_servers_succeeds_immediately)
{
    hub_type hub(executor);
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(!ec);
    BOOST_TEST(report.servers.empty());
    auto const [called, ignored] = co_await hub.async_call("greet", {}, in_tuple);
    BOOST_TEST(called == make_error_code(error::tool_not_found));
}

LINKSPAN_CASE(second_open_opens_only_servers_that_are_not_open)
{
    scripted_server a, b;
    b.on(request("server/discover")).once(rpc_error(-32601, "")).pass(9);
    b.on(request("initialize")).once(rpc_error(-32000, "not yet")).pass(9);
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const first = co_await hub.async_open();
    BOOST_TEST(first.failures() == 1u);
    auto const second = co_await hub.async_open();
    BOOST_TEST_REQUIRE(second.servers.size() == 1u);
    BOOST_TEST(second.servers[0].server == "b");
    BOOST_TEST(!second.servers[0].ec, second.servers[0].detail);
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST(states_of(hub) == "a ready, b ready");
}

LINKSPAN_CASE(second_open_waits_for_first_list_of_ready_server)
{
    scripted_server a, b;
    a.on(request("tools/list")).then(delay(2s), result(R"("tools":[{"name":"pay"}])"));
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    bool is_first_done = false;
    hub.async_open([&](error_code, linkspan::open_report const&) { is_first_done = true; });
    co_await pass(executor, 1s);
    BOOST_TEST(states_of(hub) == "a ready, b ready");
    auto const second = co_await hub.async_open();
    BOOST_TEST((since_start(time) == 2s));
    BOOST_TEST(is_first_done);
    BOOST_TEST_REQUIRE(second.servers.size() == 1u);
    BOOST_TEST(second.servers[0].server == "a");
    BOOST_TEST(second.servers[0].tools == 1u);
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    BOOST_TEST(a.connections() == 1u);
}

LINKSPAN_CASE(exception_of_unknown_type_from_transport_fails_the_opening)
{
    scripted_server a;
    bool throws = true;
    auto way = inproc_config(a);
    way.connect = [&throws, connect = way.connect](auto const& on, auto end) {
        if (throws)
            throw 7;
        return connect(on, std::move(end));
    };
    hub_type hub(executor);
    hub.add<inproc>("a", way, with(0));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::connection_failed), ec.message());
    BOOST_TEST_REQUIRE(report.servers.size() == 1u);
    BOOST_TEST(report.servers[0].ec == make_error_code(error::connection_failed));
    BOOST_TEST(contains(report.servers[0].detail, "not derived from std::exception"), report.servers[0].detail);
    BOOST_TEST(states_of(hub) == "a closed");
    throws = false;
    co_await hub.async_open();
    BOOST_TEST(states_of(hub) == "a ready");
}

LINKSPAN_CASE(server_reopened_without_tools_capability_has_no_tools)
{
    scripted_server a;
    a.on(call("pay")).then(drop_connection());
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    auto const [ec, lost] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec.failed());
    a.dialogue().capabilities = R"({"prompts":{}})";
    co_await hub.async_open();
    BOOST_TEST(hub.catalog()->tools().empty());
    BOOST_TEST(hub.state().servers[0].tools == 0u);
}

LINKSPAN_CASE(server_without_tools_capability_is_not_listed_on_open)
{
    scripted_server a;
    a.dialogue().capabilities = R"({"prompts":{}})";
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    auto const report = co_await hub.async_open();
    BOOST_TEST(report.failures() == 0u);
    BOOST_TEST(a.received("tools/list") == 0u);
}

LINKSPAN_CASE(failed_tools_list_is_in_open_report)
{
    scripted_server a, b;
    a.on(request("tools/list")).then(rpc_error(-32603, "database is down"));
    b.on(call("greet")).then(text("hello"));
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const report = co_await hub.async_open();
    BOOST_TEST(report.servers[0].ec == rpc(-32603));
    BOOST_TEST(contains(report.servers[0].detail, "tools/list"));
    BOOST_TEST(report.servers[1].tools == 1u);
}

LINKSPAN_CASE(tool_with_empty_schema_is_in_catalog_and_reported_as_event)
{
    scripted_server calc;
    calc.tool("add", "{}", [](std::string_view) { return R"("content":[{"type":"text","text":"5"}])"; });
    calc.tool("multiply", R"({"type":"object"})", nullptr);
    linkspan::test::event_lines const warnings{"non_object_schema"};
    linkspan::connector<linkspan::transports<inproc>, linkspan::test::event_lines> hub(executor, warnings);
    hub.add<inproc>("calc", calc);
    co_await hub.async_open();
    BOOST_TEST((warnings.all() == std::vector<std::string>{"calc: add"}));
    auto const tools = hub.catalog();
    BOOST_TEST_REQUIRE(tools->tools().size() == 2u);
    BOOST_TEST(tools->tools()[0].tool->name == "add");
    BOOST_TEST(tools->tools()[0].tool->input_schema == "{}");
    BOOST_TEST(tools->tools()[0].server_key == "calc");
    auto const result = co_await hub.async_call("add");
    BOOST_TEST(result.text() == "5");
}

LINKSPAN_CASE(state_reports_lifecycle_and_call_counters)
{
    scripted_server a;
    a.on(call("good")).then(delay(1s), text("ok"));
    a.on(call("bad")).then(rpc_error(-32603, "no"));
    hub_type hub(executor);
    hub.add<inproc>("a", a, with(7));
    auto now = hub.state().servers;
    BOOST_TEST_REQUIRE(now.size() == 1u);
    BOOST_TEST(now[0].server == "a");
    BOOST_TEST(now[0].transport == "inproc");
    BOOST_TEST(now[0].priority == 7);
    BOOST_TEST((now[0].state == server_state::idle));
    BOOST_TEST(!now[0].protocol_version);
    hub.async_open([](error_code, linkspan::open_report) {});
    BOOST_TEST(states_of(hub) == "a opening");
    co_await settle(executor);
    now = hub.state().servers;
    BOOST_TEST((now[0].state == server_state::ready));
    BOOST_TEST((now[0].protocol_version == protocol_version::v2026_07_28));
    BOOST_TEST(now[0].tools == 2u);
    BOOST_TEST(now[0].calls == 0u);
    co_await hub.async_call("good");
    auto const [ec, ignored] = co_await hub.async_call("bad", {}, in_tuple);
    BOOST_TEST(ec == rpc(-32603));
    now = hub.state().servers;
    BOOST_TEST(now[0].calls == 2u);
    BOOST_TEST(now[0].failures == 1u);
    BOOST_TEST((now[0].health == linkspan::health_state::healthy));
    a.drop_connections();
    co_await settle(executor);
    now = hub.state().servers;
    BOOST_TEST((now[0].state == server_state::closed));
    BOOST_TEST(!now[0].last_error.empty());
    BOOST_TEST(now[0].in_flight == 0u);
}

// Exponential moving average; the first sample is taken as it is, later ones with weight 1/8.
LINKSPAN_CASE(state_reports_smoothed_latency)
{
    scripted_server a, b;
    a.on(call("work"))
        .once(delay(8s), text("ok"))
        .once(delay(16s), text("ok"))
        .once(delay(1s), rpc_error(-32000, "no"));
    a.on(call("hang")).then(hang());
    b.on(call("rest")).then(text("ok"));
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    auto const latency = [&] { return hub.state().servers[0].latency; };
    BOOST_TEST(!latency());
    co_await hub.async_call("work");
    BOOST_TEST((latency() == 8s));
    co_await hub.async_call("work");
    BOOST_TEST((latency() == 9s));
    co_await hub.async_call("work", {}, in_tuple); // an error response is a sample, too
    BOOST_TEST((latency() == 8s));
    co_await hub.async_call("hang", {}, in_tuple); // a timeout is not a sample
    BOOST_TEST((latency() == 8s));
    BOOST_TEST(!hub.state().servers[1].latency);
}

LINKSPAN_CASE(state_reports_tool_count_and_time_of_last_refresh)
{
    scripted_server a, b;
    a.on(request("tools/list")).times(1, delay(3s), result(R"("tools":[{"name":"one"},{"name":"two"}])")).pass(99);
    a.tool("one", "{}", nullptr);
    b.tool("three", "{}", nullptr);
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("b", b);
    auto const at = [](linkspan::duration span) { // Unix time
        using wall_time = linkspan::wall_time;
        return wall_time(virtual_time::wall_start + std::chrono::duration_cast<wall_time::duration>(span));
    };
    BOOST_TEST(hub.state().total_tools == 0u);
    BOOST_TEST(!hub.state().last_refresh);
    hub.async_open([](error_code, linkspan::open_report) {});
    co_await settle(executor);
    BOOST_TEST(hub.state().total_tools == 1u); // of b, which responds first
    BOOST_TEST((hub.state().last_refresh == at(0s)));
    co_await pass(executor, 3s);
    co_await settle(executor);
    BOOST_TEST(hub.state().total_tools == 3u);
    BOOST_TEST((hub.state().last_refresh == at(3s)));
    co_await pass(executor, 4s);
    BOOST_TEST((hub.state().last_refresh == at(3s)));
    b.broadcast(list_changed);
    a.broadcast(list_changed);
    co_await settle(executor);
    BOOST_TEST(hub.state().total_tools == 2u);
    BOOST_TEST((hub.state().last_refresh == at(7s)));
    co_await hub.async_disconnect("a");
    BOOST_TEST(hub.state().total_tools == 1u);
    BOOST_TEST((hub.state().last_refresh == at(7s)));
}

LINKSPAN_CASE(list_changed_notification_refreshes_catalog)
{
    for (auto const version : {protocol_version::v2025_06_18, protocol_version::v2026_07_28}) {
        scripted_server a({version});
        a.on(call("old")).then(text("old"));
        hub_type hub(executor);
        hub.add<inproc>("a", a);
        co_await hub.async_open();
        auto const before = hub.catalog();
        BOOST_TEST(before->tools().size() == 1u);
        a.tool("new", "{}", nullptr);
        a.remove_tool("old");
        a.broadcast(list_changed);
        co_await settle(executor);
        auto const after = hub.catalog();
        BOOST_TEST_REQUIRE(after->tools().size() == 1u);
        BOOST_TEST(after->tools()[0].tool->name == "new");
        BOOST_TEST(before->tools()[0].tool->name == "old"); // a snapshot does not change
        BOOST_TEST(hub.state().servers[0].tools == 1u);
        BOOST_TEST(a.received("tools/list\"") == 2u);
    }
}

LINKSPAN_CASE(quick_successive_changes_end_with_latest_list)
{
    scripted_server a;
    a.tool("t0", "{}", nullptr);
    a.on(request("tools/list")).pass(1).times(1, delay(1s), result(R"("tools":[{"name":"t1"}])")).pass(99);
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.broadcast(list_changed);
    co_await settle(executor); // the response in flight may be older than the next change
    a.remove_tool("t0");
    a.tool("t2", "{}", nullptr);
    a.broadcast(list_changed);
    co_await pass(executor, 5s);
    BOOST_TEST_REQUIRE(hub.catalog()->tools().size() == 1u);
    BOOST_TEST(hub.catalog()->tools()[0].tool->name == "t2");
}

LINKSPAN_CASE(server_or_session_that_can_send_no_request_is_rejected)
{
    scripted_server a;
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    linkspan::server_options options;
    options.session.max_in_flight = 0;
    auto const expected = [](std::string const& subject) {
        auto text = "linkspan: the max_in_flight of " + subject + " is 0, expected at least 1";
        return [text](std::invalid_argument const& e) { return e.what() == text; };
    };
    BOOST_CHECK_EXCEPTION(hub.add<inproc>("b", a, options), std::invalid_argument, expected("server 'b'"));
    BOOST_CHECK_EXCEPTION(hub.async_replace<inproc>("a", a, options, boost::asio::detached), std::invalid_argument,
                          expected("server 'a'"));
    BOOST_CHECK_EXCEPTION(linkspan::session(executor, linkspan::via<inproc>(a), options.session), std::invalid_argument,
                          expected("a session"));
    BOOST_TEST(hub.state().servers.size() == 1u);
    co_return;
}

LINKSPAN_CASE(invalid_server_name_or_priority_is_rejected)
{
    scripted_server a;
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    auto const mentions = [](std::string part) {
        return [part](std::invalid_argument const& e) { return contains(e.what(), part); };
    };
    BOOST_CHECK_EXCEPTION(hub.add<inproc>("a", a), std::invalid_argument, mentions("'a'"));
    BOOST_CHECK_EXCEPTION(hub.add<inproc>("", a), std::invalid_argument, mentions("name"));
    BOOST_CHECK_EXCEPTION(hub.add<inproc>("b", a, with(101)), std::invalid_argument, mentions("'b'"));
    BOOST_CHECK_EXCEPTION(hub.add<inproc>("b", a, with(-1)), std::invalid_argument, mentions("0 to 100"));
    BOOST_TEST(hub.state().servers.size() == 1u);
    co_return;
}

BOOST_AUTO_TEST_SUITE_END()
