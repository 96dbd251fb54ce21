#ifndef LINKSPAN_CORE_ATTEMPT_HPP
#define LINKSPAN_CORE_ATTEMPT_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Delivery certainty: the knowledge about the execution of one request at the completion of its attempt.
enum class certainty {
    /// No complete message left this process: the connection failed, this library rejected the request, or the request
    /// was completed before it was sent. The server has not executed the request.
    not_sent,
    /// The server refused the request before its execution.
    refused,
    /// The request was sent, and its execution is not known: no readable response arrived, or the server sent an error
    /// that may follow an execution, such as -32603 or the HTTP status 500.
    unknown,
    /// The server sent a result or an error response that concludes the request.
    completed,
};

/// Returns the name of the enumerator, or "?" for another value.
constexpr std::string_view to_string(certainty value) noexcept
{
    switch (value) {
    case certainty::not_sent: return "not_sent";
    case certainty::refused: return "refused";
    case certainty::unknown: return "unknown";
    case certainty::completed: return "completed";
    }
    return "?";
}

/// Specifies whether a call of unknown outcome may be sent again.
///
/// The first three classes are ordered: `never < idempotent < read_only`. `keyed` is not part of this order.
enum class replay_class {
    /// The call is not sent again: a second execution could have a second effect.
    never,
    /// A second execution with the same arguments has no additional effect.
    idempotent,
    /// The tool changes nothing: the call may be sent again to any server that has the tool.
    read_only,
    /// The call may be sent again to the same server, which recognizes duplicates by a key in the arguments.
    keyed
};

/// Returns the name of the enumerator, or "?" for another value.
constexpr std::string_view to_string(replay_class value) noexcept
{
    switch (value) {
    case replay_class::never: return "never";
    case replay_class::idempotent: return "idempotent";
    case replay_class::read_only: return "read_only";
    case replay_class::keyed: return "keyed";
    }
    return "?";
}

/// Outcome of one attempt: one request of a call to one server.
struct outcome {
    /// Knowledge about the execution of the request. Default: `unknown`.
    linkspan::certainty certainty = linkspan::certainty::unknown;

    /// True if the server sent a valid JSON-RPC response to the request; an error response is a response too, an HTTP
    /// status without a JSON-RPC message is none. Default: false.
    bool has_response = false;

    /// True if the server sent a progress notification for the request, which shows that the execution of the tool has
    /// begun. Default: false.
    bool started = false;

    /// Reason for the failure of the attempt. An attempt with a result has no error, even if the result has
    /// `isError`. Default: no error.
    error_code ec;

    /// Time between the beginning and the completion of the attempt. Default: 0.
    duration elapsed{};

    /// Time from the completion of the attempt until the server accepts requests again: the value that the server
    /// requested (`Retry-After`), or the value that this library computed, for example from the restart schedule.
    /// Empty: not known.
    std::optional<duration> retry_after;

    /// True if the server requested input for the call during the attempt. If the attempt failed, the call may be sent
    /// to this server again, and to no other server. Default: false.
    bool input_requested = false;

    /// True if the health policy has already been notified of this failure: an earlier attempt of the same call on the
    /// same server failed, or the attempt failed because the connection was lost, which is reported once for all calls
    /// of the connection. A circuit breaker counts such failures once. Default: false.
    bool repeated = false;
};

/// Record of one attempt of a call, or of the reason why a server received no attempt.
struct attempt_record {
    /// Name of the server in the configuration.
    std::string server;

    /// Id of the JSON-RPC request. 0 if no request was sent.
    request_id id = 0;

    /// Outcome of the attempt.
    outcome result;

    /// Human-readable explanation, such as the error message of the server, the beginning of a malformed response, or
    /// the diagnostics of a server that was not reached. May be empty.
    std::string detail;

    /// JSON text of the member `data` of the error response; empty: there was no error response, or it has no data.
    std::string data{};

    /// True: the result is a stored result of an earlier call. No request was sent; `result` has the certainty
    /// `completed`, no error and the duration 0. Default: false.
    bool from_store = false;
};

} // namespace linkspan

#endif
