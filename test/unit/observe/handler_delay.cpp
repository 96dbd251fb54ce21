#include <linkspan/observe/handler_delay.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>

BOOST_AUTO_TEST_SUITE(handler_delay_test)

using namespace std::chrono_literals;
using linkspan::handler_delay;
using linkspan::test::virtual_time;

namespace {

struct fixture {
    boost::asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    std::optional<handler_delay> delay{std::in_place, context.get_executor(), 10s};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_measurement_is_outstanding_until_the_stop, fixture)
{
    BOOST_TEST(time.pending() == 0u);
    delay->start();
    delay->start();
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(time.pending() == 1u);
        time.run_for(10s);
    }
    BOOST_TEST((delay->last() == 0s)); // handlers need no virtual time
    BOOST_TEST((delay->take_max() == 0s));
    delay->stop();
    time.run_until_idle();
    BOOST_TEST(time.pending() == 0u);
}

BOOST_FIXTURE_TEST_CASE(measurements_can_be_started_again, fixture)
{
    delay->start();
    time.run_for(5s);
    delay->stop();
    delay->start();
    time.run_for(9s);
    BOOST_TEST(time.pending() == 1u);
    time.run_for(1h);
    BOOST_TEST(time.pending() == 1u);
}

BOOST_FIXTURE_TEST_CASE(destruction_ends_the_measurements, fixture)
{
    delay->start();
    time.run_for(10s);
    delay.reset();
    time.run_until_idle();
    BOOST_TEST(time.pending() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
