#ifndef LINKSPAN_CONNECTOR_IMPL_ATTEMPT_INTERCEPTION_IPP
#define LINKSPAN_CONNECTOR_IMPL_ATTEMPT_INTERCEPTION_IPP

#include <linkspan/connector/detail/attempt_interception.hpp>
#include <linkspan/connector/detail/interception.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline void complete_rejected(asio::any_io_executor const& executor,
                              pending_handler<void(error_code, call_result)> done, std::string problem_text)
{
    post_handler(executor, [done = std::move(done), problem_text = std::move(problem_text)]() mutable {
        call_result result;
        result.trail({}, std::move(problem_text));
        done.complete(error::invalid_arguments, std::move(result));
    });
}

LINKSPAN_DECL void attempt_interception::start(connector_context& context, server_entry& server,
                                               call_request const& request, duration time,
                                               std::function<bool()> can_fail_over, result_function done)
{
    task_ = request.task();
    if (task_)
        task_->form = task_form::none; // an interceptor may return a result without a call
    tool_request first;
    first.server = server.key;
    first.tool = request.own_name();
    first.arguments = request.arguments();
    first.options = request.options();
    if (auto& given = first.options.attempt_timeout; time != duration::max())
        given = std::min(time, given.value_or(server.options.session.attempt_timeout));
    auto last = [self = shared_from_this(), session = server.session, id = server.id, weak = context.weak_from_this(),
                 can_fail_over = std::move(can_fail_over)](pending_handler<void(error_code, call_result)> end,
                                                           tool_request intercepted) {
        self->send(weak.lock(), id, session, std::move(end), std::move(intercepted), can_fail_over);
    };
    auto on_end = [done = std::move(done)](error_code ec, call_result const& result) { done(ec, result); };
    run_interceptors(context.executor(), server.options.interceptors, std::move(first), std::move(last), signal_.slot(),
                     std::move(on_end));
}

// `context`: null if the connector was destroyed.
LINKSPAN_DECL void attempt_interception::send(std::shared_ptr<connector_context> const& context, server_id id,
                                              std::shared_ptr<session_core> session,
                                              pending_handler<void(error_code, call_result)> done,
                                              tool_request intercepted, std::function<bool()> can_fail_over)
{
    tool_ = intercepted.tool;
    auto const server = context ? context->server(id) : nullptr;
    arguments const args{raw_json(intercepted.arguments)}; // may have been changed by interceptors
    std::string problem_text(args.problem());
    if (problem_text.empty() && server)
        problem_text = context->argument_errors(*server, intercepted.tool, args.text());
    if (!problem_text.empty())
        return complete_rejected(session->executor(), std::move(done), std::move(problem_text));
    is_sent_ = true;
    auto request = session_request::prepare_call(session, intercepted.tool);
    request->params_text() += args.text();
    if (task_ && server) {
        auto const own = std::make_shared<requested_task>();
        own->form = request_task(session, *request, task_support_of(*context->catalog_now(), id, tool_), task_->ttl);
        done = {task_form_recorder(own, task_, std::move(done)), session->executor()};
    }
    request->set_options(std::move(intercepted.options));
    request->fail_over_if(std::move(can_fail_over));
    session_request::start(std::move(request), std::move(done));
}

LINKSPAN_DECL outcome attempt_interception::outcome_of(error_code ec, call_result const& result, duration elapsed) const
{
    outcome out;
    out.certainty = certainty_of(!ec ? evidence::result : is_sent_ ? evidence::abandoned : evidence::rejected_locally);
    if (ec && !result.attempts().empty())
        out = result.attempts().back().result;
    out.has_response = out.has_response || !ec;
    out.ec = ec;
    out.elapsed = elapsed;
    return out;
}

LINKSPAN_DECL outcome attempt_interception::outcome_if_cancelled(duration elapsed) const
{
    outcome out;
    out.certainty = certainty_of(is_sent_ ? evidence::abandoned : evidence::abandoned_unsent);
    out.ec = asio::error::operation_aborted;
    out.elapsed = elapsed;
    return out;
}

} // namespace linkspan::detail

#endif
