#ifndef LINKSPAN_EXAMPLE_CLI_COMMANDS_HPP
#define LINKSPAN_EXAMPLE_CLI_COMMANDS_HPP

#include "command.hpp"
#include "exit_status.hpp"

namespace cli {

/// `tools`, `call`, `state`, and `doctor` with configurations. These throw `usage_error`.
finished run_on_connector(command const& what);

/// `doctor` of one server, by its address or command.
finished diagnose_one_server(command const& what);

/// `request`, `resources` and `prompts`.
finished run_on_session(command const& what);

/// `servers`.
finished list_servers(command const& what);

} // namespace cli

#endif
