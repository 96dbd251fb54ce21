#ifndef LINKSPAN_CORE_DETAIL_UTF8_PREFIX_HPP
#define LINKSPAN_CORE_DETAIL_UTF8_PREFIX_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the first bytes of a text, at most `max_size`. The text is cut between two characters if it is valid UTF-8.
inline std::string_view utf8_prefix(std::string_view text, std::size_t max_size) noexcept
{
    if (text.size() <= max_size)
        return text;
    auto end = max_size;
    while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // inside a character
        --end;
    return text.substr(0, end);
}

} // namespace linkspan::detail

#endif
