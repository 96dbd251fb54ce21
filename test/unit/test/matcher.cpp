#include <linkspan/test/script/matcher.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace matcher_test {

using linkspan::diagnostic;
using linkspan::test::matcher;
namespace data = boost::unit_test::data;

namespace {

matcher read(std::string_view definition)
{
    std::vector<diagnostic> problems;
    auto const out = matcher::read(boost::json::parse(definition), "", problems);
    for (auto const& one : problems)
        BOOST_ERROR(to_string(one));
    return out;
}

// `value`: JSON text; empty: absent.
bool matches(std::string_view definition, std::string_view value)
{
    if (value.empty())
        return read(definition).matches(nullptr);
    auto const parsed = boost::json::parse(value);
    return read(definition).matches(&parsed);
}

// The first value matches, the second does not.
struct row {
    char const *definition, *matching, *other;

    friend std::ostream& operator<<(std::ostream& out, row const& one) { return out << one.definition; }
};

constexpr row rows[] = {
    {R"("Paris")", R"("Paris")", R"("paris")"},
    {"1", "1.0", "1.5"},
    {"null", "null", "0"},
    {R"({"eq":{"a":1}})", R"({"a":1.0})", R"({"a":1,"b":2})"},
    {R"({"ne":1})", "2", "1.0"},
    {R"({"ne":1})", "null", ""},
    {R"({"in":["a",2]})", "2", R"("2")"},
    {R"({"lt":2})", "1.9", "2"},
    {R"({"le":2})", "2", "2.1"},
    {R"({"gt":2})", "2.1", "2"},
    {R"({"ge":2})", "2", "1.9"},
    {R"({"ge":1,"lt":3})", "2", "3"},
    {R"({"ge":1})", "1", R"("1")"},
    {R"({"between":[1,3]})", "3", "3.5"},
    {R"({"approx":{"value":10,"abs":0.5}})", "10.5", "10.6"},
    {R"({"approx":{"value":-10,"rel":0.1}})", "-11", "-11.5"},
    {R"({"re":"^a.c$"})", R"("abc")", R"("abcd")"},
    {R"({"prefix":"a.b"})", R"("a.bc")", R"("axbc")"},
    {R"j({"suffix":"(1)"})j", R"j("x(1)")j", R"j("x(1) ")j"},
    {R"({"contains":"+"})", R"("1+1")", R"("11")"},
    {R"({"contains":"[/]"})", R"("a[/]b")", R"("a/b")"},
    {R"({"len":2})", R"("\u00e4b")", R"("a")"},
    {R"({"len":[1,2]})", "[1,2]", "[]"},
    {R"({"len":1})", R"({"a":1})", "1"},
    {R"({"type":"integer"})", "3.0", "3.5"},
    {R"({"type":["null","string"]})", "null", "1"},
    {R"({"schema":{"$defs":{"n":{"minimum":3}},"$ref":"#/$defs/n"}})", "3", "2"},
    {R"({"all":[{"schema":{"$defs":{"n":{"minimum":3}},"$ref":"#/$defs/n"}},{"lt":9}]})", "3", "2"},
    {R"({"schema":{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"n":{"minimum":3}},)"
     R"("$ref":"#/definitions/n","maximum":0}})",
     "3", "2"},
    {R"({"like":{"a":{"b":1}}})", R"({"a":{"b":1,"c":2},"d":3})", R"({"a":{"c":2}})"},
    {R"({"like":[1]})", "[1]", "[1,2]"},
    {R"({"each":{"ge":1}})", "[1,2]", "[1,0]"},
    {R"({"each":{"ge":1}})", "[]", R"({})"},
    {R"({"any":{"eq":3}})", "[1,3]", "[1,2]"},
    {R"({"unordered":[1,2,2]})", "[2,1,2.0]", "[1,1,2]"},
    {R"({"unordered":[]})", "[]", "[1]"},
    {R"({"all":[{"ge":1},{"le":2}]})", "2", "3"},
    {R"({"oneOf":[1,{"ge":5}]})", "7", "3"},
    {R"({"oneOf":[{"ge":1},{"ge":5}]})", "7", "0"},
    {R"({"not":{"re":"^x"}})", R"("y")", R"("xy")"},
    {R"({"not":{"absent":true}})", "1", ""},
    {R"({"present":true})", "null", ""},
    {R"({"absent":false})", "null", ""},
    {R"({"absent":true})", "", "null"},
    {R"({"present":false})", "", "1"},
    {R"({"oneOf":[{"absent":true},"a"]})", "", R"("b")"},
    {R"({"not":"a"})", "", R"("a")"},
    {R"({"not":{"not":5}})", "5", ""},
};

} // namespace

BOOST_AUTO_TEST_SUITE(matcher_test)

BOOST_DATA_TEST_CASE(matcher_accepts_one_value_and_not_the_other, data::make(rows), one)
{
    BOOST_TEST(matches(one.definition, one.matching));
    BOOST_TEST(!matches(one.definition, one.other));
}

BOOST_AUTO_TEST_CASE(only_absence_and_its_combinations_match_an_absent_value)
{
    for (std::string_view const definition :
         {"1", R"({"ne":1})", R"({"type":"null"})", R"({"each":1})", R"({"len":[0,9]})", R"({"schema":true})",
          R"({"all":[{"absent":true},1]})", R"({"absent":true,"eq":1})"})
        BOOST_TEST(!matches(definition, ""), definition);
}

BOOST_AUTO_TEST_CASE(each_wrong_part_is_a_problem_with_its_location)
{
    std::vector<diagnostic> problems;
    auto const broken = matcher::read(boost::json::parse(R"({
        "eqq":1, "re":"(", "prefix":1, "between":[1], "approx":{"value":1}, "len":-1, "type":"text",
        "schema":{"type":"text"}, "in":1, "lt":"1", "unordered":{}, "all":[], "not":{"gee":1}, "absent":1,
        "each":{}, "oneOf":[1,{"x/y":1}]})"),
                                      "/where/~1a", problems);
    std::vector<std::string> const expected{
        R"(/where/~1a/eqq: expected the name of a matcher (similar: 'eq'), found "eqq")",
        R"(/where/~1a/re: expected a regular expression of ECMA-262 without look-around and back-references, found "(")",
        "/where/~1a/prefix: expected a string, found 1",
        "/where/~1a/between: expected [lowest, highest], two numbers, found [1]",
        R"(/where/~1a/approx: expected {"value": number, "abs": number} or {"value": number, "rel": number}, found )"
        R"({"value":1})",
        "/where/~1a/len: expected a number that is not negative, or [least, most], found -1",
        "/where/~1a/type: expected a type of JSON Schema (null, boolean, integer, number, string, array, object), or "
        "an array of them, found \"text\"",
        "/where/~1a/schema/type: expected a valid JSON Schema (must be the name of a type or a non-empty array of such "
        "names), found \"text\"",
        "/where/~1a/in: expected an array of values, found 1",
        R"(/where/~1a/lt: expected a number, found "1")",
        "/where/~1a/unordered: expected an array of values, found {}",
        "/where/~1a/all: expected an array of matchers that is not empty, found []",
        R"(/where/~1a/not/gee: expected the name of a matcher (similar: 'ge'), found "gee")",
        "/where/~1a/absent: expected true or false, found 1",
        R"(/where/~1a/each: expected a matcher in the object; {"eq":{}} matches an empty object, found {})",
        R"(/where/~1a/oneOf/1/x~1y: expected the name of a matcher, found "x/y")",
    };
    BOOST_TEST_REQUIRE(problems.size() == expected.size());
    for (std::size_t i = 0; i != expected.size(); ++i)
        BOOST_TEST(to_string(problems[i]) == expected[i]);
    BOOST_TEST(!broken.matches(nullptr));
}

BOOST_AUTO_TEST_CASE(matcher_that_cannot_be_compiled_is_a_problem)
{
    // The schema is valid, but too deep within 60 matchers.
    boost::json::value definition = true;
    for (int i = 0; i != 450; ++i)
        definition = boost::json::object{{"not", definition}};
    definition = boost::json::object{{"schema", definition}};
    std::vector<diagnostic> problems;
    matcher::read(definition, "/at", problems);
    BOOST_TEST(problems.empty());
    for (int i = 0; i != 60; ++i)
        definition = boost::json::object{{"not", definition}};
    auto const deep = matcher::read(definition, "/at", problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(to_string(problems[0]).starts_with("/at: expected a matcher that can be compiled (schemas are nested "),
               to_string(problems[0]));
    BOOST_TEST(!deep.matches(nullptr));
}

BOOST_AUTO_TEST_CASE(warning_of_a_schema_is_no_problem)
{
    BOOST_TEST(matches(R"j({"schema":{"type":"string","pattern":"(?=a)"}})j", R"("b")")); // not supported
    BOOST_TEST(!matches(R"j({"schema":{"type":"string","pattern":"(?=a)"}})j", "1"));
}

BOOST_AUTO_TEST_CASE(ranges_without_a_value_are_problems)
{
    struct pair {
        std::string_view definition, problem;
    };
    for (auto const& [definition, problem] :
         {pair{R"({"between":[3,1]})", "/between: expected [lowest, highest], the lower number first, found [3,1]"},
          pair{R"({"len":[3,1]})", "/len: expected [least, most], the lower number first, found [3,1]"},
          pair{R"({"approx":{"value":1,"abs":-1}})",
               R"(/approx: expected a tolerance that is not negative, found {"value":1,"abs":-1})"},
          pair{R"({"approx":{"value":1,"rel":-0.1}})",
               R"(/approx: expected a tolerance that is not negative, found {"value":1,"rel":-0.1})"},
          pair{R"({"schema":5})",
               "/schema: expected a valid JSON Schema (a schema must be an object or a boolean), found 5"}}) {
        std::vector<diagnostic> problems;
        matcher::read(boost::json::parse(definition), "", problems);
        BOOST_TEST_REQUIRE(problems.size() == 1u, definition);
        BOOST_TEST(to_string(problems[0]) == problem);
    }
    std::string deep = "1", shallow = "1", many = "1", text(1000000, 'a');
    for (int i = 0; i != 65; ++i)
        deep = R"({"not":)" + deep + "}";
    for (int i = 0; i != 64; ++i)
        shallow = R"({"not":)" + shallow + "}";
    for (int i = 0; i != 256; ++i)
        many += ",1";
    for (auto const& [definition, problem] :
         {std::pair(R"({"unordered":[)" + many + "]}",
                    std::string("/unordered: expected at most 256 values, found 257")),
          std::pair(deep, std::string(R"(: expected at most 64 nested matchers, found {"not":1})")),
          std::pair(R"({"prefix":")" + text + R"("})",
                    "/prefix: expected a shorter text, found \"" + std::string(127, 'a') + "...")}) {
        std::vector<diagnostic> problems;
        boost::json::parse_options deeper;
        deeper.max_depth = 100;
        matcher::read(boost::json::parse(definition, {}, deeper), "", problems);
        BOOST_TEST_REQUIRE(problems.size() == 1u, problem);
        BOOST_TEST(to_string(problems[0]).ends_with(problem), to_string(problems[0]));
    }
    std::vector<diagnostic> none;
    boost::json::parse_options deeper;
    deeper.max_depth = 100;
    matcher::read(boost::json::parse(shallow, {}, deeper), "", none);
    BOOST_TEST(none.empty());
    for (std::string_view const one : {R"({"between":[1,1]})", R"({"len":[2,2]})", R"({"approx":{"value":1,"abs":0}})"})
        read(one);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace matcher_test
