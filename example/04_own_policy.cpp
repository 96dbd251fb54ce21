// User-defined policies: plain structs with a role, passed in any order, without a base class or registration.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <iostream>

namespace asio = boost::asio;

//[ policies
// Prefers servers with the tag "local".
struct prefer_local {
    using role = linkspan::routing_role;

    std::optional<linkspan::server_id> select(linkspan::call_view const&,
                                              std::span<linkspan::server_view const> candidates) const
    {
        auto const is_local = [](auto const& server) { return std::ranges::count(server.tags, "local") != 0; };
        auto const local = std::ranges::find_if(candidates, is_local);
        return local == candidates.end() ? candidates.front().id : local->id;
    }
};

static_assert(linkspan::check_policy<prefer_local>());

// Prints each attempt. Functions that an observer does not define have no cost.
struct print_attempts {
    using role = linkspan::observer_role;

    void on_attempt(linkspan::attempt_view const& attempt) const
    {
        std::cout << attempt.call.tool << " on " << attempt.server.key << ": " << to_string(attempt.result.certainty)
                  << '\n';
    }
};

using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>, print_attempts, prefer_local>;
//]

asio::awaitable<bool> work(hub_type& hub)
{
    co_await hub.async_open();
    boost::json::object const sum{{"a", 2}, {"b", 3}};
    auto const result = co_await hub.async_call("add", sum);
    std::cout << result.text() << " from " << result.server() << '\n';
    co_await hub.async_shutdown();
    co_return result.server() == "near";
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor(), print_attempts(), prefer_local());
    linkspan::server_options far, near;
    far.priority = 100;
    near.tags = {"local"};
    hub.add<linkspan::stdio>("far", {.command = "mock-calculator"}, far)
        .add<linkspan::stdio>("near", {.command = "mock-calculator"}, near);
    return linkspan::run(context, work(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
