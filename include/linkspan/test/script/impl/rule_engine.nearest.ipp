#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_ENGINE_NEAREST_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_ENGINE_NEAREST_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/near_miss.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns whether a rule is the response of the server to requests without a rule, such as the `reply` of a tool.
inline bool is_without_rule(rule const& one) { return one.conditions().priority == std::numeric_limits<int>::min(); }

// Distances. A rule that has counted the request is nearer than one with a condition that does not hold. A state or
// time that differs is nearer than a text that differs in more than a quarter.
inline constexpr double other_state = 0.2, other_time = 0.2, other_number = 0.01;

inline std::string time_window(rule_conditions const& of)
{
    return of.end == duration::max() ? "a time from " + span_text(of.begin)
                                     : "a time from " + span_text(of.begin) + " and before " + span_text(of.end);
}

LINKSPAN_DECL std::string rule_engine::nearest_rule(exchange const& request, time_point received) const
{
    if (request.kind() != event_kind::request)
        return {};
    return nearest_rule(compared_request{.method = request.method(),
                                         .tool = request.tool(),
                                         .arguments = request.arguments(),
                                         .params = request.params(),
                                         .message = request.message(),
                                         .time = since_start(received),
                                         .states = values_.states,
                                         .headers = request.http_headers(),
                                         .counted = &request});
}

LINKSPAN_DECL std::string rule_engine::nearest_rule(std::size_t index, std::vector<std::string> const& received) const
{
    if (index >= recorded_.size())
        return {};
    auto const& recorded = recorded_[index];
    if (recorded.selected && !is_without_rule(*recorded.selected))
        return {};
    std::string_view const message = received[recorded.message];
    auto const method = json_scan::string(json_scan::member(message, "method")).value_or("");
    auto const params = json_scan::member(message, "params");
    auto const tool =
        method == "tools/call" ? json_scan::string(json_scan::member(params, "name")).value_or("") : std::string();
    auto const arguments = json_scan::member(params, "arguments");
    return nearest_rule(compared_request{.method = method,
                                         .tool = tool,
                                         .arguments = arguments.empty() ? "{}" : arguments,
                                         .params = params,
                                         .message = std::string(message),
                                         .time = recorded.time,
                                         .states = *recorded.states,
                                         .headers = headers_of(index),
                                         .counted = nullptr});
}

inline std::string rule_engine::nearest_rule(compared_request const& request) const
{
    constexpr std::size_t max_rules = 256, max_differences = 4;
    condition_values values(request.params, request.message);
    near_miss nearest{.distance = std::numeric_limits<double>::infinity()};
    rule const* of = nullptr; // with the differences `nearest`
    std::size_t compared = 0;
    for (auto const* const one : order_) {
        if (one->when().kind != event_kind::request || is_without_rule(*one))
            continue;
        if (++compared > max_rules)
            break;
        near_miss miss;
        compare_trigger(miss, one->when(), request.method, request.tool);
        if (miss.distance == 0 && one->when().where && !one->when().where(request.arguments))
            miss.add(1, predicate_difference(request.arguments));
        if (miss.distance < near_miss::other_tool && miss.distance < nearest.distance)
            compare_conditions(miss, *one, request, values);
        if (miss.distance < nearest.distance) {
            nearest = std::move(miss);
            of = one;
        }
    }
    // The requests of many methods, such as `tools/list`, need no rule, so that their reports would be of no use.
    if (!of || (!request.counted && nearest.distance >= near_miss::other_method))
        return {};
    auto out =
        of->name().empty() ? std::string("nearest rule, without a name") : "nearest rule " + quoted_text(of->name());
    auto const& differences = nearest.differences;
    if (differences.empty())
        out += ": its conditions hold now";
    for (std::size_t i = 0; i != std::min(differences.size(), max_differences); ++i)
        out += (i == 0 ? ": " : "; ") + differences[i];
    if (differences.size() > max_differences)
        out += "; and " + std::to_string(differences.size() - max_differences) + " more";
    return out;
}

inline void rule_engine::compare_conditions(near_miss& to, rule const& candidate, compared_request const& request,
                                            condition_values& values) const
{
    auto const& conditions = candidate.conditions();
    if (request.time < conditions.begin || request.time >= conditions.end)
        to.add(other_time, "during: " + expected_but_found(time_window(conditions), span_text(request.time)));
    for (auto const& [scenario, state] : conditions.states) {
        auto const found = request.states.find(scenario);
        auto const actual = found == request.states.end() ? std::string_view() : std::string_view(found->second);
        if (actual != state)
            to.add(other_state, "state of " + quoted_text(scenario) + ": " +
                                    expected_but_found(quoted_text(state), quoted_text(actual)));
    }
    for (auto const& condition : conditions.where)
        if (auto const name = header_of_pointer(condition.pointer); name.empty())
            compare(to, condition, values.find(condition.pointer));
        else
            compare_header(to, condition, find_header(request.headers, name));
    if (to.distance == 0)
        compare_count(to, candidate, request.counted != nullptr);
}

// A rule that has counted the request does not apply to its number. Without the number, the text has each reason that
// is possible.
inline void rule_engine::compare_count(near_miss& to, rule const& candidate, bool is_counted) const
{
    auto const& conditions = candidate.conditions();
    auto const number = candidate.counted();
    bool const has_number = conditions.has_number(number);
    bool const is_restricted =
        conditions.first > 1 || conditions.every > 1 || conditions.last != std::numeric_limits<std::size_t>::max();
    if (is_counted ? !has_number : is_restricted) {
        auto text = conditions.last < conditions.first
                        ? std::string("times: the rule applies to no request")
                        : "times: expected a number from " + std::to_string(conditions.first);
        if (conditions.last >= conditions.first && conditions.last != std::numeric_limits<std::size_t>::max())
            text += " to " + std::to_string(conditions.last);
        if (conditions.every > 1)
            text += " at intervals of " + std::to_string(conditions.every);
        to.add(other_number, text + (is_counted ? ", found " + std::to_string(number) : ""));
        if (is_counted)
            return;
    }
    if (is_counted ? draw_of(values_.seed, candidate.name(), number) >= conditions.chance : conditions.chance < 1)
        to.add(other_number, "chance: the draw did not select the request");
    else if (candidate.is_passed_over())
        to.add(other_number, "sequence: all of its elements are used up");
}

} // namespace linkspan::test::detail

#endif
