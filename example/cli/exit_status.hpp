#ifndef LINKSPAN_EXAMPLE_CLI_EXIT_STATUS_HPP
#define LINKSPAN_EXAMPLE_CLI_EXIT_STATUS_HPP

#include <stdexcept>
#include <string>

namespace cli {

/// How the program ends. `doc/command_line.md` and the man page list these.
enum exit_status {
    ok = 0,
    tool_failed = 1,   ///< the tool reported an error, or the server responded with one
    wrong_usage = 2,   ///< of the command line, of a configuration, or of a name; nothing was called
    not_connected = 3, ///< a server could not be opened, was lost, or did not respond in time
    not_written = 4,   ///< the result could not be written
    interrupted = 130, ///< by SIGINT
    terminated = 143,  ///< by SIGTERM
};

/// How a command ended, and the text for stdout.
struct finished {
    int status = ok;
    std::string out{};
};

/// Ends a command before anything is called, with one sentence.
struct usage_error : std::runtime_error {
    using runtime_error::runtime_error;
};

/// The user interrupted a prompt.
struct interrupted_prompt {};

} // namespace cli

#endif
