#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_REGISTRY_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_REGISTRY_HPP

#include <linkspan/connector/detail/published_server.hpp>
#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/views.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Set of the servers of a connector, without I/O.
//
// A server is in one of three states: staged (registered, without a name in the set), current (in `order()`, found by
// its key) or removed (not found by its id). register_server() makes a server staged, add() and replace() make it
// current, and remove(), replace() and discard() make it removed.
//
// Invariants: an id is never reused. A staged or current server is found by its id. The keys of the current servers are
// distinct. A removed server is in `removed()` until on_ended().
//
// Exception safety: strong. The functions that add or remove a server throw `std::bad_alloc`.
//
// Thread safety: published() is safe from any thread; the other functions run on the executor of the connector.
class server_registry {
public:
    using pointer = std::shared_ptr<server_entry>;

    // Returns the id of the next server, for register_server().
    server_id next_id() const noexcept { return server_id{static_cast<std::uint32_t>(by_id_.size())}; }

    // Registers a server with the id `next_id()`: it becomes staged.
    LINKSPAN_DECL void register_server(pointer server);

    // Adds a staged server at the end of the order. Precondition: no current server has its key.
    LINKSPAN_DECL void add(pointer const& server);

    // Puts a staged server at the position of the current server with the same key, which is removed.
    LINKSPAN_DECL void replace(pointer const& old, pointer const& server);

    // Removes a current server.
    LINKSPAN_DECL void remove(pointer const& server);

    // Removes a staged server.
    LINKSPAN_DECL void discard(pointer const& server);

    // Events: a removed server has ended; all removed servers have ended. on_ended() has no effect on other servers.
    void on_ended(pointer const& server) noexcept { std::erase(removed_, server); }
    void on_all_ended() noexcept { removed_.clear(); }

    // Returns the current server with this key, or null.
    LINKSPAN_DECL pointer find(std::string_view key) const;

    // Returns the staged or current server, or null if it was removed. Precondition: the id was registered.
    pointer const& at(server_id id) const noexcept { return by_id_[static_cast<std::size_t>(id)]; }

    // Returns the current servers in the order of configuration.
    std::vector<pointer> const& order() const noexcept { return order_; }

    // Returns the staged and current servers by their ids, with null for removed servers.
    std::vector<pointer> const& by_id() const noexcept { return by_id_; }

    // Returns the removed servers that have not ended.
    std::vector<pointer> const& removed() const noexcept { return removed_; }

    // Returns the keys of the current servers, or those that are similar to a key, the most similar first.
    LINKSPAN_DECL std::vector<std::string> keys() const;
    LINKSPAN_DECL std::vector<std::string> suggestions(std::string_view key) const;

    // Returns the published states of the current servers. Safe from any thread.
    LINKSPAN_DECL std::vector<std::shared_ptr<published_server>> published() const;

private:
    using published_list = std::vector<std::shared_ptr<published_server>>;

    published_list published_states() const; // of `order_`
    void publish(published_list& states);

    std::vector<pointer> by_id_;   // index: id; set by register_server(), set to null by remove(), replace(), discard()
    std::vector<pointer> order_;   // changed by add(), replace() and remove()
    std::vector<pointer> removed_; // added by remove(), replace() and discard(), erased by on_ended()
    boost::unordered_flat_map<std::string_view, pointer> by_key_; // of `order_`; the keys refer to `server_entry::key`

    mutable std::mutex mutex_; // guards `shared_`
    // Copy for other threads; set by add(), replace() and remove(). Guarded by `mutex_`.
    published_list shared_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_registry.ipp>
#endif

#endif
