#include <linkspan/connector/call_many.hpp>
#include <linkspan/connector/interceptor.hpp>
#include <linkspan/model/arguments.hpp>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(checked_arguments_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr char const* repeated = R"({"to":{"name":"x","sum":1,"sum":2}})";
constexpr char const* repeated_problem = "arguments are ambiguous: duplicate key '/to/sum'";

interceptor rewriting(std::string text)
{
    return [text](tool_request request, next_call next) -> asio::awaitable<call_result> {
        request.arguments = text;
        return next(std::move(request));
    };
}

struct checked_world : hub_world {
    checked_world() { a.on(call("pay")).then(text("paid")); }
};

} // namespace

LINKSPAN_CASE_IN(checked_world, raw_arguments_with_duplicate_key_are_rejected_before_sending)
{
    make({}, 1);
    co_await hub->async_open();
    arguments const args{raw_json(repeated)};
    auto const [ec, result] = co_await hub->async_call("pay", args, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(result.detail() == repeated_problem);
    BOOST_TEST(result.attempts().empty());
    auto const [invoke_ec, invoked] = co_await hub->async_invoke("pay", args, in_tuple);
    BOOST_TEST(invoke_ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(invoked.detail() == repeated_problem);
    auto const [at_ec, there] = co_await hub->on_server("a").async_call("pay", args, in_tuple);
    BOOST_TEST(at_ec == make_error_code(error::invalid_arguments));
    std::vector<tool_call> calls;
    calls.emplace_back("pay", args);
    auto const outcomes = co_await async_call_many(*hub, calls);
    BOOST_TEST(outcomes.at(0).ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(this->calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, braced_arguments_with_duplicate_key_are_rejected)
{
    make({}, 1);
    co_await hub->async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {{"sum", 1}, {"sum", 2}}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(result.detail() == "arguments are ambiguous: duplicate key '/sum'");
    BOOST_TEST(calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, raw_arguments_that_are_not_one_complete_object_are_rejected)
{
    make({}, 1);
    co_await hub->async_open();
    for (auto const* wrong : {"", "{", R"({"a":1)", "[]", "{}{}", R"({"a":tru})", "{\"a\":\"\n\"}"}) {
        arguments const args{raw_json(wrong)};
        auto const [ec, result] = co_await hub->async_call("pay", args, in_tuple);
        BOOST_TEST(ec == make_error_code(error::invalid_arguments), wrong);
        BOOST_TEST(result.detail().starts_with("arguments "), result.detail());
    }
    BOOST_TEST(calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, raw_arguments_over_several_lines_are_sent_as_one_line)
{
    make({}, 1);
    co_await hub->async_open();
    arguments const pretty{raw_json("{\n  \"sum\": 1\n}\n")};
    auto const result = co_await hub->async_call("pay", pretty);
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST(a.received(R"("arguments":{   "sum": 1 } )") == 1U);
}

LINKSPAN_CASE_IN(checked_world, duplicate_key_written_by_connector_interceptor_is_rejected)
{
    make({}, 1);
    co_await hub->async_open();
    hub->add_interceptor(rewriting(repeated));
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(result.detail() == repeated_problem);
    BOOST_TEST(calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, duplicate_key_written_by_server_interceptor_is_rejected)
{
    hub.emplace(executor);
    auto options = with(9);
    options.interceptors.push_back(rewriting(repeated));
    hub->add<inproc>("a", a, options);
    co_await hub->async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(contains(result.detail(), repeated_problem), result.detail());
    BOOST_TEST(calls(a) == 0U);
}

LINKSPAN_CASE_IN(checked_world, session_rejects_raw_arguments_with_duplicate_key)
{
    session one(executor, via<inproc>(a));
    co_await one.async_open();
    arguments const args{raw_json(repeated)};
    auto const [ec, result] = co_await one.async_call_tool("pay", args, in_tuple);
    BOOST_TEST(ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(result.detail() == repeated_problem);
    auto const [request_ec, no_reply] = co_await one.async_request("tools/call", args, in_tuple);
    BOOST_TEST(request_ec == make_error_code(error::invalid_arguments));
    BOOST_TEST(calls(a) == 0U);
    one.close();
}

BOOST_AUTO_TEST_SUITE_END()
