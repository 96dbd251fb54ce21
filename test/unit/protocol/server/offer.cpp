#include <linkspan/protocol/server/offer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/any_tool.hpp"
#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(offer_test)

using linkspan::offer;
using linkspan::offer_list;
using linkspan::prompt;
using linkspan::protocol_version;
using linkspan::resource;
using linkspan::resource_template;
using linkspan::tool;
using linkspan::test::any_tool;
namespace json = boost::json;

namespace {

constexpr auto newest = protocol_version::v2026_07_28;
constexpr offer_list lists[] = {offer_list::tools, offer_list::resources, offer_list::templates, offer_list::prompts};

resource make_resource(std::string uri)
{
    resource out;
    out.uri = std::move(uri);
    return out;
}

resource_template make_template(std::string text)
{
    resource_template out;
    out.uri_template = std::move(text);
    return out;
}

prompt make_prompt(std::string name, std::vector<std::string> const& arguments = {})
{
    prompt out;
    out.name = std::move(name);
    for (auto const& argument : arguments)
        out.arguments.push_back({argument, {}, {}, false});
    return out;
}

// Adds an entry to a list. The entry has `name` as its name, as the path of its URI, or as the path of its template.
std::string add(offer& to, offer_list which, std::string const& name)
{
    switch (which) {
    case offer_list::tools: return to.add(any_tool(name));
    case offer_list::resources: return to.add(make_resource("test:" + name));
    case offer_list::templates: return to.add(make_template("test:" + name + "/{x}"));
    case offer_list::prompts: break;
    }
    return to.add(make_prompt(name));
}

bool remove(offer& from, offer_list which, std::string const& name)
{
    switch (which) {
    case offer_list::tools:
    case offer_list::prompts: return from.remove(which, name);
    case offer_list::resources: return from.remove(which, "test:" + name);
    case offer_list::templates: break;
    }
    return from.remove(which, "test:" + name + "/{x}");
}

// Returns an offer with tools of the given names.
offer with_tools(std::vector<std::string> const& names, std::size_t page_size)
{
    offer out(page_size);
    for (auto const& name : names)
        BOOST_TEST(out.add(any_tool(name)) == "");
    return out;
}

std::string page(offer& from, offer_list which, std::optional<std::string_view> cursor = std::nullopt,
                 protocol_version id = newest)
{
    auto const* const found = from.page(which, cursor, id);
    return found ? *found : "not found";
}

json::object parse(std::string const& page) { return json::parse("{" + page + "}").as_object(); }

std::optional<std::string> next_cursor(std::string const& page)
{
    auto const members = parse(page);
    auto const* const found = members.if_contains("nextCursor");
    return found ? std::optional(std::string(found->as_string())) : std::nullopt;
}

// Returns the names of the tools on all pages, such as "a b|c".
std::string names_on_pages(offer& from, protocol_version id = newest)
{
    std::string out;
    std::optional<std::string> cursor;
    do {
        auto const text = page(from, offer_list::tools, cursor, id);
        auto const members = parse(text);
        out += cursor ? "|" : "";
        for (auto const& entry : members.at("tools").as_array())
            (out += out.empty() || out.ends_with('|') ? "" : " ") += entry.at("name").as_string();
        cursor = next_cursor(text);
    } while (cursor);
    return out;
}

// Returns the keys of the first entry of the first page, such as "name inputSchema".
std::string keys_of_entry(offer& from, offer_list which, protocol_version id)
{
    std::string out;
    auto const members = parse(page(from, which, std::nullopt, id));
    for (auto const& member : members.begin()->value().as_array().front().as_object())
        (out += out.empty() ? "" : " ") += member.key();
    return out;
}

// Returns the position of the matching template and the values, such as "1 x=a", or "no match".
std::string match(offer const& in, std::string_view uri)
{
    auto const found = in.match(uri);
    if (!found)
        return "no match";
    auto out = std::to_string(found->first);
    for (auto const& [name, value] : found->second)
        ((out += ' ') += name + '=') += value;
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(new_offer_has_no_entry)
{
    offer empty;
    for (auto const which : lists) {
        BOOST_TEST(empty.size(which) == 0u);
        BOOST_TEST(!empty.is_offered(which));
    }
    BOOST_TEST(empty.find_tool("a") == nullptr);
    BOOST_TEST(empty.find_prompt("a") == nullptr);
    BOOST_TEST(match(empty, "test:a") == "no match");
}

BOOST_AUTO_TEST_CASE(empty_list_has_one_page_without_entries)
{
    for (std::size_t const page_size : {0u, 1u}) {
        offer empty(page_size);
        BOOST_TEST(page(empty, offer_list::tools) == R"("tools":[])");
        BOOST_TEST(page(empty, offer_list::resources) == R"("resources":[])");
        BOOST_TEST(page(empty, offer_list::templates) == R"("resourceTemplates":[])");
        BOOST_TEST(page(empty, offer_list::prompts) == R"("prompts":[])");
        BOOST_TEST(page(empty, offer_list::tools, "0.0") == "not found");
        BOOST_TEST(page(empty, offer_list::tools, "0.1") == "not found");
    }
}

BOOST_AUTO_TEST_CASE(tool_with_legal_name_is_added)
{
    offer out;
    std::string const names[] = {"a", "AZaz09_-.", ".", std::string(128, 'x')};
    for (auto const& name : names) {
        BOOST_TEST(out.add(any_tool(name)) == "");
        BOOST_TEST_REQUIRE(out.find_tool(name) != nullptr);
        BOOST_TEST(out.find_tool(name)->name == name);
    }
    BOOST_TEST(out.size(offer_list::tools) == std::size(names));
}

BOOST_AUTO_TEST_CASE(tool_with_illegal_name_is_rejected)
{
    offer out;
    std::string const names[] = {"",
                                 "a b",
                                 "a/b",
                                 "a:b",
                                 "a,b",
                                 std::string("a\0", 2),
                                 std::string(129, 'x'),
                                 "a\n",
                                 "a\"b",
                                 "[a]",
                                 "\xc3\xa4\xc3\xb6"};
    for (auto const& name : names) {
        auto const problem = out.add(any_tool(name));
        BOOST_TEST(problem.ends_with("has an illegal name: 1 to 128 characters of A-Z a-z 0-9 _ - . are expected"),
                   problem);
    }
    BOOST_TEST(out.add(any_tool("a\"b")).starts_with(R"(tool "a\"b" has)"));
    BOOST_TEST(out.size(offer_list::tools) == 0u);
}

BOOST_AUTO_TEST_CASE(tool_with_schema_that_is_not_an_object_is_rejected)
{
    offer out;
    for (auto const* schema : {"[]", "true", "null", "1", R"("{}")", "{", "}", "{}}", "{} {}", R"({"type"})", "{x:1}",
                               " {}", R"({"pattern":"\d"})", "{\"title\":\"\xff\"}", "{\"title\":\"\n\"}"}) {
        auto input = any_tool("a"), output = any_tool("a");
        input.input_schema = output.output_schema = schema;
        BOOST_TEST(out.add(input) == R"(tool "a" has an input schema that is not a JSON object)", schema);
        BOOST_TEST(out.add(output) == R"(tool "a" has an output schema that is not a JSON object)", schema);
    }
    auto without = any_tool("a");
    without.input_schema.clear();
    BOOST_TEST(out.add(without) == R"(tool "a" has an input schema that is not a JSON object)");
    BOOST_TEST(out.size(offer_list::tools) == 0u);

    auto both = any_tool("a");
    both.output_schema = "{\n}\n";
    BOOST_TEST(out.add(both) == "");
    BOOST_TEST(out.add(any_tool("b")) == ""); // the output schema is optional
}

BOOST_AUTO_TEST_CASE(resource_without_scheme_is_rejected)
{
    offer out;
    for (std::string const uri :
         {"", "a", "/a:b", "//a", ":a", "1a:b", "+a:b", "a b:c", "a_b:c", "a/b:c", "\xc3\xa4:b"})
        BOOST_TEST(out.add(make_resource(uri)) == "resource \"" + uri + "\" has a URI without a scheme");
    BOOST_TEST(!out.is_offered(offer_list::resources));
    for (auto const* uri : {"a:", "file:///a", "urn:isbn:1", "Z+1-b.c:x"})
        BOOST_TEST(out.add(make_resource(uri)) == "", uri);
    BOOST_TEST(out.size(offer_list::resources) == 4u);
}

BOOST_AUTO_TEST_CASE(invalid_resource_template_is_rejected_with_the_reason)
{
    offer out;
    BOOST_TEST(out.add(make_template("")) == R"(resource template "" is invalid: expected 1 to 2048 bytes, found 0)");
    BOOST_TEST(out.add(make_template("a{b")) == R"(resource template "a{b" is invalid: expected '}' after position 1)");
    BOOST_TEST(out.add(make_template("{b}{b}")) ==
               R"(resource template "{b}{b}" is invalid: the variable 'b' occurs twice)");
    BOOST_TEST(out.size(offer_list::templates) == 0u);
    BOOST_TEST(!out.is_offered(offer_list::templates));
}

BOOST_AUTO_TEST_CASE(prompt_with_unusable_names_is_rejected)
{
    offer out;
    BOOST_TEST(out.add(make_prompt("")) == "prompt has no name");
    BOOST_TEST(out.add(make_prompt("p", {"a", ""})) == R"(prompt "p" has an argument without a name)");
    BOOST_TEST(out.add(make_prompt("p", {"a", "b", "a"})) == R"(prompt "p" has two arguments with the name 'a')");
    BOOST_TEST(out.size(offer_list::prompts) == 0u);
    BOOST_TEST(out.add(make_prompt("p", {"a", "b", "A"})) == "");
    BOOST_TEST(out.add(make_prompt("a prompt/with \"other\" characters")) == "");
    BOOST_TEST_REQUIRE(out.find_prompt("p") != nullptr);
    BOOST_TEST(out.find_prompt("p")->arguments.size() == 3u);
}

BOOST_AUTO_TEST_CASE(entry_with_a_taken_name_is_rejected_in_the_same_list_only)
{
    offer out;
    for (auto const which : lists)
        BOOST_TEST(add(out, which, "a") == "");
    BOOST_TEST(add(out, offer_list::tools, "a") == R"(tool "a" exists already)");
    BOOST_TEST(add(out, offer_list::resources, "a") == R"(resource "test:a" exists already)");
    BOOST_TEST(add(out, offer_list::templates, "a") == R"(resource template "test:a/{x}" exists already)");
    BOOST_TEST(add(out, offer_list::prompts, "a") == R"(prompt "a" exists already)");
    for (auto const which : lists) {
        BOOST_TEST(out.size(which) == 1u);
        BOOST_TEST(add(out, which, "A") == ""); // names are case-sensitive
    }
}

BOOST_AUTO_TEST_CASE(rejected_entry_does_not_change_the_offer)
{
    offer out(1);
    for (auto const which : lists) {
        BOOST_TEST(add(out, which, "a") == "");
        BOOST_TEST(add(out, which, "b") == "");
        auto const* const first = out.page(which, std::nullopt, newest);
        auto const cursor = next_cursor(*first);
        BOOST_TEST_REQUIRE(cursor.has_value());
        auto const second = page(out, which, *cursor);
        BOOST_TEST(add(out, which, "b") != "");
        BOOST_TEST(out.size(which) == 2u);
        BOOST_TEST(out.page(which, std::nullopt, newest) == first); // not composed again
        BOOST_TEST(page(out, which, *cursor) == second);
    }
    BOOST_TEST(match(out, "test:b/1") == "1 x=1");
    BOOST_TEST(match(out, "test:c/1") == "no match");
}

BOOST_AUTO_TEST_CASE(resource_without_name_is_listed_with_its_uri_as_name)
{
    offer out;
    BOOST_TEST(out.add(make_resource("test:a")) == "");
    auto named = make_resource("test:b");
    named.name = "b";
    BOOST_TEST(out.add(named) == "");
    BOOST_TEST(page(out, offer_list::resources) ==
               R"("resources":[{"uri":"test:a","name":"test:a"},{"uri":"test:b","name":"b"}])");

    BOOST_TEST(out.add(make_template("test:{a}")) == "");
    auto named_template = make_template("test:b/{b}");
    named_template.name = "b";
    BOOST_TEST(out.add(named_template) == "");
    BOOST_TEST(page(out, offer_list::templates) ==
               R"("resourceTemplates":[{"uriTemplate":"test:{a}","name":"test:{a}"},)"
               R"({"uriTemplate":"test:b/{b}","name":"b"}])");
}

BOOST_AUTO_TEST_CASE(removed_entry_is_not_listed_and_its_name_is_free)
{
    for (auto const which : lists) {
        offer out;
        for (auto const* name : {"a", "b", "c"})
            BOOST_TEST(add(out, which, name) == "");
        auto const before = page(out, which);
        BOOST_TEST(!remove(out, which, "d"));
        BOOST_TEST(page(out, which) == before);
        BOOST_TEST(remove(out, which, "b"));
        BOOST_TEST(!remove(out, which, "b"));
        BOOST_TEST(out.size(which) == 2u);
        auto const after = page(out, which);
        auto const members = parse(after);
        BOOST_TEST(members.begin()->value().as_array().size() == 2u);
        BOOST_TEST(add(out, which, "b") == ""); // at the end of the list
        auto const again = page(out, which);
        BOOST_TEST(again.starts_with(after.substr(0, after.size() - 1) + ","));
        BOOST_TEST(again != before);
        BOOST_TEST(again.size() == before.size());
    }
}

BOOST_AUTO_TEST_CASE(removal_affects_the_given_list_only)
{
    for (auto const which : lists) {
        offer out;
        for (auto const each : lists)
            BOOST_TEST(add(out, each, "a") == "");
        BOOST_TEST(remove(out, which, "a"));
        for (auto const each : lists)
            BOOST_TEST(out.size(each) == (each == which ? 0u : 1u));
        BOOST_TEST((out.find_tool("a") == nullptr) == (which == offer_list::tools));
        BOOST_TEST((out.find_prompt("a") == nullptr) == (which == offer_list::prompts));
        BOOST_TEST((match(out, "test:a/1") == "no match") == (which == offer_list::templates));
    }
}

BOOST_AUTO_TEST_CASE(entry_can_be_removed_by_a_reference_to_its_own_name)
{
    offer out;
    for (auto const* name : {"a", "b"}) {
        for (auto const which : lists)
            BOOST_TEST(add(out, which, name) == "");
    }
    BOOST_TEST(out.remove(offer_list::tools, out.find_tool("a")->name));
    BOOST_TEST(out.remove(offer_list::prompts, out.find_prompt("a")->name));
    BOOST_TEST(out.remove(offer_list::templates, out.template_at(0)));
    BOOST_TEST(out.find_tool("b") != nullptr);
    BOOST_TEST(out.find_prompt("b") != nullptr);
    BOOST_TEST(match(out, "test:b/1") == "0 x=1");
}

BOOST_AUTO_TEST_CASE(list_is_offered_also_after_the_removal_of_its_last_entry)
{
    for (auto const which : lists) {
        offer out;
        BOOST_TEST(add(out, which, "a") == "");
        for (auto const each : lists)
            BOOST_TEST(out.is_offered(each) == (each == which));
        BOOST_TEST(remove(out, which, "a"));
        BOOST_TEST(out.size(which) == 0u);
        BOOST_TEST(out.is_offered(which));
    }
}

BOOST_AUTO_TEST_CASE(list_is_not_offered_after_a_rejected_addition_and_a_failed_removal)
{
    offer out;
    BOOST_TEST(out.add(any_tool("a b")) != "");
    BOOST_TEST(out.add(make_resource("a")) != "");
    BOOST_TEST(out.add(make_template("{")) != "");
    BOOST_TEST(out.add(make_prompt("")) != "");
    for (auto const which : lists) {
        BOOST_TEST(!remove(out, which, "a"));
        BOOST_TEST(!out.is_offered(which));
    }
}

BOOST_AUTO_TEST_CASE(page_has_the_number_of_entries_of_the_page_size)
{
    std::vector<std::string> const names = {"a", "b", "c", "d"};
    for (auto const& [page_size, expected] :
         {std::pair(std::size_t{0}, "a b c d"), std::pair(std::size_t{1}, "a|b|c|d"),
          std::pair(std::size_t{2}, "a b|c d"), std::pair(std::size_t{3}, "a b c|d"),
          std::pair(std::size_t{4}, "a b c d"), std::pair(std::size_t{5}, "a b c d"),
          std::pair(static_cast<std::size_t>(-1), "a b c d")}) {
        auto out = with_tools(names, page_size);
        BOOST_TEST(names_on_pages(out) == expected);
    }
}

BOOST_AUTO_TEST_CASE(cursor_is_the_last_member_of_a_page_that_is_not_the_last_one)
{
    auto out = with_tools({"a", "b", "c"}, 2);
    auto const entry = [](std::string const& name) {
        return R"({"name":")" + name + R"(","inputSchema":{"type":"object"}})";
    };
    auto const first = page(out, offer_list::tools);
    auto const cursor = next_cursor(first);
    BOOST_TEST_REQUIRE(cursor.has_value());
    BOOST_TEST(first == R"("tools":[)" + entry("a") + "," + entry("b") + R"(],"nextCursor":")" + *cursor + '"');
    BOOST_TEST(page(out, offer_list::tools, *cursor) == R"("tools":[)" + entry("c") + "]");
}

BOOST_AUTO_TEST_CASE(every_list_is_divided_into_pages)
{
    for (auto const which : lists) {
        offer out(1);
        for (auto const* name : {"a", "b"})
            BOOST_TEST(add(out, which, name) == "");
        auto const cursor = next_cursor(page(out, which));
        BOOST_TEST_REQUIRE(cursor.has_value());
        auto const second = page(out, which, *cursor);
        BOOST_TEST(parse(second).begin()->value().as_array().size() == 1u);
        BOOST_TEST(!next_cursor(second).has_value());
    }
}

BOOST_AUTO_TEST_CASE(page_is_composed_once_per_change_and_protocol_version)
{
    auto out = with_tools({"a", "b"}, 1);
    auto const* const first = out.page(offer_list::tools, std::nullopt, newest);
    auto const cursor = next_cursor(*first).value();
    auto const text = *first;
    auto const* const second = out.page(offer_list::tools, cursor, newest);
    for (auto const& row : linkspan::protocol_versions)
        BOOST_TEST(out.page(offer_list::tools, cursor, row.id) != nullptr);
    BOOST_TEST(add(out, offer_list::prompts, "a") == ""); // a change of another list
    BOOST_TEST(out.page(offer_list::tools, std::nullopt, newest) == first);
    BOOST_TEST(out.page(offer_list::tools, cursor, newest) == second);
    BOOST_TEST(*first == text);
}

BOOST_AUTO_TEST_CASE(change_is_visible_in_the_pages_of_all_protocol_versions)
{
    auto out = with_tools({"a", "b"}, 1);
    for (auto const& row : linkspan::protocol_versions)
        BOOST_TEST(names_on_pages(out, row.id) == "a|b", row.text);
    BOOST_TEST(out.add(any_tool("c")) == "");
    for (auto const& row : linkspan::protocol_versions)
        BOOST_TEST(names_on_pages(out, row.id) == "a|b|c", row.text);
    BOOST_TEST(out.remove(offer_list::tools, "a"));
    for (auto const& row : linkspan::protocol_versions)
        BOOST_TEST(names_on_pages(out, row.id) == "b|c", row.text);
}

BOOST_AUTO_TEST_CASE(cursor_of_an_older_state_is_not_found)
{
    for (auto const which : lists) {
        offer out(1);
        for (auto const* name : {"a", "b"})
            BOOST_TEST(add(out, which, name) == "");
        auto const before = next_cursor(page(out, which)).value();
        BOOST_TEST(add(out, which, "c") == "");
        BOOST_TEST(page(out, which, before) == "not found");
        auto const between = next_cursor(page(out, which)).value();
        BOOST_TEST(remove(out, which, "c")); // the entries are those of the first cursor again
        BOOST_TEST(page(out, which, before) == "not found");
        BOOST_TEST(page(out, which, between) == "not found");
        BOOST_TEST(page(out, which, next_cursor(page(out, which)).value()) != "not found");
    }
}

BOOST_AUTO_TEST_CASE(continued_offer_keeps_the_cursors_of_the_lists_that_do_not_differ)
{
    for (auto const changed : lists) {
        offer before(1), now(1);
        std::vector<std::string> cursors;
        for (auto const which : lists) {
            for (auto const* name : {"a", "b", "c"})
                BOOST_TEST(add(before, which, name) == "");
            for (auto const* name : {"a", "b", which == changed ? "d" : "c"}) // as many changes
                BOOST_TEST(add(now, which, name) == "");
            cursors.push_back(next_cursor(page(before, which)).value());
        }
        auto const differs = now.continue_from(before);
        for (auto const which : lists) {
            auto const index = static_cast<std::size_t>(which);
            BOOST_TEST(differs[index] == (which == changed));
            BOOST_TEST((page(now, which, cursors[index]) == "not found") == (which == changed));
            BOOST_TEST(now.size(which) == 3u);
            BOOST_TEST(page(now, which, next_cursor(page(now, which)).value()) != "not found");
        }
        BOOST_TEST(match(now, "test:b/1") == "1 x=1");
        BOOST_TEST(match(now, "test:d/1") == (changed == offer_list::templates ? "2 x=1" : "no match"));
    }
}

BOOST_AUTO_TEST_CASE(continued_offer_differs_by_the_order_and_by_missing_entries_and_stays_offered)
{
    for (auto const which : lists) {
        auto const index = static_cast<std::size_t>(which);
        offer before, reordered, empty;
        for (auto const* name : {"a", "b"})
            BOOST_TEST(add(before, which, name) == "");
        for (auto const* name : {"b", "a"})
            BOOST_TEST(add(reordered, which, name) == "");
        BOOST_TEST(reordered.continue_from(before)[index]);
        auto const differs = empty.continue_from(reordered);
        for (auto const each : lists) {
            BOOST_TEST(differs[static_cast<std::size_t>(each)] == (each == which));
            BOOST_TEST(empty.is_offered(each) == (each == which));
            BOOST_TEST(empty.size(each) == 0u);
        }
        offer last;
        BOOST_TEST(!last.continue_from(empty)[index]);
        BOOST_TEST(last.is_offered(which));
    }
}

BOOST_AUTO_TEST_CASE(text_that_is_no_cursor_is_not_found)
{
    auto out = with_tools({"a", "b"}, 1);
    BOOST_TEST_REQUIRE(next_cursor(page(out, offer_list::tools)).value() == "2.1");
    for (auto const* text : {"",
                             ".",
                             "2",
                             "2.",
                             ".1",
                             "1",
                             "2.0",
                             "2.2",
                             "2.-1",
                             "-2.1",
                             "+2.1",
                             "2.+1",
                             " 2.1",
                             "2.1 ",
                             "2. 1",
                             "2,1",
                             "2.1x",
                             "x2.1",
                             "2x.1",
                             "2.1.1",
                             "2..1",
                             "2.1e0",
                             "0x2.1",
                             "99999999999999999999.1",
                             "2.99999999999999999999",
                             "abc"})
        BOOST_TEST(page(out, offer_list::tools, text) == "not found", text);
    BOOST_TEST(page(out, offer_list::tools, std::string_view("2.1\0", 4)) == "not found");
    BOOST_TEST(page(out, offer_list::tools, "2.1") != "not found");
}

BOOST_AUTO_TEST_CASE(tool_has_the_members_of_the_protocol_version)
{
    auto full = any_tool("a");
    full.title = "t";
    full.description = "d";
    full.output_schema = R"({"type":"object"})";
    full.meta = "{}";
    full.has_hints = true;
    full.tasks = linkspan::task_support::optional;
    full.icons = {{"https://example.com/icon.png", {}, {}, {}}};
    offer out;
    BOOST_TEST(out.add(full) == "");
    constexpr auto tools = offer_list::tools;
    BOOST_TEST(keys_of_entry(out, tools, protocol_version::v2024_11_05) == "name description inputSchema");
    BOOST_TEST(keys_of_entry(out, tools, protocol_version::v2025_03_26) == "name description inputSchema annotations");
    BOOST_TEST(keys_of_entry(out, tools, protocol_version::v2025_06_18) ==
               "name title description inputSchema outputSchema annotations _meta");
    BOOST_TEST(keys_of_entry(out, tools, protocol_version::v2025_11_25) ==
               "name title description inputSchema outputSchema annotations execution icons _meta");
    BOOST_TEST(keys_of_entry(out, tools, protocol_version::v2026_07_28) ==
               "name title description inputSchema outputSchema annotations icons _meta");
}

BOOST_AUTO_TEST_CASE(resource_has_the_members_of_the_protocol_version)
{
    offer out;
    auto full = make_resource("test:a");
    auto full_template = make_template("test:{a}");
    full.size = 1;
    full.title = full_template.title = "t";
    full.meta = full_template.meta = "{}";
    full.annotations.priority = full_template.annotations.priority = 1.0;
    full.icons = full_template.icons = {{"https://example.com/icon.png", {}, {}, {}}};
    BOOST_TEST(out.add(full) == "");
    BOOST_TEST(out.add(full_template) == "");
    for (auto const& [which, keys] : {std::pair(offer_list::resources, std::string("uri size")),
                                      std::pair(offer_list::templates, std::string("uriTemplate"))}) {
        BOOST_TEST(keys_of_entry(out, which, protocol_version::v2024_11_05) == keys + " name annotations");
        BOOST_TEST(keys_of_entry(out, which, protocol_version::v2025_03_26) == keys + " name annotations");
        BOOST_TEST(keys_of_entry(out, which, protocol_version::v2025_06_18) == keys + " name title annotations _meta");
        BOOST_TEST(keys_of_entry(out, which, newest) == keys + " name title annotations icons _meta");
    }
}

BOOST_AUTO_TEST_CASE(prompt_has_the_members_of_the_protocol_version)
{
    auto full = make_prompt("a", {"x"});
    full.title = full.arguments[0].title = "t";
    full.meta = "{}";
    full.icons = {{"https://example.com/icon.png", {}, {}, {}}};
    offer out;
    BOOST_TEST(out.add(full) == "");
    BOOST_TEST(page(out, offer_list::prompts, std::nullopt, protocol_version::v2024_11_05) ==
               R"("prompts":[{"name":"a","arguments":[{"name":"x"}]}])");
    BOOST_TEST(page(out, offer_list::prompts, std::nullopt, protocol_version::v2025_06_18) ==
               R"("prompts":[{"name":"a","title":"t","arguments":[{"name":"x","title":"t"}],"_meta":{}}])");
    BOOST_TEST(keys_of_entry(out, offer_list::prompts, newest) == "name title arguments icons _meta");
}

BOOST_AUTO_TEST_CASE(uri_matches_the_first_template_in_the_order_of_addition)
{
    offer out;
    for (auto const* text : {"test:a/{x}", "test:{+all}", "test:{y}/{z}"})
        BOOST_TEST(out.add(make_template(text)) == "");
    BOOST_TEST(match(out, "test:a/1") == "0 x=1");
    BOOST_TEST(match(out, "test:b/1") == "1 all=b/1");
    BOOST_TEST(match(out, "other:b/1") == "no match");
    BOOST_TEST(match(out, "") == "no match");
    BOOST_TEST(out.template_at(1) == "test:{+all}");
    BOOST_TEST(out.add(make_resource("test:fixed")) == "");
    BOOST_TEST(match(out, "test:fixed") == "1 all=fixed"); // resources do not matter
}

BOOST_AUTO_TEST_CASE(position_of_a_match_is_that_of_its_template_after_removals_and_additions)
{
    offer out;
    std::vector<std::string> names = {"a", "b", "c", "d"};
    auto const check = [&] {
        BOOST_TEST_REQUIRE(out.size(offer_list::templates) == names.size());
        for (std::size_t position = 0; position != names.size(); ++position) {
            auto const path = "test:" + names[position];
            BOOST_TEST(match(out, path + "/1") == std::to_string(position) + " x=1");
            BOOST_TEST(out.template_at(position) == path + "/{x}");
        }
    };
    for (auto const& name : names)
        BOOST_TEST(add(out, offer_list::templates, name) == "");
    check();
    for (auto const* removed : {"b", "a", "d", "unknown", "c"}) {
        std::erase(names, removed);
        BOOST_TEST(remove(out, offer_list::templates, removed) == (removed != std::string_view("unknown")));
        check();
        BOOST_TEST(match(out, std::string("test:") + removed + "/1") == "no match");
        names.push_back(std::string("after-") + removed);
        BOOST_TEST(add(out, offer_list::templates, names.back()) == "");
        check();
    }
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_addition_keeps_the_offer_unchanged)
{
    std::string const name(40, 'n'); // longer than the small buffer of a string
    for (auto const which : lists)
        linkspan::test::fail_each_allocation([&](auto& failing) {
            offer out(1);
            for (auto const* each : {"a", "b"})
                BOOST_TEST(add(out, which, each) == "");
            auto const before = page(out, which);
            auto const cursor = next_cursor(before).value();
            std::string problem = "none";
            bool const is_added = failing([&] { problem = add(out, which, name); });
            BOOST_TEST(problem == (is_added ? "" : "none"));
            BOOST_TEST(out.size(which) == (is_added ? 3u : 2u));
            BOOST_TEST((page(out, which, cursor) == "not found") == is_added);
            if (!is_added) {
                BOOST_TEST(page(out, which) == before);
                BOOST_TEST(match(out, "test:" + name + "/1") == "no match");
                BOOST_TEST(add(out, which, name) == "");
            }
            BOOST_TEST(out.size(which) == 3u);
            auto const is_template = which == offer_list::templates;
            BOOST_TEST(match(out, "test:" + name + "/1") == (is_template ? "2 x=1" : "no match"));
            BOOST_TEST(remove(out, which, "a"));
            BOOST_TEST(match(out, "test:" + name + "/1") == (is_template ? "1 x=1" : "no match"));
        });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_the_first_entry_does_not_offer_the_list)
{
    for (auto const which : lists)
        linkspan::test::fail_each_allocation([which](auto& failing) {
            offer out;
            bool const is_added = failing([&] { add(out, which, "a"); });
            BOOST_TEST(out.is_offered(which) == is_added);
            BOOST_TEST(out.size(which) == (is_added ? 1u : 0u));
        });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_the_reason_does_not_add_a_rejected_entry)
{
    for (auto const which : lists)
        linkspan::test::fail_each_allocation([which](auto& failing) {
            offer out;
            BOOST_TEST(add(out, which, "a") == "");
            std::string problem = "none";
            bool const is_complete = failing([&] { problem = add(out, which, "a"); });
            BOOST_TEST((problem == "none") == !is_complete);
            BOOST_TEST(problem != "");
            BOOST_TEST(out.size(which) == 1u);
        });
}

BOOST_AUTO_TEST_CASE(page_is_complete_after_a_failed_allocation)
{
    for (auto const which : lists) {
        std::string first, second;
        linkspan::test::fail_each_allocation([&](auto& failing) {
            offer out(1);
            for (auto const* name : {"a", "b"})
                BOOST_TEST(add(out, which, name) == "");
            failing([&] { out.page(which, std::nullopt, newest); });
            auto const text = page(out, which);
            auto const next = page(out, which, next_cursor(text).value());
            if (first.empty()) {
                offer other(1);
                for (auto const* name : {"a", "b"})
                    BOOST_TEST(add(other, which, name) == "");
                first = page(other, which);
                second = page(other, which, next_cursor(first).value());
            }
            BOOST_TEST(text == first);
            BOOST_TEST(next == second);
        });
    }
}

BOOST_AUTO_TEST_CASE(match_succeeds_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        offer out;
        BOOST_TEST(out.add(make_template("test:a/{x}")) == "");
        BOOST_TEST(out.add(make_template("test:{+path}")) == "");
        std::string const uri = "test:" + std::string(40, 'u');
        bool is_match = false;
        bool const is_complete = failing([&] { is_match = out.match(uri).has_value(); });
        BOOST_TEST(is_match == is_complete);
        BOOST_TEST(match(out, uri) == "1 path=" + std::string(40, 'u'));
    });
}

BOOST_AUTO_TEST_CASE(removal_and_search_by_name_do_not_throw)
{
    static_assert(noexcept(std::declval<offer&>().remove(offer_list::tools, "")));
    static_assert(noexcept(std::declval<offer const&>().size(offer_list::tools)));
    static_assert(noexcept(std::declval<offer const&>().is_offered(offer_list::tools)));
    static_assert(noexcept(std::declval<offer const&>().find_tool("")));
    static_assert(noexcept(std::declval<offer const&>().find_prompt("")));
    for (auto const which : lists) {
        offer out;
        for (auto const* name : {"a", "b"})
            BOOST_TEST(add(out, which, name) == "");
        std::string const name = which == offer_list::resources   ? "test:a"
                                 : which == offer_list::templates ? "test:a/{x}"
                                                                  : "a";
        bool is_removed = false;
        {
            linkspan::test::failing_allocation const failing(0);
            is_removed = out.remove(which, name);
        }
        BOOST_TEST(is_removed);
        BOOST_TEST(out.size(which) == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
