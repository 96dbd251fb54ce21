#ifndef LINKSPAN_TEST_IMPL_ACTING_EXCHANGE_IPP
#define LINKSPAN_TEST_IMPL_ACTING_EXCHANGE_IPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/detail/acting_exchange.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void acting_exchange::cancel()
{
    over_ = true;
    if (timer_)
        timer_->cancel();
    values().gates.forget(*this);
}

LINKSPAN_DECL time_point acting_exchange::now() const { return time_source::of(executor_).now(); }

LINKSPAN_DECL wall_time acting_exchange::wall_now() const { return time_source::of(executor_).wall_now(); }

LINKSPAN_DECL void acting_exchange::wait(duration span, std::function<void()> next)
{
    if (!timer_)
        timer_.emplace(executor_);
    timer_->expires_after(values().scaled(span));
    // A handler that is queued already when its wait is cancelled receives no error.
    timer_->async_wait([self = shared_from_this(), number = ++waits_, next = std::move(next)](error_code ec) {
        if (!ec && !self->over_ && number == self->waits_)
            next();
    });
}

LINKSPAN_DECL void acting_exchange::cancel_wait()
{
    ++waits_;
    if (timer_)
        timer_->cancel();
}

LINKSPAN_DECL void acting_exchange::perform(std::shared_ptr<std::vector<action> const> actions, std::size_t index)
{
    auto const keep_alive = shared_from_this(); // an action may remove the exchange from the list of its owner
    for (; !over_; ++index) {
        action_ = index;
        has_actions_ = index != actions->size();
        if (!has_actions_)
            return on_actions_complete();
        on_action();
        state_ = action_state::running;
        // The pointer is weak, because an exchange that never completes owns its actions, which must not own it. A
        // continuation may be invoked again while a later action is executing, or after the last one.
        (*actions)[index](*this, [weak = weak_from_this(), actions, index] {
            auto const self = weak.lock();
            if (!self || self->action_ != index)
                return;
            if (std::exchange(self->state_, action_state::complete) == action_state::left)
                self->perform(actions, index + 1);
        });
        if (state_ == action_state::running) {
            state_ = action_state::left;
            return;
        }
    }
}

LINKSPAN_DECL std::string acting_exchange::notification(std::string_view method, std::string_view params)
{
    std::string line = R"({"jsonrpc":"2.0","method":)";
    append_quoted(line, method);
    if (!params.empty())
        (line += R"(,"params":)") += params;
    line += '}';
    return line;
}

} // namespace linkspan::test::detail

#endif
