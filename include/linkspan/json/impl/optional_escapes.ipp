#ifndef LINKSPAN_JSON_IMPL_OPTIONAL_ESCAPES_IPP
#define LINKSPAN_JSON_IMPL_OPTIONAL_ESCAPES_IPP

#include <linkspan/json/detail/optional_escapes.hpp>

#include <charconv>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Character that an escape stands for, if the escape is optional, and the size of the escape.
struct read_escape {
    char decoded;     // 0: the escape is not optional
    std::size_t size; // at least 2; may exceed the rest of the text
};

// Reads an escape at the beginning of `text`, which starts with a backslash.
inline read_escape read_optional_escape(std::string_view text) noexcept
{
    constexpr std::size_t size = 6; // of `\u0069`
    if (text.starts_with("\\/"))
        return {'/', 2};
    unsigned code = 0;
    if (!text.starts_with("\\u00") || text.size() < size)
        return {0, 2};
    auto const* const end = text.data() + size;
    auto const read = std::from_chars(text.data() + 4, end, code, 16);
    bool const is_printable = read.ec == std::errc() && read.ptr == end && code >= 0x20 && code < 0x7f;
    return {is_printable && code != '"' && code != '\\' ? static_cast<char>(code) : '\0', size};
}

LINKSPAN_DECL bool has_optional_escape(std::string_view text) noexcept
{
    for (auto at = text.find('\\'); at < text.size();) {
        auto const one = read_optional_escape(text.substr(at));
        if (one.decoded != 0)
            return true;
        at = text.find('\\', at + one.size);
    }
    return false;
}

LINKSPAN_DECL std::string without_optional_escapes(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    while (!json.empty()) {
        auto const plain = json.substr(0, json.find('\\'));
        out += plain;
        json.remove_prefix(plain.size());
        if (json.empty())
            break;
        auto const one = read_optional_escape(json);
        auto const escape = json.substr(0, one.size);
        if (one.decoded != 0)
            out += one.decoded;
        else
            out += escape;
        json.remove_prefix(escape.size());
    }
    return out;
}

} // namespace linkspan::detail

#endif
