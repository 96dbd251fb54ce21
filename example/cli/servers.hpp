#ifndef LINKSPAN_EXAMPLE_CLI_SERVERS_HPP
#define LINKSPAN_EXAMPLE_CLI_SERVERS_HPP

#include <linkspan/connector_config.hpp>

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
    bool is_own = false;            ///< one server, given by its address or command
    bool is_found = false;          ///< the files were found and not given: their warnings are not printed

    /// Names of servers, also of those that are left out because of an error.
    std::vector<std::string> names() const;
};

/// Reads the files that the command names, or finds those of known clients. Throws `usage_error` for a file that cannot
/// be read, and where no server is configured at all.
server_book read_servers(command const& what);

/// A name of the form SERVER.TOOL or SERVER__TOOL.
struct tool_name {
    std::string server; ///< its name; empty: none is named
    std::string tool;
};

tool_name split_tool(server_book const& book, std::string_view word);

/// A server with its variables replaced, ready to be added to a connector.
struct ready_server {
    std::string key;
    linkspan::server_config config;
    linkspan::resolved_server resolved;
};

/// The servers that a command opens.
struct server_set {
    std::vector<ready_server> servers;
    std::size_t skipped = 0; ///< because of an error that was printed
};

/// Chooses servers and replaces their variables: of the server that `name` names, or of all if it is empty, those that
/// have the tags of the command. Each problem of a chosen server is a line on stderr. Throws `usage_error` where no
/// server is left, and where `name` is of none or of a disabled one.
server_set choose(server_book const& book, command const& what, std::string_view name);

} // namespace cli

#endif
