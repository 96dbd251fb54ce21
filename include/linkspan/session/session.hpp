#ifndef LINKSPAN_SESSION_SESSION_HPP
#define LINKSPAN_SESSION_SESSION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/typed_responder.hpp>
#include <linkspan/session/detail/session_calls.hpp>
#include <linkspan/session/session_options.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/session/throwing.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// A session with one server.
///
/// Opens the connection, negotiates the protocol version, and sends any number of concurrent requests.
///
///     linkspan::session calculator(executor, linkspan::via<linkspan::stdio>({.command = "mock-calculator"}));
///     co_await calculator.async_open();
///     auto sum = co_await calculator.async_call_tool("add", args);
///
/// Every request is bounded in time: it fails after `idle_timeout` without a response or progress, after
/// `attempt_timeout` in any case, and after `call_options::timeout`. A response that arrives after its request has
/// completed is dropped and counted in `session_counters::late_responses`.
///
/// \par Executor
/// Call all members on the session's executor. Handlers run on their associated executors, and never inside the
/// function that starts the operation.
/// \par Lifetime
/// May be destroyed at any time, also inside one of its handlers. The destructor closes the session; outstanding
/// operations then complete with `operation_aborted`.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe. The executor must not run two handlers concurrently. Unless `NDEBUG`
/// is defined, an assertion fails if the executor runs two handlers concurrently.
class session {
public:
    using executor_type = asio::any_io_executor;

    /// Creates a session that is not open. Starts no child process and no connection.
    ///
    /// \param executor Runs all steps of the session; must not run two handlers concurrently.
    /// \param transport Makes one transport per connection, for example `via<stdio>(config)`.
    /// \param options Limits and defaults of the session.
    /// \throws std::invalid_argument if `session_options::max_in_flight` is 0, or `session_options::extensions` is
    /// neither empty nor one JSON object without duplicate keys.
    LINKSPAN_DECL session(executor_type executor, transport_factory transport, session_options options = {});

    /// Moves the session. Outstanding operations continue. The moved-from object may only be closed or destroyed.
    session(session&&) noexcept = default;
    session& operator=(session&&) = delete;

    /// Closes the session. Outstanding operations complete with `operation_aborted`.
    ~session() { close(); }

    /// Returns the executor that was passed to the constructor.
    LINKSPAN_DECL executor_type get_executor() const noexcept;

    /// Returns the state of the session.
    LINKSPAN_DECL session_state state() const noexcept;

    /// Returns the negotiated protocol version; empty before the first negotiation has completed, and while the session
    /// is being reopened. Keeps its value when the session closes.
    LINKSPAN_DECL std::optional<linkspan::protocol_version> protocol_version() const noexcept;

    /// Returns the description that the server sent during the last negotiation. The reference is valid while the
    /// session exists; its value changes when the session is reopened.
    LINKSPAN_DECL server_description const& server() const noexcept;

    /// Returns counts of unexpected input since the session was created. Reopening does not reset them.
    LINKSPAN_DECL session_counters const& counters() const noexcept;

    /// Returns the number of requests that have not completed: sent, queued, or waiting for input that the server
    /// requested. Requests of the session itself (negotiation, subscription to changes) are not counted.
    LINKSPAN_DECL std::size_t in_flight() const noexcept;

    /// Returns a human-readable text: the reason why the session could not be opened, or why it ended, with the
    /// diagnostics of the transport (exit status and end of stderr of a child process). After a graceful shutdown, the
    /// text contains the diagnostics of the transport only. Empty: there is nothing to report. The format may change.
    LINKSPAN_DECL std::string const& diagnostics() const noexcept;

    /// Returns the `WWW-Authenticate` challenge of the last 401 or 403 response; empty: none was received. Secrets of
    /// the configuration are redacted. The value is always empty for transports other than HTTP.
    LINKSPAN_DECL std::string const& challenge() const noexcept;

    /// Opens the connection and negotiates the protocol version with the server.
    ///
    /// A session that is idle or closed may be opened. When a closed session is reopened, the era of the last
    /// successful negotiation is used as `session_options::remembered`, so that a server of the handshake era is not
    /// probed again. An opening that fails after the connection was established discards the era, so that the next
    /// opening probes the server.
    ///
    /// \par Preconditions
    /// All handlers for requests and notifications of the server are set, because the session derives the capabilities
    /// that it declares from these handlers.
    /// \par Completion signature
    /// `void(error_code)`. With the default token, an exception contains `diagnostics()`.
    /// \par Errors
    /// `asio::error::already_open`: the session is open, opening or shutting down. Errors of the transport: the server
    /// could not be started or reached. `stream_ended` or another error of the transport: the connection ended during
    /// the negotiation. `no_common_protocol_version`: client, transport and server share no protocol version. A code of
    /// `rpc_category`: the server refused the negotiation. A status of `http_category`: an HTTP server refused it.
    /// `malformed_message`: the response to `initialize` is not valid. `attempt_timed_out`: no response to `initialize`
    /// within `session_options::startup_timeout`, or, over HTTP, none to the probe within `probe_timeout`.
    /// `connection_failed`: the negotiation required a second connection, and making or opening its transport threw an
    /// exception; another failure of this connection is an error of the transport. `not_json`:
    /// `session_options::strict` is true, and the server wrote a line that is neither a JSON object nor an array.
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the session as `close` does, which kills the child process or closes the
    /// connections immediately. The session may be opened again. `total`: not supported.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws the exceptions of the transport factory, in which case the session is unchanged, and the exceptions of
    /// opening the transport, in which case the session is closed. Throws `std::bad_alloc` if memory for the operation
    /// cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Initialization"; MCP 2026-07-28, basic/versioning.
    template<asio::completion_token_for<void(error_code)> Token = throwing_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_open(core_), token);
    }

    /// Sends a request with any method.
    ///
    /// The request is queued while `session_options::max_in_flight` requests have been sent and have no response, and
    /// while the session repeats the handshake because an HTTP server discarded its session. `attempt_timeout` bounds
    /// the time in the queue. When the request is sent, `attempt_timeout` begins again and bounds the time until the
    /// response. The time in the queue does not count for `idle_timeout`. While the server waits for input that it
    /// requested, `idle_timeout` is suspended.
    ///
    /// \param method Name of the method, without characters that JSON must escape.
    /// \param params The `params` object, without `_meta`; use `call_options::meta` for that. Serialized before the
    /// function returns.
    /// \param options Timeouts, progress handler and `_meta` of this request; empty members have the defaults of the
    /// session.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty; it has none on
    /// `invalid_arguments`.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `deadline_exceeded`: `call_options::timeout` has elapsed.
    /// `malformed_message`: the response is not valid. `unsupported_input_request`: the server requested input for
    /// which no handler is set. `input_refused`: a handler refused the input (other than an elicitation, whose refusal
    /// is sent to the server as `decline`), or threw an exception. `too_many_input_rounds`: the server requested input
    /// more often than `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an
    /// HTTP server discarded its session, and a new handshake failed, or the server discarded the new session too.
    /// Errors of the transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or
    /// closed. `invalid_arguments`: `params` is not one JSON object without duplicate keys; nothing is sent, and
    /// `call_result::detail()` names the problem.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// JSON-RPC 2.0, section 4; MCP 2025-11-25 and 2026-07-28, basic.
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_request(std::string_view method, Arguments const& params, call_options options, Token&& token = Token())
    {
        auto request = detail::prepare_request(core_, method);
        detail::set_options(*request, std::move(options));
        return start(std::move(request), params, token);
    }

    /// Sends a request with any method and the default options of the session.
    ///
    /// \param method Name of the method, without characters that JSON must escape.
    /// \param params The `params` object, without `_meta`. Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty; it has none on
    /// `invalid_arguments`.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `malformed_message`: the response is not valid.
    /// `unsupported_input_request`: the server requested input for which no handler is set. `input_refused`: a handler
    /// refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
    /// exception. `too_many_input_rounds`: the server requested input more often than
    /// `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an HTTP server
    /// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
    /// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// `invalid_arguments`: `params` is not one JSON object without duplicate keys; nothing is sent, and
    /// `call_result::detail()` names the problem.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// JSON-RPC 2.0, section 4; MCP 2025-11-25 and 2026-07-28, basic.
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_request(std::string_view method, Arguments const& params = {}, Token&& token = Token())
    {
        return start(detail::prepare_request(core_, method), params, token);
    }

    /// Sends a request with any method, without parameters and with the default options of the session.
    ///
    /// \param method Name of the method, without characters that JSON must escape.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `malformed_message`: the response is not valid.
    /// `unsupported_input_request`: the server requested input for which no handler is set. `input_refused`: a handler
    /// refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
    /// exception. `too_many_input_rounds`: the server requested input more often than
    /// `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an HTTP server
    /// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
    /// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// JSON-RPC 2.0, section 4; MCP 2025-11-25 and 2026-07-28, basic.
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_request(std::string_view method, Token&& token)
    {
        return start(detail::prepare_request(core_, method), arguments(), token);
    }

    /// Calls a tool of the server.
    ///
    /// A tool that reports its own failure produces a result: the error code is empty, and `call_result::is_error()` is
    /// true. Progress of the tool restarts `idle_timeout`, also without `call_options::on_progress`.
    ///
    /// \param tool Name of the tool as the server lists it.
    /// \param args Arguments of the tool: an `arguments`, a `boost::json::object`, or name-value pairs in braces.
    /// Serialized before the function returns.
    /// \param options Timeouts, progress handler and `_meta` of this call; empty members have the defaults of the
    /// session.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty; it has none on
    /// `invalid_arguments`.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `deadline_exceeded`: `call_options::timeout` has elapsed.
    /// `malformed_message`: the response is not valid. `unsupported_input_request`: the server requested input for
    /// which no handler is set. `input_refused`: a handler refused the input (other than an elicitation, whose refusal
    /// is sent to the server as `decline`), or threw an exception. `too_many_input_rounds`: the server requested input
    /// more often than `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an
    /// HTTP server discarded its session, and a new handshake failed, or the server discarded the new session too.
    /// Errors of the transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or
    /// closed. `invalid_arguments`: `args` is not one JSON object without duplicate keys; nothing is sent, and
    /// `call_result::detail()` names the problem.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call_tool(std::string_view tool, Arguments const& args, call_options options, Token&& token = Token())
    {
        auto request = detail::prepare_tool_call(core_, tool);
        detail::set_options(*request, std::move(options));
        return start(std::move(request), args, token);
    }

    /// Calls a tool of the server with the default options of the session.
    ///
    /// A tool that reports its own failure produces a result: the error code is empty, and `call_result::is_error()` is
    /// true.
    ///
    /// \param tool Name of the tool as the server lists it.
    /// \param args Arguments of the tool: an `arguments`, a `boost::json::object`, or name-value pairs in braces.
    /// Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty; it has none on
    /// `invalid_arguments`.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `malformed_message`: the response is not valid.
    /// `unsupported_input_request`: the server requested input for which no handler is set. `input_refused`: a handler
    /// refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
    /// exception. `too_many_input_rounds`: the server requested input more often than
    /// `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an HTTP server
    /// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
    /// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// `invalid_arguments`: `args` is not one JSON object without duplicate keys; nothing is sent, and
    /// `call_result::detail()` names the problem.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<argument_source Arguments = arguments,
             asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call_tool(std::string_view tool, Arguments const& args = {}, Token&& token = Token())
    {
        return start(detail::prepare_tool_call(core_, tool), args, token);
    }

    /// Calls a tool of the server without arguments, with the default options of the session.
    ///
    /// A tool that reports its own failure produces a result: the error code is empty, and `call_result::is_error()` is
    /// true.
    ///
    /// \param tool Name of the tool as the server lists it.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On success, `call_result::raw()` is the result as the server wrote it. On
    /// error, the result has one `attempt_record`, which contains the delivery certainty.
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
    /// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A
    /// code of `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server
    /// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or
    /// no response within `attempt_timeout`. `malformed_message`: the response is not valid.
    /// `unsupported_input_request`: the server requested input for which no handler is set. `input_refused`: a handler
    /// refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
    /// exception. `too_many_input_rounds`: the server requested input more often than
    /// `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an HTTP server
    /// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
    /// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream; the server may
    /// have executed the request. `total`: cancels a request that is not sent yet, else no effect. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// All arguments are copied or moved before the function returns. The session may be destroyed during the
    /// operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_call_tool(std::string_view tool, Token&& token)
    {
        return start(detail::prepare_tool_call(core_, tool), arguments(), token);
    }

    /// Requests the tools of the server, with all pages of the list.
    ///
    /// Over stateless HTTP, a tool whose `x-mcp-header` annotations are invalid is moved to `tool_list::unusable`, and
    /// the session remembers which arguments of the other tools must be sent as headers.
    ///
    /// \par Completion signature
    /// `void(error_code, tool_list)`. On error, the list is empty, and only its `detail` may be set.
    /// \par Errors
    /// `repeated_cursor`: the server returned a cursor twice. `list_too_long`: more pages than
    /// `session_options::max_pages`, or more tools than `max_tools`. `malformed_message`: a page or its cursor is not
    /// valid. `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`:
    /// the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of
    /// `rpc_category`: the server returned an error response. A status of `http_category`: an HTTP server refused the
    /// request. `attempt_timed_out`: a page was not received within `session_options::idle_timeout` or
    /// `attempt_timeout`, which apply to each page. `session_lost`: an HTTP server discarded its session, and a new
    /// handshake failed, or the server discarded the new session too. Errors of the transport, for example
    /// `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: cancels the outstanding request and requests no further page. The session stays
    /// open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Listing Tools"; server/utilities/pagination.
    template<asio::completion_token_for<void(error_code, tool_list)> Token = asio::deferred_t>
    auto async_list_tools(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, tool_list)>(detail::initiate<&detail::list_tools>(core_),
                                                                        token);
    }

    /// Checks that the server responds.
    ///
    /// Sends `ping`, or `server/discover` in a stateless protocol version, which has no `ping`. An error response also
    /// proves that the server responds, and counts as success.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
    /// request cannot be sent immediately, and `session_options::max_queued` requests are queued. `attempt_timed_out`:
    /// no response within `session_options::idle_timeout` or `attempt_timeout`. `malformed_message`: the response is
    /// not valid. A status of `http_category`: an HTTP server refused the request. `session_lost`: an HTTP server
    /// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
    /// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: cancels the request. `total`: cancels a request that is not sent yet, else no effect.
    /// The session stays open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25, basic/utilities/ping; MCP 2026-07-28, `server/discover`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_ping(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_ping(core_), token);
    }

    /// Shuts the session down gracefully.
    ///
    /// Requests that are queued or wait for input fail with `not_connected`. Requests that were sent may still receive
    /// their responses while the transport shuts down; the timeouts of the transport bound this time. Requests without
    /// a response at the completion of the shutdown fail with `operation_aborted`, or with the error with which the
    /// connection ended. A session that is not open is closed as `close` does, and the operation succeeds.
    ///
    /// \par Completion signature
    /// `void(error_code)`. The session is closed when the handler runs.
    /// \par Errors
    /// Errors of the transport. `operation_aborted`: cancelled, or interrupted by `close`. A transport over HTTP is an
    /// exception: a shutdown that `close` interrupts completes without an error.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the session immediately, as `close` does. `total`: not supported.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor
    /// (default: the session's executor), never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation. The destructor closes the session, and the operation then
    /// completes.
    /// \par Thread safety
    /// None: the session's executor must not run two handlers concurrently.
    /// \par Exception safety
    /// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::shut_down_session>(core_),
                                                             token);
    }

    /// Closes the session immediately. Idempotent.
    ///
    /// Outstanding operations complete with `operation_aborted`, never inside this function. A child process is killed,
    /// and connections are closed. The session may be opened again.
    LINKSPAN_DECL void close() noexcept;

    /// Sets the typed handler for one kind of request of the server, and declares its capability.
    ///
    /// The handler serves the requests of servers of the handshake era and the input requests of stateless servers.
    /// `handler(Kind::request_type const&, typed_responder<Kind>)` is called on the session's executor, and may respond
    /// later. A request that `Kind::read` rejects, such as an elicitation in a mode that is not declared, is refused
    /// with -32602, and the handler is not called; see `responder::refuse` for the effect in the era `stateless`. A
    /// second handler for the same kind replaces the first. An exception of the handler propagates to the function that
    /// runs the executor; the session continues, and a call whose input the handler had to give fails with
    /// `input_refused`.
    ///
    /// \par Preconditions
    /// Called before `async_open`, because capabilities are declared during the negotiation.
    ///
    /// \tparam Kind `elicitation`, `sampling` or `roots`.
    /// \param handler Function object, which is moved into the session.
    /// \param kind_options Options of the kind, which determine the declared capability.
    template<class Kind, class Handler>
    void set_handler(Handler handler, typename Kind::options kind_options = {})
    {
        auto shared = std::make_shared<Handler>(std::move(handler));
        detail::set_request_handler(*core_, std::string(Kind::method), Kind::capability(kind_options),
                                    detail::bind_typed<Kind>(std::move(shared), kind_options, {}));
    }

    /// Sets the handler for requests of the server with one method.
    ///
    /// `handler(std::string_view params, responder)` is called on the session's executor, and may respond later.
    /// `params` is JSON text and is valid during the call. Handlers for `sampling/createMessage`, `elicitation/create`
    /// and `roots/list` declare the capability of that method. A second handler for the same method replaces the first.
    /// The session itself responds to `ping`. A request without a handler is refused with -32601. An exception of the
    /// handler propagates to the function that runs the executor; the session continues, and a call whose input the
    /// handler had to give fails with `input_refused`.
    ///
    /// \par Preconditions
    /// Called before `async_open`, because capabilities are declared during the negotiation.
    ///
    /// \param method Name of the method, such as `sampling/createMessage`.
    /// \param handler Copy constructible.
    LINKSPAN_DECL void on_request(std::string method, std::function<void(std::string_view params, responder)> handler);

    /// Sets the handler for notifications of the server with one method.
    ///
    /// `handler(std::string_view params)` is called on the session's executor. `params` is JSON text and is valid
    /// during the call. A second handler for the same method replaces the first. The method `notifications/progress` is
    /// not passed to handlers: use `call_options::on_progress`. An exception of the handler propagates to the function
    /// that runs the executor; the session continues.
    ///
    /// A handler for `notifications/tools/list_changed`, `notifications/prompts/list_changed` or
    /// `notifications/resources/list_changed` makes the session subscribe to changes of a stateless server. Such a
    /// handler is also called, with "{}", after a period in which the server could not deliver notifications.
    ///
    /// \par Preconditions
    /// Called before `async_open`.
    ///
    /// \param method Name of the method, such as `notifications/message`.
    /// \param handler Copy constructible.
    LINKSPAN_DECL void on_notification(std::string method, std::function<void(std::string_view params)> handler);

    /// Sends a notification to the server.
    ///
    /// Nothing is sent in the era `stateless`, whose protocol versions define no notifications for programs to send.
    ///
    /// \param method Name of the method, such as `notifications/com.example/saved` of an extension, without characters
    /// that JSON must escape. `notify_roots_changed` sends `notifications/roots/list_changed`.
    /// \param params The `params` object.
    /// \returns Whether the notification was passed to the transport. False: the session is not open, a new handshake
    /// is in progress because an HTTP server has discarded its session, the era is `stateless`, or `params` is not one
    /// JSON object without duplicate keys.
    /// \throws std::bad_alloc
    bool notify(std::string_view method, arguments const& params = {})
    {
        return params.problem().empty() && detail::send_notification(core_, method, params.text());
    }

    /// Notifies the server that the roots of this client have changed (`notifications/roots/list_changed`).
    ///
    /// The server may then request the roots again, from the handler of `set_handler<roots>`. The notification is sent
    /// only if the handler was set with `roots::options::list_changed` before the handshake, which declares it to the
    /// server. The protocol versions of the era `stateless` do not have the notification.
    ///
    ///     session.set_handler<linkspan::roots>(list_roots, {.list_changed = true});
    ///     co_await session.async_open();
    ///     add_root("file:///home/ada/other");
    ///     session.notify_roots_changed();
    ///
    /// \returns Whether the notification was passed to the transport. False: it was not declared, the session is not
    /// open, a new handshake is in progress because an HTTP server has discarded its session, or the era is
    /// `stateless`.
    /// \par Executor
    /// Call on the session's executor.
    /// \par Thread safety
    /// Distinct sessions: safe. The same session: unsafe.
    /// \throws std::bad_alloc
    /// \par Specification
    /// MCP 2024-11-05 to 2025-11-25, client/roots, "Root List Changes".
    bool notify_roots_changed() { return detail::notify_roots_changed(core_); }

private:
    friend struct detail::session_access;

    struct initiate_open : detail::initiation<&detail::open_session, detail::session_pointer> {
        using initiation::initiation;

        // Text of the exception. The pointer is weak because the session owns the handler, which owns this function.
        auto explanation() const
        {
            return
                [session = std::weak_ptr(target())](error_code) { return detail::explain_failed_open(session.lock()); };
        }
    };

    // Maps an error response to success: any response proves that the server responds.
    struct ignore_error_response {
        template<class Handler>
        void operator()(Handler&& handler, error_code ec, call_result const&) const
        {
            std::forward<Handler>(handler)(ec.category() == rpc_category() ? error_code() : ec);
        }
    };

    struct initiate_ping : detail::initiation<&detail::ping_server, detail::session_pointer> {
        using initiation::initiation;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            initiation::operator()(detail::mapped_handler(std::forward<Handler>(handler), ignore_error_response()));
        }
    };

    // Writes the arguments to a prepared request, and starts it when the completion token initiates the operation.
    template<class Arguments, class Token>
    auto start(detail::request_pointer request, Arguments const& args, Token& token)
    {
        if (auto const problem = detail::append_arguments(detail::params_text(*request), args); !problem.empty())
            detail::reject_params(*request, problem);
        return asio::async_initiate<Token, void(error_code, call_result)>(
            detail::initiate<&detail::start_request>(core_), token, std::move(request));
    }

    detail::session_pointer core_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session.ipp>
#endif

#endif
