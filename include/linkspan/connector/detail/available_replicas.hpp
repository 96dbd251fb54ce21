#ifndef LINKSPAN_CONNECTOR_DETAIL_AVAILABLE_REPLICAS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_AVAILABLE_REPLICAS_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// For each large group, the candidates that were suitable when a call last listed all candidates of the group. The
// following calls draw their samples from these candidates only: if most servers of the group were unavailable, most
// samples of the whole group would contain no suitable server. The class performs no I/O.
//
// A change of a server's state discards all candidates. The candidates also expire, because the end of a pause that a
// server requested is no change of its state.
//
// Invariant: the candidates belong to the catalog of the last call of store().
class available_replicas {
public:
    static constexpr duration max_age = std::chrono::seconds(1);

    // Event: the state or the health of a server changed.
    void on_changed() noexcept
    {
        groups_.clear();
        catalog_.reset();
    }

    // Returns the stored candidates of a group; empty: none are stored. One candidate: no other was suitable.
    std::span<call_candidate const> find(catalog const& of, catalog::match const& group, time_point now) const
    {
        if (groups_.empty() || catalog_.get() != &of)
            return {};
        auto const found = groups_.find(group.entries.data());
        bool const is_valid = found != groups_.end() && now < found->second.until;
        return is_valid ? std::span<call_candidate const>(found->second.candidates) : std::span<call_candidate const>();
    }

    // Stores the candidates of a group that are available, not unhealthy, and have the highest priority among these. If
    // there is only one, another available candidate is stored too, to which the call can fail over. `all`: the
    // candidates of the group. `views`: views of their servers; a removed server has none.
    void store(std::shared_ptr<catalog const> const& of, catalog::match const& group,
               std::span<call_candidate const> all, std::span<flow_server const> views, time_point now)
    {
        if (catalog_ != of)
            groups_.clear();
        catalog_ = of;
        auto const is_suitable = [](flow_server const& one) {
            return one.available && one.view.health != health_state::unhealthy;
        };
        int priority = 0;
        stored chosen{{}, now + max_age};
        for (auto const& one : views) {
            if (is_suitable(one))
                priority = std::max(priority, one.view.priority);
            if (one.view.throttled_until && *one.view.throttled_until > now)
                chosen.until = std::min(chosen.until, *one.view.throttled_until);
        }
        std::optional<call_candidate> other;
        auto candidate = all.begin();
        for (auto const& one : views) {
            candidate = std::ranges::find(candidate, all.end(), one.view.id, &call_candidate::server);
            if (is_suitable(one) && one.view.priority == priority)
                chosen.candidates.push_back(*candidate);
            else if (is_suitable(one))
                other = *candidate;
        }
        if (chosen.candidates.size() == 1 && other)
            chosen.candidates.push_back(*other);
        if (!chosen.candidates.empty())
            groups_.insert_or_assign(group.entries.data(), std::move(chosen));
    }

private:
    struct stored {
        std::vector<call_candidate> candidates;
        time_point until;
    };

    // Owner of the names of the candidates; set by store(), cleared by on_changed().
    std::shared_ptr<catalog const> catalog_;
    // By the address of the entries of a group; added by store(), cleared by on_changed() and by another catalog.
    boost::unordered_flat_map<std::uint32_t const*, stored> groups_;
};

} // namespace linkspan::detail

#endif
