#ifndef LINKSPAN_POLICY_VIEWS_HPP
#define LINKSPAN_POLICY_VIEWS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Health of a server, as determined by the health policy. The state of the connection (`server_state`) is independent
/// of the health.
enum class health_state {
    /// The health policy has observed no response of the server yet. The server receives calls.
    unknown,
    /// The server responds, and receives calls.
    healthy,
    /// The last probe failed or took long. The server receives calls like a healthy server.
    degraded,
    /// The server does not respond to probes. The routing policies of the library select the server only if all
    /// candidates are unhealthy.
    unhealthy,
    /// The circuit breaker is open. A call uses the server only as the last resort: if no other server can execute the
    /// call, and no other call is using the server as its last resort at that time.
    tripped,
};

/// Returns the name of the enumerator, as it appears in events and in JSON; "?" for other values.
constexpr std::string_view to_string(health_state health) noexcept
{
    switch (health) {
    case health_state::unknown: return "unknown";
    case health_state::healthy: return "healthy";
    case health_state::degraded: return "degraded";
    case health_state::unhealthy: return "unhealthy";
    case health_state::tripped: return "tripped";
    }
    return "?";
}

/// Properties of a call, for policies and observers.
///
/// \par Lifetime
/// The object and the texts to which it refers are valid while the function of the policy or observer runs.
struct call_view {
    /// Name of the tool in the list of the attempt's server. Before the first attempt: in the list of the first
    /// eligible server. For a prompt or a resource: the name of the prompt, or the URI of the resource.
    std::string_view tool;

    /// `call_options::affinity`: key of calls that should use the same server. Empty: none.
    std::string_view affinity;

    /// `call_options::correlation`: the caller's identifier of the call. Empty: none.
    std::string_view correlation;

    /// True: the caller selected one server (`on_server`).
    bool targeted = false;

    /// True: the caller gave an ordered list of servers (`selector::servers`). The connector does not invoke the
    /// routing policy then.
    bool in_order = false;

    /// Deadline of the call over all attempts. `time_point::max()`: none.
    time_point deadline = time_point::max();

    /// The current time, read once per decision.
    time_point now{};

    /// 64 random bits, drawn once per decision.
    std::uint64_t draw = 0;

    /// Method of the request: `tools/call`, `prompts/get` or `resources/read`.
    std::string_view method = "tools/call";
};

/// Properties of a server, for policies and observers.
///
/// \par Lifetime
/// The object and the texts to which it refers are valid while the function of the policy or observer runs.
struct server_view {
    /// Identifier of the server in the connector; never reused.
    server_id id{};

    /// Name of the server in the connector.
    std::string_view key;

    /// `server_options::tags`.
    std::span<std::string_view const> tags;

    /// `server_options::priority`, 0 to 100. Servers with higher values are preferred.
    int priority = 0;

    /// Current health state, from the health policy.
    health_state health = health_state::unknown;

    /// Requests that are queued or sent, and not complete. At most 2^32 - 1.
    std::uint32_t in_flight = 0;

    /// `session_options::max_in_flight`: maximum number of requests that were sent and have no response. 2^32 - 1: that
    /// number or a larger one.
    std::uint32_t limit = 256;

    /// Exponentially smoothed time from a request to its response. Empty: no response yet.
    std::optional<duration> latency;

    /// End of the pause that the server requested (`Retry-After`). The server receives no calls before this time.
    /// Empty: the server requested no pause.
    std::optional<time_point> throttled_until;

    /// Replay class of the call on this server: the weakest of the tool's replay classes on this server and on all
    /// servers that may have executed the call before. A class that applies to one server only (such as `keyed`) is
    /// `never` on others. In an `attempt_view` for observers: the class of the tool on this server. In a `state_view`:
    /// `never`.
    replay_class replay = replay_class::never;
};

/// A finished attempt. Fallback policies receive failed attempts only. Observers also receive successful attempts, but
/// no attempts that were cancelled, and no attempts on servers that were not reached.
///
/// \par Lifetime
/// The object is valid while the function of the policy or observer runs.
struct attempt_view {
    /// The call.
    call_view const& call;

    /// The server of the attempt. For fallback policies, `replay` is the weakest of the tool's replay classes on the
    /// servers that may have executed the call.
    server_view const& server;

    /// Number of the attempt in the call over all servers, from 1.
    unsigned number = 1;

    /// Number of attempts so far that count towards a limit of attempts: attempts that were refused, attempts of
    /// unknown outcome, and repeated attempts on one server. In an `attempt_view` for observers, this attempt is not
    /// counted.
    unsigned counted_attempts = 0;

    /// Outcome of the attempt.
    outcome const& result;

    /// True: the same server can receive another attempt.
    bool same_allowed = false;

    /// Servers that have received no attempt of the call and may receive the next attempt. Empty for observers.
    std::span<server_view const> others;

    /// Number of earlier attempts of the call on this server.
    unsigned repeats = 0;

    /// True: the tool reported its own failure (`isError`). Always false for fallback policies.
    bool tool_failed = false;
};

/// Decision of a fallback policy about the next step.
struct verdict {
    /// `give_up`: completes the call with an error. `retry_same`: another attempt on the same server. `next_server`: an
    /// attempt on another server, which the routing policy selects.
    enum class kind { give_up, retry_same, next_server };

    /// The decision.
    kind what = kind::give_up;

    /// Wait before the next attempt. 0: none. A wait beyond the deadline completes the call, except with `retry_same`
    /// if another server is available: the next attempt then uses that server.
    duration wait{};

    /// Minimum replay class of the tool on the next server, if the call may have been executed. Empty: `idempotent`
    /// after an outcome with `certainty::unknown`, `read_only` after `certainty::completed`.
    std::optional<replay_class> min_replay_class;

    /// Returns a decision that completes the call.
    static verdict give_up() { return {}; }

    /// Returns a decision for another attempt on the same server after `wait`.
    static verdict retry_same(duration wait = {}) { return {kind::retry_same, wait, {}}; }

    /// Returns a decision for an attempt on another server after `wait`.
    static verdict next_server(duration wait = {}) { return {kind::next_server, wait, {}}; }
};

/// A change of a server's state, or a failed `tools/list` request, for observers.
///
/// \par Lifetime
/// The object is valid while the function of the observer runs.
struct state_view {
    /// The server.
    server_view const& server;

    /// Name of the new state, as returned by `to_string(server_state)`.
    std::string_view state;

    /// Reason of a lost connection, a failed opening or a failed `tools/list` request. No error for other changes.
    error_code ec;

    /// Text for a human reader, such as the end of the server's stderr. Secrets are redacted. May be empty.
    std::string_view detail;

    /// Time of the change.
    time_point now{};
};

/// An event, for observers.
///
/// | `name`              | occurs when                                                      | `detail`            |
/// |---------------------|------------------------------------------------------------------|---------------------|
/// | `unexpected_output` | the server wrote a line that is not a message (first five lines) | the line            |
/// | `health`            | the health state changed                                         | the new state       |
/// | `slow_restarts`     | restarts reached `restart_options::max_restarts`                 | time of next start  |
/// | `non_object_schema` | the input schema of a tool does not have the type `object`       | the tool            |
/// | `unusable_schema`   | a schema cannot be used for validation                           | tool and reason     |
/// | `unusable_tool`     | a tool is not in the catalog, because of its transport or pin    | tool and reason     |
/// | `classifier_failed` | `server_options::result_classifier` threw; the result is kept    | tool and exception  |
/// | `pin_broken`        | a tool differs from its pin                                      | tool and difference |
/// | `name_collision`    | tools would have the same exposed name, so that none has it      | the name            |
/// | `catalog_changed`   | a new catalog was published                                      | empty               |
///
/// \par Lifetime
/// The object is valid while the function of the observer runs.
struct event_view {
    /// Name of the server. Empty: the event concerns the connector.
    std::string_view server;

    /// Name of the event, from the table.
    std::string_view name;

    /// Text for a human reader. Secrets of the server are redacted in texts that the server wrote. May be empty.
    std::string_view detail;
};

} // namespace linkspan

#endif
