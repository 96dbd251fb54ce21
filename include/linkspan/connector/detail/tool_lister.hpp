#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_LISTER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_LISTER_HPP

#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Sends the `tools/list` requests of a connector, which `tool_registry` demands, and stores the lists.
//
// Invariant: at most one list request of a connection is outstanding.
class tool_lister {
public:
    using server_pointer = connector_context::server_pointer;
    using list_handler = std::function<void(error_code, std::string const& problem_text)>;

    explicit tool_lister(connector_context& context) noexcept : context_(context) {}

    // Lists the tools of a server that was opened. `done` is invoked when the list is stored or the request has failed,
    // unless another epoch of the server has begun before.
    LINKSPAN_DECL void list_first(server_pointer const& server, list_handler done);

    // Lists the tools of a ready server again; `done` is invoked later. If a `tools/list` request is outstanding,
    // another one is sent after its completion, because the tools may have changed since the outstanding one was sent.
    LINKSPAN_DECL void refresh(server_pointer const& server, std::function<void()> done);

    // Starts a refresh if the list of tools has expired, without waiting for its completion.
    void refresh_if_stale(server_pointer const& server, time_point now)
    {
        if (server->tools.is_stale(now))
            refresh(server, [] {});
    }

    // Event: the server sent a list-changed notification.
    LINKSPAN_DECL void on_list_changed(server_pointer const& server);

    // Event: the session has listed the tools for itself. The list is ignored while a `tools/list` request of the
    // connector is outstanding: its response may be older than this list, and storing both lists could change the
    // catalog twice.
    LINKSPAN_DECL void on_listed_by_session(server_entry& server, tool_list list);

private:
    // A `tools/list` request.
    struct operation {
        std::uint64_t epoch = 0;                     // of the server when the request started
        list_handler done;                           // empty, or the handler of the opening
        std::vector<tool_registry::requester> users; // callers that wait for the list
    };
    using operation_pointer = std::shared_ptr<operation>;

    void list(server_pointer const& server, list_handler done);
    void store(server_pointer const& server, operation_pointer const& of, tool_registry::pending_list list);
    tool_registry::change on_stored(server_entry& server, tool_registry::change change);
    void end(server_pointer const& server, operation& of, error_code ec, tool_registry::change const& change);
    void refresh_at(server_pointer const& server, time_point due);

    connector_context& context_; // of the connector that contains the object
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/tool_lister.ipp>
#endif

#endif
