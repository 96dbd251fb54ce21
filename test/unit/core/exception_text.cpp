#include <linkspan/core/detail/exception_text.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(exception_text_test)

namespace {

template<class Thrown>
std::string text_of(Thrown const& thrown)
{
    try {
        throw thrown;
    } catch (...) {
        return linkspan::detail::exception_text();
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(text_is_the_message_of_a_standard_exception)
{
    BOOST_TEST(text_of(std::runtime_error("no pipe")) == "no pipe");
}

BOOST_AUTO_TEST_CASE(exception_of_another_type_has_a_fixed_text)
{
    BOOST_TEST(text_of(7) == "an exception was thrown that is not derived from std::exception");
}

BOOST_AUTO_TEST_SUITE_END()
