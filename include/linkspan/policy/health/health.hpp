#ifndef LINKSPAN_POLICY_HEALTH_HEALTH_HPP
#define LINKSPAN_POLICY_HEALTH_HEALTH_HPP

#include <linkspan/policy/concepts.hpp>

#include <cstdint>
#include <optional>

namespace linkspan {
namespace health {

/// Takes every server for healthy. Servers that are not connected are left out all the same: that is a fact, and no
/// judgement.
struct assume_up {
    using role = health_role;

    health_state on_result(server_id, outcome const&, time_point) const noexcept { return health_state::healthy; }
    health_state state(server_id, time_point) const noexcept { return health_state::healthy; }
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) const noexcept { return std::nullopt; }
};

static_assert(check_policy<assume_up>());

} // namespace health

} // namespace linkspan

#endif
