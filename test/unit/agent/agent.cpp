#include <linkspan/agent.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "support/result_with.hpp"

using linkspan::call_result;
using linkspan::error;
using linkspan::error_code;
using linkspan::model_call;
using linkspan::read_model_call;
using linkspan::tool_format;
using linkspan::tool_result_message;
using linkspan::test::result_with;
namespace data = boost::unit_test::data;
namespace json = boost::json;

namespace linkspan {

std::ostream& operator<<(std::ostream& out, tool_format format) { return out << static_cast<int>(format); }

} // namespace linkspan

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
    {R"({"function":{"name":"a__b","arguments":"{"}})", tool_format::openai},
    {R"({"name":"a__b","input":[1]})", tool_format::anthropic},
    {R"({"name":5,"input":{}})", tool_format::anthropic},
    {R"({"input":{}})", tool_format::anthropic},
};

struct problem_row {
    char const* text;
    tool_format format;
    char const* problem;
};

std::ostream& operator<<(std::ostream& out, problem_row const& row) { return out << row.text; }

constexpr problem_row problems[] = {
    {R"({"type":"tool_use","id":"t3","name":"process_id")", tool_format::anthropic,
     "the request is truncated and so not valid JSON: the text ends after 48 bytes"},
    {R"({"type":"tool_use","id":"t3","name":"n","input":{"a":tru}})", tool_format::anthropic,
     "arguments are not valid JSON: unexpected '}' at byte 57, inside '/a'"},
    {R"({"type":"tool_use","id":"t3","name":"n","arguments":{"a":tru}})", tool_format::flat,
     "arguments are not valid JSON: unexpected '}' at byte 61, inside '/a'"},
    {R"({"name":"n","arguments":{"a":[1,)", tool_format::flat,
     "arguments are truncated and so not valid JSON: the text ends after 32 bytes, inside '/a/1'"},
    {R"({"function":{"name":"n","arguments":"{\"a\":)", tool_format::openai,
     "arguments are truncated and so not valid JSON: the text ends after 44 bytes"},
    {R"({"function":{"name":"n","arguments":"{\"a\":"}})", tool_format::openai,
     "arguments are truncated and so not valid JSON: the text ends after 5 bytes, inside '/a'"},
    {R"({"function":{"name":"n","arguments":"{\"a\":{\"b\":1,\"b\":1}}"}})", tool_format::openai,
     "arguments are ambiguous: duplicate key '/a/b'"},
    {R"({"name":"n","arguments":"{} and more"})", tool_format::openai_responses,
     "arguments are followed by other text at byte 4, expected one JSON object"},
    {R"({"name":"n","input":{"a":{"b":1,"b":1}}})", tool_format::anthropic,
     "arguments are ambiguous: duplicate key '/a/b'"},
    {R"({"name":"n","input":{},"input":{"a":1}})", tool_format::anthropic,
     "the request is ambiguous: duplicate key '/input'"},
    {R"({"name":"n","n\u0061me":"m","input":{}})", tool_format::anthropic,
     "the request is ambiguous: duplicate key '/name'"},
    {R"({"function":{"name":"n","name":"m","arguments":"{}"}})", tool_format::openai,
     "the request is ambiguous: duplicate key '/function/name'"},
    {R"({"name":"n","arguments":"{\"a\":1}"})", tool_format::flat, "arguments must be an object, not a string"},
    {R"({"name":"n","input":"{}"})", tool_format::anthropic, "arguments must be an object, not a string"},
    {R"({"name":"n","input":[1]})", tool_format::anthropic, "arguments must be an object, not an array"},
    {R"({"name":"n","arguments":null})", tool_format::flat, "arguments must be an object, not null"},
    {R"({"function":{"name":"n","arguments":7}})", tool_format::openai, "arguments must be an object, not a number"},
    {R"({"function":{"name":"n","arguments":"[1]"}})", tool_format::openai,
     "arguments must be an object, not an array"},
    {R"({"name":"n","arguments":true})", tool_format::openai_responses, "arguments must be an object, not a boolean"},
    {R"([{"name":"n","arguments":{}}])", tool_format::flat, "the request must be an object, not an array"},
    {R"({"arguments":{}})", tool_format::flat, "'name' is missing, expected a string"},
    {R"({"name":5})", tool_format::flat, "'name' must be a string, not a number"},
    {R"({"name":""})", tool_format::flat, "'name' must be the name of a tool, not empty"},
    {R"({"id":5,"name":"n"})", tool_format::flat, "'id' must be a string, not a number"},
    {R"({"name":"n","arguments":"{}"})", tool_format::openai, "'function' is missing, expected an object"},
    {R"({"function":"n"})", tool_format::openai, "'function' must be an object, not a string"},
    {R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})", tool_format::anthropic,
     "'type' must be \"tool_use\", not \"server_tool_use\""},
    {R"({"type":"web_search_call","name":"n","arguments":"{}"})", tool_format::openai_responses,
     "'type' must be \"function_call\", not \"web_search_call\""},
};

constexpr malformed_row whole[] = {
    {R"({"id":"c1","type":"function","function":{"name":"a__b","arguments":"{\"x\":[1,true],\"y\":\"\\n\"}"}})",
     tool_format::openai},
    {R"({"id":"c1","type":"function","function":{"name":"a__b","arguments":{"x":[1,true],"y":"\n"}}})",
     tool_format::openai},
    {R"({"type":"function_call","id":"f","call_id":"c1","name":"a__b","arguments":"{\"x\":-1.5e2}"})",
     tool_format::openai_responses},
    {R"({"type":"tool_use","id":"t3","name":"process_id","input":{}})", tool_format::anthropic},
    {R"({"type":"tool_use","id":"t3","name":"a__b","input":{"a":{"b":[null,"\u00e9"]},"c":false}})",
     tool_format::anthropic},
    {R"({"name":"a__b","arguments":{"a":true,"b":[{}]},"id":"c1"})", tool_format::flat},
    {R"({"name":"a__b"})", tool_format::flat},
};

model_call request_of_model()
{
    model_call request;
    request.id = "c\"1";
    request.name = "a__b";
    return request;
}

} // namespace

BOOST_AUTO_TEST_SUITE(agent_test)

BOOST_AUTO_TEST_CASE(request_is_parsed_in_every_format)
{
    struct {
        char const* text;
        tool_format format;
    } const rows[] = {
        {R"({"id":"c1","type":"function","function":{"name":"a__b","arguments":"{\"x\":1}"}})", tool_format::openai},
        {R"({"type":"tool_use","id":"c1","name":"a__b","input":{"x":1}})", tool_format::anthropic},
        {R"({"id":"c1","name":"a__b","arguments":{"x":1}})", tool_format::flat},
        {R"({"type":"function_call","id":"fc","call_id":"c1","name":"a__b","arguments":"{\"x\":1}"})",
         tool_format::openai_responses},
        // Some endpoints that imitate the API send the arguments as an object.
        {R"({"id":"c1","type":"function","function":{"name":"a__b","arguments":{"x":1}}})", tool_format::openai},
        {R"({"type":"function_call","call_id":"c1","name":"a__b","arguments":{"x":1}})", tool_format::openai_responses},
    };
    for (auto const& row : rows) {
        error_code ec;
        auto const parsed = read_model_call(row.text, row.format, ec);
        BOOST_TEST(!ec, row.text);
        BOOST_TEST(parsed.id == "c1");
        BOOST_TEST(parsed.name == "a__b");
        BOOST_TEST(parsed.arguments == R"({"x":1})");
    }
}

BOOST_AUTO_TEST_CASE(absent_or_empty_arguments_are_parsed_as_empty_object)
{
    error_code ec;
    BOOST_TEST(read_model_call(R"({"function":{"name":"t","arguments":""}})", tool_format::openai, ec).arguments ==
               "{}");
    BOOST_TEST(!ec);
    BOOST_TEST(read_model_call(R"({"name":"t"})", tool_format::flat, ec).arguments == "{}");
    BOOST_TEST(!ec);
}

BOOST_DATA_TEST_CASE(text_that_is_not_a_request_is_malformed_message, data::make(malformed))
{
    error_code ec;
    read_model_call(sample.text, sample.format, ec);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
}

BOOST_DATA_TEST_CASE(malformed_request_is_reported_to_the_model_with_its_problem, data::make(problems))
{
    error_code ec;
    auto const parsed = read_model_call(sample.text, sample.format, ec);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
    BOOST_TEST(parsed.problem == sample.problem);
    auto const message = tool_result_message(parsed, ec, {}, sample.format);
    error_code parse_ec;
    json::parse(message, parse_ec);
    BOOST_TEST(!parse_ec);
    std::string quoted;
    linkspan::append_quoted(quoted, "malformed request, nothing was executed: " + parsed.problem);
    BOOST_TEST(message.find(quoted) != message.npos, message);
}

BOOST_DATA_TEST_CASE(every_proper_prefix_of_a_request_is_malformed, data::make(whole))
{
    std::string const text = sample.text;
    error_code ec;
    read_model_call(text, sample.format, ec);
    BOOST_TEST_REQUIRE(!ec);
    for (std::size_t size = 0; size != text.size(); ++size) {
        auto const prefix = text.substr(0, size);
        auto const parsed = read_model_call(prefix, sample.format, ec);
        BOOST_TEST(ec == make_error_code(error::malformed_message), prefix);
        bool const reports_truncation = parsed.problem.find("truncated") != parsed.problem.npos || size == 0;
        BOOST_TEST(reports_truncation, prefix + ": " + parsed.problem);
    }
}

BOOST_DATA_TEST_CASE(every_proper_prefix_of_arguments_as_text_is_malformed,
                     data::make({tool_format::openai, tool_format::openai_responses}))
{
    std::string_view const arguments = R"({"sql":"SELECT \"x\"","limit":[10,null],"deep":{"a":tru\u0065}})";
    std::string_view const sound = R"({"sql":"SELECT \"x\"","limit":[10,null],"deep":{"a":true}})";
    auto const read = [&](std::string_view text) {
        std::string request = sample == tool_format::openai ? R"({"id":"c","function":{"name":"t","arguments":)"
                                                            : R"({"call_id":"c","name":"t","arguments":)";
        linkspan::append_quoted(request, text);
        request += sample == tool_format::openai ? "}}" : "}";
        error_code ec;
        auto const parsed = read_model_call(request, sample, ec);
        BOOST_TEST(parsed.id == "c");
        return ec;
    };
    BOOST_TEST(!read(sound));
    BOOST_TEST(read(arguments) == make_error_code(error::malformed_message));
    for (std::size_t size = 1; size != sound.size(); ++size)
        BOOST_TEST(read(sound.substr(0, size)) == make_error_code(error::malformed_message), sound.substr(0, size));
}

BOOST_DATA_TEST_CASE(text_after_a_request_is_malformed, data::make(whole))
{
    for (std::string const tail : {"}", ",", " x", "{}", "\n{\"name\":\"b\"}", "\"", "null"}) {
        error_code ec;
        auto const parsed = read_model_call(sample.text + tail, sample.format, ec);
        BOOST_TEST(ec == make_error_code(error::malformed_message), tail);
        BOOST_TEST(parsed.problem.starts_with("the request is followed by other text"), parsed.problem);
    }
    error_code ec;
    read_model_call(std::string(" \n") + sample.text + " \r\n", sample.format, ec);
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_CASE(complete_id_of_a_truncated_request_is_read)
{
    error_code ec;
    auto const parsed =
        read_model_call(R"({"type":"tool_use","id":"t3","name":"process_id")", tool_format::anthropic, ec);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
    BOOST_TEST(parsed.id == "t3");
    auto const message = json::parse(tool_result_message(parsed, ec, {}, tool_format::anthropic));
    BOOST_TEST(message.at("tool_use_id") == "t3");
    BOOST_TEST(message.at("is_error") == true);
}

BOOST_AUTO_TEST_CASE(response_has_the_message_structure_of_the_format)
{
    auto const result = result_with(R"("content":[{"type":"text","text":"line\n\"two\""}])");
    auto const openai = json::parse(tool_result_message(request_of_model(), {}, result, tool_format::openai));
    BOOST_TEST(openai.at("role") == "tool");
    BOOST_TEST(openai.at("tool_call_id") == "c\"1");
    BOOST_TEST(openai.at("content") == "line\n\"two\"");
    auto const anthropic = json::parse(tool_result_message(request_of_model(), {}, result, tool_format::anthropic));
    BOOST_TEST(anthropic.at("type") == "tool_result");
    BOOST_TEST(anthropic.at("tool_use_id") == "c\"1");
    BOOST_TEST(anthropic.at("content").at(0).at("text") == "line\n\"two\"");
    BOOST_TEST(anthropic.at("is_error") == false);
    auto const flat = json::parse(tool_result_message(request_of_model(), {}, result, tool_format::flat));
    BOOST_TEST(flat.at("name") == "a__b");
    BOOST_TEST(flat.at("result") == "line\n\"two\"");
}

BOOST_AUTO_TEST_CASE(structured_content_without_text_is_returned_as_text)
{
    auto const result = result_with(R"("content":[],"structuredContent":{"high":21})");
    auto const message = json::parse(tool_result_message(request_of_model(), {}, result, tool_format::openai));
    BOOST_TEST(message.at("content") == R"({"high":21})");
}

BOOST_AUTO_TEST_CASE(failed_call_is_returned_as_error_text)
{
    auto const failed = result_with(R"("content":[{"type":"text","text":"no money"}],"isError":true)");
    auto const block = json::parse(tool_result_message(request_of_model(), {}, failed, tool_format::anthropic));
    BOOST_TEST(block.at("is_error") == true);
    call_result unknown;
    unknown.trail({}, "'a__c'; similar names: a__b");
    auto const lost =
        json::parse(tool_result_message(request_of_model(), error::invalid_tool_name, unknown, tool_format::anthropic));
    BOOST_TEST(lost.at("is_error") == true);
    std::string const message(lost.at("content").at(0).at("text").as_string());
    BOOST_TEST(message.starts_with("Invalid MCP tool name"), message);
    BOOST_TEST(message.find("similar names: a__b") != message.npos, message);
}

BOOST_AUTO_TEST_SUITE_END()
