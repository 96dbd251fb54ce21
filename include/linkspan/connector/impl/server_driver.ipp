#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_DRIVER_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_DRIVER_IPP

#include <linkspan/connector/detail/server_driver.hpp>
#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/core/detail/exception_text.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/protocol/outcome.hpp>

#include <boost/asio/error.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of events about unexpected output of one server, which may log to its stdout with each call.
inline constexpr std::uint64_t max_unexpected_output_events = 5;

LINKSPAN_DECL void server_driver::attach(server_entry& server)
{
    auto& session = *server.session;
    // The pointer is weak, because the connector owns the session.
    auto const with_server = [weak = std::weak_ptr(context_.share(this)), id = server.id](auto function) {
        if (auto const self = weak.lock())
            if (auto const found = self->context_.server(id))
                function(*self, found);
    };
    session.owner.on_lost = [with_server](error_code ec) {
        with_server(
            [ec](server_driver& self, server_pointer const& lost) { self.on_lost(lost, ec, lost->diagnostics()); });
    };
    session.owner.on_listed = [with_server](tool_list list) {
        with_server([&list](server_driver& self, server_pointer const& listed) {
            self.lister_.on_listed_by_session(*listed, std::move(list));
        });
    };
    session.owner.on_unexpected_output = [with_server](std::string_view text) {
        with_server(
            [text](server_driver& self, server_pointer const& noisy) { self.on_unexpected_output(*noisy, text); });
    };
    session.handle_notification("notifications/tools/list_changed", [with_server](std::string_view) {
        with_server([](server_driver& self, server_pointer const& changed) { self.lister_.on_list_changed(changed); });
    });
}

LINKSPAN_DECL void server_driver::on_unexpected_output(server_entry& server, std::string_view text)
{
    auto const count = server.session->counters().unexpected_output;
    server.published->unexpected_output.store(count, std::memory_order_relaxed);
    if (count <= max_unexpected_output_events)
        context_.event(server.key, "unexpected_output", server.redacted(text));
}

// Opening

LINKSPAN_DECL void server_driver::await(server_pointer const& server, report_function done, bool now,
                                        std::uint64_t operation)
{
    using demand = server_supervisor::demand;
    auto const next = server->life.on_demanded(operation, now);
    if (next == demand::ready)
        return post_report(*server, std::move(done));
    server->awaiting.push_back(std::move(done));
    if (next == demand::start)
        start(server);
}

LINKSPAN_DECL void server_driver::release(std::uint64_t operation, bool is_cancelled)
{
    std::vector<server_pointer> unwanted;
    for (auto const& server : context_.servers().by_id())
        if (server && server->life.on_released(operation, is_cancelled))
            unwanted.push_back(server);
    for (auto const& server : unwanted) {
        context_.drop_tools(*server);
        close(*server, server->life.after_disconnect());
    }
}

LINKSPAN_DECL void server_driver::refresh(std::function<void()> done, std::uint64_t operation)
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
    for (auto const& server : context_.servers().order()) {
        auto const state = server->life.state();
        bool const is_needed = state == server_state::idle && server->options.start != start_mode::lazy;
        if (state == server_state::ready) {
            ++all->left;
            lister_.refresh(server, [all] { all->finish_one(); });
        } else if (is_needed || state == server_state::opening) {
            ++all->left;
            await(
                server, [all](server_report const&) { all->finish_one(); }, false, operation);
        }
    }
    post_handler(context_.executor(), [all] { all->finish_one(); });
}

LINKSPAN_DECL void server_driver::start(server_pointer const& server)
{
    server->life.on_starting();
    auto const epoch = server->life.epoch();
    server->restart_timer.cancel();
    server->tools.on_opening();
    server->began = context_.time().now();
    server->report = {};
    server->report.server = server->key;
    context_.publish(*server, {}, {});
    auto on_open = [self = context_.share(this), epoch](server_pointer const& opened, error_code ec) {
        if (opened->life.epoch() == epoch)
            self->on_opened(opened, ec, opened->diagnostics());
    };
    try {
        keeps_waiting const scope(*server);
        server->session->open({server_turn(server, std::move(on_open)), context_.executor()});
    } catch (...) { // from a transport
        post_handler(context_.executor(),
                     [self = context_.share(this), server, epoch, what = server->redacted(exception_text())] {
                         if (server->life.epoch() == epoch)
                             self->on_opened(server, error::connection_failed, what);
                     });
    }
}

LINKSPAN_DECL void server_driver::on_opened(server_pointer const& server, error_code ec, std::string const& detail)
{
    auto& session = *server->session;
    auto& report = server->report;
    auto const now = context_.time().now();
    report.ec = ec;
    report.detail = detail;
    report.elapsed = now - server->began;
    if (ec) {
        report.phase = session.connected() ? open_phase::negotiate : open_phase::start;
        on_lost(server, ec, detail);
        return finish_opening(*server);
    }
    report.protocol_version = session.version();
    report.phase = open_phase::list_tools;
    server->life.on_connected(now);
    outcome connected;
    connected.certainty = certainty_of(evidence::result);
    // The duration of the start is not reported, because it is unrelated to the latency of calls.
    connected.has_response = true;
    context_.policies().on_probe(server->id, connected, now);
    bool const has_tools = session.server().offers_tools();
    if (!has_tools && server->tools.on_no_tools())
        context_.on_tools_dropped();
    context_.publish(*server, {}, {});
    prober_.schedule(server);
    if (!has_tools) {
        report.phase = open_phase::done;
        return finish_opening(*server);
    }
    lister_.list_first(server, [self = context_.share(this), server](error_code failure, std::string const& problem) {
        self->on_listed(*server, failure, problem);
    });
}

LINKSPAN_DECL void server_driver::on_listed(server_entry& server, error_code ec, std::string const& problem_text)
{
    auto& report = server.report;
    report.ec = ec;
    report.tools = server.tools.tools().size();
    report.elapsed = context_.time().now() - server.began;
    if (ec) {
        server.published->count_error();
        report.detail = "tools/list failed: " + ec.message();
    } else if (!problem_text.empty()) {
        report.detail = problem_text;
    }
    if (!ec)
        report.phase = open_phase::done;
    finish_opening(server);
}

// Each handler is posted separately, because a handler may throw.
LINKSPAN_DECL void server_driver::finish_opening(server_entry& server)
{
    server.life.on_settled();
    context_.publish_later();
    for (auto& done : std::exchange(server.awaiting, {}))
        post_report(server, std::move(done));
}

// Posts a handler with the report of the opening. An earlier handler may end the server. The report then has an error,
// so that no call is sent to the server.
LINKSPAN_DECL void server_driver::post_report(server_entry& server, report_function done)
{
    post_handler(context_.executor(), [self = context_.share(this), id = server.id, epoch = server.life.epoch(),
                                       done = std::move(done), report = server.report]() mutable {
        auto const& opened = self->context_.server(id);
        if (!report.ec && (!opened || opened->life.epoch() != epoch)) {
            report.ec = error::not_connected;
            report.detail = opened ? opened->diagnostics() : "the server was removed";
        }
        done(report);
    });
}

// Completes the operations that wait for the opening of a server that is to be shut down.
LINKSPAN_DECL void server_driver::abort_opening(server_entry& server)
{
    server.report.ec = error::not_connected;
    server.report.detail = "the server was shut down";
    finish_opening(server);
}

LINKSPAN_DECL void server_driver::finish_end(server_entry& server, error_code ec)
{
    for (auto& done : std::exchange(server.awaiting_end, {}))
        post_handler(context_.executor(), [done = std::move(done), ec] { done(ec); });
}

// Restarts

LINKSPAN_DECL void server_driver::on_lost(server_pointer const& server, error_code ec, std::string const& detail)
{
    using kind = server_supervisor::loss::kind;
    auto const here = context_.enter();
    auto& time = context_.time();
    auto const now = time.now();
    bool const exited_idle = server->session->in_flight() == 0 && server->session->exited_cleanly();
    auto const lost = server->life.on_lost(now, time.draw(), exited_idle);
    if (lost.what == kind::none)
        return;
    if (lost.what == kind::end)
        return end_drained(server);
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    // A process that exited without an error, while no request was outstanding, is not restarted automatically.
    if (lost.what == kind::exited_cleanly)
        return context_.publish(*server, {}, detail);
    server->published->count_error();
    outcome result;
    result.certainty = certainty_of(evidence::not_connected);
    result.ec = ec;
    context_.policies().on_result(server->id, result, now);
    if (lost.what == kind::restart)
        restart_later(server, lost.wait);
    context_.publish(*server, ec, detail);
    if (lost.turned_slow)
        context_.event(server->key, "slow_restarts", server->life.restart_text(now));
    if (lost.was_opening) {
        server->report.ec = ec;
        server->report.detail = detail;
        server->report.elapsed = now - server->began;
        finish_opening(*server);
    }
}

LINKSPAN_DECL void server_driver::restart_later(server_pointer const& server, duration wait)
{
    auto const at = context_.time().after(wait);
    server->life.on_restart_scheduled(at);
    auto on_due = [self = context_.share(this), epoch = server->life.epoch()](server_pointer const& due, error_code) {
        if (due->life.epoch() != epoch)
            return;
        auto& restarts = due->published->restarts;
        restarts.store(restarts.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        self->start(due);
    };
    auto& waiting = server->restart_timer.in_background(context_.executor());
    waiting.expires_at(at);
    start_wait(waiting, server_turn(server, std::move(on_due)));
}

// Ending

LINKSPAN_DECL void server_driver::end(server_pointer const& server, server_state after, end_function done)
{
    if (done)
        server->awaiting_end.push_back(std::move(done));
    if (!server->life.on_end(after))
        return;
    abort_opening(*server);
    shut_down(server);
}

LINKSPAN_DECL void server_driver::drain(server_pointer const& server, server_state after, end_function done)
{
    bool const has_calls = server->life.state() == server_state::ready && server->session->in_flight() != 0;
    if (!has_calls && !server->life.is_draining())
        return end(server, after, std::move(done));
    if (done)
        server->awaiting_end.push_back(std::move(done));
    if (!server->life.on_drain(after))
        return;
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    abort_opening(*server);
    context_.publish(*server, {}, {});
    auto const finish = [weak = std::weak_ptr(context_.share(this)), server = std::weak_ptr(server),
                         epoch = server->life.epoch()] {
        auto const self = weak.lock();
        auto const drained = server.lock();
        if (self && drained && drained->life.epoch() == epoch && drained->life.is_draining())
            self->end_drained(drained);
    };
    server->session->owner.on_drained = finish;
    auto& waiting = server->restart_timer.in_background(context_.executor());
    waiting.expires_after(server->options.drain_timeout);
    start_wait(waiting, server_turn(server, [finish](server_pointer const&, error_code) { finish(); }));
}

// Begins the shutdown of a server that is being drained. The server is started again afterwards for the operations that
// wait for its opening.
LINKSPAN_DECL void server_driver::end_drained(server_pointer const& server)
{
    if (server->life.on_drained())
        shut_down(server);
}

LINKSPAN_DECL void server_driver::shut_down(server_pointer const& server)
{
    server->restart_timer.cancel();
    server->probe_timer.cancel();
    server->refresh_timer.cancel();
    context_.publish(*server, {}, {});
    server->session->owner.on_drained = nullptr;
    auto on_shutdown = [self = context_.share(this)](server_pointer const& ended, error_code ec) {
        self->on_ended(ended, ec);
    };
    server->session->shutdown({server_turn(server, std::move(on_shutdown)), context_.executor()});
}

LINKSPAN_DECL void server_driver::on_ended(server_pointer const& server, error_code ec)
{
    // False: the server was closed during the shutdown, and perhaps opened again.
    if (!server->life.on_ended())
        return;
    context_.servers().on_ended(server);
    context_.publish(*server, {}, {});
    finish_end(*server, ec);
    if (server->awaiting.empty())
        return;
    if (!server->life.may_start_again())
        return finish_opening(*server);
    start(server);
}

LINKSPAN_DECL void server_driver::close_ending(server_pointer const& server)
{
    if (server->life.state() != server_state::closing)
        return;
    if (server->life.is_draining())
        end_drained(server);
    server->session->close();
}

LINKSPAN_DECL void server_driver::close(server_entry& server, server_state after) noexcept
{
    server.life.on_closing();
    server.session->owner.on_drained = nullptr;
    server.restart_timer.cancel();
    server.probe_timer.cancel();
    server.refresh_timer.cancel();
    for (auto& done : server.tools.take_requesters())
        post_handler(context_.executor(), std::move(done));
    server.session->close();
    server.report.ec = asio::error::operation_aborted;
    finish_opening(server);
    finish_end(server, asio::error::operation_aborted);
    if (server.life.on_closed(after))
        context_.publish(server, {}, {});
}

LINKSPAN_DECL void server_driver::on_removed(server_entry& server)
{
    server.life.on_removed();
    context_.policies().removed(server.id);
}

} // namespace linkspan::detail

#endif
