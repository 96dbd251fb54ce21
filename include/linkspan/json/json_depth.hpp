#ifndef LINKSPAN_JSON_JSON_DEPTH_HPP
#define LINKSPAN_JSON_JSON_DEPTH_HPP

#include <linkspan/core/detail/config.hpp>

namespace linkspan::inline LINKSPAN_ABI::json_scan {

/// Maximum number of nested objects and arrays. The functions of `json_scan` treat deeper values as malformed text.
inline constexpr unsigned max_depth = 512;

} // namespace linkspan::json_scan

#endif
