#include <linkspan/http/http_headers.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(http_headers_test)

namespace data = boost::unit_test::data;
using namespace linkspan;
using namespace std::string_view_literals;

static constexpr std::string_view posted =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

static std::string post_headers(http_message const& message)
{
    std::string out;
    append_post_headers(out, message);
    BOOST_TEST_REQUIRE(out.starts_with(posted), out);
    return out.substr(posted.size());
}

static http_message message_in(std::optional<protocol_version> negotiated)
{
    http_message out;
    out.method = "tools/call";
    out.name = "add";
    out.version = negotiated;
    out.session = "s1";
    return out;
}

struct version_row {
    protocol_version negotiated;
    std::string_view headers; // expected headers, in addition to the common ones
};

static std::ostream& operator<<(std::ostream& out, version_row const& row) { return out << to_string(row.negotiated); }

static constexpr version_row version_rows[] = {
    {protocol_version::v2024_11_05, "Mcp-Session-Id: s1\r\n"},
    {protocol_version::v2025_03_26, "Mcp-Session-Id: s1\r\n"},
    {protocol_version::v2025_06_18, "Mcp-Session-Id: s1\r\nMCP-Protocol-Version: 2025-06-18\r\n"},
    {protocol_version::v2025_11_25, "Mcp-Session-Id: s1\r\nMCP-Protocol-Version: 2025-11-25\r\n"},
    {protocol_version::v2026_07_28, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\n"},
};
static_assert(std::size(version_rows) == protocol_versions.size());

BOOST_DATA_TEST_CASE(headers_of_a_request_depend_on_the_protocol_version, data::make(version_rows))
{
    BOOST_TEST(post_headers(message_in(sample.negotiated)) == sample.headers);
}

BOOST_AUTO_TEST_CASE(handshake_has_no_session_and_no_version_header)
{
    auto handshake = message_in({});
    handshake.method = "initialize";
    BOOST_TEST(post_headers(handshake) == "");
}

BOOST_AUTO_TEST_CASE(absent_values_have_no_headers)
{
    auto bare = message_in(protocol_version::v2025_11_25);
    bare.session = {};
    BOOST_TEST(post_headers(bare) == "MCP-Protocol-Version: 2025-11-25\r\n");
    http_message response; // to a request of the server
    response.version = protocol_version::v2026_07_28;
    BOOST_TEST(post_headers(response) == "MCP-Protocol-Version: 2026-07-28\r\n");
    BOOST_TEST(post_headers({}) == "");
}

BOOST_AUTO_TEST_CASE(name_that_is_not_a_valid_header_value_is_encoded)
{
    auto odd = message_in(protocol_version::v2026_07_28);
    for (auto const name : {"a\r\nX: 1"sv, "caf\xc3\xa9"sv, " a"sv, "a\n"sv, "\0"sv}) {
        odd.name = name;
        auto const out = post_headers(odd);
        auto const value = out.substr(out.find("Mcp-Name: ") + 10);
        BOOST_TEST(value.starts_with("=?base64?"), value);
        BOOST_TEST(value.find('\r') == value.size() - 2);
        BOOST_TEST(out.find("X: 1") == out.npos);
    }
}

BOOST_AUTO_TEST_CASE(mirrored_arguments_are_headers_in_stateless_versions_only)
{
    std::array<header_value, 2> const mirrored{{{"Mcp-Param-a", "1"}, {"Mcp-Param-b", "two"}}};
    auto with = message_in(protocol_version::v2026_07_28);
    with.mirrored = mirrored;
    BOOST_TEST(post_headers(with).ends_with("Mcp-Name: add\r\nMcp-Param-a: 1\r\nMcp-Param-b: two\r\n"));
    with.version = protocol_version::v2025_11_25;
    BOOST_TEST(post_headers(with).find("Mcp-Param") == std::string::npos);
}

static std::string session_headers(std::optional<protocol_version> negotiated, std::string_view session,
                                   std::string_view last)
{
    http_message message;
    message.version = negotiated;
    message.session = session;
    std::string out;
    append_session_headers(out, message, last);
    return out;
}

BOOST_AUTO_TEST_CASE(stream_headers_have_session_version_and_last_event_id)
{
    BOOST_TEST(session_headers(protocol_version::v2025_03_26, "s1", "") == "Mcp-Session-Id: s1\r\n");
    BOOST_TEST(session_headers(protocol_version::v2025_11_25, "s1", "e 7") ==
               "Mcp-Session-Id: s1\r\nMCP-Protocol-Version: 2025-11-25\r\nLast-Event-ID: e 7\r\n");
    BOOST_TEST(session_headers({}, "", "7") == "Last-Event-ID: 7\r\n");
    BOOST_TEST(session_headers({}, "", "") == "");
}

BOOST_AUTO_TEST_CASE(last_event_id_with_line_breaks_is_omitted)
{
    for (auto const* const id : {"a\rb", "a\nb", "a\r\nX: 1", "\n"})
        BOOST_TEST(session_headers({}, "", id) == "");
}

BOOST_AUTO_TEST_CASE(valid_header_has_no_fault)
{
    for (auto const* const name : {"Authorization", "X-Api-Key", "x", "a!#$%&'*+-.^_`|~9", "Cookie", "User-Agent"})
        BOOST_TEST(header_fault(name, "any value, \t also \xc3\xa9") == "", name);
    BOOST_TEST(header_fault("X", "") == "");
}

BOOST_AUTO_TEST_CASE(invalid_header_name_is_rejected)
{
    for (auto const name :
         {""sv, " "sv, "a b"sv, "a:"sv, "a\r\nb"sv, "a\n"sv, "caf\xc3\xa9"sv, "a\0"sv, "(a)"sv, "\"a\""sv})
        BOOST_TEST(header_fault(name, "1") == "name is not an HTTP token");
}

BOOST_AUTO_TEST_CASE(reserved_header_is_rejected_in_any_case)
{
    for (auto const* const name :
         {"Accept", "ACCEPT-ENCODING", "connection", "Content-Encoding", "Content-Length", "Content-Type", "host",
          "Keep-Alive", "Last-Event-ID", "Mcp-Method", "mcp-name", "MCP-SESSION-ID", "TE", "Transfer-Encoding",
          "Upgrade", "MCP-Protocol-Version", "Mcp-Param-x", "mcp-param-"})
        BOOST_TEST(header_fault(name, "1").find("is set") != std::string_view::npos, name);
}

BOOST_AUTO_TEST_CASE(header_value_with_control_characters_is_rejected)
{
    for (auto const value : {"a\r\nX: 1"sv, "a\r"sv, "\na"sv, "a\0b"sv, "\x1b[1m"sv, "\x7f"sv})
        BOOST_TEST(header_fault("X", value).find("value") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(session_id_is_visible_ascii)
{
    for (auto const id : {"a"sv, "!~"sv, "0191-abc"sv})
        BOOST_TEST(is_session_id(id));
    for (auto const id : {""sv, " "sv, "a b"sv, "a\n"sv, "\x7f"sv, "caf\xc3\xa9"sv, "\0"sv})
        BOOST_TEST(!is_session_id(id));
}

BOOST_AUTO_TEST_SUITE_END()
