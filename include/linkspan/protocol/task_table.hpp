#ifndef LINKSPAN_PROTOCOL_TASK_TABLE_HPP
#define LINKSPAN_PROTOCOL_TASK_TABLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/principal_quota.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Tasks that one side hosts, of both forms: those of 2025-11-25, and those of the extension `io.modelcontextprotocol/tasks`.
///
/// A task belongs to an owner and can only be found with it. A final task is kept at least until its time to live has
/// elapsed since its creation; a task that is not final is kept until it is. The class performs no I/O.
///
/// Invariant: the status of a final task does not change any more.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks`.
class task_table {
public:
    /// Creates an empty table.
    ///
    /// \param max_tasks Maximum number of tasks.
    /// \param max_each Maximum number of tasks of an owner whose name is not empty.
    explicit task_table(std::size_t max_tasks, std::size_t max_each) : max_tasks_(max_tasks), owners_(max_each) {}

    /// Creates an empty table in which one owner may have all tasks.
    /// \param max_tasks Maximum number of tasks.
    explicit task_table(std::size_t max_tasks) : task_table(max_tasks, max_tasks) {}

    /// Adds a task with the status `working`.
    ///
    /// \param id Identifier, unique and not guessable.
    /// \param owner Owner of the task.
    /// \param ttl Time to live; empty: unlimited.
    /// \param poll_interval Recommended pause between two polls; empty: none.
    /// \param now The current time.
    /// \returns The task; null: there are `max_tasks` tasks that must be kept, or `max_each` of the owner.
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL task const* add(std::string id, std::string owner, std::optional<std::chrono::milliseconds> ttl,
                                  std::optional<std::chrono::milliseconds> poll_interval, wall_time now);

    /// Returns a task; null: there is no such task of the owner, or it has expired. Valid until the next addition.
    LINKSPAN_DECL task const* find(std::string_view id, std::string_view owner, wall_time now) const noexcept;

    /// @name Events of a task
    /// No effect for an unknown or final task. Return whether the task has changed.
    /// @{

    /// Event: the task waits for input, or waits for other input.
    ///
    /// \param requests Requests to the client by their keys, as the text of a JSON object; empty: none, the task works.
    LINKSPAN_DECL bool on_input_required(std::string_view id, std::string requests, wall_time now);
    /// Event: the operation has a result, as the text of a JSON object.
    ///
    /// \param has_failed Whether the result reports a failure, so that the status is `failed` (2025-11-25).
    LINKSPAN_DECL bool on_completed(std::string_view id, std::string result, wall_time now, bool has_failed = false);
    /// Event: the operation failed with an error, as the text of a JSON-RPC error object.
    LINKSPAN_DECL bool on_failed(std::string_view id, std::string error, wall_time now);
    /// Event: the task was cancelled.
    LINKSPAN_DECL bool on_cancelled(std::string_view id, wall_time now);
    /// @}

    /// Returns the tasks of an owner, oldest first. The pointers are valid until the next addition.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::vector<task const*> of(std::string_view owner, wall_time now) const;

    /// Returns whether a task is final and its time to live has elapsed.
    LINKSPAN_DECL static bool has_expired(task const& what, wall_time now) noexcept;

    /// Removes expired tasks.
    LINKSPAN_DECL void expire(wall_time now) noexcept;

    /// Removes all tasks.
    void clear() noexcept { tasks_.clear(); }

    /// Returns the number of tasks, including expired ones that were not removed.
    std::size_t size() const noexcept { return tasks_.size(); }

private:
    struct entry {
        task what;
        std::string owner;
        principal_quota::place place; // of `owners_`
        std::size_t number = 0;       // of the addition
    };

    entry* find_open(std::string_view id) noexcept;

    std::size_t max_tasks_;                           // set by the constructor
    principal_quota owners_;                          // the tasks of each owner
    std::map<std::string, entry, std::less<>> tasks_; // by id; added by add(), removed by expire()
    std::size_t added_ = 0;                           // number of additions
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/task_table.ipp>
#endif

#endif
