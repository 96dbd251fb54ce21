#ifndef LINKSPAN_DESCRIBE_ENCODE_HPP
#define LINKSPAN_DESCRIBE_ENCODE_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/detail/members.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

/// Appends a value as JSON text on one line.
///
/// Members are written in the order of their description. A member that is an empty optional or an absent nullable is
/// omitted; an element of this kind is written as `null`. Numbers are written in their shortest form. The value is not
/// checked: enumerators that are not described, empty boxes, NaN and infinities are written as `null`, and bytes of
/// strings that are not UTF-8 are kept. Use `check` to detect these values.
///
///     std::string text;
///     linkspan::encode(text, point{1, 2}); // {"x":1,"y":2}
///
/// \tparam T A described struct or another type with a JSON representation.
/// \param out Receives the text, appended to the existing content.
/// \param value The value.
/// \par Exception safety
/// Basic: `out` may contain a part of the text. Throws `std::bad_alloc`, and exceptions of `json_as<T>::to`.
/// \par Thread safety
/// Distinct objects: safe.
/// \par Specification
/// RFC 8259.
template<class T>
void encode(std::string& out, T const& value);

namespace detail {

// Returns the characters `,"name":`, which precede the value of a member that is not the first.
template<class T, std::size_t Index>
constexpr auto make_key()
{
    constexpr auto write = [] {
        constant_text out;
        put_quoted(out += ',', notes_of<T>[Index].name);
        return out += ':';
    };
    constexpr auto size = write().view().size();
    std::array<char, size> out{};
    std::ranges::copy(write().view(), out.begin());
    return out;
}

// The characters of make_key(), computed once per member.
template<class T, std::size_t Index>
inline constexpr auto quoted_key = make_key<T, Index>();

// Returns whether a member is omitted: an empty optional or an absent nullable.
template<class T>
bool is_omitted([[maybe_unused]] T const& value) noexcept
{
    if constexpr (kind_of<T> == type_kind::optional)
        return !value;
    else if constexpr (kind_of<T> == type_kind::nullable)
        return value.is_absent();
    else
        return false;
}

// Appends a comma unless the last character opens the list.
inline void separate(std::string& out, char open)
{
    if (out.back() != open)
        out += ',';
}

// Appends the elements of a range as a JSON array.
template<class Range>
void encode_list(std::string& out, Range const& range)
{
    out += '[';
    for (auto const& element : range) {
        separate(out, '[');
        encode(out, element);
    }
    out += ']';
}

// Appends the entries of a map as members of the object that is open at the end of `out`.
template<class Map>
void encode_members(std::string& out, Map const& map)
{
    for (auto const& [key, value] : map) {
        separate(out, '{');
        append_quoted(out, key);
        out += ':';
        encode(out, value);
    }
}

template<class Tuple>
void encode_tuple(std::string& out, Tuple const& tuple)
{
    out += '[';
    std::apply([&out](auto const&... parts) { ((separate(out, '['), encode(out, parts)), ...); }, tuple);
    out += ']';
}

// Appends one member of a struct to the object that is open at the end of `out`; nothing if the member is omitted.
template<class T, std::size_t Index>
void encode_member(std::string& out, T const& value)
{
    auto const& member = value.*member_pointer<T, Index>;
    if constexpr (Index == rest_index<T>) {
        encode_members(out, member);
    } else if (!is_omitted(member)) {
        std::size_t const comma = out.back() == '{' ? 1 : 0;
        out.append(quoted_key<T, Index>.data() + comma, quoted_key<T, Index>.size() - comma);
        encode(out, member);
    }
}

} // namespace detail

template<class T>
void encode(std::string& out, [[maybe_unused]] T const& value)
{
    using enum detail::type_kind;
    constexpr auto kind = detail::kind_of<T>;
    detail::require_json_form<T>();
    if constexpr (kind == custom) {
        encode(out, json_as<T>::to(value));
    } else if constexpr (kind == null) {
        out += "null";
    } else if constexpr (kind == boolean) {
        out += value ? "true" : "false";
    } else if constexpr (kind == integer || kind == number) {
        append_number(out, value);
    } else if constexpr (kind == text) {
        append_quoted(out, value);
    } else if constexpr (kind == enumeration) {
        auto const name = name_of(value);
        name.data() ? append_quoted(out, name) : void(out += "null");
    } else if constexpr (kind == literal) {
        append_quoted(out, T::value);
    } else if constexpr (kind == constant) {
        encode(out, T::value);
    } else if constexpr (kind == json || kind == json_object) {
        append_json(out, value);
    } else if constexpr (kind == optional || kind == nullable || kind == box) {
        value.has_value() ? encode(out, *value) : void(out += "null");
    } else if constexpr (kind == json_array || kind == list || kind == set || kind == array) {
        detail::encode_list(out, value);
    } else if constexpr (kind == tuple) {
        detail::encode_tuple(out, value);
    } else if constexpr (kind == map) {
        out += '{';
        detail::encode_members(out, value);
        out += '}';
    } else if constexpr (kind == one_or_many) {
        encode(out, value.value());
    } else if constexpr (kind == choice) {
        std::visit([&out](auto const& alternative) { encode(out, alternative); }, value);
    } else if constexpr (kind == structure) {
        out += '{';
        detail::for_each_member<T>([&]<std::size_t Index>() { detail::encode_member<T, Index>(out, value); });
        out += '}';
    }
}

/// Returns a value as JSON text on one line. The rules are those of `encode(std::string&, T const&)`.
///
/// \tparam T A described struct or another type with a JSON representation.
/// \param value The value.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, and exceptions of `json_as<T>::to`.
/// \par Thread safety
/// Distinct objects: safe.
template<class T>
std::string encode(T const& value)
{
    std::string out;
    encode(out, value);
    return out;
}

} // namespace linkspan

#endif
