#ifndef LINKSPAN_EXAMPLE_CLI_FAILURE_HPP
#define LINKSPAN_EXAMPLE_CLI_FAILURE_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>
#include <string_view>

#include "exit_status.hpp"

namespace cli {

/// Reports a failure: writes the message to stderr, and returns the exit status. If `json` is true, the text for stdout
/// is the document `{"error": {...}}`; otherwise the text is empty.
finished failure(int status, std::string_view message, bool json);

/// Reports a failed call or request with its attempts. `all_reached`: true if all servers were reached; the exit status
/// for a tool that was not found is then `wrong_usage`, and otherwise `not_connected`.
finished failure(linkspan::error_code ec, linkspan::call_result const& result, bool all_reached, bool json);

} // namespace cli

#endif
