#include "clean_text.hpp"

#include <linkspan/core/detail/code_points.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "json_text.hpp"

namespace cli {
namespace {

using linkspan::detail::first_code_point;

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

// Control characters of terminals, and characters that change the order of text (Unicode, UAX 9).
bool is_unsafe(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

std::string hexadecimal(char const* format, std::uint32_t number)
{
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, static_cast<unsigned>(number));
    return buffer.data();
}

std::string clean(std::string_view text, bool one_line)
{
    std::string out;
    while (!text.empty()) {
        auto const next = first_code_point(text);
        if (!next.valid) {
            out += hexadecimal("\\x%02x", static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
            continue;
        }
        if (text.starts_with("\r\n"))
            text.remove_prefix(1);
        char const c = text.front();
        if (c == '\n' || c == '\t')
            out += !one_line ? std::string(1, c) : c == '\n' ? "\\n" : "\\t";
        else if (is_unsafe(next.code))
            out += hexadecimal(next.code < 0x80 ? "\\x%02x" : "\\u{%x}", next.code);
        else
            out += text.substr(0, next.size);
        text.remove_prefix(c == '\n' ? 1 : next.size);
    }
    return out;
}

std::optional<std::uint32_t> unit_of(std::string_view escape) // of "\u00e9"
{
    if (escape.size() < 6 || escape[0] != '\\' || escape[1] != 'u')
        return std::nullopt;
    std::uint32_t out = 0;
    for (char const c : escape.substr(2, 4)) {
        constexpr std::string_view digits = "0123456789abcdef";
        auto const digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
        if (digit == digits.npos)
            return std::nullopt;
        out = out << 4 | static_cast<std::uint32_t>(digit);
    }
    return out;
}

// Appends the escape at the beginning of `text`, or U+FFFD if it is invalid. Returns its size in bytes.
std::size_t append_escape(std::string& out, std::string_view text)
{
    constexpr std::string_view simple = "\"\\/bfnrt";
    if (text.size() > 1 && simple.find(text[1]) != simple.npos) {
        out += text.substr(0, 2);
        return 2;
    }
    auto const unit = unit_of(text);
    auto const partner = unit ? unit_of(text.substr(6)) : std::nullopt;
    bool const is_high = unit && *unit >= 0xd800 && *unit < 0xdc00;
    if (is_high && partner && *partner >= 0xdc00 && *partner < 0xe000) {
        out += text.substr(0, 12);
        return 12;
    }
    if (unit && (*unit < 0xd800 || *unit >= 0xe000)) {
        out += text.substr(0, 6);
        return 6;
    }
    out += replacement;
    return unit ? 6 : 1;
}

// Appends the next character of a JSON string in a safe form. Returns its size in bytes.
std::size_t append_clean(std::string& out, std::string_view text)
{
    if (text.front() == '\\')
        return append_escape(out, text);
    auto const next = first_code_point(text);
    if (!next.valid) {
        out += replacement;
        return 1;
    }
    if (is_unsafe(next.code))
        out += hexadecimal("\\u%04x", next.code);
    else
        out += text.substr(0, next.size);
    return next.size;
}

} // namespace

std::string terminal_text(std::string_view text) { return clean(text, false); }
std::string terminal_line(std::string_view text) { return clean(text, true); }

std::string json_string(std::string_view text)
{
    std::string out = "\"";
    while (!text.empty()) {
        if (text.front() == '"' || text.front() == '\\') {
            (out += '\\') += text.front();
            text.remove_prefix(1);
        } else {
            text.remove_prefix(append_clean(out, text));
        }
    }
    return out + '"';
}

std::string clean_json(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    bool in_string = false;
    for (auto rest = json; !rest.empty();) {
        char const c = rest.front();
        if (in_string && c != '"') {
            rest.remove_prefix(append_clean(out, rest));
            continue;
        }
        in_string ^= c == '"';
        out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
        rest.remove_prefix(1);
    }
    boost::system::error_code ec;
    parse_json(out, ec);
    return !ec ? out : "{" + json_string(malformed_key) + ":" + json_string(json) + "}";
}

} // namespace cli
