// linkspan-icount-server LAYER WINDOW CALLS BYTES: sends CALLS requests of protocol version 2026-07-28 to a `server`,
// WINDOW at a time, each with a text of BYTES bytes. LAYER: `server` (over its standard streams), `described_server`
// (the same, with a tool whose arguments are a struct and whose structured result is validated) or `http_server` (over
// HTTP, each request of a window on its own connection). One thread is both the client and the server, so that the
// counts are the same in each run. Under `valgrind --tool=callgrind --collect-atstart=no`, only the
// instructions of the server for these requests are counted, and not those of the 500 requests that precede them.
// Prints the allocations of the server per request. `icount.sh` compares the figures with their baselines.

#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <valgrind/callgrind.h>
#include <vector>

#include "echo_server.hpp"
#include "measure.hpp"
#include "raw_http_floor.hpp"

namespace {

// Arguments and result of the tool of the layer `described_server`.
struct echoed {
    std::string text;
};
LINKSPAN_STRUCT(echoed, text)

// Adds the tool `echo`, whose arguments are decoded, and whose structured result is validated.
void add_described_echo(linkspan::server& to)
{
    linkspan::tool definition;
    definition.name = "echo";
    definition.output_schema = linkspan::schema_text<echoed>;
    to.add(std::move(definition), [](echoed const& arguments, linkspan::server_request request) {
        request.complete(linkspan::raw_json("{" + linkspan::result_members(arguments) + "}"));
    });
}

void require(bool condition, char const* step)
{
    if (!condition)
        throw std::runtime_error(step);
}

// Client of a server in this process.
class client {
public:
    virtual ~client() = default;

    // Sends requests together, with the members that a stateless client repeats in each request.
    virtual void send(std::size_t count, std::string const& text) = 0;

    // Returns the number of responses that have arrived. `expected`: text that each response contains.
    virtual std::size_t receive(std::string const& expected) = 0;
};

// The other ends of the standard streams of a server.
class stdio_client final : public client {
public:
    explicit stdio_client(linkspan::server& server)
    {
        std::array<int, 2> input{}, output{};
        require(::pipe(input.data()) == 0 && ::pipe(output.data()) == 0, "pipe");
        int const own_output = ::dup(STDOUT_FILENO);
        require(::dup2(input[0], STDIN_FILENO) >= 0 && ::dup2(output[1], STDOUT_FILENO) >= 0, "dup2");
        linkspan::serve_stdio(server); // duplicates both descriptors
        require(::dup2(own_output, STDOUT_FILENO) >= 0, "dup2");
        to_ = input[1];
        from_ = output[0];
        require(::fcntl(from_, F_SETFL, O_NONBLOCK) == 0, "fcntl");
    }

    void send(std::size_t count, std::string const& text) override
    {
        requests_.clear();
        for (std::size_t i = 0; i != count; ++i) {
            auto const id = std::to_string(++last_id_);
            requests_ += R"({"jsonrpc":"2.0","id":)" + id;
            requests_ += R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" + text;
            requests_ += R"("},"_meta":{"progressToken":)" + id;
            requests_ += R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                         R"("io.modelcontextprotocol/clientCapabilities":{},)"
                         R"("io.modelcontextprotocol/clientInfo":{"name":"linkspan","version":"0.1.0"}}}})"
                         "\n";
        }
        require(::write(to_, requests_.data(), requests_.size()) == static_cast<ssize_t>(requests_.size()), "write");
    }

    std::size_t receive(std::string const& expected) override
    {
        static std::array<char, 65536> buffer;
        auto const size = ::read(from_, buffer.data(), buffer.size());
        std::string_view const read(buffer.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
        auto const lines = std::count(read.begin(), read.end(), '\n');
        // Each response has the text; one that is cut by the end of the buffer has it in this read or in the next one.
        std::ptrdiff_t responses = 0;
        for (auto at = read.find(expected); at != read.npos; at = read.find(expected, at + expected.size()))
            ++responses;
        require(responses + 1 >= lines && read.find("\"error\"") == read.npos, "wrong response");
        return static_cast<std::size_t>(lines);
    }

private:
    int to_ = -1, from_ = -1;
    std::size_t last_id_ = 0;
    std::string requests_; // kept for its memory
};

// Connections to a server over HTTP.
class http_client final : public client {
public:
    explicit http_client(linkspan::server& server) : endpoint_(server)
    {
        auto const url = endpoint_.listen();
        port_ = static_cast<std::uint16_t>(std::strtoul(url.c_str() + url.rfind(':') + 1, nullptr, 10));
    }

    void send(std::size_t count, std::string const& text) override
    {
        while (connections_.size() < count)
            connections_.push_back(std::make_unique<bench::raw_http>(port_));
        for (std::size_t i = 0; i != count; ++i)
            connections_[i]->send(text);
        sent_ = count;
        received_ = 0;
    }

    std::size_t receive(std::string const& expected) override
    {
        auto const before = received_;
        for (; received_ != sent_ && connections_[received_]->has_response(); ++received_)
            require(connections_[received_]->receive() == expected.size(), "wrong response");
        return received_ - before;
    }

private:
    linkspan::http_endpoint endpoint_;
    std::uint16_t port_ = 0;
    std::vector<std::unique_ptr<bench::raw_http>> connections_;
    std::size_t sent_ = 0, received_ = 0; // of the connections in order, in the current window
};

// Makes calls, and returns the allocations of the server. `is_counted`: callgrind counts the instructions of the
// server.
std::size_t make_calls(boost::asio::io_context& context, client& from, std::size_t window, std::size_t calls,
                       std::string const& text, bool is_counted)
{
    std::size_t allocations = 0;
    for (std::size_t left = calls; left != 0;) {
        auto const size = std::min(window, left);
        left -= size;
        from.send(size, text);
        for (std::size_t received = 0; received < size; received += from.receive(text)) {
            auto const before = bench::allocations();
            if (is_counted)
                CALLGRIND_TOGGLE_COLLECT;
            context.run_one();
            if (is_counted)
                CALLGRIND_TOGGLE_COLLECT;
            allocations += bench::allocations() - before;
        }
    }
    return allocations;
}

} // namespace

int main(int argc, char** argv)
try {
    std::string_view const layer = argc < 5 ? "" : argv[1];
    if (layer != "server" && layer != "described_server" && layer != "http_server") {
        std::fputs("usage: linkspan-icount-server server|described_server|http_server WINDOW CALLS BYTES\n", stderr);
        return 2;
    }
    auto const number = [&](int i) { return static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)); };
    std::signal(SIGPIPE, SIG_IGN); // a write needs no other system calls
    boost::asio::io_context context{1};
    linkspan::server echo(context.get_executor(), {.name = "bench-server", .version = "1"});
    if (layer == "described_server")
        add_described_echo(echo);
    else
        bench::add_echo(echo);
    std::unique_ptr<client> from;
    if (layer == "http_server")
        from = std::make_unique<http_client>(echo);
    else
        from = std::make_unique<stdio_client>(echo);
    std::string const text(number(4), 'x');
    make_calls(context, *from, number(2), 500, text, false);
    auto const allocations = make_calls(context, *from, number(2), number(3), text, true);
    std::printf("%.3f\n", static_cast<double>(allocations) / static_cast<double>(number(3)));
    return 0;
} catch (std::exception const& failure) {
    std::fprintf(stderr, "linkspan-icount-server: %s\n", failure.what());
    return 3;
}
