// Costs of many clients of a server with 1,000 tools over HTTP: the time of a list of the tools, the memory of an idle
// session, the time until all listeners of a change are notified, and the memory that requests, sessions and streams
// leave behind. The connections are in memory.
//
// Fails if an idle session needs more memory than its bound, if a listener misses the change, if requests, sessions or
// streams that are over occupy memory, or if the listeners are notified later than a number of milliseconds. The median
// of all rounds of streams decides, because other programs delay some of them.
//
//   bench-sessions [REQUESTS] [SESSIONS] [STREAMS] [MILLISECONDS]

#include <linkspan/json/json_scan.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr std::size_t max_session_bytes = 4 * 1024;

// Memory that may remain, for example in pools, independently of the number of requests, sessions and streams. In the
// run of CTest, it is 1.6 B per request, 41 B per session and 14 B per stream.
constexpr std::ptrdiff_t max_rest_bytes = 8 * 1024;

// Returns the allocated bytes of the heap, with the overhead of the allocator.
std::ptrdiff_t heap_bytes()
{
    auto const now = mallinfo2();
    return static_cast<std::ptrdiff_t>(now.uordblks + now.hblkhd);
}

linkspan::http_endpoint_options options_of_endpoint(std::size_t sessions, std::size_t connections)
{
    linkspan::http_endpoint_options out;
    out.session_limits.max_sessions = sessions;
    out.max_connections = connections;
    return out;
}

// Returns the number of streams that are open at the same time.
std::size_t round_of_streams(std::size_t streams) { return std::clamp<std::size_t>(streams / 2, 1, 1'000); }

// A server over HTTP, with a tool and a number of further ones.
struct service {
    boost::asio::io_context context{1};
    linkspan::server server;
    linkspan::http_endpoint endpoint;

    service(std::size_t sessions, std::size_t streams, linkspan::serving_options options)
        : server(context.get_executor(), {.name = "bench", .version = "1"}, std::move(options)),
          endpoint(server, options_of_endpoint(sessions, streams + 1))
    {
        add("echo");
        for (int i = 1; i != 1'000; ++i)
            add("tool" + std::to_string(i));
    }

    void add(std::string name)
    {
        linkspan::tool definition;
        definition.name = std::move(name);
        definition.input_schema = R"({"type":"object"})";
        server.add(definition,
                   [](linkspan::server_request request) { request.complete(linkspan::raw_json(R"({"content":[]})")); });
    }
};

// The client's end of a connection, which blocks until a response is complete.
class connection {
public:
    explicit connection(service& to) : to_(to)
    {
        auto [client, peer] = linkspan::make_memory_pipe();
        end_ = std::move(client);
        auto const executor = to_.context.get_executor();
        to_.endpoint.serve(std::make_unique<linkspan::memory_byte_stream>(executor, std::move(peer)));
    }

    ~connection()
    {
        end_.close();
        to_.context.restart();
        to_.context.poll();
    }

    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;

    // Sends a request, and returns the bytes of the response up to the read that contains `until`.
    std::string ask(std::string_view method, std::string_view headers, std::string const& body, std::string_view until)
    {
        std::string head(method);
        head += " /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Accept: application/json, text/event-stream\r\n";
        head += headers;
        head += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        linkspan::error_code ec;
        if (end_.out->write_some(boost::asio::buffer(head), ec) != head.size() || ec)
            fail("the request was not written");
        return read(until);
    }

    std::string read(std::string_view until)
    {
        std::string out;
        while (out.find(until) == out.npos) {
            std::size_t size = 0;
            bool is_over = false;
            auto on_read = [&](linkspan::error_code ec, std::size_t count) {
                size = count;
                is_over = true;
                if (ec)
                    fail("the connection ended: " + out);
            };
            end_.in->read_some(boost::asio::buffer(buffer_), {on_read, to_.context.get_executor()},
                               to_.context.get_executor());
            to_.context.restart();
            while (!is_over)
                if (to_.context.run_one() == 0)
                    fail("no response: " + out);
            out.append(buffer_.data(), size);
        }
        return out;
    }

    [[noreturn]] static void fail(std::string const& why)
    {
        std::cerr << "bench-sessions: " << why << '\n';
        std::exit(1);
    }

private:
    service& to_;
    linkspan::memory_end end_;
    std::vector<char> buffer_ = std::vector<char>(4096);
};

constexpr std::string_view meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                  R"("io.modelcontextprotocol/clientCapabilities":{}})";

std::string stateless(std::string_view method, std::string_view name = {})
{
    auto out = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
    return name.empty() ? out : out + "Mcp-Name: " + std::string(name) + "\r\n";
}

std::string request(std::string_view method, std::string_view params, std::size_t id = 1)
{
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
           R"(","params":{)" + std::string(params) + std::string(meta) + "}}";
}

// Begins a session of 2025-11-25, and returns the headers of its requests.
std::string begin_session(connection& on)
{
    auto const response =
        on.ask("POST", {},
               R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
               R"("capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})",
               "}}");
    constexpr std::string_view name = "Mcp-Session-Id: ";
    auto const at = response.find(name);
    if (at == response.npos)
        connection::fail("no session: " + response);
    auto const id = response.substr(at, response.find("\r\n", at) + 2 - at);
    auto out = "MCP-Protocol-Version: 2025-11-25\r\n" + id;
    on.ask("POST", out, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "202");
    return out;
}

// Returns the time of a list of all tools, in milliseconds: the least of several runs. `after_change`: each list is the
// first one after a change.
double list_time(service& own, bool after_change)
{
    connection client(own);
    auto const list = request("tools/list", "");
    double best = 1e9;
    own.add("last");
    for (int run = 0; run != 20; ++run) {
        if (after_change) {
            own.server.remove_tool("last");
            own.add("last");
        }
        auto const start = clock_type::now();
        client.ask("POST", stateless("tools/list"), list, R"("name":"last")");
        best = std::min(best, std::chrono::duration<double, std::milli>(clock_type::now() - start).count());
    }
    own.server.remove_tool("last");
    return best;
}

// Calls the tool a number of times, with an id of its own each time. Returns the memory that the requests occupy in the
// end.
std::ptrdiff_t growth_by_requests(service& own, std::size_t count)
{
    connection client(own);
    std::size_t id = 0;
    auto const run = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i)
            client.ask("POST", stateless("tools/call", "echo"),
                       request("tools/call", R"("name":"echo","arguments":{},)", ++id), R"("content":[])");
        return heap_bytes();
    };
    auto const before = run(count / 10);
    return run(count - count / 10) - before;
}

// Begins sessions, and ends them. `idle`: set to the memory of an idle session. Returns the memory that remains.
std::ptrdiff_t growth_by_sessions(service& own, std::size_t count, double& idle)
{
    std::ptrdiff_t after_first = 0; // with the pools that the first round has filled
    for (int round = 0; round != 2; ++round) {
        connection client(own);
        std::vector<std::string> headers;
        headers.reserve(count);
        auto const begun = heap_bytes();
        for (std::size_t i = 0; i != count; ++i)
            headers.push_back(begin_session(client));
        std::ptrdiff_t texts = 0; // of this program
        for (auto const& each : headers)
            texts += static_cast<std::ptrdiff_t>(malloc_usable_size(const_cast<char*>(each.data())) + sizeof(void*));
        idle = static_cast<double>(heap_bytes() - begun - texts) / static_cast<double>(count);
        for (auto const& each : headers)
            client.ask("DELETE", each, {}, "200");
        if (round == 0)
            after_first = heap_bytes();
    }
    return heap_bytes() - after_first;
}

// Opens streams of `subscriptions/listen` in at least two rounds, notifies them of a change, and drops them.
// `deliveries`: set to the time of each round from the change until the last stream has it, in milliseconds. Returns
// the memory that remains.
std::ptrdiff_t growth_by_streams(service& own, std::size_t count, std::vector<double>& deliveries)
{
    auto const max_round = round_of_streams(count);
    auto const listen = request("subscriptions/listen", R"("notifications":{"toolsListChanged":true},)");
    std::ptrdiff_t after_first = 0;
    deliveries.reserve(count / max_round + 1); // before the memory is measured
    for (std::size_t opened = 0; opened < count;) {
        std::vector<std::unique_ptr<connection>> listeners;
        for (std::size_t i = 0; i != std::min(max_round, count - opened); ++i) {
            auto& added = listeners.emplace_back(std::make_unique<connection>(own));
            added->ask("POST", stateless("subscriptions/listen"), listen, "acknowledged");
        }
        opened += listeners.size();
        auto const start = clock_type::now();
        own.add("added" + std::to_string(opened));
        for (auto const& each : listeners)
            each->read("notifications/tools/list_changed");
        deliveries.push_back(std::chrono::duration<double, std::milli>(clock_type::now() - start).count());
        own.server.remove_tool("added" + std::to_string(opened));
        listeners.clear();
        if (opened <= max_round)
            after_first = heap_bytes();
    }
    return heap_bytes() - after_first;
}

} // namespace

int main(int argc, char** argv)
{
    auto const number = [&](int at, std::size_t otherwise) {
        return argc > at ? static_cast<std::size_t>(std::strtoul(argv[at], nullptr, 10)) : otherwise;
    };
    auto const requests = number(1, 1'000'000), sessions = number(2, 1'000), streams = number(3, 10'000);
    service own(sessions, round_of_streams(streams), {});
    auto const max_delivery = number(4, 0); // 0: no bound
    double idle = 0;
    std::vector<double> deliveries;
    auto const first_list = list_time(own, true), later_list = list_time(own, false);
    auto const by_requests = growth_by_requests(own, requests);
    auto const by_sessions = growth_by_sessions(own, sessions, idle);
    auto const by_streams = growth_by_streams(own, streams, deliveries);
    std::ranges::sort(deliveries);
    double const delivery = deliveries.empty() ? 0 : deliveries[deliveries.size() / 2];
    std::cout << "first list of 1,000 tools after a change  " << first_list << " ms\n"
              << "later list of 1,000 tools           " << later_list << " ms\n"
              << "memory of an idle session           " << idle << " B, bound " << max_session_bytes << '\n'
              << "a change until all of " << round_of_streams(streams) << " streams have it  " << delivery
              << " ms, bound " << (max_delivery == 0 ? "none" : std::to_string(max_delivery)) << "; at most "
              << (deliveries.empty() ? 0 : deliveries.back()) << " ms\n"
              << "memory after " << requests << " requests  " << by_requests << " B, bound " << max_rest_bytes << '\n'
              << "memory after " << sessions << " sessions  " << by_sessions << " B, bound " << max_rest_bytes << '\n'
              << "memory after " << streams << " streams  " << by_streams << " B, bound " << max_rest_bytes << '\n';
    bool const is_within = idle <= max_session_bytes && by_requests <= max_rest_bytes &&
                           by_sessions <= max_rest_bytes && by_streams <= max_rest_bytes &&
                           (max_delivery == 0 || delivery <= static_cast<double>(max_delivery));
    return is_within ? 0 : 1;
}
