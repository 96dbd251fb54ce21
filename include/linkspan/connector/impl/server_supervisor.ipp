#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_SUPERVISOR_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_SUPERVISOR_IPP

#include <linkspan/connector/detail/server_supervisor.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL server_supervisor::server_supervisor(server_options const& options)
    : options_(options.restart),
      start_(options.start),
      is_enabled_(options.enabled),
      state_(initial_state()),
      reported_state_(state_),
      restarts_(options.restart)
{}

// Returns the state of a server that is not started: `disabled`, `idle` or `closed`.
LINKSPAN_DECL server_state server_supervisor::initial_state() const noexcept
{
    if (!is_enabled_)
        return server_state::disabled;
    return start_ == start_mode::manual ? server_state::closed : server_state::idle;
}

// Removes all operations, so that their cancellation does not affect the server any more.
LINKSPAN_DECL void server_supervisor::forget_operations() noexcept
{
    operations_.clear();
    is_kept_ = false;
}

LINKSPAN_DECL bool server_supervisor::is_starting_soon(time_point now) const noexcept
{
    return state_ == server_state::idle || state_ == server_state::opening ||
           (state_ == server_state::waiting && restart_at_ - now <= options_.patience);
}

LINKSPAN_DECL std::string server_supervisor::restart_text(time_point now) const
{
    constexpr std::string_view by_hand = "async_connect or async_open starts the server";
    auto const count = std::to_string(options_.max_restarts) + (options_.max_restarts == 1 ? " restart" : " restarts");
    auto const wait = std::chrono::ceil<std::chrono::seconds>(std::max(restart_at_ - now, duration::zero()));
    switch (state_) {
    case server_state::waiting:
        return (is_slow() ? "restarted slowly after " + count + ", " : std::string()) + "next start in " +
               std::to_string(wait.count()) + " s; async_connect starts the server immediately";
    case server_state::failed: return "no further restart after " + count + "; " + std::string(by_hand);
    case server_state::closed: return "closed; " + std::string(by_hand);
    case server_state::disabled: return "disabled; async_enable starts the server";
    default: return {};
    }
}

LINKSPAN_DECL server_supervisor::demand server_supervisor::on_demanded(std::uint64_t operation, bool now)
{
    bool const is_stopped =
        state_ == server_state::idle || state_ == server_state::closed || state_ == server_state::failed;
    if (operation != 0)
        operations_.push_back(operation);
    // Earlier openings do not keep a stopped server open.
    is_kept_ = operation == 0 || (is_kept_ && !is_stopped);
    if (state_ == server_state::ready && is_settled_)
        return demand::ready;
    // In the state `closing` the caller starts the server after the shutdown, see may_start_again().
    if (!is_stopped && !(state_ == server_state::waiting && now))
        return demand::wait;
    restarts_.reset();
    return demand::start;
}

LINKSPAN_DECL void server_supervisor::on_open_operation(std::uint64_t operation)
{
    if (state_ == server_state::ready)
        operations_.push_back(operation);
}

LINKSPAN_DECL bool server_supervisor::on_activated() noexcept
{
    if (state_ != server_state::closed || start_ != start_mode::lazy)
        return false;
    state_ = server_state::idle;
    return true;
}

LINKSPAN_DECL bool server_supervisor::on_released(std::uint64_t operation, bool is_cancelled)
{
    if (std::erase(operations_, operation) == 0)
        return false;
    is_kept_ = is_kept_ || !is_cancelled;
    bool const is_open =
        state_ == server_state::opening || state_ == server_state::waiting || state_ == server_state::ready;
    return is_open && !is_kept_ && operations_.empty();
}

LINKSPAN_DECL void server_supervisor::on_starting() noexcept
{
    ++epoch_;
    state_ = server_state::opening;
    is_settled_ = false;
    has_given_up_ = false;
}

LINKSPAN_DECL void server_supervisor::on_connected(time_point now) noexcept
{
    state_ = server_state::ready;
    restarts_.on_up(now);
}

LINKSPAN_DECL server_supervisor::loss server_supervisor::on_lost(time_point now, std::uint64_t draw, bool exited_idle)
{
    loss out;
    // A requested shutdown causes no restart.
    if (state_ == server_state::closing) {
        out.what = is_draining_ ? loss::kind::end : loss::kind::none;
        return out;
    }
    bool const was_ready = state_ == server_state::ready;
    if (was_ready && exited_idle) {
        state_ = initial_state();
        out.what = loss::kind::exited_cleanly;
        return out;
    }
    bool const was_slow = restarts_.is_slow();
    auto const wait = restarts_.on_down(now, draw); // may throw: nothing has changed yet
    ++epoch_;
    out.was_opening = was_ready && !is_settled_;
    if (wait) {
        out.what = loss::kind::restart;
        out.wait = *wait;
        state_ = server_state::waiting;
    } else {
        out.what = loss::kind::given_up;
        has_given_up_ = true;
        state_ = options_.max_restarts == 0 ? server_state::closed : server_state::failed;
    }
    out.turned_slow = restarts_.is_slow() && !was_slow;
    return out;
}

LINKSPAN_DECL bool server_supervisor::on_no_response(time_point began, time_point received, bool has_calls,
                                                     time_point now) noexcept
{
    if (received >= silent_since_)
        silent_since_ = began;
    auto const limit = options_.unresponsive_after;
    bool const may_restart = state_ == server_state::ready && limit > duration::zero() && options_.max_restarts != 0;
    return may_restart && !has_calls && received < silent_since_ && now - silent_since_ >= limit;
}

LINKSPAN_DECL bool server_supervisor::on_end(server_state after) noexcept
{
    after_ = is_enabled_ ? after : server_state::disabled;
    forget_operations();
    if (state_ == server_state::closing && !is_draining_)
        return false;
    ++epoch_;
    state_ = server_state::closing;
    is_draining_ = has_given_up_ = false;
    return true;
}

LINKSPAN_DECL bool server_supervisor::on_drain(server_state after) noexcept
{
    after_ = is_enabled_ ? after : server_state::disabled;
    forget_operations();
    if (is_draining_)
        return false;
    ++epoch_;
    state_ = server_state::closing;
    is_draining_ = true;
    has_given_up_ = false;
    return true;
}

LINKSPAN_DECL bool server_supervisor::on_drained() noexcept
{
    if (!is_draining_)
        return false;
    ++epoch_;
    is_draining_ = false;
    return true;
}

LINKSPAN_DECL bool server_supervisor::on_ended() noexcept
{
    if (state_ != server_state::closing)
        return false;
    state_ = after_;
    return true;
}

LINKSPAN_DECL void server_supervisor::on_closing() noexcept
{
    ++epoch_;
    is_draining_ = has_given_up_ = false;
    forget_operations();
}

LINKSPAN_DECL bool server_supervisor::on_closed(server_state after) noexcept
{
    auto const now = is_enabled_ ? after : server_state::disabled;
    return std::exchange(state_, now) != now;
}

LINKSPAN_DECL bool server_supervisor::on_enabled() noexcept
{
    if (is_enabled_)
        return false;
    is_enabled_ = true;
    (state_ == server_state::closing ? after_ : state_) = server_state::closed;
    return true;
}

} // namespace linkspan::detail

#endif
