#ifndef LINKSPAN_IMPL_CONNECTOR_CORE_IPP
#define LINKSPAN_IMPL_CONNECTOR_CORE_IPP

#include <linkspan/detail/connector_core.hpp>
#include <linkspan/detail/logical_call.hpp>
#include <linkspan/detail/session_ops.hpp>
#include <linkspan/json_scan.hpp>
#include <linkspan/nearest_names.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <ranges>
#include <utility>

namespace linkspan::detail {

// A server that logs to its stdout does so with each call.
inline constexpr std::uint64_t most_noise_events = 5;

// Opens all servers at once; the last one to be ready, or not, completes the whole.
struct connector_core::opening {
    opening(asio::any_io_executor on, time_point now) : executor(std::move(on)), began(now) {}

    asio::any_io_executor executor;
    std::vector<pending_handler<void(error_code, open_report)>> waiting;
    time_point began;
    open_report report;
    std::size_t left = 1; // one for the loop that starts them

    void finish_one()
    {
        if (--left != 0)
            return;
        bool const closed = std::ranges::any_of(
            report.servers, [](auto const& line) { return line.ec == asio::error::operation_aborted; });
        bool const none = !report.servers.empty() && report.failures() == report.servers.size();
        error_code ec;
        if (closed)
            ec = asio::error::operation_aborted;
        else if (none)
            ec = error::connection_failed;
        // A handler may throw, so the others have turns of their own.
        auto last = std::move(waiting.back());
        waiting.pop_back();
        for (auto& done : std::exchange(waiting, {}))
            asio::post(executor, [done = std::move(done), ec, report = report]() mutable {
                done.complete(ec, std::move(report));
            });
        last.complete(ec, std::move(report));
    }
};

LINKSPAN_DECL connector_core::connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies)
    : executor_(std::move(executor)), time_(time_source::of(executor_)), policies_(std::move(policies))
{}

LINKSPAN_DECL connector_core::~connector_core() = default;

// Servers

LINKSPAN_DECL void connector_core::add(std::string key, std::string_view kind, transport_factory transport,
                                       server_options options)
{
    auto& server = servers_.emplace_back();
    server.id = static_cast<server_id>(servers_.size() - 1);
    server.key = std::move(key);
    server.options = std::move(options);
    server.tags.assign(server.options.tags.begin(), server.options.tags.end());
    server.session = std::make_shared<session_core>(executor_, std::move(transport), server.options.session);
    auto const self = weak_from_this();
    server.session->on_lost = [self, &server](error_code ec) {
        if (auto const alive = self.lock())
            alive->on_lost(server, ec);
    };
    server.session->on_noise = [self, &server](std::string_view text) {
        if (auto const alive = self.lock())
            alive->on_noise(server, text);
    };
    server.session->notification_handlers["notifications/tools/list_changed"] = [self, &server](std::string_view) {
        if (auto const alive = self.lock())
            alive->refresh(server, [] {});
    };
    server.published->key = server.key;
    server.published->transport = kind;
    server.published->priority = server.options.priority;
    policies_->added(view_of(server, time_.now()), server.options.settings);
    std::lock_guard const lock(mutex_);
    shared_servers_.push_back(server.published);
}

LINKSPAN_DECL server_entry* connector_core::find(std::string_view key) noexcept
{
    auto const found = std::ranges::find(servers_, key, &server_entry::key);
    return found == servers_.end() ? nullptr : &*found;
}

LINKSPAN_DECL std::vector<std::string> connector_core::nearest_servers(std::string_view key) const
{
    return nearest_names(key, servers_ | std::views::transform(&server_entry::key), 3);
}

// Opening

LINKSPAN_DECL void connector_core::open(pending_handler<void(error_code, open_report)> done)
{
    auto all = opening_.lock();
    if (all && all->left != 0) {
        ++all->left;
    } else {
        all = std::make_shared<opening>(executor_, time_.now());
        opening_ = all;
        closed_ = false;
    }
    all->waiting.push_back(std::move(done));
    for (auto& server : servers_) {
        auto const state = server.session->state();
        bool const has_line = std::ranges::count(all->report.servers, server.key, &server_report::server) != 0;
        if (has_line || (state != session_state::idle && state != session_state::closed))
            continue;
        ++all->left;
        all->report.servers.emplace_back().server = server.key;
        open_server(server, all, all->report.servers.size() - 1);
    }
    asio::post(executor_, [all] { all->finish_one(); });
}

LINKSPAN_DECL void connector_core::open_server(server_entry& server, std::shared_ptr<opening> const& all,
                                               std::size_t line)
{
    auto on_done = [self = shared_from_this(), &server, all, line](error_code ec) {
        self->on_open(server, ec, all, line);
    };
    server.session->open({std::move(on_done), executor_});
    publish(server, {}, {});
}

LINKSPAN_DECL void connector_core::on_open(server_entry& server, error_code ec, std::shared_ptr<opening> const& all,
                                           std::size_t line)
{
    auto& report = all->report.servers[line];
    auto& session = *server.session;
    bool const has_tools = !json_scan::member(session.server().capabilities, "tools").empty();
    bool const lost_tools = !ec && !has_tools && !std::exchange(server.tools, {}).empty();
    report.ec = ec;
    report.detail = session.diagnostics();
    report.spoken = ec ? std::nullopt : session.spoken();
    report.elapsed = time_.now() - all->began;
    publish(server, ec, session.diagnostics());
    if (lost_tools)
        publish_catalog();
    if (ec || !has_tools)
        return all->finish_one();
    server.refreshing = true;
    list(server, [self = shared_from_this(), &server, all, line](error_code failure, std::size_t dropped) {
        server.refreshing = false;
        if (!server.awaiting_refresh.empty())
            self->start_refresh(server);
        auto& listed = all->report.servers[line];
        listed.ec = failure;
        listed.tools = server.tools.size();
        listed.elapsed = self->time_.now() - all->began;
        if (failure)
            listed.detail = "tools/list failed: " + failure.message();
        else if (dropped != 0)
            listed.detail = std::to_string(dropped) + " tools without a name were dropped";
        all->finish_one();
    });
}

LINKSPAN_DECL void connector_core::list(server_entry& server, std::function<void(error_code, std::size_t)> done)
{
    auto on_tools = [self = shared_from_this(), &server, done = std::move(done)](error_code ec, tool_list list) {
        if (!ec) {
            server.tools = std::move(list.tools);
            self->publish_catalog();
        }
        self->publish(server, ec, ec ? ec.message() : std::string());
        done(ec, list.dropped);
    };
    list_request::start(server.session, {std::move(on_tools), executor_});
}

// Tools

LINKSPAN_DECL void connector_core::refresh(server_entry& server, std::function<void()> done)
{
    if (server.session->state() != session_state::ready) {
        asio::post(executor_, std::move(done));
        return;
    }
    server.awaiting_refresh.push_back(std::move(done));
    if (!server.refreshing) // else the list that is out may be older than the reason to ask
        start_refresh(server);
}

LINKSPAN_DECL void connector_core::start_refresh(server_entry& server)
{
    server.refreshing = true;
    list(server, [this, &server, waiting = std::exchange(server.awaiting_refresh, {})](error_code, std::size_t) {
        server.refreshing = false;
        if (!server.awaiting_refresh.empty())
            start_refresh(server);
        for (auto const& done : waiting)
            done();
    });
}

LINKSPAN_DECL void connector_core::refresh_all(std::function<void()> done)
{
    auto const left = std::make_shared<std::size_t>(servers_.size());
    if (servers_.empty())
        asio::post(executor_, std::move(done));
    for (auto& server : servers_)
        refresh(server, [left, done] {
            if (--*left == 0)
                done();
        });
}

LINKSPAN_DECL void connector_core::publish_catalog()
{
    std::vector<catalog_entry> entries;
    for (auto const& server : servers_)
        for (auto const& tool : server.tools) {
            auto& entry = entries.emplace_back();
            entry.server = server.id;
            entry.server_key = server.key;
            entry.exposed = policies_->expose(server.key, tool.name);
            entry.tool = tool;
            server.classify(entry);
        }
    catalog_ = std::make_shared<catalog const>(std::move(entries));
    {
        std::lock_guard const lock(mutex_);
        shared_catalog_ = catalog_;
    }
    event({}, "catalog_changed", {});
    for (auto const& name : catalog_->collisions())
        event({}, "name_collision", name);
}

// Closing

LINKSPAN_DECL void connector_core::shutdown(pending_handler<void(error_code)> done)
{
    struct stopping {
        explicit stopping(pending_handler<void(error_code)> handler) : done(std::move(handler)) {}

        pending_handler<void(error_code)> done;
        std::size_t left = 1;
        error_code ec;
    };
    auto const all = std::make_shared<stopping>(std::move(done));
    auto const finish_one = [self = shared_from_this(), all](error_code ec) {
        if (ec && !all->ec)
            all->ec = ec;
        if (--all->left != 0)
            return;
        self->close();
        all->done.complete(all->ec);
    };
    for (auto& server : servers_) {
        ++all->left;
        server.session->shutdown({finish_one, executor_});
        publish(server, {}, {});
    }
    asio::post(executor_, [finish_one] { finish_one({}); });
}

LINKSPAN_DECL void connector_core::close() noexcept
{
    closed_ = true;
    opening_.reset();
    while (!paused_calls.empty())
        paused_calls.back()->abort();
    for (auto& server : servers_) {
        server.awaiting_refresh.clear();
        server.session->close();
        if (server.published->state != session_state::closed)
            publish(server, {}, {});
    }
}

LINKSPAN_DECL void connector_core::on_lost(server_entry& server, error_code ec)
{
    publish(server, ec, server.session->diagnostics());
}

LINKSPAN_DECL void connector_core::on_noise(server_entry& server, std::string_view text)
{
    auto const count = server.session->counters().noise;
    server.published->noise.store(count, std::memory_order_relaxed);
    if (count <= most_noise_events)
        event(server.key, "noise", text);
}

// What others see

LINKSPAN_DECL std::shared_ptr<catalog const> connector_core::tools() const
{
    std::lock_guard const lock(mutex_);
    return shared_catalog_;
}

LINKSPAN_DECL std::vector<server_status> connector_core::state() const
{
    std::unique_lock lock(mutex_);
    auto const servers = shared_servers_;
    lock.unlock();
    std::vector<server_status> all;
    for (auto const& server : servers)
        all.push_back(server->read());
    return all;
}

LINKSPAN_DECL void connector_core::publish(server_entry& server, error_code ec, std::string_view detail)
{
    auto& out = *server.published;
    auto const state = server.session->state();
    auto const spoken = server.session->spoken();
    out.state = state;
    out.spoken = spoken ? static_cast<int>(*spoken) : -1;
    out.tools = server.tools.size();
    out.in_flight = server.session->in_flight();
    if (ec) {
        std::lock_guard const lock(out.text);
        out.last_error = ec.message();
        if (!detail.empty() && detail != out.last_error)
            (out.last_error += ": ") += detail;
    }
    auto const view = view_of(server, time_.now());
    policies_->on_state({view, to_string(state), ec, detail});
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

LINKSPAN_DECL void connector_core::view(std::span<std::uint32_t const> entries, catalog const& from, time_point now,
                                        std::vector<flow_server>& out)
{
    out.clear();
    for (auto const index : entries) {
        auto const& entry = from.tools()[index];
        auto& one = server(entry.server);
        auto& added = out.emplace_back(view_of(one, now), one.is_available(now));
        added.view.meet = entry.replay;
        added.stays = entry.replay_stays;
    }
}

LINKSPAN_DECL void connector_core::record(server_entry& server, outcome const& result, time_point now)
{
    constexpr auto order = std::memory_order_relaxed;
    auto& out = *server.published;
    out.calls.store(out.calls.load(order) + 1, order);
    if (result.ec)
        out.failures.store(out.failures.load(order) + 1, order);
    out.in_flight.store(server.session->in_flight(), order);
    if (result.answered)
        server.latency = server.latency ? *server.latency + (result.elapsed - *server.latency) / 8 : result.elapsed;
    if (result.retry_after)
        server.throttled_until = now + *result.retry_after;
    policies_->on_result(server.id, result, now);
    out.health.store(policies_->health(server.id, now), order);
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
