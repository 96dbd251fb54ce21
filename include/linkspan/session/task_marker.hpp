#ifndef LINKSPAN_SESSION_TASK_MARKER_HPP
#define LINKSPAN_SESSION_TASK_MARKER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/task_form.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Handler of a call with `call_options::allow_task`: marks a result that contains a task, and invokes the handler of
// the caller.
class task_marker {
public:
    using cancellation_slot_type = asio::cancellation_slot;
    using handler_type = pending_handler<void(error_code, call_result)>;

    // `form`: of the response; determined before the invocation.
    task_marker(std::shared_ptr<task_form const> form, request_origin origin, handler_type done)
        : form_(std::move(form)), origin_(std::move(origin)), done_(std::move(done))
    {}

    void operator()(error_code ec, call_result result)
    {
        mark_task(ec, result, *form_, origin_); // may set `ec`
        done_.complete(ec, std::move(result));
    }

    cancellation_slot_type get_cancellation_slot() const noexcept { return done_.cancellation_slot(); }

private:
    std::shared_ptr<task_form const> form_; // this and the next two: set by the constructor
    request_origin origin_;
    handler_type done_; // moved out by the invocation
};

} // namespace linkspan::detail

#endif
