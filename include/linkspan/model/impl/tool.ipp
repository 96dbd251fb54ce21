#ifndef LINKSPAN_MODEL_IMPL_TOOL_IPP
#define LINKSPAN_MODEL_IMPL_TOOL_IPP

#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/detail/append_entries.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/wire_members.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline void read_annotations(tool& tool, std::string_view text)
{
    auto const set = [&tool](bool& hint, std::string_view value) {
        if (value != "true" && value != "false")
            return;
        hint = value == "true";
        tool.has_hints = true;
    };
    json_scan::reader members(text);
    while (auto const member = members.next()) {
        if (member->key == "readOnlyHint")
            set(tool.annotations.read_only, member->value);
        else if (member->key == "destructiveHint")
            set(tool.annotations.destructive, member->value);
        else if (member->key == "idempotentHint")
            set(tool.annotations.idempotent, member->value);
        else if (member->key == "openWorldHint")
            set(tool.annotations.open_world, member->value);
        else if (member->key == "title" && tool.title.empty())
            tool.title = json_scan::string(member->value).value_or("");
    }
}

inline task_support read_task_support(std::string_view json) noexcept
{
    auto const text = json_scan::quoted(json);
    return text == "optional"   ? task_support::optional
           : text == "required" ? task_support::required
                                : task_support::forbidden;
}

inline std::optional<tool> read_tool(std::string_view text)
{
    tool tool;
    tool.input_schema = "{}";
    std::string_view annotations;
    json_scan::reader members(text);
    while (auto const member = members.next()) {
        if (member->value == "null")
            continue; // some servers send null instead of omitting a member
        if (member->key == "name")
            tool.name = json_scan::string(member->value).value_or("");
        else if (member->key == "title")
            tool.title = json_scan::string(member->value).value_or("");
        else if (member->key == "description")
            tool.description = json_scan::string(member->value).value_or("");
        else if (member->key == "inputSchema")
            tool.input_schema = member->value;
        else if (member->key == "outputSchema")
            tool.output_schema = member->value;
        else if (member->key == "_meta")
            tool.meta = member->value;
        else if (member->key == "annotations")
            annotations = member->value;
        else if (member->key == "icons")
            tool.icons = read_icons(member->value);
        else if (member->key == "execution")
            tool.tasks = read_task_support(json_scan::member(member->value, "taskSupport"));
    }
    read_annotations(tool, annotations);
    return tool.name.empty() ? std::nullopt : std::optional(std::move(tool));
}

} // namespace detail

LINKSPAN_DECL std::string to_json(tool_annotations const& hints)
{
    auto const word = [](bool is) { return is ? "true" : "false"; };
    std::string out = R"({"readOnlyHint":)";
    ((out += word(hints.read_only)) += R"(,"destructiveHint":)") += word(hints.destructive);
    ((out += R"(,"idempotentHint":)") += word(hints.idempotent)) += R"(,"openWorldHint":)";
    return (out += word(hints.open_world)) += '}';
}

LINKSPAN_DECL void append_json(std::string& out, tool const& from, protocol_version version)
{
    detail::object_writer object(out);
    object.text("name", from.name);
    if (has_member(version, wire_member::title))
        object.optional_text("title", from.title);
    object.optional_text("description", from.description);
    object.raw("inputSchema", from.input_schema);
    bool const has_output = has_member(version, wire_member::tool_output) &&
                            (has_member(version, wire_member::any_structured_content) ||
                             json_scan::member(from.output_schema, "type") == R"("object")");
    if (has_output)
        object.optional_raw("outputSchema", from.output_schema);
    if (from.has_hints && has_member(version, wire_member::tool_annotations))
        object.raw("annotations", to_json(from.annotations));
    if (from.tasks != task_support::forbidden && has_member(version, wire_member::task_support))
        object.raw("execution", from.tasks == task_support::optional ? R"({"taskSupport":"optional"})"
                                                                     : R"({"taskSupport":"required"})");
    if (has_member(version, wire_member::icons) && !from.icons.empty())
        append_json(object.key("icons"), from.icons);
    if (has_member(version, wire_member::meta))
        object.optional_raw("_meta", from.meta);
    object.close();
}

LINKSPAN_DECL fingerprint fingerprint::of_input(std::string_view schema)
{
    std::string text;
    return fingerprint(detail::sha256(detail::append_canonical_text(text, schema) ? text : schema));
}

LINKSPAN_DECL fingerprint fingerprint::of_pin(tool const& tool)
{
    // Canonical text contains no line break, so that the separator is unambiguous.
    constexpr detail::canonical_style style{.has_lines = false, .keeps_numbers = false, .escapes_invisible = true};
    std::string text;
    for (auto const* const schema : {&tool.input_schema, &tool.output_schema}) {
        auto const begin = text.size();
        if (!detail::append_canonical_text(text, *schema, style))
            (text.resize(begin), text += *schema);
        text += '\n';
    }
    auto const& hints = tool.annotations;
    for (bool const hint : {hints.read_only, hints.destructive, hints.idempotent, hints.open_world})
        text += hint ? '1' : '0';
    return fingerprint(detail::sha256(text));
}

LINKSPAN_DECL std::string fingerprint::text() const { return has_value_ ? detail::sha256_text(words_) : std::string(); }

LINKSPAN_DECL std::string fingerprint::short_text() const { return text().substr(0, 8); }

LINKSPAN_DECL std::string input_fingerprint(tool const& tool)
{
    return fingerprint::of_input(tool.input_schema).short_text();
}

LINKSPAN_DECL std::string schema_fingerprint(tool const& tool) { return fingerprint::of_pin(tool).text(); }

LINKSPAN_DECL std::string to_string(pin_difference const& difference)
{
    return difference.tool + (difference.found.empty() ? ": tool is pinned but not listed by its server"
                                                       : ": schemas or annotations differ from the pin");
}

LINKSPAN_DECL std::optional<duration> read_ttl(std::string_view milliseconds) noexcept
{
    constexpr double max_milliseconds = 1e12; // 31 years; larger values could overflow a duration
    auto const number = json_scan::number(milliseconds);
    if (!number)
        return std::nullopt;
    return std::chrono::duration_cast<duration>(
        std::chrono::duration<double, std::milli>(std::clamp(*number, 0.0, max_milliseconds)));
}

LINKSPAN_DECL error_code append_page(tool_list& list, std::string_view page)
{
    return detail::append_entries(list, list.tools, page, "tools", &detail::read_tool);
}

} // namespace linkspan

#endif
