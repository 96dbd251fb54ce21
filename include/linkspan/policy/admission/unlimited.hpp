#ifndef LINKSPAN_POLICY_ADMISSION_UNLIMITED_HPP
#define LINKSPAN_POLICY_ADMISSION_UNLIMITED_HPP

#include <linkspan/policy/concepts.hpp>

#include <cstdint>

namespace linkspan {

/// Lets every call in. A server that has its limit of calls in flight queues them, and refuses when the queue is full.
struct admit_all {
    using role = admission_role;

    bool admit(call_view const&, server_view const&) const noexcept { return true; }
};

/// As many extra attempts as the fallback policy asks for.
struct no_budget {
    using role = budget_role;

    bool spend(server_id, std::uint32_t, time_point) const noexcept { return true; }
    void on_result(server_id, outcome const&, time_point) const noexcept {}
};

static_assert(check_policy<admit_all>());
static_assert(check_policy<no_budget>());

} // namespace linkspan

#endif
