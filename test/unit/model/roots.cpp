#include <linkspan/model/roots.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(roots_test)

using namespace linkspan;

BOOST_AUTO_TEST_CASE(roots_are_written_in_order)
{
    BOOST_TEST(roots::write({}, {}) == R"({"roots":[]})");
    roots_result two;
    two.roots = {{"file:///a", "A"}, {"file:///b", ""}};
    BOOST_TEST(roots::write(two, {}) == R"({"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"}]})");
}

BOOST_AUTO_TEST_SUITE_END()
