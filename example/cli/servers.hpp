#ifndef LINKSPAN_EXAMPLE_CLI_SERVERS_HPP
#define LINKSPAN_EXAMPLE_CLI_SERVERS_HPP

#include <linkspan/config/connector_config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace cli {

/// Servers of all configurations, before variables are replaced.
struct server_book {
    linkspan::connector_config config;
    std::vector<std::string> files; ///< paths of the files that were read, in order
    bool is_found = false;          ///< whether the files were found instead of given: their warnings are not printed

    /// Returns the names of all servers, including those with errors.
    std::vector<std::string> names() const;
};

/// Returns the sentence for an unknown name of a server, with similar names, or all names.
std::string unknown_server_text(server_book const& book, std::string_view name);

/// Adds the headers and variables of the command line to a server that is given by its URL or command. Throws
/// `usage_error` for a variable that is not set.
void add_server_options(command const& what, linkspan::server_config& to);

/// Reads the files that the command names, or those of known clients. Throws `usage_error` if a file cannot be read, or
/// if no server is configured.
server_book read_servers(command const& what);

/// Name of the form TOOL, SERVER.TOOL or SERVER__TOOL.
struct tool_name {
    std::string server; ///< name of the server; empty: none
    std::string tool;
};

tool_name split_tool(server_book const& book, std::string_view word);

/// Servers that a command opens.
struct server_set {
    linkspan::connector_config config; ///< configuration of these servers, with the options of the command
    linkspan::variable_sources from;   ///< sources of the values of variables
    std::size_t skipped = 0;           ///< number of servers with errors, which were printed

    /// Returns the server with a key, or null.
    linkspan::server_config const* find(std::string_view key) const;
};

/// Selects the servers for a command: the server `name`, or all if it is empty, that have the tags of the command.
///
/// Problems of their documents are reported on stderr. Throws `usage_error` if no server can be used, or if `name` is
/// unknown or disabled.
server_set choose(server_book const& book, command const& what, std::string_view name);

} // namespace cli

#endif
