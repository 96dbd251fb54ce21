#ifndef LINKSPAN_SESSION_IMPL_SESSION_REQUEST_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_REQUEST_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void request_deleter::operator()(session_request* request) const noexcept
{
    auto const released = request->release_references();
    session->request_objects.release(*request);
}

LINKSPAN_DECL request_pointer session_request::prepare(session_pointer const& session, std::string_view method)
{
    request_pointer out(&session->request_objects.acquire(), {session});
    out->session_ = session;
    set_text(out->method_, method);
    out->declares_tasks = false;
    out->name_.clear();
    out->params_.clear();
    out->problem_.clear();
    return out;
}

LINKSPAN_DECL request_pointer session_request::prepare_call(session_pointer const& session, std::string_view tool)
{
    auto out = prepare(session, "tools/call");
    out->name_ = tool;
    append_call(out->params_, tool, {});
    return out;
}

LINKSPAN_DECL request_pointer session_request::prepare_text(session_pointer const& session, request_origin origin,
                                                            std::string_view method, std::string_view key,
                                                            std::string_view text)
{
    auto out = prepare(session, method);
    out->set_origin(std::move(origin));
    object_writer params(out->params_);
    params.text(key, text);
    params.close();
    return out;
}

LINKSPAN_DECL void session_request::start(request_pointer request, handler_type handler)
{
    auto& self = *request.release();
    self.handler_ = std::move(handler);
    if (!self.problem_.empty())
        return self.complete_rejected();
    self.set_fields();
    if (auto slot = self.handler_.cancellation_slot(); slot.is_connected())
        slot.assign([&self](asio::cancellation_type type) { self.on_cancel(type); });
    self.session_->start(self);
}

// Sets the public members of `request_op`.
LINKSPAN_DECL void session_request::set_fields()
{
    static call_options const no_options;
    auto const& given = options_ ? *options_ : no_options;
    auto const& defaults = session_->options();
    method = method_;
    request_kind = kind_of_request(method);
    if (name_.empty()) { // transports over HTTP send the name as a header
        auto const is_about_task = method.starts_with("tasks/");
        auto const about = is_about_task ? "taskId" : method == "resources/read" ? "uri" : "name";
        if (is_about_task || method == "resources/read" || method == "prompts/get" || method == "tools/call")
            name_ = json_scan::string(json_scan::member(params_, about)).value_or("");
    }
    name = name_;
    params = params_.starts_with('"') ? std::string_view(params_) : members_of(params_);
    meta = members_of(given.meta);
    requests_progress = given.on_progress || method == "tools/call"; // progress restarts `idle_timeout`
    began = session_->time().now();
    idle_timeout = given.idle_timeout.value_or(defaults.idle_timeout);
    attempt_timeout = given.attempt_timeout.value_or(defaults.attempt_timeout);
    timeout = given.timeout.value_or(duration::zero());
    deadline = given.timeout ? session_->time().after(timeout) : time_point::max();
}

LINKSPAN_DECL session_request::references session_request::release_references() noexcept
{
    session_.reset();
    release_long_text(params_);
    return {std::move(handler_), std::exchange(options_, std::nullopt), std::exchange(can_fail_over_, nullptr),
            std::move(origin_)};
}

LINKSPAN_DECL std::string session_request::called_tool() const
{
    return method_ == "tools/call" ? name_ : std::string();
}

// The completion is posted, because the handler must not run inside the initiating function.
LINKSPAN_DECL void session_request::complete_rejected()
{
    auto const& executor = session_->executor();
    post_handler(executor, [self = request_pointer(this, {session_})]() mutable {
        call_result result;
        result.trail({}, self->redacted(self->problem_), self->called_tool());
        self.release()->complete(error::invalid_arguments, std::move(result));
    });
}

LINKSPAN_DECL void session_request::on_done(reply const& completion)
{
    if (!completion.result.ec) {
        auto result = completion.tool_result();
        if (origin_)
            result.server(origin_->server);
        return complete({}, std::move(result));
    }
    std::vector<attempt_record> trail(1);
    trail.front() = {server(), id(), completion.result, redacted(describe(completion)),
                     redacted(error_data(completion))};
    auto text = completion.result.has_response ? trail.front().detail : std::string();
    call_result result;
    result.trail(std::move(trail), std::move(text), called_tool());
    if (origin_)
        result.server(origin_->server);
    complete(completion.result.ec, std::move(result));
}

// Total cancellation guarantees that the operation had no effect, so it applies only to requests that are not sent.
LINKSPAN_DECL void session_request::on_cancel(asio::cancellation_type type)
{
    using cancel = asio::cancellation_type;
    if (type == cancel::none || (is_sent() && (type & (cancel::terminal | cancel::partial)) == cancel::none))
        return;
    handler_.cancellation_slot().clear(); // further cancellations have no effect
    std::vector<attempt_record> trail(1);
    trail.front().server = server();
    trail.front().id = id();
    trail.front().result.started = has_started();
    trail.front().result.certainty = session_->cancel(*this, "cancelled");
    trail.front().result.ec = asio::error::operation_aborted;
    trail.front().result.elapsed = session_->time().now() - began;
    call_result result;
    result.trail(std::move(trail), {}, called_tool());
    // The completion is posted, because the handler must not run inside `emit`.
    auto const& executor = session_->executor();
    post_handler(executor, [self = request_pointer(this, {session_}), result = std::move(result)]() mutable {
        self.release()->complete(asio::error::operation_aborted, std::move(result));
    });
}

// The object returns to the pool first, because the handler may start another request.
LINKSPAN_DECL void session_request::complete(error_code ec, call_result&& result)
{
    auto handler = std::move(handler_);
    handler.cancellation_slot().clear();
    request_pointer(this, {std::move(session_)}).reset();
    handler.complete(ec, std::move(result));
}

LINKSPAN_DECL std::string_view ping_method(session_core const& session) noexcept
{
    return session.is_stateless() ? "server/discover" : "ping";
}

} // namespace linkspan::detail

#endif
