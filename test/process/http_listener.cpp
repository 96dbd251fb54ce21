// The HTTP listener on a real socket.

#include <linkspan/core/time.hpp>
#include <linkspan/http/server/http_listener.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <functional>
#include <string>

#include "support/folder.hpp"
#include "support/harness.hpp"

BOOST_AUTO_TEST_SUITE(http_listener_test)

using namespace harness;
using linkspan::http_listener;
using tcp = asio::ip::tcp;

namespace {

struct echoing : linkspan::http_request_handler {
    bool hangs = false;
    std::function<void()> happened; // invoked on a request and on the disconnection of its peer
    linkspan::http_exchange last;

    void on_request(linkspan::http_server_request const& what, linkspan::http_exchange with) override
    {
        last = with;
        if (happened) {
            happened();
            with.on_disconnect(happened);
        }
        if (!hangs)
            with.respond(200, {{"Content-Type", "text/plain"}}, what.body);
    }
};

asio::awaitable<tcp::socket> connects(http_listener const& to)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), to.port()}, asio::use_awaitable);
    co_return socket;
}

asio::awaitable<void> send_request(tcp::socket& socket, std::string body)
{
    auto const text =
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    co_await asio::async_write(socket, asio::buffer(text), asio::use_awaitable);
}

asio::awaitable<std::string> reads_until(tcp::socket& socket, std::string part)
{
    std::string came;
    co_await asio::async_read_until(socket, asio::dynamic_buffer(came), part, in_tuple);
    co_return came;
}

void listen(http_listener& server)
{
    linkspan::error_code ec;
    server.listen(ec);
    BOOST_TEST_REQUIRE(!ec, ec.message());
    BOOST_TEST(server.port() != 0);
}

} // namespace

HARNESS_CASE(listener_serves_concurrent_connections)
{
    echoing handler;
    http_listener server(executor, handler);
    BOOST_TEST(server.port() == 0);
    listen(server);
    auto first = co_await connects(server);
    auto second = co_await connects(server);
    co_await send_request(second, "two");
    co_await send_request(first, std::string(1 << 20, 'x') + "end");
    auto const two = co_await reads_until(second, "two");
    BOOST_TEST(contains(two, "HTTP/1.1 200 OK\r\n"), two);
    auto const one = co_await reads_until(first, "xend");
    BOOST_TEST(contains(one, "Content-Length: 1048579\r\n"));
    BOOST_TEST(server.accepted() == 2u);
    auto const [ec] = co_await server.async_stop(std::chrono::seconds(5), in_tuple);
    BOOST_TEST(!ec, ec.message());
    auto const rest = co_await reads_until(first, "never");
    BOOST_TEST(rest.empty(), rest);
}

HARNESS_CASE(address_in_use_is_reported_and_reusable_after_close)
{
    echoing handler;
    http_listener::options options;
    {
        http_listener server(executor, handler);
        listen(server);
        options.port = server.port();
        linkspan::error_code ec;
        http_listener other(executor, handler, options);
        other.listen(ec);
        BOOST_TEST((ec == asio::error::address_in_use), ec.message());
        BOOST_TEST(other.port() == 0);
        server.listen(ec); // listens already
        BOOST_TEST((ec == asio::error::already_open), ec.message());
        BOOST_TEST(server.port() == options.port);
        observe::folder const files;
        http_listener::options in_folder;
        in_folder.unix_socket = files.path() + "/socket";
        http_listener local(executor, handler, in_folder);
        local.listen(ec); // which contains the earlier error
        BOOST_TEST(!ec, ec.message());
        local.listen(ec);
        BOOST_TEST((ec == asio::error::already_open), ec.message());
        BOOST_TEST(local.is_listening());
        auto socket = co_await connects(server);
        co_await send_request(socket, "x");
        co_await reads_until(socket, "\r\n\r\nx");
    }
    http_listener again(executor, handler, options);
    listen(again);
    BOOST_TEST(again.port() == options.port);
    options.address = "localhost";
    linkspan::error_code ec;
    http_listener(executor, handler, options).listen(ec);
    BOOST_TEST((ec == asio::error::invalid_argument), ec.message());
}

HARNESS_CASE(connections_beyond_limit_wait)
{
    echoing handler;
    http_listener::options options;
    options.max_connections = 1;
    http_listener server(executor, handler, options);
    listen(server);
    auto first = co_await connects(server);
    co_await send_request(first, "1");
    co_await reads_until(first, "\r\n\r\n1");
    auto second = co_await connects(server);
    co_await send_request(second, "2");
    BOOST_TEST(server.accepted() == 1u);
    first.close();
    auto const response = co_await reads_until(second, "\r\n\r\n2");
    BOOST_TEST(contains(response, "200 OK"), response);
}

HARNESS_CASE(connections_of_an_address_beyond_limit_are_closed)
{
    echoing handler;
    http_listener::options options;
    options.max_per_address = 1;
    http_listener server(executor, handler, options);
    listen(server);
    auto first = co_await connects(server);
    co_await send_request(first, "1");
    co_await reads_until(first, "\r\n\r\n1");
    auto second = co_await connects(server);
    BOOST_TEST(co_await reads_until(second, "\r\n\r\n") == "");
    BOOST_TEST(server.connections() == 1u);
    co_await send_request(first, "2");
    auto const response = co_await reads_until(first, "\r\n\r\n2");
    BOOST_TEST(contains(response, "200 OK"), response);
}

HARNESS_CASE(reset_next_resets_only_the_next_accepted_connection)
{
    echoing handler;
    http_listener server(executor, handler);
    listen(server);
    server.reset_next();
    tcp::socket socket(executor);
    socket.connect({asio::ip::address_v4::loopback(), server.port()}); // is established before it is accepted
    char byte = 0;
    auto const [ec, size] = co_await socket.async_read_some(asio::buffer(&byte, 1), in_tuple);
    BOOST_TEST((ec == asio::error::connection_reset), ec.message());
    auto next = co_await connects(server);
    co_await send_request(next, "1");
    auto const response = co_await reads_until(next, "\r\n\r\n1");
    BOOST_TEST(contains(response, "200 OK"), response);
    BOOST_TEST(server.accepted() == 2u);
    BOOST_TEST(server.connections() == 1u);
}

HARNESS_CASE(disconnected_client_is_detected_before_the_response)
{
    echoing handler;
    handler.hangs = true;
    http_listener server(executor, handler);
    listen(server);
    auto socket = co_await connects(server);
    linkspan::timer event(executor);
    event.expires_at(linkspan::time_point::max());
    handler.happened = [&event] { event.cancel(); };
    co_await send_request(socket, "1");
    co_await event.async_wait(in_tuple);
    BOOST_TEST(!handler.last.is_over());
    socket.close();
    co_await event.async_wait(in_tuple);
    BOOST_TEST(handler.last.is_over());
    BOOST_TEST(server.connections() == 0u);
}

HARNESS_CASE(listener_that_was_closed_or_stopped_does_not_listen_again)
{
    echoing handler;
    http_listener closed(executor, handler), stopped(executor, handler);
    listen(closed);
    closed.close();
    listen(stopped);
    co_await stopped.async_stop(std::chrono::seconds(1), in_tuple);
    for (auto* const server : {&closed, &stopped}) {
        linkspan::error_code ec;
        server->listen(ec);
        BOOST_TEST(ec == asio::error::operation_aborted);
        BOOST_TEST(!server->is_listening());
    }
}

BOOST_AUTO_TEST_SUITE_END()
