#include <linkspan/connector/restart_schedule.hpp>

#include <boost/test/unit_test.hpp>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(restart_schedule_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

constexpr time_point start{1000s};
constexpr std::uint64_t least = ~std::uint64_t{0}; // the jitter is subtracted: the largest draw is the shortest wait
constexpr std::uint64_t most = 0;

} // namespace

BOOST_AUTO_TEST_CASE(restart_wait_doubles_and_jitter_keeps_at_least_half)
{
    restart_options many;
    many.max_restarts = 10;
    restart_schedule longest(many), shortest(many);
    auto now = start;
    for (auto const span : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
        BOOST_TEST((longest.on_down(now, most) == span));
        auto const wait = shortest.on_down(now, least);
        BOOST_TEST((*wait >= duration(span) / 2 && *wait < duration(span) / 2 + 1us));
    }
}

BOOST_AUTO_TEST_CASE(server_is_not_restarted_a_sixth_time_within_ten_minutes_if_give_up_is_set)
{
    restart_options finite;
    finite.give_up = true;
    restart_schedule schedule(finite);
    for (int i = 0; i != 5; ++i)
        BOOST_TEST((schedule.on_down(start + i * 1min, most) != std::nullopt));
    BOOST_TEST((schedule.on_down(start + 9min, most) == std::nullopt));
    BOOST_TEST((schedule.on_down(start + 10min, most) != std::nullopt)); // the first restart is outside of the window
    BOOST_TEST((schedule.on_down(start + 10min, most) == std::nullopt));
    schedule.reset();
    BOOST_TEST((schedule.on_down(start + 10min, most) == 1s));
}

BOOST_AUTO_TEST_CASE(restart_wait_is_reset_after_one_minute_of_uptime)
{
    restart_schedule schedule;
    schedule.on_down(start, most);
    schedule.on_up(start + 1s);
    BOOST_TEST((schedule.on_down(start + 60s, most) == 2s));
    schedule.on_up(start + 62s);
    BOOST_TEST((schedule.on_down(start + 122s, most) == 1s));
}

BOOST_AUTO_TEST_CASE(restarts_above_the_maximum_continue_with_long_waits)
{
    restart_schedule longest, shortest;
    auto now = start;
    for (int i = 0; i != 5; ++i) {
        longest.on_down(now, most);
        shortest.on_down(now, least);
    }
    BOOST_TEST(!longest.is_slow());
    for (auto const span : {30s, 60s, 120s, 240s, 300s, 300s, 300s, 300s}) {
        BOOST_TEST((longest.on_down(now, most) == span));
        BOOST_TEST(longest.is_slow());
        auto const wait = shortest.on_down(now, least);
        BOOST_TEST((*wait >= duration(span) / 2 && *wait < duration(span) / 2 + 1us));
        now += span; // outside of the window in which restarts are counted
    }
}

BOOST_AUTO_TEST_CASE(slow_restarts_end_after_one_minute_of_uptime_or_reset)
{
    restart_schedule schedule;
    auto const wear_out = [&](time_point now) {
        for (int i = 0; i != 6; ++i)
            schedule.on_down(now, most);
        BOOST_TEST(schedule.is_slow());
    };
    wear_out(start);
    schedule.on_up(start + 10min);
    BOOST_TEST((schedule.on_down(start + 10min + 59s, most) == 60s));
    schedule.on_up(start + 20min);
    BOOST_TEST((schedule.on_down(start + 21min, most) == 1s));
    BOOST_TEST(!schedule.is_slow());
    wear_out(start + 1h);
    schedule.reset();
    BOOST_TEST(!schedule.is_slow());
    BOOST_TEST((schedule.on_down(start + 1h, most) == 1s));
}

BOOST_AUTO_TEST_CASE(zero_restarts_disable_restarting)
{
    restart_options never;
    never.max_restarts = 0;
    restart_schedule schedule(never);
    BOOST_TEST((schedule.on_down(start, most) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(failed_allocation_leaves_the_count_of_restarts)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        restart_options two;
        two.max_restarts = 2;
        two.give_up = true;
        restart_schedule schedule(two);
        BOOST_TEST((schedule.on_down(start, most) == 1s));
        schedule.on_up(start + 1s);
        std::optional<duration> wait;
        if (!failing([&] { wait = schedule.on_down(start + 2s, most); }))
            wait = schedule.on_down(start + 2s, most);
        BOOST_TEST((wait == 2s));
        BOOST_TEST((schedule.on_down(start + 3s, most) == std::nullopt));
    });
}

BOOST_AUTO_TEST_SUITE_END()
