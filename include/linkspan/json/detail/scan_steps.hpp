#ifndef LINKSPAN_JSON_DETAIL_SCAN_STEPS_HPP
#define LINKSPAN_JSON_DETAIL_SCAN_STEPS_HPP

// Functions that skip parts of JSON text, for json_scan and json_fault. Pointers `p` refer to the current character,
// and `end` to the end of the text. The functions return the position after the skipped part, or null for malformed
// text.

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/core/detail/find_special.hpp>
#include <linkspan/json/json_depth.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::json_scan::detail {

inline char const* skip_all_blanks(char const* p, char const* end) noexcept
{
    while (p != end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        ++p;
    return p;
}

LINKSPAN_ALWAYS_INLINE char const* skip_blanks(char const* p, char const* end) noexcept
{
    bool const is_blank = p == end || static_cast<unsigned char>(*p) <= ' '; // most texts have no blanks
    return is_blank ? skip_all_blanks(p, end) : p;
}

// Maximum number of characters that are searched without memchr, which is faster for long strings only.
inline constexpr std::ptrdiff_t short_string = 192;

// Returns the position of the first quote or backslash in the first `short_string` characters after `p`, or the end of
// these characters.
LINKSPAN_ALWAYS_INLINE char const* find_near_quote_or_slash(char const* p, char const* end) noexcept
{
    return linkspan::detail::find_quote_or_slash(p, end - p > short_string ? p + short_string : end);
}

// Returns the position of the closing quote, or null. `begin` is the position after the opening quote, and `p` the
// position where the search begins.
//
// A quote closes the string unless an odd number of backslashes precedes it, so that a search with memchr suffices for
// long strings.
inline char const* find_quote_after(char const* begin, char const* p, char const* end) noexcept
{
    for (; p != end; ++p) {
        p = static_cast<char const*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
        if (!p)
            return nullptr;
        auto const* slash = p;
        while (slash != begin && slash[-1] == '\\')
            --slash;
        if ((p - slash) % 2 == 0)
            return p;
    }
    return nullptr;
}

// Returns the position of the closing quote, or null. `p` is the position after the opening quote.
LINKSPAN_ALWAYS_INLINE char const* find_quote(char const* p, char const* end) noexcept
{
    auto const* const stop = find_near_quote_or_slash(p, end);
    return stop != end && *stop == '"' ? stop : find_quote_after(p, stop, end);
}

// Returns the position of the closing quote of a string without escapes, or null if the string has an escape or no end.
inline char const* find_plain_end(char const* p, char const* end) noexcept
{
    auto const* const stop = find_near_quote_or_slash(p, end);
    if (stop != end && (*stop == '"' || *stop == '\\'))
        return *stop == '"' ? stop : nullptr;
    auto const* const quote = static_cast<char const*>(std::memchr(stop, '"', static_cast<std::size_t>(end - stop)));
    return quote && !std::memchr(stop, '\\', static_cast<std::size_t>(quote - stop)) ? quote : nullptr;
}

// Returns whether the text has a backslash. Most texts are so short that a loop is faster than memchr.
inline bool has_slash(std::string_view text) noexcept
{
    if (text.size() > 32)
        return text.find('\\') != text.npos;
    bool found = false;
    for (char const c : text)
        found |= c == '\\';
    return found;
}

inline bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

inline char const* skip_digits(char const* p, char const* end) noexcept
{
    if (p == end || !is_digit(*p))
        return nullptr;
    while (p != end && is_digit(*p))
        ++p;
    return p;
}

inline char const* skip_number(char const* p, char const* end) noexcept
{
    if (p != end && *p == '-')
        ++p;
    if (p != end && *p == '0')
        ++p;
    else if (p = skip_digits(p, end); !p)
        return nullptr;
    if (p != end && *p == '.')
        if (p = skip_digits(p + 1, end); !p)
            return nullptr;
    if (p != end && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end && (*p == '+' || *p == '-'))
            ++p;
        p = skip_digits(p, end);
    }
    return p;
}

inline char const* skip_word(char const* p, char const* end, std::string_view word) noexcept
{
    auto const left = static_cast<std::size_t>(end - p);
    return left >= word.size() && std::memcmp(p, word.data(), word.size()) == 0 ? p + word.size() : nullptr;
}

inline char const* skip_scalar(char const* p, char const* end) noexcept
{
    switch (*p) {
    case '"': {
        auto const* const quote = find_quote(p + 1, end);
        return quote ? quote + 1 : nullptr;
    }
    case 't': return skip_word(p, end, "true");
    case 'f': return skip_word(p, end, "false");
    case 'n': return skip_word(p, end, "null");
    default: return skip_number(p, end);
    }
}

// Skips a key and its colon. Returns the position of the value, or null, and stores the position of the closing quote
// of the key in `quote`.
LINKSPAN_ALWAYS_INLINE char const* skip_key(char const* p, char const* end, char const** quote = nullptr) noexcept
{
    if (p == end || *p != '"' || !(p = find_quote(p + 1, end)))
        return nullptr;
    if (quote)
        *quote = p;
    p = skip_blanks(p + 1, end);
    return p != end && *p == ':' ? skip_blanks(p + 1, end) : nullptr;
}

// Skips a value. The function is not recursive, because the peer determines the depth of a message.
inline char const* skip(char const* p, char const* end) noexcept
{
    std::array<char, max_depth> closers; // closing brackets of the containers around the current one
    std::size_t depth = 0;
    char closer = 0; // closing bracket of the current container; 0: none
    for (;;) {
        if (p == end)
            return nullptr;
        if (*p == '{' || *p == '[') {
            if (depth == max_depth)
                return nullptr;
            closers[depth++] = closer;
            closer = *p == '{' ? '}' : ']';
            p = skip_blanks(p + 1, end);
            if (p == end)
                return nullptr;
            if (*p != closer) {
                if (closer == '}' && !(p = skip_key(p, end)))
                    return nullptr;
                continue;
            }
            closer = closers[--depth];
            ++p;
        } else if (!(p = skip_scalar(p, end))) {
            return nullptr;
        }
        for (;;) { // `p` is after a value
            if (closer == 0)
                return p;
            p = skip_blanks(p, end);
            if (p == end)
                return nullptr;
            if (*p == ',') {
                p = skip_blanks(p + 1, end);
                if (closer == '}' && !(p = skip_key(p, end)))
                    return nullptr;
                break;
            }
            if (*p != closer)
                return nullptr;
            closer = closers[--depth];
            ++p;
        }
    }
}

LINKSPAN_ALWAYS_INLINE std::string_view between(char const* begin, char const* end) noexcept
{
    return {begin, static_cast<std::size_t>(end - begin)};
}

inline int hex_digit(char c) noexcept
{
    if (is_digit(c))
        return c - '0';
    auto const lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Returns the value of the four digits of \uXXXX at the beginning of `text`, or -1.
inline std::int32_t hex4(std::string_view text) noexcept
{
    if (text.size() < 4)
        return -1;
    std::int32_t code = 0;
    for (char const c : text.substr(0, 4)) {
        int const digit = hex_digit(c);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

// Appends the character of an escape to `out`. `text` begins after "\u". Returns the number of characters of the
// escape in `text`, or 0 if the escape is invalid. A lone surrogate becomes U+FFFD, as Unicode recommends.
inline std::size_t append_unicode_escape(std::string& out, std::string_view text)
{
    auto const first = hex4(text);
    if (first < 0)
        return 0;
    auto code = static_cast<std::uint32_t>(first);
    if (code >= 0xd800 && code < 0xdc00 && text.size() >= 10 && text[4] == '\\' && text[5] == 'u') {
        auto const second = hex4(text.substr(6));
        if (second >= 0xdc00 && second < 0xe000) {
            linkspan::detail::append_code_point(out, 0x10000 + ((code - 0xd800) << 10) +
                                                         (static_cast<std::uint32_t>(second) - 0xdc00));
            return 10;
        }
    }
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    linkspan::detail::append_code_point(out, code);
    return 4;
}

} // namespace linkspan::json_scan::detail

#endif
