#ifndef LINKSPAN_CONNECTOR_NOTIFICATIONS_HPP
#define LINKSPAN_CONNECTOR_NOTIFICATIONS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/log_message.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/session/notifications.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

// Notifications of all servers of a connector. <linkspan/session/logging.hpp> and <linkspan/session/notifications.hpp>
// declare the functions for the notifications of one server.
namespace linkspan::inline LINKSPAN_ABI {

/// Sets the handler for log messages of all servers (`notifications/message`).
///
/// `handler(server, message)` is called on the connector's executor, with the name of the server. The handler applies
/// to the servers of the connector and to those that are added later. Messages that are not valid are ignored. A later
/// handler replaces the earlier one. An exception of the handler propagates to the function that runs the executor; the
/// connector continues. `set_log_level` determines which messages the servers send.
///
///     linkspan::on_log_message(hub, [](std::string_view server, linkspan::log_message const& message) {
///         std::cerr << server << ": " << message.data << '\n';
///     });
///
/// \param hub The connector.
/// \param handler Not empty; must not call this function. The arguments are valid during the call.
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
/// The level applies to the servers of the connector and to those that are added later, until another level is set, and
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
/// of the server, when the server notifies of a change. After an interruption of the notifications, the handler is
/// called once for each subscribed resource, because changes may have been missed. The URI may be that of a part of a
/// subscribed resource. With `store_read_results`, the stored result of the resource is already dropped. The handler
/// applies to the servers of the connector and to those that are added later. A later handler replaces the earlier one.
/// An exception of the handler propagates to the function that runs the executor; the connector continues.
///
/// \param hub The connector.
/// \param handler Not empty; must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Subscriptions".
LINKSPAN_DECL void on_resource_updated(connector_base& hub,
                                       std::function<void(std::string_view server, std::string_view uri)> handler);

/// Sets the handler for changes of the lists of resources and prompts of all servers
/// (`notifications/resources/list_changed` and `notifications/prompts/list_changed`).
///
/// `handler(server, list)` is called on the connector's executor, with the name of the server and the changed list:
/// `changed_list::resources`, which includes the resource templates, or `changed_list::prompts`. The stored list is
/// already marked as stale, so that the next `async_list_resources` or `async_list_prompts` requests it. The handler is
/// not called for changes of tools: the connector lists the tools again, and publishes a new catalog
/// (`connector_base::catalog`). In the era `stateless`, the sessions subscribe to the changes that the servers offer,
/// and the handler is also called after an interruption of the notifications, because changes may have been missed. In
/// the era `handshake`, the handler is not called for changes while the server was not connected; the lists are
/// requested again after each connection. The handler applies to the servers of the connector and to those that are
/// added later. A later handler replaces the earlier one. An exception of the handler propagates to the function that
/// runs the executor; the connector continues.
///
///     linkspan::on_list_changed(hub, [&](std::string_view server, linkspan::changed_list) { refresh_menu(server); });
///
/// \param hub The connector.
/// \param handler Not empty; must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/prompts and server/resources, "List Changed Notification".
LINKSPAN_DECL void on_list_changed(connector_base& hub,
                                   std::function<void(std::string_view server, changed_list list)> handler);

/// Sets the handler for the completion of elicitations with mode `url` of all servers
/// (`notifications/elicitation/complete`).
///
/// `handler(server, id)` is called on the connector's executor, with the name of the server and
/// `elicit_request::elicitation_id`. The handler must ignore unknown ids. The handler applies to the servers of the
/// connector and to those that are added later. A later handler replaces the earlier one. An exception of the handler
/// propagates to the function that runs the executor; the connector continues.
///
/// \param hub The connector.
/// \param handler Not empty; must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, client/elicitation, "Completion Notifications". Other protocol versions have no such notification.
LINKSPAN_DECL void on_elicitation_complete(connector_base& hub,
                                           std::function<void(std::string_view server, std::string_view id)> handler);

/// Sets the handler for changes of tasks of all servers (`notifications/tasks` of the extension for tasks, and
/// `notifications/tasks/status` in 2025-11-25).
///
/// `handler(server, task)` is called on the connector's executor, with the name of the server and the task as the
/// server describes it. In 2026-07-28, a session subscribes to the changes of a task during an `async_wait_task`; a
/// server may decline to notify. In 2025-11-25, the server decides which notifications it sends. Notifications that are
/// not valid are ignored. The handler applies to the servers of the connector and to those that are added later. A
/// later handler replaces the earlier one. An exception of the handler propagates to the function that runs the
/// executor; the connector continues.
///
/// \param hub The connector.
/// \param handler Not empty; must not call this function. The arguments are valid during the call.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks, "Task Status Notification"; extension `io.modelcontextprotocol/tasks`.
LINKSPAN_DECL void on_task_changed(connector_base& hub,
                                   std::function<void(std::string_view server, task const&)> handler);

/// Sends a notification, such as one that an extension defines, to all ready servers of the era `handshake`. The
/// protocol versions of the era `stateless` have no notifications of this kind. `notify_roots_changed` notifies of
/// changes of the roots.
///
///     linkspan::notify_servers(hub, "notifications/com.example/theme", linkspan::raw_json(R"({"dark":true})"));
///
/// \param hub The connector.
/// \param method Name of the method, without characters that JSON must escape.
/// \param params The `params` object.
/// \returns The number of servers to which the notification was passed. 0 also if `params` is not one JSON object
/// without duplicate keys.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, basic, "Notifications".
LINKSPAN_DECL std::size_t notify_servers(connector_base& hub, std::string const& method, arguments const& params = {});

/// Notifies all ready servers that the roots of this client have changed (`notifications/roots/list_changed`).
///
/// The servers may then request the roots again (`roots/list`); the handler of `set_handler<roots>` responds. The
/// notification is sent to the servers of the era `handshake` to which the client declared the capability
/// `roots.listChanged` in the last handshake: those that were opened, or whose HTTP session was renewed, after the
/// handler was set with `roots::options::list_changed`. The protocol versions of the era `stateless` do not have the
/// notification.
///
///     hub.set_handler<linkspan::roots>(list_roots, {.list_changed = true});
///     co_await hub.async_open();
///     add_root("file:///home/ada/other");
///     linkspan::notify_roots_changed(hub);
///
/// \param hub The connector.
/// \returns The number of servers to which the notification was passed.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2024-11-05 to 2025-11-25, client/roots, "Root List Changes".
LINKSPAN_DECL std::size_t notify_roots_changed(connector_base& hub);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/notifications.ipp>
#endif

#endif
