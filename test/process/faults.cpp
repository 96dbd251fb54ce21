// What a user sees of a server that misbehaves: mock-fault, in each of its modes.

#include <linkspan/transport/stdio.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "observe.hpp"

using namespace harness;
using namespace std::chrono_literals;
namespace data = boost::unit_test::data;
namespace errc = boost::system::errc;
using linkspan::certainty;
using linkspan::condition;
using linkspan::error;
using linkspan::error_code;
using linkspan::replay_class;
using linkspan::session_state;
using linkspan::stdio;
using linkspan::stdio_config;
using observe::leaves_nothing;

namespace {

stdio_config fault(std::string const& mode) { return mock("mock-fault", {mode}); }

linkspan::transport_factory via_fault(std::string const& mode) { return linkspan::via<stdio>(fault(mode)); }

stdio_config sh(std::string script, std::vector<std::string> args = {})
{
    args.insert(args.begin(), {"-c", std::move(script)});
    return {.command = "/bin/sh", .args = std::move(args)};
}

linkspan::server_options with(int priority, replay_class replay = replay_class::never)
{
    linkspan::server_options options;
    options.priority = priority;
    options.tools["echo"].replay = options.tools["add"].replay = replay;
    return options;
}

linkspan::call_options impatient()
{
    linkspan::call_options options;
    options.idle_limit = 50ms;
    return options;
}

// No limit of the library, and no default of a call, is so short: what took less did not wait for one.
constexpr auto soon = 5s;

std::string text_of(std::size_t i) { return "text " + std::to_string(i); }

} // namespace

BOOST_AUTO_TEST_SUITE(faults_test)

// Habits that a user does not notice

struct habit_case : world {
    asio::awaitable<void> body(std::string mode)
    {
        hub_type hub(executor);
        hub.add<stdio>("fault", fault(mode));
        co_await opens(hub);
        for (std::size_t i = 0; i != 5; ++i)
            co_await echoes(hub, text_of(i));
        completions calls(executor, 50);
        for (std::size_t i = 0; i != calls.entries().size(); ++i)
            hub.async_call("echo", saying(text_of(i)), calls.handler(i));
        co_await calls.wait();
        for (std::size_t i = 0; i != calls.entries().size(); ++i) {
            auto const& [times, ec, result] = calls.entries()[i];
            BOOST_TEST(!ec, linkspan::explain(ec, result));
            BOOST_TEST(result.text() == text_of(i));
            BOOST_TEST(result.attempts().empty());
        }
        BOOST_TEST(hub.state()[0].failures == 0u);
        co_await shuts_down(hub);
    }
};

BOOST_DATA_TEST_CASE(a_harmless_habit_costs_no_call,
                     data::make({"none", "garbage", "notify", "ping", "split", "crlf", "chatty"}), mode)
{
    run_case<habit_case>(mode);
}

HARNESS_CASE(lines_that_are_no_message_are_counted_and_the_first_is_kept)
{
    linkspan::session session(executor, via_fault("garbage"));
    co_await opens(session);
    BOOST_TEST(session.counters().noise == 0u);
    for (std::size_t i = 0; i != 3; ++i)
        co_await echoes(session, text_of(i));
    BOOST_TEST(session.counters().noise == 3u);
    BOOST_TEST(session.counters().first_noise == "debug: hello, I print to stdout");
    BOOST_TEST(session.counters().malformed == 0u);
    BOOST_TEST(session.counters().late_answers == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(a_strict_session_ends_at_the_first_line_that_is_no_message)
{
    linkspan::session_options options;
    options.strict = true;
    linkspan::session session(executor, via_fault("garbage"), options);
    co_await opens(session);
    auto const [ec, result] = co_await session.async_call_tool("echo", saying("x"), in_tuple);
    BOOST_TEST((ec == error::not_json), ec.message());
    BOOST_TEST((ec == condition::protocol_violated));
    BOOST_TEST((only_attempt(result).result.how == certainty::unknown));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(session.counters().noise == 1u);
    BOOST_TEST(!observe::has_children());
    auto const [later, none] = co_await session.async_call_tool("echo", saying("x"), in_tuple);
    BOOST_TEST((later == error::not_connected), later.message());
    BOOST_TEST((only_attempt(none).result.how == certainty::not_sent));
}

HARNESS_CASE(a_strict_server_of_a_connector_loses_its_connection_and_no_other_does)
{
    auto strict = with(2);
    strict.session.strict = true;
    hub_type hub(executor);
    hub.add<stdio>("strict", fault("garbage"), strict).add<stdio>("lenient", fault("garbage"), with(1));
    co_await opens(hub);
    auto const [ec, result] = co_await hub.async_call("echo", saying("x"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.ec == error::not_json));
    co_await echoes(hub, "through the other one");
    BOOST_TEST((hub.state()[0].state == session_state::closed));
    BOOST_TEST((hub.state()[1].state == session_state::ready));
    BOOST_TEST(contains(hub.state()[0].last_error, error_code(error::not_json).message()));
    co_await shuts_down(hub);
}

HARNESS_CASE(a_notification_comes_with_each_answer_that_brings_one)
{
    linkspan::session session(executor, via_fault("notify"));
    std::vector<std::string> heard;
    session.on_notification("notifications/message", [&](std::string_view params) { heard.emplace_back(params); });
    co_await opens(session);
    for (std::size_t i = 0; i != 3; ++i) {
        co_await echoes(session, text_of(i));
        BOOST_TEST(heard.size() == i + 1);
    }
    BOOST_TEST(heard.back() == R"({"level":"info","data":"x"})");
    co_await shuts_down(session);
}

HARNESS_CASE(a_ping_of_the_server_is_answered_while_calls_are_in_flight)
{
    // Each call is answered only after the ping that was sent for it.
    linkspan::session session(executor, via_fault("ping"));
    co_await opens(session);
    completions calls(executor, 3);
    for (std::size_t i = 0; i != 3; ++i)
        session.async_call_tool("echo", saying(text_of(i)), calls.handler(i));
    BOOST_TEST(session.in_flight() == 3u);
    co_await calls.wait();
    for (std::size_t i = 0; i != 3; ++i)
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    BOOST_TEST(session.in_flight() == 0u);
    BOOST_TEST(session.counters().malformed == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(an_answer_in_two_pieces_is_one_answer)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("split"));
    co_await opens(hub);
    for (auto const size : {0u, 1u, 1000u, 200'000u})
        co_await echoes(hub, std::string(size, 'x'));
    co_await shuts_down(hub);
}

HARNESS_CASE(a_carriage_return_is_no_part_of_an_answer)
{
    linkspan::session session(executor, via_fault("crlf"));
    co_await opens(session);
    auto const [ec, result] = co_await session.async_call_tool("echo", saying("x"), in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.text() == "x");
    BOOST_TEST(!contains(result.raw(), "\r"));
    BOOST_TEST(session.counters().noise == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(no_line_of_a_chatty_server_is_lost_and_none_blocks_it)
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

// A server that dies

HARNESS_CASE(a_call_that_a_dying_server_takes_along_ends_at_once_with_an_unknown_outcome)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((ec == condition::outcome_unknown));
    BOOST_TEST(result.raw().empty());
    auto const& lost = only_attempt(result);
    BOOST_TEST(lost.server == "fault");
    BOOST_TEST(lost.id != 0u);
    BOOST_TEST((lost.result.how == certainty::unknown));
    BOOST_TEST((lost.result.ec == error::stream_ended), lost.result.ec.message());
    BOOST_TEST(!lost.result.answered);
    BOOST_TEST((lost.result.elapsed < soon));
    // The status is known already: nobody had to wait for it in vain.
    auto const state = hub.state()[0];
    BOOST_TEST((state.state == session_state::closed));
    BOOST_TEST(contains(state.last_error, "exited with status 1"), state.last_error);
    BOOST_TEST(state.calls == 3u);
    BOOST_TEST(state.failures == 1u);
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(a_call_to_a_server_that_is_gone_says_so_and_does_not_hang)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"));
    co_await opens(hub);
    for (int i = 0; i != 3; ++i)
        co_await hub.async_call("echo", saying("x"), in_tuple);
    for (int i = 0; i != 3; ++i) {
        auto const [ec, result] = co_await hub.async_call("echo", saying("x"), in_tuple);
        BOOST_TEST((ec == error::no_server), ec.message());
        BOOST_TEST((ec == condition::not_executed));
        auto const& refused = only_attempt(result);
        BOOST_TEST((refused.result.ec == error::not_connected), refused.result.ec.message());
        BOOST_TEST((refused.result.how == certainty::not_sent));
        BOOST_TEST(refused.id == 0u);
        BOOST_TEST(contains(refused.detail, "exited with status 1"), refused.detail);
    }
    co_await opens(hub);
    co_await echoes(hub, "once more");
    co_await shuts_down(hub);
}

HARNESS_CASE(every_call_that_is_in_flight_when_a_server_dies_ends_once)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    completions calls(executor, 300); // more than may be in flight
    for (std::size_t i = 0; i != calls.entries().size(); ++i)
        hub.async_call("echo", saying(text_of(i)), calls.handler(i));
    co_await calls.wait();
    for (std::size_t i = 0; i != calls.entries().size(); ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        auto const& lost = only_attempt(result).result;
        BOOST_TEST(times == 1u);
        bool const was_sent = i < 256;
        BOOST_TEST((lost.how == (was_sent ? certainty::unknown : certainty::not_sent)), i);
        BOOST_TEST((ec == (was_sent ? error::outcome_unknown : error::all_servers_failed)), i << ec.message());
        BOOST_TEST((lost.ec == error::stream_ended));
        BOOST_TEST((lost.elapsed < soon));
    }
}

HARNESS_CASE(a_read_only_call_that_a_dying_server_takes_along_is_asked_elsewhere)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(2, replay_class::read_only))
        .add<stdio>("spare", fault("none"), with(1, replay_class::read_only));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "three");
    BOOST_TEST(result.server() == "spare");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST((result.attempts()[0].result.ec == error::stream_ended));
    BOOST_TEST((result.attempts()[1].result.how == certainty::completed));
    co_await echoes(hub, "four");
    co_await shuts_down(hub);
}

HARNESS_CASE(an_unsafe_call_that_a_dying_server_takes_along_is_not_asked_elsewhere_but_the_next_one_is)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("die"), with(2)).add<stdio>("spare", fault("none"), with(1));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST(hub.state()[1].calls == 0u);
    auto const [later, answer] = co_await hub.async_call("echo", saying("four"), in_tuple);
    BOOST_TEST(!later, linkspan::explain(later, answer));
    BOOST_TEST(answer.server() == "spare");
    co_await shuts_down(hub);
}

HARNESS_CASE(a_session_whose_server_dies_ends_and_may_be_opened_again)
{
    linkspan::session session(executor, via_fault("die"));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    auto const [ec, result] = co_await session.async_call_tool("echo", saying("three"), in_tuple);
    BOOST_TEST((ec == error::stream_ended), ec.message());
    BOOST_TEST((ec == condition::transport_failed));
    BOOST_TEST((only_attempt(result).result.how == certainty::unknown));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(contains(session.diagnostics(), "exited with status 1"), session.diagnostics());
    BOOST_TEST(!observe::has_children());
    auto const [later, none] = co_await session.async_call_tool("echo", saying("four"), in_tuple);
    BOOST_TEST((later == error::not_connected), later.message());
    auto const [ping] = co_await session.async_ping(in_tuple);
    BOOST_TEST((ping == error::not_connected), ping.message());
    auto const [listing, tools] = co_await session.async_list_tools(in_tuple);
    BOOST_TEST((listing == error::not_connected), listing.message());
    co_await opens(session);
    co_await echoes(session, "once more");
    co_await shuts_down(session);
}

// Kills a server that is ready, and returns when the kernel is done with it; the library has not noticed yet.
asio::awaitable<void> kill_unnoticed(hub_type& hub, std::string server)
{
    auto const [ec, result] = co_await hub.at(server).async_call("process_id", {}, in_tuple);
    BOOST_TEST_REQUIRE(!ec, linkspan::explain(ec, result));
    auto const pid = std::stoi(result.text());
    observe::process const child(pid);
    ::kill(pid, SIGKILL);
    BOOST_TEST(child.ends());
}

HARNESS_CASE(a_call_that_a_dead_server_cannot_have_read_is_safe_to_make_elsewhere)
{
    hub_type hub(executor);
    hub.add<stdio>("dead", mock("mock-calculator"), with(2)).add<stdio>("spare", mock("mock-calculator"), with(1));
    co_await opens(hub);
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":2,"b":3})"));
    co_await kill_unnoticed(hub, "dead");
    auto const [ec, result] = co_await hub.async_call("accumulate", sum, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.server() == "spare");
    BOOST_TEST(result.text() == "5");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].server == "dead");
    BOOST_TEST((result.attempts()[0].result.how == certainty::not_sent));
    BOOST_TEST((hub.state()[0].state == session_state::closed));
    BOOST_TEST(contains(hub.state()[0].last_error, "killed by signal 9"), hub.state()[0].last_error);
    co_await shuts_down(hub);
}

// A server that is silent

HARNESS_CASE(a_call_that_is_not_answered_ends_at_its_idle_limit_and_the_next_one_is_answered)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("mute"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), impatient(), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    auto const& lost = only_attempt(result).result;
    BOOST_TEST((lost.ec == error::attempt_timed_out), lost.ec.message());
    BOOST_TEST((lost.ec == errc::timed_out));
    BOOST_TEST((lost.how == certainty::unknown));
    BOOST_TEST((lost.elapsed >= 50ms && lost.elapsed < soon));
    co_await echoes(hub, "four");
    BOOST_TEST((hub.state()[0].state == session_state::ready));
    BOOST_TEST(hub.state()[0].failures == 1u);
    co_await shuts_down(hub);
}

HARNESS_CASE(a_silent_read_only_call_is_asked_elsewhere_after_its_idle_limit)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("mute"), with(2, replay_class::read_only))
        .add<stdio>("spare", fault("none"), with(1, replay_class::read_only));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), impatient(), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "three");
    BOOST_TEST(result.server() == "spare");
    co_await shuts_down(hub);
}

HARNESS_CASE(a_session_gives_up_one_silent_call_and_no_other)
{
    linkspan::session session(executor, via_fault("mute"));
    co_await opens(session);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        session.async_call_tool("echo", saying(text_of(i)), impatient(), calls.handler(i));
    co_await calls.wait();
    for (std::size_t const i : {0u, 1u, 3u})
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    BOOST_TEST((calls.entries()[2].ec == error::attempt_timed_out), calls.entries()[2].ec.message());
    BOOST_TEST(session.in_flight() == 0u);
    co_await shuts_down(session);
}

HARNESS_CASE(an_answer_that_comes_late_is_counted_and_hurts_nobody)
{
    linkspan::session session(executor, via_fault("late"));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    auto const [ec, result] = co_await session.async_call_tool("echo", saying("three"), impatient(), in_tuple);
    BOOST_TEST((ec == error::attempt_timed_out), ec.message());
    BOOST_TEST((only_attempt(result).result.elapsed >= 50ms));
    BOOST_TEST(session.counters().late_answers == 0u);
    co_await echoes(session, "four");
    BOOST_TEST(session.counters().late_answers == 1u);
    BOOST_TEST(session.counters().malformed == 0u);
    co_await echoes(session, "five");
    BOOST_TEST(session.counters().late_answers == 1u);
    co_await shuts_down(session);
}

HARNESS_CASE(a_late_answer_does_not_become_that_of_a_later_call_through_a_connector)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("late"));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    auto const [ec, result] = co_await hub.async_call("echo", saying("three"), impatient(), in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.ec == error::attempt_timed_out));
    co_await echoes(hub, "four");
    co_await echoes(hub, "five");
    co_await shuts_down(hub);
}

HARNESS_CASE(an_answer_that_is_waited_for_may_come_with_the_next_one)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("late"));
    co_await opens(hub);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        hub.async_call("echo", saying(text_of(i)), calls.handler(i));
    co_await calls.wait();
    for (std::size_t i = 0; i != 4; ++i)
        BOOST_TEST(calls.entries()[i].result.text() == text_of(i));
    co_await shuts_down(hub);
}

// A server that will not go

stdio_config hasty(stdio_config config)
{
    config.close_grace = config.term_grace = 50ms;
    return config;
}

HARNESS_CASE(a_stubborn_server_is_killed_after_both_graces)
{
    linkspan::session session(executor, linkspan::via<stdio>(hasty(fault("stubborn"))));
    co_await opens(session);
    co_await echoes(session, "x");
    linkspan::timer const clock(executor);
    auto const began = clock.now();
    co_await shuts_down(session);
    BOOST_TEST((clock.now() - began >= 100ms));
    BOOST_TEST((session.state() == session_state::closed));
    BOOST_TEST(contains(session.diagnostics(), "killed by signal 9"), session.diagnostics());
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(a_connector_shuts_its_servers_down_side_by_side)
{
    hub_type hub(executor);
    for (char const name : {'a', 'b', 'c', 'd'})
        hub.add<stdio>(std::string(1, name), hasty(fault("stubborn")));
    hub.add<stdio>("decent", fault("none"));
    co_await opens(hub);
    co_await shuts_down(hub);
    BOOST_TEST(!observe::has_children());
    for (auto const& server : hub.state())
        BOOST_TEST((server.state == session_state::closed));
    auto const [ec, result] = co_await hub.async_call("echo", saying("x"), in_tuple);
    BOOST_TEST((ec == error::not_connected), ec.message());
}

HARNESS_CASE(a_session_that_is_closed_in_a_shutdown_kills_a_server_that_has_closed_its_output)
{
    auto config = sh(R"("$0" mute; exec >&-; exec sleep 1000)", {mock("mock-fault").command});
    config.close_grace = config.term_grace = 1h;
    linkspan::session session(executor, linkspan::via<stdio>(config));
    co_await opens(session);
    co_await echoes(session, "one");
    co_await echoes(session, "two");
    completions call(executor, 1);
    session.async_call_tool("echo", saying("three"), call.handler(0));
    linkspan::timer over(executor);
    over.expires_at(linkspan::time_point::max());
    std::vector<error_code> ended;
    session.async_shutdown([&](error_code ec) {
        ended.push_back(ec);
        over.cancel();
    });
    // It ends with the stream, and the server lives on.
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

// Much

HARNESS_CASE(a_megabyte_comes_back_intact)
{
    std::string text;
    for (std::size_t i = 0; text.size() < (std::size_t{1} << 20); ++i)
        text += std::to_string(i) + "\n\t\"\\ \xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\x8c \x01/";
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    linkspan::session session(executor, via_fault("none"));
    co_await opens(hub);
    co_await opens(session);
    for (int i = 0; i != 3; ++i) {
        co_await echoes(hub, text);
        co_await echoes(session, text);
    }
    co_await echoes(hub, "and a small one");
    co_await shuts_down(hub);
    co_await shuts_down(session);
}

// Starts `count` calls at once and waits for all. The connector's own promise is checked: those that fit are answered,
// each with its own text, and exactly those beyond are refused.
asio::awaitable<void> flood(hub_type& hub, std::size_t count, std::size_t room)
{
    completions calls(hub.get_executor(), count);
    for (std::size_t i = 0; i != count; ++i)
        hub.async_call("echo", saying(text_of(i)), calls.handler(i));
    co_await calls.wait();
    std::size_t wrong = 0;
    std::vector<std::size_t> refused;
    for (std::size_t i = 0; i != count; ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        wrong += times != 1;
        if (!ec) {
            wrong += result.text() != text_of(i);
            continue;
        }
        refused.push_back(i);
        auto const& why = only_attempt(result);
        wrong += ec != error::no_server || ec != condition::not_executed || why.result.ec != error::queue_full ||
                 why.result.how != certainty::not_sent || why.id != 0;
    }
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(refused.size() == count - std::min(room, count));
    if (!refused.empty())
        BOOST_TEST(refused.front() == room);
}

HARNESS_CASE(as_many_calls_as_may_be_in_flight_are_each_answered_with_their_own_text)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    co_await opens(hub);
    co_await flood(hub, 256, 256 + 1024);
    BOOST_TEST(hub.state()[0].calls == 256u);
    co_await shuts_down(hub);
}

// `ping` speaks 2025-11-25, `none` 2026-07-28.
struct flood_case : world {
    asio::awaitable<void> body(std::string mode)
    {
        hub_type hub(executor);
        hub.add<stdio>("fault", fault(mode));
        co_await opens(hub);
        co_await flood(hub, 2000, 256 + 1024);
        co_await echoes(hub, "there is room again");
        co_await shuts_down(hub);
    }
};

BOOST_DATA_TEST_CASE(calls_beyond_those_in_flight_and_in_the_queue_are_refused, data::make({"none", "ping"}), mode)
{
    run_case<flood_case>(mode);
}

struct small_queue_case : world {
    asio::awaitable<void> body(std::string mode)
    {
        linkspan::server_options options;
        options.session.max_in_flight = 1;
        options.session.max_queued = 2;
        hub_type hub(executor);
        hub.add<stdio>("fault", fault(mode), options);
        co_await opens(hub);
        co_await flood(hub, 5, 3);
        co_await shuts_down(hub);
    }
};

BOOST_DATA_TEST_CASE(a_queue_is_as_long_as_configured, data::make({"none", "ping"}), mode)
{
    run_case<small_queue_case>(mode);
}

HARNESS_CASE(a_session_refuses_what_its_queue_cannot_hold)
{
    linkspan::session_options options;
    options.max_in_flight = 2;
    options.max_queued = 3;
    linkspan::session session(executor, via_fault("none"), options);
    session.on_notification("notifications/tools/list_changed", [](std::string_view) {}); // so it listens
    co_await opens(session);
    completions calls(executor, 8);
    for (std::size_t i = 0; i != 8; ++i)
        session.async_call_tool("echo", saying(text_of(i)), calls.handler(i));
    co_await calls.wait();
    for (std::size_t i = 0; i != 8; ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        BOOST_TEST(times == 1u);
        if (i < 5)
            BOOST_TEST(result.text() == text_of(i));
        else
            BOOST_TEST((ec == error::queue_full), ec.message());
    }
    co_await shuts_down(session);
}

HARNESS_CASE(the_state_of_a_server_counts_the_calls_that_are_out)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    co_await opens(hub);
    auto const before = hub.state()[0].in_flight;
    completions calls(executor, 300);
    for (std::size_t i = 0; i != 300; ++i)
        hub.async_call("echo", saying(text_of(i)), calls.handler(i));
    BOOST_TEST(hub.state()[0].in_flight == before + 300u);
    co_await calls.wait();
    BOOST_TEST(hub.state()[0].in_flight == before);
    co_await shuts_down(hub);
}

// Opening

HARNESS_CASE(a_server_that_leaves_before_the_handshake_is_started_again_and_gets_it_first)
{
    observe::folder const folder;
    auto const starts = folder.path() + "/starts";
    auto const config = sh(R"(echo start >>"$0"; exec "$1" leave)", {starts, mock("mock-fault").command});
    {
        hub_type hub(executor);
        hub.add<stdio>("fault", config);
        co_await opens(hub);
        BOOST_TEST((hub.state()[0].spoken == linkspan::revision::r2025_11_25));
        co_await echoes(hub, "x");
        co_await shuts_down(hub);
    }
    auto const count_starts = [&] {
        std::ifstream file(starts);
        return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
    };
    BOOST_TEST(count_starts() == 2);
    linkspan::session session(executor, linkspan::via<stdio>(config));
    co_await opens(session);
    BOOST_TEST((session.spoken() == linkspan::revision::r2025_11_25));
    co_await echoes(session, "x");
    co_await shuts_down(session);
    BOOST_TEST(count_starts() == 4);
    // It remembers.
    co_await opens(session);
    co_await echoes(session, "x");
    co_await shuts_down(session);
    BOOST_TEST(count_starts() == 5);
}

HARNESS_CASE(a_command_that_cannot_be_started_is_a_line_with_path_folder_and_reason)
{
    observe::folder const folder;
    auto const text = folder.add("text", "no program\n", std::filesystem::perms::owner_read);
    hub_type hub(executor);
    hub.add<stdio>("missing", {.command = "/no/such/program", .cwd = folder.path()})
        .add<stdio>("nowhere", {.command = "no-such-program-in-the-path"})
        .add<stdio>("text", {.command = text})
        .add<stdio>("elsewhere", {.command = "/bin/cat", .cwd = "/no/such/folder"});
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST((ec == error::connection_failed), ec.message());
    BOOST_TEST((ec == condition::transport_failed));
    BOOST_TEST(report.failures() == 4u);
    BOOST_TEST_REQUIRE(report.servers.size() == 4u);
    BOOST_TEST(report.servers[0].server == "missing");
    BOOST_TEST((report.servers[0].ec == errc::no_such_file_or_directory), report.servers[0].ec.message());
    BOOST_TEST(report.servers[0].detail ==
               "cannot start /no/such/program in " + folder.path() + ": exec: No such file or directory (errno 2)");
    BOOST_TEST((report.servers[1].ec == errc::no_such_file_or_directory), report.servers[1].ec.message());
    BOOST_TEST(report.servers[1].detail == "cannot start no-such-program-in-the-path in " +
                                               std::filesystem::current_path().string() +
                                               ": search in PATH: No such file or directory (errno 2)");
    BOOST_TEST((report.servers[2].ec == errc::permission_denied), report.servers[2].ec.message());
    BOOST_TEST(contains(report.servers[2].detail, text + " in "), report.servers[2].detail);
    BOOST_TEST(contains(report.servers[2].detail, "Permission denied (errno 13)"), report.servers[2].detail);
    BOOST_TEST(contains(report.servers[3].detail, "/bin/cat in /no/such/folder: chdir: No such file"),
               report.servers[3].detail);
    for (auto const& server : hub.state()) {
        BOOST_TEST((server.state == session_state::closed));
        BOOST_TEST(contains(server.last_error, "cannot start"), server.last_error);
    }
}

HARNESS_CASE(a_program_that_is_no_server_is_a_line_with_its_last_words)
{
    auto impatient_opening = linkspan::server_options();
    impatient_opening.session.startup_limit = 100ms;
    hub_type hub(executor);
    hub.add<stdio>("exits", sh("echo 'no configuration' >&2; exit 3"))
        .add<stdio>("echoes", {.command = "/bin/cat"})
        .add<stdio>("sleeps", sh("exec sleep 1000"), impatient_opening);
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST((ec == error::connection_failed), ec.message());
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    BOOST_TEST((report.servers[0].ec == error::stream_ended), report.servers[0].ec.message());
    BOOST_TEST(contains(report.servers[0].detail, "exited with status 3"), report.servers[0].detail);
    BOOST_TEST(contains(report.servers[0].detail, "no configuration"), report.servers[0].detail);
    BOOST_TEST(report.servers[1].ec.failed());
    BOOST_TEST((report.servers[2].ec == error::attempt_timed_out), report.servers[2].ec.message());
    BOOST_TEST((report.servers[2].elapsed >= 100ms));
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(a_missing_server_costs_healthy_ones_nothing)
{
    hub_type hub(executor);
    hub.add<stdio>("first", fault("none"), with(1))
        .add<stdio>("missing", {.command = "/no/such/program"}, with(100))
        .add<stdio>("exits", sh("exit 3"), with(100))
        .add<stdio>("last", fault("none"));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(report.failures() == 2u);
    BOOST_TEST_REQUIRE(report.servers.size() == 4u);
    for (std::size_t const healthy : {0u, 3u}) {
        BOOST_TEST(!report.servers[healthy].ec, report.servers[healthy].detail);
        BOOST_TEST(report.servers[healthy].tools == 1u);
        BOOST_TEST((report.servers[healthy].spoken == linkspan::revision::r2026_07_28));
    }
    BOOST_TEST(report.servers[1].server == "missing");
    BOOST_TEST(report.servers[1].ec.failed());
    BOOST_TEST(!report.servers[1].spoken);
    BOOST_TEST(hub.tools()->tools().size() == 2u);
    for (auto const tool : {"echo", "first__echo", "last__echo"}) {
        auto const [failed, result] = co_await hub.async_call(tool, saying("x"), in_tuple);
        BOOST_TEST(!failed, linkspan::explain(failed, result));
        BOOST_TEST(result.server() == (contains(tool, "last") ? "last" : "first"));
        BOOST_TEST(result.attempts().empty());
    }
    // Another opening tries those that failed, and no other.
    auto const [again, second] = co_await hub.async_open(in_tuple);
    BOOST_TEST((again == error::connection_failed), again.message());
    BOOST_TEST(second.servers.size() == 2u);
    co_await echoes(hub, "still there");
    co_await shuts_down(hub);
}

// The end of a connector

// Counts what completed, how, and how often.
struct ends {
    std::vector<std::vector<error_code>> calls;
    std::vector<error_code> open, shutdown;

    explicit ends(std::size_t count) : calls(count) {}

    auto call(std::size_t i)
    {
        return [this, i](error_code ec, linkspan::call_result const&) { calls[i].push_back(ec); };
    }

    std::size_t aborted() const
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            calls, [](auto const& call) { return call.size() == 1 && call[0] == asio::error::operation_aborted; }));
    }

    std::size_t answered() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(calls, [](auto const& call) { return call.size() == 1 && !call[0]; }));
    }
};

// Opens a connector in a context of its own, without a coroutine, so that a test sees every turn of the loop.
struct bare_hub {
    explicit bare_hub(stdio_config const& config, linkspan::server_options const& options = {})
    {
        hub->add<stdio>("fault", config, options);
    }

    bare_hub& open()
    {
        bool opened = false;
        hub->async_open([&](error_code ec, linkspan::open_report const&) {
            BOOST_TEST(!ec);
            opened = true;
        });
        observe::run_until(context, [&] { return opened; });
        return *this;
    }

    void turns(int count)
    {
        context.restart();
        while (count-- > 0 && context.run_one_for(observe::limit) != 0) {
        }
    }

    // All handlers that are left run now: nothing has to be waited for.
    void finish()
    {
        context.restart();
        context.poll();
        BOOST_TEST(context.stopped(), "operations are still out");
    }

    asio::io_context context{1};
    std::unique_ptr<hub_type> hub = std::make_unique<hub_type>(context.get_executor());
};

BOOST_FIXTURE_TEST_CASE(calls_that_are_out_when_their_connector_is_destroyed_end_once, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bare.open();
    ends seen(1500); // in flight, in the queue, and refused
    for (std::size_t i = 0; i != 1500; ++i)
        bare.hub->async_call("echo", saying(text_of(i)), seen.call(i));
    bare.hub.reset();
    BOOST_TEST(!observe::has_children());
    BOOST_TEST(seen.aborted() == 0u);
    bare.finish();
    BOOST_TEST(seen.aborted() >= 256u + 1023u);
    for (auto const& call : seen.calls)
        BOOST_TEST(call.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_connector_may_be_destroyed_in_the_handler_of_a_call, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bare.open();
    ends seen(400);
    for (std::size_t i = 0; i != 400; ++i)
        bare.hub->async_call("echo", saying(text_of(i)), [&, i](error_code ec, linkspan::call_result const& result) {
            seen.call(i)(ec, result);
            bare.hub.reset();
        });
    observe::run_until(bare.context, [&] { return !bare.hub; });
    BOOST_TEST(!observe::has_children());
    bare.finish();
    BOOST_TEST(seen.answered() == 1u);
    BOOST_TEST(seen.aborted() == 399u);
}

BOOST_FIXTURE_TEST_CASE(a_connector_may_be_destroyed_in_the_handler_of_its_opening, leaves_nothing)
{
    bare_hub bare(fault("none"));
    bool opened = false;
    bare.hub->async_open([&](error_code ec, linkspan::open_report const&) {
        BOOST_TEST(!ec);
        opened = true;
        bare.hub.reset();
    });
    observe::run_until(bare.context, [&] { return opened; });
    BOOST_TEST(!observe::has_children());
    bare.finish();
}

BOOST_FIXTURE_TEST_CASE(a_connector_may_be_destroyed_in_the_handler_of_a_call_that_failed, leaves_nothing)
{
    bare_hub bare(fault("die"));
    bare.open();
    ends seen(20);
    for (std::size_t i = 0; i != 20; ++i)
        bare.hub->async_call("echo", saying(text_of(i)), [&, i](error_code ec, linkspan::call_result const& result) {
            seen.call(i)(ec, result);
            if (ec)
                bare.hub.reset();
        });
    observe::run_until(bare.context, [&] { return !bare.hub; });
    bare.finish();
    for (auto const& call : seen.calls)
        BOOST_TEST(call.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
