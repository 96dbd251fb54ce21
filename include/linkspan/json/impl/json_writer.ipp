#ifndef LINKSPAN_JSON_IMPL_JSON_WRITER_IPP
#define LINKSPAN_JSON_IMPL_JSON_WRITER_IPP

#include <linkspan/json/json_writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <charconv>
#include <cmath>
#include <cstring>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

template<class Number>
void append_chars(std::string& out, Number number)
{
    char buffer[32]; // the longest double has 24 characters
    auto const* const end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    out.append(buffer, static_cast<std::size_t>(end - buffer));
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
