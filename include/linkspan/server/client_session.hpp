#ifndef LINKSPAN_SERVER_CLIENT_SESSION_HPP
#define LINKSPAN_SERVER_CLIENT_SESSION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server/client_info.hpp>
#include <linkspan/server/detail/client_request.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

class served_client;

// Connection of a client, and the executor of its server.
struct session_handle {
    asio::any_io_executor executor;
    std::weak_ptr<served_client> client; // empty: no session
};

inline asio::any_io_executor const& executor_of(session_handle const& session) noexcept { return session.executor; }

LINKSPAN_DECL client_info info_of(session_handle const& session);
LINKSPAN_DECL protocol_version version_of(session_handle const& session) noexcept;
// `timeout`: empty: that of the request.
LINKSPAN_DECL void request_of_client(session_handle const& session, client_request wanted,
                                     std::optional<duration> timeout = {});
LINKSPAN_DECL void start_session_request(session_handle const& session, std::string method, std::string params,
                                         duration timeout, pending_handler<void(error_code, std::string)> done);
LINKSPAN_DECL void start_ping(session_handle const& session, duration timeout, pending_handler<void(error_code)> done);
LINKSPAN_DECL void start_task_list(session_handle const& session, duration timeout,
                                   pending_handler<void(error_code, task_list)> done);

// Sends a request of the given kind to the client, and completes the handler with its result.
template<class Kind>
void start_session_ask(session_handle const& session, typename Kind::request_type const& what, ask_options options,
                       pending_handler<void(error_code, typename Kind::result_type)> done)
{
    request_of_client(session, make_client_request<Kind>(what, version_of(session), info_of(session),
                                                         std::move(options), std::move(done)));
}

} // namespace detail

/// Session of a client with a server: a handle for messages outside of the requests of the client.
///
/// Only the era `handshake` has sessions. For a stateless request, and after the client has disconnected, there is no
/// session: notifications through the handle are not sent, and its operations complete with `not_connected`.
///
///     linkspan::client_session const session = request.session();
///     on_page_submitted(id, [session, id] { session.complete_elicitation(id); });
///
/// Over HTTP, the messages are sent on the stream that the client opens with GET, or wait for this stream. If too many
/// messages wait (`http_session_limits`), the oldest are discarded, and requests among them complete with
/// `input_refused`.
///
/// \par Executor
/// All functions must be called on the executor of the server, and handlers run on their associated executor (default:
/// that of the server).
/// \par Lifetime
/// The object may outlive the connection and the server. It may be destroyed during its operations.
/// \par Thread safety
/// Distinct objects of different servers: safe. Otherwise unsafe.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, basic/utilities/ping, basic/utilities/tasks, client/elicitation,
/// server/utilities/logging.
class client_session {
public:
    /// Constructs the handle of a session. Called by servers.
    explicit client_session(detail::session_handle session) noexcept : session_(std::move(session)) {}

    /// Returns whether the session exists: the client has initialized it and is connected.
    LINKSPAN_DECL bool is_open() const noexcept;

    /// Returns the client, as the client describes itself; without a session, an object without an identity.
    client_info client() const { return detail::info_of(session_); }

    /// Sends a notification, such as one of an extension.
    ///
    /// \param method The method.
    /// \param params The params as the text of a JSON object; empty: none. With other text, nothing is sent, and
    /// `serving_options::on_defect` is called.
    LINKSPAN_DECL void notify(std::string_view method, raw_json params) const;

    /// Sends `notifications/message` if the level is at least the level that the client requests by `logging/setLevel`
    /// (without it, all levels).
    ///
    /// \param level Severity of the message.
    /// \param data Any JSON value. With invalid text, nothing is sent, and `serving_options::on_defect` is called.
    /// \param logger Name of the logger; empty: none.
    LINKSPAN_DECL void log(log_level level, raw_json data, std::string_view logger = {}) const;

    /// Sends `notifications/elicitation/complete`: the end user has completed an elicitation of the mode `url`. Only
    /// the protocol version 2025-11-25 has the notification; with another one, nothing is sent.
    ///
    /// \param elicitation_id Member `elicitation_id` of the elicitation.
    LINKSPAN_DECL void complete_elicitation(std::string_view elicitation_id) const;

    /// Sends a request to the client, and waits for its result. `Kind` is `elicitation`, `sampling` or `roots`.
    ///
    /// \param request The request.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, Kind::result_type)`
    /// \par Errors
    /// `unsupported_input_request`: the client does not declare the capability, or the protocol version does not have
    /// the request. `input_refused`: the client sent an error. `malformed_message`: the result is invalid, or the
    /// content of an accepted form does not match the requested schema. `invalid_argument` of Asio: the requested
    /// schema or a JSON text of the request is invalid, which `serving_options::on_defect` receives; nothing was sent.
    /// `timed_out`: no result within `serving_options::input_timeout`; the request is cancelled. `not_connected`: there
    /// is no session. `operation_aborted`: the client has disconnected.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, client/elicitation, client/sampling, client/roots.
    template<class Kind,
             asio::completion_token_for<void(error_code, typename Kind::result_type)> Token = asio::deferred_t>
    auto async_ask(typename Kind::request_type request, Token&& token = Token()) const
    {
        return asio::async_initiate<Token, void(error_code, typename Kind::result_type)>(
            detail::initiate<&detail::start_session_ask<Kind>>(session_), token, std::move(request), ask_options());
    }

    /// Sends a request to the client with options, and waits for its result, as the function without options does.
    ///
    /// \param request The request.
    /// \param options The functions for progress and for the reason of invalid input, the timeout, and the options of a
    /// task of the client.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, Kind::result_type)`
    /// \par Errors
    /// `unsupported_input_request`: the client does not declare the capability, or the protocol version does not have
    /// the request. `input_refused`: the client sent an error. `malformed_message`: the result or the task is invalid,
    /// or the content of an accepted form does not match the requested schema (`ask_options::on_invalid_input`).
    /// `invalid_argument` of Asio: the requested schema or a JSON text of the request is invalid; nothing was sent.
    /// `timed_out`: no result within `ask_options::timeout` or `serving_options::input_timeout`, no response to
    /// `tasks/get` within `input_timeout`, or no outcome of the task within `client_task_options::timeout`; the request
    /// or the task is cancelled. `task_cancelled`: a response to `tasks/get` reports that the client has cancelled its
    /// task; `input_refused` if the client does so while `tasks/result` is outstanding. `not_connected`: there is no
    /// session. `operation_aborted`: the client has disconnected.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, client/elicitation, client/sampling, basic/utilities/progress, basic/utilities/tasks.
    template<class Kind,
             asio::completion_token_for<void(error_code, typename Kind::result_type)> Token = asio::deferred_t>
    auto async_ask(typename Kind::request_type request, ask_options options, Token&& token = Token()) const
    {
        return asio::async_initiate<Token, void(error_code, typename Kind::result_type)>(
            detail::initiate<&detail::start_session_ask<Kind>>(session_), token, std::move(request),
            std::move(options));
    }

    /// Sends a request with any method, and waits for its result.
    ///
    /// \param method The method.
    /// \param params The params as the text of a JSON object. With other text, nothing is sent, and
    /// `serving_options::on_defect` is called.
    /// \param timeout Maximum time until the result arrives.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, std::string)`, with the result as JSON text
    /// \par Errors
    /// `input_refused`: the client sent an error. `timed_out`: no result within `timeout`; the request is cancelled.
    /// `invalid_argument` of Asio: `params` is not a JSON object. `not_connected`: there is no session.
    /// `operation_aborted`: the client has disconnected.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic, "Requests".
    template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
    auto async_request(std::string method, raw_json params, duration timeout, Token&& token = Token()) const
    {
        return asio::async_initiate<Token, void(error_code, std::string)>(
            detail::initiate<&detail::start_session_request>(session_), token, std::move(method),
            std::string(params.text()), timeout);
    }

    /// Sends `ping`, and waits for its result, to check that the client is reachable and responds.
    ///
    /// \param timeout Maximum time until the result arrives. Over HTTP, a `ping` waits for a stream that the client
    /// opens.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `timed_out`: no result within `timeout`. `input_refused`: the client sent an error. `not_connected`: there is no
    /// session. `operation_aborted`: the client has disconnected.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/utilities/ping.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_ping(duration timeout, Token&& token = Token()) const
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::start_ping>(session_), token,
                                                             timeout);
    }

    /// Requests the tasks that the client hosts, with all pages of the list (2025-11-25 only).
    ///
    /// Entries that are not valid are omitted, and counted in `entry_list::dropped`.
    ///
    /// \param timeout Maximum time until each page arrives.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, task_list)`. On error, the list is empty.
    /// \par Errors
    /// `unsupported_input_request`: the client does not declare `tasks.list`, or the protocol version does not have the
    /// request. `input_refused`: the client sent an error. `malformed_message`: a page or its cursor is not valid.
    /// `repeated_cursor`: the client returned a cursor twice. `list_too_long`: more than
    /// `pagination::default_max_pages` pages or 10,000 tasks. `timed_out`: a page did not arrive within `timeout`; the
    /// request is cancelled. `not_connected`: there is no session. `operation_aborted`: the client has disconnected.
    /// `not_enough_memory`: a page could not be stored.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/utilities/tasks, "Listing Tasks"; server/utilities/pagination.
    template<asio::completion_token_for<void(error_code, task_list)> Token = asio::deferred_t>
    auto async_list_tasks(duration timeout, Token&& token = Token()) const
    {
        return asio::async_initiate<Token, void(error_code, task_list)>(
            detail::initiate<&detail::start_task_list>(session_), token, timeout);
    }

private:
    detail::session_handle session_; // set by the constructor
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
// includes the bodies, which need the classes of several headers
#include <linkspan/server/server_request.hpp>
#endif

#endif
