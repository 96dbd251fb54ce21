#ifndef LINKSPAN_SESSION_IMPL_HOSTED_TASK_LIMIT_IPP
#define LINKSPAN_SESSION_IMPL_HOSTED_TASK_LIMIT_IPP

#include <linkspan/session/detail/hosted_tasks.hpp>
#include <linkspan/session/hosted_task_limit.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::unique_ptr<detail::hosted_tasks> hosted_task_limit::host() const
{
    return max_tasks_ == 0 ? nullptr : host_(max_tasks_);
}

} // namespace linkspan

#endif
