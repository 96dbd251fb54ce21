#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/nested_escapes.hpp"

BOOST_AUTO_TEST_SUITE(http_serving_test)

using namespace linkspan;
namespace data = boost::unit_test::data;
using kind = http_serving::verdict::kind;

namespace {

struct sent {
    std::string method = "POST", target = "/mcp";
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;

    sent& set(std::string const& name, std::string value)
    {
        drop(name);
        fields.emplace_back(name, std::move(value));
        return *this;
    }
    sent& drop(std::string const& name)
    {
        std::erase_if(fields, [&](auto const& field) { return field.first == name; });
        return *this;
    }
    sent& replace(std::string_view what, std::string_view with)
    {
        auto const at = body.find(what);
        BOOST_TEST_REQUIRE(at != body.npos, what);
        body.replace(at, what.size(), with);
        return *this;
    }
};

constexpr std::string_view envelope_text =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

// Returns a valid call in 2026-07-28.
sent stateless_call()
{
    sent out;
    out.fields = {{"Host", "127.0.0.1:4000"},
                  {"Content-Type", "application/json"},
                  {"Accept", "application/json, text/event-stream"},
                  {"MCP-Protocol-Version", "2026-07-28"},
                  {"Mcp-Method", "tools/call"},
                  {"Mcp-Name", "forecast"},
                  {"Mcp-Param-City", "=?base64?WsO8cmljaA==?="},
                  {"Mcp-Param-Days", "3"}};
    out.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast",)"
               R"("arguments":{"city":"Zürich","days":3},)" +
               std::string(envelope_text) + "}}";
    return out;
}

sent handshake_call()
{
    sent out;
    out.fields = {{"Host", "localhost"},
                  {"Content-Type", "application/json; charset=utf-8"},
                  {"Accept", "text/event-stream, application/json"},
                  {"MCP-Protocol-Version", "2025-11-25"},
                  {"Mcp-Session-Id", "alive"}};
    out.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast"}})";
    return out;
}

sent of_session(std::string method)
{
    auto out = handshake_call();
    out.method = std::move(method);
    out.body.clear();
    out.drop("Content-Type").set("Accept", "text/event-stream");
    return out;
}

sent initialize()
{
    auto out = handshake_call();
    out.drop("MCP-Protocol-Version").drop("Mcp-Session-Id");
    out.body = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
    return out;
}

mirrored_arguments const of_forecast =
    read_mirrored_arguments(R"({"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},)"
                            R"("days":{"type":"integer","x-mcp-header":"Days"}}})");

http_serving::options options_for(std::vector<protocol_version> versions)
{
    http_serving::options out;
    out.protocol_versions = std::move(versions);
    out.origins = {"https://app.example"};
    out.session = [](std::string_view id, std::string_view) {
        return id == "alive" ? std::optional(protocol_version::v2025_11_25)
               : id == "old" ? std::optional(protocol_version::v2025_03_26)
                             : std::nullopt;
    };
    out.mirrored = [](std::string_view tool) { return tool == "forecast" ? &of_forecast : nullptr; };
    return out;
}

http_serving::options const stateless_server = options_for({protocol_version::v2026_07_28});
http_serving::options const dual = options_for({protocol_version::v2025_11_25, protocol_version::v2026_07_28});
http_serving::options const handshake_server =
    options_for({protocol_version::v2024_11_05, protocol_version::v2025_03_26, protocol_version::v2025_06_18,
                 protocol_version::v2025_11_25});

http_serving::options without_sessions(std::vector<protocol_version> versions = {protocol_version::v2025_03_26,
                                                                                 protocol_version::v2025_11_25})
{
    auto out = options_for(std::move(versions));
    out.sessions = false;
    return out;
}

http_head head_of(sent const& what)
{
    http_head head;
    head.start_request(what.method, what.target);
    for (auto const& [name, value] : what.fields)
        head.add(boost::beast::http::string_to_field(name), name, value);
    return head;
}

// Returns the result of the validation as text, for example "message 2026-07-28 ", "400 -32020" or "405, Allow: POST".
std::string decide(http_serving::options const& with, sent const& what)
{
    auto const head = head_of(what);
    auto const out = http_serving(with).decide(head, what.body);
    switch (out.what) {
    case kind::initialize: return "initialize";
    case kind::message: return "message " + std::string(to_string(out.version)) + ' ' + std::string(out.session);
    case kind::batch: return "batch " + std::string(to_string(out.version));
    case kind::open_stream: return "stream " + std::string(out.session) + ' ' + std::string(out.last_event);
    case kind::end_session: return "end " + std::string(out.session);
    case kind::escaped: return "escaped " + out.body;
    case kind::refuse: break;
    }
    auto text = std::to_string(out.status);
    if (!out.body.empty())
        text += ' ' + std::to_string(read_failure(json_scan::member(out.body, "error")).code);
    for (auto const& [name, value] : out.fields)
        text += ", " + name + ": " + value;
    return text;
}

struct row {
    char const* what;
    std::function<void(sent&)> fault;
    char const* expected;
};

std::ostream& operator<<(std::ostream& out, row const& of) { return out << of.what; }

constexpr char const* fine = "message 2026-07-28 ";

row const stateless_rows[] = {
    {"no fault", [](sent&) {}, fine},
    {"a query in the target", [](sent& r) { r.target += "?x=1"; }, fine},
    {"another path", [](sent& r) { r.target = "/other"; }, "404"},
    {"an allowed origin", [](sent& r) { r.set("Origin", "https://app.example"); }, fine},
    {"an origin that is not allowed", [](sent& r) { r.set("Origin", "https://evil.example"); }, "403"},
    {"an origin of an allowed host without the port of the server",
     [](sent& r) { r.set("Origin", "http://localhost:8080"); }, "403"},
    {"GET", [](sent& r) { r.method = "GET"; }, "405, Allow: POST"},
    {"DELETE", [](sent& r) { r.method = "DELETE"; }, "405, Allow: POST"},
    {"PUT", [](sent& r) { r.method = "PUT"; }, "405, Allow: POST"},
    {"no media type", [](sent& r) { r.drop("Content-Type"); }, "415"},
    {"another media type", [](sent& r) { r.set("Content-Type", "text/plain"); }, "415"},
    {"a media type in capitals", [](sent& r) { r.set("Content-Type", "Application/JSON"); }, fine},
    {"accepts JSON only", [](sent& r) { r.set("Accept", "application/json"); }, "406"},
    {"accepts a stream only", [](sent& r) { r.set("Accept", "text/event-stream"); }, "406"},
    {"accepts JSON with quality 0", [](sent& r) { r.set("Accept", "application/json;q=0, text/event-stream"); }, "406"},
    {"accepts all media types", [](sent& r) { r.set("Accept", "*/*"); }, fine},
    {"accepts media type ranges", [](sent& r) { r.set("Accept", "application/*;q=0.5 ,text/*"); }, fine},
    {"no Accept header", [](sent& r) { r.drop("Accept"); }, "406"},
    {"invalid JSON", [](sent& r) { r.body.pop_back(); }, "400 -32700"},
    {"text after the JSON", [](sent& r) { r.body += "x"; }, "400 -32700"},
    {"no body", [](sent& r) { r.body.clear(); }, "400 -32700"},
    {"an object that is not a message", [](sent& r) { r.body = "{}"; }, "400 -32600"},
    {"a null id", [](sent& r) { r.replace("\"id\":1", "\"id\":null"); }, "400 -32600"},
    {"a batch", [](sent& r) { r.body = '[' + r.body + ']'; }, "400 -32600"},
    {"a response", [](sent& r) { r.body = R"({"jsonrpc":"2.0","id":1,"result":{}})"; }, "400 -32600"},
    {"no envelope", [](sent& r) { r.replace("\"_meta\"", "\"meta\""); }, "400 -32602"},
    {"an envelope without protocol version", [](sent& r) { r.replace("/protocolVersion", "/other"); }, "400 -32602"},
    {"an envelope without capabilities", [](sent& r) { r.replace("/clientCapabilities", "/other"); }, "400 -32602"},
    {"a protocol version that is a number", [](sent& r) { r.replace("\"2026-07-28\"", "2026"); }, "400 -32602"},
    {"an unknown protocol version",
     [](sent& r) { r.replace("2026-07-28", "2099-01-01").set("MCP-Protocol-Version", "2099-01-01"); }, "400 -32022"},
    {"a protocol version of the handshake era",
     [](sent& r) { r.replace("2026-07-28", "2025-11-25").set("MCP-Protocol-Version", "2025-11-25"); }, "400 -32022"},
    {"no method header", [](sent& r) { r.drop("Mcp-Method"); }, "400 -32020"},
    {"another method in the header", [](sent& r) { r.set("Mcp-Method", "tools/list"); }, "400 -32020"},
    {"a method header in capitals", [](sent& r) { r.set("Mcp-Method", "TOOLS/CALL"); }, "400 -32020"},
    {"no name header", [](sent& r) { r.drop("Mcp-Name"); }, "400 -32020"},
    {"another name in the header", [](sent& r) { r.set("Mcp-Name", "Forecast"); }, "400 -32020"},
    {"an encoded name header", [](sent& r) { r.set("Mcp-Name", "=?base64?Zm9yZWNhc3Q=?="); }, fine},
    {"a name header with invalid base64", [](sent& r) { r.set("Mcp-Name", "=?base64?Zm9!?="); }, "400 -32020"},
    {"a name header with invalid bytes", [](sent& r) { r.replace("\"forecast\"", "\"för\"").set("Mcp-Name", "för"); },
     "400 -32020"},
    {"header names in capitals", [](sent& r) { r.drop("Mcp-Name").set("MCP-NAME", "forecast"); }, fine},
    {"whitespace around a header value", [](sent& r) { r.set("Mcp-Name", " \tforecast "); }, fine},
    {"no header of a mirrored argument", [](sent& r) { r.drop("Mcp-Param-City"); }, "400 -32020"},
    {"another value of a mirrored argument", [](sent& r) { r.set("Mcp-Param-City", "Bern"); }, "400 -32020"},
    {"another representation of a mirrored number", [](sent& r) { r.set("Mcp-Param-Days", "3.0"); }, fine},
    {"another mirrored number", [](sent& r) { r.set("Mcp-Param-Days", "4"); }, "400 -32020"},
    {"a mirrored header without argument", [](sent& r) { r.replace("\"days\":3", "\"days\":null"); }, "400 -32020"},
    {"neither argument nor mirrored header",
     [](sent& r) { r.replace("\"days\":3", "\"days\":null").drop("Mcp-Param-Days"); }, fine},
    {"a header that mirrors no annotated argument", [](sent& r) { r.set("Mcp-Param-Other", "x"); }, fine},
    {"no protocol version header", [](sent& r) { r.drop("MCP-Protocol-Version"); }, "400 -32020"},
    {"another protocol version in the header", [](sent& r) { r.set("MCP-Protocol-Version", "2025-11-25"); },
     "400 -32020"},
    {"initialize", [](sent& r) { r.replace("tools/call", "initialize").set("Mcp-Method", "initialize"); },
     "404 -32601"},
    {"a session id", [](sent& r) { r.set("Mcp-Session-Id", "ended"); }, fine},
    {"a notification", [](sent& r) { (r.body = R"({"jsonrpc":"2.0","method":"tools/call"})", r.drop("Mcp-Method")); },
     fine},
    {"a notification without a protocol version",
     [](sent& r) {
         r.body = R"({"jsonrpc":"2.0","method":"tools/call"})";
         r.drop("MCP-Protocol-Version");
     },
     "400 -32020"},
    {"a notification with another method in the header",
     [](sent& r) { r.body = R"({"jsonrpc":"2.0","method":"notifications/x"})"; }, "400 -32020"},
};

// Requests with two faults. The first one determines the response.
row const double_rows[] = {
    {"invalid origin before HTTP method", [](sent& r) { r.set("Origin", "x").method = "GET"; }, "403"},
    {"invalid JSON before invalid message", [](sent& r) { r.body = "[{}"; }, "400 -32700"},
    {"invalid message before envelope",
     [](sent& r) { r.replace("\"id\":1", "\"id\":null").replace("\"_meta\"", "\"m\""); }, "400 -32600"},
    {"incomplete envelope before unknown protocol version",
     [](sent& r) { r.replace("2026-07-28", "2099-01-01").replace("/clientCapabilities", "/c"); }, "400 -32602"},
    {"missing envelope before missing method header",
     [](sent& r) { r.replace("\"_meta\"", "\"m\"").drop("Mcp-Method"); }, "400 -32602"},
    {"unknown protocol version before missing method header",
     [](sent& r) {
         r.replace("2026-07-28", "2099-01-01").set("MCP-Protocol-Version", "2099-01-01").drop("Mcp-Method");
     },
     "400 -32022"},
    {"another protocol version in the header before unknown protocol version",
     [](sent& r) { r.replace("2026-07-28", "2099-01-01"); }, "400 -32020"},
    {"missing method header before initialize",
     [](sent& r) { r.replace("tools/call", "initialize").drop("Mcp-Method"); }, "400 -32020"},
    {"unknown protocol version before missing version header",
     [](sent& r) { r.replace("2026-07-28", "2099-01-01").drop("MCP-Protocol-Version"); }, "400 -32022"},
};

row const handshake_rows[] = {
    {"no fault", [](sent&) {}, "message 2025-11-25 alive"},
    {"no session id", [](sent& r) { r.drop("Mcp-Session-Id"); }, "400 -32000"},
    {"id of an ended session", [](sent& r) { r.set("Mcp-Session-Id", "ended"); }, "404 -32001"},
    {"no protocol version header", [](sent& r) { r.drop("MCP-Protocol-Version"); }, "message 2025-11-25 alive"},
    {"an invalid protocol version", [](sent& r) { r.set("MCP-Protocol-Version", "1.0"); }, "400 -32000"},
    {"a stateless protocol version", [](sent& r) { r.set("MCP-Protocol-Version", "2026-07-28"); }, "400 -32000"},
    {"accepts JSON only", [](sent& r) { r.set("Accept", "application/json"); }, "406"},
    {"another media type", [](sent& r) { r.set("Content-Type", "text/plain"); }, "415"},
    {"invalid JSON", [](sent& r) { r.body = "{"; }, "400 -32700"},
    {"a response", [](sent& r) { r.body = R"({"jsonrpc":"2.0","id":1,"result":{}})"; }, "message 2025-11-25 alive"},
    {"a batch", [](sent& r) { r.body = '[' + r.body + ']'; }, "400 -32600"},
    {"a batch of 2025-03-26",
     [](sent& r) { r.set("Mcp-Session-Id", "old").drop("MCP-Protocol-Version").body = '[' + r.body + ']'; },
     "batch 2025-03-26"},
    {"initialize in a batch",
     [](sent& r) { r.set("Mcp-Session-Id", "old").drop("MCP-Protocol-Version").body = '[' + initialize().body + ']'; },
     "400 -32600"},
    {"initialize", [](sent& r) { r = initialize(); }, "initialize"},
    {"initialize in a session", [](sent& r) { r = initialize().set("Mcp-Session-Id", "alive"); }, "400 -32600"},
    {"GET", [](sent& r) { r = of_session("GET"); }, "stream alive "},
    {"GET with Last-Event-ID", [](sent& r) { r = of_session("GET").set("Last-Event-ID", "3-1"); }, "stream alive 3-1"},
    {"GET that does not accept a stream", [](sent& r) { r = of_session("GET").set("Accept", "application/json"); },
     "406"},
    {"GET without session id", [](sent& r) { r = of_session("GET").drop("Mcp-Session-Id"); }, "400 -32000"},
    {"GET with the id of an ended session", [](sent& r) { r = of_session("GET").set("Mcp-Session-Id", "ended"); },
     "404 -32001"},
    {"DELETE", [](sent& r) { r = of_session("DELETE"); }, "end alive"},
    {"DELETE without session id", [](sent& r) { r = of_session("DELETE").drop("Mcp-Session-Id"); }, "400 -32000"},
    {"DELETE with the id of an ended session", [](sent& r) { r = of_session("DELETE").set("Mcp-Session-Id", "ended"); },
     "404 -32001"},
    {"PUT", [](sent& r) { r = of_session("PUT"); }, "405, Allow: POST, GET, DELETE"},
};

} // namespace

BOOST_DATA_TEST_CASE(stateless_server_accepts_request_or_rejects_it_with_status, data::make(stateless_rows), row)
{
    auto request = stateless_call();
    row.fault(request);
    BOOST_TEST(decide(stateless_server, request) == row.expected);
}

BOOST_DATA_TEST_CASE(first_of_two_faults_is_reported, data::make(double_rows), row)
{
    auto request = stateless_call();
    row.fault(request);
    BOOST_TEST(decide(stateless_server, request) == row.expected);
}

BOOST_DATA_TEST_CASE(session_server_accepts_request_or_rejects_it_with_status, data::make(handshake_rows), row)
{
    auto request = handshake_call();
    row.fault(request);
    BOOST_TEST(decide(handshake_server, request) == row.expected);
}

BOOST_AUTO_TEST_CASE(origin_of_an_allowed_host_with_the_port_of_the_server_is_allowed)
{
    auto with = stateless_server;
    with.hosts = {"localhost", "[::1]", "mcp.example"};
    with.port = 8080;
    auto const decide_origin = [&](std::string const& origin) {
        auto request = stateless_call();
        request.set("Host", "localhost:8080").set("Origin", origin);
        return decide(with, request);
    };
    for (auto const* allowed : {"http://localhost:8080", "http://LOCALHOST:8080", "https://localhost:8080",
                                "http://[::1]:8080", "http://mcp.example:8080", "https://app.example"})
        BOOST_TEST(decide_origin(allowed) == fine, allowed);
    for (auto const* other : {"http://localhost:8081", "http://localhost", "http://evil.example:8080", "null",
                              "ftp://localhost:8080", "http://localhost:8080x", "localhost:8080", "http://[::1]",
                              "http://localhost:8080@evil.example", "http://evil.example/localhost:8080"})
        BOOST_TEST(decide_origin(other) == "403", other);
    with.port = 443;
    BOOST_TEST(decide_origin("https://localhost") == fine);
    BOOST_TEST(decide_origin("http://localhost") == "403");
    with.port = 80;
    BOOST_TEST(decide_origin("http://localhost") == fine);
    BOOST_TEST(decide_origin("https://localhost") == "403");
    with.hosts.clear(); // all hosts are served, but no origin is allowed by its host
    BOOST_TEST(decide_origin("http://localhost") == "403");
}

BOOST_AUTO_TEST_CASE(initialize_in_a_stateless_envelope_is_an_unknown_method_of_both_eras)
{
    auto request = stateless_call();
    request.replace("tools/call", "initialize").set("Mcp-Method", "initialize");
    BOOST_TEST(decide(dual, request) == "404 -32601");
}

BOOST_AUTO_TEST_CASE(refusal_contains_request_id_and_supported_versions)
{
    auto call = stateless_call();
    call.replace("2026-07-28", "2099-01-01");
    sent plain;
    plain.fields = {{"Content-Type", "application/json"}, {"Accept", "*/*"}};
    auto const head = head_of(plain);
    auto const out = http_serving(dual).decide(head, call.body);
    BOOST_TEST(json_scan::member(out.body, "id") == "1");
    BOOST_TEST(read_failure(json_scan::member(out.body, "error")).data ==
               R"({"supported":["2026-07-28"],"requested":"2099-01-01"})");
    auto const opening = initialize();
    auto const refused = http_serving(stateless_server).decide(head, opening.body);
    BOOST_TEST(refused.status == 400);
    BOOST_TEST(read_failure(json_scan::member(refused.body, "error")).data ==
               R"({"supported":["2026-07-28"],"requested":"2025-11-25"})");
    auto const unreadable = http_serving(stateless_server).decide(head, "{");
    BOOST_TEST(json_scan::member(unreadable.body, "id") == "null");
}

BOOST_AUTO_TEST_CASE(one_endpoint_serves_both_eras)
{
    BOOST_TEST(decide(dual, stateless_call()) == fine);
    BOOST_TEST(decide(dual, handshake_call()) == "message 2025-11-25 alive");
    BOOST_TEST(decide(dual, initialize()) == "initialize");
    BOOST_TEST(decide(dual, of_session("GET")) == "stream alive ");
    auto half = stateless_call();
    half.replace("\"_meta\"", "\"meta\"");
    BOOST_TEST(decide(dual, half) == "400 -32602");
    auto other_half = stateless_call();
    other_half.drop("MCP-Protocol-Version");
    BOOST_TEST(decide(dual, other_half) == "400 -32020");
    auto legacy_envelope = stateless_call();
    legacy_envelope.replace("2026-07-28", "2025-11-25").set("MCP-Protocol-Version", "2025-11-25");
    BOOST_TEST(decide(dual, legacy_envelope) == "400 -32022");
}

BOOST_AUTO_TEST_CASE(handshake_server_refuses_stateless_request_with_session_error)
{
    BOOST_TEST(decide(handshake_server, stateless_call()) == "400 -32000");
    BOOST_TEST(decide(without_sessions(), stateless_call()) == "400 -32000");
}

BOOST_AUTO_TEST_CASE(version_header_determines_protocol_version_without_sessions)
{
    auto call = handshake_call();
    call.drop("Mcp-Session-Id");
    BOOST_TEST(decide(without_sessions(), call) == "message 2025-11-25 ");
    call.drop("MCP-Protocol-Version");
    BOOST_TEST(decide(without_sessions(), call) == "message 2025-03-26 ");
    BOOST_TEST(decide(without_sessions({protocol_version::v2024_11_05}), call) == "message 2024-11-05 ");
    BOOST_TEST(decide(without_sessions({protocol_version::v2025_06_18}), call) == "400 -32000");
    BOOST_TEST(decide(without_sessions(), of_session("DELETE")) == "405, Allow: POST, GET");
}

BOOST_AUTO_TEST_CASE(unsupported_method_is_405_with_allow)
{
    auto with = handshake_server;
    with.get_stream = false;
    BOOST_TEST(decide(with, of_session("GET")) == "405, Allow: POST, DELETE");
    with.delete_session = false;
    BOOST_TEST(decide(with, of_session("DELETE")) == "405, Allow: POST");
}

BOOST_AUTO_TEST_CASE(unknown_host_is_rejected_with_403)
{
    auto with = handshake_server;
    with.hosts = {"localhost", "127.0.0.1", "[::1]"};
    auto call = handshake_call();
    for (auto const* const host : {"localhost", "LOCALHOST:80", "127.0.0.1:4000", "[::1]:80", "[::1]"})
        BOOST_TEST(decide(with, call.set("Host", host)) == "message 2025-11-25 alive", host);
    for (auto const* const host : {"evil.example", "localhost.evil.example:80", "", "127.0.0.1:80:90"})
        BOOST_TEST(decide(with, call.set("Host", host)) == "403", host);
    BOOST_TEST(decide(with, call.drop("Host")) == "403");
}

BOOST_AUTO_TEST_CASE(rpc_error_code_determines_http_status)
{
    BOOST_TEST(http_serving::status_of_error(-32601) == 404);
    BOOST_TEST(http_serving::status_of_error(-32021) == 400);
    BOOST_TEST(http_serving::status_of_error(-32602) == 200);
    BOOST_TEST(http_serving::status_of_error(-32603) == 200);
}

BOOST_AUTO_TEST_CASE(message_with_escaped_names_is_returned_with_plain_names)
{
    auto what = handshake_call();
    what.body = R"({"id":1,"method":"tools\/list"})";
    BOOST_TEST(decide(dual, what) == R"(escaped {"id":1,"method":"tools/list"})");
    what.body = R"([{"id":1,"method":"ping"},{"id":2,"method":"tools\/list"}])";
    BOOST_TEST(decide(dual, what) == R"(escaped [{"id":1,"method":"ping"},{"id":2,"method":"tools/list"}])");
    for (std::size_t const depth : {1u, 100'000u}) {
        what.body = linkspan::test::message_with_nested_escapes(depth);
        BOOST_TEST(decide(dual, what) == "400 -32700");
        what.body = "[" + what.body + "]";
        BOOST_TEST(decide(dual, what) == "400 -32700");
    }
}

BOOST_AUTO_TEST_SUITE_END()
