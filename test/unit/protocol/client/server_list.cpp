#include <linkspan/protocol/client/server_list.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(server_list_test)

using namespace linkspan;
using namespace std::chrono_literals;
using state = server_list::state;
using action = server_list::action;

namespace {

constexpr time_point start{1000s};

// Returns a list with one page, which was received at `start`.
server_list listed(std::optional<duration> ttl = 10s)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_page(ttl, false, start);
    list.on_complete();
    return list;
}

} // namespace

BOOST_AUTO_TEST_CASE(first_use_requests_the_list)
{
    server_list list;
    BOOST_TEST((list.state_at(start) == state::unlisted));
    BOOST_TEST((list.on_used(start) == action::list));
    BOOST_TEST((list.state_at(start) == state::listing));
    BOOST_TEST(!list.has_list());
}

BOOST_AUTO_TEST_CASE(uses_during_a_request_share_its_result)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    BOOST_TEST((list.on_used(start) == action::wait));
    list.on_page(10s, false, start);
    BOOST_TEST((list.on_used(start) == action::wait));
    list.on_complete();
    BOOST_TEST((list.on_used(start) == action::use));
    BOOST_TEST(list.has_list());
}

BOOST_AUTO_TEST_CASE(list_is_current_until_the_end_of_its_time_to_live)
{
    auto list = listed();
    BOOST_TEST((list.state_at(start + 10s - 1ns) == state::current));
    BOOST_TEST((list.state_at(start + 10s) == state::stale));
    BOOST_TEST((list.on_used(start + 10s - 1ns) == action::use));
    BOOST_TEST((list.on_used(start + 10s) == action::list));
}

BOOST_AUTO_TEST_CASE(each_page_has_its_own_time_to_live)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_page(20s, false, start);
    list.on_page(10s, false, start + 5s);
    list.on_page(60s, false, start + 6s);
    list.on_complete();
    BOOST_TEST((list.state_at(start + 15s - 1ns) == state::current));
    BOOST_TEST((list.state_at(start + 15s) == state::stale));
}

BOOST_AUTO_TEST_CASE(time_to_live_is_limited_and_has_a_default)
{
    BOOST_TEST((list_freshness({}, false) == 300s));
    BOOST_TEST((list_freshness({}, true) == 300s));
    BOOST_TEST((list_freshness(0s, true) == 300s));
    BOOST_TEST((list_freshness(0s, false) == 1s));
    BOOST_TEST((list_freshness(5s, true) == 5s));
    BOOST_TEST((list_freshness(48h, false) == 24h));
}

BOOST_AUTO_TEST_CASE(notification_makes_a_current_list_stale)
{
    auto list = listed();
    list.on_list_changed();
    BOOST_TEST((list.state_at(start) == state::stale));
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_page(10s, false, start);
    list.on_complete();
    BOOST_TEST((list.state_at(start) == state::current));
}

BOOST_AUTO_TEST_CASE(notification_during_a_request_makes_its_result_stale)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_list_changed();
    BOOST_TEST((list.state_at(start) == state::listing));
    list.on_page(10s, false, start);
    list.on_complete();
    BOOST_TEST((list.state_at(start) == state::stale));
    BOOST_TEST(list.has_list());
}

BOOST_AUTO_TEST_CASE(notification_before_the_first_request_has_no_effect)
{
    server_list list;
    list.on_list_changed();
    BOOST_TEST((list.state_at(start) == state::unlisted));
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_page(10s, false, start);
    list.on_complete();
    BOOST_TEST((list.state_at(start) == state::current));
}

BOOST_AUTO_TEST_CASE(failed_first_request_leaves_no_list)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_failed(start);
    BOOST_TEST((list.state_at(start) == state::unlisted));
    BOOST_TEST((list.on_used(start) == action::list));
}

BOOST_AUTO_TEST_CASE(failed_later_request_leaves_a_stale_list)
{
    auto list = listed();
    BOOST_TEST((list.on_used(start + 10s) == action::list));
    list.on_failed(start + 10s);
    BOOST_TEST((list.state_at(start + 10s) == state::stale));
    BOOST_TEST(list.has_list());
}

BOOST_AUTO_TEST_CASE(failure_at_each_page_leaves_no_current_list)
{
    for (int pages = 0; pages != 3; ++pages) {
        server_list list;
        BOOST_TEST((list.on_used(start) == action::list));
        for (int i = 0; i != pages; ++i)
            list.on_page(10s, false, start);
        list.on_failed(start);
        BOOST_TEST((list.state_at(start) == state::unlisted));
    }
}

BOOST_AUTO_TEST_CASE(pause_after_failures_doubles_until_a_complete_list)
{
    server_list list;
    BOOST_TEST(!list.is_pausing(start));
    for (auto const pause : {duration(1s), duration(2s), duration(4s)}) {
        BOOST_TEST((list.on_used(start) == action::list));
        list.on_failed(start);
        BOOST_TEST(list.is_pausing(start + pause - 1ns));
        BOOST_TEST(!list.is_pausing(start + pause));
    }
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_page(10s, false, start);
    list.on_complete();
    BOOST_TEST(!list.is_pausing(start));
}

BOOST_AUTO_TEST_CASE(reconnection_makes_a_current_list_stale)
{
    auto list = listed();
    list.on_reconnected();
    BOOST_TEST((list.state_at(start) == state::stale));
    BOOST_TEST(list.has_list());
}

BOOST_AUTO_TEST_CASE(reconnection_ends_an_outstanding_request)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_reconnected();
    BOOST_TEST((list.state_at(start) == state::unlisted));
    BOOST_TEST((list.on_used(start) == action::list));

    auto known = listed();
    BOOST_TEST((known.on_used(start + 10s) == action::list));
    known.on_reconnected();
    BOOST_TEST((known.state_at(start + 10s) == state::stale));
}

BOOST_AUTO_TEST_CASE(reconnection_ends_the_pause_after_a_failure)
{
    server_list list;
    BOOST_TEST((list.on_used(start) == action::list));
    list.on_failed(start);
    list.on_reconnected();
    BOOST_TEST(!list.is_pausing(start));
    BOOST_TEST((list.state_at(start) == state::unlisted));
}

BOOST_AUTO_TEST_SUITE_END()
