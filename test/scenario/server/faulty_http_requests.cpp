// Requests over HTTP whose body has a fault: each kind of the layers bytes and JSON-RPC, applied to a tool call of a
// raw client, in bodies with a correct Content-Length. The endpoint executes the call at most once per message, and
// serves a later request. This also holds for many requests, of which a seed selects those with a fault.

#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/world.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/fault_run.hpp"
#include "support/faulty_request.hpp"
#include "support/seeded_requests.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(faulty_http_requests_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace linkspan::test::faulty_request;
using namespace std::chrono_literals;

namespace {

// A connection of a raw client.
struct connection {
    connection(asio::any_io_executor executor, memory_end const& mine) : end(mine), client(std::move(executor), mine) {}

    memory_end end;
    recording_client client;
    std::string sent{};    // all bodies
    std::string held{};    // body that follows the next message
    bool is_usable = true; // false: the client has sent a part of a body, or has closed its sending side
};

// An endpoint with the described tool "add", and its clients.
struct faulty_world : world {
    static constexpr duration longest_pause = 2min; // of a client; a connection without requests ends before

    explicit faulty_world(protocol_version of) : version(of)
    {
        own.add(adding_tool(runs));
        endpoint.emplace(own, http_endpoint_options{});
        if (version == stateless)
            return;
        auto& opening = connect();
        write_message(opening,
                      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
        session = text_between(opening.client.received().text(), "Mcp-Session-Id: ", "\r\n");
        write_message(opening, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    connection& connect()
    {
        auto const [mine, theirs] = make_memory_pipe();
        mine.out->capacity(std::size_t{32} << 20); // accepts each body in one write
        endpoint->serve(std::make_unique<memory_byte_stream>(executor, theirs));
        return connections.emplace_back(executor, mine);
    }

    // Whether the client can send a further message. Each body is one message.
    static bool is_open(connection const& on) { return on.is_usable && !on.client.received().ended_at; }
    static bool begins_message(connection const&) { return true; }

    // Returns the head of a POST of a call.
    std::string head(std::size_t size) const
    {
        return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
               "Content-Type: application/json\r\nContent-Length: " +
               std::to_string(size) +
               (version == stateless ? "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: add"
                : session.empty()    ? ""
                                     : "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + session) +
               "\r\n\r\n";
    }

    void write_message(connection& on, std::string const& body)
    {
        on.sent += body;
        on.client.write(head(body.size()) + body);
        run_for(1s);
        if (!on.held.empty())
            write_message(on, std::exchange(on.held, {}));
    }

    // Sends a message with a fault. Bytes in succession are one body; the length of an incomplete body is that of the
    // message.
    void write_faulty(connection& on, fault_setting const& fault, std::string const& text)
    {
        using kind = linkspan::test::detail::fault_step::kind;
        auto const steps = linkspan::test::detail::steps_of(fault, {.text = text, .method = "tools/call"});
        std::size_t size = 0; // of the bytes
        for (auto const& step : steps)
            size += step.what == kind::bytes ? step.text.size() : 0;
        bool const is_complete = size == 0 || size >= text.size() || fault.kind == fault_kind::stdout_garbage;
        bool has_head = false;
        for (auto const& step : steps)
            switch (step.what) {
            case kind::message: write_message(on, step.text); break;
            case kind::bytes:
                on.sent += step.text;
                on.client.write((has_head ? "" : head(is_complete ? size : text.size())) + step.text);
                has_head = true;
                break;
            case kind::pause: run_for(step.span); break;
            case kind::hold: on.held = step.text; break;
            case kind::end_output:
            case kind::cut:
                on.end.out->close_writer();
                on.is_usable = false;
                break;
            case kind::drop:
                on.end.close();
                on.is_usable = false;
                break;
            case kind::mute: break;
            default: BOOST_ERROR(name_of(fault.kind) << ": unexpected kind of step");
            }
        on.is_usable = on.is_usable && is_complete;
        run_for(is_complete ? 1s : http_server_limits().body_timeout + 1s);
    }

    // Sends a valid call, and returns the statuses and the summaries of all responses.
    std::string responses_after_call(connection& on, int id)
    {
        write_message(on, add_call(version, id, 20));
        return responses(on);
    }

    // Returns the statuses and the summaries of all responses since the opening of the connection.
    static std::string responses(connection const& on)
    {
        std::string out, text = on.client.received().text();
        for (auto end = text.find("\r\n\r\n"); end != text.npos; end = text.find("\r\n\r\n")) {
            auto const head = text.substr(0, end + 2);
            auto const length = text_between(head, "\r\nContent-Length: ", "\r\n");
            auto const body = text.substr(end + 4, length.empty() ? 0 : std::stoul(length));
            out += (out.empty() ? "" : "; ") + text_between(head, "HTTP/1.1 ", " ") + (body.empty() ? "" : " ") +
                   (body.empty() ? "" : summary_of(body, on.sent));
            text.erase(0, end + 4 + body.size());
        }
        return text.empty() ? out : out + "; invalid: " + text;
    }

    // Closes the endpoint and all connections, and checks that nothing remains.
    void close(std::string const& label)
    {
        for (auto const& each : connections)
            each.end.close();
        run_for(1s);
        endpoint.reset();
        run_until_idle(1s);
        BOOST_TEST(own.counters().clients == 0U, label);
        BOOST_TEST(own.counters().defects == 0U, label);
        for (auto const& leak : leaks())
            BOOST_ERROR(label << ": " << leak);
        context.restart();
        context.poll();
        BOOST_TEST((context.stopped() && time.pending() == 0), label << ": operations are outstanding");
    }

    protocol_version version;
    std::size_t runs = 0; // executions of the tool
    std::string session;  // of the era `handshake`
    std::deque<connection> connections;
    server own{executor, implementation{.name = "own", .version = "7"}, {}};
    std::optional<http_endpoint> endpoint; // set by the constructor
};

// Expected statuses and summaries of the responses to a call with the id 2 and a fault, and to a later call with the
// id 3.
struct treatment {
    fault_kind kind;
    std::string_view responses;
    std::string_view stateless_responses = responses; // those in the era `stateless`
};

// The kinds whose messages are valid requests.
constexpr std::string_view both_are_served = "200 2 sum 5; 200 3 sum 23";

// Without the response "200 3 sum 23", the connection cannot be used for the later call, which has a new one.
constexpr treatment treatments[] = {
    {fault_kind::drop, "200 3 sum 23"},
    {fault_kind::duplicate, "200 2 sum 5; 200 2 sum 5; 200 3 sum 23"}, // each message is a request
    {fault_kind::reorder, "200 3 sum 23; 200 2 sum 5"},
    // The inverted bit is in the key "name", or in the comma before "_meta".
    {fault_kind::corrupt, "200 2 -32602 Unknown tool: ; 200 3 sum 23", "400 2 -32700 Parse error; 200 3 sum 23"},
    {fault_kind::cut, ""},
    {fault_kind::partial_line, "408"}, // after `http_server_limits::body_timeout`
    {fault_kind::limit_data, "408"},
    {fault_kind::coalesce, "400 null -32700 Parse error; 200 3 sum 23"}, // a body is one JSON text
    {fault_kind::bom, "400 null -32700 Parse error; 200 3 sum 23"},
    {fault_kind::nul_byte, "400 null -32700 Parse error; 200 3 sum 23"},
    {fault_kind::oversize, "413"},
    {fault_kind::deep_nesting, "400 2 -32700 Parse error; 200 3 sum 23"},
    {fault_kind::stdout_garbage, "400 null -32700 Parse error; 200 2 sum 5; 200 3 sum 23"},
    {fault_kind::interleave, "400 2 -32700 Parse error; 200 3 sum 23"},
    {fault_kind::half_close, ""},
    {fault_kind::disconnect, ""},
    // Clients send responses in the era `handshake` only.
    {fault_kind::rpc_error, "202; 200 3 sum 23", "400 2 -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::not_json, "400 null -32700 Parse error; 200 3 sum 23"},
    {fault_kind::truncated_json, "400 2 -32700 Parse error; 200 3 sum 23"},
    {fault_kind::wrong_id, "200 987654321 sum 5; 200 3 sum 23"},
    {fault_kind::string_id, R"(200 "2" sum 5; 200 3 sum 23)"},
    {fault_kind::unknown_id, "202; 200 2 sum 5; 200 3 sum 23",
     "400 987654321 -32600 Invalid Request; 200 2 sum 5; 200 3 sum 23"},
    {fault_kind::null_id, "400 null -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::wrong_jsonrpc, "400 2 -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::late_response, ""}, // `http_server_limits::idle_timeout` elapses before the message
    {fault_kind::response_and_error, "400 2 -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::batch, "400 null -32600 Invalid Request; 200 3 sum 23",
     "400 null -32000 Bad Request: Mcp-Session-Id is missing; 200 3 sum 23"},
    {fault_kind::text_error_code, "400 2 -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::huge_id, "202; 200 3 sum 23", "400 18446744073709551617 -32600 Invalid Request; 200 3 sum 23"},
    {fault_kind::unknown_request, R"(200 "f1" -32601 Method not found; 200 2 sum 5; 200 3 sum 23)",
     R"(400 "f1" -32602 params._meta has no protocol version or no client capabilities; 200 2 sum 5; 200 3 sum 23)"},
    {fault_kind::response_to_notification, "400 null -32600 Invalid Request; 200 2 sum 5; 200 3 sum 23"},
    {fault_kind::id_reuse, R"(200 "f1" result; 200 "f1" result; 200 2 sum 5; 200 3 sum 23)",
     R"(400 "f1" -32602 params._meta has no protocol version or no client capabilities; )"
     R"(400 "f1" -32602 params._meta has no protocol version or no client capabilities; 200 2 sum 5; 200 3 sum 23)"},
};

std::string_view expected_responses(fault_kind kind, protocol_version version)
{
    auto const* const found = std::ranges::find(treatments, kind, &treatment::kind);
    if (found == std::end(treatments))
        return both_are_served;
    return version == stateless ? found->stateless_responses : found->responses;
}

} // namespace

BOOST_AUTO_TEST_CASE(request_with_each_kind_of_fault_in_its_body_has_its_responses_and_a_later_request_is_served)
{
    for (auto const version : newest_of_both_eras)
        for (auto const& what : fault_descriptions()) {
            if (!applies_to_requests(what))
                continue;
            auto const label = label_of(version, name_of(what.kind));
            faulty_world w(version);
            auto& on = w.connect();
            w.write_faulty(on, {.kind = what.kind}, add_call(version, 2, 2));
            bool const is_open = w.is_open(on);
            auto& later = is_open ? on : w.connect();
            w.write_message(later, add_call(version, 3, 20));
            auto const responses = w.responses(on);
            BOOST_TEST(responses == expected_responses(what.kind, version), label);
            BOOST_TEST(!contains(responses, "invalid"), label << ": " << responses);
            if (!is_open)
                BOOST_TEST(w.responses(later) == "200 3 sum 23", label << ": new connection");
            auto const executions = count_of(responses, " sum ") + (is_open ? 0 : 1);
            BOOST_TEST(w.runs == executions, label << ": " << w.runs << " executions");
            BOOST_TEST(count_of(responses, " sum 5") <= (what.kind == fault_kind::duplicate ? 2U : 1U), label);
            w.close(label);
        }
}

BOOST_AUTO_TEST_CASE(request_with_an_inverted_bit_in_its_body_is_executed_at_most_once_and_a_later_request_is_served)
{
    for (auto const version : newest_of_both_eras)
        check_inverted_bits<faulty_world>(version, "200 ", [](connection const&) {});
}

BOOST_AUTO_TEST_CASE(requests_with_seeded_faults_in_their_bodies_are_executed_at_most_once_and_all_others_are_served)
{
    run_seeded_requests<faulty_world>(140h);
}

BOOST_AUTO_TEST_SUITE_END()
