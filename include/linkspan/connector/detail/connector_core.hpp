#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/call_pool.hpp>
#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/detail/server_driver.hpp>
#include <linkspan/connector/detail/server_operations.hpp>
#include <linkspan/connector/detail/server_prober.hpp>
#include <linkspan/connector/detail/tool_lister.hpp>
#include <linkspan/connector/interceptor.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/policy/set.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class call_operation;
class call_runner;
struct connector_entries; // <linkspan/connector/detail/connector_entries.hpp>

// A connector: its context and its parts, and the operations on all servers. Outstanding operations share ownership of
// the object.
//
// The calls are in `call_runner`.
//
// Invariants: all functions run on the executor, one at a time, except functions of the context with the comment "Safe
// from any thread". Handlers of callers are never invoked inside an initiating function.
class connector_core final : public connector_context {
public:
    using open_handler = pending_handler<void(error_code, open_report)>;
    using shutdown_handler = pending_handler<void(error_code, shutdown_report)>;
    using catalog_handler = pending_handler<void(error_code, std::shared_ptr<catalog const>)>;

    LINKSPAN_DECL connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies);
    LINKSPAN_DECL ~connector_core();

    LINKSPAN_DECL void open(open_handler done);
    LINKSPAN_DECL void shutdown(duration timeout, shutdown_handler done);
    LINKSPAN_DECL void refresh_all(catalog_handler done);
    LINKSPAN_DECL void close() noexcept;

    // Returns the operations on one server.
    server_operations& operations() noexcept { return operations_; }

    tool_lister& lister() noexcept { return lister_; }
    server_prober& prober() noexcept { return prober_; }
    server_driver& driver() noexcept { return driver_; }
    call_pool<call_runner, call_operation>& calls() noexcept { return calls_; }

    // Returns the interceptors around each call; the first is the outermost.
    std::vector<interceptor> const& interceptors() const noexcept { return interceptors_; }
    void add_interceptor(interceptor around) { interceptors_.push_back(std::move(around)); }

    // Resources, templates and prompts of the servers; null: the program has not used them, see entries_of().
    std::shared_ptr<connector_entries>& entries() noexcept { return entries_; }

private:
    struct opening;
    struct stopping;

    void close_all() noexcept;

    // Created by the constructor with references to this context and to each other, and never replaced. The state of
    // the servers is in the context.
    tool_lister lister_;
    server_prober prober_;
    server_driver driver_;
    server_operations operations_;

    std::vector<interceptor> interceptors_;      // added by add_interceptor(), never removed
    std::shared_ptr<connector_entries> entries_; // set by entries_of(), never replaced
    // Changed by the start, a pause and the completion of each `call_runner`.
    call_pool<call_runner, call_operation> calls_;
};

} // namespace linkspan::detail

// The function bodies require `call_runner`, which requires this header: <linkspan/connector/detail/call_runner.hpp>
// includes the bodies.

#endif
