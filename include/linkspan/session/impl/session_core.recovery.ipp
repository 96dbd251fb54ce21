#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_RECOVERY_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_RECOVERY_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Renewal

// Called if the server has discarded the session. Starts a new handshake on the same connection, and queues the request
// for the new session. Requests of the old session that are refused later are queued too. Returns false if the request
// cannot be repeated.
LINKSPAN_DECL bool session_core::renew_for(request_op& op)
{
    using decision = session_recovery::decision;
    // The negotiation and the subscription handle their own failures.
    bool const is_own = &op == &opening_.request || &op == &subscription_.request;
    if (is_own || state_ != session_state::ready)
        return false;
    bool const has_handshake = version() && traits_of(*version()).era == era::handshake;
    auto const next = recovery_.on_session_lost(op, scheduler_, has_handshake);
    if (next == decision::fail)
        return false;
    if (next == decision::repeat) {
        send_queued();
        return true;
    }
    requests_.discard();
    act(opener_.begin_renewal(connection_.traits(), now_));
    return true;
}

LINKSPAN_DECL void session_core::on_renewed()
{
    recovery_.on_renewed();
    if (traits_of(*version()).era == era::stateless)
        listen();
    now_ = time_.now();
    send_queued();
    notify_tools_changed(); // notifications during the renewal were lost
}

LINKSPAN_DECL void session_core::on_renewal_failed(error_code ec)
{
    diagnostics_.on_renewal_failed(ec);
    timer_.cancel();
    end_as_lost(error::session_lost);
}

// Tools

// Called if the server refused the headers of a call. Lists the tools again, and sends the call once more with the
// headers of the new list. Returns false if the call cannot be repeated.
LINKSPAN_DECL bool session_core::relist_for(request_op& op)
{
    using decision = session_recovery::decision;
    if (state_ != session_state::ready || !mirror_.is_enabled() || op.method != "tools/call")
        return false;
    auto const next = recovery_.on_headers_refused(op, scheduler_);
    if (next == decision::fail)
        return false;
    send_queued();
    if (next != decision::list)
        return true;
    auto finish = [weak = weak_from_this()](error_code ec, tool_list list) {
        if (auto const self = weak.lock())
            self->on_relisted(ec, std::move(list));
    };
    list_request::start(shared_from_this(), {std::move(finish), executor_});
    return true;
}

LINKSPAN_DECL void session_core::on_relisted(error_code ec, tool_list list)
{
    now_ = time_.now();
    if (!ec)
        recovery_.on_listed(scheduler_);
    else
        recovery_.on_list_failed();
    while (auto* const op = session_recovery::next_without_list(scheduler_)) { // none after `on_listed`
        reply refused;
        refused.result.has_response = true;
        refused.result.certainty = certainty_of_rpc(header_mismatch);
        refused.result.ec = {header_mismatch, rpc_category()};
        finish(*op, refused);
    }
    send_queued();
    if (!ec && owner.on_listed)
        owner.on_listed(std::move(list));
}

LINKSPAN_DECL void session_core::listen()
{
    subscription_.state.begin();
    if (!tool_subscription::is_offered(server().capabilities) || !requests_.notification_handler_of(tools_changed))
        return;
    subscription_.request.began = time_.now();
    subscription_.request.was_sent_ = false;
    send(subscription_.request);
    subscription_.state.on_sent(subscription_.request.id_, subscription_.request.began);
}

// Called when a subscription has ended. The session subscribes again, unless the server does not support the method.
LINKSPAN_DECL void session_core::on_subscription_end(error_code ec)
{
    if (state_ != session_state::ready)
        return subscription_.state.abandon();
    if (!subscription_.state.on_end(ec, time_.now()))
        return;
    subscription_.pause.expires_after(subscription_.state.pause(time_.draw()));
    start_wait(subscription_.pause, [weak = weak_from_this(), connection = connection_.number()](error_code cancelled) {
        auto const self = weak.lock();
        if (!cancelled && self && self->connection_.number() == connection && self->state_ == session_state::ready)
            self->listen();
    });
}

LINKSPAN_DECL bool session_core::has_change_notifications() const
{
    return tool_subscription::is_offered(server().capabilities) && subscription_.state.reports_changes();
}

// Calls the handler for `notifications/tools/list_changed` after a period without notifications.
LINKSPAN_DECL void session_core::notify_tools_changed()
{
    if (auto const* const handler = requests_.notification_handler_of(tools_changed))
        (*handler)("{}");
}

// Input

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
LINKSPAN_DECL void session_core::fail_parked(request_op& op, error_code ec)
{
    forget(op);
    fail_later(op, ec, certainty_of(evidence::result));
}

} // namespace linkspan::detail

#endif
