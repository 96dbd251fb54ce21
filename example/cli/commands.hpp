#ifndef LINKSPAN_EXAMPLE_CLI_COMMANDS_HPP
#define LINKSPAN_EXAMPLE_CLI_COMMANDS_HPP

#include "command.hpp"
#include "exit_status.hpp"

namespace cli {

/// Executes `tools`, `call`, `state`, and `doctor` with configurations. All functions here throw `usage_error`.
finished run_on_connector(command const& what);

/// Executes `doctor` for one server that is given by its URL or command.
finished diagnose_one_server(command const& what);

/// Executes `request`, `resources` and `prompts`.
finished run_on_session(command const& what);

/// Executes `servers`.
finished list_servers(command const& what);

} // namespace cli

#endif
