#ifndef LINKSPAN_SESSION_IMPL_NOTIFICATIONS_IPP
#define LINKSPAN_SESSION_IMPL_NOTIFICATIONS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/task_notifications.hpp>
#include <linkspan/session/notifications.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void on_list_changed(session& on, changed_list list, std::function<void()> handler)
{
    constexpr std::array<std::string_view, 3> kinds{"tools", "prompts", "resources"};
    auto const kind = kinds[static_cast<std::size_t>(list)];
    on.on_notification("notifications/" + std::string(kind) + "/list_changed",
                       [handler = std::move(handler)](std::string_view) { handler(); });
}

namespace detail {

// Sets the handler of a notification that receives one text of its params.
inline void set_text_handler(session& on, std::string method, std::string key,
                             std::function<void(std::string_view)> handler)
{
    auto read = [key = std::move(key), handler = std::move(handler)](std::string_view params) {
        if (auto const text = json_scan::string(json_scan::member(params, key)))
            handler(*text);
    };
    on.on_notification(std::move(method), std::move(read));
}

} // namespace detail

LINKSPAN_DECL void on_resource_updated(session& on, std::function<void(std::string_view uri)> handler)
{
    detail::set_text_handler(on, "notifications/resources/updated", "uri", std::move(handler));
}

LINKSPAN_DECL void on_elicitation_complete(session& on, std::function<void(std::string_view id)> handler)
{
    detail::set_text_handler(on, "notifications/elicitation/complete", "elicitationId", std::move(handler));
}

LINKSPAN_DECL void on_task_changed(session& on, std::function<void(task const&)> handler)
{
    auto read = [handler = std::move(handler)](std::string_view params) {
        if (auto const found = read_task(params))
            handler(*found);
    };
    on.on_notification(std::string(task_notification), read);
    on.on_notification(std::string(task_status_notification), std::move(read));
}

} // namespace linkspan

#endif
