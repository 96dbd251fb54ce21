#ifndef LINKSPAN_DESCRIBE_DETAIL_CONSTANT_TEXT_HPP
#define LINKSPAN_DESCRIBE_DETAIL_CONSTANT_TEXT_HPP

#include <linkspan/describe/detail/constant_number.hpp>
#include <linkspan/describe/notes.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

// Functions that write JSON in constant expressions, where memcpy and std::to_chars are not available.
namespace linkspan::inline LINKSPAN_ABI::detail {

// A growing text for constant expressions. Replaces std::string, which clang with libstdc++ 12 cannot use there.
class constant_text {
public:
    constexpr constant_text& operator+=(char c)
    {
        chars_.push_back(c);
        return *this;
    }

    constexpr constant_text& operator+=(std::string_view text)
    {
        chars_.insert(chars_.end(), text.begin(), text.end());
        return *this;
    }

    constexpr char back() const { return chars_.back(); }
    constexpr std::string_view view() const { return {chars_.data(), chars_.size()}; }

private:
    std::vector<char> chars_; // bytes of the text; only grows
};

constexpr void put_quoted(constant_text& out, std::string_view text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    for (char const c : text)
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20)
            ((out += "\\u00") += digits[static_cast<unsigned char>(c) >> 4]) += digits[c & 15];
        else
            out += c;
    out += '"';
}

constexpr void put_natural(constant_text& out, std::uint64_t value)
{
    char digits[20]{};
    std::size_t count = 0;
    do
        digits[count++] = static_cast<char>('0' + value % 10);
    while (value /= 10);
    while (count != 0)
        out += digits[--count];
}

constexpr void put_integer(constant_text& out, std::int64_t value)
{
    if (value < 0)
        out += '-';
    put_natural(out, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}

// Appends the shortest decimal number that is read as `value`; with an exponent below 1e-6 and from 1e21.
template<std::floating_point Real>
constexpr void put_number(constant_text& out, Real value)
{
    if (!(value >= std::numeric_limits<Real>::lowest() && value <= std::numeric_limits<Real>::max()))
        throw "linkspan: JSON cannot represent infinities and NaN";
    if (value < 0)
        out += '-';
    if (value == 0) {
        out += '0';
        return;
    }
    auto const [digits, exponent] = shortest_decimal(value < 0 ? -value : value);
    std::string_view const all(digits.data(), digits.size());
    auto const size = static_cast<int>(all.size());
    auto const head = [&](int count) { return all.substr(0, static_cast<std::size_t>(std::clamp(count, 0, size))); };
    auto const zeros = [&out](int count) {
        for (; count > 0; --count)
            out += '0';
    };
    bool const is_far = exponent < -5 || exponent > 21;
    auto const point = is_far ? 1 : exponent; // number of digits before the decimal point
    if (point <= 0)
        out += '0';
    out += head(point);
    zeros(point - size);
    if (size > point) {
        out += '.';
        zeros(-point);
        out += all.substr(head(point).size());
    }
    if (is_far)
        put_integer(out += 'e', exponent - 1);
}

constexpr void put(constant_text& out, json_literal const& value)
{
    using kind = json_literal::kind;
    switch (value.what()) {
    case kind::none:
    case kind::null: out += "null"; break;
    case kind::boolean: out += value.integer() != 0 ? "true" : "false"; break;
    case kind::integer: put_integer(out, value.integer()); break;
    case kind::large: put_natural(out, value.large()); break;
    case kind::number: put_number(out, value.number()); break;
    case kind::text: put_quoted(out, value.text()); break;
    case kind::json: out += value.text(); break;
    }
}

} // namespace linkspan::detail

#endif
