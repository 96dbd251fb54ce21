#ifndef LINKSPAN_POLICY_ROUTING_ROUTING_HPP
#define LINKSPAN_POLICY_ROUTING_ROUTING_HPP

#include <linkspan/policy/concepts.hpp>
#include <linkspan/policy/detail/top_tier.hpp>

#include <boost/assert.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {
namespace routing {

/// Of the servers with the highest `priority` the one with the fewest requests in flight; among equals, the first in
/// the configuration. Unhealthy servers come last, but they come: a wrong probe must not fail a call that has
/// nowhere else to go.
///
/// Above four servers of one priority it looks at two of them, drawn at random: then no server is overrun because it
/// was idle when many looked at once.
///
/// M. Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE TPDS 12(10), 2001.
struct by_priority {
    using role = routing_role;

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) const noexcept
    {
        detail::top_tier const tier(candidates);
        if (tier.size() <= 4)
            return tier.best([](server_view const& server) { return server.in_flight; }).id;
        auto const first = static_cast<std::size_t>(call.draw % tier.size());
        auto second = static_cast<std::size_t>((call.draw >> 32) % (tier.size() - 1));
        second += second >= first; // two different ones
        auto const& one = tier[first];
        auto const& other = tier[second];
        return (other.in_flight < one.in_flight ? other : one).id;
    }
};

/// The servers with the highest `priority` in turn.
struct round_robin {
    using role = routing_role;

    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) noexcept
    {
        detail::top_tier const tier(candidates);
        return tier[static_cast<std::size_t>(turn_++ % tier.size())].id;
    }

private:
    std::uint64_t turn_ = 0;
};

/// What calls belong together for `sticky`: those with the same `call_options::affinity`.
struct by_affinity {
    std::string_view operator()(call_view const& call) const noexcept { return call.affinity; }
};

/// Calls with the same key to the same server, as long as it is there: when a server comes or goes, only its own calls
/// move. Among the servers with the highest `priority`. Calls with an empty key go by `by_priority`.
///
/// `Key` takes a `call_view` and gives a text; two calls belong together when their texts are equal.
///
/// D. Thaler and C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM ToN 6(1), 1998.
template<class Key = by_affinity>
struct sticky {
    using role = routing_role;

    Key key{};

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) const
    {
        std::string_view const text = key(call);
        if (text.empty())
            return by_priority().select(call, candidates);
        // The weight is the server's own, whatever others there are; so the best of those that remain stays the best.
        return detail::top_tier(candidates)
            .best([text](server_view const& server) { return ~detail::weight_of(text, server.key); })
            .id;
    }
};

/// Only servers whose tags fit, and among them as `Inner` says. A call for which none fits fails with `no_eligible_server`.
/// Costs an allocation a call.
template<class Inner = by_priority>
struct by_tags {
    using role = routing_role;

    std::vector<std::string> all_of{};  ///< a server needs each of them
    std::vector<std::string> any_of{};  ///< and one of these, unless the list is empty
    std::vector<std::string> none_of{}; ///< and none of these
    Inner inner{};

    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates)
    {
        std::vector<server_view> fitting;
        fitting.reserve(candidates.size());
        std::ranges::copy_if(candidates, std::back_inserter(fitting),
                             [this](server_view const& server) { return fits(server); });
        if (fitting.empty())
            return std::nullopt;
        return inner.select(call, fitting);
    }

    bool fits(server_view const& server) const
    {
        auto const has = [&](std::string const& tag) {
            return std::ranges::find(server.tags, tag) != server.tags.end();
        };
        return std::ranges::all_of(all_of, has) && (any_of.empty() || std::ranges::any_of(any_of, has)) &&
               std::ranges::none_of(none_of, has);
    }
};

static_assert(check_policy<by_priority>());
static_assert(check_policy<round_robin>());
static_assert(check_policy<sticky<>>());
static_assert(check_policy<by_tags<>>());

} // namespace routing

using routing::by_priority;

} // namespace linkspan

#endif
