#ifndef LINKSPAN_AGENT_AGENT_HPP
#define LINKSPAN_AGENT_AGENT_HPP

#include <linkspan/agent/model_call.hpp>
#include <linkspan/agent/tool_result_message.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_options.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Outcome of one request of `async_execute_many`.
struct execution_outcome {
    /// Reason why the tool has no result, such as `malformed_message`, `invalid_tool_name`, `deadline_exceeded` or
    /// `operation_aborted`. No error: the tool returned a result, which may be a failure of the tool.
    error_code ec;

    /// Message for the model, in the format of the operation. If `ec` is set, the message contains the reason.
    std::string message;
};

namespace detail {

// Starts one request, and completes with the message for the model. A failure that the message describes is not an
// error of the operation.
LINKSPAN_DECL void start_execution(connector_base* hub, std::string_view request, tool_format format,
                                   call_options options, pending_handler<void(error_code, std::string)> done);

LINKSPAN_DECL void start_executions(connector_base* hub, std::vector<std::string> const& requests, tool_format format,
                                    call_options const& options,
                                    pending_handler<void(error_code, std::vector<execution_outcome>)> done);

} // namespace detail

/// Executes one request of a model: reads the request, calls the tool by its exposed name, and returns the message for
/// the model.
///
///     std::string message = co_await async_execute(hub, request, tool_format::anthropic, options);
///
/// Failures are described in the message, so that the model can correct its request. A malformed or truncated request
/// is not executed: no request is sent to a server, and the message states the problem.
///
/// \param hub Connector of the tools.
/// \param request JSON text of one tool-use object of the model, such as `{"type":"tool_use",...}`; see
/// `read_model_call`.
/// \param format Format of the request and of the message.
/// \param options Options of the call. Set `call_options::timeout` to bound its duration.
/// \par Completion signature
/// `void(error_code, std::string)`. The message is valid also on error.
/// \par Errors
/// `operation_aborted`: the call was cancelled, or the connector was closed during the call. No other errors: all other
/// failures are described in the message.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. A cancellation has no effect on a malformed request.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor, by
/// default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector must exist until the operation is initiated (with the default token: at `co_await`). The connector may
/// be destroyed during the operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, call_options options,
                   Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::string)>(
        detail::initiate<&detail::start_execution>(&hub), token, std::move(request), format, std::move(options));
}

/// Executes one request of a model with default options: reads the request, calls the tool by its exposed name, and
/// returns the message for the model.
///
///     std::string message = co_await async_execute(hub, request, tool_format::anthropic);
///
/// \param hub Connector of the tools.
/// \param request Request of the model, as for `read_model_call`.
/// \param format Format of the request and of the message.
/// \par Completion signature
/// `void(error_code, std::string)`. The message is valid also on error.
/// \par Errors
/// `operation_aborted`: the call was cancelled, or the connector was closed during the call. No other errors: all other
/// failures are described in the message.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. A cancellation has no effect on a malformed request.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor, by
/// default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector must exist until the operation is initiated (with the default token: at `co_await`). The connector may
/// be destroyed during the operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, Token&& token = Token())
{
    return async_execute(hub, std::move(request), format, call_options(), std::forward<Token>(token));
}

/// Executes all requests of one turn of a model concurrently.
///
///     auto outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic, options);
///     for (auto const& outcome : outcomes)
///         conversation.append(outcome.message);
///
/// Each request has its own outcome: a request that fails or is malformed does not affect the others.
///
/// \param hub Connector of the tools.
/// \param requests Requests of the model, each as for `read_model_call`. Empty: the operation completes with no
/// outcomes.
/// \param format Format of the requests and of the messages.
/// \param options Options of each call. `call_options::timeout` bounds the operation, because the calls run
/// concurrently.
/// \par Completion signature
/// `void(error_code, std::vector<execution_outcome>)`. One outcome per request, in the order of the requests.
/// \par Errors
/// None: errors of the requests are in `execution_outcome::ec`, also after a cancellation.
/// \par Cancellation
/// Each type is forwarded to all calls. `terminal`, `partial`: aborts a call. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream; the server may have run the tool. `total`: aborts a call only while no server can have run the
/// tool. Completed calls keep their outcomes. The operation completes when all calls have completed.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor, by
/// default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector must exist until the operation is initiated (with the default token: at `co_await`). The connector may
/// be destroyed during the operation; the outstanding outcomes are then `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; calls that were already started continue.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        call_options options, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::vector<execution_outcome>)>(
        detail::initiate<&detail::start_executions>(&hub), token, std::move(requests), format, std::move(options));
}

/// Executes all requests of one turn of a model concurrently, with default options.
///
///     auto outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic);
///
/// Each request has its own outcome: a request that fails or is malformed does not affect the others.
///
/// \param hub Connector of the tools.
/// \param requests Requests of the model, each as for `read_model_call`. Empty: the operation completes with no
/// outcomes.
/// \param format Format of the requests and of the messages.
/// \par Completion signature
/// `void(error_code, std::vector<execution_outcome>)`. One outcome per request, in the order of the requests.
/// \par Errors
/// None: errors of the requests are in `execution_outcome::ec`, also after a cancellation.
/// \par Cancellation
/// Each type is forwarded to all calls. `terminal`, `partial`: aborts a call. A request that was not sent is discarded.
/// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing
/// the response stream; the server may have run the tool. `total`: aborts a call only while no server can have run the
/// tool. Completed calls keep their outcomes. The operation completes when all calls have completed.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor, by
/// default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector must exist until the operation is initiated (with the default token: at `co_await`). The connector may
/// be destroyed during the operation; the outstanding outcomes are then `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on its executor.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; calls that were already started continue.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        Token&& token = Token())
{
    return async_execute_many(hub, std::move(requests), format, call_options(), std::forward<Token>(token));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/agent.ipp>
#endif

#endif
