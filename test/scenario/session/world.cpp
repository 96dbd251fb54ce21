#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/world.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(world_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::duration;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::session;
using linkspan::time_point;
using linkspan::via;
namespace asio = boost::asio;

namespace {

asio::awaitable<std::unique_ptr<int>> wait_for_number(asio::any_io_executor executor, duration span)
{
    linkspan::timer pause(executor);
    pause.expires_after(span);
    co_await pause.async_wait(asio::use_awaitable);
    co_return std::make_unique<int>(7);
}

asio::awaitable<void> fail(asio::any_io_executor executor)
{
    co_await wait_for_number(executor, 1s);
    throw std::logic_error("the coroutine fails");
}

asio::awaitable<std::string> forecast(session& client)
{
    co_await client.async_open();
    auto const result = co_await client.async_call_tool("forecast");
    co_return std::string(result.text());
}

std::string stall_report(world& here, asio::awaitable<std::string> operation)
{
    try {
        here.await(std::move(operation), 5s);
    } catch (stalled const& stall) {
        return stall.what();
    }
    return "not stalled";
}

// Returns the order in which eight handlers run that are submitted at once.
std::string order_of_posts(std::uint64_t seed, schedule order)
{
    world here(seed, order);
    std::string out;
    for (char const name : std::string("abcdefgh"))
        asio::post(here.executor, [&out, name] { out += name; });
    here.run_until_idle();
    return out;
}

// Returns the hash of the trace of two servers. The call to the second begins at a time that depends on the seed.
std::uint64_t trace_hash(std::uint64_t seed)
{
    world here(seed, schedule::shuffled);
    auto& first = here.add_server("first");
    auto& second = here.add_server("second");
    first.on(call("forecast")).then(delay(1s), text("sunny"));
    second.on(call("forecast")).then(delay(1s), text("cloudy"));
    session client(here.executor, via<inproc>(first)), other(here.executor, via<inproc>(second));
    asio::co_spawn(here.executor, forecast(client), [](auto&&...) {});
    here.run_for(std::chrono::milliseconds(here.time.draw() % 1000));
    here.await(forecast(other));
    here.run_for(2s);
    return here.events().hash();
}

} // namespace

// Functions that run the context

BOOST_AUTO_TEST_CASE(await_returns_the_value_of_a_coroutine)
{
    world here;
    BOOST_TEST(*here.await(wait_for_number(here.executor, 150s)) == 7);
    BOOST_TEST((here.now() == time_point(150s)));
}

BOOST_AUTO_TEST_CASE(await_throws_the_exception_of_a_coroutine)
{
    world here;
    auto const is_expected = [](std::logic_error const& e) { return contains(e.what(), "the coroutine fails"); };
    BOOST_CHECK_EXCEPTION(here.await(fail(here.executor)), std::logic_error, is_expected);
    BOOST_TEST((here.now() == time_point(1s)));
}

BOOST_AUTO_TEST_CASE(await_without_a_ready_handler_and_a_deadline_is_stalled)
{
    world here;
    auto const never = duration::max();
    BOOST_CHECK_THROW(here.await(wait_for_number(here.executor, never)), stalled);
    BOOST_TEST((here.now() == time_point()));
    BOOST_CHECK_THROW(here.await(wait_for_number(here.executor, 2h), 1h), stalled);
}

BOOST_AUTO_TEST_CASE(functions_of_post_at_run_at_their_times)
{
    world here;
    std::vector<std::pair<char, duration>> runs;
    auto const log = [&](char name) {
        return [&runs, &here, name] { runs.emplace_back(name, here.now().time_since_epoch()); };
    };
    here.post_at(3s, log('c'));
    here.post_at(1s, log('a'));
    here.post_at(1s, log('b'));
    here.run_for(1s);
    std::vector<std::pair<char, duration>> expected{{'a', 1s}, {'b', 1s}};
    BOOST_TEST((runs == expected));
    here.post_at(500ms, log('p')); // a time that has passed
    here.run_until([&] { return runs.size() == 3; });
    expected.emplace_back('p', 1s);
    BOOST_TEST((runs == expected));
    here.run_until_idle();
    expected.emplace_back('c', 3s);
    BOOST_TEST((runs == expected));
    here.post_at(1h, log('x')); // destroyed with the world
}

BOOST_AUTO_TEST_CASE(draws_depend_on_the_seed)
{
    world first(1), again(1), other(2);
    auto const draw = first.time.draw();
    BOOST_TEST(draw == again.time.draw());
    BOOST_TEST(draw != other.time.draw());
}

// Servers

BOOST_AUTO_TEST_CASE(server_of_a_world_responds_to_a_session)
{
    world here;
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(delay(2s), text("sunny"));
    session client(here.executor, via<inproc>(weather));
    BOOST_TEST(here.await(forecast(client)) == "sunny");
    BOOST_TEST((here.now() == time_point(2s)));
}

BOOST_AUTO_TEST_CASE(server_of_a_world_has_the_given_protocol_versions)
{
    world here;
    auto& old = here.add_server("old", {linkspan::protocol_version::v2025_06_18});
    session client(here.executor, via<inproc>(old));
    here.await(client.async_open(asio::use_awaitable));
    BOOST_TEST((client.protocol_version() == linkspan::protocol_version::v2025_06_18));
}

BOOST_AUTO_TEST_CASE(stall_report_has_the_names_of_the_world)
{
    world here;
    linkspan::server own(here.executor, {.name = "own", .version = "1"});
    auto& first = here.add_server("first");
    auto& second = here.add_server("second", own);
    first.on(call("forecast")).then(hang());
    second.on(request("server/discover")).then(hang());
    session client(here.executor, via<inproc>(first)), other(here.executor, via<inproc>(second));
    other.async_open([](auto&&...) {});
    auto const report = stall_report(here, forecast(client));
    BOOST_TEST(contains(report, "first: no response to tools/call forecast, id 2"), report);
    BOOST_TEST(contains(report, "second: no response to server/discover, id 1"), report);
}

// Outstanding work

BOOST_AUTO_TEST_CASE(stall_report_lists_outstanding_requests_gates_and_connections)
{
    world here;
    auto& weather = here.add_server("weather");
    auto& files = here.add_server("files");
    weather.on(call("forecast")).then(hang());
    files.on(call("forecast")).then(gate("data"), text("done"));
    session client(here.executor, via<inproc>(weather)), other(here.executor, via<inproc>(files));
    asio::co_spawn(here.executor, forecast(other), [](auto&&...) {});
    here.run_for(2s);
    here.post_at(6s, [] {}); // the latest point in time that the report describes
    auto const report = stall_report(here, forecast(client));
    auto const& expected = R"(
  weather: no response to tools/call forecast, id 2, received 4 s ago by connection 1
  weather: connection 1 is open)";
    BOOST_TEST(contains(report, expected), report);
    BOOST_TEST(contains(report, "files: no response to tools/call forecast, id 2, received 6 s ago"), report);
    BOOST_TEST(contains(report, "files: 1 action waits at the gate data"), report);
}

BOOST_AUTO_TEST_CASE(leaks_are_empty_after_sessions_and_timers_are_closed)
{
    world here;
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(hang());
    auto client = std::make_unique<session>(here.executor, via<inproc>(weather));
    asio::co_spawn(here.executor, forecast(*client), [](auto&&...) {});
    auto pause = std::make_unique<linkspan::timer>(here.executor);
    auto background = std::make_unique<linkspan::timer>(here.executor);
    background->run_in_background();
    here.run_for(1s);
    auto const before = here.leaks().size();
    pause->expires_after(1h);
    pause->async_wait([](error_code) {});
    auto const with_wait = here.leaks();
    background->expires_after(1h);
    background->async_wait([](error_code) {});
    BOOST_TEST(here.leaks() == with_wait, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(before >= 2);
    BOOST_TEST(contains(with_wait.front(), "weather: no response to tools/call forecast, id 2"));
    BOOST_TEST(contains(with_wait.at(1), "weather: connection 1 is open"));
    BOOST_TEST(contains(with_wait.back(), "pending waits of timers: "));
    client.reset();
    pause.reset();
    here.run_for(1s);
    BOOST_TEST(here.leaks() == std::vector<std::string>(), boost::test_tools::per_element());
}

// Shuffled schedule

BOOST_AUTO_TEST_CASE(order_of_handlers_depends_on_the_seed_of_a_shuffled_world)
{
    BOOST_TEST(order_of_posts(1, schedule::fifo) == "abcdefgh");
    auto const first = order_of_posts(1, schedule::shuffled);
    BOOST_TEST(first == order_of_posts(1, schedule::shuffled));
    BOOST_TEST(first != order_of_posts(2, schedule::shuffled));
    auto sorted = first;
    std::ranges::sort(sorted);
    BOOST_TEST(sorted == "abcdefgh"); // each handler runs once
}

BOOST_AUTO_TEST_CASE(strand_of_a_shuffled_world_keeps_its_order)
{
    for (std::uint64_t seed = 1; seed != 20; ++seed) {
        world here(seed, schedule::shuffled);
        auto const strand = asio::make_strand(here.executor);
        std::string order;
        for (char const name : std::string("abcdefgh")) {
            asio::post(strand, [&order, name] { order += name; });
            asio::post(here.executor, [] {});
        }
        here.run_until_idle();
        BOOST_TEST(order == "abcdefgh");
    }
}

BOOST_AUTO_TEST_CASE(shuffled_world_destroys_handlers_that_have_not_run)
{
    auto const value = std::make_shared<int>(7);
    {
        world here(1, schedule::shuffled);
        asio::post(here.executor, [value] {});
        BOOST_TEST(value.use_count() == 2);
    }
    BOOST_TEST(value.use_count() == 1);
}

// The program has a defect: it assumes that the first of two independent handlers runs before the second.
//[ shuffled
BOOST_AUTO_TEST_CASE(shuffled_schedule_finds_a_dependency_on_the_order_of_handlers)
{
    auto const fails = [](std::uint64_t seed, schedule order) {
        world here(seed, order);
        std::optional<int> loaded;
        bool was_empty = false;
        asio::post(here.executor, [&] { loaded = 7; });
        asio::post(here.executor, [&] { was_empty = !loaded; });
        here.run_until_idle();
        return was_empty;
    };
    std::uint64_t found = 1;
    while (found != 100 && !fails(found, schedule::shuffled))
        ++found;
    BOOST_TEST(fails(found, schedule::shuffled)); // the seed repeats the order
    BOOST_TEST(!fails(found, schedule::fifo));
}
//]

BOOST_AUTO_TEST_CASE(session_calls_a_server_in_a_shuffled_world)
{
    for (std::uint64_t seed = 1; seed != 50; ++seed) {
        world here(seed, schedule::shuffled);
        auto& weather = here.add_server("weather");
        weather.on(call("forecast")).then(delay(2s), text("sunny"));
        session client(here.executor, via<inproc>(weather));
        BOOST_TEST(here.await(forecast(client)) == "sunny");
        BOOST_TEST((here.now() == time_point(2s)));
    }
}

// Trace

BOOST_AUTO_TEST_CASE(trace_has_one_line_per_event)
{
    world here;
    auto& weather = here.add_server("weather", {linkspan::protocol_version::v2025_11_25});
    weather.on(call("forecast")).then(delay(1250ms), text("sunny"));
    {
        session client(here.executor, via<inproc>(weather));
        here.await(forecast(client));
    }
    here.run_until_idle();
    std::vector<std::string> const expected{
        "t=+0.000s weather#1 opened",
        "t=+0.000s weather#1 <- server/discover id=1",
        "t=+0.000s weather#1 -> error -32601 id=1",
        "t=+0.000s weather#1 <- initialize id=2",
        "t=+0.000s weather#1 -> result id=2",
        "t=+0.000s weather#1 <- notifications/initialized",
        "t=+0.000s weather#1 <- tools/call id=3 forecast",
        "t=+1.250s weather#1 -> result id=3",
        "t=+1.250s weather#1 ended: the peer closed the stream",
    };
    BOOST_TEST(here.events().lines() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(traces_of_one_seed_are_equal)
{
    auto const first = trace_hash(1);
    BOOST_TEST(first == trace_hash(1));
    BOOST_TEST(first != trace_hash(2));
}

BOOST_AUTO_TEST_CASE(servers_of_one_world_have_different_names)
{
    world here;
    here.add_server("weather");
    here.add_server("files");
    BOOST_CHECK_EXCEPTION(here.add_server("weather"), std::invalid_argument, [](auto const& wrong) {
        return contains(wrong.what(), "expected a name that no other server has, found 'weather'");
    });
}

BOOST_AUTO_TEST_SUITE_END()
