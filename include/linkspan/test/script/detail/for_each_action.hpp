#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_FOR_EACH_ACTION_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_FOR_EACH_ACTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/script_format.hpp>

#include <cstddef>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Calls a function with each list of actions: its rule, the actions, and their location.
template<class Visitor>
void for_each_list_of_actions(script_format::script const& from, Visitor visit)
{
    for (std::size_t i = 0; i != from.rules.size(); ++i) {
        auto const at = "/rules/" + std::to_string(i);
        auto const& rule = from.rules[i];
        if (rule.steps)
            visit(rule, *rule.steps, at + "/do");
        for (std::size_t j = 0; rule.sequence && j != rule.sequence->size(); ++j)
            visit(rule, (*rule.sequence)[j], at + "/sequence/" + std::to_string(j));
    }
}

// Calls a function with each action of the rules, and its location.
template<class Visitor>
void for_each_action(script_format::script const& from, Visitor visit)
{
    for_each_list_of_actions(from, [&visit](auto const&, auto const& steps, std::string const& at) {
        for (std::size_t i = 0; i != steps.size(); ++i)
            visit(steps[i], at + "/" + std::to_string(i));
    });
}

} // namespace linkspan::test::detail

#endif
