#ifndef LINKSPAN_TEST_SCRIPT_IMPL_ENTRY_RULES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_ENTRY_RULES_IPP

#include <linkspan/test/script/detail/entry_rules.hpp>
#include <linkspan/test/script/detail/escape_expressions.hpp>
#include <linkspan/test/script/detail/for_each_action.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline constexpr char version_pointer[] = "/_meta/io.modelcontextprotocol~1protocolVersion";

using matchers = std::map<std::string, boost::json::value>;

// Returns the condition that the value at a pointer matches.
inline matchers matching(std::string pointer, boost::json::value expected)
{
    matchers out;
    out.emplace(std::move(pointer), std::move(expected));
    return out;
}

// Makes the rules for requests of methods. Each has one step.
class entry_rule_maker {
public:
    explicit entry_rule_maker(std::vector<entry_rule>& to) : to_(to) {}

    // Returns the step of a new rule. `id`: name of the rule. `where`: conditions on the parameters. `states`: required
    // states of scenarios.
    script_format::action& add(std::string id, std::string method, std::string at, matchers where = {},
                               std::map<std::string, std::string> states = {})
    {
        auto& made = to_.emplace_back();
        made.at = std::move(at);
        made.rule.id = std::move(id);
        made.rule.on.request = std::move(method);
        made.rule.where = std::move(where);
        made.rule.state = std::move(states);
        made.rule.priority = std::numeric_limits<std::int32_t>::min();
        return made.rule.steps.emplace().emplace_back();
    }

    void add_error(std::string id, std::string method, std::string at, script_format::rpc_error error,
                   matchers where = {})
    {
        add(std::move(id), std::move(method), std::move(at), std::move(where)).rpc_error = std::move(error);
    }

private:
    std::vector<entry_rule>& to_; // set by the constructor
};

// Returns a text that a template yields unchanged.
inline boost::json::value plain(std::string const& text)
{
    boost::json::value out(text);
    escape_expressions(out);
    return out;
}

inline void set_text(boost::json::object& to, char const* member, std::optional<std::string> const& text,
                     bool is_template = true)
{
    if (text)
        to[member] = is_template ? plain(*text) : boost::json::value(*text);
}

LINKSPAN_DECL boost::json::object listed_resource(script_format::resource const& from, bool is_template)
{
    boost::json::object out;
    set_text(out, "uri", from.uri, is_template);
    set_text(out, "name", from.name.value_or(from.uri), is_template);
    set_text(out, "description", from.description, is_template);
    set_text(out, "mimeType", from.mime_type, is_template);
    return out;
}

inline boost::json::object listed(script_format::resource const& from) { return listed_resource(from, true); }

inline boost::json::object contents_of(script_format::resource const& from)
{
    boost::json::object out;
    out["uri"] = plain(from.uri);
    set_text(out, "mimeType", from.mime_type);
    if (from.text)
        out["text"] = *from.text;
    set_text(out, "blob", from.blob);
    return out;
}

inline boost::json::object listed(script_format::prompt const& from)
{
    boost::json::object out;
    out["name"] = plain(from.name);
    set_text(out, "description", from.description);
    boost::json::array arguments;
    for (auto const& one : from.arguments) {
        boost::json::object argument;
        argument["name"] = plain(one.name);
        set_text(argument, "description", one.description);
        argument["required"] = one.required;
        arguments.push_back(std::move(argument));
    }
    out["arguments"] = std::move(arguments);
    return out;
}

template<class Entry>
boost::json::array list_of(std::vector<Entry> const& entries)
{
    boost::json::array out;
    for (auto const& one : entries)
        out.push_back(listed(one));
    return out;
}

// New contents of a resource by an action of a rule.
struct located_change {
    script_format::resource_change change;
    std::string at; // location of the change
};

inline std::vector<located_change> changes_of_resources(script_format::script const& from)
{
    std::vector<located_change> out;
    for_each_action(from, [&](script_format::action const& one, std::string const& at) {
        if (one.resource)
            out.push_back({*one.resource, at + "/resource"});
    });
    return out;
}

// A resource that an action adds, and its location in the script, which is the state of the scenario of its entry.
struct added_resource {
    script_format::resource resource;
    std::string at;
};

inline std::vector<added_resource> added_resources(script_format::script const& from)
{
    std::vector<added_resource> out;
    for_each_action(from, [&](script_format::action const& one, std::string const& at) {
        for (std::size_t i = 0; one.resources && i != one.resources->add.size(); ++i)
            out.push_back({one.resources->add[i], at + "/resources/add/" + std::to_string(i)});
    });
    return out;
}

LINKSPAN_DECL std::vector<script_format::resource> all_resources(script_format::script const& from)
{
    auto out = from.resources;
    for (auto& added : added_resources(from))
        out.push_back(std::move(added.resource));
    return out;
}

// Returns whether an action of a rule adds or removes resources.
inline bool changes_resource_list(script_format::script const& from)
{
    bool out = false;
    for_each_action(from, [&](script_format::action const& one, std::string const&) { out = out || one.resources; });
    return out;
}

// Returns the text of a resource after the action at a location, as a template.
inline std::optional<std::string> text_after(std::optional<std::string> const& text, std::string const& at)
{
    return has_expression(text) ? "${vars." + variable_of_text(at) + "}" : text;
}

// An entry of a resource: that at the start, or one that an action adds.
struct resource_entry {
    script_format::resource resource;
    std::string at;                                 // location in the script
    std::string suffix;                             // of the names of its rules
    std::optional<std::string> required_state = {}; // of the scenario of the entry; empty: any

    std::map<std::string, std::string> states() const
    {
        std::map<std::string, std::string> out;
        if (required_state)
            out.emplace(scenario_of_entry(resource.uri), *required_state);
        return out;
    }
};

inline std::vector<resource_entry> resource_entries(script_format::script const& from)
{
    bool const is_changed = changes_resource_list(from);
    std::vector<resource_entry> out;
    for (std::size_t i = 0; i != from.resources.size(); ++i)
        out.push_back({from.resources[i], "/resources/" + std::to_string(i), "",
                       is_changed ? std::optional<std::string>("") : std::nullopt});
    for (auto& [resource, at] : added_resources(from)) {
        resource.text = text_after(resource.text, at);
        out.push_back({resource, at, ", added by " + at, at});
    }
    return out;
}

// Adds a rule for each of the contents that actions give to a resource. Equal contents have one rule.
inline void add_changed(entry_rule_maker& to, resource_entry const& of, std::vector<located_change> const& changes)
{
    auto const& uri = of.resource.uri;
    std::set<std::string> states;
    for (auto const& [change, at] : changes) {
        if (change.uri != uri || change.text.has_value() == change.blob.has_value() ||
            !states.insert(state_of(change, at)).second)
            continue;
        auto changed = of.resource;
        changed.text = text_after(change.text, at);
        changed.blob = change.blob;
        boost::json::array contents;
        contents.push_back(contents_of(changed));
        auto const id = "resource " + uri + of.suffix + ", contents " + std::to_string(states.size() + 1);
        auto required = of.states();
        required.emplace(scenario_of_resource(uri), state_of(change, at));
        to.add(id, "resources/read", at, matching("/uri", boost::json::value(uri)), std::move(required))
            .result.emplace()["contents"] = std::move(contents);
    }
}

// The code of the error for an unknown resource differs in stateless protocol versions. Their requests have the
// version.
inline void add_resources(entry_rule_maker& to, script_format::script const& from)
{
    std::string const at = "/resources";
    auto& list = to.add("resources/list", "resources/list", at).result.emplace()["resources"];
    if (changes_resource_list(from))
        list = "${vars." + std::string(resource_list_variable) + "}";
    else
        list = list_of(from.resources);
    to.add("resources/templates/list", "resources/templates/list", at)
        .result.emplace()["resourceTemplates"]
        .emplace_array();
    to.add("resources/subscribe", "resources/subscribe", at).result.emplace();
    to.add("resources/unsubscribe", "resources/unsubscribe", at).result.emplace();
    auto const changes = changes_of_resources(from);
    for (auto const& entry : resource_entries(from)) {
        add_changed(to, entry, changes); // before the rule for the contents at the start, which requires no state
        boost::json::array contents;
        contents.push_back(contents_of(entry.resource));
        to.add("resource " + entry.resource.uri + entry.suffix, "resources/read", entry.at,
               matching("/uri", boost::json::value(entry.resource.uri)), entry.states())
            .result.emplace()["contents"] = std::move(contents);
    }
    boost::json::object present;
    present["present"] = true;
    to.add_error("unknown resource of a stateless request", "resources/read", at, {-32602, "Resource not found"},
                 matching(version_pointer, std::move(present)));
    to.add_error("unknown resource", "resources/read", at, {-32002, "Resource not found"});
}

inline void add_prompts(entry_rule_maker& to, std::vector<script_format::prompt> const& from)
{
    std::string const at = "/prompts";
    to.add("prompts/list", "prompts/list", at).result.emplace()["prompts"] = list_of(from);
    for (std::size_t i = 0; i != from.size(); ++i) {
        auto& result = to.add("prompt " + from[i].name, "prompts/get", at + "/" + std::to_string(i),
                              matching("/name", boost::json::value(from[i].name)))
                           .result.emplace();
        set_text(result, "description", from[i].description);
        result["messages"] = from[i].messages;
    }
    to.add_error("unknown prompt", "prompts/get", at, {-32602, "Unknown prompt"});
}

LINKSPAN_DECL void add_resource_list(script_format::script& to)
{
    if (!changes_resource_list(to))
        return;
    auto& list = to.vars[resource_list_variable].emplace_array();
    for (auto const& one : to.resources)
        list.push_back(listed_resource(one, false));
}

LINKSPAN_DECL bool has_resources(script_format::script const& from)
{
    return !from.resources.empty() || changes_resource_list(from);
}

// Returns whether an action sends log messages.
inline bool sends_log_messages(script_format::script const& from)
{
    bool out = false;
    for_each_action(from, [&](script_format::action const& one, std::string const&) {
        out = out || one.log || (one.notify && one.notify->method == "notifications/message");
    });
    return out;
}

// Returns whether the server has the capability `logging` by default, and no rule for the level of log messages.
inline bool must_accept_levels(script_format::script const& from)
{
    auto const sets_level = [](script_format::rule const& one) { return one.on.request == "logging/setLevel"; };
    return !from.server.capabilities && sends_log_messages(from) && std::ranges::none_of(from.rules, sets_level);
}

LINKSPAN_DECL std::vector<entry_rule> entry_rules(script_format::script const& from)
{
    std::vector<entry_rule> out;
    entry_rule_maker to(out);
    if (has_resources(from))
        add_resources(to, from);
    if (!from.prompts.empty())
        add_prompts(to, from.prompts);
    if (must_accept_levels(from))
        to.add("logging/setLevel", "logging/setLevel", "/rules").result.emplace();
    return out;
}

LINKSPAN_DECL std::string entry_capabilities(script_format::script const& from)
{
    std::string more;
    more += !has_resources(from) ? "" : R"(,"resources":{"subscribe":true,"listChanged":true})";
    more += from.prompts.empty() ? "" : R"(,"prompts":{"listChanged":true})";
    more += sends_log_messages(from) ? R"(,"logging":{})" : "";
    return more.empty() ? more : R"({"tools":{"listChanged":true})" + more + "}";
}

} // namespace linkspan::test::detail

#endif
