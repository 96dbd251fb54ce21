#include <linkspan/transport/stdio/stdio_config.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

BOOST_AUTO_TEST_SUITE(stdio_config_test)

using namespace std::chrono_literals;

// S4-35
BOOST_AUTO_TEST_CASE(sigkill_comes_five_seconds_after_the_end_of_input_and_sigterm_after_two)
{
    linkspan::stdio_config const config;
    BOOST_TEST((config.close_grace == 2s));
    BOOST_TEST((config.close_grace + config.term_grace == 5s));
}

BOOST_AUTO_TEST_SUITE_END()
