#ifndef LINKSPAN_MODEL_IMPL_IMPLEMENTATION_IPP
#define LINKSPAN_MODEL_IMPL_IMPLEMENTATION_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/implementation.hpp>
#include <linkspan/model/wire_members.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL implementation read_implementation(std::string_view json)
{
    implementation out;
    json_scan::reader members(json);
    while (auto const member = members.next()) {
        if (member->key == "name")
            out.name = json_scan::string(member->value).value_or("");
        else if (member->key == "version")
            out.version = json_scan::string(member->value).value_or("");
        else if (member->key == "title")
            out.title = json_scan::string(member->value).value_or("");
        else if (member->key == "description")
            out.description = json_scan::string(member->value).value_or("");
        else if (member->key == "websiteUrl")
            out.website_url = json_scan::string(member->value).value_or("");
        else if (member->key == "icons")
            out.icons = read_icons(member->value);
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, implementation const& from, protocol_version id)
{
    detail::object_writer object(out);
    object.text("name", from.name);
    object.text("version", from.version);
    if (has_member(id, wire_member::title))
        object.optional_text("title", from.title);
    if (has_member(id, wire_member::implementation_details)) {
        object.optional_text("description", from.description);
        object.optional_text("websiteUrl", from.website_url);
        if (!from.icons.empty())
            append_json(object.key("icons"), from.icons);
    }
    object.close();
}

} // namespace linkspan

#endif
