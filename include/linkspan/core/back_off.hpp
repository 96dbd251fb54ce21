#ifndef LINKSPAN_CORE_BACK_OFF_HPP
#define LINKSPAN_CORE_BACK_OFF_HPP

#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <cstdint>

namespace linkspan {

/// `base`, doubled with each try after the first, `cap` at most; `tries` counts from 1.
constexpr duration doubled(duration base, duration cap, unsigned tries) noexcept
{
    auto span = std::min(base, cap);
    for (unsigned n = 1; n < tries && span < cap; ++n)
        span = span > cap / 2 ? cap : span * 2;
    return span;
}

/// A share of `span` between nothing and all of it. `draw`: 64 random bits.
constexpr duration random_share(duration span, std::uint64_t draw) noexcept
{
    auto const share = static_cast<double>(draw >> 11) * 0x1p-53; // 53 bits: [0, 1)
    return duration(static_cast<duration::rep>(static_cast<double>(span.count()) * share));
}

/// A random wait between nothing and `base` doubled with each try, `cap` at most: for calls, which shall not come back
/// together. `draw`: 64 random bits; `tries` counts from 1.
///
/// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
constexpr duration full_jitter(duration base, duration cap, unsigned tries, std::uint64_t draw) noexcept
{
    return random_share(doubled(base, cap, tries), draw);
}

/// The same between half of it and all of it: for restarts, which need a pause.
constexpr duration equal_jitter(duration base, duration cap, unsigned tries, std::uint64_t draw) noexcept
{
    auto const most = doubled(base, cap, tries);
    return most - random_share(most / 2, draw);
}

} // namespace linkspan

#endif
