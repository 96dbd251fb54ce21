// Calls with a header that linkspan-bindgen generates from calculator.tools.lock.json during the build.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>

#include "calculator_tools.hpp"
#include "programs.hpp"

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

//[ calls
asio::awaitable<double> sum(hub_type& hub)
{
    // Generated types have a constructor for the required members, so that a temporary is safe in `co_await`.
    auto const reply = co_await hub.async_call(calculator::add(2, 3));
    co_return reply.result().as<double>().value();
}
//]

//[ verify
asio::awaitable<bool> matches_pins(hub_type& hub)
{
    auto const [ec, differences] =
        co_await hub.async_verify_pins("calculator", calculator::pins, asio::as_tuple(asio::deferred));
    for (auto const& difference : differences)
        std::cout << to_string(difference) << '\n';
    co_return !ec;
}
//]

asio::awaitable<bool> work(hub_type& hub)
{
    co_await hub.async_open();
    bool const fine = co_await matches_pins(hub) && co_await sum(hub) == 5;
    std::cout << (fine ? "the tools match their pins\n" : "the tools have changed, or the sum is wrong\n");
    co_await hub.async_shutdown();
    co_return fine;
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    // Tools that differ from their pins are never added to the catalog.
    linkspan::server_options options;
    options.pins.assign(calculator::pins.begin(), calculator::pins.end());
    options.when_pins_break = linkspan::pin_mode::reject;
    hub.add<linkspan::stdio>("calculator", mock_server("mock-calculator"), options);
    return linkspan::run(context, work(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
