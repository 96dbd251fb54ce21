// The smallest program with a connector, quoted in the README.

//[ quickstart
#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio.hpp>

#include <iostream>

using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

boost::asio::awaitable<linkspan::call_result> add(hub_type& hub)
{
    co_await hub.async_open(); // opens the servers; throws if all failed, or one that is required
    auto sum = co_await hub.async_call("add", {{"a", 2}, {"b", 3}});
    co_await hub.async_shutdown();
    co_return sum;
}

int main()
try {
    boost::asio::io_context context;
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", {.command = "mock-calculator"});
    auto const sum = linkspan::run(context, add(hub));
    std::cout << sum.text() << " from " << sum.server() << '\n';
    return sum.text() == "5" ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
//]
