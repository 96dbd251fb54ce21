#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_FOR_EACH_ACTION_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_FOR_EACH_ACTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/script_format.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Calls a function with each action of the rules, and its location.
template<class Visitor>
void for_each_action(script_format::script const& from, Visitor visit)
{
    auto const visit_all = [&](std::vector<script_format::action> const& steps, std::string const& at) {
        for (std::size_t i = 0; i != steps.size(); ++i)
            visit(steps[i], at + "/" + std::to_string(i));
    };
    for (std::size_t i = 0; i != from.rules.size(); ++i) {
        auto const at = "/rules/" + std::to_string(i);
        auto const& rule = from.rules[i];
        if (rule.steps)
            visit_all(*rule.steps, at + "/do");
        for (std::size_t j = 0; rule.sequence && j != rule.sequence->size(); ++j)
            visit_all((*rule.sequence)[j], at + "/sequence/" + std::to_string(j));
    }
}

} // namespace linkspan::test::detail

#endif
