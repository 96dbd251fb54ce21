#ifndef LINKSPAN_PROTOCOL_META_KEYS_HPP
#define LINKSPAN_PROTOCOL_META_KEYS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

/// Keys of `_meta`. Every request of a stateless protocol version must contain the first two.
///
/// \par Specification
/// 2026-07-28, basic, "_meta"; 2025-11-25, basic/utilities/tasks.
namespace linkspan::inline LINKSPAN_ABI::meta_keys {

/// Key of the protocol version of the request.
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";

/// Key of the capabilities of the client.
inline constexpr std::string_view capabilities = "io.modelcontextprotocol/clientCapabilities";

/// Key of the name and version of the client.
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";

/// Key of the minimum level of the log messages that the client requests.
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";

/// Key of the id of the request `subscriptions/listen` to which a notification belongs (stateless versions only).
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";

/// Key of the task to which a message belongs, an object with the member `taskId` (2025-11-25 only).
inline constexpr std::string_view related_task = "io.modelcontextprotocol/related-task";

} // namespace linkspan::meta_keys

#endif
