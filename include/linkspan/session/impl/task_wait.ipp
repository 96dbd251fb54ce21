#ifndef LINKSPAN_SESSION_IMPL_TASK_WAIT_IPP
#define LINKSPAN_SESSION_IMPL_TASK_WAIT_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/session/detail/task_wait.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL task_wait::task_wait(session_pointer session, request_origin origin, task known, call_options options,
                                   handler_type handler)
    : session_(std::move(session)),
      origin_(std::move(origin)),
      known_(std::move(known)),
      options_(std::move(options)),
      deadline_(options_.timeout ? session_->time().after(*options_.timeout) : time_point::max()),
      poll_(known_.id, session_->is_stateless() ? era::stateless : era::handshake,
            session_->options().max_input_rounds),
      completion_(make_cancellable(std::move(handler), session_->executor())),
      pause_(session_->executor())
{}

LINKSPAN_DECL task_wait::~task_wait() { session_->end_handlers().remove(end_handler_); }

LINKSPAN_DECL void task_wait::start()
{
    completion_->on_cancel(terminal_or_partial, [weak = weak_from_this()] {
        if (auto const self = weak.lock())
            self->stop();
        return std::tuple(call_result());
    });
    if (session_->state() != session_state::ready)
        return post_failure(error::not_connected, {});
    end_handler_ = session_->end_handlers().add([this](error_code ec) { on_session_end(ec); });
    post_handler(session_->executor(), [self = shared_from_this()] { self->begin(); });
}

LINKSPAN_DECL void task_wait::begin()
{
    if (!session_->end_handlers().contains(end_handler_)) // the wait was cancelled, or its failure is posted
        return;
    auto const first = poll_.start(known_, session_->time().now());
    if (first.what == step::pause || first.what == step::get)
        poll_.on_watched(session_->changes().watch(poll_.id(), weak_from_this()), session_->time().now());
    act(first);
}

LINKSPAN_DECL void task_wait::act(task_poll::action const& next)
{
    switch (next.what) {
    case step::none: return;
    case step::pause: pause(next.until); return call_handlers();
    case step::get:
    case step::update:
    case step::fetch_result: return send(next.what, next.text);
    case step::complete: {
        reply completion;
        completion.body = next.text;
        auto result = completion.tool_result();
        result.server(origin_.server);
        return complete({}, std::move(result));
    }
    case step::fail: return fail(next.ec, next.text);
    }
}

// Requests

LINKSPAN_DECL void task_wait::send(step what, std::string_view members)
{
    auto const method = what == step::get      ? std::string_view("tasks/get")
                        : what == step::update ? std::string_view("tasks/update")
                                               : std::string_view("tasks/result");
    auto request = session_request::prepare(session_, method);
    auto& params = request->params_text();
    params += '{';
    if (members.empty())
        append_quoted(params += R"("taskId":)", poll_.id());
    (params += members) += '}';
    request->declare_tasks();
    request->set_options(options_of(what));
    request->set_origin(origin_);
    has_request_ = true;
    auto done = [self = shared_from_this(), what](error_code ec, call_result result) {
        self->on_reply(what, ec, std::move(result));
    };
    session_request::start(std::move(request),
                           {asio::bind_cancellation_slot(request_.slot(), std::move(done)), session_->executor()});
}

// Returns the options of one request. The response to `tasks/result` of a task that requires input follows the input,
// so that the default timeouts do not apply to it.
LINKSPAN_DECL call_options task_wait::options_of(step what) const
{
    call_options out;
    out.meta = options_.meta;
    out.idle_timeout = options_.idle_timeout;
    out.attempt_timeout = options_.attempt_timeout;
    if (what == step::fetch_result && poll_.status() == task_status::input_required) {
        out.idle_timeout = options_.idle_timeout.value_or(duration::max());
        out.attempt_timeout = options_.attempt_timeout.value_or(duration::max());
    }
    if (deadline_ != time_point::max())
        out.timeout = std::max(deadline_ - session_->time().now(), duration::zero());
    return out;
}

LINKSPAN_DECL void task_wait::on_reply(step what, error_code ec, call_result result)
{
    has_request_ = false;
    if (completion_->is_over())
        return;
    if (ec || what == step::fetch_result)
        return complete(ec, std::move(result));
    if (what == step::update)
        return act(poll_.on_updated());
    auto const found = read_task(result.raw());
    if (!found)
        return fail(error::malformed_message, "the task is not valid: " + quote_result(result.raw(), origin_));
    act(poll_.on_task(*found, session_->time().now()));
}

// Pauses

LINKSPAN_DECL void task_wait::pause(time_point until)
{
    pause_.expires_at(std::min(until, deadline_));
    start_wait(pause_, [self = shared_from_this()](error_code ec) {
        if (!ec && !self->completion_->is_over())
            self->on_timer();
    });
}

LINKSPAN_DECL void task_wait::on_timer()
{
    if (session_->time().now() >= deadline_)
        return fail(error::deadline_exceeded, "the status of the task is " + std::string(to_string(poll_.status())));
    act(poll_.on_pause_over());
}

// Input

// Calls the handlers of the new input requests. All kinds are checked before the first handler is called, so that no
// user is prompted for a wait that fails.
LINKSPAN_DECL void task_wait::call_handlers()
{
    auto const first = poll_.first_new(), count = poll_.inputs().size();
    if (first == count)
        return;
    for (auto const& one : poll_.inputs().subspan(first))
        if (!session_->handler_of(one.method))
            return fail(error::unsupported_input_request, one.method);
    try {
        for (auto i = first; i != count && !completion_->is_over(); ++i) {
            auto const method = poll_.inputs()[i].method, params = poll_.inputs()[i].params;
            (*session_->handler_of(method))(params, responder(weak_from_this(), i + 1));
        }
    } catch (...) { // an exception of a handler
        post_failure(error::input_refused, "handler threw an exception");
        throw;
    }
    if (!completion_->is_over())
        act(poll_.on_handlers_called());
}

LINKSPAN_DECL void task_wait::respond(server_request_id id, std::string_view result)
{
    if (awaits_response(id))
        act(poll_.on_input(static_cast<std::size_t>(id - 1), result));
}

// A refused elicitation is sent as the result "decline". The other kinds have no such result, so the wait fails.
LINKSPAN_DECL void task_wait::refuse(server_request_id id, int, std::string_view message)
{
    if (!awaits_response(id))
        return;
    auto const& method = poll_.inputs()[static_cast<std::size_t>(id - 1)].method;
    if (method == "elicitation/create")
        return respond(id, R"({"action":"decline"})");
    post_failure(error::input_refused, method + ": " + std::string(message));
}

LINKSPAN_DECL bool task_wait::awaits_response(server_request_id id) const
{
    return !completion_->is_over() && id != 0 && id <= poll_.inputs().size() &&
           poll_.inputs()[static_cast<std::size_t>(id - 1)].reached == task_poll::stage::open;
}

// Notifications

LINKSPAN_DECL void task_wait::on_task_notified(task const& found)
{
    post_handler(session_->executor(), [self = shared_from_this(), found] {
        if (!self->completion_->is_over())
            self->act(self->poll_.on_notified(found, self->session_->time().now()));
    });
}

LINKSPAN_DECL void task_wait::on_task_watched(bool is_watched)
{
    post_handler(session_->executor(), [self = shared_from_this(), is_watched] {
        if (!self->completion_->is_over())
            self->act(self->poll_.on_watched(is_watched, self->session_->time().now()));
    });
}

// End

// A request that is outstanding at the end of the connection fails by itself, with more details.
LINKSPAN_DECL void task_wait::on_session_end(error_code ec)
{
    if (!has_request_)
        post_failure(ec, {});
}

// Posted, because the caller may be a handler for an input request, or `session_core::close`.
LINKSPAN_DECL void task_wait::post_failure(error_code ec, std::string why)
{
    post_handler(session_->executor(), [self = shared_from_this(), ec, why = std::move(why)] {
        if (!self->completion_->is_over())
            self->fail(ec, why);
    });
}

LINKSPAN_DECL void task_wait::fail(error_code ec, std::string const& why)
{
    bool const has_outcome = ec.category() == rpc_category() || ec == error::task_cancelled;
    outcome of;
    of.ec = ec;
    of.has_response = has_outcome;
    of.certainty = has_outcome ? certainty::completed : certainty::unknown;
    complete(ec, origin_.failure(of, why));
}

LINKSPAN_DECL void task_wait::complete(error_code ec, call_result result)
{
    stop();
    completion_->complete(ec, std::move(result));
}

LINKSPAN_DECL void task_wait::stop() noexcept
{
    session_->end_handlers().remove(end_handler_);
    session_->changes().unwatch(poll_.id(), *this);
    pause_.cancel();
    request_.emit(asio::cancellation_type::terminal);
}

} // namespace linkspan::detail

#endif
