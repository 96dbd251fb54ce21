// One connector with five servers: two interchangeable calculators, and three servers from npm. One calculator is
// killed while calls are in flight; each call is retried or fails as the replay class of its tool requires.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include "programs.hpp"
#include "tables.hpp"

namespace asio = boost::asio;
using boost::json::object;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

// Returns whether the call completed with the expected condition.
asio::awaitable<bool> call(hub_type& hub, std::string_view tool, object args, linkspan::error_condition expected = {})
{
    auto const [ec, result] = co_await hub.async_call(tool, args, asio::as_tuple(asio::use_awaitable));
    print_call(tool, ec, result);
    co_return ec == expected;
}

asio::awaitable<bool> tour(hub_type& hub)
{
    using namespace asio::experimental::awaitable_operators;
    print_report(co_await hub.async_open());
    print_catalog(*hub.catalog());
    object const sum{{"a", 2}, {"b", 3}}, echo{{"message", "hello"}}, folder{{"path", "/usr/include/boost/json"}};
    object const slow{{"a", 2}, {"b", 3}, {"delay_ms", 2000}}, none;
    std::pair<std::string_view, object> const calls[]{
        {"add", sum},   {"calculator_a__add", sum}, {"list_directory", folder}, {"files__list_directory", folder},
        {"echo", echo}, {"everything__echo", echo}, {"read_graph", none},       {"memory__read_graph", none},
    };
    bool as_expected = true;
    for (auto const& [tool, args] : calls)
        as_expected &= co_await call(hub, tool, args);
    auto const preferred = co_await hub.on_server("calculator_a").async_call("process_id");
    std::cout << "\ncalculator_a is killed while `add`, which is read_only, and `accumulate` are in flight:\n";
    auto const [added, accumulated] = co_await (kill_soon(preferred.text()) && call(hub, "add", slow) &&
                                                call(hub, "accumulate", slow, linkspan::condition::outcome_unknown));
    print_state(hub.state().servers);
    co_await hub.async_shutdown();
    co_return as_expected&& added&& accumulated;
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    linkspan::server_options first, second;
    first.priority = 50;
    first.tools["add"].replay = second.tools["add"].replay = linkspan::replay_class::read_only;
    hub.add<linkspan::stdio>("calculator_a", mock_server("mock-calculator"), first)
        .add<linkspan::stdio>("calculator_b", mock_server("mock-calculator"), second)
        .add<linkspan::stdio>("everything", npm_server("mcp-server-everything", {"stdio"}))
        .add<linkspan::stdio>("files", npm_server("mcp-server-filesystem", {"/usr/include/boost/json"}))
        .add<linkspan::stdio>("memory", npm_server("mcp-server-memory"));
    bool const as_expected = linkspan::run(context, tour(hub)), left = has_children();
    std::cout << (left ? "a process was left behind\n" : "no process is left behind\n");
    return as_expected && !left ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
