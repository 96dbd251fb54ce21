#ifndef LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP
#define LINKSPAN_EXAMPLE_CLI_CLIENT_FILES_HPP

#include <linkspan/connector_config.hpp>

#include <string>
#include <string_view>

#include "servers.hpp"

namespace cli {

/// Reads a configuration of any client; its path tells whose it is.
linkspan::connector_config read_client_file(std::string const& path, std::string_view text);

/// Adds the servers of the clients' files that exist: of the current folder, then of the user. Of two servers with one
/// name, the first counts. A file that cannot be read is a line on stderr.
void find_client_files(server_book& to);

} // namespace cli

#endif
