#ifndef LINKSPAN_TEST_SCRIPT_IMPL_NEAR_MISS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_NEAR_MISS_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/near_miss.hpp>

#include <algorithm>
#include <cctype>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL double distance_of(std::string_view expected, std::string_view found)
{
    auto const longest = std::max(expected.size(), found.size());
    constexpr std::size_t max_size = 100; // the time is the product of both sizes
    return longest > max_size
               ? 0.8
               : 0.8 * static_cast<double>(edit_distance(expected, found)) / static_cast<double>(longest);
}

// Returns a number from 0 to 1 for two values that differ: 0.9 for values of another kind, at most 0.8 for others.
inline double distance_of(boost::json::value const& expected, boost::json::value const& found)
{
    if (expected.kind() != found.kind() && !(expected.is_number() && found.is_number()))
        return 0.9;
    return expected.is_string() ? distance_of(std::string_view(expected.get_string()), found.get_string()) : 0.8;
}

// Returns the end of a difference of two values that are equal texts if case is ignored; else an empty text.
inline std::string_view case_hint(boost::json::value const& expected, boost::json::value const& found)
{
    auto const* const a = expected.if_string();
    auto const* const b = found.if_string();
    bool const differs_in_case_only = a && b && std::ranges::equal(*a, *b, [](unsigned char x, unsigned char y) {
                                          return std::tolower(x) == std::tolower(y);
                                      });
    return differs_in_case_only ? "; the texts differ in case only" : "";
}

LINKSPAN_DECL void compare_trigger(near_miss& to, trigger const& when, std::string_view method, std::string_view tool)
{
    if (when.method != method)
        to.add(near_miss::other_method + distance_of(when.method, method),
               "trigger: " + expected_but_found(quoted_text(when.method), quoted_text(method)));
    else if (!when.tool.empty() && when.tool != tool)
        to.add(near_miss::other_tool + distance_of(when.tool, tool),
               "trigger: " + expected_but_found("a call of " + quoted_text(when.tool), quoted_text(tool)));
}

LINKSPAN_DECL std::string predicate_difference(std::string_view arguments)
{
    return expected_but_found("arguments that the predicate accepts", linkspan::detail::shortened_text(arguments));
}

// Adds a difference for a value. Null: the value is absent.
inline void add_difference(near_miss& to, std::string const& at, boost::json::value const& expected,
                           boost::json::value const* found)
{
    auto text = (at.empty() ? "params" : linkspan::detail::shortened_text(at)) + ": " +
                expected_but_found(short_json(expected), found);
    if (!found)
        return to.add(1, std::move(text));
    to.add(distance_of(expected, *found), text.append(case_hint(expected, *found)));
}

inline bool are_equal(boost::json::value const& a, boost::json::value const& b)
{
    return a.is_number() && b.is_number() ? a.to_number<double>() == b.to_number<double>() : a == b;
}

// Adds a difference for each member of an object that differs, and for those of its objects.
inline void compare_members(near_miss& to, std::string const& at, boost::json::object const& expected,
                            boost::json::object const& found, bool permits_others)
{
    auto const place_of = [&at](std::string_view key) { return at + "/" + linkspan::detail::shortened_key(key); };
    for (auto const& [key, value] : expected) {
        auto const* const other = found.if_contains(key);
        auto const *const inner = value.if_object(), *const other_inner = other ? other->if_object() : nullptr;
        if (inner && other_inner)
            compare_members(to, place_of(key), *inner, *other_inner, permits_others);
        else if (!other || !are_equal(value, *other))
            add_difference(to, place_of(key), value, other);
    }
    if (permits_others)
        return;
    for (auto const& [key, value] : found)
        if (!expected.contains(key))
            to.add(1, place_of(key) + ": " + expected_but_found("no member", &value));
}

LINKSPAN_DECL void compare(near_miss& to, parameter_condition const& condition, boost::json::value const* found)
{
    if (condition.expected.matches(found))
        return;
    auto const& definition = condition.expected.definition();
    auto const* const matchers = definition.if_object();
    auto const* const only = matchers && matchers->size() == 1 ? matchers->begin() : nullptr;
    bool const is_like = only && only->key() == "like";
    auto const* const expected = is_like || (only && only->key() == "eq") ? only->value().if_object() : nullptr;
    auto const before = to.differences.size();
    if (auto const* const members = found ? found->if_object() : nullptr; expected && members)
        compare_members(to, condition.pointer, *expected, *members, is_like);
    if (to.differences.size() == before) // not an object, or different within an array
        add_difference(to, condition.pointer, definition, found);
}

LINKSPAN_DECL void compare_header(near_miss& to, parameter_condition const& condition, std::string const* found)
{
    auto const& definition = condition.expected.definition();
    boost::json::value const value(found ? boost::json::string(*found) : boost::json::string());
    if (condition.expected.matches(found ? &value : nullptr))
        return;
    auto text = linkspan::detail::shortened_text(condition.pointer) + ": expected " + short_json(definition);
    text += found ? ", found another value" : ", found nothing";
    to.add(1, found ? text.append(case_hint(definition, value)) : text);
}

} // namespace linkspan::test::detail

#endif
