#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_MAP_UNION_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_MAP_UNION_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <limits>
#include <utility>

// Unions, enumerations and constants.

namespace linkspan::bindgen::detail {

inline constexpr std::size_t max_alternatives = 60; // of a union

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

// Each after its tag, where all objects have a text for the same member; else by its number.
LINKSPAN_DECL std::vector<std::string> schema_mapper::alternative_names(json::array const& alternatives,
                                                                        schema_place const& at) const
{
    std::vector<std::map<std::string, std::string>> texts; // of each alternative, by member
    std::map<std::string, std::size_t> uses;
    std::size_t objects = 0;
    for (auto const& alternative : alternatives) {
        auto& own = texts.emplace_back();
        auto const to = resolve(alternative, at);
        auto const* const object = to.schema ? to.schema->if_object() : nullptr;
        auto const* const properties = object ? find_object(*object, "properties") : nullptr;
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

inline bool requires_all_of(object_shape const& one, object_shape const& other)
{
    return std::ranges::all_of(other.members, [&](auto const& theirs) {
        auto const own = one.members.find(theirs.first);
        return !theirs.second.is_required || (own != one.members.end() && own->second.is_required);
    });
}

inline bool requires_more(object_shape const& one, object_shape const& other)
{
    return requires_all_of(one, other) && !requires_all_of(other, one);
}

// What one member has is never read as the other.
inline bool exclude_each_other(object_shape::member const& one, object_shape::member const& other)
{
    auto const common = one.kinds & other.kinds;
    bool const have_other_values = !one.fixed.empty() && !other.fixed.empty() && one.fixed != other.fixed;
    return common == 0 || (have_other_values && (common & kinds::null) == 0);
}

// By a member that the objects of one always have.
inline bool exclude_each_other(object_shape const& one, object_shape const& other)
{
    return std::ranges::any_of(one.members, [&](auto const& member) {
        auto const theirs = other.members.find(member.first);
        return theirs != other.members.end() && (member.second.is_required || theirs->second.is_required) &&
               exclude_each_other(member.second, theirs->second);
    });
}

// Whether what only `one` allows, as far as their names go, may be read as `other`, which drops members of it.
inline bool may_lose_members(object_shape const& one, object_shape const& other)
{
    using enum object_shape::others;
    if (other.of_others != dropped || exclude_each_other(one, other))
        return false;
    bool const has_any = one.of_others == kept && other.is_closed;
    bool const has_required = std::ranges::all_of(other.members, [&](auto const& theirs) {
        return has_any || !theirs.second.is_required || one.members.contains(theirs.first);
    });
    bool const has_more = has_any || std::ranges::any_of(one.members, [&](auto const& member) {
                              return !other.members.contains(member.first);
                          });
    return has_required && has_more;
}

// The first that fits is taken. So what another would drop members of comes before it, and otherwise what requires
// more before what requires less. Empty: in no order can they be told apart.
inline std::vector<std::size_t> order_of_trials(std::vector<object_shape const*> const& shapes)
{
    auto const are_alike = [](object_shape const& one, object_shape const& other) {
        return requires_all_of(one, other) && requires_all_of(other, one) && !exclude_each_other(one, other);
    };
    auto const comes_before = [](object_shape const& one, object_shape const& other) {
        return may_lose_members(one, other) || (requires_more(one, other) && !may_lose_members(other, one));
    };
    std::vector<std::vector<std::size_t>> before(shapes.size()); // those that come before it
    for (std::size_t i = 0; i != shapes.size(); ++i)
        for (std::size_t j = 0; j != shapes.size(); ++j) {
            if (i != j && are_alike(*shapes[i], *shapes[j]))
                return {};
            if (i != j && comes_before(*shapes[i], *shapes[j]))
                before[j].push_back(i);
        }
    std::vector<std::size_t> out;
    std::vector<bool> is_placed(shapes.size());
    while (out.size() != shapes.size()) {
        std::size_t next = 0;
        while (next != shapes.size() &&
               (is_placed[next] || !std::ranges::all_of(before[next], [&](auto i) { return is_placed[i]; })))
            ++next;
        if (next == shapes.size())
            return {};
        is_placed[next] = true;
        out.push_back(next);
    }
    return out;
}

// The reason why they cannot be told apart; empty: they can.
LINKSPAN_DECL std::string schema_mapper::unite_objects(std::vector<mapped_type>& parts)
{
    auto const objects = parts_of_kind(parts, kinds::object);
    if (objects.empty())
        return {};
    if (objects.size() > max_alternatives)
        return "it has more than " + std::to_string(max_alternatives) + " alternatives";
    static object_shape const of_any; // of maps, whatever is in them
    std::vector<object_shape const*> shapes;
    for (auto const& object : objects) {
        auto const shape = tool_.shapes.find(object.text);
        shapes.push_back(shape == tool_.shapes.end() ? &of_any : &shape->second);
    }
    tool_.pairs += shapes.size() * shapes.size();
    if (tool_.pairs > max_pairs)
        return "the tool has too many alternatives to be told apart";
    auto const order = order_of_trials(shapes);
    if (order.empty())
        return "nothing that is required tells its objects apart";
    auto const is_object = [](mapped_type const& part) { return part.kinds == kinds::object; };
    auto const first = std::ranges::find_if(parts, is_object) - parts.begin();
    std::erase_if(parts, is_object);
    std::vector<mapped_type> ordered;
    for (auto const index : order)
        ordered.push_back(objects[index]);
    parts.insert(parts.begin() + first, ordered.begin(), ordered.end());
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

// A keyword of a part. False: it contradicts what is there, or may.
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
    if (key == "additionalProperties" && merged.contains(key) && (takes_all(value) || takes_all(merged[key]))) {
        if (!takes_all(value))
            merged[key] = value;
        return true;
    }
    return merge_keyword(merged, key, value);
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

LINKSPAN_DECL bool schema_mapper::may_copy(std::size_t values, std::string& reason)
{
    merged_values_ += values;
    if (merged_values_ > max_merged_values)
        reason = "the parts of its allOf are too large to be made one";
    return merged_values_ <= max_merged_values;
}

// One schema for a schema and the parts of its `allOf`. Null when they contradict each other, or may.
LINKSPAN_DECL json::value const* schema_mapper::merge(json::object const& schema, schema_place const& at,
                                                      unsigned depth, std::string& reason)
{
    if (depth > max_nesting) {
        reason = "it is nested too deep";
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

// What stands beside a reference is one more part; draft 7 does not look at it.
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
    if (takes_all(part))
        return true;
    auto const* object = part.if_object();
    if (object && find_array(*object, "allOf")) {
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
        reason = "the parts of its allOf cannot be made one";
    return fits;
}

} // namespace linkspan::bindgen::detail

#endif
