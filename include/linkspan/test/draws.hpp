#ifndef LINKSPAN_TEST_DRAWS_HPP
#define LINKSPAN_TEST_DRAWS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::test {

/// A pseudorandom number generator whose output depends on the seed only, not on the platform or the standard library.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). The
/// generator is not suitable for secrets.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class draws {
public:
    /// Starts the sequence that belongs to `seed`.
    explicit draws(std::uint64_t seed) noexcept : state_(seed) {}

    /// Returns the next 64 uniformly distributed bits.
    std::uint64_t operator()() noexcept
    {
        auto mixed = state_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
        return mixed ^ mixed >> 31;
    }

    /// Returns a number from 0 to `count - 1`. The distribution has the bias of the modulo operation.
    ///
    /// \par Preconditions
    /// `count` is not 0.
    std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>((*this)() % count); }

    /// Returns true with a probability of 1 in `count`.
    ///
    /// \par Preconditions
    /// `count` is not 0.
    bool one_in(std::size_t count) noexcept { return below(count) == 0; }

    /// Returns one element of `some`, chosen at random. The reference is valid as long as the element.
    ///
    /// \tparam Range A random-access range with `size()` and `operator[]`.
    /// \par Preconditions
    /// `some` is not empty.
    template<class Range>
    auto const& pick(Range const& some) noexcept
    {
        return some[below(some.size())];
    }

private:
    std::uint64_t state_; // seed, advanced by each draw
};

} // namespace linkspan::test

#endif
