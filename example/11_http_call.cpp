// Calls a server over HTTP: `http_call [URL]`. Without a URL, the program calls a server of its own on loopback. The
// transport detects the protocol version and the use of sessions.

#include <linkspan.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <iostream>
#include <string>

namespace asio = boost::asio;

//[ call
asio::awaitable<bool> call(asio::any_io_executor executor, std::string url)
{
    linkspan::http_config config;
    config.url = url;
    config.auth = linkspan::bearer_token{"a-token-of-this-example"};
    linkspan::session server(executor, linkspan::via<linkspan::auto_http>(config));

    co_await server.async_open();
    std::cout << server.server().name << " uses " << to_string(*server.protocol_version()) << '\n';
    boost::json::object const numbers{{"a", 2}, {"b", 3}};
    auto const sum = co_await server.async_call_tool("add", numbers);
    std::cout << "2 + 3 = " << sum.text() << '\n';
    co_await server.async_shutdown();
    co_return sum.as<int>().value() == 5;
}
//]

int main(int argc, char** argv)
try {
    asio::io_context context(1);
    linkspan::test::scripted_server calculator;
    linkspan::test::make_calculator(calculator);
    linkspan::test::http_server web(context.get_executor(), calculator);
    return linkspan::run(context, call(context.get_executor(), argc > 1 ? argv[1] : web.url())) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
