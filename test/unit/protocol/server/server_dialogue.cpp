#include <linkspan/protocol/server/server_dialogue.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/nested_escapes.hpp"

BOOST_AUTO_TEST_SUITE(server_dialogue_test)

using linkspan::era;
using linkspan::protocol_version;
using linkspan::server_dialogue;
using kind = linkspan::server_dialogue::action::kind;
namespace json = boost::json;
namespace data = boost::unit_test::data;

namespace {

std::vector<protocol_version> const handshakes = {protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                                                  protocol_version::v2025_06_18, protocol_version::v2025_11_25};
std::vector<protocol_version> const stateless = {protocol_version::v2026_07_28};
std::vector<protocol_version> const both = {protocol_version::v2025_06_18, protocol_version::v2025_11_25,
                                            protocol_version::v2026_07_28};

server_dialogue make_dialogue(std::vector<protocol_version> const& protocol_versions,
                              std::string const& instructions = {})
{
    server_dialogue::options with;
    with.protocol_versions = protocol_versions;
    with.name = "a \"b\"";
    with.version = "1.2";
    with.capabilities = R"({"tools":{}})";
    with.instructions = instructions;
    return server_dialogue(with);
}

std::string request(std::string_view method, std::string_view params = "{}")
{
    return R"({"jsonrpc":"2.0","id":"q","method":")" + std::string(method) + R"(","params":)" + std::string(params) +
           "}";
}

std::string initialize(std::string_view version)
{
    return request("initialize", R"({"protocolVersion":")" + std::string(version) +
                                     R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
}

std::string with_meta(std::string_view method, std::string_view version = "2026-07-28")
{
    return request(method, R"({"_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(version) +
                               R"(","io.modelcontextprotocol/clientCapabilities":{}}})");
}

// Returns the response of the dialogue to a line, parsed.
json::object response_to(server_dialogue& dialogue, std::string const& line)
{
    auto const next = dialogue.on_message(line);
    BOOST_TEST_REQUIRE((next.what == kind::send || next.what == kind::malformed), line);
    return json::parse(next.text).as_object();
}

json::object response_to(server_dialogue&& dialogue, std::string const& line) { return response_to(dialogue, line); }

kind kind_of(server_dialogue&& dialogue, std::string const& line) { return dialogue.on_message(line).what; }

json::value const no_result = {{"jsonrpc", "2.0"}, {"id", "q"}, {"result", json::object()}};
json::value const server_info = {{"io.modelcontextprotocol/serverInfo", {{"name", "a \"b\""}, {"version", "1.2"}}}};

std::int64_t code(json::object const& refusal) { return refusal.at("error").at("code").as_int64(); }

} // namespace

// Handshake

BOOST_AUTO_TEST_CASE(initialize_result_has_the_proposed_protocol_version)
{
    for (auto const proposed : handshakes) {
        auto dialogue = make_dialogue(handshakes);
        auto const reply = response_to(dialogue, initialize(to_string(proposed)));
        json::value const expected = {{"protocolVersion", json::string_view(to_string(proposed))},
                                      {"capabilities", {{"tools", json::object()}}},
                                      {"serverInfo", {{"name", "a \"b\""}, {"version", "1.2"}}}};
        BOOST_TEST(reply.at("id") == json::value("q"));
        BOOST_TEST(reply.at("result") == expected);
        BOOST_TEST((dialogue.version() == proposed));
    }
}

BOOST_AUTO_TEST_CASE(initialize_result_has_newest_supported_version_if_proposal_is_unsupported)
{
    for (std::string const proposed : {"2024-10-07", "2030-01-01", "2026-07-28", "2024-11-05", ""}) {
        auto dialogue = make_dialogue(both);
        BOOST_TEST(response_to(dialogue, initialize(proposed)).at("result").at("protocolVersion") ==
                   json::value("2025-11-25"));
        BOOST_TEST((dialogue.version() == protocol_version::v2025_11_25));
    }
    auto const bare = response_to(make_dialogue({protocol_version::v2024_11_05}), request("initialize"));
    BOOST_TEST(bare.at("result").at("protocolVersion") == json::value("2024-11-05"));
}

BOOST_AUTO_TEST_CASE(instructions_are_included_in_results_of_initialize_and_discover)
{
    auto dialogue = make_dialogue(both, "say \"please\"");
    for (auto const& line : {initialize("2025-11-25"), with_meta("server/discover")})
        BOOST_TEST(response_to(dialogue, line).at("result").at("instructions") == json::value("say \"please\""));
}

BOOST_AUTO_TEST_CASE(ping_has_an_empty_result_before_and_after_the_handshake)
{
    for (auto const& protocol_versions : {handshakes, both}) {
        auto dialogue = make_dialogue(protocol_versions);
        BOOST_TEST(json::value(response_to(dialogue, request("ping"))) == no_result);
        response_to(dialogue, initialize("2025-11-25"));
        BOOST_TEST(json::value(response_to(dialogue, request("ping"))) == no_result);
    }
}

BOOST_AUTO_TEST_CASE(request_without_version_in_meta_has_the_version_of_the_handshake)
{
    auto dialogue = make_dialogue(both);
    BOOST_TEST((dialogue.version() == protocol_version::v2026_07_28));
    BOOST_TEST((dialogue.on_message(request("tools/list")).version == protocol_version::v2025_11_25));
    response_to(dialogue, initialize("2025-06-18"));
    auto const line = request("tools/list");
    auto const next = dialogue.on_message(line);
    BOOST_TEST((next.what == kind::request));
    BOOST_TEST((next.version == protocol_version::v2025_06_18));
    BOOST_TEST(next.message.method == "tools/list");
    BOOST_TEST(next.message.raw_id == R"("q")");
}

BOOST_AUTO_TEST_CASE(second_initialize_is_refused_and_keeps_the_protocol_version)
{
    auto dialogue = make_dialogue(handshakes);
    response_to(dialogue, initialize("2025-06-18"));
    auto const refusal = response_to(dialogue, initialize("2025-11-25"));
    BOOST_TEST(code(refusal) == -32600);
    BOOST_TEST(refusal.at("id") == json::value("q"));
    BOOST_TEST((dialogue.version() == protocol_version::v2025_06_18));
}

// Stateless protocol versions

BOOST_AUTO_TEST_CASE(initialize_in_a_stateless_envelope_is_an_unknown_method)
{
    for (auto const& protocol_versions : {std::vector{protocol_version::v2026_07_28}, both}) {
        auto dialogue = make_dialogue(protocol_versions);
        BOOST_TEST(code(response_to(dialogue, with_meta("initialize"))) == -32601);
        if (protocol_versions.size() > 1) // no handshake has taken place
            BOOST_TEST(response_to(dialogue, initialize("2025-11-25")).contains("result"));
    }
}

BOOST_AUTO_TEST_CASE(discover_result_lists_stateless_versions_and_is_cacheable)
{
    for (auto const& protocol_versions : {stateless, both}) {
        auto const reply = response_to(make_dialogue(protocol_versions), with_meta("server/discover"));
        json::value const expected = {{"supportedVersions", json::array{"2026-07-28"}},
                                      {"capabilities", {{"tools", json::object()}}},
                                      {"resultType", "complete"},
                                      {"ttlMs", 0},
                                      {"cacheScope", "private"},
                                      {"_meta", server_info}};
        BOOST_TEST(reply.at("result") == expected);
    }
}

BOOST_AUTO_TEST_CASE(request_with_version_in_meta_has_that_version)
{
    for (auto const& protocol_versions : {stateless, both}) {
        auto dialogue = make_dialogue(protocol_versions);
        if (protocol_versions == both)
            response_to(dialogue, initialize("2025-11-25"));
        for (auto const method : {"tools/list", "tools/call", "ping", "no/such"}) {
            auto const line = with_meta(method);
            auto const next = dialogue.on_message(line);
            BOOST_TEST((next.what == kind::request));
            BOOST_TEST((next.version == protocol_version::v2026_07_28));
            BOOST_TEST(next.message.method == method);
        }
    }
}

BOOST_AUTO_TEST_CASE(stateless_request_with_incomplete_meta_is_refused)
{
    auto const version = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
    auto const capabilities = R"("io.modelcontextprotocol/clientCapabilities":{})";
    auto const meta = [](std::string const& members) {
        return request("tools/list", R"({"_meta":{)" + members + "}}");
    };
    for (auto const& line :
         {meta(""), meta(capabilities), meta(version), request("tools/list"), request("ping"),
          request("server/discover"), std::string(R"({"jsonrpc":"2.0","id":"q","method":"tools/list"})"),
          meta(std::string(version) + R"(,"io.modelcontextprotocol/clientCapabilities":null)")})
        BOOST_TEST(code(response_to(make_dialogue(stateless), line)) == -32602, line);
    BOOST_TEST(code(response_to(make_dialogue(both), meta(version))) == -32602);
    BOOST_TEST((kind_of(make_dialogue(stateless), meta(std::string(version) + "," + capabilities)) == kind::request));
}

BOOST_AUTO_TEST_CASE(unsupported_version_in_meta_is_refused_with_supported_versions)
{
    for (std::string const version : {"2030-01-01", "2025-11-25", "2025-06-18", "?"})
        for (auto const& protocol_versions : {stateless, both}) {
            auto const reply = response_to(make_dialogue(protocol_versions), with_meta("server/discover", version));
            json::value const expected = {{"supported", json::array{"2026-07-28"}},
                                          {"requested", json::value(version)}};
            BOOST_TEST(code(reply) == -32022);
            BOOST_TEST(reply.at("error").at("data") == expected);
        }
}

BOOST_AUTO_TEST_CASE(initialize_is_refused_by_a_stateless_server)
{
    auto const reply = response_to(make_dialogue(stateless), initialize("2025-11-25"));
    json::value const expected = {{"supported", json::array{"2026-07-28"}}, {"requested", "2025-11-25"}};
    BOOST_TEST(code(reply) == -32022);
    BOOST_TEST(reply.at("error").at("data") == expected);
    BOOST_TEST(code(response_to(make_dialogue(stateless), request("initialize"))) == -32022);
}

BOOST_AUTO_TEST_CASE(handshake_server_refuses_discover_and_ignores_version_in_meta)
{
    BOOST_TEST(code(response_to(make_dialogue(handshakes), with_meta("server/discover"))) == -32601);
    BOOST_TEST(code(response_to(make_dialogue(handshakes), request("server/discover"))) == -32601);
    auto dialogue = make_dialogue(handshakes);
    auto const line = with_meta("tools/list");
    auto const next = dialogue.on_message(line);
    BOOST_TEST((next.what == kind::request));
    BOOST_TEST((next.version == protocol_version::v2025_11_25));
}

// Results

BOOST_AUTO_TEST_CASE(handshake_result_has_no_added_members)
{
    for (auto const negotiated : handshakes) {
        BOOST_TEST(json::parse(make_dialogue(both).result(R"("q")", "", negotiated, true)) == no_result);
        auto const reply = json::parse(make_dialogue(both).result("7", R"("a":{"b":[]})", negotiated, true));
        BOOST_TEST(reply == json::parse(R"({"jsonrpc":"2.0","id":7,"result":{"a":{"b":[]}}})"));
    }
}

BOOST_AUTO_TEST_CASE(stateless_result_has_type_and_server_info)
{
    auto const dialogue = make_dialogue(stateless);
    auto const result = [&](std::string_view members, bool cacheable) {
        return json::parse(dialogue.result("7", members, protocol_version::v2026_07_28, cacheable)).at("result");
    };
    json::value const plain = {{"resultType", "complete"}, {"_meta", server_info}};
    json::value const cacheable = {{"tools", json::array()},
                                   {"resultType", "complete"},
                                   {"ttlMs", 0},
                                   {"cacheScope", "private"},
                                   {"_meta", server_info}};
    BOOST_TEST(result("", false) == plain);
    BOOST_TEST(result(R"("tools":[])", true) == cacheable);
}

BOOST_AUTO_TEST_CASE(members_set_by_the_server_are_not_added_again)
{
    auto const dialogue = make_dialogue(stateless);
    auto const own = R"("resultType":"input_required","ttlMs":5,"cacheScope":"public","_meta":{"a/b":1})";
    BOOST_TEST(dialogue.result("7", own, protocol_version::v2026_07_28, true) ==
               R"({"jsonrpc":"2.0","id":7,"result":{)" + std::string(own) + "}}");
    auto const nested =
        dialogue.result("7", R"("structuredContent":{"resultType":"x","_meta":{}})", protocol_version::v2026_07_28);
    BOOST_TEST(json::parse(nested).at("result").at("resultType") == json::value("complete"));
    BOOST_TEST(json::parse(nested).at("result").at("_meta") == server_info);
}

// Other messages

BOOST_AUTO_TEST_CASE(invalid_message_is_refused)
{
    auto const refusal = [](std::string const& line) { return response_to(make_dialogue(both), line); };
    BOOST_TEST(code(refusal("hello")) == -32700);
    BOOST_TEST(refusal("hello").at("id") == json::value());
    for (std::string const line : {R"({"jsonrpc":"2.0","id":7,"method":"ping")", R"({"id":7,"method":"ping"}})"}) {
        BOOST_TEST(code(refusal(line)) == -32700, line);
        BOOST_TEST(refusal(line).at("id") == json::value(7), line);
    }
    for (std::string const line :
         {"{}", R"({"jsonrpc":"2.0"})", "[]", R"([{"jsonrpc":"2.0","id":7,"method":"ping"}])"}) {
        BOOST_TEST(code(refusal(line)) == -32600, line);
        BOOST_TEST(refusal(line).at("id") == json::value(), line);
    }
    BOOST_TEST(refusal(R"({"jsonrpc":"1.0","id":"x","method":"ping"})").at("id") == json::value("x"));
    BOOST_TEST(refusal(R"({"jsonrpc":"2.0","id":{},"method":"ping"})").at("id") == json::value());
}

BOOST_AUTO_TEST_CASE(notifications_and_responses_are_passed_on)
{
    for (auto const& protocol_versions : {handshakes, stateless, both}) {
        BOOST_TEST((kind_of(make_dialogue(protocol_versions),
                            R"({"jsonrpc":"2.0","method":"notifications/initialized"})") == kind::notify));
        BOOST_TEST(
            (kind_of(make_dialogue(protocol_versions), R"({"jsonrpc":"2.0","id":1,"result":{}})") == kind::response));
        BOOST_TEST((kind_of(make_dialogue(protocol_versions),
                            R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})") == kind::response));
    }
}

BOOST_AUTO_TEST_CASE(error_response_contains_data_if_given)
{
    BOOST_TEST(server_dialogue::failure("7", -32601, "no \"such\" method") ==
               R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no \"such\" method"}})");
    BOOST_TEST(server_dialogue::failure("null", -1, "", "[1]") ==
               R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"","data":[1]}})");
}

BOOST_AUTO_TEST_CASE(message_is_processed_again_after_a_failed_allocation)
{
    std::string const instructions(100, 'i');
    for (auto const& line : {initialize("2025-06-18"), request("initialize"), with_meta("initialize"),
                             with_meta("server/discover"), with_meta("server/discover", "2030-01-01"),
                             with_meta("tools/list"), request("ping"), std::string("hello"), std::string("[]")}) {
        auto expected = make_dialogue(both, instructions);
        auto const reply = expected.on_message(line);
        BOOST_TEST_CONTEXT(line)
            linkspan::test::fail_each_allocation([&](auto& failing) {
                auto dialogue = make_dialogue(both, instructions);
                server_dialogue::action next;
                if (!failing([&] { next = dialogue.on_message(line); })) {
                    BOOST_TEST(!dialogue.is_initialized());
                    BOOST_TEST((dialogue.version() == protocol_version::v2026_07_28));
                    next = dialogue.on_message(line);
                }
                BOOST_TEST((next.what == reply.what));
                BOOST_TEST((next.version == reply.version));
                BOOST_TEST(next.text == reply.text);
                BOOST_TEST(dialogue.is_initialized() == expected.is_initialized());
                BOOST_TEST((dialogue.version() == expected.version()));
            });
    }
}

BOOST_AUTO_TEST_CASE(batch_is_accepted_after_a_handshake_that_permits_it)
{
    auto dialogue = make_dialogue(handshakes);
    std::string const batch = R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])";
    BOOST_TEST((dialogue.on_message(batch).what == kind::malformed)); // before the handshake
    response_to(dialogue, initialize("2025-03-26"));
    BOOST_TEST((dialogue.on_message(batch).what == kind::batch));
    BOOST_TEST(code(response_to(dialogue, batch.substr(0, batch.size() - 1))) == -32700);
    auto other = make_dialogue(handshakes);
    response_to(other, initialize("2025-06-18"));
    BOOST_TEST((other.on_message(batch).what == kind::malformed));
}

BOOST_AUTO_TEST_CASE(message_with_escaped_names_is_returned_with_plain_names)
{
    for (auto const& versions : {handshakes, stateless}) {
        auto dialogue = make_dialogue(versions);
        for (auto const& [escaped, plain] : {
                 std::pair(request(R"(tools\/list)", R"({"cursor":"a\/\n"})"),
                           request("tools/list", R"({"cursor":"a/\n"})")),
                 std::pair<std::string, std::string>(R"({"\u0069d":"q","m\u0065thod":"ping"})",
                                                     R"({"id":"q","method":"ping"})"),
                 std::pair<std::string, std::string>(R"({"method":"notifications\/initialized"})",
                                                     R"({"method":"notifications/initialized"})"),
             }) {
            auto const next = dialogue.on_message(escaped);
            BOOST_TEST((next.what == kind::escaped), escaped);
            BOOST_TEST(next.text == plain);
        }
        BOOST_TEST(!dialogue.is_initialized());
    }
    for (std::size_t const depth : {1u, 100'000u}) {
        auto const refusal = response_to(make_dialogue(both), linkspan::test::message_with_nested_escapes(depth));
        BOOST_TEST(code(refusal) == -32700);
    }
    auto const other = make_dialogue(stateless).on_message(with_meta(R"(\n)"));
    BOOST_TEST((other.what == kind::request)); // an escape that JSON requires
}

BOOST_AUTO_TEST_SUITE_END()
