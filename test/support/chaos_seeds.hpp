#ifndef LINKSPAN_TEST_SUPPORT_CHAOS_SEEDS_HPP
#define LINKSPAN_TEST_SUPPORT_CHAOS_SEEDS_HPP

// The seeds of tests with seeded faults, which the environment can replace.

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <cstdlib>

namespace linkspan::inline LINKSPAN_ABI::test {

struct seed_range {
    std::uint64_t first, end; // `end` is not a seed of the range
};

// Returns the seeds from 1 to `count`. LINKSPAN_CHAOS_SEEDS replaces the number of seeds, and LINKSPAN_CHAOS_FIRST_SEED
// the first one.
inline seed_range chaos_seeds(std::uint64_t count)
{
    auto const number_in = [](char const* variable, std::uint64_t by_default) {
        auto const* const text = std::getenv(variable);
        return text ? std::strtoull(text, nullptr, 10) : by_default;
    };
    auto const first = number_in("LINKSPAN_CHAOS_FIRST_SEED", 1);
    return {first, first + number_in("LINKSPAN_CHAOS_SEEDS", count)};
}

} // namespace linkspan::test

#endif
