#ifndef LINKSPAN_TEST_SUPPORT_MOCK_PLANS_HPP
#define LINKSPAN_TEST_SUPPORT_MOCK_PLANS_HPP

// linkspan-mock with a folder for the plans of the faults that occur. Each process writes a file, because a connector
// may start the server again.

#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace harness {

// Returns the command of linkspan-mock with its arguments. `folder`: path of a folder, which the function creates.
inline linkspan::stdio_config mock_with_plans(std::vector<std::string> args, std::string const& folder)
{
    std::filesystem::create_directory(folder);
    auto out = mock("linkspan-mock", std::move(args));
    out.args.insert(out.args.begin(), {"-c", R"(exec "$@" --write-plan "$0/$$")", folder, out.command});
    out.command = "/bin/sh";
    return out;
}

// Returns the faults that have occurred in all processes. A file is empty if its process ended before it wrote a plan.
inline std::vector<linkspan::test::chaos_fault> planned_faults(std::string const& folder)
{
    std::vector<linkspan::test::chaos_fault> out;
    for (auto const& file : std::filesystem::directory_iterator(folder)) {
        if (file.file_size() == 0)
            continue;
        for (auto const& one : linkspan::test::load_chaos_plan(file.path().string()).faults)
            out.push_back(one);
    }
    return out;
}

} // namespace harness

#endif
