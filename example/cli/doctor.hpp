#ifndef LINKSPAN_EXAMPLE_CLI_DOCTOR_HPP
#define LINKSPAN_EXAMPLE_CLI_DOCTOR_HPP

#include <linkspan/config/diagnose.hpp>
#include <linkspan/connector/connector_state.hpp>

#include <string>

#include "servers.hpp"

// The output of `linkspan doctor`.
namespace cli::doctor {

/// A line or more for each server that was opened; as JSON, an array with an object for each.
std::string text(linkspan::open_report const& report, server_set const& set, bool json);

/// Of one server that was tried by itself. `given`: how the user wrote it; it is not printed.
std::string text(linkspan::diagnosis const& report, std::string const& given, bool json);

} // namespace cli::doctor

#endif
