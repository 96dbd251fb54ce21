#ifndef LINKSPAN_POLICY_VIEWS_HPP
#define LINKSPAN_POLICY_VIEWS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace linkspan {

/// Health of a server, as determined by its health policy. Whether the server is connected is a separate fact.
enum class health_state {
    /// No outcome was observed yet. The server receives calls.
    unknown,
    /// The server responds. It receives calls.
    healthy,
    /// The server is slow, or missed a probe. It receives calls like a healthy one.
    degraded,
    /// The server does not respond to probes. The routing policies of the library prefer all other servers.
    unhealthy,
    /// The circuit breaker is open. The server is used only if no other server can execute a call, by one call at a
    /// time.
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

/// A call, as policies and observers see it.
///
/// \par Lifetime
/// The views refer to texts of the connector. They are valid while the function of the policy runs.
struct call_view {
    /// Name of the tool, as the server of the attempt lists it; before the first attempt, as the first eligible server
    /// lists it.
    std::string_view tool;

    /// `call_options::affinity`: calls with equal texts belong together. Empty: none.
    std::string_view affinity;

    /// `call_options::correlation`: the caller's identifier of the call. Empty: none.
    std::string_view correlation;

    /// The caller selected one server (`on_server`).
    bool targeted = false;

    /// The caller gave an ordered list of servers (`selector::servers`). The routing policy is not consulted.
    bool in_order = false;

    /// Deadline of the call over all attempts.
    time_point deadline = time_point::max();

    /// The current time, read once per decision.
    time_point now{};

    /// 64 random bits, drawn once per decision.
    std::uint64_t draw = 0;
};

/// A server, as policies and observers see it.
///
/// \par Lifetime
/// The views refer to texts of the connector. They are valid while the function of the policy runs.
struct server_view {
    /// Identifier of the server in the connector; never reused.
    server_id id{};

    /// Name of the server in the configuration.
    std::string_view key;

    /// `server_options::tags`.
    std::span<std::string_view const> tags;

    /// `server_options::priority`, 0 to 100. Servers with higher values are preferred.
    int priority = 0;

    /// Current state from the health policy.
    health_state health = health_state::unknown;

    /// Requests that are queued or sent, and not complete.
    std::uint32_t in_flight = 0;

    /// `session_options::max_in_flight`: maximum of sent requests without a response.
    std::uint32_t limit = 256;

    /// Exponentially smoothed time to the response. Empty: no response yet.
    std::optional<duration> latency;

    /// End of the pause that the server requested (`Retry-After`). The server receives no calls before. Empty: no
    /// request.
    std::optional<time_point> throttled_until;

    /// Weakest replay class of the tool over this server and the servers that may have executed the call.
    replay_class meet = replay_class::never;
};

/// A finished attempt. Fallback policies receive failed attempts only; observers receive all.
///
/// \par Lifetime
/// Valid while the function of the policy runs.
struct attempt_view {
    /// The call.
    call_view const& call;

    /// The server of the attempt. For fallback policies, `meet` is the weakest replay class over the servers that may
    /// have executed the call.
    server_view const& server;

    /// Number of the attempt in the call over all servers, from 1.
    unsigned number = 1;

    /// Number of attempts so far that count for a limit: those that were refused or whose outcome is unknown, and
    /// repeated attempts on one server.
    unsigned tries = 0;

    /// Outcome of the attempt.
    outcome const& result;

    /// The same server can accept another attempt.
    bool same_allowed = false;

    /// Servers without an attempt of this call that may execute the call next. Empty for observers.
    std::span<server_view const> others;

    /// Number of earlier attempts of the call on this server. 0 for observers.
    unsigned repeats = 0;

    /// The tool reported its own failure (`isError`). Set for observers only.
    bool tool_failed = false;
};

/// Decision of a fallback policy about the next step.
struct verdict {
    /// `give_up`: ends the call with an error. `retry_same`: another attempt on the same server. `next_server`: an
    /// attempt on another server, which the routing policy selects.
    enum class kind { give_up, retry_same, next_server };

    /// The decision.
    kind what = kind::give_up;

    /// Wait before the next attempt. 0: none. A wait beyond the deadline ends the call or skips the server.
    duration wait{};

    /// Minimum replay class of the tool on the next server, if the call may have been executed. Empty: `idempotent`
    /// after an unknown outcome, `read_only` after a response.
    std::optional<replay_class> at_least;

    /// Returns a decision that ends the call.
    static verdict give_up() { return {}; }

    /// Returns a decision for another attempt on the same server after `wait`.
    static verdict retry_same(duration wait = {}) { return {kind::retry_same, wait, {}}; }

    /// Returns a decision for an attempt on another server after `wait`.
    static verdict next_server(duration wait = {}) { return {kind::next_server, wait, {}}; }
};

/// A change of a server's state, for observers.
///
/// \par Lifetime
/// Valid while the function of the observer runs.
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

/// An event, for observers. `what` is one of the following; the text after the colon describes `detail`.
///
/// | `what`              | occurs when                                                                     |
/// |---------------------|---------------------------------------------------------------------------------|
/// | `unexpected_output` | the server wrote a line that is not a message: the text; the first five times   |
/// | `health`            | the health state changed: the new state                                         |
/// | `slow_restarts`     | restarts reached `restart_options::max_restarts`: the schedule from then on     |
/// | `odd_schema`        | the input schema of a tool does not have the type `object`: the tool            |
/// | `unusable_schema`   | a schema cannot be used, so that it is not validated: the tool and the reason   |
/// | `unusable_tool`     | the transport or a pin excludes a tool from the catalog: the tool and the reason |
/// | `pin_broken`        | a tool differs from its pin: the tool and the difference                        |
/// | `name_collision`    | two tools would have one exposed name, so that neither has it: the name         |
/// | `catalog_changed`   | a new catalog was published: empty                                              |
///
/// \par Lifetime
/// Valid while the function of the observer runs.
struct event_view {
    /// Name of the server. Empty: the event concerns the connector.
    std::string_view server;

    /// Name of the event, from the table.
    std::string_view what;

    /// Text for a human reader. Secrets of the server are redacted in texts that the server wrote. May be empty.
    std::string_view detail;
};

} // namespace linkspan

#endif
