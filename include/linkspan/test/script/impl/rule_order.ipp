#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_ORDER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_ORDER_IPP

#include <linkspan/test/script/rule_order.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL std::string rule_order::report(journal const& requests) const
{
    auto next = names_.begin();
    for (auto const& one : requests)
        if (next != names_.end() && one.rule == *next)
            ++next;
    if (next == names_.end())
        return {};
    std::string out = "expected the rules";
    for (auto const& name : names_)
        (out += &name == &names_.front() ? " '" : ", '").append(name) += '\'';
    out += " in this order; rule '" + *next + "' was not selected" +
           (next == names_.begin() ? "" : " after '" + *std::prev(next) + "'") + "; selected rules:";
    constexpr std::ptrdiff_t max_names = 20;
    auto const selected = std::ranges::count_if(requests, &recorded_request::has_rule);
    std::ptrdiff_t number = 0;
    for (auto const& one : requests)
        if (one.has_rule && ++number > selected - max_names)
            (out += " '").append(one.rule) += '\'';
    return out;
}

} // namespace linkspan::test

#endif
