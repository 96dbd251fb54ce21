#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_LIMITS_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_LIMITS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Limits of a `sampler` for one call of `next()`. Exceeding a limit ends the current trial, or completes the call
/// without a value.
struct sample_limits {
    /// Maximum number of trials. A trial generates one value and validates it. Default: 200.
    std::size_t max_trials = 200;

    /// Maximum number of JSON values in a generated value, including the members and items of arrays and objects.
    /// Default: 10,000.
    std::size_t max_values = 10'000;

    /// Maximum nesting depth of a generated value. Default: 64.
    std::size_t max_depth = 64;

    /// Maximum `minLength` of a string, in characters. Default: 1,000,000.
    std::size_t max_text = 1'000'000;

    /// Maximum number of steps in all trials together. Each schema that is applied counts as one step; patterns and
    /// comparisons of values cost further steps. Default: 300,000.
    std::size_t max_steps = 300'000;

    /// Maximum number of validation steps for one trial, see `schema_options::max_steps`. The smaller limit applies.
    /// Default: 1,000,000.
    std::size_t max_checking = 1'000'000;
};

} // namespace linkspan::test

#endif
