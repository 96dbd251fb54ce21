#ifndef LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_UNIONS_IPP
#define LINKSPAN_BINDGEN_DRIFT_IMPL_COMPARE_SCHEMAS_UNIONS_IPP

#include <linkspan/bindgen/drift/detail/compare_schemas.hpp>
#include <linkspan/bindgen/drift/detail/union_parts.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

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
