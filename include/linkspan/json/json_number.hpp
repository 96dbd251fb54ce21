#ifndef LINKSPAN_JSON_JSON_NUMBER_HPP
#define LINKSPAN_JSON_JSON_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <compare>
#include <cstddef>
#include <optional>

namespace linkspan {

/// Numbers by their value, whatever they are kept as: 1, 1.0 and 1e0 are one number. Preconditions: they are numbers.
LINKSPAN_DECL std::partial_ordering compare_numbers(boost::json::value const& a, boost::json::value const& b) noexcept;

/// Exact for integers, and for others as the shortest decimals that are read as them: 0.0075 is a multiple of 0.0001.
/// What a product is rounded to is one too: 3 * 0.1, which is not 0.3, of 0.1. Nothing is a multiple of 0.
LINKSPAN_DECL bool is_multiple(boost::json::value const& number, boost::json::value const& of) noexcept;

/// The nearest one, and the same for equal numbers. Precondition: it is a number.
LINKSPAN_DECL double as_double(boost::json::value const& number) noexcept;

/// A number without a fraction.
LINKSPAN_DECL bool is_integer(boost::json::value const& value) noexcept;

/// An integer that may count something; one that is too large for that becomes the largest. Nothing for other values.
LINKSPAN_DECL std::optional<std::size_t> read_count(boost::json::value const& value) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_number.ipp>
#endif

#endif
