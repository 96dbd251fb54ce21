#ifndef LINKSPAN_EXAMPLE_CLI_REQUEST_OPTIONS_HPP
#define LINKSPAN_EXAMPLE_CLI_REQUEST_OPTIONS_HPP

#include <linkspan/model/call_options.hpp>

#include "command.hpp"

namespace cli {

/// Returns the options of a call: the timeout of the command, and the members of `--meta`. A value of `--meta` that is
/// JSON is sent as JSON, others as text.
linkspan::call_options options_for(command const& what);

} // namespace cli

#endif
