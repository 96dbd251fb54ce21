#include <linkspan/protocol/compose.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(compose_test)

using linkspan::client_identity;
using linkspan::composer;
using linkspan::protocol_version;
using linkspan::request_id;
using linkspan::request_parts;
namespace json = boost::json;

namespace {

// Compares objects regardless of the order of their members.
boost::test_tools::predicate_result same(std::string_view text, std::string_view expected)
{
    boost::test_tools::predicate_result result = json::parse(text) == json::parse(expected);
    result.message() << text << " is not " << expected;
    return result;
}

protocol_version const handshakes[] = {protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                                       protocol_version::v2025_06_18, protocol_version::v2025_11_25};

client_identity const self = {"a \"quoted\" name", "1.2", R"({"elicitation":{}})"};

std::string const meta_members = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},
    "io.modelcontextprotocol/clientInfo":{"name":"a \"quoted\" name","version":"1.2"})";

composer composer_for(protocol_version version)
{
    composer writer;
    writer.set_protocol_version(version, self);
    return writer;
}

request_parts parts(request_id id, std::string_view method, std::string_view params = {})
{
    request_parts made;
    made.id = id;
    made.method = method;
    made.params = params;
    return made;
}

request_parts full()
{
    auto made = parts(7, "tools/call", R"("name":"a","arguments":{"x":[1,2]})");
    made.meta = R"("traceparent":"00-1")";
    made.requests_progress = true;
    return made;
}

std::string composed(composer const& writer, request_parts const& request)
{
    linkspan::text_buffer out;
    writer.request(out, parts(1, "earlier"));
    writer.request(out, request);
    return std::string(out.view());
}

// Returns the capabilities of the client in a request.
std::string capabilities_of(std::string const& request)
{
    auto const parsed = json::parse(request);
    return json::serialize(parsed.at("params").at("_meta").at("io.modelcontextprotocol/clientCapabilities"));
}

} // namespace

BOOST_AUTO_TEST_CASE(handshake_request_contains_only_the_given_parts)
{
    for (auto const version : handshakes) {
        auto const writer = composer_for(version);
        BOOST_TEST(same(composed(writer, parts(1, "ping")), R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
        BOOST_TEST(same(composed(writer, parts(2, "tools/list", R"("cursor":"")")),
                        R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}})"));
        BOOST_TEST(same(composed(writer, full()), R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{
        "name":"a","arguments":{"x":[1,2]},"_meta":{"progressToken":7,"traceparent":"00-1"}}})"));
    }
}

BOOST_AUTO_TEST_CASE(stateless_request_contains_version_capabilities_and_identity)
{
    auto const writer = composer_for(protocol_version::v2026_07_28);
    BOOST_TEST(
        same(composed(writer, parts(1, "server/discover")),
             R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)" + meta_members + "}}}"));
    BOOST_TEST(same(composed(writer, parts(2, "tools/list", R"("cursor":"")")),
                    R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"","_meta":{)" + meta_members +
                        "}}}"));
    BOOST_TEST(same(composed(writer, full()), R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{
        "name":"a","arguments":{"x":[1,2]},"_meta":{"progressToken":7,"traceparent":"00-1",)" +
                                                  meta_members + "}}}"));
}

BOOST_AUTO_TEST_CASE(every_combination_of_parts_is_one_object)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28})
        for (int which = 0; which != 8; ++which) {
            auto request = parts(5, "m");
            std::vector<std::string> params, meta;
            if (which & 1)
                params.emplace_back(request.params = R"("a":1,"b":{})");
            if (which & 2)
                meta.emplace_back(request.meta = R"("x/y":null)");
            if ((request.requests_progress = which & 4))
                meta.emplace_back(R"("progressToken":5)");
            if (version == protocol_version::v2026_07_28)
                meta.push_back(meta_members);
            auto const joined = [](std::vector<std::string> const& members) {
                std::string out;
                for (auto const& member : members)
                    (out += out.empty() ? "" : ",") += member;
                return out;
            };
            if (!meta.empty())
                params.push_back(R"("_meta":{)" + joined(meta) + "}");
            std::string expected = R"({"jsonrpc":"2.0","id":5,"method":"m")";
            if (!params.empty())
                expected += R"(,"params":{)" + joined(params) + "}";
            BOOST_TEST(same(composed(composer_for(version), request), expected + "}"));
        }
}

BOOST_AUTO_TEST_CASE(notification_has_no_id)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        auto const writer = composer_for(version);
        BOOST_TEST(same(composed(writer, parts(0, "notifications/initialized")),
                        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
        BOOST_TEST(same(composed(writer, parts(0, "notifications/cancelled", R"("requestId":3)")),
                        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})"));
    }
}

BOOST_AUTO_TEST_CASE(request_before_negotiation_contains_no_version_or_identity)
{
    BOOST_TEST(same(composed(composer(), parts(1, "ping")), R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
}

BOOST_AUTO_TEST_CASE(new_protocol_version_or_identity_replaces_the_previous_one)
{
    auto writer = composer_for(protocol_version::v2026_07_28);
    writer.set_protocol_version(protocol_version::v2025_11_25, self);
    BOOST_TEST(same(composed(writer, parts(1, "ping")), R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
    writer.set_protocol_version(protocol_version::v2026_07_28, {"b", "2", "{}"});
    BOOST_TEST(same(composed(writer, parts(1, "m")), R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
        "io.modelcontextprotocol/clientInfo":{"name":"b","version":"2"}}}})"));
}

BOOST_AUTO_TEST_CASE(stateless_requests_contain_the_level_of_log_messages)
{
    composer writer;
    linkspan::client_identity quiet{"b", "2", "{}"};
    quiet.min_level = linkspan::log_level::warning;
    writer.set_protocol_version(protocol_version::v2026_07_28, quiet);
    BOOST_TEST(same(composed(writer, parts(1, "m")), R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
        "io.modelcontextprotocol/clientInfo":{"name":"b","version":"2"},
        "io.modelcontextprotocol/logLevel":"warning"}}})"));
    writer.set_protocol_version(protocol_version::v2025_11_25, quiet);
    BOOST_TEST(same(composed(writer, parts(1, "ping")), R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
}

BOOST_AUTO_TEST_CASE(largest_id_is_written_completely)
{
    auto request = parts(9223372036854775807, "m");
    request.requests_progress = true;
    BOOST_TEST(same(composed(composer(), request),
                    R"({"jsonrpc":"2.0","id":9223372036854775807,"method":"m",
                              "params":{"_meta":{"progressToken":9223372036854775807}}})"));
}

BOOST_AUTO_TEST_CASE(message_has_no_line_breaks)
{
    auto writer = composer_for(protocol_version::v2026_07_28);
    writer.set_protocol_version(protocol_version::v2026_07_28, {"two\nlines", "\r", "{}"});
    auto const request = composed(writer, parts(1, "m"));
    BOOST_TEST((request.find_first_of("\r\n") == request.npos));
    linkspan::text_buffer refusal;
    linkspan::compose_failure(refusal, "1", -32603, "two\nlines");
    BOOST_TEST((refusal.view().find('\n') == std::string_view::npos));
}

BOOST_AUTO_TEST_CASE(response_repeats_the_id_as_received)
{
    for (std::string const id : {"7", R"("7")", R"("a\"b")", "-1", "1.5", "123456789012345678901234567890", "null"}) {
        linkspan::text_buffer out;
        linkspan::compose_result(out, id, R"({"a":1})");
        BOOST_TEST(out.view().find("\"id\":" + id + ",") != std::string_view::npos);
        BOOST_TEST(same(out.view(), R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"a":1}})"));
        linkspan::compose_failure(out, id, -32601, "no \"such\" method");
        BOOST_TEST(out.view().find("\"id\":" + id + ",") != std::string_view::npos);
        BOOST_TEST(same(out.view(), R"({"jsonrpc":"2.0","id":)" + id +
                                        R"(,"error":{"code":-32601,"message":"no \"such\" method"}})"));
    }
}

BOOST_AUTO_TEST_CASE(initialize_contains_protocol_version_and_client_info)
{
    for (auto const proposed : handshakes)
        BOOST_TEST(
            same("{" + linkspan::initialize_params(proposed, self) + "}",
                 R"({"protocolVersion":")" + std::string(to_string(proposed)) + R"(","capabilities":{"elicitation":{}},
                              "clientInfo":{"name":"a \"quoted\" name","version":"1.2"}})"));
}

BOOST_AUTO_TEST_CASE(call_has_quoted_name_and_unchanged_arguments)
{
    std::string params = "{";
    linkspan::append_call(params, "say \"é\"", R"({"x" : 1})");
    BOOST_TEST(params.ends_with(R"({"x" : 1})"));
    BOOST_TEST(same(params + "}", R"({"name":"say \"é\"","arguments":{"x":1}})"));
}

BOOST_AUTO_TEST_CASE(additional_params_follow_the_first_ones)
{
    composer const writer = composer_for(protocol_version::v2025_11_25);
    auto request = parts(7, "tools/call", R"("name":"a")");
    request.more = R"("requestState":"s")";
    BOOST_TEST(composed(writer, request) ==
               R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","requestState":"s"}})");
    request.params = {};
    BOOST_TEST(composed(writer, request) ==
               R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"requestState":"s"}})");
}

BOOST_AUTO_TEST_CASE(requests_of_all_sizes_have_all_their_parts)
{
    auto const writer = composer_for(protocol_version::v2026_07_28);
    linkspan::text_buffer out;
    for (std::size_t size = 0; size < 100'000; size = size * 2 + 1) {
        std::string const value = "\"a\":\"" + std::string(size, 'x') + '"';
        auto request = parts(std::numeric_limits<request_id>::max(), "m", value);
        request.more = R"("b":1)";
        request.meta = R"("c":2)";
        request.requests_progress = true;
        writer.request(out, request);
        BOOST_TEST(same(out.view(), R"({"jsonrpc":"2.0","id":9223372036854775807,"method":"m","params":{)" + value +
                                        R"(,"b":1,"_meta":{"progressToken":9223372036854775807,)" + meta_members +
                                        R"(,"c":2}}})"));
    }
}

BOOST_AUTO_TEST_CASE(request_that_declares_tasks_has_the_extension_in_its_capabilities)
{
    std::vector<std::pair<std::string, std::string>> const cases{
        {"{}", R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})"},
        {"{ }", R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})"},
        {R"({"roots":{}})", R"({"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})"},
        {R"({"extensions":{},"roots":{}})", R"({"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})"},
        {R"({"extensions":{"a/b":{"c":1}}})", R"({"extensions":{"a/b":{"c":1},"io.modelcontextprotocol/tasks":{}}})"},
        {R"({"extensions":{"io.modelcontextprotocol/tasks":{"d":2}}})",
         R"({"extensions":{"io.modelcontextprotocol/tasks":{"d":2}}})"}};
    for (auto const& [own, declared] : cases) {
        client_identity client = self;
        client.capabilities = own;
        composer writer;
        writer.set_protocol_version(protocol_version::v2026_07_28, client);
        auto request = parts(7, "tools/call");
        BOOST_TEST(same(capabilities_of(composed(writer, request)), own));
        request.declares_tasks = true;
        BOOST_TEST(same(capabilities_of(composed(writer, request)), declared));
    }
}

BOOST_AUTO_TEST_CASE(handshake_request_declares_no_tasks)
{
    for (auto const version : handshakes) {
        composer writer = composer_for(protocol_version::v2026_07_28);
        writer.set_protocol_version(version, self);
        auto request = parts(7, "tools/call");
        request.declares_tasks = true;
        BOOST_TEST(composed(writer, request) == R"({"jsonrpc":"2.0","id":7,"method":"tools/call"})");
    }
}

BOOST_AUTO_TEST_SUITE_END()
