// Failover of a tool that must not be executed twice: the connection of the first server is cut after each byte of the
// conversation, in either direction.

#include "support/connector_case.hpp"
#include "support/counted_server.hpp"

BOOST_AUTO_TEST_SUITE(failover_cuts_test)

using namespace linkspan::test;
using linkspan::error;
using linkspan::inproc;
using linkspan::protocol_version;

LINKSPAN_CASE(unsafe_call_is_never_executed_twice_if_connection_is_cut_after_any_byte)
{
    linkspan::server_options first;
    first.priority = 1;
    std::size_t failed = 0, elsewhere = 0;
    bool is_whole = false;
    for (bool const requests : {true, false}) {
        for (std::uint64_t n = 0; n <= bytes_to_cut(requests); ++n) {
            counted_server a(protocol_version::v2026_07_28), b(protocol_version::v2026_07_28);
            requests ? a.cut_requests_after(n) : a.cut_responses_after(n);
            linkspan::connector<linkspan::transports<inproc>> hub(executor);
            hub.add<inproc>("a", a, first).add<inproc>("b", b);
            auto const report = co_await hub.async_open();
            is_whole = report.failures() == 0;
            for (std::size_t i = 0; i != calls_to_cut; ++i) {
                auto const before = *a.runs + *b.runs;
                auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
                auto const runs = *a.runs + *b.runs - before;
                bool const fine = ec ? ec == make_error_code(error::outcome_unknown) && runs <= 1 : runs == 1;
                if (!fine)
                    BOOST_ERROR((requests ? "requests" : "responses")
                                << " cut after " << n << ": " << runs << " runs, " << ec.message());
                failed += ec.failed();
                elsewhere += result.server() == "b";
                is_whole = is_whole && !ec && result.server() == "a";
            }
        }
        BOOST_TEST(is_whole, (requests ? "requests" : "responses"));
    }
    BOOST_TEST(failed > 100u); // at least one per byte of a response
    BOOST_TEST(elsewhere > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
