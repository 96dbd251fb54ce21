#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_RUNNER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_RUNNER_HPP

#include <linkspan/connector/detail/attempt_interception.hpp>
#include <linkspan/connector/detail/call_attempts.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/detail/call_routing.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// One call of a tool over all its attempts: resolves the name, and sends the request of each attempt.
class call_runner final : public call_attempts<call_runner> {
public:
    using pointer = call_pointer;

    // Takes an object from the pool. `target`: name of the only server that may execute the call; empty: any.
    LINKSPAN_DECL static pointer prepare(std::shared_ptr<connector_core> const& owner, std::string_view target,
                                         std::string_view tool);

    // Starts the call; the object is owned by the operation until its completion.
    LINKSPAN_DECL static void start(pointer call, handler_type handler);

    LINKSPAN_DECL void recycle(connector_core& owner) noexcept override;

private:
    friend call_attempts<call_runner>;

    bool awaits_catalog(pause_reason why, void (call_runner::*next)());
    void resolve();
    void refresh_and_resolve();
    void resolve_among_unknown();
    void route();
    void prepare_connection() noexcept { has_awaited_catalog_ = false; }
    void prepare_request();
    void on_published();
    void send(call_candidate const& candidate);
    void request_task();
    bool is_task(call_result const& result) const;
    void report_classifier(std::string_view tool);
    void classify(std::string_view tool, call_result& result);
    std::string result_errors(std::string_view tool, call_result const& result);
    bool prepare_storing();
    bool complete_with_stored_result();
    std::optional<call_result> find_stored_result();
    std::optional<call_result> find_stored_result(call_candidate const& candidate);
    void begin_storing(call_candidate const& candidate);
    void end_storing(outcome const& result, call_result const& tool_result);
    void run_interceptors();
    void on_intercepted(error_code ec, call_result tool_result);
    void finish_attempt(outcome result, call_result&& tool_result, std::string&& detail, std::string_view tool,
                        std::string_view data = {});
    void on_rejected_arguments(outcome const& result);
    void check_tool();
    void on_checked();

    void on_due(pause_reason why) override;
    bool was_requested() const noexcept override { return is_sent() || (interception_ && interception_->is_sent()); }
    void on_cancelled(bool is_attempting) override;

    std::shared_ptr<attempt_interception> interception_; // set by run_interceptors(), cleared at the end of the attempt
    bool has_awaited_catalog_ = false; // set by awaits_catalog(); cleared by prepare() and when tools are listed again
    bool has_refreshed_ = false;       // set when the call lists tools again, which is done once; cleared by prepare()

    // Used if results of tools are stored.
    std::string stored_arguments_; // canonical; set by prepare_storing(), cleared by route(). Empty: nothing is stored
    duration stored_ttl_{};        // for the result of the attempt; set by begin_storing(). 0: it is not stored
    result_store::mark sent_{};    // when the request of the attempt was sent; set by begin_storing()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_operation.ipp>
#include <linkspan/connector/impl/call_runner.ipp>
#include <linkspan/connector/impl/call_runner.resolution.ipp>
#include <linkspan/connector/impl/call_runner.storing.ipp>
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/intercepted_call.ipp>
#endif

#endif
