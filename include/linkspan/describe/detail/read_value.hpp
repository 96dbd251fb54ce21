#ifndef LINKSPAN_DESCRIBE_DETAIL_READ_VALUE_HPP
#define LINKSPAN_DESCRIBE_DETAIL_READ_VALUE_HPP

#include <linkspan/describe/detail/check_value.hpp>
#include <linkspan/describe/detail/read_json.hpp>
#include <linkspan/describe/detail/read_missing.hpp>
#include <linkspan/describe/detail/read_union.hpp>
#include <linkspan/describe/detail/text_source.hpp>
#include <linkspan/describe/detail/union_choice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// Conversion from JSON to C++ values. Each function reads one JSON value completely, assigns to `out`, and adds
// mismatches to `to`. `Source` is text_source or value_source; `with` are the constraints of the member; `at` is the
// place of the value.
namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T, class Source>
void read_value(T& out, Source from, constraints const& with, findings& to, place const& at);

// Adds a mismatch for a value of another kind than expected.
template<class Source>
void add_wrong_kind(Source const& from, findings& to, place const& at, std::string_view expected)
{
    to.add(at, std::string(expected), std::string(to_string(from.kind())));
}

template<class T>
std::string expected_range()
{
    using limits = std::numeric_limits<T>;
    return "an integer from " + std::to_string(limits::min()) + " to " + std::to_string(limits::max());
}

template<class T, class Source>
void read_number(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    if (from.kind() != json_kind::number)
        return to.add(at, expected_number(number_words<T>(), with), std::string(to_string(from.kind())));
    auto const number = from.number();
    if constexpr (std::is_integral_v<T>) {
        auto const before = to.count();
        if (with)
            check_number(number, number_words<T>(), with, to, at);
        if (to.count() == before && !number.to(out))
            to.add(at, number.is_whole() ? expected_range<T>() : expected_number(number_words<T>(), with),
                   number.to_string());
    } else {
        out = static_cast<T>(number.to_double());
        if (!std::isfinite(out))
            to.add(at, "a number that a " + std::string(sizeof(T) < sizeof(double) ? "float" : "double") + " can hold",
                   "a larger number");
        else if (with)
            check_number(as_written(out), number_words<T>(), with, to, at);
    }
}

template<class Source>
void read_text(std::string& out, Source from, constraints const& with, findings& to, place const& at)
{
    if (from.kind() != json_kind::text)
        return add_wrong_kind(from, to, at, "a string");
    if (!from.text(out))
        return to.add(at, "a string", invalid_string);
    if (with)
        check_text(out, with, to, at);
}

// Reads a string that must be one of a fixed set. `take(text)` returns whether the string is in the set; `expected()`
// returns the expectation.
template<class Source, class Function>
void read_fixed_string(Source from, findings& to, place const& at, std::string (*expected)(), Function take)
{
    std::string_view text;
    std::string scratch;
    if (from.kind() != json_kind::text)
        add_wrong_kind(from, to, at, expected());
    else if (!from.text(text, scratch) || !take(text))
        to.add(at, expected(), "another string");
}

// Returns the names of an enumeration as an expectation; shortened after 200 characters.
template<class Enum>
std::string expected_names()
{
    std::string out = "one of ";
    for (auto const& one : enum_names<Enum>) {
        if (&one != enum_names<Enum>.data())
            out += ", ";
        append_quoted(out, one.name);
        if (out.size() > 200)
            return out += ", ...";
    }
    return out;
}

template<class Enum, class Source>
void read_enum(Enum& out, Source from, findings& to, place const& at)
{
    read_fixed_string(from, to, at, &expected_names<Enum>, [&out](std::string_view text) {
        auto const found = std::ranges::find(enum_names<Enum>, text, &enum_name<Enum>::name);
        if (found == enum_names<Enum>.end())
            return false;
        out = found->value;
        return true;
    });
}

template<class T>
std::string expected_literal()
{
    return '"' + std::string(T::value) + '"';
}

template<class T, class Source>
void read_constant(Source from, findings& to, place const& at)
{
    std::remove_cvref_t<decltype(T::value)> value{};
    auto const kind = from.kind();
    mismatches trial_mismatches;
    findings found(trial_mismatches, to);
    read_value(value, from, constraints(), found, place());
    if (found.any() || value != T::value)
        to.add(at, encode(T::value), found.any() ? std::string(to_string(kind)) : "another value");
}

template<class T, class Source>
void read_list(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    if (from.kind() != json_kind::array)
        return add_wrong_kind(from, to, at, "an array");
    auto const found_before = to.count();
    out.clear();
    from.elements([&](std::size_t index, Source element) {
        if (to.is_full())
            return;
        place const here{&at, {}, index};
        if (!to.take_memory(sizeof(typename T::value_type), here))
            return;
        if constexpr (kind_of<T> == type_kind::set) {
            typename T::value_type value{};
            auto const before = to.count();
            read_value(value, element, with.elements(), to, here);
            if (to.count() == before && !out.insert(std::move(value)).second)
                to.add(here, "an item that differs from all earlier items", "an equal item");
        } else if constexpr (std::same_as<T, std::vector<bool>>) {
            bool value = false;
            read_value(value, element, with.elements(), to, here);
            out.push_back(value);
        } else {
            read_value(out.emplace_back(), element, with.elements(), to, here);
        }
    });
    check_list(out, with, to.count() == found_before, to, at);
}

// Reads an array of exactly `size` elements: calls read(index, element) for each element with index < size.
template<class Source, class Function>
void read_fixed(std::size_t size, Source from, findings& to, place const& at, Function read)
{
    if (from.kind() != json_kind::array)
        return add_wrong_kind(from, to, at, "an array of " + std::to_string(size));
    std::size_t count = 0;
    from.elements([&](std::size_t index, Source element) {
        ++count;
        if (index < size)
            read(index, element);
    });
    if (count != size)
        to.add(at, "an array of " + std::to_string(size), "an array of " + std::to_string(count));
}

template<class T, class Source>
void read_array(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    auto const before = to.count();
    read_fixed(out.size(), from, to, at, [&](std::size_t index, Source element) {
        read_value(out[index], element, with.elements(), to, place{&at, {}, index});
    });
    if (to.count() == before)
        check_list(out, with, true, to, at);
}

template<class T, class Source>
void read_tuple(T& out, Source from, findings& to, place const& at)
{
    constexpr auto size = std::tuple_size_v<T>;
    read_fixed(size, from, to, at, [&](std::size_t index, Source element) {
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            ((index == Index ? read_value(std::get<Index>(out), element, constraints(), to, place{&at, {}, index})
                             : void()),
             ...);
        }(std::make_index_sequence<size>());
    });
}

template<class Map, class Source>
void read_entry(Map& out, std::string_view key, Source from, constraints const& with, findings& to, place const& at)
{
    place const here{&at, key};
    if (to.is_full() || !to.take_memory(sizeof(typename Map::value_type) + key.size(), here))
        return;
    typename Map::mapped_type value{};
    read_value(value, from, with.elements(), to, here);
    out.insert_or_assign(std::string(key), std::move(value));
}

template<class T, class Source>
void read_map(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    if (from.kind() != json_kind::object)
        return add_wrong_kind(from, to, at, "an object");
    out.clear();
    from.members([&](std::string_view key, Source value) { read_entry(out, key, value, with, to, at); });
    check_properties(out.size(), with, to, at);
}

// Objects

template<class T, std::size_t Index, class Source>
void read_member(T& out, bool again, Source from, findings& to, place const& at)
{
    if (again) // of several members of one name, only the last is used
        out.*member_pointer<T, Index> = member_type<T, Index>();
    // null represents an empty optional, which the note `required` excludes.
    if constexpr (notes_of<T>[Index].required && kind_of<member_type<T, Index>> == type_kind::optional)
        if (from.kind() == json_kind::null)
            return to.add(at, "a value", "null");
    read_value(out.*member_pointer<T, Index>, from, constraints_of<T, Index>(), to, at);
}

template<class T, class Source>
using member_reader = void (*)(T&, bool, Source, findings&, place const&);

template<class T, class Source>
inline constexpr auto member_readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<member_reader<T, Source>, sizeof...(Index)>{&read_member<T, Index, Source>...};
}(std::make_index_sequence<member_count<T>>());

// The characters `"name":` of each member. Peers usually send members in this order, so that keys need not be decoded.
template<class T>
inline constexpr auto expected_keys = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<std::string_view, sizeof...(Index)>{
        std::string_view(quoted_key<T, Index>.data() + 1, quoted_key<T, Index>.size() - 1)...};
}(std::make_index_sequence<member_count<T>>());

// The names of the members in JSON, for suggestions.
template<class T>
inline constexpr auto member_names = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<std::string_view, sizeof...(Index)>{notes_of<T>[Index].name...};
}(std::make_index_sequence<member_count<T>>());

template<class T, class Source>
void read_struct(T& out, Source from, findings& to, place const& at)
{
    if (from.kind() != json_kind::object)
        return add_wrong_kind(from, to, at, "an object");
    std::array<bool, member_count<T>> seen{};
    std::size_t next = 0;
    if constexpr (rest_index<T> != member_count<T>)
        (out.*member_pointer<T, rest_index<T>>).clear();
    auto const expected = [&next] {
        next += next == rest_index<T> ? 1 : 0;
        return next < member_count<T> ? expected_keys<T>[next] : std::string_view();
    };
    auto const read = [&](std::string_view key, Source value) {
        if (auto const index = key.data() ? find_member<T>(key, next) : next; index != member_count<T>) {
            next = index + 1;
            member_readers<T, Source>[index](out, std::exchange(seen[index], true), value, to,
                                             place{&at, notes_of<T>[index].name});
        } else if constexpr (rest_index<T> != member_count<T>) {
            read_entry(out.*member_pointer<T, rest_index<T>>, key, value, constraints_of<T, rest_index<T>>(), to, at);
        } else if constexpr (struct_notes<T>.closed) {
            to.add_unknown(place{&at, key}, member_names<T>, to_string(value.kind()));
        }
    };
    from.members(read, expected);
    for_each_member<T>([&]<std::size_t Index>() {
        if constexpr (Index != rest_index<T>)
            if (!seen[Index])
                read_missing<T, Index>(out, to, at);
    });
}

// Values of all types

template<class T, class Source>
void read_custom(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    typename json_as<T>::type value{};
    auto const before = to.count();
    read_value(value, from, with, to, at);
    if (to.count() == before && !json_as<T>::from(value, out))
        to.add(at, std::string(json_as<T>::expected), "another value");
}

template<class T, class Source>
void read_free(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    if constexpr (kind_of<T> == type_kind::json) {
        read_json(out, from, to, at);
    } else {
        constexpr auto kind = kind_of<T> == type_kind::json_object ? json_kind::object : json_kind::array;
        if (from.kind() != kind)
            return add_wrong_kind(from, to, at, to_string(kind));
        boost::json::value value;
        [[maybe_unused]] auto const before = to.count();
        read_json(value, from, to, at);
        if constexpr (kind == json_kind::object) {
            if (auto* const object = value.if_object())
                out = std::move(*object);
            check_properties(out.size(), with, to, at);
        } else {
            if (auto* const array = value.if_array())
                out = std::move(*array);
            check_list(out, with, to.count() == before, to, at);
        }
    }
}

template<class T, class Source>
void read_one_or_many(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    std::variant<typename T::value_type, std::vector<typename T::value_type>> value;
    read_union(value, from, with, to, at);
    std::visit([&out](auto&& all) { out = T(std::move(all)); }, std::move(value));
}

template<class T, class Source>
void read_value(T& out, Source from, constraints const& with, findings& to, place const& at)
{
    using enum type_kind;
    constexpr auto kind = kind_of<T>;
    findings::level const level(to, nests<T>);
    if (!level)
        return to.give_up_too_deep(at);
    if constexpr (kind == custom)
        read_custom(out, from, with, to, at);
    else if constexpr (kind == null)
        from.kind() == json_kind::null ? from.skip() : add_wrong_kind(from, to, at, "null");
    else if constexpr (kind == boolean)
        from.kind() == json_kind::boolean ? void(out = from.boolean()) : add_wrong_kind(from, to, at, "a boolean");
    else if constexpr (kind == integer || kind == number)
        read_number(out, from, with, to, at);
    else if constexpr (kind == text)
        read_text(out, from, with, to, at);
    else if constexpr (kind == enumeration)
        read_enum(out, from, to, at);
    else if constexpr (kind == literal)
        read_fixed_string(from, to, at, &expected_literal<T>, [](std::string_view text) { return text == T::value; });
    else if constexpr (kind == constant)
        read_constant<T>(from, to, at);
    else if constexpr (kind == json || kind == json_object || kind == json_array)
        read_free(out, from, with, to, at);
    else if constexpr (kind == optional)
        from.kind() == json_kind::null ? (out.reset(), from.skip()) : read_value(out.emplace(), from, with, to, at);
    else if constexpr (kind == nullable)
        from.kind() == json_kind::null ? (out = T(nullptr), from.skip())
                                       : read_value(out.emplace(), from, with, to, at);
    else if constexpr (kind == box)
        to.take_memory(sizeof(typename T::value_type), at) ? read_value(*out, from, with, to, at) : void();
    else if constexpr (kind == list || kind == set)
        read_list(out, from, with, to, at);
    else if constexpr (kind == array)
        read_array(out, from, with, to, at);
    else if constexpr (kind == tuple)
        read_tuple(out, from, to, at);
    else if constexpr (kind == map)
        read_map(out, from, with, to, at);
    else if constexpr (kind == one_or_many)
        read_one_or_many(out, from, with, to, at);
    else if constexpr (kind == choice)
        read_union(out, from, with, to, at);
    else if constexpr (kind == structure)
        read_struct(out, from, to, at);
}

} // namespace linkspan::detail

#endif
