#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_IPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/progress.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of bytes of an invalid message in reports and logs.
inline constexpr std::size_t first_bytes = 200;

// Maximum number of bytes of responses that the server has not read. The limit protects this process from a server that
// sends requests and does not read.
inline constexpr std::size_t max_unread_bytes = std::size_t{64} << 20;

// Maximum number of requests from the server that are waiting for a response of this client.
inline constexpr std::size_t max_server_requests = 1000;

LINKSPAN_DECL session_core::session_core(asio::any_io_executor executor, transport_factory factory,
                                         session_options options)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      factory_(std::move(factory)),
      options_(std::move(options)),
      scheduler_(options_.max_in_flight, options_.max_queued),
      timer_(executor_),
      subscription_timer_(executor_)
{
    opening_.notifies_cancellation = false;
    opening_.is_internal = subscription_.is_internal = true;
}

// Closing

LINKSPAN_DECL void session_core::shutdown(pending_handler<void(error_code)> done)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::ready && state_ != session_state::closing) {
        close();
        post_handler(executor_, [done = std::move(done)]() mutable { done.complete({}); });
        return;
    }
    state_ = session_state::closing;
    if (std::exchange(renewing_, false) && opening_.state_ == request_op::state::sent) {
        transport_->abandon(opening_.id_);
        forget(opening_);
    }
    refuse_waiting_later(error::not_connected);
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [weak = weak_from_this(), connection = connection_] {
        if (auto const self = weak.lock(); self && self->connection_ == connection)
            self->close();
        return std::tuple();
    });
    auto on_shutdown = [self = shared_from_this(), connection = connection_, waiting](error_code ec) {
        if (self->connection_ == connection && self->transport_) {
            self->close();
            self->diagnostics_ = self->transport_->diagnostics();
        }
        waiting->complete(ec);
    };
    transport_->shutdown({std::move(on_shutdown), executor_});
}

LINKSPAN_DECL void session_core::close() noexcept
{
    serial_scope const here(*this, &session_core::serial);
    auto const previous = std::exchange(state_, session_state::closed);
    if (previous == session_state::idle || previous == session_state::closed)
        return;
    timer_.cancel();
    timer_due_ = time_point::max();
    subscription_timer_.cancel();
    renewing_ = false;
    server_requests_.clear();
    refuse_all_later(asio::error::operation_aborted);
    transport_->close();
    if (opener_)
        post_handler(executor_, [opener = std::move(opener_)] { opener->complete(asio::error::operation_aborted); });
}

// Receiving

LINKSPAN_DECL void session_core::on_received(error_code ec, std::span<inbound const> batch)
{
    serial_scope const here(*this, &session_core::serial);
    now_ = time_.now();
    if (transport_->queued_bytes() == 0)
        unread_bytes_ = 0;
    auto const connection = connection_; // a handler may close the session and reopen it
    for (auto const& item : batch) {
        if (!is_current(connection))
            break;
        if (auto const* message = std::get_if<inbound_message>(&item))
            on_message(*message);
        else if (auto const* report = std::get_if<inbound_report>(&item))
            on_report(*report);
        else
            on_notice(std::get<inbound_notice>(item));
    }
    if (connection == connection_ && state_ != session_state::closed && (ec || violation_))
        on_end(ec ? ec : violation_);
}

// Returns true if the rest of a batch that was read on a connection is to be processed.
LINKSPAN_DECL bool session_core::is_current(unsigned connection) const noexcept
{
    return connection == connection_ && state_ != session_state::closed && !violation_;
}

LINKSPAN_DECL void session_core::on_message(inbound_message const& message)
{
    if (message.structure)
        return on_message(*message.structure, message);
    on_message(read_envelope(message.bytes), message);
}

LINKSPAN_DECL void session_core::on_message(envelope const& read, inbound_message const& message)
{
    using kind = envelope::kind;
    switch (read.what) {
    case kind::result:
    case kind::error: return on_response(read, message);
    case kind::invalid: return on_unreadable(read, message);
    case kind::request: return on_request(read);
    case kind::notification: return on_notification(read);
    case kind::batch: return on_batch(message);
    case kind::not_json: return on_unexpected_line(message.bytes);
    }
}

LINKSPAN_DECL void session_core::on_batch(inbound_message const& batch)
{
    if (!json_scan::is_value(batch.bytes)) // such as "[INFO] ready"
        return on_unexpected_line(batch.bytes);
    if (!version_ || !traits_of(*version_).batches) {
        ++counters_.malformed;
        return;
    }
    auto const connection = connection_; // a handler may close the session and reopen it
    json_scan::reader elements(batch.bytes);
    for (std::size_t i = 0; auto const element = elements.next(); ++i) {
        if (!is_current(connection))
            return;
        inbound_message message;
        message.bytes = element->value;
        message.structure = i < batch.elements.size() ? &batch.elements[i] : nullptr;
        on_message(message);
    }
}

LINKSPAN_DECL void session_core::on_response(envelope const& response, inbound_message const& message)
{
    auto* const op = scheduler_.find(response.id.value_or(message.exchange));
    if (!op) {
        ++counters_.late_responses;
        return;
    }
    reply completion;
    completion.result.has_response = true;
    completion.owner = message.owner;
    if (response.what == envelope::kind::result) {
        completion.body = response.result;
        auto const& version = op == &opening_ ? proposed_ : version_;
        bool const has_type = version && traits_of(*version).results_have_type;
        auto const type = has_type ? response.result_type : std::string_view();
        bool const known = type.empty() || type == R"("complete")" || type == R"("input_required")";
        if (response.result.front() != '{' || !known)
            return on_unreadable(response, message);
        if (type == R"("input_required")" && may_require_input(op->method)) {
            auto const wanted = read_input_required(response.result);
            return wanted ? on_input_required(*op, *wanted) : on_unreadable(response, message);
        }
        completion.result.certainty = std::min(certainty_of(evidence::result), message.at_most);
    } else {
        completion.body = response.error;
        auto const code = read_failure(response.error).code;
        if (code == 0)
            return on_unreadable(response, message);
        if (code == header_mismatch && relist_for(*op))
            return;
        completion.result.certainty = std::min(certainty_of_rpc(code), message.at_most);
        completion.result.ec = {code, rpc_category()};
    }
    finish(*op, completion);
}

LINKSPAN_DECL void session_core::on_unreadable(envelope const& response, inbound_message const& message)
{
    auto* const op = scheduler_.find(response.id.value_or(message.exchange));
    if (!op && !json_scan::is_value(message.bytes))
        return on_unexpected_line(message.bytes);
    ++counters_.malformed;
    if (!op || !response.method.empty())
        return;
    reply completion;
    completion.result.certainty = certainty_of(evidence::unreadable);
    completion.result.ec = error::malformed_message;
    completion.body = message.bytes.substr(0, first_bytes);
    finish(*op, completion);
}

LINKSPAN_DECL void session_core::on_report(inbound_report const& report)
{
    if (!report.challenge.empty())
        challenge_ = report.challenge;
    auto* const op = scheduler_.find(report.id);
    if (!op)
        return;
    if (op == &opening_ && report.ec == asio::error::broken_pipe)
        return; // the end of the stream follows, and its error is more specific
    if (op == &opening_ && (report.era != era_evidence::none || !transport_->handshake_on_no_response()))
        return on_opening_refused(report);
    if (report.ec == error::session_lost && report.certainty == certainty::refused && renew_for(*op))
        return;
    reply completion;
    completion.result.certainty = report.certainty;
    completion.result.ec = report.ec;
    completion.result.retry_after = report.retry_after;
    completion.body = report.first_bytes;
    finish(*op, completion);
}

LINKSPAN_DECL void session_core::on_notice(inbound_notice const& notice)
{
    using kind = inbound_notice::kind;
    if (notice.what == kind::unexpected_output)
        return on_unexpected_line(notice.text);
    auto* const op = scheduler_.find(notice.id);
    if (!op)
        return;
    if (notice.what == kind::interrupted)
        return on_interrupted(*op, notice);
    op->interruption_.clear();
}

// Fails a request whose response was interrupted if the request can fail over to another server. A request for which
// the server has requested input does not fail over.
LINKSPAN_DECL void session_core::on_interrupted(request_op& op, inbound_notice const& notice)
{
    op.interruption_ = notice.text;
    if (op.exchange_ || !op.can_fail_over())
        return;
    reply completion;
    completion.result.certainty = abandon(op, "failover");
    completion.result.ec = notice.ec;
    finish(op, completion);
}

LINKSPAN_DECL void session_core::on_request(envelope const& request)
{
    if (version_ && !traits_of(*version_).server_requests) {
        ++counters_.malformed; // this protocol version allows neither the request nor a response to it
        return;
    }
    if (request.method == "ping") {
        compose_result(scratch_, request.raw_id, "{}");
        return send_composed();
    }
    auto const handler = request_handlers.find(request.method);
    if (handler == request_handlers.end()) {
        compose_failure(scratch_, request.raw_id, -32601, "the client has no handler for this method");
        return send_composed();
    }
    if (server_requests_.size() == max_server_requests) {
        compose_failure(scratch_, request.raw_id, -32603, "too many requests of the server have no response");
        return send_composed();
    }
    server_requests_.emplace(++last_server_request_, request.raw_id);
    handler->second(request.params, responder(weak_from_this(), last_server_request_));
}

LINKSPAN_DECL void session_core::on_notification(envelope const& notification)
{
    if (notification.method == "notifications/progress")
        return on_progress(notification.params);
    if (notification.method == "notifications/cancelled") {
        auto const id = json_scan::member(notification.params, "requestId");
        if (subscription_.state_ == request_op::state::sent && json_scan::integer(id) == subscription_.id_) {
            forget(subscription_);
            on_subscription_end({});
        }
        std::erase_if(server_requests_, [id](auto const& request) { return request.second == id; });
    }
    if (notification.method == "notifications/subscriptions/acknowledged")
        on_acknowledged(notification.params);
    if (auto const handler = notification_handlers.find(notification.method); handler != notification_handlers.end())
        handler->second(notification.params);
}

LINKSPAN_DECL void session_core::on_progress(std::string_view params)
{
    auto const progress = read_progress(params);
    auto* const op = progress ? scheduler_.find(progress->token) : nullptr;
    if (!op || !op->wants_progress)
        return;
    scheduler_.on_progress(*op, now_);
    op->on_progress(progress->update);
}

LINKSPAN_DECL void session_core::on_unexpected_line(std::string_view text)
{
    if (counters_.unexpected_output++ == 0)
        counters_.first_unexpected_output = text.substr(0, first_bytes);
    if (options_.strict)
        violation_ = error::not_json;
    if (on_unexpected_output)
        on_unexpected_output(text.substr(0, first_bytes));
}

LINKSPAN_DECL void session_core::on_end(error_code ec)
{
    if (state_ == session_state::opening) {
        forget(opening_);
        return act(negotiation_->on_end(ec));
    }
    timer_.cancel();
    timer_due_ = time_point::max();
    if (state_ == session_state::closing) { // the outstanding shutdown of the transport closes the session
        diagnostics_ = transport_->diagnostics();
        return fail_all(ec);
    }
    diagnostics_.clear();
    end_as_lost(ec);
}

LINKSPAN_DECL void session_core::end_as_lost(error_code ec)
{
    state_ = session_state::closed;
    renewing_ = false;
    transport_->close();
    // `close` has reaped the child process, so the text contains its exit status.
    if (auto const detail = transport_->diagnostics(); !detail.empty())
        (diagnostics_ += diagnostics_.empty() ? "" : "\n") += detail;
    if (on_lost)
        on_lost(ec);
    fail_all(ec);
}

// Sending

LINKSPAN_DECL void session_core::start(request_op& op)
{
    serial_scope const here(*this, &session_core::serial);
    op.started_ = false;
    op.interruption_.clear();
    op.id_ = 0; // the object may be reused for another attempt of the same call
    op.was_sent_ = op.renewed_ = op.relisted_ = op.awaits_list_ = false;
    if (state_ != session_state::ready)
        return refuse_later(op, error::not_connected, certainty_of(evidence::rejected_locally));
    if (scheduler_.can_send() && !renewing_)
        return send(op);
    if (!scheduler_.enqueue(op))
        return refuse_later(op, error::queue_full, certainty_of(evidence::rejected_locally));
    arm_timer();
}

LINKSPAN_DECL void session_core::send(request_op& op)
{
    op.handshake_ = handshake_;
    scheduler_.add(op, now_); // before the transmission, because the response may arrive immediately
    auto const more = op.exchange_ ? op.exchange_->members() : std::string_view();
    composer_.request(scratch_, {op.id_, op.method, op.params, more, op.meta, op.wants_progress});
    outbound message;
    message.bytes = scratch_.view();
    message.id = op.id_;
    message.kind = op.request_kind;
    message.method = op.method;
    message.name = op.name;
    message.version = &op == &opening_ ? proposed_ : version_;
    if (mirrors_ && !mirrored_.empty())
        mirror(op, message);
    transport_->send(message);
    arm_timer();
}

LINKSPAN_DECL void session_core::send_queued()
{
    while (state_ == session_state::ready && !renewing_) {
        auto* const op = scheduler_.next(now_);
        if (!op)
            return;
        send(*op);
    }
}

LINKSPAN_DECL void session_core::notify(std::string_view method, std::string_view params, message_kind kind)
{
    request_parts parts;
    parts.method = method;
    parts.params = params;
    composer_.request(scratch_, parts);
    outbound message;
    message.bytes = scratch_.view();
    message.kind = kind;
    message.method = method;
    message.version = version_;
    transport_->send(message);
}

LINKSPAN_DECL void session_core::respond(server_request_id id, std::string_view result)
{
    auto const id_text = take_server_request(id);
    if (id_text.empty())
        return;
    compose_result(scratch_, id_text, result);
    send_composed();
}

LINKSPAN_DECL void session_core::refuse(server_request_id id, int code, std::string_view message)
{
    auto const id_text = take_server_request(id);
    if (id_text.empty())
        return;
    compose_failure(scratch_, id_text, code, message);
    send_composed();
}

// Removes a request of the server, and returns its id as JSON text. Empty: the server has cancelled the request, or the
// connection has ended.
LINKSPAN_DECL std::string session_core::take_server_request(server_request_id id)
{
    auto const found = server_requests_.extract(id);
    return found ? std::move(found.mapped()) : std::string();
}

LINKSPAN_DECL void session_core::send_composed()
{
    unread_bytes_ += scratch_.size();
    if (unread_bytes_ > max_unread_bytes)
        violation_ = asio::error::no_buffer_space;
    outbound message;
    message.bytes = scratch_.view();
    message.kind = message_kind::response;
    message.version = version_;
    transport_->send(message);
}

LINKSPAN_DECL bool session_core::awaits_response(server_request_id id) const { return server_requests_.contains(id); }

// Ending requests

LINKSPAN_DECL void session_core::forget(request_op& op)
{
    scheduler_.remove(op);
    op.state_ = request_op::state::idle;
}

LINKSPAN_DECL void session_core::finish(request_op& op, reply completion)
{
    forget(op);
    completion.result.started = op.started_;
    completion.result.elapsed = now_ - op.began;
    auto const exchange = op.exchange_; // `completion.body` may refer to its text until `on_done` returns
    if (exchange && completion.result.ec) {
        completion.result.pinned = true;
        completion.body = completion.body.empty() ? std::string_view(exchange->refusal()) : completion.body;
    }
    auto interruption = std::move(op.interruption_); // `on_done` may reuse the object for another attempt
    if (completion.result.ec && !interruption.empty()) {
        if (!completion.body.empty())
            (interruption += "; ") += completion.body;
        completion.body = interruption;
    }
    completion.result.certainty = end_exchange(op, completion.result.certainty);
    send_queued();
    op.on_done(completion);
    if (on_drained && in_flight() == 0)
        std::exchange(on_drained, nullptr)();
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

// The owner of a failed request may start another request inside `on_done`. That request is refused later, because the
// session is closed.
LINKSPAN_DECL void session_core::fail_all(error_code ec)
{
    now_ = time_.now();
    server_requests_.clear();
    // `why` contains the first line only, because each request stores a copy. `diagnostics()` also contains the other
    // lines, which are the end of stderr.
    auto const why = diagnostics_.substr(0, std::min(diagnostics_.find('\n'), first_bytes));
    try {
        while (auto* const op = scheduler_.first_waiting())
            fail(*op, certainty_of_waiting(*op), ec, why);
        while (auto* const op = scheduler_.first_sent())
            fail(*op, certainty_of(evidence::stream_ended), ec, why);
    } catch (...) { // an exception of a handler: the other requests fail later
        refuse_all_later(ec);
        throw;
    }
}

LINKSPAN_DECL void session_core::drop_all() noexcept
{
    state_ = session_state::closed;
    renewing_ = false;
    server_requests_.clear();
    auto const opener = std::move(opener_);
    auto const drop = [this](request_op& op) {
        forget(op);
        end_exchange(op, certainty::unknown);
        op.on_dropped();
    };
    while (auto* const op = scheduler_.first_waiting())
        drop(*op);
    for (auto* op : std::exchange(refused_, {}))
        drop(*op);
    while (auto* const op = scheduler_.first_sent())
        drop(*op);
    transport_.reset();
}

// Posts the completion of the requests in `refused_`.
LINKSPAN_DECL void session_core::fail_refused_later()
{
    if (std::exchange(refusing_, true))
        return;
    auto const drop = [](session_core& session) { session.drop_all(); };
    post_handler(executor_,
                 [guard = completion_guard(shared_from_this(), drop)]() mutable { guard.release()->fail_refused(); });
}

LINKSPAN_DECL void session_core::refuse_later(request_op& op, error_code ec, certainty delivery)
{
    op.state_ = request_op::state::refused;
    op.refusal_ = ec;
    op.refusal_certainty_ = delivery;
    refused_.push_back(&op);
    fail_refused_later();
}

LINKSPAN_DECL void session_core::refuse_waiting_later(error_code ec)
{
    while (auto* const op = scheduler_.first_waiting()) {
        forget(*op);
        refuse_later(*op, ec, certainty_of_waiting(*op));
    }
}

LINKSPAN_DECL void session_core::refuse_all_later(error_code ec)
{
    refuse_waiting_later(ec);
    while (auto* const op = scheduler_.first_sent()) {
        bool const unsent = transport_->abandon(op->id_) == abandon_result::not_sent;
        forget(*op);
        if (op != &opening_ && op != &subscription_)
            refuse_later(*op, ec, certainty_of(unsent ? evidence::abandoned_unsent : evidence::stream_ended));
    }
}

LINKSPAN_DECL void session_core::fail_refused()
{
    now_ = time_.now();
    refusing_ = false; // requests that are refused from here on need another post
    try {
        for (auto left = refused_.size(); left != 0 && !refused_.empty(); --left) {
            auto& op = *refused_.front();
            refused_.pop_front();
            fail(op, op.refusal_certainty_, op.refusal_);
        }
    } catch (...) { // an exception of a handler
        if (!refused_.empty())
            fail_refused_later();
        throw;
    }
}

LINKSPAN_DECL certainty session_core::cancel(request_op& op, std::string_view reason)
{
    auto const delivery = end_exchange(op, abandon(op, reason));
    forget(op);
    now_ = time_.now();
    send_queued();
    if (on_drained && in_flight() == 0)
        post_handler(executor_,
                     std::exchange(on_drained, nullptr)); // posted, because the caller still uses the request
    return delivery;
}

LINKSPAN_DECL certainty session_core::abandon(request_op& op, std::string_view reason)
{
    if (op.state_ == request_op::state::refused) {
        std::erase(refused_, &op);
        return op.refusal_certainty_;
    }
    if (op.state_ != request_op::state::sent)
        return certainty_of_waiting(op);
    if (state_ == session_state::closed)
        return certainty_of(evidence::abandoned);
    auto const abandoned = transport_->abandon(op.id_);
    if (abandoned == abandon_result::peer_not_notified && op.notifies_cancellation) {
        std::string params = R"("requestId":)";
        append_number(params, op.id_);
        params += R"(,"reason":)";
        append_quoted(params, reason);
        notify("notifications/cancelled", params);
    }
    return certainty_of(abandoned == abandon_result::not_sent ? evidence::abandoned_unsent : evidence::abandoned);
}

// Returns the delivery certainty of a queued or parked request. If the request was sent before, the server has refused
// it, or has requested input; `end_exchange` raises the certainty of the latter.
LINKSPAN_DECL certainty session_core::certainty_of_waiting(request_op const& op) noexcept
{
    return op.was_sent_ ? certainty::refused : certainty_of(evidence::rejected_locally);
}

// Time

// The timer is not cancelled when its request completes. At its expiry no deadline is due, and the timer is armed
// again. The additional expiry is cheaper than one cancellation per request.
LINKSPAN_DECL void session_core::arm_timer()
{
    auto const due = scheduler_.next_deadline();
    if (state_ == session_state::closed || due >= timer_due_)
        return;
    timer_due_ = due;
    timer_.expires_at(timer_due_);
    start_wait(timer_, [self = shared_from_this()](error_code ec) {
        if (!ec)
            self->on_timer();
    });
}

LINKSPAN_DECL void session_core::on_timer()
{
    serial_scope const here(*this, &session_core::serial);
    timer_due_ = time_point::max();
    now_ = time_.now();
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
    auto const why = &op == &opening_ ? std::string() : timeout_text(op, is_deadline);
    fail(op, abandon(op, "timeout"), ec, why);
}

// Returns a text with the timeout that ended a request, its duration, and the option that sets it.
LINKSPAN_DECL std::string session_core::timeout_text(request_op const& op, bool is_deadline) const
{
    auto const milliseconds = [](duration span) {
        return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(span).count()) + " ms";
    };
    if (is_deadline)
        return "timeout of the call" +
               (op.timeout > duration::zero() ? ", " + milliseconds(op.timeout) : std::string()) +
               "; raise call_options::timeout";
    bool const is_cap =
        op.due() >= request_scheduler::later(op.began, op.attempt_timeout); // also if the request is still queued
    if (is_cap && op.is_shared)
        return "attempt_share of the remaining time, " + milliseconds(op.attempt_timeout) +
               "; raise call_options::attempt_share or timeout";
    std::string const name = is_cap ? "attempt_timeout" : "idle_timeout";
    return (is_cap ? "" : "no response or progress within ") + name + ", " +
           milliseconds(is_cap ? op.attempt_timeout : op.idle_timeout) + "; raise call_options::" + name;
}

// Bounds of the pause between two subscriptions. The pause is doubled after each subscription that ended early; a
// subscription that lasted longer than the upper bound resets the pause to the lower bound.
inline constexpr duration min_subscription_pause = std::chrono::seconds(1);
inline constexpr duration max_subscription_pause = std::chrono::seconds(60);

// Drops all requests of the session, unless its connection was replaced.
struct session_core::drop_connection {
    void operator()(session_core& session) const noexcept
    {
        if (session.connection_ == connection)
            session.drop_all();
    }

    unsigned connection;
};

// Receives from one connection until it ends or is replaced.
class session_core::reading final : public receive_op, public std::enable_shared_from_this<reading> {
public:
    explicit reading(unsigned connection) noexcept : guard_(drop_connection{connection}), connection_(connection) {}

    void proceed(std::shared_ptr<session_core> session)
    {
        auto& core = *session;
        if (core.connection_ != connection_ || core.state_ == session_state::closed)
            return;
        guard_.arm(std::move(session));
        core.transport_->receive(shared_from_this());
    }

    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        auto session = guard_.release(); // handlers may release all other references
        if (session->connection_ != connection_)
            return;
        try {
            session->on_received(ec, batch);
        } catch (...) { // an exception of a handler must not stop the reception
            if (!ec)
                proceed(std::move(session));
            throw;
        }
        if (!ec)
            proceed(std::move(session));
    }

private:
    completion_guard<session_core, drop_connection> guard_; // armed while a receive is outstanding
    unsigned connection_;                                   // set by the constructor
};

LINKSPAN_DECL void session_core::open(pending_handler<void(error_code)> done)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::idle && state_ != session_state::closed) {
        post_handler(executor_, [done = std::move(done)]() mutable { done.complete(asio::error::already_open); });
        return;
    }
    // The steps that may throw are first, because an exception must leave the session unchanged.
    auto transport = factory_(executor_);
    identity_ = {options_.client_name, options_.client_version, "{}"};
    auto opener = make_cancellable(std::move(done), executor_);
    opener->on_cancel(terminal_or_partial, [weak = weak_from_this()] {
        if (auto const self = weak.lock())
            self->close();
        return std::tuple();
    });
    opener_ = std::move(opener);
    state_ = session_state::opening;
    connected_ = false;
    version_.reset();
    subscription_attempts_ = 0;
    missed_changes_ = false;
    is_subscribed_.reset();
    opened_at_ = time_.now();
    diagnostics_.clear();
    try {
        open_transport(std::move(transport));
    } catch (...) { // the state is that of a failed opening, and the handler is not invoked
        state_ = session_state::closed;
        transport_->close();
        opener_.reset();
        throw;
    }
    start_negotiation(options_.remembered);
}

LINKSPAN_DECL void session_core::start_negotiation(std::optional<era> remembered)
{
    negotiation::options with;
    with.remembered = remembered;
    with.handshake_on_no_response = transport_->handshake_on_no_response();
    with.handshake_on_any_error = options_.handshake_on_any_error || with.handshake_on_no_response;
    for (auto const& row : protocol_versions)
        with.carried[static_cast<std::size_t>(row.id)] = transport_->supports(row.id);
    negotiation_.emplace(with);
}

LINKSPAN_DECL void session_core::open_transport(any_transport transport)
{
    ++connection_;
    violation_ = {};
    unread_bytes_ = 0;
    server_requests_.clear();
    transport_.reset();
    transport_.emplace(std::move(transport));
    // The new number is not current yet: an exception of the transport destroys the handler, whose guard would
    // otherwise destroy the transport inside its own function.
    auto const connection = connection_ + 1;
    auto on_open = [guard = completion_guard(shared_from_this(), drop_connection{connection}),
                    connection](error_code ec) mutable {
        auto const session = guard.release();
        if (session->connection_ == connection)
            session->on_transport_open(ec);
    };
    transport_->open({std::move(on_open), executor_});
    connection_ = connection;
}

LINKSPAN_DECL void session_core::on_transport_open(error_code ec)
{
    if (state_ != session_state::opening)
        return;
    if (ec)
        return on_opening_failed(ec);
    connected_ = true;
    std::make_shared<reading>(connection_)->proceed(shared_from_this());
    act(negotiation_->is_reopening() ? negotiation_->on_reopened() : negotiation_->start());
}

LINKSPAN_DECL void session_core::act(negotiation::action const& next)
{
    using kind = negotiation::action::kind;
    switch (next.what) {
    case kind::probe:
    case kind::initialize: return send_opening(next);
    case kind::reopen: return renewing_ ? on_renewal_failed(error::stream_ended) : reopen();
    case kind::done: return on_negotiated(next.proposed);
    case kind::failed: return on_opening_failed(next.ec);
    case kind::none: return;
    }
}

LINKSPAN_DECL void session_core::reopen()
{
    try {
        open_transport(factory_(executor_));
    } catch (std::exception const& failure) {
        diagnostics_ = failure.what();
        on_opening_failed(error::connection_failed);
    }
}

// Returns a JSON object with the capabilities for which handlers are set.
LINKSPAN_DECL std::string session_core::capabilities_in(protocol_version version) const
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> offers{{
        {"elicitation/create", "elicitation"},
        {"roots/list", "roots"},
        {"sampling/createMessage", "sampling"},
    }};
    auto const& traits = traits_of(version);
    std::string out = "{";
    for (auto const& [method, name] : offers) {
        bool const is_elicitation = name == "elicitation";
        auto const set = capabilities.find(method);
        std::string_view value = set == capabilities.end() ? std::string_view("{}") : set->second;
        if (!request_handlers.contains(method) || (is_elicitation && !traits.elicitation))
            continue;
        if (is_elicitation && !traits.elicitation_modes) {
            if (value != "{}" && json_scan::member(value, "form").empty())
                continue; // this protocol version supports forms only
            value = "{}";
        }
        append_quoted(out += out.size() > 1 ? "," : "", name);
        (out += ':') += value;
    }
    return out += '}';
}

LINKSPAN_DECL void session_core::send_opening(negotiation::action const& next)
{
    identity_.capabilities = capabilities_in(next.proposed);
    bool const probes = next.what == negotiation::action::kind::probe;
    composer_.set_protocol_version(next.proposed, identity_);
    proposed_ = probes ? std::optional(next.proposed) : std::nullopt;
    opening_.method = probes ? "server/discover" : "initialize";
    opening_.request_kind = probes ? message_kind::probe : message_kind::handshake;
    opening_params_ = probes ? std::string() : initialize_params(next.proposed, identity_);
    opening_.params = opening_params_;
    opening_.began = time_.now();
    opening_.was_sent_ = false;
    opening_.idle_timeout = opening_.attempt_timeout = duration::max();
    opening_.deadline = request_scheduler::later(
        opened_at_, probes ? std::min(options_.probe_timeout, options_.startup_timeout) : options_.startup_timeout);
    send(opening_);
}

LINKSPAN_DECL void session_core::on_opening_reply(reply const& completion)
{
    if (state_ != session_state::opening && !renewing_)
        return;
    auto const& ec = completion.result.ec;
    if (completion.result.has_response && ec.category() == rpc_category()) {
        auto const failure = read_failure(completion.body);
        diagnostics_ = json_scan::string(failure.message).value_or("");
        act(negotiation_->on_error(failure.code, failure.data));
    } else if (!ec) {
        // If the result of the probe is not conclusive, the result of `initialize` replaces this description.
        describe_server(completion.body);
        act(negotiation_->on_result(completion.body));
    } else if (ec == error::deadline_exceeded) {
        act(negotiation_->on_silence());
    } else if (ec == error::malformed_message) {
        act(negotiation_->on_unreadable(ec));
    } else {
        act(negotiation_->on_end(ec));
    }
}

// Called if the HTTP layer refused the request of the negotiation.
LINKSPAN_DECL void session_core::on_opening_refused(inbound_report const& report)
{
    forget(opening_);
    diagnostics_ = report.first_bytes;
    std::optional<era> indicated;
    if (report.era != era_evidence::none)
        indicated = report.era == era_evidence::handshake ? era::handshake : era::stateless;
    act(negotiation_->on_refused(indicated, report.ec));
}

LINKSPAN_DECL void session_core::describe_server(std::string_view result)
{
    auto info = json_scan::member(result, "serverInfo");
    if (info.empty())
        info = json_scan::member(json_scan::member(result, "_meta"), "io.modelcontextprotocol/serverInfo");
    server_.name = json_scan::string(json_scan::member(info, "name")).value_or("");
    server_.version = json_scan::string(json_scan::member(info, "version")).value_or("");
    server_.capabilities = json_scan::member(result, "capabilities");
    server_.instructions = json_scan::string(json_scan::member(result, "instructions")).value_or("");
    server_.fresh_for = read_ttl(json_scan::member(result, "ttlMs"));
    server_.is_public = json_scan::member(result, "cacheScope") == R"("public")";
}

LINKSPAN_DECL void session_core::on_negotiated(protocol_version version)
{
    version_ = version;
    options_.remembered = traits_of(version).opening;
    composer_.set_protocol_version(version, identity_);
    mirrors_ = traits_of(version).opening == era::stateless && transport_->mirrors_arguments();
    diagnostics_.clear();
    if (traits_of(version).opening == era::handshake)
        notify("notifications/initialized", {}, message_kind::initialized);
    if (renewing_)
        return on_renewed();
    state_ = session_state::ready;
    if (traits_of(version).opening == era::stateless)
        listen();
    std::exchange(opener_, {})->complete({});
}

LINKSPAN_DECL void session_core::listen()
{
    auto const tools = json_scan::member(server_.capabilities, "tools");
    is_subscribed_.reset();
    if (json_scan::member(tools, "listChanged") != "true" || !notification_handlers.contains(tools_changed))
        return;
    subscription_.method = "subscriptions/listen";
    subscription_.request_kind = message_kind::subscription;
    subscription_.params = R"("notifications":{"toolsListChanged":true})";
    subscription_.idle_timeout = subscription_.attempt_timeout = duration::max();
    subscription_.began = time_.now();
    subscription_.was_sent_ = false;
    send(subscription_);
}

// The server may acknowledge fewer notifications than requested. Changes during an interruption were not notified, so
// the handler is called once after the interruption.
//
// Specification: 2026-07-28, basic, "Subscriptions", "Acknowledgment".
LINKSPAN_DECL void session_core::on_acknowledged(std::string_view params)
{
    auto const id = json_scan::member(json_scan::member(params, "_meta"), "io.modelcontextprotocol/subscriptionId");
    if (subscription_.state_ != request_op::state::sent || json_scan::integer(id) != subscription_.id_)
        return;
    is_subscribed_ = json_scan::member(json_scan::member(params, "notifications"), "toolsListChanged") == "true";
    if (std::exchange(missed_changes_, false))
        notify_tools_changed();
}

// Called when a subscription has ended. The session subscribes again, unless the server does not support the method.
LINKSPAN_DECL void session_core::on_subscription_end(error_code ec)
{
    if (state_ != session_state::ready)
        return;
    bool const is_unknown = ec.category() == rpc_category() && (ec.value() == -32601 || ec.value() == -32602);
    is_subscribed_ = false;
    if (is_unknown)
        return;
    missed_changes_ = true;
    auto const now = time_.now();
    subscription_attempts_ = now - subscription_.began > max_subscription_pause ? 1 : subscription_attempts_ + 1;
    subscription_timer_.expires_after(
        equal_jitter(min_subscription_pause, max_subscription_pause, subscription_attempts_, time_.draw()));
    start_wait(subscription_timer_, [weak = weak_from_this(), connection = connection_](error_code cancelled) {
        auto const self = weak.lock();
        if (!cancelled && self && self->connection_ == connection && self->state_ == session_state::ready)
            self->listen();
    });
}

LINKSPAN_DECL bool session_core::has_change_notifications() const
{
    auto const tools = json_scan::member(server_.capabilities, "tools");
    return json_scan::member(tools, "listChanged") == "true" && is_subscribed_.value_or(true);
}

LINKSPAN_DECL void session_core::on_opening_failed(error_code ec)
{
    if (renewing_)
        return on_renewal_failed(ec);
    state_ = session_state::closed;
    timer_.cancel();
    timer_due_ = time_point::max();
    server_requests_.clear();
    transport_->close();
    if (connected_)
        options_.remembered.reset(); // the server may have been replaced: the next opening probes the era again
    if (auto const detail = transport_->diagnostics(); !detail.empty())
        (diagnostics_ += diagnostics_.empty() ? "" : "\n") += detail;
    std::exchange(opener_, {})->complete(ec);
}

// Called if the server has discarded the session. Starts a new handshake on the same connection, and queues the request
// for the new session. Requests of the old session that are refused later are queued too. Returns false if the request
// cannot be repeated.
LINKSPAN_DECL bool session_core::renew_for(request_op& op)
{
    // The negotiation and the subscription handle their own failures.
    bool const is_own = &op == &opening_ || &op == &subscription_;
    bool const is_of_old = op.handshake_ != handshake_ || renewing_;
    bool const has_handshake = version_ && traits_of(*version_).opening == era::handshake;
    if (is_own || state_ != session_state::ready || op.renewed_ || !(is_of_old || has_handshake))
        return false;
    op.renewed_ = true;
    scheduler_.requeue(op);
    if (is_of_old) {
        send_queued();
        return true;
    }
    renewing_ = true;
    server_requests_.clear();
    opened_at_ = now_;
    start_negotiation(era::handshake);
    act(negotiation_->start());
    return true;
}

// Called if the server refused the headers of a call. Lists the tools again, and sends the call once more with the
// headers of the new list. Returns false if the call cannot be repeated.
LINKSPAN_DECL bool session_core::relist_for(request_op& op)
{
    if (state_ != session_state::ready || !mirrors_ || op.relisted_ || op.method != "tools/call")
        return false;
    op.relisted_ = op.awaits_list_ = true;
    scheduler_.park(op);
    send_queued();
    if (std::exchange(relisting_, true))
        return true;
    auto finish = [weak = weak_from_this()](error_code ec, tool_list list) {
        if (auto const self = weak.lock())
            self->on_relisted(ec, std::move(list));
    };
    list_request::start(shared_from_this(), {std::move(finish), executor_});
    return true;
}

// Called if the server requests input. All rounds are one attempt, so `attempt_timeout` and the deadline continue.
//
// Specification: 2026-07-28, basic, "Multi Round-Trip Requests".
LINKSPAN_DECL void session_core::on_input_required(request_op& op, input_required_result const& wanted)
{
    if (!op.exchange_)
        op.exchange_ = std::make_shared<input_exchange>(*this, op);
    if (state_ != session_state::ready)
        return fail(op, certainty::unknown, error::not_connected);
    scheduler_.park_for_input(op);
    arm_timer();
    send_queued();
    auto const exchange = op.exchange_;
    exchange->begin_round(wanted);
}

LINKSPAN_DECL void session_core::resume(request_op& op)
{
    now_ = time_.now();
    scheduler_.requeue(op);
    send_queued();
}

// The failure is posted, because the caller may be a handler for an input request.
LINKSPAN_DECL void session_core::refuse_parked(request_op& op, error_code ec)
{
    forget(op);
    refuse_later(op, ec, certainty_of(evidence::result));
}

// The tool may have had effects before it requested input, so the certainty is at least `unknown`.
LINKSPAN_DECL certainty session_core::end_exchange(request_op& op, certainty delivery) noexcept
{
    auto const exchange = std::move(op.exchange_);
    op.exchange_.reset();
    if (!exchange)
        return delivery;
    exchange->end();
    return std::max(delivery, certainty::unknown);
}

LINKSPAN_DECL void session_core::on_relisted(error_code ec, tool_list list)
{
    relisting_ = false;
    now_ = time_.now();
    std::vector<request_op*> ready;
    for (auto* op : scheduler_.parked())
        if (std::exchange(op->awaits_list_, false))
            ready.push_back(op);
    for (auto* op : ready) {
        if (std::ranges::find(scheduler_.parked(), op) == scheduler_.parked().end())
            continue; // completed by a handler of an earlier request
        if (!ec) {
            scheduler_.requeue(*op);
            continue;
        }
        reply refused;
        refused.result.has_response = true;
        refused.result.certainty = certainty_of_rpc(header_mismatch);
        refused.result.ec = {header_mismatch, rpc_category()};
        finish(*op, refused);
    }
    send_queued();
    if (!ec && on_listed)
        on_listed(std::move(list));
}

// Adds the headers of mirrored arguments to a call. The texts are valid until the next call.
LINKSPAN_DECL void session_core::mirror(request_op const& op, outbound& message)
{
    auto const tool = op.method == "tools/call" ? mirrored_.find(op.name) : mirrored_.end();
    if (tool == mirrored_.end())
        return;
    auto const params = '{' + std::string(op.params) + '}';
    auto const arguments = json_scan::member(params, "arguments");
    header_texts_.clear();
    headers_.clear();
    header_texts_.reserve(tool->second.size()); // the headers refer to them
    for (auto const& argument : tool->second)
        if (auto value = mirrored_value(arguments, argument))
            headers_.push_back({argument.header, header_texts_.emplace_back(std::move(*value))});
    message.mirrored = headers_;
}

LINKSPAN_DECL void session_core::on_renewed()
{
    renewing_ = false;
    ++handshake_;
    if (traits_of(*version_).opening == era::stateless)
        listen();
    now_ = time_.now();
    send_queued();
    notify_tools_changed(); // notifications during the renewal were lost
}

LINKSPAN_DECL void session_core::on_renewal_failed(error_code ec)
{
    auto const reason = std::exchange(diagnostics_, "server discarded the session, and a new handshake failed: ");
    diagnostics_ += ec.message();
    if (!reason.empty())
        (diagnostics_ += ": ") += reason;
    timer_.cancel();
    timer_due_ = time_point::max();
    end_as_lost(error::session_lost);
}

// Calls the handler for `notifications/tools/list_changed` after a period without notifications.
LINKSPAN_DECL void session_core::notify_tools_changed()
{
    if (auto const handler = notification_handlers.find(tools_changed); handler != notification_handlers.end())
        handler->second("{}");
}

} // namespace linkspan::detail

#endif
