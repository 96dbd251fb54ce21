#ifndef LINKSPAN_SESSION_NOTIFICATIONS_HPP
#define LINKSPAN_SESSION_NOTIFICATIONS_HPP

#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/session/session.hpp>
#include <linkspan/session/session_ref.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

// Notifications of the server of a session: changes of lists, resources and tasks, and the completion of elicitations.
namespace linkspan::inline LINKSPAN_ABI {

/// Lists whose changes a server may notify of.
enum class changed_list {
    tools,    ///< the list of tools
    prompts,  ///< the list of prompts
    resources ///< the lists of resources and of resource templates
};

/// Sets the handler for changes of a list (`notifications/tools/list_changed` and so on).
///
/// `handler()` is called on the session's executor: when the server notifies of a change, and after an interruption of
/// the notifications, because changes may have been missed. In the era `stateless`, the session subscribes to the
/// changes of the list if the server declares `listChanged`, and subscribes again with growing pauses after each
/// interruption. A second handler for the same list replaces the first. An exception of the handler propagates to the
/// function that runs the executor; the session continues.
///
///     linkspan::on_list_changed(session, linkspan::changed_list::prompts, [] { std::puts("prompts changed"); });
///
/// \par Preconditions
/// Called before `session::async_open`.
///
/// \param on The session.
/// \param list The list.
/// \param handler Not empty.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, server/prompts and server/resources, "List Changed Notification".
LINKSPAN_DECL void on_list_changed(session& on, changed_list list, std::function<void()> handler);

/// Sets the handler for changes of the resources to which the session has subscribed
/// (`notifications/resources/updated`).
///
/// `handler(uri)` is called on the session's executor: when the server notifies of a change, and after an interruption
/// of the notifications, once for each subscribed resource, because changes may have been missed. The URI may be that
/// of a part of a subscribed resource. A second handler replaces the first. An exception of the handler propagates to
/// the function that runs the executor; the session continues.
///
/// \par Preconditions
/// Called before `session::async_open`.
///
/// \param on The session.
/// \param handler Not empty. The view is valid during the call.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Subscriptions".
LINKSPAN_DECL void on_resource_updated(session& on, std::function<void(std::string_view uri)> handler);

/// Sets the handler for the completion of elicitations with mode `url` (`notifications/elicitation/complete`).
///
/// `handler(id)` is called on the session's executor, with `elicit_request::elicitation_id`. Programs ignore ids that
/// they do not know. A second handler replaces the first. An exception of the handler propagates to the function that
/// runs the executor; the session continues.
///
/// \par Preconditions
/// Called before `session::async_open`.
///
/// \param on The session.
/// \param handler Not empty. The view is valid during the call.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, client/elicitation, "Completion Notifications". Other protocol versions have no such notification.
LINKSPAN_DECL void on_elicitation_complete(session& on, std::function<void(std::string_view id)> handler);

/// Sets the handler for changes of tasks (`notifications/tasks` of the extension for tasks, and
/// `notifications/tasks/status` in 2025-11-25).
///
/// `handler(task)` is called on the session's executor, with the task as the server describes it. In 2026-07-28, the
/// session subscribes to the changes of a task during an `async_wait_task`, and the task contains its outcome or its
/// input requests; a server may decline to notify. In 2025-11-25, the server decides which notifications it sends, and
/// these notifications contain no outcome; `async_wait_task` returns the outcome. Notifications that are not valid are
/// ignored. A second handler replaces the first. An exception of the handler propagates to the function that runs the
/// executor; the session continues.
///
///     linkspan::on_task_changed(session, [&](linkspan::task const& one) { show(one.id, one.status, one.message); });
///
/// \par Preconditions
/// Called before `session::async_open`.
///
/// \param on The session.
/// \param handler Not empty. The task is valid during the call.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks, "Task Status Notification"; extension `io.modelcontextprotocol/tasks`.
LINKSPAN_DECL void on_task_changed(session& on, std::function<void(task const&)> handler);

/// Subscribes to changes of a resource.
///
/// In the era `handshake`, the request `resources/subscribe` is sent. In the era `stateless`, all resources of the
/// session are in one request `subscriptions/listen`, which is replaced when the resources change; several operations
/// that start in one turn of the event loop share one request. `on_resource_updated` sets the handler for the changes.
///
/// The resource remains subscribed until `async_unsubscribe_resource`: the session subscribes again after an
/// interruption, and when it is opened again. If the server then refuses the resource, the resource is not subscribed
/// any more, and the handler is called once.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param uri URI of the resource.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the server notifies of changes from now on; the result is an empty
/// object.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began. `subscription_refused`: in the era `stateless`, the
/// server does not notify of changes of the resource, or does not support subscriptions. `queue_full`: the request
/// cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`: the
/// server returned an error response: -32601 if it does not notify of changes of resources. A status of
/// `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server did not respond within
/// `session_options::idle_timeout` or `attempt_timeout`, or did not acknowledge the subscription within `idle_timeout`.
/// `malformed_message`: the response is not valid. `session_lost`: an HTTP server discarded its session, and a new
/// handshake failed, or the server discarded the new session too. Errors of the transport, for example `stream_ended`:
/// the connection was lost. `operation_aborted`: cancelled, closed, or ended by `async_unsubscribe_resource`.
/// \par Cancellation
/// In the era `stateless`, `terminal`, `partial`, `total`: the resource is removed from the subscription, unless it was
/// subscribed before or another operation waits for it. In the era `handshake`, `terminal`, `partial`: a request that
/// was not sent yet is never sent; for a request that was sent, the server is notified by `notifications/cancelled`;
/// `total`: cancels a request that is not sent yet, else no effect. The session stays open.
/// \par Executor
/// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor (default:
/// the session's executor), never inside the initiating function, and never inside `emit`.
/// \par Lifetime
/// All arguments are copied or moved before the function returns. The session may be destroyed during the operation,
/// which then completes with `operation_aborted`.
/// \par Thread safety
/// None: the session's executor must not run two handlers concurrently.
/// \par Exception safety
/// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
/// \par Specification
/// MCP 2025-11-25, server/resources, "Subscriptions"; MCP 2026-07-28, basic/patterns, "Subscriptions".
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_subscribe_resource(session_ref const& on, std::string uri, Token&& token = Token())
{
    using access = detail::session_access;
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::subscribe_resource>(access::core(on)), token, access::origin(on), std::move(uri));
}

/// Ends the subscription to changes of a resource.
///
/// In the era `handshake`, the request `resources/unsubscribe` is sent. In the era `stateless`, the request
/// `subscriptions/listen` is replaced, and the operation does not wait for the server. Outstanding operations
/// `async_subscribe_resource` for the resource complete with `operation_aborted` in the era `stateless`. Notifications
/// that the server has sent before are still delivered.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param uri URI of the resource. In the era `stateless`, the operation has no effect if the resource is not
/// subscribed.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the result is an empty object.
/// \par Errors
/// In the era `stateless`, none while the session is open. Else: `not_connected`: the session is not open, or a
/// shutdown began; the session does not subscribe to the resource again. `queue_full`: the request cannot be sent
/// immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`: the server returned an
/// error response. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server
/// sent no response within `session_options::idle_timeout` or `attempt_timeout`. `malformed_message`: the response is
/// not valid. `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the server discarded
/// the new session too. Errors of the transport, for example `stream_ended`: the connection was lost.
/// `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// In the era `handshake`, `terminal`, `partial`: a request that was not sent yet is never sent; for a request that was
/// sent, the server is notified by `notifications/cancelled`; `total`: cancels a request that is not sent yet, else no
/// effect. In the era `stateless`: no effect. The session stays open.
/// \par Executor
/// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor (default:
/// the session's executor), never inside the initiating function, and never inside `emit`.
/// \par Lifetime
/// All arguments are copied or moved before the function returns. The session may be destroyed during the operation,
/// which then completes with `operation_aborted`.
/// \par Thread safety
/// None: the session's executor must not run two handlers concurrently.
/// \par Exception safety
/// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
/// \par Specification
/// MCP 2025-11-25, server/resources, "Subscriptions"; MCP 2026-07-28, basic/patterns, "Subscriptions".
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_unsubscribe_resource(session_ref const& on, std::string uri, Token&& token = Token())
{
    using access = detail::session_access;
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::unsubscribe_resource>(access::core(on)), token, access::origin(on), std::move(uri));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/notifications.ipp>
#endif

#endif
