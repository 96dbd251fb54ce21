#ifndef LINKSPAN_CORE_DETAIL_DRAW_PAIR_HPP
#define LINKSPAN_CORE_DETAIL_DRAW_PAIR_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::detail {

struct index_pair {
    std::size_t first, second;
};

// Returns two different indexes below `size`, which is at least 2. All pairs are about equally probable for a uniformly
// distributed `draw`.
constexpr index_pair draw_pair(std::uint64_t draw, std::size_t size) noexcept
{
    auto const first = static_cast<std::size_t>(draw % size);
    auto const second = static_cast<std::size_t>((draw >> 32) % (size - 1));
    return {first, second + (second >= first ? 1 : 0)};
}

} // namespace linkspan::detail

#endif
