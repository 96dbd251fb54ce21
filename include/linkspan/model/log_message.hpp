#ifndef LINKSPAN_MODEL_LOG_MESSAGE_HPP
#define LINKSPAN_MODEL_LOG_MESSAGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/log_level.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// A log message of a server (`notifications/message`).
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/utilities/logging.
struct log_message {
    log_level level = log_level::info; ///< severity
    std::string logger{};              ///< name of the logger; empty: none
    std::string data = "null";         ///< the message or an object with details, as JSON text

    bool operator==(log_message const&) const = default;
};

/// Reads a log message from the `params` of its notification.
///
/// \returns The message; empty if `level` is missing or unknown, or `data` is missing.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<log_message> read_log_message(std::string_view params);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/log_message.ipp>
#endif

#endif
