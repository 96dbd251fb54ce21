#include <linkspan/agent.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using linkspan::call_result;
using linkspan::error;
using linkspan::error_code;
using linkspan::model_answer;
using linkspan::model_call;
using linkspan::read_model_call;
using linkspan::tool_format;
namespace data = boost::unit_test::data;
namespace json = boost::json;

namespace {

struct malformed_row {
    char const* text;
    tool_format format;
};

std::ostream& operator<<(std::ostream& out, malformed_row const& row) { return out << row.text; }

constexpr malformed_row malformed[] = {
    {"", tool_format::flat},
    {"nonsense", tool_format::anthropic},
    {R"({"name":"a__b"})", tool_format::openai},
    {R"({"function":{"name":"a__b","arguments":{"x":1}}})", tool_format::openai},
    {R"({"function":{"name":"a__b","arguments":"{"}})", tool_format::openai},
    {R"({"name":"a__b","input":[1]})", tool_format::anthropic},
    {R"({"name":5,"input":{}})", tool_format::anthropic},
    {R"({"input":{}})", tool_format::anthropic},
};

model_call asked_for()
{
    model_call asked;
    asked.id = "c\"1";
    asked.name = "a__b";
    return asked;
}

call_result saying(std::string_view members)
{
    return call_result(linkspan::detail::shared_text("{" + std::string(members) + "}"), "a");
}

} // namespace

BOOST_AUTO_TEST_SUITE(agent_test)

// S0-29
BOOST_AUTO_TEST_CASE(requests_of_all_formats_are_read)
{
    struct {
        char const* text;
        tool_format format;
    } const rows[] = {
        {R"({"id":"c1","type":"function","function":{"name":"a__b","arguments":"{\"x\":1}"}})", tool_format::openai},
        {R"({"type":"tool_use","id":"c1","name":"a__b","input":{"x":1}})", tool_format::anthropic},
        {R"({"id":"c1","name":"a__b","arguments":{"x":1}})", tool_format::flat},
    };
    for (auto const& row : rows) {
        error_code ec;
        auto const asked = read_model_call(row.text, row.format, ec);
        BOOST_TEST(!ec, row.text);
        BOOST_TEST(asked.id == "c1");
        BOOST_TEST(asked.name == "a__b");
        BOOST_TEST(asked.arguments == R"({"x":1})");
    }
}

BOOST_AUTO_TEST_CASE(no_arguments_are_an_empty_object)
{
    error_code ec;
    BOOST_TEST(read_model_call(R"({"function":{"name":"t","arguments":""}})", tool_format::openai, ec).arguments ==
               "{}");
    BOOST_TEST(!ec);
    BOOST_TEST(read_model_call(R"({"name":"t"})", tool_format::flat, ec).arguments == "{}");
    BOOST_TEST(!ec);
}

BOOST_DATA_TEST_CASE(what_is_no_request_is_an_error, data::make(malformed))
{
    error_code ec;
    read_model_call(sample.text, sample.format, ec);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
}

// S0-29
BOOST_AUTO_TEST_CASE(an_answer_is_a_message_of_the_format)
{
    auto const result = saying(R"("content":[{"type":"text","text":"line\n\"two\""}])");
    auto const openai = json::parse(model_answer(asked_for(), {}, result, tool_format::openai));
    BOOST_TEST(openai.at("role") == "tool");
    BOOST_TEST(openai.at("tool_call_id") == "c\"1");
    BOOST_TEST(openai.at("content") == "line\n\"two\"");
    auto const anthropic = json::parse(model_answer(asked_for(), {}, result, tool_format::anthropic));
    BOOST_TEST(anthropic.at("type") == "tool_result");
    BOOST_TEST(anthropic.at("tool_use_id") == "c\"1");
    BOOST_TEST(anthropic.at("content").at(0).at("text") == "line\n\"two\"");
    BOOST_TEST(anthropic.at("is_error") == false);
    auto const flat = json::parse(model_answer(asked_for(), {}, result, tool_format::flat));
    BOOST_TEST(flat.at("name") == "a__b");
    BOOST_TEST(flat.at("result") == "line\n\"two\"");
}

BOOST_AUTO_TEST_CASE(structured_content_without_text_is_told)
{
    auto const result = saying(R"("content":[],"structuredContent":{"high":21})");
    auto const answer = json::parse(model_answer(asked_for(), {}, result, tool_format::openai));
    BOOST_TEST(answer.at("content") == R"({"high":21})");
}

// S4-46
BOOST_AUTO_TEST_CASE(a_failure_is_told_in_words)
{
    auto const failed = saying(R"("content":[{"type":"text","text":"no money"}],"isError":true)");
    auto const answer = json::parse(model_answer(asked_for(), {}, failed, tool_format::anthropic));
    BOOST_TEST(answer.at("is_error") == true);
    call_result unknown;
    unknown.trail({}, "'a__c'; nearest: a__b");
    auto const lost = json::parse(model_answer(asked_for(), error::invalid_tool_name, unknown, tool_format::anthropic));
    BOOST_TEST(lost.at("is_error") == true);
    std::string const said(lost.at("content").at(0).at("text").as_string());
    BOOST_TEST(said.starts_with("Invalid MCP tool name"), said); // S4-46
    BOOST_TEST(said.find("nearest: a__b") != said.npos, said);
}

BOOST_AUTO_TEST_SUITE_END()
