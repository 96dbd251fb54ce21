#ifndef LINKSPAN_SERVER_SERVER_TASK_LIMITS_HPP
#define LINKSPAN_SERVER_SERVER_TASK_LIMITS_HPP

#include <linkspan/core/detail/config.hpp>

#include <chrono>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {

/// Limits of the tasks of a `server`; base class of `serving_options`.
struct server_task_limits {
    /// Maximum of the time to live that a client of 2025-11-25 can request for a task. If the client requests none, and
    /// in 2026-07-28, `task_options::ttl` applies without this maximum. Default: 24 hours.
    std::chrono::milliseconds max_task_ttl = std::chrono::hours(24);

    /// Maximum number of tasks, including final ones whose time to live has not elapsed. Default: 10,000.
    std::size_t max_tasks = 10'000;

    /// Maximum number of tasks of one principal, or of the anonymous clients of one remote IP address over HTTP, or of
    /// one other anonymous client of the era `handshake`. Default: 1,000.
    std::size_t max_tasks_per_principal = 1'000;

    /// Maximum number of bytes of the results and errors of all tasks, which the server keeps until the time to live of
    /// the tasks has elapsed. A task whose result would exceed the maximum fails with the error -32603. Default: 256
    /// MiB.
    std::size_t max_kept_results = std::size_t{256} << 20;

    /// Maximum number of bytes of the results and errors of the tasks of one principal, or of the anonymous clients of
    /// one remote IP address over HTTP, or of one other anonymous client of the era `handshake`. Default: 64 MiB.
    std::size_t max_kept_results_per_principal = std::size_t{64} << 20;
};

} // namespace linkspan

#endif
