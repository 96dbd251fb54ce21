// npm servers over HTTP, started as their documentation describes.

#include <linkspan/connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/http_mock.hpp"
#include "support/npm.hpp"
#include "support/recorded_transport.hpp"

namespace http_servers_test {

using namespace harness;
using namespace std::chrono_literals;
using boost::json::object;
using auto_http = linkspan::test::recorded_client<linkspan::auto_http>;
using stdio = linkspan::test::recorded_client<linkspan::stdio>;
using linkspan::protocol_version;
using tcp = asio::ip::tcp;

namespace {

using web_hub = linkspan::connector<linkspan::transports<stdio, auto_http>>;

struct installed_servers {
    installed_servers()
    {
        npm::require({"mcp-server-everything", "mcp-server-memory", "mcp-server-sequential-thinking", "mcp-proxy",
                      "supergateway"});
    }
};

// Returns a port that was free a moment ago, because these programs do not print the port that they chose.
std::uint16_t free_port()
{
    asio::io_context context;
    tcp::acceptor const acceptor(context, {asio::ip::address_v4::loopback(), 0});
    return acceptor.local_endpoint().port();
}

// A program that serves over HTTP, and is ended by a signal when its stdin is closed.
class web_program {
public:
    web_program(asio::any_io_executor const& executor, std::uint16_t port, linkspan::stdio_config const& config)
        : port_(port), process_(executor, config)
    {}

    std::string url(std::string const& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }

    // Waits until the program accepts connections.
    asio::awaitable<void> listens()
    {
        auto const executor = co_await asio::this_coro::executor;
        linkspan::timer pause(executor);
        for (int i = 0; i != 1000; ++i) {
            tcp::socket socket(executor);
            tcp::endpoint const at(asio::ip::address_v4::loopback(), port_);
            auto const [ec] = co_await socket.async_connect(at, in_tuple);
            if (!ec)
                co_return;
            pause.expires_after(20ms);
            co_await pause.async_wait(in_tuple);
        }
        BOOST_FAIL("the program does not listen: " << process_.child().diagnostics());
    }

    asio::awaitable<void> ends() { return process_.ends(); }

private:
    std::uint16_t port_;
    http_mock process_;
};

linkspan::stdio_config ended_by_signal(linkspan::stdio_config config)
{
    config.close_grace = 0ms;
    auto const node = npm::node();
    auto const* const path = std::getenv("PATH");
    config.env["PATH"] = node.substr(0, node.rfind('/')) + ":" + (path ? path : "");
    return config;
}

linkspan::stdio_config everything(std::string const& transport, std::uint16_t port)
{
    auto config = ended_by_signal(npm::run("mcp-server-everything", {transport}));
    config.env["PORT"] = std::to_string(port);
    return config;
}

linkspan::stdio_config proxied_thinking(std::uint16_t port, std::vector<std::string> more = {})
{
    std::vector<std::string> args{"--host", "127.0.0.1", "--port", std::to_string(port)};
    args.insert(args.end(), more.begin(), more.end());
    args.insert(args.end(), {"--shell", npm::script("mcp-server-sequential-thinking")});
    return ended_by_signal(npm::run("mcp-proxy", std::move(args)));
}

linkspan::stdio_config gateway_to_memory(std::uint16_t port, std::vector<std::string> more, std::string const& files)
{
    std::vector<std::string> args{"--stdio", npm::script("mcp-server-memory"), "--port", std::to_string(port)};
    args.insert(args.end(), more.begin(), more.end());
    auto config = ended_by_signal(npm::run("supergateway", std::move(args)));
    config.env["MEMORY_FILE_PATH"] = files + "/memory.jsonl";
    return config;
}

object const message{{"message", "over HTTP"}};
object const thought{{"thought", "one"}, {"thoughtNumber", 1}, {"totalThoughts", 1}, {"nextThoughtNeeded", false}};
object const nothing;

struct expected {
    protocol_version version;
    std::size_t tools;
    std::string tool;
    object args;
    std::string part; // of the response
};

expected const of_everything{protocol_version::v2025_11_25, 13, "echo", message, "Echo: over HTTP"};
expected const of_memory{protocol_version::v2025_11_25, 9, "read_graph", nothing, "entities"};
expected const of_stateless_thinking{protocol_version::v2026_07_28, 1, "sequentialthinking", thought, "thoughtNumber"};
expected const of_thinking{protocol_version::v2025_11_25, 1, "sequentialthinking", thought, "thoughtNumber"};

asio::awaitable<void> check_calls(web_hub& hub, std::string server, expected what)
{
    auto const [ec, result] = co_await hub.on_server(server).async_call(what.tool, what.args, in_tuple);
    BOOST_TEST(!ec, server << ": " << linkspan::explain(ec, result));
    BOOST_TEST(!result.is_error(), result.text());
    BOOST_TEST(contains(result.text(), what.part), result.text());
    BOOST_TEST(result.server() == server);
}

asio::awaitable<void> open_call_and_shut_down(std::string url, expected what)
{
    web_hub hub(co_await asio::this_coro::executor);
    hub.add<auto_http>("it", {.url = url});
    co_await opens(hub);
    auto const state = hub.state().servers.at(0);
    BOOST_TEST((state.protocol_version == what.version),
               (state.protocol_version ? to_string(*state.protocol_version) : "none"));
    BOOST_TEST(state.tools == what.tools);
    co_await check_calls(hub, "it", what);
    co_await check_calls(hub, "it", what);
    co_await shuts_down(hub);
}

} // namespace

} // namespace http_servers_test

BOOST_FIXTURE_TEST_SUITE(http_servers_test, http_servers_test::installed_servers)

HARNESS_CASE(everything_server_is_reached_by_streamable_http_with_a_session)
{
    auto const port = free_port();
    web_program server(executor, port, everything("streamableHttp", port));
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/mcp"), of_everything);
    co_await server.ends();
}

HARNESS_CASE(everything_server_is_reached_by_http_with_sse)
{
    auto const port = free_port();
    web_program server(executor, port, everything("sse", port));
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/sse"), of_everything);
    co_await server.ends();
}

HARNESS_CASE(proxy_is_reached_by_stateless_version_and_by_http_with_sse)
{
    auto const port = free_port();
    web_program server(executor, port, proxied_thinking(port));
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/mcp"), of_stateless_thinking);
    co_await open_call_and_shut_down(server.url("/sse"), of_thinking);
    co_await server.ends();
}

HARNESS_CASE(proxy_without_stateless_versions_is_reached_by_handshake)
{
    auto const port = free_port();
    web_program server(executor, port, proxied_thinking(port, {"--no-modern"}));
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/mcp"), of_thinking);
    co_await server.ends();
}

HARNESS_CASE(gateway_to_child_process_is_reached_with_a_session)
{
    observe::folder const files;
    auto const port = free_port();
    auto const config = gateway_to_memory(port, {"--outputTransport", "streamableHttp", "--stateful"}, files.path());
    web_program server(executor, port, config);
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/mcp"), of_memory);
    co_await server.ends();
}

HARNESS_CASE(gateway_to_child_process_is_reached_by_http_with_sse)
{
    observe::folder const files;
    auto const port = free_port();
    web_program server(executor, port, gateway_to_memory(port, {"--outputTransport", "sse"}, files.path()));
    co_await server.listens();
    co_await open_call_and_shut_down(server.url("/sse"), of_memory);
    co_await server.ends();
}

HARNESS_CASE(one_connector_reaches_servers_of_all_http_kinds)
{
    observe::folder const files;
    auto const first = free_port(), second = free_port(), third = free_port();
    web_program session(executor, first, everything("streamableHttp", first));
    web_program stateless(executor, second, proxied_thinking(second));
    web_program stream(executor, third, gateway_to_memory(third, {"--outputTransport", "sse"}, files.path()));
    auto child = npm::run("mcp-server-memory", {});
    child.env["MEMORY_FILE_PATH"] = files.path() + "/of_child.jsonl";
    co_await session.listens();
    co_await stateless.listens();
    co_await stream.listens();
    web_hub hub(executor);
    hub.add<auto_http>("session", {.url = session.url("/mcp")})
        .add<auto_http>("stateless", {.url = stateless.url("/mcp")})
        .add<auto_http>("stream", {.url = stream.url("/sse")})
        .add<stdio>("child", std::move(child));
    co_await opens(hub);
    BOOST_TEST(hub.catalog()->tools().size() == 13u + 1u + 9u + 9u);
    co_await check_calls(hub, "session", of_everything);
    co_await check_calls(hub, "stateless", of_stateless_thinking);
    co_await check_calls(hub, "stream", of_memory);
    co_await check_calls(hub, "child", of_memory);
    co_await shuts_down(hub);
    co_await session.ends();
    co_await stateless.ends();
    co_await stream.ends();
}

BOOST_AUTO_TEST_SUITE_END()
