#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_STRUCTS_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_STRUCTS_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline void append_also(std::vector<std::string>& remarks, std::vector<std::string> const& keywords)
{
    std::string line;
    for (auto const& keyword : keywords)
        (line += line.empty() ? "also: " : ", ") += keyword;
    if (!line.empty())
        remarks.push_back(visible_text(line));
}

LINKSPAN_DECL mapped_type schema_mapper::map_object(json::value const& schema, schema_place const& at, unsigned depth)
{
    auto const& object = schema.get_object();
    auto const* const properties = keyword_view(object)["properties"].object();
    auto const* const others = find(object, "additionalProperties");
    bool const is_closed = others && others->is_bool() && !others->get_bool();
    if ((properties && !properties->empty()) || is_closed) {
        if (tool_.types >= max_types)
            return free_form(at, "the tool has more than " + std::to_string(max_types) + " types");
        auto const name = tool_.names.take(at.name);
        std::string reason;
        auto built = build_struct(schema, at, name, depth, reason);
        if (!built) {
            tool_.names.release(name);
            auto out = free_form(at, reason);
            out.text = "boost::json::object";
            out.kinds = kinds::object;
            out.is_any = false;
            return out;
        }
        name_members(*built);
        auto out = simple_type(name, kinds::object);
        out.is_named = true;
        std::string what = "struct";
        for (auto const& note : built->notes)
            what += '\n' + note;
        for (auto const& member : built->members) {
            ((what += "\n" + member.type + ' ' + member.name) += member.in_constructor ? " (" : " [");
            for (auto const& note : member.notes)
                what += note + ", ";
        }
        // A recursive type keeps its name: a reference to it may be used elsewhere.
        bool const is_forward = std::ranges::find(tool_.out.forward, name) != tool_.out.forward.end();
        if (auto const [known, is_new] = tool_.known.emplace(std::move(what), name); !is_new && !is_forward) {
            tool_.shapes[known->second].is_closed |= tool_.shapes[name].is_closed;
            tool_.names.release(name);
            tool_.shapes.erase(name);
            out.text = known->second;
            return out;
        }
        ++tool_.types;
        tool_.out.types.emplace_back(*std::move(built));
        return out;
    }
    auto out = simple_type("boost::json::object", kinds::object);
    if (!required_of(object).empty())
        out.unchecked.emplace_back("required");
    if (others && !accepts_all(*others)) {
        auto const place = schema_place{at.pointer + "/additionalProperties", nested_identifier(at.name, "value")};
        auto const value = map(*others, place, depth + 1);
        out.text = "std::map<std::string, " + (value.is_nullable ? element_text(value) : complete_text(value)) + ">";
        take_unchecked(out, "additionalProperties", *others, value);
    }
    return out;
}

LINKSPAN_DECL std::optional<struct_binding> schema_mapper::map_arguments()
{
    auto const to = whole_.resolve(whole_.root(), whole_.place());
    std::string reason = to.reason;
    auto const* schema = to.schema;
    if (schema && schema->is_object() && keyword_view(schema->get_object())["allOf"].array())
        schema = merger_.merge(schema->get_object(), whole_.place(), 0, reason);
    auto const* const object = schema ? schema->if_object() : nullptr;
    auto const fail = [&](std::string why) {
        tool_.report(whole_.place().pointer, std::move(why));
        return std::nullopt;
    };
    if (!object)
        return fail(!reason.empty() ? reason : "not a schema of an object");
    auto const types = types_of(*object);
    if (types.empty())
        return fail("arguments have no type");
    if (types != std::vector<std::string>{"object"})
        return fail("arguments are not an object");
    auto const* const properties = keyword_view(*object)["properties"].object();
    bool const is_union = keyword_view(*object)["anyOf"].array() || keyword_view(*object)["oneOf"].array();
    if (is_union && (!properties || properties->empty()) && names_more_members(*object))
        return fail("arguments are a union");
    in_progress_.emplace(to.schema, whole_.place().name);
    in_progress_.emplace(schema, whole_.place().name);
    auto built = build_struct(*schema, whole_.place(), whole_.place().name, 0, reason);
    if (!built)
        return fail(reason);
    built->text.clear(); // the description is written at the tool
    append_also(built->remarks, unmapped_siblings(to.passed));
    return built;
}

// Required members have the order of `required`, which is that of the constructor; the others are sorted by name,
// because the order of `properties` has no meaning.
inline std::vector<schema_property> ordered_properties(json::object const& schema)
{
    static json::value const anything = true;
    auto const* const properties = keyword_view(schema)["properties"].object();
    std::vector<schema_property> out;
    std::set<std::string> seen;
    for (auto const& name : required_of(schema)) {
        auto const* const property = properties ? find(*properties, name) : nullptr;
        out.push_back({name, property ? property : &anything, true});
        seen.insert(name);
    }
    std::map<std::string, json::value const*> others;
    if (properties)
        for (auto const& [key, value] : *properties)
            if (!seen.contains(std::string(view(key))))
                others.emplace(view(key), &value);
    for (auto const& [name, property] : others)
        out.push_back({name, property, false});
    return out;
}

inline bool is_allowed(schema_property const& property)
{
    return property.is_required || !property.schema->is_bool() || property.schema->get_bool();
}

// Returns whether the struct has a member for additional members, because the schema describes them.
inline bool keeps_others(json::object const& schema, bool has_members)
{
    auto const* const others = find(schema, "additionalProperties");
    bool const is_typed = others && others->is_object() && !accepts_all(*others);
    bool const is_free = !has_members && others && accepts_all(*others);
    return is_typed || is_free || names_more_members(schema);
}

inline bool rejects_others(json::object const& schema)
{
    return keyword_view(schema)["additionalProperties"].is(false) && !names_more_members(schema);
}

// Records the shape of a struct. Called before its members are mapped, because they may refer to the struct.
LINKSPAN_DECL void schema_mapper::note_shape(std::string const& name, json::object const& schema,
                                             std::vector<schema_property> const& members, bool has_rest)
{
    using enum object_shape::others;
    object_shape shape;
    for (auto const& one : members) {
        auto const to = whole_.resolve(*one.schema, whole_.place());
        auto const literal = to.schema ? literal_of(*to.schema) : std::nullopt;
        auto& member = shape.members[one.name];
        member.is_required = one.is_required;
        if (literal && literal->size() <= max_literal)
            member.fixed = string_literal_type(*literal).text;
    }
    shape.is_closed = rejects_others(schema);
    shape.of_others = has_rest ? kept : shape.is_closed && is_input_ ? rejected : dropped;
    tool_.shapes[name] = std::move(shape);
}

LINKSPAN_DECL std::optional<struct_binding> schema_mapper::build_struct(json::value const& schema,
                                                                        schema_place const& at, std::string const& name,
                                                                        unsigned depth, std::string& reason)
{
    auto const& object = schema.get_object();
    auto members = ordered_properties(object);
    auto const rejected = std::ranges::stable_partition(members, is_allowed);
    std::vector<std::string> remarks;
    for (auto const& one : rejected)
        remarks.push_back("not allowed: " + visible_text(one.name));
    members.erase(rejected.begin(), rejected.end());
    bool const has_rest = keeps_others(object, !members.empty());
    if (members.size() + (has_rest ? 1 : 0) > max_members) {
        reason = "more than " + std::to_string(max_members) + " members";
        return std::nullopt;
    }
    // The mapping does not fail after this point, because the members may refer to the struct.
    auto const origin = origins_.find(&schema);
    if (auto const begun = in_progress_.find(origin == origins_.end() ? &schema : origin->second);
        begun != in_progress_.end())
        begun->second = name;
    note_shape(name, object, members, has_rest);
    struct_binding out;
    out.name = name;
    out.remarks = std::move(remarks);
    if (!at.is_member)
        out.text = keyword_view(object)["description"].text().value_or("");
    if (auto const text = visible_text(out.text); !text.empty())
        out.notes.push_back(wrapped_literal(text, 100));
    if (is_input_ && rejects_others(object))
        out.notes.emplace_back("linkspan::note::closed");
    for (auto const& one : members)
        add_member(out, one, at, depth);
    if (has_rest)
        add_rest(out, object, at, depth);
    std::vector<std::string> also = unmapped_keywords(object);
    for (auto const* const key : {"anyOf", "oneOf", "minProperties", "maxProperties"})
        if (find(object, key))
            also.emplace_back(key);
    append_also(out.remarks, also);
    return out;
}

// Sets the notes and remarks of a member. Only the annotations of the first `annotating` schemas are used.
inline void describe_member(member_binding& out, mapped_type const& type,
                            std::vector<json::object const*> const& schemas, std::size_t annotating, bool is_required)
{
    std::vector<std::string> unchecked = type.unchecked;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i != schemas.size(); ++i) {
        auto const* const schema = schemas[i];
        bool const is_of_type = schema == schemas.back() && schemas.size() > 1 && type.is_named;
        if (out.text.empty() && !is_of_type)
            out.text = keyword_view(*schema)["description"].text().value_or("");
        if (auto const title = visible_text(keyword_view(*schema)["title"].text().value_or(""));
            !title.empty() && !is_of_type &&
            std::ranges::none_of(notes, [](auto const& note) { return note.starts_with("linkspan::note::title"); }))
            notes.push_back("linkspan::note::title{" + wrapped_literal(title, 100) + "}");
        if (!type.is_any && i >= annotating)
            append(notes, constraint_notes(*schema, type, unchecked));
    }
    for (auto const* const schema : schemas)
        if (auto const* const value = find(*schema, "default")) {
            auto note = is_required ? std::string() : value_note("default_value", *value, type);
            std::string text = "default: ";
            append_json(text, *value);
            note.empty() ? out.remarks.push_back(visible_text(linkspan::detail::utf8_prefix(text, 200)))
                         : notes.push_back(std::move(note));
            break;
        }
    if (auto const* const examples = keyword_view(*schemas.front())["examples"].array())
        for (std::size_t i = 0; i != std::min<std::size_t>(examples->size(), 3); ++i)
            if (auto note = value_note("example", (*examples)[i], type); !note.empty())
                notes.push_back(std::move(note));
    if (keyword_view(*schemas.front())["deprecated"].is(true))
        notes.emplace_back("linkspan::note::deprecated");
    if (auto const text = visible_text(out.text); !text.empty())
        out.notes.push_back(wrapped_literal(text, 100));
    append(out.notes, notes);
    append(out.remarks, type.remarks);
    append_also(out.remarks, unchecked);
}

LINKSPAN_DECL void schema_mapper::add_member(struct_binding& out, schema_property const& property,
                                             schema_place const& at, unsigned depth)
{
    auto const& [wire, schema, is_required] = property;
    schema_place const place{pointer_to(at.pointer + "/properties", wire), nested_identifier(out.name, wire), true};
    auto const type = map(*schema, place, depth + 1);
    auto& member = out.members.emplace_back();
    auto const complete = complete_text(type);
    member.wire = wire;
    member.type = type.is_nullable ? "linkspan::nullable<" + complete + ">"
                  : is_required    ? complete
                                   : "std::optional<" + complete + ">";
    member.in_constructor = is_required && (!type.is_fixed || type.is_nullable);
    auto& shape = tool_.shapes[out.name].members[wire];
    shape.kinds = type.kinds | (type.is_nullable || !is_required ? kinds::null : 0);
    shape.fixed = type.is_fixed ? type.text : std::string();
    auto to = whole_.resolve(*schema, place);
    auto const annotating = is_draft_7(whole_.root()) ? to.passed.size() : 0;
    if (to.schema && to.schema->is_object())
        to.passed.push_back(&to.schema->get_object());
    if (!to.passed.empty())
        describe_member(member, type, to.passed, annotating, is_required);
    else
        append(member.remarks, type.remarks);
    if (type.is_nullable && is_required)
        member.notes.emplace_back("linkspan::note::required");
}

LINKSPAN_DECL void schema_mapper::add_rest(struct_binding& out, json::object const& schema, schema_place const& at,
                                           unsigned depth)
{
    auto& member = out.members.emplace_back();
    member.name = "others";
    member.type = "linkspan::rest<boost::json::value>";
    auto const* const others = find(schema, "additionalProperties");
    if (!others || !others->is_object() || accepts_all(*others))
        return;
    auto const place = schema_place{at.pointer + "/additionalProperties", nested_identifier(out.name, "value")};
    auto const value = map(*others, place, depth + 1);
    if (!names_more_members(schema))
        member.type = "linkspan::rest<" + (value.is_nullable ? element_text(value) : complete_text(value)) + ">";
    mapped_type checked;
    take_unchecked(checked, "additionalProperties", *others, value);
    append(member.remarks, checked.remarks);
}

LINKSPAN_DECL void name_members(struct_binding& out, std::string const& result_type)
{
    identifier_scope scope;
    scope.reserve(out.name);
    scope.reserve(result_type);
    for (auto const& member : out.members)
        for (auto const& name : own_types(member.type))
            scope.reserve(name);
    for (auto& member : out.members) {
        member.name = scope.take(member.wire ? identifier_for(*member.wire) : member.name);
        if (member.wire && member.name != *member.wire) {
            bool const has_text = !member.notes.empty() && member.notes.front().starts_with('"');
            member.notes.insert(member.notes.begin() + (has_text ? 1 : 0),
                                "linkspan::note::named{" + view_literal(*member.wire) + "}");
        }
    }
}

} // namespace linkspan::bindgen::detail

#endif
