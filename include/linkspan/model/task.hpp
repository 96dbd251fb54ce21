#ifndef LINKSPAN_MODEL_TASK_HPP
#define LINKSPAN_MODEL_TASK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Identifier of the extension for tasks (since 2026-07-28).
inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// Status of a task. The last three are final.
enum class task_status {
    working,        ///< the operation is in progress
    input_required, ///< the operation waits for input of the client
    completed,      ///< the operation has a result
    failed,         ///< the operation failed with an error
    cancelled       ///< the task was cancelled
};

namespace detail {

inline constexpr std::array<std::string_view, 5> task_status_names{"working", "input_required", "completed", "failed",
                                                                   "cancelled"};

} // namespace detail

/// Returns the name of a status in messages, such as `input_required`.
constexpr std::string_view to_string(task_status status) noexcept
{
    return detail::task_status_names[static_cast<std::size_t>(status)];
}

/// Returns the status with a name; empty: there is none.
constexpr std::optional<task_status> task_status_from(std::string_view name) noexcept
{
    for (std::size_t i = 0; i != detail::task_status_names.size(); ++i)
        if (detail::task_status_names[i] == name)
            return static_cast<task_status>(i);
    return std::nullopt;
}

/// Returns whether a task with this status does not change any more.
constexpr bool is_final(task_status status) noexcept { return status >= task_status::completed; }

/// A task: an operation that the receiver of a request, usually the server, continues after its response to the
/// request.
///
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks`.
struct task {
    std::string id{};                                         ///< `taskId`; not empty after `read_task`
    task_status status = task_status::working;                ///< the status
    std::string message{};                                    ///< `statusMessage`, human-readable; empty: none
    wall_time created{};                                      ///< `createdAt`; `wall_time()`: no valid time
    wall_time updated{};                                      ///< `lastUpdatedAt`; `wall_time()`: no valid time
    std::optional<std::chrono::milliseconds> ttl{};           ///< time to live since the creation; empty: unlimited
    std::optional<std::chrono::milliseconds> poll_interval{}; ///< recommended pause between two polls; empty: none
    std::string input_requests{}; ///< requests to the client as JSON text; with `input_required`, in the extension only
    std::string result{};         ///< result of the operation as JSON text; with `completed`, in the extension only
    std::string error{};          ///< JSON-RPC error object as JSON text; with `failed`, in the extension only

    bool operator==(task const&) const = default;
};

/// Reads a task, in the form of 2025-11-25 or of the extension.
///
/// \param json The task as the text of a JSON object.
/// \returns The task; empty if `taskId` is missing, or `status` is missing or unknown.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::optional<task> read_task(std::string_view json);

/// Appends the members that describe a task as JSON text, without braces, in the form of the protocol version.
///
/// \param out Text to which the members are appended.
/// \param from The task.
/// \param id Protocol version.
/// \param has_outcome Whether `inputRequests`, `result` and `error` are written. Has no effect in 2025-11-25, in which
/// tasks do not have these members.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; `out` may contain a part of the members.
LINKSPAN_DECL void append_members(std::string& out, task const& from, protocol_version id, bool has_outcome);

/// Appends a time in the form of ISO 8601, such as `2026-07-28T09:30:00.000Z`.
///
/// \param out Text to which the time is appended.
/// \param at The time.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_time(std::string& out, wall_time at);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/task.ipp>
#endif

#endif
