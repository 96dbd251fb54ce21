#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_NAMES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_NAMES_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/for_each_action.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/script_names.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns whether a rule may have this id: the names of the rules that a script adds are different.
inline bool is_rule_id(std::string_view id)
{
    return !id.empty() && id != "unmatched" && !id.starts_with('#') && !id.starts_with("reply of ");
}

LINKSPAN_DECL void check_names(script_format::script const& from, std::vector<entry_rule> const& entries,
                               script_reader& reader)
{
    std::set<std::string_view> ids;
    for (auto const& one : entries)
        if (!ids.insert(*one.rule.id).second)
            reader.reject(one.at + (one.at.starts_with("/resources") ? "/uri" : "/name"),
                          "a URI or name that no other entry has");
    for (std::size_t i = 0; i != from.rules.size(); ++i) {
        auto const& id = from.rules[i].id;
        auto const at = "/rules/" + std::to_string(i) + "/id";
        if (id && !is_rule_id(*id))
            reader.reject(at,
                          "an id that is not empty, is not 'unmatched', and does not begin with '#' or 'reply of '");
        else if (id && !ids.insert(*id).second)
            reader.reject(at, "an id that no other rule has");
    }
    for (std::size_t i = 0; i != from.tools.size(); ++i)
        if (auto const* const type = from.tools[i].input_schema.if_contains("type"); type && *type != "object")
            reader.reject("/tools/" + std::to_string(i) + "/inputSchema/type", "\"object\"");
}

LINKSPAN_DECL void check_order(script_format::expectation const& from, std::vector<rule> const& rules,
                               script_reader& reader, std::string const& at)
{
    auto const order = from.order.value_or(std::vector<std::string>());
    for (std::size_t i = 0; i != order.size(); ++i)
        if (auto const found = std::ranges::find(rules, order[i], &rule::name);
            found == rules.end() || found->when().kind != event_kind::request)
            reader.reject(at + "/order/" + std::to_string(i), "the name of a rule");
}

// Returns an expectation, with the known name that is most similar to the one that was found.
inline std::string with_similar_name(std::string expected, std::string_view found, std::set<std::string> const& known)
{
    auto const similar = similar_names(found, known, 1);
    return similar.empty() ? expected : expected + " (similar: " + quoted_text(similar.front()) + ")";
}

LINKSPAN_DECL void check_scenarios(script_format::script const& from, script_reader& reader)
{
    std::set<std::string> known;
    auto const add_set = [&known](boost::json::object const& changes) {
        for (auto const& member : changes)
            if (!member.key().starts_with('$'))
                known.emplace(member.key());
    };
    for (auto const& [name, state] : from.scenarios)
        known.insert(name);
    for (auto const& one : from.rules)
        add_set(one.set);
    for_each_action(from, [&add_set](script_format::action const& one, std::string const&) {
        if (one.set)
            add_set(*one.set);
    });
    for (std::size_t i = 0; i != from.rules.size(); ++i)
        for (auto const& [name, state] : from.rules[i].state)
            if (!state.empty() && !known.contains(name))
                reader.reject("/rules/" + std::to_string(i) + "/state/" + linkspan::detail::shortened_key(name),
                              with_similar_name("a scenario of 'scenarios' or 'set'", name, known), short_json(name));
}

LINKSPAN_DECL void check_variables(script_format::script const& from, script_reader& reader)
{
    for (auto const& variable : from.vars)
        if (variable.key().starts_with('$'))
            reader.reject("/vars/" + linkspan::detail::shortened_key(variable.key()), std::string(expected_variable),
                          quoted(variable.key()));
}

// Returns the names of the tools of the member `tools`, of the file `toolsFrom` and of the actions that add tools.
inline std::set<std::string> declared_tools(script_format::script const& from)
{
    std::set<std::string> out;
    for (auto const& one : from.tools)
        out.insert(one.name);
    for_each_action(from, [&out](script_format::action const& one, std::string const&) {
        if (one.tools)
            for (auto const& added : one.tools->add)
                out.insert(added.name);
    });
    return out;
}

LINKSPAN_DECL void check_expected_tools(script_format::script const& from, std::set<std::string> const& others,
                                        script_reader& reader)
{
    auto const is_for_all_calls = [](script_format::rule const& one) { return one.on.request == "tools/call"; };
    if (from.tape || std::holds_alternative<script_format::passthrough>(from.unmatched) ||
        std::ranges::any_of(from.rules, is_for_all_calls))
        return;
    auto known = others;
    known.merge(declared_tools(from));
    for (auto const& one : from.rules)
        if (one.on.call)
            known.insert(*one.on.call);
    auto const check = [&](std::optional<std::string> const& tool, std::string const& at) {
        if (tool && !known.contains(*tool))
            reader.reject(at + "/call", with_similar_name("a tool of the server", *tool, known), short_json(*tool));
    };
    for (std::size_t i = 0; i != from.expect.size(); ++i) {
        auto const& one = from.expect[i];
        auto const at = "/expect/" + std::to_string(i);
        check(one.call, at);
        if (one.never)
            check(one.never->call, at + "/never");
        if (one.cancelled)
            check(one.cancelled->call, at + "/cancelled");
    }
}

LINKSPAN_DECL std::vector<std::string> misspelled_tools(script_format::script const& from)
{
    std::vector<std::string> out;
    if (from.tape || std::holds_alternative<script_format::passthrough>(from.unmatched)) // has further tools
        return out;
    constexpr std::size_t min_size = 4; // shorter names are similar by chance
    auto const declared = declared_tools(from);
    for (std::size_t i = 0; i != from.rules.size(); ++i)
        if (auto const& called = from.rules[i].on.call; called && called->size() >= min_size &&
                                                        !declared.contains(*called) &&
                                                        !similar_names(*called, declared, 1).empty())
            out.push_back("/rules/" + std::to_string(i) + "/on/call: " +
                          expected_but_found(with_similar_name("a tool that the script declares", *called, declared),
                                             short_json(*called)));
    return out;
}

} // namespace linkspan::test::detail

#endif
