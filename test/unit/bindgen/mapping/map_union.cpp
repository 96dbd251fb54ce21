// The order of the alternatives of a union, and objects that cannot be distinguished.

#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>

#include "support/one_tool.hpp"

BOOST_AUTO_TEST_SUITE(map_union_test)

using namespace one_tool;
namespace data = boost::unit_test::data;

namespace {

// Returns the schema of an object from its members: "x"; "y?" or "y?:integer": optional; "x:integer"; "x=true": a
// constant; "!": no additional members; "*": additional members are integers.
std::string object(std::string_view words)
{
    std::string properties, required;
    std::string others;
    while (!words.empty()) {
        auto word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(words.size(), word.size() + 1));
        if (word == "!" || word == "*") {
            others = word == "!" ? R"(,"additionalProperties":false)" : R"(,"additionalProperties":{"type":"integer"})";
            continue;
        }
        auto const name = std::string(word.substr(0, word.find_first_of("?:=")));
        auto const type = word.find(':') != word.npos ? word.substr(word.find(':') + 1) : "string";
        auto const schema = word.find('=') != word.npos ? R"({"const":)" + std::string(word.substr(word.find('=') + 1))
                                                        : R"({"type":")" + std::string(type) + '"';
        (properties += properties.empty() ? "" : ",") += '"' + name + R"(":)" + schema + '}';
        if (word.find('?') == word.npos)
            (required += required.empty() ? "" : ",") += '"' + name + '"';
    }
    return R"({"type":"object","properties":{)" + properties + R"(},"required":[)" + required + ']' + others + '}';
}

// Alternatives separated by ", "; their order in a result, and in arguments if that order is different.
struct row {
    std::string_view alternatives, order, of_arguments = {};
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.alternatives; }

constexpr row rows[] = {
    {"x, y", "1 2"},
    {"x, y, x z", "2 3 1"},
    {"x, x y, x y z, w", "3 2 1 4"},
    {"x, y x?", "2 1"},
    {"x !, y x? !", "2 1", "1 2"},
    {"x y?, y x?", "1 2"},
    {"x y? a?, y x? b?", "none"},
    {"x y? a? !, y x? b? !", "none", "1 2"},
    {"x y? a?, y:integer x? b?", "1 2"},
    {"x y? a?, y?:integer x:integer b?", "1 2"},
    {"k=true y? a?, y k?=false b?", "1 2"},
    {"k=true a?, k=false b?", "1 2"},
    {"k=1 a?, k=2 b?", "1 2"},
    {"k=1 a?, k=1 b?", "none"},
    {"x a?, x b?", "none"},
    {"x z y?, x z? y? w?", "2 1"},
    {"x, y *", "1 2"},
    {"x !, y *", "2 1", "1 2"},
    {"x y z?, y z x? a?, z x y? b?", "none"},
    {"x:integer a?, x:number b?", "none"},
};

std::string union_of(std::string_view alternatives)
{
    std::string out;
    while (!alternatives.empty()) {
        auto const one = alternatives.substr(0, alternatives.find(", "));
        alternatives.remove_prefix(std::min(alternatives.size(), one.size() + 2));
        (out += out.empty() ? R"({"oneOf":[)" : ",") += object(one);
    }
    return out + "]}";
}

// Returns the numbers of the alternatives: "2 1" for a variant of t_x_2 and t_x_1.
std::string order_in(std::string_view type)
{
    if (type == "boost::json::value")
        return "none";
    std::string out;
    for (std::size_t at = 0; (at = type.find("_x_", at)) != type.npos; at += 3)
        (out += out.empty() ? "" : " ") += type[at + 3];
    return out;
}

} // namespace

BOOST_DATA_TEST_CASE(alternative_that_would_lose_members_is_ordered_later, data::make(rows))
{
    auto const mapped = map_member(union_of(sample.alternatives));
    auto const of_arguments = sample.of_arguments.empty() ? sample.order : sample.of_arguments;
    BOOST_TEST(order_in(only_member(mapped).type) == of_arguments);
    auto const result = map(R"({"type":"object"})", R"({"type":"object","required":["x"],"properties":{"x":)" +
                                                        union_of(sample.alternatives) + "}}");
    auto const& made = std::get<bindgen::struct_binding>(result.tools.front().types.back());
    BOOST_TEST(order_in(made.members.front().type) == sample.order);
    BOOST_TEST(
        problems_of(result) ==
        (sample.order == "none" ? "/outputSchema/properties/x: no required member distinguishes the objects" : ""));
}

BOOST_AUTO_TEST_CASE(closed_alternative_is_ordered_first_in_arguments_and_last_in_results)
{
    constexpr std::string_view schema = R"({"type":"object","required":["x"],"properties":{"x":{"oneOf":[
        {"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},
        {"type":"object"}]}}})";
    auto const mapped = map(schema, schema);
    auto const& tool = mapped.tools.front();
    BOOST_TEST(shown(tool.arguments) == "struct t {std::variant<t_x_1, boost::json::object> x}");
    BOOST_TEST(shown(std::get<bindgen::struct_binding>(tool.types.back())) ==
               "struct t_result {std::variant<boost::json::object, t_result_x_1> x}");
}

BOOST_AUTO_TEST_CASE(recursive_alternatives_are_distinguished_by_tags)
{
    auto const mapped = map(R"({"type":"object","properties":{"x":{"$ref":"#/$defs/e"}},"$defs":{
        "e":{"anyOf":[{"$ref":"#/$defs/add"},{"$ref":"#/$defs/not"}]},
        "add":{"type":"object","required":["op","of"],"properties":{"op":{"const":"add"},"of":{"type":"array","items":
            {"anyOf":[{"$ref":"#/$defs/add"},{"$ref":"#/$defs/not"}]}}}},
        "not":{"type":"object","required":["op","of"],"properties":{"op":{"const":"not"},"of":{"type":"array","items":
            {"anyOf":[{"$ref":"#/$defs/add"},{"$ref":"#/$defs/not"}]}}}}}})");
    BOOST_TEST(only_member(mapped).type == "std::optional<std::variant<t_add, t_not>>");
    BOOST_TEST(problems_of(mapped) == "");
}

// A naive generator of names would compare all alternatives for each constant.
BOOST_AUTO_TEST_CASE(alternatives_with_many_constants_are_mapped_in_bounded_time)
{
    std::string constants, alternatives;
    for (int i = 0; i != 20'000; ++i)
        constants += ",\"c" + std::to_string(i) + R"(":{"const":"v"})";
    for (int i = 0; i != 59; ++i)
        alternatives += R"({"$ref":"#/$defs/many"},)";
    auto const mapped = map(R"({"type":"object","properties":{"x":{"anyOf":[)" + alternatives +
                            R"({"type":"object","properties":{"a":{"type":"string"}}}]}},"$defs":{"many":{
                                "properties":{"z":{})" +
                            constants + "}}}}");
    BOOST_TEST(only_member(mapped).type == "std::optional<boost::json::value>");
}

BOOST_AUTO_TEST_SUITE_END()
