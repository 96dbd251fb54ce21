#include <linkspan/core/detail/deadline_timer.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(deadline_timer_test)

using linkspan::error_code;
using linkspan::time_point;
using linkspan::detail::deadline_timer;
using linkspan::test::virtual_time;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct fixture {
    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    deadline_timer timer{context.get_executor()};
    std::string log; // name and second of each expiry; '!': cancelled

    void arm(std::chrono::seconds after, char name)
    {
        timer.arm(time_point(after), [this, name](error_code ec) {
            log += name;
            if (ec) {
                BOOST_TEST((ec == asio::error::operation_aborted));
                log += '!';
                return;
            }
            log +=
                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time.now().time_since_epoch()).count());
            timer.on_expiry();
        });
    }

    void run() { time.run_until_idle(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(timer_is_armed_for_its_deadline_and_later_ones, fixture)
{
    BOOST_TEST(!timer.is_armed_for(time_point(3s)));
    BOOST_TEST(timer.is_armed_for(time_point::max())); // no deadline
    arm(3s, 'a');
    BOOST_TEST(timer.is_armed_for(time_point(3s)));
    BOOST_TEST(timer.is_armed_for(time_point(4s)));
    BOOST_TEST(!timer.is_armed_for(time_point(2s)));
    run();
    BOOST_TEST(log == "a3");
}

BOOST_FIXTURE_TEST_CASE(timer_is_not_armed_after_its_expiry, fixture)
{
    arm(3s, 'a');
    run();
    BOOST_TEST(!timer.is_armed_for(time_point(5s)));
    arm(5s, 'b');
    run();
    BOOST_TEST(log == "a3b5");
}

BOOST_FIXTURE_TEST_CASE(earlier_deadline_cancels_the_wait_for_a_later_one, fixture)
{
    arm(5s, 'a');
    arm(2s, 'b');
    run();
    BOOST_TEST(log == "a!b2");
}

BOOST_FIXTURE_TEST_CASE(cancelled_timer_is_not_armed, fixture)
{
    arm(5s, 'a');
    timer.cancel();
    BOOST_TEST(!timer.is_armed_for(time_point(5s)));
    run();
    BOOST_TEST(log == "a!");
    timer.cancel(); // has no effect
    arm(6s, 'b');
    run();
    BOOST_TEST(log == "a!b6");
}

BOOST_AUTO_TEST_CASE(timer_is_not_armed_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation(
        [](linkspan::test::step_failure& fail_in) {
            fixture own;
            bool const is_armed = fail_in([&] { own.arm(3s, 'a'); });
            BOOST_TEST(own.timer.is_armed_for(time_point(3s)) == is_armed);
            if (!is_armed)
                own.arm(3s, 'a');
            own.run();
            BOOST_TEST(own.log == "a3");
        },
        linkspan::test::failing::one_or_handler);
}

BOOST_AUTO_TEST_SUITE_END()
