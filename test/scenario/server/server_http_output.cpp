// The limit on the unread output of all HTTP connections together.

#include <cstddef>
#include <string>
#include <utility>

#include "support/contains.hpp"
#include "support/holding_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_output_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

constexpr std::size_t kib = 1024;

// An endpoint whose connections together may keep 1,000 KiB of output. A pipe accepts 64 KiB.
struct output_world : holding_endpoint {
    output_world() { serving.limits.max_all_queued = 1'000 * kib; }

    // Sends a call on a connection of its own, which receives a response of a size and does not read it.
    // `address`: of the client; empty: not known.
    asio::awaitable<void> send_unread(std::size_t size, std::string address = {})
    {
        auto& on = connect_from(std::move(address));
        auto const body = stateless_body("tools/call", R"("name":"hold",)");
        co_await on.write(stateless_head("tools/call", "\r\nMcp-Name: hold") +
                          "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
        BOOST_TEST_REQUIRE(!held.empty());
        held.back().complete(tool_output::text(std::string(size, 'x') + "end"));
        held.pop_back();
        co_await settle(executor);
    }

    // Reads a response, and returns whether it is complete.
    asio::awaitable<bool> reads_all(raw_http::client& on)
    {
        auto const received = co_await on.read_until("xend");
        co_return contains(received, "HTTP/1.1 200") && contains(received, "xend");
    }
};

} // namespace

LINKSPAN_CASE_IN(output_world, connection_with_the_most_unread_output_is_closed_and_others_are_served)
{
    make_hold();
    co_await send_unread(600 * kib);
    co_await send_unread(300 * kib);
    co_await send_unread(400 * kib);
    co_await send_unread(kib);
    BOOST_TEST(!co_await reads_all(*connections[0]));
    BOOST_TEST(connections[0]->has_ended());
    for (std::size_t const served_one : {1u, 2u, 3u})
        BOOST_TEST(co_await reads_all(*connections[served_one]), served_one);
}

LINKSPAN_CASE_IN(output_world, many_slow_connections_of_one_address_do_not_close_a_larger_one_of_another_address)
{
    make_hold();
    for (int i = 0; i != 5; ++i)
        co_await send_unread(180 * kib, "192.0.2.1");
    co_await send_unread(400 * kib, "192.0.2.2");
    BOOST_TEST(co_await reads_all(*connections[5]));
    int closed = 0;
    for (int i = 0; i != 5; ++i)
        closed += !co_await reads_all(*connections[static_cast<std::size_t>(i)]);
    BOOST_TEST(closed == 2);
}

LINKSPAN_CASE_IN(output_world, connection_whose_response_is_the_largest_is_closed)
{
    make_hold();
    co_await send_unread(300 * kib);
    co_await send_unread(800 * kib);
    BOOST_TEST(!co_await reads_all(*connections[1]));
    BOOST_TEST(connections[1]->has_ended());
    BOOST_TEST(co_await reads_all(*connections[0]));
}

LINKSPAN_CASE_IN(output_world, output_counts_until_the_client_has_read_it_or_disconnects)
{
    make_hold();
    co_await send_unread(800 * kib);
    BOOST_TEST(co_await reads_all(*connections[0]));
    co_await settle(executor);
    co_await send_unread(700 * kib);
    connections[1]->close();
    co_await settle(executor);
    co_await send_unread(600 * kib);
    BOOST_TEST(co_await reads_all(*connections[2]));
    BOOST_TEST(!connections[0]->has_ended());
}

LINKSPAN_CASE_IN(output_world, output_that_the_client_reads_at_once_is_not_limited)
{
    serving.limits.max_all_queued = 1;
    make_hold();
    for (int i = 0; i != 3; ++i)
        co_await send_unread(40 * kib); // the pipe accepts the response immediately
    for (auto const& each : connections) {
        BOOST_TEST(co_await reads_all(*each));
        BOOST_TEST(!each->has_ended());
    }
    co_await send_unread(200 * kib);
    BOOST_TEST(!co_await reads_all(*connections.back()));
}

LINKSPAN_CASE_IN(output_world, unread_output_is_not_limited_by_zero)
{
    serving.limits.max_all_queued = 0;
    make_hold();
    for (int i = 0; i != 3; ++i)
        co_await send_unread(600 * kib);
    for (auto const& each : connections)
        BOOST_TEST(co_await reads_all(*each));
}

BOOST_AUTO_TEST_SUITE_END()
