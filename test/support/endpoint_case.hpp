#ifndef LINKSPAN_TEST_SUPPORT_ENDPOINT_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_ENDPOINT_CASE_HPP

#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/server/http_endpoint.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http_case.hpp"
#include "raw_http.hpp"
#include "recorded_endpoint.hpp"
#include "server_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// Sends an HTTP request over a connection of its own, and returns the response up to the read that contains `until`.
// `address`: of the client, for limits; empty: not known.
inline asio::awaitable<std::string> exchange_with(asio::any_io_executor executor, recorded_endpoint& endpoint,
                                                  std::string head, std::string body, std::string until,
                                                  std::string address = {})
{
    raw_http::client raw(executor);
    endpoint.serve(raw.other(), std::move(address));
    co_await raw.write(head + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    auto const received = co_await raw.read_until(until);
    raw.close();
    co_await settle(executor);
    co_return received;
}

// A server over HTTP in memory, and a session with it.
struct endpoint_world : server_world {
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    http_endpoint_options serving;
    std::optional<recorded_endpoint> endpoint;
    http_config config;

    endpoint_world()
    {
        config.url = "http://localhost/mcp";
        config.dialer = net;
        net->accept = [this](std::unique_ptr<byte_stream> stream) { endpoint->serve(std::move(stream)); };
    }

    server& make_endpoint(std::optional<protocol_version> only = {})
    {
        endpoint.reset();
        auto& own = make(only);
        endpoint.emplace(own, serving);
        return own;
    }

    template<class Transport = streamable_http>
    session& dial()
    {
        return client.emplace(executor, via<recorded_client<Transport>>(config));
    }

    asio::awaitable<std::string> exchange(std::string head, std::string body, std::string until = "\r\n\r\n")
    {
        return exchange_with(executor, *endpoint, std::move(head), std::move(body), std::move(until));
    }

    // Sends a request from an address.
    asio::awaitable<std::string> exchange_from(std::string address, std::string head, std::string body)
    {
        return exchange_with(executor, *endpoint, std::move(head), std::move(body), "\r\n\r\n", std::move(address));
    }

    void clean_up()
    {
        client.reset();
        endpoint.reset();
        served.reset();
    }
};

// Returns the head of a POST without its length. `more` has further header lines, each with a line end before it.
inline std::string post(std::string_view more = {})
{
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream" +
           std::string(more);
}

inline constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"1"}}})";

// Returns the value of a header of an HTTP response; empty: there is no such header.
inline std::string header(std::string const& response, std::string_view name)
{
    auto const at = response.find(name);
    if (at == response.npos)
        return {};
    auto const begin = at + name.size() + 2;
    return response.substr(begin, response.find("\r\n", begin) - begin);
}

// Returns the head of a GET of the stream of a session, as complete bytes. `session`: the result of begin_session().
inline std::string get_stream(std::string_view session)
{
    return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + std::string(session) + "\r\n\r\n";
}

// Returns the head of a POST of a stateless message. `more`: as for post().
inline std::string stateless_head(std::string const& method, std::string const& more = {})
{
    return post("\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + more);
}

// Returns a stateless request. `params`: members before `_meta`, each with a comma after it.
inline std::string stateless_body(std::string const& method, std::string const& params, std::string const& client = "c",
                                  std::string const& capabilities = "{}")
{
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientInfo":{"name":")" +
           client + R"(","version":"1"},"io.modelcontextprotocol/clientCapabilities":)" + capabilities + "}}}";
}

// Begins a session of 2025-11-25, and returns the headers of its requests.
inline asio::awaitable<std::string> begin_session(endpoint_world& world)
{
    auto const begun = co_await world.exchange(post(), std::string(initialize));
    co_return "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
}

} // namespace linkspan::test

#endif
