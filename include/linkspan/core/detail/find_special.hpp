#ifndef LINKSPAN_CORE_DETAIL_FIND_SPECIAL_HPP
#define LINKSPAN_CORE_DETAIL_FIND_SPECIAL_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Searches for the characters that have a meaning in JSON strings, and for line ends: 16 characters at once with SSE2,
// else 8. The functions read no character after `end`.

namespace linkspan::inline LINKSPAN_ABI::detail {

inline constexpr std::uint64_t lowest_bits = 0x0101010101010101;
inline constexpr std::uint64_t top_bits = 0x8080808080808080;

// Sets the top bit of each byte that is zero. Bytes above the first zero byte may be marked wrongly.
inline std::uint64_t zero_bytes(std::uint64_t bytes) noexcept { return (bytes - lowest_bits) & ~bytes & top_bits; }

inline std::uint64_t eight_characters(char const* p) noexcept
{
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

inline std::uint64_t four_characters(char const* p) noexcept
{
    std::uint32_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

// Returns whether a character must be escaped in a JSON string.
inline bool must_escape(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

// The searches without SSE2. With SSE2, they search the ends of texts, which are shorter than 16 characters. They are
// compiled in each build, so that the tests compare them with the searches below.
namespace portable {

LINKSPAN_ALWAYS_INLINE char const* find_quote_or_slash(char const* p, char const* end) noexcept
{
    if constexpr (std::endian::native == std::endian::little)
        for (; end - p >= 8; p += 8) {
            auto const word = eight_characters(p);
            if (auto const found = zero_bytes(word ^ lowest_bits * '"') | zero_bytes(word ^ lowest_bits * '\\'))
                return p + std::countr_zero(found) / 8;
        }
    while (p != end && *p != '"' && *p != '\\')
        ++p;
    return p;
}

LINKSPAN_ALWAYS_INLINE char const* find_escape(char const* p, char const* end) noexcept
{
    auto const escapes_in = [](std::uint64_t word) {
        auto const control = (word - lowest_bits * 0x20) & ~word & top_bits;
        return control | zero_bytes(word ^ lowest_bits * '"') | zero_bytes(word ^ lowest_bits * '\\');
    };
    for (; end - p >= 8 && escapes_in(eight_characters(p)) == 0; p += 8)
        continue;
    // Both words of four characters overlap if there are fewer than eight.
    if (end - p >= 4 && end - p < 8 && escapes_in(four_characters(p) | four_characters(end - 4) << 32) == 0)
        return end;
    while (p != end && !must_escape(*p))
        ++p;
    return p;
}

LINKSPAN_ALWAYS_INLINE bool has_control(char const* p, char const* end) noexcept
{
    unsigned char lowest = 0xff;
    for (; p != end; ++p)
        lowest = std::min(lowest, static_cast<unsigned char>(*p));
    return lowest < 0x20;
}

} // namespace portable

// Returns the position of the first quote or backslash, or `end`.
LINKSPAN_ALWAYS_INLINE char const* find_quote_or_slash(char const* p, char const* end) noexcept
{
#if defined(__SSE2__)
    auto const quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    for (; end - p >= 16; p += 16) {
        auto const block = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        auto const found = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash));
        if (auto const mask = static_cast<unsigned>(_mm_movemask_epi8(found)))
            return p + std::countr_zero(mask);
    }
#endif
    return portable::find_quote_or_slash(p, end);
}

// Returns the position of the first character that must be escaped in a JSON string, or `end`.
inline char const* find_escape(char const* p, char const* end) noexcept
{
#if defined(__SSE2__)
    auto const quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last_control = _mm_set1_epi8(0x1f);
    auto const special_characters = [&](char const* at) {
        auto const block = _mm_loadu_si128(reinterpret_cast<__m128i const*>(at));
        auto const is_control = _mm_cmpeq_epi8(_mm_min_epu8(block, last_control), block);
        auto const is_special = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash));
        return _mm_or_si128(is_control, is_special);
    };
    auto const mask_of = [](__m128i found) { return static_cast<unsigned>(_mm_movemask_epi8(found)); };
    if (end - p >= 16) {
        for (; end - p >= 32; p += 32) // most blocks have no special character
            if (mask_of(_mm_or_si128(special_characters(p), special_characters(p + 16))) != 0)
                break;
        for (; end - p > 16; p += 16)
            if (auto const mask = mask_of(special_characters(p)))
                return p + std::countr_zero(mask);
        // The last 16 characters include some that were searched already.
        auto const mask = mask_of(special_characters(end - 16));
        return mask != 0 ? end - 16 + std::countr_zero(mask) : end;
    }
#endif
    return portable::find_escape(p, end);
}

// Returns whether the text has a control character: a line end, or another character below a space. The function
// searches the whole text, because most messages have none.
inline bool has_control(char const* p, char const* end) noexcept
{
#if defined(__SSE2__)
    if (end - p >= 16) {
        auto const characters = [](char const* at) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(at)); };
        auto least = characters(end - 16); // includes the characters that are left after the last whole block
        for (; end - p >= 64; p += 64) {
            auto const first = _mm_min_epu8(characters(p), characters(p + 16));
            auto const second = _mm_min_epu8(characters(p + 32), characters(p + 48));
            least = _mm_min_epu8(least, _mm_min_epu8(first, second));
        }
        for (; end - p >= 16; p += 16)
            least = _mm_min_epu8(least, characters(p));
        auto const last_control = _mm_set1_epi8(0x1f);
        return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(least, last_control), least)) != 0;
    }
#endif
    return portable::has_control(p, end);
}

} // namespace linkspan::detail

#endif
