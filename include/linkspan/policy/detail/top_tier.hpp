#ifndef LINKSPAN_POLICY_DETAIL_TOP_TIER_HPP
#define LINKSPAN_POLICY_DETAIL_TOP_TIER_HPP

#include <linkspan/core/detail/fnv1a.hpp>
#include <linkspan/policy/views.hpp>

#include <boost/assert.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// View of the candidates that are not unhealthy (or of all candidates, if all are unhealthy) and that have, among
// these, the highest priority; in configuration order. The view copies no candidates, because it is constructed for
// each call.
class top_tier {
public:
    explicit top_tier(std::span<server_view const> candidates) noexcept : candidates_(candidates)
    {
        BOOST_ASSERT(!candidates.empty());
        rank_ = rank_of(candidates.front());
        for (auto const& server : candidates)
            if (auto const its = rank_of(server); its >= rank_) {
                size_ = its == rank_ ? size_ + 1 : 1;
                rank_ = its;
            }
    }

    // Returns the number of candidates in the view; at least 1.
    std::size_t size() const noexcept { return size_; }

    // Returns the candidate with the index `n` in the view. `n` is less than `size()`.
    server_view const& operator[](std::size_t n) const noexcept
    {
        for (auto const& server : candidates_)
            if (rank_of(server) == rank_ && n-- == 0)
                return server;
        return candidates_.front();
    }

    // Returns the first candidate in the view with the lowest cost.
    template<class Cost>
    server_view const& best(Cost cost) const
    {
        server_view const* found = nullptr;
        decltype(cost(candidates_.front())) lowest{};
        for (auto const& server : candidates_) {
            if (rank_of(server) != rank_)
                continue;
            if (auto const its = cost(server); found == nullptr || its < lowest) {
                found = &server;
                lowest = its;
            }
        }
        return *found;
    }

private:
    // First: true if the server is not unhealthy. Second: the priority.
    using rank = std::pair<bool, int>;

    static rank rank_of(server_view const& server) noexcept
    {
        return {server.health != health_state::unhealthy, server.priority};
    }

    std::span<server_view const> candidates_; // all candidates
    rank rank_;                               // the highest rank of a candidate
    std::size_t size_ = 0;                    // candidates with this rank
};

// Returns a hash of both texts, which is the same on every machine.
//
// The function applies FNV-1a (draft-eastlake-fnv), and then the finalizer of MurmurHash3, because the bits of FNV-1a
// are not well distributed.
constexpr std::uint64_t weight_of(std::string_view key, std::string_view server) noexcept
{
    // The null character separates the texts, so that "ab" and "c" differ from "a" and "bc".
    auto hash = linkspan::detail::fnv1a(server, linkspan::detail::fnv1a({"", 1}, linkspan::detail::fnv1a(key)));
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    return hash ^ (hash >> 33);
}

} // namespace linkspan::detail

#endif
