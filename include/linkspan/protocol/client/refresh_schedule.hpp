#ifndef LINKSPAN_PROTOCOL_CLIENT_REFRESH_SCHEDULE_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REFRESH_SCHEDULE_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Schedule of the requests for the tool list of a server that sends list-changed notifications.
///
/// The first notification is followed by a list request immediately. Later notifications are combined: the next request
/// starts one wait after the start of the previous one. The wait is `min_wait` at first, and doubles with each further
/// consecutive request that failed or returned an unchanged list, because some servers send a notification with every
/// response, including the response to `tools/list`.
///
/// Invariant: each notification is followed by a list request that starts after it, and by another one if that request
/// fails.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class refresh_schedule {
public:
    /// Shortest time between the starts of two requests that follow notifications: 1 s.
    static constexpr duration min_wait = std::chrono::seconds(1);
    /// Longest time between the starts of two requests that follow notifications: 60 s.
    static constexpr duration max_wait = std::chrono::seconds(60);

    /// Result of a list request. `failed`: the request failed. `same`: the list is unchanged. `changed`: the list
    /// differs.
    enum class list_result { failed, same, changed };

    /// Event: the server sent a list-changed notification.
    ///
    /// \returns The time at which to request the list, which may be `now`; empty: a request is already scheduled.
    std::optional<time_point> on_list_changed(time_point now) noexcept
    {
        if (std::exchange(list_changed_, true))
            return std::nullopt;
        return next(now);
    }

    /// Event: a list request was sent, for any reason. The request covers all earlier notifications.
    void on_list_started(time_point now) noexcept
    {
        follows_notification_ = std::exchange(list_changed_, false);
        if (follows_notification_)
            last_ = now;
    }

    /// Event: the list request completed.
    ///
    /// \returns The time at which to repeat the request, if it followed a notification and failed; else empty.
    std::optional<time_point> on_list_ended(time_point now, list_result result) noexcept
    {
        if (!std::exchange(follows_notification_, false))
            return std::nullopt;
        lists_without_change_ = result == list_result::changed ? 0 : lists_without_change_ + 1;
        if (result != list_result::failed)
            return std::nullopt;
        return on_list_changed(now);
    }

private:
    time_point next(time_point now) const noexcept
    {
        return last_ ? std::max(now, *last_ + doubled(min_wait, max_wait, lists_without_change_)) : now;
    }

    // number of consecutive requests after notifications that failed or returned an unchanged list; set to 0 by a
    // changed list
    unsigned lists_without_change_ = 0;
    // start of the last request that followed a notification; empty before the first one, never cleared
    std::optional<time_point> last_;
    // set by a notification; cleared when a request starts
    bool list_changed_ = false;
    // set when a request that follows a notification starts; cleared when this request completes
    bool follows_notification_ = false;
};

} // namespace linkspan

#endif
