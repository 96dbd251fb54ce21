#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_REQUESTS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_REQUESTS_IPP

#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/protocol/related_task.hpp>
#include <linkspan/session/detail/timeout_text.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Sending

LINKSPAN_DECL void session_core::start(request_op& op)
{
    serial_scope const here(*this, &session_core::serial);
    op.started_ = false;
    op.interruption_.clear();
    op.id_ = 0; // the object may be reused for another attempt of the same call
    op.was_sent_ = false;
    session_recovery::on_started(op);
    if (state_ != session_state::ready)
        return fail_later(op, error::not_connected, certainty_of(evidence::rejected_locally));
    if (scheduler_.can_send() && !recovery_.is_renewing())
        return send(op);
    if (!scheduler_.enqueue(op))
        return fail_later(op, error::queue_full, certainty_of(evidence::rejected_locally));
    arm_timer();
}

LINKSPAN_DECL void session_core::send(request_op& op)
{
    recovery_.on_sent(op);
    scheduler_.add(op, now_); // before the transmission, because the response may arrive immediately
    auto const more = op.exchange_ ? op.exchange_->members() : std::string_view();
    auto const mirrored = mirror_.headers_of(op.method, op.name, op.params);
    auto message = writer_.request(op, more, version_of(op), connection_->output());
    message.mirrored = mirrored;
    connection_->send(message); // directly after the message is written to the output
    arm_timer();
}

LINKSPAN_DECL void session_core::send_internal(request_op& op)
{
    op.began = time_.now();
    op.was_sent_ = false;
    send(op);
}

// Returns the protocol version in which a request is written; empty: none was negotiated.
LINKSPAN_DECL std::optional<protocol_version> session_core::version_of(request_op const& op) const noexcept
{
    return &op == &opening_.request ? opener_.proposed() : opener_.version();
}

LINKSPAN_DECL void session_core::send_queued()
{
    while (state_ == session_state::ready && !recovery_.is_renewing()) {
        auto* const op = scheduler_.next(now_);
        if (!op)
            return;
        send(*op);
    }
}

LINKSPAN_DECL void session_core::notify(std::string_view method, std::string_view params, message_kind kind)
{
    connection_->send(writer_.notification(method, params, kind, version()));
}

LINKSPAN_DECL bool session_core::send_notification(std::string_view method, std::string_view params)
{
    if (!can_notify() || is_stateless())
        return false;
    notify(method, members_of(params));
    return true;
}

LINKSPAN_DECL void session_core::call_notification_handler(std::string_view method, std::string_view params)
{
    auto const* const handler = requests_.notification_handler_of(method);
    if (handler && state_ == session_state::ready)
        (*handler)(params);
}

LINKSPAN_DECL void session_core::respond(server_request_id id, std::string_view result)
{
    auto const related = with_related_task(id, result);
    auto const raw_id = requests_.take(id);
    if (auto* const tasks = requests_.tasks_of(id))
        send_responses(tasks->on_outcome(id, result, 0, {}, {time_.wall_now(), time_.now()}));
    else if (!raw_id.empty())
        send_response(writer_.result(raw_id, related.empty() ? result : related, version()));
}

LINKSPAN_DECL void session_core::refuse(server_request_id id, int code, std::string_view message)
{
    auto const raw_id = requests_.take(id);
    if (auto* const tasks = requests_.tasks_of(id))
        send_responses(tasks->on_outcome(id, {}, code, message, {time_.wall_now(), time_.now()}));
    else if (!raw_id.empty())
        send_response(writer_.failure(raw_id, code, message, version()));
}

// Returns the text of an object whose `_meta` contains the task to which a request of the server belongs. Empty: the
// request belongs to none.
LINKSPAN_DECL std::string session_core::with_related_task(server_request_id id, std::string_view object) const
{
    auto const task = requests_.related_task(id);
    return task.empty() ? std::string() : linkspan::with_related_task(object, task);
}

LINKSPAN_DECL void session_core::report_progress(server_request_id id, progress_update const& update)
{
    auto const token = requests_.progress_token(id);
    if (token.empty())
        return;
    std::string params;
    object_writer object(params);
    object.raw("progressToken", token);
    object.number("progress", update.progress);
    object.optional_number("total", update.total);
    if (version() && has_member(*version(), wire_member::progress_message))
        object.optional_text("message", update.message);
    object.close();
    auto const related = with_related_task(id, params);
    notify("notifications/progress", members_of(related.empty() ? params : related));
}

LINKSPAN_DECL void session_core::set_log_level(log_level level)
{
    opener_.set_log_level(level);
    if (auto const negotiated = version())
        writer_.set_protocol_version(*negotiated, opener_.identity());
}

LINKSPAN_DECL void session_core::request_log_level()
{
    auto const level = opener_.identity().min_level;
    if (!level || state_ != session_state::ready || is_stateless() ||
        json_scan::member(server().capabilities, "logging").empty())
        return;
    if (!opening_.level)
        opening_.level = std::make_unique<level_op>(*this);
    auto& request = *opening_.level;
    request.sends_again = static_cast<request_op&>(request).state_ != request_op::state::idle;
    if (request.sends_again)
        return;
    request.text = R"("level":")" + std::string(to_string(*level)) + '"';
    request.params = request.text;
    send_internal(request);
}

LINKSPAN_DECL session_core::level_op::level_op(session_core& owner) : owner_(owner)
{
    is_internal = true;
    method = "logging/setLevel";
    idle_timeout = owner.options().idle_timeout;
    attempt_timeout = owner.options().attempt_timeout;
}

LINKSPAN_DECL void session_core::level_op::on_done(reply const&)
{
    if (sends_again)
        owner_.request_log_level();
}

LINKSPAN_DECL void session_core::send_responses(std::vector<hosted_tasks::response> const& what)
{
    for (auto const& each : what)
        send_response(each.result.empty() ? writer_.failure(each.raw_id, each.code, each.message, version())
                                          : writer_.result(each.raw_id, each.result, version()));
}

LINKSPAN_DECL void session_core::send_response(outbound const& message)
{
    if (!requests_.on_response(message.bytes.size()))
        connection_.end_after_batch(asio::error::no_buffer_space);
    connection_->send(message);
}

LINKSPAN_DECL bool session_core::awaits_response(server_request_id id) const { return requests_.awaits_response(id); }

// Completing requests

LINKSPAN_DECL void session_core::forget(request_op& op)
{
    scheduler_.remove(op);
    failed_.remove(op);
}

LINKSPAN_DECL void session_core::finish(request_op& op, reply completion)
{
    forget(op);
    completion.result.started = op.started_;
    completion.result.elapsed = now_ - op.began;
    auto const exchange = op.exchange_; // keeps the text alive to which `completion.body` may refer
    completion.result.input_requested = exchange != nullptr;
    if (exchange && completion.result.ec)
        completion.body = completion.body.empty() ? std::string_view(exchange->refusal()) : completion.body;
    std::string interruption;
    if (completion.result.ec && !op.interruption_.empty()) {
        interruption = std::move(op.interruption_); // `on_done` may reuse the object for another attempt
        if (!completion.body.empty())
            (interruption += "; ") += completion.body;
        completion.body = interruption;
    }
    completion.result.certainty = end_exchange(op, completion.result.certainty);
    send_queued();
    op.on_done(completion);
    report_drained();
}

LINKSPAN_DECL void session_core::fail(request_op& op, certainty delivery, error_code ec, std::string_view why)
{
    reply failure;
    failure.body = why;
    failure.result.certainty = delivery;
    failure.result.ec = ec;
    failure.result.has_response = ec == error::input_refused || ec == error::unsupported_input_request ||
                                  ec == error::too_many_input_rounds; // the server did respond, with an input request
    finish(op, failure);
}

// The owner of a failed request may start another request inside `on_done`. The new request fails with `not_connected`
// in a later handler, because the session is not ready.
LINKSPAN_DECL void session_core::fail_all(error_code ec)
{
    now_ = time_.now();
    requests_.discard();
    changes_.close(ec);
    end_handlers_.on_end(ec);
    auto const why = diagnostics_.first_line();
    try {
        while (auto* const op = scheduler_.first_waiting())
            fail(*op, certainty_of_waiting(*op), ec, why);
        while (auto* const op = scheduler_.first_sent())
            fail(*op, certainty_of(evidence::stream_ended), ec, why);
    } catch (...) { // an exception of a handler: the other requests fail later
        fail_all_later(ec);
        throw;
    }
}

// Posts the next pass over the requests in `failed_`.
LINKSPAN_DECL void session_core::complete_failed_later()
{
    auto const drop = [](session_core& session) { session.drop_all(); };
    auto pass = [guard = completion_guard(shared_from_this(), drop)]() mutable { guard.release()->complete_failed(); };
    post_handler(executor_, std::move(pass));
}

LINKSPAN_DECL void session_core::fail_later(request_op& op, error_code ec, certainty delivery)
{
    if (failed_.add(op, {ec, delivery}))
        complete_failed_later();
}

LINKSPAN_DECL void session_core::fail_waiting_later(error_code ec)
{
    while (auto* const op = scheduler_.first_waiting()) {
        forget(*op);
        fail_later(*op, ec, certainty_of_waiting(*op));
    }
}

LINKSPAN_DECL void session_core::fail_all_later(error_code ec)
{
    end_handlers_.on_end(ec);
    fail_waiting_later(ec);
    while (auto* const op = scheduler_.first_sent()) {
        bool const unsent = connection_->abandon(op->id_) == abandon_result::not_sent;
        forget(*op);
        if (!op->is_internal)
            fail_later(*op, ec, certainty_of(unsent ? evidence::abandoned_unsent : evidence::stream_ended));
    }
}

LINKSPAN_DECL void session_core::complete_failed()
{
    event_time_scope const now(*this);
    try {
        for (auto left = failed_.begin_pass(); left != 0; --left) {
            auto* const op = failed_.take();
            if (!op)
                return;
            auto const why = failed_requests::failure_of(*op);
            fail(*op, why.certainty, why.ec);
        }
    } catch (...) { // an exception of a handler
        if (failed_.resume())
            complete_failed_later();
        throw;
    }
}

LINKSPAN_DECL certainty session_core::cancel(request_op& op, std::string_view reason)
{
    auto const delivery = end_exchange(op, abandon(op, reason));
    forget(op);
    event_time_scope const now(*this);
    send_queued();
    if (owner.on_drained && in_flight() == 0)
        post_handler(executor_,
                     std::exchange(owner.on_drained, nullptr)); // posted, because the caller still uses the request
    return delivery;
}

LINKSPAN_DECL certainty session_core::abandon(request_op& op, std::string_view reason)
{
    if (op.state_ == request_op::state::failed)
        return failed_requests::failure_of(op).certainty;
    if (op.state_ != request_op::state::sent)
        return certainty_of_waiting(op);
    if (state_ == session_state::closed)
        return certainty_of(evidence::abandoned);
    auto const abandoned = connection_->abandon(op.id_);
    if (abandoned == abandon_result::peer_not_notified && op.notifies_cancellation) {
        std::string params = R"("requestId":)";
        append_number(params, op.id_);
        params += R"(,"reason":)";
        append_quoted(params, reason);
        notify("notifications/cancelled", params);
    }
    return certainty_of(abandoned == abandon_result::not_sent ? evidence::abandoned_unsent : evidence::abandoned);
}

// Returns the delivery certainty of a queued or parked request. A request that was sent before was refused by the
// server, or the server requested input for it. If input was requested, `end_exchange` raises the certainty.
LINKSPAN_DECL certainty session_core::certainty_of_waiting(request_op const& op) noexcept
{
    return op.was_sent_ ? certainty::refused : certainty_of(evidence::rejected_locally);
}

// Ends the exchange of input, if there is one, and returns the certainty of the request. The tool may have had effects
// before the server requested input, so the certainty is then at least `unknown`.
LINKSPAN_DECL certainty session_core::end_exchange(request_op& op, certainty delivery) noexcept
{
    auto const exchange = std::move(op.exchange_);
    op.exchange_.reset();
    if (!exchange)
        return delivery;
    exchange->end();
    return std::max(delivery, certainty::unknown);
}

// Time

LINKSPAN_DECL void session_core::arm_timer()
{
    auto const due = scheduler_.next_deadline();
    if (state_ == session_state::closed || timer_.is_armed_for(due))
        return;
    timer_.arm(due, [self = shared_from_this()](error_code ec) {
        if (!ec)
            self->on_timer();
    });
}

LINKSPAN_DECL void session_core::on_timer()
{
    serial_scope const here(*this, &session_core::serial);
    timer_.on_expiry();
    event_time_scope const now(*this);
    try {
        while (auto* const op = state_ == session_state::closed ? nullptr : scheduler_.expired(now_))
            on_timeout(*op);
    } catch (...) { // an exception of a handler must not disable the other timeouts
        arm_timer();
        throw;
    }
    arm_timer();
}

LINKSPAN_DECL void session_core::on_timeout(request_op& op)
{
    bool const is_deadline = op.due() >= op.deadline;
    error_code const ec = is_deadline ? error::deadline_exceeded : error::attempt_timed_out;
    auto const why = &op == &opening_.request ? std::string() : timeout_text(op);
    fail(op, abandon(op, "timeout"), ec, why);
}

} // namespace linkspan::detail

#endif
