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

namespace linkspan::detail {

// A number as it was written: exact where it is an integer of 64 bits.
class written_number {
public:
    written_number() = default;
    written_number(std::int64_t value) noexcept : kind_(kind::integer), integer_(value) {}
    written_number(std::uint64_t value) noexcept : kind_(kind::large), large_(value) {}
    written_number(double value) noexcept : kind_(kind::real), real_(value) {}
    LINKSPAN_DECL written_number(float value) noexcept; // as it is written: 0.1F is 0.1

    // Precondition: the grammar of JSON.
    LINKSPAN_DECL static written_number read(std::string_view text) noexcept;

    // False when it is no integer, or not within the range of `Integer`. 3.0 is an integer.
    template<std::integral Integer>
    bool to(Integer& out) const noexcept
    {
        using limits = std::numeric_limits<Integer>;
        if (kind_ == kind::real) {
            // 2^digits is exact, as the greatest integer itself may not be.
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

    // As those have it who read JSON without a schema: 3.0 is a double.
    boost::json::value to_json() const { return looks_real_ ? boost::json::value(to_double()) : to_stored(); }

    // As an integer where it is one.
    boost::json::value to_stored() const
    {
        return kind_ == kind::real    ? boost::json::value(real_)
               : kind_ == kind::large ? boost::json::value(large_)
                                      : boost::json::value(integer_);
    }

    LINKSPAN_DECL std::string to_string() const;

private:
    enum class kind { integer, large, real };

    kind kind_ = kind::integer;
    bool looks_real_ = false; // as 3.0 and 3e0 do
    bool is_rounded_ = false; // beyond what a double has exactly, and was no integer of 64 bits
    std::int64_t integer_ = 0;
    std::uint64_t large_ = 0;
    double real_ = 0;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/written_number.ipp>
#endif

#endif
