// Failover of calls to a read-only tool: one scenario for each number of bytes, sent or received, after which the
// connection of the preferred server is cut.

#include "support/connector_case.hpp"
#include "support/counted_server.hpp"

BOOST_AUTO_TEST_SUITE(read_only_failover_cuts_test)

using namespace linkspan::test;
using linkspan::inproc;
using linkspan::protocol_version;
using linkspan::replay_class;

LINKSPAN_CASE(read_only_call_succeeds_if_connection_of_preferred_server_is_cut_after_any_byte)
{
    linkspan::server_options first, second;
    first.priority = 1;
    first.tools["pay"].replay = second.tools["pay"].replay = replay_class::read_only;
    for (bool const requests : {true, false})
        for (std::uint64_t n = 0; n <= bytes_to_cut(requests); ++n) {
            counted_server a(protocol_version::v2026_07_28), b(protocol_version::v2026_07_28);
            requests ? a.cut_requests_after(n) : a.cut_responses_after(n);
            linkspan::connector<linkspan::transports<inproc>> hub(executor);
            hub.add<inproc>("a", a, first).add<inproc>("b", b, second);
            auto const report = co_await hub.async_open();
            BOOST_TEST(report.failures() <= 1u);
            for (std::size_t i = 0; i != calls_to_cut; ++i) {
                auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
                if (ec || result.text() != "paid")
                    BOOST_ERROR((requests ? "requests" : "responses")
                                << " cut after " << n << " bytes: " << ec.message());
            }
        }
}

BOOST_AUTO_TEST_SUITE_END()
