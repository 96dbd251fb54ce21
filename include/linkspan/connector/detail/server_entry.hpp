#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/published_server.hpp>
#include <linkspan/connector/detail/tool_registry.hpp>
#include <linkspan/connector/restart_schedule.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/session/session_core.hpp>

#include <algorithm>
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

// State of one server of a connector.
//
// Owned by the connector, and by calls and handlers that still need the server. Only the connector and its calls change
// the object, on the executor of the connector; `published` has the values for other threads. Each start, loss and end
// increments `round`, so that timers and handlers of earlier rounds have no effect.
//
// Invariants: a call selects the server only while `state` is `ready` or the call can wait for the start. `settled` is
// false while an opening is in progress, including its `tools/list` request.
struct server_entry {
    server_entry(server_id number, std::string name, server_options given, asio::any_io_executor const& executor)
        : id(number),
          shared_key(std::make_shared<std::string const>(std::move(name))),
          key(*shared_key),
          options(std::move(given)),
          tags(options.tags.begin(), options.tags.end()),
          tools(id, key, options),
          state(at_rest()),
          announced(state),
          restarts(options.restart),
          restart_timer(executor),
          probe_timer(executor),
          refresh_timer(executor)
    {
        restart_timer.run_in_background();
        probe_timer.run_in_background();
        refresh_timer.run_in_background();
    }

    server_entry(server_entry const&) = delete;
    server_entry& operator=(server_entry const&) = delete;

    server_id const id;                                  // never reused
    std::shared_ptr<std::string const> const shared_key; // name in the configuration; shared with results
    std::string const& key;                              // refers to `shared_key`
    server_options options;                              // only enable() and disable() change `enabled`
    std::vector<std::string_view> tags;                  // views of `options.tags`
    std::shared_ptr<session_core> session;               // set by make_server(), never replaced
    // Copy of the state for other threads; never replaced.
    std::shared_ptr<published_server> published = std::make_shared<published_server>();

    tool_registry tools;                       // of the server; the last list and the requests of lists
    server_state state;                        // changed by connector_core only
    server_state announced;                    // state in the last publish(): a change is reported to the observer
    server_state after = server_state::closed; // state at the end of the shutdown; set by end(), drain() and enable()
    bool removed = false;                      // set by connector_core::forget(), never cleared
    bool draining = false; // set by drain(), cleared when the shutdown of the session begins or the server is closed
    bool starting = false; // true inside connector_core::start()
    bool probing = false;  // true while a probe is outstanding
    bool tried = false;    // true while a call uses the server as the last resort, with an open breaker
    bool settled = false;  // cleared by start(), set by finish_opening(); true: `report` is complete
    server_report report;  // of the last opening; reset by start(), its error is replaced by the end of the server
    time_point began{};    // start of the last opening
    std::vector<std::function<void(server_report const&)>> awaiting; // added by await(), posted by finish_opening()
    std::vector<std::function<void(error_code)>> awaiting_end; // added by end() and drain(), posted by finish_end()

    // Numbers of the outstanding operations that opened the server or wait for its opening. If all of them are
    // cancelled, the server is closed. Added by await() and open(), erased by release(), cleared by clear_operations().
    std::vector<std::uint64_t> opening_operations;

    // Set when an operation in `opening_operations` completes or a call uses the server, so that cancellations leave it
    // open; cleared by clear_operations(), and by await() if the server is not started.
    bool kept = false;

    restart_schedule restarts; // updated by each opening and loss; reset when an operation or a call starts the server
    time_point restart_at{};   // due time of `restart_timer` in the state `waiting`
    time_point probe_at{};     // due time of `probe_timer`; set by arm_probe()
    timer restart_timer;       // waits for the restart; while draining, for `drain_timeout`
    timer probe_timer;         // runs in the state `ready`, unless a probe is outstanding
    timer refresh_timer;       // waits before the next `tools/list` request after a notification
    std::uint64_t round = 0;   // incremented by each start, loss and end; handlers of earlier rounds are discarded

    std::shared_ptr<tool_checks> checks; // set by make_server(); null: calls are not validated

    std::optional<time_point> throttled_until; // set by a response with `Retry-After`; overwritten by the next one
    std::optional<duration> latency;           // exponential average with weight 1/8; empty before the first response
    error_code last_failure;                   // of an attempt, a probe, an opening or a list; never cleared

    // Returns whether the server is not connected, is not being opened, and is not started by a call.
    bool is_down() const noexcept
    {
        return state != server_state::ready && state != server_state::opening && state != server_state::idle;
    }

    // Returns the state of a server that is not started: `disabled`, `idle` or `closed`.
    server_state at_rest() const noexcept
    {
        if (!options.enabled)
            return server_state::disabled;
        return options.start == start_mode::manual ? server_state::closed : server_state::idle;
    }

    // Returns whether an operation or a call still uses the server, so that it is started again after a shutdown.
    bool is_needed() const noexcept { return kept || !opening_operations.empty(); }

    // Return text for human readers, with the server's secrets redacted.
    std::string clean(std::string_view text) const { return options.secrets(text); }
    std::string diagnostics() const { return clean(session->diagnostics()); }

    // Returns a text about the next start of a disconnected server, for the end of a message. Empty: the next call that
    // needs the server starts it.
    std::string restart_text(time_point now) const
    {
        constexpr std::string_view by_hand = "async_connect or async_open starts the server";
        auto const seconds = [](duration span) {
            return std::to_string(std::chrono::ceil<std::chrono::seconds>(span).count()) + " s";
        };
        switch (state) {
        case server_state::waiting:
            return std::string(restarts.is_slow() ? "restarted slowly after " +
                                                        std::to_string(options.restart.max_restarts) + " restarts, "
                                                  : "") +
                   "next start in " + seconds(std::max(restart_at - now, duration::zero())) +
                   "; async_connect starts the server immediately";
        case server_state::failed:
            return "no further restart after " + std::to_string(options.restart.max_restarts) + " restarts; " +
                   std::string(by_hand);
        case server_state::closed: return "closed; " + std::string(by_hand);
        case server_state::disabled: return "disabled; async_enable starts the server";
        default: return {};
        }
    }

    // Discards all waiting handlers without invoking them: the execution context is being destroyed.
    void drop_waiting() noexcept
    {
        auto const openers = std::move(awaiting);
        auto const enders = std::move(awaiting_end);
        auto const requesters = tools.take_requesters();
        awaiting.clear();
        awaiting_end.clear();
    }

    std::size_t calls_in_flight() const { return session->state() == session_state::closed ? 0 : session->in_flight(); }

    // Returns whether the server can execute a call immediately, or can be started by a call.
    bool is_available(time_point now) const
    {
        if (removed || (throttled_until && *throttled_until > now))
            return false;
        if (state == server_state::idle)
            return true;
        return state == server_state::ready && session->state() == session_state::ready &&
               session->in_flight() < options.session.max_in_flight + options.session.max_queued;
    }

    // Returns whether a call can wait for the server: it is being opened, can be started by the call, or is restarted
    // within `restart_options::patience`.
    bool is_starting_soon(time_point now) const
    {
        if (removed || (throttled_until && *throttled_until > now))
            return false;
        return state == server_state::idle || state == server_state::opening ||
               (state == server_state::waiting && restart_at - now <= options.restart.patience);
    }
};

} // namespace linkspan::detail

#endif
