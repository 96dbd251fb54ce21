// The tables of doc/mock-script.md name the members of the format, in both directions.

#include <linkspan/test/script/detail/matcher_reader.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/document.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_document_test)

using namespace linkspan::test;
namespace json = boost::json;

namespace {

using names = std::set<std::string>;
using cells = std::vector<std::string>;

std::string trimmed(std::string_view text)
{
    auto const from = text.find_first_not_of(' ');
    return from == text.npos ? "" : std::string(text.substr(from, text.find_last_not_of(' ') + 1 - from));
}

// Returns the rows of the first table after a heading, without those of its titles.
std::vector<cells> table_after(std::string const& document, std::string const& heading)
{
    auto at = document.find("\n" + heading + "\n");
    BOOST_TEST_REQUIRE(at != document.npos, "no heading " << heading);
    at = document.find("\n|", at) + 1;
    std::vector<cells> out;
    for (std::size_t line = 0; document[at] == '|'; ++line) {
        auto const end = document.find('\n', at);
        cells row;
        for (auto from = at + 1; from < end;) {
            auto const to = document.find('|', from);
            row.push_back(trimmed(std::string_view(document).substr(from, to - from)));
            from = to + 1;
        }
        if (line > 1)
            out.push_back(std::move(row));
        at = end + 1;
    }
    BOOST_TEST_REQUIRE(!out.empty(), "no table after " << heading);
    return out;
}

// Returns the texts in backquotes.
std::vector<std::string> code_in(std::string const& cell)
{
    std::vector<std::string> out;
    for (auto at = cell.find('`'); at != cell.npos;) {
        auto const end = cell.find('`', at + 1);
        out.push_back(cell.substr(at + 1, end - at - 1));
        at = cell.find('`', end + 1);
    }
    return out;
}

// Returns the names before colons in JSON.
std::vector<std::string> keys_in(std::string const& code)
{
    std::vector<std::string> out;
    for (auto at = code.find("\":"); at != code.npos; at = code.find("\":", at + 1)) {
        auto const from = code.rfind('"', at - 1) + 1;
        out.push_back(code.substr(from, at - from));
    }
    return out;
}

// Returns the names that a cell introduces: words in backquotes, and keys of objects in backquotes.
std::vector<std::string> names_in(std::string const& cell)
{
    std::vector<std::string> out;
    for (auto const& code : code_in(cell))
        if (code.front() != '{')
            out.push_back(code);
        else
            std::ranges::move(keys_in(code), std::back_inserter(out));
    return out;
}

// The format, and the objects in it that have a table of their own.
class format {
public:
    format() : root_(json::parse(mock_script::schema()).as_object())
    {
        auto const items = [](json::object const& of, std::string_view member) -> json::object const& {
            return of.at("properties").at(member).at("items").as_object();
        };
        rule = &items(root_, "rules");
        expectation = &items(root_, "expect");
        trigger = &rule->at("properties").at("on").as_object();
        action = &root_.at("$defs").at("action").as_object();
    }

    json::object const& script() const { return root_; }
    json::object const *rule, *expectation, *trigger, *action; // parts of `root_`

    // The members of the objects within a value.
    struct nested {
        names described; // of objects without a table
        names known;     // also those of an object with a table
    };

    void collect(json::object const& schema, nested& to) const
    {
        if (auto const* const reference = schema.if_contains("$ref"))
            return collect(root_.at("$defs").at(reference->as_string().subview(8)).as_object(), to); // "#/$defs/"
        bool const has_table = &schema == rule || &schema == expectation || &schema == trigger || &schema == action;
        if (auto const* const members = schema.if_contains("properties"))
            for (auto const& member : members->as_object()) {
                to.known.insert(member.key());
                if (has_table)
                    continue;
                to.described.insert(member.key());
                collect(member.value().as_object(), to);
            }
        for (auto const* const keyword : {"items", "additionalProperties"})
            if (auto const* const part = schema.if_contains(keyword); part && part->is_object())
                collect(part->as_object(), to);
        for (auto const* const keyword : {"oneOf", "anyOf"})
            if (auto const* const parts = schema.if_contains(keyword))
                for (auto const& part : parts->as_array())
                    collect(part.as_object(), to);
    }

private:
    json::object const root_; // set by the constructor
};

// Checks one row: the members within the values, and the values of enumerations.
void check_row(format const& all, json::object const& properties, std::vector<std::string> const& members,
               cells const& row)
{
    format::nested below;
    names mentioned, keys;
    for (auto const& cell : row)
        for (auto const& code : code_in(cell)) {
            mentioned.insert(code);
            for (auto const& key : keys_in(code)) {
                keys.insert(key);
                mentioned.insert(key);
            }
        }
    for (auto const& member : members) {
        auto const* const schema = properties.if_contains(member);
        if (!schema)
            continue;
        all.collect(schema->as_object(), below);
        below.known.insert(member); // in a sentence about the member itself
        if (auto const* const values = schema->as_object().if_contains("enum"))
            for (auto const& value : values->as_array())
                BOOST_TEST(mentioned.contains(std::string(value.as_string())),
                           member << ": the row has no value " << value);
    }
    for (auto const& name : below.described)
        BOOST_TEST(mentioned.contains(name), row[0] << ": the row has no member " << name);
    for (auto const& key : keys)
        BOOST_TEST(below.known.contains(key), row[0] << ": the format has no member " << key);
}

// Checks the third cell of a row with the default of a member.
void check_default(json::object const& schema, std::string const& member, std::string cell)
{
    auto const& property = schema.at("properties").at(member).as_object();
    auto const* const required = schema.if_contains("required");
    bool const is_required = required && std::ranges::find(required->as_array(), json::value(member)) !=
                                             required->as_array().end();
    BOOST_TEST((cell == "required") == is_required, member << ": " << cell);
    auto const* const value = property.if_contains("default");
    if (!value || value->is_structured())
        return;
    std::erase(cell, '`');
    BOOST_TEST(cell == (value->is_string() ? std::string(value->as_string()) : json::serialize(*value)), member);
}

// Checks that the first cells of a table name the members of an object, each once, except `others`. `has_defaults`: the
// third cells are the defaults.
void check_table(format const& all, std::vector<cells> const& table, json::object const& schema, bool has_defaults,
                 names const& others = {})
{
    auto const& properties = schema.at("properties").as_object();
    names found = others;
    for (auto const& row : table) {
        auto const members = names_in(row[0]);
        BOOST_TEST(!members.empty(), row[0]);
        for (auto const& member : members) {
            BOOST_TEST(properties.contains(member), "the format has no member " << member);
            BOOST_TEST(found.insert(member).second, "the table has two entries " << member);
            if (has_defaults && properties.contains(member))
                check_default(schema, member, row.at(2));
        }
        check_row(all, properties, members, row);
    }
    for (auto const& member : properties)
        BOOST_TEST(found.contains(std::string(member.key())), "the table has no member " << member.key());
}

// Returns the kinds of expressions in a text, such as "rand.int".
names expressions_in(std::string_view text)
{
    names out;
    for (auto at = text.find("${"); at != text.npos; at = text.find("${", at + 2)) {
        auto end = at + 2;
        while (end != text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) || text.substr(end, 4) == ".int"))
            ++end;
        if (end != at + 2)
            out.insert(std::string(text.substr(at + 2, end - at - 2)));
    }
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(tables_of_members_have_the_members_and_defaults_of_the_format)
{
    auto const document = project_text("doc/mock-script.md");
    format const all;
    check_table(all, table_after(document, "## Members of the script"), all.script(), true);
    check_table(all, table_after(document, "## Rules"), *all.rule, true);
    check_table(all, table_after(document, "## Actions"), *all.action, false);
    check_table(all, table_after(document, "## Expectations"), *all.expectation, false);
    // The row `on` of rules has the triggers for requests.
    check_table(all, table_after(document, "## Events without a request"), *all.trigger, false, {"call", "request"});
}

BOOST_AUTO_TEST_CASE(table_of_matchers_has_the_matchers)
{
    std::vector<std::string> found;
    for (auto const& row : table_after(project_text("doc/mock-script.md"), "## Matchers"))
        std::ranges::move(names_in(row[0]), std::back_inserter(found));
    std::vector<std::string> expected;
    for (auto const name : linkspan::test::detail::matcher_reader::names())
        expected.emplace_back(name);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(table_of_expressions_has_the_expressions)
{
    auto const with_text = [](std::string const& text) {
        return R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"text":")" + text + R"("}]}]})";
    };
    names found;
    for (auto const& row : table_after(project_text("doc/mock-script.md"), "## Templates"))
        for (auto const& code : code_in(row[0])) {
            BOOST_CHECK_NO_THROW(mock_script::parse(with_text(code)));
            found.merge(expressions_in(code));
        }
    std::string problem;
    try {
        mock_script::parse(with_text("${x}"));
    } catch (script_error const& failure) {
        problem = failure.what();
    }
    auto const expected = expressions_in(problem.substr(0, problem.find(", found")));
    BOOST_TEST(expected.contains("rand.int"), problem);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(table_of_scripts_has_the_files)
{
    names found, expected;
    for (auto const& row : table_after(project_text("doc/mock-script.md"), "## A first script"))
        for (auto const& name : code_in(row[0]))
            BOOST_TEST(found.insert(name).second, name);
    for (auto const& file : std::filesystem::directory_iterator(project_file("mock_servers/scripts")))
        expected.insert(file.path().filename().string());
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(installed_schema_is_that_of_the_format)
{
    auto const size = project_text("mock_servers/linkspan-mock-1.schema.json").size();
    expect_generated("mock_servers/linkspan-mock-1.schema.json", 0, size, mock_script::schema() + "\n");
}

BOOST_AUTO_TEST_SUITE_END()
