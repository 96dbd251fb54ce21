#ifndef LINKSPAN_AGENT_IMPL_TOOL_EXPORT_IPP
#define LINKSPAN_AGENT_IMPL_TOOL_EXPORT_IPP

#include <linkspan/agent/tool_export.hpp>
#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

namespace json = boost::json;

// Returns the input schema of a tool; an empty object schema if the server sent none that is valid.
inline json::object schema_of(catalog_entry const& entry)
{
    error_code ec;
    auto parsed = parse_json(entry.tool->input_schema, ec);
    auto schema = !ec && parsed.is_object() ? std::move(parsed.get_object()) : json::object();
    if (!keyword_view(schema)["type"])
        schema["type"] = "object";
    if (!keyword_view(schema)["properties"])
        schema["properties"] = json::object();
    return schema;
}

inline std::vector<catalog_entry const*> exported(catalog const& from)
{
    std::vector<catalog_entry const*> out;
    std::unordered_set<std::string_view> names;
    for (auto const& entry : from.tools())
        if (!entry.display_name().empty() && names.insert(entry.display_name()).second)
            out.push_back(&entry);
    return out;
}

// Returns whether the `type` describes a parameter completely.
inline bool is_plain(json::value const& schema)
{
    constexpr std::array<std::string_view, 4> plain_types{"string", "number", "integer", "boolean"};
    constexpr std::array<std::string_view, 3> plain_keys{"type", "title", "description"};
    auto const* const object = schema.if_object();
    auto const type = object ? keyword_view(*object)["type"].text() : std::nullopt;
    return type && std::ranges::count(plain_types, *type) != 0 && std::ranges::all_of(*object, [&](auto const& member) {
               return std::ranges::count(plain_keys, std::string_view(member.key())) != 0;
           });
}

inline bool is_required(json::object const& schema, std::string_view parameter)
{
    bool is_named = false;
    keyword_view(schema)["required"].for_texts([&](std::string_view name) { is_named |= name == parameter; });
    return is_named;
}

inline std::string_view text_of_keyword(json::value const& schema, std::string_view keyword, std::string_view otherwise)
{
    auto const* const object = schema.if_object();
    return object ? keyword_view(*object)[keyword].text().value_or(otherwise) : otherwise;
}

inline json::array flat_parameters(json::object const& schema)
{
    json::array out;
    auto const* const properties = keyword_view(schema)["properties"].object();
    if (!properties)
        return out;
    for (auto const& [name, property] : *properties) {
        json::object parameter;
        parameter["name"] = name;
        parameter["type"] = text_of_keyword(property, "type", "any");
        parameter["required"] = is_required(schema, name);
        parameter["description"] = text_of_keyword(property, "description", "");
        if (!is_plain(property))
            parameter["schema"] = property;
        out.push_back(std::move(parameter));
    }
    return out;
}

inline json::object exported_tool(catalog_entry const& entry, tool_format format)
{
    auto schema = schema_of(entry);
    json::object tool;
    tool["name"] = entry.display_name();
    tool["description"] = entry.tool->description;
    switch (format) {
    case tool_format::flat:
        tool["parameters"] = flat_parameters(schema);
        tool["_server"] = entry.server_key;
        break;
    case tool_format::openai: {
        tool["parameters"] = std::move(schema);
        json::object function;
        function["type"] = "function";
        function["function"] = std::move(tool);
        return function;
    }
    case tool_format::openai_responses:
        tool["type"] = "function";
        tool["parameters"] = std::move(schema);
        tool["strict"] = false; // strict schemas must require all properties
        break;
    case tool_format::anthropic: tool["input_schema"] = std::move(schema); break;
    }
    return tool;
}

inline std::string prompt_line(catalog_entry const& entry)
{
    auto const schema = schema_of(entry);
    std::string line = "- " + entry.display_name() + '(';
    if (auto const* const properties = keyword_view(schema)["properties"].object()) {
        std::string_view separator;
        for (auto const& [name, property] : *properties) {
            (line += separator) += name;
            line += is_required(schema, name) ? "" : "?";
            separator = ", ";
        }
    }
    line += ')';
    auto const& description = entry.tool->description;
    if (auto const first = description.substr(0, description.find_first_of("\r\n")); !first.empty())
        (line += ": ") += first;
    return line += '\n';
}

} // namespace detail

LINKSPAN_DECL std::string export_tools(catalog const& from, tool_format format)
{
    std::string out = "[";
    for (auto const* const entry : detail::exported(from)) {
        out += out.size() > 1 ? "," : "";
        append_json(out, detail::exported_tool(*entry, format));
    }
    return out += ']';
}

LINKSPAN_DECL std::string render_tool_prompt(catalog const& from, std::size_t budget)
{
    auto const tools = detail::exported(from);
    std::string out;
    for (std::size_t i = 0; i != tools.size(); ++i) {
        auto const line = detail::prompt_line(*tools[i]);
        if (out.size() + line.size() > budget)
            return out += "(and " + std::to_string(tools.size() - i) + " more)\n";
        out += line;
    }
    return out;
}

} // namespace linkspan

#endif
