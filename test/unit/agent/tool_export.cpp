#include <linkspan/agent/tool_export.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(tool_export_test)

using linkspan::catalog;
using linkspan::catalog_entry;
using linkspan::export_tools;
using linkspan::render_tool_prompt;
using linkspan::tool_format;
namespace json = boost::json;

namespace {

catalog_entry entry(std::string exposed, std::string description, std::string schema)
{
    catalog_entry one;
    one.server_key = "github";
    one.exposed = std::move(exposed);
    linkspan::tool tool;
    tool.name = "search";
    tool.description = std::move(description);
    tool.input_schema = std::move(schema);
    one.tool = std::make_shared<linkspan::tool const>(std::move(tool));
    return one;
}

catalog const all({
    entry("mcp_github_search", "Searches.\nSlowly.",
          R"({"type":"object","properties":{"query":{"type":"string","description":"what"},
              "limit":{"type":"integer","minimum":1},"where":{"type":["string","null"]},"how":{"type":"object"}},
              "required":["query"],"additionalProperties":false})"),
    entry("mcp_github_ping", "", "{}"),
});

json::value parsed(tool_format format) { return json::parse(export_tools(all, format)); }

} // namespace

BOOST_AUTO_TEST_CASE(flat_export_lists_parameters)
{
    auto const expected = json::parse(R"([
        {"name": "mcp_github_search", "description": "Searches.\nSlowly.", "_server": "github", "parameters": [
            {"name": "query", "type": "string", "required": true, "description": "what"},
            {"name": "limit", "type": "integer", "required": false, "description": "",
             "schema": {"type": "integer", "minimum": 1}},
            {"name": "where", "type": "any", "required": false, "description": "",
             "schema": {"type": ["string", "null"]}},
            {"name": "how", "type": "object", "required": false, "description": "", "schema": {"type": "object"}}]},
        {"name": "mcp_github_ping", "description": "", "_server": "github", "parameters": []}])");
    BOOST_TEST(parsed(tool_format::flat) == expected);
}

BOOST_AUTO_TEST_CASE(provider_exports_contain_the_schema)
{
    auto const schema = json::parse(all.tools()[0].tool->input_schema);
    auto const empty = json::parse(R"({"type":"object","properties":{}})");
    auto const openai = parsed(tool_format::openai);
    BOOST_TEST(openai.at(0).at("type") == "function");
    BOOST_TEST(openai.at(0).at("function").at("name") == "mcp_github_search");
    BOOST_TEST(openai.at(0).at("function").at("description") == "Searches.\nSlowly.");
    BOOST_TEST(openai.at(0).at("function").at("parameters") == schema);
    BOOST_TEST(openai.at(1).at("function").at("parameters") == empty);
    auto const anthropic = parsed(tool_format::anthropic);
    BOOST_TEST(anthropic.at(0).at("name") == "mcp_github_search");
    BOOST_TEST(anthropic.at(0).at("input_schema") == schema);
    BOOST_TEST(anthropic.at(1).at("input_schema") == empty);
    BOOST_TEST(anthropic.as_array().size() == 2u);
    auto const responses = parsed(tool_format::openai_responses);
    BOOST_TEST(responses.at(0).at("type") == "function");
    BOOST_TEST(responses.at(0).at("name") == "mcp_github_search");
    BOOST_TEST(responses.at(0).at("parameters") == schema);
    BOOST_TEST(responses.at(0).at("strict") == false);
}

BOOST_AUTO_TEST_CASE(duplicate_or_unnamed_tool_is_exported_at_most_once)
{
    catalog const shared({entry("search", "", "{}"), entry("search", "", "{}"), entry("", "", "{}")});
    for (auto const format : {tool_format::flat, tool_format::openai, tool_format::anthropic})
        BOOST_TEST(json::parse(export_tools(shared, format)).as_array().size() == 1u);
    BOOST_TEST(export_tools(catalog(), tool_format::flat) == "[]");
}

// A schema that cannot be converted affects only its own tool.
BOOST_AUTO_TEST_CASE(tool_with_invalid_schema_is_exported_as_object)
{
    for (auto const* const schema :
         {"", "true", "[1]", "{", R"({"properties":5})", R"({"required":"query"})", R"({"properties":{"a":true}})"}) {
        catalog const odd({entry("odd", "Odd.", schema)});
        for (auto const format : {tool_format::flat, tool_format::openai, tool_format::anthropic})
            BOOST_TEST(json::parse(export_tools(odd, format)).as_array().size() == 1u, schema);
        BOOST_TEST(render_tool_prompt(odd).starts_with("- odd("), schema);
    }
}

BOOST_AUTO_TEST_CASE(tool_prompt_has_one_line_per_tool)
{
    BOOST_TEST(render_tool_prompt(all) == "- mcp_github_search(query, limit?, where?, how?): Searches.\n"
                                          "- mcp_github_ping()\n");
}

BOOST_AUTO_TEST_CASE(tool_prompt_over_budget_is_truncated_and_counts_omitted_tools)
{
    auto const whole = render_tool_prompt(all);
    BOOST_TEST(render_tool_prompt(all, whole.size()) == whole);
    BOOST_TEST(render_tool_prompt(all, whole.size() - 1) ==
               "- mcp_github_search(query, limit?, where?, how?): Searches.\n(and 1 more)\n");
    BOOST_TEST(render_tool_prompt(all, 0) == "(and 2 more)\n");
    BOOST_TEST(render_tool_prompt(catalog(), 0).empty());
}

BOOST_AUTO_TEST_SUITE_END()
