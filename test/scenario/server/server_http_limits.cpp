// Limits of a server over HTTP: memory, connections and requests that one client can use.

#include <linkspan/http/server/http_service.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/server/http_backend.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/holding_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_limits_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Returns the URI of a resource, of 1,000 bytes.
std::string long_uri(char name) { return "file:///" + std::string(992, name); }

// Sends three changes to a session without a stream, and returns what the stream of the session receives afterwards.
asio::awaitable<std::string> changes_without_a_stream(endpoint_world& world)
{
    auto& own = world.make_endpoint(protocol_version::v2025_11_25);
    for (char const name : {'a', 'b', 'c'})
        own.add(resource{.uri = long_uri(name), .name = std::string(1, name)}, [](server_request) {});
    auto const session = co_await begin_session(world);
    co_await world.exchange(post(session), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (char const name : {'a', 'b', 'c'})
        co_await world.exchange(post(session),
                                R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":")" +
                                    long_uri(name) + R"("}})");
    for (char const name : {'a', 'b', 'c'}) {
        own.resource_updated(long_uri(name));
        co_await settle(world.executor);
    }
    raw_http::client stream(world.executor);
    world.endpoint->serve(stream.other());
    co_await stream.write(get_stream(session));
    auto const received = co_await stream.read_until("cccc");
    stream.close();
    co_await settle(world.executor);
    co_return received;
}

// An endpoint with connections from addresses.
struct addresses_world : holding_endpoint {
    // Sends a stateless call of "hold".
    asio::awaitable<void> call_hold(raw_http::client& on, std::string more = {})
    {
        auto const body = stateless_body("tools/call", R"("name":"hold",)");
        co_await on.write(stateless_head("tools/call", "\r\nMcp-Name: hold" + more) +
                          "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
    }

    // Sends a call of "hold" from an address, and returns the status of a refusal; empty: the request is outstanding.
    asio::awaitable<std::string> status_of_hold(std::string address, std::string more = {})
    {
        auto const before = held.size();
        auto& on = connect_from(std::move(address));
        co_await call_hold(on, std::move(more));
        if (held.size() == before + 1)
            co_return "";
        co_return co_await status_of_refusal(on);
    }

    // Begins a session from an address, and returns the headers of its requests.
    asio::awaitable<std::string> begin_session_from(std::string address, std::string version = "2025-11-25")
    {
        auto body = std::string(initialize);
        body.replace(body.find("2025-11-25"), version.size(), version);
        auto const begun = co_await exchange_from(std::move(address), post(), std::move(body));
        BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
        co_return "\r\nMCP-Protocol-Version: " + version + "\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
    }

    // Sends calls of "hold" in a session, and returns the status of a refusal; empty: the calls are outstanding.
    asio::awaitable<std::string> status_of_post(std::string session, std::string body)
    {
        auto const before = held.size();
        auto& on = connect_from();
        auto const head = post(session) + "\r\nContent-Length: ";
        co_await on.write(head + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
        if (held.size() != before)
            co_return "";
        co_return co_await status_of_refusal(on);
    }

    asio::awaitable<std::string> status_of_call(std::string session)
    {
        return status_of_post(std::move(session), call_of_hold(++calls));
    }

    // Returns the status of a notification.
    asio::awaitable<std::string> status_of_notification(std::string session, std::string members)
    {
        auto const response =
            co_await exchange(post(session), R"({"jsonrpc":"2.0","method":"notifications/)" + members + "}");
        co_return response.substr(std::string_view("HTTP/1.1 ").size(), 3);
    }

    static std::string call_of_hold(int id)
    {
        return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":"hold"}})";
    }

    // Completes a request of "hold".
    asio::awaitable<void> complete_held(std::size_t which)
    {
        held.at(which).complete(tool_output::text("done"));
        co_await settle(executor);
    }

    int calls = 100; // id of the last call in a session

private:
    asio::awaitable<std::string> status_of_refusal(raw_http::client& on)
    {
        auto const response = co_await on.read_until("\r\n\r\n");
        BOOST_TEST(contains(response, "Retry-After: 1\r\n"), response);
        co_return response.substr(std::string_view("HTTP/1.1 ").size(), 3);
    }
};

// Takes the principal from the header Authorization; a request without it is anonymous.
void admit_by_header(http_server_request const& request, std::function<void(http_admission)> done)
{
    http_admission admission;
    admission.principal = request.header("Authorization");
    done(admission);
}

} // namespace

LINKSPAN_CASE_IN(endpoint_world, messages_that_wait_for_a_stream_are_limited_by_bytes)
{
    for (bool const is_resumable : {true, false}) {
        serving.resumable = is_resumable;
        serving.session_limits.max_waiting_bytes = 2'999; // the messages have more than 1,000 bytes each
        auto const limited = co_await changes_without_a_stream(*this);
        BOOST_TEST(!contains(limited, long_uri('a')));
        BOOST_TEST(contains(limited, long_uri('b')));
        BOOST_TEST(contains(limited, long_uri('c')));
        serving.session_limits.max_waiting_bytes = 4'000;
        auto const all = co_await changes_without_a_stream(*this);
        BOOST_TEST(contains(all, long_uri('a')));
    }
}

LINKSPAN_CASE_IN(endpoint_world, messages_that_wait_for_a_stream_are_limited_by_number)
{
    serving.session_limits.resume.max_events = 2;
    auto const limited = co_await changes_without_a_stream(*this);
    BOOST_TEST(!contains(limited, long_uri('a')));
    BOOST_TEST(contains(limited, long_uri('b')));
    BOOST_TEST(contains(limited, long_uri('c')));
}

LINKSPAN_CASE_IN(endpoint_world, discarded_requests_of_the_server_fail_at_once)
{
    serving.session_limits.resume.max_events = 2;
    std::optional<client_session> kept;
    make_endpoint(protocol_version::v2025_11_25).add(any_tool("keep"), [&](server_request request) {
        kept.emplace(request.session());
        request.complete(tool_output::text("kept"));
    });
    auto const session = co_await begin_session(*this);
    co_await exchange(post(session), R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"keep"}})");
    BOOST_TEST_REQUIRE(kept.has_value());
    std::vector<std::pair<int, error_code>> ended;
    for (int i = 0; i != 3; ++i)
        kept->async_request("own/slow", raw_json("{}"), 60s,
                            [&ended, i](error_code ec, std::string const&) { ended.emplace_back(i, ec); });
    BOOST_TEST(ended.empty()); // never inside the initiating function
    co_await settle(executor);
    BOOST_TEST_REQUIRE(ended.size() == 1u);
    BOOST_TEST(ended[0].first == 0);
    BOOST_TEST((ended[0].second == error::input_refused));
    co_await pass(executor, 60s);
    BOOST_TEST(ended.size() == 3u);
}

LINKSPAN_CASE_IN(addresses_world, connections_of_an_address_are_limited)
{
    serving.max_connections_per_address = 2;
    make_hold();
    auto& first = connect_from("192.0.2.1");
    connect_from("192.0.2.1");
    auto& third = connect_from("192.0.2.1");
    BOOST_TEST(co_await third.read_to_end() == "");
    BOOST_TEST(third.has_ended());
    auto const head = stateless_head("server/discover");
    auto const body = stateless_body("server/discover", "");
    BOOST_TEST(contains(co_await exchange_from("192.0.2.2", head, body), "HTTP/1.1 200"));
    for (int i = 0; i != 3; ++i)
        connect_from("");
    BOOST_TEST(contains(co_await exchange(head, body), "HTTP/1.1 200")); // no limit without an address
    first.close();
    co_await settle(executor);
    BOOST_TEST(contains(co_await exchange_from("192.0.2.1", head, body), "HTTP/1.1 200"));
}

LINKSPAN_CASE_IN(addresses_world, connections_of_an_address_are_not_limited_by_zero)
{
    serving.max_connections_per_address = 0;
    make_hold();
    for (int i = 0; i != 3; ++i)
        connect_from("192.0.2.1");
    auto const response =
        co_await exchange_from("192.0.2.1", stateless_head("server/discover"), stateless_body("server/discover", ""));
    BOOST_TEST(contains(response, "HTTP/1.1 200"), response);
}

LINKSPAN_CASE_IN(addresses_world, sessions_of_anonymous_clients_of_an_address_are_limited)
{
    serving.session_limits.max_per_address = 1;
    serving.authenticate = admit_by_header;
    make_hold();
    auto const body = std::string(initialize);
    auto const first = co_await exchange_from("192.0.2.1", post(), body);
    BOOST_TEST(contains(first, "HTTP/1.1 200"), first);
    auto const second = co_await exchange_from("192.0.2.1", post(), body);
    BOOST_TEST(contains(second, "HTTP/1.1 429"), second);
    auto const other = co_await exchange_from("192.0.2.2", post(), body);
    BOOST_TEST(contains(other, "HTTP/1.1 200"), other);
    for (int i = 0; i != 2; ++i) {
        auto const unknown = co_await exchange_from("", post(), body);
        BOOST_TEST(contains(unknown, "HTTP/1.1 200"), unknown);
        auto const principal = co_await exchange_from("192.0.2.1", post("\r\nAuthorization: ada"), body);
        BOOST_TEST(contains(principal, "HTTP/1.1 200"), principal);
    }
    auto const ended = co_await exchange(
        "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: " + header(first, "Mcp-Session-Id"), "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    auto const third = co_await exchange_from("192.0.2.1", post(), body);
    BOOST_TEST(contains(third, "HTTP/1.1 200"), third);
}

LINKSPAN_CASE_IN(addresses_world, sessions_of_an_address_are_not_limited_by_zero)
{
    serving.session_limits.max_per_address = 0;
    make_hold();
    for (int i = 0; i != 2; ++i) {
        auto const begun = co_await exchange_from("192.0.2.1", post(), std::string(initialize));
        BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
    }
}

LINKSPAN_CASE_IN(addresses_world, stateless_requests_of_anonymous_clients_of_an_address_are_limited)
{
    serving.max_requests_per_principal = 2;
    make_hold();
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "");
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "");
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "429");
    auto& refused = *connections.back();
    BOOST_TEST(co_await status_of_hold("192.0.2.2") == "");
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(co_await status_of_hold("") == ""); // no limit without an address
    held.at(0).complete(tool_output::text("done"));
    co_await settle(executor);
    co_await call_hold(refused); // on the same connection
    BOOST_TEST(held.size() == 7u);
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "429");
    connections.at(1)->close(); // cancels its request
    co_await settle(executor);
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "");
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == "429");
}

LINKSPAN_CASE_IN(addresses_world, stateless_requests_of_a_principal_are_limited)
{
    serving.max_requests_per_principal = 1;
    serving.authenticate = admit_by_header;
    make_hold();
    std::string const ada = "\r\nAuthorization: ada", eve = "\r\nAuthorization: eve";
    BOOST_TEST(co_await status_of_hold("192.0.2.1", ada) == "");
    BOOST_TEST(co_await status_of_hold("192.0.2.2", ada) == "429");
    auto& shared = *connections.back();
    BOOST_TEST(co_await status_of_hold("", ada) == "429");
    BOOST_TEST(co_await status_of_hold("192.0.2.1", eve) == "");
    BOOST_TEST(co_await status_of_hold("192.0.2.1") == ""); // anonymous
    held.at(1).complete(tool_output::text("done"));
    co_await settle(executor);
    co_await call_hold(shared, eve); // a connection may carry requests of several principals
    BOOST_TEST(held.size() == 4u);
    BOOST_TEST(co_await status_of_hold("192.0.2.1", eve) == "429");
    BOOST_TEST(co_await status_of_hold("192.0.2.1", ada) == "429");
}

LINKSPAN_CASE_IN(addresses_world, requests_of_all_sessions_of_an_address_are_limited)
{
    for (bool const is_resumable : {true, false}) {
        serving.max_requests_per_principal = 2;
        serving.resumable = is_resumable;
        make_hold();
        held.clear();
        auto const first = co_await begin_session_from("192.0.2.1");
        auto const second = co_await begin_session_from("192.0.2.1");
        auto const other = co_await begin_session_from("192.0.2.2");
        BOOST_TEST(co_await status_of_call(first) == "");
        BOOST_TEST(co_await status_of_call(second) == "");
        BOOST_TEST(co_await status_of_call(second) == "429");
        BOOST_TEST(co_await status_of_hold("192.0.2.1") == "429"); // the limit is a common one
        BOOST_TEST(co_await status_of_call(other) == "");
        auto const refused = co_await exchange_from("192.0.2.1", post(), std::string(initialize));
        BOOST_TEST(contains(refused, "HTTP/1.1 429"), refused);
        BOOST_TEST(endpoint->sessions() == 3u);
        BOOST_TEST(co_await status_of_notification(first, R"(initialized")") == "202");
        for (auto const& each : connections)
            each->close();
        co_await settle(executor);
        BOOST_TEST(co_await status_of_call(second) == "429"); // the requests continue without their connections
        co_await complete_held(0);
        BOOST_TEST(co_await status_of_call(second) == "");
        BOOST_TEST(co_await status_of_call(second) == "429");
        co_await complete_held(1);
        co_await complete_held(3);
        BOOST_TEST(co_await status_of_hold("192.0.2.1") == "");
        BOOST_TEST(co_await status_of_call(first) == "");
        BOOST_TEST(co_await status_of_call(first) == "429");
    }
}

LINKSPAN_CASE_IN(addresses_world, requests_of_a_session_are_counted_until_they_are_cancelled_or_the_session_ends)
{
    serving.max_requests_per_principal = 1;
    for (bool const is_lost : {false, true}) {
        make_hold();
        held.clear();
        auto const first = co_await begin_session_from("192.0.2.1");
        BOOST_TEST(co_await status_of_call(first) == "");
        if (is_lost)
            connections.back()->close();
        BOOST_TEST(co_await status_of_notification(first, R"(cancelled","params":{"requestId":)" +
                                                              std::to_string(calls) + "}") == "202");
        BOOST_TEST(held.at(0).is_over());
        auto const second = co_await begin_session_from("192.0.2.1");
        BOOST_TEST(co_await status_of_call(second) == "");
        BOOST_TEST(co_await status_of_call(first) == "429");
        auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + second, "");
        BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
        BOOST_TEST(held.at(1).is_over());
        BOOST_TEST(co_await status_of_call(first) == "");
        BOOST_TEST(co_await status_of_call(first) == "429");
    }
}

LINKSPAN_CASE_IN(addresses_world, batch_counts_its_requests)
{
    serving.max_requests_per_principal = 3;
    make_hold();
    auto const session = co_await begin_session_from("192.0.2.1", "2025-03-26");
    std::string const note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
    auto const two = "[" + call_of_hold(2) + "," + note + "," + call_of_hold(3) + "]";
    auto const others = "[" + call_of_hold(4) + "," + call_of_hold(5) + "]";
    BOOST_TEST(co_await status_of_post(session, two) == "");
    BOOST_TEST(held.size() == 2u);
    BOOST_TEST(co_await status_of_post(session, others) == "429");
    BOOST_TEST(co_await status_of_call(session) == "");
    auto const noted = co_await exchange(post(session), "[" + note + "," + note + "]");
    BOOST_TEST(contains(noted, "HTTP/1.1 202"), noted);
    co_await complete_held(0);
    BOOST_TEST(co_await status_of_post(session, others) == "429");
    co_await complete_held(1);
    BOOST_TEST(co_await status_of_post(session, others) == "");
    BOOST_TEST(co_await status_of_call(session) == "429");
}

LINKSPAN_CASE_IN(addresses_world, batch_with_more_requests_than_the_limit_is_invalid)
{
    serving.max_requests_per_principal = 1;
    make_hold();
    auto const session = co_await begin_session_from("192.0.2.1", "2025-03-26");
    auto const refused = co_await exchange(post(session), "[" + call_of_hold(2) + "," + call_of_hold(3) + "]");
    BOOST_TEST(contains(refused, "HTTP/1.1 400"), refused);
    BOOST_TEST(contains(refused, "too many requests"), refused);
    BOOST_TEST(!contains(refused, "Retry-After"), refused);
    BOOST_TEST(held.empty());
}

LINKSPAN_CASE_IN(addresses_world, array_in_a_batch_is_invalid_and_starts_no_request)
{
    serving.max_requests_per_principal = 2;
    make_hold();
    auto const session = co_await begin_session_from("192.0.2.1", "2025-03-26");
    BOOST_TEST(co_await status_of_call(session) == "");
    auto const nested = "[[" + call_of_hold(2) + "," + call_of_hold(3) + "]]";
    auto const refused = co_await exchange(post(session), nested);
    BOOST_TEST(contains(refused, "HTTP/1.1 400"), refused);
    BOOST_TEST(contains(refused, "an array in a batch"), refused);
    BOOST_TEST(held.size() == 1u);
    BOOST_TEST(co_await status_of_call(session) == "");
    BOOST_TEST(co_await status_of_call(session) == "429");
}

namespace {

// The same server as the backend of a service without sessions.
struct sessionless_world : addresses_world {
    std::optional<http_backend> backend;
    std::optional<http_service> service;

    void make_service(std::size_t max_requests)
    {
        make_hold();
        http_service_options without;
        without.sessions = false;
        without.client_limits.max_requests_per_principal = max_requests;
        backend.emplace(*served);
        service.emplace(executor, *backend, std::move(without));
    }

    // Sends a message from an address, and returns the connection.
    asio::awaitable<raw_http::client*> send_from(std::string address, std::string body)
    {
        connections.push_back(std::make_unique<raw_http::client>(executor));
        auto* const on = connections.back().get();
        service->listener().serve(on->other(), std::move(address));
        auto const head = post("\r\nMCP-Protocol-Version: 2025-11-25") + "\r\nContent-Length: ";
        co_await on->write(head + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
        co_return on;
    }

    void clean_up()
    {
        held.clear();
        service.reset();
        addresses_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(sessionless_world, requests_without_a_session_are_limited_by_address)
{
    make_service(1);
    co_await send_from("192.0.2.1", call_of_hold(2));
    BOOST_TEST(held.size() == 1u);
    connections.back()->close();
    co_await settle(executor);
    for (auto const& body : {call_of_hold(3), std::string(initialize)}) {
        auto const refused = co_await (co_await send_from("192.0.2.1", body))->read_until("\r\n\r\n");
        BOOST_TEST(contains(refused, "HTTP/1.1 429"), refused);
    }
    co_await send_from("192.0.2.2", call_of_hold(2)); // the same id is an error in one client
    BOOST_TEST(held.size() == 2u);
    co_await complete_held(0);
    for (int i = 0; i != 2; ++i) { // a handshake is counted until its response
        auto const begun = co_await (co_await send_from("192.0.2.1", std::string(initialize)))->read_until("\r\n\r\n");
        BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
    }
    co_await send_from("192.0.2.1", call_of_hold(2));
    BOOST_TEST(held.size() == 3u);
}

namespace {

// A server that receives nothing, and does not respond.
struct silent_backend final : http_service_backend {
    std::vector<protocol_version> versions{protocol_version::v2025_11_25};
    std::vector<any_transport> transports;

    std::vector<protocol_version> const& protocol_versions() const override { return versions; }
    mirrored_arguments const* mirrored(std::string_view) override { return nullptr; }
    bool reuses_clients() const noexcept override { return false; }
    bool intercept(http_server_request const&, http_exchange) override { return false; }

    bool on_client(http_client client) override
    {
        transports.push_back(std::move(client.transport));
        return true;
    }
};

} // namespace

LINKSPAN_CASE_IN(addresses_world, requests_of_an_ended_session_are_not_counted_if_the_server_does_not_respond)
{
    silent_backend silent;
    http_service_options limited;
    limited.client_limits.max_requests_per_principal = 1;
    http_service service(executor, silent, std::move(limited));
    auto const initialize_from = [&]() -> raw_http::client& {
        connections.push_back(std::make_unique<raw_http::client>(executor));
        service.listener().serve(connections.back()->other(), "192.0.2.1");
        return *connections.back();
    };
    auto const request =
        post() + "\r\nContent-Length: " + std::to_string(initialize.size()) + "\r\n\r\n" + std::string(initialize);
    auto& first = initialize_from();
    co_await first.write(request);
    co_await settle(executor);
    BOOST_TEST(service.sessions() == 1u);
    auto& refused = initialize_from();
    co_await refused.write(request);
    BOOST_TEST(contains(co_await refused.read_until("\r\n\r\n"), "HTTP/1.1 429"));
    service.discard_sessions();
    co_await settle(executor);
    BOOST_TEST(service.sessions() == 0u);
    auto& again = initialize_from();
    co_await again.write(request);
    co_await settle(executor);
    BOOST_TEST(service.sessions() == 1u);
    for (auto const& each : connections)
        each->close();
    co_await settle(executor);
}

namespace {

// A receive operation of the server.
struct one_receive final : receive_op {
    std::optional<error_code> received;

    void on_received(error_code ec, std::span<inbound const>) override { received = ec; }
};

} // namespace

// The clients with outstanding requests are kept.
LINKSPAN_CASE_IN(addresses_world, oldest_idle_client_without_a_session_is_forgotten_when_there_are_too_many)
{
    constexpr std::size_t max_clients = 1'024;
    silent_backend silent;
    http_service_options without;
    without.sessions = false;
    http_service service(executor, silent, std::move(without));
    std::string const note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
    auto const head = post("\r\nMCP-Protocol-Version: 2025-11-25") + "\r\nContent-Length: ";
    for (std::size_t i = 0; i != max_clients + 1; ++i) {
        auto const body = i == 0 ? call_of_hold(2) : note;
        connections.push_back(std::make_unique<raw_http::client>(executor));
        service.listener().serve(connections.back()->other(), "client " + std::to_string(i));
        co_await connections.back()->write(head + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
    }
    BOOST_TEST_REQUIRE(silent.transports.size() == max_clients + 1);
    for (std::size_t i = 0; i != 3; ++i) {
        auto const waiting = std::make_shared<one_receive>();
        silent.transports[i].receive(waiting);
        co_await settle(executor);
        auto const expected = i == 1 ? error_code(asio::error::eof) : error_code();
        BOOST_TEST_CONTEXT("client " << i)
            BOOST_TEST((waiting->received == expected));
    }
    for (auto const& each : connections)
        each->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(addresses_world, stateless_requests_are_not_limited_by_zero)
{
    serving.max_requests_per_principal = 0;
    make_hold();
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(co_await status_of_hold("192.0.2.1") == "");
}

namespace {

// Sends log messages of 64 KiB on the stream of a request, until it is over or a maximum number was sent. Returns the
// number of the messages.
asio::awaitable<int> send_until_over(asio::any_io_executor executor, server_request& request, int max_messages)
{
    auto const text = '"' + std::string(std::size_t{64} << 10, 'x') + '"';
    int sent = 0;
    for (; sent != max_messages && !request.is_over(); ++sent) {
        request.log(log_level::info, raw_json(text));
        co_await settle(executor);
    }
    co_return sent;
}

} // namespace

LINKSPAN_CASE_IN(addresses_world, client_that_does_not_read_a_response_is_disconnected_at_the_limit)
{
    serving.limits.max_queued = std::size_t{256} << 10;
    make_hold();
    auto& slow = connect_from("");
    auto const logged = stateless_body("tools/call", R"("name":"hold",)");
    std::string const level = R"("_meta":{"io.modelcontextprotocol/logLevel":"info",)";
    auto body = logged;
    body.replace(body.find(R"("_meta":{)"), std::string_view(R"("_meta":{)").size(), level);
    co_await slow.write(stateless_head("tools/call", "\r\nMcp-Name: hold") +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.size() == 1u);
    auto const sent = co_await send_until_over(executor, held[0], 100);
    BOOST_TEST(sent >= 5); // 128 KiB are in the pipe and in the outstanding write, 256 KiB are queued
    BOOST_TEST(sent <= 7);
    BOOST_TEST(held[0].is_over()); // the request of a lost connection is cancelled
    BOOST_TEST(served->counters().cancelled == 1u);
    auto const received = co_await slow.read_to_end();
    BOOST_TEST(slow.has_ended());
    BOOST_TEST(!contains(received, "0\r\n\r\n"));
    BOOST_TEST(co_await status_of_hold("") == ""); // another client is served
    held.back().complete(tool_output::text("done"));
    auto const other = co_await connections.back()->read_until("done");
    BOOST_TEST(contains(other, "HTTP/1.1 200"), other);
}

LINKSPAN_CASE_IN(endpoint_world, client_that_does_not_read_the_stream_of_its_session_is_disconnected_at_the_limit)
{
    serving.limits.max_queued = std::size_t{64} << 10;
    auto& own = make_endpoint(protocol_version::v2025_11_25);
    own.add(resource{.uri = long_uri('a'), .name = "a"}, [](server_request) {});
    auto const session = co_await begin_session(*this);
    auto const other_session = co_await begin_session(*this);
    for (auto const& each : {session, other_session}) {
        co_await exchange(post(each), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        auto const subscribed = co_await exchange(
            post(each),
            R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":")" + long_uri('a') + R"("}})");
        BOOST_TEST(contains(subscribed, "HTTP/1.1 200"), subscribed);
    }
    raw_http::client slow(executor), other(executor);
    endpoint->serve(slow.other());
    endpoint->serve(other.other());
    co_await slow.write(get_stream(session));
    co_await other.write(get_stream(other_session));
    co_await settle(executor);
    BOOST_TEST(endpoint->sessions() == 2u);
    std::size_t updates = 0;
    for (int i = 0; i != 300; ++i) {
        own.resource_updated(long_uri('a'));
        auto const received = co_await other.read_until("aaa\"}}\n");
        updates += contains(received, "notifications/resources/updated") ? 1U : 0U;
    }
    BOOST_TEST(updates == 300u); // the other client has received each one
    auto const received = co_await slow.read_to_end();
    BOOST_TEST(slow.has_ended());
    BOOST_TEST(received.size() < std::size_t{256} << 10);
    auto const again = co_await exchange(post(session), R"({"jsonrpc":"2.0","id":3,"method":"ping"})", "}");
    BOOST_TEST(contains(again, "HTTP/1.1 200"), again); // the session remains, so that the client can resume
    other.close();
    co_await settle(executor);
}

BOOST_AUTO_TEST_SUITE_END()
