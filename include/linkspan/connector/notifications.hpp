#ifndef LINKSPAN_CONNECTOR_NOTIFICATIONS_HPP
#define LINKSPAN_CONNECTOR_NOTIFICATIONS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/log_message.hpp>

#include <functional>
#include <string_view>

// Notifications of all servers of a connector. <linkspan/session/logging.hpp> and <linkspan/session/notifications.hpp>
// have those of one server.
namespace linkspan::inline LINKSPAN_ABI {

/// Sets the handler for log messages of all servers (`notifications/message`).
///
/// `handler(server, message)` is called on the connector's executor, with the name of the server. It applies to the
/// servers of the connector and to those that are added later. Messages that are not valid are ignored. A later handler
/// replaces the earlier one. An exception of the handler propagates to the function that runs the executor; the
/// connector continues. `set_log_level` determines which messages the servers send.
///
///     linkspan::on_log_message(hub, [](std::string_view server, linkspan::log_message const& message) {
///         std::cerr << server << ": " << message.data << '\n';
///     });
///
/// \param hub The connector.
/// \param handler Not empty. It must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/utilities/logging.
LINKSPAN_DECL void on_log_message(connector_base& hub,
                                  std::function<void(std::string_view server, log_message const&)> handler);

/// Requests log messages of at least a level from all servers.
///
/// The level applies to the servers of the connector and to those that are added later, until another level is set; it
/// takes precedence over an earlier level of `async_set_log_level`. In the era `handshake`, the request
/// `logging/setLevel` is sent to the open servers that declare the capability `logging`, and to each server after it is
/// opened; an error response is ignored. In the era `stateless`, all following requests contain the level.
///
/// \param hub The connector.
/// \param level Minimum level.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/utilities/logging.
LINKSPAN_DECL void set_log_level(connector_base& hub, log_level level);

/// Sets the handler for changes of subscribed resources of all servers (`notifications/resources/updated`).
///
/// A program subscribes to a resource by `async_subscribe_resource` with a session of `find_session`. The subscription
/// remains after a restart of the server. `handler(server, uri)` is called on the connector's executor, with the name
/// of the server: when the server notifies of a change, and after an interruption of the notifications, once for each
/// subscribed resource, because changes may have been missed. The URI may be that of a part of a subscribed resource.
/// With `store_read_results`, the stored result of the resource is already dropped. The handler applies to the servers
/// of the connector and to those that are added later. A later handler replaces the earlier one. An exception of the
/// handler propagates to the function that runs the executor; the connector continues.
///
/// \param hub The connector.
/// \param handler Not empty. It must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Subscriptions".
LINKSPAN_DECL void on_resource_updated(connector_base& hub,
                                       std::function<void(std::string_view server, std::string_view uri)> handler);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/notifications.ipp>
#endif

#endif
