#ifndef LINKSPAN_CONNECTOR_CONNECTOR_STATE_HPP
#define LINKSPAN_CONNECTOR_CONNECTOR_STATE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/policy/views.hpp>

#include <boost/json/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// State of a server of a connector.
enum class server_state {
    /// `server_options::enabled` is false, or `async_disable` disabled the server. Only `async_enable` starts the
    /// server.
    disabled,
    /// The server is not started. The first call that needs the server starts it.
    idle,
    /// The transport is being opened, or the protocol version is being negotiated.
    opening,
    /// The connection is open. The first `tools/list` request may still be outstanding.
    ready,
    /// The connection was lost or could not be opened. The restart is due at `server_status::retry_at`.
    waiting,
    /// The connector has stopped restarting the server (`restart_options::give_up`). `async_connect` and `async_open`
    /// start the server.
    failed,
    /// A graceful shutdown is in progress. Outstanding calls may still complete; new calls use other servers.
    closing,
    /// The connector closed the server, does not restart it (`restart_options::max_restarts` is 0), or has not started
    /// it yet (`start_mode::manual`). `async_connect` and `async_open` start the server; `async_open` changes the state
    /// of a server with `start_mode::lazy` to `idle` instead.
    closed,
};

/// Returns the name of the enumerator, as it appears in JSON and in `state_view::state`; "?" for other values.
constexpr std::string_view to_string(server_state state) noexcept
{
    switch (state) {
    case server_state::disabled: return "disabled";
    case server_state::idle: return "idle";
    case server_state::opening: return "opening";
    case server_state::ready: return "ready";
    case server_state::waiting: return "waiting";
    case server_state::failed: return "failed";
    case server_state::closing: return "closing";
    case server_state::closed: return "closed";
    }
    return "?";
}

/// Phases of the opening of a server.
enum class open_phase {
    /// Start of the child process, or connection to the server.
    start,
    /// Negotiation of the protocol version.
    negotiate,
    /// The first `tools/list` request.
    list_tools,
    /// The server is ready and its tools are in the catalog.
    done,
};

/// Returns the name of the enumerator; "?" for other values.
constexpr std::string_view to_string(open_phase phase) noexcept
{
    switch (phase) {
    case open_phase::start: return "start";
    case open_phase::negotiate: return "negotiate";
    case open_phase::list_tools: return "list_tools";
    case open_phase::done: return "done";
    }
    return "?";
}

/// Report of the opening of one server.
///
///     if (auto const report = co_await hub.async_connect("files"); !report)
///         std::cerr << report.server << ": " << report.ec.message() << ' ' << report.detail;
struct server_report {
    /// Name of the server.
    std::string server;

    /// Error of the phase that failed. No error: the server is ready.
    error_code ec;

    /// The last phase that began; `done` if there is no error. With an error in the phase `list_tools`, the server has
    /// not listed its tools; the server is connected, unless the connection was lost during the request.
    open_phase phase = open_phase::start;

    /// Text for a human reader: the message of the server and the end of its stderr, with secrets redacted; without an
    /// error, the tools that are not in the catalog and the reason. May be empty.
    std::string detail;

    /// Negotiated protocol version. Empty: the negotiation failed or did not begin.
    std::optional<linkspan::protocol_version> protocol_version;

    /// Number of tools of the server in the catalog.
    std::size_t tools = 0;

    /// Time from the start of the opening to its completion.
    duration elapsed{};

    /// Returns whether the server is ready and its tools were listed: `ec` is no error.
    explicit operator bool() const noexcept { return !ec.failed(); }
};

/// Report of the opening of a connector.
struct open_report {
    /// One entry per server that had to be opened, in configuration order. Servers that were already open have none.
    std::vector<server_report> servers;

    /// Returns the number of entries with an error.
    LINKSPAN_DECL std::size_t failures() const noexcept;
};

/// Report of the shutdown of one server.
struct server_end {
    /// Name of the server.
    std::string server;

    /// No error: the server was shut down gracefully. `deadline_exceeded`: the server was not shut down within the
    /// timeout of `async_shutdown`.
    error_code ec;

    /// Time from the start of `async_shutdown` until this server was closed.
    duration elapsed{};
};

/// Report of the shutdown of a connector.
struct shutdown_report {
    /// One entry per server, in configuration order, followed by removed servers that were still being shut down.
    std::vector<server_end> servers;
};

/// Snapshot of one server of a connector.
struct server_status {
    /// Name of the server.
    std::string server;

    /// Kind of the transport, such as "stdio".
    std::string transport;

    /// State of the connection.
    server_state state = server_state::idle;

    /// State from the health policy.
    health_state health = health_state::unknown;

    /// `server_options::priority`, 0 to 100.
    int priority = 0;

    /// Negotiated protocol version of the current connection, or of the last one if the server is not connected. Empty:
    /// none was negotiated.
    std::optional<linkspan::protocol_version> protocol_version;

    /// Number of tools of the server in the catalog.
    std::size_t tools = 0;

    /// Requests that are queued or sent, and not complete.
    std::size_t in_flight = 0;

    /// Requests of `in_flight` that wait to be sent, because `session_options::max_in_flight` requests were sent.
    std::size_t queued = 0;

    /// Attempts that were completed since the server was added.
    std::uint64_t calls = 0;

    /// Attempts that were completed with an error.
    std::uint64_t failures = 0;

    /// Failed openings (also if only the `tools/list` request failed), lost connections and failed probes.
    std::uint64_t errors = 0;

    /// Automatic restarts after a lost connection or a failed start.
    std::uint64_t restarts = 0;

    /// Lines of the server's output that were not messages.
    std::uint64_t unexpected_output = 0;

    /// Exponentially smoothed time from a request to its response. Empty: no response yet.
    std::optional<duration> latency;

    /// Time of the last successful probe, in Unix time. Empty: none.
    std::optional<wall_time> last_probe;

    /// Time since the server became ready. Empty: the server is not ready.
    std::optional<duration> uptime;

    /// Process id of the child process. Empty: none is running, or the transport has none.
    std::optional<std::int64_t> pid;

    /// Memory of the child process in RAM, in bytes. Set by `add_process_usage` of
    /// <linkspan/connector/process_usage.hpp>. Empty: not requested, or not available.
    std::optional<std::uint64_t> resident_bytes;

    /// Open file descriptors of the child process. Set by `add_process_usage`. Empty: not requested, or not available.
    std::optional<std::size_t> open_files;

    /// Time of the next start if the state is `waiting`, or of the next probe if the circuit breaker is open (`health`
    /// is `tripped`), in Unix time. Empty: the server is available, or neither a start nor a probe is scheduled.
    std::optional<wall_time> retry_at;

    /// Reason of the last lost connection, failed opening, failed `tools/list` request or open circuit breaker. For a
    /// server that is in the state `failed`, or is restarted slowly, the text names the operation that starts the
    /// server. Empty: no failure.
    std::string last_error;
};

/// Snapshot of a connector, from `connector_base::state()`.
struct connector_state {
    /// The servers, in configuration order.
    std::vector<server_status> servers;

    /// Sum of `server_status::tools`.
    std::size_t total_tools = 0;

    /// Time of the last successful `tools/list` request of any server, in Unix time. Empty: none.
    std::optional<wall_time> last_refresh;
};

/// Returns the state as a JSON object, for other programs.
///
/// The object has `servers`, `total_tools` and `last_refresh`. Each server has `name`, `is_connected`, `last_ping`,
/// `error_count` and `tools_available`, and then `transport`, `state`, `health`, `priority`, `protocol_version`,
/// `in_flight`, `queued`, `calls`, `restarts`, `unexpected_output`, `latency`, `uptime`, `pid`, `resident_bytes`,
/// `open_files`, `breaker` ("open" or "closed"), `retry_at` and `last_error`. `is_connected` is true in the state
/// `ready`, `last_ping` is `server_status::last_probe`, `tools_available` is `server_status::tools`, and `error_count`
/// is the sum of `failures` and `errors`. `breaker` is "open" if `health` is `tripped`, also while a probe or a call as
/// the last resort is outstanding (half-open). `last_ping`, `retry_at` and `last_refresh` are Unix times in seconds;
/// `uptime` and `latency` are in seconds. A missing value is null, except that `last_error` is an empty text if there
/// was no failure.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL boost::json::object to_json(connector_state const& state);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_state.ipp>
#endif

#endif
