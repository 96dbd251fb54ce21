#ifndef LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP
#define LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/connector_entries.hpp>
#include <linkspan/connector/notifications.hpp>
#include <linkspan/json/json_scan.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void on_log_message(connector_base& hub,
                                  std::function<void(std::string_view server, log_message const&)> handler)
{
    auto const shared = std::make_shared<decltype(handler) const>(std::move(handler));
    auto prepare = [shared](detail::server_entry& server) {
        auto read = [shared, key = server.shared_key](std::string_view params) {
            if (auto const message = read_log_message(params))
                (*shared)(*key, *message);
        };
        server.session->handle_notification("notifications/message", std::move(read));
    };
    detail::connector_access::core(hub)->operations().prepare_servers("notifications/message", std::move(prepare));
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
                                   std::function<void(std::string_view server, changed_list what)> handler)
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
    auto const shared = std::make_shared<decltype(handler) const>(std::move(handler));
    auto prepare = [shared](detail::server_entry& server) {
        auto read = [shared, key = server.shared_key](std::string_view params) {
            if (auto const id = json_scan::string(json_scan::member(params, "elicitationId")))
                (*shared)(*key, *id);
        };
        server.session->handle_notification("notifications/elicitation/complete", std::move(read));
    };
    detail::connector_access::core(hub)->operations().prepare_servers("notifications/elicitation/complete",
                                                                      std::move(prepare));
}

LINKSPAN_DECL std::size_t notify_servers(connector_base& hub, std::string const& method, arguments const& params)
{
    std::size_t out = 0;
    if (params.problem().empty())
        for (auto const& server : detail::connector_access::core(hub)->servers().by_id())
            out += server && server->session->send_notification(method, params.text());
    return out;
}

} // namespace linkspan

#endif
