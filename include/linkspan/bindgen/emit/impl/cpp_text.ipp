#ifndef LINKSPAN_BINDGEN_EMIT_IMPL_CPP_TEXT_IPP
#define LINKSPAN_BINDGEN_EMIT_IMPL_CPP_TEXT_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/json_writer.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

inline constexpr std::size_t max_text = std::size_t{16} << 10;
inline constexpr std::size_t max_raw_literal = 15'000;
inline constexpr std::size_t columns = 120;

inline void trim_right(std::string& text)
{
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.pop_back();
}

// Returns the size in bytes of the first `width` code points.
inline std::size_t bytes_of_width(std::string_view text, std::size_t width)
{
    std::size_t bytes = 0;
    for (; bytes != text.size() && width != 0; --width)
        bytes += linkspan::detail::first_code_point(text.substr(bytes)).size;
    return bytes;
}

// A backslash at the end of a line, or its trigraph ??/, would continue the comment on the next line.
inline void append_comment_line(std::string& out, std::size_t indentation, std::string_view line)
{
    out.append(indentation, ' ');
    out += line.empty() ? "//" : "// ";
    out += line;
    if (line.ends_with('\\') || line.ends_with("?\?/"))
        out += " .";
    out += '\n';
}

inline void append_wrapped(std::string& out, std::size_t indentation, std::string_view line)
{
    // room for "// " and the suffix " ."
    auto const width = indentation + 25 < columns ? columns - indentation - 5 : 20;
    while (linkspan::detail::count_code_points(line) > width) {
        auto cut = bytes_of_width(line, width);
        if (auto const blank = line.find_last_of(' ', cut); blank != line.npos && line.find_first_not_of(' ') < blank)
            cut = blank;
        auto part = std::string(line.substr(0, cut));
        trim_right(part);
        append_comment_line(out, indentation, part);
        line.remove_prefix(cut);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    append_comment_line(out, indentation, line);
}

// Returns one code point of a literal, or its bytes as escapes. `before` is the preceding character.
inline std::string escaped(std::string_view bytes, linkspan::detail::code_point const& point, char before)
{
    switch (bytes.front()) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '?': return before == '?' ? "\\?" : "?"; // avoids trigraphs
    }
    if (point.valid && !linkspan::detail::is_invisible(point.code))
        return std::string(bytes);
    std::string out; // octal: ends after three digits regardless of the next character
    for (char const c : bytes) {
        auto const byte = static_cast<unsigned char>(c);
        out += '\\';
        out += static_cast<char>('0' + (byte >> 6));
        out += static_cast<char>('0' + (byte >> 3 & 7));
        out += static_cast<char>('0' + (byte & 7));
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string visible_text(std::string_view text)
{
    bool const is_cut = text.size() > detail::max_text;
    text = text.substr(0, detail::max_text);
    std::string out;
    while (!text.empty()) {
        auto const point = linkspan::detail::first_code_point(text);
        auto const is_end = text.front() == '\n' || (text.front() == '\r' && !text.starts_with("\r\n"));
        if (is_end || point.code == 0x2028 || point.code == 0x2029) {
            while (out.ends_with(' '))
                out.pop_back();
            out += '\n';
        } else if (text.front() == '\t') {
            out += ' ';
        } else if (!point.valid) {
            out += is_cut && text.size() < 4 ? "" : "\xef\xbf\xbd";
        } else if (!linkspan::detail::is_invisible(point.code)) {
            out += text.substr(0, point.size);
        }
        text.remove_prefix(point.size);
    }
    detail::trim_right(out);
    return is_cut ? out += "..." : out;
}

LINKSPAN_DECL std::string visible_line(std::string_view text)
{
    std::string out;
    for (char const c : visible_text(text))
        c == '\n' ? out += "\\n" : out += c;
    return out;
}

LINKSPAN_DECL std::string comment_lines(std::string_view text, std::size_t indentation)
{
    auto const visible = visible_text(text);
    std::string out;
    bool was_empty = true; // collapses empty lines, and drops them at the beginning
    for (std::string_view rest = visible; !rest.empty();) {
        auto const end = rest.find('\n');
        auto const line = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (line.empty() && was_empty)
            continue;
        was_empty = line.empty();
        detail::append_wrapped(out, indentation, line);
    }
    return out;
}

LINKSPAN_DECL std::string string_literal(std::string_view text)
{
    return wrapped_literal(text, std::numeric_limits<std::size_t>::max());
}

LINKSPAN_DECL std::string view_literal(std::string_view text)
{
    auto literal = string_literal(text);
    if (text.find('\0') == text.npos)
        return literal;
    return "std::string_view(" + literal + ", " + std::to_string(text.size()) + ")";
}

LINKSPAN_DECL std::string wrapped_literal(std::string_view text, std::size_t width)
{
    std::string out = "\"";
    std::size_t used = 0;
    char before = 0;
    while (!text.empty()) {
        auto const point = linkspan::detail::first_code_point(text);
        auto const part = detail::escaped(text.substr(0, point.size), point, before);
        auto const word = std::min(text.find(' ', 1), text.size());
        bool const begins_word = before == ' ' && text.front() != ' ';
        if (used != 0 && (used + part.size() > width || (begins_word && used + word > width))) {
            out += "\"\n\"";
            used = 0;
        }
        out += part;
        used += part.size();
        before = text.front();
        text.remove_prefix(point.size);
    }
    return out += '"';
}

LINKSPAN_DECL std::string without_trigraphs(std::string_view json)
{
    std::string out;
    for (char const c : json)
        c == '?' && out.ends_with('?') ? out += "\\u003f" : out += c;
    return out;
}

LINKSPAN_DECL std::string json_literal(std::string_view json)
{
    auto const text = without_trigraphs(json);
    std::string delimiter = "json";
    for (unsigned number = 1; text.find(')' + delimiter + '"') != text.npos; ++number)
        delimiter = "json" + std::to_string(number);
    std::string out;
    std::string_view rest = text;
    do {
        auto size = std::min(rest.size(), detail::max_raw_literal);
        while (size != rest.size() && (static_cast<unsigned char>(rest[size]) & 0xc0U) == 0x80)
            --size;
        out += out.empty() ? "" : "\n";
        ((out += "R\"") += delimiter) += '(';
        out += rest.substr(0, size);
        ((out += ')') += delimiter) += '"';
        rest.remove_prefix(size);
    } while (!rest.empty());
    return out;
}

LINKSPAN_DECL std::optional<std::string> number_literal(boost::json::value const& value)
{
    if (auto const* const number = value.if_int64())
        // C++ has no negative literals, so that the smallest number has no literal.
        return *number == std::numeric_limits<std::int64_t>::min() ? "(-9223372036854775807 - 1)"
                                                                   : std::to_string(*number);
    auto const* const real = value.if_double();
    if (!real || !std::isfinite(*real))
        return std::nullopt;
    std::string out;
    append_json(out, value);
    if (out.find_first_of(".e") == out.npos)
        out += ".0";
    return out;
}

} // namespace linkspan::bindgen

#endif
