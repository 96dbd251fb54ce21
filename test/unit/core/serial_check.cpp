#include <linkspan/core/detail/serial_check.hpp>

#include <boost/test/unit_test.hpp>

#include <thread>

BOOST_AUTO_TEST_SUITE(serial_check_test)

using linkspan::detail::serial_check;

namespace {

bool enters_on_another_thread(serial_check& check)
{
    bool entered = false;
    std::thread([&] {
        entered = check.enter();
        if (entered)
            check.leave();
    }).join();
    return entered;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_thread_may_enter_again_and_another_only_when_it_has_left)
{
    serial_check check;
    BOOST_TEST(enters_on_another_thread(check));
    BOOST_TEST(check.enter());
    BOOST_TEST(check.enter());
    BOOST_TEST(!enters_on_another_thread(check));
    check.leave();
    BOOST_TEST(!enters_on_another_thread(check));
    check.leave();
    BOOST_TEST(enters_on_another_thread(check));
}

BOOST_AUTO_TEST_SUITE_END()
