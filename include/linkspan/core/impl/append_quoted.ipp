#ifndef LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP
#define LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP

#include <linkspan/core/detail/append_quoted.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

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

inline char const* find_escape(char const* p, char const* end) noexcept
{
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
