#ifndef LINKSPAN_DETAIL_SERVER_ENTRY_HPP
#define LINKSPAN_DETAIL_SERVER_ENTRY_HPP

#include <linkspan/catalog.hpp>
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
    std::atomic<std::uint64_t> noise{0};
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
        now.noise = noise.load(order);
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

    // The replay class of a tool here. What destroys the same thing twice on one server may destroy two on two: of such
    // a tool only the operator can say that it may go elsewhere.
    void classify(catalog_entry& entry) const
    {
        auto const& hints = entry.tool.annotations;
        if (auto const found = options.tools.find(entry.tool.name);
            found != options.tools.end() && found->second.replay) {
            entry.replay = *found->second.replay;
        } else if (options.trust_annotations && hints.read_only) {
            entry.replay = replay_class::read_only;
        } else if (options.trust_annotations && hints.idempotent) {
            entry.replay = replay_class::idempotent;
            entry.replay_stays = hints.destructive;
        }
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
