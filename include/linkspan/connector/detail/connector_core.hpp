#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CORE_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/policy/set.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

class logical_call;

// What may take a call: a tool of a server.
struct call_candidate {
    server_id server{};
    std::string_view tool; // what the server calls it
    replay_class replay = replay_class::never;
    bool replay_stays = false;
    bool unfit = false; // it has turned out that the server has no such tool, or that it does not take the arguments
};

// What a connector does, and what its operations keep alive.
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

    // The set of servers, and their lives.

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

    // Any thread.
    LINKSPAN_DECL std::shared_ptr<catalog const> current_catalog() const;
    LINKSPAN_DECL connector_state state() const;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    policy_table& policies() noexcept { return *policies_; }
    bool is_closed() const noexcept { return closed_; }

    // For calls, which run on the executor.

    // As it was published last.
    std::shared_ptr<catalog const> const& catalog_now() const noexcept { return catalog_; }
    // Makes it complete. False: it was.
    LINKSPAN_DECL bool publish_news();
    std::vector<server_pointer> const& servers() const noexcept { return order_; }
    LINKSPAN_DECL server_pointer find(std::string_view key) const;
    LINKSPAN_DECL std::vector<std::string> nearest_servers(std::string_view key) const;
    LINKSPAN_DECL std::vector<std::string> names_of_servers() const;

    // Null when it was removed.
    server_pointer const& server(server_id id) const noexcept { return by_id_[static_cast<std::size_t>(id)]; }

    // Fills `out` with the servers of these candidates, as they are now; those that were removed are left out, but for
    // `held`.
    LINKSPAN_DECL void view(std::span<call_candidate const> candidates, server_entry* held, time_point now,
                            std::vector<flow_server>& out);
    LINKSPAN_DECL void record(server_entry& server, outcome const& result, time_point now);

    // Has a server started that is to be, and waits for the one that is being started: `done` runs later. One that
    // waits for its restart is started `now`, or else in its time. `operation` is released by its owner; 0: a call,
    // which cannot be.
    LINKSPAN_DECL void await(server_pointer const& server, std::function<void(server_report const&)> done,
                             bool now = false, std::uint64_t operation = 0);

    // Asks for the tools again; `done` runs later. Those who ask while an answer is out share the next one.
    LINKSPAN_DECL void refresh(server_pointer const& server, std::function<void()> done);

    // The same with all servers; those that nobody has needed yet are started.
    LINKSPAN_DECL void discover(std::function<void()> done, std::uint64_t operation = 0);

    // What it has told of its tools may be old: it is asked again, and nobody waits for it.
    LINKSPAN_DECL void refresh_if_stale(server_pointer const& server, time_point now);

    // What of a call does not fit the schemas of its tool; empty: nothing, or it is not looked at.
    std::string lacks_of_arguments(server_entry& server, std::string_view tool, std::string_view arguments)
    {
        return server.checks ? find_lacks(server, tool, arguments) : std::string();
    }
    std::string lacks_of_result(server_entry& server, std::string_view tool, call_result const& result)
    {
        return server.checks ? find_lacks(server, tool, result) : std::string();
    }

    LINKSPAN_DECL logical_call& take_call();
    // Forgets what its caller gave it: that may own what owns the connector.
    LINKSPAN_DECL void give_back(logical_call& call) noexcept;

    // Does this with each session, of servers that are there and of those to come, and their names.
    using preparation = std::function<void(session_core&, std::string const&)>;
    LINKSPAN_DECL void prepare_sessions(preparation prepare);

    call_validation validation;            // of servers that are added from now on, and do not say
    std::vector<interceptor> interceptors; // around each call
    std::uint32_t times_opened = 0;
    serial_check serial;
    std::uint32_t times_closed = 0;
    std::uint32_t calls_in_flight = 0;
    std::vector<logical_call*> paused_calls; // no request of theirs is out
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
    std::function<void(error_code)> ender(server_pointer const& server, done_handler done);
    void start(server_pointer const& server);
    void on_opened(server_pointer const& server, error_code ec, std::string const& detail);
    void on_listed(server_pointer const& server, error_code ec, std::string const& lacks);
    void finish_opening(server_entry& server);
    void finish_end(server_entry& server, error_code ec);
    void on_down(server_pointer const& server, error_code ec, std::string const& detail);
    void restart_later(server_pointer const& server, duration wait);
    void end(server_pointer const& server, server_state after, std::function<void(error_code)> done);
    void drain(server_pointer const& server, server_state after, std::function<void(error_code)> done);
    void shut_down(server_pointer const& server);
    void cut_short(server_pointer const& server);
    void end_at_once() noexcept;
    void end_at_once(server_entry& server, server_state after) noexcept;
    void on_ended(server_pointer const& server, error_code ec);
    void forget(server_pointer const& server);
    void take_place(server_pointer const& server, server_report const& how);

    void arm_probe(server_pointer const& server);
    void on_probe_due(server_pointer const& server);
    void on_probed(server_pointer const& server, outcome const& result);
    void on_judged(server_pointer const& server);
    void publish_breaker(server_entry& server, health_state health);

    void on_announced(server_pointer const& server);
    void refresh_at(server_pointer const& server, time_point due);
    void start_refresh(server_pointer const& server);
    void list(server_pointer const& server, std::function<void(error_code, std::string lacks)> done);
    void report_unusable(server_entry& server, std::vector<unusable_tool> const& unusable);
    void hold_pins(server_entry& server, tool_list& list);
    std::vector<pin_difference> compare(server_entry const& server, std::span<tool_pin const> pins) const;
    void on_noise(server_entry& server, std::string_view text);
    bool keep_tools(server_entry& server, std::vector<tool> tools);
    std::string find_lacks(server_entry& server, std::string_view tool, std::string_view arguments);
    std::string find_lacks(server_entry& server, std::string_view tool, call_result const& result);
    std::function<void(std::string const&)> schema_reporter(server_entry const& server);
    void tools_changed();
    void publish_later();
    void publish_soon();
    void publish_servers();
    void publish(server_entry& server, error_code ec, std::string_view detail);
    void drop_tools(server_entry& server);
    server_view view_of(server_entry& server, time_point now);
    void event(std::string_view server, std::string_view what, std::string_view detail);

    asio::any_io_executor executor_;
    time_source& time_;
    std::unique_ptr<policy_table> policies_;
    std::vector<server_pointer> by_id_;   // null: removed
    std::vector<server_pointer> order_;   // of configuration
    std::vector<server_pointer> leaving_; // removed, and not ended yet
    boost::unordered_flat_map<std::string_view, server_pointer> by_key_;
    bool closed_ = false;
    std::uint64_t last_operation_ = 0;

    std::shared_ptr<catalog const> catalog_ = std::make_shared<catalog const>(); // on the executor
    std::size_t news_ = 0;                                                       // changes that it lacks
    std::size_t told_ = 0;                                                       // servers that have tools in it
    bool publishing_ = false;                                                    // the next one has been posted

    // What other threads read. A mutex, because std::atomic<std::shared_ptr> of libstdc++ 12 is a race for TSan.
    mutable std::mutex mutex_;
    std::shared_ptr<catalog const> shared_catalog_ = catalog_;
    std::vector<std::shared_ptr<published_server>> shared_servers_;

    std::vector<preparation> preparations_;
    std::vector<std::unique_ptr<logical_call>> calls_; // all there are
    std::vector<logical_call*> free_calls_;
};

} // namespace linkspan::detail

// Its bodies need `logical_call`, which needs this: <linkspan/connector/detail/logical_call.hpp> brings them.

#endif
