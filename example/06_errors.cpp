// Handling of a failed call: its condition determines whether it may be repeated, and `explain` describes the attempts.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

//[ conditions
void advise(linkspan::error_code ec, linkspan::call_result const& result)
{
    if (ec == linkspan::condition::not_executed) // repeating the call is safe
        std::cout << "call again: ";
    else if (ec == linkspan::condition::outcome_unknown)
        std::cout << "check whether the tool has run: ";
    std::cout << explain(ec, result) << '\n';
}
//]

asio::awaitable<bool> work(hub_type& hub)
{
    co_await hub.async_open();
    boost::json::object const slow{{"a", 2}, {"b", 3}, {"delay_ms", 10'000}};
    linkspan::call_options short_timeout;
    short_timeout.idle_timeout = 20ms;
    constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);
    auto const [late, no_result] = co_await hub.async_call("add", slow, short_timeout, in_tuple);
    advise(late, no_result); // `add` has no replay class that allows a retry
    hub.close();
    auto const [closed, not_sent] = co_await hub.async_call("add", slow, short_timeout, in_tuple);
    advise(closed, not_sent);
    co_return late == linkspan::condition::outcome_unknown&& closed == linkspan::condition::not_executed;
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", {.command = "mock-calculator"});
    return linkspan::run(context, work(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
