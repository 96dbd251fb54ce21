#ifndef LINKSPAN_SESSION_SESSION_REF_HPP
#define LINKSPAN_SESSION_SESSION_REF_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/detail/session_calls.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

class session; // <linkspan/session/session.hpp>

/// A reference to an open or closed session: the session of an object `session`, or the session of a connector with one
/// of its servers (`find_session`).
///
/// The operations on resources, prompts, tasks and log messages have a parameter of this class.
///
/// \par Executor
/// Call all members on the session's executor, and pass the object to operations there.
/// \par Lifetime
/// The object shares the state of the session and may outlive the session or the connector; requests then fail with
/// `not_connected`.
/// \par Thread safety
/// Distinct objects that refer to the same session: unsafe. Use all of them on the executor of the session.
class session_ref {
public:
    using executor_type = asio::any_io_executor;

    /// Refers to the session of an object.
    LINKSPAN_DECL session_ref(session const& of) noexcept;

    /// Returns the executor of the session.
    executor_type get_executor() const noexcept { return detail::executor_of(core_); }

    /// Returns the state of the session.
    LINKSPAN_DECL session_state state() const noexcept;

    /// Returns the description that the server sent during the last negotiation. The reference is valid while this
    /// object exists; its value changes when the session is reopened.
    LINKSPAN_DECL server_description const& server() const noexcept;

    /// Sends a request with any method.
    ///
    /// \param method Name of the method, without characters that JSON must escape.
    /// \param params The `params` object, without `_meta`; use `call_options::meta` for that. Serialized before the
    /// function returns.
    /// \param options Timeouts, progress handler and `_meta` of the request; empty members have the defaults of the
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
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels
    /// a request that is not sent yet, else no effect. The session stays open.
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
    auto async_request(std::string_view method, Arguments const& params, call_options options,
                       Token&& token = Token()) const
    {
        auto request = prepare(method);
        detail::set_options(*request, std::move(options));
        return start(std::move(request), params, token);
    }

    /// Sends a request with any method and the default options of the session.
    ///
    /// \param method Name of the method, without characters that JSON must escape.
    /// \param params The `params` object, without `_meta`; use `call_options::meta` for that. Serialized before the
    /// function returns.
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
    /// notified by `notifications/cancelled`, or, over stateless HTTP, by closing the response stream. `total`: cancels
    /// a request that is not sent yet, else no effect. The session stays open.
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
    auto async_request(std::string_view method, Arguments const& params = {}, Token&& token = Token()) const
    {
        return start(prepare(method), params, token);
    }

private:
    friend struct detail::session_access;

    session_ref(detail::session_pointer core, detail::request_origin origin) noexcept
        : core_(std::move(core)), origin_(std::move(origin))
    {}

    detail::request_pointer prepare(std::string_view method) const
    {
        auto out = detail::prepare_request(core_, method);
        detail::set_origin(*out, origin_);
        return out;
    }

    template<class Arguments, class Token>
    auto start(detail::request_pointer request, Arguments const& args, Token& token) const
    {
        if (auto const problem = detail::append_arguments(detail::params_text(*request), args); !problem.empty())
            detail::reject_params(*request, problem);
        return asio::async_initiate<Token, void(error_code, call_result)>(
            detail::initiate<&detail::start_request>(core_), token, std::move(request));
    }

    detail::session_pointer core_;
    detail::request_origin origin_; // empty: the session belongs to no connector
};

namespace detail {

// Grants access to the state of a session.
struct session_access {
    LINKSPAN_DECL static session_pointer const& core(session const& of) noexcept;
    static session_pointer const& core(session_ref const& of) noexcept { return of.core_; }
    static request_origin const& origin(session_ref const& of) noexcept { return of.origin_; }

    // Takes a request object from the pool of the session.
    static request_pointer prepare(session_ref const& on, std::string_view method) { return on.prepare(method); }

    static session_ref make(session_pointer core, request_origin origin)
    {
        return session_ref(std::move(core), std::move(origin));
    }
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_ref.ipp>
#endif

#endif
