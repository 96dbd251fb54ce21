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

namespace linkspan::inline LINKSPAN_ABI {
namespace routing {

/// Selects the server with the fewest outstanding requests among those with the highest `priority`. The default policy.
///
/// Among servers with equally many requests, the first in configuration order is selected. Unhealthy servers are
/// selected only if all candidates are unhealthy: they are not excluded, so that a wrong probe result does not fail a
/// call without an alternative. With more than four servers of one priority, the policy compares two servers drawn at
/// random, so that concurrent clients do not all select the same idle server.
///
/// \par Thread safety
/// Stateless: safe from any thread.
/// \par Specification
/// M. Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE TPDS 12(10), 2001.
struct by_priority {
    using role = routing_role;

    /// Returns the selected server. Never empty.
    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) const noexcept
    {
        detail::top_tier const tier(candidates);
        if (tier.size() <= 4)
            return tier.best([](server_view const& server) { return server.in_flight; }).id;
        auto const first = static_cast<std::size_t>(call.draw % tier.size());
        auto second = static_cast<std::size_t>((call.draw >> 32) % (tier.size() - 1));
        // Skips `first`, so that the two are different.
        second += second >= first;
        auto const& one = tier[first];
        auto const& other = tier[second];
        return (other.in_flight < one.in_flight ? other : one).id;
    }
};

/// Selects the servers with the highest `priority` in turn. Unhealthy servers are selected only if all candidates are
/// unhealthy.
///
/// One counter of all attempts of the connector determines the turn, independently of the tools.
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe; the connector uses its policy on its executor only.
struct round_robin {
    using role = routing_role;

    /// Returns the next server in turn. Never empty.
    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) noexcept
    {
        detail::top_tier const tier(candidates);
        return tier[static_cast<std::size_t>(turn_++ % tier.size())].id;
    }

private:
    // Number of selections so far.
    std::uint64_t turn_ = 0;
};

/// Default key of `sticky`: the affinity of the call (`call_options::affinity`).
struct by_affinity {
    /// Returns the affinity of the call. Empty: none.
    std::string_view operator()(call_view const& call) const noexcept { return call.affinity; }
};

/// Selects the same server for all calls with the same key, as long as that server is available (rendezvous hashing).
///
/// If a server is added or removed, only the keys that belong to this server are routed differently. The selection is
/// among the servers with the highest `priority`; calls with an empty key are routed by `by_priority`.
///
///     linkspan::call_options options;
///     options.affinity = "user-17"; // all calls with this text use one server
///
/// \tparam Key Function object that takes a `call_view const&` and returns a text.
/// \par Thread safety
/// Stateless if `Key` is stateless: safe from any thread.
/// \par Specification
/// D. Thaler and C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM ToN 6(1), 1998.
template<class Key = by_affinity>
struct sticky {
    using role = routing_role;

    /// Determines the key of a call.
    Key key{};

    /// Returns the selected server. Never empty.
    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) const
    {
        std::string_view const text = key(call);
        if (text.empty())
            return by_priority().select(call, candidates);
        // The weight depends on the key and one server only: other servers do not change the order of two servers.
        return detail::top_tier(candidates)
            .best([text](server_view const& server) { return ~detail::weight_of(text, server.key); })
            .id;
    }
};

/// Restricts calls to servers with certain tags, and selects among them by another policy.
///
/// A call fails with `no_eligible_server` if no server has the tags. Each selection allocates memory. To restrict
/// single calls, use `connector_base::on_servers` instead.
///
///     linkspan::routing::by_tags<> in_europe;
///     in_europe.all_of = {"eu"};
///
/// \tparam Inner Routing policy for the servers that have the tags.
/// \par Thread safety
/// Distinct objects: safe. The same object: as safe as `Inner`.
template<class Inner = by_priority>
struct by_tags {
    using role = routing_role;

    /// Tags of which a server must have all. Empty: no condition.
    std::vector<std::string> all_of{};

    /// Tags of which a server must have at least one. Empty: no condition.
    std::vector<std::string> any_of{};

    /// Tags that a server must not have. Empty: no condition.
    std::vector<std::string> none_of{};

    /// Selects among the servers that have the tags.
    Inner inner{};

    /// Returns the selection of `inner`, or an empty optional if no candidate has the tags.
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

    /// Returns whether the server has the tags.
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
