#include <linkspan/agent.hpp>
#include <linkspan/connector/call_many.hpp>
#include <linkspan/connector/call_with_fallback.hpp>
#include <linkspan/connector/connection_error.hpp>
#include <linkspan/observe/metrics.hpp>
#include <linkspan/observe/observe_all.hpp>
#include <linkspan/observe/text_log.hpp>
#include <linkspan/policy.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(entry_points_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

using underscore_hub = connector<transports<inproc>, naming::mcp_underscore>;

struct entry_world : world {
    scripted_server github, my_server;
    underscore_hub hub{executor};

    entry_world()
    {
        github.on(call("search")).then(text("found"));
        github.on(call("get_file_contents")).then(text("contents"));
        my_server.on(call("do_it_now")).then(text("done"));
        hub.add<inproc>("github", github, with(0)).add<inproc>("my_server", my_server, with(0));
    }
};

} // namespace

// Calls by exposed name

LINKSPAN_CASE_IN(entry_world, call_by_exposed_name_reaches_its_tool_once)
{
    co_await hub.async_open();
    boost::json::object const args{{"query", "test"}};
    auto const result = co_await hub.async_invoke("mcp_github_search", args);
    BOOST_TEST(result.text() == "found");
    BOOST_TEST(github.received(R"("name":"search")") == 1u);
    BOOST_TEST(github.received(R"("arguments":{"query":"test"})") == 1u);
}

LINKSPAN_CASE_IN(entry_world, exposed_names_with_underscores_are_looked_up_and_not_parsed)
{
    co_await hub.async_open();
    auto const file = co_await hub.async_invoke("mcp_github_get_file_contents");
    BOOST_TEST(file.text() == "contents");
    auto const done = co_await hub.async_invoke("mcp_my_server_do_it_now");
    BOOST_TEST(done.text() == "done");
}

LINKSPAN_CASE_IN(entry_world, name_that_is_not_exposed_is_invalid)
{
    co_await hub.async_open();
    for (std::string const name : {"search", "mcp_github", "github_search", "mcp_nobody_search", ""}) {
        auto const [ec, result] = co_await hub.async_invoke(name, {}, in_tuple);
        BOOST_TEST(ec == make_error_code(error::invalid_tool_name), name);
        BOOST_TEST(ec.message().starts_with("Invalid MCP tool name"));
    }
    BOOST_TEST(github.received("tools/call") == 0u);
}

LINKSPAN_CASE_IN(entry_world, not_connected_error_names_server)
{
    co_await hub.async_open();
    hub.add<inproc>("unreachable", refused_connection(), with(0));
    auto const [ec, result] = co_await hub.on_server("unreachable").async_call("search", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
    BOOST_TEST(contains(result.detail(), "unreachable"), result.detail());
}

LINKSPAN_CASE_IN(entry_world, exposed_name_of_disconnected_server_is_not_connected_and_names_server)
{
    hub.add<inproc>("unreached", refused_connection(), with(0));
    co_await hub.async_open();
    co_await hub.async_disconnect("my_server");
    my_server.drop_connections();
    github.drop_connections(); // the server is not restarted
    co_await settle(executor);
    std::vector<std::pair<std::string, std::string>> const names{{"mcp_my_server_do_it_now", "my_server"},
                                                                 {"mcp_github_search", "github"},
                                                                 {"mcp_unreached_search", "unreached"}};
    for (auto const& [name, server] : names) {
        auto const [ec, result] = co_await hub.async_invoke(name, {}, in_tuple);
        BOOST_TEST(ec == make_error_code(error::not_connected), name);
        BOOST_TEST(contains(result.detail(), "server '" + server + "'"), result.detail());
        BOOST_TEST(trail_of(result) == server + " not_sent");
    }
    auto const [ec, result] = co_await hub.async_invoke("mcp_github_nothing", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_tool_name)); // the tool list of the server is known
}

LINKSPAN_CASE_IN(entry_world, exposed_name_of_disabled_server_is_reported_as_disabled)
{
    co_await hub.async_open();
    co_await hub.async_disable("github");
    auto const [ec, result] = co_await hub.async_invoke("mcp_github_search", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::server_disabled));
    BOOST_TEST(contains(result.detail(), "github"), result.detail());
}

LINKSPAN_CASE_IN(entry_world, execute_returns_message_for_each_outcome)
{
    co_await hub.async_open();
    std::string const good = R"({"type":"tool_use","id":"1","name":"mcp_github_search","input":{"query":"x"}})";
    std::string const wrong = R"({"type":"tool_use","id":"2","name":"mcp_github_serch","input":{}})";
    std::string const nonsense = "nonsense";
    auto const message = co_await async_execute(hub, good, tool_format::anthropic);
    BOOST_TEST(contains(message, R"("text":"found")"), message);
    auto const mistake = co_await async_execute(hub, wrong, tool_format::anthropic);
    BOOST_TEST(contains(mistake, "similar names: mcp_github_search"), mistake);
    BOOST_TEST(boost::json::parse(mistake).at("is_error") == true);
    auto const confused = co_await async_execute(hub, nonsense, tool_format::anthropic);
    BOOST_TEST(boost::json::parse(confused).at("is_error") == true);
}

// Calls with ordered fallback servers

LINKSPAN_CASE_IN(entry_world, fallback_server_is_called_if_primary_is_down)
{
    scripted_server replica;
    replica.on(call("search")).then(text("from the replica"));
    hub.add<inproc>("down", refused_connection(), with(0)).add<inproc>("replica", replica, with(100));
    co_await hub.async_open();
    std::vector<std::string> const replica_only{"replica"}, both{"replica", "github"}, no_servers;
    auto const first = co_await async_call_with_fallback(hub, "github", replica_only, "search");
    BOOST_TEST(first.text() == "found"); // priorities are ignored
    auto const second = co_await async_call_with_fallback(hub, "down", both, "search");
    BOOST_TEST(second.text() == "from the replica");
    auto const [ec, none] = co_await async_call_with_fallback(hub, "down", no_servers, "search", {}, in_tuple);
    BOOST_TEST(ec.failed());
}

LINKSPAN_CASE_IN(entry_world, call_with_fallback_has_attempt_per_failed_server)
{
    scripted_server one, two;
    one.on(call("search")).then(rpc_error(-32600, "no"));
    two.on(call("search")).then(rpc_error(-32600, "no"));
    hub.add<inproc>("one", one, with(0)).add<inproc>("two", two, with(0));
    co_await hub.async_open();
    std::vector<std::string> const spare{"two"};
    auto const [ec, result] = co_await async_call_with_fallback(hub, "one", spare, "search", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed)); // regardless of the response of the last server
    BOOST_TEST(trail_of(result) == "one refused, two refused");
}

// Many concurrent calls

LINKSPAN_CASE_IN(entry_world, many_calls_run_concurrently_as_one_operation)
{
    scripted_server slow;
    slow.on(call("wait")).then(delay(2s), text("waited"));
    hub.add<inproc>("slow", slow, with(0));
    co_await hub.async_open();
    std::vector<tool_call> calls;
    for (int i = 0; i != 10; ++i)
        calls.emplace_back("wait");
    calls.emplace_back("search");
    calls.emplace_back("nothing");
    auto const outcomes = co_await async_call_many(hub, calls);
    BOOST_TEST((since_start(time) == 2s));
    BOOST_TEST_REQUIRE(outcomes.size() == 12u);
    for (std::size_t i = 0; i != 10; ++i)
        BOOST_TEST(outcomes[i].result.text() == "waited");
    BOOST_TEST(outcomes[10].result.text() == "found"); // in the order of the calls
    BOOST_TEST(outcomes[11].ec == make_error_code(error::tool_not_found));
    std::vector<tool_call> const none;
    auto const nothing = co_await async_call_many(hub, none);
    BOOST_TEST(nothing.empty());
}

LINKSPAN_CASE_IN(entry_world, cancellation_of_many_calls_cancels_each_of_them)
{
    scripted_server stuck;
    stuck.on(call("wait")).then(hang());
    hub.add<inproc>("stuck", stuck, with(0));
    co_await hub.async_open();
    std::vector<tool_call> calls;
    for (int i = 0; i != 3; ++i)
        calls.emplace_back("wait");
    asio::cancellation_signal stop;
    std::vector<call_outcome> outcomes;
    async_call_many(hub, calls,
                    asio::bind_cancellation_slot(
                        stop.slot(), [&](error_code, std::vector<call_outcome> all) { outcomes = std::move(all); }));
    co_await pass(executor, 1s);
    stop.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(outcomes.size() == 3u);
    for (auto const& one : outcomes)
        BOOST_TEST(one.ec == error_code(asio::error::operation_aborted));
    BOOST_TEST(stuck.received("notifications/cancelled") == 3u);
}

// Exceptions

LINKSPAN_CASE_IN(entry_world, failures_are_thrown_as_specific_exception_types)
{
    scripted_server lost;
    lost.on(call("pay")).then(drop_connection());
    hub.add<inproc>("lost", lost, with(0));
    co_await hub.async_open();
    std::string seen;
    try {
        co_await hub.async_call("fly", {}, linkspan::throwing);
    } catch (tool_not_found_error const&) {
        seen += "not found, ";
    }
    try {
        co_await hub.async_call("pay", {}, linkspan::throwing);
    } catch (outcome_unknown_error const& unknown) {
        seen += "unknown after " + std::to_string(unknown.attempts().size());
    }
    BOOST_TEST(seen == "not found, unknown after 1");
}

LINKSPAN_CASE_IN(entry_world, failed_open_is_thrown_with_report_per_server)
{
    hub_type unreachable(executor);
    unreachable.add<inproc>("x", refused_connection(), with(0)).add<inproc>("y", refused_connection(), with(0));
    std::string explanation;
    try {
        co_await unreachable.async_open(linkspan::throwing);
    } catch (connection_error const& failed) {
        BOOST_TEST(failed.report().servers.size() == 2u);
        explanation = failed.what();
    }
    BOOST_TEST(contains(explanation, "x: start failed after 0 ms"), explanation);
    BOOST_TEST(contains(explanation, "y: start failed after 0 ms"), explanation);
}

// Observers

LINKSPAN_CASE_IN(entry_world, log_and_metrics_can_observe_one_connector)
{
    auto const lines = std::make_shared<std::vector<std::string>>();
    metrics counted;
    using both = observe_all<text_log, metrics>;
    text_log const log([lines](std::string_view line) { lines->emplace_back(line); });
    connector<transports<inproc>, both> watched(executor, both(log, counted));
    scripted_server lost, fine;
    lost.on(call("pay")).then(drop_connection());
    fine.on(call("pay")).then(text("ok"));
    watched.add<inproc>("lost", lost, with(9, replay_class::read_only));
    watched.add<inproc>("fine", fine, with(1, replay_class::read_only));
    co_await watched.async_open();
    co_await watched.async_call("pay");
    auto const has_line = [&](std::string const& line) { return std::ranges::find(*lines, line) != lines->end(); };
    BOOST_TEST(has_line("[MCP] lost started"));
    BOOST_TEST(has_line("[MCP] lost: pay failed, attempt 1: unknown, the peer closed the stream, after 0 ms"));
    auto const now = counted.snapshot();
    BOOST_TEST((now.attempts.at({"lost", "pay", "unknown", certainty::unknown}).count == 1u));
    BOOST_TEST(now.sessions.at("lost").count == 1u);
    BOOST_TEST((now.attempts.at({"fine", "pay", ""}).count == 1u));
    BOOST_TEST(now.failovers.at("fine") == 1u);
}

LINKSPAN_CASE_IN(entry_world, retry_on_the_same_server_is_no_failover_in_metrics)
{
    metrics counted;
    connector<transports<inproc>, metrics> watched(executor, counted);
    scripted_server only;
    only.on(call("pay")).times(2, rpc_error(-32603, "busy")).then(text("ok"));
    watched.add<inproc>("only", only, with(1, replay_class::read_only));
    co_await watched.async_open();
    co_await watched.async_call("pay");
    auto const now = counted.snapshot();
    BOOST_TEST((now.attempts.at({"only", "pay", ""}).count == 1u));
    BOOST_TEST(now.retries.at("only") == 2u);
    BOOST_TEST(now.failovers.empty());
}

// Secrets of a server are redacted from each text that the server produces.
LINKSPAN_CASE_IN(entry_world, secrets_of_server_are_redacted_from_its_errors)
{
    auto const lines = std::make_shared<std::vector<std::string>>();
    text_log const log([lines](std::string_view line) { lines->emplace_back(line); });
    connector<transports<inproc>, text_log> watched(executor, log);
    scripted_server chatty;
    chatty.on(call("pay")).then(raw("DEBUG key=hunter2-planted"), rpc_error(-32603, "bad key hunter2-planted"));
    auto options = with(0);
    options.secrets.add("hunter2-planted");
    watched.add<inproc>("chatty", chatty, options);
    co_await watched.async_open();
    auto const [ec, result] = co_await watched.async_call("pay", {}, in_tuple);
    BOOST_TEST(result.attempts()[0].detail == "bad key ***");
    auto const explanation = explain(ec, result);
    BOOST_TEST(!contains(explanation, "hunter2"), explanation);
    for (auto const& line : *lines)
        BOOST_TEST(!contains(line, "hunter2"), line);
    BOOST_TEST(std::ranges::count(*lines, "[MCP] chatty: unexpected_output: DEBUG key=***") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
