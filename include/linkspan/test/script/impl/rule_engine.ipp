#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_ENGINE_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_ENGINE_IPP

#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/script/detail/json_template.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL double draw_of(std::uint64_t seed, std::string_view name, std::uint64_t number)
{
    auto mixed = seed;
    for (char const c : name)
        mixed = draws(mixed ^ static_cast<unsigned char>(c))();
    return unit_interval(draws(mixed ^ number)());
}

LINKSPAN_DECL rule& rule_engine::add(rule added)
{
    has_rules_of_events_ = has_rules_of_events_ || added.when().kind != event_kind::request;
    order_.push_back(&rules_.emplace_back(std::move(added)));
    return rules_.back();
}

inline rule* rule_engine::find(exchange const& event, time_point now)
{
    // A rule gets its priority after it was added.
    auto const priority = [](rule const* one) { return one->conditions().priority; };
    if (!std::ranges::is_sorted(order_, std::greater<>(), priority))
        std::ranges::stable_sort(order_, std::greater<>(), priority);
    condition_values values(event);
    auto const selected = std::ranges::find_if(
        order_, [&](rule* one) { return one->matches(event) && applies(*one, event, values, now); });
    return selected == order_.end() ? nullptr : *selected;
}

LINKSPAN_DECL rule* rule_engine::select_event(exchange& event, time_point now)
{
    rule* const out = find(event, now);
    if (out)
        make_changes(*out, event);
    return out;
}

// Returns the value that a condition refers to; null: it is absent. `header`: memory for the value of a header field.
inline boost::json::value const* find_value(parameter_condition const& condition, exchange const& event,
                                            condition_values& values, boost::json::value& header)
{
    auto const name = header_of_pointer(condition.pointer);
    if (name.empty())
        return values.find(condition.pointer);
    auto const found = event.http_header(name);
    return found ? &(header = boost::json::string(*found)) : nullptr;
}

// The parameters are parsed once more, because few rules capture values.
inline void rule_engine::make_changes(rule const& selected, exchange& event)
{
    condition_values values(event);
    for (auto const& condition : selected.conditions().where) {
        auto const& name = condition.expected.capture();
        if (name.empty())
            continue;
        boost::json::value header;
        if (auto const* const found = find_value(condition, event, values, header))
            values_.vars[name] = *found;
    }
    for (auto const& change : selected.changes())
        make(change, event);
}

LINKSPAN_DECL std::optional<duration> rule_engine::next_time(duration after) const
{
    std::optional<duration> out;
    for (auto const& one : rules_)
        if (auto const& when = one.when();
            when.kind == event_kind::time && when.time > after && when.time < out.value_or(duration::max()))
            out = when.time;
    return out;
}

LINKSPAN_DECL rule* rule_engine::select(exchange& request, std::size_t message, time_point now)
{
    rule* const out = find(request, now);
    if (is_recording_)
        add_record(request, out, message, now);
    if (out)
        make_changes(*out, request);
    return out;
}

inline void rule_engine::add_record(exchange const& request, rule const* selected, std::size_t message, time_point now)
{
    // The list of records would otherwise grow with most of the first requests.
    constexpr std::size_t first_size = 24;
    if (recorded_.empty())
        recorded_.reserve(first_size);
    bool const has_changed = recorded_.empty() || *recorded_.back().states != values_.states;
    recorded_.push_back({since_start(now), selected,
                         has_changed ? std::make_shared<states_type const>(values_.states) : recorded_.back().states,
                         static_cast<std::uint32_t>(message)});
    if (auto headers = request.http_headers(); !headers.empty())
        headers_.emplace_back(recorded_.size() - 1, std::move(headers));
}

inline header_fields rule_engine::headers_of(std::size_t index) const
{
    auto const found = std::ranges::lower_bound(headers_, index, {}, [](auto const& one) { return one.first; });
    return found == headers_.end() || found->first != index ? header_fields() : found->second;
}

LINKSPAN_DECL journal rule_engine::requests(std::vector<std::string> const& received) const
{
    journal out;
    for (auto const& one : recorded_) {
        std::string_view const message = received[one.message];
        auto const params = json_scan::member(message, "params");
        recorded_request request{.time = one.time,
                                 .id = std::string(json_scan::member(message, "id")),
                                 .method = json_scan::string(json_scan::member(message, "method")).value_or(""),
                                 .params = std::string(params),
                                 .message = std::string(message),
                                 .rule = one.selected ? one.selected->name() : std::string(),
                                 .has_rule = one.selected != nullptr,
                                 .cancelled = one.cancelled,
                                 .states = *one.states,
                                 .headers = headers_of(out.size())};
        if (request.method == "tools/call")
            request.tool = json_scan::string(json_scan::member(params, "name")).value_or("");
        out.push_back(std::move(request));
    }
    return out;
}

inline bool rule_engine::applies(rule& candidate, exchange const& request, condition_values& values, time_point now)
{
    auto const& conditions = candidate.conditions();
    auto const time = since_start(now);
    if (time < conditions.begin || time >= conditions.end)
        return false;
    for (auto const& [scenario, state] : conditions.states)
        if (values_.state(scenario) != state)
            return false;
    for (auto const& condition : conditions.where) {
        boost::json::value header;
        if (!condition.expected.matches(find_value(condition, request, values, header)))
            return false;
    }
    auto const number = candidate.count();
    return conditions.has_number(number) &&
           (conditions.chance >= 1 || draw_of(values_.seed, candidate.name(), number) < conditions.chance) &&
           !candidate.is_passed_over();
}

LINKSPAN_DECL void make(value_change const& change, exchange& on)
{
    auto& in = on.values();
    if (change.has_expressions) {
        std::vector<diagnostic> problems; // none, because the reader of the script has reported them
        auto const read = json_template::read(change.value, {}, problems);
        bool const is_state = change.what == value_change::kind::state;
        make({change.what, change.name, is_state ? boost::json::string(read.characters(on)) : read.expand(on)}, on);
    } else if (change.what == value_change::kind::state) {
        in.states[change.name] = change.value.get_string();
    } else if (change.what == value_change::kind::set) {
        in.vars[change.name] = change.value;
    } else {
        auto& variable = in.vars[change.name];
        auto const& by = change.value;
        if (!variable.is_number())
            variable = std::int64_t(0);
        using limits = std::numeric_limits<std::int64_t>;
        auto const* const from = variable.if_int64();
        auto const* const step = by.if_int64();
        if (from && step && (*step < 0 ? *from >= limits::min() - *step : *from <= limits::max() - *step))
            variable = *from + *step;
        else
            variable = as_double(variable) + as_double(by);
    }
}

} // namespace linkspan::test::detail

#endif
