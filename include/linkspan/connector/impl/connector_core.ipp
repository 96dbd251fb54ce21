#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/core/nearest_names.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <ranges>
#include <utility>

namespace linkspan::detail {

// A server that logs to its stdout does so with each call.
inline constexpr std::uint64_t most_noise_events = 5;

LINKSPAN_DECL connector_core::connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies)
    : executor_(std::move(executor)), time_(time_source::of(executor_)), policies_(std::move(policies))
{}

LINKSPAN_DECL connector_core::~connector_core() = default;

// The set of servers

LINKSPAN_DECL void connector_core::add(std::string key, std::string_view kind, transport_factory transport,
                                       server_options options)
{
    serial_scope const here(*this, &connector_core::serial);
    auto server = make_server(std::move(key), kind, std::move(transport), std::move(options));
    by_key_.emplace(server->key, server);
    order_.push_back(std::move(server));
    publish_servers();
}

// Nobody sees it yet but its policies.
LINKSPAN_DECL connector_core::server_pointer
connector_core::make_server(std::string key, std::string_view kind, transport_factory transport, server_options options)
{
    auto const id = server_id{static_cast<std::uint32_t>(by_id_.size())};
    secrets->add(options.secrets);
    auto server = std::make_shared<server_entry>(id, std::move(key), std::move(options), executor_);
    server->session = std::make_shared<session_core>(executor_, std::move(transport), server->options.session);
    auto& session = *server->session;
    // The core has the session, so the session must not keep the core.
    auto const with_server = [self = weak_from_this(), id](auto function) {
        if (auto const alive = self.lock())
            if (auto const found = alive->server(id))
                function(*alive, found);
    };
    session.on_lost = [with_server](error_code ec) {
        with_server(
            [ec](connector_core& core, server_pointer const& lost) { core.on_down(lost, ec, lost->diagnostics()); });
    };
    session.on_noise = [with_server](std::string_view text) {
        with_server([text](connector_core& core, server_pointer const& noisy) { core.on_noise(*noisy, text); });
    };
    session.notification_handlers["notifications/tools/list_changed"] = [with_server](std::string_view) {
        with_server([](connector_core& core, server_pointer const& changed) { core.on_announced(changed); });
    };
    for (auto const& prepare : preparations_)
        prepare(session, server->key);
    call_validation const checked{server->options.validate_arguments.value_or(validation.arguments),
                                  server->options.validate_results.value_or(validation.results)};
    if (checked.arguments || checked.results)
        server->checks = std::make_shared<tool_checks>(checked);
    auto& out = *server->published;
    out.key = server->key;
    out.transport = kind;
    out.priority = server->options.priority;
    out.state = server->state;
    by_id_.push_back(server);
    policies_->added(view_of(*server, time_.now()), server->options.settings);
    return server;
}

LINKSPAN_DECL void connector_core::prepare_sessions(preparation prepare)
{
    for (auto const& server : order_)
        prepare(*server->session, server->key);
    preparations_.push_back(std::move(prepare));
}

LINKSPAN_DECL void connector_core::forget(server_pointer const& server)
{
    server->removed = true;
    policies_->removed(server->id);
    by_id_[static_cast<std::size_t>(server->id)].reset();
    leaving_.push_back(server);
}

LINKSPAN_DECL connector_core::server_pointer connector_core::find(std::string_view key) const
{
    auto const found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

LINKSPAN_DECL std::vector<std::string> connector_core::nearest_servers(std::string_view key) const
{
    return nearest_names(key, by_key_ | std::views::keys, 3);
}

LINKSPAN_DECL std::vector<std::string> connector_core::names_of_servers() const
{
    std::vector<std::string> out;
    for (auto const& server : order_)
        out.push_back(server->key);
    return out;
}

LINKSPAN_DECL void connector_core::on_noise(server_entry& server, std::string_view text)
{
    auto const count = server.session->counters().noise;
    server.published->noise.store(count, std::memory_order_relaxed);
    if (count <= most_noise_events)
        event(server.key, "noise", server.clean(text));
}

// What others see

LINKSPAN_DECL std::shared_ptr<catalog const> connector_core::tools() const
{
    std::lock_guard const lock(mutex_);
    return shared_catalog_;
}

LINKSPAN_DECL connector_state connector_core::state() const
{
    std::unique_lock lock(mutex_);
    auto const servers = shared_servers_;
    lock.unlock();
    auto const at = time_.now();
    connector_state now;
    wall_time::duration::rep last_discovery = published_server::none;
    for (auto const& server : servers) {
        now.total_tools += now.servers.emplace_back(server->read(at)).tools;
        last_discovery = std::max(last_discovery, server->last_discovery.load(std::memory_order_relaxed));
    }
    if (last_discovery != published_server::none)
        now.last_discovery = wall_time(wall_time::duration(last_discovery));
    return now;
}

LINKSPAN_DECL void connector_core::publish_servers()
{
    std::vector<std::shared_ptr<published_server>> all;
    for (auto const& server : order_)
        all.push_back(server->published);
    {
        std::lock_guard const lock(mutex_);
        shared_servers_ = std::move(all);
    }
    if (!catalog_->tools().empty()) // what they are called depends on how many servers there are
        tools_changed();
}

LINKSPAN_DECL void connector_core::publish(server_entry& server, error_code ec, std::string_view detail)
{
    auto& out = *server.published;
    auto const spoken = server.session->spoken();
    auto const view = view_of(server, time_.now());
    bool const is_up = server.state == server_state::ready;
    if (is_up != (out.up_since.load(std::memory_order_relaxed) != published_server::none))
        out.up_since = is_up ? time_.now().time_since_epoch().count() : published_server::none;
    bool const is_alive = is_up || server.state == server_state::opening || server.state == server_state::closing;
    out.pid = is_alive ? server.session->pid().value_or(0) : 0;
    out.state = server.state;
    out.health = view.health;
    out.spoken = spoken ? static_cast<int>(*spoken) : -1;
    out.tools = server.tools.size();
    out.in_flight = server.calls_in_flight();
    bool const waits = server.state == server_state::waiting;
    out.retry_at = waits ? wall_count(time_, server.restart_at) : published_server::none;
    if (ec) {
        server.last_failure = ec;
        std::lock_guard const lock(out.text);
        out.last_error = ec.message();
        if (!detail.empty() && detail != out.last_error)
            (out.last_error += ": ") += detail;
        if (server.state == server_state::failed || (waits && server.restarts.is_slow()))
            (out.last_error += "; ") += server.revival(time_.now());
    }
    bool const is_news = server.announced != server.state || ec.failed();
    server.announced = server.state;
    if (is_news) // each list of tools publishes too
        policies_->on_state({view, to_string(server.state), ec, detail, time_.now()});
}

LINKSPAN_DECL void connector_core::event(std::string_view server, std::string_view what, std::string_view detail)
{
    if (policies_->observes_events())
        policies_->on_event({server, what, detail});
}

// For calls

LINKSPAN_DECL server_view connector_core::view_of(server_entry& server, time_point now)
{
    server_view view;
    view.id = server.id;
    view.key = server.key;
    view.tags = server.tags;
    view.priority = server.options.priority;
    view.health = policies_->health(server.id, now);
    view.in_flight = static_cast<std::uint32_t>(server.session->in_flight());
    view.limit = static_cast<std::uint32_t>(server.options.session.max_in_flight);
    view.latency = server.latency;
    view.throttled_until = server.throttled_until;
    return view;
}

LINKSPAN_DECL void connector_core::view(std::span<call_candidate const> candidates, server_entry* held, time_point now,
                                        std::vector<flow_server>& out)
{
    out.clear();
    for (auto const& candidate : candidates) {
        auto* one = server(candidate.server).get();
        if (!one && held && held->id == candidate.server)
            one = held;
        if (!one)
            continue;
        auto& added = out.emplace_back();
        added.view = view_of(*one, now);
        added.view.meet = candidate.replay;
        added.stays = candidate.replay_stays;
        added.available = !candidate.unfit && one->is_available(now);
        added.coming = !candidate.unfit && one->is_coming(now);
        if (added.view.health == health_state::tripped) {
            added.last_resort = !one->tried && (added.available || added.coming);
            added.available = added.coming = false;
        }
    }
}

LINKSPAN_DECL void connector_core::record(server_entry& server, outcome const& result, time_point now)
{
    constexpr auto order = std::memory_order_relaxed;
    auto& out = *server.published;
    out.calls.store(out.calls.load(order) + 1, order);
    if (result.ec) {
        out.failures.store(out.failures.load(order) + 1, order);
        if (result.ec != asio::error::operation_aborted)
            server.last_failure = result.ec;
    }
    out.in_flight.store(server.calls_in_flight(), order);
    if (result.answered) {
        server.latency = server.latency ? *server.latency + (result.elapsed - *server.latency) / 8 : result.elapsed;
        out.latency.store(server.latency->count(), order);
    }
    if (result.retry_after)
        server.throttled_until = now + *result.retry_after;
    policies_->on_result(server.id, result, now);
    bool const is_judged_anew =
        policies_->health(server.id, now) != out.health.load(order) || result.how == certainty::not_sent;
    if (is_judged_anew && !server.removed)
        on_judged(this->server(server.id));
}

LINKSPAN_DECL logical_call& connector_core::take_call()
{
    if (free_calls_.empty()) {
        free_calls_.reserve(calls_.size() + 1);
        free_calls_.push_back(calls_.emplace_back(std::make_unique<logical_call>()).get());
    }
    auto& call = *free_calls_.back();
    free_calls_.pop_back();
    return call;
}

LINKSPAN_DECL void connector_core::give_back(logical_call& call) noexcept
{
    auto const given = call.let_go(); // it goes when the call is free: its end may start another
    free_calls_.push_back(&call);
}

} // namespace linkspan::detail

#endif
