#ifndef LINKSPAN_EXAMPLE_CLI_FAILURE_HPP
#define LINKSPAN_EXAMPLE_CLI_FAILURE_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>
#include <string_view>

#include "exit_status.hpp"

namespace cli {

/// Reports a failure: a line on stderr, and with `json` the document `{"error": {...}}` for stdout.
finished failure(int status, std::string_view message, bool json);

/// Reports a failed call or request with its attempts. `all_reached`: whether all servers were reached, so that a tool
/// that was not found does not exist.
finished failure(linkspan::error_code ec, linkspan::call_result const& result, bool all_reached, bool json);

} // namespace cli

#endif
