#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_RECEIVING_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_RECEIVING_IPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/progress.hpp>
#include <linkspan/protocol/task_notifications.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void session_core::on_received(error_code ec, std::span<inbound const> batch)
{
    serial_scope const here(*this, &session_core::serial);
    now_ = time_.now();
    if (connection_->queued_bytes() == 0)
        requests_.on_all_written();
    auto const connection = connection_.number(); // a handler may close the session and reopen it
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
    auto const violation = connection_.violation();
    if (connection == connection_.number() && state_ != session_state::closed && (ec || violation))
        on_end(ec ? ec : violation);
}

// Returns true if the rest of a batch that was read on a connection is to be processed.
LINKSPAN_DECL bool session_core::is_current(unsigned connection) const noexcept
{
    return connection == connection_.number() && state_ != session_state::closed && !connection_.violation();
}

LINKSPAN_DECL void session_core::on_message(inbound_message const& message)
{
    if (message.structure)
        return on_message(*message.structure, message);
    on_message(connection_.reader().read(message.bytes), message);
}

LINKSPAN_DECL void session_core::on_message(envelope const& read, inbound_message const& message)
{
    using kind = envelope::kind;
    if (read.has_escaped_names) [[unlikely]]
        return on_escaped(read, message);
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

// The views of the message that is read again do not refer to the buffer of the connection.
LINKSPAN_DECL void session_core::on_escaped(envelope const& read, inbound_message const& message)
{
    auto const text = with_plain_names(message.bytes);
    if (!text)
        return on_unreadable(read, message);
    auto const again = read_envelope(*text);
    auto plain = message;
    plain.bytes = *text;
    plain.owner = {};
    plain.structure = &again;
    on_message(again, plain);
}

LINKSPAN_DECL void session_core::on_batch(inbound_message const& batch)
{
    if (!json_scan::is_value(batch.bytes)) // such as "[INFO] ready"
        return on_unexpected_line(batch.bytes);
    if (!version() || !traits_of(*version()).batches)
        return diagnostics_.on_malformed();
    auto const connection = connection_.number(); // a handler may close the session and reopen it
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
    // An id of null means that the server could not read the id of the request, so that only an error may have it. Any
    // other id that is not known belongs to no request, whatever exchange delivered it.
    bool const has_no_id = !response.id && response.raw_id == "null";
    if (has_no_id && response.what == envelope::kind::result)
        return on_unreadable(response, message);
    auto* const op = scheduler_.find(has_no_id ? message.exchange : response.id.value_or(0));
    if (!op)
        return diagnostics_.on_late_response();
    reply completion;
    completion.result.has_response = true;
    completion.owner = message.owner;
    if (response.what == envelope::kind::result) {
        completion.body = response.result;
        completion.plain_text = response.plain_text;
        auto const written_in = version_of(*op);
        bool const has_type = written_in && traits_of(*written_in).results_have_type;
        auto const type = has_type ? response.result_type : std::string_view();
        bool const known = type.empty() || type == R"("complete")" || type == R"("input_required")" ||
                           (op->declares_tasks && type == R"("task")");
        if (response.result.front() != '{' || !known)
            return on_unreadable(response, message);
        if (type == R"("input_required")" && may_require_input(op->method)) {
            auto const wanted = read_input_required(response.result);
            return wanted ? on_input_required(*op, *wanted) : on_unreadable(response, message);
        }
        completion.result.certainty = std::min(certainty_of(evidence::result), message.max_certainty);
    } else {
        completion.body = response.error;
        auto const code = read_failure(response.error).code;
        if (code == 0)
            return on_unreadable(response, message);
        if (code == header_mismatch && relist_for(*op))
            return;
        completion.result.certainty = std::min(certainty_of_rpc(code), message.max_certainty);
        completion.result.ec = {code, rpc_category()};
    }
    finish(*op, completion);
}

LINKSPAN_DECL void session_core::on_unreadable(envelope const& response, inbound_message const& message)
{
    auto* const op = scheduler_.find(response.id.value_or(message.exchange));
    if (!op && !json_scan::is_value(message.bytes))
        return on_unexpected_line(message.bytes);
    diagnostics_.on_malformed();
    if (!op || !response.method.empty())
        return diagnostics_.keep_first_output(message.bytes);
    reply completion;
    completion.result.certainty = certainty_of(evidence::unreadable);
    completion.result.ec = error::malformed_message;
    completion.body = session_diagnostics::excerpt(message.bytes);
    finish(*op, completion);
}

LINKSPAN_DECL void session_core::on_report(inbound_report const& report)
{
    diagnostics_.on_challenge(report.challenge);
    auto* const op = scheduler_.find(report.id);
    if (!op)
        return;
    if (op == &opening_.request && report.ec == asio::error::broken_pipe)
        return; // the end of the stream follows, and its error is more specific
    if (op == &opening_.request && (report.era != era_evidence::none || !connection_->handshake_on_no_response()))
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

// Returns an empty result, with `resultType` in protocol versions that require the member.
inline std::string_view empty_result(std::optional<protocol_version> version) noexcept
{
    bool const has_type = version && traits_of(*version).results_have_type;
    return has_type ? R"({"resultType":"complete"})" : "{}";
}

LINKSPAN_DECL void session_core::on_request(envelope const& request)
{
    using kind = server_requests::action::kind;
    if (!is_without_fault(request.raw_id)) // which the response would have
        return diagnostics_.on_malformed();
    auto* const tasks = requests_.tasks_in(version());
    if (tasks && request.method.starts_with("tasks/"))
        return on_task_request(*tasks, request);
    auto const next = requests_.on_request(request, version());
    if (!next.is_allowed)
        diagnostics_.on_malformed();
    switch (next.what) {
    case kind::confirm: return send_response(writer_.result(request.raw_id, empty_result(version()), version()));
    case kind::refuse: return send_response(writer_.failure(request.raw_id, next.code, next.message, version()));
    case kind::call:
        if (tasks && hosted_tasks::is_requested_by(request) && !begin_task(*tasks, request, next.id))
            return;
        return (*next.handler)(request.params, responder(weak_from_this(), next.id));
    }
}

// Responds with a task, and returns true, unless there are too many tasks.
LINKSPAN_DECL bool session_core::begin_task(hosted_tasks& tasks, envelope const& request, server_request_id id)
{
    auto const created = tasks.begin(id, request.params, {time_.wall_now(), time_.now()});
    if (!created.empty()) {
        send_response(writer_.result(request.raw_id, created, version()));
        return true;
    }
    requests_.take(id);
    send_response(writer_.failure(request.raw_id, -32603, "too many tasks", version()));
    return false;
}

LINKSPAN_DECL void session_core::on_task_request(hosted_tasks& tasks, envelope const& request)
{
    server_request_id cancelled = 0;
    send_responses(tasks.on_request(request, {time_.wall_now(), time_.now()}, cancelled));
    requests_.take(cancelled); // its responder has no effect any more
}

LINKSPAN_DECL void session_core::on_notification(envelope const& notification)
{
    if (notification.method == "notifications/progress")
        return on_progress(notification.params);
    if (notification.method == "notifications/cancelled") {
        auto const id = json_scan::member(notification.params, "requestId");
        changes_.on_cancelled(id);
        requests_.on_cancelled(id);
    }
    if (notification.method == "notifications/subscriptions/acknowledged")
        changes_.on_acknowledged(notification.params);
    if (is_about_task(notification.method))
        changes_.on_task(notification.params);
    if (auto const* const handler = requests_.notification_handler_of(notification.method))
        (*handler)(notification.params);
}

LINKSPAN_DECL void session_core::on_progress(std::string_view params)
{
    auto const progress = read_progress(params);
    auto* const op = progress ? scheduler_.find(progress->token) : nullptr;
    if (!op || !op->requests_progress)
        return;
    scheduler_.on_progress(*op, now_);
    op->on_progress(progress->update);
}

LINKSPAN_DECL void session_core::on_unexpected_line(std::string_view text)
{
    diagnostics_.on_unexpected_output(text);
    if (options_.strict)
        connection_.end_after_batch(error::not_json);
    if (owner.on_unexpected_output)
        owner.on_unexpected_output(session_diagnostics::excerpt(text));
}

LINKSPAN_DECL void session_core::on_end(error_code ec)
{
    if (state_ == session_state::opening) {
        forget(opening_.request);
        return act(opener_.on_end(ec));
    }
    timer_.cancel();
    if (state_ == session_state::closing) { // the outstanding shutdown of the transport closes the session
        diagnostics_.set_reason(connection_->diagnostics());
        return fail_all(ec);
    }
    diagnostics_.clear_reason();
    end_as_lost(ec);
}

LINKSPAN_DECL void session_core::end_unresponsive(error_code ec, std::string why)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::ready)
        return;
    timer_.cancel();
    diagnostics_.set_reason(std::move(why));
    end_as_lost(ec);
}

LINKSPAN_DECL void session_core::end_as_lost(error_code ec)
{
    state_ = session_state::closed;
    recovery_.stop_renewal();
    connection_->close();
    // `close` has reaped the child process, so the text contains its exit status.
    diagnostics_.add_to_reason(connection_->diagnostics());
    if (owner.on_lost)
        owner.on_lost(ec);
    fail_all(ec);
}

} // namespace linkspan::detail

#endif
