#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_CANDIDATES_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_CANDIDATES_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/draw_pair.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Servers that may execute one call, with the catalogs that own the names of their tools. The class performs no I/O.
//
// If many interchangeable tools have the name, resolve() lists no candidates: the first attempt needs a sample of them,
// and a list would cost more than the rest of the call.
//
// Invariants: the views of the candidates refer to a catalog that the object shares, or to the query. all() has all
// candidates unless is_unlisted().
class call_candidates {
public:
    // Looks up the tool of a call in the last published catalog, see resolve_tool().
    resolution resolve(tool_query const& query, catalog_publisher& published, server_registry const& servers)
    {
        catalog_ = published.latest();
        auto out = resolve_tool(query, published, servers, all_);
        has_unknown_tools_ = out.has_unknown_tools;
        unlisted_ = out.unlisted;
        return out;
    }

    // Returns whether all() has no candidates, or only a sample.
    bool is_unlisted() const noexcept { return !unlisted_.entries.empty(); }

    // Returns the group of interchangeable tools. Precondition: is_unlisted().
    catalog::match const& group() const noexcept { return unlisted_; }

    // Lists two candidates, drawn at random, instead of those of an earlier sample: see `RoutingPolicy`. `known`: from
    // available_replicas::find(); if it has one candidate, the function lists that one. Precondition: is_unlisted().
    void list_sample(std::uint64_t draw, std::span<call_candidate const> known)
    {
        if (known.size() == 1) {
            all_ = {known.front()};
            return;
        }
        if (!known.empty()) {
            auto const [first, second] = draw_pair(draw, known.size());
            all_ = {known[first], known[second]};
            return;
        }
        auto const preferred = catalog_->preferred(unlisted_);
        auto const& all = unlisted_.entries;
        all_.clear();
        if (preferred.size() > 1) {
            auto const [first, second] = draw_pair(draw, preferred.size());
            add(preferred[first]);
            add(preferred[second]);
        } else {
            auto const other = all[static_cast<std::size_t>(draw % all.size())];
            add(preferred.front());
            add(other != preferred.front() ? other : all[preferred.front() == all.front() ? 1 : 0]);
        }
    }

    // Lists all candidates.
    void list_all()
    {
        if (!is_unlisted())
            return;
        all_.reserve(unlisted_.entries.size()); // the rest of the function does not throw
        all_.clear();
        for (auto const entry : std::exchange(unlisted_, {}).entries)
            add(entry);
    }

    // Returns the name of the tool on the first candidate; empty: there is no candidate.
    std::string_view first_name() const noexcept
    {
        if (is_unlisted())
            return catalog_->tools()[unlisted_.entries.front()].tool->name;
        return all_.empty() ? std::string_view() : all_.front().tool;
    }

    // Looks up servers whose tools are unknown, see detail::resolve_among_unknown().
    resolution resolve_among_unknown(tool_query const& query, server_registry const& servers)
    {
        auto out = detail::resolve_among_unknown(query, servers, all_);
        has_unknown_tools_ = out.has_unknown_tools;
        return out;
    }

    // Sets candidates that were determined without a catalog. Their views must stay valid until clear().
    void assign(std::vector<call_candidate> all)
    {
        clear();
        all_ = std::move(all);
    }

    std::span<call_candidate const> all() const noexcept { return all_; }

    // Returns whether the tools of a candidate were unknown when the tool was looked up.
    bool has_unknown_tools() const noexcept { return has_unknown_tools_; }

    // Return the catalog in which the tool was looked up. Precondition: resolve() was called.
    catalog const& tools() const noexcept { return *catalog_; }
    std::shared_ptr<catalog const> const& shared_tools() const noexcept { return catalog_; }

    // Returns the candidate for an attempt on its server, with the server's own name of the tool; null if the server
    // does not have the tool, so that the candidate is excluded. `latest`: a catalog with the tools of the server, if
    // they are known now.
    call_candidate const* prepare(tool_query const& query, server_entry const& server,
                                  std::shared_ptr<catalog const> const& latest)
    {
        auto& candidate = *std::ranges::find(all_, server.id, &call_candidate::server);
        if (has_unknown_tools_ && (later_catalogs_.empty() || later_catalogs_.back() != latest))
            later_catalogs_.push_back(latest);
        candidate.is_excluded = has_unknown_tools_ && !determine_own_name(query, server, *latest, candidate);
        return candidate.is_excluded ? nullptr : &candidate;
    }

    // Event: the schema of the server's tool rejects the arguments. Excludes the server, and all servers whose tools
    // have the same input schema and would reject the arguments too. Returns whether all candidates are excluded.
    bool on_rejected_arguments(server_id server, catalog const& latest)
    {
        list_all();
        auto const input_of = [&](call_candidate const& candidate) {
            auto const* const entry = latest.find(candidate.server, candidate.tool);
            return entry ? entry->input : fingerprint();
        };
        auto const here = std::ranges::find(all_, server, &call_candidate::server);
        auto const input = here == all_.end() ? fingerprint() : input_of(*here);
        for (auto& candidate : all_)
            if (candidate.server == server || (input.has_value() && input_of(candidate) == input))
                candidate.is_excluded = true;
        return std::ranges::all_of(all_, &call_candidate::is_excluded);
    }

    // Prepares the object for another call.
    void clear() noexcept
    {
        all_.clear();
        unlisted_ = {};
        catalog_.reset();
        later_catalogs_.clear();
        has_unknown_tools_ = false;
    }

private:
    void add(std::uint32_t entry) { all_.push_back(candidate_of(catalog_->tools()[entry])); }

    // Set by resolve(), resolve_among_unknown(), list_sample() and list_all(), cleared by clear().
    std::vector<call_candidate> all_;
    catalog::match unlisted_;                // set by resolve(), cleared by list_all() and clear()
    std::shared_ptr<catalog const> catalog_; // set by resolve(), cleared by clear()
    // Catalogs with the names of tools that were listed after resolve(); added by prepare(), cleared by clear().
    std::vector<std::shared_ptr<catalog const>> later_catalogs_;
    bool has_unknown_tools_ = false; // set by the look-ups, cleared by clear()
};

} // namespace linkspan::detail

#endif
