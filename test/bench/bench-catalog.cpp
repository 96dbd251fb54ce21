// Costs of many servers: the time to make a catalog, and the share of a call that depends on the number of servers. The
// default is 1,000 servers with 100 tools each; groups of REPLICAS servers offer the same, interchangeable tools.
//
// Fails if a server, a tool or an outstanding call needs more memory than its bound, if a step of a publication may
// process more entries than its bound, or if the longest handler of a publication needs more processor time than a
// number of milliseconds. The median of five publications decides, because the first ones wait for new memory.
//
//   bench-catalog [SERVERS] [TOOLS] [REPLICAS] [MILLISECONDS]

#include <linkspan/connector.hpp>
#include <linkspan/connector/detail/catalog_publisher.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <time.h>
#include <utility>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
using linkspan::inproc;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

double microseconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double, std::micro>(clock_type::now() - start).count();
}

// Returns the processor time of this thread, which does not depend on the load of the machine.
double processor_microseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// Returns the allocated bytes of the heap, with the overhead of the allocator.
double heap_bytes()
{
    auto const now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
}

// Memory in bytes.
struct memory {
    double idle_server; // with one tool, without the pipe in memory and the scripted server at its other end
    double tool;        // further tool of a server
    double call;        // outstanding call with its request, which the transport has not sent
    double after_calls; // growth of both ends of a connection by `calls_at_once`, when these calls are over
};

// Calls of growth_after_calls(). A session keeps its request objects for later calls.
constexpr int calls_at_once = 64;

// Maximum memory, and maximum number of entries of one step of a publication.
constexpr memory max_memory{12 * 1024, 1'024, 2'048, calls_at_once * 2'048};
constexpr std::size_t max_entries_per_step = 2048;

// Returns the memory of a pipe and of the scripted server at its other end, which has processed the requests that a
// connector sends when it opens a server.
double other_end_bytes(int count)
{
    boost::asio::io_context context{1};
    linkspan::test::scripted_server server;
    server.tool("kind0_tool0", R"({"type":"object"})", [](std::string_view) { return R"("content":[])"; });
    linkspan::inproc_config const config = server;
    constexpr std::string_view envelope = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                          R"("io.modelcontextprotocol/clientCapabilities":{}})";
    std::string requests;
    for (std::string const method : {"server/discover", "tools/list", "subscriptions/listen"})
        requests += R"({"jsonrpc":"2.0","id":")" + method + R"(","method":")" + method +
                    R"(","params":{"notifications":{"toolsListChanged":true},)" + std::string(envelope) + "}}\n";
    std::vector<linkspan::memory_end> ends;
    ends.reserve(static_cast<std::size_t>(count));
    std::vector<char> responses(64 << 10);
    auto const before = heap_bytes();
    for (int i = 0; i != count; ++i) {
        auto [client, peer] = linkspan::make_memory_pipe();
        linkspan::error_code ec = config.connect(context.get_executor(), peer);
        client.out->write_some(boost::asio::buffer(requests), ec);
        context.poll();
        std::size_t size = 0;
        client.in->read_some(boost::asio::buffer(responses),
                             {[&](linkspan::error_code, std::size_t read) { size = read; }, context.get_executor()},
                             context.get_executor());
        context.poll();
        if (ec || size == 0)
            std::abort(); // the server has not responded
        ends.push_back(std::move(client));
    }
    auto const bytes = (heap_bytes() - before) / count;
    for (auto const& end : ends)
        end.close();
    context.restart();
    context.poll();
    return bytes;
}

struct server_set {
    boost::asio::io_context context{1};
    hub_type hub{context.get_executor()};
    std::vector<std::unique_ptr<linkspan::test::scripted_server>> servers;
    int changes = 0;       // of the description of a tool
    double bytes = 0;      // of the connector with its open servers
    double opening_us = 0; // processor time of the longest handler while the servers were opened

    server_set(std::size_t count, std::size_t tools, std::size_t replicas)
    {
        for (std::size_t i = 0; i != count; ++i) {
            auto& server = servers.emplace_back(std::make_unique<linkspan::test::scripted_server>());
            auto const kind = "kind" + std::to_string(i / replicas);
            for (std::size_t t = 0; t != tools; ++t)
                server->tool(kind + "_tool" + std::to_string(t), R"({"type":"object"})",
                             [](std::string_view) { return R"("content":[])"; });
        }
        auto const before = heap_bytes();
        linkspan::server_options options;
        if (count == 1)
            options.session.max_in_flight = 1'000; // for call_bytes()
        for (std::size_t i = 0; i != count; ++i)
            hub.add<inproc>("server" + std::to_string(i), *servers[i], options);
        bool open = false;
        hub.async_open([&](linkspan::error_code, linkspan::open_report const&) { open = true; });
        while (!open)
            poll_one(opening_us);
        context.poll(); // destroys the catalogs that were published during the opening
        bytes = heap_bytes() - before;
    }

    ~server_set()
    {
        hub.close();
        context.restart();
        context.poll();
    }

    // Executes one handler, and raises `longest` to its processor time in microseconds. Returns false if there is none.
    bool poll_one(double& longest)
    {
        auto const start = processor_microseconds();
        auto const count = context.poll_one();
        longest = std::max(longest, processor_microseconds() - start);
        return count != 0;
    }

    // Returns the processor time of the longest handler during the publication of a change and the destruction of the
    // previous catalog, in microseconds. `whole`: set to the time until the publication.
    double publish_change(double& whole)
    {
        auto const* const before = hub.catalog().get();
        // An unchanged list publishes no catalog.
        servers[0]->describe("kind0_tool0", "changed " + std::to_string(++changes));
        auto const changed = clock_type::now();
        servers[0]->broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
        double longest = 0;
        while (hub.catalog().get() == before)
            poll_one(longest);
        whole = microseconds_since(changed);
        while (poll_one(longest))
            continue;
        return longest;
    }

    // Returns the memory of an outstanding call.
    double call_bytes(std::string const& tool)
    {
        constexpr int calls = 1'000;
        int done = 0;
        auto const before = heap_bytes();
        for (int i = 0; i != calls; ++i)
            hub.async_call(tool, {}, [&](linkspan::error_code, linkspan::call_result const&) { ++done; });
        auto const after = heap_bytes();
        while (done != calls)
            context.run_one();
        return (after - before) / calls;
    }

    void call_once(std::string const& tool)
    {
        bool done = false;
        hub.async_call(tool, {}, [&](linkspan::error_code, linkspan::call_result const&) { done = true; });
        while (!done)
            context.run_one();
    }

    // Returns by how much the memory of a server grows if each server receives many calls at once, and a few ones after
    // them. Precondition: each server has a tool of its own.
    double growth_after_calls()
    {
        constexpr int afterwards = 10;
        auto const before = heap_bytes();
        for (std::size_t i = 0; i != servers.size(); ++i) {
            auto const tool = "kind" + std::to_string(i) + "_tool0";
            int done = 0;
            for (int each = 0; each != calls_at_once; ++each)
                hub.async_call(tool, {}, [&](linkspan::error_code, linkspan::call_result const&) { ++done; });
            while (done != calls_at_once)
                context.run_one();
            for (int each = 0; each != afterwards; ++each)
                call_once(tool);
        }
        return (heap_bytes() - before) / static_cast<double>(servers.size());
    }

    // Returns the minimum of several runs, in microseconds per call. The calls use the tools in turn.
    double call(std::vector<std::string> const& tools)
    {
        double best = 1e9;
        for (int run = 0; run != 5; ++run) {
            constexpr std::size_t calls = 2'000;
            auto const start = clock_type::now();
            for (std::size_t i = 0; i != calls; ++i)
                call_once(tools[i % tools.size()]);
            best = std::min(best, microseconds_since(start) / calls);
        }
        return best;
    }
};

// Returns one tool of each of many servers, in an order without a pattern for the processor.
std::vector<std::string> one_tool_of_each(std::size_t servers)
{
    std::vector<std::string> out;
    for (std::size_t i = 0; i != servers; ++i)
        out.push_back("kind" + std::to_string(i) + "_tool0");
    std::ranges::shuffle(out, std::minstd_rand(1));
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    auto const number = [&](int at, std::size_t otherwise) {
        return argc > at ? static_cast<std::size_t>(std::strtoul(argv[at], nullptr, 10)) : otherwise;
    };
    auto const servers = number(1, 1'000), tools = number(2, 100), replicas = number(3, 1);

    double alone = 0;
    memory used{};
    {
        server_set one(1, 1, 1);
        used.call = one.call_bytes("kind0_tool0");
        alone = one.call({"kind0_tool0"});
    }
    double by_name = 0, equal = 0;
    {
        server_set distinct(servers, 1, 1);
        by_name = distinct.call(one_tool_of_each(servers));
    }
    {
        server_set replicated(servers, 1, servers);
        equal = replicated.call({"kind0_tool0"});
    }
    {
        constexpr std::size_t count = 200, more = 51;
        server_set few(count, 1, 1), many(count, more, 1);
        used.idle_server = few.bytes / count - other_end_bytes(count);
        used.tool = (many.bytes - few.bytes) / (count * (more - 1));
        used.after_calls = few.growth_after_calls();
    }
    server_set all(servers, tools, replicas);
    auto before = all.hub.catalog();
    std::vector<linkspan::catalog_entry> const entries(before->tools().begin(), before->tools().end());
    double swap = 1e9;
    for (int run = 0; run != 5; ++run) {
        auto copy = entries;
        auto const start = clock_type::now();
        linkspan::catalog const made(std::move(copy));
        swap = std::min(swap, microseconds_since(start));
    }
    before.reset();
    double whole = 0, ignored = 0;
    std::vector<double> longest{all.publish_change(whole)};
    for (int run = 0; run != 4; ++run) // later changes are listed after a pause
        longest.push_back(all.publish_change(ignored));
    std::ranges::sort(longest);
    constexpr auto step = linkspan::detail::catalog_publisher::max_entries_per_step;
    std::cout << entries.size() << " tools of " << servers << " servers, " << replicas << " replicas of each tool\n"
              << "construction of a catalog         " << swap / 1000 << " ms\n"
              << "from a change to the new catalog  " << whole / 1000 << " ms, including the list request\n"
              << "longest handler of a publication  at most " << longest.back() / 1000 << " ms\n"
              << "longest handler of the opening    " << all.opening_us / 1000 << " ms\n"
              << "a call, one server                " << alone << " us\n"
              << "a call, " << servers << " servers by name      " << by_name - alone << " us more\n"
              << "a call, one tool of all servers   " << equal - alone << " us more\n";
    bool is_within = true;
    auto const check = [&](std::string_view what, double value, double bound, std::string_view unit) {
        bool const is_above = value > bound;
        std::cout << what << value << ' ' << unit << ", bound " << bound << ' ' << unit
                  << (is_above ? ": above the bound\n" : "\n");
        is_within = is_within && !is_above;
    };
    auto const max_milliseconds = number(4, 0); // 0: no bound
    check("median of the longest handlers    ", longest[longest.size() / 2] / 1000,
          max_milliseconds == 0 ? HUGE_VAL : static_cast<double>(max_milliseconds), "ms");
    check("memory of an idle server          ", used.idle_server, max_memory.idle_server, "B");
    check("memory of a tool                  ", used.tool, max_memory.tool, "B");
    check("memory of an outstanding call     ", used.call, max_memory.call, "B");
    check("growth of a connection by calls   ", used.after_calls, max_memory.after_calls, "B");
    check("entries of a step                 ", step, max_entries_per_step, "entries");
    return is_within ? 0 : 1;
}
