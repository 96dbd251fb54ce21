// Starts three servers as child processes: "files", and the interchangeable calculators "database" and "api". Lists the
// tools of a server, calls a tool with a fallback server, and passes data of the user to a server.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <iostream>

#include "programs.hpp"
#include "tables.hpp"

namespace asio = boost::asio;
using boost::json::object;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

//[ work
asio::awaitable<bool> work(hub_type& hub)
{
    print_report(co_await hub.async_open());
    auto const tools = hub.catalog(); // a snapshot: no request is sent
    for (auto const& entry : tools->tools("files"))
        std::cout << entry.display_name() << ": " << entry.tool->description << '\n';

    object const here{{"path", "."}};
    auto const names = co_await hub.async_call("list_directory", here);
    std::cout << names.as<boost::json::array>().value().size() << " files\n";

    linkspan::call_deps deps;
    deps.user_context["user"] = "ada";
    deps.request_id = "r-17";
    linkspan::call_options options;
    pass_deps(options, deps); // the request contains the data as `_meta.deps`

    object const numbers{{"a", 2}, {"b", 3}};
    std::vector<std::string> const fallbacks{"api"};
    auto const sum = co_await async_call_with_fallback(hub, "database", fallbacks, "add", numbers);
    std::cout << sum.as<double>().value() << " from " << sum.server() << '\n';
    auto const product = co_await hub.on_server("api").async_call("multiply", numbers, options);
    std::cout << product.as<double>().value() << " from " << product.server() << '\n';
    co_await hub.async_shutdown();
    co_return sum.server() == "database" && sum.as<int>().value() == 5 && product.as<int>().value() == 6;
}
//]

//[ servers
int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    auto files = mock_server("mock-filesystem");
    files.args = {"."};
    hub.add<linkspan::stdio>("files", files)
        .add<linkspan::stdio>("database", mock_server("mock-calculator"))
        .add<linkspan::stdio>("api", mock_server("mock-calculator"));
    return linkspan::run(context, work(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
//]
