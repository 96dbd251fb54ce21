#ifndef LINKSPAN_SERVER_SERVER_COUNTERS_HPP
#define LINKSPAN_SERVER_SERVER_COUNTERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {

/// Counters of a `server` since its construction, and its current load.
struct server_counters {
    /// Connections that are open now; over HTTP: sessions that are open, and other clients with a request that has no
    /// response.
    std::size_t clients = 0;
    std::size_t subscriptions = 0; ///< streams of `subscriptions/listen` that are open now
    /// Stateless requests that are stored now: those whose handlers wait for input (`async_ask`), and those with an
    /// outcome until the client sends the request again. Requests whose handlers run again (`require_input`) are not
    /// stored.
    std::size_t suspended = 0;
    std::size_t tasks = 0;      ///< tasks that are stored now
    std::uint64_t requests = 0; ///< requests that were received
    /// Requests that were refused because of a limit, or during `async_stop`, and outcomes that were discarded because
    /// of a limit.
    std::uint64_t refused = 0;
    std::uint64_t cancelled = 0;  ///< requests that were cancelled, or whose client disconnected
    std::uint64_t defects = 0;    ///< defects, as `serving_options::on_defect` receives them; counted also without it
    std::uint64_t bad_states = 0; ///< values of `requestState` that were rejected
    std::uint64_t dropped_progress = 0; ///< progress notifications that were not sent, because the value did not rise
};

} // namespace linkspan

#endif
