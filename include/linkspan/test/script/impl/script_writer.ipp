#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_WRITER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_WRITER_IPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/detail/script_writer.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <limits>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns whether a rule has the form of those that a script adds for the calls of a tool that no other rule handles.
inline bool is_last_rule(trigger const& when, rule_conditions const& conditions)
{
    return when.kind == event_kind::request && when.method == "tools/call" && !when.tool.empty() && !when.where &&
           conditions.priority == std::numeric_limits<int>::min() && conditions.where.empty() &&
           conditions.states.empty() && conditions.first <= 1 && conditions.last == unlimited &&
           conditions.every == 1 && conditions.chance >= 1 && conditions.begin <= duration::zero() &&
           conditions.end == duration::max();
}

LINKSPAN_DECL script_writer::script_writer(scripted_server const& from) : from_(*from.script_) {}

// Returns the value of the member `unmatched` with which a script adds this rule for a tool; empty: the rule is another
// one. `form`: of its only action.
inline std::string_view unmatched_of(rule const& from, std::string const& form)
{
    if (from.name() != "unmatched")
        return {};
    return form == hang().form().json                            ? "hang"
           : form == fail_fast().form().json                     ? "fail-fast"
           : form == no_rule_error(from.when().tool).form().json ? "error"
                                                                 : "";
}

inline std::string rule_subject(rule const& from, std::size_t index)
{
    if (!from.name().empty())
        return "rule '" + from.name() + "'";
    auto const& when = from.when();
    auto const trigger = when.tool.empty() ? when.method : when.method + " " + when.tool;
    return "rule #" + std::to_string(index + 1) + (trigger.empty() ? "" : " (" + trigger + ")");
}

LINKSPAN_DECL std::string script_writer::subject_at(std::string_view pointer) const
{
    auto const index_below = [&](std::string_view list) -> std::size_t {
        std::size_t out = unlimited;
        if (pointer.starts_with(list))
            std::from_chars(pointer.data() + list.size(), pointer.data() + pointer.size(), out);
        return out;
    };
    if (auto const i = index_below("/rules/"); i < rules_.size())
        return rule_subject(*rules_[i], i);
    if (auto const i = index_below("/tools/"); i < from_.responses.tools.size())
        return "tool '" + from_.responses.tools[i].name + "'";
    if (auto const i = index_below("/expect/"); i != unlimited)
        return "expectation #" + std::to_string(i + 1);
    return {};
}

inline void script_writer::enter(std::string_view list, std::size_t index)
{
    at_ = "/" + std::string(list) + "/" + std::to_string(index);
    subject_ = subject_at(at_);
}

inline std::optional<boost::json::value> script_writer::read(std::string_view text, std::string const& name)
{
    if (auto const fault = linkspan::detail::find_fault(text)) {
        reject(linkspan::detail::describe(fault, name + " is", text));
        return {};
    }
    error_code ec;
    return linkspan::detail::parse_json(text, ec);
}

inline boost::json::object script_writer::parsed(std::string_view text, std::string const& name)
{
    auto out = read(text, name);
    if (out && !out->is_object())
        reject(name + " is not a JSON object");
    return out && out->is_object() ? std::move(out->get_object()) : object();
}

LINKSPAN_DECL boost::json::object script_writer::write(std::vector<any_expectation> const& expected)
{
    sort_rules();
    object out{{"mock", 1}};
    if (from_.has_server_behind())
        reject("the server behind the rules is a part of this program");
    if (!from_.line_suffix.empty() || from_.cut_requests || from_.cut_responses)
        reject("line_suffix, cut_requests_after and cut_responses_after have no form in a script");
    write_dialogue(out);
    write_values(out);
    write_faults(out);
    array tools, rules, expectations;
    auto const& declared = from_.responses.tools;
    for (std::size_t i = 0; i != declared.size(); ++i) {
        enter("tools", i);
        tools.push_back(write_tool(declared[i]));
    }
    for (std::size_t i = 0; i != rules_.size(); ++i) {
        enter("rules", i);
        rules.push_back(write_rule(*rules_[i], i));
    }
    out["tools"] = std::move(tools);
    std::string_view const unmatched = from_.responses.on_unknown ? "fail-fast"
                                       : others_.empty()          ? "respond"
                                                                  : others_.begin()->second;
    out["unmatched"] = boost::json::string(unmatched);
    out["rules"] = std::move(rules);
    for (std::size_t i = 0; i != expected.size(); ++i) {
        enter("expect", i);
        expectations.push_back(std::visit([this](auto const& one) { return write_expectation(one); }, expected[i]));
    }
    if (!expectations.empty())
        out["expect"] = std::move(expectations);
    return out;
}

inline boost::json::object script_writer::write_expectation(expectation const& from)
{
    if (from.of_.where)
        reject("the condition on the arguments is a function of this program; conditions such as arg<...>(eq(...)) "
               "have a form");
    object out = from.of_.tool.empty() ? object{{"request", from.of_.method}} : object{{"call", from.of_.tool}};
    if (auto where = write_where(from.where_); !where.empty())
        out["where"] = std::move(where);
    bool const is_any = from.least_ == 1 && from.most_ == unlimited;
    if (from.cancelled_) {
        if (!is_any)
            reject("a script expects at least one cancelled request, and no other number");
        return {{"cancelled", std::move(out)}};
    }
    if (from.least_ == 0 && from.most_ == 0)
        return {{"never", std::move(out)}};
    if (from.least_ == from.most_) {
        out["count"] = from.most_;
    } else if (!is_any) {
        object count{{"min", from.least_}};
        if (from.most_ != unlimited)
            count["max"] = from.most_;
        out["count"] = std::move(count);
    }
    return out;
}

inline boost::json::object script_writer::write_expectation(rule_order const& from)
{
    return {{"order", array(from.names().begin(), from.names().end())}};
}

// Finds the tools that actions declare.
inline void script_writer::find_added_tools()
{
    for (auto const& one : from_.rules.rules())
        for (auto const& phase : one.phases_)
            for (auto const& step : phase.actions ? *phase.actions : std::vector<action>()) {
                auto const changes = json_scan::member(step.form().json, "tools");
                json_scan::reader added(json_scan::member(changes, "add"));
                for (auto tool = added.next(); tool; tool = added.next())
                    added_tools_.insert(json_scan::string(json_scan::member(tool->value, "name")).value_or(""));
            }
}

// The reader adds the last rules after all others, which have a higher priority.
inline void script_writer::sort_rules()
{
    find_added_tools();
    for (auto const& one : from_.rules.rules()) {
        auto const& tool = one.when().tool;
        auto const& phases = one.phases_;
        auto const* const only = phases.size() == 1 && phases[0].count == unlimited && phases[0].actions &&
                                         phases[0].actions->size() == 1 && one.changes().empty() &&
                                         is_last_rule(one.when(), one.conditions())
                                     ? &phases[0].actions->front()
                                     : nullptr;
        auto const form = only ? only->form().json : std::string();
        if (!form.empty() && one.name() == "reply of " + tool)
            replies_.emplace(tool, only);
        else if (auto const unmatched = unmatched_of(one, form); !unmatched.empty())
            others_.emplace(tool, unmatched);
        else
            rules_.push_back(&one);
        bool const is_last = rules_.empty() || rules_.back() != &one;
        if (!is_last && one.conditions().priority == std::numeric_limits<int>::min() &&
            !(replies_.empty() && others_.empty()))
            reject(rule_subject(one, rules_.size() - 1) + " follows the replies of the tools, whose priority it has");
    }
    for (auto const& [tool, unmatched] : others_)
        if (unmatched != others_.begin()->second) {
            reject(
                "calls of tools without a reply have different responses, such as an error and no response; a script "
                "has one of them");
            break;
        }
    std::set<std::string> tools;
    for (auto const& [tool, response] : replies_)
        tools.insert(tool);
    for (auto const& [tool, unmatched] : others_)
        tools.insert(tool);
    for (auto const& tool : tools)
        if (std::ranges::find(from_.responses.tools, tool, &declared_tool::name) == from_.responses.tools.end() &&
            !added_tools_.contains(tool)) // a script has these rules too
            reject("a rule responds to calls of the tool '" + tool + "', which is not declared");
}

inline bool script_writer::sends_log_messages() const
{
    auto const sends = [](action const& one) {
        auto const& form = one.form().json;
        return form.starts_with(R"({"log":)") || form.find("notifications/message") != form.npos;
    };
    for (auto const& one : from_.rules.rules())
        for (auto const& phase : one.phases_)
            if (phase.actions && std::ranges::any_of(*phase.actions, sends))
                return true;
    return false;
}

inline void script_writer::write_dialogue(object& to)
{
    server_dialogue::options const defaults;
    auto const& with = from_.dialogue;
    object server;
    if (with.name != defaults.name || with.version != defaults.version)
        server["info"] = {{"name", with.name}, {"version", with.version}};
    if (!with.instructions.empty())
        server["instructions"] = with.instructions;
    // The reader adds a capability to a script that sends log messages, unless the script has its capabilities.
    if (with.capabilities != defaults.capabilities || sends_log_messages())
        server["capabilities"] = parsed(with.capabilities, "the text of the capabilities");
    if (with.capabilities_of)
        reject("the capabilities are a function of this program");
    if (!with.title.empty() || !with.description.empty() || !with.website_url.empty() || !with.icons.empty())
        reject("the title, description, URL and icons of the server have no form in a script");
    if (!server.empty())
        to["server"] = std::move(server);
    if (with.protocol_versions != defaults.protocol_versions) {
        array versions;
        for (auto const one : with.protocol_versions)
            versions.push_back(value(to_string(one)));
        to["protocolVersions"] = std::move(versions);
    }
    if (from_.responses.page_size != 0)
        to["pageSize"] = from_.responses.page_size;
}

inline void script_writer::write_values(object& to)
{
    auto const& values = from_.rules.values();
    if (values.seed != 0)
        to["seed"] = values.seed;
    object scenarios;
    for (auto const& [name, state] : values.states)
        scenarios[name] = state;
    if (!scenarios.empty())
        to["scenarios"] = std::move(scenarios);
    if (!values.vars.empty())
        to["vars"] = values.vars;
    if (values.time_scale != 1)
        reject("the factor of times has no form in a script; it is the option --time-scale of linkspan-mock");
    for (auto const& name : values.gates.opened())
        reject("the gate '" + name + "' is open, and gates of a script are closed at the start");
}

inline void script_writer::write_faults(object& to)
{
    if (!from_.faults || from_.faults->is_empty()) // such as those of a world without chaos
        return;
    if (from_.faults->seed() != from_.rules.values().seed)
        return reject("faults of a plan, or of another seed than that of the server, have no form in a script");
    auto const& with = from_.faults->options();
    array kinds;
    for (auto const one : with.kinds)
        kinds.push_back(value(name_of(one)));
    object faults{{"percent", with.percent}, {"kinds", std::move(kinds)}};
    error_code ec;
    if (with.delay && with.delay_form.empty())
        reject("the delay of the faults is a function of this program");
    else if (with.delay)
        faults["delay"] = linkspan::detail::parse_json(with.delay_form, ec);
    else
        faults["maxDelay"] = span_text(with.max_delay);
    if (with.max_faults != unlimited)
        faults["maxFaults"] = with.max_faults;
    to["chaos"] = std::move(faults);
}

inline boost::json::object script_writer::write_tool(declared_tool const& from)
{
    object out{{"name", from.name}};
    if (from.run)
        reject("the result is a function of this program");
    if (!from.title.empty())
        out["title"] = from.title;
    if (!from.description.empty())
        out["description"] = from.description;
    auto input = parsed(from.input_schema, "the input schema");
    if (!input.contains("type"))
        reject("the input schema has no type, which a script adds");
    out["inputSchema"] = std::move(input);
    if (!from.output_schema.empty())
        out["outputSchema"] = parsed(from.output_schema, "the output schema");
    if (!from.annotations.empty())
        out["annotations"] = parsed(from.annotations, "the text of the annotations");
    if (!from.execution.empty())
        out["execution"] = parsed(from.execution, "the text of `execution`");
    if (auto const icons = from.icons.empty() ? std::nullopt : read(from.icons, "the text of the icons")) {
        if (!icons->is_array())
            reject("the text of the icons is not a JSON array");
        else
            out["icons"] = *icons;
    }
    if (!from.meta.empty())
        out["_meta"] = parsed(from.meta, "the text of `_meta`");
    if (auto reply = reply_of(from))
        out["reply"] = std::move(*reply);
    return out;
}

// A tool of a script has a reply, a value for its output schema, or the response of the member `unmatched`.
inline std::optional<boost::json::value> script_writer::reply_of(declared_tool const& from)
{
    auto const reply = replies_.find(from.name);
    if (reply != replies_.end()) {
        auto const& form = reply->second->form();
        bool const is_drawn = form.has_expressions && form.json == default_form;
        return is_drawn ? std::nullopt : std::optional<value>(write_action(*reply->second, "the reply"));
    }
    bool const is_unmatched = others_.contains(from.name);
    if (is_unmatched && !from.output_schema.empty())
        reject("a tool with an output schema responds to all calls in a script");
    if (from.output_schema.empty() && (is_unmatched || others_.empty()))
        return {};
    return object{{"content", array()}};
}

} // namespace linkspan::test::detail

#endif
