#ifndef LINKSPAN_CONNECTOR_DETAIL_CATALOG_PUBLISHER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CATALOG_PUBLISHER_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Owner of the published catalog of a connector, without I/O: counts changes, determines when a catalog is published,
// and looks up names.
//
// Each catalog costs time for all of its tools, so that a catalog per change would cost quadratic time if many servers
// open one after the other. Changes are therefore published at most once per turn of the event loop, and while servers
// are being opened only when the number of changes is at least an eighth of the number of servers in the catalog. A
// call that misses a tool publishes all changes immediately.
//
// Invariants: the catalog has all changes if `unpublished_changes_` is 0. At most one publication is posted at a time.
// A match that find() returns belongs to `latest()`.
//
// Thread safety: copy() is safe from any thread; the other functions run on the executor of the connector.
class catalog_publisher {
public:
    // Returns the last published catalog, which may lack recent changes.
    std::shared_ptr<catalog const> const& latest() const noexcept { return catalog_; }

    // Returns the last published catalog. Safe from any thread.
    LINKSPAN_DECL std::shared_ptr<catalog const> copy() const;

    // Returns the match of a name in `latest()`; valid until the next call of find() or publish(). The last match is
    // kept, because many calls in succession have the same name.
    LINKSPAN_DECL catalog::match const& find(std::string_view name);

    // Event: the tools of a server or the set of servers changed, so that the catalog lacks a change.
    void on_changed() noexcept { ++unpublished_changes_; }

    // Returns whether the catalog lacks changes.
    bool has_changes() const noexcept { return unpublished_changes_ != 0; }

    // Returns whether the changes are numerous enough for a publication while servers are being opened.
    bool has_many_changes() const noexcept { return unpublished_changes_ * 8 >= servers_in_catalog_; }

    // Requests a publication. Returns true if the caller has to post one, which begins with on_posted(); false if a
    // posted publication has not begun.
    [[nodiscard]] bool request() noexcept { return !std::exchange(is_posted_, true); }

    // Event: the posted publication begins.
    void on_posted() noexcept { is_posted_ = false; }

    // Publishes a catalog with these tools, which includes all changes. `servers`: number of servers with tools.
    // `is_only_server`: see the constructor of `catalog`.
    LINKSPAN_DECL void publish(std::vector<catalog_entry> entries, std::size_t servers, bool is_only_server);

private:
    std::shared_ptr<catalog const> catalog_ = std::make_shared<catalog const>(); // set by publish()
    std::string last_name_;                                                      // name of `last_match_`; set by find()
    std::optional<catalog::match> last_match_; // in `catalog_`; set by find(), cleared by publish()
    std::size_t unpublished_changes_ = 0;      // incremented by on_changed(), cleared by publish()
    std::size_t servers_in_catalog_ = 0;       // servers with tools in the catalog; set by publish()
    bool is_posted_ = false;                   // set by request(), cleared by on_posted()

    // Guards the copy for other threads. A mutex, because std::atomic<std::shared_ptr> of libstdc++ 12 is a data race
    // for TSan.
    mutable std::mutex mutex_;
    std::shared_ptr<catalog const> shared_catalog_ = catalog_; // copy of `catalog_`; guarded by `mutex_`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog_publisher.ipp>
#endif

#endif
