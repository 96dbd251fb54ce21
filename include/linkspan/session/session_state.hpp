#ifndef LINKSPAN_SESSION_SESSION_STATE_HPP
#define LINKSPAN_SESSION_SESSION_STATE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// State of a session.
///
///     idle -> opening -> ready -> closing -> closed
///
/// `close`, a failed opening, and the loss of the connection change the state to `closed` directly. A closed session
/// may be opened again.
enum class session_state {
    idle,    ///< the session was not opened yet
    opening, ///< the transport is being opened, or the protocol version is being negotiated
    ready,   ///< requests can be sent
    closing, ///< a graceful shutdown is in progress; responses are still received, new requests fail
    closed,  ///< the session was closed, its connection was lost, or opening failed
};

/// Returns the name of the enumerator, for example "ready".
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

/// Counts of input that is not a usable message.
///
/// A malformed response also fails its request. With `session_options::strict`, unexpected output ends the connection.
///
/// The counts start at 0 when the session is created, and never decrease.
struct session_counters {
    std::size_t late_responses = 0;      ///< responses without an outstanding request, for example after a timeout
    std::size_t unexpected_output = 0;   ///< lines that are not valid JSON objects or arrays
    std::size_t malformed = 0;           ///< messages that are not valid, or not allowed in the protocol version
    std::string first_unexpected_output; ///< first 200 bytes of the first unexpected line; empty: there was none
};

/// Description of a server, which the server sends during the negotiation.
///
/// The texts are untrusted and are for display only. Each opening of the session replaces all members.
///
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
struct server_description {
    std::string name;                ///< `serverInfo.name`; empty: the server sent none
    std::string version;             ///< `serverInfo.version`; empty: the server sent none
    std::string capabilities = "{}"; ///< JSON text of the capabilities object, "{}" before the first opening;
                                     ///< empty: the server sent none
    std::string instructions;        ///< instructions for a model; untrusted text; empty: none
    std::optional<duration> ttl;     ///< `ttlMs` (since 2026-07-28): validity of this description; empty: not sent
    bool is_public = false; ///< `cacheScope` is "public"; false: the description is valid for the credentials in use

    /// Returns true if the server declared the capability `tools`.
    bool offers_tools() const { return !json_scan::member(capabilities, "tools").empty(); }
};

} // namespace linkspan

#endif
