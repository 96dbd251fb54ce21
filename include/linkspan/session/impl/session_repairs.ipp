#ifndef LINKSPAN_SESSION_IMPL_SESSION_REPAIRS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_REPAIRS_IPP

// What a session mends by itself, once in each attempt: the part of `session_core` that sends a refused request again.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::detail {

// The server has forgotten the session: it is opened anew, on the same connection, while requests wait. Those that come
// back from the old one join them.
LINKSPAN_DECL bool session_core::renew_for(request_op& op)
{
    bool const is_own = &op == &opening_ || &op == &listening_; // nobody waits for these
    bool const is_of_old = op.handshake_ != handshake_ || renewing_;
    bool const has_handshake = spoken_ && traits_of(*spoken_).opening == era::handshake;
    if (is_own || state_ != session_state::ready || op.renewed_ || !(is_of_old || has_handshake))
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
    if (op.state_ == request_op::state::sent)
        table_.remove(op.id_);
    op.state_ = request_op::state::queued;
    auto const is_new = [](request_op const* other) { return !other->was_sent_; };
    queue_.insert(std::ranges::find_if(queue_, is_new), &op);
}

// The server misses headers, or has others in mind: what the tool wants is read again, and the call sent once more.
LINKSPAN_DECL bool session_core::relist_for(request_op& op)
{
    if (state_ != session_state::ready || !mirrors_ || op.relisted_ || op.method != "tools/call")
        return false;
    op.relisted_ = op.awaits_list_ = true;
    park(op);
    send_queued();
    if (std::exchange(relisting_, true))
        return true;
    auto on_listed = [weak = weak_from_this()](error_code ec, tool_list const&) {
        if (auto const self = weak.lock())
            self->on_relisted(ec);
    };
    list_request::start(shared_from_this(), {std::move(on_listed), executor_});
    return true;
}

// It waits for something else than the server. Its time goes on.
LINKSPAN_DECL void session_core::park(request_op& op)
{
    table_.remove(op.id_);
    op.state_ = request_op::state::parked;
    parked_.push_back(&op);
}

// The server asks back. Over all rounds it is one attempt, so the attempt limit and the deadline go on.
//
// Specification: 2026-07-28, basic, "Multi Round-Trip Requests".
LINKSPAN_DECL void session_core::on_input_required(request_op& op, input_wanted const& wanted)
{
    if (!op.exchange_)
        op.exchange_ = std::make_shared<input_exchange>(*this, op);
    if (state_ != session_state::ready)
        return fail(op, certainty::unknown, error::not_connected);
    park(op);
    deadlines_.remove(op);
    deadlines_.add(op, std::min(op.ends_, op.deadline));
    arm_timer();
    send_queued();
    auto const exchange = op.exchange_;
    exchange->ask(wanted);
}

LINKSPAN_DECL void session_core::resume(request_op& op)
{
    std::erase(parked_, &op);
    now_ = time_.now();
    set_back(op);
    send_queued();
}

// In a turn of its own: a handler may be the one that refuses.
LINKSPAN_DECL void session_core::refuse_parked(request_op& op, error_code ec)
{
    std::erase(parked_, &op);
    forget(op);
    refuse_later(op, ec, certainty_of(evidence::result));
}

// What the tool has done before it asked back nobody knows: no later round of it is known not to have run.
LINKSPAN_DECL certainty session_core::end_exchange(request_op& op, certainty how) noexcept
{
    auto const exchange = std::move(op.exchange_);
    op.exchange_.reset();
    if (!exchange)
        return how;
    exchange->end();
    return std::max(how, certainty::unknown);
}

LINKSPAN_DECL void session_core::on_relisted(error_code ec)
{
    relisting_ = false;
    now_ = time_.now();
    std::vector<request_op*> ready;
    for (auto* op : parked_)
        if (std::exchange(op->awaits_list_, false))
            ready.push_back(op);
    for (auto* op : ready) {
        if (std::ranges::find(parked_, op) == parked_.end())
            continue; // a handler of one before it has ended it
        std::erase(parked_, op);
        if (!ec) {
            set_back(*op);
            continue;
        }
        reply refused;
        refused.result.answered = true;
        refused.result.how = certainty_of_rpc(header_mismatch);
        refused.result.ec = {header_mismatch, rpc_category()};
        finish(*op, refused);
    }
    send_queued();
}

// Fills in the headers of a call whose tool is known. The texts live until the next call.
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
