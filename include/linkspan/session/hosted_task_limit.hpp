#ifndef LINKSPAN_SESSION_HOSTED_TASK_LIMIT_HPP
#define LINKSPAN_SESSION_HOSTED_TASK_LIMIT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <memory>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

class hosted_tasks;
class session_core;

// Returns an object with the tasks of a session, at most `max_tasks`: a `task_host`.
LINKSPAN_DECL std::unique_ptr<hosted_tasks> host_tasks(std::size_t max_tasks);

} // namespace detail

/// Maximum number of tasks that a session hosts. A number is converted.
///
///     linkspan::session_options options;
///     options.max_hosted_tasks = 4;
///
/// Only a program that constructs a limit from a number needs the functions of these tasks: a header-only unit that
/// does not do so compiles faster.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class hosted_task_limit {
public:
    /// Constructs the limit 0: no tasks.
    hosted_task_limit() = default;

    /// Constructs a limit.
    hosted_task_limit(std::size_t max_tasks) noexcept : max_tasks_(max_tasks), host_(&detail::host_tasks) {}

    /// Returns the maximum number of tasks.
    std::size_t value() const noexcept { return max_tasks_; }

private:
    friend class detail::session_core;

    // Returns an object with the tasks of a session; null: the session hosts none.
    LINKSPAN_DECL std::unique_ptr<detail::hosted_tasks> host() const;

    std::size_t max_tasks_ = 0;
    std::unique_ptr<detail::hosted_tasks> (*host_)(std::size_t) = nullptr; // null only if `max_tasks_` is 0
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/hosted_task_limit.ipp>
// includes the bodies that a limit refers to
#include <linkspan/session/detail/task_host.hpp>
#endif

#endif
