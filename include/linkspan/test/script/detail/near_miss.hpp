#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_NEAR_MISS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_NEAR_MISS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/rule_conditions.hpp>
#include <linkspan/test/script/trigger.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// How far a request is from an expectation or a rule, and why.
struct near_miss {
    // Distances: a request of another tool is farther than one with any other difference, and one of another method is
    // farther than that.
    static constexpr double other_method = 1e6, other_tool = 1e3;

    std::size_t number = 0;                 // of the request or rule, from 1
    double distance = 0;                    // sum over the differences
    std::vector<std::string> differences{}; // a text for each

    void add(double distance_of_one, std::string text)
    {
        distance += distance_of_one;
        differences.push_back(std::move(text));
    }
};

// Returns a number from 0 to 0.8 for two texts that differ.
LINKSPAN_DECL double distance_of(std::string_view expected, std::string_view found);

// Adds a difference if the method or the tool is not that of a trigger.
LINKSPAN_DECL void compare_trigger(near_miss& to, trigger const& when, std::string_view method, std::string_view tool);

// Returns a text with the arguments that the predicate of a trigger does not accept.
LINKSPAN_DECL std::string predicate_difference(std::string_view arguments);

// Adds differences unless the condition holds: for an object that is expected by `eq` or `like`, one per member.
// `found`: value that the condition refers to; null: it is absent.
LINKSPAN_DECL void compare(near_miss& to, parameter_condition const& condition, boost::json::value const* found);

// As compare(), for a condition on a header field. The text does not have the value, which may be a secret.
LINKSPAN_DECL void compare_header(near_miss& to, parameter_condition const& condition, std::string const* found);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/near_miss.ipp>
#endif

#endif
