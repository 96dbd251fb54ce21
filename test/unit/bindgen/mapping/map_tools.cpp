#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/one_tool.hpp"

BOOST_AUTO_TEST_SUITE(map_tools_test)

using namespace one_tool;
namespace data = boost::unit_test::data;

namespace {

// A schema of a required member `x` of the tool `t`, its type, other types, and remarks.
struct row {
    std::string_view schema, type, types = {}, remarks = {};
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.schema; }

constexpr row rows[] = {
    {R"({"type":"string"})", "std::string"},
    {R"({"type":"integer"})", "std::int64_t"},
    {R"({"type":"number"})", "double"},
    {R"({"type":"boolean"})", "bool"},
    {R"({"type":"null"})", "linkspan::null_type"},
    {"{}", "boost::json::value"},
    {"true", "boost::json::value"},
    {R"({"description":"any"})", "boost::json::value"},
    {R"({"type":["string"]})", "std::string"},
    {R"({"enum":["a","b"]})", "t_x", "enum t_x {a, b}"},
    {R"({"type":"string","enum":["a"]})", R"(linkspan::literal<"a">)"},
    {R"({"const":"a"})", R"(linkspan::literal<"a">)"},
    {R"({"const":true})", "linkspan::constant<true>"},
    {R"({"const":5})", "linkspan::constant<5>"},
    {R"({"const":5.0})", "linkspan::constant<5>"},
    {R"({"const":2.5})", "double", "", "one of 2.5; also: const"},
    {R"({"const":null})", "linkspan::null_type"},
    {R"({"const":[1]})", "boost::json::value", "", "free-form: constant is an array"},
    {R"({"const":{"a":1}})", "boost::json::value", "", "free-form: constant is an object"},
    {R"({"enum":[true,false]})", "bool"},
    {R"({"enum":[true]})", "linkspan::constant<true>"},
    {R"({"enum":[1,2,3]})", "std::int64_t", "", "one of 1, 2, 3; also: enum"},
    {R"({"enum":[1,2.5]})", "double", "", "one of 1, 2.5; also: enum"},
    {R"({"enum":["a",1]})", "boost::json::value", "", "free-form: values are of several kinds"},
    {R"({"enum":["a",null]})", R"(linkspan::nullable<linkspan::literal<"a">>)"},
    {R"({"enum":[null]})", "linkspan::null_type"},
    {R"({"enum":[]})", "boost::json::value", "", "free-form: no value is valid"},
    {R"({"enum":[["a"]]})", "boost::json::value", "", "free-form: values are arrays or objects"},
    {R"({"enum":["zh-hans","auto","","Y","y","reactions-+1","reactions--1","2d","a","a"]})", "t_x",
     "enum t_x {zh_hans=zh-hans, auto_=auto, empty=, Y, y, reactions_1=reactions-+1, reactions_1_2=reactions--1, "
     "n2d=2d, a}"},
    {R"({"type":["string","null"]})", "linkspan::nullable<std::string>"},
    {R"({"anyOf":[{"type":"integer"},{"type":"null"}]})", "linkspan::nullable<std::int64_t>"},
    {R"({"type":["string","null"],"enum":["a","b",null]})", "linkspan::nullable<t_x>", "enum t_x {a, b}"},
    {R"({"anyOf":[{"enum":["a","b"]},{"type":"null"}]})", "linkspan::nullable<t_x>", "enum t_x {a, b}"},
    {R"({"oneOf":[{"type":["string","null"]},{"type":"boolean"}]})",
     "linkspan::nullable<std::variant<std::string, bool>>"},
    {R"({"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})",
     "linkspan::one_or_many<std::string>"},
    {R"({"anyOf":[{"type":"array","items":{"type":"number"}},{"type":"number"}]})", "linkspan::one_or_many<double>"},
    {R"({"anyOf":[{"enum":["a","b"]},{"type":"array","items":{"enum":["a","b"]}}]})", "linkspan::one_or_many<t_x_1>",
     "enum t_x_1 {a, b}"},
    {R"({"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"null"}]})",
     "linkspan::nullable<linkspan::one_or_many<std::string>>"},
    {R"({"type":["string","number"]})", "std::variant<std::string, double>"},
    {R"({"type":["string","boolean","null"]})", "linkspan::nullable<std::variant<std::string, bool>>"},
    {R"({"anyOf":[{"type":"integer"},{"type":"number"}]})", "double", "", "also: anyOf"},
    {R"({"anyOf":[{"type":"integer"},{"const":5}]})", "std::int64_t", "", "also: anyOf"},
    {R"({"type":["boolean","integer","string"]})", "std::variant<bool, std::int64_t, std::string>"},
    {R"({"anyOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}]})", "t_x", "enum t_x {a, b}"},
    {R"({"anyOf":[{"enum":["a","b"]},{"type":"string","pattern":"^x"}]})", "std::string", "", "also: anyOf"},
    {R"({"anyOf":[{"type":"integer"},{"const":"ALL"}]})", R"(std::variant<std::int64_t, linkspan::literal<"ALL">>)"},
    {R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]})",
     "std::variant<t_x_a, t_x_b>",
     R"(struct t_x_a {linkspan::literal<"a"> kind; std::optional<std::int64_t> n}; struct t_x_b {linkspan::literal<"b"> kind})"},
    {R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]})",
     "std::variant<t_x_1, t_x_2>", "struct t_x_1 {std::string a}; struct t_x_2 {std::string b}"},
    {R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}]})",
     "std::variant<t_x_2, t_x_1>", "struct t_x_1 {std::string a}; struct t_x_2 {std::string a; std::string b}"},
    {R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}]})",
     "std::variant<t_x_1, t_x_2>", "struct t_x_1 {std::string a}; struct t_x_2 {std::int64_t a}"},
    {R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]})",
     "boost::json::value", "", "free-form: no required member distinguishes the objects"},
    {R"({"anyOf":[{"type":"object"},{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"string"}]})",
     "std::variant<t_x_2, boost::json::object, std::string>", "struct t_x_2 {std::string a}"},
    {R"({"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}}]})",
     "boost::json::value", "", "free-form: arrays cannot be distinguished"},
    {R"({"anyOf":[{"type":"string"},{}]})", "boost::json::value", "", "also: anyOf"},
    {R"({"anyOf":[{"type":"string"}]})", "std::string"},
    {R"({"anyOf":[]})", "boost::json::value", "", "also: anyOf"},
    {R"({"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]})", "boost::json::object", "",
     "also: required"},
    {R"({"type":"string","anyOf":[{"format":"date"},{"pattern":"^x"}]})", "std::string", "", "also: anyOf"},
    {R"({"type":"array","items":{"type":"string"}})", "std::vector<std::string>"},
    {R"({"type":"array"})", "boost::json::array"},
    {R"({"type":"array","items":{}})", "boost::json::array"},
    {R"({"items":{"type":"string"}})", "std::vector<std::string>"},
    {R"({"type":"array","items":false})", "boost::json::array", "", "also: items"},
    {R"({"type":"array","items":{"type":["string","null"]}})", "std::vector<linkspan::nullable<std::string>>"},
    {R"({"type":"array","items":{"type":"string","minLength":1,"not":{"const":"x"}}})", "std::vector<std::string>", "",
     "also: items/not, items/minLength"},
    {R"({"type":"array","items":{"type":"array","items":{"type":"integer"}}})",
     "std::vector<std::vector<std::int64_t>>"},
    {R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}})", "std::vector<t_x_item>",
     "struct t_x_item {std::optional<std::string> a}"},
    {R"({"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2,"items":false})",
     "std::tuple<double, std::string>"},
    {R"({"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2})", "boost::json::array", "",
     "free-form: tuple with additional elements"},
    {R"({"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2.0,"maxItems":2})",
     "std::tuple<double, std::string>"},
    {R"({"type":"array","prefixItems":[{"type":"number"}],"items":true,"minItems":1,"maxItems":1})",
     "std::tuple<double>"},
    {R"({"type":"array","prefixItems":[{"type":"number"}],"items":false,"maxItems":9})", "boost::json::array", "",
     "free-form: tuple with optional elements"},
    {R"({"type":"array","items":[{"type":"number"},{"type":"boolean"}],"minItems":2})", "boost::json::array", "",
     "free-form: tuple with additional elements"},
    {R"({"type":"array","prefixItems":[{"type":"number"}]})", "boost::json::array", "",
     "free-form: tuple with optional elements"},
    {R"({"type":"array","prefixItems":[{"type":"number"}],"minItems":1,"items":{"type":"string"}})",
     "boost::json::array", "", "free-form: tuple with additional elements"},
    {R"({"type":"array","items":[{"type":"number"},{"type":"boolean"}],"minItems":2,"additionalItems":false})",
     "std::tuple<double, bool>"},
    {R"({"type":"object"})", "boost::json::object"},
    {R"({"type":"object","properties":{}})", "boost::json::object"},
    {R"({"type":"object","additionalProperties":true})", "boost::json::object"},
    {R"({"type":"object","additionalProperties":false})", "t_x", "struct t_x {}"},
    {R"({"type":"object","additionalProperties":{"type":"integer"}})", "std::map<std::string, std::int64_t>"},
    {R"({"type":"object","additionalProperties":{}})", "boost::json::object"},
    {R"({"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}})",
     "std::map<std::string, std::string>"},
    {R"({"type":"object","propertyNames":{"pattern":"^x"},"additionalProperties":{"type":"string"}})",
     "std::map<std::string, std::string>", "", "also: propertyNames"},
    {R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}})", "t_x",
     "struct t_x {std::optional<std::string> a; linkspan::rest<std::int64_t> others}"},
    {R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false})", "t_x",
     "struct t_x {std::optional<std::string> a}"},
    {R"({"properties":{"a":{"type":"string"}}})", "t_x", "struct t_x {std::optional<std::string> a}"},
    {R"({"type":"object","required":["a"]})", "boost::json::object", "", "also: required"},
    {R"({"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"string"}}})", "t_x",
     "struct t_x {std::optional<std::string> a; linkspan::rest<boost::json::value> others}", "also: patternProperties"},
    {R"({"type":"object","properties":{"a":false,"b":{"type":"string"}}})", "t_x",
     "struct t_x {std::optional<std::string> b}"},
    {R"({"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"string"}}}]})",
     "t_x", "struct t_x {std::optional<std::string> a; linkspan::rest<boost::json::value> others}"},
    {R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}}}]})",
     "t_x", "struct t_x {std::string a; std::optional<std::string> b}"},
    {R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{"type":"integer"}}}]})",
     "boost::json::value", "", "free-form: parts of allOf cannot be merged"},
    {R"({"allOf":[{"type":"object","additionalProperties":{}},{"anyOf":[{"type":"string"},{"type":"integer"}]}]})",
     "std::variant<std::string, std::int64_t>"},
    {R"({"allOf":[{"type":"string"},{"type":"string"}]})", "std::string"},
    {R"({"allOf":[{"type":"string"},{"type":"integer"}]})", "boost::json::value", "",
     "free-form: parts of allOf cannot be merged"},
    {R"({"allOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"type":"object","properties":{"b":{}}}]})",
     "boost::json::value", "", "free-form: parts of allOf cannot be merged"},
    {R"({"allOf":[]})", "boost::json::value"},
    {R"({"type":"string","not":{"const":"x"}})", "std::string", "", "also: not"},
    {R"({"type":"object","properties":{"a":{"type":"string"}},"if":{},"then":{"required":["a"]},"else":{}})", "t_x",
     "struct t_x {std::optional<std::string> a}", "also: if/then/else"},
    {R"({"type":"array","contains":{"type":"string"},"minContains":2})", "boost::json::array", "",
     "also: contains, minContains"},
    {R"({"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"a":{}},"unevaluatedProperties":false})",
     "boost::json::object", "", "also: dependentRequired, dependentSchemas, unevaluatedProperties"},
    {R"({"minLength":3})", "boost::json::value", "", "also: minLength"},
    {"false", "boost::json::value", "", "free-form: no value is valid"},
    {"5", "boost::json::value", "", "free-form: not a schema"},
    {R"({"$ref":"#/$defs/nothing"})", "boost::json::value", "", "free-form: reference has no target"},
    {R"({"$ref":"https://x.example/y"})", "boost::json::value", "",
     "free-form: reference is not a JSON Pointer in this schema"},
    {R"({"$ref":"#anchor"})", "boost::json::value", "", "free-form: reference is not a JSON Pointer in this schema"},
    {R"({"$ref":"#/properties/x"})", "boost::json::value", "", "free-form: references are circular"},
    {R"({"type":"what"})", "boost::json::value", "", "also: type"},
    {R"({"type":[]})", "boost::json::value", "", "also: type"},
};

// A schema of an optional member, its type, and its notes.
struct noted_row {
    std::string_view schema, type, notes;
};

std::ostream& operator<<(std::ostream& out, noted_row const& r) { return out << r.schema; }

constexpr noted_row noted_rows[] = {
    {R"({"type":"string"})", "std::optional<std::string>", ""},
    {R"({"type":["string","null"]})", "linkspan::nullable<std::string>", ""},
    {"true", "std::optional<boost::json::value>", ""},
    {R"({"const":"a"})", R"(std::optional<linkspan::literal<"a">>)", ""},
    {R"({"type":"string","description":"City","title":"C"})", "std::optional<std::string>",
     R"("City"; linkspan::note::title{"C"})"},
    {R"({"type":"string","minLength":1,"maxLength":9,"pattern":"^a","format":"uri"})", "std::optional<std::string>",
     R"(linkspan::note::min_length{1}; linkspan::note::max_length{9}; linkspan::note::pattern{"^a"}; linkspan::note::format{"uri"})"},
    {R"({"type":"string","pattern":"(?=a)b"})", "std::optional<std::string>", "// also: pattern"},
    {R"({"type":"string","minimum":1})", "std::optional<std::string>", ""},
    {R"({"type":"string","minLength":-1,"maxLength":"9"})", "std::optional<std::string>",
     "// also: minLength, maxLength"},
    {R"({"type":"integer","minimum":1,"maximum":14.0})", "std::optional<std::int64_t>",
     "linkspan::note::min{1}; linkspan::note::max{14}"},
    {R"({"type":"integer","minimum":0.5})", "std::optional<std::int64_t>", "linkspan::note::min{0.5}"},
    {R"({"type":"integer","minimum":-9223372036854775808,"maximum":9007199254740991})", "std::optional<std::int64_t>",
     "linkspan::note::min{(-9223372036854775807 - 1)}; linkspan::note::max{9007199254740991}"},
    {R"({"type":"integer","maximum":18446744073709551615})", "std::optional<std::int64_t>", "// also: maximum"},
    {R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5,"multipleOf":0.5})", "std::optional<double>",
     "linkspan::note::above{0}; linkspan::note::below{1.5}; linkspan::note::multiple_of{0.5}"},
    {R"({"type":"number","minimum":0,"exclusiveMinimum":true})", "std::optional<double>",
     "linkspan::note::min{0}; // also: exclusiveMinimum"},
    {R"({"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3,"uniqueItems":true})",
     "std::optional<std::vector<std::string>>",
     "linkspan::note::min_items{1}; linkspan::note::max_items{3}; linkspan::note::unique_items"},
    {R"({"type":"array","items":{},"uniqueItems":false})", "std::optional<boost::json::array>", ""},
    {R"({"type":"object","additionalProperties":{"type":"string"},"minProperties":1,"maxProperties":3})",
     "std::optional<std::map<std::string, std::string>>",
     "linkspan::note::min_properties{1}; linkspan::note::max_properties{3}"},
    {R"({"type":["string","number"],"minLength":1})", "std::optional<std::variant<std::string, double>>",
     "// also: minLength"},
    {R"({"type":["string","null"],"minLength":1})", "linkspan::nullable<std::string>", "linkspan::note::min_length{1}"},
    {R"({"type":"integer","default":3})", "std::optional<std::int64_t>", "linkspan::note::default_value{3}"},
    {R"({"type":"number","default":2.5})", "std::optional<double>", "linkspan::note::default_value{2.5}"},
    {R"({"type":"boolean","default":true})", "std::optional<bool>", "linkspan::note::default_value{true}"},
    {R"({"enum":["a","b"],"default":"a"})", "std::optional<t_x>", R"(linkspan::note::default_value{"a"})"},
    {R"({"enum":["a","b"],"default":"c"})", "std::optional<t_x>", R"(// default: "c")"},
    {R"({"type":"string","default":null})", "std::optional<std::string>", "// default: null"},
    {R"({"type":["string","null"],"default":null})", "linkspan::nullable<std::string>",
     R"(linkspan::note::default_value{linkspan::raw_json("null")})"},
    {R"({"type":"array","items":{"type":"integer"},"default":[1,2]})", "std::optional<std::vector<std::int64_t>>",
     R"(linkspan::note::default_value{linkspan::raw_json("[1,2]")})"},
    {R"({"type":"string","examples":["a",1,"b"],"deprecated":true})", "std::optional<std::string>",
     R"(linkspan::note::example{"a"}; linkspan::note::example{"b"}; linkspan::note::deprecated)"},
    {R"({"type":"string","deprecated":"no","examples":"x","title":3,"description":[]})", "std::optional<std::string>",
     ""},
    {R"({"$ref":"#/properties/x/$defs/n","minimum":5,"not":{"const":7},"$defs":{"n":{"type":"integer"}}})",
     "std::optional<std::int64_t>", "linkspan::note::min{5}; // also: not"},
    {R"({"$ref":"#/properties/x/$defs/id","description":"own","$defs":{"id":{"type":"string","format":"uuid","description":"other"}}})",
     "std::optional<std::string>", R"("own"; linkspan::note::format{"uuid"})"},
};

// The schema of all arguments, the generated types, and problems.
struct root_row {
    std::string_view schema, arguments, problems;
};

std::ostream& operator<<(std::ostream& out, root_row const& r) { return out << r.schema; }

constexpr std::string_view free_arguments = "struct t {linkspan::rest<boost::json::value> arguments}";

constexpr root_row root_rows[] = {
    {R"({"type":"object"})", "struct t {}", ""},
    {R"({"type":"object","properties":{}})", "struct t {}", ""},
    {R"({"type":"object","properties":{},"additionalProperties":false})", "struct t {}", ""},
    {R"({"type":"object","additionalProperties":true})", "struct t {linkspan::rest<boost::json::value> others}", ""},
    {R"({"type":"object","additionalProperties":{"type":"integer"}})", "struct t {linkspan::rest<std::int64_t> others}",
     ""},
    {R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}},"required":["b"]})",
     "struct t {std::string b; std::optional<std::string> a}", ""},
    {R"({"type":"object","required":["z","b","a"],"properties":{"a":{},"b":{},"c":{},"z":{}}})",
     "struct t {boost::json::value z; boost::json::value b; boost::json::value a; std::optional<boost::json::value> c}",
     ""},
    {R"({"type":"object","required":["a","a",3,null]})", "struct t {boost::json::value a}", ""},
    {R"({"properties":{"a":{"type":"string"}}})", "struct t {std::optional<std::string> a}", ""},
    {R"({"$ref":"#/$defs/all","$defs":{"all":{"type":"object","properties":{"a":{"type":"string"}}}}})",
     "struct t {std::optional<std::string> a}", ""},
    {R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]})",
     "struct t {std::optional<std::string> a; std::optional<std::string> b}", ""},
    {R"({"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":{}}})",
     "struct t {std::optional<boost::json::value> a; std::optional<boost::json::value> b}", ""},
    {R"({"$schema":"http://json-schema.org/draft-07/schema#"})", free_arguments,
     "/inputSchema: arguments have no type"},
    {"{}", free_arguments, "/inputSchema: arguments have no type"},
    {"true", free_arguments, "/inputSchema: not a schema of an object"},
    {"null", free_arguments, "/inputSchema: not a schema of an object"},
    {R"({"type":"string"})", free_arguments, "/inputSchema: arguments are not an object"},
    {R"({"type":["object","null"]})", free_arguments, "/inputSchema: arguments are not an object"},
    {R"({"type":"object","oneOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]})", free_arguments,
     "/inputSchema: arguments are a union"},
    {R"({"$ref":"#/nothing"})", free_arguments, "/inputSchema: reference has no target"},
    {R"({"type":)", free_arguments, "/inputSchema: not valid JSON, or nested too deeply"},
    {"", free_arguments, "/inputSchema: not valid JSON, or nested too deeply"},
};

// The schema of a result, its type, and all types.
constexpr root_row result_rows[] = {
    {R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})", "t_result",
     "struct t_result {std::string a}"},
    {R"({"type":"object"})", "t_result", "using t_result = boost::json::object"},
    {R"({"type":"object","additionalProperties":{"type":"string"}})", "t_result",
     "using t_result = std::map<std::string, std::string>"},
    {R"({"type":"object","oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]})",
     "t_result",
     "struct t_result_1 {std::string a}; struct t_result_2 {std::string b}; using t_result = std::variant<t_result_1, "
     "t_result_2>"},
    {R"({"oneOf":[{"allOf":[{"type":"object","properties":{"ok":{"const":"yes"}},"required":["ok"]},{"type":"object","properties":{"n":{"type":"integer"}}}]},{"type":"object","properties":{"ok":{"const":"no"}},"required":["ok"]}]})",
     "t_result",
     "struct t_result_1 {linkspan::literal<\"yes\"> ok; std::optional<std::int64_t> n}; struct t_result_no "
     "{linkspan::literal<\"no\"> ok}; "
     "using t_result = std::variant<t_result_1, t_result_no>"},
    {R"({"type":"string"})", "t_result", "using t_result = boost::json::value"},
    {"{}", "t_result", "using t_result = boost::json::value"},
    {"{", "t_result", "using t_result = boost::json::value"},
    {"", "linkspan::call_result", ""},
};

std::string notes_of(linkspan::bindgen::member_binding const& member)
{
    auto out = joined(member.notes);
    for (auto const& remark : member.remarks)
        (out += out.empty() ? "// " : "; // ") += remark;
    return out;
}

} // namespace

BOOST_DATA_TEST_CASE(property_schema_is_mapped_to_a_type, data::make(rows))
{
    auto const mapped = map_member(sample.schema);
    auto const& member = only_member(mapped);
    BOOST_TEST(member.name == "x");
    BOOST_TEST(member.type == sample.type);
    BOOST_TEST(types_of(mapped) == sample.types);
    BOOST_TEST(joined(member.remarks) == sample.remarks);
    // Free-form members are reported with their JSON Pointers.
    bool const is_free = sample.remarks.starts_with("free-form: ");
    BOOST_TEST_REQUIRE(mapped.problems.size() == (is_free ? 1U : 0U));
    if (is_free) {
        auto const& problem = mapped.problems.front();
        BOOST_TEST(sample.remarks.starts_with("free-form: " + problem.message));
        BOOST_TEST(to_string(problem) == "tool 't': /inputSchema/properties/x: " + problem.message);
    }
}

BOOST_DATA_TEST_CASE(keyword_that_the_type_does_not_express_becomes_a_note_or_a_remark, data::make(noted_rows))
{
    auto const mapped = map_member(sample.schema, false);
    BOOST_TEST(only_member(mapped).type == sample.type);
    BOOST_TEST(notes_of(only_member(mapped)) == sample.notes);
    BOOST_TEST(problems_of(mapped) == "");
}

BOOST_AUTO_TEST_CASE(siblings_of_ref_are_ignored_in_draft_7)
{
    auto const mapped = map(R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
        "properties":{"x":{"$ref":"#/definitions/m","minimum":5,"not":{"const":7},"description":"own"}},
        "definitions":{"m":{"$ref":"#/definitions/n","maximum":9},"n":{"type":"integer","minimum":1}}})");
    BOOST_TEST(notes_of(only_member(mapped)) == R"("own"; linkspan::note::min{1})");
}

BOOST_AUTO_TEST_CASE(prefix_items_is_ignored_in_draft_7)
{
    auto const mapped = map(R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
        "properties":{"x":{"type":"array","prefixItems":[{"type":"number"}],"items":false,"minItems":1}}})");
    BOOST_TEST(only_member(mapped).type == "std::optional<boost::json::array>");
    BOOST_TEST(notes_of(only_member(mapped)) == "linkspan::note::min_items{1}; // also: items");
}

BOOST_DATA_TEST_CASE(input_schema_is_mapped_to_a_struct, data::make(root_rows))
{
    auto const mapped = map(sample.schema);
    BOOST_TEST(shown(mapped.tools.front().arguments) == sample.arguments);
    BOOST_TEST(problems_of(mapped) == sample.problems);
}

BOOST_DATA_TEST_CASE(output_schema_is_mapped_to_a_result_type, data::make(result_rows))
{
    auto const mapped = map(R"({"type":"object"})", sample.schema);
    BOOST_TEST(mapped.tools.front().result_type == sample.arguments);
    BOOST_TEST(types_of(mapped) == sample.problems);
}

BOOST_AUTO_TEST_CASE(required_nullable_member_has_the_note_required)
{
    auto const mapped = map_member(R"({"type":["string","null"],"default":"x"})");
    BOOST_TEST(notes_of(only_member(mapped)) == "linkspan::note::required; // default: \"x\"");
}

BOOST_AUTO_TEST_CASE(long_default_value_in_a_remark_is_cut_between_two_characters)
{
    std::string const kept(189, 'a');
    auto const mapped = map_member(R"({"enum":["b","c"],"default":")" + kept + "\xe2\x82\xac\"}");
    BOOST_TEST(notes_of(only_member(mapped)) == "// default: \"" + kept);
}

BOOST_AUTO_TEST_CASE(constructor_has_only_required_members_with_several_values)
{
    auto const mapped = map(R"({"type":"object","required":["kind","n","nothing","flag","k"],"properties":{
        "kind":{"const":"a"},"n":{"type":"integer"},"nothing":{"type":"null"},"flag":{"const":true},
        "k":{"enum":["x",null]},"more":{"type":"string"}}})");
    std::vector<std::string> chosen;
    for (auto const& member : mapped.tools.front().arguments.members)
        if (member.in_constructor)
            chosen.push_back(member.name);
    BOOST_TEST(joined(chosen) == "n; k");
}

BOOST_AUTO_TEST_CASE(additional_properties_false_closes_input_structs_but_not_result_structs)
{
    constexpr std::string_view closed = R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{}},
        "additionalProperties":false}},"additionalProperties":false})";
    auto const mapped = map(closed, closed);
    auto const& tool = mapped.tools.front();
    BOOST_TEST(joined(tool.arguments.notes) == "linkspan::note::closed");
    std::vector<std::string> notes;
    for (auto const& type : tool.types) {
        auto const& made = std::get<linkspan::bindgen::struct_binding>(type);
        notes.push_back(made.name + "=" + joined(made.notes));
    }
    BOOST_TEST(joined(notes) == "t_a=linkspan::note::closed; t_result_a=; t_result=");
}

BOOST_AUTO_TEST_CASE(recursive_struct_is_named_and_boxed)
{
    auto const tree = map(R"({"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"$defs":{"node":{
        "type":"object","required":["name","up"],"properties":{"name":{"type":"string"},"up":{"$ref":"#/$defs/node"},
        "kids":{"type":"array","items":{"$ref":"#/$defs/node"}},
        "by_name":{"type":"object","additionalProperties":{"$ref":"#/$defs/node"}}}}}})");
    BOOST_TEST(types_of(tree) == "struct t_node {std::string name; linkspan::box<t_node> up; "
                                 "std::optional<std::map<std::string, linkspan::box<t_node>>> by_name; "
                                 "std::optional<std::vector<t_node>> kids}");
    BOOST_TEST(joined(tree.tools.front().forward) == "t_node");
    auto const root = map(R"({"type":"object","properties":{"more":{"$ref":"#"},
        "list":{"type":"array","items":{"$ref":"#"}}}})");
    BOOST_TEST(shown(root.tools.front().arguments) ==
               "struct t {std::optional<std::vector<t>> list; std::optional<linkspan::box<t>> more}");
    auto const mutual = map(R"({"type":"object","properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{
        "a":{"type":"object","properties":{"b":{"$ref":"#/definitions/b"}}},
        "b":{"type":"object","properties":{"a":{"$ref":"#/definitions/a"}}}}})");
    BOOST_TEST(types_of(mutual) ==
               "struct t_b {std::optional<linkspan::box<t_a>> a}; struct t_a {std::optional<t_b> b}");
    BOOST_TEST(joined(mutual.tools.front().forward) == "t_a");
    auto const merged = map(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[
        {"type":"object","properties":{"n":{"type":"integer"}}},
        {"type":"object","properties":{"next":{"$ref":"#/$defs/a"}}}]}}})");
    BOOST_TEST(types_of(merged) ==
               "struct t_a {std::optional<std::int64_t> n; std::optional<linkspan::box<t_a>> next}");
}

BOOST_AUTO_TEST_CASE(recursive_type_that_is_not_an_object_is_free_form)
{
    auto const mapped = map(R"({"type":"object","properties":{"x":{"$ref":"#/$defs/list"}},"$defs":{"list":{
        "anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/list"}}]}}})");
    BOOST_TEST(only_member(mapped).type == "std::optional<std::variant<std::string, std::vector<boost::json::value>>>");
    BOOST_TEST(problems_of(mapped) == "/inputSchema/$defs/list: recursive, but not an object");
}

BOOST_AUTO_TEST_CASE(reference_to_a_sibling_property_yields_the_same_type)
{
    auto const mapped = map(R"({"type":"object","properties":{
        "from":{"type":"object","properties":{"kind":{"enum":["a","b"]},"n~/ %":{"enum":["c","d"]}}},
        "to":{"$ref":"#/properties/from"},"kind":{"$ref":"#/properties/from/properties/kind"},
        "odd":{"$ref":"#/properties/from/properties/n~0~1%20%25"}}})");
    BOOST_TEST(shown(mapped.tools.front().arguments) ==
               "struct t {std::optional<t_from> from; std::optional<t_from_kind> kind; std::optional<t_from_n> odd; "
               "std::optional<t_from> to}");
    BOOST_TEST(problems_of(mapped) == "");
}

BOOST_AUTO_TEST_CASE(equal_types_of_a_tool_are_merged)
{
    auto const mapped = map(R"({"type":"object","properties":{
        "a":{"type":"object","properties":{"n":{"type":"integer"},"e":{"enum":["x","y"]}}},
        "b":{"type":"object","properties":{"n":{"type":"integer"},"e":{"enum":["x","y"]}}},
        "c":{"type":"object","properties":{"n":{"type":"integer","minimum":1},"e":{"enum":["x","y"]}}}}})");
    BOOST_TEST(shown(mapped.tools.front().arguments) ==
               "struct t {std::optional<t_a> a; std::optional<t_a> b; std::optional<t_c> c}");
}

BOOST_AUTO_TEST_CASE(unused_types_are_omitted)
{
    auto const mapped = map_member(R"({"anyOf":[{"enum":["a","b"]},{"enum":["c","d"]}]})");
    BOOST_TEST(types_of(mapped) == "enum t_x {a, b, c, d}");
    BOOST_TEST(types_of(map_member(R"({"anyOf":[{"type":"object","properties":{"a":{"enum":["b","c"]}}},
        {"type":"object","properties":{"d":{}}}]})")) == "");
}

BOOST_AUTO_TEST_CASE(member_names_are_unique_identifiers)
{
    auto const mapped = map(R"({"type":"object","properties":{"orderBy":{},"order_by":{},"a-b":{},"a.b":{},"a_b":{},
        "namespace":{},"min":{},"min_":{},"tool":{},"t":{},"":{},"x-loc-lat":{}}})");
    std::string names;
    for (auto const& member : mapped.tools.front().arguments.members)
        names += member.name + ' ';
    BOOST_TEST(names == "empty a_b a_b_2 a_b_3 min_ min_2 namespace_ orderBy order_by t_2 tool_ x_loc_lat ");
    BOOST_TEST(joined(mapped.tools.front().arguments.members[1].notes) == R"(linkspan::note::named{"a-b"})");
    BOOST_TEST(joined(mapped.tools.front().arguments.members[8].notes) == "");
}

// In C++ a member must not have the name of a type that the struct uses without a qualifier; `std::string` does not
// prevent a member `string`.
BOOST_AUTO_TEST_CASE(member_is_not_named_like_a_generated_type_that_its_struct_uses)
{
    auto const mapped = map(R"({"type":"object","properties":{"x":{"enum":["a","b"]},"t_x":{"type":"string"},
        "string":{"type":"string"},"value":{}}})");
    BOOST_TEST(shown(mapped.tools.front().arguments) ==
               "struct t {std::optional<std::string> string; std::optional<std::string> t_x_2; "
               "std::optional<boost::json::value> value; std::optional<t_x> x}");
}

// The struct of the arguments has an alias `result_type` of the result type.
BOOST_AUTO_TEST_CASE(member_is_not_named_like_the_result_type)
{
    constexpr std::string_view input = R"({"type":"object","properties":{"t_result":{"type":"string"}}})";
    auto const members = [&](std::string_view result) { return shown(map(input, result).tools.front().arguments); };
    BOOST_TEST(members(R"({"type":"object","properties":{"a":{}}})") ==
               "struct t {std::optional<std::string> t_result_2}");
    BOOST_TEST(members(R"({"type":"object"})") == "struct t {std::optional<std::string> t_result_2}");
    BOOST_TEST(members("") == "struct t {std::optional<std::string> t_result}");
}

BOOST_AUTO_TEST_CASE(member_for_free_form_arguments_is_not_named_like_its_struct)
{
    auto const mapped = bindgen::map_tools({tool("arguments", "{}")});
    BOOST_TEST(shown(mapped.tools.front().arguments) ==
               "struct arguments {linkspan::rest<boost::json::value> arguments_2}");
}

BOOST_AUTO_TEST_CASE(result_does_not_use_types_of_free_form_arguments)
{
    std::string many; // with "e" and "more": 53 members, more than the maximum of 52
    for (int i = 0; i != 51; ++i)
        many += ",\"m" + std::to_string(i) + "\":{}";
    auto const mapped =
        map(R"({"type":"object","required":["more"],"properties":{"e":{"enum":["a","b"]})" + many + "}}",
            R"({"type":"object","properties":{"e":{"enum":["a","b"]}}})");
    BOOST_TEST(shown(mapped.tools.front().arguments) == free_arguments);
    BOOST_TEST(types_of(mapped) == "enum t_result_e {a, b}; struct t_result {std::optional<t_result_e> e}");
}

// A struct has at most 52 members (the limit of Boost.Describe). Required names and the member for additional members
// count; disallowed members do not.
BOOST_AUTO_TEST_CASE(object_with_too_many_members_is_free_form_before_a_nested_type_refers_to_it)
{
    std::string properties = R"("next":{"$ref":"#/$defs/y"})";
    for (int i = 0; i != 51; ++i)
        properties += ",\"m" + std::to_string(i) + "\":{}";
    auto const type_with = [&](std::string const& more) {
        auto const mapped = map(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/y"}},
            "$defs":{"y":{"type":"object","properties":{"up":{"$ref":"#/$defs/x"}}},"x":{"type":"object","properties":{)" +
                                properties + more + "}}}");
        return shown(mapped.tools.front().arguments) + ' ' + joined(mapped.tools.front().forward);
    };
    BOOST_TEST(type_with("}") == "struct t {std::optional<t_x> a; std::optional<t_y> b} t_x");
    BOOST_TEST(type_with(R"(,"never":false})") == "struct t {std::optional<t_x> a; std::optional<t_y> b} t_x");
    for (std::string const more : {R"(},"required":["more"])", R"(},"additionalProperties":{"type":"string"})"})
        BOOST_TEST(type_with(more) == "struct t {std::optional<boost::json::object> a; std::optional<t_y> b} ");
}

BOOST_AUTO_TEST_CASE(recursive_type_is_kept_if_an_equal_type_exists)
{
    auto const mapped = map(R"({"type":"object","properties":{"a":{"type":"object","properties":{"u":{}}},
        "b":{"$ref":"#/$defs/x"},"c":{"$ref":"#/$defs/y"}},"$defs":{
        "x":{"type":"object","properties":{"u":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/y"}},
            {"type":"array","items":{"type":"integer"}}]}}},
        "y":{"type":"object","properties":{"up":{"$ref":"#/$defs/x"}}}}})");
    BOOST_TEST(types_of(mapped) == "struct t_a {std::optional<boost::json::value> u}; "
                                   "struct t_y {std::optional<linkspan::box<t_x>> up}; "
                                   "struct t_x {std::optional<boost::json::value> u}");
}

BOOST_AUTO_TEST_CASE(ref_sibling_in_all_of_is_an_additional_part)
{
    auto const type_of = [](std::string_view dialect, std::string_view part) {
        auto const mapped = map(R"({)" + std::string(dialect) + R"("type":"object","required":["x"],"properties":{
            "x":{"allOf":[)" + std::string(part) +
                                R"(]}},"$defs":{"also":{"$ref":"#/$defs/base","required":["id"]},
            "base":{"type":"object","properties":{"id":{"type":"string"}}}}})");
        return types_of(mapped);
    };
    constexpr std::string_view beside = R"({"$ref":"#/$defs/base","required":["id"],
        "properties":{"extra":{"type":"integer"}}})";
    BOOST_TEST(type_of("", beside) == "struct t_x {std::string id; std::optional<std::int64_t> extra}");
    BOOST_TEST(type_of("", R"({"$ref":"#/$defs/also"})") == "struct t_x {std::string id}");
    BOOST_TEST(type_of("", R"({"$ref":"#/$defs/base","allOf":[{"required":["id"]}]})") ==
               "struct t_x {std::string id}");
    BOOST_TEST(type_of("", R"({"$ref":"#/$defs/base","type":"string"})") == "");
    BOOST_TEST(type_of(R"("$schema":"http://json-schema.org/draft-07/schema#",)", beside) ==
               "struct t_x {std::optional<std::string> id}");
}

BOOST_AUTO_TEST_CASE(sibling_of_the_root_reference_is_reported)
{
    auto const mapped = map(R"({"$ref":"#/$defs/all","required":["a"],"$defs":{"all":{"type":"object",
        "properties":{"a":{"type":"string"}}}}})");
    BOOST_TEST(joined(mapped.tools.front().arguments.remarks) == "also: required");
}

BOOST_AUTO_TEST_CASE(tool_identifiers_keep_valid_names_and_get_numbers_if_equal)
{
    constexpr std::string_view none = R"({"type":"object"})";
    auto const mapped = linkspan::bindgen::map_tools({tool("a-b", none), tool("a_b", none), tool("a.b", none),
                                                      tool("export", none), tool("a_b", R"({"type":"string"})")});
    std::string names;
    for (auto const& made : mapped.tools)
        names += made.tool.name + "=" + made.arguments.name + ' ';
    BOOST_TEST(names == "a-b=a_b_2 a.b=a_b_3 a_b=a_b export=export_ ");
}

BOOST_AUTO_TEST_CASE(added_tool_does_not_rename_types_of_other_tools)
{
    constexpr std::string_view nested =
        R"({"type":"object","properties":{"x":{"type":"object","properties":{"y":{"enum":["a","b"]}}}}})";
    auto const alone = linkspan::bindgen::map_tools({tool("m", nested, nested)});
    auto const among = linkspan::bindgen::map_tools({tool("a", nested, nested), tool("m", nested, nested),
                                                     tool("z", nested), tool("m_", nested), tool("M", nested)});
    for (auto const& made : among.tools)
        if (made.tool.name == "m") {
            BOOST_TEST(shown(made.arguments) == shown(alone.tools.front().arguments));
            BOOST_TEST(made.result_type == alone.tools.front().result_type);
            BOOST_TEST(made.types.size() == alone.tools.front().types.size());
        }
}

BOOST_AUTO_TEST_CASE(tool_that_cannot_be_mapped_does_not_affect_others)
{
    auto const mapped = linkspan::bindgen::map_tools(
        {tool("a", "{"), tool("b", R"({"type":"object","properties":{"x":{"type":"string"}}})"), tool("c", "[]")});
    BOOST_TEST_REQUIRE(mapped.tools.size() == 3U);
    BOOST_TEST(shown(mapped.tools[1].arguments) == "struct b {std::optional<std::string> x}");
    BOOST_TEST(mapped.problems.size() == 2U);
    BOOST_TEST(joined(mapped.tools[0].remarks) == "free-form: not valid JSON, or nested too deeply");
}

BOOST_AUTO_TEST_SUITE_END()
