#ifndef LINKSPAN_EXAMPLE_AGENT_HPP
#define LINKSPAN_EXAMPLE_AGENT_HPP

#include <linkspan.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

//[ agent
// Function that sends a request to a model in the format of Anthropic's Messages API, and returns its message.
using model = std::function<boost::asio::awaitable<std::string>(std::string request)>;

// Returns the blocks of one type as text: parsing would hide duplicate keys.
inline std::vector<std::string> blocks_of(std::string_view message, std::string_view type)
{
    std::vector<std::string> out;
    linkspan::json_scan::reader blocks(linkspan::json_scan::member(message, "content"));
    while (auto const block = blocks.next())
        if (linkspan::json_scan::quoted(linkspan::json_scan::member(block->value, "type")) == type)
            out.emplace_back(block->value);
    if (!linkspan::json_scan::is_value(message) || !blocks.ok())
        throw std::runtime_error("the message of the model is incomplete");
    return out;
}

// Answers a question with a model that uses the tools of a connector.
inline boost::asio::awaitable<std::string> converse(linkspan::connector_base& hub, model const& send,
                                                    std::string question, linkspan::call_options options)
{
    constexpr auto format = linkspan::tool_format::anthropic;
    std::string dialogue = R"({"role":"user","content":)";
    linkspan::append_quoted(dialogue, question);
    for (int turn = 0; turn != 10; ++turn) {
        auto const request = R"({"model":"a-model","max_tokens":4096,"tools":)" + export_tools(*hub.catalog(), format) +
                             R"(,"messages":[)" + dialogue + "}]}";
        std::string const message = co_await send(request);
        auto const calls = blocks_of(message, "tool_use");
        if (calls.empty())
            co_return linkspan::json_scan::string(linkspan::json_scan::member(blocks_of(message, "text").at(0), "text"))
                .value();
        auto const outcomes = co_await async_execute_many(hub, calls, format, options); // concurrently
        dialogue += R"(},{"role":"assistant","content":)";
        dialogue += linkspan::json_scan::member(message, "content");
        dialogue += R"(},{"role":"user","content":)";
        for (char separator = '['; auto const& outcome : outcomes) {
            (dialogue += separator) += outcome.message; // also of a failed request, which the model may correct
            separator = ',';
        }
        dialogue += ']';
    }
    throw std::runtime_error("the model requested tools in ten turns without an answer");
}
//]

#endif
