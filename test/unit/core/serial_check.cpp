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

BOOST_AUTO_TEST_CASE(thread_can_enter_recursively_and_excludes_other_threads_until_it_leaves)
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
