#ifndef LINKSPAN_DESCRIBE_DETAIL_KIND_HPP
#define LINKSPAN_DESCRIBE_DETAIL_KIND_HPP

#include <linkspan/describe/detail/described_struct.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/json_as.hpp>
#include <linkspan/describe/types.hpp>

#include <boost/describe/members.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The JSON representation of a C++ type. Schema, encode, decode and check each contain one switch over it.
enum class type_kind {
    none,        // no JSON representation
    custom,      // json_as is specialized
    null,        // null_type
    boolean,     // bool
    integer,     // integers, except character types
    number,      // double, float
    text,        // std::string
    enumeration, // described enumerations
    literal,     // literal
    constant,    // constant
    json,        // boost::json::value
    json_object, // boost::json::object
    json_array,  // boost::json::array
    optional,    // std::optional
    nullable,    // nullable
    box,         // box
    list,        // std::vector
    set,         // std::set
    array,       // std::array
    tuple,       // std::tuple, std::pair
    map,         // rest; std::map and std::unordered_map with std::string as key
    one_or_many, // one_or_many
    choice,      // std::variant
    structure,   // described structs
};

template<class T, template<class...> class Template>
inline constexpr bool is_a = false;
template<template<class...> class Template, class... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;

template<class T>
inline constexpr bool is_literal = false;
template<fixed_text Text>
inline constexpr bool is_literal<literal<Text>> = true;

template<class T>
inline constexpr bool is_constant = false;
template<auto Value>
inline constexpr bool is_constant<constant<Value>> = true;

template<class T>
inline constexpr bool is_std_array = false;
template<class T, std::size_t Size>
inline constexpr bool is_std_array<std::array<T, Size>> = true;

template<class T>
concept map_of_texts =
    (is_a<T, std::map> || is_a<T, std::unordered_map>)&&std::same_as<typename T::key_type, std::string>;

// Character types are integral types without a JSON representation.
template<class T>
inline constexpr bool is_character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                                     std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template<class T>
constexpr type_kind find_kind()
{
    using enum type_kind;
    if constexpr (requires { typename json_as<T>::type; })
        return custom;
    else if constexpr (std::same_as<T, null_type>)
        return null;
    else if constexpr (std::same_as<T, bool>)
        return boolean;
    else if constexpr (std::integral<T> && !is_character<T>)
        return integer;
    else if constexpr (std::same_as<T, double> || std::same_as<T, float>)
        return number;
    else if constexpr (std::same_as<T, std::string>)
        return text;
    else if constexpr (named_enum<T> || described_enum<T>)
        return enumeration;
    else if constexpr (is_literal<T>)
        return literal;
    else if constexpr (is_constant<T>)
        return constant;
    else if constexpr (std::same_as<T, boost::json::value>)
        return json;
    else if constexpr (std::same_as<T, boost::json::object>)
        return json_object;
    else if constexpr (std::same_as<T, boost::json::array>)
        return json_array;
    else if constexpr (is_a<T, std::optional>)
        return optional;
    else if constexpr (is_a<T, linkspan::nullable>)
        return nullable;
    else if constexpr (is_a<T, linkspan::box>)
        return box;
    else if constexpr (is_a<T, std::vector>)
        return list;
    else if constexpr (is_a<T, std::set>)
        return set;
    else if constexpr (is_std_array<T>)
        return array;
    else if constexpr (is_a<T, std::tuple> || is_a<T, std::pair>)
        return tuple;
    else if constexpr (is_a<T, rest> || map_of_texts<T>)
        return map;
    else if constexpr (is_a<T, linkspan::one_or_many>)
        return one_or_many;
    else if constexpr (is_a<T, std::variant>)
        return choice;
    else if constexpr (described_struct<T>)
        return structure;
    else
        return none;
}

template<class T>
inline constexpr type_kind kind_of = find_kind<T>();

// Whether values of a type are arrays or objects, which take one level of depth.
template<class T>
inline constexpr bool nests = [] {
    using enum type_kind;
    constexpr auto kind = kind_of<T>;
    return kind == list || kind == set || kind == array || kind == tuple || kind == map || kind == structure;
}();

// Fails to compile for a type without a JSON representation.
template<class T>
constexpr void require_json_form()
{
    static_assert(kind_of<T> != type_kind::none,
                  "linkspan: this type has no JSON representation: describe it with LINKSPAN_STRUCT, LINKSPAN_ENUM or "
                  "Boost.Describe, or specialize linkspan::json_as for it");
}

} // namespace linkspan::detail

#endif
