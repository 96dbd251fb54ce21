// Costs of many servers: the time to make a catalog, and the share of a call that depends on the number of servers. The
// default is 1,000 servers with 100 tools each; groups of REPLICAS servers offer the same, interchangeable tools.
//
//   bench-catalog [SERVERS] [TOOLS] [REPLICAS]

#include <linkspan/connector.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
using linkspan::inproc;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

double microseconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double, std::micro>(clock_type::now() - start).count();
}

struct server_set {
    boost::asio::io_context context{1};
    hub_type hub{context.get_executor()};
    std::vector<std::unique_ptr<linkspan::test::scripted_server>> servers;

    server_set(std::size_t count, std::size_t tools, std::size_t replicas)
    {
        for (std::size_t i = 0; i != count; ++i) {
            auto& server = servers.emplace_back(std::make_unique<linkspan::test::scripted_server>());
            auto const kind = "kind" + std::to_string(i / replicas);
            for (std::size_t t = 0; t != tools; ++t)
                server->tool(kind + "_tool" + std::to_string(t), R"({"type":"object"})",
                             [](std::string_view) { return R"("content":[])"; });
            hub.add<inproc>("server" + std::to_string(i), *server);
        }
        bool open = false;
        hub.async_open([&](linkspan::error_code, linkspan::open_report const&) { open = true; });
        while (!open)
            context.run_one();
    }

    ~server_set()
    {
        hub.close();
        context.restart();
        context.poll();
    }

    // Returns the minimum of several runs, in microseconds per call.
    double call(std::string const& tool)
    {
        double best = 1e9;
        for (int run = 0; run != 5; ++run) {
            constexpr int calls = 2'000;
            auto const start = clock_type::now();
            for (int i = 0; i != calls; ++i) {
                bool done = false;
                hub.async_call(tool, {}, [&](linkspan::error_code, linkspan::call_result const&) { done = true; });
                while (!done)
                    context.run_one();
            }
            best = std::min(best, microseconds_since(start) / calls);
        }
        return best;
    }
};

} // namespace

int main(int argc, char** argv)
{
    auto const number = [&](int at, std::size_t otherwise) {
        return argc > at ? static_cast<std::size_t>(std::strtoul(argv[at], nullptr, 10)) : otherwise;
    };
    auto const servers = number(1, 1'000), tools = number(2, 100), replicas = number(3, 1);

    double alone = 0;
    {
        server_set one(1, 1, 1);
        alone = one.call("kind0_tool0");
    }
    server_set all(servers, tools, replicas);
    auto const before = all.hub.catalog();
    std::vector<linkspan::catalog_entry> const entries(before->tools().begin(), before->tools().end());
    double swap = 1e9;
    for (int run = 0; run != 5; ++run) {
        auto copy = entries;
        auto const start = clock_type::now();
        linkspan::catalog const made(std::move(copy));
        swap = std::min(swap, microseconds_since(start));
    }
    all.servers[0]->describe("kind0_tool0", "changed"); // an unchanged list publishes no catalog
    auto const changed = clock_type::now();
    all.servers[0]->broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    while (all.hub.catalog() == before)
        all.context.run_one();
    auto const whole = microseconds_since(changed);
    auto const crowd = all.call("kind" + std::to_string(servers / replicas / 2) + "_tool" + std::to_string(tools / 2));
    std::cout << before->tools().size() << " tools of " << servers << " servers, " << replicas
              << " replicas of each tool\n"
              << "construction of a catalog         " << swap / 1000 << " ms\n"
              << "from a change to the new catalog  " << whole / 1000 << " ms, including the list request\n"
              << "a call with one eligible server   " << alone << " us\n"
              << "a call with all replicas          " << crowd << " us\n"
              << "cost of the replicas per call     " << crowd - alone << " us\n";
}
