#ifndef LINKSPAN_TEST_IMPL_CHANGE_NOTIFICATION_IPP
#define LINKSPAN_TEST_IMPL_CHANGE_NOTIFICATION_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/test/detail/change_notification.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL subscription_filter granted_changes(std::string_view params, std::string_view capabilities)
{
    auto const has = [&](std::string_view capability, std::string_view member) {
        return json_scan::member(json_scan::member(capabilities, capability), member) == "true";
    };
    auto out = read_subscription_filter(json_scan::member(params, "notifications"));
    out.tools = out.tools && has("tools", "listChanged");
    out.prompts = out.prompts && has("prompts", "listChanged");
    out.resources = out.resources && has("resources", "listChanged");
    if (!has("resources", "subscribe"))
        out.uris.clear();
    out.task_ids.clear();
    return out;
}

LINKSPAN_DECL bool is_change_notification(std::string_view method, std::string_view params)
{
    bool const is_change =
        method == "notifications/tools/list_changed" || method == "notifications/prompts/list_changed" ||
        method == "notifications/resources/list_changed" || method == "notifications/resources/updated";
    return is_change && json_scan::member(json_scan::member(params, "_meta"), meta_keys::subscription_id).empty();
}

LINKSPAN_DECL bool is_granted(subscription_filter const& granted, std::string_view method, std::string_view params)
{
    if (method == "notifications/tools/list_changed")
        return granted.tools;
    if (method == "notifications/prompts/list_changed")
        return granted.prompts;
    if (method == "notifications/resources/list_changed")
        return granted.resources;
    auto const changed = json_scan::string(json_scan::member(params, "uri")).value_or("");
    return std::ranges::any_of(granted.uris, [&](std::string_view wanted) { // also for a resource below it
        bool const is_below = changed.starts_with(wanted) && changed.size() > wanted.size() &&
                              (wanted.ends_with('/') || changed[wanted.size()] == '/');
        return changed == wanted || is_below;
    });
}

LINKSPAN_DECL std::string with_subscription_id(std::string_view params, std::string_view raw_id)
{
    auto out = parse_params(params);
    if (!out.is_object())
        return std::string(params);
    auto& meta = out.get_object()["_meta"];
    if (!meta.is_object())
        meta.emplace_object();
    meta.get_object()[meta_keys::subscription_id] = parse_params(raw_id);
    return json_text(out);
}

} // namespace linkspan::test::detail

#endif
