// Hostile clients in large numbers: sessions, request ids, oversized messages and half-open connections. Each of them
// is limited, its memory is bounded, and another client is served meanwhile.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/echo_endpoint.hpp"
#include "support/line_client.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(hostile_numbers_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Bounds, with the objects of the test for the connection: a session needs 2.8 KiB, a connection 24 KiB, one with a
// head of 64 KiB that is too large 408 KiB. At most 20 KiB remain at the end.
constexpr std::int64_t max_session_bytes = 4 * 1024, max_connection_bytes = 32 * 1024,
                       max_large_head_bytes = 512 * 1024, max_rest_bytes = 64 * 1024;

// With a sanitizer, a fifth of the million request ids is sent, because a request takes several times as long.
constexpr std::size_t ids_per_round = 1'000, id_rounds = LINKSPAN_TEST_WITH_SANITIZER ? 200 : 1'000;

// Returns the allocated bytes of the heap, with the overhead of the allocator.
std::int64_t heap_bytes()
{
    auto const now = mallinfo2();
    return static_cast<std::int64_t>(now.uordblks + now.hblkhd);
}

// Checks the growth of the heap since a measurement. A sanitizer has an allocator of its own, which mallinfo2() does
// not measure.
void check_growth_since(std::int64_t before, std::int64_t max, std::string_view of)
{
    auto const growth = heap_bytes() - before;
    BOOST_TEST_MESSAGE(of << ": " << growth << " bytes, at most " << max);
#if LINKSPAN_TEST_WITH_SANITIZER
    std::cout << "skipped: " << of << ": with a sanitizer, the bytes of the heap are not known" << std::endl;
#else
    BOOST_TEST(growth <= max, of << ": " << growth << " bytes, expected at most " << max);
#endif
}

// A server with the tool "echo" over HTTP, with connections of hostile clients.
struct numbers_world : echo_endpoint {
    std::vector<std::unique_ptr<raw_http::client>> hostile;
    std::shared_ptr<line_client> line, other_line;

    raw_http::client& connect(std::string address = {})
    {
        hostile.push_back(std::make_unique<raw_http::client>(executor));
        endpoint->serve(hostile.back()->other(), std::move(address));
        return *hostile.back();
    }

    // Sends a request, and returns the head of the response.
    static asio::awaitable<std::string> ask(raw_http::client& on, std::string head, std::string body)
    {
        co_await on.write(head + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        auto const response = co_await on.read_until("\r\n\r\n");
        co_return response.substr(0, response.find("\r\n\r\n"));
    }

    // Returns the text of a call of another client.
    asio::awaitable<std::string> call_of_other()
    {
        auto const response =
            co_await exchange_with(executor, *endpoint, stateless_head("tools/call", "\r\nMcp-Name: echo"),
                                   stateless_body("tools/call", R"("name":"echo",)"), "}}", "192.0.2.2");
        co_return std::string(contains(response, R"("text":"served")") ? "served" : response);
    }

    void clean_up()
    {
        for (auto const& each : hostile)
            each->close();
        for (auto const& each : {line, other_line})
            if (each)
                each->close();
        line.reset();
        other_line.reset();
        echo_endpoint::clean_up();
        hostile.clear();
    }
};

} // namespace

LINKSPAN_CASE_IN(numbers_world, client_that_begins_10_000_sessions_has_those_of_its_limit)
{
    make_echo();
    auto& greedy = connect("192.0.2.1");
    BOOST_TEST(co_await call_of_other() == "served");
    auto const before = heap_bytes();
    std::size_t begun = 0, refused = 0;
    for (int i = 0; i != 10'000; ++i) {
        auto const response = co_await ask(greedy, post(), std::string(initialize));
        begun += response.starts_with("HTTP/1.1 200 ") ? 1U : 0U;
        refused += response.starts_with("HTTP/1.1 429 ") ? 1U : 0U;
    }
    BOOST_TEST(begun == serving.session_limits.max_per_address);
    BOOST_TEST(refused == 9'000u);
    BOOST_TEST(endpoint->sessions() == 1'000u);
    check_growth_since(before, 1'000 * max_session_bytes, "1,000 sessions and 9,000 refused ones");
    auto const session = co_await exchange_from("192.0.2.2", post(), std::string(initialize));
    BOOST_TEST(contains(session, "HTTP/1.1 200"), session);
    BOOST_TEST(co_await call_of_other() == "served");
    co_await pass(executor, serving.session_limits.idle_timeout + 1s);
    auto const later = co_await exchange_from("192.0.2.1", post(), std::string(initialize));
    BOOST_TEST(contains(later, "HTTP/1.1 200"), later);
    BOOST_TEST(endpoint->sessions() == 1u); // the idle ones have ended
    check_growth_since(before, max_rest_bytes, "the end of the sessions");
}

LINKSPAN_CASE_IN(numbers_world, client_that_begins_10_000_sessions_without_a_limit_of_its_own_leaves_stateless_clients)
{
    serving.session_limits.max_per_address = 0;
    make_echo();
    auto& greedy = connect("192.0.2.1");
    BOOST_TEST(co_await call_of_other() == "served");
    auto const before = heap_bytes();
    for (int i = 0; i != 10'000; ++i)
        co_await ask(greedy, post(), std::string(initialize));
    BOOST_TEST(endpoint->sessions() == 10'000u);
    check_growth_since(before, 10'000 * max_session_bytes, "10,000 sessions");
    auto const refused = co_await ask(greedy, post(), std::string(initialize));
    BOOST_TEST(refused.starts_with("HTTP/1.1 503 "), refused);
    BOOST_TEST(endpoint->sessions() == 10'000u);
    BOOST_TEST(co_await call_of_other() == "served");
}

LINKSPAN_CASE_IN(numbers_world, client_with_a_million_request_ids_is_served_and_leaves_no_requests)
{
    make_echo();
    line = line_client::open(executor, inproc_to(*served));
    other_line = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    std::size_t id = 1'000'000, completed = 0; // all ids have the same length, and all rounds need the same buffers
    std::int64_t after_first = 0;
    for (std::size_t round = 0; round != id_rounds; ++round) {
        for (std::size_t i = 0; i != ids_per_round; ++i)
            line->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id) +
                       R"(,"method":"tools/call","params":{"name":"echo",)"
                       R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                       R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
        co_await settle(executor);
        BOOST_TEST(line->response(std::to_string(id)) != "");
        completed += static_cast<std::size_t>(std::ranges::count_if(
            line->messages, [](auto const& each) { return contains(each, R"("text":"served")"); }));
        line->messages.clear();
        line->is_recorded = false; // the recorder keeps the ids, and all rounds have the same messages
        if (round == 9)
            after_first = heap_bytes(); // the buffers for a round have their final sizes
    }
    BOOST_TEST(completed == id_rounds * ids_per_round);
    BOOST_TEST(served->counters().requests == id_rounds * ids_per_round);
    BOOST_TEST(served->counters().refused == 0u);
    check_growth_since(after_first, max_rest_bytes, "all request ids after the first 10,000");
    auto const of_other = co_await other_line->ask("tools/call", R"("name":"echo")");
    BOOST_TEST(contains(of_other, R"("text":"served")"), of_other);
}

LINKSPAN_CASE_IN(numbers_world, oversized_and_half_open_clients_are_disconnected_and_another_one_is_served)
{
    constexpr std::size_t each_kind = 100;
    make_echo();
    std::vector<raw_http::client*> silent, slow_heads, slow_bodies, large_heads, large_bodies;
    BOOST_TEST(co_await call_of_other() == "served");
    // Connects the clients of a kind, which send the same bytes.
    auto const connect_all = [this](std::vector<raw_http::client*>& clients, std::string bytes, std::int64_t max_bytes,
                                    std::string_view of) -> asio::awaitable<void> {
        auto const before_kind = heap_bytes();
        for (std::size_t i = 0; i != each_kind; ++i) {
            clients.push_back(&connect());
            if (!bytes.empty())
                co_await clients.back()->write(bytes);
        }
        co_await settle(executor);
        check_growth_since(before_kind, static_cast<std::int64_t>(each_kind) * max_bytes, of);
    };
    auto const large_head = post("\r\nX-Large: " + std::string(serving.limits.max_head, 'x'));
    auto const slow_body = post() + "\r\nContent-Length: 100\r\n\r\n{";
    auto const large_body = post() + "\r\nContent-Length: 16777217\r\n\r\n{";
    auto const before = heap_bytes();
    co_await connect_all(silent, "", max_connection_bytes, "silent clients");
    co_await connect_all(slow_heads, "POST /mcp HTTP/1.1\r\nHost: loc", max_connection_bytes, "slow heads");
    co_await connect_all(slow_bodies, slow_body, max_connection_bytes, "slow bodies");
    co_await connect_all(large_heads, large_head, max_large_head_bytes, "large heads");
    co_await connect_all(large_bodies, large_body, max_connection_bytes, "large bodies");
    BOOST_TEST(co_await call_of_other() == "served");
    auto const refused = [](std::vector<raw_http::client*> const& clients,
                            std::string_view status) -> asio::awaitable<std::size_t> {
        std::size_t count = 0;
        for (auto* const each : clients) {
            auto const response = co_await each->read_to_end();
            count += each->has_ended() && response.starts_with(status) ? 1U : 0U;
        }
        co_return count;
    };
    co_await pass(executor, serving.limits.head_timeout + 1s); // a refused connection is read for a second
    BOOST_TEST(co_await refused(large_heads, "HTTP/1.1 431 ") == each_kind);
    BOOST_TEST(co_await refused(large_bodies, "HTTP/1.1 413 ") == each_kind);
    BOOST_TEST(co_await refused(slow_heads, "HTTP/1.1 408 ") == each_kind);
    BOOST_TEST(co_await call_of_other() == "served");
    co_await pass(executor, serving.limits.body_timeout);
    BOOST_TEST(co_await refused(slow_bodies, "HTTP/1.1 408 ") == each_kind);
    co_await pass(executor, serving.limits.idle_timeout);
    BOOST_TEST(co_await refused(silent, "") == each_kind);
    BOOST_TEST(co_await call_of_other() == "served");
    hostile.clear();
    check_growth_since(before, max_rest_bytes, "the end of the connections");
}

LINKSPAN_CASE_IN(numbers_world, client_with_an_oversized_line_is_disconnected_and_another_one_is_served)
{
    make_echo();
    other_line = line_client::open(executor, inproc_to(*served));
    auto const [mine, theirs] = make_memory_pipe();
    error_code ended;
    served->async_serve(any_transport::make<inproc_server>(executor, {theirs}), {},
                        [&ended](error_code ec) { ended = ec; });
    constexpr std::size_t max_line = std::size_t{16} << 20;
    auto const piece = std::string(std::size_t{64} << 10, 'x');
    std::size_t sent = 0;
    for (error_code ec; !ec && sent <= 2 * max_line;) {
        sent += mine.out->write_some(asio::buffer(piece), ec);
        co_await settle(executor);
    }
    BOOST_TEST(sent <= max_line + 4 * piece.size());
    BOOST_TEST((ended == error::line_too_long), ended.message());
    auto const of_other = co_await other_line->ask("tools/call", R"("name":"echo")");
    BOOST_TEST(contains(of_other, R"("text":"served")"), of_other);
    mine.close();
}

BOOST_AUTO_TEST_SUITE_END()
