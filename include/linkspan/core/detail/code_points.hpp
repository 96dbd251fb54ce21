#ifndef LINKSPAN_CORE_DETAIL_CODE_POINTS_HPP
#define LINKSPAN_CORE_DETAIL_CODE_POINTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Result of decoding one code point.
struct code_point {
    char32_t code = 0;    // U+FFFD for an invalid byte
    std::size_t size = 1; // number of bytes in the text
    bool valid = true;    // false: the first byte of the text is not valid UTF-8
};

// Decodes the first code point of `text`, which must not be empty. Overlong forms and surrogates are invalid.
inline code_point first_code_point(std::string_view text) noexcept
{
    auto const byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    auto const lead = byte(0);
    if (lead < 0x80)
        return {lead};
    std::size_t const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size)
        return {0xfffd, 1, false};
    auto code = lead & (0xffU >> (size + 1));
    for (std::size_t i = 1; i != size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80)
            return {0xfffd, 1, false};
        code = code << 6 | (byte(i) & 0x3fU);
    }
    constexpr std::array<char32_t, 5> min{0, 0, 0x80, 0x800, 0x10000};
    if (code < min[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return {0xfffd, 1, false};
    return {code, size, true};
}

// Decodes the first code point of `text`, and removes it from `text`.
inline char32_t pop_code_point(std::string_view& text) noexcept
{
    auto const first = first_code_point(text);
    text.remove_prefix(first.size);
    return first.code;
}

// Counts the code points of a text in valid UTF-8.
inline std::size_t count_code_points(std::string_view text) noexcept
{
    auto const begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_one));
}

// Returns true if the text is valid UTF-8 without code points below `min`, which must not exceed 0x7f.
inline bool is_utf8(std::string_view text, char32_t min = 0) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    // Checks eight characters at once: not zero if one of them is outside of ASCII or below `min`.
    auto const is_exceptional = [min](std::uint64_t word) { return (word | (word - ones * min)) & tops; };
    auto const word_at = [](char const* from, std::size_t size = 8) {
        auto word = ones * ' ';
        std::memcpy(&word, from, size);
        return word;
    };
    for (;;) {
        auto const* const p = text.data();
        if (text.size() >= 32 && (is_exceptional(word_at(p)) | is_exceptional(word_at(p + 8)) |
                                  is_exceptional(word_at(p + 16)) | is_exceptional(word_at(p + 24))) == 0) {
            text.remove_prefix(32);
        } else if (text.size() >= 8 && is_exceptional(word_at(p)) == 0) {
            text.remove_prefix(8);
        } else if (text.size() < 8 && is_exceptional(word_at(p, text.size())) == 0) {
            return true;
        } else {
            auto const first = first_code_point(text);
            if (!first.valid || first.code < min)
                return false;
            text.remove_prefix(first.size);
        }
    }
}

// Returns true if the text is allowed between the quotes of a JSON string, apart from the check of quotes and escapes:
// UTF-8 without control characters (RFC 8259, sections 7 and 8.1).
inline bool is_json_text(std::string_view text) noexcept { return is_utf8(text, 0x20); }

// Appends a code point to `out` in UTF-8.
inline void append_code_point(std::string& out, char32_t code)
{
    auto const byte = [&out](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
    auto const rest = [&](unsigned shift) { byte(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80)
        return byte(code);
    if (code < 0x800) {
        byte(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            byte(0xe0 | code >> 12);
        } else {
            byte(0xf0 | code >> 18);
            rest(12);
        }
        rest(6);
    }
    rest(0);
}

// Returns the text with each invalid byte replaced by U+FFFD.
inline std::string to_utf8(std::string text)
{
    if (is_utf8(text))
        return text;
    std::string out;
    for (std::string_view rest = text; !rest.empty();)
        append_code_point(out, pop_code_point(rest));
    return out;
}

// Replaces each control character, which may begin a control sequence for terminals, and each byte that is not UTF-8.
inline std::string without_controls(std::string_view text, char by)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto const first = first_code_point(text);
        bool const is_control = first.code < 0x20 || (first.code >= 0x7f && first.code < 0xa0);
        out += is_control || !first.valid ? std::string_view(&by, 1) : text.substr(0, first.size);
        text.remove_prefix(first.size);
    }
    return out;
}

// Returns true for control characters and for code points that are invisible or change the display of other text:
// zero-width characters, direction marks, line separators, tags.
inline bool is_invisible(char32_t code) noexcept
{
    if (code < 0x7f)
        return code < 0x20;
    struct range {
        char32_t first, last;
    };
    constexpr std::array<range, 11> ranges{{{0x7f, 0x9f},
                                            {0xad, 0xad},
                                            {0x61c, 0x61c},
                                            {0x180e, 0x180e},
                                            {0x200b, 0x200f},
                                            {0x2028, 0x202e},
                                            {0x2060, 0x206f},
                                            {0xfeff, 0xfeff},
                                            {0xfff9, 0xfffb},
                                            {0x1bca0, 0x1bca3},
                                            {0xe0000, 0xe007f}}};
    for (auto const& [first, last] : ranges)
        if (code >= first && code <= last)
            return true;
    return false;
}

} // namespace linkspan::detail

#endif
