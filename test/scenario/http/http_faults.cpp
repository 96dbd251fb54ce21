#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <deque>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_faults_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::http_category;
using linkspan::http_exchange;
using linkspan::http_server_request;
using linkspan::protocol_version;
using linkspan::redirects;
namespace asio = boost::asio;
using form = http_server_options::form;

namespace {

std::string event_of(std::string_view data) { return "data: " + std::string(data) + "\n\n"; }

struct bad_row {
    char const* what;
    std::string bytes; // the response, in which "@" is replaced by the id of the request
    error_code ec;
    char const* how = "unknown";
};

} // namespace

// Broken connections

HTTP_CASE(fault_that_ends_the_event_stream_of_http_sse_ends_the_session)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    for (auto const kind : {fault_kind::cut, fault_kind::sse_disconnect, fault_kind::sse_comment_only}) {
        serve({protocol_version::v2024_11_05});
        std::size_t ended = 0;
        server->on(connection_closed()).then([&ended](exchange&, std::function<void()> const& next) {
            ++ended;
            next();
        });
        add().then(fault(kind), text("5"));
        co_await open<linkspan::http_sse>();
        BOOST_TEST(web->sessions() == 1u);
        auto const got = co_await call_add();
        BOOST_TEST(got.ec, linkspan::name_of(kind));
        BOOST_TEST(web->sessions() == 0u);
        BOOST_TEST(ended == 1u);
    }
}

HTTP_CASE(call_with_response_cut_after_any_byte_has_unknown_outcome)
{
    for (auto const& versions : {stateless_era, handshake_era})
        for (auto const each_form : {form::json, form::stream}) {
            serving.response_form = each_form;
            std::uint64_t whole = 1;
            for (std::uint64_t n = 0; n != whole; ++n) {
                serve(versions);
                add().then(text("5"));
                co_await open();
                co_await call_add(); // leaves an idle connection for the next call
                auto const before = net->bytes_in();
                if (n == 0) {
                    co_await call_add();
                    whole = net->bytes_in() - before;
                    BOOST_TEST_REQUIRE(whole > 100u);
                    // A stream is complete with the event that contains the response, not with its last bytes.
                    if (each_form == form::stream)
                        whole -= 12;
                    continue;
                }
                net->cut_response_after(n);
                auto const began = time.now();
                auto const got = co_await call_add();
                auto const label = std::string(to_string(versions[0])) + " " + std::to_string(n);
                BOOST_TEST(got.ec.failed(), label);
                BOOST_TEST(to_string(got.delivery()) == "unknown", label << got.ec.message());
                BOOST_TEST((time.now() - began <= 1s), label);
                BOOST_TEST(web->requests("POST", "tools/call") == 2u, label);
            }
        }
}

HTTP_CASE(call_is_not_sent_unless_last_byte_of_request_was_accepted)
{
    std::uint64_t whole = 1;
    for (std::uint64_t n = 0; n <= whole; ++n) {
        net->dials = 0;
        serve(stateless_era);
        add().then(text("5"));
        co_await open();
        if (n == 0) {
            auto const before = net->bytes_out();
            co_await call_add();
            whole = net->bytes_out() - before;
            BOOST_TEST_REQUIRE(whole > 200u);
            continue;
        }
        // Cuts both connections: the idle connection, which is used first, and the new connection.
        net->cut_request_after(n);
        auto const accept = net->accept;
        net->accept = [&](std::unique_ptr<linkspan::byte_stream> stream) {
            accept(std::move(stream));
            net->cut_request_after(n);
        };
        auto const got = co_await call_add();
        BOOST_TEST(got.ec.failed(), n);
        BOOST_TEST(to_string(got.delivery()) == (n < whole ? "not_sent" : "unknown"), n << got.ec.message());
        BOOST_TEST(server->received("tools/call") == 0u, n);
        BOOST_TEST(net->dials == (n < whole ? 2u : 1u), n);
    }
}

// Malformed responses

HTTP_CASE(malformed_response_fails_only_its_call)
{
    auto const five_events = event_of(five);
    std::string const other = R"({"jsonrpc":"2.0","id":99,"result":{"resultType":"complete","content":[]}})";
    std::string const page = "<html>hello</html>";
    auto with_type = [](std::string_view status, std::string_view type, std::string_view body) {
        return http_text(std::string(status) + "\r\nContent-Type: " + std::string(type), body);
    };
    auto chunked = [](std::string_view chunks) {
        return std::string("HTTP/1.1 ") + std::string(ok_json) + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
               std::string(chunks);
    };
    auto events = [](std::string_view text) {
        return "HTTP/1.1 " + std::string(ok_events) + "\r\n\r\n" + std::string(text);
    };
    error_code const broken = error::stream_ended, no_http = error::malformed_http, large = error::body_too_long,
                     no_message = error::malformed_message;
    config.max_head = 2048;
    config.max_body = 4096;
    config.max_event = 4096;
    bad_row const rows[] = {
        {"not HTTP", "hello\r\n\r\n", no_http},
        {"another protocol", "HTTP/2 200 OK\r\n\r\n", no_http},
        {"a field without colon", "HTTP/1.1 200 OK\r\nhello\r\n\r\n", no_http},
        {"a long head", "HTTP/1.1 200 OK\r\nX: " + std::string(4000, 'x') + "\r\n\r\n", large},
        {"a long body", http_text(ok_json, std::string(5000, ' ')), large},
        {"a long body of unknown length", "HTTP/1.1 " + std::string(ok_json) + "\r\n\r\n" + std::string(5000, ' '),
         large},
        {"a long body in chunks", chunked("1388\r\n" + std::string(5000, ' ') + "\r\n0\r\n\r\n"), large},
        {"a long event", events("data: " + std::string(5000, 'x')), large},
        {"a long event in lines", events([] {
             std::string out;
             for (int i = 0; i != 100; ++i)
                 out += "data: " + std::string(50, 'x') + "\n";
             return out;
         }()),
         large},
        {"a line with a chunk size, without an end", chunked("5;" + std::string(5000, 'x')), large},
        {"a trailer without an end", chunked("0\r\nX: " + std::string(5000, 'x')), large},
        {"bad chunks", chunked("zz\r\nhello\r\n0\r\n\r\n"), no_http},
        {"chunks without an end", chunked("5\r\nhello\r\n"), broken},
        {"a chunk that is too long", chunked("2\r\nhello\r\n0\r\n\r\n"), no_http},
        {"an invalid length", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", no_http},
        {"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc", no_http},
        {"a short body", "HTTP/1.1 " + std::string(ok_json) + "\r\nContent-Length: 100\r\n\r\n{}", broken},
        {"no body", http_text(ok_json, ""), no_message},
        {"202", http_text("202 Accepted", ""), {202, http_category()}},
        {"204", "HTTP/1.1 204 No Content\r\n\r\n", {204, http_category()}},
        {"304", "HTTP/1.1 304 Not Modified\r\n\r\n", {304, http_category()}},
        {"an HTML page", with_type("200 OK", "text/html", page), no_message},
        {"a response to another request", with_type("200 OK", "application/json", other), no_message},
        {"a byte that is not JSON", with_type("200 OK", "application/json", "{\"jsonrpc\":\"2.0\",\"id\":\xff}"),
         no_message},
        {"a compressed body", http_text(std::string(ok_json) + "\r\nContent-Encoding: gzip", five), no_http},
        {"compressed events", "HTTP/1.1 " + std::string(ok_events) + "\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b",
         no_http},
        {"a stream without an event", events(""), broken},
        {"a stream with half an event", events("data: " + std::string(five)), broken},
        {"a stream with a response to another request", events(event_of(other)), broken},
        {"a stream with no message", events("data: hello\n\n"), broken},
        {"a stream with another kind of event", events("event: x\n" + five_events), broken},
        {"interim responses only",
         [] {
             std::string out;
             for (int i = 0; i != 100; ++i)
                 out += "HTTP/1.1 103 Early Hints\r\n\r\n";
             return out;
         }(),
         no_http},
        {"a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", {}},
    };
    for (auto const& row : rows) {
        serve(stateless_era);
        add().once(http_raw_for(*server, row.bytes), http_cut()).then(text("5"));
        co_await open();
        auto const got = co_await call_add();
        BOOST_TEST(got.ec.failed(), row.what);
        if (row.ec)
            BOOST_TEST((got.ec == row.ec), row.what << ": " << got.ec.message());
        BOOST_TEST(to_string(got.delivery()) == row.how, row.what << ": " << got.ec.message());
        BOOST_TEST((co_await call_add()).result.text() == "5", row.what);
    }
}

HTTP_CASE(invalid_utf8_in_result_is_kept_unchanged)
{
    serve(stateless_era);
    auto bad = std::string(five);
    bad.replace(bad.find("\"5\""), 3, "\"5\xff\"");
    add().once(http_raw_for(*server, http_text(ok_json, bad)), http_cut()).then(text("5"));
    co_await open();
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "5\xff");
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

HTTP_CASE(compressed_stream_is_rejected_at_its_start)
{
    serve(stateless_era);
    auto const stream = "HTTP/1.1 " + std::string(ok_events) + "\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b";
    add().once(http_raw_for(*server, stream)).then(text("5")); // the stream stays open
    co_await open();
    auto const began = time.now();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::malformed_http), got.ec.message());
    BOOST_TEST((time.now() == began));
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

HTTP_CASE(refusal_may_have_compressed_body)
{
    serve(handshake_era);
    add().then(text("5"));
    web->respond_next("POST", "server/discover", 404, {{"Content-Encoding", "gzip"}}, "\x1f\x8b");
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

HTTP_CASE(unusual_but_valid_responses_are_accepted)
{
    auto const head = "HTTP/1.1 " + std::string(ok_json) + "\r\n";
    auto const events = "HTTP/1.1 " + std::string(ok_events) + "\r\n\r\n";
    auto const plain = head + "Connection: close\r\n\r\n" + std::string(five);
    std::string const all[] = {
        plain,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + plain,
        "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + std::string(five),
        "HTTP/1.1 200 \r\nContent-Type: application/json\r\n\r\n" + std::string(five),
        "HTTP/1.1 200 OK\r\ncontent-type: Application/JSON; charset=utf-8\r\n\r\n" + std::string(five),
        head + "Content-Encoding: identity\r\n\r\n" + std::string(five),
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n" + event_of(five),
        events + event_of(five) + event_of(five),
        events + event_of(five) + "data: garbage",
        events + ": hello\n\nid: 7\n\nevent: x\ndata: y\n\n" + event_of(five),
        events + "\xef\xbb\xbf" + "data:" + std::string(five) + "\r\n\r\n",
    };
    for (auto const& bytes : all) {
        serve(stateless_era);
        add().once(http_raw_for(*server, bytes), http_cut()).then(text("5"));
        co_await open();
        auto const got = co_await call_add();
        BOOST_TEST(got.result.text() == "5", bytes << got.ec.message());
        BOOST_TEST((co_await call_add()).result.text() == "5", bytes);
    }
}

HTTP_CASE(connection_with_bytes_after_response_is_not_reused)
{
    serve(stateless_era);
    bool first = true;
    web->set_interceptor([&](http_server_request const& what, http_exchange with) {
        if (!has_part(what.body, "tools/call") || !std::exchange(first, false))
            return false;
        with.raw(http_text(ok_json, with_id(five, what.body)) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        return true;
    });
    add().then(text("7"));
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST((co_await call_add()).result.text() == "7");
    BOOST_TEST(web->connections() == 2u);
}

// Statuses

HTTP_CASE(http_status_determines_certainty)
{
    struct row {
        int status;
        char const* how;
    };
    row const rows[] = {{400, "refused"}, {401, "refused"}, {402, "unknown"}, {403, "refused"}, {404, "refused"},
                        {405, "refused"}, {406, "refused"}, {408, "unknown"}, {409, "unknown"}, {413, "refused"},
                        {415, "refused"}, {421, "refused"}, {422, "unknown"}, {429, "refused"}, {500, "unknown"},
                        {502, "unknown"}, {503, "unknown"}, {504, "unknown"}, {302, "unknown"}, {303, "unknown"}};
    for (auto const& versions : {stateless_era, handshake_era})
        for (auto const& [status, how] : rows) {
            if (versions == handshake_era && status == 404)
                continue; // 404 means that the session is lost
            serve(versions);
            add().then(text("5"));
            co_await open();
            web->respond_next("POST", "tools/call", status, {{"Location", "/there"}, {"Content-Type", "text/html"}},
                              "<html>no</html>");
            auto const got = co_await call_add();
            BOOST_TEST((got.ec == error_code(status, http_category())), status << ": " << got.ec.message());
            BOOST_TEST(to_string(got.delivery()) == how, status);
            BOOST_TEST_REQUIRE(got.result.attempts().size() == 1u);
            BOOST_TEST(has_part(got.result.attempts()[0].detail, "<html>no</html>"), status);
            BOOST_TEST(web->requests("POST", "tools/call") == 1u);
            BOOST_TEST((co_await call_add()).result.text() == "5");
        }
}

HTTP_CASE(retry_after_of_server_is_in_attempt)
{
    for (int const status : {429, 503}) {
        serve(stateless_era);
        add().then(text("5"));
        co_await open();
        web->respond_next("POST", "tools/call", status, {{"Retry-After", "7"}});
        auto const got = co_await call_add();
        BOOST_TEST(to_string(got.delivery()) == "refused");
        BOOST_TEST_REQUIRE(got.result.attempts().size() == 1u);
        BOOST_TEST((got.result.attempts()[0].result.retry_after == linkspan::duration(7s)), status);
    }
}

// Redirects

HTTP_CASE(redirect_within_origin_is_followed_with_body)
{
    for (int const status : {307, 308})
        for (auto const* const to : {"/there?a=1", "http://server/there?a=1", "http://SERVER:80/there?a=1"}) {
            serve(stateless_era);
            add().then(text("5"));
            co_await open();
            web->respond_next("POST", "tools/call", status, {{"Location", to}});
            web->set_interceptor([&](http_server_request const& what, http_exchange with) {
                if (what.target() != "/there?a=1")
                    return false;
                with.respond(200, {{"Content-Type", "application/json"}}, with_id(five, what.body));
                return true;
            });
            auto const got = co_await call_add();
            BOOST_TEST(got.result.text() == "5", to << got.ec.message());
            BOOST_TEST(web->requests().back().target() == "/there?a=1");
            BOOST_TEST(web->requests().back().method() == "POST");
            BOOST_TEST(web->requests().back().header("mcp-name") == "add");
        }
}

HTTP_CASE(redirect_to_another_origin_is_not_followed)
{
    for (auto const follow : {redirects::same_origin, redirects::none})
        for (auto const* const to : {"http://other/mcp", "https://server/mcp", "http://server:81/mcp", "//other/mcp",
                                     "", "http://server/a b", "ftp://server/mcp"}) {
            config.follow = follow;
            serve(stateless_era);
            add().then(text("5"));
            co_await open();
            web->respond_next("POST", "tools/call", 307, {{"Location", follow == redirects::none ? "/there" : to}});
            auto const got = co_await call_add();
            BOOST_TEST((got.ec == error_code(307, http_category())), to << got.ec.message());
            BOOST_TEST(to_string(got.delivery()) == "unknown");
            BOOST_TEST(web->requests("POST", "tools/call") == 1u);
            BOOST_TEST(net->host == "server");
        }
}

HTTP_CASE(redirect_loop_is_limited)
{
    serve(stateless_era);
    add();
    co_await open();
    web->set_interceptor([](http_server_request const&, http_exchange with) {
        with.respond(308, {{"Location", "/mcp"}});
        return true;
    });
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error_code(308, http_category())), got.ec.message());
    BOOST_TEST(web->requests("POST", "tools/call") == 6u);
}

// Messages

HTTP_CASE(response_for_another_call_completes_only_that_call)
{
    serve(stateless_era);
    std::vector<std::string> request_bodies;
    std::deque<http_exchange> out;
    web->set_interceptor([&](http_server_request const& what, http_exchange with) {
        if (!has_part(what.body, "tools/call"))
            return false;
        request_bodies.push_back(what.body);
        out.push_back(with);
        return true;
    });
    add();
    co_await open();
    completion_box one, two;
    client->async_call_tool("add", {}, one.handler());
    client->async_call_tool("add", {}, two.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(out.size() == 2u);
    auto const swapped = with_id(five, request_bodies[1]);
    out[0].respond(200, {{"Content-Type", "application/json"}}, swapped);
    co_await settle(executor);
    BOOST_TEST(one.count == 1u);
    BOOST_TEST((one.ec == error::malformed_message));
    BOOST_TEST(two.count == 0u);
    out[1].respond(200, {{"Content-Type", "application/json"}}, swapped);
    co_await settle(executor);
    BOOST_TEST(two.result.text() == "5");
}

BOOST_AUTO_TEST_SUITE_END()
