#ifndef LINKSPAN_EXAMPLE_PROGRAMS_HPP
#define LINKSPAN_EXAMPLE_PROGRAMS_HPP

#include <linkspan/transport/stdio/stdio_config.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

// Paths of the programs that the examples start, as `run.sh` and the tests set them.

inline std::string folder_from(char const* variable)
{
    auto const* const folder = std::getenv(variable);
    if (folder)
        return folder;
    std::cerr << "environment variable " << variable << " is not set; expected a folder, which example/run.sh sets\n";
    std::exit(2);
}

/// Returns the configuration of a mock server of this project.
inline linkspan::stdio_config mock_server(std::string const& name)
{
    return {.command = folder_from("LINKSPAN_BIN_DIR") + "/" + name};
}

/// Returns the configuration of a server from npm, as installed by `test/interop/npm/install.sh`, which also writes the
/// path of node to a file.
inline linkspan::stdio_config npm_server(std::string const& name, std::vector<std::string> args = {})
{
    auto const folder = folder_from("LINKSPAN_NPM_DIR");
    linkspan::stdio_config config;
    std::getline(std::ifstream(folder + "/node-path"), config.command);
    config.args = std::move(args);
    config.args.insert(config.args.begin(), folder + "/node_modules/.bin/" + name);
    return config;
}

#endif
