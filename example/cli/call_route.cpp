#include "call_route.hpp"

#include <linkspan/config/server_config.hpp>

#include <algorithm>

#include "exit_status.hpp"

namespace cli {
namespace {

using linkspan::catalog_entry;

// Returns the configuration of a server, or null if it is disabled.
linkspan::server_config const* usable(server_set const& set, linkspan::server_status const& status)
{
    return status.state == linkspan::server_state::disabled ? nullptr : set.find(status.server);
}

[[noreturn]] void fail_disabled(std::string const& tool, std::vector<std::string> const& keys, server_set const& set)
{
    std::string text = "tool '" + tool + "'";
    for (auto const& key : keys)
        if (auto const* const server = set.find(key))
            text += std::string(text.ends_with('\'') ? "" : ",") + " of server '" + key + "' is disabled in " +
                    server->origin;
    throw usage_error(text);
}

[[noreturn]] void fail_ambiguous(std::string const& tool, std::vector<catalog_entry> const& entries)
{
    std::string names;
    for (auto const& entry : entries)
        names += (names.empty() ? "" : ", ") + entry.server_key + "." + entry.tool->name;
    throw usage_error("tool '" + tool + "' has different input schemas on several servers; expected one of " + names);
}

// Routes a call of a tool that no server has listed.
call_route route_unlisted(std::span<linkspan::server_status const> open, server_set const& set, std::string const& tool)
{
    call_route out{tool, {}, nullptr};
    std::vector<std::string> refusing;
    for (auto const& status : open)
        if (auto const* const server = usable(set, status))
            (server->allows_tool(tool) ? out.servers : refusing).push_back(status.server);
    if (out.servers.empty() && !refusing.empty())
        fail_disabled(tool, refusing, set);
    if (refusing.empty())
        out.servers.clear();
    return out;
}

} // namespace

bool allows(server_set const& set, catalog_entry const& entry)
{
    auto const* const server = set.find(entry.server_key);
    return !server || server->allows_tool(entry.tool->name);
}

call_route route_call(linkspan::catalog const& tools, std::span<linkspan::server_status const> open,
                      server_set const& set, tool_name const& target)
{
    std::vector<catalog_entry> allowed;
    std::vector<std::string> refusing;
    auto const take = [&](catalog_entry const& entry) {
        if (allows(set, entry))
            allowed.push_back(entry);
        else if (std::ranges::find(refusing, entry.server_key) == refusing.end())
            refusing.push_back(entry.server_key);
    };
    if (target.server.empty()) {
        for (auto const index : tools.find(target.tool).entries)
            take(tools.tools()[index]);
    } else {
        for (auto const& entry : tools.tools(linkspan::server_key(target.server)))
            if (entry.tool->name == target.tool)
                take(entry);
    }
    if (allowed.empty() && refusing.empty())
        return route_unlisted(open, set, target.tool);
    if (allowed.empty())
        fail_disabled(target.tool, refusing, set);
    bool const allow_all = refusing.empty() && std::ranges::all_of(open, [&](auto const& status) {
                               auto const* const server = usable(set, status);
                               return !server || server->allows_tool(target.tool);
                           });
    if (allow_all) // the routing policy of the connector selects the server
        return {target.tool, {}, allowed.front().tool};
    if (linkspan::catalog(allowed).find(target.tool).what == linkspan::catalog::match::kind::ambiguous)
        fail_ambiguous(target.tool, allowed);
    std::ranges::stable_sort(allowed, std::ranges::greater(), &catalog_entry::priority);
    call_route out{allowed.front().tool->name, {}, allowed.front().tool};
    for (auto const& entry : allowed) // other tools of a group have other names
        if (entry.tool->name == out.tool)
            out.servers.push_back(entry.server_key);
    return out;
}

} // namespace cli
