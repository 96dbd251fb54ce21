#include <linkspan/schema/detail/compile_schema.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "support/parse.hpp"

namespace json = boost::json;
using linkspan::schema_validator;
using linkspan::test::parse;

namespace {

std::string problems_of(json::value const& schema, linkspan::schema_options const& options = {})
{
    schema_validator const check(schema, options);
    std::string out;
    for (auto const& problem : check.problems())
        out += (out.empty() ? "" : "; ") + to_string(problem);
    return out;
}

std::string problems(std::string_view schema, linkspan::schema_options const& options = {})
{
    return problems_of(parse(schema), options);
}

bool accepts(std::string_view schema, std::string_view value, linkspan::schema_options const& options = {})
{
    schema_validator const check(parse(schema), options);
    for (auto const& problem : check.problems())
        BOOST_ERROR(to_string(problem));
    return check.accepts(parse(value));
}

} // namespace

BOOST_AUTO_TEST_SUITE(compile_schema_test)

BOOST_AUTO_TEST_CASE(dialects_are_recognized_by_uri)
{
    for (auto const* const name :
         {"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#",
          "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema",
          "https://json-schema.org/draft-07/schema#"})
        BOOST_TEST(problems(std::string(R"({"$schema":")") + name + "\"}") == "");
    constexpr auto tuple = R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}]})";
    BOOST_TEST(accepts(tuple, "[null]"));
    BOOST_TEST(!accepts(tuple, "[1]"));
}

BOOST_AUTO_TEST_CASE(unsupported_dialect_is_rejected_by_name)
{
    for (std::string const name : {"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
                                   "https://json-schema.org/draft/2019-09/schema", "https://example.org/own"}) {
        auto const schema = R"({"$schema":")" + name + "\"}";
        BOOST_TEST(problems(schema) == "/$schema: the dialect '" + name + "' is not supported");
        schema_validator const check(parse(schema));
        BOOST_TEST(!check.ok());
        BOOST_TEST(!check.accepts(parse("1")));
        BOOST_TEST(!check.validate(parse("1")).valid());
    }
}

BOOST_AUTO_TEST_CASE(custom_dialect_has_the_vocabularies_of_its_document)
{
    linkspan::schema_options options;
    options.documents["https://example.org/some"] =
        parse(R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/applicator":true,"urn:other":false}})");
    options.documents["https://example.org/more"] = parse(R"({"$vocabulary":{"urn:other":true}})");
    constexpr auto schema = R"({"$schema":"https://example.org/some","minimum":5,"properties":{"a":false}})";
    BOOST_TEST(accepts(schema, "1", options));
    BOOST_TEST(!accepts(schema, R"({"a":1})", options));
    BOOST_TEST(problems(R"({"$schema":"https://example.org/more"})", options) ==
               "/$schema: the vocabulary 'urn:other' is not supported");
}

BOOST_AUTO_TEST_CASE(malformed_schema_is_reported_with_its_position)
{
    constexpr std::pair<std::string_view, std::string_view> rows[] = {
        {"1", "a schema must be an object or a boolean"},
        {R"({"type":"strng"})", "/type: must be the name of a type or a non-empty array of such names"},
        {R"({"type":[]})", "/type: must be the name of a type or a non-empty array of such names"},
        {R"({"properties":{"a/b":{"minLength":-1}}})", "/properties/a~1b/minLength: must be a non-negative integer"},
        {R"({"properties":[]})", "/properties: must be an object"},
        {R"({"properties":{"":7}})", "/properties/: a schema must be an object or a boolean"},
        {R"({"required":true})", "/required: must be an array of strings"},
        {R"({"anyOf":[]})", "/anyOf: must be a non-empty array of schemas"},
        {R"({"allOf":[true,1]})", "/allOf/1: a schema must be an object or a boolean"},
        {R"({"enum":1})", "/enum: must be an array"},
        {R"({"maximum":"1"})", "/maximum: must be a number"},
        {R"({"multipleOf":0})", "/multipleOf: must be greater than 0"},
        {R"({"uniqueItems":1})", "/uniqueItems: must be a boolean"},
        {R"({"pattern":"("})", "/pattern: malformed pattern: a '(' is not closed"},
        {R"({"$id":1})", "/$id: must be a string"},
        {R"({"$id":"a#b"})", "/$id: must not have a fragment"},
        {R"({"$ref":1})", "/$ref: must be a string"},
        {R"({"$schema":1})", "/$schema: must be a string"},
    };
    for (auto const& [schema, problem] : rows)
        BOOST_TEST(problems(schema) == problem);
}

BOOST_AUTO_TEST_CASE(pattern_that_is_not_regular_is_skipped_with_a_warning)
{
    constexpr auto schema = R"json({"properties":{"a":{"pattern":"^(?!b)"}},"patternProperties":{"(.)\\1":false},
                                "additionalProperties":false})json";
    schema_validator const check(parse(schema));
    BOOST_TEST(check.ok());
    BOOST_TEST(check.problems().size() == 2U);
    for (auto const& problem : check.problems())
        BOOST_TEST((problem.level == linkspan::diagnostic::severity::warning));
    BOOST_TEST(check.accepts(parse(R"({"a":"b","cc":1})")));
    linkspan::schema_options options;
    options.rejects_unsupported_patterns = true;
    BOOST_TEST(!schema_validator(parse(schema), options).ok());
}

BOOST_AUTO_TEST_CASE(references_to_siblings_anchors_and_root_are_resolved)
{
    constexpr auto siblings = R"({"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"}}})";
    BOOST_TEST(accepts(siblings, R"({"b":null})"));
    BOOST_TEST(!accepts(siblings, R"({"b":1})"));
    constexpr auto list = R"({"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false})";
    BOOST_TEST(accepts(list, R"({"next":{"next":{}}})"));
    BOOST_TEST(!accepts(list, R"({"next":{"last":{}}})"));
    constexpr auto named = R"({"$ref":"#n","$defs":{"x":{"$anchor":"n","type":"null"}}})";
    BOOST_TEST(accepts(named, "null"));
    BOOST_TEST(!accepts(named, "1"));
    constexpr auto unknown = R"({"$ref":"#/components/0/schema","components":[{"schema":{"type":"null"}}]})";
    BOOST_TEST(accepts(unknown, "null"));
    BOOST_TEST(!accepts(unknown, "1"));
    constexpr auto based = R"({"$id":"https://example.org/a/b","$ref":"c",
                               "$defs":{"x":{"$id":"c","$ref":"#/$defs/y","$defs":{"y":{"type":"null"}}}}})";
    BOOST_TEST(accepts(based, "null"));
    BOOST_TEST(!accepts(based, "1"));
}

BOOST_AUTO_TEST_CASE(dynamic_reference_resolves_to_the_outermost_anchor)
{
    constexpr auto schema = R"({
        "$id":"https://example.org/strict", "$dynamicAnchor":"node", "$ref":"tree", "unevaluatedProperties":false,
        "$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","properties":{
            "data":true, "children":{"items":{"$dynamicRef":"#node"}}}}}})";
    BOOST_TEST(accepts(schema, R"({"children":[{"data":1}]})"));
    BOOST_TEST(!accepts(schema, R"({"children":[{"daat":1}]})"));
}

BOOST_AUTO_TEST_CASE(unknown_document_is_not_fetched)
{
    constexpr auto schema = R"({"items":{"$ref":"http://localhost:1/x#/a"}})";
    BOOST_TEST(problems(schema) ==
               "/items/$ref: reference to 'http://localhost:1/x#/a' cannot be resolved; documents are never fetched");
    linkspan::schema_options options;
    options.documents["http://localhost:1/x"] = parse(R"({"a":{"type":"null"}})");
    BOOST_TEST(accepts(schema, "[null]", options));
    BOOST_TEST(!accepts(schema, "[1]", options));
    for (auto const* const lost : {"#/nothing", "#nothing", "#/items/0", "#/type"})
        BOOST_TEST(problems(std::string(R"({"type":"array","$ref":")") + lost + "\"}") ==
                   std::string("/$ref: reference to '") + lost + "' cannot be resolved; documents are never fetched");
}

BOOST_AUTO_TEST_CASE(location_reached_only_by_reference_is_reported_from_the_root)
{
    schema_validator const check(parse(R"({"items":{"$id":"x:y","$ref":"#/own~1s/0","own/s":[{"type":"null"}]}})"));
    auto const verdict = check.validate(parse("[1]"));
    BOOST_TEST_REQUIRE(verdict.errors.size() == 1U);
    BOOST_TEST(verdict.errors.front().schema == "/items/own~1s/0/type");
}

BOOST_AUTO_TEST_CASE(keywords_inside_values_are_not_schemas)
{
    BOOST_TEST(problems(R"({"const":{"$id":"x","type":"nonsense"},"enum":[{"$ref":"y"}],"default":{"$ref":"z"}})") ==
               "");
}

BOOST_AUTO_TEST_CASE(schema_nested_deeper_than_the_limit_is_rejected)
{
    auto const nested = [](std::size_t depth) {
        json::value schema = true;
        for (std::size_t i = 0; i != depth; ++i)
            schema = json::object{{"not", std::move(schema)}};
        return schema;
    };
    linkspan::schema_options options;
    options.max_depth = 20;
    BOOST_TEST(schema_validator(nested(20), options).ok());
    schema_validator const check(nested(40), options);
    BOOST_TEST(!check.ok());
    BOOST_TEST(check.problems().front().message == "schemas are nested more deeply than max_depth");
}

BOOST_AUTO_TEST_CASE(number_of_problems_is_limited)
{
    json::array many(1000, json::value(1));
    schema_validator const check(json::object{{"allOf", many}});
    BOOST_TEST(!check.ok());
    BOOST_TEST(check.problems().size() == 100U);
}

BOOST_AUTO_TEST_CASE(total_size_of_patterns_is_limited)
{
    json::object patterns;
    for (int i = 0; i != 100; ++i)
        patterns["a{10000}" + std::to_string(i)] = false;
    schema_validator const check(json::object{{"patternProperties", patterns}});
    BOOST_TEST(check.ok());
    BOOST_TEST(!check.problems().empty());
    BOOST_TEST(check.problems().front().message ==
               "pattern cannot be checked: the patterns of the schema are too large in total");
}

BOOST_AUTO_TEST_CASE(total_size_of_rejected_patterns_is_limited)
{
    json::object patterns;
    for (int i = 0; i != 100; ++i)
        patterns["a{99999}" + std::to_string(i)] = true;
    schema_validator const check(json::object{{"patternProperties", patterns}});
    BOOST_TEST(check.ok());
    BOOST_TEST_REQUIRE(check.problems().size() == 100U);
    BOOST_TEST(check.problems().front().message == "pattern cannot be checked: the pattern is too large");
    BOOST_TEST(check.problems().back().message ==
               "pattern cannot be checked: the patterns of the schema are too large in total");
}

BOOST_AUTO_TEST_CASE(repeated_pattern_that_is_too_large_is_compiled_once)
{
    json::array const same(100, json::value{{"pattern", "a{99999}"}});
    schema_validator const check(json::object{{"allOf", same}});
    BOOST_TEST_REQUIRE(check.problems().size() == 100U);
    for (auto const& problem : check.problems())
        BOOST_TEST(problem.message == "pattern cannot be checked: the pattern is too large");
}

BOOST_AUTO_TEST_SUITE_END()

// Unsupported patterns are not stored: the validation of a hostile value would try each of them for each member.
BOOST_AUTO_TEST_CASE(unsupported_patterns_are_not_kept_in_the_compiled_schema)
{
    json::object lost;
    for (int i = 0; i != 100; ++i)
        lost[std::string("(?=)") + std::to_string(i)] = true;
    json::value const schema = {{"patternProperties", lost}, {"additionalProperties", false}};
    std::vector<linkspan::diagnostic> problems;
    auto const compiled = linkspan::detail::compile_schema(schema, {}, problems);
    BOOST_REQUIRE(compiled);
    BOOST_TEST(problems.size() == 100u);
    BOOST_REQUIRE(compiled->objects.size() == 1u);
    BOOST_TEST(compiled->objects.front().patterns.empty());
    BOOST_TEST(schema_validator(schema).accepts(
        parse(R"({"a":1})"))); // an unsupported pattern may match any property, so that none is additional
    BOOST_TEST(accepts(R"({"unevaluatedProperties":false})", "{}"));
    BOOST_TEST(!accepts(R"({"unevaluatedProperties":false})", R"({"a":1})"));
    auto const* const beside = R"x({"patternProperties":{"(?=)":true},"unevaluatedProperties":false})x";
    BOOST_TEST(schema_validator(parse(beside)).accepts(parse(R"({"a":1})")));
}

// Hostile schemas of a few megabytes, which must not exhaust the memory.
BOOST_AUTO_TEST_SUITE(compiled_size_test)

BOOST_AUTO_TEST_CASE(schema_over_max_compiled_size_is_rejected)
{
    json::value const schema = json::object{{"anyOf", json::array(10'000, json::value(true))}};
    BOOST_TEST(schema_validator(schema).ok());
    linkspan::schema_options options;
    options.max_compiled_size = 100'000;
    schema_validator const check(schema, options);
    BOOST_TEST(!check.ok());
    BOOST_TEST_REQUIRE(check.problems().size() == 1U);
    BOOST_TEST(to_string(check.problems().front()) == "the compiled schema exceeds max_compiled_size, 100000 bytes");
}

BOOST_AUTO_TEST_CASE(names_and_values_count_towards_compiled_size)
{
    linkspan::schema_options options;
    options.max_compiled_size = 100'000;
    json::value const words(json::string(200'000, 'x'));
    json::array const many(3'000, json::value("x"));
    for (auto const& schema :
         {json::object{{"const", words}}, json::object{{"enum", json::array{json::array{words}}}},
          json::object{{"required", json::array{words}}}, json::object{{"required", many}},
          json::object{{"dependentRequired", json::object{{"a", many}}}},
          json::object{{"properties", json::object{{words.get_string(), true}}}}, json::object{{"pattern", words}}})
        BOOST_TEST(!schema_validator(schema, options).ok());
}

BOOST_AUTO_TEST_CASE(error_is_reported_despite_many_warnings)
{
    json::object patterns;
    for (int i = 0; i != 100; ++i)
        patterns["(?=a)" + std::to_string(i)] = true;
    schema_validator const check(json::object{{"patternProperties", patterns}, {"not", json::object{{"not", 1}}}});
    BOOST_TEST(!check.ok());
    BOOST_TEST(check.problems().size() == 100U);
    BOOST_TEST(to_string(check.problems().back()) == "/not/not: a schema must be an object or a boolean");
}

// One reference to each level of the value of "x", which is not a keyword of JSON Schema.
BOOST_AUTO_TEST_CASE(schema_behind_several_references_is_compiled_once)
{
    constexpr int depth = 450;
    json::value inner = json::object{{"anyOf", json::array(20'000, json::value(true))}};
    json::array all;
    std::string pointer = "#/x";
    for (int i = 0; i != depth; ++i) {
        inner = json::object{{"not", std::move(inner)}};
        all.insert(all.begin(), json::object{{"$ref", pointer}});
        pointer += "/not";
    }
    for (auto const& order : {all, json::array(all.rbegin(), all.rend())})
        BOOST_TEST(problems_of(json::object{{"allOf", order}, {"x", inner}}) == "");
}

// References in a value are resolved relative to the resource that contains the value.
BOOST_AUTO_TEST_CASE(schema_reached_through_two_resources_is_resolved_in_both)
{
    constexpr auto schema = R"({"allOf":[{"$ref":"#/x"},{"$ref":"#/x/allOf/0"}],"d":true,
                                "x":{"$id":"https://example.org/x","allOf":[{"$ref":"#/d"}],"d":{"type":"null"}}})";
    BOOST_TEST(accepts(schema, "null"));
    BOOST_TEST(!accepts(schema, "1"));
}

BOOST_AUTO_TEST_CASE(long_base_uri_is_rejected)
{
    auto const id = "https://example.org/" + std::string(100'000, 'x');
    json::value const here = json::object{{"$ref", "#"}};
    json::value const schema = json::object{{"$id", id}, {"allOf", json::array(10'000, here)}};
    BOOST_TEST(problems_of(schema) == "/$id: must not be longer than 8000 bytes");
    json::value const around =
        json::object{{"$id", id.substr(0, 7'900)}, {"not", json::object{{"$id", '?' + id.substr(20, 300)}}}};
    BOOST_TEST(problems_of(around) == "/not/$id: must not be longer than 8000 bytes");
}

BOOST_AUTO_TEST_CASE(references_do_not_copy_their_base_uri)
{
    auto const id = "https://example.org/" + std::string(7'000, 'x');
    auto const with = [&](char const* reference) {
        json::value const one = json::object{{"$ref", reference}};
        return schema_validator(
            json::object{{"$id", id}, {"allOf", json::array(10'000, one)}, {"$defs", {{"d", {{"$anchor", "here"}}}}}});
    };
    BOOST_TEST(with("#").ok());
    BOOST_TEST(with("#here").ok());
    auto const check = with("?a#here"); // a separate resolved URI is stored for each reference
    BOOST_TEST_REQUIRE(!check.ok());
    BOOST_TEST(check.problems().front().message == "the compiled schema exceeds max_compiled_size, 67108864 bytes");
}

BOOST_AUTO_TEST_CASE(dynamic_references_share_their_candidates)
{
    constexpr int many = 14'000;
    json::array all(many, json::value{{"$dynamicRef", "#n"}});
    json::object resources;
    for (int i = 0; i != many; ++i)
        resources[std::to_string(i)] = {{"$id", "r" + std::to_string(i)}, {"$dynamicAnchor", "n"}, {"type", "string"}};
    resources["7"] = {
        {"$id", "r7"}, {"$dynamicAnchor", "n"}, {"$dynamicRef", "#n"}, {"$defs", {{"all", {{"allOf", all}}}}}};
    resources["8"] = {{"$id", "r8"}, {"$dynamicAnchor", "n"}, {"type", "null"}, {"$defs", {{"in", {{"$ref", "r7"}}}}}};
    schema_validator const check(
        json::object{{"$id", "https://example.org/"}, {"$ref", "r8#/$defs/in"}, {"$defs", resources}});
    BOOST_TEST_REQUIRE(check.ok());
    BOOST_TEST(check.accepts(nullptr));
    BOOST_TEST(!check.accepts("r9999"));
}

BOOST_AUTO_TEST_SUITE_END()
