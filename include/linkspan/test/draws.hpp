#ifndef LINKSPAN_TEST_DRAWS_HPP
#define LINKSPAN_TEST_DRAWS_HPP

#include <cstddef>
#include <cstdint>

namespace linkspan::test {

/// Chance that repeats with its seed, on every machine and with every standard library: SplitMix64 (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014).
class draws {
public:
    explicit draws(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t operator()() noexcept
    {
        auto mixed = state_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
        return mixed ^ mixed >> 31;
    }

    /// Precondition: `count` is not 0.
    std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>((*this)() % count); }

    bool one_in(std::size_t count) noexcept { return below(count) == 0; }

    /// Precondition: `some` is not empty.
    template<class Range>
    auto const& pick(Range const& some) noexcept
    {
        return some[below(some.size())];
    }

private:
    std::uint64_t state_;
};

} // namespace linkspan::test

#endif
