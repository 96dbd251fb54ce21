#ifndef LINKSPAN_CONNECTOR_DETAIL_RETIRED_CATALOGS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_RETIRED_CATALOGS_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Catalogs that a connector has replaced, without I/O. Destroys them in steps of a bounded number of entries, so that
// the executor of the connector is not blocked.
//
// A catalog has two groups of pointers, each with its own reference count: pointers for users, and pointers for the
// connector and its calls. The second group together owns one pointer for users. When the last pointer of the connector
// and its calls is released, the catalog is retired. If no user has a pointer then, step() destroys the catalog;
// otherwise the release of the last pointer of a user destroys the catalog immediately, on the thread of the user.
//
// Invariant: a catalog in `waiting_` has no pointer of the connector and its calls, and the catalog of `current_` has
// no pointer at all.
//
// Thread safety: pointers for users may be released on any thread. Everything else runs on the executor of the
// connector.
class retired_catalogs {
public:
    // Pointers to one catalog.
    struct pointers {
        std::shared_ptr<catalog const> for_users;
        std::shared_ptr<catalog const> for_calls; // for the connector and its calls
    };

    // Takes the ownership of a catalog. `self` owns the object. A catalog of at most `max_entries` entries is destroyed
    // by the release of its last pointer.
    LINKSPAN_DECL static pointers share(std::shared_ptr<retired_catalogs> const& self, catalog&& made,
                                        std::size_t max_entries);

    // Sets the function that is invoked when a catalog is retired, which must not call step().
    void on_retired(std::function<void()> function) noexcept { on_retired_ = std::move(function); }

    // Event: the connector is destroyed. Releases all retired catalogs immediately, also those that retire later.
    LINKSPAN_DECL void close() noexcept;

    // Destroys at most `max_entries` entries. Returns whether there is nothing left to destroy.
    [[nodiscard]] LINKSPAN_DECL bool step(std::size_t max_entries);

private:
    void retire(std::shared_ptr<catalog const> retired) noexcept;
    void on_last_release(catalog* released) noexcept;

    std::function<void()> on_retired_;                    // set by on_retired(), cleared by close()
    std::vector<std::shared_ptr<catalog const>> waiting_; // added by retire(), removed by step() and close()
    std::unique_ptr<catalog> current_;                    // being destroyed; set and cleared by step()
    // Thread that releases an element of `waiting_`; no thread at other times. Set and cleared by step().
    std::atomic<std::thread::id> releasing_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/retired_catalogs.ipp>
#endif

#endif
