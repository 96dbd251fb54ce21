#ifndef LINKSPAN_PROTOCOL_CLIENT_SERVER_LIST_HPP
#define LINKSPAN_PROTOCOL_CLIENT_SERVER_LIST_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the time for which a list of a server is used without another list request.
///
/// \param ttl The `ttlMs` of the list; empty: not sent.
/// \param has_notifications The server notifies of changes of the list.
/// \returns The `ttl`, limited to the range from 1 s to 24 h; 300 s without a `ttl`, and for a server that notifies of
/// changes and sends a `ttl` of 0, because each use would otherwise cause a list request.
/// \par Specification
/// MCP 2026-07-28, "Caching".
constexpr duration list_freshness(std::optional<duration> ttl, bool has_notifications) noexcept
{
    if (!ttl || (has_notifications && *ttl == duration::zero()))
        return std::chrono::seconds(300);
    return std::clamp<duration>(*ttl, std::chrono::seconds(1), std::chrono::hours(24));
}

/// One list of a server, such as its resources, which is requested when the program needs it.
///
///     unlisted --> listing --> current --> stale --> listing
///        ^            |----------------------^
///        +------------+ failure or reconnection without an earlier list
///
/// The list is not requested before the first use. The end of its time to live, a notification and a reconnection only
/// make the list stale; the next use requests it again. Several users of an outstanding request share its result.
///
/// The class stores no entries. The owner keeps the entries of the last complete list, which remain usable while the
/// list is stale and while it is requested again.
///
/// Invariant: at most one request is outstanding, from an `on_used` that returns `list` to `on_complete`, `on_failed`
/// or `on_reconnected`.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28, "Caching"; server/utilities/pagination.
class server_list {
public:
    /// `unlisted`: there is no list. `listing`: a request is outstanding. `current`: the list may be used. `stale`: the
    /// list may have changed.
    enum class state { unlisted, listing, current, stale };

    /// Next step of a user. `use`: the list is current. `list`: send a list request. `wait`: a request is outstanding.
    enum class action { use, list, wait };

    /// Shortest time after a failed request for which `is_pausing` returns true.
    static constexpr duration min_pause = std::chrono::seconds(1);
    /// Longest time after a failed request for which `is_pausing` returns true.
    static constexpr duration max_pause = std::chrono::seconds(60);

    /// Returns the state at a time: a current list becomes stale at the end of its time to live.
    state state_at(time_point now) const noexcept
    {
        return state_ == state::current && fresh_until_ <= now ? state::stale : state_;
    }

    /// Returns whether a complete list was received.
    bool has_list() const noexcept { return has_list_; }

    /// Returns whether the last request has failed a short time ago. A use that does not depend on the list does not
    /// request it during this time, which doubles with each consecutive failure.
    bool is_pausing(time_point now) const noexcept { return now < paused_until_; }

    /// Event: the program uses the list. After `list`, the caller sends the request.
    [[nodiscard]] action on_used(time_point now) noexcept
    {
        if (state_ == state::listing)
            return action::wait;
        if (state_at(now) == state::current)
            return action::use;
        state_ = state::listing;
        is_outdated_ = false;
        fresh_until_ = time_point::max();
        return action::list;
    }

    /// Event: a page was received. Each page has its own time to live; the list is current until the first of them
    /// ends.
    ///
    /// \param ttl, has_notifications See `list_freshness`.
    void on_page(std::optional<duration> ttl, bool has_notifications, time_point now) noexcept
    {
        fresh_until_ = std::min(fresh_until_, now + list_freshness(ttl, has_notifications));
    }

    /// Event: the last page was received. The list is stale if the server notified of a change during the request.
    void on_complete() noexcept
    {
        state_ = is_outdated_ ? state::stale : state::current;
        has_list_ = true;
        failures_ = 0;
        paused_until_ = {};
    }

    /// Event: the request failed.
    void on_failed(time_point now) noexcept
    {
        state_ = without_request();
        paused_until_ = now + doubled(min_pause, max_pause, ++failures_);
    }

    /// Event: the server notified of a change of the list.
    void on_list_changed() noexcept
    {
        is_outdated_ = true;
        if (state_ == state::current)
            state_ = state::stale;
    }

    /// Event: the server was connected again. The result of an outstanding request is not used.
    void on_reconnected() noexcept
    {
        state_ = without_request();
        failures_ = 0;
        paused_until_ = {};
    }

private:
    state without_request() const noexcept { return has_list_ ? state::stale : state::unlisted; }

    state state_ = state::unlisted; // set by all events; `current` also after the time to live
    bool has_list_ = false;         // set by on_complete(), never cleared
    bool is_outdated_ = false;      // set by on_list_changed(), cleared when a request begins
    unsigned failures_ = 0;         // consecutive failed requests; 0 after a complete list and a reconnection
    time_point fresh_until_{};      // set when a request begins, reduced by each page
    time_point paused_until_{};     // set by on_failed(), cleared by on_complete() and on_reconnected()
};

} // namespace linkspan

#endif
