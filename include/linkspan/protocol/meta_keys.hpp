#ifndef LINKSPAN_PROTOCOL_META_KEYS_HPP
#define LINKSPAN_PROTOCOL_META_KEYS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Keys of `params._meta` that every request of a stateless protocol version must contain.
//
// Specification: 2026-07-28, basic, "_meta".
inline constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";

} // namespace linkspan::detail

#endif
