// error: linkspan: an observer must have one of on_attempt(attempt_view const&), on_state(state_view const&)
#include <linkspan/policy/concepts.hpp>

struct observer {
    using role = linkspan::observer_role;
};

static_assert(linkspan::check_policy<observer>());
