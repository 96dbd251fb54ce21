#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_PARTS_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_PARTS_IPP

#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

LINKSPAN_DECL std::optional<json::value> parse_schema(std::string_view text)
{
    json::parse_options options;
    options.max_depth = json_scan::max_depth;
    error_code ec;
    auto value = json::parse(json::string_view(text.data(), text.size()), ec, {}, options);
    return ec ? std::nullopt : std::optional(std::move(value));
}

LINKSPAN_DECL bool is_draft_7(json::value const& root)
{
    auto const* const object = root.if_object();
    return object && keyword_view(*object)["$schema"].text().value_or("").find("draft-07") != std::string_view::npos;
}

LINKSPAN_DECL bool is_annotation(std::string_view keyword)
{
    constexpr std::array<std::string_view, 17> names{
        "$anchor",          "$comment",      "$defs",    "$id",         "$schema",    "contentEncoding",
        "contentMediaType", "contentSchema", "default",  "definitions", "deprecated", "description",
        "example",          "examples",      "readOnly", "title",       "writeOnly"};
    return std::ranges::find(names, keyword) != names.end() || keyword.starts_with("x-");
}

LINKSPAN_DECL bool accepts_all(json::value const& schema)
{
    if (auto const* const all = schema.if_bool())
        return *all;
    auto const* const object = schema.if_object();
    return object && std::ranges::all_of(*object, [](auto const& member) { return is_annotation(view(member.key())); });
}

LINKSPAN_DECL std::vector<std::string> types_of(json::object const& schema)
{
    std::vector<std::string> out;
    keyword_view(schema)["type"].for_one_or_each([&out](keyword_value type) {
        std::string name(type.text().value_or(""));
        if (kinds_of_type(name) != 0 && std::ranges::find(out, name) == out.end())
            out.push_back(std::move(name));
    });
    if (!out.empty())
        return out;
    if (keyword_view(schema)["properties"].object() || find(schema, "additionalProperties"))
        return {"object"};
    if (find(schema, "items") || find(schema, "prefixItems"))
        return {"array"};
    return out;
}

LINKSPAN_DECL std::vector<std::string> required_of(json::object const& schema)
{
    std::vector<std::string> out;
    std::set<std::string_view> seen;
    keyword_view(schema)["required"].for_texts([&](std::string_view name) {
        if (seen.insert(name).second)
            out.emplace_back(name);
    });
    return out;
}

LINKSPAN_DECL std::optional<std::string> literal_of(json::value const& schema)
{
    auto const* const object = schema.if_object();
    if (!object)
        return std::nullopt;
    auto value = keyword_view(*object)["const"];
    if (auto const* const values = value ? nullptr : keyword_view(*object)["enum"].array();
        values && values->size() == 1)
        value = keyword_value(&values->front());
    auto const text = value.text();
    return text ? std::optional(std::string(*text)) : std::nullopt;
}

// Returns whether a keyword with this value restricts instances. {"type":"string"} as `propertyNames` does not, because
// all member names are strings.
inline bool is_constraint(std::string_view keyword, json::value const& value)
{
    if (keyword == "propertyNames") {
        auto const* const names = value.if_object();
        return !names || std::ranges::any_of(*names, [](auto const& member) {
            return !is_annotation(view(member.key())) && member.key() != "type";
        });
    }
    if (keyword == "unevaluatedProperties" || keyword == "unevaluatedItems")
        return !accepts_all(value);
    auto const* const members = value.if_object();
    return !members || !members->empty();
}

LINKSPAN_DECL std::vector<std::string> unmapped_keywords(json::object const& schema)
{
    constexpr std::array<std::string_view, 12> names{"not",
                                                     "propertyNames",
                                                     "patternProperties",
                                                     "dependentRequired",
                                                     "dependentSchemas",
                                                     "dependencies",
                                                     "unevaluatedProperties",
                                                     "unevaluatedItems",
                                                     "contains",
                                                     "minContains",
                                                     "maxContains",
                                                     "$dynamicRef"};
    std::vector<std::string> out;
    for (auto const name : names)
        if (auto const* const value = find(schema, name); value && is_constraint(name, *value))
            out.emplace_back(name);
    if (find(schema, "if") && (find(schema, "then") || find(schema, "else")))
        out.push_back(std::string("if") + (find(schema, "then") ? "/then" : "") +
                      (find(schema, "else") ? "/else" : ""));
    return out;
}

// Returns whether a subschema has properties that `own` does not contain, or a `$ref`, which may have such properties.
inline bool names_others(json::value const& part, json::object const& own)
{
    auto const* const object = part.if_object();
    if (!object)
        return false;
    auto const is_other = [&](json::string_view name) { return !own.contains(name); };
    if (auto const* const properties = keyword_view(*object)["properties"].object())
        if (std::ranges::any_of(*properties, [&](auto const& member) { return is_other(member.key()); }))
            return true;
    return find(*object, "$ref") || std::ranges::any_of(required_of(*object), is_other);
}

LINKSPAN_DECL bool names_more_members(json::object const& schema)
{
    static json::object const none;
    auto const* const properties = keyword_view(schema)["properties"].object();
    auto const& own = properties ? *properties : none;
    if (auto const* const patterns = keyword_view(schema)["patternProperties"].object(); patterns && !patterns->empty())
        return true;
    for (auto const* const key : {"anyOf", "oneOf"})
        if (auto const* const parts = keyword_view(schema)[key].array())
            if (std::ranges::any_of(*parts, [&](auto const& part) { return names_others(part, own); }))
                return true;
    for (auto const* const key : {"then", "else"})
        if (auto const* const part = find(schema, key); part && names_others(*part, own))
            return true;
    for (auto const* const key : {"dependentSchemas", "dependencies"})
        if (auto const* const parts = keyword_view(schema)[key].object())
            if (std::ranges::any_of(*parts, [&](auto const& part) { return names_others(part.value(), own); }))
                return true;
    return false;
}

LINKSPAN_DECL std::string pointer_to(std::string_view pointer, std::string_view key)
{
    return std::string(pointer) + '/' + linkspan::detail::pointer_token(key);
}

LINKSPAN_DECL std::string name_at(std::string_view name, std::string_view pointer)
{
    std::string out(name);
    bool is_name = false; // whether the next token is a name that the schema defines, not a keyword
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        auto const token = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(token.size());
        if (is_name)
            out = nested_identifier(out, token);
        else if (token == "items" || token == "prefixItems")
            out = nested_identifier(out, "item");
        else if (token == "additionalProperties")
            out = nested_identifier(out, "value");
        else if (token.find_first_not_of("0123456789") == token.npos)
            out = nested_identifier(out, token);
        is_name = !is_name && (token == "properties" || token == "$defs" || token == "definitions" ||
                               token == "patternProperties" || token == "dependentSchemas");
    }
    return out;
}

} // namespace linkspan::bindgen::detail

#endif
