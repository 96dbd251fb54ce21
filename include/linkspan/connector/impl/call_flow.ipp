#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_FLOW_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_FLOW_IPP

#include <linkspan/connector/detail/call_flow.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void executions::enter(flow_server const& server, certainty delivery)
{
    if (delivery != certainty::unknown && delivery != certainty::completed)
        return;
    if (!maybe_executed_) {
        replay_ = server.view.replay;
        // The idempotency key of a `keyed` call is recognized only by the server that received it.
        is_server_bound_ = server.replay_on_same_server || replay_ == replay_class::keyed;
    } else if (executed_by_ != server.view.id) { // repetitions on one server do not change the class
        replay_ = replay_with(server);
    }
    maybe_executed_ = true;
    executed_by_ = server.view.id;
    required_ = delivery == certainty::completed ? replay_class::read_only : replay_class::idempotent;
}

LINKSPAN_DECL replay_class executions::replay_with(flow_server const& other) const
{
    if (is_server_bound_ || other.replay_on_same_server || other.view.replay == replay_class::keyed)
        return replay_class::never;
    return std::min(replay_, other.view.replay);
}

LINKSPAN_DECL bool executions::permit(flow_server const& other) const
{
    return !maybe_executed_ || replay_with(other) >= required_;
}

LINKSPAN_DECL call_flow::action call_flow::start(policy_table& policies, call_view const& call,
                                                 std::span<flow_server const> servers)
{
    return next(policies, call, servers);
}

LINKSPAN_DECL call_flow::action call_flow::on_outcome(outcome const& result, policy_table& policies,
                                                      call_view const& call, std::span<flow_server const> servers,
                                                      std::uint32_t in_flight)
{
    if (!result.ec)
        return {action::kind::finish, {}, {}, {}, true};
    auto const decision = record_and_decide(result, policies, call, servers);
    if (decision.what == verdict::kind::give_up)
        return give_up(call);
    if (!std::exchange(is_budget_spent_, false) && result.certainty != certainty::not_sent &&
        !policies.spend(current_, in_flight, call.now))
        return give_up(call);
    if (decision.wait > duration::zero()) {
        auto const left = call.deadline - call.now;
        bool const skips_the_same = repeats_server_ && left < decision.wait + min_attempt && !candidates_.empty();
        if (!skips_the_same && left < decision.wait)
            return give_up(call);
        if (!skips_the_same)
            return {action::kind::wait, {}, decision.wait, {}, false};
        repeats_server_ = false;
    }
    return next(policies, call, servers);
}

// Records the outcome of an attempt, and returns the decision of the fallback policy.
LINKSPAN_DECL verdict call_flow::record_and_decide(outcome const& result, policy_table& policies, call_view const& call,
                                                   std::span<flow_server const> servers)
{
    // select_candidates() must not allocate after the outcome has been recorded.
    candidates_.reserve(servers.size());
    last_ = result;
    auto const repeats = this->repeats();
    attempted_.push_back(current_);
    if (result.certainty == certainty::refused || result.certainty == certainty::unknown || repeats_server_)
        ++counted_attempts_;
    auto const here = std::ranges::find(servers, current_, [](flow_server const& s) { return s.view.id; });
    if (here == servers.end())
        return verdict::give_up();
    is_input_requested_ = is_input_requested_ || result.input_requested;
    executions_.enter(*here, result.certainty);
    auto failed = here->view;
    if (executions_.may_have_executed())
        failed.replay = executions_.replay();
    bool const has_available = select_candidates(servers);
    bool const same_allowed = here->available || here->pauses || (here->starting_soon && !has_available) ||
                              (here->last_resort && is_last_resort_);
    auto decision =
        policies.after_failure({call, failed, number_, counted_attempts_, result, same_allowed, candidates_, repeats});
    if (decision.min_replay_class)
        executions_.require(*decision.min_replay_class);
    if (decision.what == verdict::kind::give_up || counted_attempts_ == max_counted_attempts)
        return verdict::give_up();
    repeats_server_ = decision.what == verdict::kind::retry_same;
    if (repeats_server_ && !(same_allowed && executions_.permit_again()))
        return verdict::give_up();
    if (repeats_server_ && here->pauses)
        decision.wait = std::max(decision.wait, *here->view.throttled_until - call.now);
    return decision;
}

// The decision is made on a copy of the flow, so that of the state of the flow only `is_budget_spent_` changes. The
// fallback policy is invoked here and, for the same outcome, by on_outcome(); a policy with a state of its own is
// therefore invoked once more than there are failed attempts.
LINKSPAN_DECL bool call_flow::can_fail_over(outcome const& result, policy_table& policies, call_view const& call,
                                            std::span<flow_server const> servers, std::uint32_t in_flight)
{
    auto trial = *this;
    auto const decision = trial.record_and_decide(result, policies, call, servers);
    if (decision.what == verdict::kind::give_up || call.deadline - call.now < decision.wait + min_attempt)
        return false;
    trial.select_candidates(servers, &flow_server::available);
    is_budget_spent_ = !trial.candidates_.empty() && policies.spend(current_, in_flight, call.now);
    return is_budget_spent_;
}

LINKSPAN_DECL call_flow::action call_flow::on_waited(policy_table& policies, call_view const& call,
                                                     std::span<flow_server const> servers)
{
    return next(policies, call, servers);
}

// Resets the members for the next call. The containers keep their memory.
LINKSPAN_DECL void call_flow::reset()
{
    current_ = {};
    number_ = counted_attempts_ = 0;
    attempted_.clear();
    rejections_.clear();
    candidates_.clear();
    executions_ = {};
    is_budget_spent_ = repeats_server_ = is_input_requested_ = is_last_resort_ = false;
}

LINKSPAN_DECL unsigned call_flow::repeats() const noexcept
{
    return static_cast<unsigned>(std::ranges::count(attempted_, current_));
}

LINKSPAN_DECL bool call_flow::had_attempt(server_id server) const
{
    return std::ranges::find(attempted_, server) != attempted_.end();
}

// Sets `candidates_` to the servers that may execute the call, without those in `attempted_` (servers with an attempt
// of this call, and servers that the admission policy rejected): available servers; if there are none, servers that the
// call can wait for; if there are none, servers whose breaker is open. After an input request, there are no candidates.
// Returns whether a candidate is available.
LINKSPAN_DECL bool call_flow::select_candidates(std::span<flow_server const> servers)
{
    bool const has_available = select_candidates(servers, &flow_server::available);
    is_last_resort_ = !has_available && !select_candidates(servers, &flow_server::starting_soon);
    if (is_last_resort_)
        select_candidates(servers, &flow_server::last_resort);
    return has_available;
}

LINKSPAN_DECL bool call_flow::select_candidates(std::span<flow_server const> servers, bool flow_server::*wanted)
{
    candidates_.clear();
    if (is_input_requested_)
        return false;
    for (auto const& server : servers) {
        if (!(server.*wanted) || had_attempt(server.view.id) || !executions_.permit(server))
            continue;
        candidates_.push_back(server.view);
        if (executions_.may_have_executed())
            candidates_.back().replay = executions_.replay_with(server);
    }
    return !candidates_.empty();
}

LINKSPAN_DECL bool call_flow::has_successor(std::span<flow_server const> servers, certainty delivery) const
{
    auto const here = std::ranges::find(servers, current_, [](flow_server const& s) { return s.view.id; });
    if (is_input_requested_ || here == servers.end())
        return false;
    auto after = executions_;
    after.enter(*here, delivery);
    return std::ranges::any_of(servers, [&](flow_server const& other) {
        return (other.available || other.starting_soon) && other.view.id != current_ && !had_attempt(other.view.id) &&
               after.permit(other);
    });
}

LINKSPAN_DECL call_flow::action call_flow::next(policy_table& policies, call_view const& call,
                                                std::span<flow_server const> servers)
{
    if (call.deadline - call.now < min_attempt)
        return number_ != 0 ? give_up(call) : action{action::kind::finish, {}, {}, error::deadline_exceeded, false};
    // The server may have become unavailable during the wait.
    if (repeats_server_) {
        auto const here = std::ranges::find(servers, current_, [](flow_server const& s) { return s.view.id; });
        if (here != servers.end() && (here->available || here->starting_soon || here->last_resort))
            return attempt(current_, !here->available && !here->starting_soon);
        repeats_server_ = false;
    }
    select_candidates(servers);
    while (!candidates_.empty()) {
        auto const chosen = call.in_order ? candidates_.front().id : policies.select(call, candidates_);
        auto const server = chosen ? std::ranges::find(candidates_, *chosen, &server_view::id) : candidates_.end();
        if (server == candidates_.end())
            break;
        if (policies.admit(call, *server))
            return attempt(*chosen, is_last_resort_);
        rejections_.push_back(*chosen);
        attempted_.push_back(*chosen);
        candidates_.erase(server);
        if (candidates_.empty())
            select_candidates(servers);
    }
    return give_up(call);
}

LINKSPAN_DECL call_flow::action call_flow::attempt(server_id server, bool last_resort)
{
    current_ = server;
    ++number_;
    return {action::kind::attempt, server, {}, {}, false, last_resort};
}

// Completes the call with the error response of the last attempt if it is the outcome of the call; else with
// `no_eligible_server`, `outcome_unknown`, `deadline_exceeded` or `all_servers_failed`.
LINKSPAN_DECL call_flow::action call_flow::give_up(call_view const& call) const
{
    if (number_ == 0)
        return {action::kind::finish, {}, {}, error::no_eligible_server, false};
    bool const is_unsafe = executions_.forbid_others();
    // The error response concludes the call if the tool was executed (`completed`), or if it may have been executed and
    // must not be repeated (`unknown`, `is_unsafe`): `all_servers_failed` would state that the call may be repeated.
    bool is_response = last_.certainty == certainty::completed || (last_.certainty == certainty::unknown && is_unsafe);
    // If candidates remain after the first attempt, the fallback policy declined failover: the error response is the
    // outcome.
    is_response = is_response || (number_ == 1 && !candidates_.empty());
    if (last_.has_response && is_response)
        return {action::kind::finish, {}, {}, last_.ec, true};
    bool const is_exhausted = last_.has_response && candidates_.empty();
    error_code ec = error::all_servers_failed;
    if (is_unsafe)
        // A repeated call may be sent to another server or has a new idempotency key, so that the tool could be
        // executed twice.
        ec = error::outcome_unknown;
    else if (call.deadline - call.now < min_attempt && !is_exhausted)
        ec = error::deadline_exceeded;
    return {action::kind::finish, {}, {}, ec, false};
}

} // namespace linkspan::detail

#endif
