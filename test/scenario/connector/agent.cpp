#include <linkspan/agent.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(agent_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

std::string request(std::string const& id, std::string const& tool, std::string const& input = "{}")
{
    return R"({"type":"tool_use","id":")" + id + R"(","name":")" + tool + R"(","input":)" + input + "}";
}

struct agent_world : world {
    scripted_server tools;
    hub_type hub{executor};

    agent_world()
    {
        tools.on(call("search")).then(delay(2s), text("found"));
        tools.on(call("look")).then(result(R"("content":[{"type":"image","data":"iVBORw==","mimeType":"image/png"}])"));
        tools.on(call("fail")).then(tool_error("no money"));
        tools.on(call("wait")).then(hang());
        hub.add<inproc>("tools", tools, with(0));
    }

    std::size_t calls() const { return tools.received("\"tools/call\""); }
};

} // namespace

LINKSPAN_CASE_IN(agent_world, request_without_arguments_is_executed_only_if_tool_requires_none)
{
    tools.on(linkspan::test::request("tools/list"))
        .then(result(R"("tools":[{"name":"search","inputSchema":{"type":"object","required":["query","limit"]}},)"
                     R"({"name":"look","inputSchema":{"type":"object","required":[]}}])"));
    co_await hub.async_open();
    for (std::string const arguments : {R"(,"arguments":"")", "", R"(,"arguments":null)"}) {
        std::string const model_request = R"({"id":"c1","function":{"name":"search")" + arguments + "}}";
        auto const [ec, message] = co_await async_execute(hub, model_request, tool_format::openai, in_tuple);
        BOOST_TEST(contains(message, "malformed request, nothing was executed: arguments"), message);
    }
    auto const missing =
        co_await async_execute(hub, R"({"type":"tool_use","id":"1","name":"search"})", tool_format::anthropic);
    BOOST_TEST(contains(missing, "arguments are missing: the tool requires 'query', 'limit'"), missing);
    BOOST_TEST(calls() == 0U);
    co_await async_execute(hub, R"({"function":{"name":"look","arguments":""}})", tool_format::openai);
    BOOST_TEST(calls() == 1U);
}

LINKSPAN_CASE_IN(agent_world, malformed_request_is_reported_and_not_sent)
{
    co_await hub.async_open();
    std::string const whole = request("t1", "search", R"({"query":"x"})");
    for (std::size_t size = 0; size != whole.size(); ++size) {
        std::string const prefix = whole.substr(0, size);
        auto const message = co_await async_execute(hub, prefix, tool_format::anthropic);
        BOOST_TEST(contains(message, "malformed request, nothing was executed"), message);
        BOOST_TEST(boost::json::parse(message).at("is_error") == true);
    }
    std::vector<std::string> const others{whole + "}", request("t1", "search", R"({"a":tru})"),
                                          request("t1", "search", R"({"a":1,"a":2})"),
                                          request("t1", "search", "\"{}\"")};
    for (auto const& wrong : others) {
        auto const message = co_await async_execute(hub, wrong, tool_format::anthropic);
        BOOST_TEST(contains(message, "malformed request, nothing was executed"), message);
        BOOST_TEST(contains(message, R"("tool_use_id":"t1")"), message);
    }
    BOOST_TEST(calls() == 0U);
    auto const message = co_await async_execute(hub, whole, tool_format::anthropic);
    BOOST_TEST(contains(message, "found"), message);
    BOOST_TEST(calls() == 1U);
}

LINKSPAN_CASE_IN(agent_world, execution_completes_at_timeout_of_its_options)
{
    co_await hub.async_open();
    call_options options;
    options.timeout = 5s;
    std::string const stuck = request("t1", "wait");
    auto const message = co_await async_execute(hub, stuck, tool_format::anthropic, options);
    BOOST_TEST(contains(message, R"("is_error":true)"), message);
    BOOST_TEST((since_start(time) == 5s));
}

LINKSPAN_CASE_IN(agent_world, image_content_becomes_image_block_of_message)
{
    co_await hub.async_open();
    std::string const look = request("t1", "look");
    auto const message = co_await async_execute(hub, look, tool_format::anthropic);
    BOOST_TEST(contains(message, R"("media_type":"image/png","data":"iVBORw==")"), message);
}

LINKSPAN_CASE_IN(agent_world, concurrent_requests_return_outcomes_in_request_order)
{
    co_await hub.async_open();
    std::vector<std::string> requests;
    for (int i = 0; i != 5; ++i)
        requests.push_back(request("s" + std::to_string(i), "search"));
    requests.push_back(request("f", "fail"));
    requests.push_back(request("u", "serch"));
    requests.push_back(R"({"type":"tool_use","id":"m","name":"search")");
    requests.push_back(request("w", "wait"));
    call_options options;
    options.timeout = 10s;
    auto const outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic, options);
    BOOST_TEST((since_start(time) == 10s));
    BOOST_TEST_REQUIRE(outcomes.size() == 9U);
    for (std::size_t i = 0; i != 5; ++i) {
        BOOST_TEST(!outcomes[i].ec);
        BOOST_TEST(contains(outcomes[i].message, R"("tool_use_id":"s)" + std::to_string(i)), outcomes[i].message);
        BOOST_TEST(contains(outcomes[i].message, "found"));
    }
    BOOST_TEST(!outcomes[5].ec);
    BOOST_TEST(contains(outcomes[5].message, "no money"));
    BOOST_TEST(outcomes[6].ec == make_error_code(error::invalid_tool_name));
    BOOST_TEST(contains(outcomes[6].message, "similar names: search"), outcomes[6].message);
    BOOST_TEST(outcomes[7].ec == make_error_code(error::malformed_message));
    BOOST_TEST(contains(outcomes[7].message, R"("tool_use_id":"m")"), outcomes[7].message);
    BOOST_TEST(contains(outcomes[7].message, "truncated"), outcomes[7].message);
    BOOST_TEST(outcomes[8].ec.failed());
    BOOST_TEST(contains(outcomes[8].message, R"("tool_use_id":"w")"), outcomes[8].message);
    BOOST_TEST(calls() == 7U);
    std::vector<std::string> const none;
    auto const nothing = co_await async_execute_many(hub, none, tool_format::anthropic);
    BOOST_TEST(nothing.empty());
}

LINKSPAN_CASE_IN(agent_world, cancellation_of_many_requests_cancels_each_of_them)
{
    co_await hub.async_open();
    std::vector<std::string> const requests{request("1", "fail"), request("2", "wait"), request("3", "wait"), "{"};
    asio::cancellation_signal stop;
    std::vector<execution_outcome> outcomes;
    async_execute_many(hub, requests, tool_format::anthropic,
                       asio::bind_cancellation_slot(stop.slot(), [&](error_code, std::vector<execution_outcome> all) {
                           outcomes = std::move(all);
                       }));
    co_await pass(executor, 1s);
    BOOST_TEST(outcomes.empty());
    stop.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(outcomes.size() == 4U);
    BOOST_TEST(!outcomes[0].ec);
    BOOST_TEST(outcomes[1].ec == error_code(asio::error::operation_aborted));
    BOOST_TEST(outcomes[2].ec == error_code(asio::error::operation_aborted));
    BOOST_TEST(outcomes[3].ec == make_error_code(error::malformed_message));
    BOOST_TEST(tools.received("notifications/cancelled") == 2U);
}

LINKSPAN_CASE_IN(agent_world, many_requests_complete_when_connector_is_closed)
{
    co_await hub.async_open();
    std::vector<std::string> const requests{request("1", "wait"), request("2", "wait")};
    std::vector<execution_outcome> outcomes;
    async_execute_many(hub, requests, tool_format::anthropic,
                       [&](error_code, std::vector<execution_outcome> all) { outcomes = std::move(all); });
    co_await pass(executor, 1s);
    hub.close();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(outcomes.size() == 2U);
    for (auto const& one : outcomes)
        BOOST_TEST(one.ec == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
