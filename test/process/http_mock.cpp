// The mock calculator as a program over HTTP.

#include "support/http_mock.hpp"

#include <linkspan/core/time.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(http_mock_test)

using namespace harness;
using tcp = asio::ip::tcp;

namespace {

// Sends the request on a new connection and returns the bytes up to `until`.
asio::awaitable<std::string> reply_to(std::string url, std::string request, std::string until)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    tcp::endpoint const at(asio::ip::address_v4::loopback(), port_of(url));
    co_await socket.async_connect(at, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string came;
    co_await asio::async_read_until(socket, asio::dynamic_buffer(came), until, in_tuple);
    co_return came;
}

std::string post(std::string const& body)
{
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
           "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string const add =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

} // namespace

HARNESS_CASE(calculator_serves_http_until_its_stdin_is_closed)
{
    http_mock calculator(executor, "mock-calculator", {"--http"});
    auto const url = co_await calculator.url();
    BOOST_TEST(url.starts_with("http://127.0.0.1:"), url);
    BOOST_TEST(url.ends_with("/mcp"), url);
    auto const sum = co_await reply_to(url, post(add), "\"result\":5");
    BOOST_TEST(contains(sum, R"("structuredContent":{"result":5})"), sum);
    co_await calculator.ends();
    BOOST_TEST(calculator.child().exited_cleanly(), calculator.child().diagnostics());
}

HARNESS_CASE(calculator_accepts_only_host_names_of_loopback)
{
    http_mock calculator(executor, "mock-calculator", {"--http", "2025-11-25"});
    auto const url = co_await calculator.url();
    auto const wrong_host = co_await reply_to(url, "GET /mcp HTTP/1.1\r\nHost: evil.example:80\r\n\r\n", "\r\n\r\n");
    BOOST_TEST(contains(wrong_host, "403 Forbidden"), wrong_host);
    auto const page = co_await reply_to(
        url, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n", "\r\n\r\n");
    BOOST_TEST(contains(page, "403 Forbidden"), page);
    auto const handshake = co_await reply_to(url, post(add), "}}");
    BOOST_TEST(contains(handshake, "400 Bad Request"), handshake);
    co_await calculator.ends();
}

HARNESS_CASE(calculator_serves_sse)
{
    http_mock calculator(executor, "mock-calculator", {"--sse", "2024-11-05"});
    auto const url = co_await calculator.url();
    BOOST_TEST(url.ends_with("/sse"), url);
    auto const stream = co_await reply_to(url, "GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n", "\n\n");
    BOOST_TEST(contains(stream, "event: endpoint\ndata: /message?sessionId="), stream);
    for (auto const* const from : {"Host: evil.example", "Host: localhost\r\nOrigin: http://evil.example"}) {
        auto const refused =
            co_await reply_to(url, "GET /sse HTTP/1.1\r\n" + std::string(from) + "\r\n\r\n", "\r\n\r\n");
        BOOST_TEST(contains(refused, "403 Forbidden"), refused);
    }
    co_await calculator.ends();
}

BOOST_AUTO_TEST_SUITE_END()
