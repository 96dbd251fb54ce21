#ifndef LINKSPAN_POLICY_HEALTH_HEALTH_HPP
#define LINKSPAN_POLICY_HEALTH_HEALTH_HPP

#include <linkspan/policy/concepts.hpp>

#include <cstdint>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {
namespace health {

/// Regards every server as healthy, and never sends probes.
///
/// Servers that are not connected and that a call can neither start nor wait for are excluded from calls independently
/// of this policy.
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct assume_up {
    using role = health_role;

    /// Returns `healthy`.
    health_state on_result(server_id, outcome const&, time_point) const noexcept { return health_state::healthy; }

    /// Returns `healthy`.
    health_state state(server_id, time_point) const noexcept { return health_state::healthy; }

    /// Returns an empty optional: no probe is sent.
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) const noexcept { return std::nullopt; }
};

static_assert(check_policy<assume_up>());

} // namespace health

} // namespace linkspan

#endif
