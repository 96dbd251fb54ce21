#include <linkspan/http/sse.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(sse_test)

using namespace linkspan;
using namespace std::chrono_literals;
using namespace std::string_view_literals;
namespace data = boost::unit_test::data;

namespace {

std::string text(sse_parser::batch const& batch)
{
    std::string out;
    for (auto const& event : batch.events)
        out += '[' + event.type + '|' + event.data + '|' + event.id + ']';
    return out;
}

struct row {
    char const* what;
    std::string_view stream;
    char const* events;
};

std::ostream& operator<<(std::ostream& out, row const& of) { return out << of.what; }

constexpr row rows[] = {
    {"empty stream", "", ""},
    {"one line", "data: {}\n\n", "[message|{}|]"},
    {"no space after the colon", "data:{}\n\n", "[message|{}|]"},
    {"only one space is removed", "data:  a\n\n", "[message| a|]"},
    {"CR", "data: a\r\rdata: b\r\r", "[message|a|][message|b|]"},
    {"CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", "[message|a|][message|b|]"},
    {"mixed line ends", "data: a\r\ndata: b\rdata: c\n\r\n", "[message|a\nb\nc|]"},
    {"LF CR is two line ends", "data: a\n\rdata: b\n\n", "[message|a|][message|b|]"},
    {"several lines of data", "data: a\ndata:\ndata: b\n\n", "[message|a\n\nb|]"},
    {"empty data fields are joined by a line break", "data\ndata\n\n", "[message|\n|]"},
    {"an event without data is dropped", "event: ping\n\ndata: a\n\n", "[message|a|]"},
    {"an event with empty data is dropped", "data:\n\n", ""},
    {"a type", "event: endpoint\ndata: /x\n\ndata: y\n\n", "[endpoint|/x|][message|y|]"},
    {"an empty type is the default type", "event\ndata: a\n\n", "[message|a|]"},
    {"the last type is used", "event: a\nevent: b\ndata: c\n\n", "[b|c|]"},
    {"an id applies to later events", "id: 7\ndata: a\n\ndata: b\n\n", "[message|a|7][message|b|7]"},
    {"an id of a dropped event applies to later events", "id: 7\ndata:\n\ndata: b\n\n", "[message|b|7]"},
    {"an empty id clears the id", "id: 7\ndata: a\n\nid\ndata: b\n\n", "[message|a|7][message|b|]"},
    {"an id with a zero byte is ignored", "id: 7\0x\ndata: a\n\n"sv, "[message|a|]"},
    {"comments", ": hello\n:\ndata: a\n:data: b\n\n", "[message|a|]"},
    {"unknown fields", "Data: a\ndata : b\nfoo: c\ndata: d\n\n", "[message|d|]"},
    {"a colon in the value", "data: {\"a\":1}\n\n", "[message|{\"a\":1}|]"},
    {"a byte order mark",
     "\xef\xbb\xbf"
     "data: a\n\n",
     "[message|a|]"},
    {"two byte order marks",
     "\xef\xbb\xbf\xef\xbb\xbf"
     "data: a\ndata: b\n\n",
     "[message|b|]"},
    {"an incomplete byte order mark",
     "\xef\xbb"
     "data: a\ndata: b\n\n",
     "[message|b|]"},
    {"a byte order mark within data", "data: \xef\xbb\xbf\n\n", "[message|\xef\xbb\xbf|]"},
    {"an incomplete event is dropped", "data: a\n\ndata: b\n", "[message|a|]"},
    {"empty lines without an event", "\n\n\n\r\n", ""},
};

} // namespace

BOOST_DATA_TEST_CASE(event_stream_is_parsed_as_specified, data::make(rows))
{
    sse_parser parser;
    BOOST_TEST(text(parser.resume(sample.stream)) == sample.events);
}

BOOST_DATA_TEST_CASE(events_do_not_depend_on_chunk_boundaries, data::make(rows))
{
    for (std::size_t size = 1; size <= 3; ++size) {
        sse_parser parser;
        std::string events;
        for (std::size_t at = 0; at < sample.stream.size(); at += size)
            events += text(parser.resume(sample.stream.substr(at, size)));
        BOOST_TEST(events == sample.events, "pieces of " << size);
    }
    for (std::size_t cut = 0; cut <= sample.stream.size(); ++cut) {
        sse_parser parser;
        auto events = text(parser.resume(sample.stream.substr(0, cut)));
        events += text(parser.resume(sample.stream.substr(cut)));
        BOOST_TEST(events == sample.events, "cut after " << cut);
    }
}

BOOST_AUTO_TEST_CASE(last_event_id_changes_when_the_event_is_complete)
{
    sse_parser parser;
    parser.resume("id: 1\n");
    BOOST_TEST(parser.last_id().empty());
    parser.resume("\n");
    BOOST_TEST(parser.last_id() == "1");
    parser.resume("id: 2\ndata: cut");
    BOOST_TEST(parser.last_id() == "1");
}

BOOST_AUTO_TEST_CASE(event_id_longer_than_the_limit_is_ignored)
{
    sse_parser parser;
    parser.resume("id: short\ndata: a\n\n");
    parser.resume("id: " + std::string(sse_parser::max_id + 1, 'x') + "\ndata: b\n\n");
    BOOST_TEST(parser.last_id() == "short");
    std::string const longest(sse_parser::max_id, 'y');
    parser.resume("id: " + longest + "\ndata: c\n\n");
    BOOST_TEST(parser.last_id() == longest);
}

BOOST_AUTO_TEST_CASE(retry_is_read_in_milliseconds_and_capped)
{
    sse_parser parser;
    BOOST_TEST(!parser.retry());
    for (auto const bad : {"retry: x\n", "retry:\n", "retry: -1\n", "retry: 1.5\n", "retry: 5s\n", "retry: +5\n"})
        parser.resume(bad);
    BOOST_TEST(!parser.retry());
    parser.resume("retry: 1500\n");
    BOOST_TEST((parser.retry() == 1500ms));
    parser.resume("retry: 0\n");
    BOOST_TEST((parser.retry() == 0ms));
    parser.resume("retry: 99999999999999999999999\n");
    BOOST_TEST((parser.retry() == 24h));
}

BOOST_AUTO_TEST_CASE(stream_end_within_event_is_reported_as_truncated_line)
{
    for (auto const& [stream, end] :
         {std::pair("data: a\n\n", error::stream_ended), std::pair("", error::stream_ended),
          std::pair("data: a\n", error::truncated_line), std::pair("data: ", error::truncated_line),
          std::pair("dat", error::truncated_line), std::pair(": comment\n", error::stream_ended)}) {
        sse_parser parser;
        parser.resume(stream);
        BOOST_TEST(parser.finish().ec == error_code(end), stream);
        BOOST_TEST(parser.resume("data: b\n\n").events.empty());
        BOOST_TEST(parser.finish().ec == error_code(end));
    }
}

BOOST_AUTO_TEST_CASE(event_longer_than_the_limit_ends_the_stream)
{
    for (auto const stream :
         {"data: 12345\n\n", "data:123456\n\n", "data: 12345",
          "data: 1\ndata: 2\ndata: 3\ndata: 4\ndata: 5\ndata: 6\n\n", ": a long comment without end"}) {
        sse_parser parser(10);
        auto const batch = parser.resume(std::string("data: 1\n\n") + stream + "data: 2\n\n");
        BOOST_TEST(text(batch) == "[message|1|]", stream);
        BOOST_TEST(batch.ec == error_code(error::line_too_long));
        BOOST_TEST(parser.resume("data: 3\n\n").events.empty());
    }
    sse_parser parser(10);
    BOOST_TEST(text(parser.resume("data: 1234\n\n")) == "[message|1234|]");
}

// Texts above the size from which memory is reserved at once, with each line end.
BOOST_AUTO_TEST_CASE(large_events_in_pieces_are_complete)
{
    std::string const long_text(300'000, 'x');
    for (std::string const end : {"\n", "\r", "\r\n"}) {
        auto const stream = "event: e" + end + "data: " + long_text + end + "data:" + long_text + "y" + end + end +
                            "data: z" + end + end;
        sse_parser parser;
        std::string events;
        for (std::size_t at = 0; at < stream.size(); at += 65'535)
            events += text(parser.resume(std::string_view(stream).substr(at, 65'535)));
        BOOST_TEST((events == "[e|" + long_text + "\n" + long_text + "y|][message|z|]"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
