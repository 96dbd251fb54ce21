#include <linkspan/connector/detail/shutdown_progress.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(shutdown_progress_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::shutdown_progress;

namespace {

error_code const aborted = boost::asio::error::operation_aborted;
error_code const reset = boost::asio::error::connection_reset;

} // namespace

BOOST_AUTO_TEST_CASE(operation_without_servers_completes_without_an_error)
{
    shutdown_progress progress;
    BOOST_TEST(progress.on_started());
    BOOST_TEST(!progress.result());
    BOOST_TEST(progress.take().servers.empty());
}

BOOST_AUTO_TEST_CASE(operation_completes_with_the_last_server_after_the_start)
{
    shutdown_progress progress;
    auto const a = progress.add("a");
    auto const b = progress.add("b");
    BOOST_TEST(!progress.has_ended(a));
    BOOST_TEST(!progress.on_ended(b, {}, 1s));
    BOOST_TEST(progress.has_ended(b));
    BOOST_TEST(!progress.on_started());
    BOOST_TEST(progress.on_ended(a, {}, 2s));
    BOOST_TEST(!progress.result());
    auto const report = progress.take();
    BOOST_REQUIRE(report.servers.size() == 2u);
    BOOST_TEST(report.servers[0].server == "a");
    BOOST_TEST((report.servers[0].elapsed == 2s));
    BOOST_TEST((report.servers[1].elapsed == 1s));
}

BOOST_AUTO_TEST_CASE(start_completes_the_operation_if_all_servers_were_closed_before)
{
    shutdown_progress progress;
    BOOST_TEST(!progress.on_ended(progress.add("a"), {}, 0s));
    BOOST_TEST(progress.on_started());
}

BOOST_AUTO_TEST_CASE(error_of_the_operation_is_the_first_error_of_a_server)
{
    shutdown_progress progress;
    BOOST_TEST(!progress.on_ended(progress.add("a"), {}, 0s));
    BOOST_TEST(!progress.on_ended(progress.add("b"), reset, 0s));
    BOOST_TEST(!progress.on_ended(progress.add("c"), aborted, 0s));
    BOOST_TEST(progress.result() == reset);
}

BOOST_AUTO_TEST_CASE(error_of_a_server_after_the_timeout_is_reported_as_deadline_exceeded)
{
    shutdown_progress progress;
    auto const a = progress.add("a");
    auto const b = progress.add("b");
    auto const c = progress.add("c");
    BOOST_TEST(!progress.on_ended(a, reset, 0s));
    progress.on_timeout();
    BOOST_TEST(!progress.on_ended(b, reset, 0s));
    BOOST_TEST(!progress.on_ended(c, {}, 0s));
    auto const report = progress.take();
    BOOST_TEST(report.servers[0].ec == reset);
    BOOST_TEST((report.servers[1].ec == error::deadline_exceeded));
    BOOST_TEST(!report.servers[2].ec.failed());
}

BOOST_AUTO_TEST_CASE(report_of_an_aborted_operation_marks_the_servers_that_are_not_closed)
{
    shutdown_progress progress;
    auto const a = progress.add("a");
    progress.add("b");
    BOOST_TEST(!progress.on_ended(a, {}, 0s));
    auto const report = progress.aborted();
    BOOST_TEST(!report.servers[0].ec.failed());
    BOOST_TEST(report.servers[1].ec == aborted);
    BOOST_TEST(!progress.take().servers[1].ec.failed());
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_server)
{
    std::string const first(40, 'a'), second(40, 'b'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        shutdown_progress progress;
        std::size_t lines = 0;
        for (auto const& key : {first, second}) {
            std::size_t line = 0;
            if (!failing([&] { line = progress.add(key); }))
                line = progress.add(key);
            BOOST_TEST(line == lines++);
        }
        BOOST_TEST(!progress.on_started());
        BOOST_TEST(!progress.on_ended(1, {}, 1s));
        linkspan::shutdown_report report;
        if (!failing([&] { report = progress.aborted(); }))
            report = progress.aborted();
        BOOST_TEST_REQUIRE(report.servers.size() == 2u);
        BOOST_TEST(report.servers[0].server == first);
        BOOST_TEST((report.servers[0].ec == aborted));
        BOOST_TEST(!report.servers[1].ec);
        BOOST_TEST(progress.on_ended(0, {}, 2s));
        BOOST_TEST(progress.take().servers.size() == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
