#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_PROBER_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_PROBER_IPP

#include <linkspan/connector/detail/server_prober.hpp>
#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void server_prober::record(server_entry& server, outcome const& result, time_point now)
{
    constexpr auto order = std::memory_order_relaxed;
    auto& policies = context_.policies();
    auto& out = *server.published;
    out.calls.store(out.calls.load(order) + 1, order);
    if (result.ec) {
        out.failures.store(out.failures.load(order) + 1, order);
        if (result.ec != asio::error::operation_aborted)
            server.last_failure = result.ec;
    }
    server.publish_requests();
    if (result.has_response) {
        server.latency = server.latency ? *server.latency + (result.elapsed - *server.latency) / 8 : result.elapsed;
        out.latency.store(server.latency->count(), order);
    }
    if (result.retry_after)
        server.throttled_until = now + *result.retry_after;
    auto const health = policies.on_result(server.id, result, now);
    // An attempt that did not reach the server may change the time of the next probe, without a change of the health.
    bool const has_new_health = health != out.health.load(order) || result.certainty == certainty::not_sent;
    if (has_new_health && !server.life.is_removed())
        on_health_changed(context_.server(server.id));
}

LINKSPAN_DECL void server_prober::schedule(server_pointer const& server)
{
    auto& time = context_.time();
    auto const at = context_.policies().next_probe(server->id, time.now(), time.draw());
    server->probe_timer.cancel();
    if (!at || !server->life.may_probe())
        return;
    server->life.on_probe_scheduled(*at);
    server->probe_timer.expires_at(*at);
    start_wait(server->probe_timer, [self = context_.share(this), server, epoch = server->life.epoch()](error_code ec) {
        if (!ec && server->life.epoch() == epoch)
            self->on_due(server);
    });
}

LINKSPAN_DECL void server_prober::on_due(server_pointer const& server)
{
    auto const here = context_.enter();
    auto& time = context_.time();
    auto const now = time.now();
    auto const at = context_.policies().next_probe(server->id, now, time.draw());
    if (!server->life.may_probe())
        return;
    // The responses to calls have postponed the probe.
    if (!at || *at > now)
        return schedule(server);
    server->life.on_probe_started();
    call_options options;
    options.idle_timeout = options.attempt_timeout = server->options.probe_timeout;
    auto on_response = [self = context_.share(this), began = now](server_pointer const& probed, error_code ec,
                                                                  call_result const& result) {
        outcome probe_result;
        probe_result.certainty = certainty_of(evidence::result);
        probe_result.has_response = true;
        if (ec)
            probe_result = result.attempts().front().result;
        probe_result.elapsed = self->context_.time().now() - began;
        probed->life.on_probe_ended();
        probed->publish_requests();
        self->on_finished(probed, probe_result);
        if (ec == error::attempt_timed_out && probe_result.certainty != certainty::not_sent)
            self->on_no_response(probed, began);
    };
    auto request = session_request::prepare(server->session, ping_method(*server->session));
    request->set_options(std::move(options));
    session_request::start(std::move(request), {server_turn(server, std::move(on_response)), context_.executor()});
}

LINKSPAN_DECL void server_prober::on_finished(server_pointer const& server, outcome const& result)
{
    if (server->life.is_removed())
        return;
    auto& time = context_.time();
    auto const now = time.now();
    if (result.has_response)
        server->published->last_probe.store(time.wall_now().time_since_epoch().count(), std::memory_order_relaxed);
    // A lost connection was already counted.
    else if (server->life.state() == server_state::ready)
        server->published->count_error();
    if (!result.has_response)
        server->last_failure = result.ec;
    context_.policies().on_probe(server->id, result, now);
    on_health_changed(server);
}

// The examination is posted, because the session may call the handler of the probe inside one of its functions.
LINKSPAN_DECL void server_prober::on_no_response(server_pointer const& server, time_point began)
{
    post_handler(context_.executor(), [self = context_.share(this), server, began, epoch = server->life.epoch()] {
        if (server->life.epoch() == epoch)
            self->end_if_unresponsive(*server, began);
    });
}

// Ends the connection of a server that has sent no message for too long.
LINKSPAN_DECL void server_prober::end_if_unresponsive(server_entry& server, time_point began)
{
    auto& session = *server.session;
    auto const now = context_.time().now();
    auto const received = session.received_at();
    bool const has_calls = session.in_flight() != 0 || session.queued() != 0;
    if (!server.life.on_no_response(began, received, has_calls, now))
        return;
    auto const span = std::chrono::floor<std::chrono::seconds>(now - received);
    session.end_unresponsive(error::attempt_timed_out, "the server has sent no message for " +
                                                           std::to_string(span.count()) + " s, although it was probed");
}

LINKSPAN_DECL void server_prober::on_health_changed(server_pointer const& server)
{
    auto const previous = server->published->health.load(std::memory_order_relaxed);
    auto const current = context_.policies().health(server->id, context_.time().now());
    if (previous != current) {
        context_.replicas().on_changed();
        server->published->health.store(current, std::memory_order_relaxed);
        context_.event(server->key, "health", to_string(current));
    }
    if (server->life.state() != server_state::ready)
        return;
    schedule(server);
    if (current == health_state::tripped || previous == health_state::tripped)
        publish_breaker_state(*server, current);
}

// The text and the time refer to the next probe, so that both are published after each probe.
LINKSPAN_DECL void server_prober::publish_breaker_state(server_entry& server, health_state health)
{
    auto& out = *server.published;
    auto const& time = context_.time();
    bool const is_open = health == health_state::tripped;
    auto const at = server.life.probe_at();
    auto const wait = std::max(at - time.now(), duration::zero());
    out.retry_at.store(is_open ? wall_count(time, at) : published_server::none, std::memory_order_relaxed);
    std::lock_guard const lock(out.text);
    out.last_error = server.last_failure.message();
    if (is_open)
        out.last_error = "circuit breaker is open until a probe succeeds, next probe in " +
                         std::to_string(std::chrono::ceil<std::chrono::milliseconds>(wait).count()) +
                         " ms; last failure: " + out.last_error;
}

} // namespace linkspan::detail

#endif
