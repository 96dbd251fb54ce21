#include <linkspan/connector/detail/open_progress.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(open_progress_test)

using namespace linkspan;
using detail::open_progress;

namespace {

server_report opened(std::string_view server, error_code ec = {})
{
    server_report report;
    report.server = server;
    report.ec = ec;
    report.phase = ec ? open_phase::start : open_phase::done;
    return report;
}

constexpr auto failed = error::connection_failed;

} // namespace

BOOST_AUTO_TEST_CASE(operation_without_servers_completes_without_an_error)
{
    open_progress progress;
    BOOST_TEST(progress.on_started());
    BOOST_TEST(!progress.result());
    BOOST_TEST(progress.take().servers.empty());
}

BOOST_AUTO_TEST_CASE(operation_completes_with_the_last_server_after_the_start)
{
    open_progress progress;
    auto const a = progress.add("a");
    auto const b = progress.add("b");
    BOOST_TEST(!progress.on_opened(b, opened("b"), false));
    BOOST_TEST(!progress.on_started());
    BOOST_TEST(progress.on_opened(a, opened("a", failed), false));
    BOOST_TEST(!progress.result());
    auto const report = progress.take();
    BOOST_REQUIRE(report.servers.size() == 2u);
    BOOST_TEST(report.servers[0].server == "a");
    BOOST_TEST(report.servers[0].ec.failed());
    BOOST_TEST(report.servers[1].server == "b");
    BOOST_TEST(!report.servers[1].ec.failed());
}

BOOST_AUTO_TEST_CASE(start_completes_the_operation_if_all_servers_were_opened_before)
{
    open_progress progress;
    auto const a = progress.add("a");
    BOOST_TEST(!progress.on_opened(a, opened("a"), true));
    BOOST_TEST(progress.on_started());
    BOOST_TEST(!progress.result());
}

BOOST_AUTO_TEST_CASE(operation_fails_if_no_server_was_opened_or_a_required_one_failed)
{
    open_progress none;
    BOOST_TEST(!none.on_opened(none.add("a"), opened("a", failed), false));
    BOOST_TEST((none.result() == error::connection_failed));

    open_progress required;
    BOOST_TEST(!required.on_opened(required.add("a"), opened("a", failed), true));
    BOOST_TEST(!required.on_opened(required.add("b"), opened("b"), true));
    BOOST_TEST((required.result() == error::connection_failed));
}

BOOST_AUTO_TEST_CASE(report_of_an_aborted_operation_keeps_the_results_of_the_servers)
{
    open_progress progress;
    auto const a = progress.add("a");
    auto const b = progress.add("b");
    auto const c = progress.add("c");
    progress.add("d");
    BOOST_TEST(!progress.on_opened(a, opened("a"), false));
    BOOST_TEST(!progress.on_opened(b, opened("b", failed), false));
    BOOST_TEST(!progress.on_opened(c, opened("c"), false)); // and lost since then
    auto const report = progress.aborted([](std::string_view server) { return server != "c"; });
    error_code const aborted = boost::asio::error::operation_aborted;
    BOOST_TEST(!report.servers[0].ec.failed());
    BOOST_TEST((report.servers[1].ec == failed));
    BOOST_TEST(report.servers[2].ec == aborted);
    BOOST_TEST(report.servers[3].ec == aborted); // in progress
    BOOST_TEST(!progress.take().servers[3].ec.failed());
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_server)
{
    std::string const first(40, 'a'), second(40, 'b'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        open_progress progress;
        std::size_t lines = 0;
        for (auto const& key : {first, second}) {
            std::size_t line = 0;
            if (!failing([&] { line = progress.add(key); }))
                line = progress.add(key);
            BOOST_TEST(line == lines++);
        }
        BOOST_TEST(!progress.on_started());
        bool is_complete = true;
        auto const opens = [&](std::size_t line, std::string const& key) {
            auto const report = opened(key);
            if (!failing([&] { is_complete = progress.on_opened(line, report, true); }))
                is_complete = progress.on_opened(line, report, true);
        };
        opens(1, second);
        BOOST_TEST(!is_complete);
        opens(0, first);
        BOOST_TEST(is_complete);
        BOOST_TEST(!progress.result());
        auto const report = progress.take();
        BOOST_TEST_REQUIRE(report.servers.size() == 2u);
        BOOST_TEST(report.servers[0].server == first);
        BOOST_TEST(report.servers[1].server == second);
    });
}

BOOST_AUTO_TEST_SUITE_END()
