// Large messages, many concurrent calls, and full queues.

#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(load_test)

using namespace harness;
namespace data = boost::unit_test::data;
using linkspan::certainty;
using linkspan::condition;
using linkspan::error;
using linkspan::stdio;

HARNESS_CASE(megabyte_is_echoed_unchanged)
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

// Starts `count` concurrent calls and waits for all. Calls that fit return their own text; exactly the calls beyond
// `room` are refused.
asio::awaitable<void> flood(hub_type& hub, std::size_t count, std::size_t room)
{
    completions calls(hub.get_executor(), count);
    for (std::size_t i = 0; i != count; ++i)
        hub.async_call("echo", with_text(text_of(i)), calls.handler(i));
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
        wrong += ec != error::no_eligible_server || ec != condition::not_executed ||
                 why.result.ec != error::queue_full || why.result.certainty != certainty::not_sent || why.id != 0;
    }
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(refused.size() == count - std::min(room, count));
    if (!refused.empty())
        BOOST_TEST(refused.front() == room);
}

HARNESS_CASE(maximum_number_of_calls_in_flight_each_receive_their_own_result)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    co_await opens(hub);
    co_await flood(hub, 256, 256 + 1024);
    BOOST_TEST(hub.state().servers[0].calls == 256u);
    co_await shuts_down(hub);
}

// `ping` uses protocol version 2025-11-25, `none` 2026-07-28.
struct load_case : world {
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

BOOST_DATA_TEST_CASE(calls_beyond_in_flight_and_queue_limits_are_refused, data::make({"none", "ping"}), mode)
{
    run_case<load_case>(mode);
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

BOOST_DATA_TEST_CASE(queue_length_of_connector_is_configurable, data::make({"none", "ping"}), mode)
{
    run_case<small_queue_case>(mode);
}

HARNESS_CASE(queue_length_of_session_is_configurable)
{
    linkspan::session_options options;
    options.max_in_flight = 2;
    options.max_queued = 3;
    linkspan::session session(executor, via_fault("none"), options);
    session.on_notification("notifications/tools/list_changed", [](std::string_view) {}); // requires a subscription
    co_await opens(session);
    completions calls(executor, 8);
    for (std::size_t i = 0; i != 8; ++i)
        session.async_call_tool("echo", with_text(text_of(i)), calls.handler(i));
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

HARNESS_CASE(state_counts_calls_in_flight)
{
    hub_type hub(executor);
    hub.add<stdio>("fault", fault("none"));
    co_await opens(hub);
    auto const before = hub.state().servers[0].in_flight;
    completions calls(executor, 300);
    for (std::size_t i = 0; i != 300; ++i)
        hub.async_call("echo", with_text(text_of(i)), calls.handler(i));
    BOOST_TEST(hub.state().servers[0].in_flight == before + 300u);
    co_await calls.wait();
    BOOST_TEST(hub.state().servers[0].in_flight == before);
    co_await shuts_down(hub);
}

BOOST_AUTO_TEST_SUITE_END()
