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

/// Returns the report about one server. `server`: its configuration, for the hint; null: the text by which the user
/// specified the server is invalid.
std::string text(linkspan::diagnosis const& report, linkspan::server_config const* server, bool json);

} // namespace cli::doctor

#endif
