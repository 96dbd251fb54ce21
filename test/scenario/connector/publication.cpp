// Publication of tool lists in the catalog, and exposed names.

#include <linkspan/agent/tool_export.hpp>
#include <linkspan/test/fail_at_every_step.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <deque>
#include <new>
#include <stdexcept>

#include "support/connector_case.hpp"
#include "support/slow_shutdown.hpp"

BOOST_AUTO_TEST_SUITE(publication_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Counts the published catalogs.
struct counts_catalogs {
    using role = observer_role;

    std::size_t* count;

    void on_event(event_view const& event) const { *count += event.name == "catalog_changed" ? 1 : 0; }
};

using counting_hub = connector<transports<inproc, slow_shutdown>, counts_catalogs>;

struct catalog_world : world {
    scripted_server a, b;
    std::deque<scripted_server> servers;
    std::size_t catalogs = 0;
    counting_hub hub{executor, counts_catalogs{&catalogs}};

    catalog_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
    }

    // Returns the exposed names, separated by spaces.
    std::string shown() const
    {
        auto const tools = boost::json::parse(export_tools(*hub.catalog(), tool_format::anthropic));
        std::string out;
        for (auto const& tool : tools.as_array())
            (out += out.empty() ? "" : " ") += tool.at("name").as_string();
        return out;
    }

    // Adds servers s0, s1 and so on, with the tools tool0, tool1 and so on. Server i is element i of `servers` and is
    // open after `wait(i)`.
    template<class Wait>
    void add_servers(std::size_t count, Wait wait)
    {
        for (std::size_t i = 0; i != count; ++i) {
            auto& server = servers.emplace_back();
            server.on(call("tool" + std::to_string(i))).then(text("x"));
            server.on(request("server/discover")).then(delay(wait(i)), rpc_error(-32601, "no"));
            hub.add<inproc>("s" + std::to_string(i), server);
        }
    }
};

} // namespace

// Exposed names

LINKSPAN_CASE_IN(catalog_world, tools_of_only_server_are_exposed_without_prefix)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    BOOST_TEST(shown() == "pay");
    for (auto const name : {"pay", "a__pay"}) { // qualified names stay valid
        auto const result = co_await hub.async_invoke(name);
        BOOST_TEST(result.text() == "a", name);
    }
    auto const [ec, refused] = co_await hub.async_invoke("b__pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_tool_name));
}

LINKSPAN_CASE_IN(catalog_world, prefix_is_used_only_while_there_is_a_second_server)
{
    b.tool("swim", "{}", [](std::string_view) { return std::string(R"("content":[])"); });
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.on(call("fly")).then(text("a"));
    co_await hub.async_refresh_tools();
    BOOST_TEST(shown() == "pay fly");
    hub.add<inproc>("b", b);
    co_await settle(executor);
    BOOST_TEST(shown() == "a__pay a__fly");
    co_await hub.async_connect("b");
    BOOST_TEST(shown() == "pay a__fly b__swim"); // "pay" is one tool offered by two servers
    co_await hub.async_remove("b");
    BOOST_TEST(shown() == "pay fly");
}

LINKSPAN_CASE_IN(catalog_world, interchangeable_tools_are_exposed_as_one)
{
    hub.add<inproc>("a", a, with(1)).add<inproc>("b", b, with(0));
    co_await hub.async_open();
    BOOST_TEST(shown() == "pay");
    auto const first = co_await hub.async_invoke("pay");
    BOOST_TEST(first.server() == "a");
    co_await hub.async_disable("a");
    auto const second = co_await hub.async_invoke("pay");
    BOOST_TEST(second.server() == "b");
}

// Published catalogs

LINKSPAN_CASE_IN(catalog_world, opening_many_servers_publishes_few_catalogs)
{
    add_servers(200, [](std::size_t i) { return 1ms * (i + 1); }); // each server opens in a turn of its own
    co_await hub.async_open();
    BOOST_TEST(hub.catalog()->tools().size() == 200u);
    BOOST_TEST(catalogs > 20u);
    BOOST_TEST(catalogs < 45u); // one each for the first 8, then one per growth by an eighth
}

LINKSPAN_CASE_IN(catalog_world, call_finds_tool_that_is_not_yet_published)
{
    add_servers(22, [](std::size_t i) { return i == 21 ? duration(8s) : duration(1ms * (i + 1)); });
    hub.async_open([](error_code, open_report const&) {});
    co_await pass(executor, 1s);
    auto const known = hub.catalog()->tools().size();
    BOOST_TEST(known == 20u);
    auto const result = co_await hub.async_call("tool20");
    BOOST_TEST(result.text() == "x");
    BOOST_TEST(hub.catalog()->tools().size() == 21u);
    BOOST_TEST(servers[20].received("tools/list") == 1u); // the tools were not listed again
}

LINKSPAN_CASE_IN(catalog_world, connect_publishes_tools_while_other_servers_open)
{
    add_servers(20, [](std::size_t i) { return i == 0 ? 8s : 1s; });
    hub.async_open([](error_code, open_report const&) {});
    co_await pass(executor, 2s);
    hub.add<inproc>("a", a);
    auto const how = co_await hub.async_connect("a");
    BOOST_TEST(how.tools == 1u);
    BOOST_TEST(hub.catalog()->tools("a").size() == 1u);
}

LINKSPAN_CASE_IN(catalog_world, disconnect_removes_tools_while_other_servers_open)
{
    add_servers(12, [](std::size_t i) { return i == 0 ? 8s : 1s; });
    hub.async_open([](error_code, open_report const&) {});
    co_await pass(executor, 2s);
    co_await hub.async_disconnect("s5");
    BOOST_TEST(hub.catalog()->tools("s5").empty());
    BOOST_TEST(hub.catalog()->tools("s6").size() == 1u);
}

LINKSPAN_CASE_IN(catalog_world, unchanged_tool_list_publishes_no_catalog)
{
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    auto const before = catalogs;
    auto const tools = hub.catalog();
    co_await hub.async_refresh_tools();
    BOOST_TEST(catalogs == before);
    BOOST_TEST(hub.catalog() == tools);
    a.describe("pay", "pays");
    co_await hub.async_refresh_tools();
    BOOST_TEST(catalogs == before + 1);
    BOOST_TEST(hub.catalog()->tools("a")[0].tool->description == "pays");
}

// Each handler that waits for the same list is invoked in a turn of its own.
BOOST_AUTO_TEST_CASE(throwing_refresh_handler_does_not_affect_other_handlers)
{
    asio::io_context context(1);
    auto& time = virtual_time::install(context);
    scripted_server a;
    hub_type hub(context.get_executor());
    hub.add<inproc>("a", a);
    std::size_t ends = 0;
    hub.async_open([&](error_code, open_report const&) {
        hub.async_refresh_tools([](error_code, std::shared_ptr<catalog const>) { throw std::runtime_error("mine"); });
        for (int i = 0; i != 2; ++i)
            hub.async_refresh_tools([&](error_code, std::shared_ptr<catalog const>) { ++ends; });
    });
    BOOST_CHECK_THROW(time.run_until([&] { return ends == 2; }), std::runtime_error);
    time.run_until([&] { return ends == 2; });
    hub.close();
    time.run_until_idle();
}

// Large lists

namespace {

// A server with more tools than one step of a publication processes, whose handlers are executed one by one.
struct large_list {
    static constexpr std::size_t size = 6'000;

    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    scripted_server server;
    hub_type hub{context.get_executor()};
    bool is_refreshed = false;

    large_list()
    {
        for (std::size_t i = 0; i != size; ++i)
            server.tool("tool" + std::to_string(i), R"({"type":"object"})", [](std::string_view) { return "{}"; });
        hub.add<inproc>("a", server);
        bool is_open = false;
        hub.async_open([&](error_code, open_report const&) { is_open = true; });
        time.run_until([&] { return is_open; });
        time.run_for(1s);
        server.describe("tool5999", "changed");
        hub.async_refresh_tools([&](error_code, std::shared_ptr<catalog const> const&) { is_refreshed = true; });
    }

    ~large_list()
    {
        hub.close();
        time.run_until_idle();
    }

    // Returns the number of turns of a refresh.
    static std::size_t turns()
    {
        large_list run;
        std::size_t out = 0;
        for (; !run.is_refreshed; ++out)
            BOOST_REQUIRE(run.context.poll_one() == 1u);
        return out;
    }

    std::span<catalog_entry const> tools() const { return hub.catalog()->tools("a"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(large_list_is_stored_after_all_its_steps)
{
    large_list run;
    run.time.run_until([&] { return run.is_refreshed; });
    BOOST_REQUIRE(run.tools().size() == large_list::size);
    BOOST_TEST(run.tools().back().tool->description == "changed");
}

// The server is disconnected before each of the last turns of a refresh, some of which store the list.
BOOST_AUTO_TEST_CASE(large_list_of_a_connection_that_ended_is_not_stored)
{
    auto const turns = large_list::turns();
    for (std::size_t left = 1; left <= 12; ++left) {
        large_list run;
        for (std::size_t i = left; i != turns; ++i)
            run.context.poll_one();
        bool is_disconnected = false;
        run.hub.async_disconnect("a", [&](error_code) { is_disconnected = true; });
        run.time.run_until([&] { return run.is_refreshed && is_disconnected; });
        run.time.run_until_idle();
        BOOST_TEST(run.tools().empty(), left);
    }
}

// The server is disconnected and connected again before each of the last turns of a refresh. The list of the second
// connection is stored.
BOOST_AUTO_TEST_CASE(large_list_of_an_earlier_connection_does_not_replace_that_of_a_later_one)
{
    auto const turns = large_list::turns();
    for (std::size_t left = 1; left <= 14; ++left) {
        large_list run;
        for (std::size_t i = left; i != turns; ++i)
            run.context.poll_one();
        bool is_connected = false;
        run.hub.async_disconnect("a", [](error_code) {});
        run.hub.async_connect("a", [&](error_code ec, server_report const&) { is_connected = !ec; });
        run.server.describe("tool5999", "changed again");
        run.time.run_until([&] { return run.is_refreshed && is_connected; });
        run.time.run_for(1s);
        BOOST_REQUIRE(run.tools().size() == large_list::size);
        BOOST_TEST(run.tools().back().tool->description == "changed again", left);
    }
}

// An allocation fails in one of the turns that read and store the list, after which nine turns publish it. The
// operation ends, with an error or without.
BOOST_AUTO_TEST_CASE(failed_allocation_while_a_large_list_is_stored_loses_no_operation)
{
    auto const refresh = [](std::size_t turns, std::size_t number) {
        large_list run;
        for (std::size_t i = 0; i != turns; ++i)
            run.context.poll_one();
        bool has_failed = false;
        try {
            linkspan::test::failing_allocation const failing(number);
            run.context.poll_one();
            has_failed = failing.has_failed();
        } catch (std::bad_alloc const&) {
            has_failed = true;
        }
        run.time.run_until([&] { return run.is_refreshed; });
        return has_failed;
    };
    auto const turns = large_list::turns();
    for (auto at = turns - 15; at != turns - 9; ++at)
        for (std::size_t number = 0; refresh(at, number); ++number)
            continue;
}

namespace {

// Throws for the tool "pay" while `throws` is true.
struct throwing_naming {
    using role = naming_role;

    bool const* throws;

    bool accepts_own_name(std::string_view) const noexcept { return true; }
    std::string expose(std::string_view, std::string_view tool) const
    {
        if (*throws && tool == "pay")
            throw std::runtime_error("no name");
        return std::string(tool);
    }
};

} // namespace

// The request of the list fails, and a later list is stored.
BOOST_AUTO_TEST_CASE(exception_while_a_list_is_stored_ends_the_list_request)
{
    asio::io_context context(1);
    auto& time = virtual_time::install(context);
    scripted_server a;
    a.on(call("pay")).then(text("a"));
    bool throws = true;
    connector<transports<inproc>, throwing_naming> hub(context.get_executor(), throwing_naming{&throws});
    hub.add<inproc>("a", a, with(0));
    std::optional<open_report> report;
    hub.async_open([&](error_code, open_report const& made) { report = made; });
    BOOST_CHECK_THROW(time.run_until([&] { return report.has_value(); }), std::runtime_error);
    time.run_until([&] { return report.has_value(); });
    BOOST_REQUIRE(report->servers.size() == 1u);
    BOOST_TEST((report->servers[0].ec == asio::error::no_memory), report->servers[0].ec.message());
    throws = false;
    bool is_connected = false;
    hub.async_connect("a", [&](error_code, server_report const&) { is_connected = true; });
    time.run_until([&] { return is_connected; });
    bool is_refreshed = false;
    hub.async_refresh_tools([&](error_code, std::shared_ptr<catalog const> const&) { is_refreshed = true; });
    time.run_until([&] { return is_refreshed; });
    BOOST_TEST(hub.catalog()->tools("a").size() == 1u);
    hub.close();
    time.run_until_idle();
}

LINKSPAN_CASE_IN(catalog_world, catalog_queries_send_no_messages)
{
    server_options tagged;
    tagged.tags = {"money", "slow"};
    tagged.priority = 7;
    hub.add<inproc>("a", a, tagged).add<inproc>("b", b);
    co_await hub.async_open();
    auto const sent = a.received().size() + b.received().size();
    auto const tools = hub.catalog();
    BOOST_TEST(tools->tools().size() == 2u);
    BOOST_TEST_REQUIRE(tools->tools("a").size() == 1u);
    BOOST_TEST(tools->tools("a")[0].server_key == "a");
    BOOST_TEST(tools->tools("a")[0].priority == 7);
    BOOST_TEST(tools->tools("unknown_server").empty());
    BOOST_TEST_REQUIRE(tools->tagged("slow").size() == 1u);
    BOOST_TEST(tools->tagged("slow")[0]->server_key == "a");
    BOOST_TEST(tools->tagged("fast").empty());
    BOOST_TEST((tools->find("pay").what == catalog::match::kind::group));
    co_await settle(executor);
    BOOST_TEST(a.received().size() + b.received().size() == sent);
}

// Refresh

LINKSPAN_CASE_IN(catalog_world, refresh_tools_lists_tools_of_all_servers)
{
    hub.add<inproc>("a", a).add<inproc>("b", b);
    co_await hub.async_open();
    a.on(call("fresh")).then(text("a"));
    auto const tools = co_await hub.async_refresh_tools();
    BOOST_TEST((tools->find("fresh").what == catalog::match::kind::one));
    BOOST_TEST(a.received("tools/list") == 2u);
    BOOST_TEST(b.received("tools/list") == 2u);
}

LINKSPAN_CASE_IN(catalog_world, refresh_tools_opens_servers_that_are_not_lazy)
{
    server_options lazily;
    lazily.start = start_mode::lazy;
    hub.add<inproc>("a", a).add<inproc>("b", b, lazily);
    auto const tools = co_await hub.async_refresh_tools();
    BOOST_TEST(tools->tools().size() == 1u);
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST(b.connections() == 0u);
}

LINKSPAN_CASE_IN(catalog_world, refresh_tools_is_aborted_by_close)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    a.on(request("tools/list")).then(delay(5s), result(R"("tools":[])"));
    std::vector<error_code> ends;
    hub.async_refresh_tools([&](error_code ec, std::shared_ptr<catalog const> tools) {
        BOOST_TEST(tools);
        ends.push_back(ec);
    });
    hub.async_refresh_tools(
        [&](error_code ec, std::shared_ptr<catalog const>) { ends.push_back(ec); }); // waits for the next list
    co_await pass(executor, 1s);
    hub.close();
    co_await settle(executor);
    BOOST_TEST(ends.size() == 2u);
    for (auto const& ec : ends)
        BOOST_TEST(ec == asio::error::operation_aborted);
    auto const [ec, tools] = co_await hub.async_refresh_tools(in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
}

// Start of servers

LINKSPAN_CASE_IN(catalog_world, server_with_manual_start_is_not_started_by_call)
{
    server_options by_hand;
    by_hand.start = start_mode::manual;
    hub.add<inproc>("a", a, by_hand);
    auto const [ec, result] = co_await hub.on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected), ec.message());
    auto const [none, missing] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(none.failed());
    co_await hub.async_refresh_tools();
    BOOST_TEST(a.connections() == 0u);
    co_await hub.async_open();
    auto const paid = co_await hub.async_call("pay");
    BOOST_TEST(paid.text() == "a");
}

LINKSPAN_CASE_IN(catalog_world, server_that_exits_while_idle_is_started_by_next_call)
{
    hub.add<slow_shutdown>("a", a);
    co_await hub.async_open();
    a.drop_connections();
    co_await pass(executor, 60s);
    BOOST_TEST((hub.state().servers[0].state == server_state::idle));
    BOOST_TEST(hub.state().servers[0].restarts == 0u);
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST(shown() == "pay");
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(a.connections() == 2u);
}

LINKSPAN_CASE_IN(catalog_world, server_that_exits_during_call_is_restarted_as_lost)
{
    a.on(call("sleep")).then(delay(5s), drop_connection());
    hub.add<slow_shutdown>("a", a);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("sleep", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    co_await pass(executor, 10s);
    BOOST_TEST(hub.state().servers[0].restarts == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
