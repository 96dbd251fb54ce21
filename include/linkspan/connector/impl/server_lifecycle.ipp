#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_LIFECYCLE_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_LIFECYCLE_IPP

// How servers come and go: the part of `connector_core` that starts them, starts them again, probes and ends them.

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <tuple>
#include <utility>

namespace linkspan::detail {

// Report of an opening whose operation was cancelled.
inline server_report aborted_report(std::string_view key)
{
    server_report out;
    out.server = key;
    out.ec = asio::error::operation_aborted;
    return out;
}

// Cancellations of earlier openings no longer concern the server.
inline void forget_operations(server_entry& server) noexcept
{
    server.opened_by.clear();
    server.kept = false;
}

// Opens all servers at once; the last one to be ready, or not, completes the whole.
struct connector_core::opening {
    opening(std::shared_ptr<connector_core> core, pending_handler<void(error_code, open_report)> handler)
        : owner(std::move(core)),
          times_closed(owner->times_closed),
          operation(owner->next_operation()),
          done(make_cancellable(std::move(handler), owner->executor_))
    {}

    std::shared_ptr<connector_core> owner;
    std::uint32_t times_closed;
    std::uint64_t operation;
    std::shared_ptr<cancellable_completion<void(error_code, open_report)>> done;
    open_report report;
    bool misses_required = false;
    std::size_t left = 1; // one for the loop that starts them

    void finish_one()
    {
        if (--left != 0)
            return;
        owner->release(operation, false);
        owner->publish_news();
        bool const none = !report.servers.empty() && report.failures() == report.servers.size();
        error_code ec;
        if (owner->times_closed != times_closed)
            ec = asio::error::operation_aborted;
        else if (none || misses_required)
            ec = error::connection_failed;
        done->complete(ec, std::move(report));
    }

    // A copy: servers whose opening goes on still write into the report.
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
    for (auto const& server : order_) {
        bool const is_lazy = server->options.start == start_mode::lazy;
        if (server->state == server_state::closed && is_lazy) {
            server->state = server_state::idle;
            publish(*server, {}, {});
        }
        if (server->state == server_state::ready)
            server->opened_by.push_back(all->operation); // another opening of it may be cancelled
        if (server->state == server_state::disabled || server->state == server_state::ready ||
            (server->state == server_state::idle && is_lazy))
            continue;
        ++all->left;
        auto const line = all->report.servers.size();
        all->report.servers.emplace_back().server = server->key;
        await(
            server,
            [all, line, required = server->options.required](server_report const& how) {
                all->report.servers[line] = how;
                all->misses_required = all->misses_required || (required && !how);
                all->finish_one();
            },
            true, all->operation);
    }
    asio::post(executor_, [all] { all->finish_one(); });
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
    auto finish = [self = shared_from_this(), operation, waiting](error_code ec, server_report const& how) {
        self->release(operation, false);
        waiting->complete(ec, how);
    };
    connect_for(operation, key, std::move(finish));
}

// `done` runs later. The operation is released by the caller.
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
        asio::post(executor_, [done = std::move(done), report = std::move(report)] { done({}, report); });
        return;
    }
    closed_ = false;
    ++times_opened;
    auto finish = [self = shared_from_this(), before = times_closed, done = std::move(done)](server_report const& how) {
        self->publish_news(); // what its opening has told is known
        bool const is_closed = self->times_closed != before;
        done(is_closed ? error_code(asio::error::operation_aborted) : error_code(), how);
    };
    await(server, std::move(finish), true, operation);
}

// The operation is over. Servers that only cancelled operations have opened are closed.
LINKSPAN_DECL void connector_core::release(std::uint64_t operation, bool is_cancelled)
{
    std::vector<server_pointer> unwanted;
    for (auto const& server : by_id_) {
        if (!server || std::erase(server->opened_by, operation) == 0)
            continue;
        server->kept = server->kept || !is_cancelled;
        bool const is_open = server->state == server_state::opening || server->state == server_state::waiting ||
                             server->state == server_state::ready;
        if (is_open && !server->is_wanted())
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
        server->opened_by.push_back(operation);
    if (server->state == server_state::ready && server->settled) {
        asio::post(executor_, [done = std::move(done), report = server->report] { done(report); });
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
    case server_state::ready:   // its tools are being read
    case server_state::closing: // it is started when it has ended
        return;
    }
}

LINKSPAN_DECL void connector_core::start(server_pointer const& server)
{
    auto const round = ++server->round;
    server->restart_timer.cancel();
    server->refreshes = {};
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
    } catch (std::exception const& failure) { // of the constructor of a transport
        asio::post(executor_, [self = shared_from_this(), server, round, what = server->clean(failure.what())] {
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
        report.phase = session.was_connected() ? open_phase::negotiate : open_phase::start;
        on_down(server, ec, detail);
        return finish_opening(*server);
    }
    report.spoken = session.spoken();
    report.phase = open_phase::discover;
    server->state = server_state::ready;
    server->restarts.on_up(time_.now());
    outcome connected;
    connected.how = certainty_of(evidence::result);
    connected.answered = true; // how long it took to start says nothing about its calls
    policies_->on_probe(server->id, connected, time_.now());
    bool const has_tools = server->session->server().offers_tools();
    if (!has_tools) {
        drop_tools(*server);
        server->discovered = true;
    }
    publish(*server, {}, {});
    arm_probe(server);
    if (!has_tools) {
        report.phase = open_phase::done;
        return finish_opening(*server);
    }
    server->refreshing = true;
    list(server,
         [self = shared_from_this(), server, round = server->round](error_code failure, std::string const& lacks) {
             server->refreshing = false;
             if (!server->awaiting_refresh.empty())
                 self->start_refresh(server);
             if (server->round == round)
                 self->on_listed(server, failure, lacks);
         });
}

LINKSPAN_DECL void connector_core::on_listed(server_pointer const& server, error_code ec, std::string const& lacks)
{
    auto& report = server->report;
    report.ec = ec;
    report.tools = server->tools.size();
    report.elapsed = time_.now() - server->began;
    if (ec) {
        server->published->count_error();
        report.detail = "tools/list failed: " + ec.message();
    } else if (!lacks.empty()) {
        report.detail = lacks;
    }
    if (!ec)
        report.phase = open_phase::done;
    finish_opening(*server);
}

// Handlers may throw, so each has a turn of its own.
LINKSPAN_DECL void connector_core::finish_opening(server_entry& server)
{
    server.settled = true;
    publish_later();
    for (auto& done : std::exchange(server.awaiting, {}))
        asio::post(executor_, [done = std::move(done), report = server.report] { done(report); });
}

LINKSPAN_DECL void connector_core::finish_end(server_entry& server, error_code ec)
{
    for (auto& done : std::exchange(server.awaiting_end, {}))
        asio::post(executor_, [done = std::move(done), ec] { done(ec); });
}

// Starting again

LINKSPAN_DECL void connector_core::on_down(server_pointer const& server, error_code ec, std::string const& detail)
{
    serial_scope const here(*this, &connector_core::serial);
    if (server->state == server_state::closing) { // so it does not come back
        if (server->draining)
            end(server, server->after, {});
        return;
    }
    auto const now = time_.now();
    bool const was_ready = server->state == server_state::ready;
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    if (was_ready && server->session->in_flight() == 0 && server->session->ended_well()) {
        server->state = server->at_rest(); // it had nothing to do, and starts again when there is something
        return publish(*server, {}, detail);
    }
    ++server->round;
    server->published->count_error();
    outcome lost;
    lost.how = certainty_of(evidence::never_connected);
    lost.ec = ec;
    policies_->on_result(server->id, lost, now);
    bool const was_slow = server->restarts.is_slow();
    auto const wait = server->restarts.on_down(now, time_.draw());
    if (wait)
        restart_later(server, *wait);
    else
        server->state = server->options.restart.most == 0 ? server_state::closed : server_state::failed;
    publish(*server, ec, detail);
    if (server->restarts.is_slow() && !was_slow)
        event(server->key, "slow_restarts", server->revival(now));
    if (was_ready && !server->settled) { // it was asked for its tools
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
    server->restart_timer.async_wait(server_turn(server, std::move(on_due)));
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
    server->probe_timer.async_wait([self = shared_from_this(), server, round = server->round](error_code ec) {
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
    if (!at || *at > now) // calls have shown by now that it is alive
        return arm_probe(server);
    server->probing = true;
    call_options options;
    options.idle_limit = options.attempt_limit = server->options.probe_limit;
    auto on_answer = [self = shared_from_this(), began = now](server_pointer const& probed, error_code ec,
                                                              call_result const& result) {
        outcome how;
        how.how = certainty_of(evidence::result);
        how.answered = true;
        if (ec)
            how = result.attempts().front().result;
        how.elapsed = self->time_.now() - began;
        probed->probing = false;
        probed->published->in_flight.store(probed->calls_in_flight(), std::memory_order_relaxed);
        self->on_probed(probed, how);
    };
    session_request::start(server->session, ping_of(*server->session), std::move(options),
                           {server_turn(server, std::move(on_answer)), executor_});
}

LINKSPAN_DECL void connector_core::on_probed(server_pointer const& server, outcome const& result)
{
    if (server->removed)
        return;
    auto const now = time_.now();
    if (result.answered)
        server->published->last_probe.store(time_.wall_now().time_since_epoch().count(), std::memory_order_relaxed);
    else if (server->state == server_state::ready) // a loss was counted as one
        server->published->count_error();
    if (!result.answered)
        server->last_failure = result.ec;
    policies_->on_probe(server->id, result, now);
    on_judged(server);
}

LINKSPAN_DECL void connector_core::on_judged(server_pointer const& server)
{
    auto const was = server->published->health.load(std::memory_order_relaxed);
    auto const is = policies_->health(server->id, time_.now());
    if (was != is) {
        server->published->health.store(is, std::memory_order_relaxed);
        event(server->key, "health", to_string(is));
    }
    if (server->state != server_state::ready)
        return;
    arm_probe(server);
    if (is == health_state::tripped || was == health_state::tripped)
        publish_breaker(*server, is);
}

// Text and time are those of the next probe, so both are published again with each.
LINKSPAN_DECL void connector_core::publish_breaker(server_entry& server, health_state health)
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

// Completes an operation that ends the server gracefully; a cancellation ends the server at once.
LINKSPAN_DECL std::function<void(error_code)> connector_core::ender(server_pointer const& server, done_handler done)
{
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), server] {
        if (server)
            self->cut_short(server);
        return std::tuple();
    });
    return [waiting](error_code ec) { waiting->complete(ec); };
}

// Its graceful end goes on, without waiting for the server.
LINKSPAN_DECL void connector_core::cut_short(server_pointer const& server)
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
    auto finish = ender(server, std::move(done));
    if (!server || server->state == server_state::disabled) {
        asio::post(executor_, [finish = std::move(finish)] { finish({}); });
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
    auto finish = ender(server, std::move(done));
    if (!server) {
        asio::post(executor_, [finish = std::move(finish)] { finish({}); });
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
    auto finish = ender(server, std::move(done));
    if (!server) {
        asio::post(executor_, [finish = std::move(finish)] { finish({}); });
        return;
    }
    drop_tools(*server);
    by_key_.erase(server->key);
    std::erase(order_, server);
    publish_servers();
    forget(server);
    drain(server, server_state::closed, std::move(finish));
}

// The new one is opened beside the old one, which goes on until then: a mistake in the new one costs nobody anything.
LINKSPAN_DECL void connector_core::replace(std::string_view key, std::string_view kind, transport_factory transport,
                                           server_options options, report_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const old = find(key);
    if (!old)
        return connect(key, std::move(done)); // which says so
    auto const server = make_server(old->key, kind, std::move(transport), std::move(options));
    closed_ = false;
    ++times_opened;
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(asio::cancellation_type::all, [self = shared_from_this(), server] {
        self->forget(server);
        self->end_at_once(*server, server_state::closed);
        std::erase(self->leaving_, server);
        return std::tuple(aborted_report(server->key));
    });
    auto finish = [self = shared_from_this(), server, before = times_closed, waiting](server_report const& how) {
        if (waiting->is_over())
            return;
        self->take_place(server, how);
        self->publish_news();
        bool const is_closed = self->times_closed != before;
        waiting->complete(is_closed ? error_code(asio::error::operation_aborted) : error_code(), how);
    };
    if (server->state == server_state::disabled) {
        server_report report;
        report.server = server->key;
        report.ec = error::server_disabled;
        asio::post(executor_, [finish = std::move(finish), report] { finish(report); });
        return;
    }
    await(server, std::move(finish));
}

LINKSPAN_DECL void connector_core::take_place(server_pointer const& server, server_report const& how)
{
    auto const old = find(server->key);
    if (!how || !old) {
        forget(server);
        return end(server, server_state::closed, {});
    }
    by_key_.erase(server->key); // the text of the key is that of the old one
    by_key_.emplace(server->key, server);
    std::ranges::replace(order_, old, server);
    tools_changed();
    publish_servers();
    forget(old);
    drain(old, server_state::closed, {});
}

// Ends one server gracefully. `done` runs later.
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
    server->report.detail = "it was ended";
    if (server->state != server_state::closing)
        forget_operations(*server);
    server->state = server_state::closing;
    finish_opening(*server);
    publish(*server, {}, {});
    shut_down(server);
}

// The same, when the calls that it has are over; new ones it gets none.
LINKSPAN_DECL void connector_core::drain(server_pointer const& server, server_state after,
                                         std::function<void(error_code)> done)
{
    bool const has_calls = server->state == server_state::ready && server->session->in_flight() != 0;
    if (!has_calls)
        return end(server, after, std::move(done));
    server->after = server->options.enabled ? after : server_state::disabled;
    if (done)
        server->awaiting_end.push_back(std::move(done));
    forget_operations(*server);
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
    server->restart_timer.expires_after(server->options.drain_limit);
    server->restart_timer.async_wait(server_turn(server, [finish](server_pointer const&, error_code) { finish(); }));
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
    if (server->state != server_state::closing) // the connector was closed, and perhaps opened again
        return;
    server->state = server->after;
    std::erase(leaving_, server);
    publish(*server, {}, {});
    finish_end(*server, ec);
    if (server->awaiting.empty())
        return;
    if (server->state == server_state::disabled || server->removed || !server->is_wanted())
        return finish_opening(*server);
    start(server);
}

// Ends all servers at once; the last one to end, or the time limit, completes the whole.
struct connector_core::stopping {
    stopping(std::shared_ptr<connector_core> core, shutdown_handler handler)
        : owner(std::move(core)),
          times_opened(owner->times_opened),
          times_closed(owner->times_closed),
          began(owner->time_.now()),
          limit(owner->executor_),
          done(make_cancellable(std::move(handler), owner->executor_))
    {}

    std::shared_ptr<connector_core> owner;
    std::uint32_t times_opened;
    std::uint32_t times_closed;
    time_point began;
    timer limit;
    bool is_late = false;
    std::shared_ptr<cancellable_completion<void(error_code, shutdown_report)>> done;
    shutdown_report report;
    std::vector<server_pointer> ending; // a server for each line; null: it has ended
    std::size_t left = 1;               // one for the loop that ends them

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
        limit.cancel();
        if (done->is_over())
            return;
        auto const failed = std::ranges::find_if(report.servers, [](auto const& end) { return end.ec.failed(); });
        error_code ec = failed == report.servers.end() ? error_code() : failed->ec;
        if (owner->times_closed != times_closed)
            ec = asio::error::operation_aborted;
        if (owner->times_opened == times_opened) // else it is to stay open
            owner->end_at_once();
        done->complete(ec, std::move(report));
    }

    // As `close`, but for what was opened again meanwhile.
    std::tuple<shutdown_report> cancel()
    {
        limit.cancel();
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

    // What was opened again meanwhile stays.
    void give_up()
    {
        is_late = true;
        for (auto const& server : ending)
            if (server)
                server->session->close();
    }
};

LINKSPAN_DECL void connector_core::shutdown(duration limit, shutdown_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const all = std::make_shared<stopping>(shared_from_this(), std::move(done));
    all->done->on_cancel(terminal_or_partial, [weak = std::weak_ptr(all)] { return weak.lock()->cancel(); });
    auto servers = order_;
    servers.insert(servers.end(), leaving_.begin(), leaving_.end());
    all->ending = servers;
    for (auto const& server : servers) {
        ++all->left;
        auto const line = all->report.servers.size();
        all->report.servers.emplace_back().server = server->key;
        bool const is_disabled = server->state == server_state::disabled;
        end(server, is_disabled ? server_state::disabled : server_state::closed,
            [all, line](error_code ec) { all->finish_server(line, ec); });
    }
    all->limit.expires_after(limit);
    all->limit.async_wait([all](error_code ec) {
        if (!ec)
            all->give_up();
    });
    asio::post(executor_, [all] { all->finish_one(); });
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
    while (!paused_calls.empty())
        paused_calls.back()->abort();
    auto all = by_id_;
    all.insert(all.end(), leaving_.begin(), leaving_.end());
    for (auto const& server : all)
        if (server)
            end_at_once(*server, server_state::closed);
    leaving_.clear();
    publish_later();
}

LINKSPAN_DECL void connector_core::end_at_once(server_entry& server, server_state after) noexcept
{
    ++server.round;
    server.draining = false;
    forget_operations(server);
    server.session->on_drained = nullptr;
    server.restart_timer.cancel();
    server.probe_timer.cancel();
    server.refresh_timer.cancel();
    for (auto& done : std::exchange(server.awaiting_refresh, {}))
        asio::post(executor_, std::move(done));
    server.session->close();
    server.report.ec = asio::error::operation_aborted;
    finish_opening(server);
    finish_end(server, asio::error::operation_aborted);
    if (!server.options.enabled)
        after = server_state::disabled;
    if (std::exchange(server.state, after) != after)
        publish(server, {}, {});
}

} // namespace linkspan::detail

#endif
