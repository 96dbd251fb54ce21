#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_PROBER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_PROBER_HPP

#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/core/detail/config.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reports the outcomes of attempts and probes to the health policy, sends the probes that the policy schedules, and
// publishes the health of the servers.
//
// Invariant: at most one probe of a server is outstanding.
class server_prober {
public:
    using server_pointer = connector_context::server_pointer;

    explicit server_prober(connector_context& context) noexcept : context_(context) {}

    // Schedules the next probe of a ready server, in place of the scheduled one.
    LINKSPAN_DECL void schedule(server_pointer const& server);

    // Reports the outcome of an attempt to the statistics and the policies.
    LINKSPAN_DECL void record(server_entry& server, outcome const& result, time_point now);

private:
    void on_due(server_pointer const& server);
    void on_finished(server_pointer const& server, outcome const& result);
    void on_no_response(server_pointer const& server, time_point began);
    void end_if_unresponsive(server_entry& server, time_point began);
    void on_health_changed(server_pointer const& server);
    void publish_breaker_state(server_entry& server, health_state health);

    connector_context& context_; // of the connector that contains the object
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_prober.ipp>
#endif

#endif
