#ifndef LINKSPAN_CONNECTOR_CALL_WITH_FALLBACK_HPP
#define LINKSPAN_CONNECTOR_CALL_WITH_FALLBACK_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/model/arguments.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Calls a tool on a primary server and, if that server fails, on fallback servers in a given order.
///
/// The order takes precedence over priorities and the routing policy. Another server is used only if the previous
/// server certainly did not execute the tool, or if the replay class of the tool or the fallback policy of the
/// connector permits a second execution. Attempts at servers that are not reached do not count towards the maximum
/// number of attempts of the fallback policy, so that this limit does not exclude the last servers.
///
///     std::vector<std::string> const fallbacks{"replica", "archive"};
///     auto rows = co_await async_call_with_fallback(hub, "database", fallbacks, "query", args);
///
/// g++ 12 does not compile a braced list within a `co_await` expression: give the list a name.
/// <linkspan/config/fallback_servers.hpp> has an equivalent for servers that are started for one call only.
///
/// \param hub The connector.
/// \param primary Name of the first server.
/// \param fallbacks Names of the other servers, in their order. May be empty.
/// \param tool The tool's own name. Copied before the function returns.
/// \param args Arguments of the tool, a JSON object. Serialized before the function returns.
/// \par Completion signature
/// `void(error_code, call_result)`. On error, `call_result::attempts()` has a record per attempt and per unavailable
/// server.
/// \par Errors
/// - `unknown_server`: a name belongs to no server. `tool_not_found`: none of the servers has the tool; disabled
///   servers are ignored.
/// - `all_servers_failed`: every server failed or is unavailable; the call may safely be repeated.
/// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
/// - `deadline_exceeded`: the default timeout of calls, 300 s, elapsed.
/// - `invalid_arguments`, `unexpected_result`: `args` or the result are not valid. `no_eligible_server`: the policies
///   admit none of the servers.
/// - A code of `rpc_category`: a server returned an error response. `malformed_message`: the response of the server is
///   not readable.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the call,
///   and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `interceptor_failed`: an interceptor threw. `not_connected`: the connector is closed. `operation_aborted`:
///   cancelled, or the connector was closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. An interceptor of the connector forwards only the cancellation types that its coroutine enables; see
/// `interceptor`.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// All parameters are copied or serialized before the function returns. The connector may be destroyed during the
/// operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_call_with_fallback(connector_base& hub, std::string primary, std::vector<std::string> fallbacks,
                              std::string_view tool, arguments const& args = {}, Token&& token = Token())
{
    selector in_order;
    in_order.servers = std::move(fallbacks);
    in_order.servers.insert(in_order.servers.begin(), std::move(primary));
    return hub.on_servers(std::move(in_order)).async_call(tool, args, std::forward<Token>(token));
}

} // namespace linkspan

#endif
