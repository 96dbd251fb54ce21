#ifndef LINKSPAN_CONNECTOR_DETAIL_CATALOG_PUBLISHER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CATALOG_PUBLISHER_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/catalog_builder.hpp>
#include <linkspan/connector/detail/retired_catalogs.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Owner of the published catalog of a connector, without I/O: counts changes, determines when a catalog is published,
// builds it in steps, and looks up names.
//
// Each catalog costs time for all of its tools, so that a catalog per change would cost quadratic time if many servers
// open one after the other. Changes are therefore published at most once per turn of the event loop, and while servers
// are being opened only when the number of changes is at least an eighth of the number of servers in the catalog.
// Operations that need the changes request their publication with await().
//
// Invariants: the catalog has all changes if has_changes() is false. At most one publication is posted at a time. A
// build that has begun is completed, so that constant changes do not prevent publications; changes during a build are
// part of the next one. A match that find() returns belongs to `latest()`. A function that throws has no effect, except
// step(), which ends the build.
//
// Thread safety: copy() is safe from any thread; the other functions run on the executor of the connector.
class catalog_publisher {
public:
    // Maximum number of entries that one step of a build or of a destruction processes. A smaller catalog is built in
    // one step.
    static constexpr std::size_t max_entries_per_step = 2048;

    LINKSPAN_DECL explicit catalog_publisher(std::size_t max_entries = max_entries_per_step);
    catalog_publisher(catalog_publisher const&) = delete;
    catalog_publisher& operator=(catalog_publisher const&) = delete;
    LINKSPAN_DECL ~catalog_publisher();

    // Changes the argument of the constructor. Precondition: no build has begun.
    void set_max_entries(std::size_t max_entries) noexcept { max_entries_ = max_entries; }

    // Returns the last published catalog, which may lack recent changes.
    std::shared_ptr<catalog const> const& latest() const noexcept { return published_.for_calls; }

    // Returns the last published catalog for users. Safe from any thread.
    LINKSPAN_DECL std::shared_ptr<catalog const> copy() const;

    // Returns the match of a name in `latest()`; valid until the next call of find() or publication. The last match is
    // kept, because many calls in succession have the same name.
    LINKSPAN_DECL catalog::match const& find(std::string_view name);

    // Event: the tools of a server or the set of servers changed, so that the catalog lacks a change.
    void on_changed() noexcept { ++changes_; }

    // Returns whether the catalog lacks changes.
    bool has_changes() const noexcept { return changes_ != published_changes_; }

    // Returns whether the changes are numerous enough for a publication while servers are being opened.
    // Changes that a build in progress publishes do not count.
    bool has_many_changes() const noexcept
    {
        return is_building() ? (changes_ - build_changes_) * 8 >= build_servers_
                             : (changes_ - published_changes_) * 8 >= servers_in_catalog_;
    }

    // Requests a publication. Returns true if the caller has to post one, which begins with on_posted(); false if a
    // posted publication has not begun, or a build is in progress, after which is_requested() is true.
    [[nodiscard]] LINKSPAN_DECL bool request() noexcept;

    // Event: the posted publication begins.
    void on_posted() noexcept { is_posted_ = false; }

    // Begins a build with all changes. `lists`: lists of the servers. `is_only_server`: see the constructor of
    // `catalog`. Precondition: no build is in progress.
    LINKSPAN_DECL void begin(std::vector<tool_snapshot> lists, bool is_only_server);

    // Returns whether a build is in progress.
    bool is_building() const noexcept { return build_.has_value(); }

    // Returns whether the next step completes the build. Precondition: is_building(), and no step was executed.
    bool fits_one_step() const noexcept { return build_->size() <= max_entries_; }

    // Executes the next step of the build. Returns true if the catalog was published. Ends the build on an exception.
    // Precondition: is_building().
    [[nodiscard]] LINKSPAN_DECL bool step();

    // Ends a build without a publication.
    void abort_build() noexcept { build_.reset(); }

    // Returns whether another publication is needed after the last one: it was requested during the build, or functions
    // wait for it.
    bool is_requested() const noexcept { return has_changes() && (is_requested_ || !waiting_.empty()); }

    // Adds a function that waits until the catalog has all changes that were made so far.
    void await(std::function<void()> done) { waiting_.push_back({changes_, std::move(done)}); }

    // Removes and returns the first waiting function if its changes are published. Null: there is none.
    LINKSPAN_DECL std::function<void()> take_published() noexcept;

    // Removes and returns the first waiting function. Null: there is none.
    LINKSPAN_DECL std::function<void()> take_waiting() noexcept;

    // Catalogs that are no longer published.
    retired_catalogs& retired() noexcept { return *retired_; }

    // Destroys some entries of retired catalogs. Returns whether there is nothing left to destroy.
    [[nodiscard]] bool destroy_some() { return retired_->step(max_entries_); }

private:
    struct waiting_function {
        std::size_t changes; // value of `changes_` that has to be published
        std::function<void()> done;
    };

    void publish(catalog&& made);

    std::size_t max_entries_; // set by the constructor
    std::shared_ptr<retired_catalogs> const retired_ = std::make_shared<retired_catalogs>();
    retired_catalogs::pointers published_;     // set by the constructor and publish()
    std::string last_name_;                    // name of `last_match_`; set by find()
    std::optional<catalog::match> last_match_; // in `latest()`; set by find(), cleared by publish()
    std::optional<catalog_builder> build_;     // set by begin(), cleared by step()
    std::size_t changes_ = 0;                  // incremented by on_changed()
    std::size_t build_changes_ = 0;            // value of `changes_` of the build; set by begin()
    std::size_t build_servers_ = 0;            // servers with tools in the build; set by begin()
    std::size_t published_changes_ = 0;        // value of `changes_` of the catalog; set by publish()
    std::size_t servers_in_catalog_ = 0;       // servers with tools in the catalog; set by publish()
    bool is_posted_ = false;                   // set by request(), cleared by on_posted()
    bool is_requested_ = false;                // set by request() during a build, cleared by begin()
    std::deque<waiting_function> waiting_;     // added by await(), removed by take_published() and take_waiting()

    // Guards the copy for other threads. A mutex, because std::atomic<std::shared_ptr> of libstdc++ 12 is a data race
    // for TSan.
    mutable std::mutex mutex_;
    std::shared_ptr<catalog const> shared_catalog_; // `published_.for_users`; guarded by `mutex_`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog_publisher.ipp>
#endif

#endif
