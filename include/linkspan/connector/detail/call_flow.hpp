#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_FLOW_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_FLOW_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/set.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Server that may have the tool of a call: input of `call_flow`.
struct flow_server {
    server_view view;           // its `replay` is the replay class of the tool on this server
    bool available;             // can execute the call immediately, or is started by the call
    bool starting_soon = false; // being opened, or restarted soon: the call may wait for the server

    // True: the pause that the server requested is the only reason why it is unavailable. A retry on this server, after
    // the pause, is possible.
    bool pauses = false;

    // True: the replay class applies to this server only, not to a retry at another server.
    bool replay_on_same_server = false;

    // True: the breaker of the server is open, the server would be `available` or `starting_soon` if the breaker were
    // closed, and no other call uses the server as its last resort. The flow selects the server only if no other server
    // can execute the call.
    bool last_resort = false;
};

// Set of servers that may have executed a call; determines which servers may receive the call next.
//
// Invariant: until the first call of enter() with an unknown or completed outcome, every server is permitted.
class executions {
public:
    // Records the delivery certainty of an attempt on this server.
    LINKSPAN_DECL void enter(flow_server const& server, certainty delivery);

    // Returns the replay class for a retry at `other`: the weakest class over the recorded servers and `other`, or
    // `never` if the class of one of them applies to that server only.
    LINKSPAN_DECL replay_class replay_with(flow_server const& other) const;

    // Returns whether the call may be sent to `other`, which is not the server of the last attempt.
    LINKSPAN_DECL bool permit(flow_server const& other) const;

    // Returns whether the call may be sent again to the server of the last attempt.
    bool permit_again() const noexcept { return !maybe_executed_ || replay_ >= required_; }

    // Returns whether the call may have been executed and may not be sent to another server.
    bool forbid_others() const noexcept
    {
        return maybe_executed_ && (replay_ == replay_class::never || is_server_bound_);
    }

    bool may_have_executed() const noexcept { return maybe_executed_; }
    replay_class replay() const noexcept { return replay_; }

    // Sets the weakest replay class with which the call may be sent again. The next call of enter() replaces it.
    void require(replay_class min_class) noexcept { required_ = min_class; }

private:
    // Set by enter() with an unknown or completed outcome; never cleared, as reset() of the flow replaces the object.
    bool maybe_executed_ = false;
    server_id executed_by_{};                       // server of the last attempt with such an outcome
    replay_class replay_ = replay_class::read_only; // weakest class of the servers that may have executed the call
    bool is_server_bound_ = false; // `replay_` applies to `executed_by_` only; set by the first such outcome
    replay_class required_ = replay_class::idempotent; // required of the next server; set by enter(), require()
};

// State machine of one call over all its attempts, without clock and I/O: determines the next server, a wait, or the
// completion of the call. Each event except start_at() has the time, the current servers and the policies as arguments,
// and returns one action.
//
//     start --> attempt --> on_outcome --> finish
//                  ^            |--> wait --> on_waited --+
//                  +------------+-------------------------+
// start and on_waited may also return finish: no server can execute the call, or the remaining time is too short.
//
// The number of attempts is finite, because each attempt either excludes its server or counts for
// `max_counted_attempts`.
// The flow enforces the replay classes independently of the decisions of policies: after an unknown outcome only
// servers that `executions` permits are candidates.
//
// Invariant: a server in `attempted_` receives the call again only if the fallback policy decides to retry at this
// server.
class call_flow {
public:
    // Next step of the call.
    struct action {
        enum class kind { attempt, wait, finish };

        kind what;                  // the step
        server_id server{};         // attempt: the server
        duration wait{};            // wait: the length
        error_code ec;              // finish: error of the call; no error if the last attempt returned a result
        bool last_response = false; // finish: the response of the last attempt is the outcome of the call
        bool last_resort = false;   // attempt: the breaker of the server is open
    };

    // Event: the call begins.
    LINKSPAN_DECL action start(policy_table& policies, call_view const& call, std::span<flow_server const> servers);

    // Event: the call begins with an attempt at its only candidate, which no policy has to select.
    void start_at(server_id server) { attempt(server, false); }

    // Event: the attempt ended. `in_flight`: outstanding calls of the connector, for the budget.
    LINKSPAN_DECL action on_outcome(outcome const& result, policy_table& policies, call_view const& call,
                                    std::span<flow_server const> servers, std::uint32_t in_flight);

    // Event: the wait of the last action is over.
    LINKSPAN_DECL action on_waited(policy_table& policies, call_view const& call, std::span<flow_server const> servers);

    // Returns whether the fallback policy would permit another attempt, and another server is available, if the attempt
    // ended now with this outcome. If true, the function has spent a unit of the budget, and the caller must end the
    // attempt.
    LINKSPAN_DECL bool can_fail_over(outcome const& result, policy_table& policies, call_view const& call,
                                     std::span<flow_server const> servers, std::uint32_t in_flight);

    // Returns whether another server may receive the call if the current attempt ends with this certainty, `not_sent`
    // or `unknown`. Does not consult policies and does not allocate memory, because each attempt calls this function.
    LINKSPAN_DECL bool has_successor(std::span<flow_server const> servers, certainty delivery) const;

    // Returns whether the current attempt is not the first one of the call on its server.
    bool is_repeated() const { return had_attempt(current_); }

    // Returns the number of finished attempts of the call on the server of the current attempt.
    LINKSPAN_DECL unsigned repeats() const noexcept;

    unsigned number() const noexcept { return number_; }
    unsigned counted_attempts() const noexcept { return counted_attempts_; }
    server_id current() const noexcept { return current_; }

    // take_rejections() returns the servers that the admission policy has excluded since the last invocation of
    // take_rejections(); the caller records them in the trail.
    bool has_rejections() const noexcept { return !rejections_.empty(); }
    std::vector<server_id> take_rejections() { return std::exchange(rejections_, {}); }

    // Prepares the object for another call.
    LINKSPAN_DECL void reset();

    // Minimum remaining time of the call with which an attempt is started.
    static constexpr duration min_attempt = std::chrono::milliseconds(50);

private:
    // Maximum number of counted attempts, for fallback policies that never give up.
    static constexpr unsigned max_counted_attempts = 100;

    verdict record_and_decide(outcome const& result, policy_table& policies, call_view const& call,
                              std::span<flow_server const> servers);
    bool had_attempt(server_id server) const;
    bool select_candidates(std::span<flow_server const> servers);
    bool select_candidates(std::span<flow_server const> servers, bool flow_server::*wanted);
    action next(policy_table& policies, call_view const& call, std::span<flow_server const> servers);
    action attempt(server_id server, bool last_resort);
    action give_up(call_view const& call) const;

    // All members except `last_` are reset by reset().
    server_id current_{};           // server of the current attempt; set by attempt()
    unsigned number_ = 0;           // number of the current attempt, from 1; incremented by attempt(). 0: none yet
    unsigned counted_attempts_ = 0; // finished attempts that were refused, of unknown outcome, or a retry at one server
    // Servers of finished attempts, once per attempt, and servers that the admission policy has excluded.
    std::vector<server_id> attempted_;
    std::vector<server_id> rejections_;   // added when the admission policy excludes a server; see take_rejections()
    std::vector<server_view> candidates_; // servers that may receive the call next; set by select_candidates()
    outcome last_;                        // of the last finished attempt; set by record_and_decide()
    bool is_input_requested_ = false;     // set when a server requested input: no other server may receive the call
    executions executions_;               // servers that may have executed the call
    bool is_budget_spent_ = false;        // set when can_fail_over() has spent the budget, cleared by the next outcome
    // Set by a decision to retry at the same server, cleared by another decision, or if that server is not available.
    bool repeats_server_ = false;
    bool is_last_resort_ = false; // set by select_candidates(): only servers with open breakers are candidates
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_flow.ipp>
#endif

#endif
