#include <linkspan/http/client/detail/response_parser.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// The I/O of a connection, its exchanges and its timeouts are covered by scenario.http.http_client and
// scenario.http.http_pool.

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(response_parser_test)

using linkspan::error;
using linkspan::error_code;
using linkspan::http_body_sink;
using linkspan::http_reader;
using linkspan::detail::response_parser;
namespace asio = boost::asio;
using step = response_parser::step;

namespace {

constexpr std::string_view complete = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
constexpr std::string_view interim = "HTTP/1.1 102 Processing\r\n\r\n";

struct fixture : http_body_sink {
    fixture() { parser.begin(); }

    void on_body(std::string_view piece) override { body += piece; }

    void receive(std::string_view bytes)
    {
        auto const space = parser.space();
        BOOST_REQUIRE(space.size() >= bytes.size());
        parser.on_received(asio::buffer_copy(space, asio::const_buffer(bytes.data(), bytes.size())));
    }

    // Parses until the end of the received bytes or of the response.
    step resume()
    {
        step reached{};
        do {
            reached = parser.resume(ec);
            heads += reached == step::head ? 1 : 0;
        } while (reached == step::head);
        return reached;
    }

    std::string body;
    int heads = 0;
    error_code ec;
    http_reader<false>::limits limits;
    response_parser parser{*this, limits};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(head_is_reported_before_the_body, fixture)
{
    receive(complete);
    BOOST_TEST(!parser.has_head());
    BOOST_TEST((parser.resume(ec) == step::head));
    BOOST_TEST(parser.has_head());
    BOOST_TEST(parser.head().status() == 200);
    BOOST_TEST(body == "");
    BOOST_TEST((parser.resume(ec) == step::done));
    BOOST_TEST(body == "hello");
    BOOST_TEST(parser.can_continue());
    BOOST_TEST((parser.resume(ec) == step::done));
    BOOST_TEST(!ec);
}

BOOST_FIXTURE_TEST_CASE(response_may_be_cut_at_each_byte, fixture)
{
    for (std::size_t cut = 1; cut != complete.size(); ++cut) {
        body.clear();
        heads = 0;
        parser.begin();
        receive(complete.substr(0, cut));
        BOOST_TEST((resume() == step::more), cut);
        BOOST_TEST(!ec, cut);
        receive(complete.substr(cut));
        BOOST_TEST((resume() == step::done), cut);
        BOOST_TEST(body == "hello", cut);
        BOOST_TEST(heads == 1, cut);
    }
}

BOOST_FIXTURE_TEST_CASE(bytes_after_the_response_prevent_another_response, fixture)
{
    receive(std::string(complete) + "H");
    BOOST_TEST((resume() == step::done));
    BOOST_TEST(body == "hello");
    BOOST_TEST(!parser.can_continue());
}

BOOST_FIXTURE_TEST_CASE(response_that_closes_the_connection_is_the_last_one, fixture)
{
    receive("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST((resume() == step::done));
    BOOST_TEST(heads == 1);
    BOOST_TEST(!parser.can_continue());
}

BOOST_FIXTURE_TEST_CASE(interim_responses_are_skipped_up_to_a_limit, fixture)
{
    for (int i = 0; i != 16; ++i)
        receive(interim);
    BOOST_TEST((resume() == step::more));
    BOOST_TEST(!parser.has_head());
    receive(complete);
    BOOST_TEST((resume() == step::done));
    BOOST_TEST(heads == 1);
    parser.begin();
    for (int i = 0; i != 17; ++i)
        receive(interim);
    BOOST_TEST((resume() == step::more));
    BOOST_TEST((ec == error::malformed_http));
}

BOOST_FIXTURE_TEST_CASE(bytes_other_than_a_response_are_malformed, fixture)
{
    receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST((resume() == step::done));
    parser.begin();
    receive("no response\r\n\r\n");
    BOOST_TEST((resume() == step::more));
    BOOST_TEST((ec == error::malformed_http));
}

BOOST_FIXTURE_TEST_CASE(end_of_the_stream_ends_a_response_without_a_length, fixture)
{
    receive("HTTP/1.1 200 OK\r\n\r\nhel");
    BOOST_TEST((resume() == step::more));
    BOOST_TEST(parser.on_eof(ec));
    BOOST_TEST(!ec);
    BOOST_TEST(body == "hel");
}

BOOST_FIXTURE_TEST_CASE(end_of_the_stream_in_a_response_is_an_error, fixture)
{
    BOOST_TEST(!parser.on_eof(ec));
    BOOST_TEST((ec == error::stream_ended));
    receive(complete.substr(0, complete.size() - 1));
    BOOST_TEST((resume() == step::more));
    BOOST_TEST(!parser.on_eof(ec));
    BOOST_TEST((ec == error::stream_ended));
}

BOOST_FIXTURE_TEST_CASE(head_and_body_have_limits, fixture)
{
    limits.head = 100;
    limits.body = 10;
    response_parser small(*this, limits);
    auto const receive_into = [&](std::string_view bytes) {
        small.begin();
        small.on_received(asio::buffer_copy(small.space(), asio::const_buffer(bytes.data(), bytes.size())));
    };
    receive_into("HTTP/1.1 200 OK\r\nName: " + std::string(200, 'x'));
    BOOST_TEST((small.resume(ec) == step::more));
    BOOST_TEST((ec == error::body_too_long));
}

BOOST_FIXTURE_TEST_CASE(limit_of_the_body_can_be_removed_after_the_head, fixture)
{
    limits.body = 10;
    for (bool const is_stream : {false, true}) {
        response_parser small(*this, limits);
        small.begin();
        std::string bytes =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n" + std::string(20, 'x') + "\r\n";
        small.on_received(asio::buffer_copy(small.space(), asio::buffer(bytes)));
        BOOST_TEST((small.resume(ec) == step::head));
        if (is_stream)
            small.lift_body_limit();
        BOOST_TEST((small.resume(ec) == step::more));
        BOOST_TEST((ec == (is_stream ? error_code() : error_code(error::body_too_long))));
    }
}

BOOST_FIXTURE_TEST_CASE(memory_for_received_bytes_grows_with_a_long_head, fixture)
{
    receive("HTTP/1.1 200 OK\r\nName: ");
    for (int i = 0; i != 4; ++i) {
        receive(std::string(10000, 'x'));
        BOOST_TEST((resume() == step::more));
        BOOST_TEST(!ec);
    }
    BOOST_TEST(parser.space().size() >= std::size_t{16} << 10);
    receive("\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST((resume() == step::done));
}

BOOST_FIXTURE_TEST_CASE(received_bytes_are_kept_after_a_failed_allocation, fixture)
{
    limits.head = 100'000;
    std::string const piece(15'000, 'x');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        body.clear();
        response_parser tested(*this, limits);
        tested.begin();
        // Adds bytes to the response, whose head needs more memory than that of the first read.
        auto const receive_into = [&](std::string_view bytes) {
            asio::mutable_buffer space;
            if (!failing([&] { space = tested.space(); }))
                space = tested.space();
            BOOST_REQUIRE(space.size() >= bytes.size());
            tested.on_received(asio::buffer_copy(space, asio::const_buffer(bytes.data(), bytes.size())));
        };
        receive_into("HTTP/1.1 200 OK\r\nName: ");
        for (int i = 0; i != 5; ++i) {
            receive_into(piece);
            BOOST_TEST((tested.resume(ec) == step::more));
            BOOST_TEST(!ec);
        }
        receive_into("\r\nContent-Length: 5\r\n\r\nhello");
        BOOST_TEST((tested.resume(ec) == step::head));
        BOOST_TEST((tested.resume(ec) == step::done));
        BOOST_TEST(tested.head()["Name"].size() == 5 * piece.size());
        BOOST_TEST(body == "hello");
    });
}

BOOST_AUTO_TEST_CASE(connection_is_not_continued_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        of.receive(complete);
        if (failing([&] { of.resume(); })) {
            BOOST_TEST(of.body == "hello");
            return;
        }
        BOOST_TEST(!of.parser.can_continue()); // bytes that were not parsed are left
    });
}

BOOST_AUTO_TEST_SUITE_END()
