#ifndef LINKSPAN_TEST_SUPPORT_SHELL_SCRIPT_HPP
#define LINKSPAN_TEST_SUPPORT_SHELL_SCRIPT_HPP

#include <linkspan/transport/stdio/stdio_config.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the configuration of a child process that runs a shell script.
inline stdio_config sh(std::string script) { return {.command = "/bin/sh", .args = {"-c", std::move(script)}}; }

} // namespace linkspan::test

#endif
