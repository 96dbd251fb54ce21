#ifndef LINKSPAN_PROTOCOL_CLIENT_REQUEST_SCHEDULER_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REQUEST_SCHEDULER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_table.hpp>
#include <linkspan/protocol/deadline_list.hpp>

#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {

/// Tracks the requests of one session that are not complete, and determines which of them are sent, queued or parked,
/// and when each of them times out.
///
/// The class performs no I/O and reads no clock. The caller sends a request after `add`, and calls `remove` before it
/// completes the request.
///
///     start ──> queued                (enqueue)
///     start ──> sent                  (add)
///     queued ──> sent                 (next, add)
///     sent ──> parked                 (park, park_for_input)
///     start ──> parked                (hold)
///     sent, parked ──> queued         (requeue)
///     queued, sent, parked ──> end    (remove)
///
/// Invariants:
/// 1. A request is in exactly one of the table (sent), the queue (queued) and the list of parked requests, until it is
///    removed.
/// 2. Each request in the scheduler has one deadline. The deadlines of queued requests that were never sent are in a
///    separate list, so that the insertion of a deadline for a sent request does not search through them.
/// 3. Requests with `request_op::is_internal` do not count towards `max_in_flight` and `in_flight()`.
///
/// \par Lifetime
/// The scheduler stores pointers and does not own the requests.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class request_scheduler {
public:
    /// Type of lists of requests that are not sent. The list links the requests and allocates no memory.
    using request_list = boost::intrusive::list<
        request_op,
        boost::intrusive::base_hook<boost::intrusive::list_base_hook<boost::intrusive::tag<request_scheduler>>>>;

    /// Constructs a scheduler without requests.
    ///
    /// \param max_in_flight Maximum number of requests that are sent at a time; further requests are queued.
    /// \param max_queued Maximum number of queued requests.
    request_scheduler(std::size_t max_in_flight, std::size_t max_queued) noexcept
        : max_in_flight_(max_in_flight), max_queued_(max_queued)
    {}

    /// Returns whether a new request may be sent at once: no request is queued, and fewer than `max_in_flight` are
    /// sent.
    bool can_send() const noexcept { return queue_.empty() && has_room(); }

    /// Returns the number of requests that are sent, queued or parked, without internal ones.
    std::size_t in_flight() const noexcept { return sent_ + queue_.size() + parked_.size(); }

    /// Returns the number of queued requests.
    std::size_t queued() const noexcept { return queue_.size(); }

    /// Returns the sent request with that id; null: none.
    request_op* find(request_id id) const noexcept { return table_.find(id); }

    /// Adds a request to the table of sent requests and assigns a new id.
    ///
    /// Called before the message is passed to the transport, because the response may arrive immediately. The deadline
    /// is the earliest of `idle_timeout`, `attempt_timeout` and `deadline`. The idle timeout of a request that is sent
    /// again with input begins at `now`, because it does not include the time that the input took.
    ///
    /// \pre The scheduler does not contain the request, or `next` has returned it.
    /// \throws std::bad_alloc The state of the request is unchanged.
    void add(request_op& op, time_point now)
    {
        op.id_ = table_.add(&op);
        if (op.state_ == request_op::state::queued)
            forget_waiting(op);
        op.state_ = request_op::state::sent;
        op.started_ = false;
        sent_ += op.is_internal ? 0 : 1;
        if (!op.was_sent_)
            op.ends_ = later(op.began, op.attempt_timeout);
        op.was_sent_ = true;
        set_deadline(op, op.exchange_ ? now : op.began);
    }

    /// Queues a request that was not sent before. Returns false, without an effect, if the queue is full.
    ///
    /// \pre The scheduler does not contain the request.
    LINKSPAN_DECL bool enqueue(request_op& op) noexcept;

    /// Queues a sent or parked request again, before the requests that were never sent. Its deadline is unchanged.
    LINKSPAN_DECL void requeue(request_op& op) noexcept;

    /// Returns the first queued request, which the caller sends; `add` removes it from the queue. Null: no request is
    /// queued, or `max_in_flight` requests are sent.
    ///
    /// The time in the queue does not count towards the timeouts of a request that was not sent before.
    LINKSPAN_DECL request_op* next(time_point now) noexcept;

    /// Moves a sent request to the parked requests, which wait for a correction. Its deadline is unchanged.
    LINKSPAN_DECL void park(request_op& op) noexcept;

    /// Parks a sent request for which the server has requested input. The idle timeout does not run until the request
    /// is sent again.
    LINKSPAN_DECL void park_for_input(request_op& op) noexcept;

    /// Parks a request while its owner reads the response in several turns of the event loop. The idle timeout does not
    /// run.
    ///
    /// \pre The scheduler does not contain the request, and has contained it as a sent request.
    LINKSPAN_DECL void hold(request_op& op) noexcept;

    /// Returns the parked requests in the order in which they were parked.
    request_list& parked() noexcept { return parked_; }

    /// Restarts the idle timeout of a sent request, because the server has reported progress.
    void on_progress(request_op& op, time_point now) noexcept
    {
        op.started_ = true;
        set_deadline(op, now);
    }

    /// Removes a request that is sent, queued or parked. Has no effect if the scheduler does not contain the request.
    void remove(request_op& op) noexcept
    {
        if (op.state_ == request_op::state::sent)
            forget_sent(op);
        else if (op.state_ == request_op::state::queued || op.state_ == request_op::state::parked)
            forget_waiting(op);
        else
            return;
        deadline_list::remove(op);
        op.state_ = request_op::state::idle;
    }

    /// Returns the first queued request; if there is none, the first parked request. Null: neither exists.
    request_op* first_waiting() noexcept
    {
        return !queue_.empty() ? &queue_.front() : !parked_.empty() ? &parked_.front() : nullptr;
    }

    /// Returns one of the sent requests, in no particular order; null: none.
    request_op* first_sent() const noexcept { return table_.first(); }

    /// Returns the earliest deadline; `time_point::max()`: the scheduler contains no request.
    time_point next_deadline() const noexcept { return std::min(sent_deadlines_.next(), queued_deadlines_.next()); }

    /// Returns the request with the earliest deadline if this deadline is not after `now`; null: no request has timed
    /// out.
    LINKSPAN_DECL request_op* expired(time_point now) const noexcept;

    /// Returns the time `span` after `from`, at most `time_point::max()`.
    static time_point later(time_point from, duration span) noexcept
    {
        return span > time_point::max() - from ? time_point::max() : from + span;
    }

private:
    bool has_room() const noexcept { return sent_ < max_in_flight_; }

    void set_deadline(request_op& op, time_point idle_since) noexcept
    {
        deadline_list::remove(op);
        sent_deadlines_.add(op, std::min({later(idle_since, op.idle_timeout), op.ends_, op.deadline}));
    }

    void forget_sent(request_op& op) noexcept
    {
        table_.remove(op.id_);
        sent_ -= op.is_internal ? 0 : 1;
    }

    LINKSPAN_DECL void forget_waiting(request_op& op) noexcept;

    std::size_t max_in_flight_, max_queued_; // set by the constructor
    request_table<request_op> table_;        // sent requests; added by `add`
    std::size_t sent_ = 0;                   // number of requests in `table_`, without internal ones
    request_list queue_;                     // queued requests; those of `requeue` are before those of `enqueue`
    request_list parked_;                    // requests that wait for input, for a new list of tools or for their
                                             // owner; added by `park` and `hold`
    deadline_list sent_deadlines_;           // deadlines of all requests except those in `queued_deadlines_`
    deadline_list queued_deadlines_;         // deadlines of the queued requests that were never sent
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/request_scheduler.ipp>
#endif

#endif
