#ifndef LINKSPAN_CORE_DETAIL_REUSED_TEXT_HPP
#define LINKSPAN_CORE_DETAIL_REUSED_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Texts of objects that are reused with their memory.

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of bytes of text memory that a reused object keeps.
inline constexpr std::size_t kept_text = std::size_t{64} << 10;

// Sets a text, unless it is the same already: many requests in succession have the same names.
inline void set_text(std::string& text, std::string_view value)
{
    if (text != value)
        text = value;
}

// Releases the memory of a text that is longer than `kept_text`.
inline void release_long_text(std::string& text) noexcept
{
    if (text.capacity() > kept_text)
        std::string().swap(text); // the assignment of an empty string would keep the memory
}

} // namespace linkspan::detail

#endif
