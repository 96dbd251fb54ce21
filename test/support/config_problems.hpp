#ifndef LINKSPAN_TEST_SUPPORT_CONFIG_PROBLEMS_HPP
#define LINKSPAN_TEST_SUPPORT_CONFIG_PROBLEMS_HPP

#include <linkspan/core/config_problem.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns each problem as a line.
inline std::string all_of(std::vector<config_problem> const& problems)
{
    std::string out;
    for (auto const& problem : problems)
        out += to_string(problem) + "\n";
    return out;
}

} // namespace linkspan::test

#endif
