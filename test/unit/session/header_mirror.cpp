#include <linkspan/session/detail/header_mirror.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(header_mirror_test)

using linkspan::tool;
using linkspan::tool_list;
using linkspan::detail::header_mirror;

namespace {

constexpr std::string_view region = R"({"properties":{"region":{"type":"string","x-mcp-header":"Region"}}})";
constexpr std::string_view region_and_count = R"({"properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
                                              R"("count":{"type":"integer","x-mcp-header":"Count"}}})";
constexpr std::string_view invalid = R"({"properties":{"region":{"type":"array","x-mcp-header":"Region"}}})";

tool_list list_of(std::initializer_list<std::pair<std::string_view, std::string_view>> tools)
{
    tool_list list;
    for (auto const& [name, schema] : tools) {
        tool one;
        one.name = name;
        one.input_schema = schema;
        list.tools.push_back(one);
    }
    return list;
}

header_mirror::arguments_by_tool read(tool_list list, std::size_t first = 0)
{
    header_mirror::arguments_by_tool out;
    header_mirror::read(list, first, out);
    return out;
}

// Returns the headers as "name: value; name: value".
std::string text_of(std::span<linkspan::header_value const> headers)
{
    std::string out;
    for (auto const& header : headers) {
        out += out.empty() ? "" : "; ";
        (out += header.name) += ": ";
        out += header.value;
    }
    return out;
}

// Mirror that is enabled and has a list of two tools.
struct fixture {
    header_mirror mirror;

    fixture()
    {
        mirror.enable(true);
        mirror.replace(read(list_of({{"search", region_and_count}, {"move", region}, {"plain", "{}"}})));
    }

    std::string headers(std::string_view tool, std::string_view params)
    {
        return text_of(mirror.headers_of("tools/call", tool, params));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(new_mirror_is_not_enabled_and_has_no_headers)
{
    header_mirror mirror;
    BOOST_TEST(!mirror.is_enabled());
    mirror.replace(read(list_of({{"move", region}})));
    BOOST_TEST(mirror.headers_of("tools/call", "move", R"("arguments":{"region":"eu"})").empty());
}

BOOST_FIXTURE_TEST_CASE(annotated_arguments_of_a_call_become_headers, fixture)
{
    BOOST_TEST(mirror.is_enabled());
    BOOST_TEST(headers("search", R"("name":"search","arguments":{"count":3,"region":"eu"})") ==
               "Mcp-Param-Region: eu; Mcp-Param-Count: 3");
    BOOST_TEST(headers("move", R"("name":"move","arguments":{"region":"us"})") == "Mcp-Param-Region: us");
}

BOOST_FIXTURE_TEST_CASE(missing_arguments_have_no_headers, fixture)
{
    BOOST_TEST(headers("search", R"("arguments":{"count":3})") == "Mcp-Param-Count: 3");
    BOOST_TEST(headers("search", R"("arguments":{})").empty());
    BOOST_TEST(headers("search", R"("name":"search")").empty());
    BOOST_TEST(headers("search", "").empty());
}

BOOST_FIXTURE_TEST_CASE(short_texts_of_several_headers_stay_valid, fixture)
{
    auto const headers = mirror.headers_of("tools/call", "search", R"("arguments":{"region":"e","count":1})");
    BOOST_TEST(text_of(headers) == "Mcp-Param-Region: e; Mcp-Param-Count: 1");
}

BOOST_FIXTURE_TEST_CASE(request_other_than_a_call_has_no_headers, fixture)
{
    auto const params = R"("arguments":{"region":"eu"})";
    BOOST_TEST(mirror.headers_of("prompts/get", "move", params).empty());
    BOOST_TEST(mirror.headers_of("tools/list", "", "").empty());
}

BOOST_FIXTURE_TEST_CASE(tool_without_annotations_has_no_headers, fixture)
{
    BOOST_TEST(headers("plain", R"("arguments":{"region":"eu"})").empty());
    BOOST_TEST(headers("unknown", R"("arguments":{"region":"eu"})").empty());
}

BOOST_FIXTURE_TEST_CASE(mirror_that_is_disabled_keeps_its_list, fixture)
{
    mirror.enable(false);
    BOOST_TEST(headers("move", R"("arguments":{"region":"eu"})").empty());
    mirror.enable(true);
    BOOST_TEST(headers("move", R"("arguments":{"region":"eu"})") == "Mcp-Param-Region: eu");
}

BOOST_FIXTURE_TEST_CASE(new_list_replaces_all_annotations, fixture)
{
    mirror.replace(read(list_of({{"other", region}})));
    BOOST_TEST(headers("move", R"("arguments":{"region":"eu"})").empty());
    BOOST_TEST(headers("other", R"("arguments":{"region":"eu"})") == "Mcp-Param-Region: eu");
    mirror.replace({});
    BOOST_TEST(headers("other", R"("arguments":{"region":"eu"})").empty());
}

BOOST_AUTO_TEST_CASE(tool_with_invalid_annotations_is_unusable_and_the_others_keep_their_order)
{
    auto list = list_of({{"a", region}, {"b", invalid}, {"c", "{}"}, {"d", invalid}, {"e", region}});
    header_mirror::arguments_by_tool out;
    header_mirror::read(list, 0, out);
    BOOST_REQUIRE(list.tools.size() == 3U);
    BOOST_TEST(list.tools[0].name == "a");
    BOOST_TEST(list.tools[1].name == "c");
    BOOST_TEST(list.tools[2].name == "e");
    BOOST_TEST(list.tools[2].input_schema == region);
    BOOST_REQUIRE(list.unusable.size() == 2U);
    BOOST_TEST(list.unusable[0].subject == "b");
    BOOST_TEST(list.unusable[1].subject == "d");
    BOOST_TEST(list.unusable[0].message.find("x-mcp-header requires type") != std::string::npos);
    BOOST_TEST(out.size() == 2U);
}

BOOST_AUTO_TEST_CASE(tools_before_the_given_index_are_not_read)
{
    auto list = list_of({{"a", invalid}, {"b", region}, {"c", invalid}});
    header_mirror::arguments_by_tool out;
    header_mirror::read(list, 1, out);
    BOOST_TEST(list.tools.size() == 2U);
    BOOST_TEST(list.tools[0].name == "a");
    BOOST_TEST(out.contains("b"));
    header_mirror::read(list, 2, out); // an empty page
    BOOST_TEST(list.tools.size() == 2U);
    BOOST_TEST(out.size() == 1U);
}

BOOST_AUTO_TEST_CASE(last_of_several_tools_with_one_name_determines_the_headers)
{
    auto const out = read(list_of({{"a", region}, {"a", region_and_count}}));
    BOOST_REQUIRE(out.size() == 1U);
    BOOST_TEST(out.begin()->second.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
