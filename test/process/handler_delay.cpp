// The delay of the handlers of a context, in real time.

#include <linkspan/observe/handler_delay.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

BOOST_AUTO_TEST_SUITE(handler_delay_test)

BOOST_AUTO_TEST_CASE(handler_that_blocks_delays_the_others)
{
    using namespace std::chrono_literals;
    boost::asio::io_context context{1};
    linkspan::handler_delay delay(context.get_executor(), 1ms);
    delay.start();
    boost::asio::post(context, [] {
        auto const end = std::chrono::steady_clock::now() + 50ms;
        while (std::chrono::steady_clock::now() < end) {
        }
    });
    while (delay.last() == 0s)
        BOOST_TEST_REQUIRE(context.run_one_for(10s) == 1u);
    BOOST_TEST((delay.last() >= 49ms)); // the timer expired after 1 ms
    delay.stop();
    BOOST_TEST((delay.take_max() >= 49ms));
    BOOST_TEST((delay.take_max() == 0s));
}

BOOST_AUTO_TEST_SUITE_END()
