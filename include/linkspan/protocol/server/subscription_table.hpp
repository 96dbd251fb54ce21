#ifndef LINKSPAN_PROTOCOL_SERVER_SUBSCRIPTION_TABLE_HPP
#define LINKSPAN_PROTOCOL_SERVER_SUBSCRIPTION_TABLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/subscription_filter.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Subscribers of a server, and the notifications that they have not received yet (due notifications).
///
/// A subscriber is a stream of `subscriptions/listen`, or a client of the era `handshake`, which is notified of changed
/// lists without a subscription, and subscribes to resources one by one (`resources/subscribe`). Changes are recorded
/// by events; `take` returns the notifications, in which several equal changes are one. The class performs no I/O.
///
/// The time for recording a change of a resource or of a task, and for returning its notifications, is proportional to
/// the number of its subscribers, to the number of segments of the URI, and to the logarithm of the number of
/// subscriptions.
///
/// Invariant: `changed_`, `updated_` and `changed_tasks_` contain only changes that a subscriber wanted when they
/// occurred. `by_uri_` and `by_task_` contain exactly the texts in `subscribers_`, each with its subscribers.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28, basic/patterns, "Subscriptions"; 2025-11-25, server/resources, "Subscriptions".
class subscription_table {
public:
    /// Identifies a subscriber. Numbers are not reused.
    using key = std::uint64_t;

    /// Kinds of changes.
    enum class change { tools, prompts, resources, contents, task };

    /// Notification that is due to one subscriber.
    struct notification {
        key subscriber = 0;          ///< the subscriber
        change what = change::tools; ///< kind of the change
        std::string uri{};           ///< URI of the resource (`contents`), or id of the task (`task`)

        bool operator==(notification const&) const = default;
    };

    /// Creates an empty table.
    subscription_table() = default;
    subscription_table(subscription_table const&) = delete;
    subscription_table& operator=(subscription_table const&) = delete;

    /// Adds a subscriber and returns its key.
    ///
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL key add(subscription_filter const& wanted);

    /// Removes a subscriber. No notification is due to it any more.
    LINKSPAN_DECL void remove(key subscriber) noexcept;

    /// Adds the lists of a filter to the filter of a subscriber. Has no effect for an unknown subscriber.
    ///
    /// \param lists Filter, of which only `tools`, `prompts` and `resources` are used.
    LINKSPAN_DECL void add_lists(key subscriber, subscription_filter const& lists) noexcept;

    /// Adds a resource to the filter of a subscriber. Has no effect for an unknown subscriber.
    ///
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL void add_uri(key subscriber, std::string_view uri);

    /// Removes a resource from the filter of a subscriber. Has no effect for an unknown subscriber or resource.
    LINKSPAN_DECL void remove_uri(key subscriber, std::string_view uri) noexcept;

    /// Adds a task to the filter of a subscriber. Has no effect for an unknown subscriber.
    ///
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL void add_task(key subscriber, std::string_view id);

    /// Removes a task from the filter of a subscriber. Has no effect for an unknown subscriber or task.
    LINKSPAN_DECL void remove_task(key subscriber, std::string_view id) noexcept;

    /// Event: a list has changed.
    ///
    /// \param list `tools`, `prompts` or `resources`.
    /// \returns True if the change is recorded, and no change was recorded since the last `take`.
    LINKSPAN_DECL bool on_list_changed(change list) noexcept;

    /// Event: the contents of a resource have changed. A subscription to the URI `file:///a` also matches resources
    /// below it, such as `file:///a/b`.
    ///
    /// \returns True if the change is recorded, and no change was recorded since the last `take`.
    /// \throws std::bad_alloc The change is not recorded.
    LINKSPAN_DECL bool on_updated(std::string_view uri);

    /// Event: the state of a task has changed.
    ///
    /// \returns True if the change is recorded, and no change was recorded since the last `take`.
    /// \throws std::bad_alloc The change is not recorded.
    LINKSPAN_DECL bool on_task_changed(std::string_view id);

    /// Returns the notifications that are due, in the order of the subscribers, and discards the recorded changes.
    ///
    /// The filters at the time of the call decide: a subscriber that was added after a recorded change is notified too.
    ///
    /// \throws std::bad_alloc The notifications remain due.
    LINKSPAN_DECL std::vector<notification> take();

    /// Returns whether a change is recorded.
    LINKSPAN_DECL bool has_due() const noexcept;

    /// Returns the number of resources in the filter of a subscriber; 0: the subscriber is unknown.
    std::size_t uris(key subscriber) const noexcept
    {
        auto const found = subscribers_.find(subscriber);
        return found == subscribers_.end() ? 0 : found->second.uris.size();
    }

    /// Returns whether the filter of a subscriber has a resource; false: the subscriber is unknown.
    bool has_uri(key subscriber, std::string_view uri) const noexcept
    {
        auto const found = by_uri_.find(uri);
        return found != by_uri_.end() && found->second.contains(subscriber);
    }

    /// Returns the number of resources in the filters of all subscribers. A resource of two subscribers counts twice.
    std::size_t all_uris() const noexcept { return all_uris_; }

    /// Returns the number of subscribers.
    std::size_t size() const noexcept { return subscribers_.size(); }

private:
    // The subscribers of each resource or task; not empty.
    using index = std::map<std::string, std::set<key>, std::less<>>;
    struct subscriber_entry {
        bool tools = false, prompts = false, resources = false; // wanted lists
        std::set<std::string_view> uris{}, task_ids{};          // keys of `by_uri_` and `by_task_`
    };

    static bool wants(subscriber_entry const& of, change what) noexcept;
    static bool link(index& in, std::set<std::string_view>& of, std::string_view text, key subscriber);
    static bool unlink(index& in, std::set<std::string_view>& of, std::string_view text, key subscriber) noexcept;
    static void unlink_all(index& in, std::set<std::string_view>& of, key subscriber) noexcept;
    template<class Function>
    void for_each_match(std::string_view uri, Function const& function) const;

    // Added by add(), changed by the functions for single resources and tasks, removed by remove().
    std::map<key, subscriber_entry> subscribers_;
    index by_uri_, by_task_;                           // changed with `subscribers_`
    std::size_t all_uris_ = 0;                         // sum of the sizes of `uris`
    std::set<std::string, std::less<>> updated_;       // changed resources; added by on_updated(), cleared by take()
    std::set<std::string, std::less<>> changed_tasks_; // added by on_task_changed(), cleared by take()
    bool changed_[3] = {}; // changed lists, by `change`; set by on_list_changed(), cleared by take()
    key last_ = 0;         // key of the last subscriber; incremented by add()
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/subscription_table.ipp>
#endif

#endif
