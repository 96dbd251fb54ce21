// A call and a failover: the first query is sent to A, one of two databases. The second query fails on A and is retried
// on B. The log of messages and the attempts are compared with the expected ones at the end.

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
asio::awaitable<void> play(hub_type& hub, message_log& log)
{
    auto const report = co_await hub.async_open(); // connect A and B, and list their tools
    std::cout << report.servers.size() << " servers, " << hub.catalog()->tools().size() << " tools\n";
    log.end_step();

    boost::json::object const query{{"sql", "SELECT 1"}};
    auto const first = co_await hub.async_call("query_db", query); // routed to A, which has the higher priority
    log.end_step(first);

    auto const second = co_await hub.async_call("query_db", query); // fails on A, and is retried on B
    log.end_step(second);
}
//]

//[ drawn
std::vector<std::string> const drawn{
    "A initialize", "A tools/list", "B initialize", "B tools/list", // concurrently
    "A tools/call", "from A",                                       // B receives nothing
    "A tools/call", "B tools/call", "from B",                       // A fails, B responds
    "A: unknown",   "B: completed",                                 // the attempts of the second call
};
//]

int main()
{
    world here; // virtual time
    scripted_server a({linkspan::protocol_version::v2025_11_25}), b({linkspan::protocol_version::v2025_11_25});
    a.on(call("query_db")).once(text("from A")).then(drop_connection()); // drops the connection during the second call
    b.on(call("query_db")).then(text("from B"));
    linkspan::server_options primary, replica;
    primary.priority = 100;
    replica.priority = 50;
    for (auto* const options : {&primary, &replica}) // the operator declares the query as read-only
        options->tools["query_db"].replay = linkspan::replay_class::read_only;
    hub_type hub(here.executor);
    hub.add<inproc>("A", a, primary).add<inproc>("B", b, replica);
    message_log log{a, b};
    asio::co_spawn(here.context, play(hub, log), asio::detached);
    here.time.run_for(std::chrono::seconds(0));
    hub.close();
    here.context.restart();
    here.context.poll();
    for (auto const& line : log.lines)
        std::cout << line << '\n';
    return log.lines == drawn ? 0 : 1;
}
