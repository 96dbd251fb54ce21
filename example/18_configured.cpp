// A connector that is created from a configuration, and several calls as one operation.

#include <linkspan.hpp>
#include <linkspan/config/make_connector.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <iostream>
#include <utility>
#include <vector>

#include "programs.hpp"

namespace asio = boost::asio;

//[ configured
asio::awaitable<bool> work(asio::any_io_executor executor, linkspan::connector_config config)
{
    auto const made = co_await linkspan::async_make_connector(executor, config); // adds the servers and opens them
    for (auto const& problem : made.problems)
        std::cout << to_string(problem) << '\n';

    std::vector<linkspan::tool_call> calls;
    for (int i = 0; i != 3; ++i)
        calls.emplace_back("multiply", boost::json::object{{"a", i}, {"b", 10}});
    auto const products = co_await linkspan::async_call_many(*made.hub, calls); // concurrently; results in this order
    int expected = 0;
    for (auto const& product : products) {
        std::cout << product.result.text() << '\n';
        if (product.ec || product.result.as<int>().value() != std::exchange(expected, expected + 10))
            co_return false;
    }
    co_await made.hub->async_shutdown();
    co_return made.problems.empty();
}
//]

int main()
try {
    asio::io_context context(1);
    boost::json::object const calculator{{"command", mock_server("mock-calculator").command}};
    boost::json::object const servers{{"mcpServers", boost::json::object{{"calculator", calculator}}}};
    auto const config = linkspan::connector_config::from_json(boost::json::serialize(servers));
    return linkspan::run(context, work(context.get_executor(), config)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
