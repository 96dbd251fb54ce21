#ifndef LINKSPAN_JSON_JSON_NUMBER_HPP
#define LINKSPAN_JSON_JSON_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <compare>
#include <cstddef>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {

/// Compares two numbers by value, independently of their storage: 1, 1.0 and 1e0 are equal.
///
/// The comparison of an integer with a `double` is exact.
/// \returns The order; `unordered` if one of the numbers is NaN.
/// \par Preconditions
/// `a.is_number() && b.is_number()`.
LINKSPAN_DECL std::partial_ordering compare_numbers(boost::json::value const& a, boost::json::value const& b) noexcept;

/// Returns true if `number` is a multiple of `divisor`, as defined for the keyword `multipleOf` of JSON Schema.
///
/// The result is exact for integers. A number with a fraction is interpreted as the shortest decimal number that
/// converts to the same `double`, so that 0.0075 is a multiple of 0.0001. The product of an integer and `divisor`,
/// computed and rounded as a `double`, is a multiple too: the `double` 3 * 0.1, which differs from the `double` 0.3, is
/// a multiple of 0.1. No number is a multiple of 0, infinity or NaN, except that 0 is a multiple of infinity. Infinity
/// and NaN are multiples of no number.
/// \par Preconditions
/// `number.is_number() && divisor.is_number()`.
LINKSPAN_DECL bool is_multiple(boost::json::value const& number, boost::json::value const& divisor) noexcept;

/// Returns the `double` that is nearest to `number`. The result is the same for numbers that `compare_numbers` regards
/// as equal.
/// \par Preconditions
/// `number.is_number()`.
LINKSPAN_DECL double as_double(boost::json::value const& number) noexcept;

/// Returns true if `value` is a finite number without a fractional part. 3.0 and 1e3 are integers.
LINKSPAN_DECL bool is_integer(boost::json::value const& value) noexcept;

/// Returns the value of an integer that is not negative, and `std::nullopt` for other values.
///
/// An integer above the range of `std::size_t` becomes the maximum of `std::size_t`.
LINKSPAN_DECL std::optional<std::size_t> read_count(boost::json::value const& value) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_number.ipp>
#endif

#endif
