#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_HPP

#include <linkspan/connector/selector.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <boost/asio/cancellation_type.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policies.hpp"

// Plain data of a scenario. See scenario_maker.hpp for the creation from a seed.

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// A tool of a server and its replay hints.
struct tool_plan {
    std::string name;  // the name on the server
    std::string group; // empty: no group
    bool hint_read_only = false;
    bool hint_idempotent = false;
    std::optional<bool> hint_destructive;
};

struct server_plan {
    std::string key;
    server_options options;
    std::vector<tool_plan> tools;
    std::vector<protocol_version> protocol_versions;
    unsigned fault_percent = 0;                                     // percentage of calls with a fault
    unsigned start_fault_percent = 0;                               // percentage of starts with a fault
    std::vector<std::pair<time_point, time_point>> refusal_periods; // periods in which connections are refused

    tool_plan const* find(std::string_view name) const
    {
        for (auto const& tool : tools)
            if (tool.name == name || tool.group == name)
                return &tool;
        return nullptr;
    }

    bool refuses_connections(time_point now) const
    {
        return std::ranges::any_of(refusal_periods,
                                   [now](auto const& span) { return span.first <= now && now < span.second; });
    }
};

struct cancel_plan {
    duration after{};
    asio::cancellation_type type = asio::cancellation_type::terminal;
};

struct call_plan {
    std::string tool;
    std::string target; // empty: any server
    std::optional<selector> which;
    bool by_exposed_name = false;
    call_options options;
    std::vector<cancel_plan> cancels;
};

// An event during the scenario, besides the faults of the servers.
struct event_plan {
    enum class kind {
        call,
        crash,     // drops all connections of a server
        drop_tool, // removes a tool of a server, with or without notification
        open,      // from here on operations of the connector
        connect,
        disconnect,
        enable,
        disable,
        remove,
        add,
        replace,
        shutdown,
        close,
        destroy,
    };

    time_point at;
    kind what;
    std::size_t index = 0; // index of the call or server
};

inline std::string_view to_string(event_plan::kind what)
{
    using kind = event_plan::kind;
    switch (what) {
    case kind::call: return "call";
    case kind::crash: return "crash";
    case kind::drop_tool: return "drop_tool";
    case kind::open: return "open";
    case kind::connect: return "connect";
    case kind::disconnect: return "disconnect";
    case kind::enable: return "enable";
    case kind::disable: return "disable";
    case kind::remove: return "remove";
    case kind::add: return "add";
    case kind::replace: return "replace";
    case kind::shutdown: return "shutdown";
    case kind::close: return "close";
    case kind::destroy: return "destroy";
    }
    return "";
}

struct scenario {
    std::uint64_t seed = 0;
    any_routing routing;
    any_fallback fallback;
    any_health health;
    random_admission admission;
    limited_budget budget;
    std::vector<server_plan> servers;
    std::size_t at_first = 0; // number of servers added before the start
    std::vector<call_plan> calls;
    std::vector<event_plan> events; // sorted by time
    bool ends_gracefully = true;
};

// Permission to execute a tool more than once: an independent implementation of the replay classes of doc/policies.md.
struct replay_permission {
    replay_class replay = replay_class::never;
    bool replay_on_same_server = false; // on the same server only
};

inline replay_permission replay_permission_of(server_plan const& server, std::string_view name)
{
    auto const* const tool = server.find(name);
    if (!tool)
        return {};
    auto const declared = server.options.tools.find(tool->name);
    if (declared != server.options.tools.end() && declared->second.replay)
        return {*declared->second.replay, *declared->second.replay == replay_class::keyed};
    if (!server.options.trust_annotations)
        return {};
    if (tool->hint_read_only)
        return {replay_class::read_only, false};
    if (tool->hint_idempotent)
        return {replay_class::idempotent, tool->hint_destructive.value_or(true)};
    return {};
}

} // namespace linkspan::test::simulation

#endif
