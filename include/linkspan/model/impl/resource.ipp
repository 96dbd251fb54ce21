#ifndef LINKSPAN_MODEL_IMPL_RESOURCE_IPP
#define LINKSPAN_MODEL_IMPL_RESOURCE_IPP

#include <linkspan/model/detail/resource_members.hpp>
#include <linkspan/model/resource.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<resource> read_resource(std::string_view json)
{
    resource out;
    json_scan::reader members(json);
    while (auto const member = members.next()) {
        if (detail::read_described(out, member->key, member->value))
            continue;
        if (member->key == "uri")
            out.uri = json_scan::string(member->value).value_or("");
        else if (member->key == "size")
            out.size = json_scan::integer(member->value);
    }
    return out.uri.empty() || out.name.empty() ? std::nullopt : std::optional(std::move(out));
}

LINKSPAN_DECL std::optional<resource_template> read_resource_template(std::string_view json)
{
    resource_template out;
    json_scan::reader members(json);
    while (auto const member = members.next())
        if (!detail::read_described(out, member->key, member->value) && member->key == "uriTemplate")
            out.uri_template = json_scan::string(member->value).value_or("");
    return out.uri_template.empty() || out.name.empty() ? std::nullopt : std::optional(std::move(out));
}

LINKSPAN_DECL std::optional<resource_contents> read_resource_contents(std::string_view json)
{
    resource_contents out;
    bool has_text = false;
    json_scan::reader members(json);
    while (auto const member = members.next()) {
        if (member->key == "uri") {
            out.uri = json_scan::string(member->value).value_or("");
        } else if (member->key == "mimeType") {
            out.mime_type = json_scan::string(member->value).value_or("");
        } else if (member->key == "text") {
            has_text = json_scan::append_string(out.text, member->value);
        } else if (member->key == "blob") {
            out.blob = json_scan::string(member->value);
        } else if (member->key == "_meta" && member->value != "null") {
            out.meta = member->value;
        }
    }
    return out.uri.empty() || (!has_text && !out.blob) ? std::nullopt : std::optional(std::move(out));
}

LINKSPAN_DECL std::optional<std::vector<resource_contents>> read_resource_result(std::string_view result)
{
    std::vector<resource_contents> out;
    json_scan::reader entries(json_scan::member(result, "contents"));
    if (!entries.is_array())
        return std::nullopt;
    while (auto const entry = entries.next()) {
        auto contents = read_resource_contents(entry->value);
        if (!contents)
            return std::nullopt;
        out.push_back(std::move(*contents));
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, resource const& from, protocol_version id)
{
    detail::object_writer object(out);
    detail::write_resource(object, from, id);
    object.close();
}

LINKSPAN_DECL void append_json(std::string& out, resource_template const& from, protocol_version id)
{
    detail::object_writer object(out);
    object.text("uriTemplate", from.uri_template);
    detail::write_described(object, from, id);
    object.close();
}

LINKSPAN_DECL void append_json(std::string& out, resource_contents const& from, protocol_version id)
{
    detail::object_writer object(out);
    object.text("uri", from.uri);
    object.optional_text("mimeType", from.mime_type);
    if (from.blob)
        object.text("blob", *from.blob);
    else
        object.text("text", from.text);
    if (has_member(id, wire_member::meta))
        object.optional_raw("_meta", from.meta);
    object.close();
}

} // namespace linkspan

#endif
