#ifndef LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
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

    // Returns the text to which the caller appends the arguments, one JSON object, between prepare() and start().
    std::string& arguments_text() noexcept { return text_; }

    // Restricts the name to exposed names. Call before start().
    void restrict_to_exposed_names() noexcept { is_exposed_ = true; }

    // Skips the interceptors of the connector. Call before start().
    void skip_interceptors() noexcept { is_intercepted_ = true; }

    // Restricts the call to the selected servers. Call before start().
    void select(selector which) { selector_ = std::make_unique<selector>(std::move(which)); }

    // Makes the call fail with this error, without a request. Call before start().
    void refuse(error_code ec, std::string detail)
    {
        refusal_ = ec;
        refusal_detail_ = std::move(detail);
    }

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
    static constexpr std::string_view arguments_key = R"("arguments":)";

    enum class state { idle, resolving, connecting, attempting, intercepting, waiting, checking, over };
    struct interception;

    static void start_intercepted(pointer call, handler_type handler);
    void begin();
    tool_query query() const noexcept;
    void resolve();
    void discover_and_resolve();
    void resolve_among_unknown();
    void fail_unknown_tool();
    void route();
    call_view view();
    std::span<flow_server const> servers();
    void act(call_flow::action const& next);
    void finish(call_flow::action const& end);
    void fail_on_only_server();
    server_entry const* disconnected_owner() const;
    void fail_disconnected(server_entry const& server);
    void attempt(server_id server, bool is_last_resort = false);
    void end_trial_use() noexcept;
    duration time_of_attempt(certainty at_timeout) const;
    void connect();
    void on_connected(server_report const& report);
    bool determine_own_name(call_candidate& candidate);
    void on_not_reached(error_code ec, std::string detail);
    void send(call_candidate const& candidate);
    std::string_view given_arguments() const noexcept;
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
    void add_unavailable();
    unavailable_server unavailable(flow_server const& one);
    void add_refusals();
    void fail(error_code ec, std::string detail);
    void on_cancel(asio::cancellation_type type);
    pointer end() noexcept;
    void complete(error_code ec, call_result&& result);

    // Returns a handler that calls `function`, unless the call or its current pause ended before the invocation.
    template<class Function>
    auto later(Function function);

    // In these comments, "released" means: cleared by release_references(), when the object returns to the pool.
    std::shared_ptr<connector_core> owner_; // set by prepare(), moved out by end()
    // `target_` and `tool_`: set by prepare(). `text_`: members of `params` for all attempts: the arguments, appended
    // by the caller before start(), and then the tool's own name on the server of the attempt, replaced by send().
    std::string target_, tool_, text_;
    std::size_t arguments_size_ = 0;         // length of the arguments in `text_`; set by start()
    std::string own_name_;                   // the tool's own name on the server of the attempt; set by route(), send()
    std::unique_ptr<selector> selector_;     // set by select(), released; null: any server
    error_code refusal_;                     // set by refuse(), cleared by clear()
    std::string refusal_detail_;             // set by refuse(), cleared by clear()
    call_options options_;                   // set by prepare(), released; defaults if prepare() received none
    bool has_options_ = false;               // set by prepare() with options, released
    handler_type handler_;                   // set by start(), moved out by complete() and on_dropped()
    std::shared_ptr<catalog const> catalog_; // catalog in which the name is looked up; set by resolve(), released
    // Catalogs that own the names of tools that were listed after resolve(), one per candidate at most; added by
    // determine_own_name(), released.
    std::vector<std::shared_ptr<catalog const>> later_catalogs_;
    std::vector<call_candidate> candidates_;     // servers that may execute the call; set by resolve()
    std::vector<flow_server> servers_;           // current views of the candidates; set by servers()
    std::shared_ptr<server_entry> server_;       // server of the last attempt; set by attempt(), released
    std::shared_ptr<interception> interception_; // set by add_interceptor(), cleared at the end of the attempt
    call_flow flow_;                             // selects the attempts; reset by clear()
    time_point now_{};                           // time of the current event
    time_point deadline_ = time_point::max();    // of the call; set by begin()
    std::optional<timer> timer_;                 // of the current pause; created by the first pause, then reused
    attempt_trail trail_;                        // records of attempts and of refused servers; moved into the result
    state state_ = state::idle;                  // `over` from the completion until clear()
    connector_epoch::mark start_mark_{};         // at the start of the call, set by begin(): detects a close
    std::uint64_t generation_ = 0; // incremented by clear() and resume(); handlers of earlier generations are discarded
    bool refreshed_ = false;       // set when the call lists tools again, which is done once; cleared by clear()
    bool is_exposed_ = false;      // set by restrict_to_exposed_names(), cleared by clear()
    bool is_intercepted_ = false;  // set by skip_interceptors(), cleared by clear()
    bool is_trial_ = false;        // set when an attempt uses a server with an open breaker, cleared at its end
    bool unknown_ = false;         // set when a server with unknown tools becomes a candidate, cleared by clear()
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

// State of an attempt with interceptors of the server.
struct logical_call::interception {
    asio::cancellation_signal signal; // cancels the interceptors
    bool is_sent = false;             // set when the request passed all interceptors and was sent
    std::string tool;                 // name in the request that passed all interceptors; empty before
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/interception.ipp>
#include <linkspan/connector/impl/logical_call.ipp>
#endif

#endif
