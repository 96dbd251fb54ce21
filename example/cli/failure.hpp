#ifndef LINKSPAN_EXAMPLE_CLI_FAILURE_HPP
#define LINKSPAN_EXAMPLE_CLI_FAILURE_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>
#include <string_view>

#include "exit_status.hpp"

namespace cli {

/// A failure: a line on stderr, and with `json` the document `{"error": {...}}` for stdout.
finished failure(int status, std::string_view message, bool json);

/// A call or request that failed, with its attempts. `all_reached`: a tool that was not found is on no server.
finished failure(linkspan::error_code ec, linkspan::call_result const& result, bool all_reached, bool json);

} // namespace cli

#endif
