#ifndef LINKSPAN_CORE_VERSION_HPP
#define LINKSPAN_CORE_VERSION_HPP

#include <string_view>

#define LINKSPAN_VERSION_MAJOR 0
#define LINKSPAN_VERSION_MINOR 2
#define LINKSPAN_VERSION_PATCH 0

namespace linkspan {

/// The version of these headers: "major.minor.patch".
inline constexpr std::string_view version = "0.2.0";

} // namespace linkspan

#endif
