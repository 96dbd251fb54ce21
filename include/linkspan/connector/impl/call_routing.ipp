#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_ROUTING_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_ROUTING_IPP

#include <linkspan/connector/detail/call_routing.hpp>

#include <algorithm>
#include <chrono>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL duration share_of(duration left, double share) noexcept
{
    auto const rest = std::chrono::duration<double, duration::period>(left) * (1 - std::max(share, 0.0));
    return std::max(left - std::chrono::duration_cast<duration>(rest), call_flow::min_attempt);
}

LINKSPAN_DECL call_flow::action call_routing::start(connector_context& context, call_view const& call)
{
    if (candidates_.is_unlisted() && context.policies().accepts_sample()) {
        bool const is_sampled = sample(context, call);
        if (is_sampled) {
            auto const next = flow_.start(context.policies(), call, servers_);
            if (next.what == call_flow::action::kind::attempt)
                return next;
        }
        auto const group = candidates_.group();
        update(context, call.now);
        if (!is_sampled)
            context.replicas().store(candidates_.shared_tools(), group, candidates_.all(), servers_, call.now);
        return flow_.start(context.policies(), call, servers_);
    }
    return flow_.start(context.policies(), call, update(context, call.now));
}

// Lists two candidates that are available and not unhealthy, with their views. Returns false if several draws found
// none.
inline bool call_routing::sample(connector_context& context, call_view const& call)
{
    constexpr int max_draws = 8;
    auto const is_suitable = [](flow_server const& one) {
        return one.available && one.view.health != health_state::unhealthy;
    };
    auto const known = context.replicas().find(candidates_.tools(), candidates_.group(), call.now);
    // A pair of servers is drawn once.
    int const draws = !known.empty() && known.size() < 3 ? 1 : max_draws;
    for (int i = 0; i != draws; ++i) {
        // Not `call.draw`, which the policy receives: the decision must not depend on the draw of the sample.
        candidates_.list_sample(context.time().draw(), known);
        context.view(candidates_.all(), server_.get(), call.now, servers_);
        // A removed server has no view.
        if (servers_.size() == candidates_.all().size() && std::ranges::all_of(servers_, is_suitable))
            return true;
    }
    return false;
}

// Returns whether the call has one candidate, which can execute the call immediately.
LINKSPAN_DECL bool call_routing::is_only_candidate_available(connector_context& context, time_point now,
                                                             time_point deadline) const
{
    auto const candidates = candidates_.all();
    if (candidates.size() != 1 || candidates.front().is_excluded || deadline - now < call_flow::min_attempt)
        return false;
    auto const* const server = context.server(candidates.front().server).get();
    return server && server->is_available(now) && context.policies().health(server->id, now) != health_state::tripped;
}

LINKSPAN_DECL bool call_routing::begin_attempt(connector_context const& context, server_id server, bool is_last_resort)
{
    auto const& found = context.server(server);
    if (!found)
        return false;
    server_ = found;
    if (is_last_resort)
        server_->last_resort_in_use = is_trial_ = true;
    return true;
}

LINKSPAN_DECL call_flow::action call_routing::on_outcome(connector_context& context, outcome const& result,
                                                         call_view const& call, std::uint32_t in_flight)
{
    end_attempt();
    return flow_.on_outcome(result, context.policies(), call, update(context, call.now), in_flight);
}

LINKSPAN_DECL call_flow::action call_routing::on_waited(connector_context& context, call_view const& call)
{
    return flow_.on_waited(context.policies(), call, update(context, call.now));
}

LINKSPAN_DECL bool call_routing::can_fail_over(connector_context& context, outcome const& lost, call_view const& call,
                                               std::uint32_t in_flight)
{
    return flow_.can_fail_over(lost, context.policies(), call, update(context, call.now), in_flight);
}

LINKSPAN_DECL duration call_routing::shared_time(connector_context& context, certainty at_timeout,
                                                 std::optional<double> const& share, time_point now, duration left)
{
    auto const part = share ? *share : context.policies().attempt_share(at_timeout);
    if (!(part < 1))
        return duration::max();
    bool has_successor = flow_.has_successor(servers_, at_timeout);
    if (!has_successor && may_have_unlisted_successor(at_timeout))
        has_successor = flow_.has_successor(update(context, now), at_timeout);
    return has_successor ? share_of(left, part) : duration::max();
}

// Returns whether a server outside of the sample may receive the call after a timeout: not if no other server was
// available, and not if the tool may be executed again on its own server only.
LINKSPAN_DECL bool call_routing::may_have_unlisted_successor(certainty at_timeout) const
{
    if (!candidates_.is_unlisted() || servers_.size() < 2)
        return false;
    auto const here = std::ranges::find(servers_, flow_.current(), [](flow_server const& s) { return s.view.id; });
    bool const is_bound = here->replay_on_same_server || here->view.replay == replay_class::keyed ||
                          here->view.replay == replay_class::never;
    return at_timeout == certainty::not_sent || !is_bound;
}

LINKSPAN_DECL void call_routing::observe(connector_context& context, outcome const& result, bool tool_failed,
                                         call_view const& call)
{
    auto const candidates = candidates_.all();
    auto const here = std::ranges::find(candidates, flow_.current(), &call_candidate::server);
    context.view({here, here == candidates.end() ? here : here + 1}, server_.get(), call.now, servers_);
    for (auto const& one : servers_)
        context.policies().on_attempt({call,
                                       one.view,
                                       flow_.number(),
                                       flow_.counted_attempts(),
                                       result,
                                       one.available || one.starting_soon,
                                       {},
                                       flow_.repeats(),
                                       tool_failed});
}

LINKSPAN_DECL void call_routing::record_rejections(connector_context const& context, attempt_trail& trail)
{
    for (auto const id : flow_.take_rejections())
        trail.add_not_admitted(context.server(id)->key);
}

} // namespace linkspan::detail

#endif
