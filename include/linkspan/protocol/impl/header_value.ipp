#ifndef LINKSPAN_PROTOCOL_IMPL_HEADER_VALUE_IPP
#define LINKSPAN_PROTOCOL_IMPL_HEADER_VALUE_IPP

#include <linkspan/core/detail/base64.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/protocol/header_value.hpp>

#include <algorithm>

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

} // namespace detail

LINKSPAN_DECL std::string encode_header_value(std::string_view text)
{
    auto const is_printable = [](char c) { return (c >= 0x20 && c <= 0x7e) || c == '\t'; };
    bool const is_plain =
        std::ranges::all_of(text, is_printable) && !detail::is_encoded(text) &&
        (text.empty() || (!detail::is_http_blank(text.front()) && !detail::is_http_blank(text.back())));
    if (is_plain)
        return std::string(text);
    return std::string(detail::base64_begin).append(detail::to_base64(text)).append(detail::base64_end);
}

LINKSPAN_DECL std::optional<std::string> decode_header_value(std::string_view value)
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
