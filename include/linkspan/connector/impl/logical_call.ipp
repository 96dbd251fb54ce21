#ifndef LINKSPAN_CONNECTOR_IMPL_LOGICAL_CALL_IPP
#define LINKSPAN_CONNECTOR_IMPL_LOGICAL_CALL_IPP

#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/interception.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline constexpr duration default_timeout = std::chrono::seconds(300);

// Returns the share of the remaining time, at least `min_attempt`. `share`: below 1.
inline duration share_of(duration left, double share) noexcept
{
    auto const rest = std::chrono::duration<double, duration::period>(left) * (1 - std::max(share, 0.0));
    return std::max(left - std::chrono::duration_cast<duration>(rest), call_flow::min_attempt);
}

LINKSPAN_DECL void call_deleter::operator()(logical_call* call) const noexcept
{
    if (!owner)
        return;
    // The options are destroyed after the object is free, because their destructor may start another call, or may own
    // objects that own the connector.
    auto const given = call->release_references();
    owner->calls().release(*call);
}

LINKSPAN_DECL logical_call::pointer logical_call::prepare(std::shared_ptr<connector_core> const& owner,
                                                          std::string_view target, std::string_view tool)
{
    pointer self(&owner->calls().acquire(), call_deleter{owner});
    auto& call = *self;
    call.clear();
    call.owner_ = owner;
    call.request_.reset(target, tool);
    return self;
}

LINKSPAN_DECL logical_call::pointer logical_call::prepare(std::shared_ptr<connector_core> const& owner,
                                                          std::string_view target, std::string_view tool,
                                                          call_options options)
{
    auto self = prepare(owner, target, tool);
    self->request_.set_options(std::move(options));
    return self;
}

LINKSPAN_DECL void logical_call::start(pointer call, handler_type handler)
{
    call->request_.end_arguments();
    if (!call->owner_->interceptors().empty() && !call->request_.skips_interceptors() && !call->request_.refusal())
        return start_intercepted(std::move(call), std::move(handler));
    auto const here = call->owner_->enter();
    auto& self = *call.release();
    self.handler_ = std::move(handler);
    if (auto slot = self.handler_.cancellation_slot(); slot.is_connected())
        slot.assign([&self](asio::cancellation_type type) { self.on_cancel(type); });
    self.starting_ = true;
    self.begin();
    self.starting_ = false;
}

LINKSPAN_DECL void logical_call::clear()
{
    ++generation_;
    flow_.reset();
    trail_.clear();
    deadline_ = time_point::max();
    state_ = state::idle;
    refreshed_ = false;
}

LINKSPAN_DECL std::optional<call_options> logical_call::release_references() noexcept
{
    owner_.reset();
    candidates_.clear();
    server_.reset();
    interception_.reset();
    return request_.release();
}

// Attempts

LINKSPAN_DECL void logical_call::begin()
{
    owner_->calls().on_started();
    start_mark_ = owner_->epoch().now();
    now_ = owner_->time().now();
    auto const span = request_.options().timeout.value_or(default_timeout);
    deadline_ = span > time_point::max() - now_ ? time_point::max() : now_ + span;
    if (request_.refusal())
        return fail(request_.refusal(), request_.refusal_detail());
    resolve();
}

LINKSPAN_DECL void logical_call::route()
{
    method = "tools/call";
    meta = members_of(request_.options().meta);
    // Progress restarts the idle timeout.
    wants_progress = true;
    auto const candidates = candidates_.all();
    name = request_.expect_own_name(candidates.empty() ? request_.tool() : candidates.front().tool);
    act(flow_.start(owner_->policies(), view(), servers()));
}

LINKSPAN_DECL call_view logical_call::view()
{
    call_view out;
    out.tool = name;
    out.affinity = request_.options().affinity;
    out.correlation = request_.options().correlation;
    out.targeted = !request_.target().empty();
    out.in_order = request_.query().has_order();
    out.deadline = deadline_;
    out.now = now_;
    out.draw = owner_->time().draw();
    return out;
}

LINKSPAN_DECL std::span<flow_server const> logical_call::servers()
{
    owner_->view(candidates_.all(), server_.get(), now_, servers_);
    return servers_;
}

LINKSPAN_DECL void logical_call::act(call_flow::action const& next)
{
    using kind = call_flow::action::kind;
    add_refusals();
    switch (next.what) {
    case kind::attempt: return attempt(next.server, next.last_resort);
    case kind::wait: return pause(state::waiting, now_ + next.wait);
    case kind::finish: return fail(failure_at_end(failed(), next));
    }
}

LINKSPAN_DECL failed_call logical_call::failed()
{
    return {*owner_, request_.query(), candidates_, server_.get(), trail_, now_};
}

LINKSPAN_DECL void logical_call::attempt(server_id id, bool is_last_resort)
{
    if (auto const& there = owner_->server(id))
        server_ = there;
    else
        return on_not_reached(error::unknown_server, "the server was removed");
    if (is_last_resort)
        server_->tried = is_trial_ = true;
    if (server_->session->state() != session_state::ready || !server_->life.is_settled()) {
        // The server was shut down after the selection.
        if (!server_->is_available(now_) && !server_->is_starting_soon(now_))
            return on_not_reached(error::not_connected, server_->diagnostics());
        return connect();
    }
    server_->life.on_used();
    if (candidates_.has_unknown_tools() && server_->tools.is_known())
        owner_->publish_changes();
    auto const* const candidate = candidates_.prepare(request_.query(), *server_, owner_->catalog_now());
    if (!candidate)
        return on_not_reached(error::tool_not_found, "the server has no such tool");
    send(*candidate);
}

// Waits for a server that is being started, or starts it.
LINKSPAN_DECL void logical_call::connect()
{
    began = now_;
    auto on_end = later([this](server_report const& report) {
        resume();
        on_connected(report);
    });
    auto const span = time_of_attempt(certainty::not_sent);
    pause(state::connecting, span < deadline_ - now_ ? now_ + span : deadline_);
    owner_->driver().await(server_, std::move(on_end));
}

// Permits other calls to use the server of this attempt as their last resort.
LINKSPAN_DECL void logical_call::end_trial_use() noexcept
{
    if (std::exchange(is_trial_, false))
        server_->tried = false;
}

// Returns the maximum time of the current attempt. If another server may execute the call after a timeout with the
// certainty `at_timeout`, the attempt leaves a part of the remaining time to that server.
LINKSPAN_DECL duration logical_call::time_of_attempt(certainty at_timeout) const
{
    if (servers_.size() < 2)
        return duration::max();
    auto const share = request_.options().attempt_share ? *request_.options().attempt_share
                                                        : owner_->policies().attempt_share(at_timeout);
    if (!(share < 1) || !flow_.has_successor(servers_, at_timeout))
        return duration::max();
    return share_of(deadline_ - now_, share);
}

LINKSPAN_DECL void logical_call::on_connected(server_report const& report)
{
    // A server whose `tools/list` request failed may have the tool.
    if (report.ec && report.phase != open_phase::discover)
        return on_not_reached(report.ec, report.detail);
    if (server_->session->state() != session_state::ready)
        return on_not_reached(error::not_connected, server_->diagnostics());
    // The set of servers may have changed during the wait.
    servers();
    attempt(server_->id);
}

LINKSPAN_DECL void logical_call::on_not_reached(error_code ec, std::string detail)
{
    on_outcome(trail_.add_not_reached(server_ ? std::string_view(server_->key) : std::string_view(), ec, now_ - began,
                                      std::move(detail)));
}

LINKSPAN_DECL void logical_call::send(call_candidate const& candidate)
{
    params = request_.params_for(candidate.tool);
    name = request_.own_name();
    auto const& limits = server_->options.session;
    began = now_;
    if (!server_->options.interceptors.empty())
        return add_interceptor();
    if (auto problem_text = owner_->argument_errors(*server_, name, request_.arguments()); !problem_text.empty())
        return finish_attempt(refusal_of_arguments(), {}, std::move(problem_text), name);
    state_ = state::attempting;
    idle_timeout = request_.options().idle_timeout.value_or(limits.idle_timeout);
    attempt_timeout = request_.options().attempt_timeout.value_or(limits.attempt_timeout);
    auto const share = candidate.replay == replay_class::never ? duration::max() : time_of_attempt(certainty::unknown);
    is_shared = share < attempt_timeout;
    attempt_timeout = std::min(attempt_timeout, share);
    deadline = deadline_;
    timeout = request_.options().timeout.value_or(default_timeout);
    server_->session->start(*this);
    server_->published->in_flight.store(server_->session->in_flight(), std::memory_order_relaxed);
    owner_->lister().refresh_if_stale(server_, now_);
}

// Waits until `due` or `resume()`.
LINKSPAN_DECL void logical_call::pause(state why, time_point due)
{
    state_ = why;
    owner_->calls().on_paused(*this);
    if (!timer_)
        timer_.emplace(owner_->executor());
    timer_->expires_at(due);
    auto const is_current = [this, generation = generation_] {
        return generation == generation_ && state_ != state::over;
    };
    auto const drop = [this, is_current](connector_core&) {
        if (is_current())
            on_dropped();
    };
    start_wait(*timer_, [this, is_current, guard = completion_guard(owner_, drop)](error_code) mutable {
        auto const owner = guard.release();
        if (is_current())
            on_due();
    });
}

// Ends the pause. The handlers that wait for its end have an earlier generation and are discarded.
LINKSPAN_DECL void logical_call::resume()
{
    ++generation_;
    timer_->cancel();
    owner_->calls().on_resumed(*this);
    now_ = owner_->time().now();
}

LINKSPAN_DECL void logical_call::on_due()
{
    auto const previous = state_;
    resume();
    bool const is_late = now_ >= deadline_;
    if (previous == state::resolving && !is_late)
        resolve(); // searches the tools that are listed so far
    else if (previous == state::resolving)
        fail(error::deadline_exceeded, "the servers did not list their tools in time");
    else if (previous == state::connecting)
        on_not_reached(is_late ? error::deadline_exceeded : error::attempt_timed_out,
                       "the server was not ready in time");
    else if (previous == state::intercepting)
        on_intercepted(error::deadline_exceeded, {});
    else if (previous == state::checking)
        on_outcome(outcome(trail_.last().result));
    else
        act(flow_.on_waited(owner_->policies(), view(), servers()));
}

LINKSPAN_DECL void logical_call::abort()
{
    resume();
    starting_ = true; // the caller is inside `close`
    fail(asio::error::operation_aborted, {});
    starting_ = false;
}

LINKSPAN_DECL bool logical_call::can_fail_over()
{
    now_ = owner_->time().now();
    outcome lost;
    lost.certainty = certainty_of(evidence::stream_ended);
    lost.ec = error::stream_ended;
    lost.started = has_started();
    lost.elapsed = now_ - began;
    return flow_.can_fail_over(lost, owner_->policies(), view(), servers(), owner_->calls().in_flight());
}

LINKSPAN_DECL void logical_call::on_progress(progress_update const& update)
{
    auto const here = owner_->enter();
    if (request_.options().on_progress)
        request_.options().on_progress(update);
}

LINKSPAN_DECL void logical_call::on_done(reply const& completion)
{
    auto const here = owner_->enter();
    now_ = began + completion.result.elapsed;
    if (completion.result.ec)
        return finish_attempt(completion.result, {}, describe(completion), name);
    call_result tool_result(completion.text(), {});
    tool_result.server(server_->shared_key);
    finish_attempt(completion.result, std::move(tool_result), {}, name);
}

LINKSPAN_DECL void logical_call::finish_attempt(outcome result, call_result&& tool_result, std::string&& detail,
                                                std::string_view tool)
{
    auto& server = *server_;
    // A session reports the loss of its connection (`on_lost`) before the requests on it fail.
    bool const is_loss = result.ec && !result.has_response && server.session->state() == session_state::closed;
    result.repeated = flow_.is_repeated() || is_loss;
    if (!result.ec)
        detail = owner_->result_errors(server, tool, tool_result);
    bool const has_invalid_result = !result.ec && !detail.empty();
    if (has_invalid_result)
        result.ec = error::unexpected_result;
    bool const was_sent_to_server = !is_refusal_of_arguments(result);
    if (was_sent_to_server)
        owner_->prober().record(server, result, now_);
    if (owner_->policies().observes_attempts())
        observe(result, !result.ec && tool_result.is_error());
    if (!result.ec) {
        if (!trail_.empty()) {
            trail_.add_attempt(server.key, id(), result, {});
            tool_result.trail(trail_.take());
        }
        return complete({}, std::move(tool_result));
    }
    detail = server.clean(detail);
    trail_.add_attempt(server.key, id(), result, detail);
    if (!was_sent_to_server)
        return on_rejected_arguments(result);
    if (has_invalid_result)
        return fail_on_result(result.ec, std::move(tool_result), std::move(detail));
    if (result.ec == asio::error::operation_aborted && owner_->epoch().was_closed_since(start_mark_))
        return fail(result.ec, {});
    if (result.ec.category() == rpc_category() && (result.ec.value() == -32601 || result.ec.value() == -32602) &&
        !std::exchange(refreshed_, true))
        return check_tool();
    on_outcome(result);
}

// Completes the call with a result that does not match the schema. The call is not sent to another server, because the
// tool was executed. The caller receives the result.
LINKSPAN_DECL void logical_call::fail_on_result(error_code ec, call_result tool_result, std::string detail)
{
    tool_result.trail(trail_.take(), std::move(detail), request_.tool());
    complete(ec, std::move(tool_result));
}

// Other members of a group may accept the arguments.
LINKSPAN_DECL void logical_call::on_rejected_arguments(outcome const& result)
{
    bool const is_over = candidates_.on_rejected_arguments(server_->id, *owner_->catalog_now());
    if (is_over && trail_.all_refuse_arguments())
        return fail(result.ec, trail_.first_detail());
    on_outcome(result);
}

LINKSPAN_DECL void logical_call::on_dropped() noexcept
{
    owner_->calls().on_resumed(*this);
    auto const self = end();
    auto const dropped = std::move(handler_);
}

// Lists the tools again after an error that may mean an unknown tool. If the tool is missing, the server has refused
// the call, and another server may execute it.
LINKSPAN_DECL void logical_call::check_tool()
{
    auto on_refreshed = later([this] {
        resume();
        owner_->publish_changes();
        if (!owner_->catalog_now()->find(server_->id, name))
            trail_.on_tool_missing();
        on_outcome(outcome(trail_.last().result));
    });
    pause(state::checking, deadline_);
    owner_->lister().refresh(server_, std::move(on_refreshed));
}

LINKSPAN_DECL void logical_call::on_outcome(outcome const& result)
{
    end_trial_use();
    act(flow_.on_outcome(result, owner_->policies(), view(), servers(), owner_->calls().in_flight()));
}

LINKSPAN_DECL void logical_call::observe(outcome const& result, bool tool_failed)
{
    auto const call = view();
    for (auto const& one : servers())
        if (one.view.id == flow_.current())
            owner_->policies().on_attempt({call,
                                           one.view,
                                           flow_.number(),
                                           flow_.counted_attempts(),
                                           result,
                                           one.available || one.starting_soon,
                                           {},
                                           flow_.repeats(),
                                           tool_failed});
}

// The trail

LINKSPAN_DECL void logical_call::add_refusals()
{
    if (!flow_.has_refusals())
        return;
    for (auto const id : flow_.take_refusals())
        trail_.add_not_admitted(owner_->server(id)->key);
}

// Ending

LINKSPAN_DECL void logical_call::fail(call_failure failure) { fail(failure.ec, std::move(failure.detail)); }

LINKSPAN_DECL void logical_call::fail(error_code ec, std::string detail)
{
    call_result result;
    result.trail(trail_.take(), std::move(detail), request_.tool());
    complete(ec, std::move(result));
}

// Total cancellation guarantees no effects: it ends a call only while no server can have executed the call.
LINKSPAN_DECL void logical_call::on_cancel(asio::cancellation_type type)
{
    using cancel = asio::cancellation_type;
    if (type == cancel::none || state_ == state::over)
        return;
    bool const touched = is_sent() || (interception_ && interception_->is_sent()) || trail_.may_have_executed();
    if (touched && (type & (cancel::terminal | cancel::partial)) == cancel::none)
        return;
    if (state_ == state::attempting) {
        auto& server = *server_;
        outcome cancelled;
        cancelled.started = has_started();
        cancelled.certainty = server.session->cancel(*this, "cancelled");
        cancelled.ec = asio::error::operation_aborted;
        cancelled.elapsed = owner_->time().now() - began;
        trail_.add_attempt(server.key, id(), cancelled, {});
        owner_->prober().record(server, cancelled, began + cancelled.elapsed);
    } else {
        if (state_ == state::intercepting)
            cancel_intercepted();
        resume();
    }
    starting_ = true; // the caller is inside `emit`
    fail(asio::error::operation_aborted, {});
    starting_ = false;
}

LINKSPAN_DECL logical_call::pointer logical_call::end() noexcept
{
    end_trial_use();
    state_ = state::over;
    owner_->calls().on_complete();
    return pointer(this, call_deleter{std::move(owner_)});
}

// While `starting_` is true, a function of the call is still running on the stack, so that the completion is posted.
LINKSPAN_DECL void logical_call::complete(error_code ec, call_result&& result)
{
    trail_.clear();
    auto self = end();
    auto handler = std::move(handler_);
    handler.cancellation_slot().clear();
    if (starting_) {
        auto const executor = self.get_deleter().owner->executor();
        auto later = [self = std::move(self), handler = std::move(handler), ec, result = std::move(result)]() mutable {
            self.reset();
            handler.complete(ec, std::move(result));
        };
        return post_handler(executor, std::move(later));
    }
    self.reset();
    handler.complete(ec, std::move(result));
}

LINKSPAN_DECL void logical_call::resolve()
{
    if (owner_->epoch().is_closed())
        return fail(error::not_connected, {});
    auto found = candidates_.resolve(request_.query(), owner_->publisher(), owner_->servers());
    switch (found.what) {
    case resolution::kind::found: return route();
    case resolution::kind::unknown: return discover_and_resolve();
    case resolution::kind::failed: return fail(found.ec, std::move(found.detail));
    }
}

LINKSPAN_DECL void logical_call::discover_and_resolve()
{
    if (owner_->publish_changes())
        return resolve();
    if (std::exchange(refreshed_, true))
        return resolve_among_unknown();
    auto on_refreshed = later([this] {
        resume();
        resolve();
    });
    auto const& target = request_.target();
    auto const server = target.empty() ? nullptr : owner_->find(target);
    auto const share = request_.options().attempt_share.value_or(owner_->policies().attempt_share(certainty::not_sent));
    // One server that does not respond must not use the whole time of the call.
    bool const has_others = !server && owner_->servers().order().size() > 1;
    pause(state::resolving, has_others && share < 1 ? now_ + share_of(deadline_ - now_, share) : deadline_);
    if (server)
        owner_->lister().refresh(server, std::move(on_refreshed));
    else
        owner_->driver().discover(std::move(on_refreshed));
}

LINKSPAN_DECL void logical_call::resolve_among_unknown()
{
    auto const found = candidates_.resolve_among_unknown(request_.query(), owner_->servers());
    if (found.what == resolution::kind::unknown)
        return fail(unknown_tool_failure(failed()));
    route();
}

// Interceptors

// Runs the interceptors of the connector around the call. Each invocation of the last function starts a separate
// call.
LINKSPAN_DECL void logical_call::start_intercepted(pointer call, handler_type handler)
{
    auto const owner = call->owner_;
    auto& given = call->request_;
    tool_request request;
    request.server = given.target();
    request.tool = given.tool();
    request.arguments = given.arguments();
    request.options = given.take_options();
    auto last = [owner, target = given.target(), which = std::shared_ptr<selector>(given.take_selector()),
                 is_exposed = given.is_exposed()](handler_type done, tool_request intercepted) {
        arguments const args{raw_json(intercepted.arguments)}; // may have been changed by interceptors
        auto inner = prepare(owner, target, intercepted.tool, std::move(intercepted.options));
        inner->request_.arguments_text() += args.text();
        auto& changed = inner->request_;
        if (!args.problem().empty())
            changed.refuse(error::invalid_arguments, (*owner->operations().secrets())(args.problem()));
        changed.skip_interceptors();
        changed.restrict_to_exposed_names(is_exposed);
        if (which)
            changed.select(*which);
        start(std::move(inner), std::move(done));
    };
    call.reset();
    auto const slot = handler.cancellation_slot();
    auto done = [handler = std::move(handler)](error_code ec, call_result result) mutable {
        handler.cancellation_slot().clear();
        handler.complete(ec, std::move(result));
    };
    run_interceptors(owner->executor(), owner->interceptors(), std::move(request), std::move(last), slot,
                     std::move(done));
}

// Runs the interceptors of the server around one attempt.
LINKSPAN_DECL void logical_call::add_interceptor()
{
    tool_request request;
    request.server = server_->key;
    request.tool = request_.own_name();
    request.arguments = request_.arguments();
    request.options = request_.options();
    if (auto const span = time_of_attempt(certainty::unknown); span != duration::max())
        request.options.attempt_timeout =
            std::min(span, request.options.attempt_timeout.value_or(server_->options.session.attempt_timeout));
    auto elsewhere = [this, core = std::weak_ptr(owner_), generation = generation_] {
        auto const alive = core.lock();
        return alive && generation == generation_ && state_ == state::intercepting && can_fail_over();
    };
    auto done = later([this](error_code ec, call_result const& tool_result) {
        resume();
        on_intercepted(ec, tool_result);
    });
    interception_ = std::make_shared<attempt_interception>();
    pause(state::intercepting, deadline_);
    // The generation of `elsewhere` and `done` is that of the pause.
    interception_->start(*owner_, *server_, std::move(request), std::move(elsewhere), std::move(done));
}

LINKSPAN_DECL void logical_call::on_intercepted(error_code ec, call_result tool_result)
{
    auto const here = std::exchange(interception_, nullptr);
    auto const result = here->outcome_of(ec, tool_result, now_ - began);
    std::string detail(ec && !tool_result.attempts().empty() ? tool_result.attempts().back().detail
                                                             : std::string(tool_result.detail()));
    if (ec == error::deadline_exceeded)
        here->cancel();
    if (!ec) {
        tool_result.server(server_->shared_key);
        tool_result.trail({});
    }
    finish_attempt(result, std::move(tool_result), std::move(detail),
                   here->tool().empty() ? name : std::string_view(here->tool()));
}

LINKSPAN_DECL void logical_call::cancel_intercepted()
{
    auto const here = std::exchange(interception_, nullptr);
    auto const cancelled = here->outcome_if_cancelled(owner_->time().now() - began);
    trail_.add_attempt(server_->key, id(), cancelled, {});
    owner_->prober().record(*server_, cancelled, began + cancelled.elapsed);
    here->cancel();
}

} // namespace linkspan::detail

#endif
