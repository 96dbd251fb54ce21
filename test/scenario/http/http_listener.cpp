#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/test/case.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "support/raw_http.hpp"

BOOST_AUTO_TEST_SUITE(http_listener_test)

using namespace std::chrono_literals;
using linkspan::http_exchange;
using linkspan::http_listener;
using linkspan::http_server_request;
using linkspan::time_point;
using raw_http::client;
using raw_http::contains;
namespace asio = boost::asio;

namespace {

// Invokes `how`, or responds with "ok" by default.
struct responding : linkspan::http_request_handler {
    std::function<void(http_server_request const&, http_exchange)> how;
    std::vector<http_server_request> came;
    http_exchange last;

    void on_request(http_server_request const& what, http_exchange with) override
    {
        came.push_back(what);
        last = with;
        if (how)
            how(what, with);
        else
            with.respond(200, {}, "\"ok\"");
    }
};

struct listener_world : raw_http::steps_world {
    responding handler;
    http_listener::options options;
    std::unique_ptr<http_listener> server;
    std::unique_ptr<client> peer;

    client& connect()
    {
        if (!server)
            server = std::make_unique<http_listener>(executor, handler, options);
        peer = std::make_unique<client>(executor);
        server->serve(peer->other());
        return *peer;
    }
    asio::awaitable<void> settle() { co_await asio::post(executor, asio::use_awaitable); }
    asio::awaitable<void> body()
    {
        co_await steps();
        server.reset();
        peer.reset();
    }
};

constexpr char const* get = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

void streams(http_server_request const&, http_exchange with)
{
    with.begin_stream();
    with.event({.id = "1-0", .retry = 500ms, .writes_empty_data = true});
    with.event({.data = "{}", .id = "1-1", .type = "message"});
    with.event({.data = "a\nb"});
    with.comment("alive");
    with.end();
}

} // namespace

#define LISTENER_CASE(name)                                                                                            \
    struct name##_case : listener_world {                                                                              \
        asio::awaitable<void> steps() override;                                                                        \
    };                                                                                                                 \
    BOOST_AUTO_TEST_CASE(name) { linkspan::test::run_case<name##_case>(); }                                            \
    asio::awaitable<void> name##_case::steps()

LISTENER_CASE(request_is_delivered_complete_and_receives_response)
{
    auto& on = connect();
    co_await on.write("POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\nX-Y: z \r\nContent-Length: 4\r\n\r\nbody");
    auto const response = co_await on.read_until("\"ok\"");
    BOOST_TEST(response == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n\"ok\"");
    BOOST_TEST_REQUIRE(handler.came.size() == 1u);
    BOOST_TEST(handler.came[0].method() == "POST");
    BOOST_TEST(handler.came[0].target() == "/mcp?x=1");
    BOOST_TEST(handler.came[0].header("x-y") == "z");
    BOOST_TEST(handler.came[0].body == "body");
}

LISTENER_CASE(connection_is_reused_for_subsequent_and_pipelined_requests)
{
    auto& on = connect();
    co_await on.write(std::string(get) + get +
                      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                      "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    while (handler.came.size() != 3)
        co_await settle();
    BOOST_TEST(handler.came[2].body == "abcde");
    co_await on.write(get);
    while (handler.came.size() != 4)
        co_await settle();
    BOOST_TEST(server->accepted() == 1u);
    BOOST_TEST(server->connections() == 1u);
}

LISTENER_CASE(second_request_waits_for_first_response)
{
    handler.how = [](auto const&, auto) {};
    auto& on = connect();
    co_await on.write(std::string(get) + get);
    co_await wait(1s);
    BOOST_TEST(handler.came.size() == 1u);
    handler.last.respond(204);
    co_await wait(1s);
    BOOST_TEST(handler.came.size() == 2u);
}

LISTENER_CASE(event_stream_is_chunked_and_terminated)
{
    handler.how = streams;
    auto& on = connect();
    co_await on.write(get);
    auto const response = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(response, "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                                  "X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n"),
               response);
    BOOST_TEST(contains(response, "\r\n1a\r\nid: 1-0\nretry: 500\ndata:\n\n\r\n"), response);
    BOOST_TEST(contains(response, "\r\nevent: message\nid: 1-1\ndata: {}\n\n\r\n"), response);
    BOOST_TEST(contains(response, "\r\ndata: a\ndata: b\n\n\r\n"), response);
    BOOST_TEST(contains(response, "\r\n: alive\n\n\r\n0\r\n\r\n"), response);
    co_await on.write(get);
    co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(handler.came.size() == 2u);
}

LISTENER_CASE(http_1_0_client_receives_no_chunks)
{
    handler.how = streams;
    auto& on = connect();
    co_await on.write("GET /x HTTP/1.0\r\n\r\n");
    auto const response = co_await on.read_to_end();
    BOOST_TEST(contains(response, "Connection: close\r\n\r\nid: 1-0\n"), response);
    BOOST_TEST(!contains(response, "chunked"), response);
    BOOST_TEST(response.ends_with(": alive\n\n"), response);
}

LISTENER_CASE(idle_stream_receives_keepalive_comments)
{
    handler.how = [](auto const&, auto with) { with.begin_stream(); };
    auto& on = connect();
    co_await on.write(get);
    co_await on.read_until("\r\n\r\n");
    auto const comment = co_await on.read_until(": \n\n");
    BOOST_TEST(comment == "4\r\n: \n\n\r\n");
    BOOST_TEST((time.now() == time_point(15s)));
}

LISTENER_CASE(exchange_is_notified_of_disconnected_peer)
{
    bool disconnected = false;
    handler.how = [&disconnected](auto const&, auto with) {
        with.begin_stream();
        with.on_disconnect([&disconnected] { disconnected = true; });
    };
    auto& on = connect();
    co_await on.write(get);
    co_await on.read_until("\r\n\r\n");
    BOOST_TEST(!disconnected);
    BOOST_TEST(!handler.last.is_over());
    on.close();
    co_await wait(0s);
    BOOST_TEST(disconnected);
    BOOST_TEST(handler.last.is_over());
    BOOST_TEST(server->connections() == 0u);
    handler.last.event({.data = "late"});
}

LISTENER_CASE(finished_exchange_does_not_affect_next_one)
{
    handler.how = [](auto const&, auto) {};
    auto& on = connect();
    co_await on.write(get);
    co_await wait(0s);
    auto const first = handler.last;
    auto again = first;
    again.respond(204);
    co_await on.read_until("204");
    co_await on.write(get);
    co_await wait(0s);
    BOOST_TEST(again.is_over());
    again.respond(500);
    handler.last.respond(202);
    auto const response = co_await on.read_until("\r\n\r\n");
    BOOST_TEST(contains(response, "202 Accepted"), response);
}

LISTENER_CASE(bytes_written_before_cut_are_delivered)
{
    handler.how = [](auto const&, auto with) {
        with.send_interim(103, {{"Link", "x"}});
        with.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
        with.cut();
    };
    auto& on = connect();
    co_await on.write(get);
    auto const response = co_await on.read_to_end();
    BOOST_TEST(response.starts_with("HTTP/1.1 103 \r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"), response);
    BOOST_TEST(response.ends_with("\r\n\r\nhalf"), response);
}

LISTENER_CASE(expected_body_is_requested_by_100_continue)
{
    auto& on = connect();
    co_await on.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    auto const first = co_await on.read_until("\r\n\r\n");
    BOOST_TEST(first == "HTTP/1.1 100 Continue\r\n\r\n");
    co_await on.write("{}");
    auto const second = co_await on.read_until("\"ok\"");
    BOOST_TEST(second.starts_with("HTTP/1.1 200 OK"), second);
}

LISTENER_CASE(malformed_requests_are_refused_and_connection_is_closed)
{
    options.limits.max_head = 200;
    options.limits.max_body = 5;
    std::pair<std::string, char const*> const rows[] = {
        {"nonsense\r\n\r\n", "HTTP/1.1 400 "},
        {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400 "},
        {"GET / HTTP/3.7\r\nHost: a\r\n\r\n", "HTTP/1.1 505 "},
        {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(300, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n123456", "HTTP/1.1 413 "},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n0\r\n\r\n", "HTTP/1.1 413 "},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400 "},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
         "HTTP/1.1 400 "},
    };
    for (auto const& [bytes, expected] : rows) {
        auto& on = connect();
        auto const before = time.now();
        co_await on.write(bytes);
        auto const response = co_await on.read_to_end();
        BOOST_TEST(response.starts_with(expected), bytes << response);
        BOOST_TEST(contains(response, "Connection: close\r\n"), response);
        BOOST_TEST((time.now() - before <= 1s), bytes);
        BOOST_TEST(server->connections() == 0u);
    }
    BOOST_TEST(handler.came.empty());
}

LISTENER_CASE(slow_request_is_refused_with_408)
{
    auto& on = connect();
    co_await on.write("GET / HT");
    auto const head = co_await on.read_until("\r\n\r\n");
    BOOST_TEST(head.starts_with("HTTP/1.1 408 "), head);
    BOOST_TEST((time.now() == time_point(10s)));
    auto& again = connect();
    co_await again.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n123");
    auto const begun = time.now();
    auto const body = co_await again.read_until("\r\n\r\n");
    BOOST_TEST(body.starts_with("HTTP/1.1 408 "), body);
    BOOST_TEST((time.now() - begun == 30s));
}

LISTENER_CASE(idle_connection_is_closed)
{
    auto& on = connect();
    co_await wait(59s);
    co_await on.write(get);
    co_await on.read_until("\"ok\"");
    co_await on.read_to_end();
    BOOST_TEST((time.now() == time_point(119s)));
}

LISTENER_CASE(peer_that_does_not_read_is_disconnected)
{
    bool disconnected = false;
    handler.how = [&disconnected](auto const&, auto with) {
        with.begin_stream();
        with.on_disconnect([&disconnected] { disconnected = true; });
        for (int i = 0; i != 10; ++i)
            with.event({.data = std::string(50000, 'x')});
    };
    auto& on = connect();
    co_await on.write(get);
    co_await wait(29s);
    BOOST_TEST(!disconnected);
    co_await wait(2s);
    BOOST_TEST(disconnected);
}

LISTENER_CASE(stop_waits_only_for_responses_in_progress)
{
    handler.how = [](auto const&, auto) {};
    connect();
    auto const idle = std::move(peer);
    auto& busy = connect();
    co_await busy.write(get);
    co_await wait(0s);
    bool stopped = false;
    server->async_stop(5s, [&](linkspan::error_code ec) { stopped = !ec; });
    co_await idle->read_to_end();
    BOOST_TEST(idle->has_ended());
    BOOST_TEST(!stopped);
    co_await wait(1s);
    handler.last.respond(200, {}, "1");
    auto const response = co_await busy.read_to_end();
    BOOST_TEST(contains(response, "Connection: close\r\n"), response);
    co_await wait(0s);
    BOOST_TEST(stopped);
    BOOST_TEST((time.now() == time_point(1s)));
}

LISTENER_CASE(stop_completes_after_its_timeout)
{
    bool disconnected = false;
    handler.how = [&disconnected](auto const&, auto with) {
        with.on_disconnect([&disconnected] { disconnected = true; });
    };
    auto& on = connect();
    co_await on.write(get);
    co_await wait(0s);
    auto const [ec] = co_await server->async_stop(5s, asio::as_tuple(asio::use_awaitable));
    BOOST_TEST((ec == asio::error::timed_out), ec.message());
    BOOST_TEST((time.now() == time_point(5s)));
    co_await wait(0s);
    BOOST_TEST(disconnected);
    BOOST_TEST(server->connections() == 0u);
}

LISTENER_CASE(listener_may_be_destroyed_in_handler)
{
    handler.how = [this](auto const&, auto with) {
        server.reset();
        with.respond(200);
    };
    auto& on = connect();
    co_await on.write(std::string(get) + get);
    auto const response = co_await on.read_to_end();
    BOOST_TEST(response.empty(), response);
    BOOST_TEST(handler.came.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
