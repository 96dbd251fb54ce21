#include <linkspan/protocol/client/refresh_schedule.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(refresh_schedule_test)

using namespace linkspan;
using namespace std::chrono_literals;
using list_result = refresh_schedule::list_result;

namespace {

constexpr time_point start{1000s};

// Performs one list request from `began` to `ended`.
std::optional<time_point> list(refresh_schedule& schedule, time_point began, time_point ended, list_result result)
{
    schedule.on_list_started(began);
    return schedule.on_list_ended(ended, result);
}

} // namespace

BOOST_AUTO_TEST_CASE(first_notification_schedules_list_request_immediately)
{
    refresh_schedule schedule;
    list(schedule, start, start, list_result::changed); // initial list request
    BOOST_TEST((schedule.on_list_changed(start + 1ms) == start + 1ms));
}

BOOST_AUTO_TEST_CASE(notifications_before_a_list_request_are_merged)
{
    refresh_schedule schedule;
    BOOST_TEST(schedule.on_list_changed(start).has_value());
    for (int i = 0; i != 100; ++i)
        BOOST_TEST(!schedule.on_list_changed(start + i * 1s));
}

BOOST_AUTO_TEST_CASE(notification_during_a_list_request_schedules_another_one)
{
    refresh_schedule schedule;
    schedule.on_list_changed(start);
    schedule.on_list_started(start);
    BOOST_TEST((schedule.on_list_changed(start + 10ms) == start + 1s));
    BOOST_TEST(!schedule.on_list_ended(start + 20ms, list_result::same));
    BOOST_TEST(!schedule.on_list_changed(start + 30ms)); // already scheduled
}

BOOST_AUTO_TEST_CASE(wait_doubles_up_to_its_maximum_if_lists_are_unchanged)
{
    refresh_schedule schedule;
    auto now = *schedule.on_list_changed(start);
    for (auto const wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        list(schedule, now, now, list_result::same);
        auto const next = schedule.on_list_changed(now);
        BOOST_TEST_REQUIRE(next.has_value());
        BOOST_TEST((*next == now + wait));
        now = *next;
    }
    list(schedule, now, now, list_result::changed);
    BOOST_TEST((schedule.on_list_changed(now) == now + 1s));
}

BOOST_AUTO_TEST_CASE(notification_after_a_quiet_period_schedules_list_request_immediately)
{
    refresh_schedule schedule;
    for (int i = 0; i != 20; ++i) {
        auto const now = start + i * 1h;
        BOOST_TEST((schedule.on_list_changed(now) == now));
        list(schedule, now, now, list_result::same);
    }
}

BOOST_AUTO_TEST_CASE(list_request_for_another_reason_satisfies_earlier_notifications)
{
    refresh_schedule schedule;
    list(schedule, *schedule.on_list_changed(start), start, list_result::same);
    BOOST_TEST(schedule.on_list_changed(start + 1ms).has_value());
    list(schedule, start + 2ms, start + 2ms, list_result::changed);
    BOOST_TEST((schedule.on_list_changed(start + 3ms) == start + 2ms + 1s));
}

BOOST_AUTO_TEST_CASE(failed_list_request_after_a_notification_is_repeated)
{
    refresh_schedule schedule;
    auto now = *schedule.on_list_changed(start);
    for (auto const wait : {1s, 2s, 4s}) {
        auto const again = list(schedule, now, now, list_result::failed);
        BOOST_TEST_REQUIRE(again.has_value());
        BOOST_TEST((*again == now + wait));
        now = *again;
    }
    BOOST_TEST(!list(schedule, now, now, list_result::same));
    BOOST_TEST(!list(schedule, now, now, list_result::failed)); // without a notification
}

BOOST_AUTO_TEST_SUITE_END()
