#ifndef LINKSPAN_CONNECTOR_DETAIL_PUBLISHED_SERVER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_PUBLISHED_SERVER_HPP

#include <linkspan/connector/connector_state.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Copy of a server's state for other threads, with the data of `server_status`.
//
// Only functions on the connector's executor write; any thread reads. `key`, `transport` and `priority` are set before
// the object is published, and not changed later. The numbers are independent of each other, so that relaxed atomics
// suffice. Members without another comment are set by connector_context::publish(), at each change of the state and
// after each list.
struct published_server {
    static constexpr duration::rep none = -1; // value of a missing time

    std::string key;
    std::string transport;
    int priority = 0;
    std::atomic<server_state> state{server_state::idle};
    std::atomic<health_state> health{health_state::unknown}; // also set by `server_prober`
    std::atomic<int> version{-1};                            // `protocol_version` as a number; -1: none
    std::atomic<std::size_t> tools{0};
    std::atomic<std::size_t> in_flight{0};           // also set at the start and the completion of each request
    std::atomic<std::size_t> queued{0};              // set together with `in_flight`
    std::atomic<std::uint64_t> calls{0};             // finished attempts; incremented by server_prober::record()
    std::atomic<std::uint64_t> failures{0};          // finished attempts with an error; incremented by record()
    std::atomic<std::uint64_t> errors{0};            // see count_error()
    std::atomic<std::uint64_t> restarts{0};          // incremented when a scheduled restart begins
    std::atomic<std::uint64_t> unexpected_output{0}; // set by each line that is not a message
    std::atomic<duration::rep> latency{none};        // in units of `duration`; set by each attempt with a response
    std::atomic<duration::rep> up_since{none};       // time at which the server became ready; `none` in other states
    std::atomic<std::int64_t> pid{0};                // of the running child process; 0: none
    std::atomic<wall_time::duration::rep> last_probe{none};   // in Unix time; set by a successful probe
    std::atomic<wall_time::duration::rep> last_refresh{none}; // in Unix time; set by a complete list of tools
    std::atomic<wall_time::duration::rep> retry_at{none};     // in Unix time; next start or probe
    mutable std::mutex text;                                  // guards `last_error`
    std::string last_error; // guarded by `text`; set by each error, and by probes of an open breaker; never cleared

    // Counts a failed opening, a lost connection, a failed first list or a failed probe.
    void count_error() noexcept { errors.store(errors.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

    // Returns a copy of the values. `at`: current time, for the uptime. Safe from any thread.
    server_status read(time_point at) const
    {
        constexpr auto order = std::memory_order_relaxed;
        server_status now;
        now.server = key;
        now.transport = transport;
        now.priority = priority;
        now.state = state.load(order);
        now.health = health.load(order);
        if (auto const id = version.load(order); id >= 0)
            now.protocol_version = static_cast<protocol_version>(id);
        now.tools = tools.load(order);
        now.in_flight = in_flight.load(order);
        now.queued = queued.load(order);
        now.calls = calls.load(order);
        now.failures = failures.load(order);
        now.errors = errors.load(order);
        now.restarts = restarts.load(order);
        now.unexpected_output = unexpected_output.load(order);
        if (auto const span = latency.load(order); span != none)
            now.latency = duration(span);
        if (auto const when = last_probe.load(order); when != none)
            now.last_probe = wall_time(wall_time::duration(when));
        if (auto const since = up_since.load(order); since != none)
            now.uptime = std::max(at - time_point(duration(since)), duration::zero());
        if (auto const id = pid.load(order); id != 0)
            now.pid = id;
        if (auto const when = retry_at.load(order); when != none)
            now.retry_at = wall_time(wall_time::duration(when));
        std::lock_guard const lock(text);
        now.last_error = last_error;
        return now;
    }
};

} // namespace linkspan::detail

#endif
