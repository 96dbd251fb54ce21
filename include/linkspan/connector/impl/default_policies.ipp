#ifndef LINKSPAN_CONNECTOR_IMPL_DEFAULT_POLICIES_IPP
#define LINKSPAN_CONNECTOR_IMPL_DEFAULT_POLICIES_IPP

#include <linkspan/connector/default_policies.hpp>
#include <linkspan/policy/admission/unlimited.hpp>
#include <linkspan/policy/fallback/fallback.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/policy/naming/naming.hpp>
#include <linkspan/policy/routing/routing.hpp>

#include <boost/mp11/list.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::unique_ptr<policy_table> make_default_policies()
{
    // `connector::replays_all` is false without a fallback policy among the arguments.
    static_assert(!replays_all<safe_failover>);
    using set_type = boost::mp11::mp_rename<default_policies, policy_set>;
    return std::make_unique<typed_policy_table<set_type>>(set_type({}, {}, {}, {}, {}, {}));
}

} // namespace linkspan::detail

#endif
