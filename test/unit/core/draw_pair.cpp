#include <linkspan/core/detail/draw_pair.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

BOOST_AUTO_TEST_SUITE(draw_pair_test)

using linkspan::detail::draw_pair;

BOOST_AUTO_TEST_CASE(indexes_of_a_pair_are_different_and_below_the_size)
{
    std::mt19937_64 random(1);
    for (std::size_t const size : {2u, 3u, 17u, 1000u})
        for (int i = 0; i != 1000; ++i) {
            auto const [first, second] = draw_pair(random(), size);
            BOOST_TEST(first != second);
            BOOST_TEST(first < size);
            BOOST_TEST(second < size);
        }
}

BOOST_AUTO_TEST_CASE(extreme_draws_make_valid_pairs)
{
    for (std::uint64_t const draw : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 32}) {
        auto const [first, second] = draw_pair(draw, 2);
        BOOST_TEST(first + second == 1u);
    }
}

BOOST_AUTO_TEST_CASE(each_ordered_pair_is_about_equally_frequent)
{
    std::mt19937_64 random(1);
    std::map<std::pair<std::size_t, std::size_t>, int> counts;
    for (int i = 0; i != 12'000; ++i) {
        auto const [first, second] = draw_pair(random(), 4);
        ++counts[{first, second}];
    }
    BOOST_TEST(counts.size() == 12u);
    for (auto const& [pair, count] : counts)
        BOOST_TEST((count > 850 && count < 1150), pair.first << ' ' << pair.second << ": " << count);
}

BOOST_AUTO_TEST_SUITE_END()
