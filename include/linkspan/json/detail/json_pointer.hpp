#ifndef LINKSPAN_JSON_DETAIL_JSON_POINTER_HPP
#define LINKSPAN_JSON_DETAIL_JSON_POINTER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns a key as one reference token of a JSON Pointer (RFC 6901).
inline std::string pointer_token(std::string_view key)
{
    std::string out;
    for (char const c : key)
        c == '~' ? out += "~0" : c == '/' ? out += "~1" : out += c;
    return out;
}

// Returns the first 128 bytes of a text for a message. Keys and other texts of a peer may have the size of a whole
// message. The text is cut between two characters if it is valid UTF-8.
inline std::string_view message_prefix(std::string_view text) noexcept
{
    constexpr std::size_t max_size = 128;
    return utf8_prefix(text, max_size);
}

// Returns a text for a message; "..." replaces the end of a long text.
inline std::string shortened_text(std::string_view text)
{
    auto const front = message_prefix(text);
    return std::string(front) + (front.size() == text.size() ? "" : "...");
}

// Returns a key as a reference token for a message; "..." replaces the end of a long key.
inline std::string shortened_key(std::string_view key)
{
    auto const front = message_prefix(key);
    return pointer_token(front) + (front.size() == key.size() ? "" : "...");
}

} // namespace linkspan::detail

#endif
