#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/local_tool.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/operands.hpp"

BOOST_AUTO_TEST_SUITE(local_tool_test)

using linkspan::call_result;
using linkspan::local_tool;
using linkspan::test::operands;
namespace json = boost::json;

namespace {

struct bounded_operands {
    double a = 0, b = 0;
};

LINKSPAN_STRUCT((bounded_operands, closed), (a), (b, "the second", max{100}))

struct sum {
    double total = 0;
    std::optional<std::string> note;
};

LINKSPAN_STRUCT(sum, (total, max{150}), (note))

struct get_forecast {
    static constexpr std::string_view tool = "get_forecast";
    using result_type = std::string;
    static constexpr linkspan::tool_annotations hints{.read_only = true};
    std::string city;
};

LINKSPAN_STRUCT(get_forecast, (city))

int half(operands const& given) noexcept { return static_cast<int>(given.a / 2); }

call_result run(local_tool const& tool, std::string_view arguments)
{
    return call_result(linkspan::detail::shared_text("{" + tool.run(arguments) + "}"), "local");
}

// Returns the structured content, after a check against the output schema of the tool.
std::string structured(local_tool const& tool, std::string_view arguments)
{
    auto const result = run(tool, arguments);
    BOOST_TEST(!result.is_error());
    BOOST_TEST(result.text() == result.structured());
    linkspan::schema_validator const check(json::parse(tool.definition().output_schema));
    auto const text = result.structured();
    for (auto const& error : check.validate(json::parse({text.data(), text.size()})).errors)
        BOOST_ERROR(to_string(error));
    return std::string(text);
}

std::string failure(local_tool const& tool, std::string_view arguments)
{
    auto const result = run(tool, arguments);
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.structured().empty());
    return result.text();
}

} // namespace

BOOST_AUTO_TEST_CASE(function_over_described_structs_is_listed_and_run_as_tool)
{
    local_tool const add("add", "Adds \"two\"",
                         [](bounded_operands const& two) {
                             return sum{two.a + two.b, {}};
                         },
                         {.idempotent = true});
    auto const& listed = add.definition();
    BOOST_TEST(listed.name == "add");
    BOOST_TEST(listed.description == "Adds \"two\"");
    BOOST_TEST(listed.annotations.idempotent);
    BOOST_TEST(listed.input_schema ==
               R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number","maximum":100,)"
               R"("description":"the second"}},"required":["a","b"],"additionalProperties":false})");
    BOOST_TEST(listed.output_schema ==
               R"({"type":"object","properties":{"total":{"type":"number","maximum":150},"note":{"type":"string"}},)"
               R"("required":["total"]})");
    auto const result = run(add, R"({"a":2,"b":3})");
    BOOST_TEST(result.structured() == R"({"total":5})");
    BOOST_TEST(result.text() == R"({"total":5})");
    BOOST_TEST(result.as<sum>().value().total == 5);
}

BOOST_AUTO_TEST_CASE(name_and_hints_are_taken_from_tool_call_struct)
{
    local_tool const forecast("Forecasts", [](get_forecast const& arguments) { return "Rain in " + arguments.city; });
    BOOST_TEST(forecast.definition().name == "get_forecast");
    BOOST_TEST(forecast.definition().annotations.read_only);
    BOOST_TEST(forecast.definition().output_schema.empty());
    BOOST_TEST(run(forecast, R"({"city":"Oslo"})").text() == "Rain in Oslo");
    BOOST_TEST(run(forecast, R"({"city":"Oslo"})").structured().empty());
}

BOOST_AUTO_TEST_CASE(result_that_is_not_an_object_is_wrapped)
{
    local_tool const add("add", "", [](operands const& two) { return two.a + two.b; });
    BOOST_TEST(add.definition().output_schema ==
               R"({"type":"object","properties":{"result":{"type":"number"}},"required":["result"]})");
    BOOST_TEST(run(add, R"({"a":0.1,"b":0})").structured() == R"({"result":0.1})");
    BOOST_TEST(run(add, R"({"a":0.1,"b":0})").text() == "0.1");
    BOOST_TEST(run(add, R"({"a":0.1,"b":0})").as<double>().value() == 0.1);
    local_tool const list("list", "", [](operands const& two) { return std::vector<double>{two.a, two.b}; });
    BOOST_TEST(run(list, R"({"a":1,"b":2})").structured() == R"({"result":[1,2]})");
    BOOST_TEST(run(list, R"({"a":1,"b":2})").as<std::vector<int>>().value().size() == 2u);
}

BOOST_AUTO_TEST_CASE(empty_optional_result_is_null)
{
    local_tool const maybe("maybe", "", [](operands const& two) {
        return two.a == 0 ? std::optional<double>() : std::optional(two.b / two.a);
    });
    linkspan::schema_validator const check(json::parse(maybe.definition().output_schema));
    auto const none = run(maybe, R"({"a":0,"b":1})"), some = run(maybe, R"({"a":2,"b":1})");
    BOOST_TEST(none.structured() == R"({"result":null})");
    BOOST_TEST(some.structured() == R"({"result":0.5})");
    for (auto const& result : {none, some})
        BOOST_TEST(check.accepts(json::parse(std::string(result.structured()))));
    BOOST_TEST(!none.as<std::optional<double>>().value().has_value());
    BOOST_TEST(some.as<std::optional<double>>().value().value() == 0.5);
}

BOOST_AUTO_TEST_CASE(map_and_json_object_results_are_structured_content)
{
    local_tool const map("map", "", [](operands const& two) { return std::map<std::string, double>{{"a", two.a}}; });
    BOOST_TEST(structured(map, R"({"a":1,"b":0})") == R"({"a":1})");
    local_tool const free("free", "", [](operands const&) { return json::object{{"any", json::array{1, nullptr}}}; });
    BOOST_TEST(structured(free, R"({"a":1,"b":0})") == R"({"any":[1,null]})");
}

BOOST_AUTO_TEST_CASE(any_callable_is_accepted)
{
    int calls = 0;
    local_tool const nothing("nothing", "", [&calls] { ++calls; });
    BOOST_TEST(nothing.definition().input_schema == R"({"type":"object","properties":{}})");
    BOOST_TEST(nothing.definition().output_schema.empty());
    BOOST_TEST(nothing.run("{}") == R"("content":[])");
    BOOST_TEST(calls == 1);
    BOOST_TEST(run(local_tool("f", "", &half), R"({"a":4,"b":0})").as<int>().value() == 2);
    BOOST_TEST(run(local_tool("f", "", half), R"({"a":4,"b":0})").as<int>().value() == 2);
    local_tool const counting("f", "", [count = 0](operands) mutable noexcept { return ++count; });
    BOOST_TEST(counting.definition().output_schema.find("integer") != std::string::npos);
    std::string const kept = "kept";
    local_tool const reference("f", "", [&kept](operands const&) -> std::string const& { return kept; });
    BOOST_TEST(run(reference, R"({"a":4,"b":0})").text() == "kept");
    std::function<sum(operands const&)> const erased = [](operands const& two) { return sum{two.a, "n"}; };
    BOOST_TEST(structured(local_tool("f", "", erased), R"({"a":4,"b":0})") == R"({"total":4,"note":"n"})");
}

BOOST_AUTO_TEST_CASE(invalid_arguments_are_a_failure_with_pointers)
{
    bool ran = false;
    local_tool const add("add", "", [&ran](bounded_operands const&) { ran = true; });
    BOOST_TEST(failure(add, R"({"a":"1"})") ==
               "invalid arguments: /a: expected a number, found a string; /b: expected a value, found nothing");
    BOOST_TEST(failure(add, R"({"a":1,"b":101,"c":"secret"})") ==
               "invalid arguments: /b: expected a number up to 100, found 101; "
               "/c: expected no member of this name (known: 'a', 'b'), found a string");
    BOOST_TEST(failure(add, "[]") == "invalid arguments: expected an object, found an array");
    BOOST_TEST(failure(add, "") == "invalid arguments: expected JSON, found invalid text at byte 0");
    BOOST_TEST(failure(add, "{\"a\":1,\"b\":2} x").starts_with("invalid arguments: expected JSON"));
    BOOST_TEST(!ran);
}

BOOST_AUTO_TEST_CASE(thrown_value_that_is_not_an_exception_is_a_failure)
{
    local_tool const odd("odd", "", []() -> double { throw 7; });
    auto const result = run(odd, "{}");
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "the tool failed: its function threw an unknown exception");
}

BOOST_AUTO_TEST_CASE(exception_of_the_function_is_a_failure_with_its_text)
{
    local_tool const fails("f", "", [](operands const& two) {
        if (two.a == 1)
            throw linkspan::tool_failure("no \"such\" city\n");
        throw std::out_of_range("too far");
    });
    BOOST_TEST(failure(fails, R"({"a":1,"b":0})") == "no \"such\" city\n");
    BOOST_TEST(failure(fails, R"({"a":2,"b":0})") == "too far");
}

BOOST_AUTO_TEST_CASE(result_that_violates_its_schema_is_a_failure)
{
    local_tool const add("add", "", [](operands const& two) { return sum{two.a + two.b, {}}; });
    BOOST_TEST(structured(add, R"({"a":50,"b":100})") == R"({"total":150})");
    BOOST_TEST(failure(add, R"({"a":51,"b":100})") ==
               "result of the tool is invalid: /total: expected a number up to 150, found 151");
    local_tool const divide("divide", "", [](operands const& two) { return two.a / two.b; });
    BOOST_TEST(failure(divide, R"({"a":1,"b":0})") ==
               "result of the tool is invalid: expected a finite number, found NaN or infinity");
}

BOOST_AUTO_TEST_CASE(copies_are_independent)
{
    local_tool original("add", "", [](operands const& two) { return two.a; });
    auto const copy = original;
    original = local_tool("other", "", [] {});
    BOOST_TEST(copy.definition().name == "add");
    BOOST_TEST(run(copy, R"({"a":1,"b":0})").as<int>().value() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
