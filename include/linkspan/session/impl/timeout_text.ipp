#ifndef LINKSPAN_SESSION_IMPL_TIMEOUT_TEXT_IPP
#define LINKSPAN_SESSION_IMPL_TIMEOUT_TEXT_IPP

#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/session/detail/timeout_text.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::string timeout_text(request_op const& op)
{
    bool const is_deadline = op.due() >= op.deadline;
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

} // namespace linkspan::detail

#endif
