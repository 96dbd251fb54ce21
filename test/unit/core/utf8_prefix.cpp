#include <linkspan/core/detail/utf8_prefix.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

BOOST_AUTO_TEST_SUITE(utf8_prefix_test)

using linkspan::detail::utf8_prefix;

BOOST_AUTO_TEST_CASE(short_text_is_returned_whole)
{
    BOOST_TEST(utf8_prefix("", 0) == "");
    BOOST_TEST(utf8_prefix("abc", 3) == "abc");
    BOOST_TEST(utf8_prefix("abc", 4) == "abc");
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_between_two_characters)
{
    constexpr std::string_view text = "a\xe2\x82\xac\xc3\xa9z"; // characters of 1, 3, 2 and 1 bytes
    constexpr std::size_t sizes[] = {0, 1, 1, 1, 4, 4, 6, 7};
    for (std::size_t max = 0; max != std::size(sizes); ++max)
        BOOST_TEST(utf8_prefix(text, max) == text.substr(0, sizes[max]), max);
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_is_cut_at_most_at_the_size)
{
    BOOST_TEST(utf8_prefix("\x80\x80\x80", 2) == "");
    BOOST_TEST(utf8_prefix("\xff\xff\xff", 2) == "\xff\xff");
}

BOOST_AUTO_TEST_SUITE_END()
