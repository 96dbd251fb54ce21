// linkspan-icount LAYER WINDOW CALLS BYTES [PORT]: makes CALLS calls to an echo server, WINDOW at a time, each with a
// text of BYTES bytes. Under `valgrind --tool=callgrind --collect-atstart=no`, only the instructions of these calls are
// counted, and not those of the 500 calls that precede them. Prints the allocations per call. `icount.sh` compares both
// figures with their baselines.
//
// LAYER: session, connector, typed (a typed call of a connector), sigpipe_ignored (a connector with
// `stdio_config::sigpipe_is_ignored`, in a program that ignores SIGPIPE), http (a connector, to a server at PORT of
// 127.0.0.1), or replicas_1 and replicas_1000 (a connector with one server and with 1,000 servers in this process,
// which offer the tool; their instructions are counted too). The other layers start `bench-echo` beside this program,
// with the scheduling policy SCHED_IDLE: on one processor, the server runs only while the client waits, so that the
// sizes of the parts in which its messages arrive, and with them the counts, do not depend on the load of the machine.

#include <linkspan/describe/bindings.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/virtual_time.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "layers.hpp"
#include "measure.hpp"

namespace {

namespace asio = boost::asio;

struct echo_arguments {
    std::string text;
};
LINKSPAN_STRUCT(echo_arguments, (text))

constexpr linkspan::typed_tool<"echo", echo_arguments, std::string> typed_echo;

struct typed_layer : bench::connector_layer<linkspan::stdio> {
    using bench::connector_layer<linkspan::stdio>::connector_layer;

    auto call(echo_arguments const& args) { return hub().async_call(typed_echo, args); }
};

struct sigpipe_ignored_layer : bench::connector_layer<linkspan::stdio> {
    sigpipe_ignored_layer(asio::io_context& context, bench::target const& to)
        : bench::connector_layer<linkspan::stdio>(context, config_of(to))
    {
        std::signal(SIGPIPE, SIG_IGN);
    }

    static linkspan::stdio_config config_of(linkspan::stdio_config config)
    {
        config.sigpipe_is_ignored = true;
        return config;
    }
};

struct http_layer : bench::connector_layer<linkspan::streamable_http> {
    http_layer(asio::io_context& context, bench::target const& to)
        : bench::connector_layer<linkspan::streamable_http>(context, config_of(to))
    {}

    static linkspan::http_config config_of(bench::target const& to)
    {
        return linkspan::http_config::of("http://127.0.0.1:" + std::to_string(to.port) + "/mcp");
    }
};

template<std::size_t Servers>
class replicas_layer {
public:
    replicas_layer(asio::io_context& context, bench::target const&)
        : hub_(with_virtual_time(context))
    {
        for (std::size_t i = 0; i != Servers; ++i) {
            auto& server = servers_.emplace_back();
            server.tool("echo", R"({"type":"object"})", [](std::string_view args) {
                return R"("content":[{"type":"text",)" + std::string(args.substr(1)) + ']'; // {"text":"xx..."}
            });
            hub_.add<linkspan::inproc>("server" + std::to_string(i), server);
        }
    }

    asio::awaitable<void> open() { co_await hub_.async_open(); }
    auto call(boost::json::object const& args) { return hub_.async_call("echo", args); }

private:
    // The virtual time does not advance here: in real time, the idle servers would be probed, more often in a slower
    // run.
    static asio::io_context::executor_type with_virtual_time(asio::io_context& context)
    {
        linkspan::test::virtual_time::install(context);
        return context.get_executor();
    }

    std::deque<linkspan::test::scripted_server> servers_;
    linkspan::connector<linkspan::transports<linkspan::inproc>> hub_;
};

std::size_t length_of(linkspan::call_result const& result) { return result.text().size(); }
std::size_t length_of(linkspan::typed_result<std::string> const& result) { return result->size(); }

struct work {
    std::size_t window = 1, calls = 1, bytes = 100;
};

template<class Layer, class Arguments>
asio::awaitable<void> call_while(Layer& layer, Arguments const& args, std::size_t& left, std::size_t expected)
{
    while (left != 0) {
        --left;
        auto const result = co_await layer.call(args);
        if (length_of(result) != expected)
            throw std::runtime_error("wrong echo");
    }
}

void rethrow(std::exception_ptr failure)
{
    if (failure)
        std::rethrow_exception(failure);
}

// Runs the event loop until the coroutines have ended. A session keeps the loop busy, so that `run` does not return.
template<class Layer, class Arguments>
void make_calls(asio::io_context& context, Layer& layer, Arguments const& args, work const& todo)
{
    std::size_t left = todo.calls, running = todo.window;
    for (std::size_t i = 0; i != todo.window; ++i)
        asio::co_spawn(context, call_while(layer, args, left, todo.bytes), [&](std::exception_ptr failure) {
            --running;
            rethrow(failure);
        });
    while (running != 0)
        context.run_one();
}

template<class Layer, class Arguments>
void measure(bench::target const& to, Arguments const& args, work const& todo)
{
    asio::io_context context{1};
    Layer layer(context, to);
    bool is_open = false;
    asio::co_spawn(context, layer.open(), [&](std::exception_ptr failure) {
        is_open = true;
        rethrow(failure);
    });
    while (!is_open)
        context.run_one();
    auto const warm = todo.bytes > 1000 ? std::size_t{3} : std::size_t{500};
    auto first = todo;
    first.calls = std::max(warm, todo.window);
    make_calls(context, layer, args, first);

    auto const before = bench::allocations();
    CALLGRIND_TOGGLE_COLLECT;
    make_calls(context, layer, args, todo);
    CALLGRIND_TOGGLE_COLLECT;
    std::printf("%.3f\n", static_cast<double>(bench::allocations() - before) / static_cast<double>(todo.calls));
    std::fflush(stdout);
    ::_exit(0); // the end of a session is not measured
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 5) {
        std::fputs(
            "usage: linkspan-icount session|connector|typed|sigpipe_ignored|http|replicas_1|replicas_1000 WINDOW "
            "CALLS BYTES [PORT]\n",
            stderr);
        return 2;
    }
    std::string_view const layer = argv[1];
    auto const number = [&](int i) { return static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)); };
    work const todo{.window = number(2), .calls = number(3), .bytes = number(4)};
    bench::target to;
    to.server = "chrt";
    to.args = {"--idle", "0", std::filesystem::path(argv[0]).replace_filename("bench-echo")};
    to.port = argc > 5 ? static_cast<std::uint16_t>(number(5)) : std::uint16_t{0};
    std::string const text(todo.bytes, 'x');
    boost::json::object args;
    args["text"] = text;
    try {
        if (layer == "session")
            measure<bench::session_layer<linkspan::stdio>>(to, args, todo);
        else if (layer == "typed")
            measure<typed_layer>(to, echo_arguments{text}, todo);
        else if (layer == "sigpipe_ignored")
            measure<sigpipe_ignored_layer>(to, args, todo);
        else if (layer == "http")
            measure<http_layer>(to, args, todo);
        else if (layer == "connector")
            measure<bench::connector_layer<linkspan::stdio>>(to, args, todo);
        else if (layer == "replicas_1")
            measure<replicas_layer<1>>(to, args, todo);
        else if (layer == "replicas_1000")
            measure<replicas_layer<1000>>(to, args, todo);
        std::fputs("linkspan-icount: unknown layer\n", stderr);
    } catch (std::exception const& failure) {
        std::fprintf(stderr, "linkspan-icount: %s\n", failure.what());
    }
    return 3;
}
