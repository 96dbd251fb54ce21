#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(connector_names_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::replay_class;

LINKSPAN_CASE_IN(hub_world, tool_can_be_called_by_own_and_qualified_name)
{
    a.on(call("pay")).then(text("a"));
    b.on(call("pay")).then(text("b"));
    b.on(call("only_b")).then(text("b"));
    co_await make().async_open();
    for (auto const& [name, server] : std::map<std::string, std::string>{
             {"pay", "a"}, {"a__pay", "a"}, {"b__pay", "b"}, {"only_b", "b"}, {"b__only_b", "b"}}) {
        auto const result = co_await hub->async_call(name);
        BOOST_TEST(result.server() == server, name);
        BOOST_TEST(result.text() == server, name);
        BOOST_TEST(result.attempts().empty());
    }
    BOOST_TEST(a.received("__") == 0u); // servers receive unqualified tool names only
    BOOST_TEST(b.received("__") == 0u);
}

LINKSPAN_CASE_IN(hub_world, unknown_tool_name_triggers_one_refresh_and_is_reported_with_suggestion)
{
    a.on(call("read_file")).then(text("a"));
    co_await make().async_open();
    auto const [ec, result] = co_await hub->async_call("red_file", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_TEST(contains(result.detail(), "read_file"), result.detail());
    BOOST_TEST(contains(result.detail(), "searched: a, b"), result.detail());
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(a.received("tools/list") == 2u); // including the list of the opening
    BOOST_TEST(b.received("tools/list") == 2u);
}

LINKSPAN_CASE_IN(hub_world, new_tool_is_found_by_refresh_on_call)
{
    co_await make().async_open();
    b.on(call("fresh")).then(text("found"));
    auto const result = co_await hub->async_call("fresh");
    BOOST_TEST(result.text() == "found");
    b.on(call("fresher")).then(text("found"));
    auto const second = co_await hub->on_server("b").async_call("fresher");
    BOOST_TEST(second.text() == "found");
    BOOST_TEST(a.received("tools/list") == 2u); // the second refresh concerned only b
}

LINKSPAN_CASE_IN(hub_world, ambiguous_tool_name_is_rejected_with_qualified_names)
{
    a.tool("pay", R"({"type":"object","required":["iban"]})", nullptr);
    b.tool("pay", R"({"type":"object","required":["card"]})", nullptr);
    co_await make().async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::ambiguous_tool));
    BOOST_TEST(contains(result.detail(), "a__pay"), result.detail());
    BOOST_TEST(contains(result.detail(), "b__pay"), result.detail());
    BOOST_TEST(calls(a) + calls(b) == 0u);
    auto const exact = co_await hub->async_call("b__pay");
    BOOST_TEST(exact.server() == "b");
}

LINKSPAN_CASE_IN(hub_world, call_on_named_server_does_not_fail_over)
{
    a.on(call("pay")).once(text("a")).then(drop_connection());
    b.on(call("pay")).then(text("b"));
    co_await make(replay_class::read_only).async_open();
    auto const first = co_await hub->on_server("a").async_call("pay");
    BOOST_TEST(first.server() == "a");
    auto const [ec, result] = co_await hub->on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(ec.failed());
    BOOST_TEST(calls(b) == 0u);
    auto const [failed, trail] = co_await hub->on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(failed == make_error_code(error::all_servers_failed));
    BOOST_TEST(calls(b) == 0u);
    auto const [unknown_server, detail] = co_await hub->on_server("aa").async_call("pay", {}, in_tuple);
    BOOST_TEST(unknown_server == make_error_code(error::unknown_server));
    BOOST_TEST(contains(detail.detail(), "similar names: a"), detail.detail());
    auto const before = calls(a) + calls(b);
    std::string const unset;
    auto const [nameless, names] = co_await hub->on_server(unset).async_call("pay", {}, in_tuple);
    BOOST_TEST(nameless == make_error_code(error::unknown_server));
    BOOST_TEST(names.detail() == "''; similar names: a, b");
    BOOST_TEST(calls(a) + calls(b) == before);
    auto const [unknown, why] = co_await hub->on_server("b").async_call("play", {}, in_tuple);
    BOOST_TEST(unknown == make_error_code(error::tool_not_found));
    BOOST_TEST(contains(why.detail(), "pay"));
}

LINKSPAN_CASE_IN(hub_world, server_without_tools_capability_is_not_listed_for_unknown_tool)
{
    a.on(request("server/discover")).then(rpc_error(-32601, "no"));
    a.on(request("initialize"))
        .then(result(R"("protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"a","version":"1"})"));
    b.on(call("pay")).then(text("b"));
    co_await make().async_open();
    auto const [ec, result] = co_await hub->async_call("fly", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_TEST(a.received("tools/list") == 0u);
    BOOST_TEST(hub->state().servers[0].last_error.empty());
}

BOOST_AUTO_TEST_SUITE_END()
