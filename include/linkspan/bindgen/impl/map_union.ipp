#ifndef LINKSPAN_BINDGEN_IMPL_MAP_UNION_IPP
#define LINKSPAN_BINDGEN_IMPL_MAP_UNION_IPP

#include <linkspan/bindgen/cpp_text.hpp>
#include <linkspan/bindgen/member_notes.hpp>
#include <linkspan/bindgen/schema_mapper.hpp>
#include <linkspan/bindgen/schema_parts.hpp>
#include <linkspan/json_writer.hpp>
#include <linkspan/schema/json_number.hpp>

#include <algorithm>
#include <limits>
#include <utility>

// Unions, enumerations and constants.

namespace linkspan::bindgen::detail {

inline constexpr std::size_t max_literal = 200;     // bytes of a string that becomes a type
inline constexpr std::size_t max_alternatives = 60; // of a union

inline mapped_type fixed_type(std::string text, unsigned of_kinds)
{
    auto out = simple_type(std::move(text), of_kinds);
    out.is_fixed = true;
    return out;
}

inline mapped_type string_literal_type(std::string_view value)
{
    auto out = fixed_type("linkspan::literal<" + string_literal(value) + ">", kinds::string);
    out.values.emplace_back(value);
    return out;
}

inline mapped_type unchecked_string(std::string const& keyword)
{
    auto out = simple_type("std::string", kinds::string);
    out.unchecked.push_back(keyword);
    return out;
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
    return free_form(at, value.is_array() ? "its constant is an array" : "its constant is an object");
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
    unsigned flags = 0; // of false and true
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
        return free_form(at, has_others ? "its values are arrays or objects" : "its values are of several kinds");
    mapped_type out;
    if (!texts.empty())
        out = declare_enum(texts, at, find_text(schema, "description"));
    else if (!numbers.empty())
        out = map_numbers(numbers);
    else if (flags != 0)
        out = flags == 3 ? simple_type("bool", kinds::boolean) : map_const(flags == 2, at);
    else
        return has_null ? map_const(nullptr, at) : free_form(at, "it takes no value");
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

// After the tag of the alternative, if it has one, else by its number.
LINKSPAN_DECL std::string schema_mapper::alternative_name(json::array const& alternatives, std::size_t index,
                                                          schema_place const& at) const
{
    auto const properties_of = [&](json::value const& schema) -> json::object const* {
        auto const to = resolve(schema, at);
        auto const* const object = to.schema ? to.schema->if_object() : nullptr;
        return object ? find_object(*object, "properties") : nullptr;
    };
    auto const number = nested_identifier(at.name, std::to_string(index + 1));
    auto const* const own = properties_of(alternatives[index]);
    if (!own || alternatives.size() > max_alternatives)
        return number;
    std::map<std::string, std::string> tags;
    for (auto const& [key, value] : *own)
        if (auto literal = literal_of(value))
            tags.emplace(view(key), *std::move(literal));
    for (auto const& [key, tag] : tags) {
        auto const has_same_key = [&, key = key](json::value const& other) {
            auto const* const properties = properties_of(other);
            auto const* const property = properties ? find(*properties, key) : nullptr;
            return !properties || (property && literal_of(*property));
        };
        if (!tag.empty() && std::ranges::all_of(alternatives, has_same_key))
            return nested_identifier(at.name, tag);
    }
    return number;
}

inline bool takes_only_null(json::value const& schema)
{
    auto const* const object = schema.if_object();
    auto const* const value = object ? find(*object, "const") : nullptr;
    return object && (value ? value->is_null() : types_of(*object) == std::vector<std::string>{"null"});
}

// What stands beside the union holds for its alternatives too: they are of its type where they name none.
LINKSPAN_DECL mapped_type schema_mapper::map_union(json::object const& schema, std::string_view key,
                                                   schema_place const& at, unsigned depth)
{
    auto const& alternatives = schema.at(json::string_view(key.data(), key.size())).get_array();
    if (alternatives.size() > max_alternatives)
        return free_form(at, "it has more than " + std::to_string(max_alternatives) + " alternatives");
    auto const* const type = find(schema, "type");
    bool const is_one =
        std::ranges::count_if(alternatives, takes_only_null) + 1 >= static_cast<std::ptrdiff_t>(alternatives.size());
    std::vector<mapped_type> parts;
    for (std::size_t i = 0; i != alternatives.size(); ++i) {
        auto const* part = &alternatives[i];
        auto const place = schema_place{pointer_to(at.pointer, key) + '/' + std::to_string(i),
                                        is_one ? at.name : alternative_name(alternatives, i, at)};
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
    auto out = unite(std::move(parts), at, find_text(schema, "description"));
    if (std::erase(out.unchecked, "alternatives") != 0)
        append(out.unchecked, {std::string(key)});
    for (std::string_view const other : {"anyOf", "oneOf"})
        if (other != key && find(schema, other))
            append(out.unchecked, {std::string(other)});
    return out;
}

inline void flatten(std::vector<mapped_type>& out, mapped_type const& part, mapped_type& whole)
{
    append(whole.unchecked, part.unchecked);
    append(whole.remarks, part.remarks);
    if (part.kinds == kinds::null && part.text == "linkspan::null_type") {
        whole.is_nullable = true;
        return;
    }
    whole.is_nullable = whole.is_nullable || part.is_nullable;
    if (part.parts.empty())
        out.push_back(part);
    else
        out.insert(out.end(), part.parts.begin(), part.parts.end());
    out.back().is_nullable = false;
}

// Several of one kind, all of which are one: the first takes the place of the others.
inline void unite_kind(std::vector<mapped_type>& parts, unsigned kind, mapped_type united)
{
    auto const is_of_kind = [kind](mapped_type const& part) { return (part.kinds & ~kind) == 0; };
    auto const first = std::ranges::find_if(parts, is_of_kind);
    *first = std::move(united);
    parts.erase(std::remove_if(first + 1, parts.end(), is_of_kind), parts.end());
}

// Those of one kind, each type once.
inline std::vector<mapped_type> parts_of_kind(std::vector<mapped_type> const& parts, unsigned kind)
{
    std::vector<mapped_type> out;
    for (auto const& part : parts)
        if ((part.kinds & ~kind) == 0 &&
            std::ranges::none_of(out, [&](auto const& other) { return other.text == part.text; }))
            out.push_back(part);
    return out;
}

// All of them: one enumeration if all their values are known.
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

// Whether a value of one is never taken for the other, when what requires more is tried first.
inline bool are_distinct(object_shape const& one, object_shape const& other)
{
    bool const same_names = std::ranges::equal(
        one.required, other.required, {}, [](auto const& m) { return m.first; }, [](auto const& m) { return m.first; });
    if (!same_names)
        return true;
    return std::ranges::any_of(one.required, [&](auto const& member) {
        auto const& theirs = other.required.at(member.first);
        bool const has_other_tag = member.second.literal && theirs.literal && member.second.literal != theirs.literal;
        return has_other_tag || (member.second.kinds & theirs.kinds) == 0;
    });
}

inline bool requires_more(object_shape const& one, object_shape const& other)
{
    return one.required.size() > other.required.size() &&
           std::ranges::all_of(other.required, [&](auto const& member) { return one.required.contains(member.first); });
}

// The reason why they cannot be told apart; empty: they can.
LINKSPAN_DECL std::string schema_mapper::unite_objects(std::vector<mapped_type>& parts)
{
    auto objects = parts_of_kind(parts, kinds::object);
    if (objects.size() < 2) {
        if (!objects.empty())
            unite_kind(parts, kinds::object, objects.front());
        return {};
    }
    auto const shape = [&](mapped_type const& part) -> object_shape const& { return tool_.shapes[part.text]; };
    for (std::size_t i = 0; i != objects.size(); ++i)
        for (std::size_t j = 0; j != i; ++j)
            if (!are_distinct(shape(objects[i]), shape(objects[j])))
                return "nothing that is required tells its objects apart";
    // The first that fits is taken, so that what requires more comes before what requires less.
    for (std::size_t i = 1; i < objects.size(); ++i)
        for (std::size_t j = i; j != 0 && requires_more(shape(objects[j]), shape(objects[j - 1])); --j)
            std::swap(objects[j], objects[j - 1]);
    auto const is_object = [](mapped_type const& part) { return part.kinds == kinds::object; };
    auto const first = std::ranges::find_if(parts, is_object) - parts.begin();
    std::erase_if(parts, is_object);
    parts.insert(parts.begin() + first, objects.begin(), objects.end());
    return {};
}

inline mapped_type one_or_many(mapped_type const& one, mapped_type const& many, mapped_type whole)
{
    whole.text = "linkspan::one_or_many<" + complete_text(one) + ">";
    whole.kinds = one.kinds | kinds::array;
    whole.parts = {one, many};
    return whole;
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
        return free_form(at, "its lists cannot be told apart");
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

// Keywords of which both may have one, if it is the same.
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

// Members that one part does not name are refused by it when it is closed, whatever the others say.
inline bool is_closed_against(json::object const& closed, json::object const& other)
{
    auto const* const others = find(closed, "additionalProperties");
    if (!others || takes_all(*others))
        return false;
    auto const* const own = find_object(closed, "properties");
    auto const* const theirs = find_object(other, "properties");
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

// One schema for a schema and the parts of its `allOf`. Null when they contradict each other, or may.
LINKSPAN_DECL json::value const* schema_mapper::merge(json::object const& schema, schema_place const& at,
                                                      unsigned depth, std::string& reason)
{
    constexpr auto const* contradiction = "the parts of its allOf cannot be made one";
    auto const fail = [&](std::string why) {
        reason = std::move(why);
        return nullptr;
    };
    if (depth > max_nesting)
        return fail("it is nested too deep");
    auto const may_copy = [&](json::object const& copied) {
        merged_values_ += count_values(copied);
        return merged_values_ <= max_merged_values;
    };
    constexpr auto const* too_large = "the parts of its allOf are too large to be made one";
    if (!may_copy(schema))
        return fail(too_large);
    json::object merged = schema;
    merged.erase("allOf");
    for (auto const& part : schema.at("allOf").get_array()) {
        auto const to = resolve(part, at);
        if (!to.schema)
            return fail(to.reason);
        if (takes_all(*to.schema))
            continue;
        auto const* object = to.schema->if_object();
        if (object && find_array(*object, "allOf")) {
            auto const* const inner = merge(*object, to.place, depth + 1, reason);
            object = inner ? inner->if_object() : nullptr;
            if (!inner)
                return nullptr;
        }
        if (!object || is_closed_against(*object, merged) || is_closed_against(merged, *object))
            return fail(contradiction);
        if (!may_copy(*object))
            return fail(too_large);
        for (auto const& [key, value] : *object) {
            bool fits = true;
            if (key == "properties" && value.is_object())
                fits = merge_properties(merged, value.get_object());
            else if (key == "required" && value.is_array() && find_array(merged, "required"))
                merged["required"].get_array().insert(merged["required"].get_array().end(), value.get_array().begin(),
                                                      value.get_array().end());
            else if (key == "additionalProperties" && (takes_all(value) || !merged.contains(key)))
                merged.emplace(key, value);
            else if (key == "additionalProperties" && takes_all(merged[key]))
                merged[key] = value;
            else
                fits = merge_keyword(merged, key, value);
            if (!fits)
                return fail(contradiction);
        }
    }
    return keep(std::move(merged));
}

} // namespace linkspan::bindgen::detail

#endif
