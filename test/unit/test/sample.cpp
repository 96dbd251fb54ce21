#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/sample/sample_text.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <malloc.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(sample_test)

namespace json = boost::json;
using linkspan::test::sampler;

namespace {

std::vector<json::value> take(sampler& from, std::size_t count)
{
    std::vector<json::value> out;
    while (out.size() != count) {
        auto value = from.next();
        if (!value) {
            BOOST_ERROR(from.reason());
            break;
        }
        BOOST_TEST(from.reason() == "");
        out.push_back(std::move(*value));
    }
    return out;
}

std::vector<json::value> take(std::string_view schema, std::size_t count, std::uint64_t seed = 1)
{
    sampler from(json::parse(schema), seed);
    return take(from, count);
}

std::set<std::string> texts_of(std::vector<json::value> const& values)
{
    std::set<std::string> out;
    for (auto const& value : values)
        out.insert(serialize(value));
    return out;
}

bool any(std::vector<json::value> const& values, std::function<bool(json::value const&)> const& is)
{
    return std::ranges::any_of(values, is);
}

constexpr auto forecast = R"({
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "units": {"enum": ["metric", "imperial", null]},
        "area": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": 3}]}
    },
    "required": ["city"]
})";

std::string reason_of(std::string_view schema)
{
    sampler from(json::parse(schema), 1);
    BOOST_TEST(!from.next());
    return from.reason();
}

} // namespace

BOOST_AUTO_TEST_CASE(equal_seeds_yield_equal_values)
{
    BOOST_TEST((take(forecast, 50, 7) == take(forecast, 50, 7)));
    BOOST_TEST((take(forecast, 50, 7) != take(forecast, 50, 8)));
}

BOOST_AUTO_TEST_CASE(moved_sampler_continues_its_sequence)
{
    auto const all = take(forecast, 10);
    sampler first(json::parse(forecast), 1);
    auto some = take(first, 5);
    sampler second(std::move(first));
    for (auto& value : take(second, 5))
        some.push_back(std::move(value));
    BOOST_TEST((some == all));
}

BOOST_AUTO_TEST_CASE(first_value_is_the_smallest)
{
    BOOST_TEST((take(R"({"type": "object", "properties": {"a": true, "b": {"type": "integer", "minimum": -5}},
                         "required": ["b"]})",
                     1)[0] == json::parse(R"({"b":0})")));
    BOOST_TEST((take(R"({"anyOf": [{"type": "object", "required": ["a"]}, {"type": "array"}, {"type": "string"}]})",
                     1)[0] == json::parse("[]")));
    BOOST_TEST((take(R"({"enum": ["long", "s", "longer"]})", 1)[0] == "s"));
}

BOOST_AUTO_TEST_CASE(optional_members_are_present_in_some_values_and_absent_in_others)
{
    auto const some = take(forecast, 40);
    for (auto const* const name : {"days", "units", "area"}) {
        BOOST_TEST(any(some, [&](json::value const& v) { return v.get_object().contains(name); }), name);
        BOOST_TEST(any(some, [&](json::value const& v) { return !v.get_object().contains(name); }), name);
    }
}

BOOST_AUTO_TEST_CASE(additional_members_appear_only_in_open_objects)
{
    auto const is_extra = [](json::value const& v) { return v.get_object().size() > v.get_object().count("a"); };
    BOOST_TEST(any(take(R"({"type": "object", "properties": {"a": true}})", 60), is_extra));
    for (auto const* const closed :
         {R"({"type": "object", "properties": {"a": true}, "additionalProperties": false})",
          R"({"type": "object", "properties": {"a": true}, "unevaluatedProperties": false})"})
        BOOST_TEST(!any(take(closed, 60), is_extra));
}

BOOST_AUTO_TEST_CASE(each_branch_of_a_union_is_sampled)
{
    for (std::string const keyword : {"anyOf", "oneOf"}) {
        auto const some = take(R"({")" + keyword + R"(": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": "string"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "c"}}, "required": ["kind"]},
            {"type": "null"}, {"type": "array", "items": {"type": "boolean"}}]})",
                               15);
        for (auto const* const kind : {"a", "b", "c"})
            BOOST_TEST(any(some, [&](json::value const& v) { return v.is_object() && v.at("kind") == kind; }), kind);
        BOOST_TEST(any(some, [](json::value const& v) { return v.is_null(); }));
        BOOST_TEST(any(some, [](json::value const& v) { return v.is_array(); }));
    }
}

BOOST_AUTO_TEST_CASE(each_value_of_an_enumeration_is_sampled)
{
    BOOST_TEST(texts_of(take(R"({"enum": [1, "a", null, true, [], {}, 2.5]})", 20)).size() == 7U);
    BOOST_TEST(texts_of(take(R"({"type": "string", "enum": [1, "a", null, "b"]})", 20)).size() == 2U);
    BOOST_TEST((texts_of(take(R"({"allOf": [{"enum": [1, 2, 3]}, {"enum": [3, 4, 2]}]})", 20)) ==
                std::set<std::string>{"2", "3"}));
}

BOOST_AUTO_TEST_CASE(each_type_of_a_type_list_is_sampled)
{
    auto const some = take(R"({"type": ["string", "null", "integer", "boolean"]})", 16);
    std::set<json::kind> kinds;
    for (auto const& value : some)
        kinds.insert(value.is_double() ? json::kind::int64 : value.kind());
    BOOST_TEST(kinds.size() == 4U);
}

BOOST_AUTO_TEST_CASE(numbers_are_sampled_at_and_next_to_their_bounds)
{
    auto const texts = texts_of(take(R"({"type": "integer", "minimum": -3, "exclusiveMaximum": 4000})", 100));
    for (auto const* const number : {"-3", "-2", "3999", "0"})
        BOOST_TEST(texts.contains(number), number);
    BOOST_TEST(!texts.contains("4000"));
    auto const fractions = take(R"({"type": "number", "exclusiveMinimum": 0.25, "maximum": 0.5})", 60);
    BOOST_TEST(any(fractions, [](json::value const& v) { return v == 0.5; }));
    BOOST_TEST(any(fractions, [](json::value const& v) { return v.get_double() < 0.2500001; }));
    BOOST_TEST(any(fractions, [](json::value const& v) { return v.get_double() > 0.3 && v.get_double() < 0.45; }));
}

BOOST_AUTO_TEST_CASE(integers_are_sampled_at_the_limits_of_53_and_64_bits)
{
    auto const some = take(R"({"type": "integer"})", 200);
    using limits = std::numeric_limits<std::int64_t>;
    for (auto const number : {limits::min(), limits::max(), (std::int64_t{1} << 53) - 1, std::int64_t{0}})
        BOOST_TEST(any(some, [&](json::value const& v) { return v == number; }), number);
    BOOST_TEST(any(some, [](json::value const& v) { return v.is_double(); })); // 3.0 is an integer too
    auto const large = take(R"({"type": "integer", "minimum": 9223372036854775808})", 5);
    BOOST_TEST((large[0] == std::uint64_t{9223372036854775808U}));
}

BOOST_AUTO_TEST_CASE(multiples_are_sampled)
{
    BOOST_TEST(
        (texts_of(take(R"({"type": "number", "multipleOf": 7, "minimum": 100, "maximum": 110})", 10)).contains("105")));
    BOOST_TEST(texts_of(take(R"({"multipleOf": 0.01, "type": "number", "minimum": 1, "maximum": 2})", 40)).size() > 3U);
}

BOOST_AUTO_TEST_CASE(strings_are_sampled_with_escapes_unicode_and_boundary_lengths)
{
    std::string all;
    std::set<std::size_t> sizes;
    for (auto const& value : take(R"({"type": "string", "minLength": 2, "maxLength": 9})", 200)) {
        std::string_view const text = value.get_string();
        all += text;
        sizes.insert(linkspan::test::count_characters(text));
    }
    for (std::string const part : {"\"", "\\", "\n", "\xc3\xa9", "\xf0\x9f\x98\x80"})
        BOOST_TEST(all.find(part) != all.npos);
    BOOST_TEST(all.find('\0') != all.npos);
    BOOST_TEST(*sizes.begin() == 2U);
    BOOST_TEST(*sizes.rbegin() == 9U);
    BOOST_TEST(sizes.contains(3));
    BOOST_TEST(sizes.contains(8));
}

BOOST_AUTO_TEST_CASE(arrays_are_sampled_from_empty_to_maximum_size)
{
    auto const some = take(R"({"type": "array", "maxItems": 7, "items": {"type": "boolean"}})", 60);
    for (std::size_t const size : {0U, 1U, 3U, 7U})
        BOOST_TEST(any(some, [&](json::value const& v) { return v.get_array().size() == size; }), size);
}

BOOST_AUTO_TEST_CASE(values_match_their_format)
{
    std::vector<std::pair<std::string, std::string>> const formats{
        {"date-time", "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\\\.[0-9]+)?(Z|[+-].....)$"},
        {"date", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])$"},
        {"time", "^[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\\\.[0-9]+)?(Z|[+-].....)$"},
        {"uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"},
        {"uri", "^https://[a-z0-9.]+(:[0-9]+)?/[^ ]*$"},
        {"email", "^[a-z0-9+]+@[a-z0-9.]+$"},
        {"hostname", "^[a-z0-9.]+$"},
        {"ipv4", "^([0-9]{1,3}\\\\.){3}[0-9]{1,3}$"},
        {"ipv6", "^[0-9a-f:]+$"},
    };
    for (auto const& [format, pattern] : formats) {
        auto const some = take(R"({"type": "string", "format": ")" + format + R"("})", 40);
        linkspan::schema_validator const check(json::parse(R"({"pattern": ")" + pattern + R"("})"));
        BOOST_REQUIRE(check.ok());
        for (auto const& value : some)
            BOOST_TEST(check.accepts(value), value);
        BOOST_TEST(texts_of(some).size() > 5U);
    }
    auto const small = take(R"({"type": "integer", "format": "int32"})", 60);
    BOOST_TEST(any(small, [](json::value const& v) { return v == 2147483647; }));
    BOOST_TEST(!any(small, [](json::value const& v) { return v.is_int64() && v.get_int64() > 2147483647; }));
}

BOOST_AUTO_TEST_CASE(strings_match_their_pattern_and_vary)
{
    for (std::string const pattern :
         {R"(^[A-Z]{2}-\\d{3,5}(foo|bar)?$)", R"(^(a|b)*$)", R"(\\.md$)", R"(^#(?:[0-9a-f]{3}){1,2}$)",
          R"(^[^/\\s]+/[^/\\s]+$)", R"(^\\p{L}+$)", R"(^(asc|desc|none)$)", R"(^\\w+\\b.x$)", R"([.-]?x{3})"})
        BOOST_TEST_CONTEXT(pattern) {
            BOOST_TEST(texts_of(take(R"({"type": "string", "pattern": ")" + pattern + R"("})", 30)).size() > 2U);
        }
    auto const alternatives = texts_of(take(R"({"type": "string", "pattern": "^(asc|descending|x)$"})", 30));
    BOOST_TEST(alternatives.size() == 3U);
    for (auto const& value :
         take(R"({"type": "string", "pattern": "^[a-z ]*$", "minLength": 40, "maxLength": 41})", 20))
        BOOST_TEST(value.get_string().size() >= 40U);
    take(R"({"allOf": [{"pattern": "^a"}, {"pattern": "z$"}], "type": "string", "minLength": 3})", 5);
}

// The schemas contain each keyword, and combinations of keywords. The test does not validate the values, because the
// sampler validates each value before it returns the value.
BOOST_AUTO_TEST_CASE(all_keywords_are_supported)
{
    for (
        auto const* const schema : {
            R"(true)",
            R"({})",
            R"({"const": {"a": [1, null]}})",
            R"({"type": "array", "uniqueItems": true, "items": {"enum": [1, 2, 3]}, "minItems": 3})",
            R"({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false})",
            R"({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}, "minItems": 3})",
            R"({"type": "array", "prefixItems": [true], "unevaluatedItems": false, "maxItems": 4})",
            R"({"type": "array", "contains": {"const": 5}, "minContains": 2, "maxContains": 3,
                 "items": {"type": "integer"}})",
            R"({"type": "object", "minProperties": 3, "maxProperties": 5, "propertyNames": {"pattern": "^[a-z]+$"}})",
            R"({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false,
                 "minProperties": 1})",
            R"({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}})",
            R"({"type": "object", "properties": {"a": true, "b": true, "c": true}, "minProperties": 2,
                 "maxProperties": 2, "additionalProperties": false})",
            R"({"type": "object", "properties": {"a": true, "b": true, "c": true}, "dependentRequired": {"a": ["b"]},
                 "dependentSchemas": {"b": {"required": ["c"]}}, "additionalProperties": false})",
            R"({"type": "object", "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
                 "then": {"required": ["b"]}, "else": {"required": ["c"]}})",
            R"({"type": "object", "properties": {"a": true, "b": true}, "not": {"required": ["a"]}})",
            R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
                 "anyOf": [{"properties": {"a": {"minLength": 3}}}, {"required": ["b"]}]})",
            R"({"allOf": [{"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}, "required": ["a"]},
                           {"properties": {"a": {"maximum": 4}, "b": {"type": "null"}}, "required": ["b"]}],
                 "unevaluatedProperties": false})",
            R"({"type": "integer", "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]})",
            R"({"type": "string", "format": "uri", "maxLength": 4})",
            R"({"type": "string", "pattern": "(?=a)b"})",
        })
        BOOST_TEST_CONTEXT(schema) {
            BOOST_TEST(take(schema, 30).size() == 30U);
        }
}

BOOST_AUTO_TEST_CASE(references_are_resolved)
{
    for (
        auto const* const schema : {
            R"({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"const": 7}}})",
            R"({"type": "object", "properties": {"a": {"const": 7}, "b": {"$ref": "#/properties/a"}}, "required": ["b"]})",
            R"({"$ref": "#seven", "$defs": {"a": {"$anchor": "seven", "const": 7}}})",
            R"({"$dynamicRef": "#seven", "$defs": {"a": {"$dynamicAnchor": "seven", "const": 7}}})",
            R"({"$id": "https://a.example/root", "$ref": "item", "$defs": {"a": {"$id": "item", "$ref": "#seven",
                 "$defs": {"b": {"$anchor": "seven", "const": 7}}}}})",
            R"({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#seven", "type": "string",
                 "definitions": {"a": {"$id": "#seven", "const": 7}}})",
        })
        BOOST_TEST_CONTEXT(schema) {
            for (auto const& value : take(schema, 5))
                BOOST_TEST((value.is_object() ? value.at("b") : value) == 7);
        }
    linkspan::schema_options options;
    options.documents["https://b.example/seven"] = json::parse(R"({"const": 7})");
    sampler other(json::parse(R"({"$ref": "https://b.example/seven"})"), 1, options);
    BOOST_TEST((take(other, 3) == std::vector<json::value>(3, 7)));
}

BOOST_AUTO_TEST_CASE(draft_7_array_keywords_are_supported)
{
    auto const some = take(R"({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array",
                               "items": [{"type": "integer"}, {"type": "boolean"}], "additionalItems": false,
                               "minItems": 1, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}})",
                           20);
    BOOST_TEST(any(some, [](json::value const& v) { return v.get_array().size() == 1; }));
    BOOST_TEST(any(some, [](json::value const& v) { return v.get_array().size() == 2 && v.at(1).is_bool(); }));
}

BOOST_AUTO_TEST_CASE(recursive_schema_yields_finite_values)
{
    auto const depth = [](auto const& self, json::value const& v) -> std::size_t {
        return v.is_object() ? 1 + self(self, v.at("next")) : 0;
    };
    std::set<std::size_t> depths;
    for (auto const& value : take(R"({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {
            "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}, "required": ["next"]}}})",
                                  40))
        depths.insert(depth(depth, value));
    BOOST_TEST(depths.contains(1));
    BOOST_TEST(depths.size() > 3U);
    BOOST_TEST(*depths.rbegin() < 12U);
}

BOOST_AUTO_TEST_CASE(unsatisfiable_schema_yields_a_reason)
{
    std::vector<std::pair<std::string_view, std::string_view>> const unsatisfiable{
        {"false", "permits no value"},
        {R"({"not": {}})", "(/not)"},
        {R"({"type": "integer", "minimum": 5, "maximum": 4})", "no number"},
        {R"({"type": "string", "minLength": 5, "maxLength": 4})", "'minLength' is greater"},
        {R"({"type": "string", "pattern": "^a$", "minLength": 2})", "no text"},
        {R"({"type": "array", "minItems": 2, "maxItems": 1})", "more items"},
        {R"({"type": "array", "uniqueItems": true, "items": {"enum": [1, 2]}, "minItems": 3})", "no further item"},
        {R"({"type": "object", "minProperties": 1, "additionalProperties": false})", "fewer members"},
        {R"({"type": "object", "required": ["a"], "properties": {"a": {"properties": {"b": false}, "required": ["b"],
             "type": "object"}}})",
         "/a/b: the schema 'false'"},
        {R"({"allOf": [{"type": "string"}, {"type": "integer"}]})", "no type"},
        {R"({"allOf": [{"const": 1}, {"const": 2}]})", "no value satisfies"},
        {R"({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]})", "deeper than 64"},
        {R"({"type": "array", "minItems": 1, "items": {"$ref": "#"}})", "deeper than 64"},
        {R"({"$ref": "#"})", "max_steps or max_depth"},
        {R"({"type": "array", "minItems": 1000000000})", "more than 10000 items"},
        {R"({"type": "array", "minItems": 3000, "items": {"type": "array", "minItems": 3000}})", "limit of steps"},
        {R"({"type": "array", "contains": {"const": 1}, "minContains": 1e12})", "more than 10000"},
        {R"({"type": "object", "minProperties": 1000000000})", "more than 10000 members"},
        {R"({"type": "string", "minLength": 1000000000})", "more than 1000000 characters"},
        {R"({"type": "string", "pattern": "(((a*)*)*)*b{9000}$"})", ""},
        {R"({"$ref": "#/nowhere"})", "the schema is invalid"},
        {R"({"$schema": "https://unknown.example/dialect"})", "https://unknown.example/dialect"},
    };
    for (auto const& [schema, part] : unsatisfiable)
        BOOST_TEST_CONTEXT(schema) {
            auto const reason = reason_of(schema);
            BOOST_TEST(!reason.empty());
            BOOST_TEST(reason.find(part) != reason.npos, reason);
        }
}

BOOST_AUTO_TEST_CASE(limits_of_trials_and_values_are_enforced)
{
    linkspan::test::sample_limits limits;
    limits.max_trials = 3;
    sampler from(json::parse(R"({"not": {}})"), 1, {}, limits);
    BOOST_TEST(!from.next());
    BOOST_TEST(from.reason().find("in 3 trials") != std::string::npos, from.reason());
    limits.max_values = 5;
    sampler many(json::parse(R"({"type": "array", "minItems": 6})"), 1, {}, limits);
    BOOST_TEST(!many.next());
    BOOST_TEST(many.reason().find("more than 5 items") != std::string::npos, many.reason());
}

// An ignored keyword does not affect the generated values, even if the value of the keyword is invalid.
BOOST_AUTO_TEST_CASE(keywords_of_another_draft_are_ignored)
{
    for (std::string const part : {
             R"("type": "array", "minItems": 1, "prefixItems": [{"type": "integer", "multipleOf": 0}])",
             R"("type": "array", "minItems": 1, "unevaluatedItems": {"type": "integer", "multipleOf": 0})",
             R"("type": "array", "contains": {"const": 1}, "minContains": 1e9)",
             R"("type": "object", "minProperties": 1, "unevaluatedProperties": {"type": "integer", "multipleOf": 0})",
             R"("type": "object", "required": ["a"], "dependentSchemas": {"a": {"properties": {"a": {"type": "integer",
                 "multipleOf": 0}}}})",
             R"("type": "object", "required": ["a"], "dependentRequired": {"a": ["b", "b", "c"]}, "maxProperties": 1)",
             R"("type": "array", "items": {"const": 1}, "$dynamicRef": "#nowhere")",
         })
        BOOST_TEST_CONTEXT(part)
            BOOST_TEST(take(R"({"$schema": "http://json-schema.org/draft-07/schema#", )" + part + "}", 20).size() ==
                       20U);
}

// A `multipleOf` that is not positive is invalid. The sampler and the validator ignore such a keyword.
BOOST_AUTO_TEST_CASE(non_positive_multiple_of_is_ignored)
{
    linkspan::schema_options options;
    options.documents["https://a.example/meta"] = json::parse(
        R"({"$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true}, "$id": "https://a.example/meta"})");
    for (auto const* const number : {"0", "-3", "0.0"}) {
        sampler from(json::parse(R"({"$schema": "https://a.example/meta", "type": "integer", "multipleOf": )" +
                                 std::string(number) + "}"),
                     1, options);
        BOOST_TEST(take(from, 20).size() == 20U);
    }
}

constexpr std::size_t little_memory = std::size_t{64} << 20;

// Returns the allocated memory in bytes. With a sanitizer, the value is not meaningful.
std::size_t memory_in_use()
{
    auto const used = ::mallinfo2();
    return used.uordblks + used.hblkhd;
}

BOOST_AUTO_TEST_CASE(patterns_use_bounded_memory)
{
    json::object patterns;
    for (std::size_t i = 0; i != 1000; ++i)
        patterns.emplace("^a{16000}" + std::to_string(i), true);
    sampler from(json::value{{"type", "object"}, {"minProperties", 1}, {"patternProperties", patterns}}, 1);
    auto const before = memory_in_use();
    from.next();
    BOOST_TEST(memory_in_use() - before < little_memory);
}

// Returns the peak memory of the process in bytes.
std::size_t peak_memory()
{
    ::rusage used{};
    BOOST_TEST_REQUIRE(::getrusage(RUSAGE_SELF, &used) == 0);
    return static_cast<std::size_t>(used.ru_maxrss) * 1024;
}

BOOST_AUTO_TEST_CASE(contained_items_use_bounded_memory)
{
    linkspan::test::sample_limits limits;
    limits.max_trials = 1; // a sanitizer would keep the memory that earlier trials have freed
    json::array parts;
    for (std::size_t i = 0; i != 2000; ++i)
        parts.emplace_back(json::parse(R"({"contains": true, "minContains": 10000})"));
    sampler from(json::value{{"type", "array"}, {"allOf", parts}}, 1, {}, limits);
    auto const before = peak_memory();
    BOOST_TEST(!from.next());
    BOOST_TEST(peak_memory() - before < little_memory);
    BOOST_TEST(from.reason().find("more than 10000 items") != std::string::npos, from.reason());
}

// Schemas come from untrusted servers, so the size of a schema must bound the time of the sampler.
BOOST_AUTO_TEST_CASE(schema_with_many_members_is_sampled)
{
    json::object properties;
    json::array required;
    for (std::size_t i = 0; i != 3000; ++i) {
        properties.emplace("member" + std::to_string(i), json::object{{"type", "integer"}});
        required.emplace_back("member" + std::to_string(i));
    }
    json::value const schema = {{"type", "object"}, {"properties", properties}, {"required", required}};
    sampler from(schema, 1);
    BOOST_TEST(take(from, 3).size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
