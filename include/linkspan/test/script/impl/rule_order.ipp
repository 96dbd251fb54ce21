#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_ORDER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_ORDER_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/rule_order.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

// Returns lines with the last requests to which a rule came nearest, and the conditions that did not hold.
inline std::string report_unhandled(std::string const& rule, journal const& requests,
                                    nearest_rule_function const& nearest_rule)
{
    constexpr std::size_t max_compared = 20, max_shown = 3;
    auto const begin = "nearest rule '" + linkspan::detail::shortened_text(rule) + "':";
    std::string out;
    std::size_t compared = 0, shown = 0;
    for (auto index = requests.size(); index != 0 && compared != max_compared && shown != max_shown; --index) {
        auto const nearest = nearest_rule(index - 1);
        compared += nearest.empty() ? 0 : 1;
        if (!nearest.starts_with(begin))
            continue;
        ++shown;
        out += "\n  near: #" + std::to_string(index) + " " + requests[index - 1].method + "\n    " + nearest;
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string rule_order::report(journal const& requests, nearest_rule_function const& nearest_rule) const
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
    return nearest_rule ? out + detail::report_unhandled(*next, requests, nearest_rule) : out;
}

} // namespace linkspan::test

#endif
