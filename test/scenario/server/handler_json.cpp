// JSON texts of handlers that are parts of messages: an invalid text is a defect, and no message contains it.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/task.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(handler_json_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// A server with the tool "run", and a client.
struct json_world : server_world {
    std::function<void(server_request&)> handler; // of the tool
    std::shared_ptr<line_client> raw;

    asio::awaitable<void> open(protocol_version version)
    {
        make(version).add(any_tool("run"), [this](server_request request) { handler(request); });
        raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        if (version != protocol_version::v2026_07_28)
            co_await raw->ask_in_session(
                "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
        raw->messages.clear();
        defects.clear();
    }

    // Calls the tool, and returns the response.
    asio::awaitable<std::string> call(protocol_version version)
    {
        if (version == protocol_version::v2026_07_28)
            co_return co_await raw->ask("tools/call", R"("name":"run")");
        co_return co_await raw->ask_in_session("tools/call", R"({"name":"run"})");
    }

    void clean_up()
    {
        if (raw)
            raw->close();
        raw.reset();
        served.reset();
    }
};

bool is_internal_error(std::string_view response)
{
    return json_scan::member(json_scan::member(response, "error"), "code") == "-32603";
}

bool are_json(std::vector<std::string> const& messages)
{
    return std::ranges::all_of(messages, [](std::string const& each) { return json_scan::is_value(each); });
}

} // namespace

LINKSPAN_CASE_IN(json_world, result_with_invalid_json_is_a_defect_and_an_internal_error)
{
    for (auto const version : newest_of_both_eras) {
        co_await open(version);
        std::size_t expected = 0;
        for (bool const is_error : {false, true})
            for (std::string const structured : {"{", R"({"a":})", "1 2", "yes", " "}) {
                handler = [&](server_request& request) {
                    request.complete(tool_output{.structured = structured, .is_error = is_error});
                };
                auto const response = co_await call(version);
                BOOST_TEST(is_internal_error(response), response);
                BOOST_TEST(defects.size() == ++expected);
                BOOST_TEST(defects.back() == "tools/call: the structured content is not JSON");
            }
        for (std::string const meta : {"{", "7", "[]", R"({"a":})", "{}}"}) {
            handler = [&](server_request& request) { request.complete(tool_output{.meta = meta}); };
            auto const response = co_await call(version);
            BOOST_TEST(is_internal_error(response), response);
            BOOST_TEST(defects.size() == ++expected);
            BOOST_TEST(defects.back() == "tools/call: '_meta' of the result is not a JSON object");
        }
        BOOST_TEST(are_json(raw->messages));
    }
}

LINKSPAN_CASE_IN(json_world, meta_of_a_result_may_be_empty_or_begin_with_white_space)
{
    for (auto const version : newest_of_both_eras) {
        co_await open(version);
        for (std::string const meta : {"{ }", " {\"own\":1}"}) {
            handler = [&](server_request& request) { request.complete(tool_output{.meta = meta}); };
            auto const response = co_await call(version);
            BOOST_TEST(json_scan::is_value(response), response);
            BOOST_TEST(contains(response, R"("own":1)") == (meta.size() > 3), response);
        }
        BOOST_TEST(defects.empty());
    }
}

LINKSPAN_CASE_IN(json_world, error_with_invalid_data_is_a_defect_and_an_internal_error)
{
    co_await open(protocol_version::v2026_07_28);
    for (std::string const data : {"{", "no", " "}) {
        handler = [&](server_request& request) { request.fail(-32000, "own", raw_json(data)); };
        auto const response = co_await call(protocol_version::v2026_07_28);
        BOOST_TEST(is_internal_error(response), response);
        BOOST_TEST(defects.back() == "tools/call: the data of the error is not JSON");
    }
    BOOST_TEST(defects.size() == 3u);
    handler = [](server_request& request) { request.fail(-32000, "own", raw_json("[1]")); };
    auto const response = co_await call(protocol_version::v2026_07_28);
    BOOST_TEST(contains(response, R"("error":{"code":-32000,"message":"own","data":[1]})"), response);
    handler = [](server_request& request) {
        request.complete(tool_output::text("done"));
        request.fail(-32000, "late", raw_json("{")); // no effect
    };
    co_await call(protocol_version::v2026_07_28);
    BOOST_TEST(defects.size() == 3u);
}

LINKSPAN_CASE_IN(json_world, log_message_and_notification_with_invalid_json_are_dropped_and_defects)
{
    co_await open(protocol_version::v2025_11_25);
    handler = [](server_request& request) {
        for (std::string_view const data : {"", "{", "no"})
            request.log(log_level::info, raw_json(data));
        for (std::string_view const params : {"{", "[]", "7"})
            request.notify("com.example/partial", raw_json(params));
        request.log(log_level::info, raw_json("7"));
        request.notify("own/whole", raw_json("{}"));
        request.complete(tool_output::text("done"));
    };
    auto const response = co_await call(protocol_version::v2025_11_25);
    BOOST_TEST(contains(response, "done"), response);
    BOOST_TEST(raw->messages.size() == 3u);
    BOOST_TEST(are_json(raw->messages));
    BOOST_TEST(std::ranges::count(defects, "tools/call: the data of a log message is not JSON") == 3);
    BOOST_TEST(std::ranges::count(defects, "tools/call: the params of 'com.example/partial' are not a JSON object") ==
               3);
    BOOST_TEST(defects.size() == 6u);
}

LINKSPAN_CASE_IN(json_world, messages_of_a_session_with_invalid_json_are_dropped_and_defects)
{
    co_await open(protocol_version::v2025_11_25);
    std::optional<client_session> session;
    handler = [&](server_request& request) {
        session.emplace(request.session());
        request.complete(tool_output::text("done"));
    };
    co_await call(protocol_version::v2025_11_25);
    raw->messages.clear();
    for (std::string_view const params : {"{", "[]", R"({"a":})"})
        session->notify("com.example/partial", raw_json(params));
    BOOST_TEST(defects.back() == "com.example/partial: the params of a notification are not a JSON object");
    for (std::string_view const data : {"", "{"})
        session->log(log_level::info, raw_json(data));
    BOOST_TEST(defects.back() == "notifications/message: the data of a log message is not JSON");
    session->notify("own/whole", raw_json(R"({"a":1})"));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(raw->messages.size() == 1u);
    BOOST_TEST(contains(raw->messages[0], "own/whole"), raw->messages[0]);
    BOOST_TEST(defects.size() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
