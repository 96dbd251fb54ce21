#ifndef LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP
#define LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP

#include <linkspan/core/detail/append_quoted.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::size_t long_text = 1024;

inline bool must_escape(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

// Checks eight characters at once: returns true if one of them must be escaped.
inline bool must_escape_any(char const* p) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    auto const has_zero = [](std::uint64_t bytes) { return (bytes - ones) & ~bytes & tops; };
    auto const control = (word - ones * 0x20) & ~word & tops;
    return (control | has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\')) != 0;
}

// Reads no character after `end`.
inline char const* find_escape(char const* p, char const* end) noexcept
{
#if defined(__SSE2__)
    auto const quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last_control = _mm_set1_epi8(0x1f);
    for (; end - p >= 16; p += 16) {
        auto const block = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        auto const is_control = _mm_cmpeq_epi8(_mm_min_epu8(block, last_control), block);
        auto const is_special = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash));
        if (auto const mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(is_control, is_special))))
            return p + std::countr_zero(mask);
    }
#endif
    while (end - p >= 8 && !must_escape_any(p))
        p += 8;
    while (p != end && !must_escape(*p))
        ++p;
    return p;
}

inline void append_escape(std::string& out, char c)
{
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    }
    constexpr char const* digits = "0123456789abcdef";
    out += "\\u00";
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
}

} // namespace detail

LINKSPAN_DECL void append_quoted(std::string& out, std::string_view text)
{
    // Without this, a long text is copied once more for its closing quote and for the text that follows.
    if (text.size() >= detail::long_text)
        out.reserve(out.size() + text.size() + detail::long_text);
    out += '"';
    auto const* const end = text.data() + text.size();
    for (auto const* from = text.data();;) {
        auto const* const escape = detail::find_escape(from, end);
        out.append(from, static_cast<std::size_t>(escape - from));
        if (escape == end)
            break;
        detail::append_escape(out, *escape);
        from = escape + 1;
    }
    out += '"';
}

} // namespace linkspan

#endif
