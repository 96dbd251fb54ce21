#ifndef LINKSPAN_CONNECTOR_IMPL_DEFAULT_TABLE_IPP
#define LINKSPAN_CONNECTOR_IMPL_DEFAULT_TABLE_IPP

#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/default_table.hpp>

#include <boost/mp11/list.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::unique_ptr<policy_table> make_default_table()
{
    // A connector whose arguments contain no fallback policy relies on this value of the default policy.
    static_assert(!replays_all<safe_failover>);
    using set_type = boost::mp11::mp_rename<default_policies, policy_set>;
    return std::make_unique<typed_policy_table<set_type>>(set_type({}, {}, {}, {}, {}, {}));
}

} // namespace linkspan::detail

#endif
