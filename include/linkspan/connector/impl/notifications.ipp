#ifndef LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP
#define LINKSPAN_CONNECTOR_IMPL_NOTIFICATIONS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/connector_entries.hpp>
#include <linkspan/connector/notifications.hpp>

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

} // namespace linkspan

#endif
