#ifndef LINKSPAN_TEST_SUPPORT_SCRIPTED_POLICIES_HPP
#define LINKSPAN_TEST_SUPPORT_SCRIPTED_POLICIES_HPP

#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/routing.hpp>
#include <linkspan/policy/set.hpp>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
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
    std::size_t asked_for_verdict = 0, asked_for_budget = 0;

    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) override
    {
        return choices(candidates);
    }
    verdict after_failure(attempt_view const& failed) override
    {
        ++asked_for_verdict;
        return verdicts(failed);
    }
    bool admit(call_view const&, server_view const& server) override { return !closed.contains(server.id); }
    bool spend(server_id, std::uint32_t, time_point) override
    {
        ++asked_for_budget;
        return has_budget;
    }
    std::string expose(std::string_view, std::string_view) const override { return {}; }
    bool accepts_own_name(std::string_view) const override { return false; }
    void on_result(server_id, outcome const&, time_point) override {}
    health_state health(server_id, time_point) override { return health_state::healthy; }
    void on_probe(server_id, outcome const&, time_point) override {}
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) override { return std::nullopt; }
    bool observes_attempts() const noexcept override { return false; }
    bool observes_events() const noexcept override { return false; }
    void on_attempt(attempt_view const& view) override { attempts(view); }
    void on_state(state_view const&) override {}
    void on_event(event_view const&) override {}
    void added(server_view const&, boost::json::object const&) override {}
    void removed(server_id) override {}
};

} // namespace linkspan::test

#endif
