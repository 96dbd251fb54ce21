#ifndef LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_SUBSCHEMAS_IPP
#define LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_SUBSCHEMAS_IPP

#include <linkspan/schema/detail/keyword_reader.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

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
        to_.reject(from.node, name_of(k), "must be a non-empty array of schemas");
    for (std::size_t i = 0; list && i != list->size() && !to_.is_too_large(); ++i)
        out.push_back(add_child(from, (*list)[i], k, std::to_string(i)));
    return out;
}

LINKSPAN_DECL void keyword_reader::read_definitions(reading const& from)
{
    for (auto const k : {keyword::defs, keyword::definitions})
        for_members(from, k, [&](std::string_view name, value const& each) {
            if (k == keyword::defs || each.is_object() || each.is_bool())
                add_child(from, each, k, std::string(name));
        });
}

LINKSPAN_DECL void keyword_reader::read_array(reading const& from)
{
    add_part(from.node, to_.out().arrays, &schema_node::array, [&](array_rules& rules) {
        bool some = read_size(from, keyword::min_items, rules.size.min);
        some |= read_size(from, keyword::max_items, rules.size.max);
        if (auto const unique = from[keyword::unique_items].boolean())
            rules.is_unique = *unique;
        else if (from[keyword::unique_items])
            to_.reject(from.node, name_of(keyword::unique_items), "must be a boolean");
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
        to_.reject(from.node, name_of(k), "must be an array of strings");
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
        return to_.reject(from.node, name_of(k), "must be a string");
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
