#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_ENTRY_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/published_server.hpp>
#include <linkspan/connector/restart_schedule.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/refresh_schedule.hpp>
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

namespace linkspan::detail {

class tool_checks;

// A time in the future as Unix time, at most a hundred years from now.
inline wall_time::duration::rep wall_count(time_source const& clock, time_point at) noexcept
{
    auto const span = std::min<duration>(at - clock.now(), std::chrono::years(100));
    return (clock.wall_now() + std::chrono::duration_cast<wall_time::duration>(span)).time_since_epoch().count();
}

// A server of a connector: kept by the connector, and by the calls that it has to answer.
struct server_entry {
    server_entry(server_id number, std::string name, server_options given, asio::any_io_executor const& executor)
        : id(number),
          key(std::move(name)),
          options(std::move(given)),
          tags(options.tags.begin(), options.tags.end()),
          shared_tags(options.tags.empty() ? nullptr : std::make_shared<std::vector<std::string> const>(options.tags)),
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

    server_id const id;
    std::string const key;
    server_options options;
    std::vector<std::string_view> tags;                          // of `options`
    std::shared_ptr<std::vector<std::string> const> shared_tags; // the same; null: none
    std::shared_ptr<session_core> session;
    std::shared_ptr<published_server> published = std::make_shared<published_server>();

    server_state state;
    server_state announced;                    // to the observer
    server_state after = server_state::closed; // what it will be when it has ended
    bool removed = false;
    bool draining = false; // it ends when the calls that it has are over
    bool starting = false; // within the function that starts it
    bool probing = false;
    bool tried = false;                                              // by a call, although its breaker is open
    bool settled = false;                                            // the last opening is over, and `report` complete
    server_report report;                                            // of the last opening
    time_point began{};                                              // of the last opening
    std::vector<std::function<void(server_report const&)>> awaiting; // the end of the next opening
    std::vector<std::function<void(error_code)>> awaiting_end;       // of the shutdown that is under way

    // Operations that had it opened, or wait for that, and have not completed: when all are cancelled, it is closed.
    // Cleared when it is ended.
    std::vector<std::uint64_t> opened_by;
    bool kept = false; // set when an opener has completed, or a call uses it: cancellations leave it open

    restart_schedule restarts;
    time_point restart_at{};
    time_point probe_at{}; // while the probe's timer runs
    timer restart_timer;
    timer probe_timer;
    refresh_schedule refreshes; // of this connection
    timer refresh_timer;
    std::uint64_t round = 0; // waits of the timers that belong to an earlier round are void

    std::vector<catalog_entry> tools;
    std::vector<catalog_entry> former_tools; // set when it is ended, cleared by the next list: names that it had
    std::vector<unusable_tool> unusable;     // it lists them too
    std::vector<pin_difference> broken_pins; // of the last list
    std::shared_ptr<tool_checks> checks;     // null: nothing is held against their schemas
    bool discovered = false;                 // it has told its tools
    time_point fresh_until = time_point::max();
    bool refreshing = false;
    error_code list_ec; // of the last list
    std::vector<std::function<void()>> awaiting_refresh;

    std::optional<time_point> throttled_until;
    std::optional<duration> latency; // smoothed
    error_code last_failure;         // of an attempt, a probe or an opening

    // The replay class of a tool here. What destroys the same thing twice on one server may destroy two on two: of such
    // a tool only the operator can say that it may go elsewhere.
    void classify(catalog_entry& entry) const
    {
        auto const& hints = entry.tool->annotations;
        auto const found = options.tools.find(entry.tool->name);
        if (found != options.tools.end())
            entry.group = found->second.group;
        if (found != options.tools.end() && found->second.replay) {
            entry.replay = *found->second.replay;
        } else if (options.trust_annotations && hints.read_only) {
            entry.replay = replay_class::read_only;
        } else if (options.trust_annotations && hints.idempotent) {
            entry.replay = replay_class::idempotent;
            entry.replay_stays = hints.destructive;
        }
    }

    // It has not told its tools, and this one may only be called as it was pinned.
    bool refuses_unseen(std::string_view tool) const
    {
        return !discovered && options.when_pins_break == pin_mode::refuse &&
               std::ranges::find(options.pins, tool, &tool_pin::tool) != options.pins.end();
    }

    // Neither connected nor about to be for a call.
    bool is_down() const noexcept
    {
        return state != server_state::ready && state != server_state::opening && state != server_state::idle;
    }

    // As long as nobody has needed it.
    server_state at_rest() const noexcept
    {
        if (!options.enabled)
            return server_state::disabled;
        return options.start == start_mode::manual ? server_state::closed : server_state::idle;
    }

    // It is to be started when it has ended.
    bool is_wanted() const noexcept { return kept || !opened_by.empty(); }

    // Without the server's secrets: for people.
    std::string clean(std::string_view text) const { return options.secrets(text); }
    std::string diagnostics() const { return clean(session->diagnostics()); }

    // How a server that is not connected comes back, as the end of a sentence; empty: by the next call that needs it.
    std::string revival(time_point now) const
    {
        constexpr std::string_view by_hand = "async_connect or async_open starts it";
        auto const seconds = [](duration span) {
            return std::to_string(std::chrono::ceil<std::chrono::seconds>(span).count()) + " s";
        };
        switch (state) {
        case server_state::waiting:
            return std::string(restarts.is_slow() ? "retried slowly after " +
                                                        std::to_string(options.restart.max_restarts) + " restarts, "
                                                  : "") +
                   "next start in " + seconds(std::max(restart_at - now, duration::zero())) +
                   "; async_connect starts it at once";
        case server_state::failed:
            return "given up after " + std::to_string(options.restart.max_restarts) + " restarts; " +
                   std::string(by_hand);
        case server_state::closed: return "closed; " + std::string(by_hand);
        case server_state::disabled: return "disabled; async_enable starts it";
        default: return {};
        }
    }

    // The context ends: nobody will be told.
    void drop_waiting() noexcept
    {
        auto const openers = std::move(awaiting);
        auto const enders = std::move(awaiting_end);
        auto const readers = std::move(awaiting_refresh);
        awaiting.clear();
        awaiting_end.clear();
        awaiting_refresh.clear();
    }

    std::size_t calls_in_flight() const { return session->state() == session_state::closed ? 0 : session->in_flight(); }

    // Could take a call now: it is connected, or nobody has needed it yet.
    bool is_available(time_point now) const
    {
        if (removed || (throttled_until && *throttled_until > now))
            return false;
        if (state == server_state::idle)
            return true;
        return state == server_state::ready && session->state() == session_state::ready &&
               session->in_flight() < options.session.max_in_flight + options.session.max_queued;
    }

    // Could take a call soon.
    bool is_coming(time_point now) const
    {
        if (removed || (throttled_until && *throttled_until > now))
            return false;
        return state == server_state::idle || state == server_state::opening ||
               (state == server_state::waiting && restart_at - now <= options.restart.patience);
    }
};

} // namespace linkspan::detail

#endif
