#ifndef LINKSPAN_SESSION_IMPL_CHANGE_LISTENER_TASKS_IPP
#define LINKSPAN_SESSION_IMPL_CHANGE_LISTENER_TASKS_IPP

#include <linkspan/session/detail/change_listener.hpp>
#include <linkspan/session/session_core.hpp>

#include <new>
#include <utility>

// Tasks whose changes the server reports.
namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool change_listener::watch(std::string const& task, std::weak_ptr<task_watcher> watcher)
{
    bool const is_watched = subscription_.reports_task(task);
    watchers_.add(task, std::move(watcher), is_watched);
    if (!session_.is_stateless())
        return false;
    subscription_.watch(task);
    update_later();
    return is_watched;
}

LINKSPAN_DECL void change_listener::unwatch(std::string const& task, task_watcher const& watcher) noexcept
{
    if (!watchers_.remove(task, watcher))
        return;
    subscription_.unwatch(task);
    try {
        update_later();
    } catch (std::bad_alloc const&) { // the next change of the subscription takes the step
    }
}

LINKSPAN_DECL void change_listener::update_watchers()
{
    watchers_.update([this](std::string_view task) { return subscription_.reports_task(task); });
}

} // namespace linkspan::detail

#endif
