// JSON texts of handlers that are parts of messages: an invalid text is a defect, and no message contains it.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/model/task.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
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
                "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"sampling":{}},)"
                              R"("clientInfo":{"name":"c","version":"1"}})");
        raw->messages.clear();
        defects.clear();
    }

    // Calls the tool, and returns the response.
    asio::awaitable<std::string> call(protocol_version version)
    {
        if (version == protocol_version::v2026_07_28)
            co_return co_await raw->ask("tools/call", R"("name":"run")", R"({"elicitation":{}})");
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

LINKSPAN_CASE_IN(json_world, content_with_invalid_json_is_a_defect_and_an_internal_error)
{
    embedded_resource embedded;
    embedded.resource = {.uri = "own:a", .text = "a", .meta = "{"};
    resource_link link;
    link.resource = {.uri = "own:a", .name = "a", .meta = "[]"};
    std::vector<content_block> const blocks{
        text_content{"a", {}, "7"},
        image_content{"AA==", "image/png", {}, "{}}"},
        audio_content{"AA==", "audio/wav", {}, R"({"a":})"},
        embedded_resource{{.uri = "own:a", .text = "a"}, {}, "{"},
        embedded,
        link,
        tool_use_content{.id = "1", .name = "a", .input = "[]"},
        tool_use_content{.id = "1", .name = "a", .meta = "{"},
        tool_result_content{.tool_use_id = "1", .content = "{}"},
        tool_result_content{.tool_use_id = "1", .content = "[", .structured = "1"},
        tool_result_content{.tool_use_id = "1", .structured = "{"},
        tool_result_content{.tool_use_id = "1", .meta = " "},
        unknown_content{"own", R"({"type":"own")"},
        unknown_content{"own", ""},
        unknown_content{"own", "[]"},
    };
    for (auto const version : newest_of_both_eras) {
        co_await open(version);
        raw->is_recorded = false; // a handler sends a block of an unknown kind
        std::size_t expected = 0;
        for (auto const& block : blocks) {
            handler = [&](server_request& request) {
                auto out = tool_output::text("first");
                out.content.push_back(block);
                request.complete(out);
            };
            auto const response = co_await call(version);
            BOOST_TEST_CONTEXT("block " << expected) {
                BOOST_TEST(is_internal_error(response), response);
                BOOST_TEST(defects.size() == ++expected);
                BOOST_TEST(defects.back().starts_with("tools/call: "), defects.back());
            }
        }
        BOOST_TEST(are_json(raw->messages));
        handler = [&](server_request& request) {
            tool_output out;
            out.content = {text_content{"a", {}, R"({"own":1})"}, unknown_content{"own", R"( {"type":"own"})"},
                           tool_result_content{.tool_use_id = "1", .structured = "7"}};
            request.complete(out);
        };
        auto const response = co_await call(version);
        BOOST_TEST(json_scan::is_value(response), response);
        BOOST_TEST(contains(response, R"("_meta":{"own":1})"), response);
        BOOST_TEST(defects.size() == expected);
    }
}

LINKSPAN_CASE_IN(json_world, prompt_and_resource_with_invalid_json_are_defects_and_internal_errors)
{
    auto const version = protocol_version::v2026_07_28;
    co_await open(version);
    std::string meta = "{";
    served->add(prompt{.name = "greet"}, [&meta] {
        std::vector<prompt_message> out;
        out.push_back({"user", text_content{"first", {}, {}}});
        out.push_back({"user", text_content{"second", {}, meta}});
        return out;
    });
    served->add(resource{.uri = "own:a"}, [&meta] {
        resource_contents out;
        out.text = "text";
        out.meta = meta;
        return out;
    });
    auto const prompt_response = co_await raw->ask("prompts/get", R"("name":"greet")");
    BOOST_TEST(is_internal_error(prompt_response), prompt_response);
    auto const resource_response = co_await raw->ask("resources/read", R"("uri":"own:a")");
    BOOST_TEST(is_internal_error(resource_response), resource_response);
    BOOST_TEST(defects == (std::vector<std::string>{"prompts/get: '_meta' of the content is not a JSON object",
                                                    "resources/read: '_meta' of the content is not a JSON object"}),
               boost::test_tools::per_element());
    meta = R"({"own":1})";
    auto const valid_prompt = co_await raw->ask("prompts/get", R"("name":"greet")");
    BOOST_TEST(contains(valid_prompt, R"("_meta":{"own":1})"), valid_prompt);
    auto const valid_resource = co_await raw->ask("resources/read", R"("uri":"own:a")");
    BOOST_TEST(contains(valid_resource, R"("_meta":{"own":1})"), valid_resource);
    BOOST_TEST(defects.size() == 2u);
}

LINKSPAN_CASE_IN(json_world, entry_with_invalid_meta_is_rejected)
{
    co_await open(protocol_version::v2026_07_28);
    auto const nothing = [](server_request) {};
    auto own = any_tool("own");
    own.meta = "[]";
    BOOST_CHECK_THROW(served->add(own, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(served->add(resource{.uri = "own:a", .meta = "{"}, nothing), std::invalid_argument);
    BOOST_CHECK_THROW(served->add(resource_template{.uri_template = "own:{a}", .meta = "7"},
                                  [](uri_template::values const&) { return std::string(); }),
                      std::invalid_argument);
    BOOST_CHECK_THROW(served->add(prompt{.name = "own", .meta = R"({"a":})"}, nothing), std::invalid_argument);
    own.meta = R"({"own":1})";
    served->add(own, nothing);
    auto const listed = co_await raw->ask("tools/list", "");
    BOOST_TEST(contains(listed, R"("_meta":{"own":1})"), listed);
    BOOST_TEST(!served->remove_resource("own:a"));
}

LINKSPAN_CASE_IN(json_world, request_to_the_client_with_invalid_json_is_a_defect_and_is_not_sent)
{
    options.validate_input = false; // the schema is checked as JSON nevertheless
    elicit_request form;
    form.message = "?";
    form.requested_schema = "{";
    for (auto const version : newest_of_both_eras)
        for (bool const runs_again : {false, true}) {
            co_await open(version);
            handler = [&](server_request& request) {
                if (runs_again)
                    return request.require_input({request.to_input<elicitation>("a", form)});
                auto const held = std::make_shared<server_request>(std::move(request));
                held->async_ask<elicitation>(form, [held](error_code ec, elicit_result const&) {
                    BOOST_TEST((ec == asio::error::invalid_argument));
                    held->fail(ec);
                });
            };
            auto const response = co_await call(version);
            BOOST_TEST(is_internal_error(response), response);
            BOOST_TEST(contains(response, "Internal error"), response);
            BOOST_TEST(raw->messages.size() == 1u);
            BOOST_TEST(are_json(raw->messages));
            BOOST_TEST_REQUIRE(defects.size() == 1u);
            BOOST_TEST(defects[0] ==
                       "tools/call: the params of the request 'elicitation/create' are not a JSON object");
        }
}

LINKSPAN_CASE_IN(json_world, request_of_a_session_with_invalid_json_is_a_defect_and_is_not_sent)
{
    co_await open(protocol_version::v2025_11_25);
    std::optional<client_session> session;
    handler = [&](server_request& request) {
        session.emplace(request.session());
        request.complete(tool_output::text("done"));
    };
    co_await call(protocol_version::v2025_11_25);
    raw->messages.clear();
    for (std::string_view const params : {"", "{", "[]", R"({"a":})"}) {
        auto const [ec, result] =
            co_await session->async_request("own/ask", raw_json(params), std::chrono::seconds(1), in_tuple);
        BOOST_TEST((ec == asio::error::invalid_argument));
        BOOST_TEST(defects.back() ==
                   "own/ask: the params of the request 'own/ask' are not a JSON object");
    }
    sampling_request sample;
    sample.messages = "[";
    auto const [ec, result] = co_await session->async_ask<sampling>(sample, in_tuple);
    BOOST_TEST((ec == asio::error::invalid_argument));
    BOOST_TEST(defects.size() == 5u);
    BOOST_TEST(raw->messages.empty());
    auto const [late, nothing] =
        co_await session->async_request("own/ask", raw_json("{}"), std::chrono::seconds(1), in_tuple);
    BOOST_TEST((late == asio::error::timed_out));
    co_await settle(executor);
    BOOST_TEST(raw->messages.size() == 2u); // the request and its cancellation
    BOOST_TEST(are_json(raw->messages));
}

BOOST_AUTO_TEST_SUITE_END()
