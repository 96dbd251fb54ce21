#ifndef LINKSPAN_EXAMPLE_CLI_DOCTOR_HPP
#define LINKSPAN_EXAMPLE_CLI_DOCTOR_HPP

#include <linkspan/config/diagnose.hpp>
#include <linkspan/connector/connector_state.hpp>

#include <string>

#include "servers.hpp"

// The output of `linkspan doctor`.
namespace cli::doctor {

/// Returns the report about all opened servers: lines per server, or a JSON array with an object per server.
std::string text(linkspan::open_report const& report, server_set const& set, bool json);

/// Returns the report about one server. `given`: the text by which the user specified the server; it is not printed.
std::string text(linkspan::diagnosis const& report, std::string const& given, bool json);

} // namespace cli::doctor

#endif
