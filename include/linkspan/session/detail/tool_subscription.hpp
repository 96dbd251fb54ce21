#ifndef LINKSPAN_SESSION_DETAIL_TOOL_SUBSCRIPTION_HPP
#define LINKSPAN_SESSION_DETAIL_TOOL_SUBSCRIPTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Notification by which a server reports that its list of tools has changed.
inline constexpr std::string_view tools_changed = "notifications/tools/list_changed";

// Subscription of one session to `tools_changed`, which a stateless server sends only while a request
// `subscriptions/listen` is outstanding. The class performs no I/O: its owner sends the request and waits for the
// pauses.
//
//              on_sent               on_acknowledged
//     none ──────────────> requested ────────────────> acknowledged
//      ^ ^                     │ on_end, on_cancelled       │
//      │ └──── pause ──────────┴────────────────────────────┘
//      └── on_end returns false: the server does not support the method
//
// Invariants:
// 1. Acknowledgements and cancellations apply to the request whose id `on_sent` has received last, and only until that
//    request completes. Ids of a session are never reused.
// 2. Changes between the end of a subscription and the next acknowledgement were not reported. `on_acknowledged`
//    returns true once for each such interruption.
//
// Specification: 2026-07-28, basic, "Subscriptions".
class tool_subscription {
public:
    // The pause between two subscriptions is random, between half of its upper bound and this bound. The bound is
    // `min_pause` at first, and doubles with each consecutive subscription that ended early, up to `max_pause`. After a
    // subscription that lasted longer than `max_pause`, the bound is `min_pause` again.
    static constexpr duration min_pause = std::chrono::seconds(1);
    static constexpr duration max_pause = std::chrono::seconds(60);

    // Method and members of `params` of the request.
    static constexpr std::string_view method = "subscriptions/listen";
    static constexpr std::string_view params = R"("notifications":{"toolsListChanged":true})";

    // Returns whether capabilities of a server, the text of a JSON object, contain `tools.listChanged`.
    LINKSPAN_DECL static bool is_offered(std::string_view capabilities) noexcept;

    // Called when the session is opened. Discards the state of earlier subscriptions.
    void on_opened() noexcept { *this = tool_subscription(); }

    // Called before the session subscribes, and also if it does not, because the server does not offer the notification
    // or no handler is set. Whether changes are reported is unknown then.
    void begin() noexcept { is_acknowledged_.reset(); }

    // Called when the request was sent.
    void on_sent(request_id id, time_point now) noexcept
    {
        id_ = id;
        began_ = now;
    }

    // Called for each `notifications/subscriptions/acknowledged`, with its params. The server may acknowledge fewer
    // notifications than requested. Returns whether changes were possibly missed, so that the tools have to be listed.
    LINKSPAN_DECL bool on_acknowledged(std::string_view acknowledgement) noexcept;

    // Returns whether the JSON text is the id of the outstanding request. If the server cancels this request, the owner
    // calls `on_end`.
    LINKSPAN_DECL bool is_subscribed_with(std::string_view raw_id) const noexcept;

    // Called when the request has completed, with its error; no error: the server has ended the subscription. Returns
    // whether the session subscribes again after a pause. False: the server does not support the method.
    LINKSPAN_DECL bool on_end(error_code ec, time_point now) noexcept;

    // Called when the request was abandoned, because the session is being closed.
    void abandon() noexcept { id_ = 0; }

    // Returns the pause before the next subscription. `draw`: 64 random bits.
    LINKSPAN_DECL duration pause(std::uint64_t draw) const noexcept;

    // Returns false if the server has refused to report changes, or if the subscription is interrupted; true also
    // without a subscription, as in the era `handshake`.
    bool reports_changes() const noexcept { return is_acknowledged_.value_or(true); }

private:
    request_id id_ = 0;  // of the outstanding request; set by `on_sent`; 0: none, set by `on_end` and `abandon`
    time_point began_{}; // set by `on_sent`
    // Consecutive subscriptions that ended early. Incremented by the end of each one; 1 after one that lasted long; 0
    // after `on_opened`.
    unsigned attempts_ = 0;
    bool missed_changes_ = false; // set by `on_end`; cleared by the next acknowledgement and by `on_opened`
    // Set by `on_acknowledged`; false after `on_end`. Empty: unknown, after `begin` and `on_opened`.
    std::optional<bool> is_acknowledged_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/tool_subscription.ipp>
#endif

#endif
