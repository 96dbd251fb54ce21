// Every kind of fault, as an action of a rule and by a plan: the bytes that a raw client receives, and the times of
// their arrival, differ from those without the fault, and have the effect that doc/faults.md describes.

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/fault_evidence.hpp"
#include "support/fault_occurrence.hpp"
#include "support/fault_run.hpp"

BOOST_AUTO_TEST_SUITE(fault_effects_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::name_of;
using linkspan::protocol_version;

namespace {

constexpr protocol_version handshake = protocol_version::v2025_11_25, stateless = protocol_version::v2026_07_28;
std::string const tools_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
constexpr std::string_view later_response = R"({"jsonrpc":"2.0","id":3,)";
constexpr auto inproc = fault_carrier::inproc, http = fault_carrier::http, http_sse = fault_carrier::http_sse;

bool has_reference(evidence const& e, std::string_view target)
{
    auto const expected = '"' + std::string(target) + '"';
    return e.now("/result/tools/0/inputSchema/properties/x/$ref") == expected &&
           e.now("/result/tools/1/inputSchema/properties/x/$ref") == expected;
}

bool has_version(evidence const& e, std::string const& version)
{
    return e.version == stateless ? e.now("/result/supportedVersions") == "[\"" + version + "\"]"
                                  : e.now("/result/protocolVersion") == '"' + version + '"';
}

bool has_challenge(evidence const& e, std::string_view status, std::string_view part)
{
    auto const challenge = text_between(e.head(), "\r\nWWW-Authenticate: Bearer ", "\r\n");
    return e.has_status(status) && !challenge.empty() && contains(challenge, part);
}

bool has_another_session(evidence const& e)
{
    auto const id = text_between(e.head(), "\r\nMcp-Session-Id: ", "\r\n");
    return !id.empty() && id != e.faulty.session;
}

bool is_lost(evidence const& e) { return e.ends() && e.messages.empty(); }
bool is_not_sent(evidence const& e) { return !e.received.ended_at && e.messages.empty(); }
bool is_sent_twice(evidence const& e)
{
    return e.messages.size() == 2 && e.messages[0] == e.regular && e.messages[1] == e.regular;
}

// Whether the response from this position on precedes the response to the later request, if the same connection has it.
bool is_before_later_response(evidence const& e, std::size_t position)
{
    return e.text.find(later_response) > e.text.find(e.regular.substr(position));
}

bool has_byte_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::delay: return e.delay() == 1s;
    case fault_kind::jitter: return e.delay() > 0s && e.delay() < 1s && e.delay() % 10ms == 0s;
    case fault_kind::drop: return is_not_sent(e);
    case fault_kind::duplicate: return is_sent_twice(e);
    case fault_kind::reorder:
        return e.delay() >= 10ms && (e.over == http || e.text.find(later_response) < e.text.find(e.regular));
    case fault_kind::corrupt: return e.messages.size() == 1 && different_bits(e.messages[0], e.regular) == 1;
    case fault_kind::cut: return e.ends() && e.has_only(e.regular.size() / 2);
    case fault_kind::partial_line: return !e.received.ended_at && e.has_only(e.regular.size() / 2);
    case fault_kind::limit_data: return e.has_only(16) && !contains(e.text, later_response);
    case fault_kind::split: return e.arrives_in(3, 1ms);
    case fault_kind::slow: return e.arrives_in(16, 1s) && is_before_later_response(e, e.regular.size() * 15 / 16);
    case fault_kind::coalesce: return e.precede(1, tools_changed);
    case fault_kind::crlf: return contains(e.text, e.line_prefix() + e.regular + "\r\n");
    case fault_kind::bom: return contains(e.text, "\xEF\xBB\xBF" + e.regular);
    case fault_kind::nul_byte: return contains(e.text, std::string("{\0\"", 3));
    case fault_kind::bad_utf8: return !linkspan::detail::is_utf8(e.text) && linkspan::detail::is_utf8(e.plain_text);
    case fault_kind::oversize: return e.text.size() >= e.plain_text.size() + (17U << 20);
    case fault_kind::deep_nesting: return contains(e.text, std::string(100'000, '[') + std::string(100'000, ']'));
    case fault_kind::blank_lines: return contains(e.text, "\n\n" + e.line_prefix() + e.regular + "\n\n");
    case fault_kind::stdout_garbage: return contains(e.text, "\nINFO") || e.text.starts_with("INFO");
    case fault_kind::interleave: return contains(e.text, e.half() + e.line_prefix() + tools_changed + '\n');
    case fault_kind::half_close: return is_lost(e) && e.faulty.has_read_later;
    case fault_kind::disconnect: return is_lost(e) && (e.over == http || !e.faulty.has_read_later);
    default: return false;
    }
}

bool has_json_rpc_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::rpc_error: return e.is_error("-32603");
    case fault_kind::not_json: return e.messages.size() == 1 && e.messages[0].ends_with('}') && e.now("").empty();
    case fault_kind::truncated_json: return e.messages.size() == 1 && e.messages[0] == e.half();
    case fault_kind::wrong_id: return e.now("/id") != "2" && e.now("/result") == e.before("/result");
    case fault_kind::string_id: return e.now("/id") == "\"2\"" && e.now("/result") == e.before("/result");
    case fault_kind::unknown_id: return e.precede(1, "\"id\":987654321,");
    case fault_kind::null_id: return e.now("/id") == "null" && e.now("/result") == e.before("/result");
    case fault_kind::missing_jsonrpc: return e.now("/jsonrpc").empty() && e.now("/result") == e.before("/result");
    case fault_kind::wrong_jsonrpc: return e.now("/jsonrpc") == "\"1.0\"" && e.now("/result") == e.before("/result");
    case fault_kind::late_response: return e.delay() == 2min;
    case fault_kind::response_and_error: return !e.now("/result").empty() && !e.now("/error/code").empty();
    case fault_kind::no_result: return e.now("/id") == "2" && e.now("/result").empty() && e.now("/error").empty();
    case fault_kind::batch: return e.messages.size() == 1 && e.messages[0] == '[' + e.regular + ']';
    case fault_kind::text_error_code: return e.now("/error/code").starts_with('"') && e.now("/result").empty();
    case fault_kind::huge_id: return contains(e.text, "\"id\":18446744073709551617,");
    case fault_kind::unknown_request:
        return e.precede(1, "\"method\":\"unknown/method\"") && !part_of(e.messages[0], "/id").empty();
    case fault_kind::response_to_notification: return e.precede(1, "\"id\":null,");
    case fault_kind::id_reuse:
        return e.precede(2, "\"method\":") && part_of(e.messages[0], "/id") == part_of(e.messages[1], "/id") &&
               !part_of(e.messages[0], "/id").empty();
    default: return false;
    }
}

bool has_listing_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::version_mismatch: return has_version(e, "1999-01-01");
    case fault_kind::downgrade: return has_version(e, "2024-11-05");
    case fault_kind::no_capabilities:
        return e.now("/result/capabilities") == "{}" && !e.before("/result/capabilities/tools").empty();
    case fault_kind::init_error: return e.is_error("-32603");
    case fault_kind::init_hang: return is_not_sent(e);
    case fault_kind::init_twice: return is_sent_twice(e);
    case fault_kind::discover_32601: return e.is_error("-32601");
    case fault_kind::discover_32602: return e.is_error("-32602");
    case fault_kind::supported_versions_empty: return e.now("/result/supportedVersions") == "[]";
    case fault_kind::capability_lie: return e.is_error("-32601");
    case fault_kind::missing_input_schema:
        return e.now("/result/tools/0/name") == "\"forecast\"" && !contains(e.text, "inputSchema");
    case fault_kind::root_not_object:
        return e.now("/result/tools/0/inputSchema").starts_with('{') &&
               e.now("/result/tools/0/inputSchema/type").empty() && e.now("/result/tools/1/inputSchema/type").empty();
    case fault_kind::bad_schema:
        return has_reference(e, "#/$defs/absent") && e.now("/result/tools/0/inputSchema/$defs").empty();
    case fault_kind::schema_loop: return has_reference(e, "#/properties/x");
    case fault_kind::schema_external: return has_reference(e, "https://schemas.invalid/forecast.json");
    case fault_kind::duplicate_tool_names:
        return e.before("/result/tools/2").empty() && e.now("/result/tools/2") == e.before("/result/tools/0");
    case fault_kind::cursor_loop: return e.now("/result/nextCursor") == "\"fault:again\"";
    case fault_kind::cursor_expired: return e.is_error("-32602");
    case fault_kind::empty_page: return e.now("/result/tools") == "[]" && e.now("/result/nextCursor") == "\"fault:-2\"";
    case fault_kind::page_drift:
        return e.messages.size() == 2 && e.messages[0] == tools_changed &&
               part_of(e.messages[1], "/result/tools") == '[' + e.before("/result/tools/1") + ']' &&
               part_of(e.messages[1], "/result/nextCursor") == "\"fault:-1\"" && e.before("/result/tools/2").empty();
    case fault_kind::rename_tool:
        return e.now("/result/tools/0/name") == "\"renamed_by_a_fault\"" &&
               e.now("/result/tools/1/name") == "\"alerts\"";
    case fault_kind::schema_drift:
        return contains(e.now("/result/tools/0/inputSchema/required"), "\"added_by_a_fault\"]") &&
               !e.now("/result/tools/0/inputSchema/properties/added_by_a_fault").empty() &&
               !e.before("/result/tools/0/inputSchema/properties/city").empty() &&
               e.now("/result/tools/0/inputSchema/properties/city") ==
                   e.before("/result/tools/0/inputSchema/properties/city");
    case fault_kind::ttl_zero: return e.before("/result/ttlMs") == "60000" && e.now("/result/ttlMs") == "0";
    default: return false;
    }
}

bool has_mcp_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::list_changed_storm: return e.precede(100, tools_changed);
    case fault_kind::structured_missing:
        return !e.now("/result/content").empty() && e.now("/result/structuredContent").empty();
    case fault_kind::structured_invalid:
        return e.now("/result/structuredContent").starts_with('{') && e.now("/result/structuredContent/sky").empty();
    case fault_kind::error_with_structured:
        return e.now("/result/isError") == "true" && !e.now("/result/structuredContent").empty();
    case fault_kind::unknown_content_type: return e.now("/result/content/0/type") == "\"hologram\"";
    case fault_kind::progress_after_result:
        return e.messages.size() == 2 && e.messages[0] == e.regular &&
               part_of(e.messages[1], "/params/progressToken") == "7";
    case fault_kind::progress_unknown_token:
        return e.precede(1, "\"notifications/progress\"") &&
               part_of(e.messages[0], "/params/progressToken") == "\"unknown\"";
    case fault_kind::ping_unanswered: return is_not_sent(e);
    case fault_kind::sampling_flood: return e.precede(20, "\"sampling/createMessage\"");
    case fault_kind::elicit_unsupported: return e.precede(1, "\"elicitation/create\"");
    case fault_kind::input_endless:
        return e.now("/result/resultType") == "\"input_required\"" && e.now("/result/requestState").starts_with('"');
    case fault_kind::input_bad_state:
        return e.now("/result/resultType") == "\"input_required\"" && e.now("/result/requestState") == "7";
    default: return false;
    }
}

bool has_event_stream_effect(evidence const& e)
{
    if (!e.is_event_stream())
        return false;
    auto const lines = e.event_lines();
    switch (e.kind) {
    case fault_kind::sse_disconnect: return e.ends() && lines.empty();
    case fault_kind::sse_disconnect_in_event:
        return e.ends() && lines.starts_with("data: " + e.half()) && !contains(e.text, e.regular);
    case fault_kind::sse_resume: return e.ends() && lines.starts_with("id: ") && e.messages.empty();
    case fault_kind::sse_no_id:
        return e.ends() && !e.now("/method").empty() && !contains(lines, "\nid") && !lines.starts_with("id");
    case fault_kind::sse_comment_only: return e.ends() && lines.starts_with(':') && e.messages.empty();
    case fault_kind::sse_multi_line_data: return lines.starts_with("data: {\ndata: " + e.regular.substr(1) + "\n\n");
    case fault_kind::sse_bad_retry: return e.messages == std::vector{e.regular} && contains(lines, "retry: soon\n");
    case fault_kind::sse_never_ends: return e.messages == std::vector{e.regular} && !e.received.ended_at;
    default: return false;
    }
}

bool has_status_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::http_400: return e.has_status("400");
    case fault_kind::http_403: return e.has_status("403");
    case fault_kind::http_404: return e.has_status("404");
    case fault_kind::http_405: return e.has_status("405");
    case fault_kind::http_406: return e.has_status("406");
    case fault_kind::http_408: return e.has_status("408");
    case fault_kind::http_409: return e.has_status("409");
    case fault_kind::http_413: return e.has_status("413");
    case fault_kind::http_415: return e.has_status("415");
    case fault_kind::http_429: return e.has_status("429") && e.has_field("Retry-After: 1\r\n");
    case fault_kind::http_429_date:
        return e.has_status("429") && e.has_field("Retry-After: Thu, 01 Jan 2026 00:00:01 GMT\r\n");
    case fault_kind::http_500: return e.has_status("500");
    case fault_kind::http_502:
        return e.has_status("502") && e.has_field("Content-Type: text/html\r\n") && e.body().starts_with("<html>");
    case fault_kind::http_503: return e.has_status("503");
    case fault_kind::http_504: return e.has_status("504");
    case fault_kind::http_307:
        return e.has_status("307") && e.has_field("Location: /") && !e.has_field("Location: /mcp\r\n");
    default: return false;
    }
}

bool has_http_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::wrong_content_type:
        return e.has_status("200") && e.has_field("Content-Type: text/plain\r\n") && e.body() == e.regular;
    case fault_kind::no_content_type:
        return e.has_status("200") && !e.has_field("Content-Type:") && e.body() == e.regular;
    case fault_kind::empty_202: return e.has_status("202") && e.body().empty();
    case fault_kind::chunk_malformed:
        return e.has_field("Transfer-Encoding: chunked\r\n") && e.body().starts_with("size\r\n");
    case fault_kind::content_length_lie:
        return e.ends() && e.body() == e.regular &&
               e.has_field("Content-Length: " + std::to_string(e.regular.size() + 100) + "\r\n");
    case fault_kind::gzip_unasked: return e.has_status("200") && e.has_field("Content-Encoding: gzip\r\n");
    case fault_kind::reset_on_accept:
        return e.ends() && e.body() == e.regular && e.faulty.connections.at(1).arrivals.empty() &&
               e.faulty.connections.at(1).ended_at;
    case fault_kind::reset_before_head: return e.ends() && e.text.empty();
    case fault_kind::reset_after_head: return e.ends() && e.has_status("200") && e.text.ends_with("\r\n\r\n");
    case fault_kind::slow_head: return !contains(e.received.arrivals.at(0).bytes, "\r\n\r\n") && e.delay() == 1s;
    case fault_kind::interim_response: return e.has_status("103") && e.text.ends_with("\r\n\r\n" + e.plain_text);
    case fault_kind::expect_100: return e.has_status("100") && e.text.ends_with("\r\n\r\n" + e.plain_text);
    case fault_kind::connection_close: return e.ends() && e.has_field("Connection: close\r\n") && e.body() == e.regular;
    case fault_kind::session_id_changes: return e.body() == e.regular && has_another_session(e);
    case fault_kind::session_id_missing:
        return contains(e.plain_text, "\r\nMcp-Session-Id: ") && !e.has_field("Mcp-Session-Id: ") &&
               e.body() == e.regular;
    case fault_kind::header_mismatch: return e.has_status("400") && e.is_error("-32020");
    default: return false;
    }
}

bool has_other_effect(evidence const& e)
{
    switch (e.kind) {
    case fault_kind::start_slow: return e.delay() == 1s;
    case fault_kind::exit: return is_lost(e);
    case fault_kind::exit_before_init: return is_lost(e);
    case fault_kind::exit_zero: return is_lost(e);
    case fault_kind::crash: return is_lost(e);
    case fault_kind::unauthorized: return has_challenge(e, "401", "");
    case fault_kind::token_expired: return has_challenge(e, "401", "error=\"invalid_token\"");
    case fault_kind::refresh_rejected:
        return has_challenge(e, "401", "error=\"invalid_token\"") && e.faulty.connections.at(1).text() == e.text;
    case fault_kind::scope_insufficient: return has_challenge(e, "403", "error=\"insufficient_scope\"");
    case fault_kind::metadata_missing:
        return has_challenge(e, "401", "resource_metadata=\"http://server/.well-known/absent\"");
    case fault_kind::metadata_loop: return has_challenge(e, "401", "resource_metadata=\"http://server/mcp\"");
    case fault_kind::wrong_resource: return has_challenge(e, "401", "resource_metadata=\"http://other.example/");
    case fault_kind::pause: return e.delay() == 1s && (e.over == http || e.received.arrivals.size() == 1);
    case fault_kind::skew:
        return e.has_status("503") && e.has_field("Date: Wed, 31 Dec 2025 00:00:00 GMT\r\n") &&
               e.has_field("Retry-After: Wed, 31 Dec 2025 00:00:01 GMT\r\n");
    default: return false;
    }
}

bool has_effect(evidence const& e)
{
    switch (description_of(e.kind).layer) {
    case fault_layer::bytes: return has_byte_effect(e);
    case fault_layer::json_rpc: return has_json_rpc_effect(e);
    case fault_layer::mcp: return has_mcp_effect(e) || has_listing_effect(e);
    case fault_layer::http: return has_http_effect(e) || has_status_effect(e) || has_event_stream_effect(e);
    case fault_layer::process:
    case fault_layer::authorization:
    case fault_layer::clock: break;
    }
    return has_other_effect(e);
}

void check(fault_description const& what, fault_carrier over, protocol_version version)
{
    auto const plain = fault_run(what, over, version).without_fault();
    auto const faulty = fault_run(what, over, version).by_action();
    auto const planned = fault_run(what, over, version).by_plan(faulty.faults);
    BOOST_TEST(plain.faults.empty());
    BOOST_TEST_REQUIRE(!faulty.faults.empty());
    BOOST_TEST((faulty.faults[0].fault == what.kind));
    BOOST_TEST((planned.connections == faulty.connections));
    BOOST_TEST((faulty.connections != plain.connections));
    evidence const seen{.kind = what.kind, .over = over, .version = version, .plain = plain, .faulty = faulty};
    BOOST_TEST(has_effect(seen), "received: " << seen.text.substr(0, 2000));
}

} // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_fault_has_its_effect_on_the_bytes_that_a_client_receives)
{
    for (auto const& what : fault_descriptions())
        for (auto const over : {inproc, http, http_sse})
            for (auto const version : {handshake, stateless})
                if (what.carriers.contains(over) && occurs_in(what, version) &&
                    !(over == http_sse && version == stateless)) // servers over HTTP+SSE have a handshake
                    BOOST_TEST_CONTEXT(name_of(what.kind) << " over " << linkspan::test::detail::name_of_carrier(over)
                                                          << ", " << to_string(version))
                        check(what, over, version);
}

BOOST_AUTO_TEST_SUITE_END()
