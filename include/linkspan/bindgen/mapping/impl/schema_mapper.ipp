#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP

#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

LINKSPAN_DECL void take_unchecked(mapped_type& out, std::string const& keyword, json::value const& schema,
                                  mapped_type const& element)
{
    append(out.unchecked, element.unchecked, keyword + "/");
    append(out.remarks, element.remarks);
    if (auto const* const object = schema.if_object(); object && !element.is_named && !element.is_any)
        append(out.unchecked, constraint_keywords(*object), keyword + "/");
}

LINKSPAN_DECL mapped_type schema_mapper::free_form(schema_place const& at, std::string reason)
{
    auto out = any_type();
    out.remarks.push_back("free-form: " + reason);
    tool_.report(at.pointer, std::move(reason));
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::checked_length(mapped_type type, schema_place const& at)
{
    if (type.text.size() > max_type_text)
        return free_form(at, "C++ type is too long");
    return type;
}

// Returns the keywords beside references that neither a type nor a note expresses.
LINKSPAN_DECL std::vector<std::string>
schema_mapper::unmapped_siblings(std::vector<json::object const*> const& references) const
{
    std::vector<std::string> out;
    if (is_draft_7(whole_.root()))
        return out;
    for (auto const* const reference : references) {
        auto const noted = constraint_keywords(*reference);
        for (auto const& [key, value] : *reference)
            if (std::string const name(view(key));
                key != "$ref" && key != "type" && !is_annotation(name) && std::ranges::find(noted, name) == noted.end())
                append(out, {name});
    }
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_root() { return map(whole_.root(), whole_.place(), 0); }

LINKSPAN_DECL mapped_type schema_mapper::map(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (depth > max_nesting)
        return free_form(at, "nested deeper than " + std::to_string(max_nesting) + " levels");
    auto const to = whole_.resolve(schema, at);
    if (!to.schema)
        return free_form(at, to.reason);
    auto out = map_node(*to.schema, to.place, depth);
    append(out.unchecked, unmapped_siblings(to.passed));
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_node(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (auto const done = mapped_types_.find(&schema); done != mapped_types_.end())
        return done->second;
    if (auto const begun = in_progress_.find(&schema); begun != in_progress_.end()) {
        if (begun->second.empty())
            return free_form(at, "recursive, but not an object");
        auto out = simple_type(begun->second, kinds::object);
        out.is_incomplete = true;
        out.is_named = true;
        append(tool_.out.forward, {out.text});
        return out;
    }
    in_progress_.emplace(&schema, "");
    auto out = checked_length(map_plain(schema, at, depth), at);
    in_progress_.erase(&schema);
    mapped_types_.emplace(&schema, out);
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_plain(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (accepts_all(schema))
        return any_type();
    auto const* const object = schema.if_object();
    if (!object)
        return free_form(at, schema.is_bool() ? "no value is valid" : "not a schema");
    if (auto const* const value = find(*object, "const"))
        return map_const(*value, at);
    if (auto const* const values = keyword_view(*object)["enum"].array())
        return map_enum(*values, at, *object);
    if (keyword_view(*object)["allOf"].array()) {
        std::string reason;
        auto const* const merged = merger_.merge(*object, at, depth, reason);
        if (!merged)
            return free_form(at, reason);
        auto const origin = origins_.find(&schema);
        origins_.emplace(merged, origin == origins_.end() ? &schema : origin->second);
        return depth > max_nesting ? map(*merged, at, depth) : map_plain(*merged, at, depth + 1);
    }
    auto const* const properties = keyword_view(*object)["properties"].object();
    if (!properties || properties->empty())
        for (std::string_view const key : {"anyOf", "oneOf"})
            if (auto const* const parts = keyword_view(*object)[key].array(); parts && !parts->empty()) {
                auto out = map_union(*object, key, at, depth);
                append(out.unchecked, unmapped_keywords(*object));
                return out;
            }
    auto const types = types_of(*object);
    if (types.size() > 1)
        return map_types(types, schema, at, depth);
    if (!types.empty())
        return map_type(types.front(), schema, at, depth);
    auto out = any_type();
    for (auto const& [key, value] : *object)
        if (!is_annotation(view(key)))
            append(out.unchecked, {std::string(view(key))});
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_types(std::vector<std::string> const& types, json::value const& schema,
                                                   schema_place const& at, unsigned depth)
{
    bool const is_union = types.size() > 2 || (types[0] != "null" && types[1] != "null");
    std::vector<mapped_type> parts;
    for (auto const& type : types) {
        auto place = at;
        if (is_union && (type == "array" || type == "object"))
            place.name = nested_identifier(at.name, type);
        parts.push_back(map_type(type, schema, place, depth));
    }
    return unite(std::move(parts), at, {});
}

LINKSPAN_DECL mapped_type schema_mapper::map_type(std::string_view type, json::value const& schema,
                                                  schema_place const& at, unsigned depth)
{
    auto const& object = schema.get_object();
    auto out = type == "string"    ? simple_type("std::string", kinds::string)
               : type == "integer" ? simple_type("std::int64_t", kinds::integer)
               : type == "number"  ? simple_type("double", kinds::number)
               : type == "boolean" ? simple_type("bool", kinds::boolean)
               : type == "null"    ? simple_type("linkspan::null_type", kinds::null)
               : type == "array"   ? map_array(object, at, depth)
                                   : map_object(schema, at, depth);
    out.is_fixed = out.is_fixed || type == "null";
    append(out.unchecked, unmapped_keywords(object));
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_array(json::object const& schema, schema_place const& at, unsigned depth)
{
    auto const* items = find(schema, "items");
    auto const* const listed = items ? items->if_array() : nullptr; // form of draft 7
    auto const* const prefix =
        is_draft_7(whole_.root()) ? nullptr : keyword_view(schema)["prefixItems"].array(); // not in draft 7
    if (auto const* const tuple = listed ? listed : prefix; tuple && !tuple->empty())
        return map_tuple(schema, *tuple, at, depth);
    auto out = simple_type("boost::json::array", kinds::array);
    if (listed || !items || accepts_all(*items))
        return out;
    if (items->is_bool()) {
        out.unchecked.emplace_back("items");
        return out;
    }
    auto const element = map(*items, {at.pointer + "/items", nested_identifier(at.name, "item")}, depth + 1);
    out.element = element_text(element);
    out.text = "std::vector<" + out.element + ">";
    take_unchecked(out, "items", *items, element);
    return out;
}

// A C++ tuple has a fixed size: the schema must allow neither fewer nor more elements. Without `items` and `maxItems`
// it allows more.
LINKSPAN_DECL mapped_type schema_mapper::map_tuple(json::object const& schema, json::array const& items,
                                                   schema_place const& at, unsigned depth)
{
    auto const more = keyword_view(schema)[keyword_view(schema)["items"].array() ? "additionalItems" : "items"];
    auto const count = [&](std::string_view keyword) { return keyword_view(schema)[keyword].count(); };
    bool const may_be_shorter = count("minItems").value_or(0) < items.size();
    bool const rejects_more = more.is(false);
    bool const is_open = !rejects_more && count("maxItems").value_or(items.size() + 1) > items.size();
    auto out = simple_type("boost::json::array", kinds::array);
    if (may_be_shorter || is_open) {
        auto const* const why = may_be_shorter ? "tuple with optional elements" : "tuple with additional elements";
        out.remarks.push_back(std::string("free-form: ") + why);
        tool_.report(at.pointer, why);
        return out;
    }
    out.text = "std::tuple<";
    for (std::size_t i = 0; i != items.size(); ++i) {
        auto const number = std::to_string(i);
        auto const* const key = keyword_view(schema)["prefixItems"].array() ? "/prefixItems/" : "/items/";
        auto const element = map(items[i], {at.pointer + key + number, nested_identifier(at.name, number)}, depth + 1);
        out.text += i == 0 ? "" : ", ";
        out.text += element.is_nullable ? element_text(element) : complete_text(element);
        take_unchecked(out, key + 1 + number, items[i], element);
        if (out.text.size() > max_type_text)
            break;
    }
    out.text += '>';
    return out;
}

} // namespace linkspan::bindgen::detail

#endif
