// Selection of connections for requests, and their reuse after the response.

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <deque>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_pool_test)

using namespace linkspan::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::http_exchange;
using linkspan::http_server_request;

namespace {

// Maximum number of concurrently executed calls. Must outlive the calls.
struct calls_at_once {
    std::size_t running = 0, peak = 0;

    action begin()
    {
        return [this](exchange&, std::function<void()> const& next) {
            peak = std::max(peak, ++running);
            next();
        };
    }

    action end()
    {
        return [this](exchange&, std::function<void()> const& next) {
            --running;
            next();
        };
    }
};

} // namespace

HTTP_CASE(sequential_calls_reuse_one_connection)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    for (int i = 0; i != 5; ++i)
        BOOST_TEST(!(co_await call_add()).ec);
    BOOST_TEST(web->connections() == 1u);
}

HTTP_CASE(concurrent_calls_do_not_exceed_pool_size)
{
    using form = http_server_options::form;
    struct {
        std::size_t pool_size;
        form response_form;
    } const rows[] = {{64, form::json}, {64, form::stream}, {4, form::json}, {4, form::stream}};
    for (auto const& [pool_size, each_form] : rows) {
        config.max_connections = pool_size;
        serving.response_form = each_form;
        serve(stateless_era);
        calls_at_once calls;
        add().then(calls.begin(), delay(1s), calls.end(), text("5"));
        co_await open();
        std::deque<completion_box> boxes(64);
        auto const began = time.now();
        for (auto& box : boxes)
            client->async_call_tool("add", {}, box.handler());
        co_await pass(executor, 20s);
        for (auto const& box : boxes) {
            BOOST_TEST(box.count == 1u);
            BOOST_TEST(!box.ec, box.ec.message());
        }
        BOOST_TEST(calls.peak == pool_size);
        BOOST_TEST(web->connections() <= pool_size + 1);
        BOOST_TEST((time.now() - began >= 64s / static_cast<int>(pool_size)));
    }
}

// Control requests use connections outside of the pool.
HTTP_CASE(subscription_and_ping_do_not_use_pool_connections)
{
    config.max_connections = 1;
    for (auto const& versions : {stateless_era, handshake_era}) {
        serve(versions);
        add().then(delay(20s), text("5"));
        std::size_t changes = 0;
        make().on_notification("notifications/tools/list_changed", [&](std::string_view) { ++changes; });
        auto const [ec] = co_await client->async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message());
        co_await settle(executor);
        bool has_completed = false;
        asio::co_spawn(executor, call_add(), [&](std::exception_ptr, completion_box got) {
            has_completed = true;
            BOOST_TEST(got.result.text() == "5", got.ec.message());
        });
        co_await pass(executor, 1s);
        auto const [failed] = co_await client->async_ping(in_tuple);
        BOOST_TEST(!failed, failed.message());
        server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
        co_await settle(executor);
        BOOST_TEST(changes == 1u);
        BOOST_TEST(!has_completed);
        co_await pass(executor, 20s);
        BOOST_TEST(has_completed);
    }
}

HTTP_CASE(malformed_event_frees_connection)
{
    config.max_connections = 1;
    serve(stateless_era);
    auto const unreadable = "HTTP/1.1 " + std::string(ok_events) + "\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":@}\n\n";
    add().once(http_raw_for(*server, unreadable)).then(text("5")); // the stream stays open
    co_await open();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::malformed_message), got.ec.message());
    auto const began = time.now();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST((time.now() - began <= 1s));
}

HTTP_CASE(idle_connection_is_closed_after_timeout)
{
    config.idle_timeout = 5s;
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    BOOST_TEST(web->open_connections() == 1u);
    co_await pass(executor, 4s);
    co_await settle(executor);
    BOOST_TEST(web->open_connections() == 1u);
    co_await pass(executor, 2s);
    BOOST_TEST(web->open_connections() == 0u);
    BOOST_TEST(!(co_await call_add()).ec);
    BOOST_TEST(web->connections() == 2u);
}

HTTP_CASE(connection_closed_by_server_is_not_reused)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    web->drop_connections();
    co_await settle(executor);
    BOOST_TEST(!(co_await call_add()).ec);
    BOOST_TEST(web->connections() == 2u);
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
}

// The server closes the connection within a second after the response. The request is not written to it, so that a call
// that must not be repeated is safe.
HTTP_CASE(connection_closed_before_request_is_not_reused_regardless_of_idle_time)
{
    for (auto const idle : {0ms, 1ms, 999ms, 1000ms, 5000ms})
        for (bool const is_half : {false, true}) {
            serve(stateless_era);
            add().then(text("5"));
            co_await open();
            BOOST_TEST(!(co_await call_add()).ec);
            co_await pass(executor, idle);
            auto const made = web->connections();
            if (is_half) // the server still accepts the bytes of a request
                net->close_all();
            else
                web->drop_connections();
            auto const got = co_await call_add();
            BOOST_TEST(got.result.text() == "5", got.ec.message());
            BOOST_TEST(got.result.attempts().empty());
            BOOST_TEST(web->connections() == made + 1);
            BOOST_TEST(web->requests("POST", "tools/call") == 2u);
        }
}

// A connection to an attacked server: bytes that follow a response are not taken for the response to the next request.
HTTP_CASE(connection_with_bytes_received_before_request_is_not_reused_regardless_of_idle_time)
{
    for (auto const idle : {0ms, 1ms, 999ms, 1000ms, 5000ms}) {
        serve(stateless_era);
        add().then(text("5"));
        co_await open();
        BOOST_TEST(!(co_await call_add()).ec);
        co_await pass(executor, idle);
        auto const made = web->connections();
        linkspan::error_code ec;
        std::string const bytes = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
        BOOST_TEST(net->ends.at(0).in->write_some(asio::buffer(bytes), ec) == bytes.size());
        auto const got = co_await call_add();
        BOOST_TEST(got.result.text() == "5", got.ec.message());
        BOOST_TEST(web->connections() == made + 1);
    }
}

HTTP_CASE(pool_size_is_kept_if_server_closes_after_each_response)
{
    config.max_connections = 1;
    serve(stateless_era);
    calls_at_once calls;
    // Idle connections are checked only when they are reused, so a closed one is detected only then.
    auto close = [&](exchange&, std::function<void()> const& next) {
        net->close_all();
        next();
    };
    add().then(calls.begin(), delay(1s), calls.end(), text("5"), action(close));
    co_await open();
    std::deque<completion_box> boxes(8);
    for (auto& box : boxes)
        client->async_call_tool("add", {}, box.handler());
    co_await pass(executor, 20s);
    for (auto const& box : boxes)
        BOOST_TEST(box.result.text() == "5");
    BOOST_TEST(calls.peak == 1u);
}

HTTP_CASE(stream_continuing_after_response_does_not_occupy_pool)
{
    config.max_connections = 1;
    serve(stateless_era);
    add().then(text("5"));
    auto first = [this](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (!has_part(what.body, "tools/call") || web->requests("POST", "tools/call") != 1)
            return false;
        with.begin_stream();
        auto const response = with_id(five, what.body);
        with.event({.data = response});
        asio::co_spawn(
            executor,
            [this, with]() mutable -> asio::awaitable<void> {
                for (int i = 0; i != 100 && !with.is_over(); ++i) {
                    co_await pass(executor, 300ms);
                    with.comment("still here");
                }
            },
            asio::detached);
        return true;
    };
    web->set_interceptor(first);
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    auto const began = time.now();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST((time.now() - began <= 2s));
    client.reset();
    co_await pass(executor, 1s);
}

// Responses on a stream other than that of their request

// Keeps the exchanges of all calls and the stream of the session.
struct crossed_world : http_world {
    std::deque<http_exchange> calls;
    std::vector<std::string> request_bodies;
    http_exchange unrelated;
    bool has_begun = true; // whether each call starts a stream

    crossed_world() { config.max_connections = 1; }

    asio::awaitable<void> start()
    {
        calls.clear();
        request_bodies.clear();
        has_begun = true;
        serve(handshake_era);
        add();
        web->set_interceptor([this](http_server_request const& what, http_exchange with) {
            if (what.method() == "GET") {
                unrelated = with;
                with.begin_stream();
            } else if (has_part(what.body, "tools/call")) {
                calls.push_back(with);
                request_bodies.push_back(what.body);
                if (has_begun)
                    with.begin_stream();
            } else {
                return false;
            }
            return true;
        });
        co_await open();
    }

    asio::awaitable<void> begin(completion_box& box)
    {
        client->async_call_tool("add", {}, box.handler());
        co_await settle(executor);
    }

    // Sends the response to the call with that index on the given exchange.
    void respond(std::size_t call, http_exchange by) const { respond_to_id(id_of(request_bodies.at(call)), by); }

    void respond_to_id(int id, http_exchange by) const
    {
        auto const text = with_id(five, R"({"id":)" + std::to_string(id) + "}");
        by.event({.data = text});
    }

    static int id_of(std::string_view request)
    {
        return std::stoi(std::string(linkspan::json_scan::member(request, "id")));
    }

    void clean_up()
    {
        http_world::clean_up();
        calls.clear();
        unrelated = {};
    }
};

LINKSPAN_CASE_IN(crossed_world, response_on_another_stream_frees_connection_of_its_request)
{
    enum class rest { arrives, missing_after_beginning, missing };
    for (auto const left : {rest::arrives, rest::missing_after_beginning, rest::missing})
        for (bool const by_a_call : {false, true}) {
            config.max_connections = by_a_call ? 2 : 1;
            co_await start();
            completion_box beside, first, next;
            if (by_a_call)
                co_await begin(beside);
            has_begun = left != rest::missing;
            co_await begin(first);
            co_await begin(next);
            std::size_t const own = by_a_call ? 1 : 0;
            BOOST_TEST_REQUIRE(calls.size() == own + 1); // the next call is queued
            auto const made = web->connections();
            respond(own, by_a_call ? calls[0] : unrelated);
            co_await settle(executor);
            BOOST_TEST(first.result.text() == "5", first.ec.message());
            // The connection can be reused if the rest of its stream arrives in time.
            BOOST_TEST(!calls[own].is_over());
            BOOST_TEST(calls.size() == own + 1);
            if (left == rest::arrives)
                calls[own].end();
            else
                co_await pass(executor, 1s);
            co_await settle(executor);
            BOOST_TEST(calls[own].is_over());
            BOOST_TEST_REQUIRE(calls.size() == own + 2);
            BOOST_TEST(web->connections() == made + (left == rest::arrives ? 0u : 1u));
            has_begun = true;
            respond(own + 1, unrelated);
            if (by_a_call)
                respond(0, unrelated);
            co_await pass(executor, 2s);
            BOOST_TEST(next.result.text() == "5", next.ec.message());
            BOOST_TEST(web->open_connections() == 1u); // the stream of the session
            BOOST_TEST(first.count == 1u);
            BOOST_TEST(next.count == 1u);
            BOOST_TEST(beside.count == own);
        }
}

// A server that sends responses to requests that it has not yet received. Neither side is harmed.
LINKSPAN_CASE_IN(crossed_world, queued_call_with_early_response_is_not_sent)
{
    co_await start();
    completion_box first, next, last;
    co_await begin(first);
    co_await begin(next);
    respond_to_id(id_of(request_bodies[0]) + 1, unrelated);
    co_await settle(executor);
    BOOST_TEST(next.result.text() == "5", next.ec.message());
    respond(0, calls[0]);
    calls[0].end();
    co_await begin(last);
    BOOST_TEST(first.result.text() == "5");
    BOOST_TEST_REQUIRE(calls.size() == 2u);
    respond(1, calls[1]);
    co_await settle(executor);
    BOOST_TEST(last.result.text() == "5");
}

LINKSPAN_CASE_IN(crossed_world, call_with_response_before_connection_is_established_is_not_sent)
{
    co_await start();
    completion_box before, first, next;
    co_await begin(before);
    respond(0, calls[0]);
    co_await pass(executor, 2s); // closes the idle connection
    net->takes = 1s;
    co_await begin(first);
    respond_to_id(id_of(request_bodies[0]) + 1, unrelated);
    co_await settle(executor);
    BOOST_TEST(first.result.text() == "5", first.ec.message());
    co_await begin(next);
    co_await pass(executor, 2s);
    BOOST_TEST(first.count == 1u);
    BOOST_TEST_REQUIRE(calls.size() == 2u);
    respond(1, calls[1]);
    co_await settle(executor);
    BOOST_TEST(next.result.text() == "5");
}

HTTP_CASE(response_received_before_request_is_fully_written_is_accepted)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    BOOST_TEST_REQUIRE(net->ends.size() == 1u);
    net->ends[0].out->capacity(64);
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

BOOST_AUTO_TEST_SUITE_END()
