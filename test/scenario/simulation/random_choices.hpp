#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_RANDOM_CHOICES_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_RANDOM_CHOICES_HPP

#include <linkspan/core/fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// Source of all random values of a scenario, derived from its seed. Distributions are implemented here, because those
// of the standard library are implementation-defined.
class random_choices {
public:
    explicit random_choices(std::uint64_t seed) : bits_(seed) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }
    std::size_t between(std::size_t min, std::size_t max) { return min + below(max - min + 1); }
    bool chance(unsigned percent) { return below(100) < percent; }

    // Whole milliseconds, so that events sometimes coincide.
    duration span(duration min, duration max)
    {
        using std::chrono::milliseconds;
        auto const steps = std::chrono::duration_cast<milliseconds>(max - min).count();
        return min + milliseconds(static_cast<std::int64_t>(below(static_cast<std::size_t>(steps) + 1)));
    }

    template<class T>
    T one_of(std::initializer_list<T> of)
    {
        return *std::next(of.begin(), static_cast<std::ptrdiff_t>(below(of.size())));
    }

private:
    std::mt19937_64 bits_;
};

} // namespace linkspan::test::simulation

#endif
