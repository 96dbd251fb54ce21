#include <linkspan/http/server/detail/http_request_reader.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(http_request_reader_test)

using linkspan::http_reader;
using linkspan::detail::http_request_reader;
using linkspan::detail::repeated_head;

namespace {

std::string const no_address;

http_reader<true>::limits const limits{512, 64};

// Reads the next request, and returns a description of the events and of the request, or of the refusal.
std::string read(http_request_reader& from)
{
    using event = http_request_reader::event;
    std::string out;
    for (;;)
        switch (from.next()) {
        case event::none: return out + "none";
        case event::begun: out += "begun "; break;
        case event::head: out += from.expects_continue() ? "head expects-continue " : "head "; break;
        case event::invalid: return out + "invalid " + std::to_string(from.status());
        case event::complete:
            out += from.keeps_alive() ? "open " : "close ";
            out += from.is_http_1_0() ? "1.0 " : "1.1 ";
            auto const& request = from.take();
            out.append(request.method()).append(" ").append(request.target());
            for (std::size_t i = 0; i != request.head.size(); ++i) {
                auto const field = request.head.field_at(i);
                out.append("\n").append(field.name).append(": ").append(field.value);
            }
            out += "\n" + request.body;
            from.release();
            from.on_exchange_end();
            return out;
        }
}

std::string post(std::string_view fields, std::string_view body, std::string_view version = "HTTP/1.1")
{
    std::string out = "POST /mcp ";
    return out.append(version).append("\r\n").append(fields).append("\r\n").append(body);
}

// Requests of which each one may follow each other one on a connection: valid, incomplete and invalid ones. The heads
// differ in the parts that concern the framing.
std::vector<std::string> requests()
{
    return {
        post("Host: a\r\nContent-Length: 3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\n", "ab"),
        post("Host: a\r\nContent-Length: 12\r\n", "abcdefghijkl"),
        post("Host: a\r\nContent-Length: 3\r\nAccept: b\r\n", "abc"),
        post("Host: a\r\nContent-Length: 12\r\nAccept: b\r\n", "abcdefghijkl"),
        post("Content-Length: 3\r\nHost: a\r\n", "abc"),
        post("host: a\r\ncontent-length: 3\r\n", "abc"),
        post("host: a\r\ncontent-length: 4\r\n", "abcd"),
        post("Host: a\r\nContent-Length: 03\r\n", "abc"),
        post("Host: a\r\nContent-Length: 0\r\n", ""),
        post("Host: a\r\nContent-Length:\r\n", ""),
        post("Host: a\r\nContent-Length: \r\n", ""),
        post("Host: a\r\nContent-Length: 64\r\n", std::string(64, 'x')),
        post("Host: a\r\nContent-Length: 65\r\n", std::string(65, 'x')),
        post("Host: a\r\nContent-Length: 18446744073709551619\r\n", "abc"), // 2^64 + 3
        post("Host: a\r\nContent-Length: 000000000000000000000003\r\n", "abc"),
        post("Host: a\r\nContent-Length: +3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3 \r\n", "abc"),
        post("Host: a\r\nContent-Length:  3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3x\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3, 3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\n 3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\n\t\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n", "abcd"),
        post("Host: a\r\nContent-Length: 4\r\nContent-Length: 3\r\n", "abcd"),
        post("Host: a\r\nContent-Length: 3\r\n ,3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 4\r\n ,3\r\n", "abcd"),
        post("Host: a\r\nContent-Length: 3\r\n\t,3\r\n", "abc"),
        post("Host: a\r\nContent-Length: 4\r\n\t,3\r\n", "abcd"),
        post("Host: a\r\nContent-Length: 3\r\nX: " + std::string(480, 'x') + "\r\n", "abc"),
        post("Host: a\r\nContent-Length: 000000000000003\r\nX: " + std::string(480, 'x') + "\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n", "abc"),
        post("Host: a\r\nTransfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"),
        post("Host: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n", ""),
        post("Host: a\r\nContent-Length: 3\r\nConnection: close\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\nConnection: keep-alive\r\n", "abc"),
        post("Host: a\r\nContent-Length: 3\r\n", "abc", "HTTP/1.0"),
        post("Host: a\r\nContent-Length: 3\r\nConnection: keep-alive\r\n", "abc", "HTTP/1.0"),
        post("Content-Length: 3\r\n", "abc"),
        post("Host: a\r\nHost: a\r\nContent-Length: 3\r\n", "abc"),
        post("Host: a\r\nX-Content-Length: 3\r\n", ""),
        post("Host: a\r\nAccept: b\r\n Content-Length: 3\r\n", ""),
        post("Host: a\r\nContent-Length: 3\r\nX: " + std::string(600, 'x') + "\r\n", "abc"),
        "\r\n" + post("Host: a\r\nContent-Length: 3\r\n", "abc"),
        "GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
    };
}

// Returns what a new connection reads from one request in two pieces. `before`: request that the connection has
// completed; empty: none.
std::string read_in_pieces(std::string const& before, std::string const& text, std::size_t first)
{
    http_request_reader reader(limits, nullptr, no_address);
    reader.append(before);
    if (!before.empty())
        read(reader);
    reader.append(std::string_view(text).substr(0, first));
    auto out = read(reader);
    reader.append(std::string_view(text).substr(first));
    if (out.ends_with("none"))
        (out += ' ') += read(reader);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(request_is_read_independently_of_the_request_before)
{
    auto const all = requests();
    for (auto const& before : all) {
        http_request_reader reader(limits, nullptr, no_address);
        reader.append(before);
        auto const result = read(reader);
        if (result.ends_with("none") || result.find("invalid") != result.npos || result.find("close") != result.npos)
            continue; // no other request follows
        for (auto const& text : all)
            for (std::size_t first = 0; first <= text.size(); first += first < 8 || text.size() - first < 8 ? 1 : 5)
                BOOST_TEST(read_in_pieces(before, text, first) == read_in_pieces({}, text, first));
    }
}

BOOST_AUTO_TEST_CASE(requests_in_one_piece_are_read_one_after_the_other)
{
    http_request_reader reader(limits, nullptr, no_address);
    auto const all = requests();
    reader.append(all[0] + all[2] + all[0] + all[9] + all[0]);
    for (std::size_t const at : {0u, 2u, 0u, 9u, 0u})
        BOOST_TEST(read(reader) == read_in_pieces({}, all[at], all[at].size()));
    BOOST_TEST(reader.size() == 0u);
}

BOOST_AUTO_TEST_CASE(head_of_complete_request_is_found_with_another_size)
{
    linkspan::http_head head;
    head.start_request("POST", "/");
    head.add(boost::beast::http::field::host, "Host", "a");
    head.add(boost::beast::http::field::content_length, "Content-Length", "3");
    repeated_head last;
    last.restart();
    last.add("POST / HTTP/1.1\r\nHost: a\r\nConte");
    last.add("nt-Length: 3\r\n\r\n");
    BOOST_TEST(last.find("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n", 512, 64).size ==
               0u); // not complete
    last.keep(head, true);
    auto const found = last.find("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nabc", 512, 64);
    BOOST_TEST(found.size == 48u);
    BOOST_TEST(found.length == "12");
    BOOST_TEST(found.body_size == 12u);
    BOOST_TEST(last.find("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nabc", 512, 11).size == 0u);
    BOOST_TEST(last.find("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nabc", 47, 64).size == 0u);
    BOOST_TEST(last.find("POST / HTTP/1.1\r\nHost: b\r\nContent-Length: 12\r\n\r\nabc", 512, 64).size == 0u);
    BOOST_TEST(last.find("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r", 512, 64).size == 0u);
    last.restart();
    BOOST_TEST(!last.is_kept());
}

BOOST_AUTO_TEST_CASE(head_is_not_kept_if_it_is_long_or_the_connection_ends)
{
    linkspan::http_head head;
    head.start_request("POST", "/");
    head.add(boost::beast::http::field::content_length, "Content-Length", "3");
    repeated_head last;
    last.add("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n");
    last.keep(head, false);
    BOOST_TEST(!last.is_kept());
    last.restart();
    last.add("POST / HTTP/1.1\r\nContent-Length: 3\r\nX: ");
    last.add(std::string(repeated_head::max_size, 'x') + "\r\n\r\n");
    last.keep(head, true);
    BOOST_TEST(!last.is_kept());
}

BOOST_AUTO_TEST_CASE(head_is_not_kept_after_a_failed_allocation)
{
    linkspan::http_head head;
    head.start_request("POST", "/");
    head.add(boost::beast::http::field::content_length, "Content-Length", "3");
    linkspan::test::fail_each_allocation([&head](linkspan::test::step_failure& failing) {
        repeated_head last;
        BOOST_TEST(failing([&last] { last.add("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n"); }));
        last.keep(head, true);
        BOOST_TEST(last.is_kept() == !failing.has_failed());
    });
}

BOOST_AUTO_TEST_SUITE_END()
