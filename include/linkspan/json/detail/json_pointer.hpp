#ifndef LINKSPAN_JSON_DETAIL_JSON_POINTER_HPP
#define LINKSPAN_JSON_DETAIL_JSON_POINTER_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::detail {

// A key as one step of a JSON Pointer (RFC 6901).
inline std::string pointer_token(std::string_view key)
{
    std::string out;
    for (char const c : key)
        c == '~' ? out += "~0" : c == '/' ? out += "~1" : out += c;
    return out;
}

// Keys, and other texts from outside, may be as long as a message: of such ones a problem tells the front. Of a text
// that is UTF-8 no character is cut.
inline std::string_view told_front(std::string_view text) noexcept
{
    constexpr std::size_t most = 128;
    if (text.size() <= most)
        return text;
    auto end = most;
    while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // within a character
        --end;
    return text.substr(0, end);
}

inline std::string told_text(std::string_view text)
{
    auto const front = told_front(text);
    return std::string(front) + (front.size() == text.size() ? "" : "...");
}

inline std::string told_key(std::string_view key)
{
    auto const front = told_front(key);
    return pointer_token(front) + (front.size() == key.size() ? "" : "...");
}

} // namespace linkspan::detail

#endif
