#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/detail/union_parts.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Adds the keywords of elements that a list or a map does not check.
inline void take_unchecked(mapped_type& out, std::string const& keyword, json::value const& schema,
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

LINKSPAN_DECL json::value const* schema_mapper::keep(json::value schema)
{
    return &owned_schemas_.emplace_back(std::move(schema));
}

LINKSPAN_DECL mapped_type schema_mapper::checked_length(mapped_type type, schema_place const& at)
{
    if (type.text.size() > max_type_text)
        return free_form(at, "C++ type is too long");
    return type;
}

LINKSPAN_DECL auto schema_mapper::resolve(json::value const& schema, schema_place const& at) const -> target
{
    target out{&schema, at, {}, {}};
    for (;;) {
        auto const* const object = out.schema->if_object();
        auto const* const ref = object ? find(*object, "$ref") : nullptr;
        if (!ref)
            return out;
        auto const fail = [&](std::string reason) {
            out.schema = nullptr;
            out.reason = std::move(reason);
            return out;
        };
        auto const text = ref->is_string() ? decode_percent(view(ref->get_string())) : std::string();
        if (text != "#" && !text.starts_with("#/"))
            return fail("reference is not a JSON Pointer in this schema");
        if (out.passed.size() == max_nesting)
            return fail("references are circular");
        out.passed.push_back(object);
        auto const pointer = std::string_view(text).substr(1);
        boost::system::error_code ec;
        auto const* const found = root_.find_pointer(json::string_view(pointer.data(), pointer.size()), ec);
        if (ec || !found)
            return fail("reference has no target");
        out.schema = found;
        out.place = {root_place_.pointer + std::string(pointer), name_at(root_place_.name, pointer), false};
    }
}

// Returns the keywords beside references that neither a type nor a note expresses.
LINKSPAN_DECL std::vector<std::string>
schema_mapper::unmapped_siblings(std::vector<json::object const*> const& references) const
{
    std::vector<std::string> out;
    if (is_draft_7(root_))
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

inline void append_also(std::vector<std::string>& remarks, std::vector<std::string> const& keywords)
{
    std::string line;
    for (auto const& keyword : keywords)
        (line += line.empty() ? "also: " : ", ") += keyword;
    if (!line.empty())
        remarks.push_back(visible_text(line));
}

LINKSPAN_DECL mapped_type schema_mapper::map_root() { return map(root_, root_place_, 0); }

LINKSPAN_DECL mapped_type schema_mapper::map(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (depth > max_nesting)
        return free_form(at, "nested deeper than " + std::to_string(max_nesting) + " levels");
    auto const to = resolve(schema, at);
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
        auto const* const merged = merge(*object, at, depth, reason);
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
        is_draft_7(root_) ? nullptr : keyword_view(schema)["prefixItems"].array(); // not in draft 7
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
    bool const refuses_more = more.is(false);
    bool const is_open = !refuses_more && count("maxItems").value_or(items.size() + 1) > items.size();
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
    auto const to = resolve(root_, root_place_);
    std::string reason = to.reason;
    auto const* schema = to.schema;
    if (schema && schema->is_object() && keyword_view(schema->get_object())["allOf"].array())
        schema = merge(schema->get_object(), root_place_, 0, reason);
    auto const* const object = schema ? schema->if_object() : nullptr;
    auto const fail = [&](std::string why) {
        tool_.report(root_place_.pointer, std::move(why));
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
    in_progress_.emplace(to.schema, root_place_.name);
    in_progress_.emplace(schema, root_place_.name);
    auto built = build_struct(*schema, root_place_, root_place_.name, 0, reason);
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

inline bool refuses_others(json::object const& schema)
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
        auto const to = resolve(*one.schema, root_place_);
        auto const literal = to.schema ? literal_of(*to.schema) : std::nullopt;
        auto& member = shape.members[one.name];
        member.is_required = one.is_required;
        if (literal && literal->size() <= max_literal)
            member.fixed = string_literal_type(*literal).text;
    }
    shape.is_closed = refuses_others(schema);
    shape.of_others = has_rest ? kept : shape.is_closed && is_input_ ? refused : dropped;
    tool_.shapes[name] = std::move(shape);
}

LINKSPAN_DECL std::optional<struct_binding> schema_mapper::build_struct(json::value const& schema,
                                                                        schema_place const& at, std::string const& name,
                                                                        unsigned depth, std::string& reason)
{
    auto const& object = schema.get_object();
    auto members = ordered_properties(object);
    auto const refused = std::ranges::stable_partition(members, is_allowed);
    std::vector<std::string> remarks;
    for (auto const& one : refused)
        remarks.push_back("not allowed: " + visible_text(one.name));
    members.erase(refused.begin(), refused.end());
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
    if (is_input_ && refuses_others(object))
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
    auto to = resolve(*schema, place);
    auto const annotating = is_draft_7(root_) ? to.passed.size() : 0;
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

LINKSPAN_DECL mapped_type schema_mapper::map_const(json::value const& value, schema_place const& at)
{
    if (auto const* const text = value.if_string())
        return text->size() > max_literal ? unchecked_string("const") : string_literal_type(view(*text));
    if (auto const* const flag = value.if_bool())
        return fixed_type(*flag ? "linkspan::constant<true>" : "linkspan::constant<false>", kinds::boolean);
    if (value.is_null())
        return fixed_type("linkspan::null_type", kinds::null);
    if (value.is_number())
        return map_numbers({value});
    return free_form(at, value.is_array() ? "constant is an array" : "constant is an object");
}

LINKSPAN_DECL mapped_type schema_mapper::map_numbers(std::vector<json::value> const& values)
{
    auto const as_integer = [](json::value const& value) -> std::optional<std::int64_t> {
        if (value.is_int64())
            return value.get_int64();
        bool const fits =
            value.is_double() && is_integer(value) && value.get_double() >= -9.2e18 && value.get_double() <= 9.2e18;
        return fits ? std::optional(static_cast<std::int64_t>(value.get_double())) : std::nullopt;
    };
    bool const are_integers =
        std::ranges::all_of(values, [&](auto const& value) { return as_integer(value).has_value(); });
    if (are_integers && values.size() == 1)
        return fixed_type("linkspan::constant<" + *number_literal(*as_integer(values.front())) + ">", kinds::integer);
    auto out = are_integers ? simple_type("std::int64_t", kinds::integer) : simple_type("double", kinds::number);
    std::string line;
    for (auto const& value : values) {
        if (line.size() > 1'000) {
            line += ", ...";
            break;
        }
        line += line.empty() ? "one of " : ", ";
        append_json(line, value);
    }
    out.remarks.push_back(std::move(line));
    out.unchecked.emplace_back(values.size() == 1 ? "const" : "enum");
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_enum(json::array const& values, schema_place const& at,
                                                  json::object const& schema)
{
    std::vector<std::string> texts;
    std::set<std::string_view> seen;
    std::vector<json::value> numbers;
    unsigned flags = 0; // bits for false and true
    bool has_null = false;
    bool has_others = false;
    for (auto const& value : values) {
        if (auto const* const text = value.if_string()) {
            if (seen.insert(view(*text)).second)
                texts.emplace_back(view(*text));
        } else if (value.is_number()) {
            numbers.push_back(value);
        } else if (auto const* const flag = value.if_bool()) {
            flags |= *flag ? 2U : 1U;
        } else {
            (value.is_null() ? has_null : has_others) = true;
        }
    }
    auto const several = int{!texts.empty()} + int{!numbers.empty()} + int{flags != 0} > 1;
    if (has_others || several)
        return free_form(at, has_others ? "values are arrays or objects" : "values are of several kinds");
    mapped_type out;
    if (!texts.empty())
        out = declare_enum(texts, at, keyword_view(schema)["description"].text().value_or(""));
    else if (!numbers.empty())
        out = map_numbers(numbers);
    else if (flags != 0)
        out = flags == 3 ? simple_type("bool", kinds::boolean) : map_const(flags == 2, at);
    else
        return has_null ? map_const(nullptr, at) : free_form(at, "no value is valid");
    out.is_nullable = has_null;
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::declare_enum(std::vector<std::string> const& wires, schema_place const& at,
                                                      std::string_view text)
{
    if (wires.size() == 1 && wires.front().size() <= max_literal)
        return string_literal_type(wires.front());
    if (wires.size() == 1 || wires.size() > max_enumerators)
        return unchecked_string("enum");
    if (tool_.types >= max_types)
        return free_form(at, "the tool has more than " + std::to_string(max_types) + " types");
    auto out = simple_type({}, kinds::string);
    out.is_named = true;
    out.values = wires;
    std::string what = "enum";
    for (auto const& wire : wires)
        append_quoted(what, wire);
    if (auto const known = tool_.known.find(what); known != tool_.known.end()) {
        out.text = known->second;
        return out;
    }
    enum_binding made;
    made.name = tool_.names.take(at.name);
    made.text = at.is_member ? std::string() : std::string(text);
    identifier_scope scope;
    for (auto const& wire : wires)
        made.values.push_back({scope.take(identifier_for(wire)), wire});
    tool_.known.emplace(std::move(what), made.name);
    out.text = made.name;
    ++tool_.types;
    tool_.out.types.emplace_back(std::move(made));
    return out;
}

// Names each alternative by its tag if all objects have a constant text for the same member; else by its number.
LINKSPAN_DECL std::vector<std::string> schema_mapper::alternative_names(json::array const& alternatives,
                                                                        schema_place const& at) const
{
    std::vector<std::map<std::string, std::string>> texts; // constant texts by member, for each alternative
    std::map<std::string, std::size_t> uses;
    std::size_t objects = 0;
    for (auto const& alternative : alternatives) {
        auto& own = texts.emplace_back();
        auto const to = resolve(alternative, at);
        auto const* const object = to.schema ? to.schema->if_object() : nullptr;
        auto const* const properties = object ? keyword_view(*object)["properties"].object() : nullptr;
        if (!properties)
            continue;
        ++objects;
        if (properties->size() <= max_members)
            for (auto const& [key, value] : *properties)
                if (auto literal = literal_of(value); literal && own.emplace(view(key), *std::move(literal)).second)
                    ++uses[std::string(view(key))];
    }
    std::vector<std::string> out;
    for (auto const& own : texts) {
        auto const tag = std::ranges::find_if(
            own, [&](auto const& one) { return !one.second.empty() && uses[one.first] == objects; });
        out.push_back(nested_identifier(at.name, tag != own.end() ? tag->second : std::to_string(out.size() + 1)));
    }
    return out;
}

// Keywords beside the union apply to its alternatives: they have its type unless they name one.
LINKSPAN_DECL mapped_type schema_mapper::map_union(json::object const& schema, std::string_view key,
                                                   schema_place const& at, unsigned depth)
{
    auto const& alternatives = schema.at(json::string_view(key.data(), key.size())).get_array();
    if (alternatives.size() > max_alternatives)
        return free_form(at, "more than " + std::to_string(max_alternatives) + " alternatives");
    auto const* const type = find(schema, "type");
    bool const is_one =
        std::ranges::count_if(alternatives, accepts_only_null) + 1 >= static_cast<std::ptrdiff_t>(alternatives.size());
    auto const names = is_one ? std::vector(alternatives.size(), at.name) : alternative_names(alternatives, at);
    std::vector<mapped_type> parts;
    for (std::size_t i = 0; i != alternatives.size(); ++i) {
        auto const* part = &alternatives[i];
        auto const place = schema_place{pointer_to(at.pointer, key) + '/' + std::to_string(i), names[i]};
        auto const* const object = part->if_object();
        bool const is_open = object && !find(*object, "$ref") && !find(*object, "const") && !find(*object, "enum") &&
                             !find(*object, "anyOf") && !find(*object, "oneOf") && !find(*object, "allOf");
        if (type && is_open && types_of(*object).empty()) {
            auto copy = *object;
            copy["type"] = *type;
            part = keep(std::move(copy));
        }
        parts.push_back(map(*part, place, depth + 1));
        if (auto const* const own = object ? part->if_object() : nullptr)
            if (!parts.back().is_named && !constraint_keywords(*own).empty())
                append(parts.back().unchecked, {std::string(key)});
    }
    auto out = unite(std::move(parts), at, keyword_view(schema)["description"].text().value_or(""));
    if (std::erase(out.unchecked, "alternatives") != 0)
        append(out.unchecked, {std::string(key)});
    for (std::string_view const other : {"anyOf", "oneOf"})
        if (other != key && find(schema, other))
            append(out.unchecked, {std::string(other)});
    return out;
}

// Unites all strings: one enumeration if all values are known.
LINKSPAN_DECL void schema_mapper::unite_strings(std::vector<mapped_type>& parts, schema_place const& at,
                                                std::string_view text)
{
    auto const strings = parts_of_kind(parts, kinds::string);
    if (strings.empty())
        return;
    auto united = strings.front();
    if (std::ranges::any_of(strings, [](auto const& part) { return part.values.empty(); })) {
        united = simple_type("std::string", kinds::string);
        if (strings.size() > 1)
            united.unchecked.emplace_back("alternatives");
    } else if (strings.size() > 1) {
        std::vector<std::string> values;
        std::set<std::string> seen;
        for (auto const& part : strings)
            for (auto const& value : part.values)
                if (seen.insert(value).second)
                    values.push_back(value);
        united = declare_enum(values, at, text);
    }
    unite_kind(parts, kinds::string, std::move(united));
}

// Orders the objects. Returns the reason why they cannot be distinguished; empty: success.
LINKSPAN_DECL std::string schema_mapper::unite_objects(std::vector<mapped_type>& parts)
{
    auto const objects = parts_of_kind(parts, kinds::object);
    if (objects.empty())
        return {};
    if (objects.size() > max_alternatives)
        return "more than " + std::to_string(max_alternatives) + " alternatives";
    static object_shape const of_any; // shape of maps with any members
    std::vector<object_shape const*> shapes;
    for (auto const& object : objects) {
        auto const shape = tool_.shapes.find(object.text);
        shapes.push_back(shape == tool_.shapes.end() ? &of_any : &shape->second);
    }
    tool_.pairs += shapes.size() * shapes.size();
    if (tool_.pairs > max_pairs)
        return "the tool has too many alternatives to be distinguished";
    auto const order = order_of_trials(shapes);
    if (order.empty())
        return "no required member distinguishes the objects";
    auto const is_object = [](mapped_type const& part) { return part.kinds == kinds::object; };
    auto const first = std::ranges::find_if(parts, is_object) - parts.begin();
    std::erase_if(parts, is_object);
    std::vector<mapped_type> ordered;
    for (auto const index : order)
        ordered.push_back(objects[index]);
    parts.insert(parts.begin() + first, ordered.begin(), ordered.end());
    return {};
}

LINKSPAN_DECL mapped_type schema_mapper::unite(std::vector<mapped_type> alternatives, schema_place const& at,
                                               std::string_view text)
{
    mapped_type whole;
    std::vector<mapped_type> parts;
    for (auto const& alternative : alternatives)
        flatten(parts, alternative, whole);
    if (parts.empty())
        return fixed_type("linkspan::null_type", kinds::null);
    if (std::ranges::any_of(parts, &mapped_type::is_any)) {
        auto out = any_type();
        out.unchecked = {"alternatives"};
        out.remarks = whole.remarks;
        return out;
    }
    unite_strings(parts, at, text);
    for (auto const& [kind, name] : {std::pair(kinds::integer, "std::int64_t"), std::pair(kinds::number, "double"),
                                     std::pair(kinds::boolean, "bool")})
        if (parts_of_kind(parts, kind).size() > 1) {
            append(whole.unchecked, {"alternatives"});
            unite_kind(parts, kind, simple_type(name, kind));
        } else if (auto const same = parts_of_kind(parts, kind); !same.empty()) {
            unite_kind(parts, kind, same.front());
        }
    auto const arrays = parts_of_kind(parts, kinds::array);
    if (arrays.size() > 1)
        return free_form(at, "arrays cannot be distinguished");
    if (!arrays.empty())
        unite_kind(parts, kinds::array, arrays.front());
    if (auto reason = unite_objects(parts); !reason.empty())
        return free_form(at, std::move(reason));
    if (parts.size() == 1) {
        auto out = parts.front();
        out.is_nullable = whole.is_nullable;
        append(out.unchecked, whole.unchecked);
        append(out.remarks, whole.remarks);
        return out;
    }
    if (parts.size() == 2)
        for (auto const& [one, many] : {std::pair(0, 1), std::pair(1, 0)}) {
            auto const& first = parts[static_cast<std::size_t>(one)];
            auto const& second = parts[static_cast<std::size_t>(many)];
            if (!second.element.empty() && second.element == first.text && first.parts.empty())
                return one_or_many(first, second, std::move(whole));
        }
    whole.kinds = 0;
    whole.text = "std::variant<";
    for (auto const& part : parts) {
        whole.text += &part == parts.data() ? "" : ", ";
        whole.text += complete_text(part);
        whole.kinds |= part.kinds;
    }
    whole.text += '>';
    whole.parts = std::move(parts);
    return whole;
}

LINKSPAN_DECL bool schema_mapper::may_copy(std::size_t values, std::string& reason)
{
    merged_values_ += values;
    if (merged_values_ > max_merged_values)
        reason = "parts of allOf are too large to be merged";
    return merged_values_ <= max_merged_values;
}

// Merges a schema with the parts of its `allOf`. Null: they contradict each other, or may do so.
LINKSPAN_DECL json::value const* schema_mapper::merge(json::object const& schema, schema_place const& at,
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
        auto const to = resolve(part, at);
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
LINKSPAN_DECL bool schema_mapper::merge_siblings(json::object& merged, json::object const& reference,
                                                 schema_place const& at, unsigned depth, std::string& reason)
{
    if (is_draft_7(root_))
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

LINKSPAN_DECL bool schema_mapper::merge_part(json::object& merged, json::value const& part, schema_place const& at,
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
    bool fits = object && !is_closed_against(*object, merged) && !is_closed_against(merged, *object);
    if (fits && !may_copy(count_values(*object), reason))
        return false;
    if (fits)
        for (auto const& [key, value] : *object)
            fits = fits && merge_member(merged, key, value);
    if (!fits)
        reason = "parts of allOf cannot be merged";
    return fits;
}

} // namespace linkspan::bindgen::detail

#endif
