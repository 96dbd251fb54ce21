#ifndef LINKSPAN_TEST_SCRIPT_IMPL_EXPECTATION_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_EXPECTATION_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/script/detail/condition_values.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/near_miss.hpp>
#include <linkspan/test/script/expectation.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline std::string time_text(duration since_start)
{
    char text[32];
    std::snprintf(text, sizeof text, "t=+%.3fs", std::chrono::duration<double>(since_start).count());
    return text;
}

// Returns the line that introduces a request in a report.
inline std::string description_of(recorded_request const& request, std::size_t number)
{
    std::string out = "#" + std::to_string(number) + " " + time_text(request.time) + " id=" + request.id + " " +
                      request.method + (request.tool.empty() ? "" : " ") + request.tool;
    out += !request.has_rule      ? ", no rule"
           : request.rule.empty() ? ", a rule without a name"
                                  : ", rule '" + request.rule + "'";
    for (auto const& [scenario, state] : request.states)
        out += ", state " + scenario + " = '" + state + "'";
    return out;
}

// Returns whether a request of another tool or method is part of a report: each other tool, and a method whose name
// differs in few characters only, unlike `tools/list` and `tools/call`.
inline bool may_be_meant(near_miss const& other)
{
    constexpr double max_distance = 0.2;
    return other.distance < near_miss::other_method + max_distance;
}

// Returns the lines of a report for a request that is near.
inline std::string near_lines(near_miss const& miss, recorded_request const& request)
{
    constexpr std::size_t max_differences = 8;
    auto out = "\n  near: " + description_of(request, miss.number);
    auto const& differences = miss.differences;
    for (std::size_t i = 0; i != std::min(differences.size(), max_differences); ++i)
        out += "\n    " + differences[i];
    if (differences.size() > max_differences)
        out += "\n    and " + std::to_string(differences.size() - max_differences) + " more differences";
    return out;
}

} // namespace detail

LINKSPAN_DECL expectation& expectation::where(std::string pointer, boost::json::value const& definition)
{
    where_.push_back(detail::condition_on(std::move(pointer), definition, "expectation"));
    return *this;
}

inline std::string expectation::description() const
{
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    auto out = least_ == most_ ? (most_ == 0 ? std::string("no") : "exactly " + std::to_string(most_))
               : most_ == all  ? "at least " + std::to_string(least_)
                               : std::to_string(least_) + " to " + std::to_string(most_);
    out += (cancelled_ ? " cancelled " : " ") + of_.method + (of_.tool.empty() ? "" : " ") + of_.tool;
    for (auto const& condition : where_)
        out += (&condition == &where_.front() ? ", where " : " and ") + condition.pointer + " is " +
               detail::short_json(condition.expected.definition());
    return out;
}

LINKSPAN_DECL std::string expectation::report(journal const& requests, nearest_rule_function const& nearest_rule) const
{
    constexpr std::size_t max_matches = 20;
    std::vector<detail::near_miss> misses;
    std::size_t matching = 0, others = 0;
    std::string matches;
    for (std::size_t i = 0; i != requests.size(); ++i) {
        auto const& request = requests[i];
        detail::near_miss miss{.number = i + 1};
        detail::compare_trigger(miss, of_, request.method, request.tool);
        if (!miss.differences.empty()) {
            ++others;
            if (detail::may_be_meant(miss))
                misses.push_back(std::move(miss));
            continue;
        }
        auto const arguments = json_scan::member(request.params, "arguments");
        if (of_.where && !of_.where(arguments.empty() ? "{}" : arguments))
            miss.add(1, detail::predicate_difference(arguments.empty() ? "{}" : arguments));
        detail::condition_values values(request.params, request.message);
        for (auto const& condition : where_)
            if (auto const header = detail::header_of_pointer(condition.pointer); header.empty())
                detail::compare(miss, condition, values.find(condition.pointer));
            else
                detail::compare_header(miss, condition, request.header(header));
        if (cancelled_ && !request.cancelled)
            miss.add(1, "expected a cancelled request, found one that the client did not cancel");
        if (miss.differences.empty()) {
            if (++matching > max_matches)
                continue;
            matches += "\n  match: " + detail::description_of(request, i + 1);
        } else {
            misses.push_back(std::move(miss));
        }
    }
    if (matching >= least_ && matching <= most_)
        return {};

    auto out = "expected " + description() + "; found " + std::to_string(matching) + " among " +
               std::to_string(requests.size() - others) + " of this kind and " + std::to_string(others) +
               (others == 1 ? " other request" : " other requests") + matches;
    if (matching > max_matches)
        out += "\n  and " + std::to_string(matching - max_matches) + " more";
    if (matching > most_)
        return out;
    std::ranges::stable_sort(misses, {}, &detail::near_miss::distance);
    constexpr std::size_t max_misses = 3;
    for (std::size_t i = 0; i != std::min(misses.size(), max_misses); ++i) {
        auto const index = misses[i].number - 1;
        out += detail::near_lines(misses[i], requests[index]);
        if (auto const rule = nearest_rule ? nearest_rule(index) : std::string(); !rule.empty())
            out += "\n    " + rule;
    }
    if (misses.empty() && !requests.empty())
        for (auto const& [scenario, state] : requests.back().states)
            out += "\n  state " + scenario + " = '" + state + "' at the last request";
    return out;
}

} // namespace linkspan::test

#endif
