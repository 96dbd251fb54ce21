#include <linkspan/agent.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(tool_result_message_test)

using linkspan::call_result;
using linkspan::model_call;
using linkspan::tool_format;
using linkspan::tool_result_message;
namespace json = boost::json;

namespace {

constexpr std::string_view png = R"({"type":"image","data":"iVBORw==","mimeType":"image/png"})";

json::value message(tool_format format, std::string const& blocks, std::string const& other_members = {})
{
    model_call request;
    request.id = "c1";
    request.name = "a__b";
    call_result const result(linkspan::detail::shared_text("{\"content\":[" + blocks + "]" + other_members + "}"), "a");
    return json::parse(tool_result_message(request, {}, result, format));
}

json::value content(tool_format format, std::string const& blocks, std::string const& other_members = {})
{
    auto const all = message(format, blocks, other_members);
    return format == tool_format::openai_responses ? all.at("output")
           : format == tool_format::flat           ? all.at("result")
                                                   : all.at("content");
}

std::string text(std::string const& content) { return R"({"type":"text","text":")" + content + "\"}"; }

std::string blob(std::string const& uri, std::string const& type)
{
    return R"({"type":"resource","resource":{"blob":"JVBERg==","uri":")" + uri + R"(","mimeType":")" + type + "\"}}";
}

json::value document(std::string const& uri, std::string const& words)
{
    return content(tool_format::anthropic,
                   R"({"type":"resource","resource":{"uri":")" + uri + R"(","text":")" + words + R"("}})");
}

json::value text_block(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

} // namespace

BOOST_AUTO_TEST_CASE(image_between_texts_becomes_an_image_block_for_anthropic)
{
    auto const blocks =
        content(tool_format::anthropic, text("one") + ',' + text("two") + ',' + std::string(png) + ',' + text("three"));
    BOOST_TEST_REQUIRE(blocks.as_array().size() == 3U);
    BOOST_TEST(blocks.at(0) == text_block("one\ntwo"));
    auto const image =
        json::parse(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}})");
    BOOST_TEST(blocks.at(1) == image);
    BOOST_TEST(blocks.at(2) == text_block("three"));
}

BOOST_AUTO_TEST_CASE(image_becomes_an_input_image_for_openai_responses)
{
    auto const output = content(tool_format::openai_responses, text("look") + ',' + std::string(png));
    auto const expected = json::parse(
        R"([{"type":"input_text","text":"look"},
            {"type":"input_image","image_url":"data:image/png;base64,iVBORw=="}])");
    BOOST_TEST(output == expected);
    auto const plain = message(tool_format::openai_responses, text("just text"));
    BOOST_TEST(plain == json::parse(R"({"type":"function_call_output","call_id":"c1","output":"just text"})"));
}

BOOST_AUTO_TEST_CASE(image_becomes_a_placeholder_if_the_format_has_no_images)
{
    for (auto const format : {tool_format::openai, tool_format::flat})
        BOOST_TEST(content(format, text("look") + ',' + std::string(png)) ==
                   "look\n[image omitted: image/png, 4 bytes]");
}

// The Messages API of Anthropic rejects a whole conversation that contains an unreadable image.
BOOST_AUTO_TEST_CASE(image_with_unsupported_type_or_data_becomes_a_placeholder)
{
    auto const image = [](std::string const& data, std::string const& type) {
        return R"({"type":"image","data":")" + data + R"(","mimeType":")" + type + "\"}";
    };
    auto const text_for = [&](std::string const& block) {
        return content(tool_format::anthropic, block).at(0).at("text").as_string();
    };
    BOOST_TEST(text_for(image("PHN2Zz4=", "image/svg+xml")) == "[image omitted: image/svg+xml, 5 bytes]");
    for (auto const* data : {"a", "ab=c", "a===", "????", "iVBORw", "ab c"})
        BOOST_TEST(text_for(image(data, "image/png")) == "[image omitted: image/png, data is not valid base64]", data);
    BOOST_TEST(text_for(image("", "image/png")) == "[image omitted: image/png]");
}

BOOST_AUTO_TEST_CASE(image_data_with_escaped_slashes_is_decoded)
{
    auto const blocks = content(tool_format::anthropic, R"({"type":"image","data":"\/9j\/","mimeType":"image\/jpeg"})");
    BOOST_TEST(blocks.at(0).at("source").at("data") == "/9j/");
    BOOST_TEST(blocks.at(0).at("source").at("media_type") == "image/jpeg");
}

BOOST_AUTO_TEST_CASE(text_resource_is_included_in_every_format)
{
    std::string const resource =
        R"({"type":"resource","resource":{"uri":"file:///a.md","mimeType":"text/markdown","text":"# A"}})";
    auto const expected = json::parse(
        R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"# A"},
            "title":"file:///a.md"})");
    BOOST_TEST(content(tool_format::anthropic, resource).at(0) == expected);
    for (auto const format : {tool_format::openai, tool_format::flat, tool_format::openai_responses})
        BOOST_TEST(content(format, resource) == "file:///a.md:\n# A");
}

BOOST_AUTO_TEST_CASE(pdf_and_image_resources_are_blocks_if_the_format_supports_them)
{
    auto const pdf = blob("file:///x/report.pdf", "application/pdf");
    auto const expected = json::parse(
        R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERg=="},
            "title":"file:///x/report.pdf"})");
    BOOST_TEST(content(tool_format::anthropic, pdf).at(0) == expected);
    auto const file = json::parse(
        R"({"type":"input_file","filename":"report.pdf","file_data":"data:application/pdf;base64,JVBERg=="})");
    BOOST_TEST(content(tool_format::openai_responses, pdf).at(0) == file);
    BOOST_TEST(content(tool_format::anthropic, blob("x:y", "image/webp")).at(0).at("type") == "image");
}

BOOST_AUTO_TEST_CASE(resource_of_an_unsupported_type_becomes_a_placeholder)
{
    BOOST_TEST(content(tool_format::openai, blob("file:///x/report.pdf", "application/pdf")) ==
               "[resource omitted: file:///x/report.pdf, application/pdf, 4 bytes]");
    BOOST_TEST(content(tool_format::anthropic, blob("x:y", "application/zip")).at(0) ==
               text_block("[resource omitted: x:y, application/zip, 4 bytes]"));
}

BOOST_AUTO_TEST_CASE(resource_link_is_described_and_unknown_content_becomes_a_placeholder)
{
    std::string const blocks =
        R"({"type":"resource_link","uri":"file:///b","name":"b","mimeType":"text/plain","description":"The b"},
           {"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"hologram"})";
    for (auto const format : {tool_format::openai, tool_format::flat, tool_format::openai_responses})
        BOOST_TEST(content(format, blocks) == "resource 'b' at file:///b, text/plain, The b\n"
                                              "[audio omitted: audio/wav, 3 bytes]\n[hologram omitted]");
}

// The Messages API of Anthropic rejects a title that is empty or longer than 500 characters.
BOOST_AUTO_TEST_CASE(document_title_is_absent_without_uri_and_truncated_at_500_characters_for_anthropic)
{
    BOOST_TEST(!document("", "x").at(0).as_object().contains("title"));
    std::string long_uri = "x:";
    for (int i = 0; i != 498; ++i)
        long_uri += "\xc3\xa9";
    BOOST_TEST(document(long_uri, "x").at(0).at("title") == json::value(long_uri));
    BOOST_TEST(document(long_uri + "\xc3\xa9", "x").at(0).at("title") == json::value(long_uri));
}

// The Messages API of Anthropic rejects a document without text.
BOOST_AUTO_TEST_CASE(blank_document_produces_no_block) { BOOST_TEST(document("", " \\n").as_array().empty()); }

BOOST_AUTO_TEST_CASE(image_in_failed_result_becomes_a_placeholder_for_anthropic)
{
    auto const all = message(tool_format::anthropic, text("no") + ',' + std::string(png), R"(,"isError":true)");
    BOOST_TEST(all.at("is_error") == true);
    json::array content; // with Boost 1.88, `json::value({x})` is `x` and not an array
    content.push_back(text_block("no\n[image omitted: image/png, 4 bytes]"));
    BOOST_TEST(all.at("content") == json::value(content));
}

BOOST_AUTO_TEST_CASE(blank_text_produces_no_block_for_anthropic)
{
    BOOST_TEST(content(tool_format::anthropic, text("")).as_array().empty());
    BOOST_TEST(content(tool_format::anthropic, text(" \\n") + ',' + std::string(png)).as_array().size() == 1U);
    BOOST_TEST(content(tool_format::openai, text("")) == "");
}

BOOST_AUTO_TEST_CASE(invalid_utf8_in_text_is_replaced)
{
    BOOST_TEST(content(tool_format::openai, text("a\xff"
                                                 "b")) == "a\xef\xbf\xbd"
                                                          "b");
}

BOOST_AUTO_TEST_CASE(invalid_utf8_in_request_is_replaced)
{
    std::string const invalid = "a\xff"
                                "b";
    std::string const replaced = "a\xef\xbf\xbd"
                                 "b";
    linkspan::error_code ec;
    auto const request = linkspan::read_model_call(
        R"({"id":")" + invalid + R"(","type":"function","function":{"name":"t","arguments":"{}"}})",
        tool_format::openai, ec);
    BOOST_TEST(ec == make_error_code(linkspan::error::malformed_message));
    BOOST_TEST(request.id == invalid);
    BOOST_TEST(json::parse(tool_result_message(request, ec, {}, tool_format::openai)).at("tool_call_id") ==
               json::value(replaced));

    model_call of_user;
    of_user.id = of_user.name = of_user.problem = invalid;
    for (auto const& [format, key] : {std::pair(tool_format::openai, "tool_call_id"),
                                      {tool_format::openai_responses, "call_id"},
                                      {tool_format::anthropic, "tool_use_id"},
                                      {tool_format::flat, "id"}}) {
        auto const all = json::parse(tool_result_message(of_user, ec, {}, format));
        BOOST_TEST(all.at(key) == json::value(replaced));
        BOOST_TEST(json::serialize(all).find(": " + replaced) != std::string::npos, json::serialize(all));
        BOOST_TEST((format != tool_format::flat || all.at("name") == json::value(replaced)));
    }
}

BOOST_AUTO_TEST_CASE(flat_message_has_id_name_and_status)
{
    auto const all = message(tool_format::flat, text("x"));
    BOOST_TEST(all.at("id") == "c1");
    BOOST_TEST(all.at("name") == "a__b");
    BOOST_TEST(all.at("is_error") == false);
}

BOOST_AUTO_TEST_SUITE_END()
