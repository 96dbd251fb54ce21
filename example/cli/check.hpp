#ifndef LINKSPAN_EXAMPLE_CLI_CHECK_HPP
#define LINKSPAN_EXAMPLE_CLI_CHECK_HPP

#include <linkspan/config/validate.hpp>
#include <linkspan/connector/connector_state.hpp>

#include <string>

#include "servers.hpp"

// The output of `linkspan check`.
namespace cli::check {

/// A line or more for each server that was opened; as JSON, an array with an object for each.
std::string text(linkspan::open_report const& report, server_set const& set, bool json);

/// Of one server that was tried by itself. `given`: how the user wrote it; it is not printed.
std::string text(linkspan::validation_report const& report, std::string const& given, bool json);

} // namespace cli::check

#endif
