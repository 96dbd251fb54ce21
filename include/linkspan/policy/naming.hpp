#ifndef LINKSPAN_POLICY_NAMING_HPP
#define LINKSPAN_POLICY_NAMING_HPP

#include <linkspan/policy/concepts.hpp>

#include <string>
#include <string_view>

namespace linkspan {

/// `server__tool`.
struct qualified {
    using role = naming_role;

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return std::string(server_key).append("__").append(tool);
    }
};

static_assert(check_policy<qualified>());

} // namespace linkspan

#endif
