#ifndef LINKSPAN_PROTOCOL_HEADER_VALUE_HPP
#define LINKSPAN_PROTOCOL_HEADER_VALUE_HPP

#include <linkspan/core/detail/base64.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

// Values of the headers `Mcp-Name` and `Mcp-Param-*`, which repeat parts of a message. The encoding represents any text
// with the characters that HTTP permits.
//
// Specification: 2026-07-28, basic/transports, "Streamable HTTP", "Encoding of header values".

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Prefix and suffix of a value that is encoded in Base64.
inline constexpr std::string_view base64_begin = "=?base64?";
inline constexpr std::string_view base64_end = "?=";

inline bool is_encoded(std::string_view value) noexcept
{
    return value.size() >= base64_begin.size() + base64_end.size() && value.starts_with(base64_begin) &&
           value.ends_with(base64_end);
}

inline bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

inline std::string_view trimmed(std::string_view text) noexcept
{
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

} // namespace detail

/// An HTTP header, as views.
struct header_value {
    /// Name of the header.
    std::string_view name;
    /// Encoded value of the header.
    std::string_view value;
};

/// Returns `text` as the value of a header.
///
/// The text is returned unchanged if it consists of printable ASCII characters and tabs, has no leading or trailing
/// blanks, and does not have the form of an encoded value. All other texts are encoded as "=?base64?...?=".
inline std::string encode_header_value(std::string_view text)
{
    auto const is_printable = [](char c) { return (c >= 0x20 && c <= 0x7e) || c == '\t'; };
    bool const is_plain = std::ranges::all_of(text, is_printable) && !detail::is_encoded(text) &&
                          (text.empty() || (!detail::is_blank(text.front()) && !detail::is_blank(text.back())));
    if (is_plain)
        return std::string(text);
    return std::string(detail::base64_begin).append(detail::to_base64(text)).append(detail::base64_end);
}

/// Returns the text that a header value represents. Leading and trailing blanks are ignored, because they belong to the
/// HTTP syntax. Empty: the value has the form "=?base64?...?=" and contains no valid Base64.
inline std::optional<std::string> decode_header_value(std::string_view value)
{
    value = detail::trimmed(value);
    if (!detail::is_encoded(value))
        return std::string(value);
    value.remove_prefix(detail::base64_begin.size());
    value.remove_suffix(detail::base64_end.size());
    return detail::from_base64(value);
}

} // namespace linkspan

#endif
