#ifndef LINKSPAN_JSON_IMPL_CANONICAL_JSON_IPP
#define LINKSPAN_JSON_IMPL_CANONICAL_JSON_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline void append_unicode_escape_of(std::string& out, char32_t code)
{
    if (code > 0xffff) {
        append_unicode_escape_of(out, 0xd800 + ((code - 0x10000) >> 10));
        append_unicode_escape_of(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
        return;
    }
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += "0123456789abcdef"[code >> shift & 0xf];
}

LINKSPAN_DECL void append_visible_quoted(std::string& out, std::string_view text)
{
    std::string escaped;
    append_quoted(escaped, text);
    for (std::string_view rest = escaped; !rest.empty();) {
        // Most texts are plain ASCII and are copied in one piece.
        auto const plain = std::ranges::find_if(rest, [](char c) { return c < 0x20 || c > 0x7e; }) - rest.begin();
        out += rest.substr(0, static_cast<std::size_t>(plain));
        rest.remove_prefix(static_cast<std::size_t>(plain));
        if (rest.empty())
            return;
        auto const [code, size, valid] = first_code_point(rest);
        if (is_invisible(code))
            append_unicode_escape_of(out, code);
        else
            out += valid ? rest.substr(0, size) : "\xef\xbf\xbd"; // U+FFFD
        rest.remove_prefix(size);
    }
}

// Decimal number: `digits` multiplied by ten to the power of `exponent`.
struct exact_decimal {
    std::string digits; // without leading and trailing zeros; empty: the number is 0
    std::int64_t exponent = 0;
};

// Returns the value of a well-formed number, without its sign; `std::nullopt`: the exponent has more than 17 digits.
inline std::optional<exact_decimal> read_decimal(std::string_view number)
{
    exact_decimal out;
    bool is_fraction = false;
    auto const mantissa = number.substr(0, number.find_first_of("eE"));
    for (char const c : mantissa) {
        is_fraction |= c == '.';
        if (c < '0' || c > '9')
            continue;
        out.exponent -= is_fraction;
        if (c != '0' || !out.digits.empty())
            out.digits += c;
    }
    auto const significant = out.digits.find_last_not_of('0') + 1; // 0 if there are no digits
    out.exponent += static_cast<std::int64_t>(out.digits.size() - significant);
    out.digits.resize(significant);
    if (out.digits.empty() || mantissa.size() == number.size())
        return out;
    auto power = number.substr(mantissa.size() + 1);
    bool const is_negative = power.starts_with('-');
    power.remove_prefix(std::min(power.find_first_not_of("+-0"), power.size()));
    constexpr std::size_t max_digits = 17; // the sums of exponents do not overflow
    std::int64_t value = 0;
    if (power.size() > max_digits)
        return std::nullopt;
    std::from_chars(power.data(), power.data() + power.size(), value);
    out.exponent += is_negative ? -value : value;
    return out;
}

// Appends the exponent as std::to_chars writes it: with a sign and at least two digits.
inline void append_exponent(std::string& out, std::int64_t exponent)
{
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10)
        out += '0';
    append_number(out, std::abs(exponent));
}

// Appends a number in the form of std::to_chars for a double, but with all its digits. An integer of up to 20 digits,
// as each 64-bit integer is, has no exponent.
inline void append_canonical_number(std::string& out, std::string_view number)
{
    if (auto const integer = json_scan::integer(number))
        return append_number(out, *integer);
    auto const decimal = read_decimal(number);
    if (!decimal) {
        out += number;
        return;
    }
    auto const& [digits, exponent] = *decimal;
    if (digits.empty()) {
        out += '0';
        return;
    }
    if (number.front() == '-')
        out += '-';
    auto const count = static_cast<std::int64_t>(digits.size());
    auto const before_point = count + exponent;                 // digits before the decimal point, if it is positive
    bool const is_integer = exponent >= 0 && before_point <= 20;
    bool const has_point = count > 1;                            // in the form with an exponent
    bool const is_short = exponent >= (has_point ? -(count + 3) : -3) && exponent <= (has_point ? 5 : 4);
    if (!is_integer && !is_short) {
        out += digits.front();
        if (has_point)
            (out += '.').append(digits, 1);
        append_exponent(out, before_point - 1);
    } else if (exponent >= 0) {
        out.append(digits).append(static_cast<std::size_t>(exponent), '0');
    } else if (before_point > 0) {
        out.append(digits, 0, static_cast<std::size_t>(before_point)) += '.';
        out.append(digits, static_cast<std::size_t>(before_point));
    } else {
        out.append("0.").append(static_cast<std::size_t>(-before_point), '0') += digits;
    }
}

// Writes the commas and line breaks of an object or array.
class canonical_lines {
public:
    canonical_lines(std::string& out, canonical_style const& style, unsigned level) : out_(out), style_(style)
    {
        level_ = level;
    }

    void begin_item()
    {
        out_ += is_empty_ ? "" : ",";
        is_empty_ = false;
        break_line(level_ + 1);
    }

    void end()
    {
        if (!is_empty_)
            break_line(level_);
    }

private:
    void break_line(unsigned level)
    {
        if (style_.has_lines)
            (out_ += '\n').append(std::size_t{2} * level, ' ');
    }

    // Set by the constructor.
    std::string& out_;
    canonical_style const& style_;
    unsigned level_; // nesting level of the object or array; the level of its items is greater by 1

    bool is_empty_ = true; // cleared by the first item
};

// Texts of all members that are objects or arrays. They are determined in one pass, because skipping each of them
// during the output would read the innermost values once for each enclosing level.
class nested_members {
public:
    explicit nested_members(std::string_view json)
    {
        auto at = json_scan::reader::at_value(json);
        read(at, false);
    }

    // Skips the value of the current item, and returns the text of the value.
    std::string_view skip(json_scan::reader& in) const
    {
        if (!is_nested(in))
            return in.skip();
        auto const value = *std::ranges::lower_bound(values_, in.rest().data(), std::less<>(),
                                                     [](std::string_view known) { return known.data(); });
        in.skip_known(value);
        return value;
    }

    static bool is_nested(json_scan::reader const& in) { return in.peek() == '{' || in.peek() == '['; }

private:
    void read(json_scan::reader& in, bool is_member)
    {
        if (!is_nested(in)) {
            in.skip();
            return;
        }
        auto const index = values_.size();
        if (is_member)
            values_.emplace_back();
        auto inner = in.enter();
        while (inner.next_key())
            read(inner, inner.is_object());
        auto const value = in.leave(inner);
        if (is_member)
            values_[index] = value;
    }

    std::vector<std::string_view> values_; // in the order of their positions; filled by the constructor
};

// Writer for a text that is well-formed, except possibly for the escapes in its strings.
class canonical_writer {
public:
    canonical_writer(std::string& out, canonical_style const& style, std::string_view json)
        : out_(out), style_(style), nested_(json)
    {}

    // Appends the value of the current item. Returns false for an invalid escape.
    bool append(json_scan::reader& in, unsigned level)
    {
        if (!nested_members::is_nested(in))
            return append_scalar(in.skip());
        auto inner = in.enter();
        return (inner.is_object() ? append_object(inner, level) : append_array(inner, level)) &&
               !in.leave(inner).empty();
    }

private:
    bool append_object(json_scan::reader& members, unsigned level)
    {
        std::map<std::string, std::string_view> sorted;
        std::string quoted;
        while (auto const written = members.next_key()) {
            quoted = '"';
            (quoted += *written) += '"';
            auto key = json_scan::string(quoted);
            if (!key)
                return false;
            // The order is that of the keys in the output. Otherwise, the output would be ordered differently when it
            // is read again.
            if (style_.escapes_invisible)
                key = to_utf8(*std::move(key));
            sorted.insert_or_assign(*std::move(key), nested_.skip(members));
        }
        out_ += '{';
        canonical_lines lines(out_, style_, level);
        for (auto const& [key, value] : sorted) {
            lines.begin_item();
            append_string(key);
            out_ += style_.has_lines ? ": " : ":";
            auto at = json_scan::reader::at_value(value);
            if (!append(at, level + 1))
                return false;
        }
        lines.end();
        out_ += '}';
        return true;
    }

    bool append_array(json_scan::reader& elements, unsigned level)
    {
        out_ += '[';
        canonical_lines lines(out_, style_, level);
        while (elements.next_key()) {
            lines.begin_item();
            if (!append(elements, level + 1))
                return false;
        }
        lines.end();
        out_ += ']';
        return true;
    }

    bool append_scalar(std::string_view json)
    {
        if (json.front() == '"') {
            auto const text = json_scan::string(json);
            if (text)
                append_string(*text);
            return text.has_value();
        }
        bool const is_number = json.front() == '-' || (json.front() >= '0' && json.front() <= '9');
        if (is_number && !style_.keeps_numbers)
            append_canonical_number(out_, json);
        else
            out_ += json;
        return true;
    }

    void append_string(std::string_view decoded)
    {
        style_.escapes_invisible ? append_visible_quoted(out_, decoded) : append_quoted(out_, decoded);
    }

    // Set by the constructor.
    std::string& out_;
    canonical_style const& style_;
    nested_members nested_; // of the text that is read
};

LINKSPAN_DECL bool append_canonical_text(std::string& out, std::string_view json, canonical_style const& style)
{
    if (!json_scan::is_value(json))
        return false;
    auto at = json_scan::reader::at_value(json);
    return canonical_writer(out, style, json).append(at, 0);
}

} // namespace linkspan::detail

#endif
