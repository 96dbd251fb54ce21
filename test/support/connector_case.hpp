#ifndef LINKSPAN_TEST_SUPPORT_CONNECTOR_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_CONNECTOR_CASE_HPP

#include <linkspan/connector.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contains.hpp"
#include "rpc_error.hpp"
#include "session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

using hub_type = connector<transports<inproc>>;

// Options of a server whose tool "pay" has this replay class. A lost server is not restarted.
inline server_options with(int priority, std::optional<replay_class> replay = {})
{
    server_options options;
    options.priority = priority;
    options.restart.max_restarts = 0;
    if (replay)
        options.tools["pay"].replay = replay;
    return options;
}

// Returns the trail of a call as "a unknown, b completed".
inline std::string trail_of(call_result const& result)
{
    std::string out;
    for (auto const& attempt : result.attempts())
        (((out += out.empty() ? "" : ", ") += attempt.server) += ' ') += to_string(attempt.result.certainty);
    return out;
}

// Returns the ids of the received calls of tools as JSON texts, in the order of arrival.
inline std::vector<std::string> call_ids(scripted_server const& server)
{
    std::vector<std::string> out;
    for (auto const& message : server.received())
        if (json_scan::member(message, "method") == R"("tools/call")")
            out.emplace_back(json_scan::member(message, "id"));
    return out;
}

// A connector of up to three servers, "a" before "b" before "c", which all offer the tool "pay".
struct hub_world : world {
    scripted_server a, b, c;
    std::optional<hub_type> hub;

    hub_type& make(std::optional<replay_class> replay = {}, std::size_t servers = 2)
    {
        hub.emplace(executor);
        scripted_server* const all[] = {&a, &b, &c};
        std::string_view const names = "abc";
        for (std::size_t i = 0; i != servers; ++i)
            hub->add<inproc>(std::string(1, names[i]), *all[i], with(9 - static_cast<int>(i), replay));
        return *hub;
    }

    std::size_t calls(scripted_server const& server) const { return server.received("\"tools/call\""); }
};

} // namespace linkspan::test

#endif
