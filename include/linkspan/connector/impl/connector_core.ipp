#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of events about unexpected output of one server, which may log to its stdout with each call.
inline constexpr std::uint64_t max_unexpected_output_events = 5;

LINKSPAN_DECL connector_core::connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies)
    : executor_(std::move(executor)), time_(time_source::of(executor_)), policies_(std::move(policies))
{}

LINKSPAN_DECL connector_core::~connector_core() = default;

// Set of servers

LINKSPAN_DECL void connector_core::add(std::string key, std::string_view kind, transport_factory transport,
                                       server_options options)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const server = make_server(std::move(key), kind, std::move(transport), std::move(options));
    servers_.add(server);
    on_servers_changed();
}

// Creates a server and registers it with the set of servers, as a staged server, and with the policies.
LINKSPAN_DECL connector_core::server_pointer
connector_core::make_server(std::string key, std::string_view kind, transport_factory transport, server_options options)
{
    auto const id = servers_.next_id();
    secrets->add(options.secrets);
    auto server = std::make_shared<server_entry>(id, std::move(key), std::move(options), executor_);
    server->session = std::make_shared<session_core>(executor_, std::move(transport), server->options.session);
    auto& session = *server->session;
    // The pointer is weak, because the core owns the session.
    auto const with_server = [self = weak_from_this(), id](auto function) {
        if (auto const alive = self.lock())
            if (auto const found = alive->server(id))
                function(*alive, found);
    };
    session.on_lost = [with_server](error_code ec) {
        with_server(
            [ec](connector_core& core, server_pointer const& lost) { core.on_down(lost, ec, lost->diagnostics()); });
    };
    session.on_listed = [with_server](tool_list list) {
        with_server([&list](connector_core& core, server_pointer const& listed) {
            core.on_listed_by_session(*listed, std::move(list));
        });
    };
    session.on_unexpected_output = [with_server](std::string_view text) {
        with_server(
            [text](connector_core& core, server_pointer const& noisy) { core.on_unexpected_output(*noisy, text); });
    };
    session.handle_notification("notifications/tools/list_changed", [with_server](std::string_view) {
        with_server([](connector_core& core, server_pointer const& changed) { core.on_announced(changed); });
    });
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
    servers_.register_server(server);
    policies_->added(view_of(*server, time_.now()), server->options.settings);
    return server;
}

LINKSPAN_DECL void connector_core::prepare_sessions(preparation prepare)
{
    for (auto const& server : servers_.order())
        prepare(*server->session, server->key);
    preparations_.push_back(std::move(prepare));
}

LINKSPAN_DECL void connector_core::on_removed(server_entry& server)
{
    server.removed = true;
    policies_->removed(server.id);
}

LINKSPAN_DECL void connector_core::on_unexpected_output(server_entry& server, std::string_view text)
{
    auto const count = server.session->counters().unexpected_output;
    server.published->unexpected_output.store(count, std::memory_order_relaxed);
    if (count <= max_unexpected_output_events)
        event(server.key, "unexpected_output", server.clean(text));
}

// Snapshots

LINKSPAN_DECL connector_state connector_core::state() const
{
    auto const at = time_.now();
    connector_state now;
    wall_time::duration::rep last_discovery = published_server::none;
    for (auto const& server : servers_.published()) {
        now.total_tools += now.servers.emplace_back(server->read(at)).tools;
        last_discovery = std::max(last_discovery, server->last_discovery.load(std::memory_order_relaxed));
    }
    if (last_discovery != published_server::none)
        now.last_discovery = wall_time(wall_time::duration(last_discovery));
    return now;
}

LINKSPAN_DECL void connector_core::on_servers_changed()
{
    // The displayed names depend on the number of servers.
    if (!catalog_now()->tools().empty())
        tools_changed();
}

LINKSPAN_DECL void connector_core::publish(server_entry& server, error_code ec, std::string_view detail)
{
    auto& out = *server.published;
    auto const version = server.session->version();
    auto const view = view_of(server, time_.now());
    bool const is_up = server.state == server_state::ready;
    if (is_up != (out.up_since.load(std::memory_order_relaxed) != published_server::none))
        out.up_since = is_up ? time_.now().time_since_epoch().count() : published_server::none;
    bool const is_alive = is_up || server.state == server_state::opening || server.state == server_state::closing;
    out.pid = is_alive ? server.session->pid().value_or(0) : 0;
    out.state = server.state;
    out.health = view.health;
    out.version = version ? static_cast<int>(*version) : -1;
    out.tools = server.tools.tools().size();
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
            (out.last_error += "; ") += server.restart_text(time_.now());
    }
    bool const is_change = server.announced != server.state || ec.failed();
    server.announced = server.state;
    // The function is called after each `tools/list` response, mostly without a change of the state.
    if (is_change)
        policies_->on_state({view, to_string(server.state), ec, detail, time_.now()});
}

LINKSPAN_DECL void connector_core::event(std::string_view server, std::string_view what, std::string_view detail)
{
    if (policies_->observes_events())
        policies_->on_event({server, what, detail});
}

// Functions for calls

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
        added.view.replay = candidate.replay;
        added.stays = candidate.replay_on_same_server;
        added.available = !candidate.is_excluded && one->is_available(now);
        added.starting_soon = !candidate.is_excluded && one->is_starting_soon(now);
        if (added.view.health == health_state::tripped) {
            added.last_resort = !one->tried && (added.available || added.starting_soon);
            added.available = added.starting_soon = false;
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
    if (result.has_response) {
        server.latency = server.latency ? *server.latency + (result.elapsed - *server.latency) / 8 : result.elapsed;
        out.latency.store(server.latency->count(), order);
    }
    if (result.retry_after)
        server.throttled_until = now + *result.retry_after;
    policies_->on_result(server.id, result, now);
    bool const has_new_health =
        policies_->health(server.id, now) != out.health.load(order) || result.certainty == certainty::not_sent;
    if (has_new_health && !server.removed)
        on_health_changed(this->server(server.id));
}

// Returns the report of an opening whose operation was cancelled.
inline server_report aborted_report(std::string_view key)
{
    server_report out;
    out.server = key;
    out.ec = asio::error::operation_aborted;
    return out;
}

// Forgets the operations that opened the server: their cancellation does not affect the server any more.
inline void clear_operations(server_entry& server) noexcept
{
    server.opening_operations.clear();
    server.kept = false;
}

// State of an `async_open`, shared by the handlers of its servers. The server whose opening ends last completes the
// operation.
struct connector_core::opening {
    opening(std::shared_ptr<connector_core> core, pending_handler<void(error_code, open_report)> handler)
        : owner(std::move(core)),
          times_closed(owner->times_closed),
          operation(owner->next_operation()),
          done(make_cancellable(std::move(handler), owner->executor_))
    {}

    std::shared_ptr<connector_core> owner; // set by the constructor
    std::uint32_t times_closed;            // value of `owner` at the start; another value later: closed meanwhile
    std::uint64_t operation;               // number of the operation, for release()
    std::shared_ptr<cancellable_completion<void(error_code, open_report)>> done; // set by the constructor
    open_report report;           // one line per server, set at the end of its opening; moved out at the end
    bool misses_required = false; // set when a server with `server_options::required` fails to open
    std::size_t left = 1;         // openings in progress, plus one for the loop that starts them

    void finish_one()
    {
        if (--left != 0)
            return;
        owner->release(operation, false);
        owner->publish_changes();
        bool const none = !report.servers.empty() && report.failures() == report.servers.size();
        error_code ec;
        if (owner->times_closed != times_closed)
            ec = asio::error::operation_aborted;
        else if (none || misses_required)
            ec = error::connection_failed;
        done->complete(ec, std::move(report));
    }

    // Returns a copy of the report, because servers that continue to open still write to the original.
    std::tuple<open_report> cancel()
    {
        owner->release(operation, true);
        auto out = report;
        for (auto& line : out.servers) {
            auto const server = owner->find(line.server);
            bool const is_ready = line.phase == open_phase::done && server && server->state == server_state::ready;
            if (!line.ec && !is_ready)
                line.ec = asio::error::operation_aborted;
        }
        return out;
    }
};

LINKSPAN_DECL void connector_core::open(pending_handler<void(error_code, open_report)> done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const all = std::make_shared<opening>(shared_from_this(), std::move(done));
    all->done->on_cancel(terminal_or_partial, [weak = std::weak_ptr(all)] { return weak.lock()->cancel(); });
    closed_ = false;
    ++times_opened;
    for (auto const& server : servers_.order()) {
        bool const is_lazy = server->options.start == start_mode::lazy;
        if (server->state == server_state::closed && is_lazy) {
            server->state = server_state::idle;
            publish(*server, {}, {});
        }
        if (server->state == server_state::ready)
            // The server must stay open if another operation that opened it is cancelled.
            server->opening_operations.push_back(all->operation);
        if (server->state == server_state::disabled || server->state == server_state::ready ||
            (server->state == server_state::idle && is_lazy))
            continue;
        ++all->left;
        auto const line = all->report.servers.size();
        all->report.servers.emplace_back().server = server->key;
        await(
            server,
            [all, line, required = server->options.required](server_report const& report) {
                all->report.servers[line] = report;
                all->misses_required = all->misses_required || (required && !report);
                all->finish_one();
            },
            true, all->operation);
    }
    post_handler(executor_, [all] { all->finish_one(); });
}

LINKSPAN_DECL void connector_core::connect(std::string_view key, report_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const operation = next_operation();
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), operation, key = std::string(key)] {
        self->release(operation, true);
        return std::tuple(aborted_report(key));
    });
    auto finish = [self = shared_from_this(), operation, waiting](error_code ec, server_report const& report) {
        self->release(operation, false);
        waiting->complete(ec, report);
    };
    connect_for(operation, key, std::move(finish));
}

// `done` is invoked later. The caller then calls release() for the operation.
LINKSPAN_DECL void connector_core::connect_for(std::uint64_t operation, std::string_view key,
                                               std::function<void(error_code, server_report const&)> done)
{
    auto const server = find(key);
    server_report report;
    report.server = key;
    if (!server)
        report.ec = error::unknown_server;
    else if (server->state == server_state::disabled)
        report.ec = error::server_disabled;
    if (report.ec) {
        post_handler(executor_, [done = std::move(done), report = std::move(report)] { done({}, report); });
        return;
    }
    closed_ = false;
    ++times_opened;
    auto finish = [self = shared_from_this(), before = times_closed,
                   done = std::move(done)](server_report const& opened) {
        // The catalog is complete before the handler is invoked.
        self->publish_changes();
        bool const is_closed = self->times_closed != before;
        done(is_closed ? error_code(asio::error::operation_aborted) : error_code(), opened);
    };
    await(server, std::move(finish), true, operation);
}

// Removes a completed or cancelled operation from its servers. A server that only cancelled operations have opened is
// closed.
LINKSPAN_DECL void connector_core::release(std::uint64_t operation, bool is_cancelled)
{
    std::vector<server_pointer> unwanted;
    for (auto const& server : servers_.by_id()) {
        if (!server || std::erase(server->opening_operations, operation) == 0)
            continue;
        server->kept = server->kept || !is_cancelled;
        bool const is_open = server->state == server_state::opening || server->state == server_state::waiting ||
                             server->state == server_state::ready;
        if (is_open && !server->is_needed())
            unwanted.push_back(server);
    }
    for (auto const& server : unwanted) {
        drop_tools(*server);
        bool const is_lazy = server->options.start == start_mode::lazy;
        end_at_once(*server, is_lazy ? server_state::idle : server_state::closed);
    }
}

LINKSPAN_DECL void connector_core::await(server_pointer const& server, std::function<void(server_report const&)> done,
                                         bool now, std::uint64_t operation)
{
    if (server->state == server_state::idle || server->state == server_state::closed ||
        server->state == server_state::failed)
        server->kept = false; // earlier openings do not keep the server open
    if (operation == 0)
        server->kept = true;
    else
        server->opening_operations.push_back(operation);
    if (server->state == server_state::ready && server->settled) {
        post_handler(executor_, [done = std::move(done), report = server->report] { done(report); });
        return;
    }
    server->awaiting.push_back(std::move(done));
    switch (server->state) {
    case server_state::idle:
    case server_state::closed:
    case server_state::failed: server->restarts.reset(); return start(server);
    case server_state::waiting:
        if (!now)
            return;
        server->restarts.reset();
        return start(server);
    case server_state::disabled:
    case server_state::opening:
    case server_state::ready:   // the `tools/list` request is outstanding
    case server_state::closing: // on_ended() starts the server
        return;
    }
}

LINKSPAN_DECL void connector_core::start(server_pointer const& server)
{
    auto const round = ++server->round;
    server->restart_timer.cancel();
    server->tools.on_opening();
    server->state = server_state::opening;
    server->began = time_.now();
    server->report = {};
    server->report.server = server->key;
    server->settled = false;
    publish(*server, {}, {});
    auto on_open = [self = shared_from_this(), round](server_pointer const& opened, error_code ec) {
        if (opened->round == round)
            self->on_opened(opened, ec, opened->diagnostics());
    };
    server->starting = true;
    try {
        server->session->open({server_turn(server, std::move(on_open)), executor_});
    } catch (std::exception const& failure) { // from the constructor of a transport
        post_handler(executor_, [self = shared_from_this(), server, round, what = server->clean(failure.what())] {
            if (server->round == round)
                self->on_opened(server, error::connection_failed, what);
        });
    }
    server->starting = false;
}

LINKSPAN_DECL void connector_core::on_opened(server_pointer const& server, error_code ec, std::string const& detail)
{
    auto& session = *server->session;
    auto& report = server->report;
    report.ec = ec;
    report.detail = detail;
    report.elapsed = time_.now() - server->began;
    if (ec) {
        report.phase = session.connected() ? open_phase::negotiate : open_phase::start;
        on_down(server, ec, detail);
        return finish_opening(*server);
    }
    report.protocol_version = session.version();
    report.phase = open_phase::discover;
    server->state = server_state::ready;
    server->restarts.on_up(time_.now());
    outcome connected;
    connected.certainty = certainty_of(evidence::result);
    // The duration of the start is not reported, because it is unrelated to the latency of calls.
    connected.has_response = true;
    policies_->on_probe(server->id, connected, time_.now());
    bool const has_tools = server->session->server().offers_tools();
    if (!has_tools && server->tools.on_no_tools())
        on_tools_dropped();
    publish(*server, {}, {});
    arm_probe(server);
    if (!has_tools) {
        report.phase = open_phase::done;
        return finish_opening(*server);
    }
    list(server, true);
}

LINKSPAN_DECL void connector_core::on_listed(server_pointer const& server, error_code ec,
                                             std::string const& problem_text)
{
    auto& report = server->report;
    report.ec = ec;
    report.tools = server->tools.tools().size();
    report.elapsed = time_.now() - server->began;
    if (ec) {
        server->published->count_error();
        report.detail = "tools/list failed: " + ec.message();
    } else if (!problem_text.empty()) {
        report.detail = problem_text;
    }
    if (!ec)
        report.phase = open_phase::done;
    finish_opening(*server);
}

// Each handler is posted separately, because a handler may throw.
LINKSPAN_DECL void connector_core::finish_opening(server_entry& server)
{
    server.settled = true;
    publish_later();
    for (auto& done : std::exchange(server.awaiting, {}))
        post_handler(executor_, [done = std::move(done), report = server.report] { done(report); });
}

LINKSPAN_DECL void connector_core::finish_end(server_entry& server, error_code ec)
{
    for (auto& done : std::exchange(server.awaiting_end, {}))
        post_handler(executor_, [done = std::move(done), ec] { done(ec); });
}

// Restarts

LINKSPAN_DECL void connector_core::on_down(server_pointer const& server, error_code ec, std::string const& detail)
{
    serial_scope const here(*this, &connector_core::serial);
    // A requested shutdown causes no restart.
    if (server->state == server_state::closing) {
        if (server->draining)
            end(server, server->after, {});
        return;
    }
    auto const now = time_.now();
    bool const was_ready = server->state == server_state::ready;
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    if (was_ready && server->session->in_flight() == 0 && server->session->exited_cleanly()) {
        // A process that exits without an error while idle is started again by the next call.
        server->state = server->at_rest();
        return publish(*server, {}, detail);
    }
    ++server->round;
    server->published->count_error();
    outcome lost;
    lost.certainty = certainty_of(evidence::never_connected);
    lost.ec = ec;
    policies_->on_result(server->id, lost, now);
    bool const was_slow = server->restarts.is_slow();
    auto const wait = server->restarts.on_down(now, time_.draw());
    if (wait)
        restart_later(server, *wait);
    else
        server->state = server->options.restart.max_restarts == 0 ? server_state::closed : server_state::failed;
    publish(*server, ec, detail);
    if (server->restarts.is_slow() && !was_slow)
        event(server->key, "slow_restarts", server->restart_text(now));
    // The first `tools/list` request was outstanding.
    if (was_ready && !server->settled) {
        server->report.ec = ec;
        server->report.detail = detail;
        server->report.elapsed = now - server->began;
        finish_opening(*server);
    }
}

LINKSPAN_DECL void connector_core::restart_later(server_pointer const& server, duration wait)
{
    server->state = server_state::waiting;
    server->restart_at = time_.after(wait);
    auto on_due = [self = shared_from_this(), round = server->round](server_pointer const& waiting, error_code) {
        if (waiting->round != round)
            return;
        auto& restarts = waiting->published->restarts;
        restarts.store(restarts.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        self->start(waiting);
    };
    server->restart_timer.expires_at(server->restart_at);
    start_wait(server->restart_timer, server_turn(server, std::move(on_due)));
}

// Probes

LINKSPAN_DECL void connector_core::arm_probe(server_pointer const& server)
{
    auto const at = policies_->next_probe(server->id, time_.now(), time_.draw());
    server->probe_timer.cancel();
    if (!at || server->state != server_state::ready || server->probing)
        return;
    server->probe_at = *at;
    server->probe_timer.expires_at(*at);
    start_wait(server->probe_timer, [self = shared_from_this(), server, round = server->round](error_code ec) {
        if (!ec && server->round == round)
            self->on_probe_due(server);
    });
}

LINKSPAN_DECL void connector_core::on_probe_due(server_pointer const& server)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const now = time_.now();
    auto const at = policies_->next_probe(server->id, now, time_.draw());
    if (server->state != server_state::ready || server->probing)
        return;
    // The responses to calls have postponed the probe.
    if (!at || *at > now)
        return arm_probe(server);
    server->probing = true;
    call_options options;
    options.idle_timeout = options.attempt_timeout = server->options.probe_timeout;
    auto on_answer = [self = shared_from_this(), began = now](server_pointer const& probed, error_code ec,
                                                              call_result const& result) {
        outcome probe_result;
        probe_result.certainty = certainty_of(evidence::result);
        probe_result.has_response = true;
        if (ec)
            probe_result = result.attempts().front().result;
        probe_result.elapsed = self->time_.now() - began;
        probed->probing = false;
        probed->published->in_flight.store(probed->calls_in_flight(), std::memory_order_relaxed);
        self->on_probe_finished(probed, probe_result);
    };
    auto request = session_request::prepare(server->session, ping_method(*server->session));
    request->set_options(std::move(options));
    session_request::start(std::move(request), {server_turn(server, std::move(on_answer)), executor_});
}

LINKSPAN_DECL void connector_core::on_probe_finished(server_pointer const& server, outcome const& result)
{
    if (server->removed)
        return;
    auto const now = time_.now();
    if (result.has_response)
        server->published->last_probe.store(time_.wall_now().time_since_epoch().count(), std::memory_order_relaxed);
    // A lost connection was already counted.
    else if (server->state == server_state::ready)
        server->published->count_error();
    if (!result.has_response)
        server->last_failure = result.ec;
    policies_->on_probe(server->id, result, now);
    on_health_changed(server);
}

LINKSPAN_DECL void connector_core::on_health_changed(server_pointer const& server)
{
    auto const previous = server->published->health.load(std::memory_order_relaxed);
    auto const current = policies_->health(server->id, time_.now());
    if (previous != current) {
        server->published->health.store(current, std::memory_order_relaxed);
        event(server->key, "health", to_string(current));
    }
    if (server->state != server_state::ready)
        return;
    arm_probe(server);
    if (current == health_state::tripped || previous == health_state::tripped)
        publish_breaker_state(*server, current);
}

// The text and the time refer to the next probe, so that both are published after each probe.
LINKSPAN_DECL void connector_core::publish_breaker_state(server_entry& server, health_state health)
{
    auto& out = *server.published;
    bool const is_open = health == health_state::tripped;
    auto const wait = std::max(server.probe_at - time_.now(), duration::zero());
    out.retry_at.store(is_open ? wall_count(time_, server.probe_at) : published_server::none,
                       std::memory_order_relaxed);
    std::lock_guard const lock(out.text);
    out.last_error = server.last_failure.message();
    if (is_open)
        out.last_error = "circuit breaker is open until a probe succeeds, next probe in " +
                         std::to_string(std::chrono::ceil<std::chrono::milliseconds>(wait).count()) +
                         " ms; last failure: " + out.last_error;
}

// Ending

// Returns the completion of an operation that shuts the server down gracefully. A cancellation of the operation closes
// the server immediately.
LINKSPAN_DECL std::function<void(error_code)> connector_core::shutdown_completion(server_pointer const& server,
                                                                                  done_handler done)
{
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), server] {
        if (server)
            self->close_ending(server);
        return std::tuple();
    });
    return [waiting](error_code ec) { waiting->complete(ec); };
}

// Closes a server that is being shut down, instead of waiting for the server.
LINKSPAN_DECL void connector_core::close_ending(server_pointer const& server)
{
    if (server->state != server_state::closing)
        return;
    if (server->draining)
        end(server, server->after, {});
    server->session->close();
}

LINKSPAN_DECL void connector_core::disconnect(std::string_view key, done_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const server = find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server || server->state == server_state::disabled) {
        post_handler(executor_, [finish = std::move(finish)] { finish({}); });
        return;
    }
    drop_tools(*server);
    bool const is_lazy = server->options.start == start_mode::lazy;
    drain(server, is_lazy ? server_state::idle : server_state::closed, std::move(finish));
}

LINKSPAN_DECL void connector_core::enable(std::string_view key, report_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    if (auto const server = find(key); server && !server->options.enabled) {
        server->options.enabled = true;
        if (server->state == server_state::closing)
            server->after = server_state::closed;
        else
            server->state = server_state::closed;
        publish(*server, {}, {});
    }
    connect(key, std::move(done));
}

LINKSPAN_DECL void connector_core::disable(std::string_view key, done_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const server = find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server) {
        post_handler(executor_, [finish = std::move(finish)] { finish({}); });
        return;
    }
    server->options.enabled = false;
    drop_tools(*server);
    drain(server, server_state::disabled, std::move(finish));
}

LINKSPAN_DECL void connector_core::remove(std::string_view key, done_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const server = find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server) {
        post_handler(executor_, [finish = std::move(finish)] { finish({}); });
        return;
    }
    drop_tools(*server);
    servers_.remove(server);
    on_servers_changed();
    on_removed(*server);
    drain(server, server_state::closed, std::move(finish));
}

// Opens the new server while the old one is in use, so that a wrong configuration of the new one does not affect calls.
LINKSPAN_DECL void connector_core::replace(std::string_view key, std::string_view kind, transport_factory transport,
                                           server_options options, report_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const old = find(key);
    if (!old)
        // connect() reports `unknown_server`.
        return connect(key, std::move(done));
    auto const server = make_server(old->key, kind, std::move(transport), std::move(options));
    closed_ = false;
    ++times_opened;
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(asio::cancellation_type::all, [self = shared_from_this(), server] {
        self->servers_.discard(server);
        self->on_removed(*server);
        self->end_at_once(*server, server_state::closed);
        self->servers_.on_ended(server);
        return std::tuple(aborted_report(server->key));
    });
    auto finish = [self = shared_from_this(), server, before = times_closed, waiting](server_report const& report) {
        if (waiting->is_over())
            return;
        self->install_replacement(server, report);
        self->publish_changes();
        bool const is_closed = self->times_closed != before;
        waiting->complete(is_closed ? error_code(asio::error::operation_aborted) : error_code(), report);
    };
    if (server->state == server_state::disabled) {
        server_report report;
        report.server = server->key;
        report.ec = error::server_disabled;
        post_handler(executor_, [finish = std::move(finish), report] { finish(report); });
        return;
    }
    await(server, std::move(finish));
}

LINKSPAN_DECL void connector_core::install_replacement(server_pointer const& server, server_report const& report)
{
    auto const old = find(server->key);
    if (!report || !old) {
        servers_.discard(server);
        on_removed(*server);
        return end(server, server_state::closed, {});
    }
    servers_.replace(old, server);
    tools_changed();
    on_servers_changed();
    on_removed(*old);
    drain(old, server_state::closed, {});
}

// Shuts one server down gracefully. `done` is invoked later.
LINKSPAN_DECL void connector_core::end(server_pointer const& server, server_state after,
                                       std::function<void(error_code)> done)
{
    server->after = server->options.enabled ? after : server_state::disabled;
    if (done)
        server->awaiting_end.push_back(std::move(done));
    if (server->state == server_state::closing && !server->draining)
        return;
    ++server->round;
    server->restart_timer.cancel();
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    server->report.ec = error::not_connected;
    server->report.detail = "the server was shut down";
    if (server->state != server_state::closing)
        clear_operations(*server);
    server->state = server_state::closing;
    finish_opening(*server);
    publish(*server, {}, {});
    shut_down(server);
}

// Shuts one server down gracefully when its outstanding calls are complete; new calls are not sent to the server.
LINKSPAN_DECL void connector_core::drain(server_pointer const& server, server_state after,
                                         std::function<void(error_code)> done)
{
    bool const has_calls = server->state == server_state::ready && server->session->in_flight() != 0;
    if (!has_calls)
        return end(server, after, std::move(done));
    server->after = server->options.enabled ? after : server_state::disabled;
    if (done)
        server->awaiting_end.push_back(std::move(done));
    clear_operations(*server);
    server->state = server_state::closing;
    server->draining = true;
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    publish(*server, {}, {});
    auto const finish = [weak = weak_from_this(), server = std::weak_ptr(server), round = ++server->round] {
        auto const self = weak.lock();
        auto const drained = server.lock();
        if (self && drained && drained->round == round && drained->draining)
            self->end(drained, drained->after, {});
    };
    server->session->on_drained = finish;
    server->restart_timer.expires_after(server->options.drain_timeout);
    start_wait(server->restart_timer, server_turn(server, [finish](server_pointer const&, error_code) { finish(); }));
}

LINKSPAN_DECL void connector_core::shut_down(server_pointer const& server)
{
    server->draining = false;
    server->session->on_drained = nullptr;
    auto on_shutdown = [self = shared_from_this()](server_pointer const& ended, error_code ec) {
        self->on_ended(ended, ec);
    };
    server->session->shutdown({server_turn(server, std::move(on_shutdown)), executor_});
}

LINKSPAN_DECL void connector_core::on_ended(server_pointer const& server, error_code ec)
{
    // The connector was closed during the shutdown, and perhaps opened again.
    if (server->state != server_state::closing)
        return;
    server->state = server->after;
    servers_.on_ended(server);
    publish(*server, {}, {});
    finish_end(*server, ec);
    if (server->awaiting.empty())
        return;
    if (server->state == server_state::disabled || server->removed || !server->is_needed())
        return finish_opening(*server);
    start(server);
}

// State of an `async_shutdown`, shared by the handlers of its servers. The server that ends last completes the
// operation; the timeout closes the servers that have not ended.
struct connector_core::stopping {
    stopping(std::shared_ptr<connector_core> core, shutdown_handler handler)
        : owner(std::move(core)),
          times_opened(owner->times_opened),
          times_closed(owner->times_closed),
          began(owner->time_.now()),
          timer(owner->executor_),
          done(make_cancellable(std::move(handler), owner->executor_))
    {}

    std::shared_ptr<connector_core> owner; // set by the constructor
    std::uint32_t times_opened;            // value of `owner` at the start; another value later: opened meanwhile
    std::uint32_t times_closed;            // value of `owner` at the start; another value later: closed meanwhile
    time_point began;                      // start of the operation
    linkspan::timer timer;                 // waits for the timeout; cancelled at the end of the operation
    bool is_late = false;                  // set by give_up()
    std::shared_ptr<cancellable_completion<void(error_code, shutdown_report)>> done; // set by the constructor
    shutdown_report report;             // one line per server, completed by finish_server(); moved out at the end
    std::vector<server_pointer> ending; // one server per line of the report; set to null when the server has ended
    std::size_t left = 1;               // shutdowns in progress, plus one for the loop that starts them

    void finish_server(std::size_t line, error_code ec)
    {
        ending[line].reset();
        auto& end = report.servers[line];
        end.ec = ec && is_late ? error_code(error::deadline_exceeded) : ec;
        end.elapsed = owner->time_.now() - began;
        finish_one();
    }

    void finish_one()
    {
        if (--left != 0)
            return;
        timer.cancel();
        if (done->is_over())
            return;
        auto const failed = std::ranges::find_if(report.servers, [](auto const& end) { return end.ec.failed(); });
        error_code ec = failed == report.servers.end() ? error_code() : failed->ec;
        if (owner->times_closed != times_closed)
            ec = asio::error::operation_aborted;
        // A connector that was opened again stays open.
        if (owner->times_opened == times_opened)
            owner->end_at_once();
        done->complete(ec, std::move(report));
    }

    // Closes all servers as close() does, except servers that were opened again during the shutdown.
    std::tuple<shutdown_report> cancel()
    {
        timer.cancel();
        auto out = report;
        for (std::size_t line = 0; line != ending.size(); ++line)
            if (ending[line])
                out.servers[line].ec = asio::error::operation_aborted;
        if (owner->times_opened == times_opened)
            owner->close();
        else
            give_up();
        return out;
    }

    // Closes the sessions of the servers that have not ended.
    void give_up()
    {
        is_late = true;
        for (auto const& server : ending)
            if (server)
                server->session->close();
    }
};

LINKSPAN_DECL void connector_core::shutdown(duration timeout, shutdown_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const all = std::make_shared<stopping>(shared_from_this(), std::move(done));
    all->done->on_cancel(terminal_or_partial, [weak = std::weak_ptr(all)] { return weak.lock()->cancel(); });
    auto servers = servers_.order();
    servers.insert(servers.end(), servers_.removed().begin(), servers_.removed().end());
    all->ending = servers;
    for (auto const& server : servers) {
        ++all->left;
        auto const line = all->report.servers.size();
        all->report.servers.emplace_back().server = server->key;
        bool const is_disabled = server->state == server_state::disabled;
        end(server, is_disabled ? server_state::disabled : server_state::closed,
            [all, line](error_code ec) { all->finish_server(line, ec); });
    }
    all->timer.expires_after(timeout);
    start_wait(all->timer, [all](error_code ec) {
        if (!ec)
            all->give_up();
    });
    post_handler(executor_, [all] { all->finish_one(); });
}

LINKSPAN_DECL void connector_core::close() noexcept
{
    serial_scope const here(*this, &connector_core::serial);
    ++times_closed;
    end_at_once();
}

LINKSPAN_DECL void connector_core::end_at_once() noexcept
{
    closed_ = true;
    while (auto* const call = calls_.last_paused())
        call->abort();
    auto all = servers_.by_id();
    all.insert(all.end(), servers_.removed().begin(), servers_.removed().end());
    for (auto const& server : all)
        if (server)
            end_at_once(*server, server_state::closed);
    servers_.on_all_ended();
    publish_later();
}

LINKSPAN_DECL void connector_core::end_at_once(server_entry& server, server_state after) noexcept
{
    ++server.round;
    server.draining = false;
    clear_operations(server);
    server.session->on_drained = nullptr;
    server.restart_timer.cancel();
    server.probe_timer.cancel();
    server.refresh_timer.cancel();
    for (auto& done : server.tools.take_requesters())
        post_handler(executor_, std::move(done));
    server.session->close();
    server.report.ec = asio::error::operation_aborted;
    finish_opening(server);
    finish_end(server, asio::error::operation_aborted);
    if (!server.options.enabled)
        after = server_state::disabled;
    if (std::exchange(server.state, after) != after)
        publish(server, {}, {});
}

// Lists of tools

// Starts a `tools/list` request. `is_first`: the request belongs to the opening of the server.
LINKSPAN_DECL void connector_core::list(server_pointer const& server, bool is_first)
{
    auto on_tools = [self = shared_from_this(), round = server->round, is_first,
                     waiting = server->tools.on_list_started(time_.now())](server_pointer const& listed, error_code ec,
                                                                           tool_list list) {
        listed->published->in_flight.store(listed->calls_in_flight(), std::memory_order_relaxed);
        bool const is_current = listed->round == round;
        tool_registry::change change;
        if (!is_current) {
            listed->tools.on_earlier_list_completed(ec);
        } else {
            if (!ec)
                change = self->store_list(*listed, std::move(list));
            if (auto const again = listed->tools.on_list_completed(ec, change.is_changed, self->time_.now()))
                self->refresh_at(listed, *again);
        }
        self->publish(*listed, ec, ec ? ec.message() : std::string());
        if (listed->tools.on_list_ended())
            self->list(listed, false);
        if (is_first && listed->round == round)
            self->on_listed(listed, ec, change.problem_text);
        // Each handler is posted separately, because a handler may throw.
        for (auto const& done : waiting)
            post_handler(self->executor_, done);
    };
    list_request::start(server->session, {server_turn(server, std::move(on_tools)), executor_});
}

// Moves the tools of a list to the registry of the server.
LINKSPAN_DECL tool_registry::change connector_core::store_list(server_entry& server, tool_list list)
{
    auto change =
        server.tools.on_listed(std::move(list), *policies_, time_.now(), server.session->has_change_notifications());
    for (auto const& one : change.events)
        event(server.key, one.what, one.detail);
    if (change.is_changed) {
        if (server.checks)
            server.checks->learn(server.tools.tools());
        tools_changed();
    }
    server.published->last_discovery = time_.wall_now().time_since_epoch().count();
    return change;
}

// Called with a list that the session has requested for itself. The list is ignored while a `tools/list` request of the
// connector is outstanding: the response follows, and may be older than this list, so that the catalog would change
// twice.
LINKSPAN_DECL void connector_core::on_listed_by_session(server_entry& server, tool_list list)
{
    if (server.state != server_state::ready || server.tools.is_listing())
        return;
    store_list(server, std::move(list));
    publish(server, {}, {});
}

LINKSPAN_DECL void connector_core::refresh(server_pointer const& server, std::function<void()> done)
{
    if (server->state != server_state::ready || !server->session->server().offers_tools()) {
        post_handler(executor_, std::move(done));
        return;
    }
    if (server->tools.request(std::move(done)))
        list(server, false);
}

// A server that is not ready lists its tools when it becomes ready.
LINKSPAN_DECL void connector_core::on_announced(server_pointer const& server)
{
    if (server->state != server_state::ready)
        return;
    if (auto const due = server->tools.on_announced(time_.now()))
        refresh_at(server, *due);
}

LINKSPAN_DECL void connector_core::refresh_at(server_pointer const& server, time_point due)
{
    if (due <= time_.now())
        return refresh(server, [] {});
    server->refresh_timer.expires_at(due);
    start_wait(server->refresh_timer,
               [weak = weak_from_this(), server = std::weak_ptr(server), round = server->round](error_code ec) {
                   auto const self = weak.lock();
                   auto const listed = server.lock();
                   if (!ec && self && listed && listed->round == round)
                       self->refresh(listed, [] {});
               });
}

LINKSPAN_DECL void connector_core::refresh_if_stale(server_pointer const& server, time_point now)
{
    if (server->tools.is_stale(now))
        refresh(server, [] {});
}

LINKSPAN_DECL void connector_core::discover(std::function<void()> done, std::uint64_t operation)
{
    struct asking {
        std::function<void()> done;
        std::size_t left = 1;

        void finish_one()
        {
            if (--left == 0)
                done();
        }
    };
    auto const all = std::make_shared<asking>();
    all->done = std::move(done);
    for (auto const& server : servers_.order()) {
        bool const is_lazy = server->options.start == start_mode::lazy;
        bool const is_needed = server->state == server_state::idle && !is_lazy;
        if (server->state == server_state::ready) {
            ++all->left;
            refresh(server, [all] { all->finish_one(); });
        } else if (is_needed || server->state == server_state::opening) {
            ++all->left;
            await(
                server, [all](server_report const&) { all->finish_one(); }, false, operation);
        }
    }
    post_handler(executor_, [all] { all->finish_one(); });
}

LINKSPAN_DECL void connector_core::discover_all(catalog_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const operation = next_operation();
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), operation] {
        self->release(operation, true);
        return std::tuple(self->catalog_now());
    });
    auto finish = [self = shared_from_this(), before = times_closed, operation, waiting] {
        self->release(operation, false);
        self->publish_changes();
        error_code ec;
        if (self->times_closed != before)
            ec = asio::error::operation_aborted;
        else if (self->closed_)
            ec = error::not_connected;
        waiting->complete(ec, self->catalog_now());
    };
    discover(std::move(finish), operation);
}

// Validation of calls

LINKSPAN_DECL std::function<void(std::string const&)> connector_core::schema_reporter(server_entry const& server)
{
    return [this, &server](std::string const& detail) { event(server.key, "unusable_schema", server.clean(detail)); };
}

LINKSPAN_DECL std::string connector_core::schema_errors(server_entry& server, std::string_view tool,
                                                        std::string_view arguments)
{
    return server.checks->argument_errors(tool, arguments, schema_reporter(server));
}

LINKSPAN_DECL std::string connector_core::schema_errors(server_entry& server, std::string_view tool,
                                                        call_result const& result)
{
    return server.checks->result_errors(tool, result, schema_reporter(server));
}

LINKSPAN_DECL void connector_core::drop_tools(server_entry& server)
{
    if (server.tools.drop())
        on_tools_dropped();
}

// Removed tools are removed from the catalog immediately, also while other servers are being opened.
LINKSPAN_DECL void connector_core::on_tools_dropped()
{
    publisher_.on_changed();
    publish_soon();
}

// Catalog

LINKSPAN_DECL void connector_core::tools_changed()
{
    publisher_.on_changed();
    publish_later();
}

LINKSPAN_DECL void connector_core::publish_later()
{
    auto const opens = [](server_pointer const& server) {
        return server->state == server_state::opening || (server->state == server_state::ready && !server->settled);
    };
    if (publisher_.has_changes() && (publisher_.has_many_changes() || std::ranges::none_of(servers_.order(), opens)))
        publish_soon();
}

LINKSPAN_DECL void connector_core::publish_soon()
{
    if (!publisher_.request())
        return;
    post_handler(executor_, [self = shared_from_this()] {
        self->publisher_.on_posted();
        self->publish_changes();
    });
}

LINKSPAN_DECL bool connector_core::publish_changes()
{
    if (!publisher_.has_changes())
        return false;
    std::vector<catalog_entry> entries;
    std::size_t total = 0;
    for (auto const& server : servers_.order())
        total += server->tools.tools().size();
    entries.reserve(total);
    std::size_t servers = 0;
    for (auto const& server : servers_.order()) {
        auto const& tools = server->tools.tools();
        entries.insert(entries.end(), tools.begin(), tools.end());
        servers += tools.empty() ? 0 : 1;
    }
    publisher_.publish(std::move(entries), servers, servers_.order().size() == 1);
    event({}, "catalog_changed", {});
    for (auto const& name : catalog_now()->collisions())
        event({}, "name_collision", name);
    return true;
}

LINKSPAN_DECL void connector_core::verify(std::string_view key, std::vector<tool_pin> pins, pins_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const operation = next_operation();
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), operation] {
        self->release(operation, true);
        return std::tuple(std::vector<pin_difference>());
    });
    auto finish = [self = shared_from_this(), before = times_closed, key = std::string(key), pins = std::move(pins),
                   operation, waiting](error_code ec) {
        self->release(operation, false);
        auto const server = self->find(key);
        if (!ec && self->times_closed != before)
            ec = asio::error::operation_aborted;
        if (!ec && server)
            ec = server->tools.last_error();
        if (!ec && (!server || !server->tools.is_known()))
            ec = error::not_connected;
        auto differences = ec ? std::vector<pin_difference>() : server->tools.compare(pins);
        if (!differences.empty())
            ec = error::tools_changed;
        waiting->complete(ec, std::move(differences));
    };
    auto on_open = [self = shared_from_this(), key = std::string(key), finish, waiting](error_code ec,
                                                                                        server_report const& report) {
        if (waiting->is_over())
            return;
        auto const server = self->find(key);
        if (ec || report.ec || !server)
            return finish(ec ? ec : report.ec);
        self->refresh(server, [finish] { finish({}); });
    };
    connect_for(operation, key, std::move(on_open));
}

} // namespace linkspan::detail

#endif
