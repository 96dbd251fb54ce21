#ifndef LINKSPAN_CONNECTOR_DEFAULT_POLICIES_HPP
#define LINKSPAN_CONNECTOR_DEFAULT_POLICIES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/policy/naming.hpp>
#include <linkspan/policy/routing.hpp>
#include <linkspan/policy/unlimited.hpp>

#include <boost/mp11/list.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Default policies, in the order routing, fallback, health, admission, budget, naming. A connector uses the default
/// policy of a role if none of its template arguments has that role.
using default_policies =
    boost::mp11::mp_list<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

} // namespace linkspan

#endif
