#ifndef LINKSPAN_PROTOCOL_CLIENT_REQUEST_OP_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REQUEST_OP_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/shared_text.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/protocol/deadline_list.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan {

namespace detail {
class input_exchange;
class session_core;
} // namespace detail

/// How a request ended. The views are valid during `request_op::on_done`.
struct reply {
    outcome result;
    std::string_view body;                      ///< of a result or an error object, or the beginning of what came
    std::shared_ptr<void const> const* owner{}; ///< of a large body: keep a copy to keep it without copying the text

    /// The body, owned.
    detail::shared_text text() const { return owner ? detail::shared_text(*owner, body) : detail::shared_text(body); }
};

/// One request on its way through a session, without an allocation of its own: whoever sends it derives from this,
/// fills in the fields, and keeps it alive and unmoved until `on_done`.
class request_op : public deadline_hook {
public:
    std::string_view method;
    std::string_view name;   ///< of the tool; empty: none
    std::string_view params; ///< members of `params`, without its braces
    std::string_view meta;   ///< members of `params._meta`, without its braces
    bool wants_progress = false;
    bool announces_withdrawal = true; ///< the server is told when we stop waiting
    time_point began{};               ///< the moment of `start`, or before
    duration idle_timeout{};
    duration attempt_timeout{};
    bool is_shared =
        false; ///< `attempt_timeout` is a share of the time of the call: another server shall have time too
    time_point deadline = time_point::max();
    duration timeout{}; ///< from the start of the call to `deadline`; 0: not known

    /// Only with `wants_progress`.
    virtual void on_progress(progress_update const&) {}

    /// Called when the response broke off and the server refused the connection for the rest. Returns true: the request
    /// completes with an unknown outcome. False: the transport keeps resuming.
    virtual bool can_fail_over() { return false; }

    /// The request is over; called once, from the executor of the session, never from within `start`.
    virtual void on_done(reply const& how) = 0;

    /// Instead of `on_done`, when the execution context ends: gives everything back, and calls nobody.
    virtual void on_dropped() noexcept = 0;

    /// 0 before it was sent.
    request_id id() const noexcept { return id_; }

    /// The transport has it, or had it when the session ended; and the server may.
    bool is_sent() const noexcept
    {
        return state_ == state::sent || exchange_ || (state_ == state::refused && refusal_how_ == certainty::unknown);
    }

    /// The server, which has it, has reported progress.
    bool has_started() const noexcept { return is_sent() && started_; }

protected:
    request_op() = default;
    ~request_op() = default;

private:
    friend detail::session_core;

    enum class state { idle, queued, parked, refused, sent };

    state state_ = state::idle;
    request_id id_ = 0;
    bool started_ = false;
    bool was_sent_ = false; // and is sent again, after a repair
    bool renewed_ = false;  // the session was opened anew for it
    bool relisted_ = false; // the tools were listed again for it
    bool awaits_list_ = false;
    std::shared_ptr<detail::input_exchange> exchange_; // null: the server has not asked back
    unsigned handshake_ = 0;                           // the session that it was sent in
    time_point ends_{};                                // however much progress there is
    std::string interruption_; // text of the transport about an interrupted response; cleared when the stream goes on
    error_code refusal_;
    certainty refusal_how_ = certainty::not_sent;
};

} // namespace linkspan

#endif
