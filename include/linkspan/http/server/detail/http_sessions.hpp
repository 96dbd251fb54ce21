#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_SESSIONS_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_SESSIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/http/server/http_service_options.hpp>
#include <linkspan/protocol/principal_quota.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The sessions of an HTTP server: whether a further session is admitted, to which session a request belongs, and which
// sessions have ended because they were idle. The class performs no I/O.
//
// `Session` has the functions `id()`, `principal()`, `last_used()` and `is_idle_since(time_point)`. The caller owns the
// sessions.
template<class Session>
class http_sessions {
public:
    // Whether a client may begin a session.
    struct admission {
        // HTTP status; 200: yes; 429: its principal or address has too many sessions; 503: all clients together have
        // too many
        int status = 200;
        principal_quota::place place{}; // of the session; only with status 200
    };

    explicit http_sessions(http_session_limits const& limits)
        : limits_(limits), principals_(limits.max_per_principal), addresses_(limits.max_per_address)
    {}

    std::size_t size() const noexcept { return sessions_.size(); }

    // principal: empty: anonymous. address: of the client; empty: not known.
    admission admit(std::string_view principal, std::string_view address)
    {
        bool const is_by_address = principal.empty() && limits_.max_per_address != 0;
        auto place = is_by_address ? addresses_.take(address) : principals_.take(principal);
        if (!place)
            return {429, nullptr};
        if (size() >= limits_.max_sessions)
            return {503, nullptr};
        return {200, std::move(place)};
    }

    // Adds an admitted session.
    void add(Session& added, principal_quota::place place)
    {
        sessions_.try_emplace(added.id(), entry{&added, std::move(place)});
    }

    // Removes a session, and gives its place back. Has no effect for other objects.
    void remove(Session const& removed)
    {
        auto const found = sessions_.find(removed.id());
        if (found != sessions_.end() && found->second.session == &removed)
            sessions_.erase(found);
    }

    // Returns the session to which a request belongs; null: there is none. A session of another principal is not found,
    // so that its id does not identify it for other clients.
    Session* find(std::string_view id, std::string_view principal) const
    {
        auto const found = sessions_.find(id);
        return found == sessions_.end() || found->second.session->principal() != principal ? nullptr
                                                                                           : found->second.session;
    }

    // Returns the sessions that have been idle for the timeout. The caller removes them. The sessions are searched at
    // most eight times per timeout, so that requests do not wait for the search.
    std::vector<Session*> idle(time_point now)
    {
        std::vector<Session*> out;
        if (limits_.idle_timeout == duration::max() || now < next_check_)
            return out;
        auto oldest = time_point::max();
        for (auto const& [id, each] : sessions_)
            if (each.session->is_idle_since(now - limits_.idle_timeout))
                out.push_back(each.session);
            else
                oldest = std::min(oldest, each.session->last_used());
        oldest_use_ = oldest == time_point::max() ? time_point::min() : oldest;
        next_check_ = now + limits_.idle_timeout / 8;
        return out;
    }

    // Returns the time at which the next search can find an idle session, which may be in the past; max: sessions have
    // no timeout.
    time_point next_search() const noexcept
    {
        if (limits_.idle_timeout == duration::max())
            return time_point::max();
        if (oldest_use_ > time_point::max() - limits_.idle_timeout - duration(1))
            return time_point::max();
        return std::max(next_check_, oldest_use_ + limits_.idle_timeout + duration(1));
    }

    // Returns all sessions.
    std::vector<Session*> all() const
    {
        std::vector<Session*> out;
        for (auto const& [id, each] : sessions_)
            out.push_back(each.session);
        return out;
    }

private:
    struct entry {
        Session* session;
        principal_quota::place place; // of `principals_` or `addresses_`
    };

    http_session_limits limits_;                           // set by the constructor
    principal_quota principals_;                           // the sessions of each principal
    principal_quota addresses_;                            // the sessions of the anonymous clients of each address
    std::map<std::string, entry, std::less<>> sessions_{}; // by id; added by add(), removed by remove()
    time_point next_check_{};                              // time of the next search for idle sessions; set by idle()
    // Time of the last request of the session that was used least recently, at the last search; set by idle(). min:
    // there was no such session.
    time_point oldest_use_ = time_point::min();
};

} // namespace linkspan::detail

#endif
