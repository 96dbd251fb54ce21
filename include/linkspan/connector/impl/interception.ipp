#ifndef LINKSPAN_CONNECTOR_IMPL_INTERCEPTION_IPP
#define LINKSPAN_CONNECTOR_IMPL_INTERCEPTION_IPP

// The part of `logical_call` for calls with interceptors.

#include <linkspan/connector/detail/interception.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/session/session_ops.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Runs the interceptors of the connector around the call. Each invocation of the last function starts a separate
// call.
LINKSPAN_DECL void logical_call::start_intercepted(pointer call, handler_type handler)
{
    auto const owner = call->owner_;
    tool_request request;
    request.server = call->target_;
    request.tool = call->tool_;
    request.arguments = call->given_arguments();
    request.options = std::move(call->options_);
    auto const which = call->selector_ ? std::make_shared<selector>(std::move(*call->selector_)) : nullptr;
    auto last = [owner, target = call->target_, which, is_exposed = call->is_exposed_](handler_type done,
                                                                                       tool_request intercepted) {
        arguments const args{raw_json(intercepted.arguments)}; // may have been changed by interceptors
        auto inner = prepare(owner, target, intercepted.tool, std::move(intercepted.options));
        inner->text_ += args.text();
        if (!args.problem().empty())
            inner->refuse(error::invalid_arguments, (*owner->operations().secrets())(args.problem()));
        inner->skip_interceptors();
        inner->is_exposed_ = is_exposed;
        if (which)
            inner->select(*which);
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

inline void refuse_arguments(asio::any_io_executor const& executor, logical_call::handler_type done,
                             std::string problem_text)
{
    post_handler(executor, [done = std::move(done), problem_text = std::move(problem_text)]() mutable {
        call_result result;
        result.trail({}, std::move(problem_text));
        done.complete(error::invalid_arguments, std::move(result));
    });
}

// Runs the interceptors of the server around one attempt, which is a separate request of the session.
LINKSPAN_DECL void logical_call::add_interceptor()
{
    interception_ = std::make_shared<interception>();
    tool_request request;
    request.server = server_->key;
    request.tool = own_name_;
    request.arguments = given_arguments();
    request.options = options_;
    if (auto const span = time_of_attempt(certainty::unknown); span != duration::max())
        request.options.attempt_timeout =
            std::min(span, options_.attempt_timeout.value_or(server_->options.session.attempt_timeout));
    auto elsewhere = [this, core = std::weak_ptr(owner_), generation = generation_] {
        auto const alive = core.lock();
        return alive && generation == generation_ && state_ == state::intercepting && can_fail_over();
    };
    auto last = [here = interception_, session = server_->session, id = server_->id, core = std::weak_ptr(owner_),
                 elsewhere](handler_type done, tool_request intercepted) {
        here->tool = intercepted.tool;
        auto const alive = core.lock();
        auto const server = alive ? alive->server(id) : nullptr;
        arguments const args{raw_json(intercepted.arguments)}; // may have been changed by interceptors
        std::string problem_text(args.problem());
        if (problem_text.empty() && server)
            problem_text = alive->argument_errors(*server, intercepted.tool, args.text());
        if (!problem_text.empty())
            return refuse_arguments(session->executor(), std::move(done), std::move(problem_text));
        here->is_sent = true;
        auto inner = session_request::prepare_call(session, intercepted.tool);
        inner->params_text() += args.text();
        inner->set_options(std::move(intercepted.options));
        inner->fail_over_if(elsewhere);
        session_request::start(std::move(inner), std::move(done));
    };
    auto done = [end = later([this](error_code ec, call_result const& tool_result) {
                     resume();
                     on_intercepted(ec, tool_result);
                 })](error_code ec, call_result const& tool_result) { end(ec, tool_result); };
    pause(state::intercepting, deadline_);
    run_interceptors(owner_->executor(), server_->options.interceptors, std::move(request), std::move(last),
                     interception_->signal.slot(), std::move(done));
}

LINKSPAN_DECL void logical_call::on_intercepted(error_code ec, call_result tool_result)
{
    auto const here = std::exchange(interception_, nullptr);
    outcome result;
    result.certainty = certainty_of(!ec             ? evidence::result
                                    : here->is_sent ? evidence::abandoned
                                                    : evidence::rejected_locally);
    std::string detail(tool_result.detail());
    if (ec && !tool_result.attempts().empty()) {
        result = tool_result.attempts().back().result;
        detail = tool_result.attempts().back().detail;
    }
    result.has_response = result.has_response || !ec;
    result.ec = ec;
    result.elapsed = now_ - began;
    if (ec == error::deadline_exceeded)
        here->signal.emit(asio::cancellation_type::terminal);
    if (!ec) {
        tool_result.server(server_->shared_key);
        tool_result.trail({});
    }
    finish_attempt(result, std::move(tool_result), std::move(detail),
                   here->tool.empty() ? name : std::string_view(here->tool));
}

LINKSPAN_DECL void logical_call::cancel_intercepted()
{
    auto const here = std::exchange(interception_, nullptr);
    outcome cancelled;
    cancelled.certainty = certainty_of(here->is_sent ? evidence::abandoned : evidence::abandoned_unsent);
    cancelled.ec = asio::error::operation_aborted;
    cancelled.elapsed = owner_->time().now() - began;
    trail_.add_attempt(server_->key, id(), cancelled, {});
    owner_->prober().record(*server_, cancelled, began + cancelled.elapsed);
    here->signal.emit(asio::cancellation_type::terminal);
}

} // namespace linkspan::detail

#endif
