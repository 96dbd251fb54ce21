#include <linkspan/connector/result_classifier.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(result_classifier_test)

using linkspan::call_result;
using linkspan::detail::shared_text;
using linkspan::detail::to_tool_error;

namespace {

call_result result_with(std::string_view members) { return {shared_text("{" + std::string(members) + "}"), "db"}; }

// Returns the message of a result with these members; "none": the result reports no error.
std::string message_of(std::string_view members)
{
    return linkspan::find_status_error("query", result_with(members)).value_or("none");
}

std::string error_of(std::string_view members, std::string_view message)
{
    return std::string(to_tool_error(result_with(members), message).raw());
}

} // namespace

BOOST_AUTO_TEST_CASE(status_error_is_found_in_text_and_structured_content)
{
    BOOST_TEST(
        message_of(R"("content":[{"type":"text","text":"{\"status\":\"error\",\"error\":\"no \\\"a\\\"\"}"}])") ==
        R"(no "a")");
    BOOST_TEST(message_of(R"("structuredContent":{"error":"quota","status":"error"},"content":[])") == "quota");
    BOOST_TEST(message_of(R"("structuredContent":{"status":"error"})") == "");
    BOOST_TEST(message_of(R"("structuredContent":{"status":"error","error":{"code":4}})") == R"({"code":4})");
}

BOOST_AUTO_TEST_CASE(other_results_report_no_status_error)
{
    for (std::string_view const members :
         {R"("content":[])", R"("content":[{"type":"text","text":"error"}])",
          R"("content":[{"type":"text","text":"{\"status\":\"success\",\"error\":\"none\"}"}])",
          R"("content":[{"type":"text","text":"{\"status\":\"error\",\"error\":"}])",
          R"("content":[{"type":"text","text":"{\"status\":\"error\"} and more"}])",
          R"("content":[{"type":"text","text":"[{\"status\":\"error\"}]"}])", R"("structuredContent":{"status":1})",
          R"("structuredContent":{"inner":{"status":"error"}})",
          R"("content":[{"type":"text","text":"{\"status\":\"error\"}"}],"structuredContent":{"status":"success"})"})
        BOOST_TEST(message_of(members) == "none", members);
}

BOOST_AUTO_TEST_CASE(tool_error_has_the_message_as_its_text_and_keeps_other_members)
{
    constexpr std::string_view image = R"({"type":"image","data":"","mimeType":"image/png"})";
    auto const members = R"("_meta":{"a":1},"content":[{"type":"text","text":"{\"code\":7}"},)" + std::string(image) +
                         R"(],"isError":false)";
    auto const error = to_tool_error(result_with(members), "line\n1");
    BOOST_TEST(error.is_error());
    BOOST_TEST(error.text() == "line\n1");
    BOOST_TEST(error.server() == "db");
    BOOST_TEST(error.structured() == R"({"code":7})");
    auto const parsed = boost::json::parse(std::string(error.raw()));
    BOOST_TEST(parsed.at("_meta").at("a") == 1);
    BOOST_TEST(parsed.at("content").as_array().size() == 2u);
    BOOST_TEST(parsed.at("content").at(1) == boost::json::parse(std::string(image)));
    BOOST_TEST(parsed.at("isError") == true);
}

BOOST_AUTO_TEST_CASE(text_that_is_an_object_becomes_structured_content_of_tool_error)
{
    auto const content = [](std::string_view text) {
        return R"("content":[{"type":"text","text":")" + std::string(text) + "\"}]";
    };
    BOOST_TEST(error_of(content(R"({\"code\":7})"), "no") ==
               R"({"isError":true,"content":[{"type":"text","text":"no"}],"structuredContent":{"code":7}})");
    BOOST_TEST(error_of(content(R"({\"code\":7})") + R"(,"structuredContent":{})", "no") ==
               R"({"isError":true,"content":[{"type":"text","text":"no"}],"structuredContent":{}})");
    for (auto const* const text : {"[7]", R"({\"code\":\"\\q\"})", "{", "7"}) // not an object, or not valid
        BOOST_TEST(error_of(content(text), "no") == R"({"isError":true,"content":[{"type":"text","text":"no"}]})");
}

BOOST_AUTO_TEST_CASE(empty_message_keeps_the_content)
{
    BOOST_TEST(error_of(R"("content":[{"type":"text","text":"no"}])", "") ==
               R"({"isError":true,"content":[{"type":"text","text":"no"}]})");
    BOOST_TEST(error_of("", "") == R"({"isError":true})");
    BOOST_TEST(error_of("", "no") == R"({"isError":true,"content":[{"type":"text","text":"no"}]})");
}

BOOST_AUTO_TEST_CASE(first_of_repeated_members_counts_in_tool_error)
{
    BOOST_TEST(error_of(R"("isError":false,"content":[],"content":[{"type":"text","text":"x"}],"isError":false)",
                        "no") == R"({"isError":true,"content":[{"type":"text","text":"no"}]})");
}

BOOST_AUTO_TEST_SUITE_END()
