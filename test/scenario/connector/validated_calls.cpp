#include <linkspan/observe/metrics.hpp>
#include <linkspan/session/throwing.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"

BOOST_AUTO_TEST_SUITE(validated_calls_test)

using namespace linkspan::test;
using linkspan::call_error;
using linkspan::call_validation;
using linkspan::certainty;
using linkspan::condition;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::replay_class;
using linkspan::server_options;

namespace {

constexpr std::string_view forecast_input =
    R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":14}},)"
    R"("required":["city"],"additionalProperties":false})";
constexpr std::string_view forecast_output =
    R"({"type":"object","properties":{"high":{"type":"integer"}},"required":["high"]})";

linkspan::arguments const nothing;

// A tool as listed by the server; an empty `output` means no output schema.
struct listed_tool {
    std::string_view name, input, output;
};

action list(std::vector<listed_tool> const& tools)
{
    std::string out;
    for (auto const& tool : tools) {
        (out += out.empty() ? "" : ",") += R"({"name":")" + std::string(tool.name) + R"(")";
        out += R"(,"inputSchema":)" + std::string(tool.input);
        if (!tool.output.empty())
            out += R"(,"outputSchema":)" + std::string(tool.output);
        out += '}';
    }
    return result(R"("tools":[)" + out + ']');
}

using observed_hub = linkspan::connector<linkspan::transports<inproc>, linkspan::test::event_lines>;

struct checked_world : world {
    scripted_server a, b;
    std::optional<observed_hub> hub;
    linkspan::test::event_lines events{"unusable_schema"};

    checked_world()
    {
        hub.emplace(executor, events);
        hub->set_call_validation({.arguments = true, .results = true});
    }

    // Adds the servers "a" and "b", which list the tool `forecast`, with these options.
    void add_both(server_options one = with(9), server_options two = with(5))
    {
        for (auto* const server : {&a, &b})
            server->on(request("tools/list")).then(list({{"forecast", forecast_input, forecast_output}}));
        hub->add<inproc>("a", a, std::move(one)).add<inproc>("b", b, std::move(two));
    }

    std::size_t calls(scripted_server const& server) const { return server.received("\"tools/call\""); }
};

} // namespace

// Arguments

LINKSPAN_CASE_IN(checked_world, arguments_violating_schema_are_not_sent)
{
    add_both();
    co_await hub->async_open();
    boost::json::object const args{{"days", 15}, {"password", "geheim"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST((ec == condition::tool_refused));
    BOOST_TEST(calls(a) == 0U);
    BOOST_TEST(calls(b) == 0U);
    BOOST_TEST(trail_of(result) == "a not_sent");
    BOOST_TEST(result.attempts()[0].id == 0);
    for (auto const* const part : {"'forecast': ", "/days: must be at most 14", "/properties/days/maximum", "city"})
        BOOST_TEST(contains(result.detail(), part), result.detail());
    BOOST_TEST(!contains(result.detail(), "geheim"));
    BOOST_TEST(!contains(result.detail(), "15"));
    BOOST_TEST(result.raw().empty());
}

LINKSPAN_CASE_IN(checked_world, arguments_matching_schema_are_sent)
{
    add_both();
    a.on(call("forecast")).then(structured({{"high", 21}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}, {"days", 14}};
    auto const result = co_await hub->async_call("forecast", args, linkspan::throwing);
    BOOST_TEST(result.structured() == R"({"high":21})");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(calls(a) == 1U);
}

LINKSPAN_CASE_IN(checked_world, at_most_five_schema_violations_are_reported)
{
    a.on(request("tools/list"))
        .then(list({{"sum", R"({"type":"object","additionalProperties":{"type":"integer"}})", ""}}));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open();
    boost::json::object args;
    for (int i = 0; i != 9; ++i)
        args["n" + std::to_string(i)] = "text";
    auto const [ec, result] = co_await hub->async_call("sum", args, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    std::string const detail(result.detail());
    std::size_t places = 0;
    for (auto at = detail.find("/n"); at != detail.npos; at = detail.find("/n", at + 1))
        ++places;
    BOOST_TEST(places == 5U, detail);
    BOOST_TEST(detail.ends_with("; further errors are omitted"), detail);
}

LINKSPAN_CASE_IN(checked_world, arguments_that_are_not_json_are_rejected)
{
    add_both();
    co_await hub->async_open();
    linkspan::arguments const cut(linkspan::raw_json(R"({"city":)"));
    auto const [ec, result] = co_await hub->async_call("forecast", cut, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST(contains(result.detail(), "not valid JSON"), result.detail());
    BOOST_TEST(calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, exception_names_schema_violation)
{
    add_both();
    co_await hub->async_open();
    std::string reported;
    try {
        co_await hub->async_call("forecast", nothing, linkspan::throwing);
    } catch (call_error const& failed) {
        reported = failed.what();
    }
    BOOST_TEST(contains(reported, "the arguments of the tool are not valid: 'forecast': "), reported);
}

LINKSPAN_CASE_IN(checked_world, group_member_whose_schema_accepts_arguments_is_called)
{
    a.on(request("tools/list")).then(list({{"forecast", forecast_input, ""}}));
    b.on(request("tools/list")).then(list({{"weather", R"({"type":"object","required":["place"]})", ""}}));
    b.on(call("weather")).then(text("sunny"));
    auto one = with(9), two = with(5);
    one.tools["forecast"].group = two.tools["weather"].group = "sky";
    hub->add<inproc>("a", a, one).add<inproc>("b", b, two);
    co_await hub->async_open();
    boost::json::object const args{{"place", "Oslo"}};
    auto const result = co_await hub->async_call("sky", args, linkspan::throwing);
    BOOST_TEST(result.text() == "sunny");
    BOOST_TEST(trail_of(result) == "a not_sent, b completed");
    auto const [ec, refused] = co_await hub->async_call("sky", nothing, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST(trail_of(refused) == "a not_sent, b not_sent");
    BOOST_TEST(contains(refused.detail(), "'forecast': "), refused.detail());
    BOOST_TEST(contains(refused.attempts()[1].detail, "'weather': "), refused.attempts()[1].detail);
    BOOST_TEST(calls(a) == 0U);
    BOOST_TEST(calls(b) == 1U);
}

LINKSPAN_CASE_IN(checked_world, unknown_outcome_takes_precedence_over_later_rejection)
{
    auto one = with(9), two = with(5);
    one.tools["forecast"].replay = two.tools["forecast"].replay = replay_class::read_only;
    one.validate_arguments = false;
    add_both(one, two);
    a.on(call("forecast")).then(drop_connection());
    co_await hub->async_open();
    auto const [ec, result] = co_await hub->async_call("forecast", nothing, in_tuple);
    BOOST_TEST((ec != error::invalid_arguments)); // server a has received the call, and its outcome is unknown
    BOOST_TEST(trail_of(result) == "a unknown, b not_sent");
    BOOST_TEST(calls(b) == 0U);
}

LINKSPAN_CASE_IN(checked_world, arguments_are_validated_after_interceptors)
{
    auto options = with(9);
    options.interceptors.push_back(
        [](linkspan::tool_request request, linkspan::next_call next) -> boost::asio::awaitable<linkspan::call_result> {
            if (request.arguments == "{}")
                request.arguments = R"({"city":"Oslo"})";
            else
                request.arguments = R"({"town":"Oslo"})";
            co_return co_await next(std::move(request));
        });
    add_both(options);
    a.on(call("forecast")).then(structured({{"high", 21}}));
    co_await hub->async_open();
    auto const result = co_await hub->on_server("a").async_call("forecast", nothing, linkspan::throwing);
    BOOST_TEST(result.structured() == R"({"high":21})");
    boost::json::object const args{{"city", "Bergen"}};
    auto const [ec, refused] = co_await hub->on_server("a").async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST(trail_of(refused) == "a not_sent");
    BOOST_TEST(contains(refused.detail(), "town"), refused.detail());
    BOOST_TEST(calls(a) == 1U);
}

LINKSPAN_CASE_IN(checked_world, call_with_second_request_rejected_after_interceptor_has_unknown_outcome)
{
    auto options = with(9);
    options.interceptors.push_back(
        [](linkspan::tool_request request, linkspan::next_call next) -> boost::asio::awaitable<linkspan::call_result> {
            auto again = request;
            again.arguments = "{}";
            co_await next(std::move(request));
            co_return co_await next(std::move(again));
        });
    add_both(options);
    a.on(call("forecast")).then(structured({{"high", 21}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->on_server("a").async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::outcome_unknown));
    BOOST_TEST(trail_of(result) == "a unknown");
    BOOST_TEST((result.attempts()[0].result.ec == error::invalid_arguments));
    BOOST_TEST(calls(a) == 1U);
}

LINKSPAN_CASE_IN(checked_world, rejected_arguments_do_not_affect_health_of_server)
{
    add_both();
    a.on(call("forecast")).then(structured({{"high", 21}}));
    co_await hub->async_open();
    for (int i = 0; i != 30; ++i)
        co_await hub->async_call("forecast", nothing, in_tuple);
    auto const state = hub->state();
    BOOST_TEST(state.servers[0].failures == 0U);
    boost::json::object const args{{"city", "Oslo"}};
    auto const result = co_await hub->async_call("forecast", args, linkspan::throwing);
    BOOST_TEST(result.server() == "a");
}

// Results

LINKSPAN_CASE_IN(checked_world, result_violating_schema_is_an_error_that_keeps_the_result)
{
    auto one = with(9), two = with(5);
    one.tools["forecast"].replay = two.tools["forecast"].replay = replay_class::read_only;
    add_both(one, two);
    a.on(call("forecast")).then(structured({{"high", "hot"}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST((ec == condition::protocol_violated));
    BOOST_TEST(result.structured() == R"({"high":"hot"})");
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(trail_of(result) == "a completed"); // executed, so neither retried nor failed over
    BOOST_TEST(calls(a) == 1U);
    BOOST_TEST(calls(b) == 0U);
    BOOST_TEST(contains(result.detail(), "'forecast': /high: "), result.detail());
    BOOST_TEST(!contains(result.detail(), "hot"), result.detail());
}

LINKSPAN_CASE_IN(checked_world, exception_of_invalid_result_has_the_result)
{
    add_both();
    a.on(call("forecast")).then(structured({{"low", 3}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    std::string raw;
    try {
        co_await hub->async_call("forecast", args, linkspan::throwing);
    } catch (linkspan::protocol_error const& failed) {
        raw = failed.result().structured();
    }
    BOOST_TEST(raw == R"({"low":3})");
}

LINKSPAN_CASE_IN(checked_world, missing_structured_content_violates_output_schema)
{
    add_both();
    a.on(call("forecast")).then(text("21 degrees"));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST(contains(result.detail(), "structuredContent is missing"), result.detail());
    BOOST_TEST(result.text() == "21 degrees");
}

LINKSPAN_CASE_IN(checked_world, tool_error_is_not_validated)
{
    add_both();
    a.on(call("forecast")).then(tool_error("no such city"));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Atlantis"}};
    auto const result = co_await hub->async_call("forecast", args, linkspan::throwing);
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "no such city");
}

LINKSPAN_CASE_IN(checked_world, result_of_second_attempt_is_validated)
{
    add_both();
    a.on(call("forecast")).then(rpc_error(-32600, "what?"));
    b.on(call("forecast")).then(structured({{"high", "hot"}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST(trail_of(result) == "a refused, b completed");
    BOOST_TEST(result.server() == "b");
}

LINKSPAN_CASE_IN(checked_world, result_passed_through_interceptors_is_validated)
{
    auto options = with(9);
    options.interceptors.push_back(
        [](linkspan::tool_request request, linkspan::next_call next) -> boost::asio::awaitable<linkspan::call_result> {
            co_return co_await next(std::move(request));
        });
    add_both(options);
    a.on(call("forecast")).then(structured({{"high", "hot"}}));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST(result.structured() == R"({"high":"hot"})");
}

// Schemas

LINKSPAN_CASE_IN(checked_world, unusable_schema_is_reported_once_and_validates_nothing)
{
    constexpr std::string_view odd = R"({"$schema":"https://unknown.example/dialect","type":"object"})";
    constexpr std::string_view broken = R"({"type":"object","properties":{"high":{"$ref":"#/nowhere"}}})";
    a.on(request("tools/list")).then(list({{"forecast", odd, broken}}));
    a.on(call("forecast")).then(structured({{"high", "hot"}}));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open();
    for (int i = 0; i != 3; ++i) {
        auto const result = co_await hub->async_call("forecast", nothing, linkspan::throwing);
        BOOST_TEST(result.structured() == R"({"high":"hot"})");
    }
    BOOST_TEST_REQUIRE(events.all().size() == 2U);
    BOOST_TEST(contains(events.all().at(0), "a: schema of tool 'forecast' cannot be used: inputSchema: "),
               events.all().at(0));
    BOOST_TEST(contains(events.all().at(0), "https://unknown.example/dialect"), events.all().at(0));
    BOOST_TEST(contains(events.all().at(1), "a: schema of tool 'forecast' cannot be used: outputSchema: "),
               events.all().at(1));
}

LINKSPAN_CASE_IN(checked_world, unusable_output_schema_does_not_require_structured_content)
{
    a.on(request("tools/list")).then(list({{"forecast", forecast_input, R"({"$ref":"#/nowhere"})"}}));
    a.on(call("forecast")).then(text("21 degrees"));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open();
    boost::json::object const args{{"city", "Oslo"}};
    auto const [ec, result] = co_await hub->async_call("forecast", args, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.text() == "21 degrees");
    BOOST_TEST_REQUIRE(events.all().size() == 1U);
    BOOST_TEST(contains(events.all().at(0), "a: schema of tool 'forecast' cannot be used: outputSchema: "),
               events.all().at(0));
}

LINKSPAN_CASE_IN(checked_world, first_of_two_tools_with_same_name_determines_validation)
{
    constexpr std::string_view other = R"({"type":"object","required":["secret"]})";
    a.on(request("tools/list")).then(list({{"forecast", forecast_input, ""}, {"forecast", other, ""}}));
    a.on(call("forecast")).then(text("sunny"));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open();
    boost::json::object const city{{"city", "Oslo"}}, secret{{"secret", "x"}};
    auto const result = co_await hub->on_server("a").async_call("forecast", city, linkspan::throwing);
    BOOST_TEST(result.text() == "sunny");
    auto const [ec, refused] = co_await hub->on_server("a").async_call("forecast", secret, in_tuple);
    BOOST_TEST((ec == error::invalid_arguments));
    BOOST_TEST(calls(a) == 1U);
}

LINKSPAN_CASE_IN(checked_world, changed_schema_is_used_after_refresh)
{
    constexpr std::string_view other = R"({"type":"object","required":["town"]})";
    constexpr std::string_view odd = R"({"type":"nothing"})";
    a.dialogue().capabilities = R"({"tools":{"listChanged":true}})";
    a.on(request("tools/list"))
        .once(list({{"forecast", forecast_input, ""}, {"odd", odd, ""}}))
        .then(list({{"forecast", other, ""}, {"odd", odd, ""}}));
    a.on(call("forecast")).then(text("fine"));
    a.on(call("odd")).then(text("odd"));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open();
    boost::json::object const city{{"city", "Oslo"}}, town{{"town", "Oslo"}};
    co_await hub->async_call("odd", nothing, linkspan::throwing);
    co_await hub->async_call("forecast", city, linkspan::throwing);
    auto const [before, unused] = co_await hub->async_call("forecast", town, in_tuple);
    BOOST_TEST((before == error::invalid_arguments));
    auto const [discovered, catalog] = co_await hub->async_refresh_tools(in_tuple);
    BOOST_TEST(!discovered);
    co_await hub->async_call("forecast", town, linkspan::throwing);
    auto const [after, result] = co_await hub->async_call("forecast", city, in_tuple);
    BOOST_TEST((after == error::invalid_arguments));
    BOOST_TEST(contains(result.detail(), "town"), result.detail());
    co_await hub->async_call("odd", nothing, linkspan::throwing);
    BOOST_TEST(events.all().size() == 1U); // the schema text is unchanged
}

LINKSPAN_CASE_IN(checked_world, calls_of_unlisted_tools_are_not_validated)
{
    a.on(request("tools/list")).then(rpc_error(-32603, "not now"));
    a.on(call("forecast")).then(text("fine"));
    hub->add<inproc>("a", a, with(1));
    co_await hub->async_open(in_tuple);
    auto const result = co_await hub->on_server("a").async_call("forecast", nothing, linkspan::throwing);
    BOOST_TEST(result.text() == "fine");
}

// Options

LINKSPAN_CASE_IN(checked_world, server_options_override_validation_of_connector)
{
    auto options = with(9);
    options.validate_arguments = options.validate_results = false;
    add_both(options);
    a.on(call("forecast")).then(structured({{"high", "hot"}}));
    co_await hub->async_open();
    auto const result = co_await hub->async_call("forecast", nothing, linkspan::throwing);
    BOOST_TEST(result.structured() == R"({"high":"hot"})");
}

LINKSPAN_CASE_IN(hub_world, calls_are_not_validated_by_default)
{
    constexpr std::pair<bool, bool> wishes[] = {{false, false}, {true, false}, {false, true}};
    for (auto const& [arguments, results] : wishes) {
        scripted_server server;
        server.on(request("tools/list")).then(list({{"forecast", forecast_input, forecast_output}}));
        server.on(call("forecast")).then(structured({{"high", "hot"}}));
        hub.emplace(executor);
        auto options = with(1);
        if (arguments)
            options.validate_arguments = true;
        if (results)
            options.validate_results = true;
        hub->add<inproc>("a", server, options);
        co_await hub->async_open();
        boost::json::object const good{{"city", "Oslo"}};
        auto const [first, unused] = co_await hub->async_call("forecast", nothing, in_tuple);
        auto const [second, result] = co_await hub->async_call("forecast", good, in_tuple);
        error_code const misfit = error::unexpected_result, refused = error::invalid_arguments, none;
        error_code const expected = arguments ? refused : results ? misfit : none;
        BOOST_TEST((first == expected));
        BOOST_TEST((second == (results ? misfit : none)));
        BOOST_TEST(calls(server) == (arguments ? 1U : 2U));
        hub.reset();
    }
}

LINKSPAN_CASE_IN(checked_world, validation_failures_are_counted_in_metrics)
{
    linkspan::metrics counted;
    linkspan::connector<linkspan::transports<inproc>, linkspan::metrics> other(executor, counted);
    other.set_call_validation({.arguments = true, .results = true});
    a.on(request("tools/list")).then(list({{"forecast", forecast_input, forecast_output}}));
    a.on(call("forecast")).then(text("warm"));
    other.add<inproc>("a", a, with(1));
    co_await other.async_open();
    boost::json::object const good{{"city", "Oslo"}};
    for (int i = 0; i != 3; ++i)
        co_await other.async_call("forecast", nothing, in_tuple);
    co_await other.async_call("forecast", good, in_tuple);
    auto const snapshot = counted.snapshot();
    auto const count = [&](char const* why, certainty delivery) {
        auto const found = snapshot.attempts.find({"a", "forecast", why, delivery});
        return found == snapshot.attempts.end() ? 0 : found->second.count;
    };
    BOOST_TEST(count("invalid_arguments", certainty::not_sent) == 3U);
    BOOST_TEST(count("unexpected_result", certainty::completed) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
