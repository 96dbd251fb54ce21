#ifndef LINKSPAN_MODEL_DETAIL_RESOURCE_MEMBERS_HPP
#define LINKSPAN_MODEL_DETAIL_RESOURCE_MEMBERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/wire_members.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reads a member that resources and templates have in common. Returns false if the member is another one.
template<class Described>
bool read_described(Described& out, std::string_view key, std::string_view value)
{
    if (key == "name")
        out.name = json_scan::string(value).value_or("");
    else if (key == "title")
        out.title = json_scan::string(value).value_or("");
    else if (key == "description")
        out.description = json_scan::string(value).value_or("");
    else if (key == "mimeType")
        out.mime_type = json_scan::string(value).value_or("");
    else if (key == "annotations")
        out.annotations = read_content_annotations(value);
    else if (key == "icons")
        out.icons = read_icons(value);
    else if (key == "_meta")
        out.meta = value == "null" ? std::string_view() : value;
    else
        return false;
    return true;
}

// Adds the members that resources and templates have in common.
template<class Described>
void write_described(object_writer& object, Described const& from, protocol_version id)
{
    object.text("name", from.name);
    if (has_member(id, wire_member::title))
        object.optional_text("title", from.title);
    object.optional_text("description", from.description);
    object.optional_text("mimeType", from.mime_type);
    if (!from.annotations.empty())
        append_json(object.key("annotations"), from.annotations, id);
    if (has_member(id, wire_member::icons) && !from.icons.empty())
        append_json(object.key("icons"), from.icons);
    if (has_member(id, wire_member::meta))
        object.optional_raw("_meta", from.meta);
}

// Adds the members of a resource. `resource_link` blocks have them beside their type.
template<class Resource>
void write_resource(object_writer& object, Resource const& from, protocol_version id)
{
    object.text("uri", from.uri);
    object.optional_number("size", from.size);
    write_described(object, from, id);
}

} // namespace linkspan::detail

#endif
