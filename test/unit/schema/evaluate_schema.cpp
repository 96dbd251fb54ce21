#include <linkspan/schema/evaluate_schema.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace json = boost::json;
using linkspan::schema_validator;

namespace {

json::value parse(std::string_view text) { return json::parse({text.data(), text.size()}); }

// Fewer than by default, as tests run under sanitizers too.
linkspan::schema_options few_steps()
{
    linkspan::schema_options options;
    options.max_steps = 500'000;
    return options;
}

json::value nested_arrays(std::size_t depth)
{
    json::value out = json::array();
    for (std::size_t i = 0; i != depth; ++i) {
        json::array around;
        around.push_back(std::move(out));
        out = std::move(around);
    }
    return out;
}

void expect_gives_up(json::value const& schema, json::value const& value, linkspan::schema_options const& options = {})
{
    schema_validator const check(schema, options);
    BOOST_TEST_REQUIRE(check.ok());
    auto const verdict = check.validate(value);
    BOOST_TEST(verdict.gave_up);
    BOOST_TEST(!verdict.valid());
    BOOST_TEST(verdict.errors.size() == 1U);
    BOOST_TEST(!check.accepts(value));
}

} // namespace

// What comes from hostile schemas and values: a test that hangs or overflows the stack has failed.
BOOST_AUTO_TEST_SUITE(evaluate_schema_test)

BOOST_AUTO_TEST_CASE(a_reference_to_itself_ends_at_the_depth)
{
    expect_gives_up(parse(R"({"$ref":"#"})"), 1);
    expect_gives_up(parse(R"({"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#a"},
                              "c":{"$anchor":"a","$ref":"#/$defs/a"}}})"),
                    1);
    expect_gives_up(parse(R"({"$dynamicAnchor":"x","$dynamicRef":"#x"})"), 1);
}

BOOST_AUTO_TEST_CASE(what_gave_up_under_not_is_not_valid)
{
    expect_gives_up(parse(R"({"not":{"$ref":"#"}})"), 1);
    expect_gives_up(parse(R"({"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"if":{"$ref":"#/$defs/a"},"else":true,"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"anyOf":[{"$ref":"#/$defs/a"},true],"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"contains":{"$ref":"#/$defs/a"},"minContains":0,"$defs":{"a":{"$ref":"#/$defs/a"}}})"),
                    json::array{1});
}

BOOST_AUTO_TEST_CASE(values_may_be_nested_as_deep_as_the_limit)
{
    auto const schema = parse(R"({"items":{"$ref":"#"}})");
    schema_validator const check(schema);
    BOOST_TEST(check.accepts(nested_arrays(250)));
    expect_gives_up(schema, nested_arrays(600));
    expect_gives_up(schema, nested_arrays(5000));
}

BOOST_AUTO_TEST_CASE(values_are_compared_as_deep_as_the_limit)
{
    auto const deep = nested_arrays(5000);
    expect_gives_up(parse(R"({"uniqueItems":true})"), json::array{deep, deep});
    schema_validator const check(parse(R"({"const":[[]]})"));
    BOOST_TEST(!check.accepts(deep));
}

BOOST_AUTO_TEST_CASE(alternatives_that_double_at_each_step_end_at_the_steps)
{
    json::object schemas;
    schemas["s0"] = parse(R"({"const":2})");
    for (int i = 1; i != 60; ++i) {
        json::value const before = json::object{{"$ref", "#/$defs/s" + std::to_string(i - 1)}};
        schemas["s" + std::to_string(i)] = json::object{{"anyOf", json::array{before, before}}};
    }
    expect_gives_up(json::object{{"$ref", "#/$defs/s59"}, {"$defs", schemas}}, 1, few_steps());
}

BOOST_AUTO_TEST_CASE(words_for_many_errors_end_at_the_steps_too)
{
    json::object schemas;
    schemas["s0"] = parse(R"({"const":2})");
    for (int i = 1; i != 11; ++i) {
        json::value const before = json::object{{"$ref", "#/$defs/s" + std::to_string(i - 1)}};
        schemas["s" + std::to_string(i)] = json::object{{"anyOf", json::array{before, before}}};
    }
    linkspan::schema_options options;
    options.max_errors = 1'000'000;
    options.max_steps = 5120; // the verdict alone takes nearly all of them
    schema_validator const check(json::object{{"$ref", "#/$defs/s10"}, {"$defs", schemas}}, options);
    auto const verdict = check.validate(1);
    BOOST_TEST(!verdict.gave_up);
    BOOST_TEST(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().message == "is not valid; to say why takes too many steps");
}

BOOST_AUTO_TEST_CASE(a_pattern_that_backtracks_elsewhere_answers_at_once)
{
    json::value const text = json::string(10'000, 'a');
    schema_validator const check(parse(R"({"pattern":"^(a+)+$"})"));
    BOOST_TEST(check.accepts(text));
    BOOST_TEST(!schema_validator(parse(R"({"pattern":"^(a|a)*b$"})")).accepts(text));
    expect_gives_up(parse(R"({"pattern":"(a?){5000}b"})"), text, few_steps());
}

BOOST_AUTO_TEST_CASE(many_elements_are_compared_in_less_than_all_pairs)
{
    json::array numbers;
    for (int i = 0; i != 10'000; ++i)
        numbers.emplace_back(i);
    schema_validator const check(parse(R"({"uniqueItems":true})"));
    BOOST_TEST(check.accepts(numbers));
    numbers.emplace_back(77.0);
    auto const verdict = check.validate(numbers);
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().message == "must not have the same element twice: 77 is 10000");
}

BOOST_AUTO_TEST_CASE(more_steps_are_taken_where_they_are_allowed)
{
    linkspan::schema_options options;
    options.max_steps = 100;
    auto const schema = parse(R"({"items":{"type":"integer"}})");
    json::array const numbers(60, json::value(1));
    BOOST_TEST(schema_validator(schema, options).validate(numbers).gave_up);
    options.max_steps = 200;
    BOOST_TEST(schema_validator(schema, options).accepts(numbers));
}

BOOST_AUTO_TEST_SUITE_END()
