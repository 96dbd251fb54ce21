// Reading and writing of resources, templates, prompts, completions, implementations and tools.

#include <linkspan/model/call_result.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/implementation.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

BOOST_AUTO_TEST_SUITE(described_offers_test)

using namespace linkspan;
namespace json = boost::json;

namespace {

constexpr auto oldest = protocol_version::v2024_11_05;
constexpr auto latest = protocol_version::v2026_07_28;

constexpr char const* whole_resource =
    R"({"uri":"file:///a","size":3,"name":"a","title":"A","description":"d","mimeType":"text/plain",)"
    R"("annotations":{"priority":0.25},"icons":[{"src":"https://x/i.png"}],"_meta":{"k":1}})";
constexpr char const* whole_template =
    R"({"uriTemplate":"file:///{a}","name":"a","title":"A","description":"d","mimeType":"text/plain",)"
    R"("annotations":{"audience":["user"]},"icons":[{"src":"https://x/i.png"}],"_meta":{"k":1}})";
constexpr char const* whole_prompt =
    R"({"name":"p","title":"P","description":"d","arguments":[{"name":"a","title":"A","description":"d",)"
    R"("required":true},{"name":"b"}],"icons":[{"src":"https://x/i.png","theme":"light"}],"_meta":{"k":1}})";
constexpr char const* whole_tool =
    R"({"name":"t","title":"T","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},)"
    R"("annotations":{"readOnlyHint":true,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true},)"
    R"("icons":[{"src":"https://x/i.png"}],"_meta":{"k":1}})";

template<class T>
std::string written(T const& from, protocol_version version)
{
    std::string out;
    append_json(out, from, version);
    return out;
}

template<class... T>
std::string members(T const&... from)
{
    std::string out = "{";
    append_members(out, from...);
    return out + '}';
}

tool read_tool(std::string const& text)
{
    tool_list list;
    BOOST_TEST(!append_page(list, R"({"tools":[)" + text + "]}"));
    BOOST_TEST_REQUIRE(list.tools.size() == 1u);
    return list.tools[0];
}

} // namespace

BOOST_AUTO_TEST_CASE(whole_description_is_read_and_written_unchanged)
{
    BOOST_TEST(json::parse(written(read_resource(whole_resource).value(), latest)) == json::parse(whole_resource));
    BOOST_TEST(json::parse(written(read_resource_template(whole_template).value(), latest)) ==
               json::parse(whole_template));
    BOOST_TEST(json::parse(written(read_prompt(whole_prompt).value(), latest)) == json::parse(whole_prompt));
    BOOST_TEST(json::parse(written(read_tool(whole_tool), latest)) == json::parse(whole_tool));
}

BOOST_AUTO_TEST_CASE(members_that_the_oldest_protocol_version_lacks_are_not_written)
{
    BOOST_TEST(written(read_resource(whole_resource).value(), oldest) ==
               R"({"uri":"file:///a","size":3,"name":"a","description":"d","mimeType":"text/plain",)"
               R"("annotations":{"priority":0.25}})");
    BOOST_TEST(written(read_prompt(whole_prompt).value(), oldest) ==
               R"({"name":"p","description":"d","arguments":[{"name":"a","description":"d","required":true},)"
               R"({"name":"b"}]})");
    BOOST_TEST(written(read_tool(whole_tool), oldest) ==
               R"({"name":"t","description":"d","inputSchema":{"type":"object"}})");
    auto const texts = read_tool(R"({"name":"t","inputSchema":{},"outputSchema":{"type":"string"}})");
    BOOST_TEST(written(texts, protocol_version::v2025_11_25).find("outputSchema") == std::string::npos);
    BOOST_TEST(written(texts, latest).find("outputSchema") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(task_support_exists_in_one_protocol_version_only)
{
    auto const tool = read_tool(R"({"name":"t","inputSchema":{},"execution":{"taskSupport":"optional"}})");
    BOOST_TEST((tool.tasks == task_support::optional));
    BOOST_TEST(written(tool, protocol_version::v2025_11_25) ==
               R"({"name":"t","inputSchema":{},"execution":{"taskSupport":"optional"}})");
    BOOST_TEST(written(tool, latest) == R"({"name":"t","inputSchema":{}})");
    BOOST_TEST((read_tool(R"({"name":"t","execution":{"taskSupport":"required"}})").tasks == task_support::required));
    BOOST_TEST((read_tool(R"({"name":"t","execution":{"taskSupport":7}})").tasks == task_support::forbidden));
}

BOOST_AUTO_TEST_CASE(description_without_a_required_member_is_not_read)
{
    BOOST_TEST(!read_resource(R"({"uri":"file:///a"})"));
    BOOST_TEST(!read_resource(R"({"name":"a"})"));
    BOOST_TEST(!read_resource("[]"));
    BOOST_TEST(!read_resource_template(R"({"name":"a","uri":"file:///a"})"));
    BOOST_TEST(!read_prompt(R"({"title":"P"})"));
    BOOST_TEST(!read_prompt_result(R"({"messages":{}})"));
    BOOST_TEST(!read_prompt_result(R"({"messages":[{"role":"user"}]})"));
    BOOST_TEST(!read_prompt_result(R"({"messages":[{"content":{"type":"text","text":"x"}}]})"));
    BOOST_TEST(!read_completion_request(R"({"ref":{"type":"ref/prompt"},"argument":{"name":"a","value":""}})"));
    BOOST_TEST(!read_completion_request(R"({"ref":{"type":"ref/x","name":"p"},"argument":{"name":"a","value":""}})"));
    BOOST_TEST(!read_completion_request(R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a"}})"));
    BOOST_TEST(!read_completion_result(R"({"completion":{"values":"x"}})"));
}

BOOST_AUTO_TEST_CASE(prompt_result_has_a_message_per_role_and_block)
{
    constexpr auto* text = R"({"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}},)"
                           R"({"role":"assistant","content":{"type":"image","data":"","mimeType":"image/png"}}]})";
    auto const read = read_prompt_result(text).value();
    BOOST_TEST(read.messages.size() == 2u);
    BOOST_TEST(read.messages[1].role == "assistant");
    BOOST_TEST(json::parse(members(read, latest)) == json::parse(text));
    BOOST_TEST(members(prompt_result(), latest) == R"({"messages":[]})");
}

BOOST_AUTO_TEST_CASE(completion_request_and_result_are_read_and_written_unchanged)
{
    for (
        auto const* text :
        {R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"}})",
         R"({"ref":{"type":"ref/resource","uri":"file:///{a}"},"argument":{"name":"a","value":""},"context":{"arguments":{"b":"1"}}})"})
        BOOST_TEST(members(read_completion_request(text).value(), latest) == text);
    for (auto const* text :
         {R"({"completion":{"values":["a","b"],"total":7,"hasMore":true}})", R"({"completion":{"values":[]}})"})
        BOOST_TEST(members(read_completion_result(text).value()) == text);
}

BOOST_AUTO_TEST_CASE(context_of_a_completion_request_is_written_since_2025_06_18)
{
    std::string const before = R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"})";
    completion_request request;
    request.name = "p";
    request.argument = "a";
    request.value = "x";
    request.arguments = {{"b", "y"}};
    for (auto const version : {oldest, protocol_version::v2025_03_26})
        BOOST_TEST(members(request, version) == before + "}");
    for (auto const version : {protocol_version::v2025_06_18, protocol_version::v2025_11_25, latest})
        BOOST_TEST(members(request, version) == before + R"(,"context":{"arguments":{"b":"y"}}})");
}

BOOST_AUTO_TEST_CASE(completion_result_has_at_most_one_hundred_values)
{
    completion_result many;
    many.values.assign(101, "x");
    auto const read = read_completion_result(members(many)).value();
    BOOST_TEST(read.values.size() == 100u);
    BOOST_TEST(read.has_more);
    std::string text = R"({"completion":{"values":["x")"; // of a server that ignores the limit
    for (int i = 0; i != 150; ++i)
        text += R"(,"x")";
    auto const received = read_completion_result(text + "]}}").value();
    BOOST_TEST(received.values.size() == 100u);
    BOOST_TEST(received.has_more);
}

BOOST_AUTO_TEST_CASE(implementation_is_written_as_the_protocol_version_defines_it)
{
    constexpr auto* text = R"({"name":"n","version":"1","title":"T","description":"d","websiteUrl":"https://x",)"
                           R"("icons":[{"src":"https://x/i.png"}]})";
    auto const read = read_implementation(text);
    BOOST_TEST(json::parse(written(read, latest)) == json::parse(text));
    BOOST_TEST(written(read, protocol_version::v2025_06_18) == R"({"name":"n","version":"1","title":"T"})");
    BOOST_TEST(written(read, oldest) == R"({"name":"n","version":"1"})");
    BOOST_TEST((read_implementation("null") == implementation()));
}

BOOST_AUTO_TEST_CASE(log_level_has_one_name)
{
    for (auto const level : {log_level::debug, log_level::warning, log_level::emergency})
        BOOST_TEST((log_level_from(to_string(level)) == level));
    BOOST_TEST(!log_level_from("verbose"));
    BOOST_TEST(!log_level_from("Debug"));
}

BOOST_AUTO_TEST_CASE(content_of_a_result_has_all_blocks)
{
    call_result const result(
        linkspan::detail::shared_text(std::string_view(
            R"({"content":[{"type":"text","text":"a"},{"type":"image","data":"aGk=","mimeType":"image/png"}]})")),
        {});
    auto const blocks = result.content();
    BOOST_TEST_REQUIRE(blocks.size() == 2u);
    BOOST_TEST(std::get<text_content>(blocks[0]).text == "a");
    BOOST_TEST(std::get<image_content>(blocks[1]).data == "aGk=");
    BOOST_TEST(call_result().content().empty());
}

BOOST_AUTO_TEST_SUITE_END()
