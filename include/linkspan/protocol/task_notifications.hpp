#ifndef LINKSPAN_PROTOCOL_TASK_NOTIFICATIONS_HPP
#define LINKSPAN_PROTOCOL_TASK_NOTIFICATIONS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Method of the notifications about tasks of the extension `io.modelcontextprotocol/tasks`.
///
/// \par Specification
/// Extension `io.modelcontextprotocol/tasks`.
inline constexpr std::string_view task_notification = "notifications/tasks";

/// Method of the notifications about tasks of 2025-11-25.
///
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks, "Task Status Notification".
inline constexpr std::string_view task_status_notification = "notifications/tasks/status";

/// Returns whether a notification describes a task.
///
/// \param method The method of the notification.
constexpr bool is_about_task(std::string_view method) noexcept
{
    return method == task_notification || method == task_status_notification;
}

} // namespace linkspan

#endif
