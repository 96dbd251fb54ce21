#ifndef LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP
#define LINKSPAN_CORE_IMPL_APPEND_QUOTED_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/find_special.hpp>

#include <algorithm>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::size_t long_text = 1024;

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
    if (escape == end && text.size() < detail::long_text) { // most texts: one growth for quotes and characters
        auto const at = out.size();
        out.append(text.size() + 2, '"');
        std::copy_n(text.data(), text.size(), out.data() + at + 1);
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
