// Five servers as one: two calculators that can stand in for each other, and three real servers from npm. One of the
// calculators is killed while it works, and each call ends as its tool allows.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include "programs.hpp"
#include "tables.hpp"

namespace asio = boost::asio;
using boost::json::object;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

asio::awaitable<void> call(hub_type& hub, std::string_view tool, object args)
{
    auto const [ec, result] = co_await hub.async_call(tool, args, asio::as_tuple(asio::use_awaitable));
    print_call(tool, ec, result);
}

asio::awaitable<void> tour(hub_type& hub)
{
    using namespace asio::experimental::awaitable_operators;
    print_report(co_await hub.async_open());
    print_catalog(*hub.tools());

    object const sum{{"a", 2}, {"b", 3}}, echo{{"message", "hello"}}, folder{{"path", "/usr/include/boost/json"}};
    object const slow{{"a", 2}, {"b", 3}, {"delay_ms", 2000}}, none;
    for (auto const tool : {"add", "calculator_a__add"})
        co_await call(hub, tool, sum);
    for (auto const tool : {"echo", "everything__echo"})
        co_await call(hub, tool, echo);
    for (auto const tool : {"list_directory", "files__list_directory"})
        co_await call(hub, tool, folder);
    for (auto const tool : {"read_graph", "memory__read_graph"})
        co_await call(hub, tool, none);

    auto const preferred = co_await hub.at("calculator_a").async_call("process_id");
    std::cout << "\ncalculator_a is killed while `add`, which is read_only, and `accumulate` are in flight:\n";
    co_await (call(hub, "add", slow) && call(hub, "accumulate", slow) && kill_soon(preferred.text()));

    print_state(hub.state().servers);
    co_await hub.async_shutdown();
}

int main()
{
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
    asio::co_spawn(context, tour(hub), asio::detached);
    context.run();
    std::cout << (has_children() ? "a process was left behind\n" : "no process is left behind\n");
    return has_children() ? 1 : 0;
}
