// Limits of the carrier HTTP+SSE of 2024-11-05 in a server.

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/holding_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_sse_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// An endpoint that also serves HTTP+SSE, with the tool "hold", whose requests stay open. The connections are those of
// event streams.
struct sse_world : holding_endpoint {
    sse_world() { serving.sse_path = "/sse"; }

    // Opens an event stream, and returns its response up to the first event.
    asio::awaitable<std::string> open_stream(std::string more = {}, std::string address = {})
    {
        auto& stream = connect_from(std::move(address));
        co_await stream.write("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + more + "\r\n\r\n");
        auto received = co_await stream.read_until("\r\n\r\n");
        if (contains(received, "HTTP/1.1 200") && !contains(received, "sessionId=")) {
            auto const event = co_await stream.read_until("sessionId=");
            received += event;
        }
        co_return received;
    }

    // Posts a message to the session whose event stream has begun with `opened`.
    asio::awaitable<std::string> post_to(std::string const& opened, std::string body)
    {
        auto const at = opened.find("/message?sessionId=");
        auto const target = opened.substr(at, opened.find('\n', at) - at);
        return exchange("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json",
                        std::move(body));
    }

    // Begins the dialogue of a session, and a call of "hold".
    asio::awaitable<void> call_hold(std::string const& opened)
    {
        co_await post_to(opened, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
                                 R"("2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
        co_await post_to(opened, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        co_await post_to(opened, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold"}})");
    }
};

constexpr auto ping = R"({"jsonrpc":"2.0","id":9,"method":"ping"})";

} // namespace

LINKSPAN_CASE_IN(sse_world, event_streams_are_limited_by_the_number_of_sessions)
{
    serving.session_limits.max_sessions = 1;
    make_hold();
    auto const first = co_await open_stream();
    BOOST_TEST(contains(first, "HTTP/1.1 200"), first);
    auto const second = co_await open_stream();
    BOOST_TEST(contains(second, "HTTP/1.1 503"), second);
    BOOST_TEST(endpoint->sessions() == 1u);
    auto const streamable = co_await exchange(post(), std::string(initialize)); // the limit is a common one
    BOOST_TEST(contains(streamable, "HTTP/1.1 503"), streamable);
    connections.at(0)->close();
    co_await settle(executor);
    BOOST_TEST(endpoint->sessions() == 0u);
    auto const third = co_await open_stream();
    BOOST_TEST(contains(third, "HTTP/1.1 200"), third);
}

LINKSPAN_CASE_IN(sse_world, event_streams_of_a_principal_and_of_an_address_are_limited)
{
    serving.session_limits.max_per_principal = 1;
    serving.session_limits.max_per_address = 1;
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        admission.principal = request.header("Authorization");
        done(admission);
    };
    make_hold();
    std::string const ada = "\r\nAuthorization: ada";
    BOOST_TEST(contains(co_await open_stream(ada, "192.0.2.1"), "HTTP/1.1 200"));
    BOOST_TEST(contains(co_await open_stream(ada, "192.0.2.2"), "HTTP/1.1 429"));
    BOOST_TEST(contains(co_await open_stream("", "192.0.2.1"), "HTTP/1.1 200"));
    BOOST_TEST(contains(co_await open_stream("", "192.0.2.1"), "HTTP/1.1 429"));
    BOOST_TEST(contains(co_await open_stream("", "192.0.2.2"), "HTTP/1.1 200"));
    BOOST_TEST(endpoint->sessions() == 3u);
}

LINKSPAN_CASE_IN(sse_world, refused_batch_counts_as_one_request_until_its_response)
{
    serving.max_requests_per_principal = 2;
    make_hold();
    auto const opened = co_await open_stream("", "192.0.2.1");
    auto const batch = "[" + std::string(ping) + "," + ping + "]";
    for (bool const is_initialized : {false, true}) {
        if (is_initialized)
            co_await call_hold(opened);
        for (int i = 0; i != 3; ++i)
            BOOST_TEST(contains(co_await post_to(opened, batch), "HTTP/1.1 202"));
    }
    BOOST_TEST(contains(co_await post_to(opened, ping), "HTTP/1.1 202"));
    BOOST_TEST(held.size() == 1u);
}

LINKSPAN_CASE_IN(sse_world, requests_of_the_event_streams_of_an_address_are_limited)
{
    serving.max_requests_per_principal = 1;
    make_hold();
    auto const first = co_await open_stream("", "192.0.2.1");
    auto const second = co_await open_stream("", "192.0.2.1");
    auto const other = co_await open_stream("", "192.0.2.2");
    co_await call_hold(first);
    BOOST_TEST_REQUIRE(held.size() == 1u);
    for (auto const& each : {first, second}) {
        auto const refused = co_await post_to(each, ping);
        BOOST_TEST(contains(refused, "HTTP/1.1 429"), refused);
        BOOST_TEST(contains(refused, "Retry-After: 1\r\n"), refused);
    }
    auto const noted = co_await post_to(first, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST(contains(noted, "HTTP/1.1 202"), noted);
    co_await call_hold(other);
    BOOST_TEST_REQUIRE(held.size() == 2u);
    held[0].complete(tool_output::text("done"));
    co_await settle(executor);
    co_await call_hold(second);
    BOOST_TEST_REQUIRE(held.size() == 3u);
    BOOST_TEST(contains(co_await post_to(first, ping), "HTTP/1.1 429"));
    co_await post_to(second, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
    BOOST_TEST(held[2].is_over());
    co_await post_to(second, R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hold"}})");
    BOOST_TEST_REQUIRE(held.size() == 4u);
    BOOST_TEST(contains(co_await post_to(first, ping), "HTTP/1.1 429"));
    connections.at(1)->close(); // ends the session of the request
    co_await settle(executor);
    BOOST_TEST(held[3].is_over());
    BOOST_TEST(contains(co_await post_to(first, ping), "HTTP/1.1 202"));
    BOOST_TEST(contains(co_await connections.at(0)->read_until(R"("id":9)"), R"("id":9)"));
}

LINKSPAN_CASE_IN(sse_world, session_with_an_open_event_stream_has_no_idle_timeout)
{
    serving.session_limits.idle_timeout = 10min;
    make_hold();
    auto const opened = co_await open_stream();
    co_await exchange(post(), std::string(initialize));
    BOOST_TEST(endpoint->sessions() == 2u);
    co_await pass(executor, 12min);
    auto const accepted = co_await post_to(opened, ping);
    BOOST_TEST(contains(accepted, "HTTP/1.1 202"), accepted);
    BOOST_TEST(endpoint->sessions() == 1u); // the idle session of Streamable HTTP has ended
}

LINKSPAN_CASE_IN(sse_world, session_ends_with_its_event_stream)
{
    make_hold();
    auto const opened = co_await open_stream();
    co_await call_hold(opened);
    BOOST_TEST_REQUIRE(held.size() == 1u);
    connections.at(0)->close();
    co_await settle(executor);
    BOOST_TEST(held[0].is_over());
    auto const late = co_await post_to(opened, ping);
    BOOST_TEST(contains(late, "HTTP/1.1 404"), late);
}

LINKSPAN_CASE_IN(sse_world, event_stream_that_the_client_does_not_read_is_closed_at_the_limit)
{
    serving.limits.max_queued = std::size_t{256} << 10;
    make_hold();
    auto const slow = co_await open_stream();
    auto const other = co_await open_stream();
    co_await call_hold(slow);
    BOOST_TEST_REQUIRE(held.size() == 1u);
    auto const text = '"' + std::string(std::size_t{64} << 10, 'x') + '"';
    for (int i = 0; i != 4; ++i) { // 128 KiB are in the pipe and in the outstanding write
        held[0].log(log_level::info, raw_json(text));
        co_await settle(executor);
    }
    BOOST_TEST(!held[0].is_over());
    BOOST_TEST(endpoint->sessions() == 2u);
    for (int i = 0; i != 4; ++i) {
        held[0].log(log_level::info, raw_json(text));
        co_await settle(executor);
    }
    BOOST_TEST(held[0].is_over());
    BOOST_TEST(endpoint->sessions() == 1u);
    auto const late = co_await post_to(slow, ping);
    BOOST_TEST(contains(late, "HTTP/1.1 404"), late);
    auto const served_one = co_await post_to(other, ping);
    BOOST_TEST(contains(served_one, "HTTP/1.1 202"), served_one);
    auto const pong = co_await connections.at(1)->read_until(R"("id":9)");
    BOOST_TEST(contains(pong, R"("id":9)"), pong);
}

BOOST_AUTO_TEST_SUITE_END()
