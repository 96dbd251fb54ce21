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

LINKSPAN_DECL std::string predicate_difference(std::string_view arguments)
{
    return expected_but_found("arguments that the predicate accepts", linkspan::detail::shortened_text(arguments));
}

LINKSPAN_DECL void compare(near_miss& to, parameter_condition const& condition, boost::json::value const* found)
{
    if (condition.expected.matches(found))
        return;
    auto const& definition = condition.expected.definition();
    auto const place = condition.pointer.empty() ? "params" : linkspan::detail::shortened_text(condition.pointer);
    auto text = place + ": " + expected_but_found(short_json(definition), found);
    if (!found)
        return to.add(1, std::move(text));
    to.add(distance_of(definition, *found), text.append(case_hint(definition, *found)));
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
