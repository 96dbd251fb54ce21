#ifndef LINKSPAN_EXAMPLE_CLI_EXIT_STATUS_HPP
#define LINKSPAN_EXAMPLE_CLI_EXIT_STATUS_HPP

#include <stdexcept>
#include <string>

namespace cli {

/// Exit statuses of the program, as listed in `doc/command_line.md` and the man page.
enum exit_status {
    ok = 0,
    tool_failed = 1,   ///< the tool reported an error, or the server responded with an error
    wrong_usage = 2,   ///< invalid command line, configuration or name; no tool was called
    not_connected = 3, ///< a server could not be opened, was lost, or did not respond in time
    not_written = 4,   ///< the result could not be written
    interrupted = 130, ///< by SIGINT
    terminated = 143,  ///< by SIGTERM
};

/// Result of a command: its exit status, and its text for stdout.
struct finished {
    int status = ok;
    std::string out{};
};

/// Thrown to end a command before any tool is called. The message is one sentence.
struct usage_error : std::runtime_error {
    using runtime_error::runtime_error;
};

/// Thrown if the user interrupts a prompt.
struct interrupted_prompt {};

} // namespace cli

#endif
