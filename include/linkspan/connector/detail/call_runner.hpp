#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_RUNNER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_RUNNER_HPP

#include <linkspan/connector/detail/attempt_interception.hpp>
#include <linkspan/connector/detail/call_operation.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/detail/call_routing.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// One call by name over all its attempts: resolves the name, runs the attempts that `call_routing` determines, and
// completes the operation.
class call_runner final : public call_operation {
public:
    using pointer = call_pointer;

    // Takes an object from the pool. `target`: name of the only server that may execute the call; empty: any.
    LINKSPAN_DECL static pointer prepare(std::shared_ptr<connector_core> const& owner, std::string_view target,
                                         std::string_view tool);

    // Starts the call; the object is owned by the operation until its completion.
    LINKSPAN_DECL static void start(pointer call, handler_type handler);

    LINKSPAN_DECL void recycle(connector_core& owner) noexcept override;

private:
    bool awaits_catalog(pause_reason why, void (call_runner::*next)());
    void resolve();
    void refresh_and_resolve();
    void resolve_among_unknown();
    void route();
    call_view view();
    failed_call failed();
    void act(call_flow::action const& next);
    void attempt(server_id server, bool is_last_resort = false);
    duration time_of_attempt(certainty at_timeout);
    void connect();
    void on_connected(server_report const& report);
    void on_published();
    void on_not_reached(error_code ec, std::string detail);
    void send(call_candidate const& candidate);
    void run_interceptors();
    void on_intercepted(error_code ec, call_result tool_result);
    void finish_attempt(outcome result, call_result&& tool_result, std::string&& detail, std::string_view tool,
                        std::string_view data = {});
    void on_rejected_arguments(outcome const& result);
    void check_tool();
    void on_checked();
    void on_outcome(outcome const& result);

    void on_due(pause_reason why) override;
    bool can_fail_over() override;
    void on_done(reply const& completion) override;
    bool was_requested() const noexcept override { return is_sent() || (interception_ && interception_->is_sent()); }
    void on_cancelled(bool is_attempting) override;
    void on_end() noexcept override { routing_.end_attempt(); }

    call_routing routing_;                               // candidates, server and flow; cleared by recycle()
    std::shared_ptr<attempt_interception> interception_; // set by run_interceptors(), cleared at the end of the attempt
    bool has_awaited_catalog_ = false; // set by awaits_catalog(); cleared by prepare() and when tools are listed again
    bool has_refreshed_ = false; // set when the call lists tools again, which is done once; cleared by prepare()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_operation.ipp>
#include <linkspan/connector/impl/call_runner.ipp>
#include <linkspan/connector/impl/call_runner.resolution.ipp>
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/intercepted_call.ipp>
#endif

#endif
