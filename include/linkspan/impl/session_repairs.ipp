#ifndef LINKSPAN_IMPL_SESSION_REPAIRS_IPP
#define LINKSPAN_IMPL_SESSION_REPAIRS_IPP

// What a session mends by itself, once in each attempt: the part of `session_core` that sends a refused request again.

#include <linkspan/detail/session_core.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::detail {

// The server has forgotten the session: it is opened anew, on the same connection, while requests wait. Those that come
// back from the old one join them.
LINKSPAN_DECL bool session_core::renew_for(request_op& op)
{
    bool const is_of_old = op.handshake_ != handshake_ || renewing_;
    bool const has_handshake = spoken_ && traits_of(*spoken_).opening == era::handshake;
    if (state_ != session_state::ready || op.renewed_ || !(is_of_old || has_handshake))
        return false;
    op.renewed_ = true;
    set_back(op);
    if (is_of_old) {
        send_queued();
        return true;
    }
    renewing_ = true;
    unanswered_.clear();
    opened_at_ = now_;
    start_negotiation(era::handshake);
    act(negotiation_->start());
    return true;
}

// Back into the queue, before those that were never sent. Its time goes on.
LINKSPAN_DECL void session_core::set_back(request_op& op)
{
    table_.remove(op.id_);
    op.state_ = request_op::state::queued;
    auto const is_new = [](request_op const* other) { return !other->was_sent_; };
    queue_.insert(std::ranges::find_if(queue_, is_new), &op);
}

LINKSPAN_DECL void session_core::on_renewed()
{
    renewing_ = false;
    ++handshake_;
    if (traits_of(*spoken_).opening == era::stateless)
        listen();
    now_ = time_.now();
    send_queued();
    tell_changes(); // whatever the server has told meanwhile is lost
}

LINKSPAN_DECL void session_core::on_renewal_failed(error_code ec)
{
    auto const said = std::exchange(diagnostics_, "the server has forgotten the session, and gave no other: ");
    diagnostics_ += ec.message();
    if (!said.empty())
        (diagnostics_ += ": ") += said;
    timer_.cancel();
    timer_due_ = time_point::max();
    end_as_lost(error::session_lost);
}

// The tools may have changed, and nobody was there to hear of it.
LINKSPAN_DECL void session_core::tell_changes()
{
    if (auto const handler = notification_handlers.find(tools_changed); handler != notification_handlers.end())
        handler->second("{}");
}

} // namespace linkspan::detail

#endif
