#ifndef LINKSPAN_MODEL_IMPL_CLIENT_CAPABILITIES_IPP
#define LINKSPAN_MODEL_IMPL_CLIENT_CAPABILITIES_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/wire_members.hpp>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns a member whose value is an object; empty: there is none.
inline std::string_view object_member(std::string_view object, std::string_view key) noexcept
{
    auto const value = json_scan::member(object, key);
    return value.starts_with('{') ? value : std::string_view();
}

// Adds a member whose value is an empty object if `is_declared` is true.
inline void declare(object_writer& object, std::string_view key, bool is_declared)
{
    if (is_declared)
        object.raw(key, "{}");
}

inline void append_json(std::string& out, elicitation_capability const& from, protocol_version id)
{
    bool const has_modes = has_member(id, wire_member::elicitation_modes);
    object_writer object(out);
    declare(object, "form", from.form && has_modes);
    declare(object, "url", from.url && has_modes);
    object.close();
}

inline void append_json(std::string& out, roots_capability const& from, protocol_version id)
{
    object_writer object(out);
    if (from.list_changed && has_member(id, wire_member::roots_list_changed))
        object.boolean("listChanged", true);
    object.close();
}

inline void append_json(std::string& out, sampling_capability const& from, protocol_version id)
{
    bool const has_tools = has_member(id, wire_member::sampling_tools);
    object_writer object(out);
    declare(object, "tools", from.tools && has_tools);
    declare(object, "context", from.context && has_tools);
    object.close();
}

inline void append_json(std::string& out, client_tasks_capability const& from)
{
    object_writer object(out);
    declare(object, "list", from.list);
    declare(object, "cancel", from.cancel);
    object_writer requests(object.key("requests"));
    if (from.sampling)
        requests.raw("sampling", R"({"createMessage":{}})");
    if (from.elicitation)
        requests.raw("elicitation", R"({"create":{}})");
    requests.close();
    object.close();
}

} // namespace detail

LINKSPAN_DECL bool client_capabilities::has_extension(std::string_view name) const noexcept
{
    return !detail::object_member(extensions, name).empty();
}

LINKSPAN_DECL client_capabilities read_client_capabilities(std::string_view json)
{
    using detail::object_member;
    client_capabilities out;
    out.raw = json;
    out.extensions = object_member(json, "extensions");
    out.experimental = object_member(json, "experimental");
    if (auto const value = object_member(json, "roots"); !value.empty())
        out.roots = {json_scan::member(value, "listChanged") == "true"};
    if (auto const value = object_member(json, "sampling"); !value.empty())
        out.sampling = {!object_member(value, "tools").empty(), !object_member(value, "context").empty()};
    if (auto const value = object_member(json, "elicitation"); !value.empty())
        out.elicitation = {!object_member(value, "form").empty(), !object_member(value, "url").empty()};
    if (auto const value = object_member(json, "tasks"); !value.empty()) {
        auto const requests = object_member(value, "requests");
        out.tasks = {!object_member(value, "list").empty(), !object_member(value, "cancel").empty(),
                     !object_member(object_member(requests, "sampling"), "createMessage").empty(),
                     !object_member(object_member(requests, "elicitation"), "create").empty()};
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, client_capabilities const& from, protocol_version id)
{
    detail::object_writer object(out);
    bool const has_modes = has_member(id, wire_member::elicitation_modes);
    if (from.elicitation && has_member(id, wire_member::elicitation) && (has_modes || from.elicitation->has_form()))
        detail::append_json(object.key("elicitation"), *from.elicitation, id);
    if (from.roots)
        detail::append_json(object.key("roots"), *from.roots, id);
    if (from.sampling)
        detail::append_json(object.key("sampling"), *from.sampling, id);
    if (from.tasks && has_member(id, wire_member::task_support))
        detail::append_json(object.key("tasks"), *from.tasks);
    if (has_member(id, wire_member::extensions))
        object.optional_raw("extensions", from.extensions);
    object.optional_raw("experimental", from.experimental);
    object.close();
}

} // namespace linkspan

#endif
