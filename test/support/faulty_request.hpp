#ifndef LINKSPAN_TEST_SUPPORT_FAULTY_REQUEST_HPP
#define LINKSPAN_TEST_SUPPORT_FAULTY_REQUEST_HPP

// The tool call to which the tests of faulty requests apply faults, and summaries of its responses.

#include <linkspan/describe/struct.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "contains.hpp"

namespace linkspan::inline LINKSPAN_ABI::test::faulty_request {

inline constexpr protocol_version stateless = protocol_version::v2026_07_28;

struct reading {
    double value = 0;
};
LINKSPAN_STRUCT(reading, value)

// The fault `deep_nesting` adds its arrays to the member `result`.
struct addends {
    double a = 0, b = 0;
    reading result;
};
LINKSPAN_STRUCT(addends, a, b, result)

struct sum {
    double value = 0;
};
LINKSPAN_STRUCT(sum, value)

// Returns the tool "add", which counts its executions. `runs`: must outlive the tool.
inline auto adding_tool(std::size_t& runs)
{
    return local_tool("add", "Adds", [&runs](addends const& two) {
        ++runs;
        return sum{two.a + two.b};
    });
}

inline bool applies_to_requests(fault_description const& what)
{
    return what.layer == fault_layer::bytes || what.layer == fault_layer::json_rpc;
}

// Returns a call of the tool "add", whose sum is `a` + 3. `id`: JSON text.
inline std::string add_call(protocol_version version, std::string const& id, int a)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":"add","arguments":{"a":)" +
           std::to_string(a) + R"(,"b":3,"result":{"value":1}})" +
           (version == stateless ? R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                   R"("io.modelcontextprotocol/clientCapabilities":{}})"
                                 : "") +
           "}}";
}

inline std::string add_call(protocol_version version, int id, int a)
{
    return add_call(version, std::to_string(id), a);
}

// Ids of the calls with an inverted bit: a number and a string.
inline std::string const ids[] = {"2", R"("two")"};

// Returns whether the client sent the id.
inline bool has_id(std::string_view sent, std::string const& id)
{
    return contains(sent, "\"id\":" + id + ",") || contains(sent, "\"id\":" + id + "}");
}

// Returns the id of a response with its sum, "result", or its error. A response that JSON-RPC does not permit, or whose
// id was not sent, is returned with the prefix "invalid: ".
inline std::string summary_of(std::string const& response, std::string_view sent)
{
    // -32022: another protocol version. Over HTTP, -32020: the body differs from the header fields; -32000: a batch,
    // which has no `_meta`, without a session.
    constexpr std::array codes{-32700, -32600, -32601, -32602, -32022, -32020, -32000};
    error_code ec, absent;
    auto const value = boost::json::parse(response, ec);
    auto const* const message = value.if_object();
    if (ec || !message || message->size() != 3 || !message->contains("id") || !message->contains("jsonrpc") ||
        message->at("jsonrpc") != "2.0" || message->contains("result") == message->contains("error"))
        return "invalid: " + response;
    auto const id = std::string(json_scan::member(response, "id"));
    if (auto const* const error = value.find_pointer("/error", absent)) {
        auto const* const code = value.find_pointer("/error/code", absent);
        auto const* const text = value.find_pointer("/error/message", absent);
        bool const is_valid = code && code->is_int64() && std::ranges::count(codes, code->get_int64()) == 1 && text &&
                              text->is_string() && (id == "null" || has_id(sent, id));
        return is_valid ? id + ' ' + std::to_string(code->get_int64()) + ' ' + std::string(text->get_string())
                        : "invalid: " + response;
    }
    if (!has_id(sent, id))
        return "invalid: " + response;
    auto const* const total = value.find_pointer("/result/structuredContent/value", absent);
    return id + (total ? " sum " + boost::json::serialize(*total) : " result");
}

// Returns the number of non-overlapping occurrences of a part.
inline std::size_t count_of(std::string_view text, std::string_view part)
{
    std::size_t out = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
        ++out;
    return out;
}

inline std::string label_of(protocol_version version, std::string_view what)
{
    return std::string(to_string(version)) + ", " + std::string(what);
}

// Sends calls, in each of which one bit is inverted, over one connection to the server of a `World`, each with a valid
// call after it. `status`: text before the response to a valid call. `at_end`: called with the connection.
template<class World, class AtEnd>
void check_inverted_bits(protocol_version version, std::string const& status, AtEnd at_end)
{
    for (auto const& id : ids) {
        auto const text = add_call(version, id, 2);
        World w(version);
        auto& on = w.connect();
        for (std::size_t bit = 0; bit != text.size() * 8; ++bit) {
            auto const label = label_of(version, id + ", bit " + std::to_string(bit));
            auto const later = 1000 + static_cast<int>(bit);
            auto const runs_before = w.runs;
            on.client.restart();
            on.sent.clear();
            w.write_faulty(on, {.kind = fault_kind::corrupt, .amount = bit}, text);
            BOOST_TEST(w.runs - runs_before <= 1U, label);
            auto const responses = w.responses_after_call(on, later);
            BOOST_TEST(w.runs - runs_before == count_of(responses, " sum "), label << ": " << responses);
            BOOST_TEST(!contains(responses, "invalid"), label << ": " << responses);
            BOOST_TEST(responses.ends_with(status + std::to_string(later) + " sum 23"), label << ": " << responses);
        }
        at_end(on);
        w.close(label_of(version, "inverted bits"));
    }
}

} // namespace linkspan::test::faulty_request

#endif
