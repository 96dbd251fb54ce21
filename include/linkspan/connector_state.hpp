#ifndef LINKSPAN_CONNECTOR_STATE_HPP
#define LINKSPAN_CONNECTOR_STATE_HPP

#include <linkspan/error.hpp>
#include <linkspan/fwd.hpp>
#include <linkspan/policy/views.hpp>
#include <linkspan/revision.hpp>
#include <linkspan/session_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linkspan {

/// How the opening of one server went.
struct server_report {
    std::string server;
    error_code ec;      ///< empty: it is ready
    std::string detail; ///< for people: what the server said, and the end of its stderr
    std::optional<revision> spoken;
    std::size_t tools = 0;
    duration elapsed{};
};

/// How the opening of a connector went, a line for each server, in the order of configuration.
struct open_report {
    std::vector<server_report> servers;

    std::size_t failures() const noexcept
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(servers, [](server_report const& line) { return line.ec.failed(); }));
    }
};

/// A server of a connector, at one moment.
struct server_status {
    std::string server;
    std::string transport; ///< such as "stdio"
    session_state state = session_state::idle;
    health_state health = health_state::unknown;
    int priority = 0;
    std::optional<revision> spoken;
    std::size_t tools = 0;
    std::size_t in_flight = 0;
    std::uint64_t calls = 0;    ///< attempts that ended
    std::uint64_t failures = 0; ///< attempts that ended with an error
    std::uint64_t noise = 0;    ///< lines of its output that were no message
    std::string last_error;     ///< why it was lost or could not be opened
};

} // namespace linkspan

#endif
