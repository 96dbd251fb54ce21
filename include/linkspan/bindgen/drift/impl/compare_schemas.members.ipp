#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_MEMBERS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_MEMBERS_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

LINKSPAN_DECL void schema_comparison::compare_requirement(bool was_required, bool is_required,
                                                          std::string const& pointer)
{
    if (is_required && !was_required)
        report_narrower(pointer, "now required");
    else if (was_required && !is_required)
        report_wider(pointer, "no longer required");
}

inline bool is_typed(json::value const* others) { return others && !others->is_bool() && !accepts_all(*others); }

// Returns the schemas of all members. A required member that `properties` does not name has the schema of additional
// members.
inline std::map<std::string_view, json::value const*> all_properties(json::object const& schema,
                                                                     std::vector<std::string> const& required)
{
    static json::value const anything = true;
    auto const* const others = find(schema, "additionalProperties");
    auto const* const other = is_typed(others) && !find(schema, "patternProperties") ? others : &anything;
    std::map<std::string_view, json::value const*> out;
    if (auto const* const properties = keyword_view(schema)["properties"].object())
        for (auto const& [key, value] : *properties)
            if (!value.is_bool() || value.get_bool())
                out.emplace(view(key), &value);
    for (auto const& name : required)
        out.emplace(name, other);
    return out;
}

inline bool is_closed(json::object const& schema) { return keyword_view(schema)["additionalProperties"].is(false); }

// Compares a removed member with the schema that applies to it.
LINKSPAN_DECL void schema_comparison::compare_lost(std::string_view name, json::value const& then, members const& now,
                                                   std::string const& pointer, unsigned depth)
{
    if (side_ == schema_side::result)
        return report(drift::breaking, pointer, "removed");
    auto const* const properties = keyword_view(now)["properties"].object();
    if (is_closed(now) || (properties && find(*properties, name)))
        return report(drift::breaking, pointer, "removed, and now refused");
    report(drift::risky, pointer, "removed; the server may ignore it");
    if (auto const* const others = find(now, "additionalProperties"); others && !accepts_all(*others))
        compare(then, *others, pointer, depth + 1);
}

// Compares added members with the schema of other members, which applied to them before.
LINKSPAN_DECL void schema_comparison::compare_new(members const& then, members const& now, std::string const& pointer,
                                                  unsigned depth)
{
    auto const* const known = keyword_view(then)["properties"].object();
    auto const* const properties = keyword_view(now)["properties"].object();
    auto const* const others = find(then, "additionalProperties");
    if (!properties || !is_typed(others))
        return;
    bool const ignored_annotations = std::exchange(ignores_annotations_, true);
    auto const known_pairs = entered_.size();
    for (auto const& [key, schema] : *properties)
        if (!known || !known->contains(key)) {
            auto const at = pointer_to(pointer + "/properties", view(key));
            if (find(then, "patternProperties"))
                report(drift::risky, at, "a pattern may have described the member before, and cannot be compared");
            else
                compare(*others, schema, at, depth + 1);
        }
    ignores_annotations_ = ignored_annotations;
    if (!ignored_annotations) // the schemas are compared again at their own place, with their annotations
        forget_pairs(known_pairs);
}

LINKSPAN_DECL void schema_comparison::compare_properties(members const& then, members const& now,
                                                         std::string const& pointer, unsigned depth)
{
    for (auto const* const schema : {&then, &now})
        for (auto const* const names : {find(*schema, "properties"), find(*schema, "required")})
            if (names && !charge_names(*names, pointer))
                return;
    auto const old_required = required_of(then);
    auto const new_required = required_of(now);
    std::set<std::string_view> const was_needed(old_required.begin(), old_required.end());
    std::set<std::string_view> const is_needed(new_required.begin(), new_required.end());
    auto const old = all_properties(then, old_required);
    auto const fresh = all_properties(now, new_required);
    bool const takes = side_ == schema_side::arguments;
    for (auto const& [name, schema] : old) {
        auto const at = pointer_to(pointer + "/properties", name);
        if (auto const found = fresh.find(name); found != fresh.end()) {
            compare_requirement(was_needed.contains(name), is_needed.contains(name), at);
            compare(*schema, *found->second, at, depth + 1);
        } else {
            compare_lost(name, *schema, now, at, depth);
        }
    }
    for (auto const& [name, schema] : fresh)
        if (!old.contains(name)) {
            bool const breaks = takes && is_needed.contains(name);
            report(breaks ? drift::breaking : drift::additive, pointer_to(pointer + "/properties", name),
                   breaks ? "added, and required" : "added");
        }
    compare_new(then, now, pointer, depth);
    if (!takes)
        return;
    auto const kept = [](std::vector<std::string> names, std::set<std::string_view> const& others) {
        std::erase_if(names, [&](auto const& name) { return !others.contains(name); });
        return names;
    };
    if (kept(old_required, is_needed) != kept(new_required, was_needed))
        report(drift::risky, pointer, "order of required members changed, and so of constructor parameters");
}

LINKSPAN_DECL void schema_comparison::compare_others(members const& then, members const& now,
                                                     std::string const& pointer, unsigned depth)
{
    static json::value const anything = true;
    auto const at = pointer + "/additionalProperties";
    auto const* const old = find(then, "additionalProperties");
    auto const* const fresh = find(now, "additionalProperties");
    if (is_closed(then) != is_closed(now)) {
        // Callers are likely to send other members only if the schema names no members, or describes the others.
        auto const* const properties = keyword_view(then)["properties"].object();
        bool const was_meant = is_typed(old) || (old && (!properties || properties->empty()));
        if (is_closed(now))
            report_narrower(at, "other members are now refused", was_meant ? drift::breaking : drift::risky);
        else
            report_wider(at, "other members are now accepted", drift::additive);
        return;
    }
    compare(old ? *old : anything, fresh ? *fresh : anything, at, depth + 1);
}

LINKSPAN_DECL void schema_comparison::compare_items(members const& then, members const& now, std::string const& pointer,
                                                    unsigned depth)
{
    static json::value const anything = true;
    struct list {
        std::vector<json::value const*> first;
        json::value const* rest = &anything;
    };
    auto const read_list = [](members const& schema) {
        list out;
        auto const* const items = find(schema, "items");
        auto const* const old_form = items ? items->if_array() : nullptr; // of draft 7
        if (auto const* const first = old_form ? old_form : keyword_view(schema)["prefixItems"].array())
            for (auto const& item : *first)
                out.first.push_back(&item);
        if (auto const* const rest = old_form ? find(schema, "additionalItems") : items)
            out.rest = rest;
        return out;
    };
    auto const old = read_list(then);
    auto const fresh = read_list(now);
    if (!charge(old.first.size() + fresh.first.size()))
        return;
    for (std::size_t i = 0; i < std::max(old.first.size(), fresh.first.size()); ++i)
        compare(i < old.first.size() ? *old.first[i] : *old.rest,
                i < fresh.first.size() ? *fresh.first[i] : *fresh.rest, pointer + "/prefixItems/" + std::to_string(i),
                depth + 1);
    compare(*old.rest, *fresh.rest, pointer + "/items", depth + 1);
}

LINKSPAN_DECL void schema_comparison::compare_all_of(members const& then, members const& now,
                                                     std::string const& pointer, unsigned depth)
{
    json::array const none;
    auto const* const old_parts = keyword_view(then)["allOf"].array();
    auto const* const new_parts = keyword_view(now)["allOf"].array();
    auto const& old = old_parts ? *old_parts : none;
    auto const& fresh = new_parts ? *new_parts : none;
    if (old.size() != fresh.size())
        return report(drift::risky, pointer, "'allOf' changed, and cannot be compared");
    for (std::size_t i = 0; i != old.size(); ++i)
        compare(old[i], fresh[i], pointer + "/allOf/" + std::to_string(i), depth + 1);
}

} // namespace linkspan::bindgen::detail

#endif
