#include <linkspan/model/call_error.hpp>
#include <linkspan/observe/text_log.hpp>

#include <deque>

#include "support/connector_case.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_auth_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::access_token;
using linkspan::api_key;
using linkspan::auto_http;
using linkspan::bearer_token;
using linkspan::duration;
using linkspan::error;
using linkspan::error_code;
using linkspan::http_category;
using linkspan::http_config;
using linkspan::http_exchange;
using linkspan::http_server_request;
using linkspan::http_sse;
using linkspan::streamable_http;
using linkspan::text_log;
using linkspan::token_provider;
using linkspan::token_request;
using linkspan::transports;
namespace asio = boost::asio;

namespace {

constexpr std::string_view secret = "hunter2-and-more";

// A token provider whose requests are completed by the test.
struct provider_world : http_world {
    using token_handler = std::function<void(error_code, access_token)>;

    std::size_t tokens = 0;              // counted by providers of test cases
    std::vector<std::string> challenges; // of all token requests
    std::vector<token_handler> pending;
    std::function<void(token_handler const&)> reply; // completes a token request immediately, if set

    provider_world()
    {
        config.auth = token_provider{[this](token_request const& what, token_handler done) {
            BOOST_TEST(what.url == config.url);
            challenges.emplace_back(what.challenge);
            if (reply)
                reply(done);
            else
                pending.push_back(std::move(done));
        }};
    }

    // Provides the tokens "t1", "t2" and so on.
    void provide_tokens(std::optional<duration> expires_in = {})
    {
        reply = [this, expires_in](token_handler const& done) {
            done({}, {"t" + std::to_string(challenges.size()), expires_in});
        };
    }

    // Makes the server accept only this token.
    void require_token(std::string token)
    {
        web->set_interceptor([token = std::move(token)](http_server_request const& what, http_exchange with) {
            if (what.header("authorization") == "Bearer " + token)
                return false;
            with.respond(401, {{"WWW-Authenticate", "Bearer error=\"invalid_token\""}});
            return true;
        });
    }
};

// Returns the message of the exception thrown on construction, or an empty string.
template<class Transport>
std::string refusal_of(http_config const& config)
{
    std::string by_session, by_connector;
    try {
        auto const factory = linkspan::via<Transport>(config);
    } catch (std::invalid_argument const& rejected) {
        by_session = rejected.what();
    }
    asio::io_context context;
    linkspan::connector<transports<Transport>> hub(context.get_executor());
    try {
        hub.template add<Transport>("a", config);
    } catch (std::invalid_argument const& rejected) {
        by_connector = rejected.what();
    }
    BOOST_TEST(by_session == by_connector);
    return by_session;
}

} // namespace

HTTP_CASE(credentials_and_headers_are_sent_with_each_request)
{
    config.headers = {{"X-Tenant", "blue"}};
    for (int const way : {0, 1, 2}) {
        if (way == 0)
            config.auth = bearer_token{"b1"};
        else if (way == 1)
            config.auth = api_key{"k1"};
        else
            config.auth = api_key{"k2", "X-Other"};
        serve(handshake_era);
        add().then(text("5"));
        co_await open();
        BOOST_TEST((co_await call_add()).result.text() == "5");
        co_await client->async_shutdown(in_tuple);
        BOOST_TEST(web->requests().size() >= 5u);
        for (auto const& each : web->requests()) {
            BOOST_TEST(each.header("authorization") == (way == 0 ? "Bearer b1" : ""));
            BOOST_TEST(each.header("x-api-key") == (way == 1 ? "k1" : ""));
            BOOST_TEST(each.header("x-other") == (way == 2 ? "k2" : ""));
            BOOST_TEST(each.header("x-tenant") == "blue");
        }
    }
}

LINKSPAN_CASE_IN(provider_world, token_is_requested_before_first_request)
{
    provide_tokens();
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST(challenges.size() == 1u);
    BOOST_TEST(challenges[0] == "");
    for (auto const& each : web->requests())
        BOOST_TEST(each.header("authorization") == "Bearer t1");
}

LINKSPAN_CASE_IN(provider_world, refused_token_is_replaced_once)
{
    provide_tokens();
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    require_token("t2");
    auto const got = co_await call_add();
    BOOST_TEST(got.result.text() == "5", got.ec.message());
    BOOST_TEST_REQUIRE(challenges.size() == 2u);
    BOOST_TEST(challenges[1] == "Bearer error=\"invalid_token\"");
    BOOST_TEST(server->received("tools/call") == 1u);
    require_token("nothing");
    auto const refused = co_await call_add();
    BOOST_TEST((refused.ec == error_code(401, http_category())), refused.ec.message());
    BOOST_TEST(to_string(refused.delivery()) == "refused");
    BOOST_TEST(challenges.size() == 3u);
    BOOST_TEST(web->requests("POST", "tools/call") == 4u);
    BOOST_TEST(client->challenge() == "Bearer error=\"invalid_token\"");
}

LINKSPAN_CASE_IN(provider_world, token_that_replaces_an_expired_one_may_be_rejected_by_a_fault)
{
    provide_tokens();
    serve(stateless_era);
    add()
        .once(fault(fault_kind::token_expired), text("1"))
        .once(text("2"))
        .once(fault({.kind = fault_kind::refresh_rejected, .delay_ms = 5000}), text("3"))
        .then(text("4"));
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "2");
    BOOST_TEST(challenges.size() == 2u);
    for (int i = 0; i != 2; ++i) {
        auto const rejected = co_await call_add();
        BOOST_TEST((rejected.ec == error_code(401, http_category())), rejected.ec.message());
        BOOST_TEST(contains(client->challenge(), "invalid_token"), client->challenge());
        co_await pass(executor, 4s);
    }
    BOOST_TEST((co_await call_add()).result.text() == "4");
}

LINKSPAN_CASE_IN(provider_world, concurrent_refused_calls_request_one_token)
{
    provide_tokens();
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    require_token("t2");
    std::deque<completion_box> boxes(16);
    for (auto& box : boxes)
        client->async_call_tool("add", {}, box.handler());
    co_await pass(executor, 1s);
    for (auto const& box : boxes)
        BOOST_TEST(box.result.text() == "5", box.ec.message());
    BOOST_TEST(challenges.size() == 2u);
}

LINKSPAN_CASE_IN(provider_world, expired_token_is_replaced_before_request)
{
    provide_tokens(10s);
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    BOOST_TEST(challenges.size() == 1u);
    co_await pass(executor, 11s);
    reply = nullptr;
    std::deque<completion_box> boxes(4);
    for (auto& box : boxes)
        client->async_call_tool("add", {}, box.handler());
    co_await pass(executor, 5s);
    BOOST_TEST_REQUIRE(pending.size() == 1u);
    BOOST_TEST(challenges[1] == "");
    pending[0]({}, {"late", {}});
    co_await settle(executor);
    for (auto const& box : boxes)
        BOOST_TEST(box.result.text() == "5", box.ec.message());
    BOOST_TEST(last("POST", "tools/call").header("authorization") == "Bearer late");
}

LINKSPAN_CASE_IN(provider_world, error_of_token_provider_fails_waiting_requests)
{
    provide_tokens(10s);
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await pass(executor, 11s);
    reply = [](token_handler const& done) { done(asio::error::access_denied, {}); };
    auto const before = web->requests().size();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == asio::error::access_denied), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "not_sent");
    BOOST_TEST(web->requests().size() == before);
    reply = [](token_handler const& done) { done({}, {"two\r\nlines", {}}); };
    auto const odd = co_await call_add();
    BOOST_TEST((odd.ec == asio::error::invalid_argument), odd.ec.message());
    BOOST_TEST(web->requests().size() == before);
    provide_tokens();
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

// The server has received the request, and has refused it with 401.
LINKSPAN_CASE_IN(provider_world, request_that_was_refused_before_the_provider_failed_is_refused)
{
    provide_tokens();
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    require_token("t2");
    reply = [](token_handler const& done) { done(asio::error::access_denied, {}); };
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == asio::error::access_denied), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "refused");
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
    BOOST_TEST(client->challenge() == "Bearer error=\"invalid_token\"");
    auto const unsent = co_await call_add(); // waits for a token before it is sent
    BOOST_TEST((unsent.ec == asio::error::access_denied), unsent.ec.message());
    BOOST_TEST(to_string(unsent.delivery()) == "not_sent");
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
}

LINKSPAN_CASE_IN(provider_world, refused_request_that_cannot_be_sent_again_is_refused)
{
    config.auth = token_provider{[this](token_request const&, token_handler done) {
        if (++tokens == 2) { // the connection is lost while the second token is requested
            net->refusal = asio::error::connection_refused;
            net->close_all();
        }
        done({}, {"t" + std::to_string(tokens), {}});
    }};
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    require_token("t2");
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == asio::error::connection_refused), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "refused");
}

// Bytes that wait for a token count as queued.
LINKSPAN_CASE_IN(provider_world, messages_that_wait_for_a_token_are_queued)
{
    serve(stateless_era);
    streamable_http transport(executor, config);
    error_code opened = error::no_eligible_server;
    transport.async_open([&](error_code ec) { opened = ec; });
    co_await settle(executor);
    BOOST_TEST(!opened);
    BOOST_TEST(transport.queued_bytes() == 0u);
    std::string const body = R"({"jsonrpc":"2.0","method":"notifications/x"})";
    linkspan::outbound message;
    message.bytes = body;
    message.method = "notifications/x";
    transport.send(message);
    transport.send(message);
    BOOST_TEST(pending.size() == 1u);
    BOOST_TEST(transport.queued_bytes() == 2 * body.size());
    transport.close();
    BOOST_TEST(transport.queued_bytes() == 0u);
}

LINKSPAN_CASE_IN(provider_world, token_provider_that_never_completes_times_out)
{
    config.token_timeout = 5s;
    provide_tokens(10s);
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await pass(executor, 11s);
    reply = nullptr;
    auto const began = time.now();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::attempt_timed_out), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "not_sent");
    BOOST_TEST((time.now() - began == 5s));
    // A late completion of the earlier token request is ignored.
    completion_box box;
    client->async_call_tool("add", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(pending.size() == 2u);
    pending[0]({}, {"stale", {}});
    co_await settle(executor);
    BOOST_TEST(box.count == 0u);
    pending[1]({}, {"fresh", {}});
    pending[1]({}, {"again", {}});
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "5");
    BOOST_TEST(last("POST", "tools/call").header("authorization") == "Bearer fresh");
}

LINKSPAN_CASE_IN(provider_world, call_waiting_for_token_completes_on_timeout_and_destruction)
{
    provide_tokens(10s);
    serve(stateless_era);
    add().then(text("5"));
    options.idle_timeout = 3s;
    co_await open();
    co_await pass(executor, 11s);
    reply = nullptr;
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::attempt_timed_out), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "not_sent");
    completion_box box;
    client->async_call_tool("add", {}, box.handler());
    co_await settle(executor);
    client.reset();
    co_await settle(executor);
    BOOST_TEST((box.ec == asio::error::operation_aborted));
    for (auto const& each : pending)
        each({}, {"late", {}});
    co_await settle(executor);
    BOOST_TEST(web->requests("POST", "tools/call") == 0u);
}

HTTP_CASE(credentials_are_not_sent_to_another_origin)
{
    config.auth = bearer_token{std::string(secret)};
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    web->respond_next("POST", "tools/call", 307, {{"Location", "http://other/mcp"}});
    co_await call_add();
    BOOST_TEST(net->dials == 1u);
    BOOST_TEST(net->host == "server");
}

// Secrets

HTTP_CASE(throwing_token_provider_fails_the_opening)
{
    config.auth = token_provider{[](auto const&, auto) { throw std::runtime_error("no wallet"); }};
    serve(stateless_era);
    auto const ec = co_await open_and_fail();
    BOOST_TEST((ec == boost::asio::error::access_denied), ec.message());
    BOOST_TEST(web->requests().empty());
}

static std::string error_saying(std::string const& words)
{
    return R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"you said )" + words + R"("}})";
}

HTTP_CASE(secrets_are_redacted_from_details_logs_and_state)
{
    for (int const way : {0, 1, 2, 3}) {
        std::string const planted(secret);
        config.headers.clear();
        config.auth = {};
        config.url = "http://server/mcp";
        if (way == 0)
            config.auth = bearer_token{planted};
        else if (way == 1)
            config.auth = api_key{planted};
        else if (way == 2)
            config.headers = {{"X-Secret", planted}};
        else
            config.auth = token_provider{[planted](auto const&, auto done) { done({}, {planted, {}}); }};
        serve(stateless_era);
        add().then(text("5"));
        std::string all;
        linkspan::connector<transports<streamable_http>, text_log> hub(
            executor, text_log([&](std::string_view line) { (all += line) += '\n'; }));
        hub.add<streamable_http>("a", config, with(1));
        auto const [opened, report] = co_await hub.async_open(in_tuple);
        BOOST_TEST(!opened);
        auto const failing = [&](int status, std::string body,
                                 linkspan::http_exchange::fields_type fields) -> asio::awaitable<void> {
            web->respond_next("POST", "tools/call", status, std::move(fields), std::move(body));
            auto const [ec, result] = co_await hub.async_call("add", {}, in_tuple);
            BOOST_TEST(ec.failed());
            all += explain(ec, result);
            for (auto const& each : result.attempts())
                all += each.detail;
        };
        http_exchange::fields_type const plain{{"Content-Type", "text/plain"}};
        http_exchange::fields_type const json{{"Content-Type", "application/json"}};
        http_exchange::fields_type const challenge{{"WWW-Authenticate", "Bearer error=\"" + planted + "\""}};
        http_exchange::fields_type const echo{{"X-Echo", planted}};
        std::size_t const padding[] = {0, 180, 186, 192, 199};
        for (auto const before : padding)
            co_await failing(403, std::string(before, 'x') + planted, plain);
        co_await failing(403, "no", challenge);
        co_await failing(500, "no", echo);
        co_await failing(200, planted, json);
        co_await failing(200, error_saying(planted), json);
        for (auto const& each : hub.state().servers)
            all += each.last_error;
        co_await hub.async_disconnect("a", in_tuple);
        web->respond_next("POST", "", 403, {}, "you said " + planted);
        auto const [refused, again] = co_await hub.async_connect("a", in_tuple);
        all += again.detail + again.ec.message();
        for (auto const& each : hub.state().servers)
            all += each.last_error;
        BOOST_TEST(all.size() > 500u);
        for (std::size_t length = 8; length <= planted.size(); ++length)
            BOOST_TEST(!has_part(all, planted.substr(0, length)), way << ' ' << all);
        // The same for a session without a connector.
        web->respond_next("POST", "", 403, challenge, planted);
        co_await open_and_fail();
        BOOST_TEST(!client->challenge().empty());
        BOOST_TEST(!has_part(client->challenge(), planted));
        BOOST_TEST(!has_part(client->diagnostics(), planted));
    }
}

// Construction

BOOST_AUTO_TEST_CASE(invalid_http_configuration_is_rejected_without_revealing_values)
{
    struct row {
        char const* what;
        std::function<void(http_config&)> spoil;
    };
    auto const planted = std::string(secret);
    row const rows[] = {
        {"no URL", [](auto& c) { c.url.clear(); }},
        {"no scheme", [&](auto& c) { c.url = planted; }},
        {"another scheme", [&](auto& c) { c.url = "ftp://server/" + planted; }},
        {"no host", [&](auto& c) { c.url = "http:///" + planted; }},
        {"an invalid port", [&](auto& c) { c.url = "http://server:99999/" + planted; }},
        {"a password", [&](auto& c) { c.url = "http://me:" + planted + "@server/"; }},
        {"proxy and Unix socket", [&](auto& c) { c.proxy = "http://" + planted, c.unix_socket = "/run/server.sock"; }},
        {"a URL with a line end", [&](auto& c) { c.url = "http://server/\r\nX: " + planted; }},
        {"a header without a name", [&](auto& c) { c.headers[""] = planted; }},
        {"a header name with a line end", [&](auto& c) { c.headers["X\r\nY"] = planted; }},
        {"a header that the transport sets", [&](auto& c) { c.headers["Content-Length"] = planted; }},
        {"a header value with a line end", [&](auto& c) { c.headers["X"] = planted + "\r\nY: 1"; }},
        {"a token with a line end", [&](auto& c) { c.auth = bearer_token{planted + "\n"}; }},
        {"a key with a control character", [&](auto& c) { c.auth = api_key{planted + "\x01"}; }},
        {"a key in a header that the transport sets",
         [&](auto& c) {
             c.auth = api_key{planted, "Host"};
         }},
        {"a token provider without a function", [](auto& c) { c.auth = token_provider{}; }},
        {"an invalid proxy URL", [&](auto& c) { c.proxy = "proxy:" + planted; }},
        {"a proxy over TLS", [&](auto& c) { c.proxy = "https://proxy/" + planted; }},
        {"a repeated header",
         [&](auto& c) {
             c.headers = {{"X-Key", planted}, {"x-key", planted}};
         }},
        {"credentials in two members",
         [&](auto& c) {
             c.headers["authorization"] = planted;
             c.auth = bearer_token{planted};
         }},
        {"no connection permitted", [](auto& c) { c.max_connections = 0; }},
        {"no head permitted", [](auto& c) { c.max_head = 0; }},
        {"no body permitted", [](auto& c) { c.max_body = 0; }},
        {"no event permitted", [](auto& c) { c.max_event = 0; }},
        {"no time to connect", [](auto& c) { c.connect_timeout = duration::zero(); }},
        {"no time for a control response", [](auto& c) { c.control_timeout = duration::zero(); }},
        {"no time for a token", [](auto& c) { c.token_timeout = duration::zero(); }},
    };
    for (auto const& row : rows) {
        http_config config;
        config.url = "http://server/mcp";
        BOOST_TEST(refusal_of<streamable_http>(config) == "");
        row.spoil(config);
        auto const refusal = refusal_of<streamable_http>(config);
        BOOST_TEST(refusal.starts_with("linkspan: "), row.what);
        BOOST_TEST(!has_part(refusal, planted), row.what << ": " << refusal);
        BOOST_TEST(!has_part(refusal, "\n"), row.what << ": " << refusal);
    }
}

HTTP_CASE(user_agent_can_be_configured)
{
    for (bool const named : {false, true}) {
        if (named)
            config.headers["user-agent"] = "my program";
        serve(stateless_era);
        co_await open();
        auto const& sent = web->requests().back();
        auto const ours = named ? std::string_view("my program") : std::string_view("linkspan/");
        BOOST_TEST(sent.header("user-agent").starts_with(ours));
        BOOST_TEST(sent.head.count(boost::beast::http::field::user_agent) == 1);
    }
}

BOOST_AUTO_TEST_CASE(each_http_transport_validates_its_configuration)
{
    http_config config;
    BOOST_TEST(refusal_of<auto_http>(config) != "");
    BOOST_TEST(refusal_of<http_sse>(config) != "");
    config.url = "http://server/mcp";
    BOOST_TEST(refusal_of<auto_http>(config) == "");
    BOOST_TEST(refusal_of<http_sse>(config) == "");
}

HTTP_CASE(https_without_tls_is_reported_as_tls_missing)
{
    config.url = "https://server/mcp";
    serve(stateless_era);
    auto const ec = co_await open_and_fail();
    BOOST_TEST((ec == error::tls_missing), ec.message());
    BOOST_TEST(net->dials == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
