#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_OPERATION_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_OPERATION_HPP

#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_request.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/object_pool.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/client/request_op.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class call_routing;

// Base of a call: its request, the handler of the caller, the pauses, the cancellation and the completion. A pause is a
// wait during which the call has no request in a session. The derived class resolves the name of the tool and runs the
// attempts.
//
// The objects are reused with their memory. Each pause and each reuse increments `generation_`, so that handlers of
// earlier pauses and calls have no effect.
//
// Invariants: a started call completes once, and its handler is not invoked inside the initiating function, abort() or
// the emission of a cancellation signal. In the state `paused`, the object is in the paused calls of `call_pool`; in
// the state `attempting`, it is registered with a session. In the state `running`, a function of the call is on the
// stack, so that a cancellation takes effect at the next pause, request or failure of the call.
class call_operation : public request_op {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    // Returns the request, which is changed before begin() only.
    call_request& request() noexcept { return request_; }

    // Adds a text that describes the call, unless it was not started or is complete.
    LINKSPAN_DECL void list_outstanding(std::vector<std::string>& out) const;

    // Completes a paused call with `operation_aborted`, because the connector is closed.
    LINKSPAN_DECL void abort();

    // Releases all references to other objects, and returns the object to its pool, which `owner` contains.
    virtual void recycle(connector_core& owner) noexcept = 0;

protected:
    enum class state { idle, running, paused, attempting, over };
    enum class pause_reason { resolving, connecting, intercepting, waiting, checking };

    // Scope inside which policies are consulted about an outstanding attempt. A cancellation has no effect inside it.
    class consultation {
    public:
        explicit consultation(call_operation& call) noexcept
            : call_(call), previous_(std::exchange(call.state_, state::running))
        {}
        consultation(consultation const&) = delete;
        consultation& operator=(consultation const&) = delete;
        ~consultation()
        {
            if (call_.state_ == state::running)
                call_.state_ = previous_;
        }

    private:
        call_operation& call_; // set by the constructor; so is the next member
        state previous_;
    };

    call_operation() = default;
    ~call_operation() = default;

    connector_core& owner() const noexcept { return *owner_; }
    call_request const& request() const noexcept { return request_; }
    attempt_trail& trail() noexcept { return trail_; }

    // Returns the time of the current event. advance() sets it to the current time, move_to() to another time.
    time_point now() const noexcept { return now_; }
    void advance() noexcept { now_ = owner_->time().now(); }
    void move_to(time_point at) noexcept { now_ = at; }

    // Returns whether the connector was closed since begin().
    bool was_closed() const noexcept { return owner_->epoch().was_closed_since(start_mark_); }

    // Prepares an unused object for a call of this connector.
    LINKSPAN_DECL void assign(std::shared_ptr<connector_core> const& owner);

    // Starts the call, and sets its `timeout` and `deadline`. on_initiated() ends the initiating function, in which
    // completions are posted.
    LINKSPAN_DECL void begin(handler_type handler);
    void on_initiated() noexcept { starting_ = false; }

    // Drops the reference to the connector, and moves the options out: see call_request::release().
    std::unique_ptr<call_options> release() noexcept
    {
        owner_.reset();
        return request_.release();
    }

    // Events: a session receives the request of an attempt; the request is complete.
    void on_requested() noexcept { state_ = state::attempting; }
    void on_responded() noexcept { state_ = state::running; }

    // Returns the outcome of an attempt that ends at now().
    outcome outcome_at_end(certainty delivery, error_code ec) const
    {
        outcome out;
        out.certainty = delivery;
        out.ec = ec;
        out.started = has_started();
        out.elapsed = now_ - began;
        return out;
    }

    // Waits until `due`, and then calls on_due(); resume() ends the pause before. Returns false if the call was
    // cancelled before and is complete now.
    [[nodiscard]] LINKSPAN_DECL bool pause(pause_reason why, time_point due);

    // Ends the pause. The handlers that wait for its end have an earlier generation and are discarded.
    LINKSPAN_DECL void resume();

    // Returns a handler that calls `function`, unless the call was completed or its current pause ended before the
    // invocation, in which case it returns a value-initialized result.
    template<class Function>
    auto later(Function function);

    // Returns whether the caller has cancelled the call inside one of its functions.
    bool is_cancelled() const { return cancelled_ != asio::cancellation_type::none && permits(cancelled_); }

    // Completes the call if is_cancelled(). Returns whether the call is complete.
    bool complete_if_cancelled()
    {
        if (!is_cancelled())
            return false;
        fail(asio::error::operation_aborted, {});
        return true;
    }

    // Returns a copy of a stored result of a server, for the completion of the call: it has the trail of the call.
    LINKSPAN_DECL call_result copy_of_stored(call_result const& stored, server_entry const& server);

    // Complete the call. A failure of a cancelled call is `operation_aborted`.
    LINKSPAN_DECL void fail(error_code ec, std::string detail);
    void fail(call_failure end) { fail(end.ec, std::move(end.detail)); }
    LINKSPAN_DECL void fail_with_result(error_code ec, call_result&& result, std::string detail);
    LINKSPAN_DECL void complete(error_code ec, call_result&& result);

private:
    // Event: the time of the pause is over; the pause has ended.
    virtual void on_due(pause_reason why) = 0;

    // Returns the attempts of the call.
    virtual call_routing const& routes() const noexcept = 0;

    // Returns whether a server may have received a request of the current attempt.
    virtual bool was_requested() const noexcept = 0;

    // Event: the caller cancels the call, which fails after this function. `is_attempting`: a session has the request.
    virtual void on_cancelled(bool is_attempting) = 0;

    // Event: the call is complete, or its handler is dropped.
    virtual void on_end() noexcept = 0;

    static char const* pause_text(pause_reason why) noexcept;
    void on_progress(progress_update const& update) override;
    void on_dropped() noexcept override;
    void on_cancel(asio::cancellation_type type);
    bool permits(asio::cancellation_type type) const;
    std::shared_ptr<connector_core> end() noexcept;

    std::shared_ptr<connector_core> owner_; // set by assign(), moved out by end()
    call_request request_;                  // set by the functions of request(), released by release()
    handler_type handler_;                  // set by begin(), moved out by complete() and on_dropped()
    attempt_trail trail_;                   // records of attempts and of rejected servers; moved into the result
    time_point now_{};                      // time of the current event; set by advance() and move_to()
    time_point started_{};                  // set by begin()
    std::unique_ptr<timer> timer_;          // of the current pause; created by the first pause, then reused
    state state_ = state::idle;             // `over` from the completion until assign()
    pause_reason reason_{};                 // of the current pause; set by pause()
    connector_epoch::mark start_mark_{};    // at the start of the call, set by begin(): detects a close
    std::uint64_t generation_ = 0;          // incremented by assign() and resume()

    // Requests of the caller while a function of the call was running; set by on_cancel(), cleared by assign().
    asio::cancellation_type cancelled_ = asio::cancellation_type::none;

    // True from begin() to on_initiated() and inside abort() and on_cancel(), so that the completion is posted.
    bool starting_ = false;
};

// Adds the outstanding calls of the pool, which is a part of the connector, to the reports of tests with virtual time.
template<class Call>
void report_outstanding(connector_core& owner, object_pool<Call> const& calls)
{
    owner.time().on_outstanding([weak = owner.weak_from_this(), &calls] {
        std::vector<std::string> out;
        if (auto const alive = weak.lock())
            for (auto const& call : calls.all())
                call->list_outstanding(out);
        return out;
    });
}

template<class Function>
auto call_operation::later(Function function)
{
    // The pointer is weak, because the connector may own this handler. `this` is valid while the connector exists,
    // because the connector owns all call objects.
    return [this, weak = std::weak_ptr(owner_), generation = generation_,
            function = std::move(function)](auto const&... args) {
        auto const alive = weak.lock();
        bool const is_current = alive && generation == generation_ && state_ != state::over;
        return is_current ? function(args...) : decltype(function(args...))();
    };
}

} // namespace linkspan::detail

// The function bodies require `connector_core`, which contains the calls: <linkspan/connector/detail/call_runner.hpp>
// includes the bodies.

#endif
