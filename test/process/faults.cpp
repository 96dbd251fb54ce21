// Behaviour of a connector and a session with each fault mode of mock-fault.

#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/grace_periods.hpp"
#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(faults_test)

using namespace harness;
using namespace std::chrono_literals;
namespace data = boost::unit_test::data;
namespace errc = boost::system::errc;
using linkspan::certainty;
using linkspan::condition;
using linkspan::error;
using linkspan::error_code;
using linkspan::replay_class;
using linkspan::server_state;
using linkspan::session_state;
using linkspan::stdio;
using linkspan::test::with_grace_periods;

// Harmless deviations

struct deviation_case : world {
    asio::awaitable<void> body(std::string mode)
    {
        hub_type hub(executor);
        hub.add<stdio>("fault", fault(mode));
        co_await opens(hub);
        for (std::size_t i = 0; i != 5; ++i)
            co_await echoes(hub, text_of(i));
        completions calls(executor, 50);
        for (std::size_t i = 0; i != calls.entries().size(); ++i)
            hub.async_call("echo", with_text(text_of(i)), calls.handler(i));
        co_await calls.wait();
        for (std::size_t i = 0; i != calls.entries().size(); ++i) {
            auto const& [times, ec, result] = calls.entries()[i];
            BOOST_TEST(!ec, linkspan::explain(ec, result));
            BOOST_TEST(result.text() == text_of(i));
            BOOST_TEST(result.attempts().empty());
        }
        BOOST_TEST(hub.state().servers[0].failures == 0u);
        co_await shuts_down(hub);
    }
};

BOOST_DATA_TEST_CASE(harmless_deviations_of_server_do_not_fail_calls,
                     data::make({"none", "garbage", "notify", "ping", "split", "crlf", "chatty"}), mode)
{
    run_case<deviation_case>(mode);
}

HARNESS_CASE(lines_that_are_not_json_are_counted_and_first_is_kept)
{
    linkspan::session session(executor, via_fault("garbage"));
    co_await opens(session);
    BOOST_TEST(session.counters().unexpected_output == 0u);
    for (std::size_t i = 0; i != 3; ++i)
        co_await echoes(session, text_of(i));
    BOOST_TEST(session.counters().unexpected_output == 3u);
    BOOST_TEST(session.counters().first_unexpected_output == "debug: hello, I print to stdout");
    BOOST_TEST(session.counters().malformed == 0u);
    BOOST_TEST(session.counters().late_responses == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(strict_session_closes_at_first_line_that_is_not_json)
{
    linkspan::session_options options;
    options.strict = true;
    linkspan::session session(executor, via_fault("garbage"), options);
    co_await opens(session);
    auto const [ec, result] = co_await session.async_call_tool("echo", with_text("x"), in_tuple);
    BOOST_TEST((ec == error::not_json), ec.message());
    BOOST_TEST((ec == condition::protocol_violated));
    BOOST_TEST((only_attempt(result).result.certainty == certainty::unknown));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(session.counters().unexpected_output == 1u);
    BOOST_TEST(!observe::has_children());
    auto const [later, none] = co_await session.async_call_tool("echo", with_text("x"), in_tuple);
    BOOST_TEST((later == error::not_connected), later.message());
    BOOST_TEST((only_attempt(none).result.certainty == certainty::not_sent));
}

HARNESS_CASE(strict_server_of_connector_is_closed_and_others_stay_open)
{
    auto strict = with(2);
    strict.session.strict = true;
    hub_type hub(executor);
    hub.add<stdio>("strict", fault("garbage"), strict).add<stdio>("lenient", fault("garbage"), with(1));
    co_await opens(hub);
    auto const [ec, result] = co_await hub.async_call("echo", with_text("x"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.ec == error::not_json));
    co_await echoes(hub, "through the other one");
    BOOST_TEST((hub.state().servers[0].state == server_state::closed));
    BOOST_TEST((hub.state().servers[1].state == server_state::ready));
    BOOST_TEST(contains(hub.state().servers[0].last_error, error_code(error::not_json).message()));
    co_await shuts_down(hub);
}

HARNESS_CASE(notifications_are_delivered_with_each_response)
{
    linkspan::session session(executor, via_fault("notify"));
    std::vector<std::string> received;
    session.on_notification("notifications/message", [&](std::string_view params) { received.emplace_back(params); });
    co_await opens(session);
    for (std::size_t i = 0; i != 3; ++i) {
        co_await echoes(session, text_of(i));
        BOOST_TEST(received.size() == i + 1);
    }
    BOOST_TEST(received.back() == R"({"level":"info","data":"x"})");
    co_await shuts_down(session);
}

HARNESS_CASE(ping_of_server_receives_response_during_calls)
{
    // The server responds to a call only after the response to its ping.
    linkspan::session session(executor, via_fault("ping"));
    co_await opens(session);
    completions calls(executor, 3);
    for (std::size_t i = 0; i != 3; ++i)
        session.async_call_tool("echo", with_text(text_of(i)), calls.handler(i));
    BOOST_TEST(session.in_flight() == 3u);
    co_await calls.wait();
    for (std::size_t i = 0; i != 3; ++i)
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    BOOST_TEST(session.in_flight() == 0u);
    BOOST_TEST(session.counters().malformed == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(response_split_into_pieces_is_read_completely)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("split"));
    co_await opens(hub);
    for (auto const size : {0u, 1u, 1000u, 200'000u})
        co_await echoes(hub, std::string(size, 'x'));
    co_await shuts_down(hub);
}

HARNESS_CASE(carriage_return_is_not_part_of_response)
{
    linkspan::session session(executor, via_fault("crlf"));
    co_await opens(session);
    auto const [ec, result] = co_await session.async_call_tool("echo", with_text("x"), in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.text() == "x");
    BOOST_TEST(!contains(result.raw(), "\r"));
    BOOST_TEST(session.counters().unexpected_output == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(large_stderr_output_of_server_is_read_completely_without_blocking_it)
{
    std::size_t lines = 0;
    auto config = fault("chatty");
    config.on_stderr = [&](std::string_view line) { lines += line == std::string(999, 'e'); };
    linkspan::session session(executor, linkspan::via<stdio>(config));
    co_await opens(session);
    for (std::size_t i = 0; i != 5; ++i)
        co_await echoes(session, text_of(i));
    co_await shuts_down(session);
    BOOST_TEST(lines == 5u * 200u);
}

// Dying server

HARNESS_CASE(call_in_flight_has_unknown_outcome_as_soon_as_server_exits)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(0));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((ec == condition::outcome_unknown));
    BOOST_TEST(result.raw().empty());
    auto const& lost = only_attempt(result);
    BOOST_TEST(lost.server == "fault");
    BOOST_TEST(lost.id != 0u);
    BOOST_TEST((lost.result.certainty == certainty::unknown));
    BOOST_TEST((lost.result.ec == error::stream_ended), lost.result.ec.message());
    BOOST_TEST(!lost.result.has_response);
    BOOST_TEST((lost.result.elapsed < soon));
    // The status is available immediately after the completion of the call.
    auto const state = hub.state().servers[0];
    BOOST_TEST((state.state == server_state::closed));
    BOOST_TEST(contains(state.last_error, "exited with status 1"), state.last_error);
    BOOST_TEST(state.calls == 3u);
    BOOST_TEST(state.failures == 1u);
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(call_to_exited_server_fails_immediately)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(0));
    co_await opens(hub);
    for (int i = 0; i != 3; ++i)
        co_await hub.async_call("echo", with_text("x"), in_tuple);
    for (int i = 0; i != 3; ++i) {
        auto const [ec, result] = co_await hub.async_call("echo", with_text("x"), in_tuple);
        BOOST_TEST((ec == error::all_servers_failed), ec.message());
        BOOST_TEST((ec == condition::not_executed));
        auto const& refused = only_attempt(result);
        BOOST_TEST((refused.result.ec == error::not_connected), refused.result.ec.message());
        BOOST_TEST((refused.result.certainty == certainty::not_sent));
        BOOST_TEST(refused.id == 0u);
        BOOST_TEST(contains(refused.detail, "exited with status 1"), refused.detail);
    }
    co_await opens(hub);
    co_await echoes(hub, "once more");
    co_await shuts_down(hub);
}

HARNESS_CASE(each_call_in_flight_completes_once_if_server_exits)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(0));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    completions calls(executor, 300); // more than may be in flight
    for (std::size_t i = 0; i != calls.entries().size(); ++i)
        hub.async_call("echo", with_text(text_of(i)), calls.handler(i));
    co_await calls.wait();
    for (std::size_t i = 0; i != calls.entries().size(); ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        auto const& lost = only_attempt(result).result;
        BOOST_TEST(times == 1u);
        bool const was_sent = i < 256;
        BOOST_TEST((lost.certainty == (was_sent ? certainty::unknown : certainty::not_sent)), i);
        BOOST_TEST((ec == (was_sent ? error::outcome_unknown : error::all_servers_failed)), i << ec.message());
        BOOST_TEST((lost.ec == error::stream_ended));
        BOOST_TEST((lost.elapsed < soon));
    }
}

HARNESS_CASE(read_only_call_in_flight_fails_over_if_server_exits)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(2, replay_class::read_only))
        .add<stdio>("spare", fault("none"), with(1, replay_class::read_only));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "three");
    BOOST_TEST(result.server() == "spare");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST((result.attempts()[0].result.ec == error::stream_ended));
    BOOST_TEST((result.attempts()[1].result.certainty == certainty::completed));
    co_await echoes(hub, "four");
    co_await shuts_down(hub);
}

HARNESS_CASE(unsafe_call_in_flight_does_not_fail_over_if_server_exits_but_next_call_does)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(2)).add<stdio>("spare", fault("none"), with(1));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST(hub.state().servers[1].calls == 0u);
    auto const [later, later_result] = co_await hub.async_call("echo", with_text("four"), in_tuple);
    BOOST_TEST(!later, linkspan::explain(later, later_result));
    BOOST_TEST(later_result.server() == "spare");
    co_await shuts_down(hub);
}

HARNESS_CASE(session_with_exited_server_closes_and_can_be_reopened)
{
    linkspan::session session(executor, via_fault("die"));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    auto const [ec, result] = co_await session.async_call_tool("echo", with_text("three"), in_tuple);
    BOOST_TEST((ec == error::stream_ended), ec.message());
    BOOST_TEST((ec == condition::transport_failed));
    BOOST_TEST((only_attempt(result).result.certainty == certainty::unknown));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(contains(session.diagnostics(), "exited with status 1"), session.diagnostics());
    BOOST_TEST(!observe::has_children());
    auto const [later, none] = co_await session.async_call_tool("echo", with_text("four"), in_tuple);
    BOOST_TEST((later == error::not_connected), later.message());
    auto const [ping] = co_await session.async_ping(in_tuple);
    BOOST_TEST((ping == error::not_connected), ping.message());
    auto const [listing, tools] = co_await session.async_list_tools(in_tuple);
    BOOST_TEST((listing == error::not_connected), listing.message());
    co_await opens(session);
    co_await echoes(session, "once more");
    co_await shuts_down(session);
}

// Kills a ready server and returns when the process has ended; the library has not yet detected it.
asio::awaitable<void> kill_without_loop_turn(hub_type& hub, std::string server)
{
    auto const [ec, result] = co_await hub.on_server(server).async_call("process_id", {}, in_tuple);
    BOOST_TEST_REQUIRE(!ec, linkspan::explain(ec, result));
    auto const pid = std::stoi(result.text());
    observe::process const child(pid);
    ::kill(pid, SIGKILL);
    BOOST_TEST(child.ends());
}

HARNESS_CASE(unsafe_call_that_exited_server_did_not_read_fails_over)
{
    hub_type hub(executor);
    hub.add<stdio>("killed", mock("mock-calculator"), with(2)).add<stdio>("spare", mock("mock-calculator"), with(1));
    co_await opens(hub);
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":2,"b":3})"));
    co_await kill_without_loop_turn(hub, "killed");
    auto const [ec, result] = co_await hub.async_call("accumulate", sum, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.server() == "spare");
    BOOST_TEST(result.text() == "5");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].server == "killed");
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::not_sent));
    BOOST_TEST((hub.state().servers[0].state == server_state::closed));
    BOOST_TEST(contains(hub.state().servers[0].last_error, "killed by signal 9"), hub.state().servers[0].last_error);
    co_await shuts_down(hub);
}

// Silent server

HARNESS_CASE(call_without_response_completes_after_idle_timeout_and_next_call_succeeds)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("hang"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), short_idle_timeout(), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    auto const& lost = only_attempt(result).result;
    BOOST_TEST((lost.ec == error::attempt_timed_out), lost.ec.message());
    BOOST_TEST((lost.ec == errc::timed_out));
    BOOST_TEST((lost.certainty == certainty::unknown));
    BOOST_TEST((lost.elapsed >= 50ms && lost.elapsed < soon));
    co_await echoes(hub, "four");
    BOOST_TEST((hub.state().servers[0].state == server_state::ready));
    BOOST_TEST(hub.state().servers[0].failures == 1u);
    co_await shuts_down(hub);
}

HARNESS_CASE(read_only_call_without_response_fails_over_after_idle_timeout)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("hang"), with(2, replay_class::read_only))
        .add<stdio>("spare", fault("none"), with(1, replay_class::read_only));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), short_idle_timeout(), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "three");
    BOOST_TEST(result.server() == "spare");
    co_await shuts_down(hub);
}

HARNESS_CASE(call_without_response_does_not_affect_other_calls_of_session)
{
    linkspan::session session(executor, via_fault("hang"));
    co_await opens(session);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        session.async_call_tool("echo", with_text(text_of(i)), short_idle_timeout(), calls.handler(i));
    co_await calls.wait();
    for (std::size_t const i : {0u, 1u, 3u})
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    BOOST_TEST((calls.entries()[2].ec == error::attempt_timed_out), calls.entries()[2].ec.message());
    BOOST_TEST(session.in_flight() == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(late_response_is_counted_and_dropped)
{
    linkspan::session session(executor, via_fault("late"));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    auto const [ec, result] =
        co_await session.async_call_tool("echo", with_text("three"), short_idle_timeout(), in_tuple);
    BOOST_TEST((ec == error::attempt_timed_out), ec.message());
    BOOST_TEST((only_attempt(result).result.elapsed >= 50ms));
    BOOST_TEST(session.counters().late_responses == 0u);
    co_await echoes(session, "four");
    BOOST_TEST(session.counters().late_responses == 1u);
    BOOST_TEST(session.counters().malformed == 0u);
    co_await echoes(session, "five");
    BOOST_TEST(session.counters().late_responses == 1u);
    co_await shuts_down(session);
}

HARNESS_CASE(late_response_does_not_complete_later_call_of_connector)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("late"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), short_idle_timeout(), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.ec == error::attempt_timed_out));
    co_await echoes(hub, "four");
    co_await echoes(hub, "five");
    co_await shuts_down(hub);
}

HARNESS_CASE(responses_in_different_order_complete_their_calls)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("late"));
    co_await opens(hub);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        hub.async_call("echo", with_text(text_of(i)), calls.handler(i));
    co_await calls.wait();
    for (std::size_t i = 0; i != 4; ++i)
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    co_await shuts_down(hub);
}

// Stubborn server

HARNESS_CASE(server_that_ignores_sigterm_is_killed_after_both_grace_periods)
{
    linkspan::session session(executor, linkspan::via<stdio>(with_grace_periods(fault("stubborn"), 50ms)));
    co_await opens(session);
    co_await echoes(session, "x");
    linkspan::timer const clock(executor);
    auto const began = clock.now();
    co_await shuts_down(session);
    BOOST_TEST((clock.now() - began >= 100ms));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(contains(session.diagnostics(), "killed by signal 9, which the client sent"), session.diagnostics());
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(shutdown_of_connector_closes_servers_concurrently)
{
    hub_type hub(executor);
    for (char const name : {'a', 'b', 'c', 'd'})
        hub.add<stdio>(std::string(1, name), with_grace_periods(fault("stubborn"), 50ms));
    hub.add<stdio>("healthy", fault("none"));
    co_await opens(hub);
    co_await shuts_down(hub);
    BOOST_TEST(!observe::has_children());
    for (auto const& server : hub.state().servers)
        BOOST_TEST((server.state == server_state::closed));
    auto const [ec, result] = co_await hub.async_call("echo", with_text("x"), in_tuple);
    BOOST_TEST((ec == error::not_connected), ec.message());
}

HARNESS_CASE(close_during_shutdown_kills_server_with_closed_output)
{
    auto config = sh(R"("$0" hang; exec >&-; exec sleep 1000)", {mock("mock-fault").command});
    config.close_grace = config.term_grace = 1h;
    linkspan::session session(executor, linkspan::via<stdio>(config));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    completions call(executor, 1);
    session.async_call_tool("echo", with_text("three"), call.handler(0));
    linkspan::timer over(executor);
    over.expires_at(linkspan::time_point::max());
    std::vector<error_code> ended;
    session.async_shutdown([&](error_code ec) {
        ended.push_back(ec);
        over.cancel();
    });
    // The call completes with the stream while the server continues to run.
    co_await call.wait();
    BOOST_TEST((call.entries()[0].ec == error::stream_ended), call.entries()[0].ec.message());
    BOOST_TEST(ended.empty());
    BOOST_TEST(observe::has_children());
    session.close();
    BOOST_TEST(!observe::has_children());
    if (ended.empty())
        co_await over.async_wait(in_tuple);
    BOOST_TEST_REQUIRE(ended.size() == 1u);
    BOOST_TEST((ended[0] == asio::error::operation_aborted), ended[0].message());
}

BOOST_AUTO_TEST_SUITE_END()
