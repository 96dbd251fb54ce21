#ifndef LINKSPAN_PROTOCOL_IMPL_SUBSCRIPTION_FILTER_IPP
#define LINKSPAN_PROTOCOL_IMPL_SUBSCRIPTION_FILTER_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/subscription_filter.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline void append_texts(object_writer& object, std::string_view key, std::set<std::string, std::less<>> const& texts)
{
    if (texts.empty())
        return;
    auto& out = object.key(key);
    char separator = '[';
    for (auto const& text : texts)
        append_quoted(out += std::exchange(separator, ','), text);
    out += ']';
}

inline std::set<std::string, std::less<>> read_texts(std::string_view array)
{
    std::set<std::string, std::less<>> out;
    json_scan::reader elements(array);
    if (!elements.is_array())
        return out;
    while (auto const element = elements.next())
        if (auto text = json_scan::string(element->value))
            out.insert(std::move(*text));
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string to_json(subscription_filter const& filter)
{
    std::string out;
    detail::object_writer object(out);
    if (filter.tools)
        object.boolean("toolsListChanged", true);
    if (filter.prompts)
        object.boolean("promptsListChanged", true);
    if (filter.resources)
        object.boolean("resourcesListChanged", true);
    detail::append_texts(object, "resourceSubscriptions", filter.uris);
    detail::append_texts(object, "taskIds", filter.task_ids);
    object.close();
    return out;
}

LINKSPAN_DECL subscription_filter read_subscription_filter(std::string_view json)
{
    auto const is_wanted = [json](std::string_view key) { return json_scan::member(json, key) == "true"; };
    subscription_filter out;
    out.tools = is_wanted("toolsListChanged");
    out.prompts = is_wanted("promptsListChanged");
    out.resources = is_wanted("resourcesListChanged");
    out.uris = detail::read_texts(json_scan::member(json, "resourceSubscriptions"));
    out.task_ids = detail::read_texts(json_scan::member(json, "taskIds"));
    return out;
}

} // namespace linkspan

#endif
