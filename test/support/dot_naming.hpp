#ifndef LINKSPAN_TEST_SUPPORT_DOT_NAMING_HPP
#define LINKSPAN_TEST_SUPPORT_DOT_NAMING_HPP

#include <linkspan/policy/concepts.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Naming policy that separates server and tool by a dot.
struct dot_naming {
    using role = naming_role;
    std::string expose(std::string_view server, std::string_view tool) const
    {
        return std::string(server) + "." + std::string(tool);
    }
};

} // namespace linkspan::test

#endif
