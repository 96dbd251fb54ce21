#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace linkspan::bindgen::detail {

// What a list or a map does not check of its elements.
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
    tool_.problems.push_back({tool_.out.tool.name, at.pointer, std::move(reason)});
    return out;
}

LINKSPAN_DECL json::value const* schema_mapper::keep(json::value schema)
{
    return &made_.emplace_back(std::move(schema));
}

LINKSPAN_DECL mapped_type schema_mapper::checked_length(mapped_type type, schema_place const& at)
{
    if (type.text.size() > max_type_text)
        return free_form(at, "its type is too long to be written down");
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
            return fail("it refers to what is not in this schema by a pointer");
        if (out.passed.size() == max_nesting)
            return fail("its references lead to each other");
        out.passed.push_back(object);
        auto const pointer = std::string_view(text).substr(1);
        boost::system::error_code ec;
        auto const* const found = root_.find_pointer(json::string_view(pointer.data(), pointer.size()), ec);
        if (ec || !found)
            return fail("it refers to what is not there");
        out.schema = found;
        out.place = {root_place_.pointer + std::string(pointer), name_at(root_place_.name, pointer), false};
    }
}

// What stands beside references, and is neither said by a type nor a note.
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
        return free_form(at, "it is nested deeper than " + std::to_string(max_nesting) + " levels");
    auto const to = resolve(schema, at);
    if (!to.schema)
        return free_form(at, to.reason);
    auto out = map_node(*to.schema, to.place, depth);
    append(out.unchecked, unmapped_siblings(to.passed));
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_node(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (auto const done = done_.find(&schema); done != done_.end())
        return done->second;
    if (auto const begun = begun_.find(&schema); begun != begun_.end()) {
        if (begun->second.empty())
            return free_form(at, "it is within itself, and is no object");
        auto out = simple_type(begun->second, kinds::object);
        out.is_incomplete = true;
        out.is_named = true;
        append(tool_.out.forward, {out.text});
        return out;
    }
    begun_.emplace(&schema, "");
    auto out = checked_length(map_plain(schema, at, depth), at);
    begun_.erase(&schema);
    done_.emplace(&schema, out);
    return out;
}

LINKSPAN_DECL mapped_type schema_mapper::map_plain(json::value const& schema, schema_place const& at, unsigned depth)
{
    if (takes_all(schema))
        return any_type();
    auto const* const object = schema.if_object();
    if (!object)
        return free_form(at, schema.is_bool() ? "it takes no value" : "it is no schema");
    if (auto const* const value = find(*object, "const"))
        return map_const(*value, at);
    if (auto const* const values = find_array(*object, "enum"))
        return map_enum(*values, at, *object);
    if (find_array(*object, "allOf")) {
        std::string reason;
        auto const* const merged = merge(*object, at, depth, reason);
        if (!merged)
            return free_form(at, reason);
        auto const origin = origins_.find(&schema);
        origins_.emplace(merged, origin == origins_.end() ? &schema : origin->second);
        return depth > max_nesting ? map(*merged, at, depth) : map_plain(*merged, at, depth + 1);
    }
    auto const* const properties = find_object(*object, "properties");
    if (!properties || properties->empty())
        for (std::string_view const key : {"anyOf", "oneOf"})
            if (auto const* const parts = find_array(*object, key); parts && !parts->empty()) {
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
    auto const* const listed = items ? items->if_array() : nullptr;                             // as draft 7 has it
    auto const* const prefix = is_draft_7(root_) ? nullptr : find_array(schema, "prefixItems"); // which is not of it
    if (auto const* const tuple = listed ? listed : prefix; tuple && !tuple->empty())
        return map_tuple(schema, *tuple, at, depth);
    auto out = simple_type("boost::json::array", kinds::array);
    if (listed || !items || takes_all(*items))
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

// A tuple has as many elements as it has types: it is one where the schema allows neither fewer nor more, and without
// `items` and `maxItems` it allows more.
LINKSPAN_DECL mapped_type schema_mapper::map_tuple(json::object const& schema, json::array const& items,
                                                   schema_place const& at, unsigned depth)
{
    auto const* const more = find(schema, find_array(schema, "items") ? "additionalItems" : "items");
    auto const count = [&](std::string_view keyword) {
        auto const* const value = find(schema, keyword);
        return value ? read_count(*value) : std::nullopt;
    };
    bool const may_be_shorter = count("minItems").value_or(0) < items.size();
    bool const refuses_more = more && more->is_bool() && !more->get_bool();
    bool const is_open = !refuses_more && count("maxItems").value_or(items.size() + 1) > items.size();
    auto out = simple_type("boost::json::array", kinds::array);
    if (may_be_shorter || is_open) {
        auto const* const why = may_be_shorter ? "it is a tuple whose elements may be missing"
                                               : "it is a tuple that may have more elements than it lists";
        out.remarks.push_back(std::string("free-form: ") + why);
        tool_.problems.push_back({tool_.out.tool.name, at.pointer, why});
        return out;
    }
    out.text = "std::tuple<";
    for (std::size_t i = 0; i != items.size(); ++i) {
        auto const number = std::to_string(i);
        auto const* const key = find_array(schema, "prefixItems") ? "/prefixItems/" : "/items/";
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
    auto const* const properties = find_object(object, "properties");
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
        // One that was referred to within itself keeps its name: what refers to it may be used elsewhere.
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
    if (others && !takes_all(*others)) {
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
    if (schema && schema->is_object() && find_array(schema->get_object(), "allOf"))
        schema = merge(schema->get_object(), root_place_, 0, reason);
    auto const* const object = schema ? schema->if_object() : nullptr;
    auto const fail = [&](std::string why) {
        tool_.problems.push_back({tool_.out.tool.name, root_place_.pointer, std::move(why)});
        return std::nullopt;
    };
    if (!object)
        return fail(!reason.empty() ? reason : "it is no object of a schema");
    auto const types = types_of(*object);
    if (types.empty())
        return fail("its arguments have no type");
    if (types != std::vector<std::string>{"object"})
        return fail("its arguments are no object");
    auto const* const properties = find_object(*object, "properties");
    bool const is_union = find_array(*object, "anyOf") || find_array(*object, "oneOf");
    if (is_union && (!properties || properties->empty()) && names_more_members(*object))
        return fail("its arguments are a union");
    begun_.emplace(to.schema, root_place_.name);
    begun_.emplace(schema, root_place_.name);
    auto built = build_struct(*schema, root_place_, root_place_.name, 0, reason);
    if (!built)
        return fail(reason);
    built->text.clear(); // that of the tool says it
    append_also(built->remarks, unmapped_siblings(to.passed));
    return built;
}

// Required members come in the order in which the schema requires them, which is that of the constructor, and the
// others by name: the order of `properties` says nothing.
inline std::vector<schema_property> ordered_properties(json::object const& schema)
{
    static json::value const anything = true;
    auto const* const properties = find_object(schema, "properties");
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

// Whether there is a place for members that no property names: they are kept where the schema says what they are.
inline bool keeps_others(json::object const& schema, bool has_members)
{
    auto const* const others = find(schema, "additionalProperties");
    bool const is_typed = others && others->is_object() && !takes_all(*others);
    bool const is_free = !has_members && others && takes_all(*others);
    return is_typed || is_free || names_more_members(schema);
}

inline bool refuses_others(json::object const& schema)
{
    auto const* const others = find(schema, "additionalProperties");
    return others && others->is_bool() && !others->get_bool() && !names_more_members(schema);
}

// As far as it is known before its members are mapped, which may refer to it.
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
        reason = "it has more than " + std::to_string(max_members) + " members";
        return std::nullopt;
    }
    // From here on there will be one, whatever its members are: they may refer to it.
    auto const origin = origins_.find(&schema);
    if (auto const begun = begun_.find(origin == origins_.end() ? &schema : origin->second); begun != begun_.end())
        begun->second = name;
    note_shape(name, object, members, has_rest);
    struct_binding out;
    out.name = name;
    out.remarks = std::move(remarks);
    if (!at.is_member)
        out.text = find_text(object, "description");
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

// Of the first `annotating` schemas, nothing counts but what they tell.
inline void describe_member(member_binding& out, mapped_type const& type,
                            std::vector<json::object const*> const& schemas, std::size_t annotating, bool is_required)
{
    std::vector<std::string> unchecked = type.unchecked;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i != schemas.size(); ++i) {
        auto const* const schema = schemas[i];
        bool const is_of_type = schema == schemas.back() && schemas.size() > 1 && type.is_named;
        if (out.text.empty() && !is_of_type)
            out.text = find_text(*schema, "description");
        if (auto const title = visible_text(find_text(*schema, "title"));
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
            note.empty() ? out.remarks.push_back(visible_text(text.substr(0, 200))) : notes.push_back(std::move(note));
            break;
        }
    if (auto const* const examples = find_array(*schemas.front(), "examples"))
        for (std::size_t i = 0; i != std::min<std::size_t>(examples->size(), 3); ++i)
            if (auto note = value_note("example", (*examples)[i], type); !note.empty())
                notes.push_back(std::move(note));
    if (auto const* const old = find(*schemas.front(), "deprecated"); old && old->is_bool() && old->get_bool())
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
    if (!others || !others->is_object() || takes_all(*others))
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
