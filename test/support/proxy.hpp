#ifndef LINKSPAN_TEST_SUPPORT_PROXY_HPP
#define LINKSPAN_TEST_SUPPORT_PROXY_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace harness {

inline asio::ip::tcp::acceptor listening(asio::any_io_executor const& executor)
{
    return asio::ip::tcp::acceptor(executor, {asio::ip::address_v4::loopback(), 0});
}

// Passes each connection and the received head to `serve`.
inline asio::awaitable<void> accept_all(asio::ip::tcp::acceptor& acceptor,
                                        std::function<void(asio::ip::tcp::socket, std::string)> serve)
{
    for (;;) {
        auto [ec, socket] = co_await acceptor.async_accept(in_tuple);
        if (ec)
            co_return;
        std::string head;
        co_await asio::async_read_until(socket, asio::dynamic_buffer(head), "\r\n\r\n", in_tuple);
        serve(std::move(socket), std::move(head));
    }
}

inline asio::awaitable<void> relay(std::shared_ptr<asio::ip::tcp::socket> from,
                                   std::shared_ptr<asio::ip::tcp::socket> to)
{
    std::array<char, 4096> bytes;
    for (;;) {
        auto const [ec, size] = co_await from->async_read_some(asio::buffer(bytes), in_tuple);
        if (ec)
            break;
        auto const [failed, written] = co_await asio::async_write(*to, asio::buffer(bytes, size), in_tuple);
        if (failed)
            break;
    }
    linkspan::error_code ignored;
    to->close(ignored);
    from->close(ignored);
}

inline asio::awaitable<void> connect_through(asio::ip::tcp::socket socket, std::uint16_t port, std::string response)
{
    auto const client = std::make_shared<asio::ip::tcp::socket>(std::move(socket));
    auto const executor = co_await asio::this_coro::executor;
    auto const server = std::make_shared<asio::ip::tcp::socket>(executor);
    asio::ip::tcp::endpoint const at(asio::ip::address_v4::loopback(), port);
    co_await server->async_connect(at, in_tuple);
    co_await asio::async_write(*client, asio::buffer(response), in_tuple);
    asio::co_spawn(executor, relay(client, server), asio::detached);
    co_await relay(server, client);
}

// A proxy that connects to one server, regardless of the requested host.
struct proxy {
    proxy(asio::any_io_executor executor, std::uint16_t server) : acceptor(listening(executor))
    {
        asio::co_spawn(executor,
                       accept_all(acceptor,
                                  [this, server, executor](asio::ip::tcp::socket socket, std::string head) {
                                      heads.push_back(std::move(head));
                                      asio::co_spawn(executor, connect_through(std::move(socket), server, response),
                                                     asio::detached);
                                  }),
                       asio::detached);
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()); }

    asio::ip::tcp::acceptor acceptor;
    std::string response = "HTTP/1.1 200 Connection established\r\n\r\n";
    std::vector<std::string> heads;
};

} // namespace harness

#endif
