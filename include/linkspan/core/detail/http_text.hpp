#ifndef LINKSPAN_CORE_DETAIL_HTTP_TEXT_HPP
#define LINKSPAN_CORE_DETAIL_HTTP_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Converts an ASCII letter to lower case. Other characters are returned without a change.
constexpr char to_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Compares two texts, ignoring the case of ASCII letters, as for names of headers, hosts and URI schemes. Most equal
// texts have the same case.
constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && (a == b || std::ranges::equal(a, b, {}, to_lower, to_lower));
}

// Returns true if the text is a token, which is the syntax of header names (RFC 9110, section 5.6.2).
constexpr bool is_http_token(std::string_view text) noexcept
{
    auto const is_of_tokens = [](char c) {
        constexpr std::string_view others = "!#$%&'*+-.^_`|~";
        auto const lower = to_lower(c);
        return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || others.find(c) != others.npos;
    };
    return !text.empty() && std::ranges::all_of(text, is_of_tokens);
}

// Returns true if the character may surround the value of a header (RFC 9110, section 5.6.3).
constexpr bool is_http_blank(char c) noexcept { return c == ' ' || c == '\t'; }

// Returns the text without the spaces and tabs around it.
constexpr std::string_view trimmed(std::string_view text) noexcept
{
    while (!text.empty() && is_http_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_http_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

} // namespace linkspan::detail

#endif
