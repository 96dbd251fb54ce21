#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_VALUES_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_SCHEMA_MAPPER_VALUES_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/detail/union_parts.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

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

} // namespace linkspan::bindgen::detail

#endif
