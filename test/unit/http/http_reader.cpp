#include <linkspan/http/http_reader.hpp>

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(http_reader_test)

namespace http = boost::beast::http;
using linkspan::error_code;
using linkspan::http_reader;

namespace {

struct text_sink final : linkspan::http_body_sink {
    std::string text;

    void on_body(std::string_view piece) override { text += piece; }
};

// Passes `bytes` to the reader in pieces of at most `size` bytes, until the message is complete or an error occurs.
// Returns the error.
template<bool IsRequest>
error_code read_in_pieces(http_reader<IsRequest>& reader, std::string_view bytes, std::size_t size)
{
    std::string waiting;
    error_code ec;
    while (!bytes.empty() && !ec && !reader.is_done()) {
        waiting += bytes.substr(0, size);
        bytes.remove_prefix(std::min(size, bytes.size()));
        for (std::size_t used = 1; used != 0 && !ec && !waiting.empty() && !reader.is_done();) {
            used = reader.resume(waiting, ec);
            waiting.erase(0, used);
        }
    }
    return ec;
}

constexpr std::string_view response =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id:  s1 \r\nContent-Length: 4\r\n\r\nbody";

constexpr std::string_view chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    "2;a=b\r\nbo\r\n2\r\ndy\r\n0\r\nTrailer: t\r\n\r\n";

} // namespace

BOOST_DATA_TEST_CASE(message_is_read_in_pieces_of_any_size, boost::unit_test::data::make({1, 2, 7, 1000}), size)
{
    text_sink body;
    http_reader<false> reader(body, {});
    BOOST_TEST(!read_in_pieces(reader, response, static_cast<std::size_t>(size)));
    BOOST_TEST(reader.is_done());
    BOOST_TEST(reader.keeps_alive());
    BOOST_TEST(reader.head().status() == 200);
    BOOST_TEST(reader.head()[http::field::content_type] == "application/json");
    BOOST_TEST(reader.head()["mcp-session-id"] == "s1");
    BOOST_TEST(body.text == "body");
}

BOOST_DATA_TEST_CASE(body_in_chunks_is_passed_without_framing, boost::unit_test::data::make({1, 3, 1000}), size)
{
    text_sink body;
    http_reader<false> reader(body, {});
    BOOST_TEST(!read_in_pieces(reader, chunks, static_cast<std::size_t>(size)));
    BOOST_TEST(reader.is_done());
    BOOST_TEST(body.text == "body");
    BOOST_TEST(reader.head().size() == 1u);
    BOOST_TEST(reader.head()["trailer"] == "");
}

BOOST_AUTO_TEST_CASE(resume_returns_after_the_head)
{
    text_sink body;
    http_reader<false> reader(body, {});
    error_code ec;
    auto const used = reader.resume(response, ec);
    BOOST_TEST(!ec);
    BOOST_TEST(reader.has_head());
    BOOST_TEST(used == response.size() - 4);
    BOOST_TEST(body.text == "");
}

BOOST_AUTO_TEST_CASE(restart_begins_the_next_message)
{
    text_sink body;
    http_reader<false> reader(body, {});
    BOOST_TEST(!read_in_pieces(reader, response, 1000));
    reader.restart();
    BOOST_TEST(!reader.has_head());
    BOOST_TEST(!reader.is_done());
    body.text.clear();
    BOOST_TEST(!read_in_pieces(reader, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 1000));
    BOOST_TEST(reader.is_done());
    BOOST_TEST(reader.head().status() == 404);
    BOOST_TEST(reader.head()["mcp-session-id"] == "");
    BOOST_TEST(body.text == "");
}

BOOST_AUTO_TEST_CASE(restart_restores_the_limit_of_the_body)
{
    text_sink body;
    http_reader<false> reader(body, {.head = 1000, .body = 3});
    error_code ec;
    reader.resume(response, ec);
    BOOST_TEST(ec == error_code(http::error::body_limit));
    reader.restart();
    reader.lift_body_limit();
    BOOST_TEST(!read_in_pieces(reader, response, 1000));
    reader.restart();
    reader.resume(response, ec);
    BOOST_TEST(ec == error_code(http::error::body_limit));
}

BOOST_AUTO_TEST_CASE(head_above_the_limit_is_rejected)
{
    text_sink body;
    http_reader<false> reader(body, {.head = 40, .body = {}});
    BOOST_TEST(read_in_pieces(reader, response, 1000) == error_code(http::error::header_limit));
}

BOOST_AUTO_TEST_CASE(end_of_stream_completes_only_a_body_without_length)
{
    text_sink body;
    error_code ec;
    http_reader<false> nothing(body, {});
    nothing.finish(ec);
    BOOST_TEST(ec == error_code(http::error::end_of_stream));

    http_reader<false> partial(body, {});
    BOOST_TEST(!read_in_pieces(partial, response.substr(0, response.size() - 1), 1000));
    partial.finish(ec);
    BOOST_TEST(ec == error_code(http::error::partial_message));

    http_reader<false> whole(body, {});
    BOOST_TEST(!read_in_pieces(whole, "HTTP/1.1 200 OK\r\n\r\nrest", 1000));
    ec = {};
    whole.finish(ec);
    BOOST_TEST(!ec);
    BOOST_TEST(whole.is_done());
    BOOST_TEST(!whole.keeps_alive());
}

// A proxy and a server could interpret this framing differently (request smuggling; RFC 9112, sections 2.2, 5.1, 5.2
// and 6.3).
BOOST_DATA_TEST_CASE(ambiguous_framing_is_rejected,
                     boost::unit_test::data::make({
                         "Content-Length: 4\r\nContent-Length: 5\r\n",
                         "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                         "Content-Length: 4, 5\r\n",
                         "Content-Length: +4\r\n",
                         "Content-Length: -1\r\n",
                         "Content-Length : 4\r\n",
                         "Content-Length: 4\n",
                         "Content-Length: 4\r\n folded\r\n",
                     }),
                     fields)
{
    text_sink body;
    http_reader<true> reader(body, {});
    auto const bytes = std::string("POST /mcp HTTP/1.1\r\nHost: a\r\n") + fields + "\r\nbody";
    BOOST_TEST(read_in_pieces(reader, bytes, 1000));
    BOOST_TEST(body.text == "");
}

BOOST_AUTO_TEST_CASE(request_has_method_and_target)
{
    text_sink body;
    http_reader<true> reader(body, {});
    BOOST_TEST(!read_in_pieces(reader, "DELETE /mcp?x HTTP/1.0\r\nA: 1\r\n\r\n", 1000));
    BOOST_TEST(reader.is_done());
    BOOST_TEST(reader.head().method() == "DELETE");
    BOOST_TEST(reader.head().target() == "/mcp?x");
    BOOST_TEST(reader.head().version() == 10);
    BOOST_TEST(reader.head().size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
