#include <linkspan/transport/stdio_config.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(stdio_config_test)

// S4-35: both together end a server within the five seconds of the source
BOOST_AUTO_TEST_CASE(a_server_has_two_seconds_after_the_end_of_its_input_and_two_after_sigterm)
{
    linkspan::stdio_config const config;
    BOOST_TEST((config.close_grace == 2s));
    BOOST_TEST((config.term_grace == 2s));
}

BOOST_AUTO_TEST_SUITE_END()
