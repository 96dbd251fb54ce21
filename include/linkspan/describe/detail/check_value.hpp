#ifndef LINKSPAN_DESCRIBE_DETAIL_CHECK_VALUE_HPP
#define LINKSPAN_DESCRIBE_DETAIL_CHECK_VALUE_HPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/describe/detail/constraints.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/describe/detail/members.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/json/detail/canonical_json.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the compiled pattern of a member; compiled on the first call.
template<class T, std::size_t Index>
schema_pattern const& pattern_of()
{
    static schema_pattern const read(notes_of<T>[Index].pattern);
    return read;
}

// Returns the kinds of JSON values to which notes of a member of type `T` apply: the value itself, elements of lists
// and maps, and alternatives.
template<class T>
constexpr json_kinds kinds_within();

template<class... Ts>
constexpr json_kinds kinds_within_all(std::variant<Ts...>*)
{
    return (kinds_within<Ts>() | ...);
}

template<class T>
constexpr json_kinds kinds_within()
{
    using enum type_kind;
    constexpr auto kind = kind_of<T>;
    if constexpr (kind == map)
        return kinds_of<T>() | kinds_within<typename T::mapped_type>();
    else if constexpr (kind == optional || kind == nullable || kind == box || kind == list || kind == set ||
                       kind == array || kind == one_or_many)
        return kinds_of<T>() | kinds_within<typename T::value_type>();
    else if constexpr (kind == custom)
        return kinds_within<typename json_as<T>::type>();
    else if constexpr (kind == choice)
        return kinds_within_all(static_cast<T*>(nullptr));
    else
        return kinds_of<T>();
}

// Rejects notes that do not apply to any value of the member.
template<class T, std::size_t Index>
constexpr void require_fitting_notes()
{
    constexpr auto const& notes = notes_of<T>[Index];
    constexpr auto outer = kinds_of<member_type<T, Index>>();
    constexpr auto within = kinds_within<member_type<T, Index>>();
    static_assert(within.has(json_kind::number) || !(notes.minimum || notes.maximum || notes.exclusive_minimum ||
                                                     notes.exclusive_maximum || notes.multiple_of),
                  "linkspan: a numeric note (min, max, above, below, multiple_of) requires a member with numbers");
    static_assert(within.has(json_kind::text) || (!notes.min_length && !notes.max_length && notes.pattern.empty()),
                  "linkspan: a string note (min_length, max_length, pattern) requires a member with strings");
    static_assert(outer.has(json_kind::array) || (!notes.min_items && !notes.max_items && !notes.unique_items),
                  "linkspan: a list note (min_items, max_items, unique_items) requires a list member");
    static_assert((outer.has(json_kind::object) && Index != rest_index<T>) ||
                      (!notes.min_properties && !notes.max_properties),
                  "linkspan: an object note (min_properties, max_properties) requires a member that is an object and "
                  "no rest");
}

// Returns the constraints of a member.
template<class T, std::size_t Index>
constexpr constraints constraints_of()
{
    if constexpr (notes_of<T>[Index].constrains()) {
        require_fitting_notes<T, Index>();
        return {&notes_of<T>[Index], &pattern_of<T, Index>, false};
    } else {
        return {};
    }
}

template<class Number>
constexpr std::string_view number_words()
{
    return std::is_integral_v<Number> ? "an integer" : "a number";
}

template<class T>
written_number as_written(T value)
{
    if constexpr (std::is_same_v<T, float>)
        return value;
    else if constexpr (std::is_unsigned_v<T>)
        return std::uint64_t{value};
    else if constexpr (std::is_integral_v<T>)
        return std::int64_t{value};
    else
        return static_cast<double>(value);
}

template<class T>
void check_value(T const& value, constraints const& with, findings& to, place const& at);

// Checks the number and the uniqueness of elements. `are_valid`: no element has a mismatch. If false, the elements are
// not compared, because the comparison serializes them, and they may be nested too deeply.
template<class T>
void check_list(T const& list, constraints const& with, bool are_valid, findings& to, place const& at)
{
    check_items(list.size(), with, to, at);
    if (!are_valid || !with || with.of_elements || !with.notes->unique_items)
        return;
    std::vector<std::string> texts;
    for (auto const& element : list)
        append_canonical_text(texts.emplace_back(), encode(element));
    check_unique(std::move(texts), to, at);
}

template<class Range>
void check_elements(Range const& range, constraints const& with, findings& to, place const& at)
{
    std::size_t index = 0;
    for (auto const& element : range)
        check_value(element, with.elements(), to, place{&at, {}, index++});
}

template<class Map>
void check_map(Map const& map, constraints const& with, findings& to, place const& at)
{
    for (auto const& [key, value] : map) {
        check_name(key, to, at);
        check_value(value, with.elements(), to, place{&at, key});
    }
    check_properties(map.size(), with, to, at);
}

// Checks that no name of a rest is the name of another member, and checks the values of the rest.
template<class T>
void check_rest(T const& value, findings& to, place const& at)
{
    constexpr auto index = rest_index<T>;
    auto const& rest = value.*member_pointer<T, index>;
    for (auto const& one : rest)
        if (find_member<T>(one.first, 0) != member_count<T>)
            to.add(place{&at, one.first}, "a name that no other member has", "the name of a member");
    check_map(rest, constraints_of<T, index>(), to, at);
}

template<class T, std::size_t Index>
void check_member(T const& value, findings& to, place const& at)
{
    auto const& member = value.*member_pointer<T, Index>;
    place const here{&at, notes_of<T>[Index].name};
    if constexpr (Index == rest_index<T>)
        check_rest(value, to, at);
    else if (!is_omitted(member))
        check_value(member, constraints_of<T, Index>(), to, here);
    else if constexpr (notes_of<T>[Index].required)
        to.add(here, kind_of<member_type<T, Index>> == type_kind::nullable ? "a value or null" : "a value", "nothing");
}

template<class Tuple>
void check_tuple(Tuple const& tuple, findings& to, place const& at)
{
    std::size_t index = 0;
    std::apply(
        [&](auto const&... parts) {
            (check_value(parts, constraints(), to, place{&at, {}, index++}), ...);
        },
        tuple);
}

template<class T>
void check_value(T const& value, [[maybe_unused]] constraints const& with, findings& to, place const& at)
{
    using enum type_kind;
    constexpr auto kind = kind_of<T>;
    [[maybe_unused]] findings::level const level(to, nests<T>);
    if (!level) {
        to.give_up_too_deep(at);
    } else if constexpr (kind == integer || kind == number) {
        if (kind == number && !std::isfinite(static_cast<double>(value)))
            to.add(at, "a finite number", "NaN or infinity");
        else if (with)
            check_number(as_written(value), number_words<T>(), with, to, at);
    } else if constexpr (kind == text) {
        if (!is_utf8(value))
            to.add(at, "valid UTF-8", "invalid bytes");
        else if (with)
            check_text(value, with, to, at);
    } else if constexpr (kind == enumeration) {
        if (!linkspan::name_of(value).data())
            to.add(at, "a described enumerator", "another value");
    } else if constexpr (kind == optional || kind == nullable) {
        if (value.has_value())
            check_value(*value, with, to, at);
    } else if constexpr (kind == box) {
        value.has_value() ? check_value(*value, with, to, at) : to.add(at, "a value", "nothing");
    } else if constexpr (kind == custom) {
        check_value(json_as<T>::to(value), with, to, at);
    } else if constexpr (kind == list || kind == set || kind == array) {
        auto const before = to.count();
        check_elements(value, with, to, at);
        check_list(value, with, to.count() == before, to, at);
    } else if constexpr (kind == json) {
        check_json(value, to, at);
    } else if constexpr (kind == json_array) {
        auto const before = to.count();
        check_json(value, to, at);
        check_list(value, with, to.count() == before, to, at);
    } else if constexpr (kind == json_object) {
        check_json(value, to, at);
        check_properties(value.size(), with, to, at);
    } else if constexpr (kind == tuple) {
        check_tuple(value, to, at);
    } else if constexpr (kind == map) {
        check_map(value, with, to, at);
    } else if constexpr (kind == one_or_many) {
        check_value(value.value(), with, to, at);
    } else if constexpr (kind == choice) {
        std::visit([&](auto const& alternative) { check_value(alternative, with, to, at); }, value);
    } else if constexpr (kind == structure) {
        for_each_member<T>([&]<std::size_t Index>() { check_member<T, Index>(value, to, at); });
    }
}

} // namespace linkspan::detail

#endif
