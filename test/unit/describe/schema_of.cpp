// clang-format off: the first header has names that must not hide those of <linkspan/describe/enum.hpp>
#include <linkspan/schema/detail/keywords.hpp>
// clang-format on

#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "support/shapes.hpp"

namespace json = boost::json;
using linkspan::schema_dialect;
using linkspan::schema_text;
using linkspan::schema_validator;

namespace app_schema_of {

enum class unit { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(unit, celsius, fahrenheit)

struct date {
    int year = 0, month = 0, day = 0;
};

} // namespace app_schema_of

template<>
struct linkspan::json_as<app_schema_of::date> {
    using type = std::string;
    static std::string to(app_schema_of::date const& value) { return std::to_string(value.year); }
    static bool from(std::string const&, app_schema_of::date&) { return true; }
    static constexpr std::string_view expected = "a date";
};

namespace app_schema_of {

// All kinds of types

struct scalars {
    bool flag = false;
    std::int64_t integer = 0;
    std::uint32_t natural = 0;
    double number = 0;
    float single = 0;
    std::string text;
    unit in = unit::celsius;
    linkspan::null_type nothing;
    linkspan::literal<"x"> tag;
    linkspan::constant<5> five;
    linkspan::constant<true> yes;
    date day;
};

LINKSPAN_STRUCT(scalars, (flag), (integer), (natural), (number), (single), (text), (in), (nothing), (tag), (five),
                (yes), (day))

static_assert(schema_text<scalars> ==
              R"({"type":"object","properties":{"flag":{"type":"boolean"},"integer":{"type":"integer"},)"
              R"("natural":{"type":"integer","minimum":0},"number":{"type":"number"},"single":{"type":"number"},)"
              R"("text":{"type":"string"},"in":{"type":"string","enum":["celsius","fahrenheit"]},)"
              R"("nothing":{"type":"null"},"tag":{"const":"x"},"five":{"const":5},"yes":{"const":true},)"
              R"("day":{"type":"string"}},"required":["flag","integer","natural","number","single","text","in",)"
              R"("nothing","tag","five","yes","day"]})");

struct lists {
    std::vector<int> list;
    std::set<std::string> set;
    std::array<bool, 2> two{};
    std::tuple<int, std::string> pair;
    std::pair<double, bool> other;
    json::array any;
    linkspan::one_or_many<std::string> some;
    std::vector<std::vector<int>> nested;
};

LINKSPAN_STRUCT(lists, (list), (set), (two), (pair), (other), (any), (some), (nested))

static_assert(
    schema_text<lists> ==
    R"({"type":"object","properties":{"list":{"type":"array","items":{"type":"integer"}},)"
    R"("set":{"type":"array","items":{"type":"string"},"uniqueItems":true},)"
    R"("two":{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2},)"
    R"("pair":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false,)"
    R"("minItems":2,"maxItems":2},)"
    R"("other":{"type":"array","prefixItems":[{"type":"number"},{"type":"boolean"}],"items":false,)"
    R"("minItems":2,"maxItems":2},)"
    R"("any":{"type":"array"},"some":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},)"
    R"("nested":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},)"
    R"("required":["list","set","two","pair","other","any","some","nested"]})");

struct objects {
    std::map<std::string, int> map;
    std::unordered_map<std::string, bool> hashed;
    std::map<std::string, json::value> open;
    json::value any;
    json::object free;
};

BOOST_DESCRIBE_STRUCT(objects, (), (map, hashed, open, any, free))

static_assert(schema_text<objects> ==
              R"({"type":"object","properties":{"map":{"type":"object","additionalProperties":{"type":"integer"}},)"
              R"("hashed":{"type":"object","additionalProperties":{"type":"boolean"}},"open":{"type":"object"},)"
              R"("any":{},"free":{"type":"object"}},"required":["map","hashed","open","any","free"]})");

struct absences {
    std::optional<int> missing;
    linkspan::nullable<int> cleared;
    linkspan::nullable<unit> in;
    linkspan::nullable<std::vector<int>> list;
    std::optional<int> needed;
    linkspan::nullable<bool> flag;
};

LINKSPAN_STRUCT(absences, (missing), (cleared), (in), (list), (needed, required), (flag, required))

static_assert(schema_text<absences> ==
              R"({"type":"object","properties":{"missing":{"type":"integer"},"cleared":{"type":["integer","null"]},)"
              R"("in":{"anyOf":[{"type":"string","enum":["celsius","fahrenheit"]},{"type":"null"}]},)"
              R"("list":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]},)"
              R"("needed":{"type":"integer"},"flag":{"type":["boolean","null"]}},"required":["needed","flag"]})");

// An optional that is an element cannot be omitted.
struct elements {
    std::vector<std::optional<int>> list;
    std::map<std::string, std::optional<unit>> map;
    std::tuple<std::optional<bool>> tuple;
};

LINKSPAN_STRUCT(elements, (list), (map), (tuple))

static_assert(schema_text<elements> ==
              R"({"type":"object","properties":{"list":{"type":"array","items":{"type":["integer","null"]}},)"
              R"("map":{"type":"object","additionalProperties":{"anyOf":[{"type":"string",)"
              R"("enum":["celsius","fahrenheit"]},{"type":"null"}]}},)"
              R"("tuple":{"type":"array","prefixItems":[{"type":["boolean","null"]}],"items":false,)"
              R"("minItems":1,"maxItems":1}},"required":["list","map","tuple"]})");

// Defaults

struct defaults {
    std::optional<int> days = 3;
    std::optional<bool> on = true;
    std::optional<double> scale = 0.1;
    std::optional<float> single = 0.1F;
    std::optional<unit> in = unit::fahrenheit;
    std::optional<std::uint64_t> most = std::numeric_limits<std::uint64_t>::max();
    std::optional<double> limit = std::numeric_limits<double>::infinity(); // not representable
    std::optional<double> small = 1e-30;
    int plain = 7; // required in spite of its initializer
    std::vector<int> list;
    std::optional<int> noted = 5;
};

LINKSPAN_STRUCT(defaults, (days), (on), (scale), (single), (in), (most), (limit), (small), (plain),
                (list, default_value{linkspan::raw_json("[1,2]")}), (noted, default_value{6}))

static_assert(schema_text<defaults> ==
              R"({"type":"object","properties":{"days":{"type":"integer","default":3},)"
              R"("on":{"type":"boolean","default":true},"scale":{"type":"number","default":0.1},)"
              R"("single":{"type":"number","default":0.1},)"
              R"("in":{"type":"string","enum":["celsius","fahrenheit"],"default":"fahrenheit"},)"
              R"("most":{"type":"integer","minimum":0,"default":18446744073709551615},"limit":{"type":"number"},)"
              R"("small":{"type":"number","default":1e-30},"plain":{"type":"integer"},)"
              R"("list":{"type":"array","items":{"type":"integer"},"default":[1,2]},)"
              R"("noted":{"type":"integer","default":6}},"required":["plain"]})");

struct noted_defaults {
    bool flag = false;
    int negative = 0;
    double number = 0;
    std::string text;
    linkspan::nullable<int> none;
};

LINKSPAN_STRUCT(noted_defaults, (flag, default_value{true}), (negative, default_value{-5}),
                (number, default_value{-37.7749}), (text, default_value{"say \"hi\""}), (none, default_value{nullptr}))

static_assert(schema_text<noted_defaults> ==
              R"({"type":"object","properties":{"flag":{"type":"boolean","default":true},)"
              R"("negative":{"type":"integer","default":-5},"number":{"type":"number","default":-37.7749},)"
              R"("text":{"type":"string","default":"say \"hi\""},"none":{"type":["integer","null"],"default":null}}})");

// clang cannot construct a std::string of libstdc++ 12 in a constant expression.
#if !defined(__clang__)
struct texts {
    std::string must;
    std::optional<std::string> text = "a\tb";
    std::optional<int> days = 3;
};

BOOST_DESCRIBE_STRUCT(texts, (), (must, text, days))

static_assert(schema_text<texts> ==
              R"({"type":"object","properties":{"must":{"type":"string"},)"
              R"("text":{"type":"string","default":"a\u0009b"},"days":{"type":"integer","default":3}},)"
              R"("required":["must"]})");
#endif

// Notes

struct noted {
    std::string text;
    std::optional<double> number;
    std::vector<std::string> list;
    std::map<std::string, int> map;
    linkspan::nullable<int> cleared;
    linkspan::one_or_many<int> some;
    int old = 0;
    std::optional<linkspan::box<int>> boxed;
};

LINKSPAN_STRUCT((noted, "notes", title{"Noted"}, deprecated, keyword{"x-of", linkspan::raw_json("{\"a\":[]}")}),
                (text, "A \"text\"\nof two lines", title{"Text"}, named{"x-text"}, min_length{1}, max_length{3},
                 pattern{"^\\d"}, format{"uri"}, example{"1"}, example{"2"}),
                (number, min{0.5}, max{1e22}, above{-1}, below{3u}, multiple_of{0.25}),
                (list, min_items{1}, max_items{2}, unique_items, min_length{4}), (map, min{1}, min_properties{2}),
                (cleared, min{1}, max{2}), (some, max{9}, max_items{3}),
                (old, deprecated, keyword{"x-a", true}, keyword{"x-b", nullptr}, example{nullptr}), (boxed, min{4}))

static_assert(schema_text<noted> ==
              R"({"type":"object","title":"Noted","description":"notes","properties":{)"
              R"("x-text":{"type":"string","minLength":1,"maxLength":3,"pattern":"^\\d","format":"uri",)"
              R"("title":"Text","description":"A \"text\"\nof two lines","examples":["1","2"]},)"
              R"("number":{"type":"number","minimum":0.5,"maximum":1e22,"exclusiveMinimum":-1,"exclusiveMaximum":3,)"
              R"("multipleOf":0.25},)"
              R"("list":{"type":"array","items":{"type":"string","minLength":4},"minItems":1,"maxItems":2,)"
              R"("uniqueItems":true},)"
              R"("map":{"type":"object","additionalProperties":{"type":"integer","minimum":1},"minProperties":2},)"
              R"("cleared":{"type":["integer","null"],"minimum":1,"maximum":2},)"
              R"("some":{"anyOf":[{"type":"integer","maximum":9},)"
              R"({"type":"array","items":{"type":"integer","maximum":9},"maxItems":3}]},)"
              R"("old":{"type":"integer","examples":[null],"deprecated":true,"x-a":true,"x-b":null},)"
              R"("boxed":{"type":"integer","minimum":4}},"required":["x-text","list","map","some","old"],)"
              R"("deprecated":true,"x-of":{"a":[]}})");

struct numbers {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
};

LINKSPAN_STRUCT(numbers, (a, min{0.1}), (b, min{-37.7749}), (c, min{1e22}), (d, min{5e-324}), (e, min{-0.0}),
                (f, max{18446744073709551615u}))

static_assert(schema_text<numbers> ==
              R"({"type":"object","properties":{"a":{"type":"number","minimum":0.1},)"
              R"("b":{"type":"number","minimum":-37.7749},"c":{"type":"number","minimum":1e22},)"
              R"("d":{"type":"number","minimum":5e-324},"e":{"type":"number","minimum":0},)"
              R"("f":{"type":"number","maximum":18446744073709551615}},"required":["a","b","c","d","e","f"]})");

struct closed_one {
    int x = 0;
};

LINKSPAN_STRUCT((closed_one, closed), (x))

static_assert(schema_text<closed_one> == R"({"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],)"
                                         R"("additionalProperties":false})");

struct open_one {
    linkspan::rest<std::vector<int>> others;
    int x = 0;
};

LINKSPAN_STRUCT(open_one, (others, "labels", min{1}, min_items{2}), (x))

static_assert(schema_text<open_one> ==
              R"({"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":)"
              R"({"type":"array","items":{"type":"integer","minimum":1},"description":"labels"}})");

struct free_rest {
    linkspan::rest<> others;
};

BOOST_DESCRIBE_STRUCT(free_rest, (), (others))

static_assert(schema_text<free_rest> == R"({"type":"object","properties":{},"additionalProperties":{}})");

struct nothing {};

LINKSPAN_STRUCT(nothing)

static_assert(schema_text<nothing> == R"({"type":"object","properties":{}})");

// Unions

using app_shapes::circle;
using app_shapes::square;

struct unions {
    std::variant<circle, square> tagged;
    std::variant<int, std::string> by_kind;
    std::variant<int, double> both;
    std::variant<linkspan::literal<"auto">, linkspan::literal<"off">, int> words;
    std::variant<linkspan::null_type, bool> maybe;
};

LINKSPAN_STRUCT(unions, (tagged), (by_kind, min{1}, min_length{2}), (both), (words), (maybe))

static_assert(schema_text<unions> ==
              R"({"type":"object","properties":{"tagged":{"oneOf":[)"
              R"({"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number","minimum":0}},)"
              R"("required":["kind","radius"]},)"
              R"({"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},)"
              R"("required":["kind","side"]}]},)"
              R"("by_kind":{"oneOf":[{"type":"integer","minimum":1},{"type":"string","minLength":2}]},)"
              R"("both":{"anyOf":[{"type":"integer"},{"type":"number"}]},)"
              R"("words":{"oneOf":[{"const":"auto"},{"const":"off"},{"type":"integer"}]},)"
              R"("maybe":{"oneOf":[{"type":"null"},{"type":"boolean"}]}},)"
              R"("required":["tagged","by_kind","both","words","maybe"]})");

// MCP requires the type object at the root, also for a variant.
static_assert(schema_text<std::variant<circle, square>>.starts_with(R"({"type":"object","oneOf":[{"type":"object",)"));
static_assert(schema_text<std::map<std::string, int>> ==
              R"({"type":"object","additionalProperties":{"type":"integer"}})");
static_assert(schema_text<json::object> == R"({"type":"object"})");

// Definitions

struct point {
    double x = 0, y = 0;
};

BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct line {
    point from, to;
    std::optional<point> middle;
};

LINKSPAN_STRUCT(line, (from, "where it begins"), (to), (middle))

static_assert(schema_text<line> ==
              R"({"type":"object","properties":{"from":{"$ref":"#/$defs/point","description":"where it begins"},)"
              R"("to":{"$ref":"#/$defs/point"},"middle":{"$ref":"#/$defs/point"}},"required":["from","to"],)"
              R"("$defs":{"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},)"
              R"("required":["x","y"]}}})");

static_assert(schema_text<line, schema_dialect::draft_7> ==
              R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{)"
              R"("from":{"allOf":[{"$ref":"#/definitions/point"}],"description":"where it begins"},)"
              R"("to":{"$ref":"#/definitions/point"},"middle":{"$ref":"#/definitions/point"}},)"
              R"("required":["from","to"],"definitions":{"point":{"type":"object","properties":{)"
              R"("x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}})");

// one_or_many uses its element type twice: alone and in a list.
struct route {
    linkspan::one_or_many<point> stops;
};

LINKSPAN_STRUCT(route, (stops))

static_assert(schema_text<route> ==
              R"({"type":"object","properties":{"stops":{"anyOf":[{"$ref":"#/$defs/point"},{"type":"array",)"
              R"("items":{"$ref":"#/$defs/point"}}]}},"required":["stops"],"$defs":{"point":{"type":"object",)"
              R"("properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}})");

struct tree {
    std::string label;
    std::vector<tree> children;
};

BOOST_DESCRIBE_STRUCT(tree, (), (label, children))

static_assert(schema_text<tree> ==
              R"({"type":"object","properties":{"label":{"type":"string"},"children":{"type":"array",)"
              R"("items":{"$ref":"#"}}},"required":["label","children"]})");
static_assert(schema_text<linkspan::box<tree>> == schema_text<tree>);

struct forest {
    std::optional<linkspan::box<tree>> first;
};

BOOST_DESCRIBE_STRUCT(forest, (), (first))

static_assert(schema_text<forest> ==
              R"({"type":"object","properties":{"first":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object",)"
              R"("properties":{"label":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}},)"
              R"("required":["label","children"]}}})");

struct odd;

struct even {
    std::optional<linkspan::box<odd>> next;
};

struct odd {
    std::optional<linkspan::box<even>> next;
};

BOOST_DESCRIBE_STRUCT(even, (), (next))
BOOST_DESCRIBE_STRUCT(odd, (), (next))

static_assert(schema_text<even> == R"({"type":"object","properties":{"next":{"type":"object","properties":)"
                                   R"({"next":{"$ref":"#"}}}}})");

template<class T>
struct page {
    T item;

    BOOST_DESCRIBE_CLASS(page, (), (item), (), ())
};

struct pages {
    std::array<page<int>, 1> a;
    page<int> b;
    page<point> c, d;
};

LINKSPAN_STRUCT(pages, (a), (b), (c), (d))

} // namespace app_schema_of

namespace other {

struct point {
    int z = 0;
};

BOOST_DESCRIBE_STRUCT(point, (), (z))

// A struct with a name that the writer would generate.
struct point_2 {
    int w = 0;
};

BOOST_DESCRIBE_STRUCT(point_2, (), (w))

struct mixed {
    app_schema_of::point a, b;
    point c, d;
    point_2 e, f;
};

BOOST_DESCRIBE_STRUCT(mixed, (), (a, b, c, d, e, f))

} // namespace other

namespace {

json::value parse(std::string_view text)
{
    json::parse_options options;
    options.max_depth = 128;
    return json::parse({text.data(), text.size()}, {}, options);
}

template<class T>
struct schemas {
    schema_validator newer{parse(schema_text<T>)};
    schema_validator older{parse(schema_text<T, schema_dialect::draft_7>)};

    schemas()
    {
        for (auto const* const one : {&newer, &older})
            for (auto const& problem : one->problems())
                BOOST_ERROR(to_string(problem));
    }

    bool accepts(std::string_view text) const
    {
        auto const value = parse(text);
        bool const yes = newer.accepts(value);
        BOOST_TEST(older.accepts(value) == yes, text);
        return yes;
    }
};

template<class T>
std::size_t definitions()
{
    auto const schema = linkspan::schema_of<T>();
    auto const* const found = schema.if_contains("$defs");
    return found ? found->as_object().size() : 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_of_test)

// At run time: g++ 12 with sanitizers cannot search a text in a constant expression.
BOOST_AUTO_TEST_CASE(numbered_definition_name_is_unique)
{
    constexpr auto text = schema_text<other::mixed>;
    BOOST_TEST(text.find(R"("c":{"$ref":"#/$defs/point_2"})") != text.npos, text);
    BOOST_TEST(text.find(R"("f":{"$ref":"#/$defs/point_2_2"})") != text.npos, text);
}

// The static_asserts above compare texts of schemas. The tests below validate values against the schemas.

BOOST_AUTO_TEST_CASE(schema_of_scalars_accepts_and_rejects_values)
{
    schemas<app_schema_of::scalars> const check;
    std::string const good = R"({"flag":true,"integer":-9007199254740993,"natural":4294967295,"number":1.5,"single":1,)"
                             R"("text":"","in":"celsius","nothing":null,"tag":"x","five":5,"yes":true,"day":"d"})";
    BOOST_TEST(check.accepts(good));
    auto const with = [&](std::string_view from, std::string_view to) {
        auto text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    BOOST_TEST(!check.accepts(with("true,", "1,")));
    BOOST_TEST(!check.accepts(with("4294967295", "-1")));
    BOOST_TEST(check.accepts(with("4294967295", "3.0")));
    BOOST_TEST(!check.accepts(with("4294967295", "3.5")));
    BOOST_TEST(!check.accepts(with("celsius", "kelvin")));
    BOOST_TEST(!check.accepts(with(R"("tag":"x")", R"("tag":"y")")));
    BOOST_TEST(!check.accepts(with(R"("five":5)", R"("five":6)")));
    BOOST_TEST(!check.accepts(with(R"("yes":true)", R"("yes":1)")));
    BOOST_TEST(!check.accepts(with(R"("nothing":null,)", "")));
    BOOST_TEST(check.accepts(with(R"("nothing":null)", R"("nothing":null,"more":[1])")));
}

BOOST_AUTO_TEST_CASE(schema_of_lists_accepts_and_rejects_values)
{
    schemas<app_schema_of::lists> const check;
    std::string const good = R"({"list":[1],"set":["a"],"two":[true,false],"pair":[1,"a"],"other":[1.5,true],)"
                             R"("any":[{}],"some":"a","nested":[[1]]})";
    BOOST_TEST(check.accepts(good));
    auto const with = [&](std::string_view from, std::string_view to) {
        auto text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    BOOST_TEST(!check.accepts(with(R"(["a"])", R"(["a","a"])")));
    BOOST_TEST(!check.accepts(with("[true,false]", "[true]")));
    BOOST_TEST(!check.accepts(with("[true,false]", "[true,true,true]")));
    BOOST_TEST(!check.accepts(with(R"([1,"a"])", R"(["a",1])")));
    BOOST_TEST(!check.accepts(with(R"([1,"a"])", R"([1,"a",1])")));
    BOOST_TEST(check.accepts(with(R"("some":"a")", R"("some":["a","b"])")));
    BOOST_TEST(!check.accepts(with(R"("some":"a")", R"("some":[1])")));
    BOOST_TEST(!check.accepts(with("[[1]]", "[1]")));
}

BOOST_AUTO_TEST_CASE(schema_of_optional_members_accepts_their_absence)
{
    schemas<app_schema_of::absences> const check;
    BOOST_TEST(check.accepts(R"({"needed":1,"flag":null})"));
    BOOST_TEST(check.accepts(R"({"needed":1,"flag":true,"cleared":null,"in":null,"list":null})"));
    BOOST_TEST(check.accepts(R"({"needed":1,"flag":true,"cleared":1,"in":"celsius","list":[1],"missing":1})"));
    BOOST_TEST(!check.accepts(R"({"flag":true})"));
    BOOST_TEST(!check.accepts(R"({"needed":1})"));
    BOOST_TEST(!check.accepts(R"({"needed":1,"flag":true,"missing":null})"));
    BOOST_TEST(schemas<app_schema_of::defaults>().accepts(R"({"plain":1})"));
    BOOST_TEST(schemas<app_schema_of::noted_defaults>().accepts("{}"));
}

BOOST_AUTO_TEST_CASE(schema_of_notes_constrains_values)
{
    schemas<app_schema_of::noted> const check;
    std::string const good =
        R"({"x-text":"1","number":0.5,"list":["abcd"],"map":{"a":1,"b":2},"cleared":null,"some":[9],"old":0})";
    BOOST_TEST(check.accepts(good));
    auto const with = [&](std::string_view from, std::string_view to) {
        auto text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    BOOST_TEST(!check.accepts(with(R"("1")", R"("a")")));
    BOOST_TEST(!check.accepts(with(R"("1")", R"("1234")")));
    BOOST_TEST(!check.accepts(with("0.5", "0.6")));
    BOOST_TEST(!check.accepts(with("0.5", "3")));
    BOOST_TEST(!check.accepts(with("abcd", "abc")));
    BOOST_TEST(!check.accepts(with(R"(["abcd"])", R"(["abcd","abcd"])")));
    BOOST_TEST(!check.accepts(with(R"(["abcd"])", "[]")));
    BOOST_TEST(!check.accepts(with(R"(,"b":2)", "")));
    BOOST_TEST(!check.accepts(with(R"("cleared":null)", R"("cleared":3)")));
    BOOST_TEST(!check.accepts(with("[9]", "10")));
    BOOST_TEST(!check.accepts(with("[9]", "[1,2,3,4]")));
}

BOOST_AUTO_TEST_CASE(schema_of_objects_is_closed_or_open)
{
    BOOST_TEST(!schemas<app_schema_of::closed_one>().accepts(R"({"x":1,"y":2})"));
    BOOST_TEST(schemas<app_schema_of::open_one>().accepts(R"({"x":1,"y":[1]})"));
    BOOST_TEST(!schemas<app_schema_of::open_one>().accepts(R"({"x":1,"y":[0]})"));
    BOOST_TEST(!schemas<app_schema_of::open_one>().accepts(R"({"x":1,"y":2})"));
    BOOST_TEST(schemas<app_schema_of::free_rest>().accepts(R"({"x":1,"y":null})"));
    BOOST_TEST(schemas<app_schema_of::nothing>().accepts(R"({"x":1})"));
    schemas<app_schema_of::objects> const objects;
    BOOST_TEST(objects.accepts(R"({"map":{"a":1},"hashed":{"b":true},"open":{"c":[]},"any":null,"free":{"d":1}})"));
    BOOST_TEST(!objects.accepts(R"({"map":{"a":"1"},"hashed":{},"open":{},"any":null,"free":{}})"));
}

BOOST_AUTO_TEST_CASE(schema_of_variants_distinguishes_alternatives)
{
    schemas<app_schema_of::unions> const check;
    auto const with = [&](std::string_view member, std::string_view value) {
        json::object all = parse(R"({"tagged":{"kind":"circle","radius":1},"by_kind":1,"both":1,"words":"auto",)"
                                 R"("maybe":null})")
                               .as_object();
        all[json::string_view(member.data(), member.size())] = parse(value);
        return json::serialize(all);
    };
    BOOST_TEST(check.accepts(with("maybe", "true")));
    BOOST_TEST(check.accepts(with("tagged", R"({"side":1,"kind":"square"})")));
    BOOST_TEST(!check.accepts(with("tagged", R"({"side":1,"kind":"circle"})")));
    BOOST_TEST(!check.accepts(with("tagged", R"({"side":1})")));
    BOOST_TEST(check.accepts(with("by_kind", R"("ab")")));
    BOOST_TEST(!check.accepts(with("by_kind", R"("a")")));
    BOOST_TEST(!check.accepts(with("by_kind", "0")));
    BOOST_TEST(check.accepts(with("both", "1.5")));
    BOOST_TEST(check.accepts(with("words", "1")));
    BOOST_TEST(!check.accepts(with("words", R"("on")")));
    schemas<std::variant<app_schema_of::circle, app_schema_of::square>> const root;
    BOOST_TEST(root.accepts(R"({"kind":"circle","radius":1})"));
    BOOST_TEST(!root.accepts(R"({"kind":"circle"})"));
}

BOOST_AUTO_TEST_CASE(references_resolve_to_their_definitions)
{
    schemas<app_schema_of::line> const line;
    BOOST_TEST(line.accepts(R"({"from":{"x":1,"y":2},"to":{"x":1,"y":2}})"));
    BOOST_TEST(!line.accepts(R"({"from":{"x":1},"to":{"x":1,"y":2}})"));
    BOOST_TEST(!line.accepts(R"({"from":{"x":1,"y":2},"to":{"x":1,"y":2},"middle":{"x":""}})"));
    for (auto const& [text, good] : {std::pair(R"({"label":"a","children":[{"label":"b","children":[]}]})", true),
                                     std::pair(R"({"label":"a","children":[{"label":"b","children":[1]}]})", false)}) {
        BOOST_TEST(schemas<app_schema_of::tree>().accepts(text) == good);
        BOOST_TEST(schemas<app_schema_of::forest>().accepts(R"({"first":)" + std::string(text) + "}") == good);
    }
    BOOST_TEST(schemas<app_schema_of::even>().accepts(R"({"next":{"next":{"next":{}}}})"));
    BOOST_TEST(!schemas<app_schema_of::even>().accepts(R"({"next":{"next":{"next":1}}})"));
    BOOST_TEST(schemas<app_schema_of::route>().accepts(R"({"stops":[{"x":1,"y":2}]})"));
    BOOST_TEST(!schemas<app_schema_of::route>().accepts(R"({"stops":[{"x":1}]})"));
}

BOOST_AUTO_TEST_CASE(structs_of_equal_name_have_separate_definitions)
{
    BOOST_TEST(definitions<other::mixed>() == 3u);
    schemas<other::mixed> const check;
    BOOST_TEST(
        check.accepts(R"({"a":{"x":1,"y":1},"b":{"x":1,"y":1},"c":{"z":1},"d":{"z":1},"e":{"w":1},"f":{"w":1}})"));
    BOOST_TEST(
        !check.accepts(R"({"a":{"x":1,"y":1},"b":{"x":1,"y":1},"c":{"w":1},"d":{"z":1},"e":{"w":1},"f":{"w":1}})"));
    BOOST_TEST(
        !check.accepts(R"({"a":{"x":1,"y":1},"b":{"x":1,"y":1},"c":{"z":1},"d":{"z":1},"e":{"z":1},"f":{"w":1}})"));
    BOOST_TEST(definitions<app_schema_of::pages>() ==
               2u); // instances of a template: page<int>, and page<point>, which contains the only point
    BOOST_TEST(schemas<app_schema_of::pages>().accepts(
        R"({"a":[{"item":1}],"b":{"item":1},"c":{"item":{"x":1,"y":1}},"d":{"item":{"x":1,"y":1}}})"));
    BOOST_TEST(!schemas<app_schema_of::pages>().accepts(
        R"({"a":[{"item":1}],"b":{"item":{"x":1,"y":1}},"c":{"item":{"x":1,"y":1}},"d":{"item":{"x":1,"y":1}}})"));
}

BOOST_AUTO_TEST_CASE(schema_value_equals_parsed_schema_text)
{
    BOOST_TEST(json::value(linkspan::schema_of<app_schema_of::line>()) == parse(schema_text<app_schema_of::line>));
    auto const draft_7 = linkspan::schema_of<app_schema_of::line, schema_dialect::draft_7>();
    BOOST_TEST(json::value(draft_7) == parse(schema_text<app_schema_of::line, schema_dialect::draft_7>));
    auto const numbers = linkspan::schema_of<app_schema_of::numbers>();
    auto const bound = numbers.at("properties").at("b").at("minimum");
    BOOST_TEST(bound.as_double() ==
               -37.7749); // the exact value, which some versions of Boost.JSON do not read from text
}

BOOST_AUTO_TEST_CASE(numbers_in_schema_are_written_in_shortest_form)
{
    auto const significant = [](std::string_view text) {
        std::string out;
        for (char const c : text.substr(0, text.find('e')))
            if (c >= '0' && c <= '9' && (c != '0' || !out.empty()))
                out += c;
        while (out.ends_with('0'))
            out.pop_back();
        return out;
    };
    auto const test = [&](auto number) {
        linkspan::detail::constant_text out;
        put_number(out, number);
        auto const text = out.view();
        decltype(number) read = 0;
        BOOST_TEST((std::from_chars(text.data(), text.data() + text.size(), read).ptr == text.data() + text.size()));
        char shortest[64];
        auto const* const end =
            std::to_chars(shortest, shortest + sizeof shortest, number, std::chars_format::scientific).ptr;
        auto const expected = significant(std::string_view(shortest, static_cast<std::size_t>(end - shortest)));
        BOOST_TEST((read == number && significant(text) == expected), text << " of " << number);
    };
    std::mt19937_64 random(1);
    for (int i = 0; i != 2'000; ++i) {
        if (auto const any = std::bit_cast<double>(random()); any - any == 0)
            test(any);
        if (auto const any = std::bit_cast<float>(static_cast<std::uint32_t>(random())); any - any == 0)
            test(any);
        test(static_cast<double>(static_cast<std::int64_t>(random())) / static_cast<double>(1ULL << random() % 60));
    }
}

BOOST_AUTO_TEST_CASE(schema_made_at_run_time_is_equal)
{
    using linkspan::schema_dialect;
    BOOST_TEST(linkspan::make_schema_text<app_schema_of::scalars>() == linkspan::schema_text<app_schema_of::scalars>);
    BOOST_TEST((linkspan::make_schema_text<app_schema_of::scalars, schema_dialect::draft_7>() ==
                linkspan::schema_text<app_schema_of::scalars, schema_dialect::draft_7>));
}

BOOST_AUTO_TEST_SUITE_END()
