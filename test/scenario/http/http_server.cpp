#include <linkspan/test/case.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/raw_http.hpp"

BOOST_AUTO_TEST_SUITE(http_server_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::protocol_version;
using linkspan::time_point;
using raw_http::client;
using raw_http::contains;
namespace asio = boost::asio;
using form = http_server_options::form;

namespace {

// Long enough for all outstanding work in virtual time.
constexpr auto long_wait = 1h;

std::string greeting(std::string const& proposed = "2025-11-25")
{
    return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + proposed +
           R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
}

struct web_world : raw_http::steps_world {
    std::unique_ptr<scripted_server> server;
    http_server_options options;
    std::unique_ptr<http_server> web;
    std::deque<client> clients;
    std::string session, version;

    void make_server(std::vector<protocol_version> versions)
    {
        server = std::make_unique<scripted_server>(std::move(versions));
        server->on(call("add")).then(text("5"));
    }
    client& connect()
    {
        if (!server)
            make_server({protocol_version::v2026_07_28});
        if (!web)
            web = std::make_unique<http_server>(executor, *server, options);
        auto& mine = clients.emplace_back(executor);
        web->serve(mine.other());
        return mine;
    }

    // Opens the event stream of HTTP+SSE. Returns the path for messages of the client.
    asio::awaitable<std::string> open_sse(client& stream)
    {
        co_await send(stream, "GET", {}, {}, "/sse");
        auto const begun = co_await stream.read_until("endpoint");
        auto const at = begun.find("data: ") + 6;
        co_return begun.substr(at, begun.find('\n', at) - at);
    }

    // Writes a request with the headers common to all clients of its era.
    asio::awaitable<void> send(client& by, std::string method, std::string body, std::string more = {},
                               std::string target = "/mcp")
    {
        auto bytes =
            method + ' ' + target + " HTTP/1.1\r\nHost: h\r\nAccept: application/json, text/event-stream\r\n" + more;
        if (!session.empty())
            bytes += "Mcp-Session-Id: " + session + "\r\n";
        if (!version.empty())
            bytes += "MCP-Protocol-Version: " + version + "\r\n";
        if (!body.empty())
            bytes += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        co_await by.write(bytes + "\r\n" + body);
    }

    asio::awaitable<std::string> post(client& by, std::string body, std::string until, std::string more = {})
    {
        co_await send(by, "POST", std::move(body), std::move(more));
        co_return co_await by.read_until(until);
    }

    // Requests without a body and reads the head of the response.
    asio::awaitable<std::string> get(client& by, std::string method)
    {
        co_await send(by, std::move(method), {});
        co_return co_await by.read_until("\r\n\r\n");
    }

    // Sends a stateless request with its headers.
    asio::awaitable<void> send_stateless(client& by, std::string method, std::string members, std::string name = {})
    {
        version = "2026-07-28";
        auto more = "Mcp-Method: " + method + "\r\n" + (name.empty() ? "" : "Mcp-Name: " + name + "\r\n");
        co_await send(by, "POST",
                      R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + members +
                          R"("_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                          R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
                      more);
    }
    asio::awaitable<void> send_call(client& by, std::string tool = "add")
    {
        co_await send_stateless(by, "tools/call", R"("name":")" + tool + R"(",)", tool);
    }

    // Performs the handshake and stores the session id of the response.
    asio::awaitable<std::string> initialize(client& by, std::string proposed = "2025-11-25")
    {
        session.clear();
        version.clear();
        auto const response = co_await post(by, greeting(proposed), R"("serverInfo")");
        constexpr std::string_view field = "Mcp-Session-Id: ";
        if (auto const at = response.find(field); at != response.npos)
            session = response.substr(at + field.size(), response.find("\r\n", at) - at - field.size());
        version = proposed < "2025-06-18" ? "" : proposed;
        co_return response;
    }

    asio::awaitable<void> body()
    {
        co_await steps();
        web.reset();
        clients.clear();
    }
};

std::string const add = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}})";
std::string const initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

http_server_options by_streams()
{
    http_server_options out;
    out.response_form = form::stream;
    return out;
}

http_server_options resumable()
{
    auto out = by_streams();
    out.resumable = true;
    out.retry = 500ms;
    return out;
}

} // namespace

#define WEB_CASE(name)                                                                                                 \
    struct name##_case : web_world {                                                                                   \
        asio::awaitable<void> steps() override;                                                                        \
    };                                                                                                                 \
    BOOST_AUTO_TEST_CASE(name) { run_case<name##_case>(); }                                                            \
    asio::awaitable<void> name##_case::steps()

// Stateless era

WEB_CASE(stateless_request_receives_json_response)
{
    auto& on = connect();
    co_await send_call(on);
    auto const response = co_await on.read_until("serverInfo");
    BOOST_TEST(response.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"), response);
    BOOST_TEST(contains(response, R"("text":"5")"), response);
    BOOST_TEST(contains(response, R"("resultType":"complete")"), response);
    BOOST_TEST(!contains(response, "Mcp-Session-Id"), response);
    BOOST_TEST_REQUIRE(web->requests().size() == 1u);
    BOOST_TEST(web->requests()[0].header("mcp-name") == "add");
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
    BOOST_TEST(web->connections() == 1u);
}

WEB_CASE(invalid_stateless_requests_are_refused)
{
    auto& on = connect();
    version = "2026-07-28";
    auto const bare = co_await post(on, add, "}}");
    BOOST_TEST(contains(bare, "HTTP/1.1 400 Bad Request\r\n"), bare);
    BOOST_TEST(contains(bare, R"("code":-32602)"), bare);
    co_await send_stateless(on, "prompts/list", "");
    auto const unknown = co_await on.read_until("}}");
    BOOST_TEST(contains(unknown, "HTTP/1.1 404 Not Found\r\n"), unknown);
    BOOST_TEST(contains(unknown, R"("code":-32601)"), unknown);
    auto const stream = co_await get(on, "GET");
    BOOST_TEST(contains(stream, "405 Method Not Allowed\r\nAllow: POST\r\n"), stream);
    co_await send_call(on, "nothing");
    auto const no_tool = co_await on.read_until("}}");
    BOOST_TEST(contains(no_tool, "HTTP/1.1 200 OK\r\n"), no_tool);
    BOOST_TEST(server->received("tools/call") == 1u);
}

WEB_CASE(mirrored_argument_without_header_is_refused)
{
    make_server({protocol_version::v2026_07_28});
    server->tool("go", R"({"type":"object","properties":{"where":{"type":"string","x-mcp-header":"Where"}}})", nullptr);
    auto& on = connect();
    co_await send_stateless(on, "tools/call", R"("name":"go","arguments":{"where":"up"},)", "go");
    auto const refused = co_await on.read_until("}}");
    BOOST_TEST(contains(refused, R"("code":-32020)"), refused);
    BOOST_TEST(server->received("tools/call") == 0u);
    co_await send_stateless(on, "tools/call", R"("name":"go","arguments":{"where":"up"},)",
                            "go\r\nMcp-Param-Where: up");
    auto const fine = co_await on.read_until("serverInfo");
    BOOST_TEST(contains(fine, "200 OK"), fine);
}

WEB_CASE(notification_before_response_makes_response_a_stream)
{
    make_server({protocol_version::v2026_07_28});
    server->on(call("slow")).then(delay(1s), linkspan::test::progress(1, 2), text("done"));
    auto& on = connect();
    co_await send_call(on, "slow");
    auto const response = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(response, "Content-Type: text/event-stream\r\n"), response);
    BOOST_TEST(contains(response, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\""),
               response);
    BOOST_TEST(contains(response, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\""), response);
    BOOST_TEST(!contains(response, "\nid:"), response);
    co_await send_call(on);
    auto const next = co_await on.read_until("serverInfo");
    BOOST_TEST(contains(next, "application/json"), next);
}

WEB_CASE(streaming_server_sends_head_before_response)
{
    options = by_streams();
    make_server({protocol_version::v2026_07_28});
    server->on(call("slow")).then(delay(1s), text("done"));
    auto& on = connect();
    co_await send_call(on, "slow");
    auto const head = co_await on.read_until("\r\n\r\n");
    BOOST_TEST(contains(head, "text/event-stream"), head);
    BOOST_TEST((time.now() == time_point(0s)));
    auto const rest = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(rest, "done"), rest);
}

WEB_CASE(closed_connection_cancels_stateless_request)
{
    make_server({protocol_version::v2026_07_28});
    bool went_on = false;
    server->on(call("slow")).then(delay(1s), [&](exchange&, auto const&) { went_on = true; });
    auto& on = connect();
    co_await send_call(on, "slow");
    co_await wait(0s);
    on.close();
    co_await wait(long_wait);
    BOOST_TEST(server->received("tools/call") == 1u);
    BOOST_TEST(!went_on);
    BOOST_TEST(web->open_connections() == 0u);
}

WEB_CASE(subscribed_client_receives_broadcast_notifications)
{
    auto& on = connect();
    co_await send_stateless(on, "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)");
    co_await on.read_until("\r\n\r\n");
    server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    auto const notification = co_await on.read_until("list_changed");
    BOOST_TEST(contains(notification, "event: message\n"), notification);
}

// Handshake era

WEB_CASE(handshake_begins_session_and_delete_ends_it)
{
    for (auto const& row : linkspan::protocol_versions) {
        if (row.era == linkspan::era::stateless)
            continue;
        web.reset();
        make_server({row.id});
        auto& on = connect();
        auto const opened = co_await initialize(on, std::string(row.text));
        BOOST_TEST(contains(opened, R"("protocolVersion":")" + std::string(row.text)), opened);
        BOOST_TEST(session.size() == 32u, session);
        auto const noted = co_await post(on, initialized, "\r\n\r\n");
        BOOST_TEST(contains(noted, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n"), noted);
        auto const response = co_await post(on, add, "}}");
        BOOST_TEST(contains(response, R"("text":"5")"), response);
        BOOST_TEST(web->sessions() == 1u);
        auto const ended = co_await get(on, "DELETE");
        BOOST_TEST(contains(ended, "HTTP/1.1 200 OK"), ended);
        BOOST_TEST(web->sessions() == 0u);
        auto const late = co_await post(on, add, "}}");
        BOOST_TEST(contains(late, "HTTP/1.1 404 Not Found"), late);
    }
}

WEB_CASE(session_and_stateless_request_are_connections_of_rules)
{
    make_server({protocol_version::v2025_11_25, protocol_version::v2026_07_28});
    int started = 0, opened = 0, closed = 0, noted = 0;
    auto const count = [](int& number) { return [&number](exchange&, auto const&) { ++number; }; };
    server->on(linkspan::test::server_started()).then(count(started));
    server->on(linkspan::test::connection_opened()).then(count(opened));
    server->on(linkspan::test::connection_closed()).then(count(closed));
    server->on(linkspan::test::notification("notifications/initialized")).then(count(noted));
    auto& on = connect();
    co_await initialize(on);
    co_await post(on, initialized, "\r\n\r\n");
    co_await post(on, add, "}}");
    BOOST_TEST(opened == 1);
    BOOST_TEST(closed == 0);
    BOOST_TEST(noted == 1);
    co_await get(on, "DELETE");
    BOOST_TEST(closed == 1);
    session.clear();
    co_await send_call(on);
    co_await on.read_until("serverInfo");
    BOOST_TEST(opened == 2);
    BOOST_TEST(closed == 2);
    BOOST_TEST(started == 1);
}

WEB_CASE(one_endpoint_serves_both_eras)
{
    make_server({protocol_version::v2025_11_25, protocol_version::v2026_07_28});
    auto& on = connect();
    co_await send_stateless(on, "server/discover", "");
    auto const discovered = co_await on.read_until("serverInfo");
    BOOST_TEST(contains(discovered, R"("supportedVersions":["2026-07-28"])"), discovered);
    co_await initialize(on);
    auto const response = co_await post(on, add, "}}");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
}

WEB_CASE(request_in_discarded_session_is_refused_with_404)
{
    make_server({protocol_version::v2025_11_25});
    auto& on = connect();
    co_await initialize(on);
    auto& stream = connect();
    co_await send(stream, "GET", {});
    co_await stream.read_until("\r\n\r\n");
    web->discard_sessions();
    auto const end = co_await stream.read_until("0\r\n\r\n");
    BOOST_TEST(contains(end, "0\r\n\r\n"), end);
    auto const late = co_await post(on, add, "}}");
    BOOST_TEST(contains(late, "404 Not Found"), late);
    BOOST_TEST(contains(late, "-32001"), late);
    co_await initialize(on);
    auto const response = co_await post(on, add, "}}");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
}

WEB_CASE(server_without_sessions_checks_protocol_version_header)
{
    make_server({protocol_version::v2025_03_26, protocol_version::v2025_11_25});
    options.sessions = false;
    auto& on = connect();
    co_await initialize(on);
    BOOST_TEST(session.empty());
    auto const response = co_await post(on, add, "}}");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
    version = "1.0";
    auto const refused = co_await post(on, add, "}}");
    BOOST_TEST(contains(refused, "400 Bad Request"), refused);
    auto const ended = co_await get(on, "DELETE");
    BOOST_TEST(contains(ended, "405 Method Not Allowed\r\nAllow: POST, GET\r\n"), ended);
}

WEB_CASE(refused_handshake_begins_no_session)
{
    make_server({protocol_version::v2025_11_25});
    server->on(request("initialize")).once(rpc_error(-32602, "no"));
    auto& on = connect();
    auto const refused = co_await post(on, greeting(), "}}");
    BOOST_TEST(contains(refused, "-32602"), refused);
    BOOST_TEST(web->sessions() == 0u);
}

WEB_CASE(get_stream_carries_notifications_and_second_one_is_refused)
{
    make_server({protocol_version::v2025_11_25});
    auto& on = connect();
    co_await initialize(on);
    server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/early"})");
    auto& stream = connect();
    co_await send(stream, "GET", {});
    auto const early = co_await stream.read_until("notifications/early");
    BOOST_TEST(contains(early, "event: message\ndata: {"), early);
    server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/late"})");
    co_await stream.read_until("notifications/late");
    auto const second = co_await get(on, "GET");
    BOOST_TEST(contains(second, "409 Conflict"), second);
    stream.close();
    co_await wait(0s);
    auto const again = co_await get(on, "GET");
    BOOST_TEST(contains(again, "200 OK"), again);
}

WEB_CASE(server_without_get_stream_refuses_get)
{
    make_server({protocol_version::v2025_11_25});
    options.get_stream = false;
    auto& on = connect();
    co_await initialize(on);
    auto const refused = co_await get(on, "GET");
    BOOST_TEST(contains(refused, "405 Method Not Allowed\r\nAllow: POST, DELETE\r\n"), refused);
}

WEB_CASE(server_sends_request_on_stream_of_call)
{
    make_server({protocol_version::v2025_11_25});
    server->on(call("nosy")).then(linkspan::test::send_request("ping"), text("thanks"));
    auto& on = connect();
    co_await initialize(on);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nosy"}})");
    auto const server_request = co_await on.read_until("\"ping\"");
    BOOST_TEST(contains(server_request, R"("id":"q1")"), server_request);
    auto& other = connect();
    auto const noted = co_await post(other, R"({"jsonrpc":"2.0","id":"q1","result":{}})", "\r\n\r\n");
    BOOST_TEST(contains(noted, "202 Accepted"), noted);
    auto const response = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(response, "thanks"), response);
}

WEB_CASE(server_sends_request_on_stream_of_session)
{
    make_server({protocol_version::v2025_11_25});
    options.requests_on_get = true;
    server->on(call("nosy")).then(linkspan::test::send_request("ping"), text("thanks"));
    auto& on = connect();
    co_await initialize(on);
    auto& stream = connect();
    co_await send(stream, "GET", {});
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nosy"}})");
    co_await stream.read_until("\"ping\"");
    auto& other = connect();
    co_await post(other, R"({"jsonrpc":"2.0","id":"q1","result":{}})", "\r\n\r\n");
    auto const response = co_await on.read_until("}}");
    BOOST_TEST(contains(response, "application/json"), response);
    BOOST_TEST(contains(response, "thanks"), response);
}

WEB_CASE(disconnect_does_not_cancel_call_in_session)
{
    make_server({protocol_version::v2025_11_25});
    bool went_on = false;
    server->on(call("slow"))
        .then(
            delay(1s),
            [&](exchange&, auto const& next) {
                went_on = true;
                next();
            },
            text("late"));
    auto& on = connect();
    co_await initialize(on);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow"}})");
    co_await wait(0s);
    on.close();
    co_await wait(2s);
    BOOST_TEST(went_on);
    auto& other = connect();
    auto const response = co_await post(other, add, "}}");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
}

WEB_CASE(batch_receives_one_response_stream)
{
    make_server({protocol_version::v2025_03_26});
    auto& on = connect();
    co_await initialize(on, "2025-03-26");
    auto const two =
        co_await post(on, "[" + add + "," + initialized + R"(,{"jsonrpc":"2.0","id":3,"method":"ping"}])", "0\r\n\r\n");
    BOOST_TEST(contains(two, R"("id":2,"result")"), two);
    BOOST_TEST(contains(two, R"("id":3,"result")"), two);
    auto const none = co_await post(on, "[" + initialized + "]", "\r\n\r\n");
    BOOST_TEST(contains(none, "202 Accepted"), none);
}

// Resumable streams

WEB_CASE(resumable_stream_has_event_ids_and_retry)
{
    make_server({protocol_version::v2025_11_25});
    options = resumable();
    auto& on = connect();
    auto const opened = co_await initialize(on);
    BOOST_TEST(contains(opened, "id: 1-0\nretry: 500\ndata:\n\n"), opened);
    BOOST_TEST(contains(opened, "event: message\nid: 1-1\ndata: {"), opened);
    BOOST_TEST(contains(opened, "Mcp-Session-Id: "), opened);
}

WEB_CASE(broken_stream_is_resumed_after_last_event)
{
    make_server({protocol_version::v2025_11_25});
    options = resumable();
    server->on(call("slow"))
        .then(notify("notifications/message", R"({"level":"info","data":"first"})"), delay(1s),
              notify("notifications/message", R"({"level":"info","data":"second"})"), text("done"));
    auto& on = connect();
    co_await initialize(on);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow"}})");
    auto const begun = co_await on.read_until("first");
    BOOST_TEST(contains(begun, "id: 2-1\n"), begun);
    on.close();
    co_await wait(2s);
    auto& again = connect();
    co_await send(again, "GET", {}, "Last-Event-ID: 2-1\r\n");
    auto const rest = co_await again.read_until("0\r\n\r\n");
    BOOST_TEST(!contains(rest, "first"), rest);
    BOOST_TEST(contains(rest, "id: 2-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\""), rest);
    BOOST_TEST(contains(rest, "id: 2-3\n"), rest);
    BOOST_TEST(contains(rest, "done"), rest);
    co_await send(again, "GET", {}, "Last-Event-ID: 2-2\r\n");
    auto const once_more = co_await again.read_until("0\r\n\r\n");
    BOOST_TEST(!contains(once_more, "second"), once_more);
    BOOST_TEST(contains(once_more, "done"), once_more);
    co_await send(again, "GET", {}, "Last-Event-ID: 9-9\r\n");
    auto const wrong = co_await again.read_until("\r\n\r\n");
    BOOST_TEST(contains(wrong, "400 Bad Request"), wrong);
}

WEB_CASE(server_that_ends_stream_after_first_event_responds_on_resumption)
{
    make_server({protocol_version::v2025_11_25});
    server->on(call("slow")).then(delay(1s), text("done"));
    options = resumable();
    options.ends_after_first_event = true;
    auto& on = connect();
    co_await send(on, "POST", greeting());
    auto const opened = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(opened.ends_with("id: 1-0\nretry: 500\ndata:\n\n\r\n0\r\n\r\n"), opened);
    auto const at = opened.find("Mcp-Session-Id: ") + 16;
    session = opened.substr(at, opened.find("\r\n", at) - at);
    co_await send(on, "GET", {}, "Last-Event-ID: 1-0\r\n");
    auto const response = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(response, "serverInfo"), response);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow"}})");
    co_await on.read_until("0\r\n\r\n");
    co_await send(on, "GET", {}, "Last-Event-ID: 2-0\r\n");
    auto const done = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(done, "done"), done);
    BOOST_TEST((time.now() == time_point(1s)));
}

// HTTP+SSE

WEB_CASE(sse_responses_to_posted_messages_arrive_on_stream)
{
    make_server({protocol_version::v2024_11_05});
    options.sse_path = "/sse";
    auto& stream = connect();
    auto const place = co_await open_sse(stream);
    BOOST_TEST(place.starts_with("/message?sessionId="), place);
    auto& on = connect();
    co_await send(on, "POST", greeting(), {}, place);
    auto const noted = co_await on.read_until("Accepted\r\n");
    BOOST_TEST(contains(noted, "202 Accepted"), noted);
    auto const response = co_await stream.read_until("serverInfo");
    BOOST_TEST(contains(response, "event: message\ndata: {"), response);
    co_await send(on, "POST", add, {}, place);
    auto const sum = co_await stream.read_until("}}");
    BOOST_TEST(contains(sum, R"("text":"5")"), sum);
    co_await send(on, "POST", add, {}, "/sse");
    auto const wrong = co_await on.read_until("</pre>");
    BOOST_TEST(contains(wrong, "404 Not Found"), wrong);
    stream.close();
    co_await wait(0s);
    co_await send(on, "POST", add, {}, place);
    auto const late = co_await on.read_until("not found");
    BOOST_TEST(contains(late, "404 Not Found"), late);
}

// Scripted faults

WEB_CASE(scripted_http_actions_send_exact_responses)
{
    make_server({protocol_version::v2026_07_28});
    server->on(call("odd"))
        .once(http_interim(103), http_response(503, {{"Retry-After", "1"}}, "busy"))
        .once(http_response(200, {{"Content-Type", "text/html"}}, "<html>"))
        .once(http_stream(), http_event("data: {\"half\":\n\n: x\n\nevent: odd\ndata: 1\n\n"), http_end())
        .once(http_raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), http_cut());
    auto& on = connect();
    co_await send_call(on, "odd");
    auto const busy = co_await on.read_until("busy");
    BOOST_TEST(busy.starts_with("HTTP/1.1 103 \r\n\r\nHTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"), busy);
    co_await send_call(on, "odd");
    auto const html = co_await on.read_until("<html>");
    BOOST_TEST(contains(html, "Content-Type: text/html\r\n"), html);
    co_await send_call(on, "odd");
    auto const odd = co_await on.read_until("0\r\n\r\n");
    BOOST_TEST(contains(odd, ": x\n\nevent: odd\n"), odd);
    co_await send_call(on, "odd");
    auto const cut = co_await on.read_to_end();
    BOOST_TEST(cut.ends_with("\r\n\r\nzz\r\n"), cut);
    auto& again = connect();
    co_await send_call(again, "odd");
    auto const fine = co_await again.read_until("serverInfo");
    BOOST_TEST(contains(fine, "200 OK"), fine);
}

WEB_CASE(faults_have_the_time_and_the_host_of_the_request)
{
    make_server({protocol_version::v2026_07_28});
    server->on(call("odd"))
        .once(fault({.kind = fault_kind::http_429_date, .amount = 90'000}), text("5"))
        .once(fault({.kind = fault_kind::skew, .amount = 3661}), text("5"))
        .once(fault(fault_kind::skew), text("5"))
        .once(fault(fault_kind::metadata_loop), text("5"))
        .once(fault(fault_kind::metadata_missing), text("5"));
    co_await wait(3661s); // after Thursday, 1 January 2026
    auto& on = connect();
    for (std::string const expected :
         {"\r\nRetry-After: Fri, 02 Jan 2026 02:01:01 GMT\r\n",
          "\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nRetry-After: Thu, 01 Jan 2026 00:00:01 GMT\r\n",
          "\r\nDate: Wed, 31 Dec 2025 01:01:01 GMT\r\nRetry-After: Wed, 31 Dec 2025 01:01:02 GMT\r\n",
          "resource_metadata=\"http://h/mcp\"", "resource_metadata=\"http://h/.well-known/absent\""}) {
        co_await send_call(on, "odd");
        auto const head = co_await on.read_until("\r\n\r\n");
        BOOST_TEST(contains(head, expected), head);
    }
}

WEB_CASE(fault_resets_the_next_connections)
{
    make_server({protocol_version::v2026_07_28});
    server->on(call("odd")).once(fault({.kind = fault_kind::reset_on_accept, .amount = 2}), text("5"));
    auto& on = connect();
    co_await send_call(on, "odd");
    auto const response = co_await on.read_to_end();
    BOOST_TEST(contains(response, "Connection: close\r\n"), response);
    BOOST_TEST(response.ends_with("}"), response);
    auto const began = time.now();
    for (int i = 0; i != 2; ++i) {
        auto& reset = connect();
        BOOST_TEST(co_await reset.read_to_end() == "");
    }
    BOOST_TEST((time.now() == began)); // not closed as idle connections
    auto& again = connect();
    co_await send_call(again);
    BOOST_TEST(contains(co_await again.read_until("}"), "200 OK"));
    BOOST_TEST(server->received("tools/call") == 2u);
}

WEB_CASE(connection_is_used_again_after_the_response_of_a_rule_for_http_requests)
{
    make_server({protocol_version::v2026_07_28});
    server->on(http_request("POST")).once(respond_http(503, "busy"));
    auto& on = connect();
    co_await send_call(on);
    auto const refused = co_await on.read_until("busy");
    BOOST_TEST(contains(refused, "HTTP/1.1 503 "), refused);
    co_await send_call(on);
    auto const response = co_await on.read_until("serverInfo");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
}

WEB_CASE(notification_follows_the_last_part_of_a_slow_response_over_http_sse)
{
    make_server({protocol_version::v2024_11_05});
    server->on(call("slow")).once(fault(fault_kind::slow), text("5"));
    options.sse_path = "/sse";
    auto& stream = connect();
    auto const place = co_await open_sse(stream);
    auto& on = connect();
    co_await send(on, "POST", greeting(), {}, place);
    co_await stream.read_until("serverInfo");
    std::string const call_slow = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}})";
    co_await send(on, "POST", call_slow, {}, place);
    co_await wait(3s); // after the first parts
    server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    auto const both = co_await stream.read_until("list_changed");
    BOOST_TEST(both.find("\"}]}}") < both.find("event: message"),
               both); // the end of the response, in a chunk of its own
}

WEB_CASE(stream_that_ended_by_a_fault_is_resumed_after_its_event)
{
    options.resumable = true;
    make_server({protocol_version::v2025_11_25});
    server->on(call("odd")).then(fault(fault_kind::sse_resume), text("5"));
    auto& on = connect();
    co_await initialize(on);
    for (std::string const id : {"fault-1", "fault-2"}) {
        auto& calling = connect();
        co_await send(calling, "POST", R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"odd"}})");
        auto const ended = co_await calling.read_to_end();
        BOOST_TEST(ended.ends_with("\r\n\r\nid: " + id + "\ndata: \n\n"), ended);
    }
    for (std::string const id : {"fault-2", "fault-1", "fault-3", "fault-0", "fault-x"}) {
        bool const is_kept = id == "fault-1" || id == "fault-2";
        auto& resuming = connect();
        co_await send(resuming, "GET", {}, "Last-Event-ID: " + id + "\r\n");
        auto const rest = co_await resuming.read_until(is_kept ? "\r\n0\r\n\r\n" : "\r\n\r\n");
        BOOST_TEST(contains(rest, is_kept ? R"("id":2,"result")" : "400 Bad Request"), id << ": " << rest);
    }
}

WEB_CASE(faults_of_lines_are_those_of_an_event_stream)
{
    make_server({protocol_version::v2026_07_28});
    constexpr std::string_view changed = R"(data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    struct row {
        fault_kind kind;
        std::string expected; // a part of the body
    };
    row const rows[] = {
        {fault_kind::coalesce, "\r\n" + std::string(changed) + "\n\ndata: {"},
        {fault_kind::crlf, "}\r\n\r\n\r\n0\r\n\r\n"},
        {fault_kind::blank_lines, "\r\n\n\ndata: {"},
        {fault_kind::stdout_garbage, "\r\nINFO  server: request handled\ndata: {"},
        {fault_kind::interleave, std::string(changed) + "\n\n"},
        {fault_kind::progress_after_result,
         "}\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,"},
    };
    auto& odd = server->on(call("odd"));
    for (auto const& each : rows)
        odd.once(fault(each.kind), text("5"));
    auto& on = connect();
    for (auto const& each : rows) {
        co_await send_call(on, "odd");
        auto const response = co_await on.read_until("\r\n0\r\n\r\n");
        BOOST_TEST(contains(response, "Content-Type: text/event-stream\r\n"), response);
        BOOST_TEST(contains(response, each.expected), response);
        BOOST_TEST(contains(response, "\n" + std::string(changed)) == (each.kind == fault_kind::coalesce), response);
    }
}

WEB_CASE(drop_connections_also_discards_sessions)
{
    make_server({protocol_version::v2025_11_25});
    server->on(call("die")).then(drop_connection());
    auto& on = connect();
    co_await initialize(on);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"die"}})");
    auto const nothing = co_await on.read_to_end();
    BOOST_TEST(nothing.empty(), nothing);
    auto& again = connect();
    auto const late = co_await post(again, add, "}}");
    BOOST_TEST(contains(late, "404 Not Found"), late);
}

WEB_CASE(test_can_respond_to_any_http_request)
{
    make_server({protocol_version::v2025_11_25});
    auto& on = connect();
    co_await initialize(on);
    web->respond_next("POST", "initialized", 503);
    web->respond_next("DELETE", "", 405, {{"Allow", "POST"}});
    auto const refused = co_await post(on, initialized, "\r\n\r\n");
    BOOST_TEST(contains(refused, "503 Service Unavailable"), refused);
    auto const ended = co_await get(on, "DELETE");
    BOOST_TEST(contains(ended, "405 Method Not Allowed"), ended);
    web->set_interceptor([](auto const& what, auto with) {
        if (what.method() == "GET")
            with.respond(307, {{"Location", "/other"}});
        return what.method() == "GET";
    });
    auto const moved = co_await get(on, "GET");
    BOOST_TEST(contains(moved, "307 Temporary Redirect\r\nLocation: /other\r\n"), moved);
    auto const response = co_await post(on, add, "}}");
    BOOST_TEST(contains(response, R"("text":"5")"), response);
}

WEB_CASE(response_can_be_cut_after_any_byte)
{
    for (std::uint64_t bytes = 0;; ++bytes) {
        auto& on = connect();
        bool cut = false;
        on.end().in->cut_after(bytes, [&cut, in = on.end().in] {
            cut = true;
            in->close_writer();
        });
        co_await send_call(on);
        auto const response =
            co_await on.read_until("serverInfo\":{\"name\":\"linkspan-server\",\"version\":\"1\"}}}}");
        if (response.ends_with("}}}}"))
            break;
        BOOST_TEST_REQUIRE(cut);
        BOOST_TEST(response.size() == bytes);
        clients.clear();
    }
}

WEB_CASE(server_may_be_destroyed_in_tool_handler)
{
    make_server({protocol_version::v2025_11_25, protocol_version::v2026_07_28});
    server->on(call("end")).then([this](exchange& on, auto const& next) {
        web.reset();
        on.reply("\"content\":[]");
        next();
    });
    auto& on = connect();
    co_await initialize(on);
    co_await send(on, "POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"end"}})");
    auto const nothing = co_await on.read_to_end();
    BOOST_TEST(nothing.empty(), nothing);
    auto& again = connect();
    co_await send_call(again, "end");
    co_await again.read_to_end();
    BOOST_TEST(!web);
}

BOOST_AUTO_TEST_SUITE_END()
