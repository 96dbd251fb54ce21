#ifndef LINKSPAN_CONNECTOR_DETAIL_RESOLVE_TOOL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_RESOLVE_TOOL_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/catalog_publisher.hpp>
#include <linkspan/connector/detail/server_registry.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/policy/set.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A tool of a server that may execute a call.
struct call_candidate {
    server_id server{};                        // the server
    std::string_view tool;                     // the server's own name of the tool; refers to a catalog or to the query
    replay_class replay = replay_class::never; // of the tool on this server
    bool replay_on_same_server = false;        // `replay` applies to this server only
    bool is_excluded = false; // set if the server lacks the tool, or its schema rejects the arguments; never cleared
};

// Name of the tool of a call, with the servers that may execute the call. The views refer to the call.
struct tool_query {
    std::string_view tool;           // the name
    std::string_view target;         // name of the only server; empty: any
    selector const* which = nullptr; // the selected servers; null: any
    bool is_exposed = false;         // the name must be an exposed name

    // Returns whether the selector names servers, which are used in its order.
    bool has_order() const noexcept { return which && !which->servers.empty(); }

    // Returns whether the selector admits the server by its tags.
    bool admits(server_entry const& server) const { return !which || which->fits(server.tags); }
};

// Result of the look-up of a tool.
struct resolution {
    enum class kind {
        found,   // there are candidates
        unknown, // no known tool has the name
        failed,  // the call fails with `ec`
    };

    kind what = kind::found;
    bool has_unknown_tools = false; // found: the tools of a candidate are unknown, and it may lack the tool
    error_code ec;                  // failed: the error
    std::string detail;             // failed: text for human readers
};

// Looks up a tool in the last published catalog. Replaces `candidates`, whose views refer to that catalog and to the
// query.
LINKSPAN_DECL resolution resolve_tool(tool_query const& query, catalog_publisher& published,
                                      server_registry const& servers, std::vector<call_candidate>& candidates);

// Determines the servers that may have the tool although no known tool has the name: those that are not started, and
// those that failed to list their tools. While no server has listed its tools, servers that are down are candidates
// too, so that the error is a failed connection rather than an unknown tool.
LINKSPAN_DECL resolution resolve_among_unknown(tool_query const& query, server_registry const& servers,
                                               std::vector<call_candidate>& candidates);

// Sets the server's own name of the tool in a candidate whose tools were unknown. Returns false if the server does not
// have the tool. `tools`: a catalog with the tools of the server, if they are known now.
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
