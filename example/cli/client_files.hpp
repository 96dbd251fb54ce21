#ifndef LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP
#define LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP

#include <linkspan/config/connector_config.hpp>

#include <string>
#include <string_view>

#include "servers.hpp"

namespace cli {

/// Returns the current folder, which is the value of variables for the folder of the workspace. Empty: the folder
/// cannot be determined, for example because it was removed, and the variables are not set.
std::string current_folder();

/// Reads a configuration file. If the path is that of a known client (another program that uses MCP servers), the file
/// is read in the format of the client.
linkspan::connector_config read_client_file(std::string const& path, std::string_view text);

/// Adds the servers of the existing configuration files of known clients: files in the current folder, then files of
/// the user.
///
/// Of two servers with the same name, the first is used. A file that cannot be read, and a current folder that cannot
/// be determined, are reported on stderr.
void find_client_files(server_book& to);

} // namespace cli

#endif
