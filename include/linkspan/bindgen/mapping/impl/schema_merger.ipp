#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MERGER_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MERGER_IPP

#include <linkspan/bindgen/mapping/detail/schema_merger.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Merges a keyword. False: both schemas have it, with different values.
inline bool merge_keyword(json::object& into, json::string_view key, json::value const& value)
{
    auto const [member, is_new] = into.emplace(key, value);
    return is_new || is_annotation(view(key)) || member->value() == value;
}

inline bool merge_properties(json::object& into, json::object const& properties)
{
    auto* const own =
        into["properties"].is_object() ? into["properties"].if_object() : &into["properties"].emplace_object();
    return std::ranges::all_of(properties, [&](auto const& property) {
        auto const [member, is_new] = own->emplace(property.key(), property.value());
        return is_new || member->value() == property.value();
    });
}

// Merges a keyword of a part. False: the keyword contradicts the merged schema, or may do so.
inline bool merge_member(json::object& merged, json::string_view key, json::value const& value)
{
    if (key == "properties" && value.is_object())
        return merge_properties(merged, value.get_object());
    auto* const required = key == "required" && value.is_array() ? merged.if_contains(key) : nullptr;
    if (required && required->is_array()) {
        auto& names = required->get_array();
        names.insert(names.end(), value.get_array().begin(), value.get_array().end());
        return true;
    }
    if (key == "additionalProperties" && merged.contains(key) && (accepts_all(value) || accepts_all(merged[key]))) {
        if (!accepts_all(value))
            merged[key] = value;
        return true;
    }
    return merge_keyword(merged, key, value);
}

// A closed schema rejects members that it does not name, even if another part names them.
inline bool is_closed_against(json::object const& closed, json::object const& other)
{
    auto const* const others = find(closed, "additionalProperties");
    if (!others || accepts_all(*others))
        return false;
    auto const* const own = keyword_view(closed)["properties"].object();
    auto const* const theirs = keyword_view(other)["properties"].object();
    return theirs &&
           std::ranges::any_of(*theirs, [&](auto const& property) { return !own || !own->contains(property.key()); });
}

inline std::size_t count_values(json::value const& value);

inline std::size_t count_values(json::object const& object)
{
    std::size_t count = 1;
    for (auto const& member : object)
        count += count_values(member.value());
    return count;
}

inline std::size_t count_values(json::value const& value)
{
    if (auto const* const object = value.if_object())
        return count_values(*object);
    std::size_t count = 1;
    if (auto const* const array = value.if_array())
        for (auto const& element : *array)
            count += count_values(element);
    return count;
}

LINKSPAN_DECL json::value const* schema_merger::keep(json::value schema)
{
    return &owned_schemas_.emplace_back(std::move(schema));
}

LINKSPAN_DECL bool schema_merger::may_copy(std::size_t values, std::string& reason)
{
    merged_values_ += values;
    if (merged_values_ > max_merged_values)
        reason = "parts of allOf are too large to be merged";
    return merged_values_ <= max_merged_values;
}

LINKSPAN_DECL json::value const* schema_merger::merge(json::object const& schema, schema_place const& at,
                                                      unsigned depth, std::string& reason)
{
    if (depth > max_nesting) {
        reason = "nested too deeply";
        return nullptr;
    }
    if (!may_copy(count_values(schema), reason))
        return nullptr;
    auto merged = schema;
    merged.erase("allOf");
    for (auto const& part : schema.at("allOf").get_array()) {
        auto const to = whole_.resolve(part, at);
        if (!to.schema) {
            reason = to.reason;
            return nullptr;
        }
        for (auto const* const reference : to.passed)
            if (!merge_siblings(merged, *reference, at, depth, reason))
                return nullptr;
        if (!merge_part(merged, *to.schema, to.place, depth, reason))
            return nullptr;
    }
    return keep(std::move(merged));
}

// Keywords beside a reference are one more part; draft 7 ignores them.
LINKSPAN_DECL bool schema_merger::merge_siblings(json::object& merged, json::object const& reference,
                                                 schema_place const& at, unsigned depth, std::string& reason)
{
    if (is_draft_7(whole_.root()))
        return true;
    json::value part;
    auto& siblings = part.emplace_object();
    for (auto const& [key, value] : reference)
        if (key != "$ref" && !is_annotation(view(key))) {
            if (!may_copy(count_values(value), reason))
                return false;
            siblings.emplace(key, value);
        }
    return merge_part(merged, part, at, depth, reason);
}

LINKSPAN_DECL bool schema_merger::merge_part(json::object& merged, json::value const& part, schema_place const& at,
                                             unsigned depth, std::string& reason)
{
    if (accepts_all(part))
        return true;
    auto const* object = part.if_object();
    if (object && keyword_view(*object)["allOf"].array()) {
        auto const* const inner = merge(*object, at, depth + 1, reason);
        if (!inner)
            return false;
        object = inner->if_object();
    }
    bool is_merged = object && !is_closed_against(*object, merged) && !is_closed_against(merged, *object);
    if (is_merged && !may_copy(count_values(*object), reason))
        return false;
    if (is_merged)
        for (auto const& [key, value] : *object)
            is_merged = is_merged && merge_member(merged, key, value);
    if (!is_merged)
        reason = "parts of allOf cannot be merged";
    return is_merged;
}

} // namespace linkspan::bindgen::detail

#endif
