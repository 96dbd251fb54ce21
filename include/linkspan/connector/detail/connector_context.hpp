#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CONTEXT_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_CONTEXT_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/available_replicas.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/catalog_publisher.hpp>
#include <linkspan/connector/detail/connector_epoch.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/connector/detail/server_registry.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/policy/set.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Base of a connector with the objects that all its parts share: the executor, the clock, the policies, the set of
// servers and the catalog. Publishes the catalog and the states of the servers, and reports events to the observer.
//
// The parts (`tool_lister`, `server_prober`, `server_driver`) are members of the connector and refer to its context.
// Their handlers share the ownership of the connector, see share().
//
// Invariants: all functions run on the executor, one at a time, except functions with the comment "Safe from any
// thread". Changes of the set of servers and of tools are reported to the catalog publisher in the same turn.
class connector_context : public std::enable_shared_from_this<connector_context> {
public:
    using server_pointer = std::shared_ptr<server_entry>;

    connector_context(connector_context const&) = delete;
    connector_context& operator=(connector_context const&) = delete;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    policy_table& policies() noexcept { return *policies_; }
    catalog_publisher& publisher() noexcept { return publisher_; }
    server_registry& servers() noexcept { return servers_; }
    server_registry const& servers() const noexcept { return servers_; }

    connector_epoch& epoch() noexcept { return epoch_; }
    connector_epoch const& epoch() const noexcept { return epoch_; }
    available_replicas& replicas() noexcept { return replicas_; }

    // Returns the stored results of tools; null: no server has tools whose results are stored.
    result_store* tool_results() noexcept { return tool_results_.get(); }

    // Returns the stored results of tools, and creates the store with the default limits if there is none.
    LINKSPAN_DECL result_store& enable_tool_results();

    // Returns the current server with this key, or null.
    server_pointer find(std::string_view key) const { return servers_.find(key); }

    // Returns the server, or null if it was removed. Precondition: the id was registered.
    server_pointer const& server(server_id id) const noexcept { return servers_.at(id); }

    // Returns a pointer to a part of the connector that shares the ownership of the connector.
    template<class Part>
    std::shared_ptr<Part> share(Part* part)
    {
        return {shared_from_this(), part};
    }

    // Enters the scope of a handler, and detects concurrent use in debug builds.
    serial_scope enter() { return serial_scope(*this, &connector_context::serial_); }

    // Snapshots

    // Safe from any thread.
    std::shared_ptr<catalog const> current_catalog() const { return publisher_.copy(); }
    LINKSPAN_DECL connector_state state() const;

    // Returns the last published catalog, which may lack recent changes. The pointer is for the connector and its
    // calls; users receive that of current_catalog().
    std::shared_ptr<catalog const> const& catalog_now() const noexcept { return publisher_.latest(); }

    // Publishes a catalog with all changes since the last one. A large catalog is built in later turns. Returns whether
    // a catalog was published.
    LINKSPAN_DECL bool publish_changes();

    // Invokes `done` when the catalog has all changes that were made so far: immediately, unless the catalog is large.
    LINKSPAN_DECL void publish_changes(std::function<void()> done);

    // Posts the functions that wait for a publication: the connector is closed.
    LINKSPAN_DECL void abort_publication_waits();

    // Publishes the changes in a later turn, unless they can wait for servers that are being opened.
    LINKSPAN_DECL void publish_later();

    // Event: the tools of a server changed.
    LINKSPAN_DECL void on_tools_changed();

    // Drops the tools of a server, which must not be used any more.
    LINKSPAN_DECL void drop_tools(server_entry& server);

    // Event: the registry of a server has dropped its tools.
    LINKSPAN_DECL void on_tools_dropped();

    // Event: a server was added, replaced or removed.
    LINKSPAN_DECL void on_servers_changed();

    // Publishes the state of the server, and reports it to the observer if it has changed or there is an error.
    LINKSPAN_DECL void publish(server_entry& server, error_code ec, std::string_view detail);

    // Reports an event to the observer.
    LINKSPAN_DECL void event(std::string_view server, std::string_view name, std::string_view detail);

    // Functions for calls

    // Returns whether the policies need not be invoked about the first attempt of a call with one available candidate.
    bool selects_only_candidate() const noexcept { return selects_only_candidate_; }

    // Returns the current view of a server. Its `replay` is `never`.
    server_view view_of(server_entry const& server, time_point now)
    {
        server_view out;
        view(server, now, out);
        return out;
    }

    // Replaces `out` by the current views of the candidates' servers. Removed servers are skipped, except `held`, the
    // server of the current attempt; null: no attempt is outstanding.
    LINKSPAN_DECL void view(std::span<call_candidate const> candidates, server_entry* held, time_point now,
                            std::vector<flow_server>& out);

    // Return the schema errors of the arguments or of the result as text. Empty: no error, or no validation.
    std::string argument_errors(server_entry& server, std::string_view tool, std::string_view arguments)
    {
        return server.checks ? schema_errors(server, tool, arguments) : std::string();
    }
    std::string result_errors(server_entry& server, std::string_view tool, call_result const& result)
    {
        return server.checks ? schema_errors(server, tool, result) : std::string();
    }

protected:
    LINKSPAN_DECL connector_context(asio::any_io_executor executor, std::unique_ptr<policy_table> policies);
    LINKSPAN_DECL ~connector_context();

private:
    void view(server_entry const& server, time_point now, server_view& out);
    std::string schema_errors(server_entry& server, std::string_view tool, std::string_view arguments);
    std::string schema_errors(server_entry& server, std::string_view tool, call_result const& result);
    std::function<void(std::string const&)> schema_reporter(server_entry const& server);
    void publish_soon();
    void post_publication(void (connector_context::*function)());
    void on_publication_posted();
    void post_build();
    void build_next();
    void on_published();
    void destroy_next();
    void post_destruction() noexcept;

    asio::any_io_executor executor_;         // set by the constructor
    time_source& time_;                      // of the executor's context; set by the constructor
    std::unique_ptr<policy_table> policies_; // set by the constructor
    bool const selects_only_candidate_;      // set by the constructor from `policies_`
    server_registry servers_;                // changed by async_add, async_replace, async_remove and close_all()
    catalog_publisher publisher_;            // the catalog and its changes
    bool is_destroying_ = false;             // a turn of the destruction is posted; set by post_destruction()
    connector_epoch epoch_;                  // changed by openings, closes and the start of operations
    available_replicas replicas_;            // changed by calls, and by changes of states and of health
    serial_check serial_;                    // entered by enter(), left by the destructor of its result

    std::unique_ptr<result_store> tool_results_; // set by enable_tool_results(), never replaced; null: none are stored
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector_context.ipp>
#endif

#endif
