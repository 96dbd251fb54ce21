#ifndef LINKSPAN_JSON_JSON_WRITER_HPP
#define LINKSPAN_JSON_JSON_WRITER_HPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace linkspan {

/// Text that is JSON already, passed through as it is.
///
/// Lifetime: borrows; the functions that take it copy what they need before they return.
class raw_json {
public:
    explicit constexpr raw_json(std::string_view text) noexcept : text_(text) {}

    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

namespace literals {

/// A JSON object as a literal, as in `R"({"a": 2})"_json`. Text that is not within braces does not compile; more is not
/// checked.
consteval raw_json operator""_json(char const* text, std::size_t size)
{
    std::string_view const all(text, size);
    auto const first = all.find_first_not_of(" \t\r\n"), last = all.find_last_not_of(" \t\r\n");
    if (first == all.npos || first == last || all[first] != '{' || all[last] != '}')
        throw "linkspan: a literal with _json is the text of a JSON object, within braces";
    return raw_json(all);
}

} // namespace literals

/// Appends a number in its shortest form, as in `3.25`: Boost.JSON 1.81 writes `3.25E0`, which some servers refuse. NaN
/// and infinities, which JSON lacks, become `null`.
LINKSPAN_DECL void append_number(std::string& out, std::int64_t number);
LINKSPAN_DECL void append_number(std::string& out, std::uint64_t number);
LINKSPAN_DECL void append_number(std::string& out, double number);
LINKSPAN_DECL void append_number(std::string& out, float number);

template<std::integral Integer>
void append_number(std::string& out, Integer number)
{
    append_number(out, static_cast<std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>>(number));
}

/// Appends `value` on one line.
LINKSPAN_DECL void append_json(std::string& out, boost::json::value const& value);
LINKSPAN_DECL void append_json(std::string& out, boost::json::object const& object);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_writer.ipp>
#endif

#endif
