#ifndef LINKSPAN_CONNECTOR_RESTART_OPTIONS_HPP
#define LINKSPAN_CONNECTOR_RESTART_OPTIONS_HPP

#include <linkspan/core/fwd.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {

/// Options for restarts of a server that was lost or could not be started.
///
/// A restart never repeats a call; the fallback policy decides whether calls are repeated. After `max_restarts`
/// restarts within `window`, slow restarts begin: the wait before the first slow restart is at most `max_wait`, and the
/// bound is doubled for each further one, up to `max_slow_wait`. The number of slow restarts is unlimited. The slow
/// restarts end when the server has been ready for `settled_after` and fewer than `max_restarts` restarts are within
/// `window`. With `give_up`, there are no slow restarts: the state of the server becomes `server_state::failed`. In
/// both cases, `async_connect` and `async_open` start the server immediately and reset all counts.
struct restart_options {
    /// Maximum number of restarts within `window` before slow restarts begin. 0: the server is never restarted.
    /// Default: 5.
    unsigned max_restarts = 5;

    /// Time in which restarts are counted. Default: 10 min.
    duration window = std::chrono::minutes(10);

    /// Upper bound of the wait before the first restart. The bound is doubled for each further restart. The wait is
    /// random, at least half of the bound. Default: 1 s.
    duration wait = std::chrono::seconds(1);

    /// Upper bound of the doubled `wait`, and the bound of the wait before the first slow restart. Default: 30 s.
    duration max_wait = std::chrono::seconds(30);

    /// Time in the ready state after which both doublings begin again. Slow restarts then end, unless there were
    /// `max_restarts` restarts within `window`. Default: 60 s.
    duration settled_after = std::chrono::seconds(60);

    /// Calls wait for a restart that is due within this time, and not for a later one. A call waits only if no other
    /// server that can execute the call is available. Default: 5 s.
    duration patience = std::chrono::seconds(5);

    /// Upper bound of the doubled wait before a slow restart. The wait is random, at least half of the bound. Default:
    /// 5 min.
    duration max_slow_wait = std::chrono::minutes(5);

    /// Time without a message of the server, from the start of the first probe without a response, after which the
    /// connection is regarded as lost. The condition is examined when a probe has had no response; a connection with an
    /// outstanding call stays open. 0, or `max_restarts` of 0: no connection is regarded as lost for this reason.
    /// Default: 90 s; with the default health policy, the connection ends at the fourth probe without a response.
    duration unresponsive_after = std::chrono::seconds(90);

    /// True: no slow restarts; the server's state becomes `failed`. Default: false.
    bool give_up = false;
};

} // namespace linkspan

#endif
