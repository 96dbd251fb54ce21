#ifndef LINKSPAN_CONNECTOR_DETAIL_RESOLVE_TOOL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_RESOLVE_TOOL_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/catalog_publisher.hpp>
#include <linkspan/connector/detail/server_registry.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/policy/set.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Server that may execute a call, with the server's own name of the tool.
struct call_candidate {
    server_id server{};                        // id of the server in the connector
    std::string_view tool;                     // the server's own name of the tool; refers to a catalog or to the query
    replay_class replay = replay_class::never; // replay class of the tool on this server
    bool replay_on_same_server = false;        // `replay` applies to this server only
    // Set if the server does not have the tool, or its schema rejects the arguments; never cleared.
    bool is_excluded = false;
};

// Name of the tool of a call, with the servers that may execute the call. The views refer to the call.
struct tool_query {
    std::string_view tool;           // the name
    std::string_view target;         // name of the only server; empty: any
    selector const* which = nullptr; // the selected servers; null: any
    bool is_exposed = false;         // the name must be an exposed name

    // Returns whether the selector names servers, which are used in its order.
    bool has_order() const noexcept { return which && !which->servers.empty(); }

    // Returns whether the tags of the server satisfy the selector.
    bool admits(server_entry const& server) const { return !which || which->matches(server.tags); }
};

// Error of a look-up, which completes the call.
struct failed_resolution {
    error_code ec;
    std::string detail; // explanation of the error
};

// Result of the look-up of a tool. Each call creates one, so that the rare failure is allocated.
struct resolution {
    enum class kind {
        found,   // there are candidates
        unknown, // no known tool has the name
        failed,  // the call fails with `failure`
    };

    kind what = kind::found;
    // With `found`: the tools of at least one candidate are not listed, so that the candidate may not have the tool.
    bool has_unknown_tools = false;
    // With `found`: the interchangeable tools that the name identifies, if they are so many that `candidates` is empty,
    // see call_candidates.
    catalog::match unlisted;
    std::unique_ptr<failed_resolution> failure; // with `failed`; null otherwise
};

// Number of interchangeable tools from which on a look-up lists no candidates.
inline constexpr std::size_t min_unlisted = 17;

// Returns the candidate for a tool in a catalog.
inline call_candidate candidate_of(catalog_entry const& entry)
{
    return {entry.server, entry.tool->name, entry.replay, entry.replay_on_same_server, false};
}

// Looks up a tool in the last published catalog. Replaces `candidates`, whose views refer to that catalog and to the
// query.
LINKSPAN_DECL resolution resolve_tool(tool_query const& query, catalog_publisher& published,
                                      server_registry const& servers, std::vector<call_candidate>& candidates);

// Determines the servers that may have the tool although no known tool has the name: servers that are not started, and
// servers whose `tools/list` request failed. While no server has listed its tools, disconnected servers are candidates
// too, so that the error is a failed connection rather than an unknown tool.
LINKSPAN_DECL resolution resolve_among_unknown(tool_query const& query, server_registry const& servers,
                                               std::vector<call_candidate>& candidates);

// Sets the server's own name of the tool in a candidate whose tools were unknown. Returns false if the server does not
// have the tool. `tools`: the current catalog, which may not contain the server.
LINKSPAN_DECL bool determine_own_name(tool_query const& query, server_entry const& server, catalog const& tools,
                                      call_candidate& candidate);

// Returns the server to which an exposed name belongs, if it is disconnected; else null. The longest matching prefix
// determines the server.
LINKSPAN_DECL server_entry const* disconnected_owner(std::string_view name, server_registry const& servers,
                                                     policy_table const& policies);

// Returns the text of the error for an unknown tool: the name, similar names, and the servers that were searched.
LINKSPAN_DECL std::string unknown_tool_text(tool_query const& query, catalog const& tools,
                                            server_registry const& servers);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/resolve_tool.ipp>
#endif

#endif
