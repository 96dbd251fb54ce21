// A call, a failure and a fallback, step by step: the connector opens two databases, reads their tools, sends a query to
// the first, and, when that is lost, to the second. The log of messages, in their order, is checked at the end.
// S0-11, S0-13

#include <linkspan.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>

#include <iostream>
#include <string>
#include <vector>

#include "message_log.hpp"

namespace asio = boost::asio;
using linkspan::inproc;
using namespace linkspan::test;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

//[ sequence
asio::awaitable<void> play(hub_type& hub, scripted_server& a, message_log& log)
{
    auto const report = co_await hub.async_open(); // connect A and B, and list their tools
    std::cout << report.servers.size() << " servers, " << hub.tools()->tools().size() << " tools\n";
    log.end_step();

    boost::json::object const query{{"sql", "SELECT 1"}};
    auto const first = co_await hub.async_call("query_db", query); // routed to A, the first of the two
    log.end_step(first.text());

    a.drop_connections();                                           // A fails
    auto const second = co_await hub.async_call("query_db", query); // falls over to B
    log.end_step(second.text());
}
//]

//[ drawn
std::vector<std::string> const drawn{
    "A initialize", "A tools/list", "B initialize", "B tools/list", // beside each other
    "A tools/call", "from A",                                       // B hears nothing of it
    "B tools/call", "from B",                                       // nor does A
};
//]

int main()
{
    world here; // virtual time
    scripted_server a({linkspan::revision::r2025_11_25}), b({linkspan::revision::r2025_11_25});
    a.on(call("query_db")).then(text("from A"));
    b.on(call("query_db")).then(text("from B"));
    linkspan::server_options primary, replica;
    primary.priority = 100;
    replica.priority = 50;
    hub_type hub(here.executor);
    hub.add<inproc>("A", a, primary).add<inproc>("B", b, replica);
    message_log log{a, b};
    asio::co_spawn(here.context, play(hub, a, log), asio::detached);
    here.time.run_for(std::chrono::seconds(0));
    hub.close();
    here.context.restart();
    here.context.poll();
    for (auto const& line : log.lines)
        std::cout << line << '\n';
    return log.lines == drawn ? 0 : 1;
}
