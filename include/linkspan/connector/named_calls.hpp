#ifndef LINKSPAN_CONNECTOR_NAMED_CALLS_HPP
#define LINKSPAN_CONNECTOR_NAMED_CALLS_HPP

#include <linkspan/connector/detail/core_calls.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Starts a prepared call when the completion token initiates the operation.
struct initiate_call : executor_initiation {
    template<class Handler>
    void operator()(Handler&& handler, call_pointer call) const
    {
        start_call(std::move(call), {std::forward<Handler>(handler), executor});
    }
};

// Writes the arguments of a call, or makes the call fail with `invalid_arguments` if they have a problem.
template<class Arguments>
void put_arguments(call_pointer const& call, Arguments const& args)
{
    if (auto const problem = append_arguments(arguments_text(*call), args); !problem.empty())
        reject_arguments(call, problem);
}

} // namespace detail

/// Base class of connectors and scopes: calls of a tool by its name.
///
/// \tparam Self The derived class. `connector_base`, `connector` and `server_scope` derive from this class.
/// \par Thread safety
/// Call on the executor of the connector, which must not run two handlers concurrently.
template<class Self>
class named_calls {
public:
    /// Calls a tool by its name.
    ///
    /// The routing policy selects the server. If an attempt fails, the fallback policy decides the next step; a call
    /// that may have been executed is sent again only if the replay class of the tool or the fallback policy permits a
    /// second execution. If the name is unknown, the connector first sends one `tools/list` request to each open
    /// server, and starts servers in the state `idle`, beginning with those of `start_mode::eager`. The call fails if
    /// no server has the tool. The call starts when the completion token initiates the operation (with the default
    /// token: at `co_await`). The timeouts of the call begin at that time.
    ///
    ///     auto result = co_await hub.async_call("read_file", {{"path", "/srv/a.txt"}});
    ///
    /// \param tool Exposed name, or the tool's own name if that name is unambiguous. In the scope of one server: the
    /// tool's own name. Copied before the function returns.
    /// \param args Arguments of the tool: an `arguments`, a `boost::json::object`, or name-value pairs in braces.
    /// Serialized before the function returns.
    /// \param options Timeouts, progress handler, affinity and metadata of this call.
    /// \par Completion signature
    /// `void(error_code, call_result)`. If the tool reports its own failure, the call completes without an error, and
    /// `call_result::is_error()` is true. On error, `call_result::attempts()` and `detail()` contain the reasons. With
    /// `unexpected_result`, the result also contains the value that the server sent.
    /// \par Errors
    /// - `tool_not_found`: no server has a tool of this name, also after one more `tools/list` request.
    /// - `ambiguous_tool`: several servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
    /// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `connector_base::set_call_validation`).
    /// - `no_eligible_server`: the policies or the scope admit no server, or the queues of all eligible servers are
    ///   full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: `call_options::timeout` elapsed, by default 300 s.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled, or the connector was closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
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
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call(std::string_view tool, Arguments const& args, call_options options, Token&& token = Token())
    {
        return start(tool, args, token, std::move(options));
    }

    /// Calls a tool by its name, with default options.
    ///
    /// Equivalent to `async_call(tool, args, call_options(), token)`.
    ///
    /// \param tool Exposed name, or the tool's own name if that name is unambiguous. In the scope of one server: the
    /// tool's own name. Copied before the function returns.
    /// \param args Arguments of the tool: an `arguments`, a `boost::json::object`, or name-value pairs in braces.
    /// Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. If the tool reports its own failure, the call completes without an error, and
    /// `call_result::is_error()` is true. On error, `call_result::attempts()` and `detail()` contain the reasons.
    /// \par Errors
    /// - `tool_not_found`: no server has a tool of this name, also after one more `tools/list` request.
    /// - `ambiguous_tool`: several servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
    /// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `connector_base::set_call_validation`).
    /// - `no_eligible_server`: the policies or the scope admit no server, or the queues of all eligible servers are
    ///   full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled, or the connector was closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
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
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call(std::string_view tool, Arguments const& args = {}, Token&& token = Token())
    {
        return start(tool, args, token);
    }

    /// Calls a tool by its name, without arguments and with default options.
    ///
    /// Equivalent to `async_call(tool, arguments(), call_options(), token)`.
    ///
    /// \param tool Exposed name, or the tool's own name if that name is unambiguous. In the scope of one server: the
    /// tool's own name. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. If the tool reports its own failure, the call completes without an error, and
    /// `call_result::is_error()` is true. On error, `call_result::attempts()` and `detail()` contain the reasons.
    /// \par Errors
    /// - `tool_not_found`: no server has a tool of this name, also after one more `tools/list` request.
    /// - `ambiguous_tool`: several servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
    /// - `invalid_arguments`: the input schema requires arguments (see `connector_base::set_call_validation`). No
    ///   request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `connector_base::set_call_validation`).
    /// - `no_eligible_server`: the policies or the scope admit no server, or the queues of all eligible servers are
    ///   full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled, or the connector was closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
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
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_call(std::string_view tool, Token&& token)
    {
        return start(tool, arguments(), token);
    }

private:
    // `options`: a `call_options`, or nothing.
    template<class Arguments, class Token, class... Options>
    auto start(std::string_view tool, Arguments const& args, Token& token, Options... options)
    {
        auto& self = static_cast<Self&>(*this);
        auto call = self.prepare(tool, std::move(options)...);
        detail::put_arguments(call, args);
        return asio::async_initiate<Token, void(error_code, call_result)>(detail::initiate_call{self.get_executor()},
                                                                          token, std::move(call));
    }
};

} // namespace linkspan

#endif
