#ifndef LINKSPAN_MODEL_IMPL_PROMPT_IPP
#define LINKSPAN_MODEL_IMPL_PROMPT_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/wire_members.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::vector<prompt_argument> read_prompt_arguments(std::string_view json)
{
    std::vector<prompt_argument> out;
    json_scan::reader elements(json);
    if (!elements.is_array())
        return out;
    while (auto const element = elements.next()) {
        prompt_argument one;
        json_scan::reader members(element->value);
        while (auto const member = members.next()) {
            if (member->key == "name")
                one.name = json_scan::string(member->value).value_or("");
            else if (member->key == "title")
                one.title = json_scan::string(member->value).value_or("");
            else if (member->key == "description")
                one.description = json_scan::string(member->value).value_or("");
            else if (member->key == "required")
                one.required = member->value == "true";
        }
        if (!one.name.empty())
            out.push_back(std::move(one));
    }
    return out;
}

inline void append_prompt_arguments(std::string& out, std::vector<prompt_argument> const& from, protocol_version id)
{
    out += '[';
    for (auto const& one : from) {
        if (out.back() != '[')
            out += ',';
        object_writer object(out);
        object.text("name", one.name);
        if (has_member(id, wire_member::title))
            object.optional_text("title", one.title);
        object.optional_text("description", one.description);
        if (one.required)
            object.boolean("required", true);
        object.close();
    }
    out += ']';
}

} // namespace detail

LINKSPAN_DECL std::optional<prompt> read_prompt(std::string_view json)
{
    prompt out;
    json_scan::reader members(json);
    while (auto const member = members.next()) {
        if (member->key == "name")
            out.name = json_scan::string(member->value).value_or("");
        else if (member->key == "title")
            out.title = json_scan::string(member->value).value_or("");
        else if (member->key == "description")
            out.description = json_scan::string(member->value).value_or("");
        else if (member->key == "arguments")
            out.arguments = detail::read_prompt_arguments(member->value);
        else if (member->key == "icons")
            out.icons = read_icons(member->value);
        else if (member->key == "_meta" && member->value != "null")
            out.meta = member->value;
    }
    return out.name.empty() ? std::nullopt : std::optional(std::move(out));
}

LINKSPAN_DECL std::optional<prompt_result> read_prompt_result(std::string_view json)
{
    prompt_result out;
    out.description = json_scan::string(json_scan::member(json, "description")).value_or("");
    json_scan::reader messages(json_scan::member(json, "messages"));
    if (!messages.is_array())
        return std::nullopt;
    while (auto const message = messages.next()) {
        auto role = json_scan::string(json_scan::member(message->value, "role"));
        auto const content = json_scan::member(message->value, "content");
        if (!role || !content.starts_with('{'))
            return std::nullopt;
        out.messages.push_back({std::move(*role), read_content_block(content)});
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, prompt const& from, protocol_version id)
{
    detail::object_writer object(out);
    object.text("name", from.name);
    if (has_member(id, wire_member::title))
        object.optional_text("title", from.title);
    object.optional_text("description", from.description);
    if (!from.arguments.empty())
        detail::append_prompt_arguments(object.key("arguments"), from.arguments, id);
    if (has_member(id, wire_member::icons) && !from.icons.empty())
        append_json(object.key("icons"), from.icons);
    if (has_member(id, wire_member::meta))
        object.optional_raw("_meta", from.meta);
    object.close();
}

LINKSPAN_DECL void append_members(std::string& out, prompt_result const& from, protocol_version id)
{
    if (!from.description.empty()) {
        append_quoted(out += R"("description":)", from.description);
        out += ',';
    }
    out += R"("messages":[)";
    for (auto const& message : from.messages) {
        if (out.back() != '[')
            out += ',';
        append_quoted(out += R"({"role":)", message.role.empty() ? std::string_view("user") : message.role);
        append_content(out += R"(,"content":)", message.content, id);
        out += '}';
    }
    out += ']';
}

} // namespace linkspan

#endif
