#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_REFERENCES_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_REFERENCES_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/schema/detail/keywords.hpp>
#include <linkspan/schema/detail/schema_references.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the value for one reference token of a JSON Pointer, or null.
inline boost::json::value const* follow_step(boost::json::value const& from, std::string_view token)
{
    if (auto const* const object = from.if_object()) {
        std::string key;
        for (std::size_t i = 0; i != token.size(); ++i)
            key += token[i] != '~' || i + 1 == token.size() ? token[i] : token[++i] == '1' ? '/' : '~';
        return object->if_contains(key);
    }
    auto const* const array = from.if_array();
    std::size_t index = 0;
    auto const* const end = token.data() + token.size();
    auto const [stop, failure] = std::from_chars(token.data(), end, index);
    bool const is_index = array && failure == std::errc() && stop == end && index < array->size();
    return is_index ? &(*array)[index] : nullptr;
}

LINKSPAN_DECL void schema_references::add(reference const& made)
{
    if (to_.take(sizeof(reference_rule) + 2 * sizeof(reference)))
        waiting_.push_back(made);
}

LINKSPAN_DECL bool schema_references::resolve_next()
{
    if (!waiting_.empty()) {
        auto const next = waiting_.back();
        waiting_.pop_back();
        if (!resolve(next))
            open_.push_back(next);
        return true;
    }
    auto const nodes = to_.out().nodes.size();
    if (open_.empty() || nodes == nodes_before_ || rounds_left_ == 0)
        return false;
    --rounds_left_;
    nodes_before_ = nodes;
    waiting_.swap(open_);
    return true;
}

LINKSPAN_DECL void schema_references::finish()
{
    for (std::size_t i = 0; i != std::min(open_.size(), compilation::max_problems); ++i) {
        auto const& lost = open_[i];
        auto const keyword = to_.out().logic[lost.logic].references[lost.position].keyword;
        auto const uri = resolve_uri(resources_.around(lost.node).base, lost.text);
        to_.reject(lost.node, keyword,
                   "reference to '" + shortened_text(uri) + "' cannot be resolved; documents are never fetched");
    }
    resolve_dynamic();
}

// Returns false if the reference cannot be resolved yet.
LINKSPAN_DECL bool schema_references::resolve(reference const& from)
{
    auto const hash = std::min(from.text.find('#'), from.text.size());
    auto const in = find_resource(from, from.text.substr(0, hash));
    if (!in || *in == no_schema)
        return in.has_value();
    if (!to_.take(from.text.size() - hash))
        return false;
    auto fragment = decode_percent(from.text.substr(std::min(hash + 1, from.text.size())));
    auto& rule = to_.out().logic[from.logic].references[from.position];
    if (fragment.empty()) {
        rule.schema = to_.find_node(*resources_[*in].root);
    } else if (fragment.starts_with('/')) {
        rule.schema = follow(*in, fragment);
    } else {
        rule.schema = resources_.find_anchor(*in, fragment);
        if (rule.schema != no_schema && rule.keyword == name_of(keyword::dynamic_ref))
            dynamic_.push_back({from.logic, from.position, *in, std::move(fragment)});
    }
    return rule.schema != no_schema;
}

// Returns the resource with the URI of a reference, or `std::nullopt` if the URI is unknown. Returns `no_schema` if the
// document has to be read first: the document is then scheduled to be read, and the reference to be resolved again.
LINKSPAN_DECL std::optional<schema_index> schema_references::find_resource(reference const& from, std::string_view uri)
{
    if (uri.empty())
        return to_.out().nodes[from.node].resource;
    auto const& base = resources_.around(from.node).base;
    if (uri.size() > schema_resources::max_uri || !to_.take(base.size() + uri.size()))
        return std::nullopt;
    auto const whole = resolve_uri(base, uri);
    if (auto const found = resources_.find(whole); found != no_schema)
        return found;
    auto const* const document = resources_.find_document(whole);
    if (!document)
        return std::nullopt;
    resources_.add_document(*document, whole);
    waiting_.push_back(from);
    return no_schema;
}

// Follows a JSON Pointer from the root of a resource.
LINKSPAN_DECL schema_index schema_references::follow(schema_index in, std::string_view pointer)
{
    auto const whole = pointer;
    auto const* at = resources_[in].root;
    auto const root = to_.find_node(*at);
    auto around = root;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        auto const token = pointer.substr(0, pointer.find('/'));
        at = follow_step(*at, token);
        if (!at)
            return no_schema;
        pointer.remove_prefix(token.size());
        if (auto const known = to_.find_node(*at); known != no_schema)
            around = known;
    }
    if (auto const known = to_.find_node(*at); known != no_schema)
        return known;
    if (!at->is_object() && !at->is_bool())
        return no_schema;
    schema_node node;
    node.up = root;
    node.token = whole;
    return to_.add_node(*at, to_.out().nodes[around].resource, std::move(node), 0);
}

// A `$dynamicRef` is dynamic only if its target is a dynamic anchor with the name of the reference.
LINKSPAN_DECL void schema_references::resolve_dynamic()
{
    auto& out = to_.out();
    std::map<std::string_view, schema_index> by_name;
    for (auto const& [logic, position, resource, name] : dynamic_) {
        auto& rule = out.logic[logic].references[position];
        if (resources_.find_dynamic_anchor(resource, name) != rule.schema)
            continue;
        auto const [known, is_new] = by_name.emplace(name, static_cast<schema_index>(out.overrides.size()));
        if (is_new)
            out.overrides.push_back(resources_.find_overrides(name));
        rule.overrides = known->second;
    }
}

} // namespace linkspan::detail

#endif
