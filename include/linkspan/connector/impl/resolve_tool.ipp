#ifndef LINKSPAN_CONNECTOR_IMPL_RESOLVE_TOOL_IPP
#define LINKSPAN_CONNECTOR_IMPL_RESOLVE_TOOL_IPP

#include <linkspan/connector/detail/resolve_tool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns at most ten of the names, for error messages.
inline std::string list_of(std::vector<std::string> const& names)
{
    constexpr std::size_t max_names = 10;
    std::string out;
    for (std::size_t i = 0; i != std::min(names.size(), max_names); ++i)
        (out += i == 0 ? "" : ", ") += names[i];
    if (names.size() > max_names)
        out += " and " + std::to_string(names.size() - max_names) + " more";
    return out;
}

// The annotations of the tool are unknown, so that the replay class is `never`.
inline call_candidate unknown_candidate(server_entry const& server, std::string_view tool)
{
    return {server.id, tool, replay_class::never, false, false};
}

inline resolution failed(error ec, std::string detail)
{
    auto failure = std::make_unique<failed_resolution>(failed_resolution{ec, std::move(detail)});
    return {resolution::kind::failed, false, {}, std::move(failure)};
}

inline resolution unknown_server(std::string_view key, server_registry const& servers)
{
    auto const similar = servers.suggestions(key);
    auto const names =
        similar.empty() ? "'; known servers: " + list_of(servers.keys()) : "'; similar names: " + list_of(similar);
    return failed(error::unknown_server, "'" + std::string(key) + names);
}

inline resolution resolve_on_target(tool_query const& query, catalog const& tools, server_registry const& servers,
                                    std::vector<call_candidate>& candidates)
{
    auto const server = servers.find(query.target);
    if (!server)
        return unknown_server(query.target, servers);
    if (server->life.state() == server_state::disabled)
        return failed(error::server_disabled, "server '" + std::string(query.target) + "'");
    resolution out;
    if (auto const* const entry = tools.find(server->id, query.tool)) {
        candidates.push_back(candidate_of(*entry));
    } else if (!server->tools.is_known()) {
        candidates.push_back(unknown_candidate(*server, query.tool));
        out.has_unknown_tools = true;
    } else {
        out.what = resolution::kind::unknown;
    }
    return out;
}

// A server whose tools are unknown is a candidate at its position in the order of the selector.
inline resolution resolve_in_order(tool_query const& query, catalog const& tools, server_registry const& servers,
                                   std::vector<call_candidate>& candidates)
{
    resolution out;
    for (auto const& key : query.which->servers) {
        auto const server = servers.find(key);
        if (!server)
            return unknown_server(key, servers);
        if (!query.admits(*server) || server->life.state() == server_state::disabled)
            continue;
        if (auto const* const entry = tools.find(server->id, query.tool)) {
            candidates.push_back(candidate_of(*entry));
        } else if (!server->tools.is_known()) {
            candidates.push_back(unknown_candidate(*server, query.tool));
            out.has_unknown_tools = true;
        }
    }
    out.what = candidates.empty() ? resolution::kind::unknown : resolution::kind::found;
    return out;
}

inline resolution ambiguous_tool(std::string_view tool, catalog const& tools, std::span<std::uint32_t const> entries)
{
    std::vector<std::string> names;
    for (auto const index : entries) {
        auto const& entry = tools.tools()[index];
        names.push_back(entry.exposed.empty() ? entry.tool->name + " on " + entry.server_key : entry.exposed);
    }
    return failed(error::ambiguous_tool, "'" + std::string(tool) + "' is ambiguous; expected one of " + list_of(names));
}

inline resolution resolve_anywhere(tool_query const& query, catalog const& tools, catalog::match const& match,
                                   server_registry const& servers, std::vector<call_candidate>& candidates)
{
    using kind = catalog::match::kind;
    resolution out;
    auto const has_that_name = [&](std::uint32_t index) { return tools.tools()[index].has_name(query.tool); };
    bool const is_known_name = !query.is_exposed || std::ranges::any_of(match.entries, has_that_name);
    if (match.what == kind::unknown || !is_known_name) {
        out.what = resolution::kind::unknown;
        return out;
    }
    if (match.what == kind::group && match.entries.size() >= min_unlisted && !query.which) {
        out.unlisted = match;
        return out;
    }
    for (auto const index : match.entries) {
        auto const& entry = tools.tools()[index];
        auto const& server = servers.at(entry.server);
        if (server && query.admits(*server))
            candidates.push_back(candidate_of(entry));
    }
    if (match.what == kind::ambiguous && candidates.size() != 1)
        return ambiguous_tool(query.tool, tools, match.entries);
    return out;
}

LINKSPAN_DECL resolution resolve_tool(tool_query const& query, catalog_publisher& published,
                                      server_registry const& servers, std::vector<call_candidate>& candidates)
{
    candidates.clear();
    auto const& tools = *published.latest();
    if (!query.target.empty())
        return resolve_on_target(query, tools, servers, candidates);
    if (query.has_order())
        return resolve_in_order(query, tools, servers, candidates);
    return resolve_anywhere(query, tools, published.find(query.tool), servers, candidates);
}

LINKSPAN_DECL resolution resolve_among_unknown(tool_query const& query, server_registry const& servers,
                                               std::vector<call_candidate>& candidates)
{
    resolution out;
    out.what = resolution::kind::unknown;
    if (!query.target.empty() || query.has_order())
        return out;
    auto const has_listed_tools = [](auto const& server) { return server->tools.is_known(); };
    bool const is_all_unknown = std::ranges::none_of(servers.order(), has_listed_tools);
    for (auto const& server : servers.order()) {
        bool const may_have_tool = server->life.state() == server_state::idle ||
                                   server->life.state() == server_state::opening ||
                                   server->life.state() == server_state::ready ||
                                   (is_all_unknown && server->life.state() != server_state::disabled);
        if (has_listed_tools(server) || !may_have_tool || !query.admits(*server))
            continue;
        candidates.push_back(unknown_candidate(*server, query.tool));
        out.what = resolution::kind::found;
        out.has_unknown_tools = true;
    }
    return out;
}

LINKSPAN_DECL bool determine_own_name(tool_query const& query, server_entry const& server, catalog const& tools,
                                      call_candidate& candidate)
{
    if (!server.tools.is_known()) {
        candidate.tool = query.tool;
        // The exposed name is not valid on the server, and its own name of the tool is unknown.
        return !query.is_exposed && !server.tools.rejects_unlisted(query.tool);
    }
    auto const* entry = tools.find(candidate.server, query.tool);
    for (auto const index : tools.find(query.tool).entries)
        if (auto const& named = tools.tools()[index]; named.server == candidate.server)
            entry = &named;
    if (entry && query.is_exposed && !entry->has_name(query.tool))
        entry = nullptr;
    if (entry)
        candidate = candidate_of(*entry);
    return entry != nullptr;
}

// Returns the length of the prefix that the naming policy adds to the names of tools of this server; 0: the name does
// not have this prefix. Names are made and compared, not parsed, because any naming policy is possible.
inline std::size_t exposing_prefix(std::string_view name, std::string_view key, policy_table const& policies)
{
    auto const made = policies.expose(key, "x");
    auto const size = made.ends_with('x') ? made.size() - 1 : 0;
    bool const is_made = size != 0 && name.size() > size && policies.expose(key, name.substr(size)) == name;
    return is_made ? size : 0;
}

LINKSPAN_DECL server_entry const* disconnected_owner(std::string_view name, server_registry const& servers,
                                                     policy_table const& policies)
{
    auto const has_that_name = [&](catalog_entry const& entry) { return entry.has_name(name); };
    server_entry const* best = nullptr;
    std::size_t longest = 0;
    for (auto const& server : servers.order()) {
        if (server->life.is_down() && (std::ranges::any_of(server->tools.tools(), has_that_name) ||
                                       std::ranges::any_of(server->tools.former_tools(), has_that_name)))
            return server.get();
        auto const size = exposing_prefix(name, server->key, policies);
        if (size > longest) {
            longest = size;
            best = server.get();
        }
    }
    bool const may_have_it =
        best && best->life.is_down() && best->tools.tools().empty() && best->tools.former_tools().empty();
    return may_have_it ? best : nullptr;
}

LINKSPAN_DECL std::string unknown_tool_text(tool_query const& query, catalog const& tools,
                                            server_registry const& servers)
{
    auto out = "'" + std::string(query.tool) + "'";
    if (!query.target.empty())
        out += " on server '" + std::string(query.target) + "'";
    if (auto const similar = list_of(tools.suggestions(query.tool)); !similar.empty())
        out += "; similar names: " + similar;
    std::vector<std::string> searched; // the servers whose tools are known
    for (auto const& server : servers.order())
        if (server->tools.is_known() && (query.target.empty() || server->key == query.target))
            searched.push_back(server->key);
    return out + "; searched: " + (searched.empty() ? "none" : list_of(searched));
}

} // namespace linkspan::detail

#endif
