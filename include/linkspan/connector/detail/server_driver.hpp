#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_DRIVER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_DRIVER_HPP

#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/detail/server_prober.hpp>
#include <linkspan/connector/detail/tool_lister.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Carries out the decisions of `server_supervisor` for all servers of a connector: starts, restarts, drains, shuts down
// and closes their sessions, and completes the operations that wait for these steps.
//
// Invariants: a handler that began in an earlier epoch of the server has no effect. Each handler that waits for a
// server is posted exactly once, at the completion of the opening or of the shutdown.
class server_driver {
public:
    using server_pointer = connector_context::server_pointer;
    using report_function = std::function<void(server_report const&)>;
    using end_function = std::function<void(error_code)>;

    server_driver(connector_context& context, tool_lister& lister, server_prober& prober) noexcept
        : context_(context), lister_(lister), prober_(prober)
    {}

    // Sets the handlers of the session of a new server.
    LINKSPAN_DECL void attach(server_entry& server);

    // Starts the server if it is not started, and waits for the completion of its opening; `done` is invoked later,
    // never inside this function. `now`: a server in the state `waiting` is started immediately. `operation`: number of
    // the operation, which the caller passes to release() later; 0: a call or a replacement, which keeps the server
    // open.
    LINKSPAN_DECL void await(server_pointer const& server, report_function done, bool now = false,
                             std::uint64_t operation = 0);

    // Lists the tools of all ready servers again, starts the idle servers without `start_mode::lazy`, and waits for
    // servers that are being opened. `done` is invoked later, when all of these steps are complete. `operation`: as for
    // await().
    LINKSPAN_DECL void refresh(std::function<void()> done, std::uint64_t operation = 0);

    // Removes a completed or cancelled operation from its servers. A server that only cancelled operations have opened
    // is closed.
    LINKSPAN_DECL void release(std::uint64_t operation, bool is_cancelled);

    // Shuts the server down gracefully. `after`: its state then. `done` is invoked later, if it is not empty.
    LINKSPAN_DECL void end(server_pointer const& server, server_state after, end_function done);

    // Shuts the server down gracefully when its outstanding calls are complete; new calls are not sent to the server.
    LINKSPAN_DECL void drain(server_pointer const& server, server_state after, end_function done);

    // Closes the session of a server that is being drained or shut down. Has no effect on a server in another state.
    LINKSPAN_DECL void close_ending(server_pointer const& server);

    // Closes the server immediately; its waiting operations complete with `operation_aborted`.
    LINKSPAN_DECL void close(server_entry& server, server_state after) noexcept;

    // Event: the server was removed from the set of servers. Removes the server from the policies.
    LINKSPAN_DECL void on_removed(server_entry& server);

private:
    void start(server_pointer const& server);
    void on_opened(server_pointer const& server, error_code ec, std::string const& detail);
    void on_listed(server_entry& server, error_code ec, std::string const& problem_text);
    void finish_opening(server_entry& server);
    void post_report(server_entry& server, report_function done);
    void abort_opening(server_entry& server);
    void finish_end(server_entry& server, error_code ec);
    void on_lost(server_pointer const& server, error_code ec, std::string const& detail);
    void restart_later(server_pointer const& server, duration wait);
    void end_drained(server_pointer const& server);
    void shut_down(server_pointer const& server);
    void on_ended(server_pointer const& server, error_code ec);
    void on_unexpected_output(server_entry& server, std::string_view text);

    connector_context& context_; // this and the next two: set by the constructor, parts of the same connector
    tool_lister& lister_;
    server_prober& prober_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_driver.ipp>
#endif

#endif
