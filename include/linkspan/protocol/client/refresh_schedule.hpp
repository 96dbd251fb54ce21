#ifndef LINKSPAN_PROTOCOL_CLIENT_REFRESH_SCHEDULE_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REFRESH_SCHEDULE_HPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace linkspan {

/// When to list the tools of a server that announces changes. The first announcement is followed at once; further ones
/// share a list, which is asked for a wait after the one before. The wait is doubled by each list that was announced in
/// vain, because some servers announce changes with every response, that to `tools/list` included.
///
/// No announcement is lost: a list that starts after it follows, and follows again if that list fails.
class refresh_schedule {
public:
    static constexpr duration min_wait = std::chrono::seconds(1);
    static constexpr duration max_wait = std::chrono::seconds(60);

    enum class list_result { failed, same, changed };

    /// Event: the server announced a change. Yields when to list, which may be `now`; nothing when that is scheduled.
    std::optional<time_point> on_announced(time_point now) noexcept
    {
        if (std::exchange(announced_, true))
            return std::nullopt;
        return next(now);
    }

    /// Event: a list starts, for whatever reason. It follows all announcements so far.
    void on_list_started(time_point now) noexcept
    {
        follows_ = std::exchange(announced_, false);
        if (follows_)
            last_ = now;
    }

    /// Event: that list ended. Yields when to list again, if it was announced and failed.
    std::optional<time_point> on_list_ended(time_point now, list_result result) noexcept
    {
        if (!std::exchange(follows_, false))
            return std::nullopt;
        in_vain_ = result == list_result::changed ? 0 : in_vain_ + 1;
        if (result != list_result::failed)
            return std::nullopt;
        return on_announced(now);
    }

private:
    time_point next(time_point now) const noexcept
    {
        return last_ ? std::max(now, *last_ + doubled(min_wait, max_wait, in_vain_)) : now;
    }

    unsigned in_vain_ = 0;           // lists in a row that followed an announcement and brought nothing new
    std::optional<time_point> last_; // start of the last list that followed an announcement
    bool announced_ = false;         // and no list has started since
    bool follows_ = false;           // the list in flight follows an announcement
};

} // namespace linkspan

#endif
