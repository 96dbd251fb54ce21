// Messages of a client on standard streams, as linkspan-mock passes them on to a server over HTTP.

#include "../mock_servers/tape/http_messages.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace http_messages_test {

using linkspan::message_kind;
using linkspan::protocol_version;
using mock_servers::http_messages;

namespace {

std::string stateless(std::string const& id, std::string const& method, std::string const& members = {})
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + members +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_messages_test)

BOOST_AUTO_TEST_CASE(request_with_a_positive_id_is_unchanged)
{
    http_messages messages;
    auto const text = stateless("7", "tools/call", R"("name":"a b",)");
    auto const sent = messages.on_client(text);
    BOOST_TEST(sent.message.bytes == text);
    BOOST_TEST(sent.message.id == 7);
    BOOST_TEST((sent.message.kind == message_kind::request));
    BOOST_TEST(sent.message.method == "tools/call");
    BOOST_TEST(sent.message.name == "a b");
    BOOST_TEST((sent.message.version == protocol_version::v2026_07_28));
    BOOST_TEST(messages.outstanding() == 1u);
    constexpr std::string_view response = R"({"jsonrpc":"2.0","id":7,"result":{}})";
    BOOST_TEST(messages.on_server(response, 7) == response);
    BOOST_TEST(messages.outstanding() == 0u);
}

BOOST_AUTO_TEST_CASE(id_that_is_no_positive_number_is_replaced_and_restored)
{
    http_messages messages;
    for (std::string const id : {"0", "-1", "\"abc\"", "\"7\"", "1.5"}) {
        auto const sent = messages.on_client(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})");
        auto const number = std::to_string(sent.message.id);
        BOOST_TEST(sent.message.id > 0);
        BOOST_TEST(sent.message.bytes == R"({"jsonrpc":"2.0","id":)" + number + R"(,"method":"ping"})");
        BOOST_TEST(messages.on_server(R"({"id":)" + number + R"(,"jsonrpc":"2.0","result":{}})", 0) ==
                   R"({"id":)" + id + R"(,"jsonrpc":"2.0","result":{}})");
    }
    BOOST_TEST(messages.outstanding() == 0u);
}

BOOST_AUTO_TEST_CASE(id_in_use_is_replaced)
{
    http_messages messages;
    constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    BOOST_TEST(messages.on_client(ping).message.id == 1);
    BOOST_TEST(messages.on_client(ping).message.id > 1);
    BOOST_TEST(messages.outstanding() == 2u);
}

BOOST_AUTO_TEST_CASE(version_of_a_handshake_is_that_of_the_response)
{
    http_messages messages;
    auto const opening = messages.on_client(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
    BOOST_TEST((opening.message.kind == message_kind::handshake));
    BOOST_TEST(!opening.message.version);
    messages.on_server(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}})", 1);
    auto const next = messages.on_client(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST((next.message.kind == message_kind::initialized));
    BOOST_TEST(next.message.id == 0);
    BOOST_TEST((next.message.version == protocol_version::v2025_06_18));
    auto const response = messages.on_client(R"({"jsonrpc":"2.0","id":5,"result":{}})");
    BOOST_TEST((response.message.kind == message_kind::response));
    BOOST_TEST(response.message.id == 0);
    BOOST_TEST(response.message.bytes == R"({"jsonrpc":"2.0","id":5,"result":{}})");
}

BOOST_AUTO_TEST_CASE(annotated_arguments_of_listed_tools_become_header_fields)
{
    http_messages messages;
    messages.on_client(stateless("1", "tools/list"));
    messages.on_server(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object",)"
                       R"("properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}})",
                       1);
    auto const sent = messages.on_client(stateless("2", "tools/call", R"("name":"t","arguments":{"region":"eu"},)"));
    BOOST_TEST_REQUIRE(sent.message.mirrored.size() == 1u);
    BOOST_TEST(sent.message.mirrored[0].name == "Mcp-Param-Region");
    BOOST_TEST(sent.message.mirrored[0].value == "eu");
    BOOST_TEST(messages.on_client(stateless("3", "tools/call", R"("name":"u",)")).message.mirrored.empty());
}

BOOST_AUTO_TEST_CASE(cancellation_names_the_request_by_its_id_at_the_server)
{
    http_messages messages;
    auto const id = messages.on_client(R"({"jsonrpc":"2.0","id":"x","method":"ping"})").message.id;
    auto const sent = messages.on_client(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","reason":"r"}})");
    BOOST_TEST((sent.ended == id));
    BOOST_TEST(sent.message.bytes == R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                                         std::to_string(id) + R"(,"reason":"r"}})");
    constexpr std::string_view other =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"y"}})";
    auto const unknown = messages.on_client(other);
    BOOST_TEST(!unknown.ended);
    BOOST_TEST(unknown.message.bytes == other);
}

BOOST_AUTO_TEST_CASE(error_without_an_id_receives_the_id_of_its_exchange)
{
    http_messages messages;
    messages.on_client(R"({"jsonrpc":"2.0","id":4,"method":"ping"})");
    BOOST_TEST(messages.on_server("{\"jsonrpc\":\"2.0\",\r\n\"id\":null,\"error\":{\"code\":1,\"message\":\"m\"}}",
                                  4) == "{\"jsonrpc\":\"2.0\",  \"id\":4,\"error\":{\"code\":1,\"message\":\"m\"}}");
    BOOST_TEST(messages.outstanding() == 0u);
}

BOOST_AUTO_TEST_CASE(failed_request_receives_an_error_response)
{
    http_messages messages;
    auto const id = messages.on_client(R"({"jsonrpc":"2.0","id":"a","method":"ping"})").message.id;
    BOOST_TEST(messages.on_failure(id, -32603, "no \"response\"") ==
               R"({"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"no \"response\""}})");
    BOOST_TEST(messages.on_failure(id, -32603, "again") == "");
}

BOOST_AUTO_TEST_CASE(report_of_a_request_becomes_an_error_response)
{
    http_messages messages;
    linkspan::inbound_report report;
    report.id = messages.on_client(R"({"jsonrpc":"2.0","id":"a","method":"ping"})").message.id;
    report.ec = make_error_code(linkspan::error::malformed_message);
    report.first_bytes = "<html>";
    auto const reason = "no response over HTTP: " + report.ec.message() + ": <html>";
    auto const first = messages.on_report(report);
    BOOST_TEST(first.reason == reason);
    BOOST_TEST(first.response == R"({"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":")" + reason + "\"}}");
    BOOST_TEST(messages.on_report(report).response == ""); // the request is not known any more
    report.id = messages.on_client(R"({"jsonrpc":"2.0","id":"b","method":"server/discover"})").message.id;
    report.era = linkspan::era_evidence::handshake;
    BOOST_TEST(messages.on_report(report).response.find("-32601") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(text_that_is_no_message_is_passed_on)
{
    http_messages messages;
    for (std::string_view const text : {"", "x", "[", "[{}]", "{\"id\":1}", "{\"id\":"}) {
        auto const sent = messages.on_client(text);
        BOOST_TEST(sent.message.bytes == text);
        BOOST_TEST(sent.message.id == 0);
        BOOST_TEST(messages.on_server(text, 0) == text);
    }
    BOOST_TEST(messages.outstanding() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace http_messages_test
