#ifndef LINKSPAN_JSON_DETAIL_WRITTEN_NUMBER_HPP
#define LINKSPAN_JSON_DETAIL_WRITTEN_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Number of a JSON text. Exact for integers of 64 bits in any form, for example 1e3 and 3.0; otherwise a double.
//
// Invariant: `kind_` selects the member that contains the value.
class written_number {
public:
    written_number() = default;
    written_number(std::int64_t value) noexcept : kind_(kind::integer), integer_(value) {}
    written_number(std::uint64_t value) noexcept : kind_(kind::large), large_(value) {}
    written_number(double value) noexcept : kind_(kind::real), real_(value) {}
    LINKSPAN_DECL written_number(float value) noexcept; // reads the shortest text of `value`: 0.1F is 0.1

    // Reads a number. Precondition: `text` is a number in the grammar of JSON.
    LINKSPAN_DECL static written_number read(std::string_view text) noexcept;

    // Converts the number to an integer. Returns false if the number is not an integer or is out of range. 3.0 is an
    // integer.
    template<std::integral Integer>
    bool to(Integer& out) const noexcept
    {
        using limits = std::numeric_limits<Integer>;
        if (kind_ == kind::real) {
            // 2^digits is exact as a double; the maximum of `Integer`, which is one less, may not be exact.
            auto const end = std::ldexp(1.0, limits::digits);
            auto const begin = limits::is_signed ? -end : 0.0;
            if (is_rounded_ || !(real_ >= begin && real_ < end) || std::trunc(real_) != real_)
                return false;
            out = static_cast<Integer>(real_);
            return true;
        }
        if (kind_ == kind::large) {
            if (!std::in_range<Integer>(large_))
                return false;
            out = static_cast<Integer>(large_);
            return true;
        }
        if (!std::in_range<Integer>(integer_))
            return false;
        out = static_cast<Integer>(integer_);
        return true;
    }

    bool is_infinite() const noexcept { return kind_ == kind::real && std::isinf(real_); }
    bool is_whole() const noexcept { return kind_ != kind::real || std::trunc(real_) == real_; }

    double to_double() const noexcept
    {
        return kind_ == kind::real    ? real_
               : kind_ == kind::large ? static_cast<double>(large_)
                                      : static_cast<double>(integer_);
    }

    // Returns the number with the type that a parser without a schema chooses: 3.0 is a double.
    boost::json::value to_json() const { return looks_real_ ? boost::json::value(to_double()) : to_stored(); }

    // Returns the number with the kind that it was stored with: an integer for 3 and 3.0, a double for 3e0.
    boost::json::value to_stored() const
    {
        return kind_ == kind::real    ? boost::json::value(real_)
               : kind_ == kind::large ? boost::json::value(large_)
                                      : boost::json::value(integer_);
    }

    LINKSPAN_DECL std::string to_string() const;

private:
    // `large`: an integer above the range of std::int64_t.
    enum class kind { integer, large, real };

    // Set by read(). Invariant: the member for `kind_` has the value; the two others are not used.
    kind kind_ = kind::integer;
    bool looks_real_ = false;  // set by read() if a number with a fraction or exponent is stored as an integer
    bool is_rounded_ = false;  // set by read() if a double of 2^53 or more is not an exact integer of 64 bits
    std::int64_t integer_ = 0; // value of the kind `integer`
    std::uint64_t large_ = 0;  // value of the kind `large`
    double real_ = 0;          // value of the kind `real`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/written_number.ipp>
#endif

#endif
