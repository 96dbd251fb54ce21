#ifndef LINKSPAN_MOCK_SERVERS_TAPE_COMMANDS_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_COMMANDS_HPP

#include <string_view>

#include "../command_line.hpp"

namespace mock_servers {

/// Text of the option `--help` about the commands for tapes.
extern std::string_view const tape_usage;

/// Returns whether the word is a command for tapes: `record`, `replay` or `to-script`.
bool is_tape_command(std::string_view word);

/// Executes a command for tapes.
///
/// \param command The command, which is one for tapes.
/// \param words The words after the command.
/// \returns The exit status.
/// \throws std::invalid_argument The command line is wrong. Other exceptions: the tape or the server cannot be used.
int run_tape_command(std::string_view command, option_reader words);

} // namespace mock_servers

#endif
