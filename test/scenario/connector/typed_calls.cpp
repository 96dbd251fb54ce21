#include <linkspan/connector/interceptor.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>

#include <deque>

#include "support/connector_case.hpp"
#include "support/operands.hpp"

BOOST_AUTO_TEST_SUITE(typed_calls_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using linkspan::call_options;
using linkspan::error;
using linkspan::error_code;
using linkspan::replay_class;
using linkspan::tool;
using linkspan::typed_result;

namespace {

struct forecast {
    double high = 0;
    std::string sky;

    bool operator==(forecast const&) const = default;
};

LINKSPAN_STRUCT(forecast, (high, max{60}), (sky))

struct get_forecast {
    static constexpr std::string_view tool = "get_forecast";
    using result_type = forecast;
    static constexpr linkspan::tool_annotations hints{.read_only = true};
    std::string city;
    std::optional<int> days;
};

LINKSPAN_STRUCT(get_forecast, (city, min_length{1}), (days, min{1}, max{14}))

constexpr linkspan::typed_tool<"add", operands, double> add;
constexpr linkspan::typed_tool<"add", operands> add_raw; // its result is a call_result

// Arguments for the tool of get_forecast, with a result type that accepts any result.
struct look {
    static constexpr std::string_view tool = "get_forecast";
    using result_type = linkspan::call_result;
    std::string city;
};

LINKSPAN_STRUCT(look, (city))

boost::json::object object_of(std::string_view text)
{
    boost::json::object out;
    linkspan::mismatches problems;
    BOOST_TEST(decode(out, text, problems));
    return out;
}

// Records the completion of one typed call and the number of completions.
template<class T>
struct typed_box {
    std::size_t count = 0;
    error_code ec;
    typed_result<T> result;

    auto handler()
    {
        return [this](error_code e, typed_result<T> r) {
            ++count;
            ec = e;
            result = std::move(r);
        };
    }
};

// Two servers, "a" with higher priority than "b", which both offer the tools "get_forecast" and "add".
struct weather_world : hub_world {
    get_forecast request{"Oslo", {}};
    operands two{2, 3};

    linkspan::server_options options(int priority)
    {
        auto out = with(priority);
        for (auto const* const name : {"get_forecast", "add"})
            out.tools[name].replay = replay_class::read_only;
        out.tags = {priority == 9 ? "first" : "second"};
        return out;
    }

    hub_type& make_weather()
    {
        hub.emplace(executor);
        hub->add<linkspan::inproc>("a", a, options(9)).add<linkspan::inproc>("b", b, options(8));
        return *hub;
    }

    void call_both(typed_box<forecast>& one, typed_box<double>& other)
    {
        hub->async_call(request, one.handler());
        hub->async_call(add, two, other.handler());
    }

    void respond(scripted_server& server, double high)
    {
        server.on(call("get_forecast")).then(structured(forecast{high, "blue"}));
        server.on(call("add")).then(structured(high));
    }
};

} // namespace

LINKSPAN_CASE_IN(weather_world, typed_call_returns_typed_result)
{
    respond(a, 21);
    co_await make_weather().async_open();
    request.days = 3;
    auto reply = co_await hub->async_call(request);
    BOOST_TEST(reply.has_value());
    BOOST_TEST(reply->high == 21);
    BOOST_TEST((*reply).sky == "blue");
    BOOST_TEST(reply.result().server() == "a");
    BOOST_TEST(reply.result().attempts().empty());
    forecast const value = std::move(reply);
    BOOST_TEST((value == forecast{21, "blue"}));
    BOOST_TEST(contains(a.received().back(), R"("name":"get_forecast")"));
    BOOST_TEST(contains(a.received().back(), R"("arguments":{"city":"Oslo","days":3})"));
}

LINKSPAN_CASE_IN(weather_world, empty_optional_argument_is_not_sent)
{
    respond(a, 21);
    co_await make_weather().async_open();
    co_await hub->async_call(request);
    BOOST_TEST(contains(a.received().back(), R"("arguments":{"city":"Oslo"})"));
}

LINKSPAN_CASE_IN(weather_world, typed_call_has_same_result_with_each_token_and_overload)
{
    respond(a, 5);
    co_await make_weather().async_open();
    call_options limits;
    limits.timeout = 9s;
    BOOST_TEST((co_await hub->async_call(request))->high == 5);
    BOOST_TEST((co_await hub->async_call(request, limits))->high == 5);
    BOOST_TEST((co_await hub->async_call(request, asio::use_awaitable))->high == 5);
    BOOST_TEST((co_await hub->async_call(request, limits, asio::use_awaitable))->high == 5);
    BOOST_TEST((co_await hub->async_call(request, linkspan::throwing))->high == 5);
    BOOST_TEST((co_await hub->async_call(request, limits, linkspan::throwing))->high == 5);
    BOOST_TEST(*co_await hub->async_call(add, two) == 5);
    BOOST_TEST(*co_await hub->async_call(add, two, limits) == 5);
    BOOST_TEST(*co_await hub->async_call(add, two, linkspan::throwing) == 5);
    BOOST_TEST(*co_await hub->async_call(add, two, limits, asio::use_awaitable) == 5);
    double const sum = co_await hub->async_call(add, two);
    BOOST_TEST(sum == 5);
    auto const [ec, reply] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(!ec);
    BOOST_TEST(reply->high == 5);
    auto const [ec_2, reply_2] = co_await hub->async_call(add, two, limits, in_tuple);
    BOOST_TEST(!ec_2);
    BOOST_TEST(*reply_2 == 5);
    BOOST_TEST(a.received("\"tools/call\"") == 13u);
    linkspan::connector_base& base = *hub;
    BOOST_TEST((co_await base.async_call(request))->high == 5);
    BOOST_TEST(*co_await base.async_call(add, two) == 5);
    BOOST_TEST((co_await base.on_server("a").async_call(request))->high == 5);
}

LINKSPAN_CASE_IN(weather_world, handler_of_typed_call_is_never_invoked_inside_initiation)
{
    respond(a, 5);
    co_await make_weather().async_open();
    typed_box<forecast> one;
    typed_box<double> other;
    hub->async_call(request, one.handler());
    hub->async_call(add, two, call_options(), other.handler());
    BOOST_TEST(one.count + other.count == 0u);
    request.city = "changed after the initiation";
    two.a = 100;
    co_await settle(executor);
    BOOST_TEST(one.count == 1u);
    BOOST_TEST(one.result->high == 5);
    BOOST_TEST(*other.result == 5);
    BOOST_TEST(contains(a.received().back(), R"("arguments":{"a":2,"b":3})"));
}

LINKSPAN_CASE_IN(weather_world, deferred_typed_call_owns_its_arguments)
{
    respond(a, 5);
    co_await make_weather().async_open();
    auto later = hub->async_call(request, asio::deferred);
    request.city = "Paris";
    auto const reply = co_await std::move(later);
    BOOST_TEST(reply->high == 5);
    BOOST_TEST(contains(a.received().back(), R"("city":"Oslo")"));
}

LINKSPAN_CASE_IN(weather_world, typed_call_is_sent_to_named_or_selected_server)
{
    respond(a, 1);
    respond(b, 2);
    co_await make_weather().async_open();
    BOOST_TEST((co_await hub->on_server("b").async_call(request))->high == 2);
    BOOST_TEST((co_await hub->on_server("a").async_call(request))->high == 1);
    BOOST_TEST(*co_await hub->on_server("b").async_call(add, two) == 2);
    linkspan::selector second;
    second.all_of = {"second"};
    BOOST_TEST((co_await hub->on_servers(second).async_call(request))->high == 2);
    BOOST_TEST(*co_await hub->on_servers(second).async_call(add, two, call_options()) == 2);
    auto const [ec, none] = co_await hub->on_server("c").async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unknown_server));
    BOOST_TEST(!none.has_value());
}

// Arguments

LINKSPAN_CASE_IN(weather_world, invalid_typed_arguments_are_not_sent)
{
    respond(a, 5);
    respond(b, 5);
    auto intercepted = std::make_shared<int>(0);
    linkspan::interceptor const count =
        [intercepted](linkspan::tool_request outgoing,
                      linkspan::next_call next) -> asio::awaitable<linkspan::call_result> {
        ++*intercepted;
        co_return co_await next(std::move(outgoing));
    };
    auto first = options(9);
    first.interceptors.push_back(count);
    hub.emplace(executor);
    hub->add<linkspan::inproc>("a", a, first).add<linkspan::inproc>("b", b, options(8));
    hub->add_interceptor(count);
    co_await hub->async_open();
    auto const before = a.received().size() + b.received().size();
    request.city.clear();
    request.days = 15;
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(none.result().detail() == "/city: expected at least 1 character, found 0; "
                                         "/days: expected an integer from 1 to 14, found 15");
    BOOST_TEST(none.result().attempts().empty());
    auto const [ec_2, none_2] = co_await hub->on_server("b").async_call(request, in_tuple);
    BOOST_TEST(ec_2 == make_error_code(error::invalid_arguments));
    two.a = std::numeric_limits<double>::infinity();
    auto const [ec_3, none_3] = co_await hub->async_call(add, two, in_tuple);
    BOOST_TEST(ec_3 == make_error_code(error::invalid_arguments));
    BOOST_TEST(none_3.result().detail() == "/a: expected a finite number, found NaN or infinity");
    co_await settle(executor);
    BOOST_TEST(*intercepted == 0);
    BOOST_TEST(a.received().size() + b.received().size() == before);
    request.city = "Oslo";
    request.days = 14;
    co_await hub->async_call(request); // the next call is not affected
    BOOST_TEST(*intercepted == 2);
}

// Results

LINKSPAN_CASE_IN(weather_world, mismatched_result_is_reported_by_location_and_kept)
{
    a.on(call("get_forecast")).then(structured(object_of(R"({"high":"21","other":1})")));
    respond(b, 2);
    co_await make_weather().async_open();
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unexpected_result));
    BOOST_TEST(!none.has_value());
    BOOST_TEST(none.result().detail() == "/high: expected a number up to 60, found a string; "
                                         "/sky: expected a value, found nothing");
    BOOST_TEST(none.result().structured() == R"({"high":"21","other":1})");
    BOOST_TEST(none.result().server() == "a");
    BOOST_TEST(calls(b) == 0u); // no retry, because "a" has executed the tool
}

LINKSPAN_CASE_IN(weather_world, constraints_of_result_members_are_enforced)
{
    respond(a, 61);
    co_await make_weather().async_open();
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unexpected_result));
    BOOST_TEST(none.result().detail() == "/high: expected a number up to 60, found 61");
}

LINKSPAN_CASE_IN(weather_world, typed_result_is_read_from_structured_content_or_text)
{
    a.on(call("get_forecast")).once(text(R"({"high":1,"sky":"a"})")).then(structured(forecast{2, "b"}));
    a.on(call("add")).once(text("7")).once(structured(object_of(R"({"result":8})"))).then(text("seven"));
    co_await make_weather().async_open();
    BOOST_TEST((co_await hub->async_call(request))->sky == "a");
    BOOST_TEST((co_await hub->async_call(request))->sky == "b");
    BOOST_TEST(*co_await hub->async_call(add, two) == 7);
    BOOST_TEST(*co_await hub->async_call(add, two) == 8);
    auto const [ec, none] = co_await hub->async_call(add, two, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unexpected_result));
    BOOST_TEST(none.result().detail() == "expected a number, found a string");
}

LINKSPAN_CASE_IN(weather_world, typed_call_fails_with_text_of_tool_error)
{
    a.on(call("get_forecast")).then(tool_error("no such city"));
    respond(b, 2);
    co_await make_weather().async_open();
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_failed));
    BOOST_TEST(none.result().detail() == "no such city");
    BOOST_TEST(none.result().is_error());
    BOOST_TEST(calls(b) == 0u);
}

// The second result and the third argument contain the secret of server "b", which executes no call: details are
// redacted with the secrets of all servers of the connector.
LINKSPAN_CASE_IN(weather_world, secrets_are_redacted_from_details_but_not_from_results)
{
    a.on(call("get_forecast")).once(tool_error("bad key hunter2-planted")).then(text(R"({"high":61234567,"sky":""})"));
    hub.emplace(executor);
    auto options_of_a = options(9);
    options_of_a.secrets.add("hunter2-planted");
    auto options_of_b = options(8);
    options_of_b.secrets.add("61234567");
    hub->add<linkspan::inproc>("a", a, options_of_a).add<linkspan::inproc>("b", b, options_of_b);
    co_await hub->async_open();
    auto const [failure, failed] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(failure == make_error_code(error::tool_failed));
    BOOST_TEST(failed.result().detail() == "bad key ***");
    BOOST_TEST(failed.result().text() == "bad key hunter2-planted");
    auto const [misfit, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(misfit == make_error_code(error::unexpected_result));
    BOOST_TEST(none.result().detail() == "/high: expected a number up to 60, found ***");
    request.days = 61234567;
    auto const [refusal, refused] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(refusal == make_error_code(error::invalid_arguments));
    BOOST_TEST(refused.result().detail() == "/days: expected an integer from 1 to 14, found ***");
}

LINKSPAN_CASE_IN(weather_world, handler_receives_error_and_detail_of_typed_call)
{
    a.on(call("get_forecast")).then(tool_error("no such city"));
    a.on(call("add")).then(text("seven"));
    co_await make_weather().async_open();
    typed_box<forecast> one;
    typed_box<double> other;
    call_both(one, other);
    co_await settle(executor);
    BOOST_TEST(one.ec == make_error_code(error::tool_failed));
    BOOST_TEST(!one.result.has_value());
    BOOST_TEST(one.result.result().detail() == "no such city");
    BOOST_TEST(other.ec == make_error_code(error::unexpected_result));
    BOOST_TEST(!other.result.has_value());
}

LINKSPAN_CASE_IN(weather_world, call_result_as_result_type_receives_any_result)
{
    a.on(call("get_forecast")).once(tool_error("no such city")).then(structured(object_of(R"({"any":1})")));
    a.on(call("add")).then(text("5"));
    co_await make_weather().async_open();
    look anything{"Oslo"};
    auto const failed = co_await hub->async_call(anything);
    BOOST_TEST(failed->is_error());
    BOOST_TEST(failed->text() == "no such city");
    auto const reply = co_await hub->async_call(anything);
    BOOST_TEST(reply->structured() == R"({"any":1})");
    BOOST_TEST(reply.result().structured() == R"({"any":1})");
    linkspan::call_result const raw = co_await hub->async_call(add_raw, two);
    BOOST_TEST(raw.text() == "5");
}

// Failures

LINKSPAN_CASE_IN(weather_world, typed_call_fails_over_to_next_server)
{
    a.on(call("get_forecast")).then(drop_connection());
    respond(b, 2);
    co_await make_weather().async_open();
    auto const reply = co_await hub->async_call(request);
    BOOST_TEST(reply->high == 2);
    BOOST_TEST(trail_of(reply.result()) == "a unknown, b completed");
}

LINKSPAN_CASE_IN(weather_world, mismatched_result_has_trail)
{
    a.on(call("get_forecast")).then(drop_connection());
    b.on(call("get_forecast")).then(text("cloudy"));
    co_await make_weather().async_open();
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unexpected_result));
    BOOST_TEST(trail_of(none.result()) == "a unknown, b completed");
    BOOST_TEST(none.result().detail() == "expected an object, found a string");
}

LINKSPAN_CASE_IN(weather_world, exception_of_typed_call_has_trail)
{
    a.on(call("get_forecast")).then(drop_connection());
    b.on(call("get_forecast")).once(text("cloudy")).then(drop_connection());
    co_await make_weather().async_open();
    std::string where, trail, raw, all;
    try {
        co_await hub->async_call(request, linkspan::throwing);
    } catch (linkspan::call_error const& failure) {
        where = failure.detail();
        trail = trail_of(failure.result());
        raw = failure.result().raw();
        BOOST_TEST(failure.code() == make_error_code(error::unexpected_result));
        BOOST_TEST(contains(failure.what(), "expected an object, found a string"));
    }
    BOOST_TEST(where == "expected an object, found a string");
    BOOST_TEST(trail == "a unknown, b completed");
    BOOST_TEST(contains(raw, "cloudy"));
    try {
        co_await hub->async_call(request, linkspan::throwing);
    } catch (linkspan::all_servers_failed_error const& failure) {
        all = trail_of(failure.result());
    }
    BOOST_TEST(all == "b unknown");
}

LINKSPAN_CASE_IN(weather_world, failure_is_thrown_for_each_result_type)
{
    a.on(call("get_forecast")).then(rpc_error(-32602, "no"));
    a.on(call("add")).then(tool_error("too much"));
    co_await make_weather().async_open();
    look anything{"Oslo"};
    std::string trail, why, refused;
    try {
        co_await hub->async_call(anything, linkspan::throwing);
    } catch (linkspan::protocol_error const& failure) {
        trail = trail_of(failure.result());
    }
    BOOST_TEST(trail == "a completed");
    try {
        co_await hub->async_call(add, two, linkspan::throwing);
    } catch (linkspan::call_error const& failure) {
        why = failure.detail();
    }
    BOOST_TEST(why == "too much");
    request.days = 0;
    try {
        co_await hub->async_call(request, linkspan::throwing);
    } catch (linkspan::call_error const& failure) {
        refused = failure.what();
    }
    BOOST_TEST(contains(refused, "/days: expected an integer from 1 to 14, found 0"));
    BOOST_CHECK_THROW(co_await hub->async_call(request), linkspan::call_error);
}

LINKSPAN_CASE_IN(weather_world, typed_call_of_unknown_tool_is_not_found)
{
    co_await make_weather().async_open();
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_TEST(!none);
}

// Timeouts, cancellation and closing

LINKSPAN_CASE_IN(weather_world, typed_call_fails_at_its_timeout)
{
    a.on(call("get_forecast")).then(hang());
    b.on(call("get_forecast")).then(hang());
    co_await make_weather().async_open();
    call_options limits;
    limits.timeout = 7s;
    auto const [ec, none] = co_await hub->async_call(request, limits, in_tuple);
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST((since_start(time) == 7s));
    BOOST_TEST(none.result().attempts().size() == 2u); // the first attempt ended after half of the timeout
}

LINKSPAN_CASE_IN(weather_world, typed_call_can_be_cancelled)
{
    a.on(call("get_forecast")).then(hang());
    co_await make_weather().async_open();
    asio::cancellation_signal signal;
    typed_box<forecast> box;
    hub->async_call(request, asio::bind_cancellation_slot(signal.slot(), box.handler()));
    co_await settle(executor);
    BOOST_TEST(calls(a) == 1u);
    signal.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == make_error_code(asio::error::operation_aborted));
    BOOST_TEST(!box.result.has_value());
    co_await settle(executor);
    BOOST_TEST(a.received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(weather_world, close_aborts_outstanding_typed_calls)
{
    a.on(call("get_forecast")).then(hang());
    a.on(call("add")).then(hang());
    co_await make_weather().async_open();
    typed_box<forecast> one;
    typed_box<double> other;
    call_both(one, other);
    co_await settle(executor);
    hub->close();
    co_await settle(executor);
    BOOST_TEST(one.ec == make_error_code(asio::error::operation_aborted));
    BOOST_TEST(other.ec == make_error_code(asio::error::operation_aborted));
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
    request.days = 99;
    auto const [refused, nothing] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(refused == make_error_code(error::invalid_arguments));
}

LINKSPAN_CASE_IN(weather_world, concurrent_typed_calls_each_receive_their_own_value)
{
    a.tool(linkspan::local_tool("add", "", [](operands const& given) { return given.a + given.b; }));
    co_await make_weather().async_open();
    std::deque<typed_box<double>> boxes(200);
    for (std::size_t i = 0; i != boxes.size(); ++i) {
        operands given{static_cast<double>(i), 0.5};
        hub->async_call(add, given, boxes[i].handler());
    }
    co_await pass(executor, 1s);
    for (std::size_t i = 0; i != boxes.size(); ++i)
        BOOST_TEST((boxes[i].count == 1 && *boxes[i].result == static_cast<double>(i) + 0.5), i);
}

// Test kit

LINKSPAN_CASE_IN(weather_world, triggers_match_typed_arguments)
{
    a.on(call(arg<&get_forecast::city>("Paris"), arg<&get_forecast::days>(2))).then(structured(forecast{1, "both"}));
    a.on(call(arg<&get_forecast::city>("Paris"))).then(structured(forecast{2, "city"}));
    a.on(call<get_forecast>([](get_forecast const& arguments) {
         return arguments.days > 7;
     })).then(structured(forecast{3, "days"}));
    a.on(call<get_forecast>()).then(structured(forecast{4, "all"}));
    co_await make_weather().async_open();
    BOOST_TEST((co_await hub->async_call(request))->sky == "all");
    request.days = 8;
    BOOST_TEST((co_await hub->async_call(request))->sky == "days");
    request.city = "Paris";
    BOOST_TEST((co_await hub->async_call(request))->sky == "city");
    request.days = 2;
    BOOST_TEST((co_await hub->async_call(request))->sky == "both");
}

LINKSPAN_CASE_IN(weather_world, trigger_for_struct_does_not_match_arguments_of_other_type)
{
    a.on(call<get_forecast>()).then(text("typed"));
    a.on(call("get_forecast")).then(text("other"));
    co_await make_weather().async_open();
    boost::json::object const wrong = object_of(R"({"city":5})");
    BOOST_TEST((co_await hub->async_call("get_forecast", wrong)).text() == "other");
    boost::json::object const right = object_of(R"({"city":"Oslo"})");
    BOOST_TEST((co_await hub->async_call("get_forecast", right)).text() == "typed");
}

LINKSPAN_CASE_IN(weather_world, local_tools_are_listed_and_executed)
{
    a.tool(linkspan::local_tool("Returns the forecast", [](get_forecast const& arguments) {
        if (arguments.city == "Nowhere")
            throw linkspan::tool_failure("no such city");
        return forecast{static_cast<double>(arguments.days.value_or(1)), arguments.city};
    }));
    co_await make_weather().async_open();
    auto const tools = hub->catalog();
    BOOST_REQUIRE(tools->tools().size() == 1u);
    BOOST_TEST((co_await hub->async_call(request))->sky == "Oslo");
    request.city = "Nowhere";
    auto const [ec, none] = co_await hub->async_call(request, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_failed));
    BOOST_TEST(none.result().detail() == "no such city");
    auto const wrong = object_of(R"({"city":"Oslo","days":15})");
    auto const result = co_await hub->async_call("get_forecast", wrong);
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "invalid arguments: /days: expected an integer from 1 to 14, found 15");
}

BOOST_AUTO_TEST_SUITE_END()
