// The report of a chaos case that fails, and the command in the report, which repeats the failure.

#include <linkspan/session.hpp>
#include <linkspan/test/chaos_case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <tuple>

#include "support/program_run.hpp"

// The case of this suite fails. The test below runs it by its name.
BOOST_AUTO_TEST_SUITE(failing_chaos_case_test, *boost::unit_test::disabled())

using namespace linkspan::test;

namespace {

boost::asio::awaitable<int> results_of_ten_calls(linkspan::session& client)
{
    int out = 0;
    co_await client.async_open(boost::asio::as_tuple(boost::asio::use_awaitable));
    for (int i = 0; i != 10; ++i) {
        auto const outcome =
            co_await client.async_call_tool("forecast", {}, boost::asio::as_tuple(boost::asio::use_awaitable));
        out += std::get<0>(outcome) ? 0 : 1;
    }
    co_return out;
}

// The program has a defect: it does not repeat a call that fails.
void every_call_has_a_result(world& here)
{
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(text("sunny"));
    linkspan::session client(here.executor, linkspan::via<linkspan::inproc>(weather));
    if (here.await(results_of_ten_calls(client)) != 10)
        throw std::runtime_error("a call has no result");
}

} // namespace

// `wrong-id` is not one of the default kinds.
LINKSPAN_CHAOS_CASE(no_result_is_lost, 20, every_call_has_a_result,
                    {.percent = 30, .kinds = {fault_kind::crlf, fault_kind::wrong_id}})

// A connection in the same process has no HTTP responses.
LINKSPAN_CHAOS_CASE(no_fault_applies, 5, every_call_has_a_result, {.percent = 30, .kinds = {fault_kind::http_500}})

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(chaos_case_test)

BOOST_AUTO_TEST_CASE(failed_case_is_reported_with_a_command_that_repeats_it)
{
    using program_run::has;
    auto const program = std::filesystem::absolute(boost::unit_test::framework::master_test_suite().argv[0]).string();
    std::string const name = "failing_chaos_case_test/no_result_is_lost";
    auto const first = program_run::run({program, "--run_test=" + name, "--color_output=no"});
    BOOST_TEST(first.status == 201, first.out << first.err); // the status of Boost.Test for failed cases
    auto const output = first.out + first.err;
    BOOST_TEST(has(output, "error: in \"" + name + "\": seed "), output);
    BOOST_TEST(has(output, " fails with 1 fault: a call has no result\n  plan: {\"faults\":[{\"server\":\"weather\","),
               output);
    BOOST_TEST(has(output, "\"fault\":\"wrong-id\""), output);

    auto const at = output.find("repeat by: ");
    BOOST_TEST_REQUIRE(at != output.npos);
    auto const command = output.substr(at + 11, output.find('\n', at) - at - 11);
    BOOST_TEST(command.ends_with("}]}' " + program + " --run_test=" + name), command);
    auto const second = program_run::run({"/bin/sh", "-c", command + " --color_output=no"});
    BOOST_TEST(second.status == 201, second.out << second.err);
    BOOST_TEST(second.out + second.err == output);

    // Without the fault, the case passes.
    auto const without = command.substr(0, command.find('[') + 1) + command.substr(command.find(']'));
    auto const third = program_run::run({"/bin/sh", "-c", without});
    BOOST_TEST(third.status == 0, third.out << third.err);
    BOOST_TEST(!has(third.out + third.err, "warning"), third.out << third.err);

    // A case without a fault is named.
    auto const unused = program_run::run({program, "--run_test=failing_chaos_case_test/no_fault_applies"});
    BOOST_TEST(unused.status == 0, unused.out << unused.err);
    BOOST_TEST(has(unused.err, "warning: no fault has occurred with 5 seeds: expected messages of servers"),
               unused.err);

    // A fault that no message of the run can have is named: the case passes for this reason only.
    std::string const plan = R"({"faults":[{"server":"weathr","connection":1,"message":1,"fault":"wrong-id",)"
                             R"("delay_ms":0,"amount":0}]})";
    auto const with_plan = "LINKSPAN_CHAOS_PLAN='" + plan + "' " + program + " --run_test=" + name;
    auto const fourth = program_run::run({"/bin/sh", "-c", with_plan});
    BOOST_TEST(fourth.status == 0, fourth.out << fourth.err);
    BOOST_TEST(
        has(fourth.err,
            "warning: LINKSPAN_CHAOS_PLAN: expected a message to which each fault applies, found none for " + plan),
        fourth.err);
}

BOOST_AUTO_TEST_SUITE_END()
