#ifndef LINKSPAN_TEST_SUPPORT_MOCK_FAULT_HPP
#define LINKSPAN_TEST_SUPPORT_MOCK_FAULT_HPP

// mock-fault in each of its modes, and options for tests with it.

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace harness {

inline linkspan::stdio_config fault(std::string const& mode) { return mock("mock-fault", {mode}); }

inline linkspan::transport_factory via_fault(std::string const& mode)
{
    return linkspan::via<linkspan::stdio>(fault(mode));
}

inline linkspan::stdio_config sh(std::string script, std::vector<std::string> args = {})
{
    args.insert(args.begin(), {"-c", std::move(script)});
    return {.command = "/bin/sh", .args = std::move(args)};
}

inline linkspan::server_options with(int priority, linkspan::replay_class replay = linkspan::replay_class::never)
{
    linkspan::server_options options;
    options.priority = priority;
    options.restart.max_restarts = 0;
    options.tools["echo"].replay = options.tools["add"].replay = replay;
    return options;
}

inline linkspan::call_options short_idle_timeout()
{
    linkspan::call_options options;
    options.idle_timeout = std::chrono::milliseconds(50);
    return options;
}

// Shorter than any timeout of the library: an operation that took less did not wait for a timeout.
inline constexpr auto soon = std::chrono::seconds(5);

inline std::string text_of(std::size_t i) { return "text " + std::to_string(i); }

} // namespace harness

#endif
