#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_REQUEST_SCHEDULER_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_REQUEST_SCHEDULER_IPP

#include <linkspan/protocol/client/request_scheduler.hpp>

#include <boost/assert.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL bool request_scheduler::enqueue(request_op& op) noexcept
{
    if (queue_.size() >= max_queued_)
        return false;
    queue_.push_back(op);
    op.state_ = request_op::state::queued;
    queued_deadlines_.add(op, std::min(later(op.began, op.attempt_timeout), op.deadline));
    return true;
}

LINKSPAN_DECL void request_scheduler::requeue(request_op& op) noexcept
{
    BOOST_ASSERT(op.state_ == request_op::state::sent || op.state_ == request_op::state::parked);
    if (op.state_ == request_op::state::sent)
        forget_sent(op);
    else
        forget_waiting(op);
    auto const is_new = [](request_op const& other) { return !other.was_sent_; };
    queue_.insert(std::ranges::find_if(queue_, is_new), op);
    op.state_ = request_op::state::queued;
}

LINKSPAN_DECL request_op* request_scheduler::next(time_point now) noexcept
{
    if (queue_.empty() || !has_room())
        return nullptr;
    auto& op = queue_.front();
    if (!op.was_sent_)
        op.began = now;
    return &op;
}

LINKSPAN_DECL void request_scheduler::park(request_op& op) noexcept
{
    BOOST_ASSERT(op.state_ == request_op::state::sent);
    forget_sent(op);
    parked_.push_back(op);
    op.state_ = request_op::state::parked;
}

LINKSPAN_DECL void request_scheduler::park_for_input(request_op& op) noexcept
{
    park(op);
    deadline_list::remove(op);
    sent_deadlines_.add(op, std::min(op.ends_, op.deadline));
}

LINKSPAN_DECL void request_scheduler::hold(request_op& op) noexcept
{
    BOOST_ASSERT(op.state_ == request_op::state::idle && op.was_sent_);
    parked_.push_back(op);
    op.state_ = request_op::state::parked;
    sent_deadlines_.add(op, std::min(op.ends_, op.deadline));
}

LINKSPAN_DECL request_op* request_scheduler::expired(time_point now) const noexcept
{
    auto const& list = queued_deadlines_.next() < sent_deadlines_.next() ? queued_deadlines_ : sent_deadlines_;
    return !list.empty() && list.next() <= now ? static_cast<request_op*>(&list.front()) : nullptr;
}

LINKSPAN_DECL void request_scheduler::forget_waiting(request_op& op) noexcept
{
    auto& list = op.state_ == request_op::state::queued ? queue_ : parked_;
    list.erase(list.iterator_to(op));
}

} // namespace linkspan

#endif
