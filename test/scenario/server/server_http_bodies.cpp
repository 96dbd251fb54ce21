// The limit on the bodies of the requests of all HTTP connections together.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/holding_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_bodies_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kib = 1024;

// Returns a call of the tool "hold" with a size.
std::string call_of_size(std::size_t size)
{
    auto const empty = stateless_body("tools/call", R"("name":"hold","arguments":{"text":""},)");
    auto const text = std::string(size - empty.size(), 'x');
    return stateless_body("tools/call", R"("name":"hold","arguments":{"text":")" + text + R"("},)");
}

std::string head_of_size(std::size_t size, std::string const& more = {})
{
    return stateless_head("tools/call", "\r\nMcp-Name: hold" + more) + "\r\nContent-Length: " + std::to_string(size) +
           "\r\n\r\n";
}

// An endpoint whose connections together may have bodies of 1,000 KiB.
struct bodies_world : holding_endpoint {
    bodies_world() { serving.limits.max_all_bodies = 1'000 * kib; }

    // Sends the head and the first part of a call, on a connection of its own.
    asio::awaitable<void> begin_call(std::size_t size, std::size_t sent, std::string address = {})
    {
        auto& on = connect_from(std::move(address));
        co_await on.write(head_of_size(size) + call_of_size(size).substr(0, sent));
        co_await settle(executor);
    }

    // Sends a call on a connection of its own, and returns the head of the refusal; empty: the request is outstanding.
    asio::awaitable<std::string> refusal_of_call(std::size_t size, std::string address = {})
    {
        auto const before = held.size();
        co_await begin_call(size, size, std::move(address));
        if (held.size() == before + 1)
            co_return "";
        co_return co_await connections.back()->read_until("\r\n\r\n");
    }
};

void check_overload(std::string const& response)
{
    BOOST_TEST(response.starts_with("HTTP/1.1 503 "), response);
    BOOST_TEST(contains(response, "Retry-After: 1\r\n"), response);
    BOOST_TEST(contains(response, "Connection: close\r\n"), response);
}

} // namespace

LINKSPAN_CASE_IN(bodies_world, body_that_exceeds_the_limit_of_all_connections_is_refused_and_others_are_served)
{
    make_hold();
    constexpr std::size_t size = 800 * kib;
    co_await begin_call(size, 700 * kib);
    auto& slow = *connections.back();
    check_overload(co_await refusal_of_call(400 * kib));
    BOOST_TEST(co_await refusal_of_call(200 * kib) == ""); // has room
    BOOST_TEST(co_await refusal_of_call(kib) == "");
    BOOST_TEST_REQUIRE(held.size() == 2u);
    co_await slow.write(call_of_size(size).substr(700 * kib));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.size() == 3u); // the refused request has not changed the others
    held[2].complete(tool_output::text("served"));
    auto const served_one = co_await slow.read_until("served");
    BOOST_TEST(contains(served_one, "HTTP/1.1 200"), served_one);
    BOOST_TEST(co_await refusal_of_call(400 * kib) == ""); // the bytes of the response were given back
}

LINKSPAN_CASE_IN(bodies_world, body_counts_until_its_response)
{
    make_hold();
    BOOST_TEST(co_await refusal_of_call(600 * kib) == "");
    auto& first = *connections.back();
    check_overload(co_await refusal_of_call(600 * kib));
    held.at(0).complete(tool_output::text("done"));
    auto const response = co_await first.read_until("done");
    BOOST_TEST(contains(response, "HTTP/1.1 200"), response);
    BOOST_TEST(co_await refusal_of_call(600 * kib) == "");
    co_await first.write(head_of_size(600 * kib) + call_of_size(600 * kib)); // a later request of the connection
    check_overload(co_await first.read_until("\r\n\r\n"));
}

LINKSPAN_CASE_IN(bodies_world, body_that_alone_exceeds_the_limit_of_all_connections_is_too_large)
{
    make_hold();
    auto const response = co_await refusal_of_call(1'001 * kib);
    BOOST_TEST(response.starts_with("HTTP/1.1 413 "), response);
    BOOST_TEST(!contains(response, "Retry-After"), response);
    BOOST_TEST(co_await refusal_of_call(1'000 * kib) == "");
}

LINKSPAN_CASE_IN(bodies_world, body_in_chunks_is_limited_by_the_limit_of_all_connections)
{
    make_hold();
    co_await begin_call(800 * kib, 700 * kib);
    auto& chunked = connect_from();
    co_await chunked.write(stateless_head("tools/call", "\r\nMcp-Name: hold\r\nTransfer-Encoding: chunked") +
                           "\r\n\r\n");
    for (int i = 0; i != 5; ++i)
        co_await chunked.write("19000\r\n" + std::string(100 * kib, ' ') + "\r\n"); // 100 KiB
    check_overload(co_await chunked.read_until("\r\n\r\n"));
}

LINKSPAN_CASE_IN(bodies_world, announced_body_without_room_is_refused_before_the_client_sends_it)
{
    make_hold();
    co_await begin_call(800 * kib, 700 * kib);
    auto& refused = connect_from();
    co_await refused.write(head_of_size(400 * kib, "\r\nExpect: 100-continue"));
    check_overload(co_await refused.read_until("\r\n\r\n"));
    auto& admitted = connect_from();
    co_await admitted.write(head_of_size(200 * kib, "\r\nExpect: 100-continue"));
    auto const interim = co_await admitted.read_until("\r\n\r\n");
    BOOST_TEST(interim.starts_with("HTTP/1.1 100 "), interim);
    BOOST_TEST(co_await refusal_of_call(200 * kib) == ""); // an announcement takes no room
}

LINKSPAN_CASE_IN(bodies_world, body_of_a_lost_or_slow_request_is_not_counted_any_more)
{
    make_hold();
    co_await begin_call(800 * kib, 700 * kib);
    connections.back()->close();
    co_await settle(executor);
    co_await begin_call(800 * kib, 700 * kib);
    check_overload(co_await refusal_of_call(600 * kib));
    co_await pass(executor, serving.limits.body_timeout);
    auto const late = co_await connections.at(1)->read_until("\r\n\r\n");
    BOOST_TEST(late.starts_with("HTTP/1.1 408 "), late);
    BOOST_TEST(co_await refusal_of_call(600 * kib) == "");
}

LINKSPAN_CASE_IN(bodies_world, body_counts_until_its_request_is_over_after_the_connection_was_lost)
{
    for (bool const is_resumable : {true, false}) {
        serving.resumable = is_resumable;
        make_hold();
        auto const session = co_await begin_session(*this);
        std::string const begin =
            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold","arguments":{)";
        auto const call = begin + R"("text":")" + std::string(600 * kib, 'x') + R"("}}})";
        for (bool const is_cancelled : {true, false}) {
            auto& lost = connect_from();
            co_await lost.write(post(session) + "\r\nContent-Length: " + std::to_string(call.size()) + "\r\n\r\n" +
                                call);
            co_await settle(executor);
            BOOST_TEST_REQUIRE(held.size() == 1u);
            lost.close();
            co_await settle(executor);
            BOOST_TEST(!held[0].is_over()); // the client can resume the stream
            check_overload(co_await refusal_of_call(600 * kib));
            if (is_cancelled)
                co_await exchange(post(session),
                                  R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
            else
                held[0].complete(tool_output::text("done"));
            co_await settle(executor);
            held.clear();
            BOOST_TEST(co_await refusal_of_call(600 * kib) == "");
            connections.back()->close(); // cancels the stateless request
            co_await settle(executor);
            held.clear();
            BOOST_TEST(co_await refusal_of_call(600 * kib) == "");
            held[0].complete(tool_output::text("done"));
            co_await settle(executor);
            held.clear();
        }
        connections.clear();
    }
}

LINKSPAN_CASE_IN(bodies_world, bodies_of_64_kib_are_not_counted)
{
    serving.limits.max_all_bodies = 65 * kib;
    make_hold();
    for (int i = 0; i != 10; ++i)
        BOOST_TEST(co_await refusal_of_call(64 * kib) == "");
    BOOST_TEST(co_await refusal_of_call(64 * kib + 1) == "");
    check_overload(co_await refusal_of_call(64 * kib + 1));
}

LINKSPAN_CASE_IN(bodies_world, bodies_are_not_limited_by_zero)
{
    serving.limits.max_all_bodies = 0;
    make_hold();
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(co_await refusal_of_call(1'000 * kib) == "");
}

LINKSPAN_CASE_IN(bodies_world, body_counts_while_its_authentication_is_outstanding)
{
    std::vector<std::function<void(http_admission)>> pending;
    serving.authenticate = [&](http_server_request const&, std::function<void(http_admission)> done) {
        pending.push_back(std::move(done));
    };
    make_hold();
    co_await begin_call(600 * kib, 600 * kib);
    BOOST_TEST_REQUIRE(pending.size() == 1u);
    check_overload(co_await refusal_of_call(600 * kib));
    BOOST_TEST(pending.size() == 1u);
    pending[0]({});
    co_await settle(executor);
    BOOST_TEST(held.size() == 1u);
    pending.clear();
}

LINKSPAN_CASE_IN(bodies_world, bodies_of_one_address_do_not_use_up_the_limit_of_all_connections)
{
    serving.limits.max_bodies_per_address = 500 * kib;
    make_hold();
    co_await begin_call(800 * kib, 400 * kib, "192.0.2.1"); // not complete
    check_overload(co_await refusal_of_call(200 * kib, "192.0.2.1"));
    BOOST_TEST(co_await refusal_of_call(100 * kib, "192.0.2.1") == "");
    BOOST_TEST(co_await refusal_of_call(450 * kib, "192.0.2.2") == "");
    check_overload(co_await refusal_of_call(100 * kib, "192.0.2.3")); // the limit of all connections applies too
    connections.at(0)->close();
    co_await settle(executor);
    BOOST_TEST(co_await refusal_of_call(390 * kib, "192.0.2.1") == "");
}

LINKSPAN_CASE_IN(bodies_world, body_that_alone_exceeds_the_limit_of_an_address_is_too_large)
{
    serving.limits.max_bodies_per_address = 500 * kib;
    make_hold();
    auto const response = co_await refusal_of_call(501 * kib, "192.0.2.1");
    BOOST_TEST(response.starts_with("HTTP/1.1 413 "), response);
    BOOST_TEST(!contains(response, "Retry-After"), response);
    BOOST_TEST(co_await refusal_of_call(501 * kib) == ""); // the address is not known
}

LINKSPAN_CASE_IN(bodies_world, announced_body_without_room_for_its_address_is_refused_before_the_client_sends_it)
{
    serving.limits.max_bodies_per_address = 500 * kib;
    make_hold();
    co_await begin_call(800 * kib, 400 * kib, "192.0.2.1");
    auto& refused = connect_from("192.0.2.1");
    co_await refused.write(head_of_size(200 * kib, "\r\nExpect: 100-continue"));
    check_overload(co_await refused.read_until("\r\n\r\n"));
    auto& admitted = connect_from("192.0.2.2");
    co_await admitted.write(head_of_size(200 * kib, "\r\nExpect: 100-continue"));
    auto const interim = co_await admitted.read_until("\r\n\r\n");
    BOOST_TEST(interim.starts_with("HTTP/1.1 100 "), interim);
}

LINKSPAN_CASE_IN(bodies_world, body_counts_for_its_address_before_its_authentication)
{
    serving.limits.max_bodies_per_address = 500 * kib;
    std::vector<std::function<void(http_admission)>> pending;
    serving.authenticate = [&](http_server_request const&, std::function<void(http_admission)> done) {
        pending.push_back(std::move(done));
    };
    make_hold();
    co_await begin_call(400 * kib, 400 * kib, "192.0.2.1");
    check_overload(co_await refusal_of_call(200 * kib, "192.0.2.1"));
    BOOST_TEST(pending.size() == 1u);
    co_await begin_call(400 * kib, 400 * kib, "192.0.2.2");
    BOOST_TEST(pending.size() == 2u);
    pending.clear();
}

LINKSPAN_CASE_IN(bodies_world, each_limit_of_bodies_applies_if_the_other_is_zero)
{
    serving.limits.max_bodies_per_address = 0;
    make_hold();
    BOOST_TEST(co_await refusal_of_call(900 * kib, "192.0.2.1") == "");
    check_overload(co_await refusal_of_call(200 * kib, "192.0.2.1"));
    connections.clear();
    held.clear();
    serving.limits.max_bodies_per_address = 500 * kib;
    serving.limits.max_all_bodies = 0;
    make_hold();
    for (std::string const address : {"192.0.2.1", "192.0.2.2", "192.0.2.3"}) {
        BOOST_TEST(co_await refusal_of_call(400 * kib, address) == "");
        check_overload(co_await refusal_of_call(200 * kib, address));
    }
}

BOOST_AUTO_TEST_SUITE_END()
