// conformance-server [--http PORT | --unix PATH] [--page-size N] [--newest VERSION]: the server that the scenarios of
// the official conformance suite and the tests in test/interop/official expect. With --http, serves HTTP on loopback
// (0: a free port), and prints the URL as its first line; ends when stdin is closed or on SIGTERM. With --unix, serves
// HTTP on a Unix domain socket beside the standard streams; otherwise only the standard streams. Ends when the client
// closes stdin. --page-size is the maximum number of entries per page of a list (default: all entries on one page), and
// --newest the newest supported protocol version.

#include <linkspan/describe/local_tool.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace linkspan;
using namespace std::chrono_literals;

namespace {

constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);

// A red pixel, and silence.
constexpr auto png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
constexpr auto wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

tool tool_named(std::string name, std::string schema = R"({"type":"object"})")
{
    tool out;
    out.name = std::move(name);
    out.description = "Tool of the scenarios of the conformance suite";
    out.input_schema = std::move(schema);
    return out;
}

// Adds a tool with a fixed result.
void add_fixed(server& own, std::string name, std::vector<content_block> content, bool is_error = false)
{
    own.add(tool_named(std::move(name)), [content, is_error](server_request request) {
        tool_output out;
        out.content = content;
        out.is_error = is_error;
        request.complete(out);
    });
}

content_block text(std::string value) { return text_content{std::move(value), {}, {}}; }
content_block image() { return image_content{png, "image/png", {}, {}}; }
content_block embedded(std::string uri, std::string type, std::string value)
{
    return embedded_resource{{std::move(uri), std::move(type), std::move(value), {}, {}}, {}, {}};
}

asio::awaitable<void> pause(asio::any_io_executor executor)
{
    timer wait(executor);
    wait.expires_after(50ms);
    co_await wait.async_wait(in_tuple);
}

elicit_request form(std::string message, std::string properties, std::string required = {})
{
    elicit_request out;
    out.message = std::move(message);
    out.requested_schema = R"({"type":"object","properties":{)" + std::move(properties) + "}" +
                           (required.empty() ? "" : R"(,"required":[)" + required + "]") + "}";
    return out;
}

sampling_request prompt_for_model(std::string_view prompt, std::int64_t max_tokens)
{
    sampling_request out;
    out.messages = R"([{"role":"user","content":{"type":"text","text":)";
    append_quoted(out.messages, prompt);
    out.messages += "}}]";
    out.max_tokens = max_tokens;
    return out;
}

// Describes the result of an elicitation as the suite expects.
std::string described(elicit_result const& result)
{
    constexpr std::array actions{"accept", "decline", "cancel"};
    return std::string("action=") + actions[static_cast<std::size_t>(result.action)] +
           ", content=" + json::serialize(result.content);
}

void add_simple_tools(server& own)
{
    add_fixed(own, "test_simple_text", {text("This is a simple text response for testing.")});
    add_fixed(own, "test_image_content", {image()});
    add_fixed(own, "test_audio_content", {audio_content{wav, "audio/wav", {}, {}}});
    add_fixed(own, "test_embedded_resource",
              {embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")});
    add_fixed(own, "test_multiple_content_types",
              {text("Multiple content types test:"), image(),
               embedded("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})")});
    add_fixed(own, "test_error_handling", {text("This tool intentionally returns an error for testing")}, true);
    own.add(tool_named("json_schema_2020_12_tool",
                       R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
                       R"("$defs":{"address":{"$anchor":"addressDef","type":"object","properties":)"
                       R"({"street":{"type":"string"},"city":{"type":"string"}}}},)"
                       R"("properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
                       R"("contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},)"
                       R"("email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},)"
                       R"({"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},)"
                       R"("required":["contactMethod"]},"then":{"required":["phone"]},)"
                       R"("else":{"required":["email"]},"additionalProperties":false})"),
            [](server_request request) { request.complete(tool_output::text(std::string(request.arguments()))); });
    own.add(tool_named("test_mirrored_arguments",
                       R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
                       R"("limit":{"type":"integer","x-mcp-header":"Limit"}}})"),
            [](server_request request) { request.complete(tool_output::text(std::string(request.arguments()))); });
}

// Tools that send notifications before their result.
void add_notifying_tools(server& own)
{
    auto const log = [](server_request request) -> asio::awaitable<void> {
        request.log(log_level::info, raw_json(R"("Tool execution started")"));
        co_await pause(request.get_executor());
        request.log(log_level::info, raw_json(R"("Tool processing data")"));
        co_await pause(request.get_executor());
        request.log(log_level::info, raw_json(R"("Tool execution completed")"));
        request.complete(tool_output::text("Tool with logging executed successfully"));
    };
    own.add(tool_named("test_tool_with_logging"), log);
    own.add(tool_named("test_logging_tool"), log);
    own.add(tool_named("test_tool_with_progress"), [](server_request request) -> asio::awaitable<void> {
        for (double const value : {0, 50, 100}) {
            request.report_progress(value, 100);
            if (value < 100)
                co_await pause(request.get_executor());
        }
        request.complete(tool_output::text("Tool with progress executed successfully"));
    });
    own.add(tool_named("test_reconnection"), [](server_request request) -> asio::awaitable<void> {
        request.end_exchange();
        co_await pause(request.get_executor());
        request.complete(tool_output::text("The response was sent after the end of the first connection"));
    });
    own.add(tool_named("test_trigger_tool_change"), [&own](server_request request) {
        own.add(tool_named("test_added_tool"), [](server_request) {});
        own.remove_tool("test_added_tool");
        request.complete(tool_output::text("The list of tools has changed"));
    });
    own.add(tool_named("test_trigger_prompt_change"), [&own](server_request request) {
        own.add(prompt{.name = "test_added_prompt"}, [] { return std::string(); });
        own.remove_prompt("test_added_prompt");
        request.complete(tool_output::text("The list of prompts has changed"));
    });
}

// Adds a tool that asks the client and completes with the description of the result.
template<class Ask, class Describe>
void add_asking(server& own, std::string name, std::string schema, Ask ask, Describe describe)
{
    own.add(tool_named(std::move(name), std::move(schema)),
            [ask, describe](server_request request) -> asio::awaitable<void> {
                auto const answer = co_await ask(request);
                if (std::get<0>(answer))
                    request.fail(std::get<0>(answer));
                else
                    request.complete(tool_output::text(describe(std::get<1>(answer))));
            });
}

std::string argument(server_request const& request, std::string_view key)
{
    return json_scan::string(json_scan::member(request.arguments(), key)).value_or("");
}

auto elicit(server_request& request, elicit_request what)
{
    return request.async_ask<elicitation>(std::move(what), in_tuple);
}

void add_asking_tools(server& own)
{
    constexpr auto any = R"({"type":"object"})";
    auto const sample = [](server_request& request) {
        return request.async_ask<sampling>(prompt_for_model(argument(request, "prompt"), 100), in_tuple);
    };
    auto const text_of_model = [](sampling_result const& result) { return "LLM response: " + result.text; };
    add_asking(own, "test_sampling",
               R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})", sample,
               text_of_model);
    add_asking(own, "test_missing_capability", any, sample, text_of_model);
    add_asking(
        own, "test_elicitation",
        R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})",
        [](server_request& request) {
            return elicit(request, form(argument(request, "message"),
                                        R"("username":{"type":"string","description":"User's response"},)"
                                        R"("email":{"type":"string","description":"User's email address"})",
                                        R"("username","email")"));
        },
        [](elicit_result const& result) { return "User response: " + described(result); });
    add_asking(
        own, "test_streaming_elicitation", any,
        [](server_request& request) { return elicit(request, form("Continue?", R"("ok":{"type":"boolean"})")); },
        described);
    auto const completed = [](elicit_result const& result) { return "Elicitation completed: " + described(result); };
    add_asking(
        own, "test_elicitation_sep1034_defaults", any,
        [](server_request& request) {
            return elicit(request, form("Please review", R"("name":{"type":"string","default":"John Doe"},)"
                                                         R"("age":{"type":"integer","default":30},)"
                                                         R"("score":{"type":"number","default":95.5},)"
                                                         R"("status":{"type":"string","enum":["active",)"
                                                         R"("inactive","pending"],"default":"active"},)"
                                                         R"("verified":{"type":"boolean","default":true})"));
        },
        completed);
    add_asking(
        own, "test_elicitation_sep1330_enums", any,
        [](server_request& request) {
            return elicit(
                request,
                form("Please choose",
                     R"("untitledSingle":{"type":"string","enum":["option1","option2","option3"]},)"
                     R"("titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},)"
                     R"({"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},)"
                     R"("legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],)"
                     R"("enumNames":["Option One","Option Two","Option Three"]},)"
                     R"("untitledMulti":{"type":"array","items":{"type":"string",)"
                     R"("enum":["option1","option2","option3"]}},)"
                     R"("titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},)"
                     R"({"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}})"));
        },
        completed);
}

elicit_request name_form() { return form("What is your name?", R"("name":{"type":"string"})", R"("name")"); }

std::string text_in(elicit_result const& result, std::string_view key)
{
    auto const* const value = result.content.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

// Tools whose handlers run again with all inputs so far.
void add_input_tools(server& own)
{
    own.add(tool_named("test_input_required_result_elicitation"), [](server_request request) {
        auto const answer = request.input<elicitation>("user_name");
        if (!answer || (answer->action == elicit_action::accept && text_in(*answer, "name").empty()))
            return request.require_input({request.to_input<elicitation>("user_name", name_form())});
        request.complete(tool_output::text("Hello, " + text_in(*answer, "name") + "!"));
    });
    own.add(tool_named("test_input_required_result_sampling"), [](server_request request) {
        auto const answer = request.input<sampling>("capital_question");
        if (!answer)
            return request.require_input({request.to_input<sampling>(
                "capital_question", prompt_for_model("What is the capital of France?", 100))});
        request.complete(tool_output::text(answer->text));
    });
    own.add(tool_named("test_input_required_result_list_roots"), [](server_request request) {
        auto const answer = request.input<roots>("client_roots");
        if (!answer)
            return request.require_input({request.to_input<roots>("client_roots", roots_request())});
        std::string uris;
        for (auto const& each : answer->roots)
            (uris += each.uri) += ' ';
        request.complete(tool_output::text("Roots: " + uris));
    });
    auto const confirm = [](server_request request) {
        auto const answer = request.input<elicitation>("confirm");
        if (!answer || request.state() != "confirming")
            return request.require_input(
                {request.to_input<elicitation>("confirm",
                                               form("Please confirm", R"("ok":{"type":"boolean"})", R"("ok")"))},
                "confirming");
        request.complete(tool_output::text("state-ok"));
    };
    own.add(tool_named("test_input_required_result_request_state"), confirm);
    own.add(tool_named("test_input_required_result_tampered_state"), confirm);
    own.add(tool_named("test_input_required_result_multiple_inputs"), [](server_request request) {
        auto const name = request.input<elicitation>("user_name");
        auto const greeting = request.input<sampling>("greeting");
        auto const folders = request.input<roots>("client_roots");
        std::vector<required_input> missing;
        if (!name)
            missing.push_back(request.to_input<elicitation>("user_name", name_form()));
        if (!greeting)
            missing.push_back(request.to_input<sampling>("greeting", prompt_for_model("Generate a greeting", 50)));
        if (!folders)
            missing.push_back(request.to_input<roots>("client_roots", roots_request()));
        if (!missing.empty())
            return request.require_input(std::move(missing), "collecting");
        request.complete(tool_output::text(greeting->text + " " + text_in(*name, "name")));
    });
    own.add(tool_named("test_input_required_result_multi_round"), [](server_request request) {
        auto const name = request.input<elicitation>("step1");
        auto const color = request.input<elicitation>("step2");
        if (!name)
            return request.require_input(
                {request.to_input<elicitation>(
                    "step1", form("Step 1: What is your name?", R"("name":{"type":"string"})", R"("name")"))},
                "step 1");
        if (!color)
            return request.require_input(
                {request.to_input<elicitation>("step2", form("Step 2: What is your favorite color?",
                                                             R"("color":{"type":"string"})", R"("color")"))},
                "step 2");
        request.complete(tool_output::text(text_in(*name, "name") + " likes " + text_in(*color, "color")));
    });
    own.add(tool_named("test_input_required_result_capabilities"), [](server_request request) {
        std::vector<required_input> supported;
        for (auto& each : {request.to_input<elicitation>("user_name", name_form()),
                           request.to_input<sampling>("greeting", prompt_for_model("Generate a greeting", 50))})
            if (each.is_declared && request.input_text(each.key).empty())
                supported.push_back(each);
        if (!supported.empty())
            return request.require_input(std::move(supported));
        request.complete(tool_output::text("no further input is needed"));
    });
    own.add(prompt{.name = "test_input_required_result_prompt", .description = "Prompt that requires input"},
            [](server_request request) {
                auto const answer = request.input<elicitation>("user_context");
                if (!answer)
                    return request.require_input({request.to_input<elicitation>(
                        "user_context", form("What context should the prompt use?", R"("context":{"type":"string"})",
                                             R"("context")"))});
                request.complete(prompt_result{{}, {{"user", text("Context: " + text_in(*answer, "context"))}}});
            });
}

tool task_tool(std::string name, task_support support, std::string schema = R"({"type":"object"})")
{
    auto out = tool_named(std::move(name), std::move(schema));
    out.tasks = support;
    return out;
}

task_options polled_often()
{
    task_options out;
    out.poll_interval = 100ms;
    return out;
}

// Waits, but ends when the request is over, for example because the client has cancelled its task.
asio::awaitable<void> pause_while_open(server_request& request, duration span)
{
    auto const wait = std::make_shared<timer>(request.get_executor());
    wait->expires_after(span);
    request.on_cancelled([wait] { wait->cancel(); });
    co_await wait->async_wait(in_tuple);
}

// Tools that continue as tasks.
void add_task_tools(server& own)
{
    own.add(tool_named("greet", R"({"type":"object","properties":{"name":{"type":"string"}}})"),
            [](server_request request) {
                request.complete(tool_output::text("Hello, " + argument(request, "name") + "!"));
            });
    own.add(task_tool("slow_compute", task_support::optional,
                      R"({"type":"object","properties":{"seconds":{"type":"integer"},"label":{"type":"string"}}})"),
            [](server_request request) -> asio::awaitable<void> {
                auto const seconds = json_scan::integer(json_scan::member(request.arguments(), "seconds")).value_or(0);
                request.become_task(polled_often());
                co_await pause_while_open(request, std::chrono::seconds(seconds));
                request.complete(tool_output::text("computed " + argument(request, "label")));
            });
    own.add(task_tool("failing_job", task_support::required), [](server_request request) -> asio::awaitable<void> {
        request.become_task(polled_often());
        co_await pause_while_open(request, 1s);
        request.complete(tool_output::failure("The job failed"));
    });
    own.add(task_tool("protocol_error_job", task_support::required), [](server_request request) {
        request.become_task(polled_often());
        request.fail(-32603, "The job ended with an error");
    });
    auto const confirm = [] { return form("Delete the file?", R"("confirm":{"type":"boolean"})"); };
    own.add(task_tool("confirm_delete", task_support::optional,
                      R"({"type":"object","properties":{"filename":{"type":"string"}}})"),
            [confirm](server_request request) -> asio::awaitable<void> {
                request.become_task(polled_often());
                auto asked = confirm();
                auto const answer = co_await elicit(request, std::move(asked));
                request.complete(tool_output::text(described(std::get<1>(answer))));
            });
    own.add(task_tool("multi_input", task_support::optional), [confirm](server_request given) {
        given.become_task(polled_often());
        auto const request = std::make_shared<server_request>(std::move(given));
        auto const missing = std::make_shared<int>(2);
        for (int count = 0; count != 2; ++count)
            request->async_ask<elicitation>(confirm(), [request, missing](error_code ec, elicit_result const&) {
                if (!ec && --*missing == 0)
                    request->complete(tool_output::text("both inputs have arrived"));
            });
    });
    own.add(task_tool("test_tool_with_task", task_support::required), [](server_request request) {
        auto const answer = request.input<elicitation>("user_name");
        if (!answer)
            return request.require_input({request.to_input<elicitation>("user_name", name_form())});
        request.become_task(polled_often());
        request.complete(tool_output::text("Hello, " + text_in(*answer, "name") + "!"));
    });
}

struct station {
    std::string name;
};
LINKSPAN_STRUCT(station, name)

struct measurement {
    std::string station;
    double celsius = 0;
};
LINKSPAN_STRUCT(measurement, station, celsius)

// Tools of the tests with the official client, which no scenario of the suite has.
void add_tools_for_official_client(server& own)
{
    own.add(local_tool("test_structured_content", "Returns a measurement", [](station const& of) {
        return measurement{of.name, 21.5};
    }));
    own.add(tool_named("test_defect"), [](server_request) { throw std::runtime_error("thrown by test_defect"); });
    auto const cancelled = std::make_shared<int>(0);
    own.add(tool_named("test_wait_for_cancellation"), [cancelled](server_request request) -> asio::awaitable<void> {
        request.report_progress(1);
        co_await pause_while_open(request, 1min);
        *cancelled += request.is_over();
        request.complete(tool_output::text("The request was not cancelled"));
    });
    own.add(tool_named("test_cancelled_requests"),
            [cancelled](server_request request) { request.complete(tool_output::text(std::to_string(*cancelled))); });
    own.add(tool_named("test_trigger_resource_update"), [&own](server_request request) {
        own.resource_updated("test://watched-resource");
        request.complete(tool_output::text("The watched resource has changed"));
    });
    own.add(tool_named("test_trigger_resource_change"), [&own](server_request request) {
        resource added;
        added.uri = "test://added";
        added.name = "added";
        own.add(added, [] { return std::string(); });
        own.remove_resource("test://added");
        request.complete(tool_output::text("The list of resources has changed"));
    });
}

struct two_arguments {
    std::string arg1;
    std::string arg2;
};
LINKSPAN_STRUCT(two_arguments, arg1, arg2)

struct embedded_argument {
    std::string resourceUri;
};
LINKSPAN_STRUCT(embedded_argument, resourceUri)

void add_resources_and_prompts(server& own)
{
    resource static_text;
    static_text.uri = "test://static-text";
    static_text.name = "static-text";
    static_text.description = "A text";
    static_text.mime_type = "text/plain";
    own.add(static_text, [] { return std::string("This is the content of the static text resource."); });
    resource static_binary = static_text;
    static_binary.uri = "test://static-binary";
    static_binary.name = "static-binary";
    static_binary.description = "An image";
    static_binary.mime_type = "image/png";
    own.add(static_binary, [] {
        resource_contents out;
        out.blob = png;
        return out;
    });
    resource watched = static_text;
    watched.uri = "test://watched-resource";
    watched.name = "watched-resource";
    own.add(watched, [] { return std::string("watched"); });
    own.add(resource_template{.uri_template = "test://template/{id}/data",
                              .name = "template",
                              .description = "Data of an id",
                              .mime_type = "application/json"},
            [](uri_template::values const& values) {
                auto const& id = values[0].second;
                return R"({"id":")" + id + R"(","templateTest":true,"data":"Data for ID: )" + id + R"("})";
            });
    own.add(prompt{.name = "test_simple_prompt", .description = "A text"},
            [] { return std::string("This is a simple prompt for testing."); });
    own.add(prompt{.name = "test_prompt_with_arguments", .description = "A text with two arguments"},
            [](two_arguments const& given) {
                return "Prompt with arguments: arg1='" + given.arg1 + "', arg2='" + given.arg2 + "'";
            });
    own.add(prompt{.name = "test_prompt_with_embedded_resource", .description = "A resource"},
            [](embedded_argument const& given) {
                return std::vector<prompt_message>{
                    {"user", embedded(given.resourceUri, "text/plain", "Embedded resource content for testing.")},
                    {"user", text("Please process the embedded resource above.")}};
            });
    own.add(prompt{.name = "test_prompt_with_image", .description = "An image"}, [] {
        return std::vector<prompt_message>{{"user", image()}, {"user", text("Please analyze the image above.")}};
    });
    own.set_completion_handler([](completion_request const& asked) {
        completion_result out;
        for (std::string const candidate : {"paris", "park", "party"})
            if (candidate.starts_with(asked.value))
                out.values.push_back(candidate);
        return out;
    });
}

//[ http
// Serves both eras on one path, and HTTP+SSE beside it. Returns the URL.
std::string serve_http(server& own, std::optional<http_endpoint>& endpoint, std::uint16_t port)
{
    http_endpoint_options serving;
    serving.port = port; // 0: a free port
    serving.sse_path = "/sse";
    serving.retry = 100ms;
    return endpoint.emplace(own, std::move(serving)).listen();
}
//]

// Reads the options of the server from its arguments.
serving_options options_of(std::map<std::string_view, std::string> const& arguments)
{
    serving_options out;
    out.on_defect = [](server_defect const& defect) {
        std::cerr << defect.method << ' ' << defect.name << ": " << defect.what << '\n';
    };
    if (auto const size = arguments.find("--page-size"); size != arguments.end())
        out.page_size = std::stoul(size->second);
    if (auto const newest = arguments.find("--newest"); newest != arguments.end())
        std::erase_if(out.protocol_versions, [&](auto version) { return to_string(version) > newest->second; });
    return out;
}

// Calls a function when stdin is closed or the process is asked to terminate.
class end_watch {
public:
    end_watch(asio::io_context& context, std::function<void()> end)
        : in_(context, ::dup(STDIN_FILENO)), signals_(context, SIGINT, SIGTERM), end_(std::move(end))
    {
        signals_.async_wait([this](error_code ec, int) {
            if (!ec)
                end_();
        });
        read();
    }

private:
    void read()
    {
        in_.async_read_some(asio::buffer(ignored_), [this](error_code ec, std::size_t) { ec ? end_() : read(); });
    }

    asio::posix::stream_descriptor in_;
    asio::signal_set signals_;
    std::function<void()> end_;
    std::array<char, 64> ignored_{};
};

} // namespace

int main(int count, char** words)
try {
    std::map<std::string_view, std::string> arguments;
    for (int i = 1; i + 1 < count; i += 2)
        arguments[words[i]] = words[i + 1];
    asio::io_context context{1};
    server own(context.get_executor(), {.name = "conformance-server", .version = "1"}, options_of(arguments));
    add_simple_tools(own);
    add_notifying_tools(own);
    add_asking_tools(own);
    add_input_tools(own);
    add_task_tools(own);
    add_tools_for_official_client(own);
    add_resources_and_prompts(own);
    std::optional<http_endpoint> endpoint;
    if (!arguments.contains("--http")) {
        serve_stdio(own, [&endpoint](error_code) { endpoint.reset(); });
        if (arguments.contains("--unix")) {
            http_endpoint_options serving;
            serving.unix_socket = arguments["--unix"];
            endpoint.emplace(own, std::move(serving)).listen();
        }
        context.run();
        return 0;
    }
    std::cout << serve_http(own, endpoint, static_cast<std::uint16_t>(std::stoul(arguments["--http"]))) << std::endl;
    end_watch const watch(context, [&context] { context.stop(); });
    context.run();
} catch (std::exception const& failure) {
    std::cerr << "conformance-server: " << failure.what() << '\n';
    return 1;
}
