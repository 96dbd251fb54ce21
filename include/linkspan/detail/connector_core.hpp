#ifndef LINKSPAN_DETAIL_CONNECTOR_CORE_HPP
#define LINKSPAN_DETAIL_CONNECTOR_CORE_HPP

#include <linkspan/call_options.hpp>
#include <linkspan/call_result.hpp>
#include <linkspan/catalog.hpp>
#include <linkspan/connector_state.hpp>
#include <linkspan/detail/call_flow.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/detail/pending_handler.hpp>
#include <linkspan/detail/server_entry.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/time.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

class logical_call;

// What a connector does, and what its operations keep alive.
class connector_core final : public std::enable_shared_from_this<connector_core> {
public:
    LINKSPAN_DECL connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies);
    LINKSPAN_DECL ~connector_core();

    LINKSPAN_DECL void add(std::string key, std::string_view kind, transport_factory transport, server_options options);
    LINKSPAN_DECL void open(pending_handler<void(error_code, open_report)> done);
    LINKSPAN_DECL void shutdown(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void close() noexcept;

    // Any thread.
    LINKSPAN_DECL std::shared_ptr<catalog const> tools() const;
    LINKSPAN_DECL std::vector<server_status> state() const;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    policy_table& policies() noexcept { return *policies_; }
    bool is_closed() const noexcept { return closed_; }

    // For calls, which run on the executor.

    std::shared_ptr<catalog const> const& catalog_now() const noexcept { return catalog_; }
    LINKSPAN_DECL server_entry* find(std::string_view key) noexcept;
    server_entry& server(server_id id) noexcept { return servers_[static_cast<std::size_t>(id)]; }
    LINKSPAN_DECL std::vector<std::string> nearest_servers(std::string_view key) const;

    // Fills `out` with the servers of these entries, as they are now.
    LINKSPAN_DECL void view(std::span<std::uint32_t const> entries, catalog const& from, time_point now,
                            std::vector<flow_server>& out);
    LINKSPAN_DECL void record(server_entry& server, outcome const& result, time_point now);

    // Asks for the tools again; `done` runs later. Those who ask while an answer is out share the next one.
    LINKSPAN_DECL void refresh(server_entry& server, std::function<void()> done);
    LINKSPAN_DECL void refresh_all(std::function<void()> done);

    LINKSPAN_DECL logical_call& take_call();
    // Forgets what its caller gave it: that may own what owns the connector.
    LINKSPAN_DECL void give_back(logical_call& call) noexcept;

    std::uint32_t calls_in_flight = 0;
    std::vector<logical_call*> paused_calls; // no request of theirs is out

private:
    struct opening;

    void open_server(server_entry& server, std::shared_ptr<opening> const& all, std::size_t line);
    void on_open(server_entry& server, error_code ec, std::shared_ptr<opening> const& all, std::size_t line);
    void start_refresh(server_entry& server);
    void list(server_entry& server, std::function<void(error_code, std::size_t dropped)> done);
    void on_lost(server_entry& server, error_code ec);
    void on_noise(server_entry& server, std::string_view text);
    void publish_catalog();
    void publish(server_entry& server, error_code ec, std::string_view detail);
    server_view view_of(server_entry& server, time_point now);
    void event(std::string_view server, std::string_view what, std::string_view detail);

    asio::any_io_executor executor_;
    time_source& time_;
    std::unique_ptr<policy_table> policies_;
    std::deque<server_entry> servers_; // the index is the id
    bool closed_ = false;
    std::weak_ptr<opening> opening_; // the one that others may join

    std::shared_ptr<catalog const> catalog_ = std::make_shared<catalog const>(); // on the executor

    // What other threads read. A mutex, because std::atomic<std::shared_ptr> of libstdc++ 12 is a race for TSan.
    mutable std::mutex mutex_;
    std::shared_ptr<catalog const> shared_catalog_ = catalog_;
    std::vector<std::shared_ptr<published_server>> shared_servers_;

    std::vector<std::unique_ptr<logical_call>> calls_; // all there are
    std::vector<logical_call*> free_calls_;
};

} // namespace linkspan::detail

// Its bodies need `logical_call`, which needs this: <linkspan/detail/logical_call.hpp> brings them.

#endif
