#ifndef LINKSPAN_SESSION_TASKS_HPP
#define LINKSPAN_SESSION_TASKS_HPP

#include <linkspan/model/call_options.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/started_call.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/session/detail/task_request.hpp>
#include <linkspan/session/detail/typed_request.hpp>
#include <linkspan/session/session_ref.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <string>
#include <string_view>
#include <utility>

// Operations on the tasks of the server of a session.
namespace linkspan::inline LINKSPAN_ABI {

/// Starts a call of a tool that may become a task.
///
/// In 2026-07-28, the request declares the extension for tasks if the server has declared it; the server then decides
/// whether it responds with a task. Calls by other functions declare the extension only with
/// `call_options::allow_task`. In 2025-11-25, the request asks for a task if the server has the capability
/// `tasks.requests.tools.call`, and `tool::tasks` is `optional` or `required`. In all other cases, the call is an
/// ordinary call, whose response is the result.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param listed_tool The tool, as `async_list_tools` returns it; `name` and `tasks` are used.
/// \param args Arguments of the tool: a JSON object. Serialized before the function returns.
/// \param options Time to live of the task, and options of the request.
/// \par Completion signature
/// `void(error_code, started_call)`. On success, `started_call::task` contains the task, or is empty if the server
/// responded with the result. On error, the result has one `attempt_record`, which contains the delivery certainty; it
/// has none on `invalid_arguments`.
/// \par Errors
/// `invalid_arguments`: `args` is not one JSON object without duplicate keys; nothing is sent. `not_connected`: the
/// session is not open, or a shutdown began while the request was queued or waited for input. `queue_full`: the request
/// cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`: the
/// server returned an error response. A status of `http_category`: an HTTP server refused the request.
/// `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or no response within
/// `attempt_timeout`. `deadline_exceeded`: `call_options::timeout` has elapsed. `malformed_message`: the response, its
/// result or the task is not valid. `unsupported_input_request`: the server requested input for which no handler is
/// set. `input_refused`: a handler refused the input (other than an elicitation, whose refusal is sent to the server as
/// `decline`), or threw an exception. `too_many_input_rounds`: the server requested input more often than
/// `session_options::max_input_rounds`, or more than 100 inputs in one round. `session_lost`: an HTTP server discarded
/// its session, and a new handshake failed, or the server discarded the new session too. Errors of the transport, for
/// example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<argument_source Arguments = arguments,
         asio::completion_token_for<void(error_code, started_call)> Token = throwing_t>
auto async_start_task(session_ref const& on, tool const& listed_tool, Arguments const& args, task_request options,
                      Token&& token = Token())
{
    auto const ttl = options.ttl;
    auto request = detail::prepare_task_call(on, listed_tool.name, args, std::move(options.call));
    return asio::async_initiate<Token, void(error_code, started_call)>(detail::initiate_start_task(on), token,
                                                                       std::move(request), listed_tool.tasks, ttl);
}

/// Starts a call of a tool that may become a task, with the default options of the session.
///
/// In 2026-07-28, the request declares the extension for tasks if the server has declared it; the server then decides
/// whether it responds with a task. Calls by other functions declare the extension only with
/// `call_options::allow_task`. In 2025-11-25, the request asks for a task if the server has the capability
/// `tasks.requests.tools.call`, and `tool::tasks` is `optional` or `required`. In all other cases, the call is an
/// ordinary call, whose response is the result.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param listed_tool The tool, as `async_list_tools` returns it; `name` and `tasks` are used.
/// \param args Arguments of the tool: a JSON object. Serialized before the function returns.
/// \par Completion signature
/// `void(error_code, started_call)`. On success, `started_call::task` contains the task, or is empty if the server
/// responded with the result. On error, the result has one `attempt_record`, which contains the delivery certainty; it
/// has none on `invalid_arguments`.
/// \par Errors
/// `invalid_arguments`: `args` is not one JSON object without duplicate keys; nothing is sent. `not_connected`: the
/// session is not open, or a shutdown began while the request was queued or waited for input. `queue_full`: the request
/// cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`: the
/// server returned an error response. A status of `http_category`: an HTTP server refused the request.
/// `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or no response within
/// `attempt_timeout`. `malformed_message`: the response, its result or the task is not valid.
/// `unsupported_input_request`: the server requested input for which no handler is set. `input_refused`: a handler
/// refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
/// exception. `too_many_input_rounds`: the server requested input more often than `session_options::max_input_rounds`,
/// or more than 100 inputs in one round. `session_lost`: an HTTP server discarded its session, and a new handshake
/// failed, or the server discarded the new session too. Errors of the transport, for example `stream_ended`: the
/// connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<argument_source Arguments = arguments,
         asio::completion_token_for<void(error_code, started_call)> Token = throwing_t>
auto async_start_task(session_ref const& on, tool const& listed_tool, Arguments const& args = {},
                      Token&& token = Token())
{
    return async_start_task(on, listed_tool, args, task_request(), std::forward<Token>(token));
}

/// Requests the state of a task.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param id Id of the task (`task::id`), which the program may have stored.
/// \param options Timeouts and `_meta` of the request; empty members have the defaults of the session.
/// \par Completion signature
/// `void(error_code, typed_result<task>)`. On success, the value is the task in its current state.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32602 for an unknown or expired task, -32601 if the server does not support
/// tasks. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server sent no
/// response within `idle_timeout` or `attempt_timeout`. `deadline_exceeded`: `call_options::timeout` has elapsed.
/// `malformed_message`: the response or its task is not valid, or the task has another id. `session_lost`: an HTTP
/// server discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
/// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, typed_result<task>)> Token = throwing_t>
auto async_get_task(session_ref const& on, std::string_view id, call_options options, Token&& token = Token())
{
    auto request = detail::prepare_task_request(on, "tasks/get", id);
    detail::set_options(*request, std::move(options));
    return asio::async_initiate<Token, void(error_code, typed_result<task>)>(detail::initiate_get_task(on), token,
                                                                             std::move(request), std::string(id));
}

/// Requests the state of a task, with the default options of the session.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param id Id of the task (`task::id`), which the program may have stored.
/// \par Completion signature
/// `void(error_code, typed_result<task>)`. On success, the value is the task in its current state.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32602 for an unknown or expired task, -32601 if the server does not support
/// tasks. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server sent no
/// response within `idle_timeout` or `attempt_timeout`. `malformed_message`: the response or its task is not valid, or
/// the task has another id. `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the
/// server discarded the new session too. Errors of the transport, for example `stream_ended`: the connection was lost.
/// `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, typed_result<task>)> Token = throwing_t>
auto async_get_task(session_ref const& on, std::string_view id, Token&& token = Token())
{
    return async_get_task(on, id, call_options(), std::forward<Token>(token));
}

/// Requests that the server cancels a task.
///
/// The server decides whether and when the operation stops; the task may still be completed. `async_wait_task` reports
/// the outcome.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param id Id of the task (`task::id`), which the program may have stored.
/// \param options Timeouts and `_meta` of the request; empty members have the defaults of the session.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the server has accepted the request. In 2025-11-25, the result
/// describes the task (`read_task`).
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32602 for an unknown or expired task and, in 2025-11-25, for a task whose
/// status is final. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server
/// sent no response within `idle_timeout` or `attempt_timeout`. `deadline_exceeded`: `call_options::timeout` has
/// elapsed. `malformed_message`: the response or its result is not valid. `session_lost`: an HTTP server discarded its
/// session, and a new handshake failed, or the server discarded the new session too. Errors of the transport, for
/// example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_cancel_task(session_ref const& on, std::string_view id, call_options options, Token&& token = Token())
{
    auto request = detail::prepare_task_request(on, "tasks/cancel", id);
    detail::set_options(*request, std::move(options));
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::start_request>(detail::session_access::core(on)), token, std::move(request));
}

/// Requests that the server cancels a task, with the default options of the session.
///
/// The server decides whether and when the operation stops; the task may still be completed. `async_wait_task` reports
/// the outcome.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param id Id of the task (`task::id`), which the program may have stored.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the server has accepted the request. In 2025-11-25, the result
/// describes the task (`read_task`).
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32602 for an unknown or expired task and, in 2025-11-25, for a task whose
/// status is final. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server
/// sent no response within `idle_timeout` or `attempt_timeout`. `malformed_message`: the response or its result is not
/// valid. `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the server discarded the
/// new session too. Errors of the transport, for example `stream_ended`: the connection was lost. `operation_aborted`:
/// cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: a request that was not sent yet is never sent. For a request that was sent, the server is
/// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels a
/// request that is not sent yet, else no effect. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_cancel_task(session_ref const& on, std::string_view id, Token&& token = Token())
{
    return async_cancel_task(on, id, call_options(), std::forward<Token>(token));
}

/// Waits until a task has an outcome, and completes as the call would have completed without the task.
///
/// The operation sends `tasks/get` after the pause that the last response recommends, or after
/// `task_poll::default_interval` without a recommendation; the pause is between `task_poll::min_interval` and
/// `task_poll::max_interval`. If the task requires input, the handlers of the session are called. In 2026-07-28, each
/// input request is passed to its handler once, and the inputs are sent by `tasks/update`. In 2025-11-25, the response
/// to `tasks/result` is the result; over HTTP, the server can send its requests on the stream of `tasks/result`.
///
/// In 2026-07-28, the session subscribes to the changes of the task (`subscriptions/listen`) during the wait. While the
/// server reports them, the pause is at least `task_poll::min_watched_interval`. During a pause, a notification
/// replaces the response to `tasks/get`; if the notification lacks the outcome or the input requests, the next
/// `tasks/get` is sent early. In 2025-11-25, notifications are used if the server sends them.
///
/// An error other than `task_cancelled` and the error response of the failed call says nothing about the task. The wait
/// can then be repeated with the same task.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param known The task, as `async_start_task` or `async_get_task` returned it.
/// \param options Timeouts and `_meta`. `timeout` limits the whole wait; `idle_timeout` and `attempt_timeout` apply to
/// each request. By default, the wait is not limited, and the timeouts of the session apply to each request except
/// `tasks/result` of a task that requires input.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the result of the call, as an ordinary call would have returned it;
/// `is_error()` may be true. On error, the result has one `attempt_record` with the reason; it has none if the wait was
/// cancelled.
/// \par Errors
/// `task_cancelled`: the status of the task is `cancelled`; in 2025-11-25, if the task is cancelled while
/// `tasks/result` is outstanding, the error response of the server to this request instead (-32603 from a server of
/// this library). A code of `rpc_category`: the call has failed with this error response, or the server refused a
/// request about the task: -32602 for an unknown or expired task. `deadline_exceeded`: `call_options::timeout` has
/// elapsed. `malformed_message`: a response or its task is not valid, the task has another id, or a completed task has
/// no result. `unsupported_input_request`: the task requires input for which no handler is set. `input_refused`: a
/// handler refused the input (other than an elicitation, whose refusal is sent to the server as `decline`), or threw an
/// exception. `too_many_input_rounds`: the task required input more often than `session_options::max_input_rounds`, or
/// more than `task_poll::max_inputs` inputs at the same time. `not_connected`: the session is not open, or is being
/// shut down. `queue_full`: a request cannot be sent immediately, and `session_options::max_queued` requests are
/// queued. A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server sent no
/// response to a request within `idle_timeout` or `attempt_timeout`. `session_lost`: an HTTP server discarded its
/// session, and a new handshake failed, or the server discarded the new session too. Errors of the transport, for
/// example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting. The task continues: use `async_cancel_task` to cancel it. `total`: not
/// supported. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_wait_task(session_ref const& on, task const& known, call_options options, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::wait_for_task>(detail::session_access::core(on)), token,
        detail::session_access::origin(on), known, std::move(options));
}

/// Waits until a task has an outcome, without a limit of time, and completes as the call would have completed without
/// the task.
///
/// The operation sends `tasks/get` after the pause that the last response recommends, or after
/// `task_poll::default_interval` without a recommendation; the pause is between `task_poll::min_interval` and
/// `task_poll::max_interval`. If the task requires input, the handlers of the session are called. In 2026-07-28, each
/// input request is passed to its handler once, and the inputs are sent by `tasks/update`. In 2025-11-25, the response
/// to `tasks/result` is the result; over HTTP, the server can send its requests on the stream of `tasks/result`.
///
/// In 2026-07-28, the session subscribes to the changes of the task (`subscriptions/listen`) during the wait. While the
/// server reports them, the pause is at least `task_poll::min_watched_interval`. During a pause, a notification
/// replaces the response to `tasks/get`; if the notification lacks the outcome or the input requests, the next
/// `tasks/get` is sent early. In 2025-11-25, notifications are used if the server sends them.
///
/// An error other than `task_cancelled` and the error response of the failed call says nothing about the task. The wait
/// can then be repeated with the same task.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param known The task, as `async_start_task` or `async_get_task` returned it.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the result of the call, as an ordinary call would have returned it;
/// `is_error()` may be true. On error, the result has one `attempt_record` with the reason; it has none if the wait was
/// cancelled.
/// \par Errors
/// `task_cancelled`: the status of the task is `cancelled`; in 2025-11-25, if the task is cancelled while
/// `tasks/result` is outstanding, the error response of the server to this request instead (-32603 from a server of
/// this library). A code of `rpc_category`: the call has failed with this error response, or the server refused a
/// request about the task: -32602 for an unknown or expired task. `malformed_message`: a response or its task is not
/// valid, the task has another id, or a completed task has no result. `unsupported_input_request`: the task requires
/// input for which no handler is set. `input_refused`: a handler refused the input (other than an elicitation, whose
/// refusal is sent to the server as `decline`), or threw an exception. `too_many_input_rounds`: the task required input
/// more often than `session_options::max_input_rounds`, or more than `task_poll::max_inputs` inputs at the same time.
/// `not_connected`: the session is not open, or is being shut down. `queue_full`: a request cannot be sent immediately,
/// and `session_options::max_queued` requests are queued. A status of `http_category`: an HTTP server refused the
/// request. `attempt_timed_out`: the server sent no response to a request within `idle_timeout` or `attempt_timeout`.
/// `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the server discarded the new
/// session too. Errors of the transport, for example `stream_ended`: the connection was lost. `operation_aborted`:
/// cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting. The task continues: use `async_cancel_task` to cancel it. `total`: not
/// supported. The session stays open.
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
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks` (2026-07-28).
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_wait_task(session_ref const& on, task const& known, Token&& token = Token())
{
    return async_wait_task(on, known, call_options(), std::forward<Token>(token));
}

/// Requests the tasks of this client, with all pages of the list (2025-11-25 only).
///
/// Entries that are not valid are omitted, and counted in `entry_list::dropped`.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \par Completion signature
/// `void(error_code, task_list)`. On error, the list is empty, and only its `detail` may be set.
/// \par Errors
/// `repeated_cursor`: the server returned a cursor twice. `list_too_long`: more pages than
/// `session_options::max_pages`, or more entries than `max_tools`. `malformed_message`: a page or its cursor is not
/// valid. `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32601 if the server does not list tasks, as in 2026-07-28. A status of
/// `http_category`: an HTTP server refused the request. `attempt_timed_out`: a page was not received within
/// `session_options::idle_timeout` or `attempt_timeout`, which apply to each page. `session_lost`: an HTTP server
/// discarded its session, and a new handshake failed, or the server discarded the new session too. Errors of the
/// transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
/// \par Cancellation
/// `terminal`, `partial`, `total`: cancels the outstanding request and requests no further page. The session stays
/// open.
/// \par Executor
/// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor (default:
/// the session's executor), never inside the initiating function, and never inside `emit`.
/// \par Lifetime
/// The session may be destroyed during the operation, which then completes with `operation_aborted`.
/// \par Thread safety
/// None: the session's executor must not run two handlers concurrently.
/// \par Exception safety
/// Throws `std::bad_alloc` if memory for the operation cannot be allocated.
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks; server/utilities/pagination.
template<asio::completion_token_for<void(error_code, task_list)> Token = asio::deferred_t>
auto async_list_tasks(session_ref const& on, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, task_list)>(detail::initiate_list<task>(on), token);
}

} // namespace linkspan

#endif
