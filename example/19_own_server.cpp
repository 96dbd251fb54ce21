// A server with three tools: a function, a function that completes its request, and a coroutine. With the argument
// --stdio, the program serves the client that started it; otherwise a session in the same process calls the tools.

#include <linkspan.hpp>
#include <linkspan/server.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <iostream>

namespace asio = boost::asio;
using linkspan::server_request, linkspan::tool_output;

//[ tools
struct operands {
    int a = 0, b = 0;
};
LINKSPAN_STRUCT(operands, (a, "The first"), (b, "The second"))

void add_tools(linkspan::server& calculator)
{
    calculator.add(linkspan::local_tool("add", "Adds two numbers", [](operands const& two) { return two.a + two.b; }));
    calculator.add(linkspan::tool{.name = "divide"}, [](operands const& two, server_request request) {
        request.complete(two.b == 0 ? tool_output::failure("division by zero")
                                    : tool_output::text(std::to_string(two.a / two.b)));
    });
    calculator.add(linkspan::tool{.name = "count", .input_schema = R"({"type":"object"})"},
                   [](server_request request) -> asio::awaitable<void> {
                       linkspan::timer pause(request.get_executor());
                       for (int i = 1; i <= 3; ++i) {
                           pause.expires_after(std::chrono::milliseconds(1));
                           co_await pause.async_wait();
                           request.report_progress(i, 3);
                       }
                       request.complete(tool_output::text("counted"));
                   });
}
//]

asio::awaitable<bool> call(linkspan::server& calculator)
{
    linkspan::session client(calculator.get_executor(), linkspan::via<linkspan::inproc>(inproc_to(calculator)));
    co_await client.async_open();
    boost::json::object const two{{"a", 2}, {"b", 0}}, none;
    auto const sum = co_await client.async_call_tool("add", two);
    auto const ratio = co_await client.async_call_tool("divide", two);
    linkspan::call_options options;
    options.on_progress = [](auto const& update) { std::cout << "progress " << update.progress << '\n'; };
    auto const counted = co_await client.async_call_tool("count", none, options);
    std::cout << "add: " << sum.text() << ", divide: " << ratio.text() << ", count: " << counted.text() << '\n';
    co_return sum.text() == "2" && ratio.is_error() && counted.text() == "counted";
}

//[ main
int main(int count, char**)
try {
    asio::io_context context(1);
    linkspan::server calculator(context.get_executor(), {.name = "calculator", .version = "1.0"});
    add_tools(calculator);
    if (count == 1)
        return linkspan::run(context, call(calculator)) ? 0 : 1;
    linkspan::serve_stdio(calculator);
    context.run(); // until the client closes the input
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
//]
