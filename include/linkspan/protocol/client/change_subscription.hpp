#ifndef LINKSPAN_PROTOCOL_CLIENT_CHANGE_SUBSCRIPTION_HPP
#define LINKSPAN_PROTOCOL_CLIENT_CHANGE_SUBSCRIPTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/protocol/subscription_filter.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Subscription of one session to changes of its server, which a stateless server reports only while a request
/// `subscriptions/listen` is outstanding. The class performs no I/O: its owner sends the requests and waits for the
/// pauses.
///
///              on_sent           on_acknowledged
///     none ───────────> newest ───────────────────> current
///      ^                  │ on_end                    │ on_end
///      └──── on_paused ───┴───────────────────────────┘
///
/// The filter of a request cannot be changed. If the wanted changes differ from those of the last request, another
/// request is sent, and the current one is cancelled when the server has acknowledged the new one, so that no change is
/// missed.
///
/// Invariants:
/// 1. At most two requests are outstanding: the newest one, which is not acknowledged, and the current one, which is.
///    Ids of a session are never reused.
/// 2. The server does not report the changes between the end of the current request and the next acknowledgement.
///    `on_acknowledged` reports each of these interruptions once.
/// 3. `established_` is a subset of `wanted_.uris`.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Exception safety
/// Strong. The functions that are not `noexcept` throw `std::bad_alloc`.
/// \par Specification
/// MCP 2026-07-28, basic/patterns, "Subscriptions".
class change_subscription {
public:
    /// Set of URIs.
    using uri_set = std::set<std::string, std::less<>>;

    /// The pause after an interruption is random, between half of its upper bound and this bound. The bound is
    /// `min_pause` at first, and doubles with each consecutive subscription that ended early, up to `max_pause`. After
    /// a subscription that lasted longer than `max_pause`, the bound is `min_pause` again.
    static constexpr duration min_pause = std::chrono::seconds(1);
    static constexpr duration max_pause = std::chrono::seconds(60); ///< See `min_pause`.

    /// Method of the request.
    static constexpr std::string_view method = "subscriptions/listen";

    /// Step that the owner takes.
    enum class action {
        none, ///< no step
        send, ///< sends a request with `params`, and calls `on_sent`
        stop  ///< cancels the outstanding requests, because no change is wanted, and calls `on_stopped`
    };

    /// Event: the session is being opened. Discards the requests of the last connection; the wanted resources remain.
    LINKSPAN_DECL void on_opened() noexcept;

    /// Sets the wanted changes of lists.
    LINKSPAN_DECL void want_lists(bool tools, bool prompts, bool resources) noexcept;

    /// Adds a resource to the wanted changes.
    LINKSPAN_DECL void add(std::string_view uri);

    /// Adds a resource of which the server reports changes without a request `subscriptions/listen` (era `handshake`).
    LINKSPAN_DECL void establish(std::string_view uri);

    /// Removes a resource. Has no effect if the resource is not wanted.
    LINKSPAN_DECL void remove(std::string_view uri) noexcept;

    /// Adds a task to the wanted changes. Has no effect after the server has refused a request with tasks.
    LINKSPAN_DECL void watch(std::string_view task);

    /// Removes a task. The server may report its changes until the next request; no request is sent for the removal
    /// alone. If no change is wanted any more, `next` returns `stop`.
    LINKSPAN_DECL void unwatch(std::string_view task) noexcept;

    /// Returns whether the server has agreed to report changes of a task.
    bool reports_task(std::string_view task) const noexcept { return current_.wanted.task_ids.contains(task); }

    /// Returns the next step, which depends on the wanted changes and the outstanding requests.
    LINKSPAN_DECL action next() const noexcept;

    /// Returns the members of `params` of the next request, without braces.
    ///
    /// \throws std::bad_alloc
    std::string params() const { return "\"notifications\":" + to_json(wanted_); }

    /// Event: the request that `next` demanded was sent. If another request was sent before and is not acknowledged,
    /// the owner has cancelled that request.
    LINKSPAN_DECL void on_sent(request_id id, time_point now);

    /// Consequences of an acknowledgement.
    struct acknowledged {
        bool is_first = false;     ///< the newest request was acknowledged; false: there are no consequences
        request_id replaced = 0;   ///< request that the owner cancels; 0: none
        bool missed_lists = false; ///< changes of lists were possibly missed
        uri_set missed_updates{};  ///< resources whose changes were possibly missed; some may be in `refused`
        uri_set refused{};         ///< resources whose changes the server does not report; no longer wanted
    };

    /// Event: the server sent `notifications/subscriptions/acknowledged`, with these params. The server may acknowledge
    /// fewer changes than requested. Acknowledgements of other requests are ignored.
    LINKSPAN_DECL acknowledged on_acknowledged(std::string_view params);

    /// Returns whether the id is that of an outstanding request.
    bool is_outstanding(request_id id) const noexcept { return id != 0 && (id == newest_.id || id == current_.id); }

    /// Returns whether the id is that of the acknowledged request.
    bool is_current(request_id id) const noexcept { return id != 0 && id == current_.id; }

    /// Consequences of the end of a request. If the server refuses a request with tasks, the tasks are no longer
    /// wanted, and the next request is sent without them.
    struct ended {
        bool pauses = false; ///< the owner waits for `pause`, and then calls `on_paused` and `next`
        uri_set failed{};    ///< resources whose subscription has failed; no longer wanted
        /// Resources of `failed` that were subscribed before: they may have changed, and no later change is notified.
        uri_set missed_updates{};
    };

    /// Event: a request has completed, with its error; no error: the server has ended the subscription.
    LINKSPAN_DECL ended on_end(request_id id, error_code ec, time_point now);

    /// Event: the requests were cancelled, because `next` demanded it, or abandoned, because the session is being
    /// closed.
    void on_stopped() noexcept { newest_ = current_ = {}; }

    /// Returns the pause after an interruption. `draw`: 64 random bits.
    LINKSPAN_DECL duration pause(std::uint64_t draw) const noexcept;

    /// Event: the pause is over.
    void on_paused() noexcept { is_pausing_ = false; }

    /// Returns false if the server has refused to report changes of the tools, or if the subscription is interrupted;
    /// true also without a subscription, as in the era `handshake`.
    bool reports_tools() const noexcept { return grants_tools_; }

    /// Returns false if the server does not support the method, so that no request is sent.
    bool is_supported() const noexcept { return is_supported_; }

    /// Returns the wanted changes.
    subscription_filter const& wanted() const noexcept { return wanted_; }

    /// Returns the resources of which the server has agreed to report changes, and which are still wanted.
    uri_set const& established() const noexcept { return established_; }

private:
    struct request {
        request_id id = 0;            // 0: none
        subscription_filter wanted{}; // without the changes that the acknowledgement refused
    };

    void remove_all(uri_set const& uris) noexcept;
    bool is_covered_by(request const& last) const noexcept;

    // Changed by `want_lists`, `add`, `remove`, `watch`, `unwatch`, and by refusals.
    subscription_filter wanted_;
    uri_set established_; // extended by acknowledgements and `establish`; reduced with `wanted_.uris`
    request newest_;      // set by `on_sent`; cleared by its acknowledgement and its end
    request current_;     // set by an acknowledgement; cleared by its end
    time_point began_{};  // time of the last request; set by `on_sent`
    // Consecutive subscriptions that ended early. Incremented by the end of each one; 1 after one that lasted longer
    // than `max_pause`; 0 after `on_opened`.
    unsigned attempts_ = 0;
    // Whether the server may report changes of the tools. Set by each acknowledgement. True while it is not known:
    // after `on_opened`, and after `on_sent` without a current request. False after the end of all requests.
    bool grants_tools_ = true;
    bool is_supported_ = true;    // cleared if the server refuses the method; set by `on_opened`
    bool allows_tasks_ = true;    // cleared if the server refuses a request with tasks; set by `on_opened`
    bool is_pausing_ = false;     // set by `on_end`, cleared by `on_paused` and `on_opened`
    bool missed_lists_ = false;   // set by `on_end`; cleared by the next acknowledgement and by `on_opened`
    bool missed_updates_ = false; // set by `on_end` and `on_opened`; cleared by the next acknowledgement
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/change_subscription.ipp>
#endif

#endif
