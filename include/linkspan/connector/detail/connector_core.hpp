#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/call_pool.hpp>
#include <linkspan/connector/detail/catalog_publisher.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/connector/detail/server_registry.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/policy/set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class logical_call;

// State of a connector, with the algorithms of its operations. Outstanding operations share ownership of the object.
//
// Responsibilities: the set of servers, their life cycle (start, restart, drain, shutdown, replacement), probes, lists
// of tools, the catalog, and the pool of call objects. Routing and failover of a call are in `logical_call` and
// `call_flow`.
//
// Invariants: all functions run on the executor, one at a time, except functions with the comment "Safe from any
// thread". A handler that belongs to an earlier `server_entry::round` has no effect. Handlers of callers are never
// invoked inside an initiating function.
class connector_core final : public std::enable_shared_from_this<connector_core> {
public:
    using server_pointer = std::shared_ptr<server_entry>;
    using report_handler = pending_handler<void(error_code, server_report)>;
    using done_handler = pending_handler<void(error_code)>;
    using shutdown_handler = pending_handler<void(error_code, shutdown_report)>;
    using catalog_handler = pending_handler<void(error_code, std::shared_ptr<catalog const>)>;
    using pins_handler = pending_handler<void(error_code, std::vector<pin_difference>)>;

    LINKSPAN_DECL connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies);
    LINKSPAN_DECL ~connector_core();

    // Set of servers and their life cycle.

    LINKSPAN_DECL void add(std::string key, std::string_view kind, transport_factory transport, server_options options);
    LINKSPAN_DECL void open(pending_handler<void(error_code, open_report)> done);
    LINKSPAN_DECL void connect(std::string_view key, report_handler done);
    LINKSPAN_DECL void disconnect(std::string_view key, done_handler done);
    LINKSPAN_DECL void enable(std::string_view key, report_handler done);
    LINKSPAN_DECL void disable(std::string_view key, done_handler done);
    LINKSPAN_DECL void remove(std::string_view key, done_handler done);
    LINKSPAN_DECL void replace(std::string_view key, std::string_view kind, transport_factory transport,
                               server_options options, report_handler done);
    LINKSPAN_DECL void shutdown(duration timeout, shutdown_handler done);
    LINKSPAN_DECL void discover_all(catalog_handler done);
    LINKSPAN_DECL void verify(std::string_view key, std::vector<tool_pin> pins, pins_handler done);
    LINKSPAN_DECL void close() noexcept;

    // Safe from any thread.
    std::shared_ptr<catalog const> current_catalog() const { return publisher_.copy(); }
    LINKSPAN_DECL connector_state state() const;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    policy_table& policies() noexcept { return *policies_; }
    bool is_closed() const noexcept { return closed_; }

    // Functions that `logical_call` uses.

    // Returns the last published catalog, which may lack recent changes.
    std::shared_ptr<catalog const> const& catalog_now() const noexcept { return publisher_.latest(); }

    catalog_publisher& publisher() noexcept { return publisher_; }

    // Publishes a catalog with all changes since the last one. Returns false if there were no changes.
    LINKSPAN_DECL bool publish_changes();
    server_registry const& servers() const noexcept { return servers_; }
    server_pointer find(std::string_view key) const { return servers_.find(key); }

    // Returns the server, or null if it was removed.
    server_pointer const& server(server_id id) const noexcept { return servers_.at(id); }

    // Replaces `out` by the current views of the candidates' servers. Removed servers are skipped, except `held`, the
    // server of the current attempt.
    LINKSPAN_DECL void view(std::span<call_candidate const> candidates, server_entry* held, time_point now,
                            std::vector<flow_server>& out);

    // Reports the outcome of an attempt to the statistics and the policies.
    LINKSPAN_DECL void record(server_entry& server, outcome const& result, time_point now);

    // Starts the server if it is not started, and waits for the end of its opening; `done` is invoked later, never
    // inside this function. `now`: a server in the state `waiting` is started immediately, instead of at `restart_at`.
    // `operation`: number of the operation, which the caller passes to release() later; 0: a call or a replacement,
    // which keeps the server open.
    LINKSPAN_DECL void await(server_pointer const& server, std::function<void(server_report const&)> done,
                             bool now = false, std::uint64_t operation = 0);

    // Lists the tools of a ready server again; `done` is invoked later. If a `tools/list` request is outstanding,
    // another one is sent after its completion, because the tools may have changed since the former was sent.
    LINKSPAN_DECL void refresh(server_pointer const& server, std::function<void()> done);

    // Refreshes all ready servers, starts the idle servers without `start_mode::lazy`, and waits for servers that are
    // being opened. `done` is invoked later, when all of these steps are complete. `operation`: as for await().
    LINKSPAN_DECL void discover(std::function<void()> done, std::uint64_t operation = 0);

    // Starts a refresh if the list of tools has expired, without waiting for its completion.
    LINKSPAN_DECL void refresh_if_stale(server_pointer const& server, time_point now);

    // Return the schema errors of the arguments or of the result as text. Empty: no error, or no validation.
    std::string argument_errors(server_entry& server, std::string_view tool, std::string_view arguments)
    {
        return server.checks ? schema_errors(server, tool, arguments) : std::string();
    }
    std::string result_errors(server_entry& server, std::string_view tool, call_result const& result)
    {
        return server.checks ? schema_errors(server, tool, result) : std::string();
    }

    call_pool<logical_call>& calls() noexcept { return calls_; }

    // Function that is applied to each session with the name of its server: to existing ones and to those of servers
    // that are added later.
    using preparation = std::function<void(session_core&, std::string const&)>;
    LINKSPAN_DECL void prepare_sessions(preparation prepare);

    call_validation validation;            // set by set_call_validation(); applies to servers that are added later
    std::vector<interceptor> interceptors; // around each call; added by add_interceptor(), the first is the outermost

    // Incremented by open(), connect_for() and replace(): a shutdown detects that the connector was opened again.
    std::uint32_t times_opened = 0;
    serial_check serial; // detects concurrent use in debug builds
    // Incremented by close(): an operation that began with another value completes with `operation_aborted`.
    std::uint32_t times_closed = 0;

    // Secrets of all servers; grows with each added server.
    std::shared_ptr<shared_redactor> const secrets = std::make_shared<shared_redactor>();

private:
    struct opening;
    struct stopping;

    server_pointer make_server(std::string key, std::string_view kind, transport_factory transport,
                               server_options options);
    std::uint64_t next_operation() noexcept { return ++last_operation_; }
    void release(std::uint64_t operation, bool is_cancelled);
    void connect_for(std::uint64_t operation, std::string_view key,
                     std::function<void(error_code, server_report const&)> done);
    std::function<void(error_code)> shutdown_completion(server_pointer const& server, done_handler done);
    void start(server_pointer const& server);
    void on_opened(server_pointer const& server, error_code ec, std::string const& detail);
    void on_listed(server_pointer const& server, error_code ec, std::string const& problem_text);
    void finish_opening(server_entry& server);
    void finish_end(server_entry& server, error_code ec);
    void on_down(server_pointer const& server, error_code ec, std::string const& detail);
    void restart_later(server_pointer const& server, duration wait);
    void end(server_pointer const& server, server_state after, std::function<void(error_code)> done);
    void drain(server_pointer const& server, server_state after, std::function<void(error_code)> done);
    void shut_down(server_pointer const& server);
    void close_ending(server_pointer const& server);
    void end_at_once() noexcept;
    void end_at_once(server_entry& server, server_state after) noexcept;
    void on_ended(server_pointer const& server, error_code ec);
    void on_removed(server_entry& server);
    void install_replacement(server_pointer const& server, server_report const& report);

    void arm_probe(server_pointer const& server);
    void on_probe_due(server_pointer const& server);
    void on_probe_finished(server_pointer const& server, outcome const& result);
    void on_health_changed(server_pointer const& server);
    void publish_breaker_state(server_entry& server, health_state health);

    void on_announced(server_pointer const& server);
    void refresh_at(server_pointer const& server, time_point due);
    void list(server_pointer const& server, bool is_first);
    tool_registry::change store_list(server_entry& server, tool_list list);
    void on_listed_by_session(server_entry& server, tool_list list);
    void on_unexpected_output(server_entry& server, std::string_view text);
    std::string schema_errors(server_entry& server, std::string_view tool, std::string_view arguments);
    std::string schema_errors(server_entry& server, std::string_view tool, call_result const& result);
    std::function<void(std::string const&)> schema_reporter(server_entry const& server);
    void tools_changed();
    void publish_later();
    void publish_soon();
    void on_servers_changed();
    void publish(server_entry& server, error_code ec, std::string_view detail);
    void drop_tools(server_entry& server);
    void on_tools_dropped();
    server_view view_of(server_entry& server, time_point now);
    void event(std::string_view server, std::string_view what, std::string_view detail);

    asio::any_io_executor executor_;         // set by the constructor
    time_source& time_;                      // of the executor's context
    std::unique_ptr<policy_table> policies_; // set by the constructor
    server_registry servers_;                // the servers and their names
    bool closed_ = false;                    // set by end_at_once(), cleared by open(), connect_for() and replace()
    std::uint64_t last_operation_ = 0;       // number of the last operation; incremented by next_operation()

    catalog_publisher publisher_; // the catalog and its changes

    std::vector<preparation> preparations_; // added by prepare_sessions(), never removed
    call_pool<logical_call> calls_;         // used by `logical_call`
};

} // namespace linkspan::detail

// The function bodies require `logical_call`, which requires this header: <linkspan/connector/detail/logical_call.hpp>
// includes the bodies.

#endif
