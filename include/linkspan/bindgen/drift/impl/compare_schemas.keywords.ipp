#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_KEYWORDS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_KEYWORDS_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline std::string shown(json::value const& value)
{
    std::string out;
    append_json(out, value);
    if (out.size() > 80)
        out = std::string(linkspan::detail::utf8_prefix(out, 77)) + "...";
    return out;
}

inline std::string names_of_kinds(unsigned set)
{
    if (set == kinds::all)
        return "anything";
    std::string out;
    auto const add = [&](unsigned kind, std::string_view name) {
        if ((set & kind) == kind)
            (out += out.empty() ? "" : " or ") += name;
    };
    add(kinds::null, "null");
    add(kinds::boolean, "boolean");
    if ((set & kinds::fraction) != 0)
        out += out.empty() ? "number" : " or number";
    else
        add(kinds::integer, "integer");
    add(kinds::string, "string");
    add(kinds::array, "array");
    add(kinds::object, "object");
    return out.empty() ? "nothing" : out;
}

inline std::optional<std::span<json::value const>> values_of(json::object const& schema)
{
    if (auto const* const value = find(schema, "const"))
        return std::span(value, 1);
    auto const* const values = keyword_view(schema)["enum"].array();
    return values ? std::optional(std::span(values->data(), values->size())) : std::nullopt;
}

inline bool has_reference(json::value const& value)
{
    if (auto const* const elements = value.if_array())
        return std::ranges::any_of(*elements, has_reference);
    auto const* const object = value.if_object();
    return object && std::ranges::any_of(*object, [](auto const& member) {
               return member.key() == "$ref" || member.key() == "$dynamicRef" || has_reference(member.value());
           });
}

inline bool refers(std::string_view keyword, json::value const& value)
{
    return keyword == "$dynamicRef" || has_reference(value);
}

LINKSPAN_DECL void schema_comparison::compare_beside(node const& then, node const& now, std::string const& pointer)
{
    auto const is_same_member = [&](auto const& one, auto const& other) {
        return one.first == other.first && is_equal(*one.second, *other.second);
    };
    auto const refers_too = [](auto const& member) { return refers(member.first, *member.second); };
    if (!std::ranges::equal(then.beside, now.beside, is_same_member))
        report(drift::risky, pointer, "keywords beside the reference changed, and cannot be compared");
    else if (roots_differ_ && std::ranges::any_of(then.beside, refers_too))
        report(drift::risky, pointer, "keywords beside the reference refer to a schema that may have changed");
}

// Compares descriptions and titles.
LINKSPAN_DECL void schema_comparison::compare_texts(node const& then, node const& now, std::string const& pointer)
{
    if (ignores_annotations_ || !charge_text(then.description.size()) || !charge_text(then.title.size()))
        return;
    if (then.description != now.description)
        report(drift::risky, pointer, "description changed; models read it");
    if (then.title != now.title)
        report(drift::additive, pointer, "title changed");
}

LINKSPAN_DECL unsigned schema_comparison::kinds_of(json::value const& schema, json::value const& root, unsigned depth)
{
    if (depth > 8 || !charge(1))
        return kinds::all;
    auto const at = read(schema, root);
    if (!at.members)
        return at.accepts_nothing ? 0 : kinds::all;
    unsigned out = 0;
    if (auto const values = values_of(*at.members)) {
        if (!charge(values->size()))
            return kinds::all;
        for (auto const& value : *values)
            out |= kind_of_value(value);
        return out;
    }
    auto const* const type = find(*at.members, "type");
    if (type && !charge_value(*type))
        return kinds::all;
    for (auto const& name : types_of(*at.members))
        out |= kinds_of_type(name);
    if (out != 0)
        return out;
    out = kinds::all;
    for (auto const key : union_keys)
        if (auto const* const parts = parts_of(*at.members, key)) {
            unsigned of_parts = 0;
            for (auto const& part : *parts)
                of_parts |= kinds_of(part, root, depth + 1);
            out &= of_parts;
        }
    return out;
}

// Returns false if the types have nothing in common, so that their other keywords cannot be compared.
LINKSPAN_DECL bool schema_comparison::compare_types(json::value const& then, json::value const& now,
                                                    std::string const& pointer)
{
    auto const old = kinds_of(then, then_root_, 0);
    auto const fresh = kinds_of(now, now_root_, 0);
    auto const what = "type is " + names_of_kinds(fresh) + ", was " + names_of_kinds(old);
    bool const loses = (old & ~fresh) != 0;
    bool const gains = (fresh & ~old) != 0;
    if (loses && gains)
        report(drift::breaking, pointer, what);
    else if (loses)
        report_narrower(pointer, what);
    else if (gains)
        report_wider(pointer, what);
    return (old & fresh) != 0;
}

LINKSPAN_DECL void schema_comparison::compare_values(members const& then, members const& now,
                                                     std::string const& pointer)
{
    auto const old = values_of(then);
    auto const fresh = values_of(now);
    for (auto const& values : {old, fresh})
        if (values && !std::ranges::all_of(*values, [&](auto const& value) { return charge_value(value); }))
            return;
    if (old && fresh) {
        std::unordered_set<json::value> const old_values(old->begin(), old->end());
        std::unordered_set<json::value> const new_values(fresh->begin(), fresh->end());
        for (auto const& value : *old)
            if (!new_values.contains(value))
                report_narrower(pointer, "value " + shown(value) + " removed");
        for (auto const& value : *fresh)
            if (!old_values.contains(value))
                report_wider(pointer, "value " + shown(value) + " added", drift::risky);
    } else if (old) {
        report_wider(pointer, "no longer restricted to listed values");
    } else if (fresh) {
        report_narrower(pointer, "now restricted to listed values");
    }
}

struct limit_row {
    std::string_view keyword;
    bool is_upper, is_count;
};

inline constexpr limit_row limit_rows[] = {
    {"minimum", false, false},         {"maximum", true, false},   {"exclusiveMinimum", false, false},
    {"exclusiveMaximum", true, false}, {"minLength", false, true}, {"maxLength", true, true},
    {"minItems", false, true},         {"maxItems", true, true},   {"minProperties", false, true},
    {"maxProperties", true, true},
};

LINKSPAN_DECL void schema_comparison::compare_limits(members const& then, members const& now,
                                                     std::string const& pointer)
{
    json::value const zero = 0;
    for (auto const& row : limit_rows) {
        auto const* old = find(then, row.keyword);
        auto const* fresh = find(now, row.keyword);
        if (row.is_count && !row.is_upper) { // the default of a lower limit of a count
            old = old ? old : &zero;
            fresh = fresh ? fresh : &zero;
        }
        if ((old && !old->is_number()) || (fresh && !fresh->is_number())) {
            if (!old || !fresh || !is_equal(*old, *fresh))
                report(drift::risky, pointer, in_quotes(row.keyword) + " changed, and cannot be compared");
            continue;
        }
        if (!old && !fresh)
            continue;
        auto const name = std::string(row.keyword);
        if (!old) {
            report_narrower(pointer, name + " added: " + shown(*fresh));
        } else if (!fresh) {
            report_wider(pointer, name + " removed: " + shown(*old), drift::risky);
        } else if (auto const order = compare_numbers(*old, *fresh); order != std::partial_ordering::equivalent) {
            auto const what = name + " is " + shown(*fresh) + ", was " + shown(*old);
            bool const is_tighter = (order == std::partial_ordering::less) != row.is_upper;
            is_tighter ? report_narrower(pointer, what) : report_wider(pointer, what, drift::risky);
        }
    }
}

LINKSPAN_DECL void schema_comparison::compare_rules(members const& then, members const& now, std::string const& pointer)
{
    json::value const no = false;
    for (std::string_view const key : {"pattern", "format", "multipleOf", "uniqueItems"}) {
        auto const* const old = find(then, key);
        auto const* const fresh = find(now, key);
        auto const is_there = [&](json::value const* rule) { return rule && *rule != no; };
        if (!is_there(old) && !is_there(fresh))
            continue;
        auto const name = std::string(key);
        if (!is_there(old)) {
            report_narrower(pointer, in_quotes(name) + " added", name == "format" ? drift::risky : drift::breaking);
        } else if (!is_there(fresh)) {
            report_wider(pointer, in_quotes(name) + " removed", drift::risky);
        } else if (!is_equal(*old, *fresh)) {
            bool const are_numbers = key == "multipleOf" && old->is_number() && fresh->is_number() &&
                                     as_double(*old) > 0 && as_double(*fresh) > 0;
            if (are_numbers && is_multiple(*old, *fresh))
                report_wider(pointer, "multipleOf is " + shown(*fresh) + ", was " + shown(*old), drift::risky);
            else if (are_numbers && is_multiple(*fresh, *old))
                report_narrower(pointer, "multipleOf is " + shown(*fresh) + ", was " + shown(*old));
            else
                report(drift::risky, pointer, in_quotes(name) + " changed, and cannot be compared");
        }
    }
}

LINKSPAN_DECL void schema_comparison::compare_default(members const& then, members const& now,
                                                      std::string const& pointer)
{
    auto const* const old = find(then, "default");
    auto const* const fresh = find(now, "default");
    for (auto const* const value : {old, fresh})
        if (value && (ignores_annotations_ || !charge_value(*value))) // the value is part of the message
            return;
    if (old && fresh && *old != *fresh)
        report(drift::risky, pointer, "default is " + shown(*fresh) + ", was " + shown(*old));
    else if (old && !fresh)
        report(drift::risky, pointer, "default removed: " + shown(*old));
    else if (fresh && !old)
        report(drift::additive, pointer, "default added: " + shown(*fresh));
}

// Compares a keyword as a whole.
LINKSPAN_DECL void schema_comparison::compare_whole(std::string_view keyword, json::value const* then,
                                                    json::value const* now, std::string const& pointer)
{
    if (!then || !now || !is_equal(*then, *now))
        report(drift::risky, pointer, in_quotes(keyword) + " changed, and cannot be compared");
    else if (roots_differ_ && refers(keyword, *then))
        report(drift::risky, pointer,
               in_quotes(keyword) + " refers to a schema that may have changed, and cannot be compared");
}

// Compares all keywords that are not compared elsewhere.
LINKSPAN_DECL void schema_comparison::compare_rest(members const& then, members const& now, std::string const& pointer)
{
    constexpr std::array<std::string_view, 12> compared{"type",     "enum",        "const",  "properties",
                                                        "required", "items",       "allOf",  "additionalProperties",
                                                        "pattern",  "prefixItems", "format", "additionalItems"};
    auto const is_compared = [&](std::string_view key) {
        return std::ranges::find(compared, key) != compared.end() || key == "multipleOf" || key == "uniqueItems" ||
               std::ranges::find(limit_rows, key, &limit_row::keyword) != std::end(limit_rows) ||
               (is_annotation(key) && !key.starts_with("x-"));
    };
    auto const is_union = [&](std::string_view key) { // true also if neither schema has the keyword
        return (key == "anyOf" || key == "oneOf") && (!find(then, key) || parts_of(then, key)) &&
               (!find(now, key) || parts_of(now, key));
    };
    std::set<std::string_view> keys;
    for (auto const* const schema : {&then, &now})
        for (auto const& member : *schema)
            keys.insert(view(member.key()));
    for (auto const key : keys) {
        auto const* const old = find(then, key);
        auto const* const fresh = find(now, key);
        if (!is_compared(key) && !is_union(key))
            compare_whole(key, old, fresh, pointer);
    }
    auto const is_old = [](members const& schema) { return keyword_view(schema)["deprecated"].is(true); };
    if (is_old(now) && !is_old(then))
        report(drift::additive, pointer, "now deprecated");
}

} // namespace linkspan::bindgen::detail

#endif
