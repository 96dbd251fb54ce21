// Tapes: the format, redaction, replay in virtual time, and conversion to a script.

#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <chrono>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/rpc_error.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(tape_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::call_options;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::protocol_version;
using linkspan::via;
namespace asio = boost::asio;

namespace {

constexpr std::string_view header = "{\"tape\":1,\"carrier\":\"stdio\"}\n";

// A session of 2025-11-25 with two equal calls, another one, an error, and a call without a response.
std::string const session_text =
    std::string(header) +
    R"({"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}}
{"t":0.1,"dir":"out","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"recorded","version":"3"}}}}
{"t":0.2,"dir":"in","msg":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"t":0.3,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"t":0.4,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"forecast","inputSchema":{"type":"object"}}]}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"},"_meta":{"progressToken":"p"}}}}
{"t":1.5,"dir":"in","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"}}}}
{"t":2,"dir":"out","msg":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2}}}
{"t":2.5,"dir":"err","msg":"warming up"}
{"t":3,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"first ${x}"}]}}}
{"t":4,"dir":"out","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"second"}]}}}
{"t":5,"dir":"in","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Rome","apiKey":"***"}}}}
{"t":5.1,"dir":"out","msg":{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"closed"}}}
{"t":6,"dir":"in","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Paris"}}}}
)";

// A session with a server that replays the tape.
struct tape_world : session_world {
    asio::awaitable<void> open() { return open(replay_options()); }
    asio::awaitable<void> open(replay_options with)
    {
        tape::parse(session_text).add_to(server, std::move(with));
        co_await make().async_open();
    }

    asio::awaitable<std::string> forecast(std::string arguments)
    {
        return forecast(std::move(arguments), call_options());
    }
    asio::awaitable<std::string> forecast(std::string arguments, call_options limits)
    {
        auto const parsed = boost::json::parse(arguments).as_object();
        auto const [ec, result] = co_await client->async_call_tool("forecast", parsed, limits, in_tuple);
        last = ec;
        detail = result.detail();
        co_return ec ? ec.message() : result.text();
    }

    error_code last;
    std::string detail;
};

std::string problem_of(std::string const& text)
{
    try {
        tape::parse(text, "x.jsonl");
    } catch (tape_error const& failure) {
        return failure.what();
    }
    return {};
}

// Returns the lines of a tape with one message, without its header.
std::string written(std::string message, tape_writer::options with = {})
{
    std::ostringstream out;
    tape_writer(out, std::move(with)).write({.time = 1500ms, .direction = tape_direction::out, .message = message});
    auto const text = std::move(out).str();
    return text.substr(text.find('\n') + 1);
}

} // namespace

// Format

BOOST_AUTO_TEST_CASE(entries_are_read_with_the_text_of_their_messages)
{
    auto const read = tape::parse(session_text).entries();
    BOOST_TEST_REQUIRE(read.size() == 14u);
    BOOST_TEST((read[8].direction == tape_direction::err));
    BOOST_TEST(read[8].message == "warming up");
    BOOST_TEST((read[8].time == 2500ms));
    BOOST_TEST(read[2].message == R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST((read[2].direction == tape_direction::in));
}

BOOST_AUTO_TEST_CASE(invalid_tape_is_rejected_with_the_line)
{
    auto const after_header = [](std::string const& line) { return problem_of(std::string(header) + line); };
    BOOST_TEST(problem_of("") == "x.jsonl:1: expected a header, found an empty text");
    BOOST_TEST(problem_of("{\"tape\":2}\n") ==
               "x.jsonl:1: expected a header of version 1, such as {\"tape\":1}, found {\"tape\":2}");
    BOOST_TEST(problem_of("{\"tape\":1,\"x\":2}\n") == "x.jsonl:1: expected no member 'x', found {\"tape\":1,\"x\":2}");
    BOOST_TEST(after_header(R"({"t":0,"dir":"in","msg":{"a)") ==
               "x.jsonl:2: expected a line end; the tape is truncated, found {\"t\":0,\"dir\":\"in\",\"msg\":{\"a");
    BOOST_TEST(contains(after_header("[]\n"), "x.jsonl:2: expected a JSON object, found []"));
    BOOST_TEST(contains(after_header("{\"t\":-1,\"dir\":\"in\",\"msg\":{}}\n"), ":2: expected a time 't'"));
    BOOST_TEST(contains(after_header("{\"t\":1,\"dir\":\"up\",\"msg\":{}}\n"), ":2: expected a direction 'dir'"));
    BOOST_TEST(contains(after_header("{\"t\":1,\"dir\":\"in\"}\n"), ":2: expected a message 'msg'"));
    BOOST_TEST(contains(after_header("{\"t\":1,\"dir\":\"in\",\"msg\":{},\"y\":1}\n"), ":2: expected no member 'y'"));
    BOOST_CHECK_EXCEPTION(tape::load("/absent.jsonl"), tape_error, [](tape_error const& failure) {
        return contains(failure.what(),
                        "/absent.jsonl: expected a file that can be read, found 'No such file or directory'");
    });
}

BOOST_AUTO_TEST_CASE(written_entries_are_read_again)
{
    std::ostringstream out;
    tape_writer writer(out, {});
    writer.write({.time = 250ms, .direction = tape_direction::in, .message = R"({"b":1.50,"a":[1]})"});
    writer.write({.time = 1s, .direction = tape_direction::out, .message = "no JSON"});
    writer.write({.time = 2s, .direction = tape_direction::err, .message = "{}"});
    auto const read = tape::parse(out.str()).entries();
    BOOST_TEST_REQUIRE(read.size() == 3u);
    BOOST_TEST(read[0].message == R"({"b":1.50,"a":[1]})"); // order and numbers are unchanged
    BOOST_TEST(read[1].message == "no JSON");
    BOOST_TEST((read[1].direction == tape_direction::out));
    BOOST_TEST((read[2].direction == tape_direction::err));
    BOOST_TEST((read[0].time == 250ms));
}

BOOST_AUTO_TEST_CASE(secrets_are_replaced)
{
    BOOST_TEST(
        written(R"({"a":{"apiKey":"x","api_key":"x","key":"x","Password":"x","cookie":"x","clientSecret":"x"}})") ==
        R"({"t":1.5,"dir":"out","msg":{"a":{"apiKey":"***","api_key":"***","key":"***","Password":"***",)"
        R"("cookie":"***","clientSecret":"***"}}})"
        "\n");
    BOOST_TEST(written(R"({"keyboard":"x","n":"x","progressToken":"x","maxTokens":5})") ==
               "{\"t\":1.5,\"dir\":\"out\",\"msg\":{\"keyboard\":\"x\",\"n\":\"x\",\"progressToken\":\"x\","
               "\"maxTokens\":5}}\n");
    BOOST_TEST(
        contains(written(R"({"text":"{\"token\":\"x\",\"n\":1}"})"), R"({"text":"{\"token\":\"***\",\"n\":1}"})"));
    BOOST_TEST(contains(written(R"({"text":"```json\n{\"token\":\"x\"}\n```"})"), R"({\"token\":\"***\"})"));
    BOOST_TEST(contains(written(R"({"tokens":["x"],"credentials":{"id":"x"},"apikey":"x"})"),
                        R"({"tokens":"***","credentials":"***","apikey":"***"})"));
    BOOST_TEST(
        contains(written(R"({"inputSchema":{"properties":{"token":{"type":"string"}}}})"), R"("token":{"type")"));
    BOOST_TEST(!contains(written(std::string(600, '[') + R"({"token":"x1"})" + std::string(600, ']')), "x1"));
    BOOST_TEST(contains(written("DEBUG {\"password\":\"x\"}"), R"("DEBUG {\"password\":\"***\"}")"));
    BOOST_TEST(contains(written(R"({"a":"say \"abc\" now"})", {.secrets = {"\"abc\""}}), R"({"a":"say *** now"})"));
    BOOST_TEST(contains(written("\xff\xfe"), "\"msg\":\"\xEF\xBF\xBD\xEF\xBF\xBD\""));
    BOOST_TEST(contains(written(R"({"token":"x"})", {.redacts = false}), R"({"token":"x"})"));
    BOOST_TEST(contains(written(R"({"a":"my abc123 value","b":"abc123"})", {.secrets = {"abc123"}}),
                        R"({"a":"my *** value","b":"***"})"));
    BOOST_TEST(contains(written(R"({"a":"abc"})", {.secrets = {"", "b"}}), R"({"a":"a***c"})"));
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_digits_beside_replaced_secrets)
{
    BOOST_TEST(
        contains(written(R"({"n":[60.0,1e2,-0.0],"id":12345678901234567890123,"b\u0061":{},"s":"\u0061","token":"x"})"),
                 R"("msg":{"n":[60.0,1e2,-0.0],"id":12345678901234567890123,"ba":{},"s":"\u0061","token":"***"}})"));
    BOOST_TEST(
        contains(written(R"({"text":"{\"token\":\"x\",\"n\":1.0}"})"), R"({"text":"{\"token\":\"***\",\"n\":1.0}"})"));
    BOOST_TEST(!contains(written(R"({"token":"x1","a":{"token":"x1"},"a":{"b":1},"token":5})"), "x1"));
    BOOST_TEST(!contains(written(R"({"a":["x1"],"token":"y","a":"z"})", {.secrets = {"x1"}}), "x1"));
}

LINKSPAN_CASE_IN(tape_world, parameters_with_another_form_of_the_same_number_are_equal)
{
    constexpr std::string_view later =
        R"({"t":7,"dir":"in","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"alert","arguments":{"n":60}}}}
{"t":8,"dir":"out","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"alerted"}]}}}
)";
    tape::parse(session_text + std::string(later)).add_to(server);
    co_await make().async_open();
    boost::json::object const arguments{{"n", 60.0}};
    auto const result = co_await client->async_call_tool("alert", arguments);
    BOOST_TEST(result.text() == "alerted");
}

BOOST_AUTO_TEST_CASE(added_secrets_are_replaced_in_later_entries)
{
    auto const text_of = [](bool redacts, std::vector<std::string> const& added) {
        std::ostringstream out;
        tape_writer to(out, {.redacts = redacts, .secrets = {"given"}});
        for (auto const& one : added)
            to.add_secret(one);
        to.write({.message = R"({"a":"given first last"})"});
        return std::move(out).str();
    };
    BOOST_TEST(contains(text_of(true, {"first", "first", ""}), R"({"a":"*** *** last"})"));
    BOOST_TEST(contains(text_of(false, {"first"}), R"({"a":"*** first last"})"));
    std::vector<std::string> many{"first"};
    for (int i = 0; i != 63; ++i)
        many.push_back("other " + std::to_string(i));
    BOOST_TEST(contains(text_of(true, many), R"({"a":"*** *** last"})"));
    many.push_back("last"); // in place of the oldest
    BOOST_TEST(contains(text_of(true, many), R"({"a":"*** first ***"})"));
}

BOOST_AUTO_TEST_CASE(message_with_line_ends_is_written_on_one_line)
{
    auto const text = written("{\r\n \"a\": 1.0,\n\"b\":\"x\\ny\"\n}");
    BOOST_TEST(text == "{\"t\":1.5,\"dir\":\"out\",\"msg\":{   \"a\": 1.0, \"b\":\"x\\ny\" }}\n");
}

// Replay

LINKSPAN_CASE_IN(tape_world, recorded_responses_are_sent_with_the_ids_of_the_client)
{
    co_await open();
    BOOST_TEST((client->protocol_version() == protocol_version::v2025_11_25));
    BOOST_TEST(client->server().name == "recorded");
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u);
    std::vector<double> progress;
    call_options limits;
    limits.on_progress = [&](auto const& update) { progress.push_back(update.progress); };
    BOOST_TEST(co_await forecast(R"({"city":"Oslo"})", limits) == "first ${x}");
    std::vector<double> const once{1};
    BOOST_TEST(progress == once, boost::test_tools::per_element());
    BOOST_TEST(co_await forecast(R"({"city":"Oslo"})") == "second");
    co_await forecast(R"({"apiKey":"any","city":"Rome"})"); // a replaced secret is equal to each value
    BOOST_TEST(last == rpc(-32000));
    BOOST_TEST((time.now() == linkspan::time_point()));                   // at once
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u); // repeated
}

LINKSPAN_CASE_IN(tape_world, request_that_is_not_recorded_receives_the_first_difference)
{
    co_await open();
    co_await forecast(R"({"city":"Bergen"})");
    BOOST_TEST(last == rpc(-32603));
    BOOST_TEST(contains(detail, R"(/arguments/city: recorded "Oslo", found "Bergen")"), detail);
    co_await forecast(R"({"city":"Oslo"})");
    co_await forecast(R"({"city":"Oslo"})");
    co_await forecast(R"({"city":"Oslo"})");
    BOOST_TEST(last == rpc(-32603)); // recorded twice
}

LINKSPAN_CASE_IN(tape_world, request_is_compared_with_those_for_the_same_tool_first)
{
    constexpr std::string_view later =
        R"({"t":7,"dir":"in","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"alert","arguments":{"level":1}}}}
)";
    tape::parse(session_text + std::string(later)).add_to(server);
    co_await make().async_open();
    std::map<std::string, std::string> const reports{
        {"alert", "; request 7 of the tape: /arguments/level: recorded 1, found 2"},
        {"other", "; request 3 of the tape: /name: recorded \"forecast\", found \"other\""}};
    for (auto const& [tool, expected] : reports) {
        boost::json::object const arguments{{"level", 2}};
        auto const [ec, result] = co_await client->async_call_tool(tool, arguments, in_tuple);
        BOOST_TEST(ec == rpc(-32603));
        BOOST_TEST(contains(result.detail(), expected), result.detail());
    }
}

LINKSPAN_CASE_IN(tape_world, paced_replay_has_the_recorded_times)
{
    replay_options paced;
    paced.is_paced = true;
    co_await open(paced);
    auto const began = time.now();
    BOOST_TEST(co_await forecast(R"({"city":"Oslo"})") == "first ${x}");
    BOOST_TEST((time.now() - began == 2s));
}

LINKSPAN_CASE_IN(tape_world, requests_match_by_method_or_in_order)
{
    replay_options by_method;
    by_method.match = tape_match::method;
    co_await open(by_method);
    BOOST_TEST(co_await forecast(R"({"city":"Bergen"})") == "first ${x}");
    BOOST_TEST(co_await forecast(R"({"city":"Paris"})") == "second");
    scripted_server ordered;
    replay_options in_order;
    in_order.match = tape_match::order;
    tape::parse(session_text).add_to(ordered, in_order);
    linkspan::session second(executor, via<inproc>(ordered));
    co_await second.async_open();
    boost::json::object empty;
    auto const result = co_await second.async_call_tool("other", empty);
    BOOST_TEST(result.text() == "first ${x}");
}

LINKSPAN_CASE_IN(tape_world, order_of_the_tape_applies_to_each_method_or_to_all_requests)
{
    // The calls of the tape: Oslo, Oslo, Rome with a key, Paris.
    std::string const rome = R"({"city":"Rome","apiKey":"x"})", oslo = R"({"city":"Oslo"})";
    constexpr std::string_view other_method =
        R"({"t":0.9,"dir":"in","msg":{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"p"}}}
{"t":0.95,"dir":"out","msg":{"jsonrpc":"2.0","id":9,"result":{"messages":[]}}}
)";
    auto const at = session_text.find(R"({"t":1,"dir":"in")");
    auto const text = session_text.substr(0, at) + std::string(other_method) + session_text.substr(at);
    for (auto const order : {tape_order::any, tape_order::per_method, tape_order::all}) {
        scripted_server own;
        replay_options with;
        with.order = order;
        tape::parse(text).add_to(own, with);
        client.emplace(executor, via<inproc>(own), options);
        co_await client->async_open();
        co_await forecast(rome); // before the calls for Oslo
        if (order == tape_order::any) {
            BOOST_TEST(last == rpc(-32000));
            continue;
        }
        BOOST_TEST(last == rpc(-32603));
        if (order == tape_order::per_method)
            BOOST_TEST(contains(detail, R"(/arguments/city: recorded "Oslo", found "Rome")"), detail);
        // The prompt precedes the calls in the order of all requests.
        auto const first = co_await forecast(oslo);
        BOOST_TEST((first == "first ${x}") == (order == tape_order::per_method));
        boost::json::object const prompt{{"name", "p"}};
        auto const [ec, result] = co_await client->async_request("prompts/get", prompt, in_tuple);
        BOOST_TEST(!ec, ec.message());
        if (order == tape_order::all)
            BOOST_TEST(co_await forecast(oslo) == "first ${x}");
        BOOST_TEST(co_await forecast(oslo) == "second");
        co_await forecast(rome);
        BOOST_TEST(last == rpc(-32000));
    }
}

LINKSPAN_CASE_IN(tape_world, ignored_parameters_are_not_compared_and_missing_response_stays_pending)
{
    replay_options ignoring;
    ignoring.ignore.push_back("/arguments/city");
    co_await open(ignoring);
    BOOST_TEST(co_await forecast(R"({"city":"Bergen"})") == "first ${x}");
    co_await forecast("{}");
    call_options limits;
    limits.timeout = 5s;
    co_await forecast(R"({"apiKey":1})");
    BOOST_TEST(last == rpc(-32000));
    co_await forecast("{}", limits);
    BOOST_TEST((last == linkspan::error::deadline_exceeded || last == linkspan::error::attempt_timed_out),
               last.message());
}

LINKSPAN_CASE_IN(session_world, ignored_elements_of_an_array_are_not_compared)
{
    constexpr auto recorded =
        R"({"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"keys":["x","y",2]}}}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"found"}]}}}
)";
    replay_options ignoring;
    ignoring.ignore = {"/_meta", "/arguments/keys/0", "/arguments/keys/1"};
    tape::parse(std::string(header) + recorded).add_to(server, std::move(ignoring));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("find", linkspan::raw_json(R"({"keys":[1,"z",2]})"));
    BOOST_TEST(result.text() == "found");
    auto const [ec, other] =
        co_await client->async_call_tool("find", linkspan::raw_json(R"({"keys":[1,"z",3]})"), in_tuple);
    BOOST_TEST(ec.failed());
}

BOOST_AUTO_TEST_CASE(long_tape_with_pages_and_other_results_is_replayed)
{
    std::string text(header);
    auto const add = [&](std::string_view way, std::string const& message) {
        ((text += R"({"t":1,"dir":")") += way) += R"(","msg":{"jsonrpc":"2.0",)" + message + "}}\n";
    };
    add("in", R"("id":1,"method":"tools/list")");
    add("out", R"("id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"2"})");
    add("in", R"("id":2,"method":"tools/list","params":{"cursor":"2"})");
    add("out", R"("id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]})");
    add("in", R"("id":3,"method":"tools/call","params":{"name":"a","arguments":{"key":"my *** key"}})");
    for (int i = 0; i != 60'000; ++i) // without a stack frame for each message
        add("out", R"("method":"notifications/message","params":{"level":"info","data":1})");
    add("out", R"("id":3,"result":{"content":[]})");
    add("in", R"("id":4,"method":"tools/call","params":{"name":"b"})");
    add("out", R"("id":4,"result":"okay")");
    auto const recorded = tape::parse(text);
    world w;
    scripted_server server({protocol_version::v2025_11_25});
    recorded.add_to(server);
    linkspan::session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    for (int i = 0; i != 2; ++i)
        BOOST_TEST(w.await(client.async_list_tools(asio::use_awaitable)).tools.size() == 2u);
    boost::json::object arguments;
    arguments["key"] = "my own key";
    BOOST_TEST(w.await(client.async_call_tool("a", arguments, asio::use_awaitable)).text().empty());
    BOOST_CHECK_EXCEPTION(w.await(client.async_call_tool("b", asio::use_awaitable)), boost::system::system_error,
                          [](auto const& failure) { return failure.code() == rpc(-32603); });
    scripted_server converted;
    mock_script::parse(recorded.to_script()).add_to(converted);
    linkspan::session second(w.executor, via<inproc>(converted));
    w.await(second.async_open(asio::use_awaitable));
    BOOST_TEST(w.await(second.async_list_tools(asio::use_awaitable)).tools.size() == 2u);
}

// Conversion

// The client sends a ping when it needs one. Secrets of a recorded array match those of the client.
BOOST_AUTO_TEST_CASE(order_of_a_tape_does_not_apply_to_pings_and_secrets_in_arrays_match)
{
    auto const recorded =
        tape::parse(std::string(header) +
                    R"({"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",)"
                    R"("arguments":{"items":[{"apiKey":"***"},2]}}}})"
                    "\n"
                    R"({"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[]}}})"
                    "\n"
                    R"({"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"ping"}})"
                    "\n"
                    R"({"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{}}})"
                    "\n");
    world w;
    scripted_server server({protocol_version::v2025_11_25});
    replay_options ordered;
    ordered.order = tape_order::all;
    recorded.add_to(server, ordered);
    linkspan::session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    BOOST_CHECK_NO_THROW(w.await(client.async_ping(asio::use_awaitable)));
    auto const called = [&](char const* items) {
        boost::json::object arguments;
        arguments["items"] = boost::json::parse(items);
        try {
            w.await(client.async_call_tool("a", arguments, asio::use_awaitable));
        } catch (boost::system::system_error const& failure) {
            return std::string(failure.what());
        }
        return std::string();
    };
    auto const different = called(R"([{"apiKey":"own"},3])");
    BOOST_TEST(contains(different, "/arguments/items/1: recorded 2, found 3"), different);
    BOOST_TEST(!called(R"([{"apiKey":"own"}])").empty());
    BOOST_TEST(called(R"([{"apiKey":"own"},2])") == "");
}

LINKSPAN_CASE_IN(tape_world, script_of_a_tape_has_the_definition_of_the_server_and_its_tools)
{
    std::string const tool =
        R"({"name":"work","title":"T","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},)"
        R"("execution":{"taskSupport":"optional"},"icons":[{"src":"https://a.example/i.png"}],"_meta":{"k":1}})";
    auto const text =
        std::string(header) +
        R"({"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"method":"server/discover"}}
{"t":0,"dir":"out","msg":{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}}
{"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}}
{"t":0,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"instructions":"Ask.","serverInfo":{"name":"recorded","version":"3","title":"R"}}}}
{"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"t":0,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[)" +
        tool +
        R"(,{"name":"text","inputSchema":{"type":"object"},"outputSchema":{"type":"object","not":{}}},{"title":5}]}}}
)";
    mock_script::parse(tape::parse(text).to_script()).add_to(server);
    co_await make().async_open();
    BOOST_TEST((client->protocol_version() == protocol_version::v2025_06_18));
    BOOST_TEST(client->server().name == "recorded");
    BOOST_TEST(client->server().version == "3");
    BOOST_TEST(server.dialogue().instructions == "Ask.");
    BOOST_TEST(server.dialogue().capabilities == R"({"tools":{},"logging":{}})");
    auto const list = co_await client->async_request("tools/list", in_tuple);
    BOOST_TEST(contains(std::get<1>(list).raw(), tool), std::get<1>(list).raw());
    BOOST_TEST(contains(std::get<1>(list).raw(), R"("name":"text")"), std::get<1>(list).raw());

    scripted_server stateless;
    mock_script::parse(tape::parse(std::string(header) +
                                   R"({"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"method":"server/discover"}}
{"t":0,"dir":"out","msg":{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28","2099-01-01"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"4"}}}}}
)")
                           .to_script())
        .add_to(stateless);
    std::vector<protocol_version> const versions{protocol_version::v2026_07_28};
    BOOST_TEST((stateless.dialogue().protocol_versions == versions));
    BOOST_TEST(stateless.dialogue().name == "new");
    BOOST_TEST(stateless.dialogue().version == "4");
}

LINKSPAN_CASE_IN(tape_world, recorded_call_of_an_unknown_tool_does_not_declare_the_tool)
{
    auto const text = tape::parse(session_text + R"({"t":7,"dir":"in","msg":{"jsonrpc":"2.0","id":6,)"
                                                 R"("method":"tools/call","params":{"name":"nope","arguments":{}}}})"
                                                 "\n"
                                                 R"({"t":7,"dir":"out","msg":{"jsonrpc":"2.0","id":6,)"
                                                 R"("error":{"code":-32602,"message":"recorded"}}})"
                                                 "\n")
                          .to_script();
    mock_script::parse(text, "converted", {.has_all_tools = true}).add_to(server);
    co_await make().async_open();
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u);
    boost::json::object const none;
    auto const [ec, result] = co_await client->async_call_tool("nope", none, in_tuple);
    BOOST_TEST(ec == rpc(-32602));
    BOOST_TEST(contains(result.detail(), "recorded"));
}

LINKSPAN_CASE_IN(tape_world, error_of_a_tape_keeps_its_data)
{
    std::string const data = R"({"elicitations":[{"mode":"url","elicitationId":"e","url":"https://a.example/${x}"}]})";
    auto const recorded =
        tape::parse(std::string(header) + R"({"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"no/such"}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"sign in","data":)" +
                    data + "}}}\n");
    for (bool const is_converted : {false, true}) {
        scripted_server own;
        if (is_converted)
            mock_script::parse(recorded.to_script()).add_to(own);
        else
            recorded.add_to(own);
        client.emplace(executor, via<inproc>(own), options);
        co_await client->async_open();
        auto const [ec, result] = co_await client->async_request("no/such", in_tuple);
        BOOST_TEST(ec == rpc(-32042));
        BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST(result.attempts()[0].data == data, is_converted << ": " << result.attempts()[0].data);
    }
}

LINKSPAN_CASE_IN(tape_world, rules_of_a_tape_distinguish_requests_with_and_without_a_parameter)
{
    auto const text = std::string(header) +
                      R"({"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"resources/list"}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"a:1","name":"a"}],"nextCursor":"2"}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":"2"}}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"b:1","name":"b"}]}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p","_meta":{"progressToken":"3"}}}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":3,"result":{"messages":[],"description":"plain"}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"p","arguments":{"a/b":"1"}}}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":4,"result":{"messages":[],"description":"with arguments"}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":5,"method":"prompts/list"}}
{"t":1,"dir":"out","msg":{"jsonrpc":"2.0","id":5,"result":{"prompts":[{"name":"p"}],"nextCursor":"3"}}}
)";
    mock_script::parse(tape::parse(text).to_script()).add_to(server);
    co_await make().async_open();
    auto const raw = [this](char const* method, std::string const& params) -> asio::awaitable<std::string> {
        auto const parsed = boost::json::parse(params).as_object();
        auto const [ec, result] = co_await client->async_request(method, parsed, in_tuple);
        last = ec;
        co_return std::string(result.raw());
    };
    BOOST_TEST(contains(co_await raw("resources/list", "{}"), "a:1"));
    BOOST_TEST(contains(co_await raw("resources/list", R"({"cursor":"2"})"), "b:1"));
    co_await raw("prompts/list", R"({"cursor":"3"})");
    BOOST_TEST(last == rpc(-32601)); // the second page was not recorded
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(contains(co_await raw("prompts/get", R"({"name":"p"})"), "plain"));
        BOOST_TEST(contains(co_await raw("prompts/get", R"({"name":"p","arguments":{"a/b":"1"}})"), "with arguments"));
    }
}

LINKSPAN_CASE_IN(tape_world, script_of_a_tape_has_its_responses)
{
    auto const text = tape::parse(session_text).to_script();
    mock_script::parse(text).add_to(server);
    co_await make().async_open();
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u);
    BOOST_TEST(co_await forecast(R"({"city":"Oslo"})") == "first ${x}");
    BOOST_TEST(co_await forecast(R"({"city":"Oslo"})") == "second");
    co_await forecast(R"({"city":"Rome","apiKey":"any"})");
    BOOST_TEST(last == rpc(-32000));
    co_await forecast(R"({"city":"Bergen"})");
    BOOST_TEST(last == rpc(-32603)); // no rule
}

BOOST_AUTO_TEST_SUITE_END()
