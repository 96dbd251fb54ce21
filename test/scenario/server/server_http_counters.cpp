// The counters of a server over HTTP.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/holding_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_counters_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kib = 1024;

// Returns the sum of all refused requests.
std::uint64_t refusals(http_counters const& of)
{
    return of.invalid + of.forbidden + of.unauthenticated + of.over_limit + of.refused;
}

struct counters_world : holding_endpoint {
    // Sends bytes on a connection of its own, and returns the status of the response.
    asio::awaitable<std::string> status_of(std::string bytes)
    {
        auto& on = connect_from();
        co_await on.write(std::move(bytes));
        auto const response = co_await on.read_until("\r\n\r\n");
        on.close();
        co_await settle(executor);
        co_return response.substr(std::string_view("HTTP/1.1 ").size(), 3);
    }

    // Returns the status of a stateless request with further header lines.
    asio::awaitable<std::string> status_of_discover(std::string more = {})
    {
        auto const body = stateless_body("server/discover", "");
        return status_of(stateless_head("server/discover", more) +
                         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
};

} // namespace

LINKSPAN_CASE_IN(counters_world, connections_are_counted)
{
    serving.max_connections_per_address = 2;
    make_hold();
    BOOST_TEST(endpoint->counters().connections == 0u);
    connect_from("192.0.2.1");
    connect_from("192.0.2.1");
    connect_from("192.0.2.1");
    connect_from("192.0.2.2");
    auto const counted = endpoint->counters();
    BOOST_TEST(counted.connections == 3u);
    BOOST_TEST(counted.accepted == 4u);
    BOOST_TEST(counted.refused_connections == 1u);
    connections[0]->close();
    co_await settle(executor);
    BOOST_TEST(endpoint->counters().connections == 2u);
    BOOST_TEST(endpoint->counters().accepted == 4u);
    BOOST_TEST(endpoint->counters().unread_connections == 0u);
}

LINKSPAN_CASE_IN(counters_world, connections_whose_clients_do_not_read_are_counted)
{
    serving.limits.max_queued = 400 * kib;
    serving.limits.max_all_queued = 500 * kib;
    make_hold();
    auto const respond = [this](std::size_t size) -> asio::awaitable<void> {
        auto const body = stateless_body("tools/call", R"("name":"hold",)");
        co_await connect_from().write(stateless_head("tools/call", "\r\nMcp-Name: hold") +
                                      "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
        held.back().complete(tool_output::text(std::string(size, 'x')));
        held.pop_back();
        co_await settle(executor);
    };
    co_await respond(200 * kib);
    BOOST_TEST(endpoint->counters().unread_connections == 0u);
    co_await respond(401 * kib); // exceeds max_queued
    BOOST_TEST(endpoint->counters().unread_connections == 1u);
    co_await respond(390 * kib); // exceeds max_all_queued
    BOOST_TEST(endpoint->counters().unread_connections == 2u);
    BOOST_TEST(endpoint->counters().connections == 1u);
    co_await pass(executor, serving.limits.write_timeout);
    BOOST_TEST(endpoint->counters().unread_connections == 3u);
    BOOST_TEST(endpoint->counters().connections == 0u);
}

LINKSPAN_CASE_IN(counters_world, accepted_requests_are_counted)
{
    make_hold();
    BOOST_TEST(co_await status_of_discover() == "200");
    BOOST_TEST(endpoint->counters().requests == 1u);
    co_await begin_session(*this);
    BOOST_TEST(endpoint->counters().requests == 2u);
    BOOST_TEST(refusals(endpoint->counters()) == 0u);
}

LINKSPAN_CASE_IN(counters_world, invalid_requests_are_counted)
{
    serving.limits.max_body = 100;
    serving.limits.max_head = 1'000;
    make_hold();
    BOOST_TEST(co_await status_of("no HTTP\r\n\r\n") == "400");
    BOOST_TEST(endpoint->counters().invalid == 1u);
    BOOST_TEST(co_await status_of(post() + "\r\nContent-Length: 101\r\n\r\n") == "413");
    BOOST_TEST(co_await status_of(post("\r\nX: " + std::string(1'000, 'x')) + "\r\n\r\n") == "431");
    BOOST_TEST(endpoint->counters().invalid == 3u);
    auto& slow = connect_from();
    co_await slow.write("POST ");
    co_await pass(executor, serving.limits.head_timeout);
    auto const late = co_await slow.read_until("\r\n\r\n");
    BOOST_TEST(late.starts_with("HTTP/1.1 408 "), late);
    BOOST_TEST(endpoint->counters().invalid == 4u);
    BOOST_TEST(refusals(endpoint->counters()) == 4u);
    BOOST_TEST(endpoint->counters().requests == 0u);
}

LINKSPAN_CASE_IN(counters_world, requests_of_forbidden_origins_are_counted)
{
    for (bool const is_authenticated : {false, true}) {
        if (is_authenticated)
            serving.authenticate = [](http_server_request const&, std::function<void(http_admission)> done) {
                done({});
            };
        make_hold();
        BOOST_TEST(co_await status_of_discover("\r\nOrigin: https://evil.example") == "403");
        BOOST_TEST(endpoint->counters().forbidden == 1u);
        BOOST_TEST(refusals(endpoint->counters()) == 1u);
        BOOST_TEST(endpoint->counters().requests == 1u);
        connections.clear();
    }
}

LINKSPAN_CASE_IN(counters_world, requests_that_are_not_authenticated_are_counted)
{
    std::vector<std::function<void(http_admission)>> pending;
    serving.authenticate = [&](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        if (request.header("Authorization") == "throw")
            throw std::runtime_error("no key");
        if (request.header("Authorization") == "later")
            return pending.push_back(std::move(done));
        admission.status = request.header("Authorization") == "expired" ? 401 : 403;
        done(admission);
    };
    make_hold();
    BOOST_TEST(co_await status_of_discover("\r\nAuthorization: expired") == "401");
    BOOST_TEST(endpoint->counters().unauthenticated == 1u);
    BOOST_TEST(co_await status_of_discover() == "403");
    BOOST_TEST(endpoint->counters().unauthenticated == 2u);
    BOOST_TEST(co_await status_of_discover("\r\nAuthorization: throw") == "500");
    BOOST_TEST(endpoint->counters().unauthenticated == 3u);
    BOOST_TEST(refusals(endpoint->counters()) == 3u);
    BOOST_TEST(co_await status_of_discover("\r\nAuthorization: later") == "503"); // no result in time
    BOOST_TEST(endpoint->counters().over_limit == 1u);
    BOOST_TEST(refusals(endpoint->counters()) == 4u);
    pending.clear();
}

LINKSPAN_CASE_IN(counters_world, requests_beyond_a_limit_are_counted)
{
    serving.max_requests_per_principal = 1;
    serving.session_limits.max_sessions = 1;
    serving.limits.max_all_bodies = 100 * kib;
    make_hold();
    auto const body = stateless_body("tools/call", R"("name":"hold",)");
    auto const call = stateless_head("tools/call", "\r\nMcp-Name: hold") +
                      "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    co_await connect_from("192.0.2.1").write(call);
    co_await settle(executor);
    auto& second = connect_from("192.0.2.1");
    co_await second.write(call);
    auto const refused = co_await second.read_until("\r\n\r\n");
    BOOST_TEST(refused.starts_with("HTTP/1.1 429 "), refused);
    BOOST_TEST(endpoint->counters().over_limit == 1u);
    co_await begin_session(*this);
    auto const begun = std::string(initialize);
    BOOST_TEST(co_await status_of(post() + "\r\nContent-Length: " + std::to_string(begun.size()) + "\r\n\r\n" +
                                  begun) == "503");
    BOOST_TEST(endpoint->counters().over_limit == 2u);
    auto& large = connect_from();
    co_await large.write(post() + "\r\nContent-Length: 90000\r\n\r\n" + std::string(80'000, ' '));
    co_await settle(executor);
    BOOST_TEST(co_await status_of(post() + "\r\nContent-Length: 90000\r\n\r\n" + std::string(80'000, ' ')) == "503");
    BOOST_TEST(endpoint->counters().over_limit == 3u);
    BOOST_TEST(refusals(endpoint->counters()) == 3u);
    BOOST_TEST(endpoint->counters().requests == 4u); // the request with the large body is not complete
}

LINKSPAN_CASE_IN(counters_world, other_refusals_are_counted)
{
    make_hold();
    auto const session = co_await begin_session(*this);
    BOOST_TEST(co_await status_of("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n") == "404");
    BOOST_TEST(endpoint->counters().refused == 1u);
    BOOST_TEST(co_await status_of("PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n") == "405");
    BOOST_TEST(endpoint->counters().refused == 2u);
    BOOST_TEST(co_await status_of(get_stream(session + "\r\nLast-Event-ID: 9-9")) == "400");
    BOOST_TEST(endpoint->counters().refused == 3u);
    auto& stream = connect_from();
    co_await stream.write(get_stream(session));
    co_await settle(executor);
    BOOST_TEST(co_await status_of(get_stream(session)) == "409");
    BOOST_TEST(endpoint->counters().refused == 4u);
    BOOST_TEST(refusals(endpoint->counters()) == 4u);
}

LINKSPAN_CASE_IN(counters_world, sessions_are_counted)
{
    serving.session_limits.idle_timeout = 8min;
    make_hold();
    auto const ended = co_await begin_session(*this);
    co_await begin_session(*this);
    co_await begin_session(*this);
    BOOST_TEST(endpoint->counters().sessions == 3u);
    BOOST_TEST(endpoint->counters().sessions_begun == 3u);
    co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + ended, "");
    BOOST_TEST(endpoint->counters().sessions == 2u);
    BOOST_TEST(endpoint->counters().sessions_idle == 0u);
    co_await pass(executor, 9min + 1s);
    BOOST_TEST(endpoint->counters().sessions == 0u);
    BOOST_TEST(endpoint->counters().sessions_begun == 3u);
    BOOST_TEST(endpoint->counters().sessions_idle == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
