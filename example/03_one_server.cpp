// A session with one server, without a connector: options of a call, and the errors of a call.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>

#include <iostream>

namespace asio = boost::asio;
using boost::json::object;
using namespace std::chrono_literals;

//[ session
asio::awaitable<bool> one_server(asio::any_io_executor executor)
{
    linkspan::session calculator(executor, linkspan::via<linkspan::stdio>({.command = "mock-calculator"}));
    co_await calculator.async_open();
    std::cout << calculator.server().name << " uses " << to_string(*calculator.protocol_version()) << '\n';
    auto const list = co_await calculator.async_list_tools();
    std::cout << list.tools.size() << " tools\n";

    object const sum{{"a", 2}, {"b", 3}};
    auto const result = co_await calculator.async_call_tool("add", sum);
    std::cout << result.text() << ", as JSON " << result.structured() << '\n';
    co_await calculator.async_shutdown();
    co_return result.as<int>().value() == 5;
}
//]

//[ errors
asio::awaitable<bool> failing_calls(linkspan::session& calculator)
{
    // A failure that the tool reports is a result.
    object const division{{"a", 1}, {"b", 0}};
    auto const divided = co_await calculator.async_call_tool("divide", division);
    std::cout << (divided.is_error() ? "the tool reported: " : "") << divided.text() << '\n';

    // All other failures are an error_code; the call result contains the delivery certainty.
    object const slow{{"a", 2}, {"b", 3}, {"delay_ms", 10'000}};
    linkspan::call_options short_timeout;
    short_timeout.idle_timeout = 20ms;
    auto const [ec, late] =
        co_await calculator.async_call_tool("add", slow, short_timeout, asio::as_tuple(asio::use_awaitable));
    if (ec == linkspan::error::attempt_timed_out)
        std::cout << explain(ec, late) << '\n'; // "... no response or progress within idle_timeout, 20 ms; ..."
    co_return divided.is_error() && ec == linkspan::error::attempt_timed_out;
}
//]

asio::awaitable<bool> all(asio::any_io_executor executor)
{
    bool const added = co_await one_server(executor);
    linkspan::session calculator(executor, linkspan::via<linkspan::stdio>({.command = "mock-calculator"}));
    co_await calculator.async_open();
    bool const are_failures_reported = co_await failing_calls(calculator);
    co_return (added && are_failures_reported);
}

int main()
try {
    asio::io_context context(1);
    return linkspan::run(context, all(context.get_executor())) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
