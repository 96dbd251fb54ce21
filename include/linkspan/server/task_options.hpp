#ifndef LINKSPAN_SERVER_TASK_OPTIONS_HPP
#define LINKSPAN_SERVER_TASK_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>

#include <chrono>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of a task that a server creates (`server_request::become_task`).
struct task_options {
    /// Time for which the task can be read, from its creation; empty: unlimited. A time that the client requests
    /// (2025-11-25 only), at most `serving_options::max_task_ttl`, takes precedence. Default: 1 hour.
    std::optional<std::chrono::milliseconds> ttl = std::chrono::hours(1);

    /// Pause between two polls that is recommended to the client; empty: none. Default: 1 s.
    std::optional<std::chrono::milliseconds> poll_interval = std::chrono::seconds(1);
};

} // namespace linkspan

#endif
