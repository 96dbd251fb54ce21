#include <linkspan/core/similar_names.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(similar_names_test)

using linkspan::edit_distance;
using linkspan::similar_names;
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

BOOST_DATA_TEST_CASE(edit_distance_counts_single_edits, data::make(distances))
{
    BOOST_TEST(edit_distance(sample.a, sample.b) == sample.distance);
    BOOST_TEST(edit_distance(sample.b, sample.a) == sample.distance);
}

BOOST_AUTO_TEST_CASE(similar_names_are_sorted_by_distance)
{
    texts const known{"pricing", "prince", "price", "prices"};
    BOOST_TEST(similar_names("price", known, 3) == (texts{"price", "prices", "prince"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_of_equal_distance_are_sorted_alphabetically)
{
    texts const known{"cat", "bat", "hat"};
    BOOST_TEST(similar_names("fat", known, 3) == (texts{"bat", "cat", "hat"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(name_that_is_known_twice_is_returned_once)
{
    texts const known{"cat", "bat", "cat", "hat", "bat"};
    BOOST_TEST(similar_names("fat", known, 2) == (texts{"bat", "cat"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(name_with_more_than_half_of_its_characters_different_is_omitted)
{
    BOOST_TEST(similar_names("abcd", texts{"abxy"}, 3).size() == 1u);
    BOOST_TEST(similar_names("abcd", texts{"axyz"}, 3).empty());
    BOOST_TEST(similar_names("abcde", texts{"abxyz"}, 3).empty());
}

BOOST_AUTO_TEST_CASE(one_letter_name_matches_other_one_letter_names)
{
    BOOST_TEST(similar_names("a", texts{"b"}, 3).size() == 1u);
    BOOST_TEST(similar_names("a", texts{"bc"}, 3).empty());
}

BOOST_AUTO_TEST_CASE(number_of_similar_names_is_limited)
{
    texts const known{"aa", "ab", "ac"};
    BOOST_TEST(similar_names("aa", known, 0).empty());
    BOOST_TEST(similar_names("aa", known, 2).size() == 2u);
    BOOST_TEST(similar_names("aa", known, 9).size() == 3u);
    BOOST_TEST(similar_names("aa", texts{}, 3).empty());
}

BOOST_AUTO_TEST_SUITE_END()
