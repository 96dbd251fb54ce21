// A server that dies after each byte of a conversation, in either direction, with another one behind it.

#include "connector_case.hpp"
#include "counted_server.hpp"

using namespace linkspan::test;
using linkspan::error;
using linkspan::inproc;
using linkspan::replay_class;
using linkspan::revision;

namespace {

constexpr std::size_t calls = 2;

} // namespace

BOOST_AUTO_TEST_SUITE(failover_cuts_test)

LINKSPAN_CASE(a_read_only_call_is_always_answered_by_somebody)
{
    linkspan::server_options first, second;
    first.priority = 1;
    first.tools["pay"].replay = second.tools["pay"].replay = replay_class::read_only;
    for (bool const requests : {true, false})
        for (std::uint64_t n = 0; n < 1'200; ++n) {
            counted_server a(revision::r2026_07_28), b(revision::r2026_07_28);
            requests ? a.cut_requests_after(n) : a.cut_responses_after(n);
            linkspan::connector<linkspan::transports<inproc>> hub(executor);
            hub.add<inproc>("a", a, first).add<inproc>("b", b, second);
            auto const report = co_await hub.async_open();
            BOOST_TEST(report.failures() <= 1u);
            for (std::size_t i = 0; i != calls; ++i) {
                auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
                if (ec || result.text() != "paid")
                    BOOST_ERROR((requests ? "requests" : "responses") << " cut after " << n << ": " << ec.message());
            }
        }
}

// C29
LINKSPAN_CASE(an_unsafe_call_never_runs_twice)
{
    linkspan::server_options first;
    first.priority = 1;
    std::size_t failed = 0, elsewhere = 0;
    for (bool const requests : {true, false})
        for (std::uint64_t n = 0; n < 1'200; ++n) {
            counted_server a(revision::r2026_07_28), b(revision::r2026_07_28);
            requests ? a.cut_requests_after(n) : a.cut_responses_after(n);
            linkspan::connector<linkspan::transports<inproc>> hub(executor);
            hub.add<inproc>("a", a, first).add<inproc>("b", b);
            auto const report = co_await hub.async_open();
            for (std::size_t i = 0; i != calls; ++i) {
                auto const before = *a.runs + *b.runs;
                auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
                auto const runs = *a.runs + *b.runs - before;
                bool const fine = ec ? ec == make_error_code(error::outcome_unknown) && runs <= 1 : runs == 1;
                if (!fine)
                    BOOST_ERROR((requests ? "requests" : "responses")
                                << " cut after " << n << ": " << runs << " runs, " << ec.message());
                failed += ec.failed();
                elsewhere += result.server() == "b";
            }
        }
    BOOST_TEST(failed > 100u); // the bytes of an answer, at least
    BOOST_TEST(elsewhere > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
