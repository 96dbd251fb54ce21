#include <linkspan/core/nearest_names.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(nearest_names_test)

using linkspan::edit_distance;
using linkspan::nearest_names;
namespace data = boost::unit_test::data;

namespace {

struct distance_row {
    char const *a, *b;
    std::size_t distance;
};

std::ostream& operator<<(std::ostream& out, distance_row const& row) { return out << row.a << ", " << row.b; }

constexpr distance_row distances[] = {
    {"", "", 0},         {"", "abc", 3},    {"abc", "abc", 0},         {"abc", "abd", 1},   {"abc", "ab", 1},
    {"abc", "xabc", 1},  {"abc", "xyz", 3}, {"kitten", "sitting", 3},  {"flaw", "lawn", 2}, {"ab", "ba", 2},
    {"read", "Read", 1}, {"a", "aaaa", 3},  {"saturday", "sunday", 3},
};

using texts = std::vector<std::string>;

} // namespace

BOOST_DATA_TEST_CASE(the_distance_counts_single_changes, data::make(distances))
{
    BOOST_TEST(edit_distance(sample.a, sample.b) == sample.distance);
    BOOST_TEST(edit_distance(sample.b, sample.a) == sample.distance);
}

BOOST_AUTO_TEST_CASE(the_most_alike_come_first)
{
    texts const known{"pricing", "prince", "price", "prices"};
    BOOST_TEST(nearest_names("price", known, 3) == (texts{"price", "prices", "prince"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_that_are_equally_alike_come_in_their_own_order)
{
    texts const known{"cat", "bat", "hat"};
    BOOST_TEST(nearest_names("fat", known, 3) == (texts{"bat", "cat", "hat"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(at_most_half_of_the_name_is_different)
{
    BOOST_TEST(nearest_names("abcd", texts{"abxy"}, 3).size() == 1u);
    BOOST_TEST(nearest_names("abcd", texts{"axyz"}, 3).empty());
    BOOST_TEST(nearest_names("abcde", texts{"abxyz"}, 3).empty());
}

BOOST_AUTO_TEST_CASE(a_name_of_one_letter_may_be_wrong_by_one)
{
    BOOST_TEST(nearest_names("a", texts{"b"}, 3).size() == 1u);
    BOOST_TEST(nearest_names("a", texts{"bc"}, 3).empty());
}

BOOST_AUTO_TEST_CASE(no_more_than_asked_for_and_no_more_than_there_are)
{
    texts const known{"aa", "ab", "ac"};
    BOOST_TEST(nearest_names("aa", known, 0).empty());
    BOOST_TEST(nearest_names("aa", known, 2).size() == 2u);
    BOOST_TEST(nearest_names("aa", known, 9).size() == 3u);
    BOOST_TEST(nearest_names("aa", texts{}, 3).empty());
}

BOOST_AUTO_TEST_SUITE_END()
