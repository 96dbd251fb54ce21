#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_UNIONS_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_UNIONS_IPP

#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/detail/union_parts.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Names each alternative by its tag if all objects have a constant text for the same member; else by its number.
LINKSPAN_DECL std::vector<std::string> schema_mapper::alternative_names(json::array const& alternatives,
                                                                        schema_place const& at) const
{
    std::vector<std::map<std::string, std::string>> texts; // constant texts by member, for each alternative
    std::map<std::string, std::size_t> uses;
    std::size_t objects = 0;
    for (auto const& alternative : alternatives) {
        auto& own = texts.emplace_back();
        auto const to = whole_.resolve(alternative, at);
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
            part = merger_.keep(std::move(copy));
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

} // namespace linkspan::bindgen::detail

#endif
