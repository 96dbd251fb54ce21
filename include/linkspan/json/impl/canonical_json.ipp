#ifndef LINKSPAN_JSON_IMPL_CANONICAL_JSON_IPP
#define LINKSPAN_JSON_IMPL_CANONICAL_JSON_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <system_error>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

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
        // Most texts are plain ASCII and are copied in one piece.
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

// Writes the commas and line breaks of an object or array.
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

    // Set by the constructor.
    std::string& out_;
    canonical_style const& style_;
    unsigned level_; // nesting level of the object or array; the level of its items is greater by 1

    bool is_empty_ = true; // cleared by the first item
};

// Texts of all members that are objects or arrays. They are determined in one pass, because skipping each of them
// during the output would read the innermost values once for each enclosing level.
class nested_members {
public:
    explicit nested_members(std::string_view json)
    {
        auto at = json_scan::reader::at_value(json);
        read(at, false);
    }

    // Skips the value of the current item, and returns the text of the value.
    std::string_view skip(json_scan::reader& in) const
    {
        if (!is_nested(in))
            return in.skip();
        auto const value = *std::ranges::lower_bound(values_, in.rest().data(), std::less<>(),
                                                     [](std::string_view known) { return known.data(); });
        in.skip_known(value);
        return value;
    }

    static bool is_nested(json_scan::reader const& in) { return in.peek() == '{' || in.peek() == '['; }

private:
    void read(json_scan::reader& in, bool is_member)
    {
        if (!is_nested(in)) {
            in.skip();
            return;
        }
        auto const index = values_.size();
        if (is_member)
            values_.emplace_back();
        auto inner = in.enter();
        while (inner.next_key())
            read(inner, inner.is_object());
        auto const value = in.leave(inner);
        if (is_member)
            values_[index] = value;
    }

    std::vector<std::string_view> values_; // in the order of their positions; filled by the constructor
};

// Writer for a text that is well-formed, except possibly for the escapes in its strings.
class canonical_writer {
public:
    canonical_writer(std::string& out, canonical_style const& style, std::string_view json)
        : out_(out), style_(style), nested_(json)
    {}

    // Appends the value of the current item. Returns false for an invalid escape.
    bool append(json_scan::reader& in, unsigned level)
    {
        if (!nested_members::is_nested(in))
            return append_scalar(in.skip());
        auto inner = in.enter();
        return (inner.is_object() ? append_object(inner, level) : append_array(inner, level)) &&
               !in.leave(inner).empty();
    }

private:
    bool append_object(json_scan::reader& members, unsigned level)
    {
        std::map<std::string, std::string_view> sorted;
        std::string quoted;
        while (auto const written = members.next_key()) {
            quoted = '"';
            (quoted += *written) += '"';
            auto key = json_scan::string(quoted);
            if (!key)
                return false;
            sorted.insert_or_assign(*std::move(key), nested_.skip(members));
        }
        out_ += '{';
        canonical_lines lines(out_, style_, level);
        for (auto const& [key, value] : sorted) {
            lines.begin_item();
            append_string(key);
            out_ += style_.has_lines ? ": " : ":";
            auto at = json_scan::reader::at_value(value);
            if (!append(at, level + 1))
                return false;
        }
        lines.end();
        out_ += '}';
        return true;
    }

    bool append_array(json_scan::reader& elements, unsigned level)
    {
        out_ += '[';
        canonical_lines lines(out_, style_, level);
        while (elements.next_key()) {
            lines.begin_item();
            if (!append(elements, level + 1))
                return false;
        }
        lines.end();
        out_ += ']';
        return true;
    }

    bool append_scalar(std::string_view json)
    {
        if (json.front() == '"') {
            auto const text = json_scan::string(json);
            if (text)
                append_string(*text);
            return text.has_value();
        }
        bool const is_number = json.front() == '-' || (json.front() >= '0' && json.front() <= '9');
        if (is_number && !style_.keeps_numbers)
            append_canonical_number(out_, json);
        else
            out_ += json;
        return true;
    }

    void append_string(std::string_view decoded)
    {
        style_.escapes_invisible ? append_visible_quoted(out_, decoded) : append_quoted(out_, decoded);
    }

    // Set by the constructor.
    std::string& out_;
    canonical_style const& style_;
    nested_members nested_; // of the text that is read
};

LINKSPAN_DECL bool append_canonical_text(std::string& out, std::string_view json, canonical_style const& style)
{
    if (!json_scan::is_value(json))
        return false;
    auto at = json_scan::reader::at_value(json);
    return canonical_writer(out, style, json).append(at, 0);
}

} // namespace linkspan::detail

#endif
