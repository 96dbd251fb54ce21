#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/published_server.hpp>
#include <linkspan/connector/detail/server_supervisor.hpp>
#include <linkspan/connector/detail/tool_registry.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/session/session_core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class tool_checks;

// Returns a future time as Unix time, limited to a hundred years from now so that the conversion does not overflow.
inline wall_time::duration::rep wall_count(time_source const& clock, time_point at) noexcept
{
    auto const span = std::min<duration>(at - clock.now(), std::chrono::years(100));
    return (clock.wall_now() + std::chrono::duration_cast<wall_time::duration>(span)).time_since_epoch().count();
}

// One server of a connector: its identity and options, its session, and the state machines for its life cycle and its
// tools.
//
// Owned by the connector, and by calls and handlers that still need the server. Only the connector and its calls change
// the object, on the executor of the connector; `published` has the values for other threads.
//
// Invariant: a call selects the server only while the server is ready, or if the call can wait for its start.
struct server_entry {
    server_entry(server_id number, std::string name, server_options given, asio::any_io_executor const& executor)
        : id(number),
          shared_key(std::make_shared<std::string const>(std::move(name))),
          key(*shared_key),
          options(std::move(given)),
          tags(options.tags.begin(), options.tags.end()),
          life(options),
          tools(id, key, options),
          probe_timer(executor)
    {
        probe_timer.run_in_background();
    }

    server_entry(server_entry const&) = delete;
    server_entry& operator=(server_entry const&) = delete;

    server_id const id;                                  // never reused
    std::shared_ptr<std::string const> const shared_key; // name in the configuration; shared with results
    std::string const& key;                              // refers to `shared_key`
    server_options const options;                        // set by the constructor
    std::vector<std::string_view> tags;                  // views of `options.tags`
    std::shared_ptr<session_core> session;               // set by make_server(), never replaced
    // Copy of the state for other threads; never replaced.
    std::shared_ptr<published_server> published = std::make_shared<published_server>();

    server_supervisor life;          // state, restarts, probes, and the operations that keep the server open
    tool_registry tools;             // the last list and the requests of lists
    bool keeps_waiting = false;      // true while an object of class `keeps_waiting` exists
    bool last_resort_in_use = false; // true while a call uses the server as the last resort, with an open breaker
    // Report of the last opening. Reset by start(); the end of the server replaces its error.
    server_report report;
    time_point began{};                                              // start of the last opening
    std::vector<std::function<void(server_report const&)>> awaiting; // added by await(), posted by finish_opening()
    std::vector<std::function<void(error_code)>> awaiting_end; // added by end() and drain(), posted by finish_end()

    optional_timer restart_timer; // waits for the restart; while draining, for `drain_timeout`
    timer probe_timer;            // runs in the state `ready`, unless a probe is outstanding
    optional_timer refresh_timer; // waits before the next `tools/list` request after a notification

    std::shared_ptr<tool_checks> checks; // set by make_server(); null: calls are not validated

    std::optional<time_point> throttled_until; // set by a response with `Retry-After`; overwritten by the next one
    std::optional<duration> latency;           // exponential average with weight 1/8; empty before the first response
    error_code last_failure;                   // of an attempt, a probe, an opening or a list; never cleared

    // Return text for human readers, with the server's secrets redacted.
    std::string redacted(std::string_view text) const { return options.secrets(text); }
    std::string diagnostics() const { return redacted(session->diagnostics()); }

    // Discards all waiting handlers without invoking them: the execution context is being destroyed.
    void drop_waiting() noexcept
    {
        auto const openers = std::move(awaiting);
        auto const enders = std::move(awaiting_end);
        auto const requesters = tools.take_requesters();
        awaiting.clear();
        awaiting_end.clear();
    }

    // Publishes the numbers of requests, after a request was started or completed.
    void publish_requests() const noexcept
    {
        bool const is_closed = session->state() == session_state::closed;
        published->in_flight.store(is_closed ? 0 : session->in_flight(), std::memory_order_relaxed);
        published->queued.store(is_closed ? 0 : session->queued(), std::memory_order_relaxed);
    }

    // Returns whether results of a tool are stored, if the server has such a tool.
    bool stores_results() const
    {
        for (auto const& [name, tool] : options.tools)
            if (tool.result_ttl > duration::zero())
                return true;
        return options.result_ttl > duration::zero();
    }

    // Returns whether the server can execute a call immediately, or can be started by a call.
    bool is_available(time_point now) const { return !is_throttled(now) && is_available_after_pause(); }

    // Like is_available(), but ignores a pause that the server requested.
    bool is_available_after_pause() const
    {
        if (life.is_removed())
            return false;
        if (life.state() == server_state::idle)
            return true;
        return life.state() == server_state::ready && session->state() == session_state::ready &&
               has_room(session->in_flight());
    }

    // Returns whether a session with `in_flight` requests accepts another one. The limits are not added, because the
    // sum may overflow.
    bool has_room(std::size_t in_flight) const noexcept
    {
        auto const& limits = options.session;
        return in_flight < limits.max_in_flight || in_flight - limits.max_in_flight < limits.max_queued;
    }

    // Returns whether a call can wait for the server, see server_supervisor::is_starting_soon().
    bool is_starting_soon(time_point now) const
    {
        return !life.is_removed() && !is_throttled(now) && life.is_starting_soon(now);
    }

    // Returns whether the pause that the server requested is not over.
    bool is_throttled(time_point now) const noexcept { return throttled_until && *throttled_until > now; }
};

} // namespace linkspan::detail

#endif
