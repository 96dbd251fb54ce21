#ifndef LINKSPAN_JSON_IMPL_JSON_NUMBER_IPP
#define LINKSPAN_JSON_IMPL_JSON_NUMBER_IPP

#include <linkspan/json/json_number.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Compares an integer with a double exactly. `a` is not converted to double, because the conversion rounds.
template<class Integer>
std::partial_ordering compare_integer(Integer a, double b) noexcept
{
    constexpr auto beyond = -2 * static_cast<double>(std::numeric_limits<std::int64_t>::min()); // 2^64
    // The first value above the range of Integer, and the first value of the range.
    constexpr auto above = std::is_signed_v<Integer> ? beyond / 2 : beyond;
    constexpr auto below = static_cast<double>(std::numeric_limits<Integer>::min());
    if (std::isnan(b))
        return std::partial_ordering::unordered;
    if (b >= above)
        return std::partial_ordering::less;
    if (b < below)
        return std::partial_ordering::greater;
    auto const whole = std::trunc(b);
    if (auto const order = a <=> static_cast<Integer>(whole); order != 0)
        return order;
    return whole <=> b;
}

inline std::partial_ordering compare_integer_to(boost::json::value const& a, double b) noexcept
{
    return a.is_int64() ? compare_integer(a.get_int64(), b) : compare_integer(a.get_uint64(), b);
}

// Returns the absolute value of an integer that fits into 64 bits; empty: the number has a fraction or is larger.
inline std::optional<std::uint64_t> read_magnitude(boost::json::value const& number) noexcept
{
    constexpr auto beyond = -2 * static_cast<double>(std::numeric_limits<std::int64_t>::min()); // 2^64
    if (auto const* const u = number.if_uint64())
        return *u;
    if (auto const* const i = number.if_int64())
        return *i < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(*i) : static_cast<std::uint64_t>(*i);
    auto const d = std::fabs(number.get_double());
    return d < beyond && std::trunc(d) == d ? std::optional(static_cast<std::uint64_t>(d)) : std::nullopt;
}

// Decimal number: `digits` multiplied by ten to the power of `exponent`.
struct short_decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

// Returns the shortest decimal number that converts to `number`. For a number written with at most 15 significant
// digits, this is the written number.
inline short_decimal short_decimal_of(double number) noexcept
{
    std::array<char, 32> text;
    auto const end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific).ptr;
    short_decimal out;
    auto const* at = text.data();
    bool is_fraction = false;
    for (; at != end && *at != 'e'; ++at) {
        is_fraction |= *at == '.';
        if (*at < '0' || *at > '9')
            continue;
        out.digits = out.digits * 10 + static_cast<std::uint64_t>(*at - '0');
        out.exponent -= is_fraction;
    }
    int power = 0;
    std::from_chars(at + (end - at > 1 && at[1] == '+' ? 2 : 1), end, power);
    out.exponent += power;
    return out;
}

// Returns whether `number` is a multiple of `divisor`, without rounding. Precondition: `divisor` has up to 17 digits
// and is not 0.
inline bool is_decimal_multiple(short_decimal number, short_decimal divisor) noexcept
{
    for (; divisor.exponent > number.exponent; --divisor.exponent) {
        if (divisor.digits > number.digits) // `divisor.digits` only grows
            return number.digits == 0;
        divisor.digits *= 10;
    }
    auto rest = number.digits % divisor.digits;
    for (; number.exponent > divisor.exponent && rest != 0; --number.exponent)
        rest = rest * 10 % divisor.digits;
    return rest == 0;
}

} // namespace detail

LINKSPAN_DECL double as_double(boost::json::value const& number) noexcept
{
    if (auto const* const i = number.if_int64())
        return static_cast<double>(*i);
    if (auto const* const u = number.if_uint64())
        return static_cast<double>(*u);
    return number.get_double();
}

LINKSPAN_DECL std::partial_ordering compare_numbers(boost::json::value const& a, boost::json::value const& b) noexcept
{
    if (a.is_double() && b.is_double())
        return a.get_double() <=> b.get_double();
    if (b.is_double())
        return detail::compare_integer_to(a, b.get_double());
    if (a.is_double())
        return 0 <=> detail::compare_integer_to(b, a.get_double());
    if (a.is_int64() && b.is_int64())
        return a.get_int64() <=> b.get_int64();
    if (a.is_uint64() && b.is_uint64())
        return a.get_uint64() <=> b.get_uint64();
    if (a.is_int64())
        return a.get_int64() < 0 ? std::strong_ordering::less
                                 : static_cast<std::uint64_t>(a.get_int64()) <=> b.get_uint64();
    return b.get_int64() < 0 ? std::strong_ordering::greater
                             : a.get_uint64() <=> static_cast<std::uint64_t>(b.get_int64());
}

LINKSPAN_DECL bool is_multiple(boost::json::value const& number, boost::json::value const& divisor) noexcept
{
    auto const whole = detail::read_magnitude(number);
    auto const whole_divisor = detail::read_magnitude(divisor);
    if (whole && whole_divisor && *whole_divisor != 0)
        return *whole % *whole_divisor == 0;
    auto const a = std::fabs(as_double(number));
    auto const b = as_double(divisor);
    if (is_integer(divisor) || !std::isfinite(a) || !std::isfinite(b))
        return std::fmod(a, b) == 0;
    constexpr auto max_value = 1 / std::numeric_limits<double>::epsilon(); // doubles represent all integers up to here
    if (auto const times = std::round(a / b); times < max_value && times * b == a)
        return true;
    return detail::is_decimal_multiple(whole ? detail::short_decimal{*whole} : detail::short_decimal_of(a),
                                       detail::short_decimal_of(b));
}

LINKSPAN_DECL bool is_integer(boost::json::value const& value) noexcept
{
    auto const* const d = value.if_double();
    return d ? std::trunc(*d) == *d && std::isfinite(*d) : value.is_number();
}

LINKSPAN_DECL std::optional<std::size_t> read_count(boost::json::value const& value) noexcept
{
    if (!is_integer(value) || compare_numbers(value, boost::json::value(0)) < 0)
        return std::nullopt;
    constexpr auto max_value = std::numeric_limits<std::size_t>::max();
    if (value.is_double())
        return value.get_double() < static_cast<double>(max_value) ? static_cast<std::size_t>(value.get_double())
                                                                   : max_value;
    return value.is_uint64() ? value.get_uint64() : static_cast<std::size_t>(value.get_int64());
}

} // namespace linkspan

#endif
