#ifndef LINKSPAN_TEST_SUPPORT_SCRIPTED_POLICIES_HPP
#define LINKSPAN_TEST_SUPPORT_SCRIPTED_POLICIES_HPP

#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/routing.hpp>
#include <linkspan/policy/set.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

// Policies whose decisions are set by the test. They count the requests for verdicts and for budget.
struct scripted_policies final : policy_table {
    std::function<verdict(attempt_view const&)> verdicts = [](attempt_view const& v) {
        return safe_failover().after_failure(v);
    };
    std::function<std::optional<server_id>(std::span<server_view const>)> choices = [](auto candidates) {
        return by_priority().select({}, candidates);
    };
    std::function<void(attempt_view const&)> attempts = [](attempt_view const&) {}; // receives reported attempts
    std::set<server_id> closed;                                                     // servers that are not admitted
    bool has_budget = true;
    health_state state = health_state::healthy; // of all servers
    std::optional<time_point> probe_at;         // of all servers
    bool is_observing = false;
    bool decides_alone = false;   // the connector need not invoke the policies for the only candidate of a call
    bool samples = false;         // the connector need not invoke `select` with all candidates of a call that has many
    std::vector<std::string> log; // results, probes, and, if `is_observing`, states and events
    std::size_t selections = 0, verdict_requests = 0, budget_requests = 0;

    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) override
    {
        ++selections;
        return choices(candidates);
    }
    bool selects_only_candidate() const noexcept override { return decides_alone; }
    bool accepts_sample() const noexcept override { return samples; }
    bool admits_all() const noexcept override { return decides_alone; }
    verdict after_failure(attempt_view const& failed) override
    {
        ++verdict_requests;
        return verdicts(failed);
    }
    bool admit(call_view const&, server_view const& server) override { return !closed.contains(server.id); }
    bool spend(server_id, std::uint32_t, time_point) override
    {
        ++budget_requests;
        return has_budget;
    }
    std::string expose(std::string_view, std::string_view) const override { return {}; }
    bool accepts_own_name(std::string_view) const override { return false; }
    health_state on_result(server_id, outcome const& result, time_point) override
    {
        add("result", to_string(result.certainty));
        return state;
    }
    health_state health(server_id, time_point) override { return state; }
    void on_probe(server_id, outcome const& result, time_point) override { add("probe", to_string(result.certainty)); }
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) override { return probe_at; }
    bool observes_attempts() const noexcept override { return false; }
    bool observes_events() const noexcept override { return is_observing; }
    void on_attempt(attempt_view const& view) override { attempts(view); }
    void on_state(state_view const& view) override
    {
        if (is_observing)
            add(view.server.key, view.state);
    }
    void on_event(event_view const& view) override { add(view.name, view.detail.empty() ? view.server : view.detail); }
    void added(server_view const& server, boost::json::object const&) override { add("added", server.key); }
    void removed(server_id) override { log.emplace_back("removed"); }

    // Returns the log as "a; b", and clears it.
    std::string take_log()
    {
        std::string out;
        for (auto const& line : std::exchange(log, {}))
            (out += out.empty() ? "" : "; ") += line;
        return out;
    }

private:
    void add(std::string_view what, std::string_view detail)
    {
        log.push_back(std::string(what) + (detail.empty() ? "" : " ") + std::string(detail));
    }
};

} // namespace linkspan::test

#endif
