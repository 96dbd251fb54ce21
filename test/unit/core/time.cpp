#include <linkspan/core/time.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

#include "support/logging_handler.hpp"
#include "support/virtual_world.hpp"

BOOST_AUTO_TEST_SUITE(time_test)

using linkspan::duration;
using linkspan::error_code;
using linkspan::time_point;
using linkspan::time_source;
using linkspan::timer;
using linkspan::test::logging_handler;
using linkspan::test::stalled;
using linkspan::test::virtual_time;
using linkspan::test::virtual_world;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

std::string report_of(virtual_world& world, bool& done, duration within = 1h)
{
    try {
        world.time.run_until([&done] { return done; }, within);
    } catch (stalled const& e) {
        return e.what();
    }
    return {};
}

} // namespace

// Tests in virtual time. The tests for both kinds of time are in support/timer_cases.hpp.

BOOST_AUTO_TEST_CASE(waits_complete_by_deadline_then_in_start_order)
{
    virtual_world world;
    std::string log;
    std::vector<std::unique_ptr<timer>> timers;
    for (auto const& [name, due] : {std::pair('a', 2s), std::pair('b', 1s), std::pair('c', 2s), std::pair('d', 1s)}) {
        auto& t = *timers.emplace_back(std::make_unique<timer>(world.context.get_executor()));
        t.expires_after(due);
        t.async_wait(logging_handler(log, name));
    }
    world.run();
    BOOST_TEST(log == "b d a c ");
}

BOOST_AUTO_TEST_CASE(time_does_not_advance_while_handlers_are_ready)
{
    virtual_world world;
    timer t(world.context.get_executor());
    t.expires_after(1s);
    t.async_wait(asio::detached);
    std::vector<time_point> seen;
    for (int i = 0; i < 3; ++i)
        asio::post(world.context, [&] { seen.push_back(t.now()); });
    world.run();
    BOOST_TEST((seen == std::vector<time_point>(3)));
    BOOST_TEST((t.now() == time_point(1s)));
}

BOOST_AUTO_TEST_CASE(time_never_decreases)
{
    virtual_world world;
    world.time.run_for(5s);
    timer t(world.context.get_executor());
    t.expires_at(time_point(1s));
    t.async_wait(asio::detached);
    world.run();
    BOOST_TEST((world.time.now() == time_point(5s)));
}

BOOST_AUTO_TEST_CASE(context_with_only_infinite_waits_is_idle)
{
    virtual_world world;
    timer t(world.context.get_executor());
    t.expires_at(time_point::max());
    std::string log;
    t.async_wait(logging_handler(log, 'a'));
    world.time.run_until_idle(duration::max());
    BOOST_TEST(log == "");
    BOOST_TEST((world.time.now() == time_point()));
}

asio::awaitable<void> tick(timer& t, duration period, int& ticks)
{
    for (;; ++ticks) {
        t.expires_after(period);
        co_await t.async_wait(asio::use_awaitable);
    }
}

BOOST_AUTO_TEST_CASE(periodic_timer_fires_120_times_in_one_virtual_hour)
{
    virtual_world world;
    timer t(world.context.get_executor());
    int ticks = 0;
    asio::co_spawn(world.context, tick(t, 30s, ticks), asio::detached);
    world.time.run_for(1h);
    BOOST_TEST(ticks == 120);
    BOOST_TEST((world.time.now() == time_point(1h)));
}

BOOST_AUTO_TEST_CASE(run_until_stops_after_the_handler_that_satisfies_the_condition)
{
    virtual_world world;
    timer t(world.context.get_executor());
    int ticks = 0;
    asio::co_spawn(world.context, tick(t, 30s, ticks), asio::detached);
    world.time.run_until([&] { return ticks == 3; });
    BOOST_TEST((world.time.now() == time_point(90s)));
}

BOOST_AUTO_TEST_CASE(stall_report_of_idle_context_lists_pending_work)
{
    virtual_world world;
    timer t(world.context.get_executor());
    t.async_wait(asio::detached);
    t.expires_after(1250ms);
    t.async_wait(asio::detached);
    bool done = false;
    world.time.on_stall([](std::ostream& out) { out << "weather: forecast, id 7"; });
    BOOST_TEST(report_of(world, done) ==
               "stalled at t=+1.25s: no handler is ready and no wait with a finite deadline is pending; waits: 0\n"
               "  weather: forecast, id 7");
}

BOOST_AUTO_TEST_CASE(run_that_exceeds_its_time_is_reported_as_stalled)
{
    virtual_world world;
    timer t(world.context.get_executor());
    int ticks = 0;
    asio::co_spawn(world.context, tick(t, 25min, ticks), asio::detached);
    bool done = false;
    BOOST_TEST(report_of(world, done) ==
               "stalled at t=+3000s: condition not met within 3600s; waits: 1, the next at t=+4500s");
    BOOST_CHECK_THROW(world.time.run_until_idle(1h), stalled);
}

void post_endlessly(asio::io_context& context)
{
    asio::post(context, [&context] { post_endlessly(context); });
}

BOOST_AUTO_TEST_CASE(endless_handlers_at_one_instant_are_reported_as_stalled)
{
    virtual_world world;
    post_endlessly(world.context);
    bool done = false;
    BOOST_TEST(report_of(world, done) ==
               "stalled at t=+0s: 1000000 handlers ran at one point in virtual time; waits: 0");
}

BOOST_AUTO_TEST_CASE(seed_determines_all_draws)
{
    virtual_world a, b;
    asio::io_context other_context;
    auto& other = virtual_time::install(other_context, 2);
    auto const first = a.time.draw();
    BOOST_TEST(first == b.time.draw());
    BOOST_TEST(first != a.time.draw());
    BOOST_TEST(first != other.draw());
}

BOOST_AUTO_TEST_CASE(installing_virtual_time_after_first_lookup_throws)
{
    asio::io_context context;
    time_source::of(context.get_executor());
    BOOST_CHECK_THROW(virtual_time::install(context), asio::service_already_exists);
}

BOOST_AUTO_TEST_CASE(all_executors_of_a_context_share_one_time_source)
{
    virtual_world world;
    BOOST_TEST(&time_source::of(world.context.get_executor()) == &world.time);
    BOOST_TEST(&time_source::of(asio::make_strand(world.context)) == &world.time);
}

BOOST_AUTO_TEST_SUITE_END()
