#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_RESOURCES_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_RESOURCES_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/schema/detail/schema_resources.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL schema_resources::resource const& schema_resources::around(schema_index node) const
{
    return resources_[to_.out().nodes[node].resource];
}

// A value may be read again as a part of another resource: the existing resource is returned if it is the same.
LINKSPAN_DECL schema_index schema_resources::add(std::string base, value const& root, dialect_rules rules)
{
    if (auto const known = by_uri_.find(base); known != by_uri_.end()) {
        auto const& same = resources_[known->second];
        if (same.root == &root && same.rules == rules)
            return known->second;
    }
    to_.take(sizeof(resource) + 2 * base.size());
    auto const index = static_cast<schema_index>(resources_.size());
    by_uri_.emplace(base, index);
    resources_.push_back({std::move(base), &root, rules});
    return index;
}

LINKSPAN_DECL void schema_resources::add_document(value const& schema, std::string uri)
{
    auto const in = add(uri, schema, {to_.options().dialect});
    schema_node node;
    node.token = uri.empty() ? uri : uri + '#';
    to_.add_node(schema, in, std::move(node), 0);
}

// Returns `std::nullopt` and reports an error for an unknown dialect.
LINKSPAN_DECL std::optional<dialect_rules> schema_resources::find_dialect(schema_index node, std::string_view uri)
{
    auto name = uri;
    if (name.ends_with('#'))
        name.remove_suffix(1);
    auto path = name;
    for (std::string_view const scheme : {"https://", "http://"})
        if (path.starts_with(scheme))
            path.remove_prefix(scheme.size());
    if (path == "json-schema.org/draft/2020-12/schema")
        return dialect_rules{schema_dialect::draft_2020_12};
    if (path == "json-schema.org/draft-07/schema")
        return dialect_rules{schema_dialect::draft_7};
    auto const* const meta = find_document(name);
    auto const* const used = meta && meta->is_object() ? meta->get_object().if_contains("$vocabulary") : nullptr;
    if (used && used->is_object())
        return read_vocabularies(node, used->get_object());
    to_.reject(node, "$schema", "the dialect '" + shortened_text(uri) + "' is not supported");
    return std::nullopt;
}

LINKSPAN_DECL std::optional<dialect_rules> schema_resources::read_vocabularies(schema_index node,
                                                                               boost::json::object const& used)
{
    constexpr std::string_view prefix = "https://json-schema.org/draft/2020-12/vocab/";
    dialect_rules rules{schema_dialect::draft_2020_12, vocabularies::core};
    for (auto const& [uri, is_required] : used) {
        std::string_view name = uri;
        name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
        if (name == "applicator")
            rules.in_use |= vocabularies::applicator;
        else if (name == "unevaluated")
            rules.in_use |= vocabularies::unevaluated;
        else if (name == "validation")
            rules.in_use |= vocabularies::validation;
        else if (name != "core" && name != "meta-data" && name != "format-annotation" && name != "content" &&
                 is_required == true) {
            to_.reject(node, "$schema", "the vocabulary '" + shortened_text(uri) + "' is not supported");
            return std::nullopt;
        }
    }
    return rules;
}

LINKSPAN_DECL std::optional<dialect_rules> schema_resources::read_dialect(schema_index node, value const& schema)
{
    if (!schema.is_string()) {
        to_.reject(node, "$schema", "must be a string");
        return std::nullopt;
    }
    std::string_view const uri = schema.get_string();
    return to_.take(uri.size()) ? find_dialect(node, uri) : std::nullopt;
}

LINKSPAN_DECL void schema_resources::enter(value const& schema, schema_index node)
{
    auto const& object = schema.get_object();
    auto const in = to_.out().nodes[node].resource;
    auto rules = resources_[in].rules;
    auto const* const id = object.if_contains("$id");
    if (id && !id->is_string())
        return to_.reject(node, "$id", "must be a string");
    bool const is_root = resources_[in].root == &schema;
    if (auto const* const dialect = object.if_contains("$schema"); dialect && (id || is_root)) {
        auto const found = read_dialect(node, *dialect);
        if (!found)
            return;
        rules = *found;
    }
    if (is_root)
        resources_[in].rules = rules;
    bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
    if (id && !(is_draft_7 && object.contains("$ref")))
        read_id(schema, node, rules, id->get_string());
}

// In draft 7, the fragment of `$id` is an anchor.
LINKSPAN_DECL void schema_resources::read_id(value const& schema, schema_index node, dialect_rules rules,
                                             std::string_view id)
{
    auto const hash = std::min(id.find('#'), id.size());
    auto const name = id.substr(std::min(hash + 1, id.size()));
    bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
    if (!name.empty() && !is_draft_7)
        return to_.reject(node, "$id", "must not have a fragment");
    auto& in = to_.out().nodes[node].resource;
    if (!is_draft_7 || hash != 0) {
        if (!to_.take(resources_[in].base.size() + std::min(hash, max_uri)))
            return;
        auto uri = resolve_uri(resources_[in].base, id.substr(0, std::min(hash, max_uri + 1)));
        if (hash > max_uri || uri.size() > max_uri)
            return to_.reject(node, "$id", "must not be longer than " + std::to_string(max_uri) + " bytes");
        if (resources_[in].root == &schema) {
            by_uri_.emplace(uri, in);
            resources_[in].base = std::move(uri);
        } else {
            in = add(std::move(uri), schema, rules);
        }
    }
    if (!name.empty())
        add_anchor(node, name);
}

LINKSPAN_DECL void schema_resources::add_anchor(schema_index node, std::string_view name)
{
    constexpr auto entry = sizeof(decltype(anchors_)::value_type) + 4 * sizeof(void*);
    if (to_.take(entry))
        anchors_.emplace(std::pair(to_.out().nodes[node].resource, name), node);
}

LINKSPAN_DECL void schema_resources::add_dynamic_anchor(schema_index node, std::string_view name)
{
    add_anchor(node, name);
    constexpr auto entry = sizeof(decltype(dynamic_anchors_)::value_type) + 4 * sizeof(void*);
    if (to_.take(entry))
        dynamic_anchors_.emplace(std::pair(name, to_.out().nodes[node].resource), node);
}

LINKSPAN_DECL schema_index schema_resources::find(std::string const& uri) const
{
    auto const found = by_uri_.find(uri);
    return found == by_uri_.end() ? no_schema : found->second;
}

LINKSPAN_DECL boost::json::value const* schema_resources::find_document(std::string_view uri) const
{
    auto const& documents = to_.options().documents;
    auto found = documents.find(uri);
    if (found == documents.end())
        found = documents.find(std::string(uri) + '#');
    return found == documents.end() ? nullptr : &found->second;
}

LINKSPAN_DECL schema_index schema_resources::find_anchor(schema_index in, std::string_view name) const
{
    auto const found = anchors_.find({in, name});
    return found == anchors_.end() ? no_schema : found->second;
}

LINKSPAN_DECL schema_index schema_resources::find_dynamic_anchor(schema_index in, std::string_view name) const
{
    auto const found = dynamic_anchors_.find({name, in});
    return found == dynamic_anchors_.end() ? no_schema : found->second;
}

LINKSPAN_DECL dynamic_overrides schema_resources::find_overrides(std::string_view name) const
{
    dynamic_overrides out;
    for (auto at = dynamic_anchors_.lower_bound({name, 0}); at != dynamic_anchors_.end() && at->first.first == name;
         ++at)
        out.emplace_back(at->first.second, at->second);
    return out;
}

} // namespace linkspan::detail

#endif
