#ifndef LINKSPAN_SESSION_DETAIL_FAILED_REQUESTS_HPP
#define LINKSPAN_SESSION_DETAIL_FAILED_REQUESTS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>

#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Requests of one session that have failed, and whose completion is deferred, because a handler must not run inside
// the function that made the request fail. A pass is a posted handler that completes the requests in the list. The
// class performs no I/O: its owner posts the passes.
//
// Invariants:
// 1. A request is in the list exactly while its state is `failed`. The scheduler of the session does not contain it.
// 2. While the list is not empty, a pass is scheduled or running. A request that is added during a pass is left for
//    the next one.
class failed_requests {
public:
    // Error and certainty with which a request completes.
    using failure = request_op::failure;

    // Adds a request, which the scheduler does not contain. Returns true if a pass has to be scheduled.
    [[nodiscard]] bool add(request_op& op, failure why) noexcept
    {
        list_.push_back(op);
        op.state_ = request_op::state::failed;
        op.failure_ = why;
        return schedule_pass();
    }

    // Returns the failure of a request that is in the list, or that `take` has returned last.
    static failure failure_of(request_op const& op) noexcept { return op.failure_; }

    // Removes a request. Has no effect if it is not in the list.
    void remove(request_op& op) noexcept
    {
        if (op.state_ != request_op::state::failed)
            return;
        list_.erase(list_.iterator_to(op));
        op.state_ = request_op::state::idle;
    }

    // Begins a pass, and returns the maximum number of requests that it completes.
    std::size_t begin_pass() noexcept
    {
        pass_is_scheduled_ = false;
        return list_.size();
    }

    // Called when an exception has ended a pass before its last request. Returns true if another pass has to be
    // scheduled.
    [[nodiscard]] bool resume() noexcept { return !list_.empty() && schedule_pass(); }

    // Removes and returns the first request; null: the list is empty.
    request_op* take() noexcept
    {
        if (list_.empty())
            return nullptr;
        auto& op = list_.front();
        list_.pop_front();
        op.state_ = request_op::state::idle;
        return &op;
    }

private:
    bool schedule_pass() noexcept { return !std::exchange(pass_is_scheduled_, true); }

    // In the order of the failures; added by `add`, removed by `take` and `remove`. A request is in a list of the
    // scheduler or in this one, so that both use the same hook.
    request_scheduler::request_list list_;
    bool pass_is_scheduled_ = false; // set when a function demands a pass, cleared by `begin_pass`
};

} // namespace linkspan::detail

#endif
