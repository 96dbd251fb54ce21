#ifndef LINKSPAN_JSON_IMPL_WRITTEN_NUMBER_IPP
#define LINKSPAN_JSON_IMPL_WRITTEN_NUMBER_IPP

#include <linkspan/json/detail/written_number.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Parts of the text of a number. `digits` is the text before the exponent; `exponent` has no 'e' and no '+'.
struct number_parts {
    explicit number_parts(std::string_view text) noexcept
        : digits(text.substr(0, text.find_first_of("eE"))), exponent(text.substr(digits.size()))
    {
        exponent.remove_prefix(exponent.empty() ? 0 : 1);
        exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
        is_exponent_huge = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec ==
                           std::errc::result_out_of_range;
    }

    std::string_view digits, exponent;
    std::int64_t power = 0;        // value of `exponent`; 0 if there is no exponent or it is huge
    bool is_exponent_huge = false; // the value of `exponent` is out of the range of `power`
};

// Returns true if the absolute value of a number is less than 1. Called for numbers outside of the range of double,
// which are not zero and not near 1.
inline bool is_small(std::string_view text) noexcept
{
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    number_parts const parts(text);
    if (parts.is_exponent_huge)
        return parts.exponent.starts_with('-'); // no text has enough digits to compensate for the exponent
    auto const point = std::min(parts.digits.find('.'), parts.digits.size());
    auto const first = std::min(parts.digits.find_first_of("123456789"), parts.digits.size());
    auto const digits = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    return parts.power + digits - (digits < 0 ? -1 : 0) <= 0;
}

// Reads an integer, also in the form 3.0. Returns false for other forms, and if the integer is out of range.
template<class Integer>
bool read_integer(std::string_view text, Integer& out) noexcept
{
    auto const point = text.find('.');
    if (point != text.npos && text.find_first_not_of('0', point + 1) != text.npos)
        return false;
    auto const* const end = text.data() + std::min(point, text.size());
    auto const read = std::from_chars(text.data(), end, out);
    return read.ec == std::errc() && read.ptr == end;
}

// Returns the absolute value of an integer that is written with a fraction or an exponent, such as 12.5e1. Returns
// `std::nullopt` if the number is not an integer or has more than 64 bits.
inline std::optional<std::uint64_t> read_scaled(std::string_view text) noexcept
{
    constexpr auto max_value = std::numeric_limits<std::uint64_t>::max();
    number_parts const parts(text);
    auto power = parts.power;
    std::uint64_t out = 0;
    std::int64_t zeros = 0; // number of zeros after the last digit that is not zero
    bool is_fraction = false;
    auto const scale = [&out](std::int64_t by) {
        for (; by > 0 && out <= max_value / 10; --by)
            out *= 10;
        return by <= 0;
    };
    for (char const c : parts.digits) {
        is_fraction = is_fraction || c == '.';
        if (c < '0' || c > '9')
            continue;
        power -= is_fraction ? 1 : 0;
        auto const digit = static_cast<std::uint64_t>(c - '0');
        if (digit == 0)
            zeros += out != 0 ? 1 : 0;
        else if (!scale(std::exchange(zeros, 0) + 1) || out > max_value - digit)
            return std::nullopt;
        else
            out += digit;
    }
    power += zeros;
    return power >= 0 && scale(power) ? std::optional(out) : std::nullopt;
}

LINKSPAN_DECL written_number::written_number(float value) noexcept : written_number(static_cast<double>(value))
{
    char buffer[32]; // the longest float has 15 characters
    auto* const end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::from_chars(buffer, end, real_);
}

LINKSPAN_DECL written_number written_number::read(std::string_view text) noexcept
{
    written_number out;
    out.looks_real_ = text.find('.') != text.npos;
    bool const is_negative = text.starts_with('-');
    if (read_integer(text, out.integer_) && (out.integer_ != 0 || !is_negative)) // std::int64_t cannot represent -0
        return out;
    if (read_integer(text, out.large_)) {
        out.kind_ = kind::large;
        return out;
    }
    double real = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), real).ec == std::errc::result_out_of_range)
        real = std::copysign(is_small(text) ? 0 : std::numeric_limits<double>::infinity(), is_negative ? -1.0 : 1.0);
    out = real;
    if (std::fabs(real) < 0x1p53)
        return out;
    constexpr auto min_magnitude = std::uint64_t{1} << 63; // absolute value of the minimum of std::int64_t
    auto const exact = std::fabs(real) > 0x1p64 ? std::nullopt : read_scaled(text);
    out.is_rounded_ = !exact || (is_negative && *exact > min_magnitude);
    if (out.is_rounded_)
        return out;
    out.looks_real_ = true;
    out.kind_ = is_negative || *exact < min_magnitude ? kind::integer : kind::large;
    out.large_ = *exact;
    out.integer_ = static_cast<std::int64_t>(is_negative ? 0 - *exact : *exact);
    return out;
}

LINKSPAN_DECL std::string written_number::to_string() const
{
    char buffer[32]; // the longest double has 24 characters
    auto* const end = buffer + sizeof buffer;
    bool const is_plain = is_whole() && std::fabs(real_) < 0x1p53;
    auto const stop = kind_ == kind::real ? (is_plain ? std::to_chars(buffer, end, real_, std::chars_format::fixed).ptr
                                                      : std::to_chars(buffer, end, real_).ptr)
                      : kind_ == kind::large ? std::to_chars(buffer, end, large_).ptr
                                             : std::to_chars(buffer, end, integer_).ptr;
    return std::string(buffer, stop);
}

} // namespace linkspan::detail

#endif
