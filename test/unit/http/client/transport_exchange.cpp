#include <linkspan/http/client/detail/transport_exchange.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(transport_exchange_test)

using linkspan::envelope;
using linkspan::error;
using linkspan::error_code;
using linkspan::http_head;
using linkspan::protocol_version;
using linkspan::detail::http_purpose;
using linkspan::detail::transport_exchange;

namespace {

// Receiver that logs the calls.
struct logging_receiver final : transport_exchange::receiver {
    std::string log;
    std::string completing; // text of the event that is the result
    bool open = true;
    bool closes_on_event = false;

    void add(std::string_view text) { (log += log.empty() ? "" : "; ") += text; }

    void on_session_id(std::string_view id) override { add("session " + std::string(id)); }
    void on_stream(transport_exchange&) override { add("stream"); }

    void on_event(transport_exchange& what, linkspan::sse_event& event) override
    {
        add("event " + event.data);
        if (event.data == completing)
            what.complete();
        open = open && !closes_on_event;
    }

    void on_result(transport_exchange&) override { add("result"); }
    void on_failure(std::shared_ptr<transport_exchange> const&, error_code ec) override
    {
        add("failure " + ec.message());
    }

    void on_end(std::shared_ptr<transport_exchange> const&, error_code ec, bool sent) override
    {
        add((sent ? "end " : "unsent ") + (ec ? ec.message() : std::string("complete")));
    }

    bool is_open() const noexcept override { return open; }
};

struct fixture {
    std::shared_ptr<logging_receiver> receiver = std::make_shared<logging_receiver>();

    std::shared_ptr<transport_exchange> make(http_purpose why = http_purpose::request,
                                             std::size_t max_event = 1000) const
    {
        auto out = std::make_shared<transport_exchange>(receiver, why, "POST", max_event);
        out->post.id = 1;
        out->post.version = protocol_version::v2025_11_25;
        return out;
    }
};

http_head head(int status, std::initializer_list<std::pair<char const*, char const*>> headers = {})
{
    http_head out;
    out.start_response(status);
    for (auto const& [name, value] : headers)
        out.add(boost::beast::http::string_to_field(name), name, value);
    return out;
}

http_head stream_head() { return head(200, {{"Content-Type", "text/event-stream; charset=utf-8"}}); }

std::string response(std::string const& id) { return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})"; }

bool is_completed(transport_exchange const& what, std::string_view text)
{
    std::vector<envelope> kept;
    return what.is_completed_by(linkspan::read_envelope(text), text, kept);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(exchange_without_a_response_has_no_status, fixture)
{
    auto const what = make();
    BOOST_TEST(what->status() == 0);
    BOOST_TEST(!what->is_stream());
    BOOST_TEST(!what->is_accepted());
    BOOST_TEST(!what->is_complete());
}

BOOST_FIXTURE_TEST_CASE(body_other_than_a_stream_is_collected, fixture)
{
    auto const what = make();
    BOOST_TEST(!what->on_head(head(200, {{"Content-Type", "application/json"}, {"Content-Length", "4"}})));
    what->on_body("{\"a");
    what->on_body("\":1}");
    BOOST_TEST(what->reply() == R"({"a":1})");
    BOOST_TEST(what->is_accepted());
    what->on_end({}, true);
    BOOST_TEST(receiver->log == "end complete");
    BOOST_TEST(what->take_reply() == R"({"a":1})");
}

BOOST_FIXTURE_TEST_CASE(headers_of_a_refusal_are_kept, fixture)
{
    auto const what = make();
    what->on_head(head(401, {{"Retry-After", "3"}, {"WWW-Authenticate", "Bearer"}, {"Location", "/other"}}));
    BOOST_TEST(what->status() == 401);
    BOOST_TEST(what->retry_after() == "3");
    BOOST_TEST(what->challenge() == "Bearer");
    BOOST_TEST(what->location() == "/other");
    BOOST_TEST(!what->is_accepted());
}

BOOST_FIXTURE_TEST_CASE(next_response_replaces_the_last_one, fixture)
{
    auto const what = make();
    what->on_head(head(401, {{"WWW-Authenticate", "Bearer"}, {"Content-Encoding", "gzip"}}));
    what->on_head(head(500));
    what->on_body("text");
    BOOST_TEST(what->challenge().empty());
    BOOST_TEST(!what->is_encoded());
    BOOST_TEST(what->reply() == "text");
    what->on_head(stream_head());
    BOOST_TEST(what->reply().empty());
    BOOST_TEST(what->is_stream());
    what->on_head(head(200));
    BOOST_TEST(!what->is_stream());
}

BOOST_FIXTURE_TEST_CASE(declared_length_of_a_body_reserves_a_limited_amount, fixture)
{
    for (auto const* length : {"99999999999999999999999999", "-1", "x", ""}) {
        auto const what = make();
        BOOST_TEST(!what->on_head(head(200, {{"Content-Length", length}})));
        what->on_body("{}");
        BOOST_TEST(what->reply() == "{}");
    }
}

BOOST_FIXTURE_TEST_CASE(events_of_a_stream_are_delivered, fixture)
{
    auto const what = make();
    BOOST_TEST(what->on_head(stream_head()));
    what->on_body("data: a\n\nda");
    what->on_body("ta: b\n\n");
    what->on_end({}, true);
    BOOST_TEST(receiver->log == "stream; event a; event b; end complete");
    BOOST_TEST(what->reply().empty());
}

BOOST_FIXTURE_TEST_CASE(stream_requires_a_status_of_200_and_a_purpose_that_has_responses, fixture)
{
    for (auto const why : {http_purpose::request, http_purpose::server_stream, http_purpose::resume})
        BOOST_TEST(make(why)->on_head(stream_head()));
    for (auto const why : {http_purpose::notification, http_purpose::end_session})
        BOOST_TEST(!make(why)->on_head(stream_head()));
    BOOST_TEST(!make()->on_head(head(202, {{"Content-Type", "text/event-stream"}})));
}

BOOST_FIXTURE_TEST_CASE(result_ends_the_delivery_of_events, fixture)
{
    receiver->completing = "b";
    auto const what = make();
    what->on_head(stream_head());
    what->on_body("data: a\n\ndata: b\n\ndata: c\n\n");
    BOOST_TEST(receiver->log == "stream; event a; event b; result");
    BOOST_TEST(what->is_complete());
    what->on_body("data: d\n\n");
    BOOST_TEST(receiver->log == "stream; event a; event b; result");
}

BOOST_FIXTURE_TEST_CASE(closing_the_transport_ends_the_delivery_of_events, fixture)
{
    receiver->closes_on_event = true;
    auto const what = make();
    what->on_head(stream_head());
    what->on_body("data: a\n\ndata: b\n\n");
    BOOST_TEST(receiver->log == "stream; event a");
}

BOOST_FIXTURE_TEST_CASE(event_above_its_limit_is_a_failure, fixture)
{
    auto const what = make(http_purpose::request, 10);
    what->on_head(stream_head());
    what->on_body("data: a\n\ndata: " + std::string(20, 'x') + "\n\n");
    BOOST_TEST(receiver->log == "stream; event a; failure " + make_error_code(error::body_too_long).message());
}

BOOST_FIXTURE_TEST_CASE(encoded_body_is_a_failure_only_of_an_accepted_request, fixture)
{
    auto const accepted = make();
    accepted->on_head(head(200, {{"Content-Encoding", "gzip"}}));
    BOOST_TEST(accepted->is_encoded());
    accepted->on_body("x");
    BOOST_TEST(receiver->log == "failure " + make_error_code(error::malformed_http).message());
    receiver->log.clear();
    auto const refused = make();
    refused->on_head(head(503, {{"Content-Encoding", "gzip"}}));
    refused->on_body("x");
    BOOST_TEST(receiver->log.empty());
    BOOST_TEST(refused->reply().empty());
    auto const identity = make();
    identity->on_head(head(200, {{"Content-Encoding", "Identity"}}));
    BOOST_TEST(!identity->is_encoded());
}

BOOST_FIXTURE_TEST_CASE(session_id_is_that_of_the_response_to_initialize, fixture)
{
    auto const what = make();
    what->post.opens = true;
    what->on_head(head(200, {{"Mcp-Session-Id", "abc"}})); // the probe has a version
    BOOST_TEST(receiver->log.empty());
    what->post.version.reset();
    what->on_head(head(404, {{"Mcp-Session-Id", "abc"}}));
    BOOST_TEST(receiver->log.empty());
    what->on_head(head(200, {{"Mcp-Session-Id", "abc"}}));
    what->on_head(head(200));
    BOOST_TEST(receiver->log == "session abc; session ");
}

BOOST_FIXTURE_TEST_CASE(destroyed_receiver_is_not_called, fixture)
{
    auto const what = make();
    receiver.reset();
    BOOST_TEST(!what->on_head(stream_head()));
    what->on_body("data: a\n\n");
    what->on_end({}, true);
    BOOST_TEST(what->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(request_is_completed_by_its_response, fixture)
{
    auto const what = make();
    BOOST_TEST(is_completed(*what, response("1")));
    BOOST_TEST(is_completed(*what, response("null")));
    BOOST_TEST(is_completed(*what, R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})"));
    BOOST_TEST(is_completed(*what, R"({"jsonrpc":"1.0","id":1,"result":{}})")); // invalid
    BOOST_TEST(!is_completed(*what, response("2")));
    BOOST_TEST(!is_completed(*what, R"({"jsonrpc":"2.0","method":"notifications/message"})"));
    BOOST_TEST(!is_completed(*what, R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
    what->post.id = 0; // a stream without a request
    BOOST_TEST(!is_completed(*what, response("0")));
    BOOST_TEST(!is_completed(*what, response("null")));
}

BOOST_FIXTURE_TEST_CASE(batch_completes_the_request_if_an_element_does, fixture)
{
    auto const what = make();
    BOOST_TEST(is_completed(*what, "[" + response("2") + "," + response("1") + "]"));
    BOOST_TEST(!is_completed(*what, "[" + response("2") + "]"));
    BOOST_TEST(!is_completed(*what, "[]"));
}

BOOST_FIXTURE_TEST_CASE(structures_of_the_first_64_elements_are_kept, fixture)
{
    auto const what = make();
    std::string text = "[";
    for (int i = 0; i != 70; ++i)
        text += response(std::to_string(i + 10)) + ",";
    text += response("1") + "]";
    std::vector<envelope> kept;
    BOOST_TEST(what->is_completed_by(linkspan::read_envelope(text), text, kept));
    BOOST_TEST(kept.size() == 64U);
    BOOST_TEST((kept.front().id == 10));
}

BOOST_FIXTURE_TEST_CASE(position_of_a_stream_is_kept_for_its_resumption, fixture)
{
    auto const what = make();
    what->on_head(stream_head());
    what->on_body("id: 5\ndata: a\n\n");
    what->store_position();
    BOOST_TEST(what->resumption.position() == "5");
    auto const other = make();
    other->on_head(head(200));
    other->store_position();
    BOOST_TEST(other->resumption.position().empty());
}

BOOST_FIXTURE_TEST_CASE(request_of_a_stateless_version_is_recognized, fixture)
{
    auto const what = make();
    BOOST_TEST(!what->is_stateless());
    what->post.version = protocol_version::v2026_07_28;
    BOOST_TEST(what->is_stateless());
    what->post.version.reset();
    BOOST_TEST(!what->is_stateless());
}

BOOST_FIXTURE_TEST_CASE(reuse_restores_the_initial_state, fixture)
{
    using step = linkspan::detail::request_repetition::step;
    auto const what = make();
    what->ends_handshake = true;
    auto const redirect = [&what] {
        return what->repetition
            .on_response(307, "/x", linkspan::read_http_url("http://one.example/").value(), "/",
                         linkspan::redirects::same_origin)
            .has_value();
    };
    while (redirect())
        continue;
    BOOST_TEST((what->repetition.on_unauthorized(true, true) == step::request_token));
    what->target = "/other";
    what->fields = "A: b\r\n";
    what->body = "{}";
    what->request = "POST";
    what->lane = linkspan::detail::http_lane::control;
    what->timeout = std::chrono::seconds(1);
    what->session = what->token = 3;
    what->on_head(head(
        401,
        {{"WWW-Authenticate", "Bearer"}, {"Retry-After", "1"}, {"Location", "/x"}, {"Content-Encoding", "identity"}}));
    what->on_body("refused");
    what->on_head(stream_head());
    what->on_body("id: 7\ndata: x\n\n");
    what->store_position();
    what->complete();

    what->reuse(http_purpose::notification, "GET");
    BOOST_TEST((what->purpose == http_purpose::notification));
    BOOST_TEST(what->method == "GET");
    BOOST_TEST(what->post.id == 0);
    BOOST_TEST(!what->post.version);
    BOOST_TEST(!what->ends_handshake);
    BOOST_TEST((what->repetition.on_unauthorized(true, true) == step::request_token));
    BOOST_TEST(redirect());
    std::initializer_list<std::string const*> const texts{&what->target,      &what->fields,    &what->body,
                                                          &what->request,     &what->reply(),   &what->retry_after(),
                                                          &what->challenge(), &what->location()};
    for (auto const* const text : texts)
        BOOST_TEST(*text == "");
    BOOST_TEST((what->lane == linkspan::detail::http_lane::call));
    BOOST_TEST((what->timeout == linkspan::duration::max()));
    BOOST_TEST(what->session + what->token == 0);
    BOOST_TEST(what->resumption.position() == "");
    BOOST_TEST(what->status() == 0);
    BOOST_TEST(!what->is_stream());
    BOOST_TEST(!what->is_complete());
    BOOST_TEST(!what->is_encoded());
}

BOOST_FIXTURE_TEST_CASE(exchange_with_a_long_text_or_stream_is_large, fixture)
{
    std::string const long_text(100'000, 'x');
    auto what = make();
    what->body = "{}";
    what->on_head(head(200, {{"Content-Length", "7"}}));
    what->on_body("refused");
    BOOST_TEST(!what->is_large());
    what->body = long_text;
    BOOST_TEST(what->is_large());

    what = make();
    what->on_head(head(500));
    what->on_body(long_text);
    BOOST_TEST(what->is_large());

    what = make(http_purpose::request, 1'000'000);
    what->on_head(stream_head());
    what->on_body("data: x\n\n");
    BOOST_TEST(!what->is_large());
    what->on_body("data: " + long_text);
    BOOST_TEST(what->is_large());
    what->reuse(http_purpose::request, "POST");
    BOOST_TEST(!what->is_large());
}

BOOST_FIXTURE_TEST_CASE(head_and_body_are_received_again_after_a_failed_allocation, fixture)
{
    std::string const challenge(40, 'c'), length = "5000", piece(5000, 'b');
    auto const refused = head(401, {{"WWW-Authenticate", challenge.c_str()}, {"Content-Length", length.c_str()}});
    linkspan::test::fail_each_allocation([&](auto& failing) {
        auto const what = make();
        if (!failing([&] { what->on_head(refused); })) {
            BOOST_TEST(what->reply().empty());
            BOOST_TEST(!what->on_head(refused));
        }
        BOOST_TEST(what->challenge() == challenge);
        for (std::size_t size = 0; size != 2 * piece.size(); size += piece.size()) {
            if (!failing([&] { what->on_body(piece); })) {
                BOOST_TEST(what->reply().size() == size);
                what->on_body(piece);
            }
        }
        BOOST_TEST(what->reply() == piece + piece);
        BOOST_TEST(receiver->log.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(exchange_is_used_again_after_a_failed_allocation_in_a_stream, fixture)
{
    std::string const event = "id: 7\ndata: " + std::string(100, 'x') + "\n\n";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        receiver->log.clear();
        auto const what = make();
        what->on_head(stream_head());
        bool const is_delivered = failing([&] { what->on_body(event + event); });
        BOOST_TEST(!what->is_complete());
        what->reuse(http_purpose::request, "POST");
        receiver->log.clear();
        what->post.id = 1;
        BOOST_TEST(what->on_head(stream_head()));
        what->on_body("data: a\n\n");
        BOOST_TEST(receiver->log == "stream; event a", is_delivered);
        what->store_position();
        BOOST_TEST(what->resumption.position().empty()); // that of the other stream is discarded
    });
}

BOOST_FIXTURE_TEST_CASE(completion_is_determined_again_after_a_failed_allocation, fixture)
{
    auto const what = make();
    auto const text = "[" + response("2") + "," + response("1") + "]";
    auto const message = linkspan::read_envelope(text);
    linkspan::test::fail_each_allocation([&](auto& failing) {
        std::vector<envelope> kept;
        bool is_completed = false;
        if (!failing([&] { is_completed = what->is_completed_by(message, text, kept); })) {
            kept.clear();
            is_completed = what->is_completed_by(message, text, kept);
        }
        BOOST_TEST(is_completed);
        BOOST_TEST(kept.size() == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
