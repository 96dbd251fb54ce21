#ifndef LINKSPAN_CORE_VERSION_HPP
#define LINKSPAN_CORE_VERSION_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

/// Major version of the headers.
#define LINKSPAN_VERSION_MAJOR 0
/// Minor version of the headers.
#define LINKSPAN_VERSION_MINOR 2
/// Patch version of the headers.
#define LINKSPAN_VERSION_PATCH 0

namespace linkspan::inline LINKSPAN_ABI {

/// Version of the headers, in the form "major.minor.patch".
inline constexpr std::string_view version = "0.2.0";

} // namespace linkspan

#endif
