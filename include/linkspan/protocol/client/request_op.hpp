#ifndef LINKSPAN_PROTOCOL_CLIENT_REQUEST_OP_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REQUEST_OP_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/shared_text.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/deadline_list.hpp>
#include <linkspan/protocol/message_kind.hpp>

#include <boost/intrusive/list_hook.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {
class input_exchange;
class failed_requests;
class session_core;
class session_recovery;
} // namespace detail

/// Completion of a request: its outcome and the body of the response.
///
/// \par Lifetime
/// All views are valid during `request_op::on_done` only, except `body` if a copy of `*owner` exists.
struct reply {
    /// Outcome of the attempt; `outcome::ec` is empty if the server returned a result.
    outcome result;

    /// JSON text of the result or of the error object; for a malformed response or a failure of the transport, the
    /// beginning of the text that was received or a description. Empty: none.
    std::string_view body;

    /// Text in the result of a tool call, as in `envelope::plain_text`; a part of `body`. Empty: not known.
    std::string_view plain_text;

    /// Owner of the memory behind `body` of a large message; a copy keeps `body` valid. Null: the text must be copied.
    std::shared_ptr<void const> const* owner{};

    /// Returns the body with ownership: shares the memory of a large message, and copies other texts.
    detail::shared_text text() const { return owner ? detail::shared_text(*owner, body) : detail::shared_text(body); }

    /// Returns the body as the result of a tool call, with the ownership that `text()` describes.
    call_result tool_result() const
    {
        call_result out(text(), {});
        if (!plain_text.empty())
            out.plain_text(static_cast<std::size_t>(plain_text.data() - body.data()), plain_text.size());
        return out;
    }
};

/// One request of a session, from its start to its completion.
///
/// The initiator derives from this class, sets the public members, and passes the object to the session, which
/// allocates no memory for the request. Exactly one of `on_done` and `on_dropped` is called after `start`, unless the
/// request is cancelled before.
///
/// \par Lifetime
/// The initiator keeps the object alive, at the same address, until `on_done` or `on_dropped` is called or the request
/// is cancelled. The texts that the views refer to must remain valid as long, because a request may be sent more than
/// once.
/// \par Thread safety
/// All functions must be called on the executor of the session.
class request_op : public deadline_hook,
                   public boost::intrusive::list_base_hook<boost::intrusive::tag<class request_scheduler>> {
public:
    /// JSON-RPC method.
    std::string_view method;
    /// Kind of the message; must correspond to `method`. Default: `message_kind::request`.
    message_kind request_kind = message_kind::request;
    /// Name of the tool or prompt, URI of the resource, or id of the task; empty: none.
    std::string_view name;
    /// Members of `params` as JSON text, without braces; empty: none.
    std::string_view params;
    /// Members of `params._meta` as JSON text, without braces; empty: none.
    std::string_view meta;
    /// True for a request that the session sends for itself, as in the negotiation. Such requests do not count towards
    /// `session_options::max_in_flight`. Default: false.
    bool is_internal = false;
    /// True if the request contains a progress token, which requests progress notifications. Default: false.
    bool requests_progress = false;
    /// True if the request declares the extension for tasks, in the era `stateless`: the server may return a task.
    /// Default: false.
    bool declares_tasks = false;

    /// True if the server is notified with `notifications/cancelled` when the request is cancelled or times out.
    /// Default: true.
    bool notifies_cancellation = true;

    /// Time at which the attempt began; not later than the start of the request. If the request was queued, the session
    /// replaces this time by the time of sending.
    time_point began{};

    /// Maximum time without a response or a progress notification, from `began`; must be set. Each progress
    /// notification restarts it. `duration::max()`: none.
    duration idle_timeout{};

    /// Maximum time of the attempt, from `began`, regardless of progress; must be set. `duration::max()`: none.
    duration attempt_timeout{};

    /// True if `attempt_timeout` is a share of the time of the call, which leaves time for other servers. Affects only
    /// the text of the error. Default: false.
    bool is_shared = false;
    /// Time at which the call times out. Default: `time_point::max()`, which means never.
    time_point deadline = time_point::max();
    /// Time from the start of the call to `deadline`, for the text of the error. Default: 0, which means not known.
    duration timeout{};

    /// Called for each progress notification, if `requests_progress` is true. The default implementation has no effect.
    virtual void on_progress(progress_update const&) {}

    /// Called when the response stream was interrupted and the server refused the connection by which the transport
    /// attempted to resume the stream. If the function returns true, the request completes with `certainty::unknown`;
    /// if false, the transport continues its attempts to resume. The default implementation returns false.
    virtual bool can_fail_over() { return false; }

    /// Called once, when the request has completed, on the executor of the session and never inside `start`.
    ///
    /// \param completion Outcome and body, valid during the call.
    virtual void on_done(reply const& completion) = 0;

    /// Called instead of `on_done` if the execution context is destroyed. The implementation releases its resources and
    /// invokes no handler.
    virtual void on_dropped() noexcept = 0;

    /// Returns the id of the request; 0 before the request was sent.
    request_id id() const noexcept { return id_; }

    /// Returns whether the server may have received the request: it was passed to the transport and not refused
    /// afterwards.
    bool is_sent() const noexcept
    {
        return state_ == state::sent || exchange_ ||
               (state_ == state::failed && failure_.certainty == certainty::unknown);
    }

    /// Returns whether the server has received the request and reported progress for it.
    bool has_started() const noexcept { return is_sent() && started_; }

protected:
    request_op() = default;
    ~request_op() = default;

private:
    friend detail::failed_requests;
    friend detail::session_core;
    friend detail::session_recovery;
    friend class request_scheduler;

    enum class state { idle, queued, parked, failed, sent };

    struct failure {
        error_code ec;
        linkspan::certainty certainty = linkspan::certainty::not_sent;
    };

    // State for sending the request again.
    struct recovery {
        // set when the request is queued again because the server has discarded the HTTP session, which is done
        // once; cleared by `start`
        bool renewed = false;
        // set when the tools are listed again for this request, which is done once; cleared by `start`
        bool relisted = false;
        // set with `relisted`; cleared by the completion of the list request and by `start`
        bool awaits_list = false;
        // number of the handshake in which the request was last sent
        unsigned handshake = 0;
    };

    // Invariant: each of these members is changed only by the classes that its comment names. `start` is
    // `session_core::start`.

    // changed by `request_scheduler`, except for `failed`: set by `failed_requests`, which also sets `idle` before the
    // call of `on_done`. `parked`: removed from the table of sent requests until a correction, after which the request
    // is sent again; `failed`: failed, and the call of `on_done` is posted
    state state_ = state::idle;

    // set by `request_scheduler` each time the request is sent; reset to 0 by `start`
    request_id id_ = 0;
    // set by `request_scheduler` at the first progress notification, and cleared by it each time the request is sent;
    // cleared by `start`
    bool started_ = false;
    // set by `request_scheduler` when the request is first sent; cleared by `start`, and by `session_core` before it
    // sends a request of its own
    bool was_sent_ = false;
    recovery recovery_; // changed by `session_recovery`
    // set by `session_core` at the first input request of the server for this request; cleared by `session_core` when
    // the request completes, is cancelled or is dropped
    std::shared_ptr<detail::input_exchange> exchange_;
    // end of `attempt_timeout`; set by `request_scheduler` when the request is first sent
    time_point ends_{};
    // text of the transport about an interrupted response; set by `session_core` at the interruption; cleared by
    // `session_core` when the response continues, by a completion with an error and by `start`
    std::string interruption_;
    failure failure_; // set by `failed_requests` with the state `failed`
};

} // namespace linkspan

#endif
