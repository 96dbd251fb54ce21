#ifndef LINKSPAN_CONFIG_IMPL_CONFIG_TEXT_IPP
#define LINKSPAN_CONFIG_IMPL_CONFIG_TEXT_IPP

#include <linkspan/config/detail/config_text.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Return the size of the comment or string at the beginning of `text`; 0: no comment, or an unterminated one.
inline std::size_t end_of_comment(std::string_view text) noexcept
{
    if (text.starts_with("//"))
        return std::min(text.find_first_of("\r\n"), text.size());
    auto const end = text.starts_with("/*") ? text.find("*/", 2) : text.npos;
    return end == text.npos ? 0 : end + 2;
}

inline std::size_t end_of_string(std::string_view text) noexcept
{
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

LINKSPAN_DECL std::string blank_comments(std::string_view text)
{
    std::string out(text);
    if (text.starts_with("\xef\xbb\xbf"))
        out.replace(0, 3, 3, ' ');
    auto comma = out.npos; // position of a comma that may be a trailing comma
    char before = '[';
    for (std::size_t at = 0; at < out.size();) {
        auto const rest = std::string_view(out).substr(at);
        if (auto const length = end_of_comment(rest); length != 0) {
            std::replace_if(
                out.begin() + static_cast<std::ptrdiff_t>(at), out.begin() + static_cast<std::ptrdiff_t>(at + length),
                [](char c) { return c != '\n' && c != '\r'; }, ' ');
            at += length;
            continue;
        }
        char const c = out[at];
        bool const is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if ((c == '}' || c == ']') && comma != out.npos)
            out[comma] = ' ';
        if (!is_blank) {
            bool const follows_value = before != '[' && before != '{' && before != ',' && before != ':';
            comma = c == ',' && follows_value ? at : out.npos;
            before = c;
        }
        at += c == '"' ? end_of_string(rest) : 1;
    }
    return out;
}

inline void find_repeated_keys(std::string_view text, std::string const& pointer, std::vector<repeated_key>& out)
{
    json_scan::reader items(text);
    std::set<std::string> seen, twice;
    std::size_t index = 0;
    while (auto const item = items.next()) {
        auto key = items.is_array() ? std::to_string(index++)
                                    : json_scan::string('"' + std::string(item->key) + '"').value_or("");
        if (item->value.starts_with('{') || item->value.starts_with('['))
            find_repeated_keys(item->value, pointer + "/" + pointer_token(key), out);
        if (!seen.insert(key).second && twice.insert(key).second)
            out.push_back({pointer, std::move(key)});
    }
}

LINKSPAN_DECL std::vector<repeated_key> find_repeated_keys(std::string_view text)
{
    std::vector<repeated_key> out;
    find_repeated_keys(text, {}, out);
    return out;
}

} // namespace linkspan::detail

#endif
