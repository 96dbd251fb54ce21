#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <deque>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_client_test)

using namespace linkspan::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using linkspan::auto_http;
using linkspan::error;
using linkspan::http_exchange;
using linkspan::http_server_request;
using linkspan::http_sse;
using linkspan::protocol_version;
using form = http_server_options::form;

// Body of the responses of common servers to requests with an unsupported HTTP method.
static constexpr auto method_not_allowed =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}})";

// Ids of responses

HTTP_CASE(result_without_the_id_of_its_request_is_not_the_result_of_the_call)
{
    auto const respond = [](std::string const& id) {
        return http_response(200, {}, R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[]}})");
    };
    serve(stateless_era);
    add().once(respond("null")).once(respond("18446744073709551617")).once(respond("999")).then(text("5"));
    co_await open();
    auto const without = co_await call_add();
    BOOST_TEST((without.ec == error::malformed_message), without.ec.message());
    for (int i = 0; i != 2; ++i) {
        auto const other = co_await call_add();
        BOOST_TEST(other.ec.failed()); // the exchange has ended without the response
    }
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
}

// Requests and headers

HTTP_CASE(stateless_server_can_respond_with_json_or_stream)
{
    for (auto const each_form : {form::json, form::stream}) {
        serving.response_form = each_form;
        serve(stateless_era);
        add().then(text("5"));
        co_await open();
        auto const got = co_await call_add();
        BOOST_TEST(!got.ec, got.ec.message());
        BOOST_TEST(got.result.text() == "5");
        BOOST_TEST(web->requests("GET") == 0u);
        BOOST_TEST(web->requests("DELETE") == 0u);
        auto const& seen = last("POST", "tools/call");
        BOOST_TEST(seen.target() == "/mcp");
        BOOST_TEST(seen.header("host") == "server");
        BOOST_TEST(seen.header("mcp-method") == "tools/call");
        BOOST_TEST(seen.header("mcp-name") == "add");
        BOOST_TEST(seen.header("mcp-protocol-version") == "2026-07-28");
        BOOST_TEST(seen.header("mcp-session-id") == "");
        BOOST_TEST(seen.header("accept") == "application/json, text/event-stream");
        BOOST_TEST(seen.header("content-type") == "application/json");
    }
}

HTTP_CASE(requests_in_session_have_headers_of_protocol_version)
{
    for (auto const each_form : {form::json, form::stream})
        for (auto const version :
             {protocol_version::v2025_03_26, protocol_version::v2025_06_18, protocol_version::v2025_11_25}) {
            serving.response_form = each_form;
            serve({version});
            add().then(text("5"));
            co_await open();
            auto const got = co_await call_add();
            BOOST_TEST(!got.ec, got.ec.message());
            auto const named = version == protocol_version::v2025_03_26 ? "" : to_string(version);
            auto const id = std::string(last("POST", "tools/call").header("mcp-session-id"));
            BOOST_TEST(!id.empty());
            BOOST_TEST(web->sessions() == 1u);
            for (auto const* const part : {"tools/call", "notifications/initialized"}) {
                BOOST_TEST(last("POST", part).header("mcp-protocol-version") == named, part);
                BOOST_TEST(last("POST", part).header("mcp-session-id") == id, part);
                BOOST_TEST(last("POST", part).header("mcp-method") == "", part);
            }
            BOOST_TEST(last("GET").header("mcp-session-id") == id);
            BOOST_TEST(last("GET").header("mcp-protocol-version") == named);
            BOOST_TEST(last("GET").header("accept") == "text/event-stream");
            BOOST_TEST(last("POST", "\"initialize\"").header("mcp-session-id") == "");
            BOOST_TEST(last("POST", "\"initialize\"").header("mcp-protocol-version") == "");
            co_await client->async_shutdown(in_tuple);
            BOOST_TEST(web->requests("DELETE") == 1u);
            BOOST_TEST(last("DELETE").header("mcp-session-id") == id);
            BOOST_TEST(web->sessions() == 0u);
        }
}

// Detection of the protocol version

HTTP_CASE(http_sse_server_is_detected_after_refused_handshake)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    for (int const status : {400, 404, 405}) {
        serve({protocol_version::v2024_11_05});
        add().then(text("5"));
        web->respond_next("POST", "server/discover", status);
        web->respond_next("POST", "\"initialize\"", status);
        co_await open<auto_http>();
        BOOST_TEST((co_await call_add()).result.text() == "5");
        BOOST_TEST(web->requests("GET") == 1u);
        BOOST_TEST((client->protocol_version() == protocol_version::v2024_11_05));
    }
}

HTTP_CASE(http_sse_server_is_detected_despite_error_body_in_refusal)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    serve({protocol_version::v2024_11_05});
    add().then(text("5"));
    web->respond_next("POST", "server/discover", 405);
    web->respond_next("POST", "\"initialize\"", 405, {}, method_not_allowed);
    co_await open<auto_http>();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST((client->protocol_version() == protocol_version::v2024_11_05));
}

HTTP_CASE(error_refusing_handshake_is_reported_if_there_is_no_sse_stream)
{
    serve(stateless_era);
    auto first = [](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (what.body.find("\"initialize\"") != what.body.npos)
            with.respond(400, {}, method_not_allowed);
        else
            with.respond(405);
        return true;
    };
    web->set_interceptor(first);
    auto const ec = co_await open_and_fail<auto_http>();
    BOOST_TEST((ec == linkspan::error_code(-32000, linkspan::rpc_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 1u);
}

HTTP_CASE(first_refusal_is_reported_if_no_transport_succeeds)
{
    serve(stateless_era);
    auto first = [](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        with.respond(what.method() == "POST" ? 405 : 406);
        return true;
    };
    web->set_interceptor(first);
    auto const ec = co_await open_and_fail<auto_http>();
    BOOST_TEST((ec == linkspan::error_code(405, linkspan::http_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 1u);
}

HTTP_CASE(refusal_with_403_does_not_open_sse_stream)
{
    serve(stateless_era);
    auto first = [](linkspan::http_server_request const&, linkspan::http_exchange with) {
        with.respond(403);
        return true;
    };
    web->set_interceptor(first);
    auto const ec = co_await open_and_fail<auto_http>();
    BOOST_TEST((ec == linkspan::error_code(403, linkspan::http_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 0u);
}

// HTTP+SSE of 2024-11-05

struct sse_world : http_world {
    sse_world()
    {
        serving.sse_path = "/sse";
        config.url = "http://server/sse";
    }

    // Sends `endpoint` as the first and only event of the stream.
    void point_to(std::string endpoint)
    {
        web->set_interceptor(
            [endpoint = std::move(endpoint)](linkspan::http_server_request const& what, linkspan::http_exchange with) {
                if (what.method() != "GET")
                    return false;
                with.begin_stream();
                with.event({.data = endpoint, .type = "endpoint"});
                return true;
            });
    }
};

LINKSPAN_CASE_IN(sse_world, http_sse_session_posts_to_announced_endpoint)
{
    serve({protocol_version::v2024_11_05});
    add().then(text("5"));
    co_await open<http_sse>();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST(last("POST", "tools/call").target().starts_with("/message?sessionId="));
    BOOST_TEST(web->requests("POST", "server/discover") == 0u);
}

LINKSPAN_CASE_IN(sse_world, sse_endpoint_must_be_relative_or_of_same_origin)
{
    for (auto const* const endpoint :
         {"/there?s=1", "http://server/there?s=1", "http://server:80/there?s=1", "there?s=1"}) {
        serve({protocol_version::v2024_11_05});
        point_to(endpoint);
        options.startup_timeout = 1s;
        co_await open_and_fail<http_sse>();
        BOOST_TEST(last("POST", "initialize").target() == "/there?s=1", endpoint);
    }
    for (auto const* const endpoint :
         {"http://other/there", "https://server/there", "http://server:81/there", "//other/there"}) {
        serve({protocol_version::v2024_11_05});
        point_to(endpoint);
        auto const ec = co_await open_and_fail<http_sse>();
        BOOST_TEST((ec == error::address_forbidden), endpoint << ": " << ec.message());
        BOOST_TEST(web->requests("POST") == 0u);
    }
}

LINKSPAN_CASE_IN(sse_world, sse_stream_without_endpoint_event_times_out)
{
    serve({protocol_version::v2024_11_05});
    auto first = [](linkspan::http_server_request const&, linkspan::http_exchange with) {
        with.begin_stream();
        return true;
    };
    web->set_interceptor(first);
    config.control_timeout = 3s;
    auto const ec = co_await open_and_fail<http_sse>();
    BOOST_TEST((ec == error::attempt_timed_out), ec.message());
    BOOST_TEST((since_start(time) == 3s));
    serve({protocol_version::v2024_11_05});
    web->set_interceptor(first);
    config.auth = linkspan::token_provider{[](auto const&, auto done) { done({}, {"t", {}}); }};
    auto const began = time.now();
    auto const with_token = co_await open_and_fail<http_sse>();
    BOOST_TEST((with_token == error::attempt_timed_out), with_token.message());
    BOOST_TEST((time.now() - began == 3s));
}

LINKSPAN_CASE_IN(sse_world, opening_fails_if_response_is_no_sse_stream)
{
    serve({protocol_version::v2024_11_05});
    web->respond_next("GET", "", 401);
    auto const refused = co_await open_and_fail<http_sse>();
    BOOST_TEST((refused == linkspan::error_code(401, linkspan::http_category())), refused.message());
    web->respond_next("GET", "", 200, {{"Content-Type", "text/html"}}, "<html>");
    auto const page = co_await open_and_fail<http_sse>();
    BOOST_TEST((page == error::malformed_http), page.message());
}

LINKSPAN_CASE_IN(sse_world, lost_sse_stream_closes_session)
{
    serve({protocol_version::v2024_11_05});
    add().then(hang());
    co_await open<http_sse>();
    completion_box box;
    client->async_call_tool("add", {}, box.handler());
    co_await settle(executor);
    web->drop_connections();
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(to_string(box.delivery()) == "unknown");
    BOOST_TEST((client->state() == linkspan::session_state::closed));
}

LINKSPAN_CASE_IN(sse_world, refused_post_fails_only_its_call)
{
    serve({protocol_version::v2024_11_05});
    add().then(text("5"));
    co_await open<http_sse>();
    web->respond_next("POST", "tools/call", 413);
    auto const refused = co_await call_add();
    BOOST_TEST((refused.ec == linkspan::error_code(413, linkspan::http_category())), refused.ec.message());
    BOOST_TEST(to_string(refused.delivery()) == "refused");
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

LINKSPAN_CASE_IN(sse_world, sse_endpoint_is_relative_to_redirected_stream)
{
    serve({protocol_version::v2024_11_05});
    options.startup_timeout = 1s;
    web->set_interceptor([](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (what.method() != "GET")
            return false;
        if (what.target() == "/sse") {
            with.respond(307, {{"Location", "/v2/sse"}});
        } else {
            with.begin_stream();
            with.event({.data = "there", .type = "endpoint"});
        }
        return true;
    });
    co_await open_and_fail<http_sse>();
    BOOST_TEST(last("POST", "initialize").target() == "/v2/there");
}

// Requests of the server

HTTP_CASE(responses_to_requests_of_server_are_sent_by_post)
{
    for (bool const on_get : {false, true}) {
        serving.requests_on_get = on_get;
        serve(handshake_era);
        add().then(linkspan::test::send_request("ping"), text("5"));
        co_await open();
        auto const got = co_await this->call_add();
        BOOST_TEST(got.result.text() == "5");
        BOOST_TEST(last("POST", "\"result\":{}").header("mcp-session-id") ==
                   last("POST", "tools/call").header("mcp-session-id"));
        BOOST_TEST(web->requests("POST", "\"result\":{}") == 1u);
    }
}

HTTP_CASE(elicitation_result_is_sent_by_post)
{
    for (bool const on_get : {false, true}) {
        serving.requests_on_get = on_get;
        serve(handshake_era);
        add().then(
            linkspan::test::send_request("elicitation/create",
                                         R"({"message":"Who?","requestedSchema":{"type":"object","properties":{}}})"),
            text("5"));
        auto& requesting_server = make();
        requesting_server.on_request("elicitation/create", [](std::string_view, linkspan::responder reply) {
            reply(boost::json::object{{"action", "decline"}});
        });
        BOOST_TEST_REQUIRE(!std::get<0>(co_await requesting_server.async_open(in_tuple)));
        co_await settle(executor);
        auto const got = co_await this->call_add();
        BOOST_TEST(got.result.text() == "5", got.ec.message());
        BOOST_TEST(web->requests("POST", R"({"action":"decline"})") == 1u);
        BOOST_TEST(last("POST", "decline").header("mcp-protocol-version") == "2025-11-25");
    }
}

HTTP_CASE(concurrent_responses_to_requests_of_server_are_limited_and_do_not_delay_calls)
{
    constexpr std::size_t server_requests = 50, max_concurrent = 8;
    config.max_connections = 1;
    for (bool const takes : {true, false}) {
        serve(handshake_era);
        add().then(text("5"));
        std::size_t now = 0, peak = 0;
        http_exchange unasked;
        web->set_interceptor([&](http_server_request const& what, http_exchange with) {
            if (what.method() == "GET") {
                unasked = with;
                with.begin_stream();
                return true;
            }
            if (!has_part(what.body, "\"result\":{}"))
                return false;
            peak = std::max(peak, ++now);
            with.on_disconnect([&] { --now; });
            if (takes)
                asio::co_spawn(
                    executor,
                    [this, with, &now]() mutable -> asio::awaitable<void> {
                        co_await pass(executor, 1s);
                        --now;
                        with.respond(202);
                    },
                    asio::detached);
            return true;
        });
        co_await open();
        for (std::size_t i = 0; i != server_requests; ++i) {
            auto const server_request = R"({"jsonrpc":"2.0","id":"q)" + std::to_string(i) + R"(","method":"ping"})";
            unasked.event({.data = server_request});
        }
        co_await settle(executor);
        BOOST_TEST(now == max_concurrent);
        auto const began = time.now();
        BOOST_TEST((co_await call_add()).result.text() == "5");
        BOOST_TEST((time.now() == began));
        BOOST_TEST(web->requests("POST", "\"result\":{}") == max_concurrent);
        // The other two connections are that of the event stream and that of the calls.
        BOOST_TEST(web->open_connections() == max_concurrent + 2);
        // A response that the server does not accept is abandoned after the control timeout, and its connection is
        // closed. 50 responses, of which at most 8 are sent concurrently, need seven rounds.
        auto const each = takes ? 1s : config.control_timeout;
        co_await pass(executor, each * 7);
        co_await settle(executor);
        BOOST_TEST(now == 0u);
        BOOST_TEST(peak == max_concurrent);
        for (std::size_t i = 0; i != server_requests; ++i)
            BOOST_TEST(web->requests("POST", "\"q" + std::to_string(i) + "\"") == 1u, i);
        client.reset();
        co_await settle(executor);
    }
}

BOOST_AUTO_TEST_SUITE_END()
