#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/drift/detail/union_parts.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr unsigned max_compared_depth = 64;
inline constexpr std::size_t max_steps = 300'000;
inline constexpr std::size_t step_of_text = 64; // bytes of text that cost as much as one value

inline std::string shown(json::value const& value)
{
    std::string out;
    append_json(out, value);
    if (out.size() > 80)
        out = std::string(linkspan::detail::utf8_prefix(out, 77)) + "...";
    return out;
}

inline std::string in_quotes(std::string_view keyword) { return "'" + std::string(keyword) + "'"; }

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

inline std::size_t size_of(json::object const* schema) { return schema ? schema->size() : 0; }

LINKSPAN_DECL bool schema_comparison::charge(std::size_t steps)
{
    steps_ += steps;
    is_limit_exceeded_ = is_limit_exceeded_ || steps_ > max_steps;
    return !is_limit_exceeded_;
}

LINKSPAN_DECL bool schema_comparison::charge_text(std::size_t size) { return charge(1 + size / step_of_text); }

// Adds the cost of a value. Called before the value is copied, hashed or compared.
LINKSPAN_DECL bool schema_comparison::charge_value(json::value const& value)
{
    if (auto const* const text = value.if_string())
        return charge_text(text->size());
    if (auto const* const elements = value.if_array())
        return charge(1) && std::ranges::all_of(*elements, [&](auto const& element) { return charge_value(element); });
    auto const* const object = value.if_object();
    return charge(1) && (!object || std::ranges::all_of(*object, [&](auto const& member) {
               return charge_text(member.key().size()) && charge_value(member.value());
           }));
}

// Adds the cost of the pointers of all members, because each name is appended to `pointer`.
LINKSPAN_DECL bool schema_comparison::charge_names(json::value const& names, std::string const& pointer)
{
    if (auto const* const object = names.if_object())
        return std::ranges::all_of(
            *object, [&](auto const& member) { return charge_text(pointer.size() + member.key().size()); });
    auto const* const list = names.if_array();
    return !list || (charge(list->size() * (pointer.size() / step_of_text)) && charge_value(names));
}

LINKSPAN_DECL bool schema_comparison::is_equal(json::value const& then, json::value const& now)
{
    return charge_value(then) && charge_value(now) && then == now;
}

LINKSPAN_DECL void schema_comparison::report(drift effect, std::string const& pointer, std::string what)
{
    if (charge_text(pointer.size() + what.size()))
        out_.push_back({effect, {}, pointer, std::move(what)});
}

LINKSPAN_DECL void schema_comparison::report_wider(std::string const& pointer, std::string what, drift for_result)
{
    report(side_ == schema_side::arguments ? drift::additive : for_result, pointer, std::move(what));
}

LINKSPAN_DECL void schema_comparison::report_narrower(std::string const& pointer, std::string what, drift for_arguments)
{
    report(side_ == schema_side::result ? drift::additive : for_arguments, pointer, std::move(what));
}

LINKSPAN_DECL std::vector<difference> schema_comparison::compare(std::string const& pointer)
{
    compare(then_root_, now_root_, pointer, 0);
    if (is_limit_exceeded_)
        out_.push_back({drift::risky, {}, pointer, "too large to be compared completely"});
    return std::exchange(out_, {});
}

LINKSPAN_DECL void schema_comparison::index(named_parts& out, json::value const& schema, bool is_root)
{
    if (auto const* const elements = schema.if_array())
        for (auto const& element : *elements)
            index(out, element, false);
    auto const* const object = schema.if_object();
    if (!object)
        return;
    auto const add = [&](std::string_view name) {
        if (name.empty())
            return;
        if (auto const [anchor, is_new] = out.anchors.emplace(name, &schema); !is_new)
            anchor->second = nullptr;
    };
    add(keyword_view(*object)["$anchor"].text().value_or(""));
    add(keyword_view(*object)["$dynamicAnchor"].text().value_or(""));
    auto const id = keyword_view(*object)["$id"].text().value_or("");
    if (id.starts_with('#')) // of draft 7
        add(id.substr(1));
    else if (!id.empty() && !is_root)
        out.has_parts = true;
    for (auto const& [key, value] : *object)
        if (key != "default" && key != "examples" && key != "const" && key != "enum") // those have no schemas
            index(out, value, false);
}

// Returns the target of a reference; null if there is none or it is unknown. Parts with their own URI are ignored.
LINKSPAN_DECL json::value const* schema_comparison::target(std::string_view reference, json::value const& root) const
{
    auto const& known = &root == &then_root_ ? then_names_ : now_names_;
    auto const text = decode_percent(reference);
    if (!text.starts_with('#'))
        return nullptr;
    boost::system::error_code ec;
    auto const name = std::string_view(text).substr(1);
    if (name.empty() || name.starts_with('/'))
        return root.find_pointer(json::string_view(name.data(), name.size()), ec);
    auto const anchor = known.anchors.find(name);
    return anchor == known.anchors.end() ? nullptr : anchor->second;
}

LINKSPAN_DECL auto schema_comparison::read(json::value const& schema, json::value const& root) -> node
{
    node out;
    auto const* at = &schema;
    for (unsigned count = 0; count != max_compared_depth; ++count) {
        auto const* const object = at->if_object();
        if (object && out.description.empty())
            out.description = keyword_view(*object)["description"].text().value_or("");
        if (object && out.title.empty())
            out.title = keyword_view(*object)["title"].text().value_or("");
        auto const* const ref = object ? find(*object, "$ref") : nullptr;
        if (!ref) {
            out.schema = &simplified(*at);
            out.members = out.schema->if_object();
            out.accepts_nothing = at->is_bool() && !at->get_bool();
            return out;
        }
        if (!charge(object->size()) || !charge_value(*ref))
            return out;
        out.refers = true;
        for (auto const& [key, value] : *object)
            if (key != "$ref" && !is_annotation(view(key)))
                out.beside[view(key)] = &value;
        at = ref->is_string() ? target(view(ref->get_string()), root) : nullptr;
        if (!at)
            return out;
    }
    return out;
}

LINKSPAN_DECL void schema_comparison::compare(json::value const& then, json::value const& now,
                                              std::string const& pointer, unsigned depth)
{
    if (is_trial_ && !out_.empty())
        return;
    is_limit_exceeded_ = is_limit_exceeded_ || depth > max_compared_depth;
    if (!charge_text(pointer.size()))
        return;
    auto const a = read(then, then_root_);
    auto const b = read(now, now_root_);
    if (!charge(size_of(a.members) + size_of(b.members)))
        return;
    if (!a.schema || !b.schema) {
        if (roots_differ_ || !is_equal(then, now))
            report(drift::risky, pointer, "reference has no target, and cannot be compared");
        return;
    }
    if (roots_differ_ && ((a.refers && then_names_.has_parts) || (b.refers && now_names_.has_parts)))
        report(drift::risky, pointer, "target of the reference may be a schema with its own $id, and may have changed");
    if (!pairs_.emplace(a.schema, b.schema).second)
        return;
    entered_.emplace_back(a.schema, b.schema);
    compare_beside(a, b, pointer);
    compare_texts(a, b, pointer);
    if (a.accepts_nothing || b.accepts_nothing) {
        if (!a.accepts_nothing)
            report_narrower(pointer, "no value is allowed now");
        else if (!b.accepts_nothing)
            report_wider(pointer, "values are allowed now", drift::additive);
        return;
    }
    json::object const none;
    auto const& old = a.members ? *a.members : none;
    auto const& fresh = b.members ? *b.members : none;
    if (!compare_types(*a.schema, *b.schema, pointer))
        return;
    compare_default(old, fresh, pointer);
    if (!compare_unions(a, b, pointer, depth))
        compare_members(old, fresh, pointer, depth);
}

LINKSPAN_DECL void schema_comparison::forget_pairs(std::size_t known)
{
    for (; entered_.size() != known; entered_.pop_back())
        pairs_.erase(entered_.back());
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

// Descriptions and titles.
LINKSPAN_DECL void schema_comparison::compare_members(members const& old, members const& fresh,
                                                      std::string const& pointer, unsigned depth)
{
    compare_values(old, fresh, pointer);
    compare_limits(old, fresh, pointer);
    compare_rules(old, fresh, pointer);
    compare_properties(old, fresh, pointer, depth);
    compare_others(old, fresh, pointer, depth);
    compare_items(old, fresh, pointer, depth);
    compare_all_of(old, fresh, pointer, depth);
    compare_rest(old, fresh, pointer);
}

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

// Rewrites {"anyOf":[{"type":"string"},{"type":"null"}]} to {"type":["string","null"]}.
LINKSPAN_DECL json::value const& schema_comparison::simplified(json::value const& schema)
{
    auto const* const object = schema.if_object();
    if (!object || !has_union(*object))
        return schema;
    if (auto const known = simple_.find(&schema); known != simple_.end())
        return *known->second;
    auto const* const parts = charge(object->size()) ? only_union_of(*object) : nullptr;
    if (!parts || parts->size() != 2)
        return schema;
    json::value const null_schema{{"type", "null"}};
    for (auto const& [one, other] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
        auto const* const plain = (*parts)[one].if_object();
        if (!plain || (*parts)[other] != null_schema || has_union(*plain) || find(*plain, "$ref") ||
            find(*plain, "enum") || find(*plain, "const") || !find(*plain, "type") || !charge_value((*parts)[one]))
            continue;
        json::object simple = *plain;
        json::array types;
        for (auto const& type : types_of(*plain))
            types.emplace_back(json::string_view(type.data(), type.size()));
        types.emplace_back("null");
        simple["type"] = std::move(types);
        for (auto const& [key, value] : *object)
            if (is_annotation(view(key)))
                simple[key] = value;
        owned_schemas_.emplace_back(std::move(simple));
        simple_.emplace(&schema, &owned_schemas_.back());
        return owned_schemas_.back();
    }
    return schema;
}

// Returns the alternatives of a schema without other keywords, where 'type' is ignored if each alternative has one.
LINKSPAN_DECL json::array const* schema_comparison::only_alternatives(members const& schema, json::value const& root)
{
    auto const* const parts = only_union_of(schema, "type");
    auto const has_type = [&](json::value const& part) { return kinds_of(part, root, 0) != kinds::all; };
    // An extension may affect validation, so that it must be compared with the extension of the other schema.
    auto const is_extension = [](auto const& member) { return view(member.key()).starts_with("x-"); };
    if (std::ranges::any_of(schema, is_extension))
        return nullptr;
    return parts && (!find(schema, "type") || std::ranges::all_of(*parts, has_type)) ? parts : nullptr;
}

// Returns true if the comparison is complete.
LINKSPAN_DECL bool schema_comparison::compare_unions(node const& then, node const& now, std::string const& pointer,
                                                     unsigned depth)
{
    members const none;
    auto const& old = then.members ? *then.members : none;
    auto const& fresh = now.members ? *now.members : none;
    if (has_union(old) && has_union(fresh)) {
        compare_keys_of_unions(old, fresh, pointer, depth);
        return false;
    }
    // A schema that is not a union is one alternative.
    auto const* const old_parts = has_union(old) ? only_alternatives(old, then_root_) : nullptr;
    auto const* const new_parts = has_union(fresh) ? only_alternatives(fresh, now_root_) : nullptr;
    if (old_parts && !accepts_all(*now.schema)) {
        compare_alternatives(pointers_to(*old_parts), {now.schema}, pointer, depth);
        return true;
    }
    if (new_parts && !accepts_all(*then.schema)) {
        compare_alternatives({then.schema}, pointers_to(*new_parts), pointer, depth);
        return true;
    }
    compare_keys_of_unions(old, fresh, pointer, depth);
    return false;
}

LINKSPAN_DECL void schema_comparison::compare_keys_of_unions(members const& then, members const& now,
                                                             std::string const& pointer, unsigned depth)
{
    std::string_view removed, added;
    for (auto const key : union_keys) {
        auto const* const old = parts_of(then, key);
        auto const* const fresh = parts_of(now, key);
        if (old && fresh)
            compare_alternatives(pointers_to(*old), pointers_to(*fresh), pointer, depth);
        else if (old)
            removed = key;
        else if (fresh)
            added = key;
    }
    if (!removed.empty() && !added.empty()) {
        auto const old = pointers_to(*parts_of(then, removed));
        auto const fresh = pointers_to(*parts_of(now, added));
        if (!exclude_each_other(old, then_root_) || !exclude_each_other(fresh, now_root_))
            report(drift::risky, pointer,
                   in_quotes(removed) + " replaced by " + in_quotes(added) + ", and cannot be compared");
        compare_alternatives(old, fresh, pointer, depth);
    } else if (!removed.empty()) {
        report_wider(pointer, in_quotes(removed) + " removed: no alternative has to match");
    } else if (!added.empty()) {
        report_narrower(pointer, in_quotes(added) + " added: an alternative has to match");
    }
}

LINKSPAN_DECL bool schema_comparison::is_same(json::value const& then, json::value const& now, unsigned depth)
{
    auto reported = std::exchange(out_, {});
    auto const was_trial = std::exchange(is_trial_, true);
    auto const known = entered_.size();
    compare(then, now, {}, depth);
    bool const same = out_.empty() && !is_limit_exceeded_;
    out_ = std::move(reported);
    is_trial_ = was_trial;
    if (!same)
        forget_pairs(known);
    return same;
}

LINKSPAN_DECL auto schema_comparison::read_alternative(json::value const& schema, json::value const& root)
    -> alternative
{
    alternative out{&schema, kinds_of(schema, root, 0), {}, {}, {}};
    auto const at = read(schema, root);
    if (!at.members)
        return out;
    out.literal = literal_of(*at.schema);
    if (auto const* const properties = keyword_view(*at.members)["properties"].object();
        properties && charge(properties->size()))
        for (auto const& [key, value] : *properties)
            if (auto tag = literal_of(value); tag && charge_text(key.size() + tag->size()))
                out.tags.emplace(view(key), *std::move(tag));
    if (auto const* const names = find(*at.members, "required"); names && charge_value(*names))
        for (auto& name : required_of(*at.members))
            out.required.insert(std::move(name));
    return out;
}

LINKSPAN_DECL auto schema_comparison::read_alternatives(std::vector<json::value const*> const& schemas,
                                                        json::value const& root) -> std::vector<alternative>
{
    std::vector<alternative> out;
    for (auto const* const schema : schemas)
        out.push_back(read_alternative(*schema, root));
    return out;
}

// Returns whether no value matches two of the schemas, judged by their kinds and tags.
LINKSPAN_DECL bool schema_comparison::exclude_each_other(std::vector<json::value const*> const& schemas,
                                                         json::value const& root)
{
    if (schemas.size() > max_compared_alternatives)
        return false;
    auto const are_distinct = [&](alternative const& one, alternative const& other) {
        auto const common = one.kinds & other.kinds;
        if (common == 0)
            return true;
        if (one.literal && other.literal)
            return one.literal != other.literal;
        auto const is_told_apart = [&](auto const& tag) {
            auto const found = other.tags.find(tag.first);
            return found != other.tags.end() && found->second != tag.second &&
                   (one.required.contains(tag.first) || other.required.contains(tag.first));
        };
        return common == kinds::object && charge(one.tags.size()) && std::ranges::any_of(one.tags, is_told_apart);
    };
    auto const all = read_alternatives(schemas, root);
    for (auto one = all.begin(); one != all.end(); ++one)
        for (auto other = all.begin(); other != one; ++other)
            if (!are_distinct(*one, *other))
                return false;
    return true;
}

// Equal alternatives are paired first, then those of one kind and tag; the others are removed or added.
LINKSPAN_DECL void schema_comparison::compare_alternatives(std::vector<json::value const*> const& then,
                                                           std::vector<json::value const*> const& now,
                                                           std::string const& pointer, unsigned depth)
{
    if (std::max(then.size(), now.size()) > max_compared_alternatives)
        return report(drift::risky, pointer, "too many alternatives to be compared");
    auto old = then;
    auto fresh = now;
    pair_up(
        old, fresh, [&](auto const* one, auto const* other) { return is_same(*one, *other, depth + 1); },
        [](auto const*, auto const*) {});
    auto const compare_both = [&](json::value const& one, json::value const& other) {
        compare(one, other, pointer, depth + 1);
    };
    pair_up( // targets of equal references may differ
        old, fresh, [&](auto const* one, auto const* other) { return is_equal(*one, *other); },
        [&](auto const* one, auto const* other) { compare_both(*one, *other); });
    auto lost = read_alternatives(old, then_root_);
    auto added = read_alternatives(fresh, now_root_);
    pair_up(
        lost, added,
        [&](alternative const& one, alternative const& other) {
            return one.kinds == other.kinds && charge(1 + one.tags.size()) && one.tags == other.tags;
        },
        [&](alternative const& one, alternative const& other) { compare_both(*one.schema, *other.schema); });
    if (lost.size() == 1 && added.size() == 1)
        return compare_both(*lost.front().schema, *added.front().schema);
    for (std::size_t i = 0; i != lost.size(); ++i)
        report_narrower(pointer, "alternative removed");
    for (std::size_t i = 0; i != added.size(); ++i)
        report_wider(pointer, "alternative added");
}

} // namespace linkspan::bindgen::detail

#endif
