#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_NUMBER_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/draws.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Constraints on a number, collected from all schemas that apply to it.
///
/// All elements of the vectors are JSON numbers, and those of `multiple_of` are greater than 0. An empty vector is no
/// constraint.
struct number_demand {
    bool is_integer = false;                     ///< whether the number must have no fraction
    std::vector<boost::json::value> minimum;     ///< inclusive lower bounds (`minimum`)
    std::vector<boost::json::value> above;       ///< exclusive lower bounds (`exclusiveMinimum`)
    std::vector<boost::json::value> maximum;     ///< inclusive upper bounds (`maximum`)
    std::vector<boost::json::value> below;       ///< exclusive upper bounds (`exclusiveMaximum`)
    std::vector<boost::json::value> multiple_of; ///< divisors (`multipleOf`)

    /// Returns whether `number` satisfies all constraints. `number` is a JSON number.
    LINKSPAN_DECL bool matches(boost::json::value const& number) const noexcept;
};

/// Returns a number that satisfies `demand`.
///
/// Candidates are the bounds, their neighbours, the limits of 53 and 64 bits, and random numbers between the bounds.
/// Integers in the range of `std::int64_t` are returned as that type, occasionally as a `double` without a fraction.
///
/// \param demand Constraints on the number.
/// \param is_short Whether to return the candidate with the shortest text instead of a random one.
/// \param draw Source of random choices.
/// \returns Empty if no candidate satisfies the constraints.
LINKSPAN_DECL std::optional<boost::json::value> sample_number(number_demand const& demand, bool is_short, draws& draw);

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_number.ipp>
#endif

#endif
