#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_CHANGES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_CHANGES_IPP

#include <linkspan/test/script/detail/declaration_of.hpp>
#include <linkspan/test/script/detail/entry_rules.hpp>
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

// The state of a scenario selects the rule with the new contents, see entry_rules(). The forms of the actions refer to
// the rules, because an exported script has no member `resources`.
inline std::vector<action> script_reader::changes_of(script_format::resource_change const& from, std::string const& at)
{
    if (std::ranges::find(resources_, from.uri, &script_format::resource::uri) == resources_.end())
        reject(at + "/uri", "the URI of an element of 'resources'");
    if (from.text.has_value() == from.blob.has_value())
        reject_whole(at, "exactly one of 'text' and 'blob'");
    auto const scenario = scenario_of_resource(from.uri);
    auto const state = state_of(from);
    boost::json::object form;
    form["set"].emplace_object()[scenario] = state;
    auto change =
        step([scenario, state](exchange& on) { on.values().states[scenario] = state; }, action_needs::nothing);
    std::vector<action> out;
    out.push_back(action(std::move(change), {boost::json::serialize(form), true}));
    if (from.notify)
        out.push_back(
            notify("notifications/resources/updated", boost::json::serialize(boost::json::object{{"uri", from.uri}})));
    return out;
}

inline action script_reader::reset() const
{
    auto run = [states = *states_, vars = *vars_](exchange& on) {
        on.values().states = states;
        on.values().vars = vars;
    };
    return step(std::move(run), action_needs::nothing);
}

} // namespace linkspan::test::detail

#endif
