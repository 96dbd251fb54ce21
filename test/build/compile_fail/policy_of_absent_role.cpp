// error: linkspan: policy_set::get requires that the set has a policy with the role
#include <linkspan/policy.hpp>

auto& misuse(linkspan::policy_set<linkspan::by_priority>& policies)
{
    return policies.get<linkspan::fallback_role>();
}
