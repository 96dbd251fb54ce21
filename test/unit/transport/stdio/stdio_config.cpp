#include <linkspan/transport/stdio/stdio_config.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

BOOST_AUTO_TEST_SUITE(stdio_config_test)

using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(default_grace_times_are_two_seconds_to_sigterm_and_five_to_sigkill)
{
    linkspan::stdio_config const config;
    BOOST_TEST((config.close_grace == 2s));
    BOOST_TEST((config.close_grace + config.term_grace == 5s));
}

BOOST_AUTO_TEST_SUITE_END()
