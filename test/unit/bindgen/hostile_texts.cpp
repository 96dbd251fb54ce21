// Texts of servers that attack the generator or the compiler of the generated header.

#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/lock.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/one_tool.hpp"

BOOST_AUTO_TEST_SUITE(hostile_texts_test)

using namespace linkspan::bindgen;

namespace {

std::string header_of(linkspan::tool const& tool) { return write_header(map_tools({tool}).tools, {"x", "0", "s"}); }

std::string quoted(std::string_view text)
{
    std::string out;
    linkspan::append_quoted(out, text);
    return out;
}

constexpr std::string_view attacks[] = {
    "*/ int evil = 1; /*",
    "line\nint evil = 1;",
    "line\r\nint evil = 1;",
    "line\rint evil = 1;",
    "back\\\nint evil = 1;",
    "back\\ \nint evil = 1;",
    "back ?\?/\nint evil = 1;",
    "\"; int evil = 1; //",
    ")json\"; int evil = 1; //",
    ")\"; int evil = 1; //",
    "\\\"; int evil = 1; //",
    "line\xe2\x80\xa8int evil = 1;",
    "line\xc2\x85int evil = 1;",
    "line\x0bint evil = 1;",
    "line\x0cint evil = 1;",
    "\xe2\x80\xae;1 = live tni",
    "#define evil",
    "\n#include \"/etc/passwd\"",
    "), int evil = 1; LINKSPAN_STRUCT(t",
    "%s%n",
    "\xff\xfe",
    {"zero\0int evil = 1;", 18},
    {"zero\0\nint evil = 1;", 19},
};

// Returns the code of a line, without literals and without the comment after "//".
std::string code_of(std::string_view line, bool& is_malformed)
{
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line.substr(i).starts_with("//"))
            return out;
        if (line.substr(i).starts_with("R\"")) {
            auto const open = line.find('(', i);
            auto const close = ")" + std::string(line.substr(i + 2, open - i - 2)) + "\"";
            auto const end = line.find(close, open);
            if (end == line.npos) {
                is_malformed = true;
                return out;
            }
            i = end + close.size() - 1;
        } else if (line[i] == '"') {
            for (++i; i < line.size() && line[i] != '"'; ++i)
                i += line[i] == '\\';
            is_malformed = is_malformed || i >= line.size();
        } else {
            out += line[i];
        }
    }
    return out;
}

// Checks that text of the server is only in comments, literals and identifiers, and contains no misleading characters.
void check_harmless(std::string const& header)
{
    for (std::size_t at = 0; at < header.size();) {
        auto const end = header.find('\n', at);
        BOOST_TEST_REQUIRE(end != header.npos);
        auto const line = std::string_view(header).substr(at, end - at);
        bool is_malformed = false;
        auto const code = code_of(line, is_malformed);
        BOOST_TEST(!is_malformed, line);
        BOOST_TEST(code.find("int evil") == code.npos, line);
        BOOST_TEST(!line.ends_with('\\'), line);
        BOOST_TEST((line.find("//") != line.npos || line.find("?\?") == line.npos), line);
        BOOST_TEST(!line.ends_with("?\?/"), line);
        BOOST_TEST(std::ranges::all_of(code, [](char c) { return c >= ' ' && c <= '~'; }), line);
        if (line.starts_with('#'))
            BOOST_TEST((line.starts_with("#ifndef LINKSPAN_") || line.starts_with("#define LINKSPAN_") ||
                        line == "#endif" || line == "#include <linkspan/describe/bindings.hpp>"),
                       line);
        at = end + 1;
    }
    for (std::string_view const hidden : {"\xe2\x80\xae", "\xe2\x80\xa8", "\xc2\x85", "\xff", "\x0b", "\x0c", "\r"})
        BOOST_TEST(header.find(hidden) == header.npos);
    BOOST_TEST(header.find('\0') == header.npos);
    // An object that is constructed from a literal without its size would end at the zero byte.
    constexpr std::string_view cut = "\"zero\\000";
    for (auto at = header.find(cut); at != header.npos; at = header.find(cut, at + 1)) {
        auto const before = std::string_view(header).substr(0, at);
        BOOST_TEST((before.ends_with("std::string_view(") || before.ends_with("linkspan::literal<")),
                   header.substr(at, 40));
    }
}

// All positions of texts in the tools of a server.
linkspan::tool tool_with(std::string_view text)
{
    auto const q = quoted(text);
    auto const schema =
        R"({"type":"object","title":)" + q + R"(,"description":)" + q + R"(,"required":[)" + q + R"(],"$comment":)" +
        q + R"(,"x-)" + q.substr(1) + R"(:1,"properties":{)" + q + R"(:{"type":"string","description":)" + q +
        R"(,"title":)" + q + R"(,"default":)" + q + R"(,"examples":[)" + q + R"(,{"a":1}],"pattern":)" + q +
        R"(,"format":)" + q + R"(},"e":{"enum":["a",)" + q + R"(],"default":)" + q + R"(},"c":{"const":)" + q +
        R"(},"l":{"type":"array","default":[)" + q + R"(],"items":{"type":"object","description":)" + q +
        R"(,"properties":{)" + q + R"(:{"enum":["x",)" + q + R"(]}}}},"u":{"anyOf":[{"type":"object",
                        "required":["k"],"properties":{"k":{"const":)" +
        q + R"(}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b"}}}]},"r":{"$ref":)" + q +
        R"(},"n":{"not":{},"enum":[1,)" + q + "]}}}";
    auto out = one_tool::tool(std::string(text), schema, schema);
    out.description = text;
    out.title = text;
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(server_text_in_a_generated_header_is_escaped)
{
    for (auto const attack : attacks)
        BOOST_TEST_CONTEXT(attack) {
            auto const tool = tool_with(attack);
            check_harmless(write_header(map_tools({tool}).tools, {"x", "0", std::string(attack)}));
            auto const read = read_lock(write_lock({std::string(attack), std::string(attack), {tool}}));
            check_harmless(write_header(map_tools(read.tools).tools, {"x", "0", "s"}));
            BOOST_TEST(schema_fingerprint(read.tools.at(0)) == schema_fingerprint(tool));
        }
}

BOOST_AUTO_TEST_CASE(schema_nested_deeper_than_the_limit_is_free_form)
{
    for (std::size_t const depth : {60U, 70U, 200U, 505U, 10'000U}) {
        std::string schema = R"({"type":"object","properties":{"x":)";
        for (std::size_t i = 0; i != depth / 2; ++i)
            schema += R"({"type":"array","items":)";
        schema += R"({"type":"string"})";
        schema += std::string(depth / 2, '}') + "}}";
        auto const mapped = map_tools({one_tool::tool("t", schema), one_tool::tool("u", R"({"type":"object"})")});
        BOOST_TEST(mapped.tools.size() == 2U);
        BOOST_TEST(mapped.problems.size() == (depth > 128 ? 1U : 0U), depth);
        BOOST_TEST(header_of(mapped.tools[0].tool).size() < 100'000U);
    }
}

BOOST_AUTO_TEST_CASE(circular_references_terminate)
{
    for (
        std::string_view const schema :
        {R"({"$ref":"#"})", R"({"type":"object","properties":{"x":{"$ref":"#/properties/x"}}})",
         R"({"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})",
         R"({"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}})",
         R"({"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}})",
         R"({"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}}})",
         R"({"type":"object","additionalProperties":{"$ref":"#"}})",
         R"({"type":"object","properties":{"x":{"type":"array","prefixItems":[{"$ref":"#"}],"minItems":1,"items":false}}})"})
        BOOST_TEST_CONTEXT(schema) {
            check_harmless(header_of(one_tool::tool("t", schema, schema)));
            BOOST_TEST(compare_tools({one_tool::tool("t", schema)}, {one_tool::tool("t", schema)}).empty());
        }
}

// A separate type for each occurrence would result in 2 to the power of 40 types.
BOOST_AUTO_TEST_CASE(header_for_types_that_double_at_each_level_is_bounded)
{
    for (std::string_view const shape : {R"({"type":"array","minItems":2,"items":false,"prefixItems":[@,@]})",
                                         R"({"allOf":[@,@]})", R"({"anyOf":[@,{"type":"array","items":@}]})",
                                         R"({"type":"object","properties":{"a":@,"b":@},"required":["a"]})"}) {
        std::string defs = R"("d0":{"type":"string"})";
        for (int i = 1; i != 41; ++i) {
            std::string def(shape);
            for (auto at = def.find('@'); at != def.npos; at = def.find('@', at))
                def.replace(at, 1, R"({"$ref":"#/$defs/d)" + std::to_string(i - 1) + "\"}");
            defs += ",\"d" + std::to_string(i) + "\":" + def;
        }
        auto const header = header_of(one_tool::tool(
            "t", R"({"type":"object","properties":{"x":{"$ref":"#/$defs/d40"}},"$defs":{)" + defs + "}}"));
        BOOST_TEST(header.size() < 200'000U, shape);
    }
}

// Each member would have its own copy of the values.
BOOST_AUTO_TEST_CASE(repeated_merging_of_large_schemas_is_bounded)
{
    std::string values;
    for (int i = 0; i != 9'000; ++i)
        (values += i == 0 ? "" : ",") += std::to_string(i);
    std::string members;
    for (int i = 0; i != 50; ++i)
        (members += i == 0 ? "" : ",") +=
            "\"m" + std::to_string(i) + R"(":{"type":"object","allOf":[{"$ref":"#/$defs/large"}]})";
    auto const mapped =
        map_tools({one_tool::tool("t", R"({"type":"object","properties":{)" + members +
                                           R"(},"$defs":{"large":{"properties":{"x":{"enum":[)" + values + "]}}}}}")});
    BOOST_TEST(mapped.problems.size() == 28U); // the members from the 23rd on, sorted by name
    BOOST_TEST(to_string(mapped.problems.at(0)) ==
               "tool 't': /inputSchema/properties/m29: parts of allOf are too large to be merged");
}

// Each union compares each of its alternatives with all others.
BOOST_AUTO_TEST_CASE(number_of_large_unions_is_bounded)
{
    std::string defs, refs, members;
    for (int i = 0; i != 60; ++i) {
        auto const name = std::to_string(i);
        auto const comma = i == 0 ? "" : ",";
        defs += comma + ("\"d" + name) + R"(":{"type":"object","required":["k"],"properties":{"k":{"const":")" + name +
                "\"}}}";
        refs += comma + (R"({"$ref":"#/$defs/d)" + name) + "\"}";
    }
    for (int i = 0; i != 20; ++i)
        members += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":{\"anyOf\":[" + refs + "]}";
    auto const mapped = map_tools(
        {one_tool::tool("t", R"({"type":"object","properties":{)" + members + R"(},"$defs":{)" + defs + "}}")});
    BOOST_TEST(mapped.problems.size() == 7U); // the members from the 14th on
    BOOST_TEST(to_string(mapped.problems.at(0)).ends_with("the tool has too many alternatives to be distinguished"));
}

BOOST_AUTO_TEST_CASE(enumerations_and_number_of_types_are_bounded)
{
    std::string values;
    for (int i = 0; i != 20'000; ++i)
        (values += i == 0 ? "" : ",") += "\"" + std::to_string(i) + "+\"";
    auto const mapped = one_tool::map_member("{\"enum\":[" + values + "]}");
    BOOST_TEST(one_tool::only_member(mapped).type == "std::string");
    BOOST_TEST(one_tool::joined(one_tool::only_member(mapped).remarks) == "also: enum");

    std::string members;
    for (int i = 0; i != 53; ++i)
        (members += i == 0 ? "" : ",") += "\"m" + std::to_string(i) + "\":{}";
    auto const wide = one_tool::map(R"({"type":"object","properties":{)" + members + "}}");
    BOOST_TEST(one_tool::problems_of(wide) == "/inputSchema: more than 52 members");
    auto const inner = one_tool::map_member(R"({"type":"object","properties":{)" + members + "}}");
    BOOST_TEST(one_tool::only_member(inner).type == "boost::json::object");
    BOOST_TEST(one_tool::problems_of(inner) == "/inputSchema/properties/x: more than 52 members");

    std::string alternatives;
    for (int i = 0; i != 3'000; ++i)
        (alternatives += i == 0 ? "" : ",") +=
            R"({"type":"object","required":["k"],"properties":{"k":{"const":"k)" + std::to_string(i) + "\"}}}";
    auto const unions = one_tool::map_member("{\"anyOf\":[" + alternatives + "]}");
    BOOST_TEST(one_tool::only_member(unions).type == "boost::json::value");

    std::string types;
    for (int i = 0; i != 60; ++i) {
        std::string inner_types;
        for (int j = 0; j != 50; ++j)
            (inner_types += j == 0 ? "" : ",") +=
                "\"m" + std::to_string(j) + R"(":{"enum":["a","b)" + std::to_string(i * 50 + j) + "\"]}";
        (types += i == 0 ? "" : ",") +=
            "{\"type\":\"object\",\"required\":[\"r" + std::to_string(i) + "\"],\"properties\":{" + inner_types + "}}";
    }
    auto const many = one_tool::map_member("{\"anyOf\":[" + types + "]}");
    BOOST_TEST(many.tools.front().types.size() <= 2'100U);
    BOOST_TEST(one_tool::problems_of(many).find("the tool has more than 2000 types") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(many_tools_with_equal_identifiers_get_distinct_names)
{
    std::vector<linkspan::tool> tools;
    for (int i = 1; i != 2'000; ++i)
        tools.push_back(one_tool::tool(std::string(static_cast<std::size_t>(i), '+'), R"({"type":"object"})"));
    auto const mapped = map_tools(tools);
    std::vector<std::string> names;
    for (auto const& tool : mapped.tools)
        names.push_back(tool.arguments.name);
    std::ranges::sort(names);
    BOOST_TEST((std::ranges::adjacent_find(names) == names.end()));
}

BOOST_AUTO_TEST_SUITE_END()
