#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_ATTEMPTS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_ATTEMPTS_HPP

#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_operation.hpp>
#include <linkspan/connector/detail/call_routing.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/session_ops.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Base of an operation that sends a request to one of several servers, and after a failure to another one: runs the
// attempts that `call_routing` determines. The base does not depend on the method and the
// result of the request.
//
// `Call`, the derived class, sets the candidates and calls begin_attempts(). It has these functions:
// - prepare_connection(): the attempt waits for its server, or starts it.
// - prepare_request(): the server of the attempt is ready. Sets the members of `request_op` and calls send_request(),
//   or ends the attempt in another way.
// - finish_attempt(outcome, call_result&&, std::string&& detail, std::string_view name, std::string_view data): the
//   request is complete. `data`: of the error response, as JSON text.
template<class Call>
class call_attempts : public call_operation {
protected:
    call_attempts() = default;
    ~call_attempts() = default;

    // Sets the members of the request that all attempts have in common, and starts the first attempt. `called`: the
    // name for policies and texts.
    void begin_attempts(std::string_view request_method, std::string_view called);

    call_view view();
    failed_call failed();
    void act(call_flow::action const& next);
    void attempt(server_id server, bool is_last_resort = false);
    duration time_of_attempt(certainty at_timeout);
    void on_connected(server_report const& report);
    void on_not_reached(error_code ec, std::string detail);
    void on_connecting_due();

    // Sets the timeouts of the attempt. `replay`: replay class of the request on its server.
    void set_timeouts(replay_class replay);

    // Sends the request to the server of the attempt. Returns false if the call was cancelled and is complete.
    bool send_request();

    // Sets `repeated` of an outcome, before it is reported.
    void mark_repeated(outcome& result);

    // Reports the outcome of an attempt to the observer. Precondition: policies().observes_attempts().
    void observe(outcome const& result, bool has_failed_result);

    // Completes the call with the result of the attempt.
    void complete_with(outcome const& result, call_result&& value)
    {
        if (!trail().empty())
            add_trail(result, value);
        complete({}, std::move(value));
    }

    // Ends the current attempt of a call that the caller cancels. `cancelled`: its outcome.
    void record_cancelled(outcome const& cancelled);

    void on_outcome(outcome const& result);

    bool can_fail_over() final;

    call_routing& routing() noexcept { return routing_; }
    call_routing const& routing() const noexcept { return routing_; }

private:
    Call& self() noexcept { return static_cast<Call&>(*this); }
    call_routing const& routes() const noexcept final { return routing_; }
    void connect();
    void add_trail(outcome const& result, call_result& value);
    void on_done(reply const& completion) final;
    void on_end() noexcept final { routing_.end_attempt(); }

    call_routing routing_; // candidates, server and flow; cleared by the derived class when the object is released
};

template<class Call>
call_view call_attempts<Call>::view()
{
    auto const& options = request().options();
    call_view out;
    out.tool = name;
    out.method = method;
    out.affinity = options.affinity;
    out.correlation = options.correlation;
    out.targeted = !request().target().empty();
    out.in_order = request().query().has_order();
    out.deadline = deadline;
    out.now = now();
    out.draw = owner().time().draw();
    return out;
}

template<class Call>
failed_call call_attempts<Call>::failed()
{
    return {owner(), request().query(), routing_.candidates(), routing_.server().get(), trail(), now()};
}

template<class Call>
void call_attempts<Call>::begin_attempts(std::string_view request_method, std::string_view called)
{
    method = request_method;
    meta = members_of(request().options().meta);
    // Progress restarts the idle timeout.
    requests_progress = true;
    name = called;
    if (auto const only = routing_.start_alone(owner(), now(), deadline))
        return attempt(*only);
    act(routing_.start(owner(), view()));
}

template<class Call>
void call_attempts<Call>::act(call_flow::action const& next)
{
    using kind = call_flow::action::kind;
    routing_.add_rejections(owner(), trail());
    switch (next.what) {
    case kind::attempt: return attempt(next.server, next.last_resort);
    case kind::wait: return void(pause(pause_reason::waiting, now() + next.wait));
    case kind::finish: return fail(failure_at_end(failed(), next));
    }
}

template<class Call>
void call_attempts<Call>::attempt(server_id id, bool is_last_resort)
{
    if (!routing_.begin_attempt(owner(), id, is_last_resort))
        return on_not_reached(error::unknown_server, "the server was removed");
    auto& server = *routing_.server();
    if (server.session->state() != session_state::ready || !server.life.is_settled()) {
        // The server was shut down after the selection.
        if (!server.is_available(now()) && !server.is_starting_soon(now()))
            return on_not_reached(error::not_connected, server.diagnostics());
        return connect();
    }
    server.life.on_used();
    self().prepare_request();
}

template<class Call>
duration call_attempts<Call>::time_of_attempt(certainty at_timeout)
{
    return routing_.time_of_attempt(owner(), at_timeout, request().options().attempt_share, now(), deadline - now());
}

// Waits for a server that is being started, or starts it.
template<class Call>
void call_attempts<Call>::connect()
{
    began = now();
    self().prepare_connection();
    auto on_end = later([this](server_report const& report) {
        resume();
        on_connected(report);
    });
    auto const span = time_of_attempt(certainty::not_sent);
    if (pause(pause_reason::connecting, span < deadline - now() ? now() + span : deadline))
        owner().driver().await(routing_.server(), std::move(on_end));
}

template<class Call>
void call_attempts<Call>::on_connected(server_report const& report)
{
    auto const& server = *routing_.server();
    // A server whose `tools/list` request failed may have the tool.
    if (report.ec && report.phase != open_phase::list_tools)
        return on_not_reached(report.ec, report.detail);
    // The server may have been disconnected during the wait. Its session stays ready while outstanding calls complete.
    if (server.session->state() != session_state::ready || server.life.state() != server_state::ready)
        return on_not_reached(error::not_connected, server.diagnostics());
    // The set of servers may have changed during the wait.
    routing_.update(owner(), now());
    attempt(server.id);
}

// The server was not ready in time.
template<class Call>
void call_attempts<Call>::on_connecting_due()
{
    bool const is_late = now() >= deadline;
    on_not_reached(is_late ? error::deadline_exceeded : error::attempt_timed_out,
                   not_ready_text(*routing_.server(), is_late ? timeout : now() - began, !is_late));
}

template<class Call>
void call_attempts<Call>::on_not_reached(error_code ec, std::string detail)
{
    auto const* const server = routing_.server().get();
    auto const key = server ? std::string_view(server->key) : std::string_view();
    on_outcome(trail().add_not_reached(key, ec, now() - began, std::move(detail)));
}

template<class Call>
void call_attempts<Call>::set_timeouts(replay_class replay)
{
    auto const& limits = routing_.server()->options.session;
    auto const& options = request().options();
    idle_timeout = options.idle_timeout.value_or(limits.idle_timeout);
    attempt_timeout = options.attempt_timeout.value_or(limits.attempt_timeout);
    auto const share = replay == replay_class::never ? duration::max() : time_of_attempt(certainty::unknown);
    is_shared = share < attempt_timeout;
    attempt_timeout = std::min(attempt_timeout, share);
}

template<class Call>
bool call_attempts<Call>::send_request()
{
    if (complete_if_cancelled())
        return false;
    auto& server = *routing_.server();
    on_requested();
    server.session->start(*this);
    server.publish_requests();
    return true;
}

template<class Call>
bool call_attempts<Call>::can_fail_over()
{
    advance();
    auto const lost = outcome_at_end(certainty_of(evidence::stream_ended), error::stream_ended);
    consultation const here(*this);
    // A cancelled call completes with the attempt.
    return routing_.can_fail_over(owner(), lost, view(), owner().calls().in_flight()) || is_cancelled();
}

template<class Call>
void call_attempts<Call>::on_done(reply const& completion)
{
    auto const here = owner().enter();
    on_responded();
    move_to(began + completion.result.elapsed);
    if (completion.result.ec)
        return self().finish_attempt(completion.result, {}, describe(completion), name, error_data(completion));
    auto value = completion.tool_result();
    value.server(routing_.server()->shared_key);
    self().finish_attempt(completion.result, std::move(value), {}, name, {});
}

template<class Call>
void call_attempts<Call>::mark_repeated(outcome& result)
{
    // A session reports the loss of its connection (`on_lost`) before the requests on it fail.
    bool const is_loss =
        result.ec && !result.has_response && routing_.server()->session->state() == session_state::closed;
    result.repeated = routing_.is_repeated() || is_loss;
}

template<class Call>
void call_attempts<Call>::observe(outcome const& result, bool has_failed_result)
{
    routing_.observe(owner(), result, has_failed_result, view());
}

// A separate function, because most calls succeed at the first attempt and have no trail.
template<class Call>
void call_attempts<Call>::add_trail(outcome const& result, call_result& value)
{
    trail().add_attempt(routing_.server()->key, id(), result, {});
    value.trail(trail().take());
}

template<class Call>
void call_attempts<Call>::record_cancelled(outcome const& cancelled)
{
    auto& server = *routing_.server();
    trail().add_attempt(server.key, id(), cancelled, {});
    owner().prober().record(server, cancelled, now());
}

template<class Call>
void call_attempts<Call>::on_outcome(outcome const& result)
{
    act(routing_.on_outcome(owner(), result, view(), owner().calls().in_flight()));
}

} // namespace linkspan::detail

// The functions require the bodies of `call_operation`: <linkspan/connector/detail/call_runner.hpp> includes them.

#endif
