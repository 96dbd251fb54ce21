#ifndef LINKSPAN_DESCRIBE_IMPL_CONSTRAINTS_IPP
#define LINKSPAN_DESCRIBE_IMPL_CONSTRAINTS_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/core/detail/counted.hpp>
#include <linkspan/describe/detail/constraints.hpp>
#include <linkspan/json/json_number.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline written_number number_of(json_literal const& bound)
{
    using kind = json_literal::kind;
    return bound.what() == kind::integer ? written_number(bound.integer())
           : bound.what() == kind::large ? written_number(bound.large())
                                         : written_number(bound.number());
}

LINKSPAN_DECL std::string expected_number(std::string_view what, constraints const& with)
{
    std::string out(what);
    if (!with)
        return out;
    auto const& notes = *with.notes;
    auto const add = [&out](std::string_view words, json_literal const& bound) {
        if (bound)
            out.append(words).append(number_of(bound).to_string());
    };
    add(" from ", notes.minimum);
    add(notes.minimum ? " to " : " up to ", notes.maximum);
    add(" above ", notes.exclusive_minimum);
    add(" below ", notes.exclusive_maximum);
    add(" that is a multiple of ", notes.multiple_of);
    return out;
}

LINKSPAN_DECL void check_number(written_number const& value, std::string_view what, constraints const& with,
                                findings& to, place const& at)
{
    auto const& notes = *with.notes;
    auto const number = value.to_stored();
    auto const compare = [&](json_literal const& bound) { return compare_numbers(number, number_of(bound).to_json()); };
    bool const is_valid = (!notes.minimum || compare(notes.minimum) >= 0) &&
                          (!notes.maximum || compare(notes.maximum) <= 0) &&
                          (!notes.exclusive_minimum || compare(notes.exclusive_minimum) > 0) &&
                          (!notes.exclusive_maximum || compare(notes.exclusive_maximum) < 0) &&
                          (!notes.multiple_of || is_multiple(number, number_of(notes.multiple_of).to_json()));
    if (!is_valid)
        to.add(at, expected_number(what, with), value.to_string());
}

// Returns an expectation such as "from 1 to 3 items" or "at least 1 item". Precondition: `min` or `max` is set.
inline std::string expected_count(std::optional<std::size_t> min, std::optional<std::size_t> max, noun of)
{
    if (min && max && *min != *max)
        return "from " + std::to_string(*min) + " to " + counted(*max, of);
    if (min && max)
        return counted(*min, of);
    return min ? "at least " + counted(*min, of) : "at most " + counted(*max, of);
}

inline void check_count(std::size_t count, std::optional<std::size_t> min, std::optional<std::size_t> max, noun of,
                        findings& to, place const& at)
{
    if (count < min.value_or(0) || count > max.value_or(count))
        to.add(at, expected_count(min, max, of), std::to_string(count));
}

LINKSPAN_DECL void check_text(std::string_view value, constraints const& with, findings& to, place const& at)
{
    auto const& notes = *with.notes;
    if (notes.min_length || notes.max_length)
        check_count(count_code_points(value), notes.min_length, notes.max_length, {"character", "characters"}, to, at);
    if (notes.pattern.empty())
        return;
    auto const matching = "a string that matches " + std::string(notes.pattern);
    if (with.pattern().fault_kind() != schema_pattern::fault::none)
        return to.add(at, matching, "an invalid or unsupported pattern");
    using enum schema_pattern::outcome;
    auto const outcome = to.patterns().search(with.pattern(), value);
    if (outcome == not_found)
        to.add(at, matching, "another string");
    else if (outcome == gave_up)
        to.give_up(at, matching, "a string that takes too many steps to search");
}

LINKSPAN_DECL void check_items(std::size_t count, constraints const& with, findings& to, place const& at)
{
    if (with && !with.of_elements)
        check_count(count, with.notes->min_items, with.notes->max_items, {"item", "items"}, to, at);
}

LINKSPAN_DECL void check_properties(std::size_t count, constraints const& with, findings& to, place const& at)
{
    if (with && !with.of_elements)
        check_count(count, with.notes->min_properties, with.notes->max_properties, {"member", "members"}, to, at);
}

LINKSPAN_DECL void check_name(std::string_view name, findings& to, place const& of)
{
    if (!is_utf8(name))
        to.add(of, "names in valid UTF-8", "invalid bytes");
}

LINKSPAN_DECL void check_json(boost::json::value const& value, findings& to, place const& at)
{
    if (auto const* const text = value.if_string()) {
        if (!is_utf8({text->data(), text->size()}))
            to.add(at, "valid UTF-8", "invalid bytes");
        return;
    }
    if (auto const* const real = value.if_double()) {
        if (!std::isfinite(*real))
            to.add(at, "a finite number", "NaN or infinity");
        return;
    }
    auto const* const object = value.if_object();
    auto const* const array = value.if_array();
    if (!object && !array)
        return;
    findings::level const level(to);
    if (!level)
        to.give_up_too_deep(at);
    else if (object)
        check_json(*object, to, at);
    else
        check_json(*array, to, at);
}

LINKSPAN_DECL void check_json(boost::json::object const& object, findings& to, place const& at)
{
    for (auto const& member : object) {
        std::string_view const name(member.key().data(), member.key().size());
        check_name(name, to, at);
        check_json(member.value(), to, place{&at, name});
    }
}

LINKSPAN_DECL void check_json(boost::json::array const& array, findings& to, place const& at)
{
    std::size_t index = 0;
    for (auto const& element : array)
        check_json(element, to, place{&at, {}, index++});
}

LINKSPAN_DECL void check_unique(std::vector<std::string> texts, findings& to, place const& at)
{
    std::ranges::sort(texts);
    if (std::ranges::adjacent_find(texts) != texts.end())
        to.add(at, "unique items", "equal items");
}

} // namespace linkspan::detail

#endif
