#ifndef LINKSPAN_CONNECTOR_DEFAULT_POLICIES_HPP
#define LINKSPAN_CONNECTOR_DEFAULT_POLICIES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/set.hpp>

#include <boost/mp11/list.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI {

// The types are complete in <linkspan/policy.hpp>; a connector does not need them.
namespace routing {
struct by_priority;
}
namespace fallback {
struct safe_failover;
}
namespace health {
struct probed_breaker;
}
namespace naming {
struct qualified;
}
using fallback::safe_failover;
using health::probed_breaker;
using naming::qualified;
using routing::by_priority;
struct admit_all;
struct no_budget;

/// Policies for the roles for which a connector has no policy argument.
using default_policies =
    boost::mp11::mp_list<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

namespace detail {

// Returns a table of the default policies.
LINKSPAN_DECL std::unique_ptr<policy_table> make_default_policies();

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/default_policies.ipp>
#endif

#endif
