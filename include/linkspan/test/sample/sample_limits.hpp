#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_LIMITS_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_LIMITS_HPP

#include <cstddef>

namespace linkspan::test {

/// How far a sampler goes for one value.
struct sample_limits {
    std::size_t max_trials = 200;         ///< values that turned out not to be valid
    std::size_t max_values = 10'000;      ///< in each other
    std::size_t max_depth = 64;           ///< of values in each other
    std::size_t max_text = 1'000'000;     ///< characters of one string, where that many are wanted
    std::size_t max_steps = 300'000;      ///< schemas looked at, in all trials together
    std::size_t max_checking = 1'000'000; ///< see `schema_options::max_steps`
};

} // namespace linkspan::test

#endif
