// A call, a failure and a fallback, step by step: the connector opens two databases, reads their tools, sends a query
// to the first, and, when that is lost, to the second. The log of messages is checked at the end. S0-11, S0-13

#include <linkspan.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/json/object.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace asio = boost::asio;
using linkspan::inproc;
using namespace linkspan::test;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

//[ sequence
asio::awaitable<void> play(hub_type& hub, scripted_server& a)
{
    auto const report = co_await hub.async_open(); // connect A and B, and list their tools
    std::cout << report.servers.size() << " servers, " << hub.tools()->tools().size() << " tools\n";

    boost::json::object const query{{"sql", "SELECT 1"}};
    auto const first = co_await hub.async_call("query_db", query); // routed to A, the first of the two
    std::cout << first.text() << " from " << first.server() << '\n';

    a.drop_connections();                                           // A fails
    auto const second = co_await hub.async_call("query_db", query); // falls over to B
    std::cout << second.text() << " from " << second.server() << '\n';
}
//]

// What came, in short: the methods, without those of the conversation's beginning.
std::vector<std::string> log_of(scripted_server const& server)
{
    std::vector<std::string> log;
    for (auto const& message : server.received())
        for (std::string const method : {"tools/list", "tools/call"})
            if (message.find('"' + method + '"') != std::string::npos)
                log.push_back(method);
    return log;
}

int main()
{
    world here; // virtual time
    scripted_server a({linkspan::revision::r2025_11_25}), b({linkspan::revision::r2025_11_25});
    a.on(call("query_db")).then(text("one row"));
    b.on(call("query_db")).then(text("one row"));
    linkspan::server_options primary, replica;
    primary.priority = 100;
    replica.priority = 50;
    hub_type hub(here.executor);
    hub.add<inproc>("A", a, primary).add<inproc>("B", b, replica);
    bool done = false;
    asio::co_spawn(here.context, play(hub, a), [&](std::exception_ptr failure) { done = !failure; });
    here.time.run_for(std::chrono::seconds(0));
    hub.close();
    here.context.restart();
    here.context.poll();
    std::vector<std::string> const drawn{"tools/list", "tools/call"};
    bool const as_drawn = log_of(a) == drawn && log_of(b) == drawn;
    std::cout << (done && as_drawn ? "the messages are those of the diagram\n"
                                   : "other messages than in the diagram\n");
    return done && as_drawn ? 0 : 1;
}
