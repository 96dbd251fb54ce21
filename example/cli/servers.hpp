#ifndef LINKSPAN_EXAMPLE_CLI_SERVERS_HPP
#define LINKSPAN_EXAMPLE_CLI_SERVERS_HPP

#include <linkspan/config/connector_config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace cli {

/// The servers of all configurations, as they are written.
struct server_book {
    linkspan::connector_config config;
    std::vector<std::string> files; ///< that were read, in order
    bool is_found = false;          ///< the files were found and not given: their warnings are not printed

    /// Names of servers, also of those that are left out because of an error.
    std::vector<std::string> names() const;
};

/// Adds the headers and variables of the command to a server that it gives by its address or command. Throws
/// `usage_error` for a variable that is not set.
void add_words(command const& what, linkspan::server_config& to);

/// Reads the files that the command names, or finds those of known clients. Throws `usage_error` for a file that cannot
/// be read, and where no server is configured at all.
server_book read_servers(command const& what);

/// A name of the form SERVER.TOOL or SERVER__TOOL.
struct tool_name {
    std::string server; ///< its name; empty: none is named
    std::string tool;
};

tool_name split_tool(server_book const& book, std::string_view word);

/// The servers that a command opens.
struct server_set {
    linkspan::connector_config config; ///< of these servers, with the options of the command
    linkspan::variable_sources from;   ///< what their variables are replaced by
    std::size_t skipped = 0;           ///< because of an error that was printed

    /// The server with this key, or null.
    linkspan::server_config const* find(std::string_view key) const;
};

/// Chooses servers: of the server that `name` names, or of all if it is empty, those that have the tags of the command.
/// Each problem of their documents is a line on stderr. Throws `usage_error` where no server is left, and where `name`
/// is of none or of a disabled one.
server_set choose(server_book const& book, command const& what, std::string_view name);

} // namespace cli

#endif
