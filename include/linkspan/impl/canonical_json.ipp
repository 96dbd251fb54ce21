#ifndef LINKSPAN_IMPL_CANONICAL_JSON_IPP
#define LINKSPAN_IMPL_CANONICAL_JSON_IPP

#include <linkspan/detail/canonical_json.hpp>
#include <linkspan/detail/code_points.hpp>
#include <linkspan/json_scan.hpp>
#include <linkspan/json_writer.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <system_error>

namespace linkspan::detail {

inline void append_unicode_escape_of(std::string& out, char32_t code)
{
    if (code > 0xffff) {
        append_unicode_escape_of(out, 0xd800 + ((code - 0x10000) >> 10));
        append_unicode_escape_of(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
        return;
    }
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += "0123456789abcdef"[code >> shift & 0xf];
}

LINKSPAN_DECL void append_visible_quoted(std::string& out, std::string_view text)
{
    std::string escaped;
    append_quoted(escaped, text);
    for (std::string_view rest = escaped; !rest.empty();) {
        // Most of it is plain.
        auto const plain = std::ranges::find_if(rest, [](char c) { return c < 0x20 || c > 0x7e; }) - rest.begin();
        out += rest.substr(0, static_cast<std::size_t>(plain));
        rest.remove_prefix(static_cast<std::size_t>(plain));
        if (rest.empty())
            return;
        auto const [code, size, valid] = first_code_point(rest);
        if (is_invisible(code))
            append_unicode_escape_of(out, code);
        else
            out += valid ? rest.substr(0, size) : "\xef\xbf\xbd"; // U+FFFD
        rest.remove_prefix(size);
    }
}

inline void append_canonical_number(std::string& out, std::string_view number)
{
    constexpr double exact = 9007199254740992; // 2^53
    std::uint64_t large = 0;
    auto const* const end = number.data() + number.size();
    if (auto const small = json_scan::integer(number)) {
        append_number(out, *small);
    } else if (auto const [stop, ec] = std::from_chars(number.data(), end, large); ec == std::errc() && stop == end) {
        out += number;
    } else if (auto const real = json_scan::number(number); !real) {
        out += number; // out of range
    } else if (std::trunc(*real) == *real && std::abs(*real) < exact) {
        append_number(out, static_cast<std::int64_t>(*real));
    } else {
        linkspan::append_json(out, boost::json::value(*real));
    }
}

// Writes the frame of an object or array.
class canonical_lines {
public:
    canonical_lines(std::string& out, canonical_style const& style, unsigned level) : out_(out), style_(style)
    {
        level_ = level;
    }

    void begin_item()
    {
        out_ += is_empty_ ? "" : ",";
        is_empty_ = false;
        break_line(level_ + 1);
    }

    void end()
    {
        if (!is_empty_)
            break_line(level_);
    }

private:
    void break_line(unsigned level)
    {
        if (style_.has_lines)
            (out_ += '\n').append(std::size_t{2} * level, ' ');
    }

    std::string& out_;
    canonical_style const& style_;
    unsigned level_;
    bool is_empty_ = true;
};

inline bool append_canonical_string(std::string& out, std::string_view decoded, canonical_style const& style)
{
    style.escapes_invisible ? append_visible_quoted(out, decoded) : append_quoted(out, decoded);
    return true;
}

inline bool append_canonical_object(std::string& out, json_scan::reader& members, canonical_style const& style,
                                    unsigned level)
{
    std::map<std::string, std::string_view> sorted;
    std::string quoted;
    while (auto const member = members.next()) {
        quoted = '"';
        (quoted += member->key) += '"';
        auto key = json_scan::string(quoted);
        if (!key)
            return false;
        sorted.insert_or_assign(*std::move(key), member->value);
    }
    out += '{';
    canonical_lines lines(out, style, level);
    for (auto const& [key, value] : sorted) {
        lines.begin_item();
        append_canonical_string(out, key, style);
        out += style.has_lines ? ": " : ":";
        if (!append_canonical_text(out, value, style, level + 1))
            return false;
    }
    lines.end();
    out += '}';
    return members.ok();
}

inline bool append_canonical_array(std::string& out, json_scan::reader& elements, canonical_style const& style,
                                   unsigned level)
{
    out += '[';
    canonical_lines lines(out, style, level);
    while (auto const element = elements.next()) {
        lines.begin_item();
        if (!append_canonical_text(out, element->value, style, level + 1))
            return false;
    }
    lines.end();
    out += ']';
    return elements.ok();
}

LINKSPAN_DECL bool append_canonical_text(std::string& out, std::string_view json, canonical_style const& style,
                                         unsigned level)
{
    auto const first = json.find_first_not_of(" \t\r\n");
    if (first == json.npos || !json_scan::is_value(json))
        return false;
    json = json.substr(first, json.find_last_not_of(" \t\r\n") + 1 - first);
    if (json_scan::reader items(json); items.is_object())
        return append_canonical_object(out, items, style, level);
    else if (items.is_array())
        return append_canonical_array(out, items, style, level);
    if (auto const text = json_scan::string(json))
        return append_canonical_string(out, *text, style);
    if (json.front() == '"')
        return false;
    bool const is_number = json.front() == '-' || (json.front() >= '0' && json.front() <= '9');
    if (is_number && !style.keeps_numbers)
        append_canonical_number(out, json);
    else
        out += json;
    return true;
}

} // namespace linkspan::detail

#endif
