#ifndef LINKSPAN_PROTOCOL_META_KEYS_HPP
#define LINKSPAN_PROTOCOL_META_KEYS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

/// Keys of `params._meta` that every request of a stateless protocol version must contain.
///
/// \par Specification
/// 2026-07-28, basic, "_meta".
namespace linkspan::inline LINKSPAN_ABI::meta_keys {

/// Key of the protocol version of the request.
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";

/// Key of the capabilities of the client.
inline constexpr std::string_view capabilities = "io.modelcontextprotocol/clientCapabilities";

} // namespace linkspan::meta_keys

#endif
