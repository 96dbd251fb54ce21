#ifndef LINKSPAN_CONNECTOR_CONNECTOR_STATE_HPP
#define LINKSPAN_CONNECTOR_CONNECTOR_STATE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/policy/views.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Where a server of a connector stands.
enum class server_state {
    disabled, ///< listed, and never started
    idle,     ///< not started: the first call that needs it starts it
    opening,  ///< it starts, and the protocol version is negotiated
    ready,
    waiting, ///< lost, or could not be started; it is started again at `server_status::retry_at`
    failed,  ///< given up, see `restart_options::give_up`; `async_connect` and `async_open` try again
    closing, ///< a graceful end is under way; answers still come in
    closed,  ///< ended by us; `async_connect` and `async_open` start it
};

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

/// How far the opening of a server came.
enum class open_phase {
    start,     ///< the process, or the connection
    negotiate, ///< the protocol version of the protocol
    discover,  ///< the list of its tools
    done,
};

constexpr std::string_view to_string(open_phase phase) noexcept
{
    switch (phase) {
    case open_phase::start: return "start";
    case open_phase::negotiate: return "negotiate";
    case open_phase::discover: return "discover";
    case open_phase::done: return "done";
    }
    return "?";
}

/// How the opening of one server went.
struct server_report {
    std::string server;
    error_code ec;                        ///< empty: it is ready
    open_phase phase = open_phase::start; ///< how far it came; `done` without an error
    std::string detail;                   ///< for people: what the server said, and the end of its stderr
    std::optional<linkspan::protocol_version> protocol_version;
    std::size_t tools = 0;
    duration elapsed{};

    /// Whether the server is ready.
    explicit operator bool() const noexcept { return !ec.failed(); }
};

/// How the opening of a connector went, a line for each server, in the order of configuration.
struct open_report {
    std::vector<server_report> servers;

    std::size_t failures() const noexcept
    {
        return static_cast<std::size_t>(std::ranges::count_if(servers, [](auto const& line) { return !line; }));
    }
};

/// How one server ended.
struct server_end {
    std::string server;
    error_code ec;      ///< empty: gracefully
    duration elapsed{}; ///< since the shutdown began
};

/// How a connector was shut down, a line for each server, in the order of configuration.
struct shutdown_report {
    std::vector<server_end> servers;
};

/// A server of a connector, at one moment.
struct server_status {
    std::string server;
    std::string transport; ///< such as "stdio"
    server_state state = server_state::idle;
    health_state health = health_state::unknown;
    int priority = 0;
    std::optional<linkspan::protocol_version> protocol_version;
    std::size_t tools = 0;
    std::size_t in_flight = 0;
    std::uint64_t calls = 0;    ///< attempts that ended
    std::uint64_t failures = 0; ///< attempts that ended with an error
    std::uint64_t errors = 0;   ///< openings that failed, losses of the connection, probes that were not answered
    std::uint64_t restarts = 0; ///< it was lost, or could not be started, and was started again
    std::uint64_t unexpected_output = 0; ///< lines of its output that were no message
    std::optional<duration> latency;     ///< of its answers, smoothed
    std::optional<wall_time> last_probe; ///< that it answered; Unix time
    std::optional<duration> uptime;      ///< since it became ready; empty: it is not
    std::optional<std::int64_t> pid;     ///< of its child process; empty: none is alive

    /// When a server that is not available is next tried, in Unix time: the next start if it is `waiting`, the next
    /// probe if its circuit breaker is open (`health` is `tripped`). Empty: not by itself, or it is available.
    std::optional<wall_time> retry_at;

    /// Why it was lost, could not be opened, or has an open circuit breaker; with what starts it again, if it was
    /// given up or is retried slowly.
    std::string last_error;
};

/// A connector, at one moment.
struct connector_state {
    std::vector<server_status> servers; ///< in the order of configuration
    std::size_t total_tools = 0;
    std::optional<wall_time> last_discovery; ///< Unix time of the last successful `tools/list`
};

/// The state as a JSON object: `servers`, `total_tools` and `last_discovery`. Each server has `name`, `is_connected`,
/// `last_ping`, `error_count` and `tools_available`, and then what else `server_status` knows. `error_count` is the sum
/// of `failures` and `errors`. `last_ping` and `last_discovery` are Unix times in seconds, `uptime` and `latency` are
/// seconds; what is not known is null.
LINKSPAN_DECL boost::json::object to_json(connector_state const& state);

BOOST_DESCRIBE_STRUCT(server_report, (), (server, ec, phase, detail, protocol_version, tools, elapsed))
BOOST_DESCRIBE_STRUCT(open_report, (), (servers))
BOOST_DESCRIBE_STRUCT(server_end, (), (server, ec, elapsed))
BOOST_DESCRIBE_STRUCT(shutdown_report, (), (servers))
BOOST_DESCRIBE_STRUCT(server_status, (),
                      (server, transport, state, health, priority, protocol_version, tools, in_flight, calls, failures,
                       errors, restarts, unexpected_output, latency, last_probe, uptime, pid, retry_at, last_error))
BOOST_DESCRIBE_STRUCT(connector_state, (), (servers, total_tools, last_discovery))

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_state.ipp>
#endif

#endif
