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

namespace linkspan::inline LINKSPAN_ABI {

/// Reference to JSON text that is used unchanged.
///
///     linkspan::arguments const args(linkspan::raw_json(text));
///
/// The class does not check the text.
///
/// \par Lifetime
/// The object does not own the text. Functions of this library with a parameter of this type copy the text before they
/// return.
class raw_json {
public:
    /// Refers to `text`, which should be one JSON value.
    explicit constexpr raw_json(std::string_view text) noexcept : text_(text) {}

    /// Returns the text.
    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

namespace literals {

/// Returns a JSON object from a literal, as in `R"({"a": 2})"_json`.
///
/// The program does not compile if the first and the last character, apart from whitespace, are not braces. The text
/// between the braces is not checked.
consteval raw_json operator""_json(char const* text, std::size_t size)
{
    std::string_view const all(text, size);
    auto const first = all.find_first_not_of(" \t\r\n"), last = all.find_last_not_of(" \t\r\n");
    if (first == all.npos || first == last || all[first] != '{' || all[last] != '}')
        throw "linkspan: a literal with _json must be a JSON object in braces";
    return raw_json(all);
}

} // namespace literals

/// Appends an integer to `out` in decimal.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_number(std::string& out, std::int64_t number);

/// Appends an integer to `out` in decimal.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_number(std::string& out, std::uint64_t number);

/// Appends a number to `out` in the shortest form that converts to the same `double`, as in `3.25`.
///
/// The form of Boost.JSON 1.81, `3.25E0`, is valid JSON, but some servers reject it. NaN and infinities, for which JSON
/// has no text, become `null`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_number(std::string& out, double number);

/// Appends a number to `out` in the shortest form that converts to the same `float`, as in `3.25`.
///
/// NaN and infinities, for which JSON has no text, become `null`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_number(std::string& out, float number);

/// Appends an integer of any type to `out`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<std::integral Integer>
void append_number(std::string& out, Integer number)
{
    append_number(out, static_cast<std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>>(number));
}

/// Appends `value` to `out` as JSON on one line, without whitespace between tokens.
///
/// The members of objects have the order of the object. Numbers have the form of `append_number`. The depth of nested
/// values is not limited: the function recurses once per level, and the stack must suffice.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; `out` may then contain a part of the text.
LINKSPAN_DECL void append_json(std::string& out, boost::json::value const& value);

/// Appends `object` to `out` as JSON on one line, without whitespace between tokens.
///
/// The members have the order of the object. Numbers have the form of `append_number`. The depth of nested values is
/// not limited: the function recurses once per level, and the stack must suffice.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; `out` may then contain a part of the text.
LINKSPAN_DECL void append_json(std::string& out, boost::json::object const& object);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_writer.ipp>
#endif

#endif
