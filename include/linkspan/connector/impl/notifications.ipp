#ifndef LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP
#define LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/connector_entries.hpp>
#include <linkspan/connector/notifications.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/task_notifications.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Sets the handler of a notification of all servers, with the name of the server. `read` returns the value that the
// handler receives, or nothing for params that are not valid.
template<class Handler, class Read>
void on_notification(connector_base& hub, std::string_view method, Handler handler, Read read)
{
    auto const shared = std::make_shared<Handler const>(std::move(handler));
    auto prepare = [shared, method, read](server_entry& server) {
        server.session->handle_notification(std::string(method),
                                            [shared, read, key = server.shared_key](std::string_view params) {
                                                if (auto const value = read(params))
                                                    (*shared)(*key, *value);
                                            });
    };
    connector_access::core(hub)->operations().prepare_servers(method, std::move(prepare));
}

} // namespace detail

LINKSPAN_DECL void on_log_message(connector_base& hub,
                                  std::function<void(std::string_view server, log_message const&)> handler)
{
    detail::on_notification(hub, "notifications/message", std::move(handler), &read_log_message);
}

LINKSPAN_DECL void set_log_level(connector_base& hub, log_level level)
{
    detail::connector_access::core(hub)->operations().prepare_servers("logging/setLevel",
                                                                      [level](detail::server_entry& server) {
                                                                          server.session->set_log_level(level);
                                                                          server.session->request_log_level();
                                                                      });
}

LINKSPAN_DECL void on_resource_updated(connector_base& hub,
                                       std::function<void(std::string_view server, std::string_view uri)> handler)
{
    auto& core = *detail::connector_access::core(hub);
    auto& lister = detail::entries_of(core).lister;
    lister.on_update(std::move(handler));
    core.operations().prepare_servers("notifications/resources/updated",
                                      [&lister](detail::server_entry& server) { lister.watch_updates(server); });
}

LINKSPAN_DECL void on_list_changed(connector_base& hub,
                                   std::function<void(std::string_view server, changed_list list)> handler)
{
    auto& core = *detail::connector_access::core(hub);
    auto& lister = detail::entries_of(core).lister;
    lister.on_change(std::move(handler));
    core.operations().prepare_servers("notifications/resources/list_changed",
                                      [&lister](detail::server_entry& server) { lister.watch_lists(server); });
}

LINKSPAN_DECL void on_elicitation_complete(connector_base& hub,
                                           std::function<void(std::string_view server, std::string_view id)> handler)
{
    auto const read = [](std::string_view params) {
        return json_scan::string(json_scan::member(params, "elicitationId"));
    };
    detail::on_notification(hub, "notifications/elicitation/complete", std::move(handler), read);
}

LINKSPAN_DECL void on_task_changed(connector_base& hub,
                                   std::function<void(std::string_view server, task const&)> handler)
{
    detail::on_notification(hub, task_notification, handler, &read_task);
    detail::on_notification(hub, task_status_notification, std::move(handler), &read_task);
}

LINKSPAN_DECL std::size_t notify_servers(connector_base& hub, std::string const& method, arguments const& params)
{
    std::size_t out = 0;
    if (params.problem().empty())
        for (auto const& server : detail::connector_access::core(hub)->servers().by_id())
            out += server && server->session->send_notification(method, params.text());
    return out;
}

LINKSPAN_DECL std::size_t notify_roots_changed(connector_base& hub)
{
    std::size_t out = 0;
    for (auto const& server : detail::connector_access::core(hub)->servers().by_id())
        out += server && server->session->notify_roots_changed();
    return out;
}

} // namespace linkspan

#endif
