#ifndef LINKSPAN_SESSION_SESSION_STATE_HPP
#define LINKSPAN_SESSION_SESSION_STATE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan {

enum class session_state {
    idle,    ///< not opened yet
    opening, ///< the server starts, and the protocol version is negotiated
    ready,
    closing, ///< a graceful shutdown is under way; answers still come in
    closed,  ///< over: closed by us, lost, or never opened
};

constexpr std::string_view to_string(session_state state) noexcept
{
    switch (state) {
    case session_state::idle: return "idle";
    case session_state::opening: return "opening";
    case session_state::ready: return "ready";
    case session_state::closing: return "closing";
    case session_state::closed: return "closed";
    }
    return "?";
}

/// What came from the server and belonged to nothing. None of it harms a call.
struct session_counters {
    std::size_t late_answers = 0;      ///< to requests that are over, or that we never made
    std::size_t unexpected_output = 0; ///< lines that are no message
    std::size_t malformed = 0;         ///< messages that are no valid JSON-RPC
    std::string first_noise;           ///< the beginning of the first such line, for people
};

/// What a server says about itself; for display only. It says it anew at each start.
struct server_description {
    std::string name;
    std::string version;
    std::string capabilities = "{}";   ///< a JSON object
    std::string instructions;          ///< for a model; untrusted text
    std::optional<duration> fresh_for; ///< `ttlMs`: how long all this holds; since 2026-07-28
    bool is_public = false;            ///< `cacheScope`: others may be told the same; else it is for these credentials

    /// One that does not say that it has tools need not be asked for them.
    bool offers_tools() const { return !json_scan::member(capabilities, "tools").empty(); }
};

} // namespace linkspan

#endif
