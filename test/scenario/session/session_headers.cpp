// Arguments that are sent to stateless servers as headers, too.

#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"
#include "support/fake_transport.hpp"

BOOST_AUTO_TEST_SUITE(session_headers_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto region =
    R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer"}}})";
constexpr auto zone = R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Zone"}}})";
constexpr auto faulty = R"({"type":"object","properties":{"x":{"type":"number","x-mcp-header":"X"}}})";

struct headers_world : fake_transport_world {
    std::vector<std::pair<std::string, std::string>> tools{{"route", region}, {"plain", R"({"type":"object"})"}};

    headers_world()
    {
        use_stateless_era();
        fake->handlers["tools/list"] = [this](sent_message const& message) {
            std::string members = R"("tools":[)";
            for (auto const& [name, schema] : tools)
                (members += members.back() == '[' ? "" : ",") +=
                    R"({"name":")" + name + R"(","inputSchema":)" + schema + "}";
            fake->result(message, members + "]");
        };
        fake->handlers["tools/call"] = [this](sent_message const& message) { fake->result(message, ""); };
    }

    // Makes the server refuse the first `times` calls without this header.
    void requires_header(std::string header, std::size_t times = 1'000)
    {
        fake->handlers["tools/call"] = [this, header, left = times](sent_message const& message) mutable {
            bool const has = std::ranges::any_of(message.mirrored,
                                                 [&](std::string const& one) { return one.starts_with(header + ":"); });
            if (has || left == 0)
                return fake->result(message, "");
            --left;
            fake->refuse(message, -32020);
        };
    }

    std::string headers_of(std::size_t call) const
    {
        std::string out;
        for (auto const& one : fake->message("tools/call", call).mirrored)
            (out += out.empty() ? "" : "; ") += one;
        return out;
    }
};

boost::json::object const in_north{{"region", "north"}, {"n", 1}};

} // namespace

LINKSPAN_CASE_IN(headers_world, annotated_arguments_of_listed_tool_are_sent_as_headers)
{
    co_await make().async_open();
    co_await client->async_call_tool("route", in_north); // the schema is not known yet
    BOOST_TEST(headers_of(0) == "");
    co_await client->async_list_tools();
    co_await client->async_call_tool("route", in_north);
    BOOST_TEST(headers_of(1) == "Mcp-Param-Region: north");
    boost::json::object const odd{{"region", " n\xC3\xB8rd"}};
    co_await client->async_call_tool("route", odd);
    BOOST_TEST(headers_of(2) == "Mcp-Param-Region: =?base64?IG7DuHJk?=");
    boost::json::object const none{{"region", nullptr}};
    co_await client->async_call_tool("route", none);
    BOOST_TEST(headers_of(3) == "");
    co_await client->async_call_tool("plain", in_north);
    BOOST_TEST(headers_of(4) == "");
    boost::json::object const by_hand{{"name", "route"}, {"arguments", in_north}};
    co_await client->async_request("tools/call", by_hand);
    BOOST_TEST(headers_of(5) == "Mcp-Param-Region: north");
    BOOST_TEST(fake->message("tools/call", 5).name == "route");
}

LINKSPAN_CASE_IN(headers_world, argument_headers_are_not_sent_in_handshake_era)
{
    tools.emplace_back("odd", faulty);
    fake->handlers["server/discover"] = [this](sent_message const& message) { fake->refuse(message, -32601); };
    co_await make().async_open();
    auto const list = co_await client->async_list_tools();
    BOOST_TEST(list.tools.size() == 3u);
    BOOST_TEST(list.unusable.empty());
    co_await client->async_call_tool("route", in_north);
    BOOST_TEST(headers_of(0) == "");
}

LINKSPAN_CASE_IN(headers_world, tool_with_invalid_header_annotation_is_unusable)
{
    tools.insert(tools.begin(), {"odd", faulty});
    co_await make().async_open();
    auto const list = co_await client->async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 2u);
    BOOST_TEST(list.tools[0].name == "route");
    BOOST_TEST(list.tools[1].name == "plain");
    BOOST_TEST_REQUIRE(list.unusable.size() == 1u);
    BOOST_TEST(list.unusable[0].subject == "odd");
    BOOST_TEST(!list.unusable[0].message.empty());
}

LINKSPAN_CASE_IN(headers_world, call_refused_for_missing_headers_is_resent_after_refresh)
{
    co_await make().async_open();
    co_await client->async_list_tools();
    tools[0].second = zone;
    requires_header("Mcp-Param-Zone");
    completion_box first, second;
    client->async_call_tool("route", in_north, first.handler());
    client->async_call_tool("route", in_north, second.handler());
    co_await settle(executor);
    BOOST_TEST((first.count == 1u && !first.ec && second.count == 1u && !second.ec));
    BOOST_TEST(first.result.attempts().empty());
    BOOST_TEST(headers_of(0) == "Mcp-Param-Region: north");
    BOOST_TEST(headers_of(2) == "Mcp-Param-Zone: north");
    BOOST_TEST(headers_of(3) == "Mcp-Param-Zone: north");
    BOOST_TEST(fake->count("tools/list") == 2u); // one list for both calls
    BOOST_TEST(fake->message("tools/call", 2).id != fake->message("tools/call", 0).id);
}

LINKSPAN_CASE_IN(headers_world, call_refused_for_missing_headers_is_resent_once)
{
    requires_header("Mcp-Param-Never");
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("route", in_north, in_tuple);
    BOOST_TEST(ec == error_code(-32020, rpc_category()));
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::refused));
    BOOST_TEST(fake->methods() == "server/discover tools/call tools/list tools/call");
}

LINKSPAN_CASE_IN(headers_world, failed_refresh_after_refusal_returns_refusal)
{
    requires_header("Mcp-Param-Region");
    fake->handlers["tools/list"] = [this](sent_message const& message) { fake->refuse(message, -32603); };
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("route", in_north, in_tuple);
    BOOST_TEST(ec == error_code(-32020, rpc_category()));
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::refused));
    BOOST_TEST(result.attempts()[0].result.has_response);
    BOOST_TEST(fake->count("tools/call") == 1u);
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(headers_world, call_waiting_for_refresh_completes_once_if_cancelled_closed_lost_or_timed_out)
{
    for (int const how : {0, 1, 2, 3}) {
        requires_header("Mcp-Param-Region");
        fake->handlers["tools/list"] = [](sent_message const&) {};
        co_await make().async_open();
        boost::asio::cancellation_signal signal;
        completion_box box;
        client->async_call_tool("route", in_north, boost::asio::bind_cancellation_slot(signal.slot(), box.handler()));
        co_await settle(executor);
        BOOST_TEST(client->in_flight() == 2u);
        if (how == 0)
            signal.emit(boost::asio::cancellation_type::total);
        else if (how == 1)
            client->close();
        else if (how == 2)
            fake->end();
        else
            co_await pass(executor, 31s);
        co_await settle(executor);
        BOOST_TEST((box.count == 1u && box.ec && box.delivery() == certainty::refused), how);
        client.reset();
        co_await settle(executor);
    }
}

// Through a connector

LINKSPAN_CASE_IN(headers_world, connector_reports_unusable_tools_once)
{
    tools.emplace_back("odd", faulty);
    linkspan::test::event_lines const events{"unusable_tool"};
    connector<transports<fake_transport>, linkspan::test::event_lines> hub(executor, events);
    hub.add<fake_transport>("a", config());
    auto const report = co_await hub.async_open();
    BOOST_TEST(report.servers[0].tools == 2u);
    BOOST_TEST(report.servers[0].detail == "unusable tools: 1");
    BOOST_TEST_REQUIRE(events.all().size() == 1u);
    BOOST_TEST(events.all().front().starts_with("a: odd: "), events.all().front());
    co_await hub.async_call("route", in_north);
    BOOST_TEST(headers_of(0) == "Mcp-Param-Region: north");
    co_await hub.async_refresh_tools(); // returns the same list
    BOOST_TEST(events.all().size() == 1u);
}

LINKSPAN_CASE_IN(headers_world, list_after_refused_headers_updates_catalog_without_another_request)
{
    connector<transports<fake_transport>> hub(executor);
    hub.add<fake_transport>("a", config());
    co_await hub.async_open();
    tools[0].second = zone;
    tools.emplace_back("new", R"({"type":"object"})");
    requires_header("Mcp-Param-Zone", 1);
    co_await hub.async_call("route", in_north);
    BOOST_TEST(headers_of(1) == "Mcp-Param-Zone: north");
    co_await settle(executor);
    BOOST_TEST(hub.catalog()->tools().size() == 3u);
    BOOST_TEST(fake->count("tools/list") == 2u); // at the opening, and after the refusal
    co_await hub.async_call("new", boost::json::object());
    BOOST_TEST(fake->count("tools/list") == 2u);
}

LINKSPAN_CASE_IN(headers_world, list_after_refused_headers_is_ignored_while_connector_lists_tools)
{
    connector<transports<fake_transport>> hub(executor);
    hub.add<fake_transport>("a", config());
    co_await hub.async_open();
    requires_header("Mcp-Param-Zone");
    std::vector<sent_message> lists;
    fake->handlers["tools/list"] = [&](sent_message const& message) { lists.push_back(message); };
    hub.async_refresh_tools([](error_code, auto const&) {});
    completion_box box;
    hub.async_call("route", in_north, box.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(lists.size() == 2u);
    fake->result(lists[1], R"("tools":[{"name":"newer","inputSchema":{"type":"object"}}])");
    co_await settle(executor);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
    fake->result(lists[0], R"("tools":[{"name":"one","inputSchema":{"type":"object"}}])");
    co_await settle(executor);
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    BOOST_TEST(box.count == 1u);
}

LINKSPAN_CASE_IN(headers_world, requests_about_tasks_have_the_id_as_name)
{
    for (auto const method : {"tasks/get", "tasks/update", "tasks/cancel"})
        fake->handlers[method] = [this](sent_message const& message) {
            fake->result(message, R"("taskId":"t \"1\"","status":"completed","result":{"content":[]})");
        };
    co_await make().async_open();
    co_await async_get_task(*client, "t \"1\"");
    co_await async_cancel_task(*client, "t \"1\"");
    boost::json::object const update{{"taskId", "u"}, {"inputResponses", boost::json::object()}};
    co_await client->async_request("tasks/update", update);
    BOOST_TEST(fake->message("tasks/get").name == "t \"1\"");
    BOOST_TEST(fake->message("tasks/cancel").name == "t \"1\"");
    BOOST_TEST(fake->message("tasks/update").name == "u");
    task known;
    known.id = "t \"1\"";
    co_await async_wait_task(*client, known);
    BOOST_TEST(fake->message("tasks/get", 1).name == "t \"1\"");
}

BOOST_AUTO_TEST_SUITE_END()
