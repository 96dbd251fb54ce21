#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/parse.hpp"

BOOST_AUTO_TEST_SUITE(validator_test)

namespace json = boost::json;
using linkspan::schema_validator;
using linkspan::test::parse;

namespace {

struct row {
    std::string_view schema;
    std::vector<std::string_view> valid, invalid;
};

void check(std::vector<row> const& rows, linkspan::schema_options const& options = {})
{
    for (auto const& [schema, valid, invalid] : rows) {
        schema_validator const validator(parse(schema), options);
        BOOST_TEST_REQUIRE(validator.ok(), schema);
        for (auto const value : valid) {
            BOOST_TEST(validator.accepts(parse(value)), schema << " accepts " << value);
            BOOST_TEST(validator.validate(parse(value)).valid());
        }
        for (auto const value : invalid) {
            BOOST_TEST(!validator.accepts(parse(value)), schema << " rejects " << value);
            BOOST_TEST(!validator.validate(parse(value)));
        }
    }
}

// Returns all errors in the form "instance|schema|keyword".
std::string errors(std::string_view schema, std::string_view value, linkspan::schema_options const& options = {})
{
    std::string out;
    for (auto const& error : schema_validator(parse(schema), options).validate(parse(value)).errors)
        out += (out.empty() ? "" : " ") + error.instance + '|' + error.schema + '|' + error.keyword;
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(multiples_of_a_number_beyond_the_range_of_double_are_rejected)
{
    schema_validator const infinite(parse(R"({"multipleOf":1e999})"));
    BOOST_TEST(!infinite.accepts(parse("1")));
    BOOST_TEST(!infinite.accepts(parse("1.5")));
}

// A pattern that cannot be checked is a warning, with which a schema can be used.
BOOST_AUTO_TEST_CASE(verdict_of_a_rejected_schema_has_the_location_of_the_error)
{
    schema_validator const rejected(parse(R"x({"allOf":[{"pattern":"("},{"pattern":"(?=x)"}]})x"));
    BOOST_TEST_REQUIRE(!rejected.ok());
    BOOST_TEST_REQUIRE(rejected.problems().size() == 2u);
    BOOST_TEST((rejected.problems()[0].level == linkspan::diagnostic::severity::warning));
    auto const verdict = rejected.validate(parse("1"));
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1u);
    BOOST_TEST(verdict.errors[0].schema == "/allOf/0/pattern");
}

BOOST_AUTO_TEST_CASE(scalar_keywords_accept_and_reject_values)
{
    check({
        {"true", {"1", "null"}, {}},
        {"false", {}, {"1", "null"}},
        {"{}", {"1", "{}"}, {}},
        {R"({"type":"integer"})", {"1", "1.0"}, {"1.5", "\"1\""}},
        {R"({"type":["number","null"]})", {"1", "1.5", "null"}, {"true", "[]"}},
        {R"({"enum":[1,"a",null,{"a":[1]}]})",
         {"1.0", "\"a\"", "null", R"({"a":[1.0]})"},
         {"2", "\"b\"", "{}", "false"}},
        {R"({"const":false})", {"false"}, {"0", "null", "[]"}},
        {R"({"minimum":1,"exclusiveMaximum":2})", {"1", "1.9", "\"x\""}, {"0.9", "2"}},
        {R"({"exclusiveMinimum":1,"maximum":2})", {"2", "1.1"}, {"1", "2.1"}},
        {R"({"multipleOf":0.01})", {"4.02", "0"}, {"4.025"}},
        {R"({"minLength":2,"maxLength":3})", {"\"\u00e9\u00e9\"", "\"abc\"", "1"}, {"\"\u00e9\"", "\"abcd\""}},
        {R"({"pattern":"^a+$"})", {"\"aa\"", "1"}, {"\"ab\""}},
        {R"({"format":"email"})", {"\"no address\""}, {}},
    });
}

BOOST_AUTO_TEST_CASE(array_keywords_accept_and_reject_values)
{
    check({
        {R"({"minItems":1,"maxItems":2})", {"[1]", "[1,2]", "{}"}, {"[]", "[1,2,3]"}},
        {R"({"items":{"type":"integer"}})", {"[]", "[1,2]"}, {"[1,\"a\"]"}},
        {R"({"prefixItems":[{"type":"integer"}],"items":false})", {"[]", "[1]"}, {"[\"a\"]", "[1,2]"}},
        {R"({"uniqueItems":true})",
         {"[1,2]", "[0,false]", "[{\"a\":1},{\"a\":2}]"},
         {"[1,1.0]", "[[1],2,[1]]", R"([{"a":1,"b":2},{"b":2,"a":1}])"}},
        {R"({"contains":{"const":1}})", {"[0,1]"}, {"[]", "[2]"}},
        {R"({"contains":{"const":1},"minContains":2,"maxContains":3})", {"[1,1]", "[1,1,1,2]"}, {"[1]", "[1,1,1,1]"}},
        {R"({"contains":{"const":1},"minContains":0})", {"[]", "[2]"}, {}},
        {R"({"contains":{"const":1},"unevaluatedItems":{"const":2}})", {"[1,2,1]"}, {"[1,3]"}},
        {R"({"allOf":[{"prefixItems":[true]}],"unevaluatedItems":false})", {"[1]"}, {"[1,2]"}},
    });
}

BOOST_AUTO_TEST_CASE(object_keywords_accept_and_reject_values)
{
    check({
        {R"({"minProperties":1,"maxProperties":1})", {R"({"a":1})", "[]"}, {"{}", R"({"a":1,"b":2})"}},
        {R"({"required":["a","b"],"properties":{"b":{"type":"null"}}})",
         {R"({"b":null,"a":1})"},
         {R"({"a":1})", R"({"b":null})", R"({"a":1,"b":1})"}},
        {R"({"properties":{"a":true},"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false})",
         {"{}", R"({"a":0,"x1":1})"},
         {R"({"b":0})", R"({"x":"1"})"}},
        {R"({"propertyNames":{"maxLength":1}})", {R"({"a":1})"}, {R"({"ab":1})"}},
        {R"({"dependentRequired":{"a":["b"]}})", {R"({"a":1,"b":1})", R"({"b":1})"}, {R"({"a":1})"}},
        {R"({"dependentSchemas":{"a":{"maxProperties":1}}})", {R"({"a":1})", R"({"b":1,"c":1})"}, {R"({"a":1,"b":1})"}},
        {R"({"anyOf":[{"required":["a"],"properties":{"a":true}},{"properties":{"b":true}}],
             "unevaluatedProperties":false})",
         {R"({"a":1,"b":1})", R"({"b":1})"},
         {R"({"c":1})"}},
        {R"({"if":{"required":["a"],"properties":{"a":true}},"else":{"properties":{"b":true}},
             "unevaluatedProperties":{"type":"string"}})",
         {R"({"a":1,"x":""})", R"({"b":1})"},
         {R"({"a":1,"b":1})"}},
    });
}

BOOST_AUTO_TEST_CASE(logic_keywords_accept_and_reject_values)
{
    check({
        {R"({"allOf":[{"minimum":1},{"maximum":2}]})", {"1"}, {"0", "3"}},
        {R"({"anyOf":[{"type":"null"},{"minimum":1}]})", {"null", "2"}, {"0"}},
        {R"({"oneOf":[{"minimum":1},{"maximum":2}]})", {"0", "3"}, {"1"}},
        {R"({"not":{"type":"null"}})", {"1"}, {"null"}},
        {R"({"if":{"minimum":5},"then":{"multipleOf":2},"else":{"multipleOf":3}})", {"6", "3"}, {"7", "2"}},
    });
}

BOOST_AUTO_TEST_CASE(draft_7_keywords_accept_and_reject_values)
{
    check(
        {
            {R"({"items":[{"type":"integer"}],"additionalItems":false})", {"[1]"}, {"[\"a\"]", "[1,2]"}},
            {R"({"additionalItems":false})", {"[1]"}, {}},
            {R"({"dependencies":{"a":["b"],"c":{"maxProperties":1}}})",
             {R"({"a":1,"b":1})"},
             {R"({"a":1})", R"({"c":1,"d":1})"}},
            {R"({"$ref":"#/definitions/n","type":"string","definitions":{"n":{"type":"null"}}})", {"null"}, {"\"\""}},
            {R"({"prefixItems":[false],"unevaluatedItems":false,"dependentRequired":{"a":["b"]}})",
             {"[1]", R"({"a":1})"},
             {}},
        },
        {.dialect = linkspan::schema_dialect::draft_7});
}

BOOST_AUTO_TEST_CASE(error_has_pointers_into_value_and_schema)
{
    constexpr auto schema = R"({
        "type":"object", "required":["name","a~b"],
        "properties":{
            "name":{"type":"string","minLength":2},
            "a/b":{"items":{"$ref":"#/$defs/count"}},
            "no":false
        },
        "additionalProperties":false,
        "$defs":{"count":{"minimum":0,"multipleOf":2}}})";
    BOOST_TEST(errors(schema, "1") == "|/type|type");
    BOOST_TEST(errors(schema, R"({"name":"x","a~b":1,"a/b":[2,-1]})") ==
               "/name|/properties/name/minLength|minLength /a~0b|/additionalProperties|false "
               "/a~1b/1|/$defs/count/minimum|minimum /a~1b/1|/$defs/count/multipleOf|multipleOf");
    BOOST_TEST(errors(schema, R"({"no":1})") == "/no|/properties/no|false |/required|required |/required|required");
}

BOOST_AUTO_TEST_CASE(error_message_names_the_expectation)
{
    schema_validator const check(parse(R"({"properties":{"n":{"maximum":2.5},"t":{"type":["integer","null"]},
        "m":{"minimum":3},"s":{"minItems":2},"e":{"minLength":1},"o":{"maxProperties":1},
        "c":{"contains":{"const":1},"maxContains":1}},"required":["x"]})"));
    auto const verdict =
        check.validate(parse(R"({"n":3,"t":"secret","m":1,"s":[],"e":"","o":{"a":1,"b":2},"c":[1,1]})"));
    std::vector<std::string> words;
    for (auto const& error : verdict.errors)
        words.push_back(to_string(error));
    std::vector<std::string> const expected = {
        "/n: must be at most 2.5 (/properties/n/maximum)",
        "/t: must be null or integer (/properties/t/type)",
        "/m: must be at least 3 (/properties/m/minimum)",
        "/s: must have at least 2 elements (/properties/s/minItems)",
        "/e: must have at least 1 character (/properties/e/minLength)",
        "/o: must have at most 1 member (/properties/o/maxProperties)",
        "/c: must have at most 1 element that matches 'contains' (/properties/c/maxContains)",
        "must have the member 'x' (/required)",
    };
    BOOST_TEST(words == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(failed_alternatives_are_reported_and_succeeded_ones_are_not)
{
    constexpr auto schema = R"({"properties":{"v":{"anyOf":[{"type":"null"},{"oneOf":[{"minimum":5}]}]}}})";
    BOOST_TEST(errors(schema, R"({"v":6})") == "");
    BOOST_TEST(errors(schema, R"({"v":1})") ==
               "/v|/properties/v/anyOf|anyOf /v|/properties/v/anyOf/0/type|type "
               "/v|/properties/v/anyOf/1/oneOf|oneOf /v|/properties/v/anyOf/1/oneOf/0/minimum|minimum");
    BOOST_TEST(errors(R"({"oneOf":[true,{"type":"null"},true]})", "1") == "|/oneOf|oneOf");
    BOOST_TEST(errors(R"({"not":{"anyOf":[{"type":"null"},true]}})", "1") == "|/not|not");
    BOOST_TEST(errors(R"({"if":{"minimum":5},"then":false})", "7") == "|/then|false");
}

BOOST_AUTO_TEST_CASE(error_in_another_document_has_its_uri)
{
    linkspan::schema_options options;
    options.documents["https://example.org/size"] = parse(R"({"$defs":{"s":{"maximum":9}}})");
    BOOST_TEST(errors(R"({"$ref":"https://example.org/size#/$defs/s"})", "10", options) ==
               "|https://example.org/size#/$defs/s/maximum|maximum");
}

BOOST_AUTO_TEST_CASE(number_of_errors_is_limited)
{
    linkspan::schema_options options;
    options.max_errors = 3;
    schema_validator const check(parse(R"({"items":{"type":"null"}})"), options);
    BOOST_TEST(check.validate(parse("[1,2,3,4,5]")).errors.size() == 3U);
}

BOOST_AUTO_TEST_CASE(invalid_value_has_one_error_that_names_max_errors_if_max_errors_is_zero)
{
    linkspan::schema_options options;
    options.max_errors = 0;
    schema_validator const check(parse(R"({"type":"null"})"), options);
    auto const verdict = check.validate(parse("1"));
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors[0].message == "value is not valid; max_errors is 0, so that no reason is reported");
    BOOST_TEST(!verdict.gave_up);
    BOOST_TEST(check.validate(parse("null")).errors.empty());
}

BOOST_AUTO_TEST_CASE(copied_validator_is_independent_of_the_original)
{
    auto copy = schema_validator(parse("true"));
    {
        auto const schema = parse(R"({"const":{"a":["b"]},"properties":{"a":true},"pattern":"x"})");
        schema_validator const check(schema);
        copy = check;
    }
    BOOST_TEST(copy.accepts(parse(R"({"a":["b"]})")));
    BOOST_TEST(!copy.accepts(parse(R"({"a":["c"]})")));
}

BOOST_AUTO_TEST_SUITE_END()
