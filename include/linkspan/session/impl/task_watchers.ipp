#ifndef LINKSPAN_SESSION_IMPL_TASK_WATCHERS_IPP
#define LINKSPAN_SESSION_IMPL_TASK_WATCHERS_IPP

#include <linkspan/session/detail/task_watchers.hpp>

#include <iterator>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void task_watchers::add(std::string const& task, std::weak_ptr<task_watcher> watcher, bool is_watched)
{
    entries_.emplace(task, entry{std::move(watcher), is_watched});
}

LINKSPAN_DECL bool task_watchers::remove(std::string_view task, task_watcher const& watcher) noexcept
{
    bool is_removed = false;
    auto [at, last] = entries_.equal_range(task);
    while (at != last) {
        auto const known = at->second.watcher.lock();
        bool const is_same = known.get() == &watcher;
        is_removed = is_removed || is_same;
        at = is_same || !known ? entries_.erase(at) : std::next(at);
    }
    return is_removed && !entries_.contains(task);
}

// The watchers take effect in later handlers, so that the entries do not change during the loops.

LINKSPAN_DECL void task_watchers::on_notification(std::string_view params)
{
    if (entries_.empty())
        return;
    auto const found = read_task(params);
    if (!found)
        return;
    auto const [first, last] = entries_.equal_range(found->id);
    for (auto at = first; at != last; ++at)
        if (auto const watcher = at->second.watcher.lock())
            watcher->on_task_notified(*found);
}

LINKSPAN_DECL void task_watchers::update(std::function<bool(std::string_view task)> const& is_watched)
{
    for (auto& [task, each] : entries_) {
        bool const now_watched = is_watched(task);
        if (now_watched == each.is_watched)
            continue;
        each.is_watched = now_watched;
        if (auto const watcher = each.watcher.lock())
            watcher->on_task_watched(now_watched);
    }
}

} // namespace linkspan::detail

#endif
