#ifndef LINKSPAN_EXAMPLE_CLI_CALL_ROUTE_HPP
#define LINKSPAN_EXAMPLE_CLI_CALL_ROUTE_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "servers.hpp"

namespace cli {

/// Servers to which a call may be sent.
struct call_route {
    std::string tool;                                 ///< name of the tool on these servers
    std::vector<std::string> servers;                 ///< keys, in the order of preference; empty: all servers
    std::shared_ptr<linkspan::tool const> definition; ///< null: no server has listed the tool
};

/// Returns whether the configuration of the server allows calls of the tool.
bool allows(server_set const& set, linkspan::catalog_entry const& entry);

/// Selects the servers whose configuration allows the tool.
///
/// `open`: states of the servers of the connector. `target`: name of the tool in the command line. Throws `usage_error`
/// if no server allows the tool, or if the tools of several servers have different input schemas.
call_route route_call(linkspan::catalog const& tools, std::span<linkspan::server_status const> open,
                      server_set const& set, tool_name const& target);

} // namespace cli

#endif
