#include <linkspan/model/content.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

BOOST_AUTO_TEST_SUITE(content_test)

using namespace linkspan;

namespace {

constexpr auto newest_version = protocol_version::v2026_07_28;

std::string written(content_block const& block, protocol_version version = newest_version)
{
    std::string out;
    append_content(out, block, version);
    return out;
}

// Blocks with all members that the specification defines, in the order in which the library writes them.
constexpr char const* blocks[] = {
    R"({"type":"text","text":"a \"b\"","annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2026-01-02T03:04:05Z"},"_meta":{"k":1}})",
    R"({"type":"image","data":"aGk=","mimeType":"image/png"})",
    R"({"type":"audio","data":"aGk=","mimeType":"audio/wav","_meta":{}})",
    R"({"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":""}})",
    R"({"type":"resource","resource":{"uri":"file:///a","blob":"aGk=","_meta":{"k":1}},"annotations":{"priority":1}})",
    R"({"type":"resource_link","uri":"file:///a","size":12,"name":"a","title":"A","description":"d","mimeType":"text/plain","annotations":{"audience":["user"]},"icons":[{"src":"data:,","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}],"_meta":{"k":1}})",
    R"({"type":"tool_use","id":"1","name":"t","input":{"a":1}})",
    R"({"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"x"}],"structuredContent":{"a":1},"isError":true})",
};

} // namespace

BOOST_AUTO_TEST_CASE(block_that_was_read_is_written_with_the_same_members)
{
    for (auto const* text : blocks) {
        auto const block = read_content_block(text);
        BOOST_TEST(!std::holds_alternative<unknown_content>(block), text);
        BOOST_TEST(boost::json::parse(written(block)) == boost::json::parse(text));
        BOOST_TEST((read_content_block(written(block)) == block));
    }
}

BOOST_AUTO_TEST_CASE(block_of_another_type_or_without_required_members_is_kept_unchanged)
{
    for (auto const* text : {
             R"({"type":"hologram","data":[1]})",
             R"({"text":"no type"})",
             R"({"type":"text"})",
             R"({"type":"text","text":1})",
             R"({"type":"image","data":"aGk="})",
             R"({"type":"resource","resource":{"uri":"file:///a"}})",
             R"({"type":"resource","resource":{"text":"x"}})",
             R"({"type":"resource_link","uri":"file:///a"})",
             R"({"type":"tool_use","id":"1","name":"t","input":[]})",
             R"({"type":"tool_result","content":[]})",
             R"([])",
         }) {
        auto const block = read_content_block(text);
        BOOST_TEST_REQUIRE(std::holds_alternative<unknown_content>(block), text);
        BOOST_TEST(std::get<unknown_content>(block).raw == text);
        BOOST_TEST(written(block, protocol_version::v2024_11_05) == text);
    }
    BOOST_TEST(std::get<unknown_content>(read_content_block(R"({"type":"hologram"})")).type == "hologram");
}

BOOST_AUTO_TEST_CASE(content_is_an_array_of_blocks_or_one_block)
{
    BOOST_TEST(read_content(R"([{"type":"text","text":"a"},{"type":"x"}])").size() == 2u);
    BOOST_TEST(read_content(R"({"type":"text","text":"a"})").size() == 1u);
    for (auto const* other : {"", "null", "1", "\"text\"", "[]"})
        BOOST_TEST(read_content(other).empty(), other);
    std::string out;
    append_content(out, read_content(R"([{"type":"text","text":"a"},{"type":"x"}])"), newest_version);
    BOOST_TEST(out == R"([{"type":"text","text":"a"},{"type":"x"}])");
    out.clear();
    append_content(out, std::vector<content_block>(), newest_version);
    BOOST_TEST(out == "[]");
}

BOOST_AUTO_TEST_CASE(members_that_a_protocol_version_lacks_are_not_written)
{
    auto const text = read_content_block(blocks[0]);
    BOOST_TEST(written(text, protocol_version::v2025_03_26) ==
               R"({"type":"text","text":"a \"b\"","annotations":{"audience":["user","assistant"],"priority":0.5}})");
    auto const link = read_content_block(blocks[5]);
    BOOST_TEST(written(link, protocol_version::v2025_06_18).find("icons") == std::string::npos);
    BOOST_TEST(written(link, protocol_version::v2025_11_25).find("icons") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(block_of_a_type_that_the_protocol_version_lacks_is_written_as_its_description)
{
    struct {
        char const* block;
        protocol_version version;
        char const* expected;
    } const rows[] = {
        {blocks[2], protocol_version::v2024_11_05, R"({"type":"text","text":"[audio of the type audio/wav]"})"},
        {blocks[5], protocol_version::v2025_03_26, R"({"type":"text","text":"[resource a: file:///a]"})"},
        {blocks[6], protocol_version::v2025_06_18, R"({"type":"text","text":"[call of the tool t: {\"a\":1}]"})"},
        {blocks[7], protocol_version::v2025_06_18,
         R"({"type":"text","text":"[result of a tool: [{\"type\":\"text\",\"text\":\"x\"}]]"})"},
    };
    for (auto const& row : rows)
        BOOST_TEST(written(read_content_block(row.block), row.version) == row.expected);
    BOOST_TEST(written(read_content_block(blocks[2]), protocol_version::v2025_03_26).find("\"audio\"") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
