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

/// The servers that a call may be sent to.
struct call_route {
    std::string tool;                                 ///< the name that these servers list
    std::vector<std::string> servers;                 ///< keys, the first preferred; empty: all
    std::shared_ptr<linkspan::tool const> definition; ///< null: no server has listed the tool
};

/// Whether the configuration of its server allows a tool.
bool allows(server_set const& set, linkspan::catalog_entry const& entry);

/// Chooses servers whose configuration allows the tool. `open`: the servers of the connector. Throws `usage_error` if
/// none allows it, and if tools of several servers that do take different input.
call_route route_call(linkspan::catalog const& tools, std::span<linkspan::server_status const> open,
                      server_set const& set, tool_name const& target);

} // namespace cli

#endif
