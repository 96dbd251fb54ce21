#include <linkspan/protocol/outcome.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(outcome_test)

using linkspan::certainty;
using linkspan::certainty_of;
using linkspan::certainty_of_rpc;
using linkspan::evidence;
namespace data = boost::unit_test::data;

namespace {

struct evidence_row {
    evidence seen;
    certainty delivery;
    char const* why;
};

std::ostream& operator<<(std::ostream& out, evidence_row const& r) { return out << r.why; }

// Observations and their certainties, without those of HTTP.
constexpr evidence_row evidences[] = {
    {evidence::rejected_locally, certainty::not_sent, "the request was rejected before it was sent"},
    {evidence::not_connected, certainty::not_sent, "start, connection or negotiation failed"},
    {evidence::write_failed, certainty::not_sent, "the terminating newline was not accepted"},
    {evidence::abandoned_unsent, certainty::not_sent, "cancelled while queued"},
    {evidence::abandoned, certainty::unknown, "cancelled after the complete request was sent"},
    {evidence::stream_ended, certainty::unknown, "the stream ended without a response"},
    {evidence::unreadable, certainty::unknown, "the response could not be parsed"},
    {evidence::result, certainty::completed, "a result"},
};

struct code_row {
    int first, last; // inclusive
    certainty delivery;
};

std::ostream& operator<<(std::ostream& out, code_row const& r) { return out << r.first << " to " << r.last; }

constexpr code_row codes[] = {
    {-32700, -32700, certainty::refused},   // parse error
    {-32600, -32600, certainty::refused},   // invalid request
    {-32601, -32601, certainty::refused},   // method not found
    {-32602, -32602, certainty::completed}, // invalid params, if the tool exists
    {-32603, -32603, certainty::unknown},   // internal error: may follow side effects
    {-32020, -32020, certainty::refused},   // header mismatch
    {-32021, -32021, certainty::refused},   // missing client capability
    {-32022, -32022, certainty::refused},   // unsupported protocol version
    {-32019, -32000, certainty::completed}, // defined by the server
    {-32099, -32023, certainty::unknown},   // reserved for the specification
    {-32599, -32100, certainty::unknown},   // reserved by JSON-RPC
    {-32699, -32604, certainty::unknown},   // reserved by JSON-RPC
    {-32768, -32701, certainty::unknown},   // reserved by JSON-RPC
    {-33000, -32769, certainty::completed}, // codes of applications
    {-31999, 1000, certainty::completed},
};

} // namespace

BOOST_DATA_TEST_CASE(evidence_of_an_attempt_determines_certainty, data::make(evidences))
{
    BOOST_TEST((certainty_of(sample.seen) == sample.delivery));
}

BOOST_DATA_TEST_CASE(code_of_an_error_response_determines_certainty, data::make(codes))
{
    for (int code = sample.first; code <= sample.last; ++code)
        BOOST_TEST((certainty_of_rpc(code) == sample.delivery), code);
}

BOOST_AUTO_TEST_CASE(unknown_evidence_yields_certainty_unknown)
{
    BOOST_TEST((certainty_of(static_cast<evidence>(1'000)) == certainty::unknown));
}

BOOST_AUTO_TEST_CASE(certainty_is_computed_at_compile_time)
{
    static_assert(certainty_of(evidence::write_failed) == certainty::not_sent);
    static_assert(certainty_of_rpc(-32601) == certainty::refused);
}

BOOST_AUTO_TEST_SUITE_END()
