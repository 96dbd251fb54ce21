#ifndef LINKSPAN_CONNECTOR_TYPED_CALLS_HPP
#define LINKSPAN_CONNECTOR_TYPED_CALLS_HPP

#include <linkspan/connector/detail/typed_call.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Base class of connectors and scopes: calls with a described struct as arguments and a C++ type as result.
///
/// \tparam Self The derived class. `connector_base`, `connector` and `server_scope` derive from this class.
/// \par Thread safety
/// Call on the executor of the connector, which must not run two handlers concurrently.
template<class Self>
class typed_calls {
    template<class Call>
    using result_of = typed_result<typename detail::result_type_of<std::remove_cvref_t<Call>>::type>;

public:
    /// Calls the tool that a struct describes, and converts the result to the struct's `result_type`.
    ///
    /// The members of the struct are the arguments. Their values are checked against the struct's own constraints
    /// before a request is sent. A call through a `connector` does not compile if the hints of the tool forbid a second
    /// execution and the fallback policy may repeat any call.
    ///
    ///     get_forecast call{.city = "Oslo"};
    ///     auto reply = co_await hub.async_call(call);
    ///     std::cout << reply->high;
    ///
    /// \tparam Call Satisfies `ToolCall`.
    /// \param call Arguments of the tool. Serialized before the function returns.
    /// \param options Timeouts, progress handler, affinity and metadata of this call.
    /// \par Completion signature
    /// `void(error_code, typed_result<Call::result_type>)`. On error there is no value; `result()` contains the
    /// attempts and a detail text, in which the secrets of `server_options::secrets` are redacted.
    /// \par Errors
    /// - `invalid_arguments`: the struct violates its own constraints, or the arguments do not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `tool_failed`: the tool reported its own failure (`isError`).
    /// - `unexpected_result`: the result cannot be converted to `result_type`, or does not match the output schema;
    ///   `result().detail()` names the place in the result.
    /// - `tool_not_found`: no server has the tool, also after one more `tools/list` request. `ambiguous_tool`: several
    ///   servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
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
    /// Strong. Throws `std::bad_alloc`, and exceptions of the described members.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools" and "Structured Content".
    template<class Call, asio::completion_token_for<void(error_code, result_of<Call>)> Token = throwing_t>
        requires detail::only_argument_of_call<std::remove_cvref_t<Call>> // an assertion requires ToolCall
    auto async_call(Call&& call, call_options options, Token&& token = Token())
    {
        return start_described<Call>(call, token, std::move(options));
    }

    /// Calls the tool that a struct describes, with default options.
    ///
    /// Equivalent to `async_call(call, call_options(), token)`.
    ///
    /// \tparam Call Satisfies `ToolCall`.
    /// \param call Arguments of the tool. Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, typed_result<Call::result_type>)`. On error there is no value; `result()` contains the
    /// attempts and a detail text.
    /// \par Errors
    /// - `invalid_arguments`: the struct violates its own constraints, or the arguments do not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `tool_failed`: the tool reported its own failure (`isError`).
    /// - `unexpected_result`: the result cannot be converted to `result_type`, or does not match the output schema;
    ///   `result().detail()` names the place in the result.
    /// - `tool_not_found`: no server has the tool, also after one more `tools/list` request. `ambiguous_tool`: several
    ///   servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
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
    /// Strong. Throws `std::bad_alloc`, and exceptions of the described members.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools" and "Structured Content".
    template<class Call, asio::completion_token_for<void(error_code, result_of<Call>)> Token = throwing_t>
        requires detail::only_argument_of_call<std::remove_cvref_t<Call>> // an assertion requires ToolCall
    auto async_call(Call&& call, Token&& token = Token())
    {
        return start_described<Call>(call, token);
    }

    /// Calls a tool whose name, argument type and result type are given by a `typed_tool`.
    ///
    ///     constexpr linkspan::typed_tool<"add", operands, double> add;
    ///     auto sum = co_await hub.async_call(add, numbers);
    ///
    /// Equivalent to the call by a struct with this tool name and result type, except that no hints are checked at
    /// compile time.
    ///
    /// \param args Arguments of the tool, of the type `Arguments`. Serialized before the function returns.
    /// \param options Timeouts, progress handler, affinity and metadata of this call.
    /// \par Completion signature
    /// `void(error_code, typed_result<Result>)`. On error there is no value; `result()` contains the attempts and a
    /// detail text.
    /// \par Errors
    /// - `invalid_arguments`: `args` violates its own constraints, or the arguments do not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `tool_failed`: the tool reported its own failure (`isError`).
    /// - `unexpected_result`: the result cannot be converted to `Result`, or does not match the output schema;
    ///   `result().detail()` names the place in the result.
    /// - `tool_not_found`: no server has the tool, also after one more `tools/list` request. `ambiguous_tool`: several
    ///   servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
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
    /// Strong. Throws `std::bad_alloc`, and exceptions of the described members.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools" and "Structured Content".
    template<fixed_text Name, class Arguments, class Result, class Given,
             asio::completion_token_for<void(error_code, typed_result<Result>)> Token = throwing_t>
        requires std::same_as<std::remove_cvref_t<Given>, Arguments>
    auto async_call(typed_tool<Name, Arguments, Result>, Given&& args, call_options options, Token&& token = Token())
    {
        detail::require_safe_to_await<Given>();
        return start<Result>(Name.view(), args, token, std::move(options));
    }

    /// Calls a tool that is given by a `typed_tool`, with default options.
    ///
    /// Equivalent to `async_call(tool, args, call_options(), token)`.
    ///
    /// \param tool The tool. Only the type of this object is used.
    /// \param args Arguments of the tool, of the type `Arguments`. Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, typed_result<Result>)`. On error there is no value; `result()` contains the attempts and a
    /// detail text.
    /// \par Errors
    /// - `invalid_arguments`: `args` violates its own constraints, or the arguments do not match the input schema
    ///   (see `connector_base::set_call_validation`). No request was sent.
    /// - `tool_failed`: the tool reported its own failure (`isError`).
    /// - `unexpected_result`: the result cannot be converted to `Result`, or does not match the output schema;
    ///   `result().detail()` names the place in the result.
    /// - `tool_not_found`: no server has the tool, also after one more `tools/list` request. `ambiguous_tool`: several
    ///   servers have tools of this name that are not interchangeable.
    /// - `unknown_server`: the scope names a server that does not exist. `server_disabled`: the server of `on_server`
    ///   is disabled.
    /// - `not_connected`: the connector is closed, or the server of `on_server` cannot be reached and its tools are
    ///   unknown.
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
    /// Strong. Throws `std::bad_alloc`, and exceptions of the described members.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools" and "Structured Content".
    template<fixed_text Name, class Arguments, class Result, class Given,
             asio::completion_token_for<void(error_code, typed_result<Result>)> Token = throwing_t>
        requires std::same_as<std::remove_cvref_t<Given>, Arguments>
    auto async_call([[maybe_unused]] typed_tool<Name, Arguments, Result> tool, Given&& args, Token&& token = Token())
    {
        detail::require_safe_to_await<Given>();
        return start<Result>(Name.view(), args, token);
    }

private:
    // `Call`: the type of the described struct as it was passed, for the check of temporaries.
    template<class Call, class Struct, class Token, class... Options>
    auto start_described(Struct const& call, Token& token, Options... options)
    {
        detail::require_safe_to_await<Call>();
        static_assert(detail::names_tool<Struct>,
                      "linkspan: a call without the name of a tool needs a struct that is described with "
                      "LINKSPAN_STRUCT and has the members 'tool' and 'result_type', see linkspan::ToolCall");
        static_assert(detail::described_struct<Struct> || !detail::names_tool<Struct>,
                      "linkspan: the struct of a typed call is not described: use LINKSPAN_STRUCT or "
                      "BOOST_DESCRIBE_STRUCT, in the namespace of the struct");
        static_assert(
            !(Self::replays_all && detail::forbids_replay<Struct>),
            "linkspan: the hints of this tool forbid a second execution, but the fallback policy of the connector may "
            "repeat any call: use safe_failover or never_replay");
        using result = typename detail::result_type_of<Struct>::type;
        if constexpr (ToolCall<Struct>) {
            return start<result>(Struct::tool, call, token, std::move(options)...);
        } else { // avoids further errors of the compiler
            auto& self = static_cast<Self&>(*this);
            return start_prepared<result>({}, token, self.prepare({}, std::move(options)...));
        }
    }

    // `options`: a `call_options`, or nothing.
    template<class Result, class Arguments, class Token, class... Options>
    auto start(std::string_view tool, Arguments const& args, Token& token, Options... options)
    {
        static_assert(detail::is_complete<detail::argument_codec<Arguments>>,
                      "linkspan: typed calls need #include <linkspan/describe.hpp>");
        auto& self = static_cast<Self&>(*this);
        auto call = self.prepare(tool, std::move(options)...);
        detail::put_described_arguments(call, args);
        return start_prepared<Result>(tool, token, std::move(call));
    }

    template<class Result, class Token>
    auto start_prepared(std::string_view tool, Token& token, detail::call_pointer call)
    {
        return asio::async_initiate<Token, void(error_code, typed_result<Result>)>(
            detail::initiate_typed_call<Result>{static_cast<Self&>(*this).get_executor(), tool}, token,
            std::move(call));
    }
};

} // namespace linkspan

#endif
