// A server and its client in one process, in memory; with CONSUMER_HAS_HTTP, over HTTP on loopback.

#include <linkspan.hpp>
#include <linkspan/server.hpp>
#if defined(CONSUMER_HAS_HTTP)
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/server/http_endpoint.hpp>
#else
#include <linkspan/transport/inproc.hpp>
#endif

#include <boost/asio/io_context.hpp>

#include <iostream>

struct operands {
    int a = 0, b = 0;
};
LINKSPAN_STRUCT(operands, a, b)

boost::asio::awaitable<void> call(linkspan::session& client)
{
    co_await client.async_open();
    boost::json::object const arguments{{"a", 2}, {"b", 3}};
    auto const result = co_await client.async_call_tool("add", arguments);
    std::cout << result.text() << '\n';
    client.close();
}

int main()
{
    boost::asio::io_context context;
    linkspan::server calculator(context.get_executor(), {.name = "calculator", .version = "1.0"});
    auto const add = [](operands const& two) { return two.a + two.b; };
    calculator.add(linkspan::local_tool("add", "Adds two numbers", add));
#if defined(CONSUMER_HAS_HTTP)
    linkspan::http_endpoint endpoint(calculator);
    linkspan::http_config config;
    config.url = endpoint.listen();
    linkspan::session client(context.get_executor(), linkspan::via<linkspan::auto_http>(config));
#else
    auto const config = linkspan::inproc_to(calculator);
    linkspan::session client(context.get_executor(), linkspan::via<linkspan::inproc>(config));
#endif
    linkspan::run(context, call(client));
}
