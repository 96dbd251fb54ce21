// error: linkspan: a health policy must have functions health_state on_result(server_id, outcome const&, time_point)
#include <linkspan/policy/concepts.hpp>

struct policy_without_probe {
    using role = linkspan::health_role;
    linkspan::health_state on_result(linkspan::server_id, linkspan::outcome const&, linkspan::time_point);
    linkspan::health_state state(linkspan::server_id, linkspan::time_point);
};

static_assert(linkspan::check_policy<policy_without_probe>());
