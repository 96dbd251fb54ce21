#ifndef LINKSPAN_EXAMPLE_CLI_REQUEST_OPTIONS_HPP
#define LINKSPAN_EXAMPLE_CLI_REQUEST_OPTIONS_HPP

#include <linkspan/model/call_options.hpp>

#include "command.hpp"

namespace cli {

/// The timeout of a command, and the members of its `--meta`: values that are JSON are sent as such, others as text.
linkspan::call_options options_for(command const& what);

} // namespace cli

#endif
