#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_REGISTRY_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_REGISTRY_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/tool_list_update.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/pin_comparison.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/protocol/client/refresh_schedule.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Tools of one server, without I/O. Decides when the tools are listed again.
//
// The connector lists the tools with `tools/list` requests: the first one of a connection, those that request() demands
// for callers, and those that on_list_changed() schedules after notifications. A list request begins with
// on_list_started() and ends with on_list_ended(); in between, the caller reports the result.
//
// Invariants: `former_tools_` is null if `tools_` is not. A requester waits for a list that starts after its request,
// because the tools may have changed since an outstanding list request was sent. The first on_list_started() after a
// request returns the requester. A function that throws has no effect.
class tool_registry {
public:
    // Handler of a caller that waits for a list. The registry stores such handlers, but does not invoke them.
    using requester = std::function<void()>;

    // Fact about a list for the observer of the connector.
    struct event {
        std::string_view name; // of the event; refers to a literal
        std::string detail;    // the tool and the fact

        bool operator==(event const&) const = default;
    };

    // Effect of a list.
    struct change {
        bool is_changed = false;   // the tools differ from those of the last list
        std::vector<event> events; // in the order in which the connector reports them
        std::string problem_text;  // text about entries of the list that cannot be used, for human readers
    };

    // A list between begin_list() and on_listed().
    class pending_list;

    // The references must remain valid as long as the object.
    LINKSPAN_DECL tool_registry(server_id server, std::string const& key, server_options const& options);

    tool_registry(tool_registry const&) = delete;
    tool_registry& operator=(tool_registry const&) = delete;

    // Returns the tools that are in the catalog.
    std::span<catalog_entry const> tools() const noexcept { return entries_in(tools_); }

    // Returns a snapshot of tools(), which is never changed. Null: there are no tools.
    tool_snapshot const& snapshot() const noexcept { return tools_; }

    // Returns the tools before drop(), for error messages about names of a disconnected server.
    std::span<catalog_entry const> former_tools() const noexcept { return entries_in(former_tools_); }

    // Returns whether tools() is complete: the server has listed its tools since the last drop(), or has none.
    bool is_known() const noexcept { return is_known_; }

    // Returns the result of the last list request.
    error_code last_error() const noexcept { return last_error_; }

    // Returns whether calls of the tool are rejected: the tool has a pin, which cannot be compared before the tools are
    // listed.
    LINKSPAN_DECL bool rejects_unlisted(std::string_view tool) const;

    // Returns the differences between pins and the listed tools.
    LINKSPAN_DECL std::vector<pin_difference> compare(std::span<tool_pin const> pins) const;

    // Begins to store a list that the server sent, or that the session listed for itself. The caller executes all steps
    // of the returned object, and passes it to on_listed(), without another list and without drop() in between.
    LINKSPAN_DECL pending_list begin_list(tool_list list, policy_table const& policies) const noexcept;

    // Event: all tools of a list are processed. `has_notifications`: the server notifies of changes.
    LINKSPAN_DECL change on_listed(pending_list made, time_point now, bool has_notifications);

    // Stores a list without a division into steps.
    LINKSPAN_DECL change on_listed(tool_list list, policy_table const& policies, time_point now,
                                   bool has_notifications);

    // Event: the server was opened and offers no tools. Returns whether there were tools before.
    LINKSPAN_DECL bool on_no_tools();

    // Event: the tools may not be used any more. Returns whether there were tools before.
    LINKSPAN_DECL bool drop();

    // Event: a connection is being opened. Scheduled requests of the last connection are discarded.
    void on_opening() noexcept
    {
        schedule_ = {};
        failures_ = 0;
    }

    // Event: the server sent a list-changed notification. Returns the time of the list request; empty: it is already
    // scheduled.
    std::optional<time_point> on_list_changed(time_point now) noexcept { return schedule_.on_list_changed(now); }

    // Adds a requester of a list. Returns true if the caller has to start a list request; false if one is outstanding,
    // after which on_list_ended() demands another one.
    [[nodiscard]] LINKSPAN_DECL bool request(requester done);

    // Returns whether a list request is outstanding.
    bool is_listing() const noexcept { return is_listing_; }

    // Returns whether the list has expired and no list request is outstanding. After a failed list request the expiry
    // is postponed, longer with each further failure.
    bool is_stale(time_point now) const noexcept { return fresh_until_ <= now && !is_listing_; }

    // Event: a list request starts. Returns the requesters, which the caller invokes when the request completes.
    [[nodiscard]] LINKSPAN_DECL std::vector<requester> on_list_started(time_point now);

    // Event: the list request of the current connection completed. `is_changed`: from on_listed(). Returns the time at
    // which to repeat the request; empty: not repeated.
    LINKSPAN_DECL std::optional<time_point> on_list_completed(error_code ec, bool is_changed, time_point now);

    // Event: the list request of an earlier connection completed.
    void on_earlier_list_completed(error_code ec) noexcept { last_error_ = ec; }

    // Event: the result of the list request was reported. Returns true if the caller has to start another one.
    [[nodiscard]] bool on_list_ended() noexcept
    {
        is_listing_ = false;
        return !requesters_.empty();
    }

    // Removes and returns the requesters for which no list request has started.
    std::vector<requester> take_requesters() noexcept { return std::exchange(requesters_, {}); }

private:
    listed_server const server_;                 // set by the constructor
    tool_snapshot tools_;                        // replaced by each list that differs, cleared by drop()
    tool_snapshot former_tools_;                 // set by drop(), cleared by the next list
    std::vector<diagnostic> unusable_;           // listed tools that are not in `tools_`; set by each list
    std::vector<pin_difference> broken_pins_;    // set by each list
    bool is_known_ = false;                      // set by on_listed() and on_no_tools(), cleared by drop()
    time_point fresh_until_ = time_point::max(); // set by each list, postponed by failures; `max()`: unknown
    unsigned failures_ = 0;                      // failed list requests since the last list or opening
    error_code last_error_;                      // result of the last list request; set when it completes
    refresh_schedule schedule_;                  // of the current connection; reset by on_opening()
    bool is_listing_ = false;                    // set by on_list_started(), cleared by on_list_ended()
    std::vector<requester> requesters_;          // added by request(), moved out by on_list_started()
};

class tool_registry::pending_list {
public:
    // `registry` and `policies` must remain valid.
    pending_list(tool_registry const& registry, tool_list list, policy_table const& policies) noexcept
        : registry_(registry), policies_(policies), list_(std::move(list))
    {}

    // Processes at most `max_tools` tools in one pass or several: compares them with the pins, and then as
    // `tool_list_update` describes. Returns whether all tools are processed. After an exception, the object can only be
    // destroyed. Precondition: `max_tools` is positive, and not all tools are processed.
    [[nodiscard]] LINKSPAN_DECL bool step(std::size_t max_tools);

private:
    friend class tool_registry;

    void exclude_broken();

    tool_registry const& registry_;           // this and the next three: set by the constructor
    policy_table const& policies_;            //
    tool_list list_;                          // its tools are moved to `tools_`
    std::optional<pin_comparison> pins_;      // set by the first step(), completed by the following ones
    std::size_t compared_ = 0;                // tools that were compared with the pins; incremented by step()
    std::vector<pin_difference> broken_pins_; // set by step() after the last of these tools
    std::optional<tool_list_update> tools_;   // set by step() with `broken_pins_`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/tool_registry.ipp>
#endif

#endif
