// The smallest program over a connector. The README quotes it. S0-32

//[ quickstart
#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio.hpp>
#include <boost/json.hpp>

#include <iostream>

using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

boost::asio::awaitable<void> run(hub_type& hub)
{
    co_await hub.async_open(); // all servers at once; a dead one is a line in the report
    boost::json::object const sum{{"a", 2}, {"b", 3}};
    auto const result = co_await hub.async_call("add", sum, linkspan::throwing);
    std::cout << result.text() << " from " << result.server() << '\n';
    co_await hub.async_shutdown();
}

int main()
{
    boost::asio::io_context context;
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", {.command = "mock-calculator"});
    boost::asio::co_spawn(context, run(hub), boost::asio::detached);
    context.run();
}
//]
