#include <linkspan/connector/detail/server_driver.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

#include "support/connector_parts.hpp"

// The life of connected servers is covered by scenario.connector.lifecycle, outages, listening and shutdown, its
// decisions by unit.connector.server_supervisor.

BOOST_AUTO_TEST_SUITE(server_driver_test)

using namespace linkspan;
namespace asio = boost::asio;

namespace {

struct fixture : test::connector_parts {
    void await(bool now = false, std::uint64_t operation = 0)
    {
        driver.await(
            a, [this](server_report const& report) { reports.push_back(report); }, now, operation);
    }

    void end(server_state after)
    {
        driver.end(a, after, [this](error_code ec) { ends.push_back(ec); });
    }

    server_pointer a = add("a");
    detail::server_driver& driver = core->driver();
    std::vector<server_report> reports;
    std::vector<error_code> ends;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(exception_of_a_transport_is_a_failed_opening, fixture)
{
    await();
    BOOST_TEST((a->life.state() == server_state::opening));
    BOOST_TEST(reports.empty());
    run();
    BOOST_REQUIRE(reports.size() == 1u);
    BOOST_TEST(reports[0].server == "a");
    BOOST_TEST((reports[0].ec == error::connection_failed));
    BOOST_TEST((reports[0].phase == open_phase::start));
    BOOST_TEST(reports[0].detail == "no such program");
    BOOST_TEST((a->life.state() == server_state::closed));
    BOOST_TEST(a->published->errors == 1u);
}

BOOST_FIXTURE_TEST_CASE(operations_wait_for_one_opening, fixture)
{
    policies->is_observing = true;
    policies->take_log();
    await();
    await();
    run();
    BOOST_TEST(reports.size() == 2u);
    BOOST_TEST(policies->take_log() == "a opening; result not_sent; a closed");
}

BOOST_FIXTURE_TEST_CASE(opening_that_is_closed_is_aborted, fixture)
{
    await();
    driver.close(*a, server_state::closed);
    BOOST_TEST(reports.empty());
    run();
    BOOST_REQUIRE(reports.size() == 1u);
    BOOST_TEST((reports[0].ec == asio::error::operation_aborted));
    BOOST_TEST((a->life.state() == server_state::closed));
}

BOOST_FIXTURE_TEST_CASE(opening_of_a_server_that_is_closed_meanwhile_fails_with_not_connected, fixture)
{
    await();
    end(server_state::closed);
    BOOST_TEST(ends.empty());
    run();
    BOOST_REQUIRE(reports.size() == 1u);
    BOOST_TEST((reports[0].ec == error::not_connected));
    BOOST_TEST(ends.size() == 1u);
    BOOST_TEST((a->life.state() == server_state::closed));
}

BOOST_FIXTURE_TEST_CASE(closing_of_a_server_that_was_not_started_completes_later, fixture)
{
    end(server_state::closed);
    BOOST_TEST(ends.empty());
    run();
    BOOST_REQUIRE(ends.size() == 1u);
    BOOST_TEST(!ends[0]);
    BOOST_TEST((a->life.state() == server_state::closed));
}

BOOST_FIXTURE_TEST_CASE(server_without_calls_is_drained_at_once, fixture)
{
    make_ready(*a);
    driver.drain(a, server_state::idle, [this](error_code ec) { ends.push_back(ec); });
    BOOST_TEST((a->life.state() == server_state::closing));
    BOOST_TEST(!a->life.is_draining());
    run();
    BOOST_TEST(ends.size() == 1u);
    BOOST_TEST((a->life.state() == server_state::idle));
}

BOOST_FIXTURE_TEST_CASE(only_a_closing_server_is_closed, fixture)
{
    make_ready(*a);
    driver.close_ending(a);
    BOOST_TEST((a->life.state() == server_state::ready));
}

BOOST_FIXTURE_TEST_CASE(server_that_only_a_cancelled_operation_has_opened_is_closed, fixture)
{
    await(true, 7);
    driver.release(8, true);
    BOOST_TEST((a->life.state() == server_state::opening));
    driver.release(7, true);
    BOOST_TEST((a->life.state() == a->life.after_disconnect()));
    run();
    BOOST_REQUIRE(reports.size() == 1u);
    BOOST_TEST((reports[0].ec == asio::error::operation_aborted));
}

BOOST_FIXTURE_TEST_CASE(refresh_waits_for_idle_servers_except_lazy_ones, fixture)
{
    server_options lazy;
    lazy.start = start_mode::lazy;
    auto const b = add("b", lazy);
    int completions = 0;
    driver.refresh([&] { ++completions; });
    BOOST_TEST(completions == 0);
    BOOST_TEST((a->life.state() == server_state::opening));
    run();
    BOOST_TEST(completions == 1);
    BOOST_TEST((a->life.state() == server_state::closed));
    BOOST_TEST((b->life.state() == server_state::idle));
    driver.refresh([&] { ++completions; }); // no server is started
    run();
    BOOST_TEST(completions == 2);
}

BOOST_FIXTURE_TEST_CASE(removal_of_a_server_is_reported_to_the_policies, fixture)
{
    policies->take_log();
    driver.on_removed(*a);
    BOOST_TEST(a->life.is_removed());
    BOOST_TEST(policies->take_log() == "removed");
}

BOOST_AUTO_TEST_SUITE_END()
