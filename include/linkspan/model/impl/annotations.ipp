#ifndef LINKSPAN_MODEL_IMPL_ANNOTATIONS_IPP
#define LINKSPAN_MODEL_IMPL_ANNOTATIONS_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/wire_members.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the strings of a JSON array; other elements are omitted.
inline std::vector<std::string> read_strings(std::string_view json)
{
    std::vector<std::string> out;
    json_scan::reader elements(json);
    if (elements.is_array())
        while (auto const element = elements.next())
            if (auto text = json_scan::string(element->value))
                out.push_back(std::move(*text));
    return out;
}

inline void append_strings(std::string& out, std::vector<std::string> const& from)
{
    out += '[';
    for (auto const& text : from)
        append_quoted(out += out.back() == '[' ? "" : ",", text);
    out += ']';
}

} // namespace detail

LINKSPAN_DECL content_annotations read_content_annotations(std::string_view json)
{
    content_annotations out;
    json_scan::reader members(json);
    while (auto const member = members.next()) {
        if (member->key == "audience")
            out.audience = detail::read_strings(member->value);
        else if (member->key == "priority")
            out.priority = json_scan::number(member->value);
        else if (member->key == "lastModified")
            out.last_modified = json_scan::string(member->value).value_or("");
    }
    return out;
}

LINKSPAN_DECL std::vector<icon> read_icons(std::string_view json)
{
    std::vector<icon> out;
    json_scan::reader elements(json);
    if (!elements.is_array())
        return out;
    while (auto const element = elements.next()) {
        icon one;
        json_scan::reader members(element->value);
        while (auto const member = members.next()) {
            if (member->key == "src")
                one.src = json_scan::string(member->value).value_or("");
            else if (member->key == "mimeType")
                one.mime_type = json_scan::string(member->value).value_or("");
            else if (member->key == "sizes")
                one.sizes = detail::read_strings(member->value);
            else if (member->key == "theme")
                one.theme = json_scan::string(member->value).value_or("");
        }
        if (!one.src.empty())
            out.push_back(std::move(one));
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, content_annotations const& from, protocol_version id)
{
    detail::object_writer object(out);
    if (!from.audience.empty())
        detail::append_strings(object.key("audience"), from.audience);
    object.optional_number("priority", from.priority);
    if (has_member(id, wire_member::last_modified))
        object.optional_text("lastModified", from.last_modified);
    object.close();
}

LINKSPAN_DECL void append_json(std::string& out, std::vector<icon> const& from)
{
    out += '[';
    for (auto const& one : from) {
        if (out.back() != '[')
            out += ',';
        detail::object_writer object(out);
        object.text("src", one.src);
        object.optional_text("mimeType", one.mime_type);
        if (!one.sizes.empty())
            detail::append_strings(object.key("sizes"), one.sizes);
        object.optional_text("theme", one.theme);
        object.close();
    }
    out += ']';
}

} // namespace linkspan

#endif
