#include "signature.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

#include "clean_text.hpp"
#include "json_text.hpp"

namespace cli {
namespace {

namespace json = boost::json;

json::value parsed(std::string_view text) { return parse_json(clean_json(text)); }

json::object const* member_object(json::value const& of, std::string_view key)
{
    auto const* const found = of.is_object() ? of.get_object().if_contains(key) : nullptr;
    return found ? found->if_object() : nullptr;
}

bool is_required(json::value const& schema, std::string_view key)
{
    auto const* const list = schema.get_object().if_contains("required");
    return list && list->is_array() &&
           std::ranges::any_of(list->get_array(), [&](auto const& name) { return name == json::string_view(key); });
}

std::string joined_types(json::array const& of, unsigned depth)
{
    std::string out;
    for (auto const& each : of)
        out += (out.empty() ? "" : "|") + type_of(each, depth);
    return out.empty() ? "any" : out;
}

std::string members_of(json::value const& schema, unsigned depth)
{
    auto const* const properties = member_object(schema, "properties");
    std::string out;
    for (auto const& [key, value] : properties ? *properties : json::object())
        out.append(out.empty() ? "" : ", ")
            .append(key)
            .append(is_required(schema, key) ? ": " : "?: ")
            .append(type_of(value, depth));
    return out;
}

std::string type_named(std::string const& type, json::value const& schema, unsigned depth)
{
    if (type == "array") {
        auto const* const items = schema.get_object().if_contains("items");
        auto const inner = items ? type_of(*items, depth + 1) : std::string("any");
        return (inner.find('|') == inner.npos ? inner : "(" + inner + ")") + "[]";
    }
    if (type == "object") {
        auto const members = members_of(schema, depth + 1);
        return members.empty() ? type : "{" + members + "}";
    }
    return type;
}

void append_arguments(std::string& out, json::value const& schema)
{
    auto const* const properties = member_object(schema, "properties");
    for (auto const& [key, value] : properties ? *properties : json::object()) {
        out += "  " + terminal_line(key) + ": " + terminal_line(type_of(value));
        out += is_required(schema, key) ? ", required" : "";
        if (auto const* const by_default = value.is_object() ? value.get_object().if_contains("default") : nullptr)
            out += ", default " + terminal_line(json::serialize(*by_default));
        if (auto const text = text_at(value, "description"); !text.empty())
            out += "\n      " + terminal_line(text);
        out += '\n';
    }
}

} // namespace

std::string type_of(json::value const& schema, unsigned depth)
{
    constexpr unsigned max_depth = 4; // levels; deeper types are shortened to "any"
    if (!schema.is_object() || depth > max_depth)
        return "any";
    auto const& object = schema.get_object();
    if (auto const* const fixed = object.if_contains("const"))
        return json::serialize(*fixed);
    if (auto const* const values = object.if_contains("enum"); values && values->is_array()) {
        std::string out;
        for (auto const& value : values->get_array())
            out += (out.empty() ? "" : "|") + json::serialize(value);
        return out.empty() ? "any" : out;
    }
    for (auto const* const key : {"anyOf", "oneOf"})
        if (auto const* const choices = object.if_contains(key); choices && choices->is_array())
            return joined_types(choices->get_array(), depth + 1);
    auto const* const type = object.if_contains("type");
    if (type && type->is_array()) {
        std::string out;
        for (auto const& each : type->get_array())
            if (each.is_string())
                out += (out.empty() ? "" : "|") +
                       type_named(std::string(each.get_string().data(), each.get_string().size()), schema, depth);
        return out.empty() ? "any" : out;
    }
    auto const named = text_at(schema, "type");
    if (named.empty())
        return object.contains("properties") ? type_named("object", schema, depth) : "any";
    return type_named(named, schema, depth);
}

std::string signature(linkspan::tool const& tool, std::string_view name)
{
    auto const input = parsed(tool.input_schema);
    auto out = std::string(name) + "(" + (input.is_object() ? members_of(input, 0) : "") + ")";
    if (!tool.output_schema.empty())
        out += " -> " + type_of(parsed(tool.output_schema));
    return terminal_line(out);
}

std::string describe_tool(linkspan::catalog_entry const& entry)
{
    auto const& tool = *entry.tool;
    auto out = signature(tool, tool.name) + "\n";
    out += "server: " + entry.server_key + "\n";
    if (!tool.title.empty())
        out += "title: " + terminal_line(tool.title) + "\n";
    out += "replay: " + std::string(to_string(entry.replay)) + "\n";
    if (tool.has_hints)
        out += "hints: " + terminal_line(to_json(tool.annotations)) + "\n";
    if (!tool.description.empty())
        out += "\n" + terminal_text(tool.description) + "\n";
    std::string arguments;
    append_arguments(arguments, parsed(tool.input_schema));
    return arguments.empty() ? out : out + "\narguments:\n" + arguments;
}

std::string tools_as_json(std::span<linkspan::catalog_entry const* const> tools)
{
    std::string out = "[";
    for (auto const* const entry : tools) {
        auto const& tool = *entry->tool;
        out += out == "[" ? "\n" : ",\n";
        out += R"({"name":)" + json_string(entry->display_name()) + R"(,"server":)" + json_string(entry->server_key) +
               R"(,"tool":)" + json_string(tool.name) + R"(,"description":)" + json_string(tool.description) +
               R"(,"replay":)" + json_string(to_string(entry->replay)) + R"(,"inputSchema":)" +
               clean_json(tool.input_schema);
        if (!tool.output_schema.empty())
            out += R"(,"outputSchema":)" + clean_json(tool.output_schema);
        out += R"(,"annotations":)" + to_json(tool.annotations) + "}";
    }
    return out + (tools.empty() ? "]\n" : "\n]\n");
}

} // namespace cli
