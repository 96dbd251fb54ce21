#ifndef LINKSPAN_CONNECTOR_RESOURCES_HPP
#define LINKSPAN_CONNECTOR_RESOURCES_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/entry_calls.hpp>
#include <linkspan/connector/merged_list.hpp>
#include <linkspan/connector/stored_results.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

// Operations on the resources of all servers of a connector. <linkspan/session/resources.hpp> has those of one server.
namespace linkspan::inline LINKSPAN_ABI {

/// Lists the resources of all servers of a connector.
///
/// The first operation that needs the lists of resources requests them from each server that declares the capability
/// `resources`; the opening of the connector does not. Later operations use the stored list of a server until its time
/// to live (`ttlMs`, see `list_freshness`) ends, the server notifies of a change, or the server is connected again; the
/// next operation then requests the list again. Concurrent operations share the list requests.
///
/// The operation waits for servers that are being opened, and starts idle servers without `start_mode::lazy`. Disabled
/// servers, servers that the program disconnected, and servers with `start_mode::lazy` or `start_mode::manual` that are
/// not started receive no list request, and are not in `merged_list::failures`. Any other server that is not connected,
/// or whose list request fails, is in `merged_list::failures`, and does not affect the others; the last list of the
/// server, if there is one, is in the result.
///
/// \param hub The connector.
/// \par Completion signature
/// `void(error_code, merged_list<resource>)`. The list is empty after `not_connected` and `operation_aborted`.
/// \par Errors
/// `all_servers_failed`: the list has failures and no entries. `not_connected`: the connector is closed.
/// `operation_aborted`: cancelled, or the connector was closed. `failed_list::ec` has the errors of
/// `async_list_resources(session_ref const&)`.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting, and closes the servers that only this operation has started. Outstanding list
/// requests continue; their results are stored. `total`: not supported.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Listing Resources"; MCP 2026-07-28, "Caching".
template<asio::completion_token_for<void(error_code, merged_list<resource>)> Token = asio::deferred_t>
auto async_list_resources(connector_base const& hub, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, merged_list<resource>)>(
        detail::initiate<&detail::list_all<resource>>(detail::connector_access::core(hub)), token);
}

/// Lists the resource templates of all servers of a connector.
///
/// The first operation that needs the lists of resource templates requests them from each server that declares the
/// capability `resources`; the opening of the connector does not. Later operations use the stored list of a server
/// until its time to live (`ttlMs`, see `list_freshness`) ends, the server notifies of a change, or the server is
/// connected again; the next operation then requests the list again. Concurrent operations share the list requests.
///
/// The operation waits for servers that are being opened, and starts idle servers without `start_mode::lazy`. Disabled
/// servers, servers that the program disconnected, and servers with `start_mode::lazy` or `start_mode::manual` that are
/// not started receive no list request, and are not in `merged_list::failures`. Any other server that is not connected,
/// or whose list request fails, is in `merged_list::failures`, and does not affect the others; the last list of the
/// server, if there is one, is in the result.
///
/// \param hub The connector.
/// \par Completion signature
/// `void(error_code, merged_list<resource_template>)`. The list is empty after `not_connected` and `operation_aborted`.
/// \par Errors
/// `all_servers_failed`: the list has failures and no entries. `not_connected`: the connector is closed.
/// `operation_aborted`: cancelled, or the connector was closed. `failed_list::ec` has the errors of
/// `async_list_resource_templates(session_ref const&)`, except -32601: the server has no templates.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting, and closes the servers that only this operation has started. Outstanding list
/// requests continue; their results are stored. `total`: not supported.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Resource Templates"; MCP 2026-07-28, "Caching".
template<asio::completion_token_for<void(error_code, merged_list<resource_template>)> Token = asio::deferred_t>
auto async_list_resource_templates(connector_base const& hub, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, merged_list<resource_template>)>(
        detail::initiate<&detail::list_all<resource_template>>(detail::connector_access::core(hub)), token);
}

/// Reads a resource of one of the servers of a connector.
///
/// The URI belongs to the servers that list it, or, if none does, to the servers with a template that matches it. The
/// first use requests the lists, which are then stored as those of `async_list_resources`; a list that may have changed
/// is used, and requested again at the same time. If no list has the URI and no template matches, the lists that may
/// have changed are requested again, and the servers with `start_mode::lazy` are started. Servers with the same URI are
/// interchangeable, as tools of one group. A template that `uri_template` does not accept, such as one with modifiers
/// of RFC 6570, level 4, matches the URIs that begin with the text before its first variable, if that text is not
/// empty.
///
/// The request is handled like a call of a read-only tool: the routing, admission, fallback and health policies of the
/// connector select one of the servers to which the URI belongs, and after a failure the request is sent again, to the
/// same server or to another one. Interceptors are not invoked, because they apply to tool calls only.
///
/// \param hub The connector.
/// \param uri URI of the resource.
/// \param options Timeouts, progress handler, affinity and `_meta` of the request; empty members have the defaults.
/// \par Completion signature
/// `void(error_code, typed_result<std::vector<resource_contents>>)`. On success, the value contains the contents of the
/// resource; a server may split the resource into several. `result().attempts()` has a record per attempt and per
/// unavailable server; the list of records is empty if the first attempt succeeded. On error, `result().detail()` is a
/// human-readable text, in which the secrets of the configuration are redacted.
/// \par Errors
/// - `entry_not_found`: no server lists the URI or has a matching template; `result().detail()` has similar URIs and
///   the names of the servers that were searched.
/// - `no_eligible_server`: the policies admit no server, or the queues of all eligible servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the request may be repeated.
/// - `deadline_exceeded`: `call_options::timeout` has elapsed, by default 300 s.
/// - `attempt_timed_out` and errors of the transport are errors of single attempts, in `result().attempts()`.
/// - A code of `rpc_category`: a server returned an error response: -32002, or -32602 in 2026-07-28, for an unknown
///   resource. `malformed_message`: the result of the server is not valid.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input, and no handler
///   is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `not_connected`: the connector is closed. `operation_aborted`: cancelled, or the connector was closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the operation with `operation_aborted`. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream. `total`: completes the operation only while no server can have executed the request.
/// Outstanding list requests continue.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// All parameters are copied before the function returns. The connector may be destroyed during the operation, which
/// then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Reading Resources".
template<asio::completion_token_for<void(error_code, typed_result<std::vector<resource_contents>>)> Token = throwing_t>
auto async_read_resource(connector_base const& hub, std::string_view uri, call_options options, Token&& token = Token())
{
    auto call = detail::prepare_read(detail::connector_access::core(hub), uri);
    detail::set_options(*call, std::move(options));
    return detail::start_typed_entry_call<&read_resource_result>(detail::connector_access::core(hub), std::move(call),
                                                                 token);
}

/// Reads a resource of one of the servers of a connector, with default options.
///
/// The URI belongs to the servers that list it, or, if none does, to the servers with a template that matches it. The
/// first use requests the lists, which are then stored as those of `async_list_resources`; a list that may have changed
/// is used, and requested again at the same time. If no list has the URI and no template matches, the lists that may
/// have changed are requested again, and the servers with `start_mode::lazy` are started. Servers with the same URI are
/// interchangeable, as tools of one group. A template that `uri_template` does not accept, such as one with modifiers
/// of RFC 6570, level 4, matches the URIs that begin with the text before its first variable, if that text is not
/// empty.
///
/// The request is handled like a call of a read-only tool: the routing, admission, fallback and health policies of the
/// connector select one of the servers to which the URI belongs, and after a failure the request is sent again, to the
/// same server or to another one. Interceptors are not invoked, because they apply to tool calls only.
///
/// \param hub The connector.
/// \param uri URI of the resource.
/// \par Completion signature
/// `void(error_code, typed_result<std::vector<resource_contents>>)`. On success, the value contains the contents of the
/// resource; a server may split the resource into several. `result().attempts()` has a record per attempt and per
/// unavailable server; the list of records is empty if the first attempt succeeded. On error, `result().detail()` is a
/// human-readable text, in which the secrets of the configuration are redacted.
/// \par Errors
/// - `entry_not_found`: no server lists the URI or has a matching template; `result().detail()` has similar URIs and
///   the names of the servers that were searched.
/// - `no_eligible_server`: the policies admit no server, or the queues of all eligible servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the request may be repeated.
/// - `deadline_exceeded`: 300 s have elapsed, the default of `call_options::timeout`.
/// - `attempt_timed_out` and errors of the transport are errors of single attempts, in `result().attempts()`.
/// - A code of `rpc_category`: a server returned an error response: -32002, or -32602 in 2026-07-28, for an unknown
///   resource. `malformed_message`: the result of the server is not valid.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input, and no handler
///   is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `not_connected`: the connector is closed. `operation_aborted`: cancelled, or the connector was closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the operation with `operation_aborted`. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream. `total`: completes the operation only while no server can have executed the request.
/// Outstanding list requests continue.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// All parameters are copied before the function returns. The connector may be destroyed during the operation, which
/// then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Reading Resources".
template<asio::completion_token_for<void(error_code, typed_result<std::vector<resource_contents>>)> Token = throwing_t>
auto async_read_resource(connector_base const& hub, std::string_view uri, Token&& token = Token())
{
    auto call = detail::prepare_read(detail::connector_access::core(hub), uri);
    return detail::start_typed_entry_call<&read_resource_result>(detail::connector_access::core(hub), std::move(call),
                                                                 token);
}

/// Enables a connector to store results of `async_read_resource`, and to use them instead of requests.
///
/// A result is stored if the server sent a time to live (`ttlMs`) that is not 0, and is used until this time, at most
/// 24 h, has ended. The stored result is used only for the same URI on the same connection with the same server, and
/// only for requests without `call_options::meta`. The record of a stored result in `call_result::attempts()` has
/// `attempt_record::from_store` set to true. With `call_options::use_stored_results` set to false, the connector sends
/// a request for this read. A result is not stored if the server requested input for the request, or if any server
/// notified of a change of a resource or of its list of resources while the request was outstanding.
///
/// A notification that a resource was updated drops the result of the resource, and the results of resources whose URI
/// is a prefix of the URI in the notification; a program subscribes to such notifications by `async_subscribe_resource`
/// with a session of `find_session`. A change of the list of resources drops the results of the server. After a loss of
/// a connection, the results that were received on it are not used any more. The end of the time to live causes no
/// request.
///
/// All requests of a connection have the authorization of the server's configuration, so that a result with the
/// `cacheScope` `private` remains within its authorization. If a `token_provider` returns tokens of different end
/// users, the program must call `drop_read_results` at each change of the end user. `async_read_resource` with a
/// session of `find_session` always sends a request.
///
/// \param hub The connector.
/// \param max_bytes Maximum size of all stored results, counted as their texts and URIs. If there is no room, the
/// results whose time to live ends first are dropped. 0: nothing is stored, as before the first call of this function.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2026-07-28, "Caching".
inline void store_read_results(connector_base& hub, std::size_t max_bytes = default_stored_bytes)
{
    detail::limit_stored_results(detail::connector_access::core(hub), max_bytes);
}

/// Drops all stored results of reads (`store_read_results`). The results of outstanding requests are not stored.
///
/// \param hub The connector.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
inline void drop_read_results(connector_base& hub) { detail::drop_stored_results(detail::connector_access::core(hub)); }

} // namespace linkspan

#endif
