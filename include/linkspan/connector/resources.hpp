#ifndef LINKSPAN_CONNECTOR_RESOURCES_HPP
#define LINKSPAN_CONNECTOR_RESOURCES_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/entry_calls.hpp>
#include <linkspan/connector/merged_list.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/session/resources.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

// Operations on the resources of all servers of a connector. <linkspan/session/resources.hpp> has those of one server.
namespace linkspan::inline LINKSPAN_ABI {

/// Lists the resources of all servers of a connector.
///
/// The first use lists the resources of each server that declares the capability `resources`; a connector that is
/// opened requests no such list. Later uses take the stored list of a server, until its time to live (`ttlMs`, see
/// `list_freshness`) ends, the server notifies of a change, or the server is connected again; the next use then lists
/// again. Concurrent operations share the list requests.
///
/// The operation waits for servers that are being opened, and starts idle servers without `start_mode::lazy`. Disabled
/// servers, servers that the program disconnected, and lazy servers that are not started are not asked. A server that
/// is not connected, or whose list request fails, is in `merged_list::failures`, and does not affect the others; the
/// last list of the server, if there is one, is in the result.
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
/// The first use lists the resource templates of each server that declares the capability `resources`; a connector that
/// is opened requests no such list. Later uses take the stored list of a server, until its time to live (`ttlMs`, see
/// `list_freshness`) ends, the server notifies of a change, or the server is connected again; the next use then lists
/// again. Concurrent operations share the list requests.
///
/// The operation waits for servers that are being opened, and starts idle servers without `start_mode::lazy`. Disabled
/// servers, servers that the program disconnected, and lazy servers that are not started are not asked. A server that
/// is not connected, or whose list request fails, is in `merged_list::failures`, and does not affect the others; the
/// last list of the server, if there is one, is in the result.
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

} // namespace linkspan

#endif
