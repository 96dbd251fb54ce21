#ifndef LINKSPAN_SCHEMA_IMPL_PATTERN_READER_SETS_IPP
#define LINKSPAN_SCHEMA_IMPL_PATTERN_READER_SETS_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/schema/detail/categories.hpp>
#include <linkspan/schema/detail/pattern_reader.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Functions that decode the tables in categories.hpp.

inline unsigned digit_of_category(char c) noexcept
{
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'A' && c <= 'Z')
        return static_cast<unsigned>(c - 'A') + 10;
    if (c >= 'a' && c <= 'z')
        return static_cast<unsigned>(c - 'a') + 36;
    return c == '-' ? 62 : 63;
}

inline unsigned take_number_of_category(std::string_view& table) noexcept
{
    for (unsigned number = 0;;) {
        unsigned const digit = digit_of_category(table.front());
        table.remove_prefix(1);
        number = number << 5 | (digit & 31);
        if (digit >= 32)
            return number;
    }
}

// Returns the table of a category, or an empty text for an unsupported category.
inline std::string_view find_category(std::string_view name) noexcept
{
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"L", categories::letters},     {"Letter", categories::letters},
        {"Lu", categories::upper_case}, {"Uppercase_Letter", categories::upper_case},
        {"Ll", categories::lower_case}, {"Lowercase_Letter", categories::lower_case},
        {"N", categories::numbers},     {"Number", categories::numbers},
        {"Nd", categories::digits},     {"Decimal_Number", categories::digits},
        {"digit", categories::digits},
    };
    for (std::string_view const prefix : {"General_Category=", "gc="})
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    auto const* const found = std::ranges::find(names, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(names) ? std::string_view() : found->second;
}

} // namespace detail

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_class()
{
    bool const is_negated = take("^");
    ranges some;
    while (!text_.empty() && text_.front() != ']') {
        if (some.size() > max_ranges) {
            reject(fault::too_large, "the pattern is too large");
            break;
        }
        auto const first = read_class_member(some);
        if (!first || text_.size() < 2 || text_[0] != '-' || text_[1] == ']') {
            if (first)
                some.push_back({*first, *first});
            continue;
        }
        text_.remove_prefix(1);
        auto const last = read_class_member(some);
        if (!last)
            some.insert(some.end(), {{*first, *first}, {'-', '-'}});
        else if (*last < *first)
            reject(fault::malformed, "the bounds of a range are in the wrong order");
        else
            some.push_back({*first, *last});
    }
    if (!take("]"))
        reject(fault::malformed, "a '[' is not closed");
    if (is_negated)
        negate(some);
    return add_set(std::move(some));
}

LINKSPAN_DECL std::optional<char32_t> schema_pattern::reader::read_class_member(ranges& some)
{
    if (!take("\\"))
        return detail::pop_code_point(text_);
    if (take("b"))
        return U'\b';
    if (take("-"))
        return U'-';
    if (read_set_escape(some))
        return std::nullopt;
    return read_escape();
}

LINKSPAN_DECL bool schema_pattern::reader::read_set_escape(ranges& some)
{
    if (text_.empty())
        return false;
    ranges named;
    switch (text_.front()) {
    case 'd':
    case 'D': named = {{'0', '9'}}; break;
    case 'w':
    case 'W': named = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; break;
    case 's':
    case 'S':
        named = {{9, 13},          {' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
                 {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};
        break;
    case 'p':
    case 'P': return read_category(some);
    default: return false;
    }
    if (text_.front() < 'a')
        negate(named);
    text_.remove_prefix(1);
    some.insert(some.end(), named.begin(), named.end());
    return true;
}

LINKSPAN_DECL bool schema_pattern::reader::read_category(ranges& some)
{
    bool const is_negated = text_.front() == 'P';
    auto const end = text_.find('}');
    if (text_.size() < 2 || text_[1] != '{' || end == text_.npos) {
        reject(fault::malformed, "the name of a category is missing");
        return true;
    }
    auto table = detail::find_category(text_.substr(2, end - 2));
    if (table.empty()) {
        reject(fault::unsupported, "unsupported category of Unicode");
        return true;
    }
    text_.remove_prefix(end + 1);
    ranges named;
    for (char32_t at = 0; !table.empty() && named.size() != ranges_left_;) {
        char32_t const first = at + detail::take_number_of_category(table);
        at = first + detail::take_number_of_category(table);
        named.push_back({first, at});
    }
    ranges_left_ -= named.size();
    owner_.ranges_ += named.size();
    if (!table.empty())
        reject(fault::too_large, "the pattern is too large");
    if (is_negated)
        negate(named);
    some.insert(some.end(), named.begin(), named.end());
    return true;
}

LINKSPAN_DECL char32_t schema_pattern::reader::read_escape()
{
    if (text_.empty()) {
        reject(fault::malformed, "incomplete escape sequence");
        return 0;
    }
    auto const c = detail::pop_code_point(text_);
    switch (c) {
    case 't': return '\t';
    case 'n': return '\n';
    case 'v': return '\v';
    case 'f': return '\f';
    case 'r': return '\r';
    case '0': return 0;
    case 'c': return read_control();
    case 'x': return read_hex(2);
    case 'u': return read_unicode();
    default: break;
    }
    if (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
        reject(fault::malformed, "invalid escape sequence");
    return c;
}

LINKSPAN_DECL char32_t schema_pattern::reader::read_control()
{
    char const c = text_.empty() ? '\0' : text_.front();
    if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) {
        reject(fault::malformed, "invalid escape sequence");
        return 0;
    }
    text_.remove_prefix(1);
    return static_cast<char32_t>(c) % 32;
}

LINKSPAN_DECL char32_t schema_pattern::reader::read_unicode()
{
    if (!take("{")) {
        auto const high = read_hex(4);
        bool const is_pair = high >= 0xd800 && high < 0xdc00 && text_.starts_with("\\u");
        if (!is_pair || text_.starts_with("\\u{"))
            return high;
        text_.remove_prefix(2);
        return 0x10000 + ((high & 0x3ff) << 10 | (read_hex(4) & 0x3ff));
    }
    auto const end = text_.find('}');
    if (end == 0 || end > 8) {
        reject(fault::malformed, "invalid escape sequence");
        return 0;
    }
    auto const c = read_hex(end);
    if (!take("}") || c > last_code_point)
        reject(fault::malformed, "invalid escape sequence");
    return c;
}

LINKSPAN_DECL char32_t schema_pattern::reader::read_hex(std::size_t digits)
{
    char32_t number = 0;
    for (; digits != 0; --digits) {
        constexpr std::string_view all = "0123456789abcdefABCDEF";
        auto const digit = text_.empty() ? all.npos : all.find(text_.front());
        if (digit == all.npos) {
            reject(fault::malformed, "invalid escape sequence");
            return 0;
        }
        number = number << 4 | static_cast<char32_t>(digit < 16 ? digit : digit - 6);
        text_.remove_prefix(1);
    }
    return number;
}

LINKSPAN_DECL void schema_pattern::reader::normalize(ranges& some)
{
    std::ranges::sort(some, {}, &range::first);
    ranges merged;
    for (auto const& next : some)
        if (!merged.empty() && next.first <= merged.back().last + 1)
            merged.back().last = std::max(merged.back().last, next.last);
        else
            merged.push_back(next);
    some = std::move(merged);
}

LINKSPAN_DECL void schema_pattern::reader::negate(ranges& some)
{
    normalize(some);
    ranges others;
    char32_t from = 0;
    for (auto const& taken : some) {
        if (taken.first > from)
            others.push_back({from, taken.first - 1});
        from = taken.last + 1;
    }
    if (from <= last_code_point)
        others.push_back({from, last_code_point});
    some = std::move(others);
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::add_set(ranges some)
{
    normalize(some);
    char_set made;
    for (auto const& [first, last] : some) {
        for (auto c = first; c <= last && c < 128; ++c)
            made.ascii[c / 64] |= std::uint64_t{1} << c % 64;
        if (last >= 128)
            made.ranges.push_back({std::max<char32_t>(first, 128), last});
    }
    owner_.sets_.push_back(std::move(made));
    return add({kind::set, static_cast<std::uint32_t>(owner_.sets_.size() - 1)});
}

} // namespace linkspan

#endif
