#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_WRITER_RULES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_WRITER_RULES_IPP

#include <linkspan/test/script/detail/escape_expressions.hpp>
#include <linkspan/test/script/detail/script_writer.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns whether an action with this name is one of those that a rule for requests must have.
inline bool is_response(std::string_view name)
{
    constexpr std::string_view names[] = {"text",   "structured",    "content", "toolError", "rpcError",
                                          "result", "inputRequired", "default", "http",      "hang",
                                          "close",  "exit",          "emit"};
    return std::ranges::find(names, name) != std::end(names);
}

// Writes texts of an action so that the reader finds no expressions in them. Other parts of actions are texts anyway.
inline void escape_action(std::string_view name, boost::json::value& in)
{
    constexpr std::string_view whole[] = {"text",     "structured", "content",       "toolError",
                                          "rpcError", "result",     "inputRequired", "log"};
    if (std::ranges::find(whole, name) != std::end(whole))
        return escape_expressions(in);
    auto* const members = in.if_object();
    for (auto const* const part : {"params", "body", "headers"})
        if (auto* const texts = members && name != "fault" ? members->if_contains(part) : nullptr)
            escape_expressions(*texts);
}

inline boost::json::object script_writer::write_rule(rule const& from, std::size_t index)
{
    object out;
    bool const has_position = from.name() == "#" + std::to_string(index + 1);
    if (!from.name().empty() && !has_position)
        out["id"] = from.name();
    out["on"] = write_trigger(from.when());
    auto const& conditions = from.conditions();
    if (auto where = write_where(conditions.where); !where.empty())
        out["where"] = std::move(where);
    object states;
    for (auto const& [scenario, state] : conditions.states)
        states[scenario] = state;
    if (!states.empty())
        out["state"] = std::move(states);
    if (auto times = write_times(conditions))
        out["times"] = std::move(*times);
    if (auto window = write_window(conditions); !window.empty())
        out["during"] = std::move(window);
    if (conditions.chance < 1) {
        out["chance"] = conditions.chance;
        if (from.name().empty())
            reject("the draws of a chance depend on the name of the rule: a name is required");
    }
    if (conditions.priority != 0)
        out["priority"] = conditions.priority;
    if (auto changes = write_changes(from); !changes.empty())
        out["set"] = std::move(changes);
    write_phases(from, !from.name().empty(), out);
    return out;
}

inline boost::json::value write_http_trigger(trigger const& from)
{
    boost::json::object request;
    if (!from.method.empty())
        request["method"] = from.method;
    if (!from.path.empty())
        request["path"] = from.path;
    return boost::json::object{{"http", std::move(request)}};
}

inline boost::json::value script_writer::write_trigger(trigger const& from)
{
    bool const is_call = from.kind == event_kind::request && from.method == "tools/call" && !from.tool.empty();
    if (from.where)
        reject("the condition on the arguments is a function of this program; conditions such as arg<...>(eq(...)) "
               "have a form");
    if (is_call &&
        std::ranges::find(from_.responses.tools, from.tool, &declared_tool::name) == from_.responses.tools.end() &&
        !added_tools_.contains(from.tool))
        reject("the tool '" + from.tool + "' is not declared, and a rule of a script declares it");
    bool const has_method = from.kind == event_kind::request || from.kind == event_kind::notification ||
                            from.kind == event_kind::response || from.kind == event_kind::gate ||
                            from.kind == event_kind::http || from.kind == event_kind::signal;
    bool const has_path = from.kind == event_kind::http;
    if ((!from.path.empty() && !has_path) || (!from.tool.empty() && !is_call) ||
        (!from.method.empty() && !has_method) || (from.time != duration::zero() && from.kind != event_kind::time))
        reject("no event has the method, the tool, the path and the time of the trigger");
    switch (from.kind) {
    case event_kind::request: return is_call ? object{{"call", from.tool}} : object{{"request", from.method}};
    case event_kind::notification: return object{{"notification", from.method}};
    case event_kind::response: return object{{"response", from.method}};
    case event_kind::connect: return object{{"connect", true}};
    case event_kind::input_closed: return object{{"stdin-eof", true}};
    case event_kind::disconnect: return object{{"disconnect", true}};
    case event_kind::start: return object{{"start", true}};
    case event_kind::time: return object{{"at", span_text(from.time)}};
    case event_kind::http: return write_http_trigger(from);
    case event_kind::signal: return object{{"signal", from.method.empty() ? "any" : from.method}};
    case event_kind::gate: break;
    }
    return object{{"gate", from.method}};
}

// Two conditions on one value become one.
inline boost::json::object script_writer::write_where(std::vector<parameter_condition> const& from)
{
    object out;
    for (auto const& [pointer, expected] : from) {
        auto const& definition = expected.definition();
        auto const [known, is_new] = out.emplace(pointer, definition);
        if (!is_new) {
            value both = array{known->value(), definition};
            known->value() = object{{"all", std::move(both)}};
        }
    }
    return out;
}

inline std::optional<boost::json::value> script_writer::write_times(rule_conditions const& from)
{
    auto const every = from.every;
    auto const start = from.first == 0 ? std::max<std::size_t>(every, 1) : from.first;
    if (every == 0 || start > from.last)
        return value(0);
    if (every == 1 && start == 1)
        return from.last == unlimited ? std::nullopt : std::optional<value>(from.last);
    if (from.last - start < every)
        return object{{"nth", start}};
    if (start % every != 0)
        reject("the rule applies to each " + std::to_string(every) + "th request from number " + std::to_string(start) +
               " on, and a script selects multiples");
    object out;
    if (every != 1)
        out["every"] = every;
    if (start != every)
        out["from"] = start;
    if (from.last != unlimited)
        out["to"] = from.last;
    return out;
}

inline boost::json::object script_writer::write_window(rule_conditions const& from)
{
    object out;
    if (from.begin > duration::zero())
        out["from"] = span_text(from.begin);
    if (from.end != duration::max())
        out["to"] = span_text(from.end);
    return out;
}

// A later value replaces an earlier one, as it does when the rule is selected.
inline boost::json::object script_writer::write_changes(rule const& from)
{
    object out;
    for (auto const& [what, name, value_of, has_expressions] : from.changes()) {
        auto to = value_of;
        if (!has_expressions)
            escape_expressions(to);
        bool const is_state = what == value_change::kind::state;
        auto const key = is_state ? name : "$" + name;
        auto const* const members = to.if_object();
        if (is_state && name.starts_with('$'))
            reject("the name of the scenario '" + name + "' begins with '$'");
        if (what == value_change::kind::set && members && members->size() == 1 && members->contains("add"))
            reject("the variable '" + name +
                   "' becomes an object with the only member 'add', which is an addition in a script");
        if (what == value_change::kind::add && out.contains(key))
            reject("the variable '" + name + "' is changed twice");
        out[key] = what == value_change::kind::add ? value(object{{"add", to}}) : to;
    }
    return out;
}

inline void script_writer::write_phases(rule const& from, bool has_name, object& to)
{
    constexpr std::size_t max_phases = 10'000; // of a sequence, which has an element for each request
    bool const is_request = from.when().kind == event_kind::request;
    array sequence;
    bool is_endless = false;
    for (std::size_t i = 0; i != from.phases_.size() && !is_endless; ++i) {
        auto const& phase = from.phases_[i];
        is_endless = phase.count == unlimited;
        auto const actions = write_actions(from, phase.actions.get(), i + 1);
        if (!is_endless && phase.count > max_phases - sequence.size())
            return reject("phase " + std::to_string(i + 1) + " applies to " + std::to_string(phase.count) +
                          " requests; expected at most " + std::to_string(max_phases) + " of all phases but the last");
        for (std::size_t n = 0; n != (is_endless ? 1 : phase.count); ++n)
            sequence.push_back(actions);
    }
    auto const after_last = sequence.empty() ? used_up::default_response : from.after_last_;
    bool const names_rule = is_request && has_name; // the error of `fail` has the name
    if (is_endless || after_last == used_up::repeat_last) {
        // repeat-last is the default
    } else if (after_last == used_up::cycle) {
        to["after"] = "cycle";
    } else if (after_last == used_up::next_rule) {
        to["after"] = "unmatched";
    } else if (after_last == used_up::refuse && names_rule) {
        to["after"] = "fail";
    } else if (after_last == used_up::refuse) {
        std::vector<action> error;
        if (is_request)
            error.push_back(rpc_error(-32603, "rule '' has no further phase"));
        sequence.push_back(write_actions(from, &error, 0));
    } else {
        sequence.push_back(write_actions(from, nullptr, 0));
    }
    if (sequence.size() == 1 && !to.contains("after"))
        to["do"] = std::move(sequence.front());
    else
        to["sequence"] = std::move(sequence);
}

inline boost::json::array script_writer::write_actions(rule const& from, std::vector<action> const* actions,
                                                       std::size_t phase)
{
    bool const is_request = from.when().kind == event_kind::request;
    array out;
    if (!actions) {
        check_default(from);
        if (is_request)
            out.push_back(object{{"default", true}});
        return out;
    }
    bool responds = !is_request;
    for (std::size_t i = 0; i != actions->size(); ++i) {
        auto const& one = (*actions)[i];
        auto written = write_action(one, "action " + std::to_string(i + 1) + " of phase " + std::to_string(phase));
        if (one.form().json == default_form && !one.form().has_expressions)
            check_default(from);
        responds = responds || is_response(written.empty() ? "" : written.begin()->key());
        out.push_back(std::move(written));
    }
    if (!responds) // the request stays pending
        out.push_back(object{{"hang", true}});
    return out;
}

inline boost::json::object script_writer::write_action(action const& from, std::string const& where)
{
    auto const& form = from.form();
    if (form.json.empty()) {
        reject(where + " is a function of this program");
        return {{"stderr", ""}}; // valid for each event, so that the reader finds the other problems
    }
    auto const before = problems_.size();
    auto out = parsed(form.json, "the JSON text of " + where);
    if (problems_.size() != before)
        return {{"stderr", ""}};
    for (auto& member : out)
        if (!form.has_expressions)
            escape_action(member.key(), member.value());
    return out;
}

// In a script, the default response to a call is the reply of the tool.
inline void script_writer::check_default(rule const& from)
{
    auto const& when = from.when();
    if (when.kind == event_kind::request && when.method == "tools/call" &&
        (when.tool.empty() ? !replies_.empty() : replies_.contains(when.tool)))
        reject("the default response of the rule is empty content, and that of a script is the reply of the tool");
}

} // namespace linkspan::test::detail

#endif
