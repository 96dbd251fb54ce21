#ifndef LINKSPAN_SESSION_DETAIL_SESSION_RECOVERY_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_RECOVERY_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Recovery of one session: decides which requests that the server refused are sent again, and what must happen before.
//
// - If the server has discarded the HTTP session (`Mcp-Session-Id`), a new handshake is necessary ("renewal"); refused
//   requests are queued until the handshake is complete.
// - If the server refused the headers of a call, its tools have to be listed again; refused calls are parked until the
//   list is complete.
//
// The class performs no I/O. The requests belong to the scheduler that the functions receive, which is the same for
// all calls.
//
// Invariants:
// 1. Each of the two corrections is made at most once per request.
// 2. At most one renewal and one list are in progress at a time; requests that are refused meanwhile share them.
// 3. A request that was sent before the last renewal, and is refused later, is sent again without another renewal.
class session_recovery {
public:
    // Decision about a request that the server has refused.
    enum class decision {
        fail,   // the request completes with the refusal
        repeat, // the scheduler contains the request, which is sent again later
        renew,  // as `repeat`, and a renewal begins now
        list,   // as `repeat`, and a list of tools begins now
    };

    // Called when a request is started. Clears the marks of an earlier use of the object.
    static void on_started(request_op& op) noexcept
    {
        op.recovery_.renewed = op.recovery_.relisted = op.recovery_.awaits_list = false;
    }

    // Called each time a request is sent.
    void on_sent(request_op& op) const noexcept { op.recovery_.handshake = handshake_; }

    // Returns true during a renewal, in which no request of a caller is sent.
    bool is_renewing() const noexcept { return renewing_; }

    // Called if the server refused a request because it has discarded the session. `has_handshake`: the protocol
    // version is one of the era `handshake`, so that a session can be renewed.
    //
    // Precondition: the request is sent, and belongs to a caller.
    LINKSPAN_DECL decision on_session_lost(request_op& op, request_scheduler& scheduler, bool has_handshake) noexcept;

    // Called when the handshake of a renewal is complete.
    void on_renewed() noexcept
    {
        renewing_ = false;
        ++handshake_;
    }

    // Called when the session closes, or a renewal has failed. Returns whether a renewal was in progress.
    bool stop_renewal() noexcept { return std::exchange(renewing_, false); }

    // Called if the server refused the headers of a call.
    //
    // Precondition: the request is sent.
    LINKSPAN_DECL decision on_headers_refused(request_op& op, request_scheduler& scheduler) noexcept;

    // Called when the list of tools is complete: queues the calls that were parked for it.
    LINKSPAN_DECL void on_listed(request_scheduler& scheduler) noexcept;

    // Called when the list of tools has failed. `next_without_list` then returns the requests that have to complete
    // with their refusal.
    void on_list_failed() noexcept { listing_ = false; }

    // Returns a request that is parked for a list; null: none. Each request is returned once.
    LINKSPAN_DECL static request_op* next_without_list(request_scheduler& scheduler) noexcept;

private:
    // Set by the decision `renew`; cleared by `on_renewed` and `stop_renewal`.
    bool renewing_ = false;
    unsigned handshake_ = 0; // incremented by each complete renewal; a request stores the value with which it was sent
    bool listing_ = false;   // set by the decision `list`; cleared by `on_listed` and `on_list_failed`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_recovery.ipp>
#endif

#endif
