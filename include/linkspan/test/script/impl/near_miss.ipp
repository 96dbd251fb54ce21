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

inline bool differs_in_case_only(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
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
    bool const is_case = definition.is_string() && found->is_string() &&
                         differs_in_case_only(definition.get_string(), found->get_string());
    to.add(distance_of(definition, *found), text + (is_case ? "; the texts differ in case only" : ""));
}

LINKSPAN_DECL void compare_header(near_miss& to, parameter_condition const& condition, std::string const* found)
{
    boost::json::value const value(found ? boost::json::string(*found) : boost::json::string());
    if (!condition.expected.matches(found ? &value : nullptr))
        to.add(1, linkspan::detail::shortened_text(condition.pointer) + ": expected " +
                      short_json(condition.expected.definition()) +
                      (found ? ", found another value" : ", found nothing"));
}

} // namespace linkspan::test::detail

#endif
