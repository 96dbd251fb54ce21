#ifndef LINKSPAN_MODEL_LOG_LEVEL_HPP
#define LINKSPAN_MODEL_LOG_LEVEL_HPP

#include <linkspan/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Severity of a log message (`notifications/message`), in ascending order.
///
/// \par Specification
/// MCP 2026-07-28, server/utilities/logging; RFC 5424, section 6.2.1.
enum class log_level { debug, info, notice, warning, error, critical, alert, emergency };

namespace detail {

inline constexpr std::array<std::string_view, 8> log_level_names{"debug", "info",     "notice", "warning",
                                                                 "error", "critical", "alert",  "emergency"};

} // namespace detail

/// Returns the name of a level in messages, such as `warning`.
///
/// \par Preconditions
/// `level` is an enumerator.
constexpr std::string_view to_string(log_level level) noexcept
{
    return detail::log_level_names[static_cast<std::size_t>(level)];
}

/// Returns the level with a name, such as `warning`; empty if the specification has no such level.
constexpr std::optional<log_level> log_level_from(std::string_view name) noexcept
{
    for (std::size_t i = 0; i != detail::log_level_names.size(); ++i)
        if (detail::log_level_names[i] == name)
            return static_cast<log_level>(i);
    return std::nullopt;
}

} // namespace linkspan

#endif
