#ifndef LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/attempt_interception.hpp>
#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/connector/detail/call_candidates.hpp>
#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/detail/call_request.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/client/request_op.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// One call by name over all its attempts: resolves the name, runs the attempts that `call_flow` determines, and
// completes the handler.
//
// The objects belong to the pool of the connector and are reused with their memory; `clear()` resets one for the next
// call. Each pause and each reuse increments `generation_`, so that handlers of earlier pauses and calls have no
// effect.
//
// Invariants: in the states `resolving`, `connecting`, `waiting`, `checking` and `intercepting` the object is in
// the paused calls of `call_pool`; in the state `attempting` it is registered with the session of `server_`.
class logical_call final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    using pointer = call_pointer;

    // Takes an object from the pool. `target`: name of the only server that may execute the call; empty: any.
    LINKSPAN_DECL static pointer prepare(std::shared_ptr<connector_core> const& owner, std::string_view target,
                                         std::string_view tool);
    LINKSPAN_DECL static pointer prepare(std::shared_ptr<connector_core> const& owner, std::string_view target,
                                         std::string_view tool, call_options options);

    // Returns the request, which is changed before start() only. The caller appends the arguments to its text.
    call_request& request() noexcept { return request_; }

    // Starts the call; the object is owned by the operation until its completion.
    LINKSPAN_DECL static void start(pointer call, handler_type handler);

    // Completes a paused call with `operation_aborted`, because the connector is closed.
    LINKSPAN_DECL void abort();

    // Resets the members for another call.
    LINKSPAN_DECL void clear();

    // Releases all references to other objects. The caller destroys the returned options when the object is in the pool
    // again, because their destructor may start another call.
    LINKSPAN_DECL std::optional<call_options> release_references() noexcept;

private:
    enum class state { idle, resolving, connecting, attempting, intercepting, waiting, checking, over };

    static void start_intercepted(pointer call, handler_type handler);
    void begin();
    void resolve();
    void discover_and_resolve();
    void resolve_among_unknown();
    void route();
    call_view view();
    std::span<flow_server const> servers();
    void act(call_flow::action const& next);
    void attempt(server_id server, bool is_last_resort = false);
    void end_trial_use() noexcept;
    duration time_of_attempt(certainty at_timeout) const;
    void connect();
    void on_connected(server_report const& report);
    void on_not_reached(error_code ec, std::string detail);
    void send(call_candidate const& candidate);
    void add_interceptor();
    void on_intercepted(error_code ec, call_result tool_result);
    void cancel_intercepted();
    void finish_attempt(outcome result, call_result&& tool_result, std::string&& detail, std::string_view tool);
    void on_rejected_arguments(outcome const& result);
    void fail_on_result(error_code ec, call_result tool_result, std::string detail);
    void pause(state why, time_point due);
    void resume();
    void on_due();
    void on_progress(progress_update const& update) override;
    bool can_fail_over() override;
    void on_done(reply const& completion) override;
    void on_dropped() noexcept override;
    void on_outcome(outcome const& result);
    void check_tool();
    void observe(outcome const& result, bool tool_failed);
    void add_refusals();
    failed_call failed();
    void fail(call_failure failure);
    void fail(error_code ec, std::string detail);
    void on_cancel(asio::cancellation_type type);
    pointer end() noexcept;
    void complete(error_code ec, call_result&& result);

    // Returns a handler that calls `function`, unless the call or its current pause ended before the invocation.
    template<class Function>
    auto later(Function function);

    // In these comments, "released" means: cleared by release_references(), when the object returns to the pool.
    std::shared_ptr<connector_core> owner_; // set by prepare(), moved out by end()
    call_request request_;                  // set by prepare() and the functions of request(), released
    handler_type handler_;                  // set by start(), moved out by complete() and on_dropped()
    call_candidates candidates_;            // servers that may execute the call; set by resolve(), released
    std::vector<flow_server> servers_;      // current views of the candidates; set by servers()
    std::shared_ptr<server_entry> server_;  // server of the last attempt; set by attempt(), released
    std::shared_ptr<attempt_interception> interception_; // set by add_interceptor(), cleared at the end of the attempt
    call_flow flow_;                                     // selects the attempts; reset by clear()
    time_point now_{};                                   // time of the current event
    time_point deadline_ = time_point::max();            // of the call; set by begin()
    std::optional<timer> timer_;         // of the current pause; created by the first pause, then reused
    attempt_trail trail_;                // records of attempts and of refused servers; moved into the result
    state state_ = state::idle;          // `over` from the completion until clear()
    connector_epoch::mark start_mark_{}; // at the start of the call, set by begin(): detects a close
    std::uint64_t generation_ = 0; // incremented by clear() and resume(); handlers of earlier generations are discarded
    bool refreshed_ = false;       // set when the call lists tools again, which is done once; cleared by clear()
    bool is_trial_ = false;        // set when an attempt uses a server with an open breaker, cleared at its end
    bool starting_ = false;        // true inside start(), abort() and on_cancel(): the completion is posted
};

template<class Function>
auto logical_call::later(Function function)
{
    // The pointer is weak, because the connector may own this handler. `this` is valid while the connector exists,
    // because the connector owns all call objects.
    return [this, weak = std::weak_ptr(owner_), generation = generation_,
            function = std::move(function)](auto const&... args) {
        auto const alive = weak.lock();
        if (alive && generation == generation_ && state_ != state::over)
            function(args...);
    };
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/logical_call.ipp>
#endif

#endif
