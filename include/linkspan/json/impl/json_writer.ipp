#ifndef LINKSPAN_JSON_IMPL_JSON_WRITER_IPP
#define LINKSPAN_JSON_IMPL_JSON_WRITER_IPP

#include <linkspan/json/json_writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <charconv>
#include <cmath>
#include <cstring>

namespace linkspan {
namespace detail {

template<class Number>
void append_chars(std::string& out, Number number)
{
    char buffer[32]; // the longest double has 24 characters
    auto const* const end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    out.append(buffer, static_cast<std::size_t>(end - buffer));
}

inline bool must_escape(char c) noexcept { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

// Eight characters at once: true when one of them must be escaped.
inline bool must_escape_any(char const* p) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    auto const has_zero = [](std::uint64_t bytes) { return (bytes - ones) & ~bytes & tops; };
    auto const control = (word - ones * 0x20) & ~word & tops;
    return (control | has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\')) != 0;
}

inline char const* find_escape(char const* p, char const* end) noexcept
{
    while (end - p >= 8 && !must_escape_any(p))
        p += 8;
    while (p != end && !must_escape(*p))
        ++p;
    return p;
}

inline void append_escape(std::string& out, char c)
{
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    }
    constexpr char const* digits = "0123456789abcdef";
    out += "\\u00";
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
}

inline void append_json(std::string& out, boost::json::array const& array)
{
    out += '[';
    for (auto const& element : array) {
        if (&element != array.data())
            out += ',';
        linkspan::append_json(out, element);
    }
    out += ']';
}

template<class Real>
void append_real(std::string& out, Real number)
{
    if (std::isfinite(number))
        append_chars(out, number);
    else
        out += "null";
}

inline std::string_view view(boost::json::string_view text) noexcept { return {text.data(), text.size()}; }

} // namespace detail

LINKSPAN_DECL void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    auto const* const end = text.data() + text.size();
    for (auto const* from = text.data();;) {
        auto const* const escape = detail::find_escape(from, end);
        out.append(from, static_cast<std::size_t>(escape - from));
        if (escape == end)
            break;
        detail::append_escape(out, *escape);
        from = escape + 1;
    }
    out += '"';
}

LINKSPAN_DECL void append_number(std::string& out, std::int64_t number) { detail::append_chars(out, number); }
LINKSPAN_DECL void append_number(std::string& out, std::uint64_t number) { detail::append_chars(out, number); }
LINKSPAN_DECL void append_number(std::string& out, double number) { detail::append_real(out, number); }
LINKSPAN_DECL void append_number(std::string& out, float number) { detail::append_real(out, number); }

LINKSPAN_DECL void append_json(std::string& out, boost::json::value const& value)
{
    switch (value.kind()) {
    case boost::json::kind::null: out += "null"; break;
    case boost::json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
    case boost::json::kind::int64: detail::append_chars(out, value.get_int64()); break;
    case boost::json::kind::uint64: detail::append_chars(out, value.get_uint64()); break;
    case boost::json::kind::double_: append_number(out, value.get_double()); break;
    case boost::json::kind::string: append_quoted(out, detail::view(value.get_string())); break;
    case boost::json::kind::array: detail::append_json(out, value.get_array()); break;
    case boost::json::kind::object: append_json(out, value.get_object()); break;
    }
}

LINKSPAN_DECL void append_json(std::string& out, boost::json::object const& object)
{
    out += '{';
    for (auto const& member : object) {
        if (out.back() != '{')
            out += ',';
        append_quoted(out, detail::view(member.key()));
        out += ':';
        append_json(out, member.value());
    }
    out += '}';
}

} // namespace linkspan

#endif
