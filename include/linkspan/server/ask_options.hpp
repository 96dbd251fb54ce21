#ifndef LINKSPAN_SERVER_ASK_OPTIONS_HPP
#define LINKSPAN_SERVER_ASK_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of a request that may continue as a task of the client (2025-11-25).
///
/// \par Thread safety
/// Distinct objects: safe.
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks.
// Not an aggregate: g++ 12 miscompiles a temporary aggregate in a co_await expression.
struct client_task_options {
    /// Constructs the defaults.
    client_task_options() {}

    /// Time to live of the task that the server requests; the client may choose another one. Range: at least 0. Empty:
    /// the client chooses. Default: empty.
    std::optional<std::chrono::milliseconds> ttl;

    /// Maximum time from the response with the task to its outcome. When the time has elapsed, the operation completes
    /// with `timed_out`, and the server sends `tasks/cancel` if the client declares `tasks.cancel`. Range: more than 0.
    /// Default: 24 hours.
    duration timeout = std::chrono::hours(24);
};

/// Options of a request to the client (`async_ask` of `server_request` and `client_session`).
///
/// \par Thread safety
/// Distinct objects: safe.
// Not an aggregate: g++ 12 miscompiles a temporary aggregate in a co_await expression.
struct ask_options {
    /// Constructs options that are all empty.
    ask_options() {}

    /// Called for each progress notification of the client about the request, on the executor of the server, until the
    /// operation completes, also while a task of the client continues the request. The function must not throw. In the
    /// era `stateless`, clients send no progress. Empty: the request has no progress token.
    std::function<void(progress_update const&)> on_progress;

    /// Called with the reason, on the executor of the server, before the operation completes with `malformed_message`
    /// because the content of an accepted form does not match the requested schema (`serving_options::validate_input`),
    /// for example "the content of the form does not match the requested schema: /age: must be at least 18
    /// (/properties/age/minimum)", where `/age` is a JSON Pointer. The function must not throw. Empty: the reason is
    /// discarded.
    std::function<void(std::string_view reason)> on_invalid_input;

    /// Maximum time from the start of the operation until the result of the client, or until its response with a task.
    /// When the time has elapsed, the request is cancelled, and the operation completes with `timed_out`. Range: more
    /// than 0. Empty: `serving_options::input_timeout`. Default: empty.
    ///
    /// For `server_request::async_ask`: in the era `stateless`, if the handler does not continue as a task, the state
    /// of the request expires `input_timeout` after each response that requires input, so that a longer value has the
    /// same effect as `input_timeout`. If the value is empty, `input_timeout` begins again with each of these responses
    /// or, in the era `handshake` and in tasks, with each later request of the handler to the client.
    std::optional<duration> timeout;

    /// Requests that the client continues the request as a task, for input of an end user that may take hours. The
    /// client responds with the task, or with the result as without this option. The server polls the task with the
    /// pause that the client recommends, at least 100 ms and at most 1 h (by default 1 s), and requests its result.
    /// `ask_options::timeout` applies to the response with the task, and `serving_options::input_timeout` to each
    /// response to a poll. The request is an ordinary one if the client does not declare the capability
    /// `tasks.requests.elicitation.create` or `tasks.requests.sampling.createMessage`, if the request is of another
    /// kind, and in other protocol versions. Empty: no task is requested. Default: empty.
    std::optional<client_task_options> task;
};

} // namespace linkspan

#endif
