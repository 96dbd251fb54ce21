#include <linkspan/json/json_number.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <compare>
#include <cstddef>
#include <limits>
#include <string_view>

BOOST_AUTO_TEST_SUITE(json_number_test)

namespace json = boost::json;

namespace {

int compare(std::string_view a, std::string_view b)
{
    auto const order = linkspan::compare_numbers(json::parse({a.data(), a.size()}), json::parse({b.data(), b.size()}));
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

bool is_multiple(std::string_view number, std::string_view of)
{
    return linkspan::is_multiple(json::parse({number.data(), number.size()}), json::parse({of.data(), of.size()}));
}

} // namespace

BOOST_AUTO_TEST_CASE(numbers_are_compared_exactly_in_any_representation)
{
    constexpr std::string_view ascending[] = {"-1e300",
                                              "-9223372036854775808",
                                              "-9223372036854775807",
                                              "-1.5",
                                              "-1",
                                              "0",
                                              "0.5",
                                              "1",
                                              "9007199254740992",
                                              "9007199254740993",
                                              "9223372036854775807",
                                              "9223372036854775808",
                                              "18446744073709551615",
                                              "18446744073709551616",
                                              "1e300"};
    for (std::size_t i = 0; i != std::size(ascending); ++i)
        for (std::size_t k = 0; k != std::size(ascending); ++k)
            BOOST_TEST(compare(ascending[i], ascending[k]) == (i < k ? -1 : i > k),
                       ascending[i] << ' ' << ascending[k]);
    BOOST_TEST(compare("1", "1.0") == 0);
    BOOST_TEST(compare("9007199254740993", "9007199254740992.0") == 1);
    BOOST_TEST(compare("9223372036854775808", "9.223372036854775808e18") == 0);
    BOOST_TEST(compare("-9.223372036854775808e18", "-9223372036854775808") == 0);
}

// JSON numbers beyond the range of double are read as infinity.
BOOST_AUTO_TEST_CASE(multiples_of_infinity_and_nan)
{
    json::value const nan = std::numeric_limits<double>::quiet_NaN();
    for (auto const* const infinite : {"1e999", "-1e999"}) {
        BOOST_TEST(!is_multiple("1", infinite));
        BOOST_TEST(!is_multiple("1.5", infinite));
        BOOST_TEST(is_multiple("0", infinite));
        BOOST_TEST(!is_multiple(infinite, "1"));
        BOOST_TEST(!is_multiple(infinite, "0.5"));
        BOOST_TEST(!is_multiple(infinite, infinite));
    }
    for (json::value const& other : {json::value(1), json::value(1.5)}) {
        BOOST_TEST(!linkspan::is_multiple(other, nan));
        BOOST_TEST(!linkspan::is_multiple(nan, other));
    }
}

BOOST_AUTO_TEST_CASE(nan_is_unordered)
{
    json::value const nan = std::numeric_limits<double>::quiet_NaN();
    for (json::value const& other : {json::value(0), json::value(0U), json::value(1.5), nan}) {
        BOOST_TEST((linkspan::compare_numbers(other, nan) == std::partial_ordering::unordered));
        BOOST_TEST((linkspan::compare_numbers(nan, other) == std::partial_ordering::unordered));
    }
}

BOOST_AUTO_TEST_CASE(multiples_are_exact_for_integers_and_rounded_for_fractions)
{
    BOOST_TEST(is_multiple("10", "2"));
    BOOST_TEST(!is_multiple("7", "2"));
    BOOST_TEST(is_multiple("-9223372036854775808", "2"));
    BOOST_TEST(!is_multiple("9223372036854775807", "2"));
    BOOST_TEST(!is_multiple("18446744073709551615", "2"));
    BOOST_TEST(is_multiple("0", "3"));
    BOOST_TEST(is_multiple("4.0", "2"));
    BOOST_TEST(is_multiple("0.0075", "0.0001"));
    BOOST_TEST(!is_multiple("0.00751", "0.0001"));
    BOOST_TEST(is_multiple("12391239123", "1e-8"));
    BOOST_TEST(!is_multiple("35", "1.5"));
    BOOST_TEST(is_multiple("4.5", "1.5"));
    BOOST_TEST(is_multiple("1e308", "0.5"));
}

BOOST_AUTO_TEST_CASE(large_number_with_fraction_is_not_a_multiple_of_an_integer)
{
    BOOST_TEST(!is_multiple("2000000000000000.5", "1"));
    BOOST_TEST(!is_multiple("-2000000000000000.5", "1"));
    BOOST_TEST(!is_multiple("2000000000000000.5", "2.0"));
    BOOST_TEST(!is_multiple("2000000000000001.5", "3"));
    BOOST_TEST(!is_multiple("0.5", "18446744073709551615"));
    BOOST_TEST(is_multiple("9007199254740994.0", "2"));
    BOOST_TEST(!is_multiple("9007199254740993", "2.0"));
    BOOST_TEST(!is_multiple("9223372036854775807", "4611686018427387904.0"));
    BOOST_TEST(is_multiple("1e300", "1"));
    BOOST_TEST(is_multiple("1e300", "2e299"));
}

BOOST_AUTO_TEST_CASE(decimal_fraction_is_multiple_as_written)
{
    for (auto const of : {"0.1", "0.01", "0.05", "0.0001"}) {
        auto const unit = json::parse(of);
        auto const parts = of == std::string_view("0.05") ? 20 : of[3] == 0 ? 10 : of[4] == 0 ? 100 : 10'000;
        for (int i = 0; i != 3'000; ++i) {
            BOOST_TEST(linkspan::is_multiple(json::value(static_cast<double>(i) / parts), unit), i << " times " << of);
            BOOST_TEST(linkspan::is_multiple(json::value(i * unit.get_double()), unit), i << " times " << of);
        }
    }
    BOOST_TEST(is_multiple("4.02", "0.01"));
    BOOST_TEST(is_multiple("-0.3", "0.1"));
    BOOST_TEST(is_multiple("0.0", "0.1"));
    BOOST_TEST(is_multiple("1e-300", "1e-301"));
    BOOST_TEST(is_multiple("12345678901234567890", "0.1"));
    BOOST_TEST(!is_multiple("4.0200000001", "0.01"));
    for (auto const zero : {"0", "0.0", "-0.0"})
        BOOST_TEST(!is_multiple("3", zero));
    BOOST_TEST(!linkspan::is_multiple(json::value(2000000000000000.25), json::value(0.5)));
    BOOST_TEST(!is_multiple("1e-301", "1e-300"));
    BOOST_TEST(!is_multiple("1e308", "0.123456789"));
    BOOST_TEST(!is_multiple("12345678901234567891", "0.3"));
    BOOST_TEST(!is_multiple("1152921504606846977", "0.3"));
}

BOOST_AUTO_TEST_CASE(number_without_fraction_is_an_integer)
{
    for (auto const text : {"1", "1.0", "-3e2", "18446744073709551615", "1e300"})
        BOOST_TEST(linkspan::is_integer(json::parse(text)), text);
    for (auto const text : {"1.5", "1e-3", "\"1\"", "null"})
        BOOST_TEST(!linkspan::is_integer(json::parse(text)), text);
}

BOOST_AUTO_TEST_CASE(count_is_a_non_negative_integer)
{
    BOOST_TEST(linkspan::read_count(json::value(3)).value() == 3U);
    BOOST_TEST(linkspan::read_count(json::value(3.0)).value() == 3U);
    BOOST_TEST(linkspan::read_count(json::value(1e300)).value() == std::numeric_limits<std::size_t>::max());
    for (auto const text : {"-1", "0.5", "\"1\"", "null", "-1e300"})
        BOOST_TEST(!linkspan::read_count(json::parse(text)), text);
}

BOOST_AUTO_TEST_SUITE_END()
