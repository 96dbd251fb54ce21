#ifndef LINKSPAN_SESSION_DETAIL_TASK_WATCHERS_HPP
#define LINKSPAN_SESSION_DETAIL_TASK_WATCHERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/task.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Receiver of the notifications about one task.
class task_watcher {
public:
    // Called for each notification, with the task that it describes.
    virtual void on_task_notified(task const& found) = 0;

    // Called when the server begins or ceases to report changes of the task.
    virtual void on_task_watched(bool is_watched) = 0;

protected:
    ~task_watcher() = default;
};

// The watchers of the tasks of a session. A task may have several.
class task_watchers {
public:
    LINKSPAN_DECL void add(std::string const& task, std::weak_ptr<task_watcher> watcher, bool is_watched);

    // Removes a watcher. Returns whether it was the last one of the task; false also if it was not added.
    LINKSPAN_DECL bool remove(std::string_view task, task_watcher const& watcher) noexcept;

    // Passes a notification with the given params to the watchers of its task. Invalid params are ignored.
    LINKSPAN_DECL void on_notification(std::string_view params);

    // Reports to the watchers whether the server reports changes of their tasks, if this has changed.
    LINKSPAN_DECL void update(std::function<bool(std::string_view task)> const& is_watched);

private:
    struct entry {
        std::weak_ptr<task_watcher> watcher;
        bool is_watched = false; // as last reported
    };

    std::multimap<std::string, entry, std::less<>> entries_; // by the id of the task
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/task_watchers.ipp>
#endif

#endif
