// Requests with a fault: each kind of the layers bytes and JSON-RPC, applied to a tool call of a raw client. The
// server executes the call at most once per message, each response has an id that was sent, and a later request is
// served. This also holds for hours with many requests, of which a seed selects those with a fault.

#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/world.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/fault_run.hpp"
#include "support/faulty_request.hpp"
#include "support/seeded_requests.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(faulty_requests_test)

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
    std::string sent{};                // all bytes of the client
    std::string held{};                // line that follows the next message
    bool is_muted = false;             // whether the client sends nothing later
    std::optional<error_code> ended{}; // set when the server ends the connection
};

// A server with the described tool "add", and its clients.
struct faulty_world : world {
    static constexpr duration longest_pause = 30min; // of a client

    explicit faulty_world(protocol_version of) : version(of) { own.add(adding_tool(runs)); }

    // Opens a connection: in the era `handshake` with `initialize`.
    connection& connect()
    {
        auto const [mine, theirs] = make_memory_pipe();
        mine.out->capacity(std::size_t{32} << 20); // accepts each message in one write
        auto& out = connections.emplace_back(executor, mine);
        own.async_serve(any_transport::make<inproc_server>(executor, {theirs}), {},
                        [&out](error_code ec) { out.ended = ec; });
        if (version != stateless)
            write(out, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                       R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"
                       "\n"
                       R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                       "\n");
        run_until_idle(1s);
        out.client.restart();
        return out;
    }

    static void write(connection& on, std::string const& bytes)
    {
        on.sent += bytes;
        on.client.write(bytes);
    }

    static void write_message(connection& on, std::string const& text)
    {
        write(on, text + '\n' + std::exchange(on.held, {}));
    }

    // Whether the client can send a further message.
    static bool is_open(connection const& on) { return !on.ended && !on.is_muted; }
    static bool begins_message(connection const& on) { return on.sent.empty() || on.sent.ends_with('\n'); }

    // Sends a message with a fault.
    void write_faulty(connection& on, fault_setting const& fault, std::string const& text)
    {
        using kind = linkspan::test::detail::fault_step::kind;
        for (auto const& step : linkspan::test::detail::steps_of(fault, {.text = text, .method = "tools/call"}))
            switch (step.what) {
            case kind::message: write_message(on, step.text); break;
            case kind::bytes: write(on, step.text); break;
            case kind::pause: run_for(step.span); break;
            case kind::hold: on.held = step.text + '\n'; break;
            case kind::mute: on.is_muted = true; break;
            case kind::end_output:
            case kind::cut: on.end.out->close_writer(); break; // the client still reads
            case kind::drop: on.end.close(); break;
            default: BOOST_ERROR(name_of(fault.kind) << ": unexpected kind of step");
            }
        run_until_idle(1s);
    }

    // Sends a valid call, and returns the summary of all responses since the opening of the connection.
    std::string responses_after_call(connection& on, int id)
    {
        if (!on.is_muted)
            write_message(on, add_call(version, id, 20));
        run_until_idle(1s);
        return responses(on);
    }

    static std::string responses(connection const& on)
    {
        std::string out, text = on.client.received().text();
        for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            out += (out.empty() ? "" : "; ") + summary_of(text.substr(0, end), on.sent);
            text.erase(0, end + 1);
        }
        return text.empty() ? out : out + "; invalid: " + text;
    }

    // Closes all connections, and checks that nothing remains.
    void close(std::string const& label)
    {
        for (auto const& each : connections)
            each.end.close();
        run_until_idle(1s);
        for (auto const& each : connections)
            BOOST_TEST(each.ended.has_value(), label << ": the connection has not ended");
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
    std::deque<connection> connections;
    server own{executor, implementation{.name = "own", .version = "7"}, {}};
};

// Expected treatment of a call with the id 2 and a fault, and of a later call with the id 3.
struct treatment {
    fault_kind kind;
    std::string_view responses;                       // summaries of the responses, in their order
    std::string_view stateless_responses = responses; // those in the era `stateless`
    std::optional<error> ended = {};                  // error with which the connection ends
};

// The kinds whose messages are valid requests.
constexpr std::string_view both_are_served = "2 sum 5; 3 sum 23";

// Without the response "3 sum 23", the later call is not a line that the server receives: it has a new connection.
constexpr treatment treatments[] = {
    {fault_kind::drop, "3 sum 23"},
    {fault_kind::duplicate, "2 sum 5; 2 sum 5; 3 sum 23"}, // each message is a request
    {fault_kind::reorder, "3 sum 23; 2 sum 5"},
    // The inverted bit is in the key "name", or in the comma before "_meta".
    {fault_kind::corrupt, "2 -32602 Unknown tool: ; 3 sum 23", "2 -32700 Parse error; 3 sum 23"},
    {.kind = fault_kind::cut, .responses = "", .ended = error::truncated_line},
    // The later call is a part of the incomplete line. The line after it is a message again.
    {fault_kind::partial_line, "2 -32700 Parse error"},
    // The client writes nothing later on this connection.
    {.kind = fault_kind::limit_data, .responses = "", .ended = error::truncated_line},
    {fault_kind::bom, "null -32700 Parse error; 3 sum 23"}, // RFC 8259, section 8.1
    {fault_kind::nul_byte, "null -32700 Parse error; 3 sum 23"},
    // The server does not read the rest of a line that is too long.
    {.kind = fault_kind::oversize, .responses = "", .ended = error::line_too_long},
    {fault_kind::deep_nesting, "2 -32700 Parse error; 3 sum 23"},
    {fault_kind::stdout_garbage, "null -32700 Parse error; 2 sum 5; 3 sum 23"},
    // Only the first of the two lines has the id.
    {fault_kind::interleave, "2 -32700 Parse error; null -32700 Parse error; 3 sum 23"},
    {fault_kind::half_close, ""},
    {fault_kind::disconnect, ""},
    {fault_kind::rpc_error, "3 sum 23"}, // a response to no request
    {fault_kind::not_json, "null -32700 Parse error; 3 sum 23"},
    {fault_kind::truncated_json, "2 -32700 Parse error; 3 sum 23"},
    {fault_kind::wrong_id, "987654321 sum 5; 3 sum 23"},
    {fault_kind::string_id, R"("2" sum 5; 3 sum 23)"},
    {fault_kind::null_id, "3 sum 23"}, // a notification with an unknown method
    {fault_kind::wrong_jsonrpc, "2 -32600 Invalid Request; 3 sum 23"},
    {fault_kind::response_and_error, "2 -32600 Invalid Request; 3 sum 23"},
    {fault_kind::batch, "null -32600 Invalid Request; 3 sum 23"}, // neither protocol version has batches
    {fault_kind::text_error_code, "2 -32600 Invalid Request; 3 sum 23"},
    {fault_kind::huge_id, "3 sum 23"}, // a response to no request
    {fault_kind::unknown_request, R"("f1" -32601 Method not found; 2 sum 5; 3 sum 23)"},
    {fault_kind::id_reuse, R"("f1" result; "f1" result; 2 sum 5; 3 sum 23)"}, // in succession, not at once
};

treatment treatment_of(fault_kind kind)
{
    auto const* const found = std::ranges::find(treatments, kind, &treatment::kind);
    return found != std::end(treatments) ? *found : treatment{kind, both_are_served};
}

} // namespace

BOOST_AUTO_TEST_CASE(request_with_each_kind_of_fault_has_its_responses_and_a_later_request_is_served)
{
    std::size_t kinds = 0;
    for (auto const version : newest_of_both_eras)
        for (auto const& what : fault_descriptions()) {
            if (!applies_to_requests(what))
                continue;
            ++kinds;
            auto const label = label_of(version, name_of(what.kind));
            auto const expected = treatment_of(what.kind);
            faulty_world w(version);
            auto& on = w.connect();
            w.write_faulty(on, {.kind = what.kind}, add_call(version, 2, 2));
            auto const responses = w.responses_after_call(on, 3);
            BOOST_TEST(responses == (version == stateless ? expected.stateless_responses : expected.responses), label);
            BOOST_TEST(!contains(responses, "invalid"), label << ": " << responses);
            BOOST_TEST(w.runs == count_of(responses, " sum "), label);
            BOOST_TEST(count_of(responses, " sum 5") <= (what.kind == fault_kind::duplicate ? 2U : 1U), label);
            if (!contains(responses, "3 sum 23")) {
                BOOST_TEST(w.responses_after_call(w.connect(), 3) == "3 sum 23", label << ": new connection");
                if (!on.ended && !on.is_muted)
                    BOOST_TEST(w.responses_after_call(on, 4).ends_with("; 4 sum 23"), label << ": next line");
            }
            w.close(label);
            auto const ended = on.ended.value_or(error_code());
            BOOST_TEST((ended == (expected.ended ? make_error_code(*expected.ended) : error_code())),
                       label << ": " << ended.message());
        }
    BOOST_TEST(kinds >= 2 * std::size(treatments));
}

BOOST_AUTO_TEST_CASE(request_with_an_inverted_bit_is_executed_at_most_once_and_a_later_request_is_served)
{
    for (auto const version : newest_of_both_eras)
        check_inverted_bits<faulty_world>(version, "", [](connection const& on) { BOOST_TEST(!on.ended); });
}

BOOST_AUTO_TEST_CASE(request_cut_after_each_byte_is_not_executed_and_other_connections_are_served)
{
    for (auto const version : newest_of_both_eras) {
        auto const text = add_call(version, 2, 2);
        faulty_world w(version);
        auto& other = w.connect();
        for (std::size_t size = 1; size <= text.size(); ++size) {
            auto const label = label_of(version, std::to_string(size) + " bytes");
            auto& on = w.connect();
            w.write_faulty(on, {.kind = fault_kind::cut, .amount = size}, text);
            BOOST_TEST(w.responses(on) == "", label);
            BOOST_TEST((on.ended == make_error_code(error::truncated_line)), label);
        }
        BOOST_TEST(w.runs == 0U);
        BOOST_TEST(w.responses_after_call(other, 3) == "3 sum 23");
        w.close(label_of(version, "cut requests"));
    }
}

BOOST_AUTO_TEST_CASE(requests_with_seeded_faults_are_executed_at_most_once_and_all_others_are_served)
{
    run_seeded_requests<faulty_world>(1'990h);
}

BOOST_AUTO_TEST_SUITE_END()
