// Typed conditions on the arguments of described tools.

#include <linkspan/describe/struct.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/rule.hpp>
#include <linkspan/test/script/to_script.hpp>
#include <linkspan/test/script/value_conditions.hpp>

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(argument_conditions_test)

namespace {

enum class unit { metric, imperial };
LINKSPAN_ENUM(unit, (metric), (imperial))

struct forecast_of {
    static constexpr std::string_view tool = "forecast";
    using result_type = std::string;
    std::string city{};
    std::int64_t days = 1;
    std::optional<double> min_heat{};
    std::optional<unit> shown{};
};
LINKSPAN_STRUCT(forecast_of, (city), (days), (min_heat, linkspan::note::named{"min~heat/°"}), (shown))

} // namespace

using namespace linkspan::test;
using linkspan::test::contains;
namespace asio = boost::asio;

namespace {

struct forecast_world : session_world {
    // Calls the tool. Returns the text of the result.
    asio::awaitable<std::string> reply(boost::json::object arguments)
    {
        auto const result = co_await client->async_call_tool("forecast", arguments);
        co_return result.text();
    }
};

} // namespace

LINKSPAN_CASE_IN(forecast_world, call_is_matched_by_conditions_on_its_arguments)
{
    server.on(call(arg<&forecast_of::city>(eq("Paris")), arg<&forecast_of::days>(between(2, 3)))).then(text("both"));
    server.on(call(arg<&forecast_of::city>(prefix("Par")))).then(text("prefix"));
    server.on(call(arg<&forecast_of::city>(in("Oslo", "Rome")))).then(text("in"));
    server.on(call(arg<&forecast_of::min_heat>(ge(30)))).then(text("hot"));
    server.on(call(arg<&forecast_of::shown>(eq(unit::imperial)))).then(text("miles"));
    server.on(call(arg<&forecast_of::city>(matches("^[A-C]")))).then(text("expression"));
    server.on(call(arg<&forecast_of::days>(gt(7)))).then(text("long"));
    server.on(call<forecast_of>(arg<&forecast_of::days>(eq(6)))).then(text("six"));
    server.on(call("forecast")).then(text("other"));
    co_await make().async_open();
    boost::json::object const six{{"city", "X"}, {"days", 6}};
    BOOST_TEST(co_await reply(six) == "six");
    boost::json::object const both{{"city", "Paris"}, {"days", 2.0}}, late{{"city", "Paris"}, {"days", 4}},
        oslo{{"city", "Oslo"}}, hot{{"city", "X"}, {"min~heat/°", 30.5}}, miles{{"city", "X"}, {"shown", "imperial"}},
        first{{"city", "Bern"}}, many{{"city", "X"}, {"days", 8}}, none;
    BOOST_TEST(co_await reply(both) == "both");
    BOOST_TEST(co_await reply(late) == "prefix");
    BOOST_TEST(co_await reply(oslo) == "in");
    BOOST_TEST(co_await reply(hot) == "hot");
    BOOST_TEST(co_await reply(miles) == "miles");
    BOOST_TEST(co_await reply(first) == "expression");
    BOOST_TEST(co_await reply(many) == "long");
    BOOST_TEST(co_await reply(none) == "other");
}

LINKSPAN_CASE_IN(forecast_world, report_has_the_difference_of_each_argument)
{
    server.on(call("forecast")).then(text("sunny"));
    co_await make().async_open();
    boost::json::object const oslo{{"city", "Oslo"}, {"days", 2}};
    co_await reply(oslo);
    BOOST_TEST(server.verify(expectation(call(arg<&forecast_of::city>(eq("Oslo")), arg<&forecast_of::days>(lt(3))))));
    auto const verdict = server.verify(expectation(call(arg<&forecast_of::city>(eq("Paris")))));
    BOOST_TEST(!verdict);
    BOOST_TEST(contains(verdict.report(), "/arguments/city"), verdict.report());
    BOOST_TEST(contains(verdict.report(), "Oslo"), verdict.report());
}

LINKSPAN_CASE_IN(forecast_world, rule_has_conditions_with_any_matcher)
{
    boost::json::object const short_name{{"len", 4}}, absent{{"absent", true}};
    server.on(call("forecast"))
        .where("/arguments/city", short_name)
        .where("/arguments/days", absent)
        .then(text("four"));
    server.on(call("forecast")).where("#/params/arguments/city", "Paris").then(text("Paris"));
    server.on(call("forecast")).then(text("other"));
    co_await make().async_open();
    boost::json::object const oslo{{"city", "Oslo"}}, late{{"city", "Oslo"}, {"days", 2}}, paris{{"city", "Paris"}};
    BOOST_TEST(co_await reply(oslo) == "four");
    BOOST_TEST(co_await reply(late) == "other");
    BOOST_TEST(co_await reply(paris) == "Paris");
    auto const script = to_script(server);
    BOOST_TEST(contains(script, R"("where":{"/arguments/city":{"len":4},"/arguments/days":{"absent":true}})"), script);
}

BOOST_AUTO_TEST_CASE(invalid_condition_of_a_rule_is_rejected)
{
    boost::json::object const wrong{{"eqq", 1}};
    BOOST_CHECK_EXCEPTION(rule(call("t")).where("/a", wrong), std::invalid_argument, [](auto const& rejected) {
        return contains(rejected.what(), "linkspan: rule: /a/eqq: expected the name of a matcher");
    });
    BOOST_CHECK_THROW(rule(call("t")).where("a", 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(invalid_expression_is_rejected)
{
    BOOST_CHECK_EXCEPTION(
        arg<&forecast_of::city>(matches("(")), std::invalid_argument,
        [](std::invalid_argument const& rejected) { return contains(rejected.what(), "/arguments/city/re"); });
}

BOOST_AUTO_TEST_SUITE_END()
