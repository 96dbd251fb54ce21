#ifndef LINKSPAN_DETAIL_SERVER_ENTRY_HPP
#define LINKSPAN_DETAIL_SERVER_ENTRY_HPP

#include <linkspan/connector_state.hpp>
#include <linkspan/detail/session_core.hpp>
#include <linkspan/server_options.hpp>
#include <linkspan/tool.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::detail {

// What other threads may read of a server. One writer, the connector's executor.
struct published_server {
    std::string key;
    std::string transport;
    int priority = 0;
    std::atomic<session_state> state{session_state::idle};
    std::atomic<health_state> health{health_state::unknown};
    std::atomic<int> spoken{-1};
    std::atomic<std::size_t> tools{0};
    std::atomic<std::size_t> in_flight{0};
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> failures{0};
    mutable std::mutex text;
    std::string last_error; // guarded by `text`

    server_status read() const
    {
        constexpr auto order = std::memory_order_relaxed;
        server_status now;
        now.server = key;
        now.transport = transport;
        now.priority = priority;
        now.state = state.load(order);
        now.health = health.load(order);
        if (auto const id = spoken.load(order); id >= 0)
            now.spoken = static_cast<revision>(id);
        now.tools = tools.load(order);
        now.in_flight = in_flight.load(order);
        now.calls = calls.load(order);
        now.failures = failures.load(order);
        std::lock_guard const lock(text);
        now.last_error = last_error;
        return now;
    }
};

// A server of a connector. Its address is stable.
struct server_entry {
    server_id id{};
    std::string key;
    server_options options;
    std::vector<std::string_view> tags; // of `options`
    std::shared_ptr<session_core> session;
    std::vector<tool_definition> tools;
    std::shared_ptr<published_server> published = std::make_shared<published_server>();
    std::optional<time_point> throttled_until;
    std::optional<duration> latency; // smoothed
    bool refreshing = false;
    std::vector<std::function<void()>> awaiting_refresh;

    replay_class replay_of(tool_definition const& tool) const
    {
        if (auto const found = options.tools.find(tool.name); found != options.tools.end() && found->second.replay)
            return *found->second.replay;
        if (!options.trust_annotations)
            return replay_class::never;
        return tool.annotations.read_only    ? replay_class::read_only
               : tool.annotations.idempotent ? replay_class::idempotent
                                             : replay_class::never;
    }

    bool is_available(time_point now) const
    {
        return session->state() == session_state::ready &&
               session->in_flight() < options.session.max_in_flight + options.session.max_queued &&
               (!throttled_until || *throttled_until <= now);
    }
};

} // namespace linkspan::detail

#endif
