#include <linkspan/connector/detail/connector_epoch.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(connector_epoch_test)

using linkspan::detail::connector_epoch;

BOOST_AUTO_TEST_CASE(new_connector_is_not_closed)
{
    connector_epoch epoch;
    auto const start = epoch.now();
    BOOST_TEST(!epoch.is_closed());
    BOOST_TEST(!epoch.was_opened_since(start));
    BOOST_TEST(!epoch.was_closed_since(start));
}

BOOST_AUTO_TEST_CASE(close_is_detected_by_earlier_operations_only)
{
    connector_epoch epoch;
    auto const before = epoch.now();
    epoch.on_close();
    epoch.on_ended();
    BOOST_TEST(epoch.is_closed());
    BOOST_TEST(epoch.was_closed_since(before));
    BOOST_TEST(!epoch.was_closed_since(epoch.now()));
    BOOST_TEST(!epoch.was_opened_since(before));
}

BOOST_AUTO_TEST_CASE(end_of_a_shutdown_is_not_recorded_as_a_close)
{
    connector_epoch epoch;
    auto const before = epoch.now();
    epoch.on_ended();
    BOOST_TEST(epoch.is_closed());
    BOOST_TEST(!epoch.was_closed_since(before));
}

BOOST_AUTO_TEST_CASE(opening_ends_the_closed_state_and_is_detected)
{
    connector_epoch epoch;
    epoch.on_close();
    epoch.on_ended();
    auto const before = epoch.now();
    epoch.on_opening();
    BOOST_TEST(!epoch.is_closed());
    BOOST_TEST(epoch.was_opened_since(before));
    BOOST_TEST(!epoch.was_closed_since(before));
}

BOOST_AUTO_TEST_CASE(operations_have_distinct_numbers_from_one)
{
    connector_epoch epoch;
    BOOST_TEST(epoch.next_operation() == 1u);
    BOOST_TEST(epoch.next_operation() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
