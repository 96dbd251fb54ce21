#ifndef LINKSPAN_MODEL_CALL_OPTIONS_HPP
#define LINKSPAN_MODEL_CALL_OPTIONS_HPP

#include <linkspan/core/fwd.hpp>

#include <functional>
#include <optional>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Progress of a request, as the server reports it.
///
/// \par Specification
/// MCP 2025-11-25, basic/utilities/progress.
struct progress_update {
    double progress = 0;         ///< amount of work done; a server must increase it with each update
    std::optional<double> total; ///< total amount of work, in the unit of `progress`; empty: not reported
    std::string message;         ///< human-readable text, since 2025-03-26; empty: not reported
};

/// Options of one request: `tools/call`, `resources/read`, `prompts/get`, `completion/complete`, or a request of
/// `session::async_request`.
///
/// An empty option has the default of the session or of the connector. The `time_source` of the session or of the
/// connector measures all durations.
///
///     linkspan::call_options options;
///     options.timeout = std::chrono::seconds(20);
///     auto result = co_await hub.async_call("search", {{"query", "cats"}}, options);
///
/// \par Thread safety
/// Distinct objects: safe.
// Not an aggregate: g++ 12 miscompiles a temporary aggregate in a co_await expression.
struct call_options {
    /// Constructs options that are all empty.
    call_options() {}

    /// Maximum time during which an attempt receives neither a response nor a progress notification. Each progress
    /// notification restarts the timeout. `duration::max()`: unlimited. Empty: `session_options::idle_timeout`, 30 s by
    /// default.
    std::optional<duration> idle_timeout;

    /// Maximum time of one attempt, independent of progress. `duration::max()`: unlimited. Empty:
    /// `session_options::attempt_timeout`, 300 s by default.
    std::optional<duration> attempt_timeout;

    /// Maximum time of the call over all attempts. `duration::max()`: unlimited. Empty: 300 s for a call of a
    /// connector, unlimited for a call of a session.
    std::optional<duration> timeout;

    /// Maximum share of the remaining time of the call for one attempt, so that time is left for another server. The
    /// share applies only if another server may execute the call after the attempt; otherwise the attempt may use all
    /// of the remaining time. Range: 0 to 1; 1: all of the remaining time. Empty: the share of the fallback policy, 0.5
    /// by default. Sessions ignore this option.
    std::optional<double> attempt_share;

    /// Called for each progress notification about the call, on the executor of the session or connector. The function
    /// must not throw. Empty: progress is not reported. Progress of a tool call then still restarts `idle_timeout`;
    /// other requests then contain no progress token, so that the server sends no progress.
    std::function<void(progress_update const&)> on_progress;

    /// Key by which a routing policy (such as `routing::sticky`) sends related calls to the same server. The key is not
    /// sent to the server. Empty: no key. Sessions ignore this option.
    std::string affinity;

    /// Identifier of the call for observers and logs, chosen by the caller. The identifier is not sent to the server.
    /// Empty: no identifier. Sessions ignore this option.
    std::string correlation;

    /// False: the connector sends the request although it has a stored result, and the new result replaces the stored
    /// one. Applies to results of tools (`server_options::result_ttl`) and of resources (`store_read_results`).
    /// Sessions ignore this option. Default: true.
    bool use_stored_results = true;

    /// True: the server may continue a call of a tool as a task. The operation then completes with a result whose
    /// function `call_result::task` returns the task, and the program waits for the outcome with `async_wait_task`. The
    /// timeouts do not include the time of the task.
    ///
    ///     options.allow_task = true;
    ///     auto const result = co_await hub.on_server("studio").async_call("render", input, options);
    ///     if (auto const running = result.task())
    ///         remember(result.server(), running->id);
    ///
    /// The request asks for a task if the server supports tasks. In 2025-11-25, a connector also requires that the
    /// catalog contains the tool and that `tool::tasks` is not `forbidden`; a session does not know the tool, so that
    /// the option must only be set for such tools. The value that the caller passed decides, also if an interceptor
    /// changes the options. Other requests than calls of tools ignore the option, and so does `session::async_request`,
    /// also with the method `tools/call`. A typed call with another result than `call_result` fails with
    /// `unexpected_result` if the server responds with a task. Default: false. In 2026-07-28, a task in the response is
    /// then a `malformed_message`; in 2025-11-25, such a response is an ordinary result.
    bool allow_task = false;

    /// Members to add to `params._meta` of the request, as the text of a JSON object such as `{"traceparent":"..."}`.
    /// The text is not checked. Empty: no members.
    std::string meta;
};

} // namespace linkspan

#endif
