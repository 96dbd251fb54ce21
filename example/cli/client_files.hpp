#ifndef LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP
#define LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP

#include <linkspan/config/connector_config.hpp>

#include <string>
#include <string_view>

#include "servers.hpp"

namespace cli {

/// The current folder; empty where it cannot be determined, as after its removal. Variables of the folder are then not
/// set.
std::string current_folder();

/// Reads a configuration of any client; its path tells whose it is.
linkspan::connector_config read_client_file(std::string const& path, std::string_view text);

/// Adds the servers of the clients' files that exist: of the current folder, then of the user. Of two servers with one
/// name, the first counts. A file that cannot be read, and a current folder that cannot be determined, is a line on
/// stderr.
void find_client_files(server_book& to);

} // namespace cli

#endif
