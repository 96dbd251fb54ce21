#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_OPERATION_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_OPERATION_IPP

#include <linkspan/connector/detail/call_operation.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline constexpr duration default_timeout = std::chrono::seconds(300);

// Describes what a paused call waits for.
LINKSPAN_DECL char const* call_operation::pause_text(pause_reason why) noexcept
{
    switch (why) {
    case pause_reason::resolving: return "waits for lists of servers";
    case pause_reason::connecting: return "waits until the server is ready";
    case pause_reason::intercepting: return "waits for an interceptor";
    case pause_reason::waiting: return "waits before the next attempt";
    case pause_reason::checking: break;
    }
    return "waits for the list of tools of the server";
}

LINKSPAN_DECL void call_deleter::operator()(call_operation* call) const noexcept { call->recycle(*owner); }

LINKSPAN_DECL void call_operation::assign(std::shared_ptr<connector_core> const& owner)
{
    ++generation_;
    owner_ = owner;
    trail_.clear();
    state_ = state::idle;
    cancelled_ = asio::cancellation_type::none;
}

LINKSPAN_DECL void call_operation::begin(handler_type handler)
{
    handler_ = std::move(handler);
    if (auto slot = handler_.cancellation_slot(); slot.is_connected())
        slot.assign([this](asio::cancellation_type type) { on_cancel(type); });
    state_ = state::running;
    starting_ = true;
    owner_->calls().on_started();
    start_mark_ = owner_->epoch().now();
    advance();
    started_ = now_;
    timeout = request_.options().timeout.value_or(default_timeout);
    deadline = timeout > time_point::max() - now_ ? time_point::max() : now_ + timeout;
}

// Reports

// Returns the text of a duration in seconds: "1.5 s".
inline std::string in_seconds(duration span)
{
    auto const milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
    auto out = std::to_string(milliseconds / 1000);
    if (auto const rest = milliseconds % 1000) {
        out += '.' + std::to_string(1000 + rest).substr(1);
        out.resize(out.find_last_not_of('0') + 1);
    }
    return out + " s";
}

LINKSPAN_DECL void call_operation::list_outstanding(std::vector<std::string>& out) const
{
    if (state_ != state::paused && state_ != state::attempting)
        return;
    auto const now = owner_->time().now();
    auto const& routing = routes();
    auto const& server = routing.server();
    auto text = "call of " + request_.tool() + ", started " + in_seconds(now - started_) + " ago: ";
    if (server)
        text += "attempt " + std::to_string(routing.number()) + " at server " + server->key + ", ";
    if (state_ == state::paused)
        text += pause_text(reason_);
    else if (id() == 0)
        text += "not sent yet";
    else
        text += "id " + std::to_string(id()) + ", no response for " + in_seconds(now - began);
    out.push_back(std::move(text));
}

// Pauses

LINKSPAN_DECL bool call_operation::pause(pause_reason why, time_point due)
{
    if (complete_if_cancelled())
        return false;
    state_ = state::paused;
    reason_ = why;
    owner_->calls().on_paused(*this);
    if (!timer_)
        timer_ = std::make_unique<timer>(owner_->executor());
    timer_->expires_at(due);
    auto const is_current = [this, generation = generation_] {
        return generation == generation_ && state_ != state::over;
    };
    auto const drop = [this, is_current](connector_core&) {
        if (is_current())
            on_dropped();
    };
    start_wait(*timer_, [this, is_current, guard = completion_guard(owner_, drop)](error_code) mutable {
        auto const owner = guard.release();
        if (!is_current())
            return;
        resume();
        on_due(reason_);
    });
    return true;
}

LINKSPAN_DECL void call_operation::resume()
{
    ++generation_;
    state_ = state::running;
    timer_->cancel();
    owner_->calls().on_resumed(*this);
    advance();
}

// Cancellation

LINKSPAN_DECL void call_operation::abort()
{
    resume();
    starting_ = true; // the caller is inside `close`
    fail(asio::error::operation_aborted, {});
    starting_ = false;
}

// Total cancellation guarantees no effects: it completes a call only while no server can have executed the call.
LINKSPAN_DECL bool call_operation::permits(asio::cancellation_type type) const
{
    using cancel = asio::cancellation_type;
    if ((type & (cancel::terminal | cancel::partial)) != cancel::none)
        return true;
    return type != cancel::none && !was_requested() && !trail_.may_have_executed();
}

LINKSPAN_DECL void call_operation::on_cancel(asio::cancellation_type type)
{
    if (state_ == state::running)
        cancelled_ |= type;
    if ((state_ != state::paused && state_ != state::attempting) || !permits(type))
        return;
    bool const is_attempting = state_ == state::attempting;
    if (is_attempting)
        state_ = state::running;
    else
        resume();
    starting_ = true; // the caller is inside `emit`
    on_cancelled(is_attempting);
    fail(asio::error::operation_aborted, {});
    starting_ = false;
}

LINKSPAN_DECL void call_operation::on_dropped() noexcept
{
    owner_->calls().on_resumed(*this);
    auto const owner = end();
    {
        auto const dropped = std::move(handler_);
    }
    recycle(*owner);
}

LINKSPAN_DECL void call_operation::on_progress(progress_update const& update)
{
    auto const here = owner_->enter();
    if (request_.options().on_progress)
        request_.options().on_progress(update);
}

// Completion

LINKSPAN_DECL void call_operation::fail(error_code ec, std::string detail)
{
    if (is_cancelled()) {
        ec = asio::error::operation_aborted;
        detail.clear();
    }
    fail_with_result(ec, {}, std::move(detail));
}

LINKSPAN_DECL void call_operation::fail_with_result(error_code ec, call_result&& result, std::string detail)
{
    result.trail(trail_.take(), std::move(detail), request_.tool());
    complete(ec, std::move(result));
}

LINKSPAN_DECL call_result call_operation::copy_of_stored(call_result const& stored, server_entry const& server)
{
    auto out = stored;
    trail_.add_stored(server.key);
    out.trail(trail_.take());
    return out;
}

LINKSPAN_DECL std::shared_ptr<connector_core> call_operation::end() noexcept
{
    on_end();
    state_ = state::over;
    owner_->calls().on_complete();
    return std::move(owner_);
}

// While `starting_` is true, a function of the call is still running on the stack, so that the completion is posted.
LINKSPAN_DECL void call_operation::complete(error_code ec, call_result&& result)
{
    trail_.clear();
    auto owner = end();
    auto handler = std::move(handler_);
    handler.cancellation_slot().clear();
    if (starting_) {
        auto const executor = owner->executor();
        std::unique_ptr<call_operation, call_deleter> self(this, call_deleter{std::move(owner)});
        auto posted = [self = std::move(self), handler = std::move(handler), ec, result = std::move(result)]() mutable {
            self.reset();
            handler.complete(ec, std::move(result));
        };
        return post_handler(executor, std::move(posted));
    }
    recycle(*owner);
    owner.reset();
    handler.complete(ec, std::move(result));
}

} // namespace linkspan::detail

#endif
