#ifndef LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_LOGICAL_CALL_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
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

namespace linkspan::detail {

// What a caller awaits: one call by name, over all its attempts. Calls are used again, with the memory they have.
class logical_call final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    // Gives a call back when it is done with, started or not.
    struct giver {
        std::shared_ptr<connector_core> owner;

        void operator()(logical_call* call) const noexcept
        {
            if (owner)
                owner->give_back(*call);
        }
    };
    using pointer = std::unique_ptr<logical_call, giver>;

    // `target`: the only server that may take it; empty: any.
    LINKSPAN_DECL static pointer prepare(std::shared_ptr<connector_core> const& owner, std::string_view target,
                                         std::string_view tool, std::string_view arguments, call_options options);

    // The name is an exposed one, and nothing else; before `start`.
    void take_for_exposed() noexcept { is_exposed_ = true; }

    // Leaves the interceptors of the connector out; before `start`.
    void take_for_intercepted() noexcept { is_intercepted_ = true; }

    // Leaves it to these servers; before `start`.
    void select(selector which) { selector_ = std::make_unique<selector>(std::move(which)); }

    // Instead of those of `prepare`: `append(text)` writes them behind what is there; before `start`.
    template<class Append>
    void write_arguments(Append append)
    {
        text_.assign(arguments_key);
        append(text_);
        arguments_size_ = text_.size();
    }

    // Sends nothing, and fails with this; before `start`.
    void refuse(error_code ec, std::string detail)
    {
        refusal_ = ec;
        refusal_detail_ = std::move(detail);
    }

    LINKSPAN_DECL static void start(pointer call, handler_type handler);

    // Ends a paused call: the connector closes.
    LINKSPAN_DECL void abort();

    // Makes it ready for another call.
    LINKSPAN_DECL void clear();

    // What keeps others alive. The options are for the caller to drop.
    LINKSPAN_DECL call_options let_go() noexcept;

private:
    static constexpr std::string_view arguments_key = R"("arguments":)";

    enum class state { idle, resolving, connecting, attempting, intercepting, waiting, checking, over };
    class pause_end;
    struct interception;

    static void start_intercepted(pointer call, handler_type handler);
    void begin();
    void resolve();
    void resolve_on_target();
    void resolve_in_order();
    void resolve_anywhere();
    void discover_and_resolve();
    void resolve_among_unknown();
    void fail_unknown_tool();
    std::string searched() const;
    void fail_ambiguous(std::span<std::uint32_t const> entries);
    void fail_unknown_server(std::string_view key);
    bool fits(catalog_entry const& entry) const;
    void add_candidate(std::uint32_t entry);
    void add_unknown(server_entry const& server);
    void route();
    call_view view();
    std::span<flow_server const> servers();
    void act(call_flow::action const& next);
    void finish(call_flow::action const& how);
    void fail_on_target();
    std::size_t exposing_prefix(server_entry const& server) const;
    server_entry const* disconnected_owner() const;
    void fail_disconnected(server_entry const& server);
    void attempt(server_id server, bool is_last_resort = false);
    void end_trial() noexcept;
    duration time_of_attempt(certainty how) const;
    void connect();
    void on_connected(server_report const& how);
    bool learn_tool(call_candidate& candidate);
    void on_not_reached(error_code ec, std::string detail);
    void send(call_candidate const& candidate);
    std::string_view given_arguments() const noexcept;
    void add_interceptor();
    void on_intercepted(error_code ec, call_result answer);
    void withdraw_intercepted();
    void settle(outcome result, call_result answer, std::string detail, std::string_view tool);
    void on_unfit_arguments(outcome const& result);
    bool all_refuse_arguments() const;
    void fail_on_result(error_code ec, call_result answer, std::string detail);
    void pause(state why, time_point due);
    void resume();
    void on_due();
    void on_progress(progress_update const& update) override;
    bool can_fail_over() override;
    void on_done(reply const& how) override;
    void on_dropped() noexcept override;
    void on_outcome(outcome const& result);
    void check_tool();
    void observe(outcome const& result, bool tool_failed);
    void add_record(std::string_view server, outcome const& result, std::string detail);
    void add_unavailable();
    attempt_record unavailable(flow_server const& one);
    void add_refusals();
    void fail(error_code ec, std::string detail);
    void on_cancel(asio::cancellation_type type);
    pointer end() noexcept;
    void complete(error_code ec, call_result result);

    // Calls `function` unless the call, or the pause that it is to end, is over by then.
    template<class Function>
    auto later(Function function);

    std::shared_ptr<connector_core> owner_;
    std::string target_, tool_, text_; // `text_`: the members of params, for all attempts
    std::size_t arguments_size_ = 0;   // of `text_`, before the name that the tool has on the server at hand
    std::string own_name_;             // that name
    std::unique_ptr<selector> selector_;
    error_code refusal_; // by the caller's side: nothing is sent
    std::string refusal_detail_;
    call_options options_;
    handler_type handler_;
    std::shared_ptr<catalog const> catalog_;
    std::shared_ptr<catalog const> learnt_from_; // the names of tools that were not known before
    std::vector<call_candidate> candidates_;     // the servers that may take it
    std::vector<flow_server> servers_;
    std::shared_ptr<server_entry> server_;       // of the attempt
    std::shared_ptr<interception> interception_; // of the attempt
    call_flow flow_;
    time_point now_{};
    time_point deadline_ = time_point::max();
    std::optional<timer> timer_;
    std::vector<attempt_record> trail_;
    state state_ = state::idle;
    std::uint32_t times_closed_ = 0; // the connector, when it started
    std::uint64_t generation_ = 0;   // counts the calls that this object has been, and their pauses
    bool refreshed_ = false;
    bool is_exposed_ = false;
    bool is_intercepted_ = false;
    bool is_trial_ = false; // the attempt is the one that tries a server whose breaker is open
    bool unknown_ = false;  // nobody is known to have the tool
    bool starting_ = false; // within the function that started it
};

template<class Function>
auto logical_call::later(Function function)
{
    // Weak: the connector may be the one that keeps this. It has all calls, so none is without it.
    return [this, weak = std::weak_ptr(owner_), generation = generation_,
            function = std::move(function)](auto const&... args) {
        auto const alive = weak.lock();
        if (alive && generation == generation_ && state_ != state::over)
            function(args...);
    };
}

// An attempt with interceptors around it.
struct logical_call::interception {
    asio::cancellation_signal signal;
    bool is_sent = false; // it went through all of them
    std::string tool;     // that they asked for
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/interception.ipp>
#include <linkspan/connector/impl/logical_call.ipp>
#endif

#endif
