#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_IPP

#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/intercepted_call.hpp>
#include <linkspan/connector/result_classifier.hpp>
#include <linkspan/core/detail/exception_text.hpp>
#include <linkspan/core/detail/reused_text.hpp>
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
    self->has_refreshed_ = self->has_awaited_catalog_ = self->declares_tasks = false;
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
    auto found = routing().candidates().resolve(request().query(), owner().publisher(), owner().servers());
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
    routing().clear();
    interception_.reset();
    release_long_text(stored_arguments_);
    auto const given = release();
    owner.calls().release(*this);
}

// Attempts

LINKSPAN_DECL void call_runner::route()
{
    if (owner().tool_results() && complete_with_stored_result())
        return;
    auto const own_name = routing().candidates().first_name();
    begin_attempts("tools/call", own_name.empty() ? std::string_view(request().tool()) : own_name);
}

LINKSPAN_DECL void call_runner::prepare_request()
{
    auto& server = *routing().server();
    auto& candidates = routing().candidates();
    if (candidates.has_unknown_tools() && server.tools.is_known() &&
        awaits_catalog(pause_reason::connecting, &call_runner::on_published))
        return;
    auto const* const candidate = candidates.prepare(request().query(), server, owner().catalog_now());
    if (!candidate)
        return on_not_reached(error::tool_not_found, "the server has no such tool");
    send(*candidate);
}

// The server of the attempt may have been disconnected during the wait.
LINKSPAN_DECL void call_runner::on_published() { on_connected({}); }

LINKSPAN_DECL void call_runner::send(call_candidate const& candidate)
{
    auto const replay = candidate.replay; // the candidates may be listed again below
    params = request().params_for(candidate.tool);
    name = request().own_name();
    auto& server = *routing().server();
    began = now();
    if (owner().tool_results())
        begin_storing(candidate);
    if (!server.options.interceptors.empty())
        return run_interceptors();
    if (server.checks)
        if (auto problem_text = owner().argument_errors(server, name, request().arguments()); !problem_text.empty())
            return finish_attempt(rejection_of_arguments(), {}, std::move(problem_text), name);
    if (request().task())
        request_task();
    set_timeouts(replay);
    if (send_request())
        owner().lister().refresh_if_stale(routing().server(), now());
}

// Requests the task in the form that the server of the attempt supports.
LINKSPAN_DECL void call_runner::request_task()
{
    auto& requested = *request().task();
    auto const& server = *routing().server();
    requested.form = form_of_tasks(*server.session, task_support_of(*owner().catalog_now(), server.id, name));
    declares_tasks = requested.form == task_form::extension;
    if (requested.form != task_form::member)
        return;
    requested.params = params;
    append_task_member(requested.params, requested.ttl);
    params = requested.params;
}

// Returns whether a result is a task, which has no result yet.
LINKSPAN_DECL bool call_runner::is_task(call_result const& result) const
{
    auto const& requested = request().task();
    return requested && !task_in(result, requested->form).empty();
}

// Converts a result that reports an error in the way of the server to a tool error.
LINKSPAN_DECL void call_runner::classify(std::string_view tool, call_result& result)
{
    if (result.is_error() || is_task(result))
        return;
    auto const& server = *routing().server();
    try {
        if (auto const message = server.options.result_classifier(tool, result))
            result = to_tool_error(result, *message);
    } catch (...) {
        report_classifier(tool);
    }
}

// Reports the current exception. Without memory, it is not reported, because the call must complete.
LINKSPAN_DECL void call_runner::report_classifier(std::string_view tool)
try {
    auto const& server = *routing().server();
    owner().event(server.key, "classifier_failed", server.redacted(std::string(tool) + ": " + exception_text()));
} catch (std::bad_alloc const&) {
}

LINKSPAN_DECL std::string call_runner::result_errors(std::string_view tool, call_result const& result)
{
    return is_task(result) ? std::string() : owner().result_errors(*routing().server(), tool, result);
}

LINKSPAN_DECL void call_runner::on_due(pause_reason why)
{
    switch (why) {
    case pause_reason::resolving:
        if (now() >= deadline)
            return fail(list_timeout_failure(failed(), timeout));
        return resolve(); // searches the tools that are listed so far
    case pause_reason::connecting: return on_connecting_due();
    case pause_reason::intercepting: return on_intercepted(error::deadline_exceeded, {});
    case pause_reason::checking: return on_outcome(outcome(trail().last().result));
    case pause_reason::waiting: return act(routing().on_waited(owner(), view()));
    }
}

// `data`: of the error response, as JSON text.
LINKSPAN_DECL void call_runner::finish_attempt(outcome result, call_result&& tool_result, std::string&& detail,
                                               std::string_view tool, std::string_view data)
{
    auto& server = *routing().server();
    mark_repeated(result);
    if (!result.ec && server.options.result_classifier)
        classify(tool, tool_result);
    if (!result.ec && server.checks)
        detail = result_errors(tool, tool_result);
    bool const has_invalid_result = !result.ec && !detail.empty();
    if (has_invalid_result)
        result.ec = error::unexpected_result;
    bool const was_sent_to_server = !result.ec || !is_rejection_of_arguments(result);
    if (was_sent_to_server)
        owner().prober().record(server, result, now());
    if (owner().policies().observes_attempts())
        observe(result, !result.ec && tool_result.is_error());
    if (!result.ec) {
        if (owner().tool_results())
            end_storing(result, tool_result);
        return complete_with(result, std::move(tool_result));
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
    auto const server = routing().server()->id;
    bool const is_over = routing().candidates().on_rejected_arguments(server, *owner().catalog_now());
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
        owner().lister().refresh(routing().server(), std::move(on_refreshed));
}

LINKSPAN_DECL void call_runner::on_checked()
{
    if (!owner().catalog_now()->find(routing().server()->id, name))
        trail().on_tool_missing();
    on_outcome(outcome(trail().last().result));
}

LINKSPAN_DECL void call_runner::on_cancelled(bool is_attempting)
{
    auto const here = std::exchange(interception_, nullptr);
    if (!here && !is_attempting)
        return;
    auto& server = *routing().server();
    advance();
    auto cancelled = here ? here->outcome_if_cancelled(now() - began)
                          : outcome_at_end(certainty::not_sent, asio::error::operation_aborted);
    if (is_attempting)
        cancelled.certainty = server.session->cancel(*this, "cancelled");
    record_cancelled(cancelled);
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
    interception_->start(owner(), *routing().server(), request(), span, std::move(elsewhere), std::move(done));
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
        tool_result.server(routing().server()->shared_key);
        tool_result.trail({});
    }
    finish_attempt(result, std::move(tool_result), std::move(detail),
                   here->tool().empty() ? name : std::string_view(here->tool()));
}

} // namespace linkspan::detail

#endif
