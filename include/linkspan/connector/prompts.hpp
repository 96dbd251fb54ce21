#ifndef LINKSPAN_CONNECTOR_PROMPTS_HPP
#define LINKSPAN_CONNECTOR_PROMPTS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/entry_calls.hpp>
#include <linkspan/connector/merged_list.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <string_view>
#include <utility>

// Operations on the prompts of all servers of a connector. <linkspan/session/prompts.hpp> has those of one server.
namespace linkspan::inline LINKSPAN_ABI {

/// Lists the prompts of all servers of a connector.
///
/// The first operation that needs the lists of prompts requests them from each server that declares the capability
/// `prompts`; the opening of the connector does not. Later operations use the stored list of a server until its time to
/// live (`ttlMs`, see `list_freshness`) ends, the server notifies of a change, or the server is connected again; the
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
/// `void(error_code, merged_list<prompt>)`. The list is empty after `not_connected` and `operation_aborted`.
/// \par Errors
/// `all_servers_failed`: the list has failures and no entries. `not_connected`: the connector is closed.
/// `operation_aborted`: cancelled, or the connector was closed. `failed_list::ec` has the errors of
/// `async_list_prompts(session_ref const&)`.
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
/// MCP 2025-11-25 and 2026-07-28, server/prompts, "Listing Prompts"; MCP 2026-07-28, "Caching".
template<asio::completion_token_for<void(error_code, merged_list<prompt>)> Token = asio::deferred_t>
auto async_list_prompts(connector_base const& hub, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, merged_list<prompt>)>(
        detail::initiate<&detail::list_all<prompt>>(detail::connector_access::core(hub)), token);
}

/// Gets a prompt from one of the servers of a connector.
///
/// The name is the own name of the prompt, or the name that the naming policy makes of it for one server, such as
/// `server__prompt`. The first use requests the lists, which are then stored as those of `async_list_prompts`; a list
/// that may have changed is used, and requested again at the same time. A name that is in no list causes one further
/// request per list, and starts the servers with `start_mode::lazy`. Prompts with the same name and the same arguments
/// are interchangeable, as tools of one group; other prompts with the same name are ambiguous.
///
/// The request is handled like a call of a read-only tool: the routing, admission, fallback and health policies of the
/// connector select one of the servers that have the prompt, and after a failure the request is sent again, to the same
/// server or to another one. Interceptors are not invoked, because they apply to tool calls only.
///
/// \param hub The connector.
/// \param name Name of the prompt.
/// \param arguments Names and values of the arguments.
/// \param options Timeouts, progress handler, affinity and `_meta` of the request; empty members have the defaults.
/// \par Completion signature
/// `void(error_code, typed_result<prompt_result>)`. On success, the value contains the messages. `result().attempts()`
/// has a record per attempt and per unavailable server; the list of records is empty if the first attempt succeeded. On
/// error, `result().detail()` is a human-readable text, in which the secrets of the configuration are redacted.
/// \par Errors
/// - `entry_not_found`: no server lists the name; `result().detail()` has similar names and the names of the servers
///   that were searched.
/// - `ambiguous_prompt`: servers list different prompts with the name; `result().detail()` has the qualified names.
/// - `no_eligible_server`: the policies admit no server, or the queues of all eligible servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the request may be repeated.
/// - `deadline_exceeded`: `call_options::timeout` has elapsed, by default 300 s.
/// - `attempt_timed_out` and errors of the transport are errors of single attempts, in `result().attempts()`.
/// - A code of `rpc_category`: a server returned an error response: -32602 for arguments that are not valid.
///   `malformed_message`: the result of the server is not valid.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input, and no handler
///   is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `not_connected`: the connector is closed. `operation_aborted`: cancelled, or the connector was closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the operation with `operation_aborted`. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream. `total`: completes the operation only while no request was sent. Outstanding list requests
/// continue.
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
/// MCP 2025-11-25 and 2026-07-28, server/prompts, "Getting a Prompt".
template<asio::completion_token_for<void(error_code, typed_result<prompt_result>)> Token = throwing_t>
auto async_get_prompt(connector_base const& hub, std::string_view name, argument_values const& arguments,
                      call_options options, Token&& token = Token())
{
    auto call = detail::prepare_prompt(detail::connector_access::core(hub), name, arguments);
    detail::set_options(*call, std::move(options));
    return detail::start_typed_entry_call<&read_prompt_result>(detail::connector_access::core(hub), std::move(call),
                                                               token);
}

/// Gets a prompt from one of the servers of a connector, with default options.
///
/// The name is the own name of the prompt, or the name that the naming policy makes of it for one server, such as
/// `server__prompt`. The first use requests the lists, which are then stored as those of `async_list_prompts`; a list
/// that may have changed is used, and requested again at the same time. A name that is in no list causes one further
/// request per list, and starts the servers with `start_mode::lazy`. Prompts with the same name and the same arguments
/// are interchangeable, as tools of one group; other prompts with the same name are ambiguous.
///
/// The request is handled like a call of a read-only tool: the routing, admission, fallback and health policies of the
/// connector select one of the servers that have the prompt, and after a failure the request is sent again, to the same
/// server or to another one. Interceptors are not invoked, because they apply to tool calls only.
///
/// \param hub The connector.
/// \param name Name of the prompt.
/// \param arguments Names and values of the arguments.
/// \par Completion signature
/// `void(error_code, typed_result<prompt_result>)`. On success, the value contains the messages. `result().attempts()`
/// has a record per attempt and per unavailable server; the list of records is empty if the first attempt succeeded. On
/// error, `result().detail()` is a human-readable text, in which the secrets of the configuration are redacted.
/// \par Errors
/// - `entry_not_found`: no server lists the name; `result().detail()` has similar names and the names of the servers
///   that were searched.
/// - `ambiguous_prompt`: servers list different prompts with the name; `result().detail()` has the qualified names.
/// - `no_eligible_server`: the policies admit no server, or the queues of all eligible servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the request may be repeated.
/// - `deadline_exceeded`: 300 s have elapsed, the default of `call_options::timeout`.
/// - `attempt_timed_out` and errors of the transport are errors of single attempts, in `result().attempts()`.
/// - A code of `rpc_category`: a server returned an error response: -32602 for arguments that are not valid.
///   `malformed_message`: the result of the server is not valid.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input, and no handler
///   is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `not_connected`: the connector is closed. `operation_aborted`: cancelled, or the connector was closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the operation with `operation_aborted`. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream. `total`: completes the operation only while no request was sent. Outstanding list requests
/// continue.
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
/// MCP 2025-11-25 and 2026-07-28, server/prompts, "Getting a Prompt".
template<asio::completion_token_for<void(error_code, typed_result<prompt_result>)> Token = throwing_t>
auto async_get_prompt(connector_base const& hub, std::string_view name, argument_values const& arguments,
                      Token&& token = Token())
{
    auto call = detail::prepare_prompt(detail::connector_access::core(hub), name, arguments);
    return detail::start_typed_entry_call<&read_prompt_result>(detail::connector_access::core(hub), std::move(call),
                                                               token);
}

} // namespace linkspan

#endif
