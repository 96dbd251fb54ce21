// An agent without a model: the requests of the model are constants. Each request is executed, and the message for the
// model is printed; errors of the model are messages too. 15_agent_loop.cpp contains a complete agent.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>
#include <string>

#include "programs.hpp"

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

constexpr char const* model_requests[] = {
    R"({"type":"tool_use","id":"t1","name":"add","input":{"a":2,"b":3}})",
    R"({"type":"tool_use","id":"t2","name":"divide","input":{"a":1,"b":0}})",
    R"({"type":"tool_use","id":"t3","name":"sum","input":{"a":2,"b":3}})",
};

asio::awaitable<bool> converse(hub_type& hub)
{
    co_await hub.async_open();
    std::cout << "system prompt:\n" << render_tool_prompt(*hub.catalog()) << '\n';
    std::cout << "tools: " << export_tools(*hub.catalog(), linkspan::tool_format::anthropic).size() << " bytes\n\n";
    std::string all;
    for (std::string const request : model_requests) {
        auto const message = co_await async_execute(hub, request, linkspan::tool_format::anthropic);
        std::cout << request << "\n  " << message << "\n";
        all += message;
    }
    co_await hub.async_shutdown();
    auto const has = [&](char const* words) { return all.find(words) != all.npos; };
    co_return has(R"("text":"5")") && has("by zero") && has("Invalid MCP tool name");
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", mock_server("mock-calculator"));
    return linkspan::run(context, converse(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
