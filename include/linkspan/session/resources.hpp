#ifndef LINKSPAN_SESSION_RESOURCES_HPP
#define LINKSPAN_SESSION_RESOURCES_HPP

#include <linkspan/model/call_options.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/session/detail/typed_request.hpp>
#include <linkspan/session/session_ref.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <string_view>
#include <utility>
#include <vector>

// Operations on the resources of the server of a session.
namespace linkspan::inline LINKSPAN_ABI {

/// Requests the resources of the server, with all pages of the list.
///
/// Entries that are not valid are omitted, and counted in `entry_list::dropped`.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \par Completion signature
/// `void(error_code, resource_list)`. On error, the list is empty, and only its `detail` may be set.
/// \par Errors
/// `repeated_cursor`: the server returned a cursor twice. `list_too_long`: more pages than
/// `session_options::max_pages`, or more entries than `max_tools`. `malformed_message`: a page or its cursor is not
/// valid. `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response. A status of `http_category`: an HTTP server refused the request.
/// `attempt_timed_out`: a page was not received within `session_options::idle_timeout` or `attempt_timeout`, which
/// apply to each page. `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the server
/// discarded the new session too. Errors of the transport, for example `stream_ended`: the connection was lost.
/// `operation_aborted`: cancelled or closed.
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
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Listing Resources"; server/utilities/pagination.
template<asio::completion_token_for<void(error_code, resource_list)> Token = asio::deferred_t>
auto async_list_resources(session_ref const& on, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, resource_list)>(detail::initiate_list<resource>(on), token);
}

/// Requests the resource templates of the server, with all pages of the list.
///
/// Entries that are not valid are omitted, and counted in `entry_list::dropped`.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \par Completion signature
/// `void(error_code, resource_template_list)`. On error, the list is empty, and only its `detail` may be set.
/// \par Errors
/// `repeated_cursor`: the server returned a cursor twice. `list_too_long`: more pages than
/// `session_options::max_pages`, or more entries than `max_tools`. `malformed_message`: a page or its cursor is not
/// valid. `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response. A status of `http_category`: an HTTP server refused the request.
/// `attempt_timed_out`: a page was not received within `session_options::idle_timeout` or `attempt_timeout`, which
/// apply to each page. `session_lost`: an HTTP server discarded its session, and a new handshake failed, or the server
/// discarded the new session too. Errors of the transport, for example `stream_ended`: the connection was lost.
/// `operation_aborted`: cancelled or closed.
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
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Resource Templates"; server/utilities/pagination.
template<asio::completion_token_for<void(error_code, resource_template_list)> Token = asio::deferred_t>
auto async_list_resource_templates(session_ref const& on, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, resource_template_list)>(
        detail::initiate_list<resource_template>(on), token);
}

/// Reads a resource of the server.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param uri URI of the resource, as the server lists it or as a template of the server describes it.
/// \param options Timeouts, progress handler and `_meta` of the request; empty members have the defaults of the
/// session.
/// \par Completion signature
/// `void(error_code, typed_result<std::vector<resource_contents>>)`. On success, the value contains the contents of the
/// resource; a server may split them, so that several have the same URI.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
/// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code
/// of `rpc_category`: the server returned an error response: -32002, or -32602 in 2026-07-28, for an unknown resource.
/// A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server sent no response
/// and no progress within `idle_timeout`, or no response within `attempt_timeout`. `deadline_exceeded`:
/// `call_options::timeout` has elapsed. `malformed_message`: the response or its result is not valid.
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
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Reading Resources".
template<asio::completion_token_for<void(error_code, typed_result<std::vector<resource_contents>>)> Token = throwing_t>
auto async_read_resource(session_ref const& on, std::string_view uri, call_options options, Token&& token = Token())
{
    auto request = detail::prepare_text_request(on, "resources/read", "uri", uri);
    detail::set_options(*request, std::move(options));
    return detail::start_typed<&read_resource_result>(on, std::move(request), token);
}

/// Reads a resource of the server, with the default options of the session.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param uri URI of the resource, as the server lists it or as a template of the server describes it.
/// \par Completion signature
/// `void(error_code, typed_result<std::vector<resource_contents>>)`. On success, the value contains the contents of the
/// resource; a server may split them, so that several have the same URI.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued or waited for input.
/// `queue_full`: the request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code
/// of `rpc_category`: the server returned an error response: -32002, or -32602 in 2026-07-28, for an unknown resource.
/// A status of `http_category`: an HTTP server refused the request. `attempt_timed_out`: the server sent no response
/// and no progress within `idle_timeout`, or no response within `attempt_timeout`. `malformed_message`: the response or
/// its result is not valid. `unsupported_input_request`: the server requested input for which no handler is set.
/// `input_refused`: a handler refused the input (other than an elicitation, whose refusal is sent to the server as
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
/// MCP 2025-11-25 and 2026-07-28, server/resources, "Reading Resources".
template<asio::completion_token_for<void(error_code, typed_result<std::vector<resource_contents>>)> Token = throwing_t>
auto async_read_resource(session_ref const& on, std::string_view uri, Token&& token = Token())
{
    auto request = detail::prepare_text_request(on, "resources/read", "uri", uri);
    return detail::start_typed<&read_resource_result>(on, std::move(request), token);
}

} // namespace linkspan

#endif
