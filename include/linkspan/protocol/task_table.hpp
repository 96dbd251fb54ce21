#ifndef LINKSPAN_PROTOCOL_TASK_TABLE_HPP
#define LINKSPAN_PROTOCOL_TASK_TABLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/task.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A point in time of a `task_table`, by both clocks.
struct task_timestamp {
    wall_time wall;    ///< time of the system clock, for the members `created` and `updated`
    time_point steady; ///< determines when a task expires, because the system clock can be set
};

/// Limits of a `task_table`.
struct task_limits {
    std::size_t max_tasks; ///< maximum number of tasks, including final ones that have not expired
    std::size_t max_each;  ///< maximum number of tasks of an account whose name is not empty
    /// Maximum number of bytes of the results and errors of all tasks. Default: no limit.
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
    /// Maximum number of these bytes for an account whose name is not empty. Default: no limit.
    std::size_t max_bytes_each = std::numeric_limits<std::size_t>::max();
};

/// Tasks that a server or a client hosts, in both forms: tasks of 2025-11-25, and tasks of the extension
/// `io.modelcontextprotocol/tasks`.
///
/// A task belongs to an owner, and is found with the name of this owner only. The task counts towards the limits of its
/// account, which is the owner or another name. A task is final when it is completed, failed or cancelled (`is_final`).
/// A task that is not final is kept. A final task is kept at least until its time to live, which begins with its
/// creation, has elapsed. Changes of the system clock do not affect these times. The class performs no I/O.
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
    explicit task_table(task_limits limits) noexcept : limits_(limits) {}

    /// Creates an empty table without a limit of bytes.
    ///
    /// \param max_tasks Maximum number of tasks.
    /// \param max_each Maximum number of tasks of an account whose name is not empty.
    explicit task_table(std::size_t max_tasks, std::size_t max_each) : task_table(task_limits{max_tasks, max_each}) {}

    /// Creates an empty table in which one account may have all tasks.
    /// \param max_tasks Maximum number of tasks.
    explicit task_table(std::size_t max_tasks) : task_table(max_tasks, max_tasks) {}

    task_table(task_table const&) = delete;
    task_table& operator=(task_table const&) = delete;

    /// Adds a task with the status `working`.
    ///
    /// \param id Identifier, unique and not guessable.
    /// \param owner Owner of the task.
    /// \param ttl Time to live; empty: unlimited.
    /// \param poll_interval Recommended pause between two polls; empty: none.
    /// \param now The current time.
    /// \param account Account of the task; empty: the owner.
    /// \returns The task; null: there are `max_tasks` tasks that must be kept, or `max_each` of the account, or a task
    /// has the same id.
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL task const* add(std::string id, std::string owner, std::optional<std::chrono::milliseconds> ttl,
                                  std::optional<std::chrono::milliseconds> poll_interval, task_timestamp now,
                                  std::string account = {});

    /// Returns a task; null: there is no such task of the owner, or it has expired. Valid until the next addition,
    /// the next call of expire(), or the next outcome of another task.
    LINKSPAN_DECL task const* find(std::string_view id, std::string_view owner, task_timestamp now) const noexcept;

    /// @name Events of a task
    /// These functions have no effect on an unknown or final task, and return whether the task has changed.
    /// @{

    /// Event: the input requests of the task have changed.
    ///
    /// \param requests Requests to the client by their keys, as the text of a JSON object. Empty: the task waits for no
    /// input, and its status becomes `working`.
    LINKSPAN_DECL bool on_input_required(std::string_view id, std::string requests, task_timestamp now);
    /// Event: the operation has a result, as the text of a JSON object. A result that exceeds a limit of bytes is
    /// discarded, and the task fails with an error instead.
    ///
    /// \param has_failed Whether the result reports a failure, so that the status is `failed` (2025-11-25).
    LINKSPAN_DECL bool on_completed(std::string_view id, std::string result, task_timestamp now,
                                    bool has_failed = false);
    /// Event: the operation failed with an error, as the text of a JSON-RPC error object. An error that exceeds a limit
    /// of bytes is replaced by the same error as a discarded result.
    LINKSPAN_DECL bool on_failed(std::string_view id, std::string error, task_timestamp now);
    /// Event: the task was cancelled.
    LINKSPAN_DECL bool on_cancelled(std::string_view id, task_timestamp now);
    /// @}

    /// Returns the number of results and errors that were discarded because of a limit of bytes.
    std::size_t discarded() const noexcept { return discarded_; }

    /// Returns whether a result or an error of this size is within the limits of bytes, if the task becomes final now.
    LINKSPAN_DECL bool fits(std::string_view id, std::size_t bytes) const noexcept;

    /// Returns the tasks of an owner, oldest first. The pointers are valid until the next event.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::vector<task const*> of(std::string_view owner, task_timestamp now) const;

    /// Returns whether the time to live of a task has elapsed. The task then expires as soon as it is final.
    LINKSPAN_DECL bool is_past_ttl(std::string_view id, task_timestamp now) const noexcept;

    /// Removes expired tasks. Does not search the tasks before the first final task expires.
    LINKSPAN_DECL void expire(task_timestamp now) noexcept;

    /// Removes a task. Has no effect if there is no such task.
    LINKSPAN_DECL void remove(std::string_view id) noexcept;

    /// Removes all tasks.
    LINKSPAN_DECL void clear() noexcept;

    /// Returns the number of tasks, including expired ones that were not removed.
    std::size_t size() const noexcept { return tasks_.size(); }

private:
    // Tasks of an account.
    struct counted {
        std::size_t tasks = 0; // more than 0
        std::size_t bytes = 0; // of results and errors
    };
    using account_map = std::map<std::string, counted, std::less<>>;

    struct entry {
        task what;
        std::string owner;
        account_map::iterator account;
        time_point expiry;      // the task has expired if it is final, and this time has passed
        std::size_t number = 0; // of the addition
    };

    static bool has_expired(entry const& of, task_timestamp now) noexcept;
    entry* find_open(std::string_view id) noexcept;
    bool fits(entry const& in, std::size_t bytes) const noexcept;
    bool on_outcome(std::string_view id, task_status status, std::string task::*member, std::string outcome,
                    task_timestamp now);
    void finish(entry& of, task_status status, task_timestamp now) noexcept;
    void release(entry const& of) noexcept;

    task_limits limits_;                              // set by the constructor
    account_map accounts_;                            // of the tasks
    std::map<std::string, entry, std::less<>> tasks_; // by id; added by add(); removed by expire(), remove(), clear()
    std::size_t bytes_ = 0;                           // of the results and errors of all tasks
    time_point next_expiry_ = time_point::max();      // no task expires before; lowered by finish()
    std::size_t added_ = 0;                           // number of additions
    std::size_t discarded_ = 0;                       // number of outcomes that on_outcome() has discarded
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/task_table.ipp>
#endif

#endif
