#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_STATE_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_STATE_IPP

#include <linkspan/connector/connector_state.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline double seconds_of(duration span) noexcept { return std::chrono::duration<double>(span).count(); }

inline boost::json::value json_of(std::optional<wall_time> const& when)
{
    using seconds = std::chrono::duration<double>;
    return when ? boost::json::value(seconds(when->time_since_epoch()).count()) : boost::json::value();
}

inline boost::json::value json_of(std::optional<duration> const& span)
{
    return span ? boost::json::value(seconds_of(*span)) : boost::json::value();
}

template<class Number>
boost::json::value number_or_null(std::optional<Number> const& number)
{
    return number ? boost::json::value(*number) : boost::json::value();
}

inline boost::json::object json_of(server_status const& server)
{
    boost::json::object out;
    out["name"] = server.server;
    out["is_connected"] = server.state == server_state::ready;
    out["last_ping"] = json_of(server.last_probe);
    out["error_count"] = server.failures + server.errors;
    out["tools_available"] = server.tools;
    out["transport"] = server.transport;
    out["state"] = to_string(server.state);
    out["health"] = to_string(server.health);
    out["priority"] = server.priority;
    out["protocol_version"] =
        server.protocol_version ? boost::json::value(to_string(*server.protocol_version)) : boost::json::value();
    out["in_flight"] = server.in_flight;
    out["queued"] = server.queued;
    out["calls"] = server.calls;
    out["restarts"] = server.restarts;
    out["unexpected_output"] = server.unexpected_output;
    out["latency"] = json_of(server.latency);
    out["uptime"] = json_of(server.uptime);
    out["pid"] = number_or_null(server.pid);
    out["resident_bytes"] = number_or_null(server.resident_bytes);
    out["open_files"] = number_or_null(server.open_files);
    out["breaker"] = server.health == health_state::tripped ? "open" : "closed";
    out["retry_at"] = json_of(server.retry_at);
    out["last_error"] = server.last_error;
    return out;
}

} // namespace detail

LINKSPAN_DECL std::size_t open_report::failures() const noexcept
{
    return static_cast<std::size_t>(std::ranges::count_if(servers, [](auto const& line) { return !line; }));
}

LINKSPAN_DECL boost::json::object to_json(connector_state const& state)
{
    boost::json::array servers;
    for (auto const& server : state.servers)
        servers.push_back(detail::json_of(server));
    boost::json::object out;
    out["servers"] = std::move(servers);
    out["total_tools"] = state.total_tools;
    out["last_refresh"] = detail::json_of(state.last_refresh);
    return out;
}

} // namespace linkspan

#endif
