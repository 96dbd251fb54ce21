#include <linkspan/connector/catalog_json.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(catalog_test)

using linkspan::catalog;
using linkspan::catalog_entry;
using linkspan::server_id;
using kind = linkspan::catalog::match::kind;
namespace data = boost::unit_test::data;

namespace {

constexpr char const* text_schema = R"({"type":"object","properties":{"path":{"type":"string"}}})";
constexpr char const* number_schema = R"({"type":"object","properties":{"path":{"type":"number"}}})";

catalog_entry entry(unsigned server, std::string key, std::string tool, std::string schema = text_schema)
{
    catalog_entry one;
    one.server = server_id{server};
    one.server_key = key;
    one.exposed = key + "__" + tool;
    linkspan::tool definition;
    definition.name = std::move(tool);
    definition.input_schema = std::move(schema);
    one.tool = std::make_shared<linkspan::tool const>(std::move(definition));
    return one;
}

// Returns the entries that have this name as text, for example "group 1 4".
std::string meaning(catalog const& all, std::string_view name)
{
    auto const found = all.find(name);
    std::string out = found.what == kind::unknown     ? "unknown"
                      : found.what == kind::one       ? "one"
                      : found.what == kind::group     ? "group"
                      : found.what == kind::ambiguous ? "ambiguous"
                                                      : "?";
    for (auto const index : found.entries)
        out += ' ' + std::to_string(index);
    return out;
}

struct schema_row {
    char const* what;
    char const* schema; // compared with `text_schema`
    bool alike;
};

std::ostream& operator<<(std::ostream& out, schema_row const& row) { return out << row.what; }

constexpr schema_row schemas[] = {
    {"the same text", text_schema, true},
    {"another order of keys", R"({"properties":{"path":{"type":"string"}},"type":"object"})", true},
    {"blanks", R"({ "type" : "object", "properties": {"path": {"type":"string"}} })", true},
    {"escapes", R"({"type":"\u006fbject","properties":{"path":{"type":"string"}}})", true},
    {"another type", number_schema, false},
    {"one property more", R"({"type":"object","properties":{"path":{"type":"string"},"b":{}}})", false},
    {"nothing", "{}", false},
    {"no JSON", "{", false},
};

} // namespace

BOOST_AUTO_TEST_CASE(empty_catalog_finds_no_tools)
{
    catalog const all;
    BOOST_TEST(all.tools().empty());
    BOOST_TEST(meaning(all, "read") == "unknown");
    BOOST_TEST(meaning(all, "") == "unknown");
    BOOST_TEST(!all.find(server_id{0}, "read"));
    BOOST_TEST(all.suggestions("read").empty());
}

BOOST_AUTO_TEST_CASE(tools_keep_the_order_of_their_servers)
{
    catalog const all({entry(0, "a", "z"), entry(0, "a", "b"), entry(1, "b", "a")});
    BOOST_TEST_REQUIRE(all.tools().size() == 3u);
    BOOST_TEST(all.tools()[0].tool->name == "z");
    BOOST_TEST(all.tools()[1].tool->name == "b");
    BOOST_TEST(all.tools()[2].server_key == "b");
}

BOOST_AUTO_TEST_CASE(tool_is_found_by_own_name_and_exposed_name)
{
    catalog const all({entry(0, "a", "read"), entry(1, "b", "write")});
    BOOST_TEST(meaning(all, "read") == "one 0");
    BOOST_TEST(meaning(all, "a__read") == "one 0");
    BOOST_TEST(meaning(all, "b__write") == "one 1");
    BOOST_TEST(meaning(all, "b__read") == "unknown");
    BOOST_TEST(meaning(all, "READ") == "unknown");
}

BOOST_DATA_TEST_CASE(servers_are_interchangeable_if_their_tools_have_equal_input_schemas, data::make(schemas))
{
    catalog const all({entry(0, "a", "read"), entry(1, "b", "read", sample.schema), entry(2, "c", "write")});
    BOOST_TEST(meaning(all, "read") == (sample.alike ? "group 0 1" : "ambiguous 0 1"));
    BOOST_TEST(meaning(all, "a__read") == "one 0");
    BOOST_TEST(meaning(all, "b__read") == "one 1");
}

BOOST_AUTO_TEST_CASE(one_tool_with_another_schema_makes_the_name_ambiguous)
{
    catalog const all({entry(0, "a", "read"), entry(1, "b", "read"), entry(2, "c", "read", number_schema)});
    BOOST_TEST(meaning(all, "read") == "ambiguous 0 1 2");
}

BOOST_AUTO_TEST_CASE(exposed_name_takes_precedence_over_equal_own_name)
{
    catalog const all({entry(0, "a", "read"), entry(1, "b", "a__read")});
    BOOST_TEST(meaning(all, "a__read") == "one 0");
    BOOST_TEST(meaning(all, "b__a__read") == "one 1");
}

BOOST_AUTO_TEST_CASE(colliding_exposed_names_are_removed_and_reported)
{
    catalog const all({entry(1, "a", "b__c"), entry(2, "a__b", "c"), entry(3, "x", "y")});
    BOOST_TEST(all.tools()[0].exposed == "");
    BOOST_TEST(all.tools()[1].exposed == "");
    BOOST_TEST(all.tools()[2].exposed == "x__y");
    BOOST_TEST(meaning(all, "a__b__c") == "ambiguous 0 1");
    BOOST_TEST_REQUIRE(all.collisions().size() == 1u);
    BOOST_TEST(all.collisions()[0] == "a__b__c");
    BOOST_TEST(meaning(all, "b__c") == "one 0"); // the collision does not affect own names
}

BOOST_AUTO_TEST_CASE(unchanged_exposed_names_can_be_shared_by_a_group)
{
    auto a = entry(0, "a", "read"), b = entry(1, "b", "read");
    a.exposed = b.exposed = "read"; // as with a naming policy that exposes own names
    catalog const all({a, b});
    BOOST_TEST(meaning(all, "read") == "group 0 1");
}

BOOST_AUTO_TEST_CASE(tool_of_a_given_server_is_found_by_own_name)
{
    catalog const all({entry(0, "a", "read"), entry(1, "b", "read", number_schema), entry(1, "b", "a__read")});
    auto const* const second = all.find(server_id{1}, "read");
    BOOST_TEST_REQUIRE(second);
    BOOST_TEST(second->server_key == "b");
    BOOST_TEST(second->tool->name == "read");
    auto const* const hidden = all.find(server_id{1}, "a__read");
    BOOST_TEST_REQUIRE(hidden);
    BOOST_TEST(hidden->exposed == "b__a__read");
    BOOST_TEST(!all.find(server_id{2}, "read"));
    BOOST_TEST(!all.find(server_id{0}, "write"));
}

BOOST_AUTO_TEST_CASE(unknown_name_yields_similar_names)
{
    catalog const all({entry(0, "a", "read_file"), entry(0, "a", "read_files"), entry(0, "a", "delete")});
    auto const similar = all.suggestions("red_file");
    BOOST_TEST_REQUIRE(similar.size() >= 2u);
    BOOST_TEST(similar[0] == "read_file");
    BOOST_TEST(similar[1] == "read_files");
    BOOST_TEST(all.suggestions("red_file", 1).size() == 1u);
    BOOST_TEST(all.suggestions("unrelated").empty());
}

// Names for models

BOOST_AUTO_TEST_CASE(tools_of_the_only_server_display_their_own_names)
{
    auto const shown = [](bool only_server) {
        auto read = entry(0, "a", "read"), write = entry(0, "a", "write.all");
        read.accepts_own_name = true; // the naming policy accepts this own name, but not the other one
        catalog const all({read, write}, only_server);
        return all.tools()[0].display_name() + ' ' + all.tools()[1].display_name();
    };
    BOOST_TEST(shown(true) == "read a__write.all");
    BOOST_TEST(shown(false) == "a__read a__write.all");
}

BOOST_AUTO_TEST_CASE(grouped_tools_display_own_names_and_ambiguous_tools_do_not)
{
    auto const shown = [](char const* schema) {
        auto a = entry(0, "a", "read"), b = entry(1, "b", "read", schema);
        a.accepts_own_name = b.accepts_own_name = true;
        catalog const all({a, b});
        return all.tools()[0].display_name() + ' ' + all.tools()[1].display_name();
    };
    BOOST_TEST(shown(text_schema) == "read read");
    BOOST_TEST(shown(number_schema) == "a__read b__read");
}

BOOST_AUTO_TEST_CASE(own_name_equal_to_another_exposed_name_is_not_displayed)
{
    auto a = entry(0, "a", "read"), b = entry(1, "b", "a__read"), c = entry(2, "c", "a__read");
    b.accepts_own_name = c.accepts_own_name = true;
    catalog const all({a, b, c});
    BOOST_TEST(meaning(all, "a__read") == "one 0");
    BOOST_TEST(all.tools()[1].display_name() == "b__a__read");
    BOOST_TEST(all.tools()[1].has_name("b__a__read"));
    BOOST_TEST(!all.tools()[0].has_name("read"));
}

// Subsets of the tools

BOOST_AUTO_TEST_CASE(tools_of_a_server_are_returned_as_one_range)
{
    catalog const all({entry(0, "a", "x"), entry(1, "b", "y"), entry(1, "b", "z"), entry(2, "c", "x")});
    BOOST_TEST(all.tools().size() == 4u);
    BOOST_TEST_REQUIRE(all.tools("b").size() == 2u);
    BOOST_TEST(all.tools("b")[1].tool->name == "z");
    BOOST_TEST(all.tools("d").empty());
    BOOST_TEST(catalog().tools("a").empty());
}

BOOST_AUTO_TEST_CASE(tools_are_found_by_server_tag)
{
    auto a = entry(0, "a", "x"), b = entry(1, "b", "y");
    b.tags = std::make_shared<std::vector<std::string> const>(std::vector<std::string>{"fast", "near"});
    catalog const all({a, b});
    BOOST_TEST_REQUIRE(all.tagged("near").size() == 1u);
    BOOST_TEST(all.tagged("near")[0]->server_key == "b");
    BOOST_TEST(all.tagged("far").empty());
}

BOOST_AUTO_TEST_CASE(tools_are_found_by_equivalent_input_schema)
{
    catalog const all({entry(0, "a", "x"), entry(1, "b", "y", number_schema), entry(2, "c", "z", schemas[1].schema)});
    auto const found = all.with_input_schema(text_schema);
    BOOST_TEST_REQUIRE(found.size() == 2u);
    BOOST_TEST(found[0]->server_key == "a");
    BOOST_TEST(found[1]->server_key == "c");
    BOOST_TEST(all.with_input_schema("{}").empty());
    BOOST_TEST(all.with_input_schema("{").empty());
}

BOOST_AUTO_TEST_CASE(catalog_computes_missing_fingerprints)
{
    auto known = entry(0, "a", "x");
    known.input = linkspan::fingerprint::of_input(text_schema);
    catalog const all({known, entry(1, "b", "x", schemas[1].schema), entry(2, "c", "y", number_schema)});
    BOOST_TEST((all.tools()[1].input == known.input));
    BOOST_TEST(all.tools()[2].input.short_text() == linkspan::input_fingerprint(*all.tools()[2].tool));
}

BOOST_AUTO_TEST_CASE(tool_of_a_server_is_found_among_many_of_equal_name)
{
    std::vector<catalog_entry> entries;
    for (unsigned i = 0; i != 50; ++i)
        for (auto const name : {"read", "write"})
            entries.push_back(entry(49 - i, "s" + std::to_string(49 - i), name));
    catalog const all(std::move(entries));
    for (unsigned i = 0; i != 50; ++i) {
        auto const* const found = all.find(server_id{i}, "write");
        BOOST_TEST_REQUIRE(found);
        BOOST_TEST(found->server_key == "s" + std::to_string(i));
        BOOST_TEST(found->tool->name == "write");
    }
    BOOST_TEST(!all.find(server_id{7}, "fly"));
    BOOST_TEST(!all.find(server_id{50}, "read"));
}

// Groups declared by the operator

BOOST_AUTO_TEST_CASE(declared_group_is_found_by_its_name_and_by_member_names)
{
    auto left = entry(0, "left", "search", text_schema), right = entry(1, "right", "find", number_schema);
    left.group = right.group = "lookup";
    catalog const all({left, right, entry(2, "other", "read")});
    for (auto const* const name : {"lookup", "search", "find"})
        BOOST_TEST(meaning(all, name) == "group 0 1", name);
    BOOST_TEST(all.find(server_id{0}, "search") == &all.tools()[0]);
    BOOST_TEST(!all.find(server_id{0}, "find"));
    BOOST_TEST(!all.find(server_id{1}, "lookup"));
    BOOST_TEST(meaning(all, "left__search") == "one 0");
    BOOST_TEST(meaning(all, "read") == "one 2");
}

BOOST_AUTO_TEST_CASE(member_name_shared_with_other_tools_is_ambiguous)
{
    auto left = entry(0, "left", "search", text_schema), right = entry(1, "right", "find", text_schema);
    left.group = right.group = "lookup";
    catalog const all({left, right, entry(2, "stranger", "search", number_schema)});
    BOOST_TEST(meaning(all, "search") == "ambiguous 0 2");
    BOOST_TEST(meaning(all, "lookup") == "group 0 1");
}

BOOST_AUTO_TEST_CASE(catalog_is_serialized_to_json)
{
    auto first = entry(0, "left", "search");
    linkspan::tool definition = *first.tool;
    definition.description = "Searches.";
    definition.output_schema = "{";
    definition.meta = R"({"a":1})";
    first.tool = std::make_shared<linkspan::tool const>(definition);
    first.priority = 7;
    first.tags = std::make_shared<std::vector<std::string> const>(std::vector<std::string>{"eu"});
    first.replay = linkspan::replay_class::read_only;
    auto const json = to_json(catalog({first, entry(1, "right", "read")}));
    BOOST_TEST_REQUIRE(json.at("tools").as_array().size() == 2u);
    auto const& tool = json.at("tools").at(0);
    BOOST_TEST(tool.at("name") == "search");
    BOOST_TEST(tool.at("description") == "Searches.");
    BOOST_TEST(tool.at("input_schema").at("type") == "object");
    BOOST_TEST(tool.at("server_name") == "left");
    BOOST_TEST(tool.at("server_priority") == 7);
    BOOST_TEST(tool.at("exposed_name") == "left__search");
    BOOST_TEST(tool.at("output_schema").is_null()); // the schema is not JSON
    BOOST_TEST(tool.at("annotations").at("readOnlyHint") == false);
    BOOST_TEST(tool.at("meta").at("a") == 1);
    BOOST_TEST(tool.at("fingerprint").as_string().size() == 8u);
    BOOST_TEST(tool.at("replay_class") == "read_only");
    BOOST_TEST(tool.at("tags").at(0) == "eu");
    BOOST_TEST(tool.at("group").is_null());
    BOOST_TEST(json.at("collisions").as_array().empty());
}

// The depth is close to the maximum depth of messages.
BOOST_AUTO_TEST_CASE(deeply_nested_schema_is_serialized_with_the_catalog)
{
    constexpr std::size_t depth = 400;
    auto only = entry(0, "left", "search");
    linkspan::tool definition = *only.tool;
    definition.input_schema = R"({"default":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    only.tool = std::make_shared<linkspan::tool const>(definition);
    auto const json = to_json(catalog({only}));
    BOOST_TEST(json.at("tools").at(0).at("input_schema").at("default").is_array());
}

BOOST_AUTO_TEST_CASE(group_with_one_tool_resolves_to_that_tool)
{
    auto only = entry(0, "left", "search");
    only.group = "lookup";
    catalog const all({only});
    BOOST_TEST(meaning(all, "lookup") == "one 0");
}

BOOST_AUTO_TEST_CASE(preferred_tools_of_a_group_have_the_highest_priority)
{
    std::vector<catalog_entry> entries;
    for (unsigned i = 0; i != 4; ++i) {
        auto& one = entries.emplace_back(entry(i, "s" + std::to_string(i), "read"));
        one.priority = i % 2 == 0 ? 50 : 7;
        entries.emplace_back(entry(i, "s" + std::to_string(i), "write"));
    }
    entries.emplace_back(entry(3, "s3", "only"));
    catalog const all(std::move(entries));
    auto const preferred = [&](std::string_view name) {
        auto const found = all.preferred(all.find(name));
        return std::vector<std::uint32_t>(found.begin(), found.end());
    };
    BOOST_TEST((preferred("read") == std::vector<std::uint32_t>{0, 4}));
    BOOST_TEST((preferred("write") == std::vector<std::uint32_t>{1, 3, 5, 7}));
    BOOST_TEST((preferred("only") == std::vector<std::uint32_t>{8}));
    BOOST_TEST(preferred("unknown").empty());
}

BOOST_AUTO_TEST_SUITE_END()
