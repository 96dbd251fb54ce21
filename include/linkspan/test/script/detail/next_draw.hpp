#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_NEXT_DRAW_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_NEXT_DRAW_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns 64 random bits for an action, which depend on the seed and the number of the draw. The seed is mixed first:
// the sequences of two seeds would else be the same, shifted by the difference of the seeds.
inline std::uint64_t next_draw(script_values& from) { return draws(draws(from.seed)() ^ ++from.drawn)(); }

// Converts 64 random bits to a number from 0 to 1, without 1.
inline double unit_interval(std::uint64_t bits)
{
    return static_cast<double>(bits >> 11) / 9007199254740992.0; // 2 to the power of 53
}

} // namespace linkspan::test::detail

#endif
