#ifndef LINKSPAN_CORE_DETAIL_SAFE_VARIABLES_HPP
#define LINKSPAN_CORE_DETAIL_SAFE_VARIABLES_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns true for environment variables whose values are unlikely to be secret. See `environment::safe`.
inline bool is_safe_variable(std::string_view name) noexcept
{
    constexpr std::string_view safe[] = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TZ", "TMPDIR"};
    return name.starts_with("LC_") || std::ranges::find(safe, name) != std::end(safe);
}

} // namespace linkspan::detail

#endif
