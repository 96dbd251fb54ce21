#ifndef LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP
#define LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP

#include <linkspan/config/connector_config.hpp>

#include <string>
#include <string_view>

#include "servers.hpp"

namespace cli {

/// Returns the current folder; empty if it cannot be determined, for example because it was removed. Variables of the
/// workspace folder are then not set.
std::string current_folder();

/// Reads a configuration of any client; the client is detected by the path.
linkspan::connector_config read_client_file(std::string const& path, std::string_view text);

/// Adds the servers in the existing files of known clients: of the current folder, then of the user.
///
/// Of two servers with one name, the first is used. A file that cannot be read, and a current folder that cannot be
/// determined, are reported on stderr.
void find_client_files(server_book& to);

} // namespace cli

#endif
