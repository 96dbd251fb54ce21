#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_CHANGES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_CHANGES_IPP

#include <linkspan/test/script/detail/declaration_of.hpp>
#include <linkspan/test/script/detail/entry_rules.hpp>
#include <linkspan/test/script/detail/escape_expressions.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Actions that change what the server has.

inline action script_reader::change_of(script_format::tool_change const& from)
{
    std::vector<tool_declaration> added;
    for (auto const& tool : from.add)
        added.push_back(declaration_of(tool));
    auto run = [removed = from.remove, added = std::move(added), notify = from.notify](exchange& on) {
        for (auto const& name : removed)
            on.remove_tool(name);
        for (auto const& tool : added)
            on.declare_tool(tool);
        if (notify)
            on.notify("notifications/tools/list_changed", {});
    };
    return step(std::move(run), action_needs::connection);
}

inline bool script_reader::is_resource(std::string const& uri) const
{
    return std::ranges::find(resources_, uri, &script_format::resource::uri) != resources_.end();
}

// The list is a variable, and states of scenarios select the rules for single resources, see entry_rules().
inline action script_reader::change_of(script_format::resource_list_change const& from, std::string const& at)
{
    for (std::size_t i = 0; i != from.remove.size(); ++i)
        if (!is_resource(from.remove[i]))
            reject(at + "/remove/" + std::to_string(i), "the URI of a resource of the script");
    struct addition {
        script_format::resource resource;
        std::string place; // location in the script
        std::optional<json_template> text;
    };
    std::vector<addition> added;
    for (std::size_t i = 0; i != from.add.size(); ++i) {
        auto const& one = from.add[i];
        auto place = at + "/add/" + std::to_string(i);
        if (one.text.has_value() == one.blob.has_value())
            reject_whole(place, "exactly one of 'text' and 'blob'");
        added.push_back({one, place, {}});
        if (has_expression(one.text))
            added.back().text = part(boost::json::string(*one.text), place + "/text");
    }
    auto run = [removed = from.remove, added = std::move(added), notify = from.notify](exchange& on) {
        for (auto const& one : added)
            if (one.text)
                on.values().vars[variable_of_text(one.place)] = one.text->characters(on);
        auto& states = on.values().states;
        auto& variable = on.values().vars[resource_list_variable];
        auto& list = variable.is_array() ? variable.get_array() : variable.emplace_array();
        auto const find = [&list](std::string const& uri) {
            return std::ranges::find_if(list, [&](boost::json::value const& one) {
                auto const* const members = one.if_object();
                auto const* const found = members ? members->if_contains("uri") : nullptr;
                return found && *found == boost::json::value(uri);
            });
        };
        for (auto const& uri : removed) {
            if (auto const found = find(uri); found != list.end())
                list.erase(found);
            states[scenario_of_entry(uri)] = removed_state;
        }
        for (auto const& [resource, place, text] : added) {
            auto element = listed_resource(resource, false);
            if (auto const found = find(resource.uri); found != list.end())
                *found = std::move(element);
            else
                list.push_back(std::move(element));
            states[scenario_of_entry(resource.uri)] = place;
            states[scenario_of_resource(resource.uri)] = ""; // the contents of the entry
        }
        if (notify)
            on.notify("notifications/resources/list_changed", {});
    };
    return step(std::move(run), action_needs::connection);
}

// The state of a scenario selects the rule with the new contents, see entry_rules(). A text with expressions becomes a
// variable, so that they are evaluated when the action runs. The forms of the actions refer to the rules, because an
// exported script has no member `resources`.
inline std::vector<action> script_reader::changes_of(script_format::resource_change const& from, std::string const& at)
{
    if (!is_resource(from.uri))
        reject(at + "/uri", "the URI of an element of 'resources'");
    if (from.text.has_value() == from.blob.has_value())
        reject_whole(at, "exactly one of 'text' and 'blob'");
    auto const scenario = scenario_of_resource(from.uri);
    boost::json::value const state(state_of(from, at));
    std::vector<value_change> changes{{value_change::kind::state, scenario, state}};
    boost::json::object set;
    escape_expressions(set[scenario] = state);
    if (has_expression(from.text)) {
        boost::json::value const text(*from.text);
        changes.push_back({value_change::kind::set, variable_of_text(at), text, has_expressions(text, at + "/text")});
        set["$" + variable_of_text(at)] = text;
    }
    auto change = step([changes = std::move(changes)](exchange& on) { make_all(changes, on); }, action_needs::nothing);
    std::vector<action> out;
    out.push_back(action(std::move(change), {boost::json::serialize(boost::json::object{{"set", set}}), true}));
    if (from.notify)
        out.push_back(
            notify("notifications/resources/updated", boost::json::serialize(boost::json::object{{"uri", from.uri}})));
    return out;
}

} // namespace linkspan::test::detail

#endif
