#ifndef LINKSPAN_TEST_SUPPORT_NPM_HPP
#define LINKSPAN_TEST_SUPPORT_NPM_HPP

// The pinned npm programs.

#include <linkspan/transport/stdio/stdio_config.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "skip.hpp"

namespace npm {

inline std::string folder()
{
    auto const* const set = std::getenv("LINKSPAN_NPM_DIR");
    return set ? set : "";
}

inline std::string script(std::string const& program) { return folder() + "/node_modules/.bin/" + program; }

inline std::string node()
{
    std::string path;
    std::ifstream file(folder() + "/node-path");
    std::getline(file, path);
    return path;
}

// Skips the test if one of the programs is not installed.
inline void require(std::initializer_list<char const*> programs)
{
    if (folder().empty())
        skip("LINKSPAN_NPM_DIR is not set");
    if (!std::filesystem::exists(folder() + "/node-path"))
        skip("nothing is installed in " + folder() + ": run test/interop/npm/install.sh");
    for (auto const* const program : programs)
        if (!std::filesystem::exists(script(program)))
            skip(script(program) + " is not installed: run test/interop/npm/install.sh");
}

inline linkspan::stdio_config run(std::string const& program, std::vector<std::string> args)
{
    linkspan::stdio_config config;
    config.command = node();
    config.args = std::move(args);
    config.args.insert(config.args.begin(), script(program));
    return config;
}

} // namespace npm

#endif
