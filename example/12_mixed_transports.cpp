// One connector with four kinds of servers: a child process over standard streams, a server of 2026-07-28 over HTTP, a
// server of 2025-11-25 over HTTP with sessions, and a server of 2024-11-05 over HTTP+SSE. The servers are disconnected
// one after the other, and the same call succeeds on the remaining ones.

#include <linkspan.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <iostream>
#include <string>

#include "programs.hpp"

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::auto_http>>;

// A calculator over HTTP on loopback.
struct web_calculator {
    linkspan::test::scripted_server server;
    linkspan::test::http_server web;
    web_calculator(asio::any_io_executor executor, linkspan::protocol_version supported,
                   linkspan::test::http_server_options options = {})
        : server({supported}), web(executor, server, std::move(options))
    {
        linkspan::test::make_calculator(server);
    }
};

//[ work
asio::awaitable<void> work(hub_type& hub)
{
    co_await hub.async_open();
    boost::json::object const numbers{{"a", 2}, {"b", 3}};
    for (std::string const next : {"child", "stateless", "session", "stream"}) {
        auto const sum = co_await hub.async_call("add", numbers);
        std::cout << sum.as<double>().value() << " from " << sum.server() << '\n';
        if (sum.server() != next)
            throw std::runtime_error("expected a response of " + next);
        co_await hub.async_disconnect(next);
    }
    co_await hub.async_shutdown();
}
//]

int main()
try {
    asio::io_context context(1);
    auto const executor = asio::any_io_executor(context.get_executor());
    using enum linkspan::protocol_version;
    web_calculator stateless_server(executor, v2026_07_28), session_server(executor, v2025_11_25);
    web_calculator oldest(executor, v2024_11_05, {.sse_path = "/sse"});
    hub_type hub(executor);
    auto const config_of = [](web_calculator& server) { return linkspan::http_config{.url = server.web.url()}; };
    hub.add<linkspan::stdio>("child", mock_server("mock-calculator"))
        .add<linkspan::auto_http>("stateless", config_of(stateless_server))
        .add<linkspan::auto_http>("session", config_of(session_server))
        .add<linkspan::auto_http>("stream", config_of(oldest));
    linkspan::run(context, work(hub));
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
