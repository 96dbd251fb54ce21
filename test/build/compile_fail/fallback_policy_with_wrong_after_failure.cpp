// error: linkspan: a fallback policy must have a function verdict after_failure(attempt_view const&)
#include <linkspan/policy/concepts.hpp>

struct policy_without_verdict {
    using role = linkspan::fallback_role;
    void after_failure(linkspan::attempt_view const&);
};

static_assert(linkspan::check_policy<policy_without_verdict>());
