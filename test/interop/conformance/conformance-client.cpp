// conformance-client URL: the client for the official conformance suite. The scenario is in MCP_CONFORMANCE_SCENARIO,
// and the calls are in MCP_CONFORMANCE_CONTEXT.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/session.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace asio = boost::asio;
namespace json = boost::json;
using linkspan::call_result;
using linkspan::session;

namespace {

std::string from_environment(char const* name)
{
    auto const* const value = std::getenv(name);
    return value ? value : "";
}

// Returns a value for the schema of an argument.
json::value sample_of(json::value const& schema)
{
    auto const& object = schema.as_object();
    if (auto const* const values = object.if_contains("enum"))
        return values->as_array().front();
    auto const type = object.contains("type") ? object.at("type") : json::value("string");
    if (type == "integer" || type == "number")
        return 3;
    if (type == "boolean")
        return true;
    return "sample";
}

json::object sample_arguments(std::string const& input_schema)
{
    json::object out;
    auto const schema = json::parse(input_schema);
    if (auto const* const properties = schema.as_object().if_contains("properties"))
        for (auto const& [name, each] : properties->as_object())
            out[name] = sample_of(each);
    return out;
}

asio::awaitable<void> call(session& server, std::string tool, json::object arguments)
{
    auto const completion = co_await server.async_call_tool(tool, arguments, asio::as_tuple(asio::use_awaitable));
    auto const& [ec, result] = completion;
    std::cout << tool << ": " << (ec ? linkspan::explain(ec, result) : result.text()) << '\n';
}

asio::awaitable<void> call_each_tool(session& server)
{
    auto const list = co_await server.async_list_tools(asio::use_awaitable);
    auto const context = from_environment("MCP_CONFORMANCE_CONTEXT");
    if (auto const wanted = context.empty() ? json::value() : json::parse(context);
        wanted.is_object() && wanted.as_object().contains("toolCalls")) {
        for (auto const& each : wanted.at("toolCalls").as_array())
            co_await call(server, std::string(each.at("name").as_string()), each.at("arguments").as_object());
        co_return;
    }
    for (auto const& tool : list.tools) {
        auto arguments = sample_arguments(tool.input_schema);
        co_await call(server, tool.name, std::move(arguments));
    }
}

// Sends the schema of a tool back unchanged.
asio::awaitable<void> echo_schema(session& server)
{
    auto const list = co_await server.async_list_tools(asio::use_awaitable);
    for (auto const& tool : list.tools)
        if (tool.name == "json_schema_2020_12_tool") {
            json::object arguments{{"schema", json::parse(tool.input_schema)}};
            co_await call(server, "json_schema_echo", std::move(arguments));
        }
}

asio::awaitable<void> use_resources_and_prompts(session& server)
{
    auto const resources = co_await server.async_request("resources/list", {}, asio::use_awaitable);
    auto const listed = json::parse(resources.raw());
    for (auto const& each : listed.at("resources").as_array()) {
        json::object const params{{"uri", each.at("uri")}};
        co_await server.async_request("resources/read", params, asio::use_awaitable);
    }
    auto const prompts = co_await server.async_request("prompts/list", {}, asio::use_awaitable);
    auto const offered = json::parse(prompts.raw());
    for (auto const& each : offered.at("prompts").as_array()) {
        json::object const params{{"name", each.at("name")}};
        co_await server.async_request("prompts/get", params, asio::use_awaitable);
    }
}

asio::awaitable<void> run(session& server, std::string_view scenario)
{
    co_await server.async_open(asio::use_awaitable);
    if (scenario == "json-schema-2020-12-preservation")
        co_await echo_schema(server);
    else
        co_await call_each_tool(server);
    if (scenario == "http-standard-headers")
        co_await use_resources_and_prompts(server);
    co_await server.async_shutdown(asio::use_awaitable);
}

} // namespace

int main(int argc, char** argv)
try {
    if (argc != 2) {
        std::cerr << "usage: conformance-client URL\n";
        return 2;
    }
    asio::io_context context{1};
    linkspan::http_config config;
    config.url = argv[1];
    session server(context.get_executor(), linkspan::via<linkspan::auto_http>(config));
    server.set_handler<linkspan::elicitation>(
        [](linkspan::elicit_request const&, linkspan::typed_responder<linkspan::elicitation> respond) {
            linkspan::elicit_result accepted; // the library fills in the defaults of the form
            accepted.action = linkspan::elicit_action::accept;
            respond(accepted);
        });
    std::exception_ptr failure;
    auto const scenario = from_environment("MCP_CONFORMANCE_SCENARIO");
    asio::co_spawn(context, run(server, scenario), [&](std::exception_ptr thrown) {
        failure = thrown;
        server.close();
    });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
