#include <linkspan/connector.hpp>

#include <memory>
#include <string>
#include <vector>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"

BOOST_AUTO_TEST_SUITE(pins_test)

using namespace linkspan::test;
using linkspan::error;
using linkspan::inproc;
using linkspan::pin_difference;
using linkspan::pin_mode;
using linkspan::server_options;
using linkspan::tool;
using linkspan::tool_pin;

namespace {

constexpr std::string_view forecast_schema = R"({"type":"object","properties":{"city":{"type":"string"}}})";
constexpr std::string_view other_schema = R"({"type":"object","properties":{"city":{"type":"integer"}}})";

std::string fingerprint_of(std::string_view input_schema)
{
    tool tool;
    tool.input_schema = input_schema;
    return schema_fingerprint(tool);
}

// A server with a tool "forecast", for which bindings were generated.
struct pinned_world : world {
    scripted_server weather;
    linkspan::test::event_lines events{"pin_broken", "unusable_tool"};
    linkspan::connector<linkspan::transports<inproc>, linkspan::test::event_lines> hub{executor, events};
    std::string const fingerprint = fingerprint_of(forecast_schema);
    std::vector<tool_pin> const pins{{"forecast", fingerprint}};

    pinned_world() { weather.tool("forecast", std::string(forecast_schema), nullptr); }

    void add(pin_mode when_broken)
    {
        server_options options;
        options.pins = pins;
        options.when_pins_break = when_broken;
        hub.add<inproc>("weather", weather, options);
    }

    // Replaces the schema of the tool.
    void change()
    {
        weather.remove_tool("forecast");
        weather.tool("forecast", std::string(other_schema), nullptr);
    }
};

} // namespace

LINKSPAN_CASE_IN(pinned_world, unchanged_tools_pass_pin_verification)
{
    hub.add<inproc>("weather", weather);
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple); // opens it
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(differences.empty());
}

LINKSPAN_CASE_IN(pinned_world, changed_tool_is_reported_with_both_fingerprints)
{
    hub.add<inproc>("weather", weather);
    co_await hub.async_open();
    change();
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tools_changed), ec.message());
    BOOST_TEST_REQUIRE(differences.size() == 1u);
    pin_difference const expected{"forecast", fingerprint, fingerprint_of(other_schema)};
    BOOST_TEST((differences[0] == expected));
}

// Lists the tool as it was pinned, and after it another tool of that name.
LINKSPAN_CASE_IN(pinned_world, second_tool_with_pinned_name_breaks_pin)
{
    auto const entry = [](std::string_view schema) {
        return R"({"name":"forecast","inputSchema":)" + std::string(schema) + "}";
    };
    weather.on(request("tools/list"))
        .then(result(R"("tools":[)" + entry(forecast_schema) + ',' + entry(other_schema) + ']'));
    add(pin_mode::reject);
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tools_changed), ec.message());
    BOOST_TEST_REQUIRE(differences.size() == 1u);
    pin_difference const expected{"forecast", fingerprint, fingerprint_of(other_schema)};
    BOOST_TEST((differences[0] == expected));
    auto const [refused, no_result] = co_await hub.on_server("weather").async_call("forecast", {}, in_tuple);
    BOOST_TEST(refused == make_error_code(error::tool_not_found), refused.message());
    BOOST_TEST(weather.received("tools/call") == 0u);
}

LINKSPAN_CASE_IN(pinned_world, missing_pinned_tool_is_reported_as_difference)
{
    hub.add<inproc>("weather", weather);
    weather.remove_tool("forecast");
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tools_changed), ec.message());
    BOOST_TEST_REQUIRE(differences.size() == 1u);
    BOOST_TEST(to_string(differences[0]) == "forecast: tool is pinned but not listed by its server");
}

LINKSPAN_CASE_IN(pinned_world, failed_tools_list_fails_pin_verification)
{
    hub.add<inproc>("weather", weather);
    co_await hub.async_open();
    weather.on(request("tools/list")).then(rpc_error(-32603, "busy"));
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(ec == rpc(-32603), ec.message());
    BOOST_TEST(differences.empty());
}

LINKSPAN_CASE_IN(pinned_world, pin_verification_of_unknown_server_fails)
{
    auto const [ec, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unknown_server), ec.message());
    BOOST_TEST(differences.empty());
}

LINKSPAN_CASE_IN(pinned_world, close_aborts_pin_verification)
{
    hub.add<inproc>("weather", weather);
    bool is_over = false;
    hub.async_verify_pins("weather", pins, [&](linkspan::error_code ec, std::vector<pin_difference> const&) {
        BOOST_TEST(ec == boost::asio::error::operation_aborted, ec.message());
        is_over = true;
    });
    hub.close();
    co_await settle(executor);
    BOOST_TEST(is_over);
}

LINKSPAN_CASE_IN(pinned_world, broken_pin_is_reported_once_and_tool_stays_callable_in_warn_mode)
{
    add(pin_mode::warn);
    co_await hub.async_open();
    BOOST_TEST(events.all().empty());
    change();
    co_await hub.async_refresh_tools();
    co_await hub.async_refresh_tools();
    BOOST_TEST_REQUIRE(events.all().size() == 1u);
    BOOST_TEST(events.all().front() == "weather: forecast: schemas or annotations differ from the pin");
    auto const result = co_await hub.async_call("forecast");
    BOOST_TEST(!result.is_error());
}

LINKSPAN_CASE_IN(pinned_world, pinned_tool_that_was_never_listed_is_not_callable_in_refuse_mode)
{
    weather.on(request("tools/list")).then(rpc_error(-32603, "busy"));
    add(pin_mode::reject);
    co_await hub.async_open(in_tuple); // reports that the tools are unknown
    auto const [ec, result] = co_await hub.async_call("forecast", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found), ec.message());
    BOOST_TEST(weather.received("tools/call") == 0u);
    auto const other = co_await hub.async_call("something_else", {}, in_tuple); // a tool without a pin
    BOOST_TEST(weather.received("tools/call") == 1u);
}

LINKSPAN_CASE_IN(pinned_world, tool_with_broken_pin_is_not_callable_in_refuse_mode)
{
    add(pin_mode::reject);
    change();
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("forecast", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found), ec.message());
    BOOST_TEST(weather.received("tools/call") == 0u);
    BOOST_TEST_REQUIRE(events.all().size() == 2u);
    BOOST_TEST(events.all().back() == "weather: forecast: the tool differs from its pin");
    // The session lists the tool nevertheless, and a verification returns its new fingerprint.
    auto const [changed, differences] = co_await hub.async_verify_pins("weather", pins, in_tuple);
    BOOST_TEST(changed == make_error_code(error::tools_changed), changed.message());
    BOOST_TEST_REQUIRE(differences.size() == 1u);
    BOOST_TEST(differences[0].found == fingerprint_of(other_schema));
}

BOOST_AUTO_TEST_SUITE_END()
