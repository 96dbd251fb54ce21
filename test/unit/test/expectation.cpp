#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/expectation.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(expectation_test)

using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

recorded_request forecast(std::string params, bool cancelled = false)
{
    return {.time = 1250ms,
            .id = "7",
            .method = "tools/call",
            .tool = "forecast",
            .params = std::move(params),
            .rule = "flaky",
            .has_rule = true,
            .cancelled = cancelled,
            .states = {{"auth", "expired"}}};
}

recorded_request listing() { return {.id = "1", .method = "tools/list"}; }

expectation forecast_of(std::string_view city)
{
    return expectation(call("forecast")).where("/arguments/city", boost::json::value(city));
}

} // namespace

BOOST_AUTO_TEST_CASE(numbers_of_matching_requests_meet_the_expectation)
{
    journal const requests{listing(), forecast(R"({"arguments":{"city":"Oslo"}})"),
                           forecast(R"({"arguments":{"city":"Rome"}})"),
                           forecast(R"({"arguments":{"city":"Oslo"}})", true)};
    BOOST_TEST(expectation(request("tools/list")).report(requests) == "");
    BOOST_TEST(expectation(call("forecast")).exactly(3).report(requests) == "");
    BOOST_TEST(expectation(call("")).exactly(3).report(requests) == "");
    BOOST_TEST(forecast_of("Oslo").exactly(2).report(requests) == "");
    BOOST_TEST(forecast_of("Oslo").between(0, 2).report(requests) == "");
    BOOST_TEST(forecast_of("Oslo").cancelled().exactly(1).report(requests) == "");
    BOOST_TEST(forecast_of("Paris").exactly(0).report(requests) == "");
    BOOST_TEST(expectation(call("pay")).exactly(0).report({}) == "");
}

BOOST_AUTO_TEST_CASE(report_has_the_three_nearest_requests_with_each_difference)
{
    journal const requests{listing(),
                           forecast(R"({"arguments":{"city":"Madrid","days":2}})"),
                           forecast(R"({"arguments":{"city":"paris","days":2}})"),
                           forecast(R"({"arguments":{"city":5,"days":3}})"),
                           forecast(R"({})"),
                           forecast("")};
    auto const report = forecast_of("Paris").where("/arguments/days", 2).report(requests);
    BOOST_TEST(report == R"(expected at least 1 tools/call forecast, where /arguments/city is "Paris" and )"
                         R"(/arguments/days is 2; found 0 among 5 of this kind and 1 other request
  near: #3 t=+1.250s id=7 tools/call forecast, rule 'flaky', state auth = 'expired'
    /arguments/city: expected "Paris", found "paris"; the texts differ in case only
  near: #2 t=+1.250s id=7 tools/call forecast, rule 'flaky', state auth = 'expired'
    /arguments/city: expected "Paris", found "Madrid"
  near: #4 t=+1.250s id=7 tools/call forecast, rule 'flaky', state auth = 'expired'
    /arguments/city: expected "Paris", found 5
    /arguments/days: expected 2, found 3)");
    auto const absent = forecast_of("Paris").report({forecast("")});
    BOOST_TEST(absent.ends_with("/arguments/city: expected \"Paris\", found nothing"), absent);
}

BOOST_AUTO_TEST_CASE(calls_of_other_tools_are_near_if_there_are_no_nearer_requests)
{
    auto other = forecast("{}");
    other.tool = "pay";
    journal const requests{listing(), other, forecast("{}")};
    auto const report = expectation(call("forcast")).report(requests);
    BOOST_TEST(report == R"(expected at least 1 tools/call forcast; found 0 among 0 of this kind and 3 other requests
  near: #3 t=+1.250s id=7 tools/call forecast, rule 'flaky', state auth = 'expired'
    trigger: expected a call of 'forcast', found 'forecast'
  near: #2 t=+1.250s id=7 tools/call pay, rule 'flaky', state auth = 'expired'
    trigger: expected a call of 'forcast', found 'pay')");
    auto const of_method = expectation(request("tool/list")).report(requests);
    BOOST_TEST(of_method == R"(expected at least 1 tool/list; found 0 among 0 of this kind and 3 other requests
  near: #1 t=+0.000s id=1 tools/list, no rule
    trigger: expected 'tool/list', found 'tools/list')");
}

BOOST_AUTO_TEST_CASE(report_without_near_requests_has_the_last_states)
{
    auto const report = expectation(request("ping")).report({listing(), forecast("{}")});
    BOOST_TEST(report == "expected at least 1 ping; found 0 among 0 of this kind and 2 other requests\n"
                         "  state auth = 'expired' at the last request");
}

BOOST_AUTO_TEST_CASE(members_of_objects_are_compared_one_by_one)
{
    auto const report_of = [](char const* kind, std::string arguments) {
        boost::json::object const city{{"name", "Paris"}, {"area", 105}};
        boost::json::object const expected{{"city", city}, {"days", 3}, {"unit", "C"}};
        auto const text = expectation(call("forecast"))
                              .where("/arguments", boost::json::object{{kind, expected}})
                              .report({forecast("{\"arguments\":" + arguments + "}")});
        return text.substr(std::min(text.size(), text.find("\n    ")));
    };
    std::string const found = R"({"city":{"name":"Oslo","area":105.0,"host":1},"days":3,"more":[1]})";
    BOOST_TEST(report_of("eq", found) == R"(
    /arguments/city/name: expected "Paris", found "Oslo"
    /arguments/city/host: expected no member, found 1
    /arguments/unit: expected "C", found nothing
    /arguments/more: expected no member, found [1])");
    BOOST_TEST(report_of("like", found) == R"(
    /arguments/city/name: expected "Paris", found "Oslo"
    /arguments/unit: expected "C", found nothing)");
    BOOST_TEST(report_of("eq", "[]").starts_with("\n    /arguments: expected {\"eq\":{\"city\""));
    std::string many = "{";
    for (int i = 0; i != 9; ++i)
        (many += i == 0 ? "\"m" : ",\"m") += std::to_string(i) + "\":0";
    auto const shortened = report_of("eq", many + "}");
    BOOST_TEST(shortened.ends_with("\n    and 4 more differences"), shortened);
}

BOOST_AUTO_TEST_CASE(report_lists_the_requests_that_match)
{
    auto by_default = listing();
    auto const report = expectation(request("tools/list")).exactly(0).report({by_default});
    BOOST_TEST(report == "expected no tools/list; found 1 among 1 of this kind and 0 other requests\n"
                         "  match: #1 t=+0.000s id=1 tools/list, no rule");
    by_default.has_rule = true;
    auto const range = expectation(request("tools/list")).between(3, 4).report({by_default});
    BOOST_TEST(range == "expected 3 to 4 tools/list; found 1 among 1 of this kind and 0 other requests\n"
                        "  match: #1 t=+0.000s id=1 tools/list, a rule without a name");
}

BOOST_AUTO_TEST_CASE(report_of_a_missing_cancellation_names_it)
{
    auto const report = expectation(call("forecast")).cancelled().report({forecast("{}")});
    BOOST_TEST(report.starts_with("expected at least 1 cancelled tools/call forecast; found 0"), report);
    BOOST_TEST(report.ends_with("expected a cancelled request, found one that the client did not cancel"), report);
}

BOOST_AUTO_TEST_CASE(report_of_many_matching_requests_has_the_first_20)
{
    auto const report = expectation(request("tools/list")).exactly(0).report(journal(23, listing()));
    BOOST_TEST(report.ends_with("\n  match: #20 t=+0.000s id=1 tools/list, no rule\n  and 3 more"), report);
    auto const all = expectation(request("tools/list")).exactly(0).report(journal(20, listing()));
    BOOST_TEST(all.ends_with("\n  match: #20 t=+0.000s id=1 tools/list, no rule"), all);
}

BOOST_AUTO_TEST_CASE(conditions_are_added)
{
    std::vector<linkspan::diagnostic> problems;
    auto const days = matcher::read(2, "", problems);
    BOOST_TEST(problems.empty());
    auto const paris = forecast_of("Paris").where({{"/arguments/days", days}});
    BOOST_TEST(paris.report({forecast(R"({"arguments":{"city":"Paris","days":2}})")}) == "");
    BOOST_TEST(paris.report({forecast(R"({"arguments":{"city":"Oslo","days":2}})")}) != "");
    BOOST_TEST(paris.report({forecast(R"({"arguments":{"city":"Paris","days":3}})")}) != "");
}

BOOST_AUTO_TEST_CASE(predicate_of_the_trigger_is_evaluated)
{
    auto const with = [](std::string_view accepted) {
        return expectation(
            {"tools/call", "forecast", [=](std::string_view arguments) { return arguments == accepted; }});
    };
    BOOST_TEST(with(R"({"city":"Oslo"})").report({forecast(R"({"arguments":{"city":"Oslo"}})")}) == "");
    BOOST_TEST(with("{}").report({forecast("")}) == "");
    auto const other = with(R"({"city":"Oslo"})").report({forecast(R"({"arguments":{"city":"Rome"}})")});
    BOOST_TEST(other.ends_with("expected arguments that the predicate accepts, found {\"city\":\"Rome\"}"), other);
}

BOOST_AUTO_TEST_CASE(header_fields_are_compared)
{
    auto with_key = forecast("{}");
    with_key.headers = {{"Accept", "text/plain"}, {"X-Key", "abc"}, {"x-key", "second"}};
    expectation of_key(call("forecast"));
    of_key.where("#/http/headers/x-KEY", "abc").where("#/http/headers/x-none", boost::json::object{{"absent", true}});
    BOOST_TEST(of_key.report({with_key}) == "");
    with_key.headers[1].second = "ABC";
    auto const other = of_key.report({with_key});
    BOOST_TEST(other.ends_with(R"(x-KEY: expected "abc", found another value; the texts differ in case only)"), other);
    with_key.headers[1].second = "secret";
    auto const hidden = of_key.report({with_key});
    BOOST_TEST(hidden.ends_with("#/http/headers/x-KEY: expected \"abc\", found another value"), hidden);
    auto const without = of_key.report({forecast(R"({"#":{"http":{"headers":{"x-KEY":"abc"}}}})")});
    BOOST_TEST(without.ends_with("#/http/headers/x-KEY: expected \"abc\", found nothing"), without);
}

BOOST_AUTO_TEST_CASE(wrong_pointer_is_an_exception)
{
    for (auto const* const pointer : {"arguments", "/a~", "/a~2", "#/http/headers/", "#/http", "#a", "#/a~"})
        BOOST_CHECK_EXCEPTION(
            expectation(call("t")).where(pointer, 1), std::invalid_argument, [&](auto const& failure) {
                return failure.what() ==
                       std::string("linkspan: expectation: expected a JSON Pointer into the parameters, or, after '#', "
                                   "into the message, or a header field, such as '#/http/headers/authorization', "
                                   "found \"") +
                           pointer + "\"";
            });
    expectation(call("t")).where("", 1).where("/~0~1", 1).where("#", 1).where("#/~0~1", 1);
}

BOOST_AUTO_TEST_CASE(wrong_matcher_is_an_exception)
{
    boost::json::object const wrong{{"eqq", 1}};
    BOOST_CHECK_EXCEPTION(expectation(call("t")).where("/a", wrong), std::invalid_argument, [](auto const& failure) {
        return failure.what() ==
               std::string(
                   "linkspan: expectation: /a/eqq: expected the name of a matcher (similar: 'eq'), found \"eqq\"");
    });
}

BOOST_AUTO_TEST_SUITE_END()
