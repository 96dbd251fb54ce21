#ifndef LINKSPAN_CONNECTOR_DETAIL_ENTRY_LISTER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ENTRY_LISTER_HPP

#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/connector/detail/server_driver.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/protocol/client/server_list.hpp>
#include <linkspan/protocol/uri_template.hpp>
#include <linkspan/session/notifications.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Kinds of lists, in the order of the alternatives of `listed_entries::list`.
enum class entry_kind : std::size_t { resources, templates, prompts };

template<class Entry>
inline constexpr entry_kind kind_of_entry{};
template<>
inline constexpr entry_kind kind_of_entry<resource_template> = entry_kind::templates;
template<>
inline constexpr entry_kind kind_of_entry<prompt> = entry_kind::prompts;

// The entries of one list of a server; immutable after the last page.
struct listed_entries {
    std::variant<resource_list, resource_template_list, prompt_list> list;
    // Of a list of templates, in its order; empty: a template that `uri_template` does not accept.
    std::vector<std::optional<uri_template>> templates;

    LINKSPAN_DECL explicit listed_entries(entry_kind kind);
};

// Requests the lists of resources, templates and prompts of the servers of a connector when they are needed, and stores
// them. `server_list` decides when a list is requested.
//
// Created by the first operation that needs such a list, so that other connectors need no memory for it.
//
// Invariants: at most one request per list and connection is outstanding. The functions that wait for a request are
// owned by its handler, so that no cycle of ownership remains when the execution context is destroyed.
class entry_lister {
public:
    using server_pointer = connector_context::server_pointer;
    using list_pointer = std::shared_ptr<listed_entries const>;

    // The lists that request_lists() requests, apart from current ones. All except `wanted` skip a server whose last
    // list request has failed a short time ago.
    enum class demand {
        missing, // of servers without a list; waits for servers that are being opened
        stale,   // also lists that may have changed
        lazy,    // also lists of servers with `start_mode::lazy`, which are started
        wanted,  // as `stale`: the program asks for the lists
    };

    entry_lister(connector_context& context, server_driver& driver, result_store& stored) noexcept
        : context_(context), driver_(driver), stored_(stored)
    {}

    // Requests the lists of a kind. `done` is invoked later, when all of these requests are complete. Returns false if
    // there is nothing to request; `done` is discarded then. `operation`: as for server_driver::await().
    LINKSPAN_DECL bool request_lists(entry_kind kind, demand which, std::uint64_t operation,
                                     std::function<void()> done);

    // Requests the stale lists of ready servers, without waiting for them.
    LINKSPAN_DECL void refresh(entry_kind kind);

    // Returns the last list of a server; null: there is none, or the server is disabled or was disconnected by the
    // program.
    LINKSPAN_DECL list_pointer find(server_entry const& server, entry_kind kind) const;

    // Returns the error of the last list request of the current connection, and a text about it.
    LINKSPAN_DECL std::pair<error_code, std::string> last_error(server_entry const& server, entry_kind kind) const;

    // Returns whether the program has disconnected or disabled the server, which also drops its tools. The lists of a
    // server that was lost, or exited by itself, remain usable.
    static bool was_disconnected(server_entry const& server)
    {
        auto const state = server.life.state();
        bool const is_down = state == server_state::idle || state == server_state::closed;
        return state == server_state::disabled || state == server_state::closing ||
               (is_down && !server.tools.is_known() && !server.life.has_given_up());
    }

    // Returns whether a server declares the capability for a kind of list. Precondition: the server is ready.
    LINKSPAN_DECL static bool offers(server_entry const& server, entry_kind kind);

    // Returns whether a ready server has a list of which there is no copy, or only one of an earlier connection.
    LINKSPAN_DECL bool lacks_list(server_entry const& server, entry_kind kind) const;

    // Drops stored results of the server, and calls the handler of on_update(), when the server notifies of a change of
    // a resource.
    LINKSPAN_DECL void watch_updates(server_entry& server);

    // Sets the handler for changes of resources of the servers for which watch_updates() was called.
    using update_handler = std::function<void(std::string_view server, std::string_view uri)>;
    void on_update(update_handler handler) { update_handler_ = std::move(handler); }

    // Receives the notifications of changed lists of a server, and calls the handler of on_change().
    LINKSPAN_DECL void watch_lists(server_entry& server);

    // Sets the handler for changes of lists that the entry_lister receives.
    using change_handler = std::function<void(std::string_view server, changed_list what)>;
    void on_change(change_handler handler) { change_handler_ = std::move(handler); }

    // Event: the server reported that an entry of its list does not exist.
    void on_entry_missing(server_entry const& server, entry_kind kind) { on_list_changed(server.id, kind); }

private:
    using waiting_functions = std::vector<std::function<void()>>;

    // One list of a server.
    struct known_list {
        server_list life;                         // changed by sync(), list() and the events of requests
        std::uint64_t epoch = 0;                  // of the server, at the last sync()
        list_pointer entries;                     // of the last complete list; null: none
        error_code ec;                            // of the last request; cleared by a new connection
        std::string detail;                       // text about `ec`, without secrets
        std::weak_ptr<waiting_functions> waiting; // of the outstanding request; expired: none
    };

    // A server of which a list was needed.
    struct known_server {
        std::array<known_list, 3> lists;                // index: entry_kind
        std::array<bool, 3> has_notification_handler{}; // set by set_change_handler(), never cleared
        bool has_update_handler = false;                // set by watch_updates(), never cleared
    };

    bool needs(server_entry const& server, entry_kind kind, demand which);
    known_list& sync(server_entry const& server, entry_kind kind);
    known_list* find_list(server_id server, entry_kind kind) noexcept;
    known_list const* find_list(server_id server, entry_kind kind) const noexcept;
    void list(server_pointer const& server, entry_kind kind, std::function<void()> done);
    void request(server_pointer const& server, entry_kind kind, std::shared_ptr<waiting_functions> waiting);
    void listen(server_entry& server, entry_kind kind);
    bool set_change_handler(server_entry& server, entry_kind kind);
    void on_page(server_entry const& server, entry_kind kind, std::string_view page);
    void on_end(server_entry& server, entry_kind kind, error_code ec, std::string detail,
                std::shared_ptr<listed_entries> received);
    void on_list_changed(server_id server, entry_kind kind);
    void forget_removed_servers();

    connector_context& context_; // this and the next two: of the connector that contains the object
    server_driver& driver_;
    result_store& stored_;
    // Added by sync() and watch_updates(), erased by forget_removed_servers().
    std::map<server_id, known_server> servers_;
    update_handler update_handler_; // set by on_update(); empty: none
    change_handler change_handler_; // set by on_change(); empty: none
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/entry_lister.ipp>
#endif

#endif
