#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_IPP

#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/intercepted_call.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void call_deleter::operator()(call_runner* call) const noexcept { call->recycle(*owner); }

LINKSPAN_DECL call_runner::pointer call_runner::prepare(std::shared_ptr<connector_core> const& owner,
                                                        std::string_view target, std::string_view tool)
{
    pointer self(&owner->calls().acquire(), call_deleter{owner});
    self->assign(owner);
    self->has_refreshed_ = self->has_awaited_catalog_ = false;
    self->request().reset(target, tool);
    return self;
}

LINKSPAN_DECL void call_runner::start(pointer call, handler_type handler)
{
    auto& request = call->request();
    request.end_arguments();
    if (!call->owner().interceptors().empty() && !request.skips_interceptors() && !request.rejection())
        return start_intercepted(std::move(call), std::move(handler));
    auto const here = call->owner().enter();
    auto& self = *call.release();
    self.begin(std::move(handler));
    if (request.rejection())
        self.fail(request.rejection(), request.rejection_detail());
    else
        self.resolve();
    self.on_initiated();
}

LINKSPAN_DECL void call_runner::resolve()
{
    if (owner().epoch().is_closed())
        return fail(error::not_connected, {});
    auto found = routing_.candidates().resolve(request().query(), owner().publisher(), owner().servers());
    switch (found.what) {
    case resolution::kind::found: return route();
    case resolution::kind::unknown: return refresh_and_resolve();
    case resolution::kind::failed: return fail(found.failure->ec, std::move(found.failure->detail));
    }
}

// The options are destroyed after the object is free, because their destructor may start another call, or may own
// objects that own the connector.
LINKSPAN_DECL void call_runner::recycle(connector_core& owner) noexcept
{
    routing_.clear();
    interception_.reset();
    auto const given = release();
    owner.calls().release(*this);
}

LINKSPAN_DECL call_view call_runner::view()
{
    auto const& options = request().options();
    call_view out;
    out.tool = name;
    out.affinity = options.affinity;
    out.correlation = options.correlation;
    out.targeted = !request().target().empty();
    out.in_order = request().query().has_order();
    out.deadline = deadline;
    out.now = now();
    out.draw = owner().time().draw();
    return out;
}

LINKSPAN_DECL failed_call call_runner::failed()
{
    return {owner(), request().query(), routing_.candidates(), routing_.server().get(), trail(), now()};
}

// Attempts

LINKSPAN_DECL void call_runner::route()
{
    method = "tools/call";
    meta = members_of(request().options().meta);
    // Progress restarts the idle timeout.
    requests_progress = true;
    auto const own_name = routing_.candidates().first_name();
    name = own_name.empty() ? std::string_view(request().tool()) : own_name;
    if (auto const only = routing_.start_alone(owner(), now(), deadline))
        return attempt(*only);
    act(routing_.start(owner(), view()));
}

LINKSPAN_DECL void call_runner::act(call_flow::action const& next)
{
    using kind = call_flow::action::kind;
    routing_.add_rejections(owner(), trail());
    switch (next.what) {
    case kind::attempt: return attempt(next.server, next.last_resort);
    case kind::wait: return void(pause(pause_reason::waiting, now() + next.wait));
    case kind::finish: return fail(failure_at_end(failed(), next));
    }
}

LINKSPAN_DECL void call_runner::attempt(server_id id, bool is_last_resort)
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
    auto& candidates = routing_.candidates();
    if (candidates.has_unknown_tools() && server.tools.is_known() &&
        awaits_catalog(pause_reason::connecting, &call_runner::on_published))
        return;
    auto const* const candidate = candidates.prepare(request().query(), server, owner().catalog_now());
    if (!candidate)
        return on_not_reached(error::tool_not_found, "the server has no such tool");
    send(*candidate);
}

LINKSPAN_DECL duration call_runner::time_of_attempt(certainty at_timeout)
{
    return routing_.time_of_attempt(owner(), at_timeout, request().options().attempt_share, now(), deadline - now());
}

// Waits for a server that is being started, or starts it.
LINKSPAN_DECL void call_runner::connect()
{
    began = now();
    has_awaited_catalog_ = false;
    auto on_end = later([this](server_report const& report) {
        resume();
        on_connected(report);
    });
    auto const span = time_of_attempt(certainty::not_sent);
    if (pause(pause_reason::connecting, span < deadline - now() ? now() + span : deadline))
        owner().driver().await(routing_.server(), std::move(on_end));
}

LINKSPAN_DECL void call_runner::on_connected(server_report const& report)
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

// The server of the attempt may have been disconnected during the wait.
LINKSPAN_DECL void call_runner::on_published() { on_connected({}); }

LINKSPAN_DECL void call_runner::on_not_reached(error_code ec, std::string detail)
{
    auto const* const server = routing_.server().get();
    auto const key = server ? std::string_view(server->key) : std::string_view();
    on_outcome(trail().add_not_reached(key, ec, now() - began, std::move(detail)));
}

LINKSPAN_DECL void call_runner::send(call_candidate const& candidate)
{
    auto const replay = candidate.replay; // the candidates may be listed again below
    params = request().params_for(candidate.tool);
    name = request().own_name();
    auto& server = *routing_.server();
    auto const& limits = server.options.session;
    auto const& options = request().options();
    began = now();
    if (!server.options.interceptors.empty())
        return run_interceptors();
    if (server.checks)
        if (auto problem_text = owner().argument_errors(server, name, request().arguments()); !problem_text.empty())
            return finish_attempt(rejection_of_arguments(), {}, std::move(problem_text), name);
    idle_timeout = options.idle_timeout.value_or(limits.idle_timeout);
    attempt_timeout = options.attempt_timeout.value_or(limits.attempt_timeout);
    auto const share = replay == replay_class::never ? duration::max() : time_of_attempt(certainty::unknown);
    is_shared = share < attempt_timeout;
    attempt_timeout = std::min(attempt_timeout, share);
    if (complete_if_cancelled())
        return;
    on_requested();
    server.session->start(*this);
    server.published->in_flight.store(server.session->in_flight(), std::memory_order_relaxed);
    owner().lister().refresh_if_stale(routing_.server(), now());
}

LINKSPAN_DECL void call_runner::on_due(pause_reason why)
{
    bool const is_late = now() >= deadline;
    switch (why) {
    case pause_reason::resolving:
        if (is_late)
            return fail(list_timeout_failure(failed(), timeout));
        return resolve(); // searches the tools that are listed so far
    case pause_reason::connecting:
        return on_not_reached(is_late ? error::deadline_exceeded : error::attempt_timed_out,
                              not_ready_text(*routing_.server(), is_late ? timeout : now() - began, !is_late));
    case pause_reason::intercepting: return on_intercepted(error::deadline_exceeded, {});
    case pause_reason::checking: return on_outcome(outcome(trail().last().result));
    case pause_reason::waiting: return act(routing_.on_waited(owner(), view()));
    }
}

LINKSPAN_DECL bool call_runner::can_fail_over()
{
    advance();
    auto const lost = outcome_at_end(certainty_of(evidence::stream_ended), error::stream_ended);
    consultation const here(*this);
    // A cancelled call completes with the attempt.
    return routing_.can_fail_over(owner(), lost, view(), owner().calls().in_flight()) || is_cancelled();
}

LINKSPAN_DECL void call_runner::on_done(reply const& completion)
{
    auto const here = owner().enter();
    on_responded();
    move_to(began + completion.result.elapsed);
    if (completion.result.ec)
        return finish_attempt(completion.result, {}, describe(completion), name, error_data(completion));
    auto tool_result = completion.tool_result();
    tool_result.server(routing_.server()->shared_key);
    finish_attempt(completion.result, std::move(tool_result), {}, name);
}

// `data`: of the error response, as JSON text.
LINKSPAN_DECL void call_runner::finish_attempt(outcome result, call_result&& tool_result, std::string&& detail,
                                               std::string_view tool, std::string_view data)
{
    auto& server = *routing_.server();
    // A session reports the loss of its connection (`on_lost`) before the requests on it fail.
    bool const is_loss = result.ec && !result.has_response && server.session->state() == session_state::closed;
    result.repeated = routing_.is_repeated() || is_loss;
    if (!result.ec && server.checks)
        detail = owner().result_errors(server, tool, tool_result);
    bool const has_invalid_result = !result.ec && !detail.empty();
    if (has_invalid_result)
        result.ec = error::unexpected_result;
    bool const was_sent_to_server = !result.ec || !is_rejection_of_arguments(result);
    if (was_sent_to_server)
        owner().prober().record(server, result, now());
    if (owner().policies().observes_attempts())
        routing_.observe(owner(), result, !result.ec && tool_result.is_error(), view());
    if (!result.ec) {
        if (!trail().empty()) {
            trail().add_attempt(server.key, id(), result, {});
            tool_result.trail(trail().take());
        }
        return complete({}, std::move(tool_result));
    }
    detail = server.redacted(detail);
    trail().add_attempt(server.key, id(), result, detail, server.redacted(data));
    if (!was_sent_to_server)
        return on_rejected_arguments(result);
    // The call is not sent to another server, because the tool was executed. The caller receives the result.
    if (has_invalid_result)
        return fail_with_result(result.ec, std::move(tool_result), std::move(detail));
    if (result.ec == asio::error::operation_aborted && was_closed())
        return fail(result.ec, {});
    if (result.ec.category() == rpc_category() && (result.ec.value() == -32601 || result.ec.value() == -32602) &&
        !std::exchange(has_refreshed_, true))
        return check_tool();
    on_outcome(result);
}

// Other members of a group may accept the arguments.
LINKSPAN_DECL void call_runner::on_rejected_arguments(outcome const& result)
{
    auto const server = routing_.server()->id;
    bool const is_over = routing_.candidates().on_rejected_arguments(server, *owner().catalog_now());
    if (is_over && trail().all_reject_arguments())
        return fail(result.ec, trail().first_detail());
    on_outcome(result);
}

// Lists the tools again after an error that may mean an unknown tool. If the tool is missing, the server has refused
// the call, and another server may execute it.
LINKSPAN_DECL void call_runner::check_tool()
{
    has_awaited_catalog_ = false;
    auto on_refreshed = later([this] {
        resume();
        if (!awaits_catalog(pause_reason::checking, &call_runner::on_checked))
            on_checked();
    });
    if (pause(pause_reason::checking, deadline))
        owner().lister().refresh(routing_.server(), std::move(on_refreshed));
}

LINKSPAN_DECL void call_runner::on_checked()
{
    if (!owner().catalog_now()->find(routing_.server()->id, name))
        trail().on_tool_missing();
    on_outcome(outcome(trail().last().result));
}

LINKSPAN_DECL void call_runner::on_outcome(outcome const& result)
{
    act(routing_.on_outcome(owner(), result, view(), owner().calls().in_flight()));
}

LINKSPAN_DECL void call_runner::on_cancelled(bool is_attempting)
{
    auto const here = std::exchange(interception_, nullptr);
    if (!here && !is_attempting)
        return;
    auto& server = *routing_.server();
    advance();
    auto cancelled = here ? here->outcome_if_cancelled(now() - began)
                          : outcome_at_end(certainty::not_sent, asio::error::operation_aborted);
    if (is_attempting)
        cancelled.certainty = server.session->cancel(*this, "cancelled");
    trail().add_attempt(server.key, id(), cancelled, {});
    owner().prober().record(server, cancelled, now());
    if (here)
        here->cancel();
}

// Interceptors of the server

// Runs the interceptors around one attempt.
LINKSPAN_DECL void call_runner::run_interceptors()
{
    auto const span = time_of_attempt(certainty::unknown);
    auto elsewhere = later([this] { return can_fail_over(); });
    auto done = later([this](error_code ec, call_result const& tool_result) {
        resume();
        on_intercepted(ec, tool_result);
    });
    // The generation of `elsewhere` and `done` is that of the pause.
    if (!pause(pause_reason::intercepting, deadline))
        return;
    interception_ = std::make_shared<attempt_interception>();
    interception_->start(owner(), *routing_.server(), request(), span, std::move(elsewhere), std::move(done));
}

LINKSPAN_DECL void call_runner::on_intercepted(error_code ec, call_result tool_result)
{
    auto const here = std::exchange(interception_, nullptr);
    auto const result = here->outcome_of(ec, tool_result, now() - began);
    std::string detail(ec && !tool_result.attempts().empty() ? tool_result.attempts().back().detail
                                                             : std::string(tool_result.detail()));
    if (ec == error::deadline_exceeded)
        here->cancel();
    if (!ec) {
        tool_result.server(routing_.server()->shared_key);
        tool_result.trail({});
    }
    finish_attempt(result, std::move(tool_result), std::move(detail),
                   here->tool().empty() ? name : std::string_view(here->tool()));
}

} // namespace linkspan::detail

#endif
