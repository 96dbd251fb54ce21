#ifndef LINKSPAN_SESSION_IMPL_SESSION_RECOVERY_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_RECOVERY_IPP

#include <linkspan/session/detail/session_recovery.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL session_recovery::decision session_recovery::on_session_lost(request_op& op, request_scheduler& scheduler,
                                                                           bool has_handshake) noexcept
{
    bool const is_of_old = op.recovery_.handshake != handshake_ || renewing_;
    if (op.recovery_.renewed || !(is_of_old || has_handshake))
        return decision::fail;
    op.recovery_.renewed = true;
    scheduler.requeue(op);
    if (is_of_old)
        return decision::repeat;
    renewing_ = true;
    return decision::renew;
}

LINKSPAN_DECL session_recovery::decision session_recovery::on_headers_refused(request_op& op,
                                                                              request_scheduler& scheduler) noexcept
{
    if (op.recovery_.relisted)
        return decision::fail;
    op.recovery_.relisted = op.recovery_.awaits_list = true;
    scheduler.park(op);
    return std::exchange(listing_, true) ? decision::repeat : decision::list;
}

LINKSPAN_DECL void session_recovery::on_listed(request_scheduler& scheduler) noexcept
{
    listing_ = false;
    while (auto* const op = next_without_list(scheduler))
        scheduler.requeue(*op);
}

LINKSPAN_DECL request_op* session_recovery::next_without_list(request_scheduler& scheduler) noexcept
{
    for (auto& op : scheduler.parked())
        if (std::exchange(op.recovery_.awaits_list, false))
            return &op;
    return nullptr;
}

} // namespace linkspan::detail

#endif
