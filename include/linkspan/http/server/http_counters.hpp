#ifndef LINKSPAN_HTTP_SERVER_HTTP_COUNTERS_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_COUNTERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {

/// Counters of an HTTP server since its construction, and its current load. Sessions are HTTP sessions, and event
/// streams of HTTP+SSE. A refused request is counted by exactly one of the members `invalid`, `forbidden`,
/// `unauthenticated`, `over_limit` and `refused`.
struct http_counters {
    std::size_t connections = 0; ///< connections that are open now
    std::uint64_t accepted = 0;  ///< connections that were accepted, or passed to `serve`
    /// Connections that were closed at once, because their address had the maximum number of connections.
    std::uint64_t refused_connections = 0;
    /// Connections that were closed because the client did not read: `http_server_limits::max_queued`, `max_all_queued`
    /// and `write_timeout`.
    std::uint64_t unread_connections = 0;

    std::uint64_t requests = 0;  ///< complete requests that were received
    std::uint64_t invalid = 0;   ///< requests that were not valid HTTP, too large, or too slow: 400, 408, 413, 431, 505
    std::uint64_t forbidden = 0; ///< requests with a forbidden Origin or Host: 403
    /// Requests that `authenticate` refused, with any status other than 200, or for which it threw an exception: 500.
    std::uint64_t unauthenticated = 0;
    /// Requests that were refused because of a limit, because the authentication had no result in time, or because the
    /// server was being stopped: 429, 503.
    std::uint64_t over_limit = 0;
    /// Requests that were refused for another reason before their message was processed, such as the path, the HTTP
    /// method, a header, the protocol version or an unknown session: 400, 404, 405, 406, 409, 415.
    std::uint64_t refused = 0;

    std::size_t sessions = 0;         ///< sessions that exist now
    std::uint64_t sessions_begun = 0; ///< sessions that were begun
    std::uint64_t sessions_idle = 0;  ///< sessions that ended by `http_session_limits::idle_timeout`
};

} // namespace linkspan

#endif
