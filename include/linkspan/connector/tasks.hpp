#ifndef LINKSPAN_CONNECTOR_TASKS_HPP
#define LINKSPAN_CONNECTOR_TASKS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/requested_task.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/started_call.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/async_result.hpp>

#include <memory>
#include <string_view>
#include <utility>

// Calls of a connector that may become tasks. <linkspan/session/tasks.hpp> has the operations on a task.
namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Initiation object of a call whose response may contain a task.
struct initiate_task_call : executor_initiation {
    template<class Handler>
    void operator()(Handler&& handler, call_pointer call, std::shared_ptr<requested_task const> requested) const
    {
        request_origin origin{nullptr, secrets_of(call)};
        auto read = [origin = std::move(origin), requested = std::move(requested)](auto&& done, error_code ec,
                                                                                   call_result result) {
            auto started = read_started_call(ec, std::move(result), origin, requested->form); // may set `ec`
            std::forward<decltype(done)>(done)(ec, std::move(started));
        };
        mapped_handler mapped(std::forward<Handler>(handler), std::move(read));
        start_call(std::move(call), {std::move(mapped), executor});
    }
};

} // namespace detail

/// Calls a tool of one of the servers, and permits the server to continue the call as a task.
///
/// The call has the semantics of `connector_base::async_call`: the policies select the server, interceptors are
/// invoked, and after a failure the call is sent again as its replay class permits. Each attempt requests a task if its
/// server supports tasks: in 2026-07-28, if the server declares the extension `io.modelcontextprotocol/tasks`; in
/// 2025-11-25, if the server has the capability `tasks.requests.tools.call` and `tool::tasks` in the catalog is
/// `optional` or `required`. Otherwise, the attempt is an ordinary call.
///
/// A task belongs to the server that has created it: `started_call::result.server()`. The program waits for the outcome
/// of the task with `async_wait_task` and the session of this server. This outcome is not validated against the output
/// schema of the tool, is not repeated on another server, and does not change the health of the server.
///
///     auto const started = co_await linkspan::async_start_task(hub, "transcribe", recording);
///     auto const server = linkspan::find_session(hub, started.result.server());
///     auto const result = started.task ? co_await linkspan::async_wait_task(*server, *started.task) : started.result;
///
/// \param hub The connector.
/// \param tool Name of the tool, as in `connector_base::async_call`.
/// \param args Arguments of the tool: a JSON object. Serialized before the function returns.
/// \param options Time to live of the task, and options of the call.
/// \par Completion signature
/// `void(error_code, started_call)`. On success, `started_call::task` contains the task, or is empty if the server
/// responded with the result. `started_call::result.attempts()` has a record per attempt and per unavailable server;
/// the list of records is empty if the first attempt succeeded.
/// \par Errors
/// - `malformed_message`: the response of the server is not readable, or the task in it is not valid;
///   `started_call::result.detail()` contains the beginning of the response. The server may still execute the call.
/// - `tool_not_found`: no server has a tool of this name, also after one more `tools/list` request. `ambiguous_tool`:
///   the name belongs to several tools that are not interchangeable.
/// - `not_connected`: the connector is closed.
/// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema (see
///   `connector_base::set_call_validation`). No request was sent.
/// - `unexpected_result`: the result does not match the output schema (see `connector_base::set_call_validation`).
/// - `no_eligible_server`: the policies admit no server, or the queues of all servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
/// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
/// - `deadline_exceeded`: `call_options::timeout` elapsed.
/// - A code of `rpc_category`: a server returned an error response to the call.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the call,
///   and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. A task that was created is not cancelled. An interceptor of the connector forwards only the cancellation types
/// that its coroutine enables; see `interceptor`.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<argument_source Arguments = arguments,
         asio::completion_token_for<void(error_code, started_call)> Token = throwing_t>
auto async_start_task(connector_base const& hub, std::string_view tool, Arguments const& args, task_request options,
                      Token&& token = Token())
{
    auto requested = std::make_shared<detail::requested_task>();
    requested->ttl = options.ttl;
    auto call = detail::prepare_call(detail::connector_access::core(hub), {}, tool);
    detail::set_options(*call, std::move(options.call));
    detail::start_task(*call, requested);
    detail::put_arguments(call, args);
    return asio::async_initiate<Token, void(error_code, started_call)>(detail::initiate_task_call{{hub.get_executor()}},
                                                                       token, std::move(call), std::move(requested));
}

/// Calls a tool of one of the servers, with default options, and permits the server to continue the call as a task.
///
/// The call has the semantics of `connector_base::async_call`: the policies select the server, interceptors are
/// invoked, and after a failure the call is sent again as its replay class permits. Each attempt requests a task if its
/// server supports tasks: in 2026-07-28, if the server declares the extension `io.modelcontextprotocol/tasks`; in
/// 2025-11-25, if the server has the capability `tasks.requests.tools.call` and `tool::tasks` in the catalog is
/// `optional` or `required`. Otherwise, the attempt is an ordinary call.
///
/// A task belongs to the server that has created it: `started_call::result.server()`. The program waits for the outcome
/// of the task with `async_wait_task` and the session of this server. This outcome is not validated against the output
/// schema of the tool, is not repeated on another server, and does not change the health of the server.
///
/// \param hub The connector.
/// \param tool Name of the tool, as in `connector_base::async_call`.
/// \param args Arguments of the tool: a JSON object. Serialized before the function returns.
/// \par Completion signature
/// `void(error_code, started_call)`. On success, `started_call::task` contains the task, or is empty if the server
/// responded with the result. `started_call::result.attempts()` has a record per attempt and per unavailable server;
/// the list of records is empty if the first attempt succeeded.
/// \par Errors
/// - `malformed_message`: the response of the server is not readable, or the task in it is not valid;
///   `started_call::result.detail()` contains the beginning of the response. The server may still execute the call.
/// - `tool_not_found`: no server has a tool of this name, also after one more `tools/list` request. `ambiguous_tool`:
///   the name belongs to several tools that are not interchangeable.
/// - `not_connected`: the connector is closed.
/// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema (see
///   `connector_base::set_call_validation`). No request was sent.
/// - `unexpected_result`: the result does not match the output schema (see `connector_base::set_call_validation`).
/// - `no_eligible_server`: the policies admit no server, or the queues of all servers are full.
/// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
/// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
/// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
/// - A code of `rpc_category`: a server returned an error response to the call.
/// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the call,
///   and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is exceeded.
/// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. A task that was created is not cancelled. An interceptor of the connector forwards only the cancellation types
/// that its coroutine enables; see `interceptor`.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<argument_source Arguments = arguments,
         asio::completion_token_for<void(error_code, started_call)> Token = throwing_t>
auto async_start_task(connector_base const& hub, std::string_view tool, Arguments const& args = {},
                      Token&& token = Token())
{
    return async_start_task(hub, tool, args, task_request(), std::forward<Token>(token));
}

} // namespace linkspan

#endif
