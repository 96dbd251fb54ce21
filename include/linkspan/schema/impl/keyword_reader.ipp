#ifndef LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_IPP
#define LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_IPP

#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/detail/keyword_reader.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <initializer_list>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the approximate size of a copy of a value, in bytes.
inline std::size_t size_of_copy(boost::json::value const& of)
{
    auto size = sizeof(of);
    if (auto const* const text = of.if_string())
        size += text->size();
    else if (auto const* const array = of.if_array())
        for (auto const& each : *array)
            size += size_of_copy(each);
    else if (auto const* const object = of.if_object())
        for (auto const& member : *object)
            size += sizeof(member) + member.key().size() + size_of_copy(member.value());
    return size;
}

template<class Visit>
void keyword_reader::for_members(reading const& from, keyword k, Visit visit)
{
    if (!from[k])
        return;
    auto const* const object = from[k].object();
    if (!object)
        return to_.refuse(from.node, name_of(k), "must be an object");
    for (auto const& [name, each] : *object) {
        if (to_.is_too_large())
            return;
        visit(std::string_view(name), each);
    }
}

template<class Rules, class Read>
void keyword_reader::add_part(schema_index node, std::vector<Rules>& parts, schema_index schema_node::*part, Read read)
{
    Rules rules;
    if (!read(rules) || !to_.take(sizeof(Rules)))
        return;
    to_.out().nodes[node].*part = static_cast<schema_index>(parts.size());
    parts.push_back(std::move(rules));
}

LINKSPAN_DECL schema_index keyword_reader::add_child(reading const& from, value const& schema, keyword k,
                                                     std::optional<std::string> token)
{
    schema_node node;
    node.up = from.node;
    node.keyword = name_of(k);
    node.has_token = token.has_value();
    node.token = std::move(token).value_or("");
    // The size is counted even if the schema already has a node, because the rule that refers to it needs memory.
    if (!to_.take(sizeof(std::string) + node.token.size()))
        return no_schema;
    return to_.add_node(schema, to_.out().nodes[from.node].resource, std::move(node), from.depth + 1);
}

LINKSPAN_DECL schema_index keyword_reader::add_optional(reading const& from, keyword k)
{
    return from[k] ? add_child(from, *from[k], k) : no_schema;
}

LINKSPAN_DECL std::vector<schema_index> keyword_reader::add_list(reading const& from, keyword k)
{
    std::vector<schema_index> out;
    auto const* const list = from[k].array();
    if (from[k] && (!list || list->empty()))
        to_.refuse(from.node, name_of(k), "must be a non-empty array of schemas");
    for (std::size_t i = 0; list && i != list->size() && !to_.is_too_large(); ++i)
        out.push_back(add_child(from, (*list)[i], k, std::to_string(i)));
    return out;
}

LINKSPAN_DECL void keyword_reader::read(compilation::unread const& next)
{
    if (next.schema->is_bool()) {
        to_.out().nodes[next.node].rejects_all = !next.schema->get_bool();
        return;
    }
    if (!next.schema->is_object())
        return to_.refuse(next.node, {}, "a schema must be an object or a boolean");
    if (next.depth > to_.options().max_depth)
        return to_.refuse(next.node, {}, "schemas are nested more deeply than max_depth");
    if (!to_.take(next.schema->get_object().size() * sizeof(value)))
        return;
    resources_.enter(*next.schema, next.node);
    reading from{next.schema, next.node, next.depth, {}};
    find_keywords(from);
    read_definitions(from);
    read_anchors(from);
    read_kinds(from);
    read_values(from);
    read_number(from);
    read_string(from);
    read_array(from);
    read_object(from);
    read_logic(from);
    read_unevaluated(from);
}

LINKSPAN_DECL void keyword_reader::find_keywords(reading& from) const
{
    auto const& object = from.schema->get_object();
    auto const& rules = resources_.around(from.node).rules;
    bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
    bool const is_reference = is_draft_7 && object.contains("$ref");
    for (auto const& [name, each] : object)
        if (auto const k = find_keyword(name); k && (row_of(*k).vocabulary & rules.in_use) &&
                                               is_defined(*k, rules.dialect) &&
                                               (!is_reference || *k == keyword::ref || *k == keyword::definitions))
            from.at[static_cast<std::size_t>(*k)] = &each;
}

LINKSPAN_DECL void keyword_reader::read_definitions(reading const& from)
{
    for (auto const k : {keyword::defs, keyword::definitions})
        for_members(from, k, [&](std::string_view name, value const& each) {
            if (k == keyword::defs || each.is_object() || each.is_bool())
                add_child(from, each, k, std::string(name));
        });
}

LINKSPAN_DECL void keyword_reader::read_anchors(reading const& from)
{
    for (auto const k : {keyword::anchor, keyword::dynamic_anchor}) {
        if (!from[k])
            continue;
        auto const name = from[k].text();
        if (!name)
            to_.refuse(from.node, name_of(k), "must be a string");
        else if (k == keyword::anchor)
            resources_.add_anchor(from.node, *name);
        else
            resources_.add_dynamic_anchor(from.node, *name);
    }
}

LINKSPAN_DECL void keyword_reader::read_kinds(reading const& from)
{
    auto const type = from[keyword::type];
    if (!type)
        return;
    std::uint8_t kinds = 0;
    if (auto const* const list = type.array(); list && !list->empty() && to_.take(list->size()))
        for (auto const& each : *list)
            kinds |= read_kind(from, keyword_value(&each));
    else
        kinds = read_kind(from, type);
    to_.out().nodes[from.node].kinds = kinds;
}

LINKSPAN_DECL std::uint8_t keyword_reader::read_kind(reading const& from, keyword_value name)
{
    auto const kinds = kinds_of_type(name.text().value_or(""));
    if (kinds == 0)
        to_.refuse(from.node, name_of(keyword::type), "must be the name of a type or a non-empty array of such names");
    return kinds;
}

template<class Values>
schema_index keyword_reader::add_values(keyword k, Values const& values)
{
    value_rules rules{name_of(k), {}, {}};
    for (value const& each : values) {
        if (!to_.take(size_of_copy(each)))
            return no_schema;
        if (auto const* const string = each.if_string())
            rules.strings.emplace_back(*string);
        else
            rules.others.push_back(each);
    }
    std::ranges::sort(rules.strings);
    to_.out().values.push_back(std::move(rules));
    return static_cast<schema_index>(to_.out().values.size() - 1);
}

LINKSPAN_DECL void keyword_reader::read_values(reading const& from)
{
    if (auto const* const list = from[keyword::enum_].array())
        to_.out().nodes[from.node].enumerated = add_values(keyword::enum_, *list);
    else if (from[keyword::enum_])
        to_.refuse(from.node, name_of(keyword::enum_), "must be an array");
    if (auto const constant = from[keyword::const_])
        to_.out().nodes[from.node].constant = add_values(keyword::const_, std::initializer_list<value>{*constant});
}

LINKSPAN_DECL bool keyword_reader::read_bound(reading const& from, keyword k, std::optional<value>& out)
{
    if (!from[k])
        return false;
    if (auto const* const number = from[k].number())
        out = *number;
    else
        to_.refuse(from.node, name_of(k), "must be a number");
    return true;
}

LINKSPAN_DECL void keyword_reader::read_number(reading const& from)
{
    add_part(from.node, to_.out().numbers, &schema_node::number, [&](number_rules& rules) {
        bool some = read_bound(from, keyword::minimum, rules.minimum);
        some |= read_bound(from, keyword::maximum, rules.maximum);
        some |= read_bound(from, keyword::exclusive_minimum, rules.above);
        some |= read_bound(from, keyword::exclusive_maximum, rules.below);
        some |= read_bound(from, keyword::multiple_of, rules.multiple_of);
        if (rules.multiple_of && compare_numbers(*rules.multiple_of, value(0)) <= 0) {
            to_.refuse(from.node, name_of(keyword::multiple_of), "must be greater than 0");
            rules.multiple_of.reset();
        }
        return some;
    });
}

LINKSPAN_DECL bool keyword_reader::read_size(reading const& from, keyword k, std::size_t& out)
{
    if (!from[k])
        return false;
    if (auto const count = from[k].count())
        out = *count;
    else
        to_.refuse(from.node, name_of(k), "must be a non-negative integer");
    return true;
}

LINKSPAN_DECL void keyword_reader::read_string(reading const& from)
{
    add_part(from.node, to_.out().strings, &schema_node::string, [&](string_rules& rules) {
        bool some = read_size(from, keyword::min_length, rules.length.min);
        some |= read_size(from, keyword::max_length, rules.length.max);
        if (auto const pattern = from[keyword::pattern].text())
            rules.pattern = add_pattern(from, keyword::pattern, *pattern);
        else if (from[keyword::pattern])
            to_.refuse(from.node, name_of(keyword::pattern), "must be a string");
        return some || rules.pattern != no_schema;
    });
}

// Returns `no_schema` for a malformed or unsupported pattern.
LINKSPAN_DECL schema_index keyword_reader::add_pattern(reading const& from, keyword k, std::string_view text)
{
    if (!to_.take(text.size()))
        return no_schema;
    auto known = by_pattern_.find(text);
    if (known == by_pattern_.end())
        known = by_pattern_.emplace(text, make_pattern(text)).first;
    auto const& [index, why, reason] = known->second;
    if (index == no_schema) {
        bool const is_wrong = why == schema_pattern::fault::malformed;
        to_.report(is_wrong || to_.options().refuses_unsupported_patterns ? diagnostic::severity::error
                                                                          : diagnostic::severity::warning,
                   from.node, name_of(k),
                   (is_wrong ? "malformed pattern: " : "pattern cannot be checked: ") + std::string(reason));
    }
    return index;
}

LINKSPAN_DECL keyword_reader::known_pattern keyword_reader::make_pattern(std::string_view text)
{
    bool const is_short = budget_.is_short();
    auto pattern = budget_.make(text);
    auto const why = pattern.error();
    if (why == schema_pattern::fault::too_large && is_short)
        return {no_schema, why, "the patterns of the schema are too large in total"};
    if (why != schema_pattern::fault::none)
        return {no_schema, why, pattern.reason()};
    to_.out().patterns.push_back(std::move(pattern));
    return {static_cast<schema_index>(to_.out().patterns.size() - 1), why, {}};
}

LINKSPAN_DECL void keyword_reader::read_array(reading const& from)
{
    add_part(from.node, to_.out().arrays, &schema_node::array, [&](array_rules& rules) {
        bool some = read_size(from, keyword::min_items, rules.size.min);
        some |= read_size(from, keyword::max_items, rules.size.max);
        if (auto const unique = from[keyword::unique_items].boolean())
            rules.is_unique = *unique;
        else if (from[keyword::unique_items])
            to_.refuse(from.node, name_of(keyword::unique_items), "must be a boolean");
        read_items(from, rules);
        rules.contains = add_optional(from, keyword::contains);
        read_size(from, keyword::min_contains, rules.contained.min);
        read_size(from, keyword::max_contains, rules.contained.max);
        return some || rules.is_unique || !rules.first.empty() || rules.rest != no_schema ||
               rules.contains != no_schema;
    });
}

// In draft 7, an array in `items` has the meaning of `prefixItems` in 2020-12, and `additionalItems` that of `items`.
LINKSPAN_DECL void keyword_reader::read_items(reading const& from, array_rules& rules)
{
    auto const* const items = from[keyword::items].array();
    bool const is_draft_7 = resources_.around(from.node).rules.dialect == schema_dialect::draft_7;
    if (is_draft_7 && items) {
        if (!items->empty())
            rules.first = add_list(from, keyword::items);
        rules.rest = add_optional(from, keyword::additional_items);
        return;
    }
    rules.first = add_list(from, keyword::prefix_items);
    rules.rest = add_optional(from, keyword::items);
}

LINKSPAN_DECL std::vector<std::string> keyword_reader::read_names(reading const& from, keyword k, keyword_value list)
{
    std::vector<std::string> names;
    auto const* const array = list.array();
    bool is_list = array != nullptr;
    for (std::size_t i = 0; is_list && i != array->size() && !to_.is_too_large(); ++i) {
        auto const name = keyword_value(&(*array)[i]).text();
        is_list = name.has_value();
        if (name && to_.take(sizeof(property_rule) + name->size()))
            names.emplace_back(*name);
    }
    if (!is_list)
        to_.refuse(from.node, name_of(k), "must be an array of strings");
    return names;
}

LINKSPAN_DECL void keyword_reader::read_object(reading const& from)
{
    add_part(from.node, to_.out().objects, &schema_node::object, [&](object_rules& rules) {
        bool some = read_size(from, keyword::min_properties, rules.size.min);
        some |= read_size(from, keyword::max_properties, rules.size.max);
        read_properties(from, rules);
        for_members(from, keyword::pattern_properties, [&](std::string_view text, value const& each) {
            auto const schema = add_child(from, each, keyword::pattern_properties, std::string(text));
            auto const pattern = add_pattern(from, keyword::pattern_properties, text);
            if (pattern == no_schema)
                rules.has_unsupported_pattern = true;
            else
                rules.patterns.emplace_back(pattern, schema);
        });
        rules.additional = add_optional(from, keyword::additional_properties);
        rules.names = add_optional(from, keyword::property_names);
        read_dependencies(from, rules);
        return some || !rules.properties.empty() || !rules.patterns.empty() || rules.has_unsupported_pattern ||
               rules.additional != no_schema || rules.names != no_schema || !rules.dependencies.empty();
    });
}

LINKSPAN_DECL void keyword_reader::read_properties(reading const& from, object_rules& rules)
{
    for_members(from, keyword::properties, [&](std::string_view name, value const& each) {
        if (to_.take(sizeof(property_rule) + name.size()))
            rules.properties.push_back(
                {std::string(name), add_child(from, each, keyword::properties, std::string(name))});
    });
    if (from[keyword::required])
        for (auto& name : read_names(from, keyword::required, from[keyword::required]))
            rules.properties.push_back({std::move(name), no_schema, true});
    auto const order = [](property_rule const& a, property_rule const& b) {
        return property_order(a.name, b.name) < 0;
    };
    std::ranges::sort(rules.properties, order);
    std::vector<property_rule> merged;
    for (auto& next : rules.properties) {
        if (merged.empty() || merged.back().name != next.name) {
            merged.push_back(std::move(next));
            continue;
        }
        merged.back().schema = std::min(merged.back().schema, next.schema);
        merged.back().is_required |= next.is_required;
    }
    rules.properties = std::move(merged);
    rules.required = static_cast<std::size_t>(std::ranges::count(rules.properties, true, &property_rule::is_required));
}

LINKSPAN_DECL void keyword_reader::read_dependencies(reading const& from, object_rules& rules)
{
    for (auto const k : {keyword::dependent_required, keyword::dependent_schemas, keyword::dependencies})
        for_members(from, k, [&](std::string_view name, value const& each) {
            if (!to_.take(sizeof(dependency_rule) + name.size()))
                return;
            dependency_rule rule{std::string(name), name_of(k), {}, no_schema};
            if (k == keyword::dependent_required || (k == keyword::dependencies && each.is_array()))
                rule.required = read_names(from, k, keyword_value(&each));
            else
                rule.schema = add_child(from, each, k, std::string(name));
            rules.dependencies.push_back(std::move(rule));
        });
}

LINKSPAN_DECL void keyword_reader::read_logic(reading const& from)
{
    add_part(from.node, to_.out().logic, &schema_node::logic, [&](logic_rules& rules) {
        for (auto const k : {keyword::ref, keyword::dynamic_ref})
            if (from[k])
                add_reference(from, k, rules);
        rules.all = add_list(from, keyword::all_of);
        rules.any = add_list(from, keyword::any_of);
        rules.one = add_list(from, keyword::one_of);
        rules.no = add_optional(from, keyword::not_);
        rules.condition = add_optional(from, keyword::if_);
        rules.then = add_optional(from, keyword::then_);
        rules.otherwise = add_optional(from, keyword::else_);
        return !rules.references.empty() || !rules.all.empty() || !rules.any.empty() || !rules.one.empty() ||
               rules.no != no_schema || rules.condition != no_schema;
    });
}

LINKSPAN_DECL void keyword_reader::add_reference(reading const& from, keyword k, logic_rules& rules)
{
    auto const text = from[k].text();
    if (!text)
        return to_.refuse(from.node, name_of(k), "must be a string");
    references_.add({from.node, static_cast<schema_index>(to_.out().logic.size()), rules.references.size(), *text});
    rules.references.push_back({name_of(k)});
}

LINKSPAN_DECL void keyword_reader::read_unevaluated(reading const& from)
{
    add_part(from.node, to_.out().unevaluated, &schema_node::unevaluated,
             [&](compiled_schema::unevaluated_rules& rules) {
                 rules.items = add_optional(from, keyword::unevaluated_items);
                 rules.properties = add_optional(from, keyword::unevaluated_properties);
                 return rules.items != no_schema || rules.properties != no_schema;
             });
}

} // namespace linkspan::detail

#endif
