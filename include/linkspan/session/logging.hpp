#ifndef LINKSPAN_SESSION_LOGGING_HPP
#define LINKSPAN_SESSION_LOGGING_HPP

#include <linkspan/model/log_level.hpp>
#include <linkspan/model/log_message.hpp>
#include <linkspan/session/session.hpp>
#include <linkspan/session/session_ref.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <functional>
#include <string_view>
#include <utility>

// Log messages of the server of a session.
namespace linkspan::inline LINKSPAN_ABI {

/// Requests that the server sends log messages of at least a level.
///
/// In the era `handshake`, the request `logging/setLevel` is sent. The level applies to one connection; the session
/// therefore sends the request again after it is opened again, and after an HTTP server has discarded its session, if
/// the server declares the capability `logging`. In the era `stateless`, nothing is sent: all following requests of the
/// session contain the level, and the server sends the messages for a request before its response. A session that is
/// open at the start of the operation stores the level, also if the request fails.
///
/// \param on The session; must be open. A `session` converts to `session_ref`.
/// \param level Minimum level.
/// \par Completion signature
/// `void(error_code, call_result)`. On success, the result is an empty object.
/// \par Errors
/// `not_connected`: the session is not open, or a shutdown began while the request was queued. `queue_full`: the
/// request cannot be sent immediately, and `session_options::max_queued` requests are queued. A code of `rpc_category`:
/// the server returned an error response: -32601 if it has no log messages. A status of `http_category`: an HTTP server
/// refused the request. `attempt_timed_out`: the server sent no response and no progress within `idle_timeout`, or no
/// response within `attempt_timeout`. `malformed_message`: the response or its result is not valid. `session_lost`: an
/// HTTP server discarded its session, and a new handshake failed, or the server discarded the new session too. Errors
/// of the transport, for example `stream_ended`: the connection was lost. `operation_aborted`: cancelled or closed.
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
/// MCP 2025-11-25 and 2026-07-28, server/utilities/logging.
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_set_log_level(session_ref const& on, log_level level, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::set_log_level>(detail::session_access::core(on)), token,
        detail::session_access::origin(on), level);
}

/// Sets the handler for log messages of the server (`notifications/message`).
///
/// `handler(log_message const&)` is called on the session's executor. Messages that are not valid are ignored. A second
/// handler replaces the first. An exception of the handler propagates to the function that runs the executor; the
/// session continues. `async_set_log_level` determines which messages the server sends.
///
/// \par Preconditions
/// Called before `session::async_open`.
///
/// \param on The session.
/// \param handler Not empty.
/// \throws std::bad_alloc
inline void on_log_message(session& on, std::function<void(log_message const&)> handler)
{
    on.on_notification("notifications/message", [handler = std::move(handler)](std::string_view params) {
        if (auto const message = read_log_message(params))
            handler(*message);
    });
}

} // namespace linkspan

#endif
