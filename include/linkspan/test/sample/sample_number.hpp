#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_NUMBER_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/draws.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <vector>

namespace linkspan::test {

/// What a number has to be. The values are numbers; those of `multiple_of` are above 0.
struct number_demand {
    bool is_integer = false;
    std::vector<boost::json::value> minimum, above, maximum, below, multiple_of;

    LINKSPAN_DECL bool fits(boost::json::value const& number) const noexcept;
};

/// Numbers at the bounds, just within, at the limits of 53 and 64 bits, and between. Integers are `std::int64_t` where
/// they can be, or once in a while a double without a fraction. Nothing where no number was found that fits.
LINKSPAN_DECL std::optional<boost::json::value> sample_number(number_demand const& demand, bool is_short, draws& draw);

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_number.ipp>
#endif

#endif
