#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_RECOVERY_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_RECOVERY_IPP

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
    if (op.is_internal || state_ != session_state::ready)
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
    now_ = time_.now();
    request_log_level(); // before the requests that are sent again
    send_queued();
    changes_.on_renewed();
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
    event_time_scope const now(*this);
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

LINKSPAN_DECL void session_core::send_with_input(request_op& op)
{
    event_time_scope const now(*this);
    scheduler_.requeue(op);
    send_queued();
}

// The failure is posted, because the caller may be a handler for an input request.
LINKSPAN_DECL void session_core::fail_parked(request_op& op, error_code ec)
{
    forget(op);
    fail_later(op, ec, certainty_of(evidence::result));
}

// Responses that are read in parts

LINKSPAN_DECL void session_core::report_drained()
{
    if (owner.on_drained && in_flight() == 0)
        std::exchange(owner.on_drained, nullptr)();
}

LINKSPAN_DECL void session_core::hold(request_op& op)
{
    scheduler_.hold(op);
    arm_timer();
}

LINKSPAN_DECL bool session_core::release(request_op& op) noexcept
{
    if (!is_parked(op))
        return false;
    forget(op);
    return true;
}

} // namespace linkspan::detail

#endif
