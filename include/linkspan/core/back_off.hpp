#ifndef LINKSPAN_CORE_BACK_OFF_HPP
#define LINKSPAN_CORE_BACK_OFF_HPP

#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the upper bound of the wait after a number of consecutive failures: `base`, doubled for each failure after
/// the first, but at most `cap`.
///
/// \param base Bound after the first failure.
/// \param cap Maximum of the returned value, also after the first failure.
/// \param failures Number of consecutive failures, at least 1. 0 has the same effect as 1.
constexpr duration doubled(duration base, duration cap, unsigned failures) noexcept
{
    auto span = std::min(base, cap);
    for (unsigned n = 1; n < failures && span < cap; ++n)
        span = span > cap / 2 ? cap : span * 2;
    return span;
}

/// Returns a uniformly distributed duration between 0 and `span`.
///
/// \param span Upper bound, not included; if it is 0, the function returns 0.
/// \param draw 64 random bits, of which the upper 53 are used.
constexpr duration random_share(duration span, std::uint64_t draw) noexcept
{
    auto const share = static_cast<double>(draw >> 11) * 0x1p-53; // 53 bits: [0, 1)
    return duration(static_cast<duration::rep>(static_cast<double>(span.count()) * share));
}

/// Returns a random wait between 0 and `doubled(base, cap, failures)`.
///
/// The library uses this wait between the attempts of calls: calls that failed at the same time are not retried at the
/// same time.
///
/// \param base Bound after the first failure.
/// \param cap Maximum of the wait.
/// \param failures Number of consecutive failures, at least 1.
/// \param draw 64 random bits, for example the result of `time_source::draw()`.
/// \par Specification
/// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
constexpr duration full_jitter(duration base, duration cap, unsigned failures, std::uint64_t draw) noexcept
{
    return random_share(doubled(base, cap, failures), draw);
}

/// Returns a random wait between `doubled(base, cap, failures) / 2` and `doubled(base, cap, failures)`.
///
/// The library uses this wait between restarts of a server, which need a minimum pause.
///
/// \param base Bound after the first failure.
/// \param cap Maximum of the wait.
/// \param failures Number of consecutive failures, at least 1.
/// \param draw 64 random bits, for example the result of `time_source::draw()`.
/// \par Specification
/// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
constexpr duration equal_jitter(duration base, duration cap, unsigned failures, std::uint64_t draw) noexcept
{
    auto const bound = doubled(base, cap, failures);
    return bound - random_share(bound / 2, draw);
}

} // namespace linkspan

#endif
