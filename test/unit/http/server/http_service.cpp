// Failing allocations in the requests of `http_service`, with connections and a server that perform no I/O.

#include <linkspan/http/server/http_service.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/quiet_connection.hpp"

BOOST_AUTO_TEST_SUITE(http_service_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view result =
    R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","resultType":"complete","done":true}})";

// The server of one client, which responds to each request with the id 1.
struct responding_client final : receive_op, std::enable_shared_from_this<responding_client> {
    any_transport transport;

    explicit responding_client(any_transport to) : transport(std::move(to)) {}

    void run() { transport.receive(shared_from_this()); }

    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        for (auto const& item : batch)
            if (auto const& got = std::get<inbound_message>(item); got.bytes.find(R"("id":1,)") != got.bytes.npos) {
                outbound out;
                out.bytes = result;
                out.stream = got.stream;
                transport.send(out);
            }
        if (ec)
            return;
        try {
            run();
        } catch (std::bad_alloc const&) {
            transport.close();
        }
    }
};

// A service and its connections. Each account may have one outstanding request.
struct service_world : http_service_backend {
    asio::io_context context{1};
    virtual_time* time = nullptr; // null: real time, in which no handler waits
    std::vector<protocol_version> versions{protocol_version::v2025_03_26, protocol_version::v2025_11_25,
                                           protocol_version::v2026_07_28};
    mirrored_arguments none;
    http_service_options options;
    std::vector<std::shared_ptr<quiet_connection::state>> connections;
    bool admits = true;                        // false: the authentication of a request has no result yet
    std::function<void(http_admission)> admit; // of the last request without a result; empty: none
    std::optional<http_service> service;

    explicit service_world(bool has_virtual_time)
    {
        if (has_virtual_time)
            time = &virtual_time::install(context);
        connections.reserve(16);
        options.response_form = http_service_options::form::stream;
        options.resumable = true;
        options.sse_path = "/sse";
        options.serves_both = true;
        options.client_limits.max_requests_per_principal = 1;
        options.session_limits.idle_timeout = 1h;
        options.authenticate = [this](http_server_request const&, std::function<void(http_admission)> done) {
            if (admits)
                done({});
            else
                admit = std::move(done);
        };
        options.make_session_id = [number = 0]() mutable {
            return "session-with-a-long-id-" + std::to_string(++number);
        };
    }

    ~service_world()
    {
        for (auto const& each : connections)
            each->is_closed = true;
        run();
        service.reset();
        run();
    }

    std::vector<protocol_version> const& protocol_versions() const override { return versions; }
    mirrored_arguments const* mirrored(std::string_view) override { return &none; }
    bool on_client(http_client client) override
    {
        std::make_shared<responding_client>(std::move(client.transport))->run();
        return true;
    }
    bool reuses_clients() const noexcept override { return true; }
    bool intercept(http_server_request const&, http_exchange) override { return false; }

    // Runs all handlers that are ready.
    void poll()
    {
        context.restart();
        context.poll();
    }

    // Runs all handlers that are ready, and ends the operations of closed connections.
    void run()
    {
        bool is_aborted = true;
        while (is_aborted) {
            poll();
            is_aborted = false;
            for (auto const& each : connections)
                is_aborted |= each->is_closed && each->abort();
        }
    }

    // Begins a connection.
    std::shared_ptr<quiet_connection::state> connect()
    {
        if (!service)
            service.emplace(context.get_executor(), *this, options);
        auto stream = std::make_unique<quiet_connection>();
        auto out = stream->at;
        connections.push_back(out);
        service->listener().serve(std::move(stream), "2001:db8:0:0:0:0:0:1");
        run();
        return out;
    }

    // Sends a request on a new connection, and returns the connection.
    std::shared_ptr<quiet_connection::state> send(std::string_view request)
    {
        auto out = connect();
        out->receive(request);
        run();
        return out;
    }

    // Closes a connection by the client.
    void close(quiet_connection::state& which)
    {
        which.is_closed = true;
        run();
    }
};

std::string post(std::string_view body, std::string_view more = {}, std::string_view target = "/mcp")
{
    return "POST " + std::string(target) +
           " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\nContent-Length: " +
           std::to_string(body.size()) + std::string(more) + "\r\n\r\n" + std::string(body);
}

constexpr std::string_view initialize_text =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view call_text = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})";
constexpr std::string_view note_text = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr std::string_view stateless_text =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c",)"
    R"("version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}})";
constexpr std::string_view stateless_fields =
    "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t";

// Kinds of requests to a service.
enum class sent { initialize, call, call_without_session, notification, batch, stateless, stream, end, sse, sse_call };

// Returns a request of a kind, after those that it needs.
std::string request_of(sent what, service_world& own)
{
    std::string session;
    if (what == sent::sse_call) {
        auto const stream = own.send("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
        auto const at = stream->sent.find("/message?");
        BOOST_TEST_REQUIRE(at != std::string::npos, stream->sent);
        return post(call_text, {}, stream->sent.substr(at, stream->sent.find_first_of("\r\n", at) - at));
    }
    if (what == sent::call || what == sent::notification || what == sent::stream || what == sent::end) {
        auto const begun = own.send(post(initialize_text));
        constexpr std::string_view name = "Mcp-Session-Id: ";
        auto const at = begun->sent.find(name);
        BOOST_TEST_REQUIRE(at != std::string::npos, begun->sent);
        session =
            "\r\nMCP-Protocol-Version: 2025-11-25\r\n" + begun->sent.substr(at, begun->sent.find("\r\n", at) - at);
    }
    std::string const head = " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream";
    switch (what) {
    case sent::initialize: return post(initialize_text);
    case sent::call: return post(call_text, session);
    case sent::call_without_session: return post(call_text, "\r\nMCP-Protocol-Version: 2025-11-25");
    case sent::notification: return post(note_text, session);
    case sent::batch:
        return post("[" + std::string(note_text) + "," + std::string(call_text) + "]",
                    "\r\nMCP-Protocol-Version: 2025-03-26");
    case sent::stateless: return post(stateless_text, stateless_fields);
    case sent::stream: return "GET" + head + session + "\r\n\r\n";
    case sent::end: return "DELETE" + head + session + "\r\n\r\n";
    case sent::sse: return "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    case sent::sse_call: break;
    }
    return {};
}

bool has(quiet_connection::state const& of, std::string_view text) { return of.sent.find(text) != std::string::npos; }

} // namespace

// No exception leaves the event loop or the function that passes the result of an authentication. Timers are cancelled
// without memory, except those in virtual time.
BOOST_AUTO_TEST_CASE(request_has_a_response_or_a_closed_connection_after_each_failed_allocation)
{
    for (auto const what : {sent::initialize, sent::call, sent::call_without_session, sent::notification, sent::batch,
                            sent::stateless, sent::stream, sent::end, sent::sse, sent::sse_call})
        for (auto const how : {failing::one, failing::one_or_handler, failing::all_later})
            for (bool const admits : {true, false})
                BOOST_TEST_CONTEXT("kind " << static_cast<int>(what) << " failing " << static_cast<int>(how)
                                           << " authenticated at once " << admits)
                    fail_each_step(
                        2,
                        [&](auto const& step) {
                            service_world own(false);
                            auto const request = request_of(what, own);
                            auto const first = own.connect();
                            own.admits = admits;
                            first->receive(request);
                            bool is_complete = false;
                            step([&] {
                                own.poll();
                                is_complete = true;
                            });
                            BOOST_TEST(is_complete);
                            is_complete = false;
                            own.run();
                            step([&] {
                                if (own.admit)
                                    own.admit({});
                                else
                                    std::make_unique<int>().reset();
                                is_complete = true;
                            });
                            BOOST_TEST((is_complete || !own.admit));
                            own.run();
                            BOOST_TEST((has(*first, "HTTP/1.1 ") || first->is_closed));
                            own.admits = true;
                            own.close(*first);
                            auto const second = own.send(request); // the place of the first request is free
                            BOOST_TEST((has(*second, "HTTP/1.1 ") && !has(*second, "HTTP/1.1 429")), second->sent);
                            for (auto const& each : own.connections)
                                own.close(*each);
                            BOOST_TEST(own.service->counters().connections == 0u);
                        },
                        how);
}

BOOST_AUTO_TEST_CASE(idle_clients_are_forgotten_after_each_failed_allocation)
{
    fail_each_allocation(
        [&](step_failure& fail_in) {
            service_world own(true);
            auto const begin = [&] {
                own.close(*own.send(request_of(sent::initialize, own)));
                own.close(*own.send(request_of(sent::call_without_session, own)));
            };
            begin();
            own.time->run_for(59min);
            fail_in([&] { own.time->run_for(30min); });
            own.run();
            begin(); // a request starts the search if the memory was not sufficient for it
            own.time->run_for(3h);
            BOOST_TEST(own.service->sessions() == 0u);
        },
        failing::one_or_handler);
}

BOOST_AUTO_TEST_SUITE_END()
