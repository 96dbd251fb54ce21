#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_ROUTING_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_ROUTING_HPP

#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/connector/detail/call_candidates.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the share of the remaining time, at least `call_flow::min_attempt`. `share`: below 1.
LINKSPAN_DECL duration share_of(duration left, double share) noexcept;

// Routing of one call: its candidates, the views of their servers, the server of the current attempt, and the flow that
// selects the attempts. The class performs no I/O. The object is reused with its memory.
//
// Invariants: each event of the flow receives current views of the candidates. At most one attempt of the connector
// uses a server with an open breaker, from begin_attempt() to end_attempt().
class call_routing {
public:
    call_candidates& candidates() noexcept { return candidates_; }
    call_candidates const& candidates() const noexcept { return candidates_; }

    // Returns the server of the last attempt; null before the first one.
    std::shared_ptr<server_entry> const& server() const noexcept { return server_; }

    // Event: the call begins, at `now`. If its only candidate is available and the policies need not be invoked, begins
    // the attempt and returns the server: start() would make the same decision after a view of the server. Else returns
    // an empty optional, and start() continues.
    std::optional<server_id> start_alone(connector_context& context, time_point now, time_point deadline)
    {
        if (!context.selects_only_candidate() || !is_only_candidate_available(context, now, deadline))
            return std::nullopt;
        auto const server = candidates_.all().front().server;
        flow_.start_at(server);
        return server;
    }

    // Event: the call begins. Returns the first action of the flow. The routing policy of a call with many candidates
    // receives a sample if the policy permits that.
    LINKSPAN_DECL call_flow::action start(connector_context& context, call_view const& call);

    // Event: an attempt at this server begins. Returns false if the server was removed.
    LINKSPAN_DECL bool begin_attempt(connector_context const& context, server_id server, bool is_last_resort);

    // Event: the attempt ends. Permits other calls to use its server as their last resort.
    void end_attempt() noexcept
    {
        if (std::exchange(is_trial_, false))
            server_->last_resort_in_use = false;
    }

    // Events: the attempt ended with this outcome; a wait is over. Return the next action of the flow. `in_flight`:
    // outstanding calls of the connector.
    LINKSPAN_DECL call_flow::action on_outcome(connector_context& context, outcome const& result, call_view const& call,
                                               std::uint32_t in_flight);
    LINKSPAN_DECL call_flow::action on_waited(connector_context& context, call_view const& call);

    // See call_flow::can_fail_over().
    LINKSPAN_DECL bool can_fail_over(connector_context& context, outcome const& lost, call_view const& call,
                                     std::uint32_t in_flight);

    // Updates the views of all candidates' servers, and returns them.
    std::span<flow_server const> update(connector_context& context, time_point now)
    {
        candidates_.list_all();
        context.view(candidates_.all(), server_.get(), now, servers_);
        return servers_;
    }

    // Returns the number of the current attempt, from 1; 0: none yet.
    unsigned number() const noexcept { return flow_.number(); }

    // Returns whether the current attempt is not the first one of the call on its server.
    bool is_repeated() const { return flow_.is_repeated(); }

    // Returns the maximum time of the current attempt. If another server may execute the call after a timeout with the
    // certainty `at_timeout`, the attempt leaves a part of the remaining time to that server. `share`: option of the
    // call; empty: the policies determine the share.
    duration time_of_attempt(connector_context& context, certainty at_timeout, std::optional<double> const& share,
                             time_point now, duration left)
    {
        return servers_.size() < 2 ? duration::max() : shared_time(context, at_timeout, share, now, left);
    }

    // Reports the outcome of the current attempt to the observer.
    LINKSPAN_DECL void observe(connector_context& context, outcome const& result, bool tool_failed,
                               call_view const& call);

    // Adds records of the servers that the admission policy has excluded since the last call of the function.
    void add_rejections(connector_context const& context, attempt_trail& trail)
    {
        if (flow_.has_rejections())
            record_rejections(context, trail);
    }

    // Prepares the object for another call.
    void clear()
    {
        flow_.reset();
        candidates_.clear();
        servers_.clear();
        server_.reset();
    }

private:
    bool is_only_candidate_available(connector_context& context, time_point now, time_point deadline) const;
    bool sample(connector_context& context, call_view const& call);
    duration shared_time(connector_context& context, certainty at_timeout, std::optional<double> const& share,
                         time_point now, duration left);
    bool may_have_unlisted_successor(certainty at_timeout) const;
    void record_rejections(connector_context const& context, attempt_trail& trail);

    call_candidates candidates_; // servers that may execute the call; changed by the caller, and by clear()
    // Current views of the candidates; set by update() and sample(), cleared by clear(). Empty after start_alone().
    std::vector<flow_server> servers_;
    std::shared_ptr<server_entry> server_; // set by begin_attempt(), cleared by clear()
    call_flow flow_;                       // selects the attempts; reset by clear()
    bool is_trial_ = false;                // set by begin_attempt(), cleared by end_attempt()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_routing.ipp>
#endif

#endif
