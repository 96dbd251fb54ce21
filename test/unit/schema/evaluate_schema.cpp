#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/schema/detail/evaluate_schema.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "support/parse.hpp"

BOOST_AUTO_TEST_SUITE(evaluate_schema_test)

namespace json = boost::json;
using linkspan::schema_validator;
using linkspan::test::parse;

namespace {

// A limit below the default, because tests also run with sanitizers.
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

// Hostile schemas and values, which must cause neither endless validation nor an overflow of the stack.

BOOST_AUTO_TEST_CASE(validation_of_reference_to_itself_gives_up_at_maximum_depth)
{
    expect_gives_up(parse(R"({"$ref":"#"})"), 1);
    expect_gives_up(parse(R"({"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#a"},
                              "c":{"$anchor":"a","$ref":"#/$defs/a"}}})"),
                    1);
    expect_gives_up(parse(R"({"$dynamicAnchor":"x","$dynamicRef":"#x"})"), 1);
}

BOOST_AUTO_TEST_CASE(value_is_invalid_if_validation_of_a_subschema_gives_up)
{
    expect_gives_up(parse(R"({"not":{"$ref":"#"}})"), 1);
    expect_gives_up(parse(R"({"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"if":{"$ref":"#/$defs/a"},"else":true,"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"anyOf":[{"$ref":"#/$defs/a"},true],"$defs":{"a":{"$ref":"#/$defs/a"}}})"), 1);
    expect_gives_up(parse(R"({"contains":{"$ref":"#/$defs/a"},"minContains":0,"$defs":{"a":{"$ref":"#/$defs/a"}}})"),
                    json::array{1});
}

BOOST_AUTO_TEST_CASE(validation_of_value_nested_deeper_than_the_limit_gives_up)
{
    auto const schema = parse(R"({"items":{"$ref":"#"}})");
    schema_validator const check(schema);
    BOOST_TEST(check.accepts(nested_arrays(250)));
    expect_gives_up(schema, nested_arrays(600));
    expect_gives_up(schema, nested_arrays(5000));
}

BOOST_AUTO_TEST_CASE(comparison_of_values_nested_deeper_than_the_limit_gives_up)
{
    auto const deep = nested_arrays(5000);
    expect_gives_up(parse(R"({"uniqueItems":true})"), json::array{deep, deep});
    schema_validator const check(parse(R"({"const":[[]]})"));
    BOOST_TEST(!check.accepts(deep));
}

BOOST_AUTO_TEST_CASE(validation_of_exponential_alternatives_gives_up_at_max_steps)
{
    json::object schemas;
    schemas["s0"] = parse(R"({"const":2})");
    for (int i = 1; i != 60; ++i) {
        json::value const before = json::object{{"$ref", "#/$defs/s" + std::to_string(i - 1)}};
        schemas["s" + std::to_string(i)] = json::object{{"anyOf", json::array{before, before}}};
    }
    expect_gives_up(json::object{{"$ref", "#/$defs/s59"}, {"$defs", schemas}}, 1, few_steps());
}

BOOST_AUTO_TEST_CASE(error_without_reason_is_reported_if_max_steps_is_reached)
{
    json::object schemas;
    schemas["s0"] = parse(R"({"const":2})");
    for (int i = 1; i != 11; ++i) {
        json::value const before = json::object{{"$ref", "#/$defs/s" + std::to_string(i - 1)}};
        schemas["s" + std::to_string(i)] = json::object{{"anyOf", json::array{before, before}}};
    }
    linkspan::schema_options options;
    options.max_errors = 1'000'000;
    options.max_steps = 5120; // validation without error messages takes nearly all steps
    schema_validator const check(json::object{{"$ref", "#/$defs/s10"}, {"$defs", schemas}}, options);
    auto const verdict = check.validate(1);
    BOOST_TEST(!verdict.gave_up);
    BOOST_TEST(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().message == "value is not valid; max_steps does not suffice to determine the reason");
}

BOOST_AUTO_TEST_CASE(pattern_with_exponential_backtracking_is_matched_in_bounded_time)
{
    json::value const text = json::string(10'000, 'a');
    schema_validator const check(parse(R"({"pattern":"^(a+)+$"})"));
    BOOST_TEST(check.accepts(text));
    BOOST_TEST(!schema_validator(parse(R"({"pattern":"^(a|a)*b$"})")).accepts(text));
    expect_gives_up(parse(R"({"pattern":"(a?){5000}b"})"), text, few_steps());
}

BOOST_AUTO_TEST_CASE(unique_items_of_a_large_array_are_checked_in_bounded_time)
{
    json::array numbers;
    for (int i = 0; i != 10'000; ++i)
        numbers.emplace_back(i);
    schema_validator const check(parse(R"({"uniqueItems":true})"));
    BOOST_TEST(check.accepts(numbers));
    numbers.emplace_back(77.0);
    auto const verdict = check.validate(numbers);
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().message == "must not have duplicate elements: 77 equals 10000");
}

BOOST_AUTO_TEST_CASE(max_steps_limits_evaluation)
{
    linkspan::schema_options options;
    options.max_steps = 100;
    auto const schema = parse(R"({"items":{"type":"integer"}})");
    json::array const numbers(60, json::value(1));
    BOOST_TEST(schema_validator(schema, options).validate(numbers).gave_up);
    options.max_steps = 200;
    BOOST_TEST(schema_validator(schema, options).accepts(numbers));
}

// Each applied schema reads the whole key.
BOOST_AUTO_TEST_CASE(long_keys_count_as_steps)
{
    std::string const key(1'000'000, 'k');
    json::value const value = {{key, 1}};
    json::value const other = {{key, 2}};
    json::value const often = json::array(100, json::value{{"$ref", "#/$defs/d"}});
    auto const expect = [&](json::value const& schema, json::value const& checked) {
        expect_gives_up(json::object{{"allOf", often}, {"$defs", {{"d", schema}}}}, checked, few_steps());
    };
    expect({{"propertyNames", {{"minLength", 0}}}}, value);
    expect({{"properties", {{key, true}}}}, value);
    expect({{"additionalProperties", true}}, value);
    expect({{"dependentSchemas", {{key, true}}}}, value);
    expect({{"dependentRequired", {{key, json::array{key}}}}}, value);
    expect({{"const", value}}, value);
    expect({{"uniqueItems", true}}, json::array{value, other});
}

BOOST_AUTO_TEST_CASE(dynamic_reference_candidates_count_as_steps)
{
    json::object resources;
    for (int i = 0; i != 1'000; ++i)
        resources[std::to_string(i)] = {{"$id", "r" + std::to_string(i)}, {"$dynamicAnchor", "n"}};
    json::value const dynamic = {{"$dynamicRef", "#n"}};
    resources["r"] = {
        {"$id", "r"}, {"allOf", json::array(100, dynamic)}, {"$defs", {{"n", {{"$dynamicAnchor", "n"}}}}}};
    json::value const schema = {{"$id", "https://example.org/"}, {"$defs", resources}, {"$ref", "r"}};
    linkspan::schema_options options;
    options.max_steps = 1'500; // 100 references in 2 resources take log2(1001) = 10 steps each
    BOOST_TEST(schema_validator(schema, options).validate(1).gave_up);
    options.max_steps = 3'000;
    BOOST_TEST(schema_validator(schema, options).accepts(1));
}

BOOST_AUTO_TEST_CASE(long_keys_are_truncated_in_messages)
{
    std::string const key = "\u00e9/" + std::string(100'000, 'k');
    auto const first_error = [](json::value const& schema, json::value const& value) {
        auto const verdict = schema_validator(schema).validate(value);
        BOOST_TEST(!verdict.gave_up);
        BOOST_TEST_REQUIRE(!verdict.errors.empty());
        return verdict.errors.front();
    };
    auto const front = "\u00e9/" + std::string(125, 'k') + "...";
    auto const pointer = "/\u00e9~1" + std::string(125, 'k') + "...";
    auto const in_value = first_error(json::value{{"additionalProperties", false}}, json::object{{key, 1}});
    BOOST_TEST(in_value.instance == pointer);
    auto const in_schema = first_error(json::value{{"properties", {{key, false}}}}, json::object{{key, 1}});
    BOOST_TEST(in_schema.schema == "/properties" + pointer);
    auto const missing = first_error(json::value{{"required", json::array{key}}}, json::object());
    BOOST_TEST(missing.message == "must have the member '" + front + "'");
    auto const dependent =
        first_error(json::value{{"dependentRequired", {{key, json::array{"b" + key}}}}}, json::object{{key, 1}});
    BOOST_TEST(dependent.message.ends_with("', required by '" + front + "'"));
    BOOST_TEST(dependent.message.size() < 300U);
    auto const lost =
        first_error(json::value{{"x", {{key, false}}}, {"$ref", "#/x/" + linkspan::detail::pointer_token(key)}}, 1);
    BOOST_TEST(lost.schema.size() < 200U);
    schema_validator const rejected(json::value{{"properties", {{key, json::value{{"$ref", "#" + key}}}}}});
    BOOST_TEST_REQUIRE(rejected.problems().size() == 1U);
    BOOST_TEST(to_string(rejected.problems().front()).size() < 400U);
}

// No message is composed for an alternative if another alternative matches.
BOOST_AUTO_TEST_CASE(matching_alternatives_produce_no_messages)
{
    auto const either = parse(R"({"anyOf":[true,false]})");
    auto const one = parse(R"({"oneOf":[true]})");
    json::array all(400, either);
    all.insert(all.end(), 400, one);
    all.push_back(false);
    linkspan::schema_options options;
    options.max_steps = 2'000; // validation without error messages takes most steps
    auto const verdict = schema_validator(json::object{{"allOf", all}}, options).validate(1);
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().schema == "/allOf/800");
}

BOOST_AUTO_TEST_CASE(failed_any_of_is_reported_before_its_alternatives)
{
    linkspan::schema_options options;
    options.max_errors = 2;
    auto const verdict =
        schema_validator(parse(R"({"anyOf":[{"type":"null"},{"type":"string"},{"minimum":5}]})"), options).validate(1);
    BOOST_TEST_REQUIRE(verdict.errors.size() == 2U);
    BOOST_TEST(verdict.errors[0].keyword == "anyOf");
    BOOST_TEST(verdict.errors[1].schema == "/anyOf/0/type");
}

BOOST_AUTO_TEST_SUITE_END()
