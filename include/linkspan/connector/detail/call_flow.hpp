#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_FLOW_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_FLOW_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/set.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace linkspan::detail {

// A server that has the tool.
struct flow_server {
    server_view view;    // its `meet` is the replay class of the tool there
    bool available;      // connected, and with room for a call; or not started because nobody has needed it
    bool stays = false;  // that class holds there, and says nothing about other servers
    bool coming = false; // it is being started, or will be soon: one may wait for it
    // The server would be available or coming if its breaker were closed, and no other call is trying it. The flow
    // takes such a server only if no other server can take the call.
    bool last_resort = false;
};

// Where a call may have been executed, and so which servers may take it next.
class executions {
public:
    // Event: an attempt on this server ended so.
    LINKSPAN_DECL void enter(flow_server const& server, certainty how);

    // The replay class of the tool over those servers and this one.
    LINKSPAN_DECL replay_class meet_with(flow_server const& other) const;

    // Whether the call may be sent to another server.
    LINKSPAN_DECL bool permit(flow_server const& other) const;

    // Whether it may be sent once more to the server of the last attempt.
    bool permit_again() const noexcept { return !maybe_executed_ || meet_ >= required_; }

    // It may have been executed, and no other server may take it.
    bool forbid_others() const noexcept { return maybe_executed_ && (meet_ == replay_class::never || stays_); }

    bool are_possible() const noexcept { return maybe_executed_; }
    replay_class meet() const noexcept { return meet_; }
    void require(replay_class least) noexcept { required_ = least; }

private:
    bool maybe_executed_ = false;                      // by one of the servers so far
    server_id executed_by_{};                          // the last of them
    replay_class meet_ = replay_class::read_only;      // over those servers
    bool stays_ = false;                               // `meet_` is that of one server, and holds there only
    replay_class required_ = replay_class::idempotent; // what a successor must have then
};

// One logical call, over all its attempts: which server next, or what the caller gets. No clock, no I/O: each event
// brings the time, the servers as they are now, and the policies, and yields one action.
//
//     start ──> attempt ──> on_outcome ──> finish
//                  ^            ├──> wait ──> on_waited ──┐
//                  └────────────┴─────────────────────────┘
//
// It ends: each attempt either uses up a server, or one of the tries that the fallback policy counts. What a call may
// not do is checked here, whatever the policies say: after an attempt whose outcome is unknown only such servers come
// into question as the tool's replay class on all servers involved allows.
class call_flow {
public:
    struct action {
        enum class kind { attempt, wait, finish };

        kind what;
        server_id server{};       // attempt: where
        duration wait{};          // wait: how long
        error_code ec;            // finish: what the caller gets; success when the last attempt brought a result
        bool last_answer = false; // finish: `ec` is the answer of the last attempt
        bool last_resort = false; // attempt: the breaker of the server is open
    };

    LINKSPAN_DECL action start(policy_table& policies, call_view const& call, std::span<flow_server const> servers);

    // `in_flight`: calls of the connector, for the budget.
    LINKSPAN_DECL action on_outcome(outcome const& result, policy_table& policies, call_view const& call,
                                    std::span<flow_server const> servers, std::uint32_t in_flight);

    LINKSPAN_DECL action on_waited(policy_table& policies, call_view const& call, std::span<flow_server const> servers);

    // Whether the call would go on to another server if the attempt ended now with this outcome. If so, the budget has
    // been spent for it, and the attempt must end.
    LINKSPAN_DECL bool can_fail_over(outcome const& result, policy_table& policies, call_view const& call,
                                     std::span<flow_server const> servers, std::uint32_t in_flight);

    // Whether there is another server that may take the call after the attempt that has begun, if that ended so:
    // `not_sent` or `unknown`. No policy is asked and no memory allocated, as each attempt asks this.
    LINKSPAN_DECL bool has_successor(std::span<flow_server const> servers, certainty how) const;

    // Whether the attempt that has begun is not the first one of the call on its server.
    bool is_repeated() const { return was_tried(current_); }

    unsigned number() const noexcept { return number_; }
    unsigned tries() const noexcept { return tries_; }
    server_id current() const noexcept { return current_; }

    // Servers that a policy did not admit, since the last time it was asked: each is a line in the trail.
    std::vector<server_id> take_refusals() { return std::exchange(refusals_, {}); }

    LINKSPAN_DECL void reset();

    // No attempt is worth while with less time left.
    static constexpr duration min_attempt = std::chrono::milliseconds(50);

private:
    // Stops a fallback policy that never gives up.
    static constexpr unsigned most_tries = 100;

    verdict judge(outcome const& result, policy_table& policies, call_view const& call,
                  std::span<flow_server const> servers);
    bool was_tried(server_id server) const;
    bool keep_allowed(std::span<flow_server const> servers);
    bool keep_allowed(std::span<flow_server const> servers, bool flow_server::*wanted);
    action next(policy_table& policies, call_view const& call, std::span<flow_server const> servers);
    action attempt(server_id server, bool last_resort);
    action give_up(call_view const& call) const;

    server_id current_{};
    unsigned number_ = 0; // of the attempt
    unsigned tries_ = 0;  // attempts that reached a server, or returned to one
    std::vector<server_id> tried_;
    std::vector<server_id> refusals_;
    std::vector<server_view> candidates_;
    outcome last_;
    bool pinned_ = false;         // a server has asked back about it: it goes to no other
    executions executions_;       // what the attempts so far may have done
    bool is_paid_ = false;        // `can_fail_over` has spent the budget for the next attempt
    bool returns_ = false;        // the next attempt goes to the same server
    bool is_last_resort_ = false; // only servers with open breakers could take it
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_flow.ipp>
#endif

#endif
