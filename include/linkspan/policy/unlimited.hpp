#ifndef LINKSPAN_POLICY_UNLIMITED_HPP
#define LINKSPAN_POLICY_UNLIMITED_HPP

#include <linkspan/policy/concepts.hpp>

#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {

/// Admits every call. The default admission policy.
///
/// The limits of the session still apply: requests above `session_options::max_in_flight` are queued, and a server with
/// a full queue is not selected.
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct admit_all {
    using role = admission_role;

    /// The policy need not be invoked; see `AdmissionPolicy`.
    using admits_all = admit_all;

    /// Returns true.
    bool admit(call_view const&, server_view const&) const noexcept { return true; }
};

/// Permits every attempt that the fallback policy requests. The default budget policy.
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct no_budget {
    using role = budget_role;

    /// Returns true.
    bool spend(server_id, std::uint32_t, time_point) const noexcept { return true; }

    /// Ignores the outcome.
    void on_result(server_id, outcome const&, time_point) const noexcept {}
};

static_assert(check_policy<admit_all>());
static_assert(check_policy<no_budget>());

} // namespace linkspan

#endif
