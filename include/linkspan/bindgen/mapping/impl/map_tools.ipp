#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_MAP_TOOLS_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_MAP_TOOLS_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/schema_mapper.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>
#include <linkspan/json/detail/canonical_json.hpp>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

inline constexpr std::size_t max_raw_schema = std::size_t{128} << 10; // bytes; limit of clang

// Returns a struct for arguments of any form.
inline struct_binding free_arguments(std::string name)
{
    struct_binding out;
    out.name = std::move(name);
    auto& member = out.members.emplace_back();
    member.name = "arguments"; // name_members() changes the name if it is in use
    member.type = "linkspan::rest<boost::json::value>";
    return out;
}

// Maps the input schema of a tool. If the mapping fails, it fails before any type is created, so that no unused types
// remain.
inline void map_arguments(tool_mapping& tool, std::string const& name)
{
    auto const fail = [&](std::string reason) {
        tool.out.remarks.push_back("free-form: " + reason);
        tool.out.arguments = free_arguments(name);
    };
    auto const schema = parse_schema(tool.out.tool.input_schema);
    if (!schema) {
        tool.report("/inputSchema", "not valid JSON, or nested too deeply");
        return fail(tool.problems.back().message);
    }
    auto arguments = schema_mapper(tool, *schema, "/inputSchema", name, true).map_arguments();
    if (!arguments)
        return fail(tool.problems.back().message);
    tool.out.arguments = *std::move(arguments);
}

inline void map_result(tool_mapping& tool, std::string const& name)
{
    tool.out.result_type = "linkspan::call_result";
    if (tool.out.tool.output_schema.empty())
        return;
    auto const schema = parse_schema(tool.out.tool.output_schema);
    mapped_type type;
    auto const fail = [&](std::string reason) {
        tool.report("/outputSchema", reason);
        type = {};
        type.text = "boost::json::value";
        type.remarks.push_back("free-form: " + std::move(reason));
    };
    if (!schema)
        fail("not valid JSON, or nested too deeply");
    else if (type = schema_mapper(tool, *schema, "/outputSchema", name, false).map_root();
             !type.is_any && (type.kinds != kinds::object || type.is_nullable))
        fail("the schema of a result must describe an object");
    tool.out.result_type = type.text;
    if (type.is_named)
        return;
    alias_binding alias{tool.names.take(name), type.text, type.remarks};
    tool.out.result_type = alias.name;
    tool.out.types.emplace_back(std::move(alias));
}

inline std::string const& name_of(type_binding const& type)
{
    return std::visit([](auto const& binding) -> std::string const& { return binding.name; }, type);
}

inline std::vector<std::string> used_by(type_binding const& type)
{
    std::vector<std::string> out;
    if (auto const* const made = std::get_if<struct_binding>(&type)) {
        for (auto const& member : made->members)
            std::ranges::copy(own_types(member.type), std::back_inserter(out));
    } else if (auto const* const alias = std::get_if<alias_binding>(&type)) {
        out = own_types(alias->type);
    }
    return out;
}

// Removes types that were created for an alternative that became part of another type.
inline void drop_unused(tool_binding& tool)
{
    std::set<std::string> used{tool.result_type};
    std::ranges::copy(used_by(tool.arguments), std::inserter(used, used.end()));
    std::map<std::string, type_binding const*> known;
    for (auto const& type : tool.types)
        known.emplace(name_of(type), &type);
    std::vector<std::string> open(used.begin(), used.end());
    while (!open.empty()) {
        auto const type = known.find(std::exchange(open.back(), {}));
        open.pop_back();
        if (type == known.end())
            continue;
        for (auto& name : used_by(*type->second))
            if (used.insert(name).second)
                open.push_back(std::move(name));
    }
    std::erase_if(tool.types, [&](auto const& type) { return !used.contains(name_of(type)); });
    std::erase_if(tool.forward, [&](auto const& name) { return !used.contains(name) && name != tool.arguments.name; });
}

// Returns the schema as it is embedded, which may be longer than the original. Empty: too large.
inline std::string embedded_schema(tool_mapping& tool, std::string const& schema, std::string pointer)
{
    std::string out;
    if (schema.empty())
        return out;
    if (!linkspan::detail::append_canonical_text(out, schema, {.keeps_numbers = true, .escapes_invisible = true}))
        return {};
    out = without_trigraphs(out);
    if (out.size() <= max_raw_schema)
        return out;
    tool.report(std::move(pointer), "too large to be embedded in the header");
    return {};
}

} // namespace detail

LINKSPAN_DECL tool_mapping_result map_tools(std::vector<tool> tools)
{
    std::ranges::stable_sort(tools, {}, &tool::name);
    auto const same = std::ranges::unique(tools, {}, &tool::name);
    tools.erase(same.begin(), same.end());
    tool_mapping_result out;
    identifier_scope names;
    std::map<std::string, std::string> structs; // struct names by tool; unchanged names take precedence
    for (bool const keeps_name : {true, false})
        for (auto const& tool : tools)
            if (is_usable_identifier(tool.name) == keeps_name)
                structs.emplace(tool.name, names.take(identifier_for(tool.name)));
    for (auto& tool : tools) {
        auto& made = out.tools.emplace_back();
        made.tool = std::move(tool);
        made.fingerprint = schema_fingerprint(made.tool);
        detail::tool_mapping mapping{made, names, out.problems, 0, 0, {}, {}};
        auto const& name = structs.at(made.tool.name);
        // An output schema that is added later must not rename types of the arguments.
        auto const result = names.take(nested_identifier(name, "result"));
        detail::map_arguments(mapping, name);
        names.release(result);
        detail::map_result(mapping, result);
        detail::name_members(made.arguments, made.result_type);
        detail::drop_unused(made);
        made.input_schema = detail::embedded_schema(mapping, made.tool.input_schema, "/inputSchema");
        made.output_schema = detail::embedded_schema(mapping, made.tool.output_schema, "/outputSchema");
    }
    return out;
}

} // namespace linkspan::bindgen

#endif
