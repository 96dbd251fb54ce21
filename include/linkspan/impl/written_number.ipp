#ifndef LINKSPAN_IMPL_WRITTEN_NUMBER_IPP
#define LINKSPAN_IMPL_WRITTEN_NUMBER_IPP

#include <linkspan/describe/written_number.hpp>
#include <linkspan/schema/json_number.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace linkspan::detail {

// Of a number that is no zero: whether it is less than 1. That is asked where it is far from that.
inline bool is_small(std::string_view text) noexcept
{
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    auto const mark = std::min(text.find_first_of("eE"), text.size());
    auto const point = std::min(text.find('.'), mark);
    auto const first = std::min(text.find_first_of("123456789"), mark);
    auto exponent = text.substr(std::min(mark + 1, text.size()));
    exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
    std::int64_t power = 0;
    if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec == std::errc::result_out_of_range)
        return exponent.starts_with('-'); // no text is so long that its digits make up for that
    auto const digits = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    return power + digits - (digits < 0 ? -1 : 0) <= 0;
}

// An integer, also as in 3.0, which is exact then.
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
    if (read_integer(text, out.integer_) && (out.integer_ != 0 || !is_negative)) // an integer has no -0
        return out;
    if (read_integer(text, out.large_)) {
        out.kind_ = kind::large;
        return out;
    }
    double real = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), real).ec == std::errc::result_out_of_range)
        real = std::copysign(is_small(text) ? 0 : std::numeric_limits<double>::infinity(), is_negative ? -1.0 : 1.0);
    return std::fabs(real) < 0x1p53 || std::fabs(real) > 0x1p64 ? real : read_beyond_doubles(text, real);
}

LINKSPAN_DECL written_number written_number::read_beyond_doubles(std::string_view text, double nearest) noexcept
{
    written_number out(nearest);
    long double exact = 0;
    std::from_chars(text.data(), text.data() + text.size(), exact);
    bool const is_signed = exact >= -0x1p63L && exact < 0x1p63L;
    if (std::trunc(exact) != exact || !(is_signed || (exact >= 0 && exact < 0x1p64L)))
        return out;
    out.looks_real_ = true;
    out.kind_ = is_signed ? kind::integer : kind::large;
    if (is_signed)
        out.integer_ = static_cast<std::int64_t>(exact);
    else
        out.large_ = static_cast<std::uint64_t>(exact);
    return out;
}

LINKSPAN_DECL bool written_number::is(double value) const noexcept
{
    return compare_numbers(to_stored(), boost::json::value(value)) == 0;
}

LINKSPAN_DECL std::string written_number::to_string() const
{
    char buffer[32]; // the longest double has 24 characters
    auto* const end = buffer + sizeof buffer;
    auto const stop = kind_ == kind::real    ? std::to_chars(buffer, end, real_).ptr
                      : kind_ == kind::large ? std::to_chars(buffer, end, large_).ptr
                                             : std::to_chars(buffer, end, integer_).ptr;
    return std::string(buffer, stop);
}

} // namespace linkspan::detail

#endif
