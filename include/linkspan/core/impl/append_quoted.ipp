#ifndef LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP
#define LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/find_special.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::size_t short_text = 254, long_text = 1024;

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
    auto const* const end = text.data() + text.size();
    auto const* escape = detail::find_escape(text.data(), end);
    if (escape == end && text.size() <= detail::short_text) { // most texts: `out` grows once
        std::array<char, detail::short_text + 2> quoted;
        quoted.front() = '"';
        *std::copy_n(text.data(), text.size(), quoted.data() + 1) = '"';
        out.append(quoted.data(), text.size() + 2);
        return;
    }
    // Memory for the text that follows is reserved too: otherwise the long text would be copied once more.
    if (auto const needed = out.size() + text.size() + detail::long_text;
        text.size() >= detail::long_text && needed > out.capacity())
        out.reserve(std::max(needed, 2 * out.capacity()));
    out += '"';
    auto const* from = text.data();
    for (; escape != end; escape = detail::find_escape(from, end)) {
        out.append(from, escape);
        detail::append_escape(out, *escape);
        from = escape + 1;
    }
    out.append(from, end);
    out += '"';
}

} // namespace linkspan

#endif
