#include <linkspan/protocol/mirrored_arguments.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(mirrored_arguments_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

// Returns the arguments as "Mcp-Param-Region region; Mcp-Param-Id user.id", or the fault.
std::string read(std::string_view schema)
{
    auto const found = read_mirrored_arguments(schema);
    if (!found.fault.empty())
        return found.all.empty() ? found.fault : "a fault and arguments";
    std::string out;
    for (auto const& argument : found.all) {
        (out += out.empty() ? "" : "; ") += argument.header + ' ';
        for (auto const& key : argument.path)
            (out += &key == argument.path.data() ? "" : ".") += key;
    }
    return out;
}

std::string property(std::string const& schema) { return R"({"type":"object","properties":{"a":)" + schema + "}}"; }

struct row {
    char const* what;
    std::string schema;
    std::string expected;
};

std::ostream& operator<<(std::ostream& out, row const& of) { return out << of.what; }

std::string const at_no_path = "schema with x-mcp-header is not reachable through 'properties' only";
std::string const no_token = "/properties/a: x-mcp-header is not an HTTP token";
std::string const wrong_type = "/properties/a: x-mcp-header requires type 'integer', 'string' or 'boolean'";

row const rows[] = {
    {"no annotation", property(R"({"type":"string"})"), ""},
    {"invalid JSON", R"({"x-mcp-header":)", ""},
    {"type string", property(R"({"type":"string","x-mcp-header":"Region"})"), "Mcp-Param-Region a"},
    {"type integer", property(R"({"type":"integer","x-mcp-header":"N"})"), "Mcp-Param-N a"},
    {"type boolean", property(R"({"type":"boolean","x-mcp-header":"B"})"), "Mcp-Param-B a"},
    {"all characters of a token", property(R"({"type":"string","x-mcp-header":"!#$%&'*+-.^_`|~09azAZ"})"),
     "Mcp-Param-!#$%&'*+-.^_`|~09azAZ a"},
    {"nested", property(R"({"type":"object","properties":{"b":{"type":"string","x-mcp-header":"X"}}})"),
     "Mcp-Param-X a.b"},
    {"two, in order",
     R"({"properties":{"z":{"type":"string","x-mcp-header":"Z"},"a":{"type":"string","x-mcp-header":"A"}}})",
     "Mcp-Param-Z z; Mcp-Param-A a"},
    {"a property named x-mcp-header", R"({"properties":{"x-mcp-header":{"type":"string"}}})", ""},
    {"x-mcp-header within a value", property(R"({"enum":[{"x-mcp-header":""}],"default":{"x-mcp-header":1}})"), ""},
    {"a property without a schema", R"({"properties":{"a":true,"x-mcp-header":false}})", ""},
    {"type number", property(R"({"type":"number","x-mcp-header":"N"})"), wrong_type},
    {"type object", property(R"({"type":"object","x-mcp-header":"N"})"), wrong_type},
    {"several types", property(R"({"type":["string","null"],"x-mcp-header":"N"})"), wrong_type},
    {"no type", property(R"({"x-mcp-header":"N"})"), wrong_type},
    {"empty name", property(R"({"type":"string","x-mcp-header":""})"), no_token},
    {"header name with a space", property(R"({"type":"string","x-mcp-header":"a b"})"), no_token},
    {"header name with a colon", property(R"({"type":"string","x-mcp-header":"a:b"})"), no_token},
    {"header name with a line break", property(R"({"type":"string","x-mcp-header":"a\r\nX-Evil: 1"})"), no_token},
    {"header name that is not ASCII", property(R"({"type":"string","x-mcp-header":"\u00e4"})"), no_token},
    {"header name that is no string", property(R"({"type":"string","x-mcp-header":1})"), no_token},
    {"two names that differ in case only",
     R"({"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"rEGION"}}})",
     "/properties/b: x-mcp-header 'rEGION' is not unique"},
    {"at the root", R"({"type":"string","x-mcp-header":"X"})", "the schema: " + at_no_path},
    {"in items", property(R"({"type":"array","items":{"type":"string","x-mcp-header":"X"}})"),
     "/properties/a/items: " + at_no_path},
    {"below items", property(R"({"items":{"properties":{"b/c":{"type":"string","x-mcp-header":"X"}}}})"),
     "/properties/a/items/properties/b~1c: " + at_no_path},
    {"in oneOf", property(R"({"oneOf":[{"type":"string","x-mcp-header":"X"}]})"), "/properties/a/oneOf: " + at_no_path},
    {"in not", property(R"({"not":{"type":"string","x-mcp-header":"X"}})"), "/properties/a/not: " + at_no_path},
    {"in then", R"({"then":{"properties":{"a":{"type":"string","x-mcp-header":"X"}}}})",
     "/then/properties/a: " + at_no_path},
    {"in a definition", R"({"$defs":{"d":{"type":"string","x-mcp-header":"X"}}})", "/$defs/d: " + at_no_path},
    {"in patternProperties", R"({"patternProperties":{"^a":{"type":"string","x-mcp-header":"X"}}})",
     "/patternProperties/^a: " + at_no_path},
};

struct value_row {
    char const* arguments;
    char const* value; // null: no header
};

std::ostream& operator<<(std::ostream& out, value_row const& of) { return out << of.arguments; }

constexpr value_row values[] = {
    {R"({"a":{"b":"eu"}})", "eu"},
    {R"({ "x" : 1, "a" : { "c" : 2 , "b" : "eu" } })", "eu"},
    {R"({"a":{"b":""}})", ""},
    {R"({"a":{"b":" eu"}})", "=?base64?IGV1?="},
    {R"({"a":{"b":"\u0065u"}})", "eu"},
    {R"({"a":{"b":"a\r\nX-Evil: 1"}})", "=?base64?YQ0KWC1FdmlsOiAx?="},
    {R"({"\u0061":{"\u0062":"eu"}})", "eu"},
    {R"({"a":{"b":42}})", "42"},
    {R"({"a":{"b":9007199254740991}})", "9007199254740991"},
    {R"({"a":{"b":-9007199254740991}})", "-9007199254740991"},
    {R"({"a":{"b":9007199254740992}})", nullptr},
    {R"({"a":{"b":-9223372036854775808}})", nullptr},
    {R"({"a":{"b":9007199254740992.0}})", nullptr},
    {R"({"a":{"b":42.0}})", "42"},
    {R"({"a":{"b":4.2e1}})", "42"},
    {R"({"a":{"b":42.5}})", nullptr},
    {R"({"a":{"b":1e300}})", nullptr},
    {R"({"a":{"b":true}})", "true"},
    {R"({"a":{"b":false}})", "false"},
    {R"({"a":{"b":null}})", nullptr},
    {R"({"a":{"b":{}}})", nullptr},
    {R"({"a":{"b":["eu"]}})", nullptr},
    {R"({"a":{}})", nullptr},
    {R"({"a":["b","eu"]})", nullptr},
    {R"({"a":"b"})", nullptr},
    {R"({"b":"eu"})", nullptr},
    {"{}", nullptr},
    {"", nullptr},
};

} // namespace

BOOST_DATA_TEST_CASE(annotations_of_a_schema_result_in_headers_or_a_fault, data::make(rows))
{
    BOOST_TEST(read(sample.schema) == sample.expected);
}

BOOST_DATA_TEST_CASE(mirrored_value_is_encoded_or_omitted, data::make(values))
{
    auto const value = mirrored_value(sample.arguments, {"Mcp-Param-X", {"a", "b"}});
    BOOST_TEST(value.has_value() == (sample.value != nullptr));
    if (value && sample.value)
        BOOST_TEST(*value == sample.value);
}

BOOST_AUTO_TEST_CASE(annotation_in_a_deep_schema_is_read)
{
    constexpr int depth = 100;
    std::string schema = R"({"type":"string","x-mcp-header":"Deep"})";
    for (int i = 0; i != depth; ++i)
        schema = R"({"type":"object","properties":{"p":)" + schema + "}}";
    auto const read = read_mirrored_arguments(schema);
    BOOST_TEST_REQUIRE(read.all.size() == 1u);
    BOOST_TEST(read.all[0].path.size() == depth);
}

BOOST_AUTO_TEST_SUITE_END()
