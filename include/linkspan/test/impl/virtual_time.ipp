#ifndef LINKSPAN_TEST_IMPL_VIRTUAL_TIME_IPP
#define LINKSPAN_TEST_IMPL_VIRTUAL_TIME_IPP

#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/version.hpp>
#include <boost/assert.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <sstream>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns a span in seconds, such as "1.5s".
inline std::string in_seconds(duration span)
{
    std::ostringstream out;
    out << std::chrono::duration<double>(span).count() << 's';
    return std::move(out).str();
}

// Returns whether an object has used Asio's timers of this clock on `context`. In virtual time, linkspan::timer does
// not use them.
template<class Clock>
bool has_timers_of([[maybe_unused]] asio::io_context& context)
{
#if BOOST_ASIO_VERSION < 103500 // Boost 1.88 and later may have other template parameters here
    using traits = asio::detail::chrono_time_traits<Clock, asio::wait_traits<Clock>>;
    return asio::has_service<asio::detail::deadline_timer_service<traits>>(context);
#else
    return false;
#endif
}

} // namespace detail

LINKSPAN_DECL virtual_time& virtual_time::install(asio::io_context& context, std::uint64_t seed)
{
    std::unique_ptr<virtual_time> source(new virtual_time(context, seed));
    asio::add_service<time_source>(context, source.get());
    return *source.release();
}

LINKSPAN_DECL wall_time virtual_time::wall_now() const noexcept
{
    return wall_time(wall_start + std::chrono::duration_cast<wall_time::duration>(now_.time_since_epoch()));
}

LINKSPAN_DECL void virtual_time::run_until_idle(duration within)
{
    run([] { return false; }, after(within));
    if (next_deadline() != time_point::max())
        fail("not idle within " + detail::in_seconds(within));
}

LINKSPAN_DECL void virtual_time::run_for(duration span)
{
    auto const end = after(span);
    BOOST_ASSERT(end < time_point::max());
    run([] { return false; }, end);
    now_ = end;
}

LINKSPAN_DECL void virtual_time::run_until_true(std::function<bool()> const& done, duration within)
{
    if (run(done, after(within), true))
        return;
    if (next_deadline() == time_point::max())
        fail("no handler is ready and no wait with a finite deadline is pending");
    if (has_only_background_waits())
        fail("no handler is ready and only background waits are pending");
    fail("condition not met within " + detail::in_seconds(within));
}

LINKSPAN_DECL bool virtual_time::has_foreign_timers() const
{
    return detail::has_timers_of<time_point::clock>(context_) || detail::has_timers_of<wall_time::clock>(context_);
}

LINKSPAN_DECL bool virtual_time::has_only_background_waits() const
{
    auto const recurs = [](auto const& wait) { return wait.second.owner->is_in_background(); };
    return has_foreign_timers() && std::ranges::all_of(waits_, recurs);
}

LINKSPAN_DECL std::size_t virtual_time::pending_in_foreground() const
{
    auto const is_in_foreground = [](auto const& wait) { return !wait.second.owner->is_in_background(); };
    return static_cast<std::size_t>(std::ranges::count_if(waits_, is_in_foreground));
}

LINKSPAN_DECL std::vector<std::string> virtual_time::outstanding() const
{
    std::vector<std::string> out;
    for (auto const& list : lists_)
        std::ranges::move(list(), std::back_inserter(out));
    return out;
}

LINKSPAN_DECL bool virtual_time::run(std::function<bool()> const& done, time_point limit, bool may_stall)
{
    for (std::size_t handlers = 0; !done();) {
        context_.restart();
        if (context_.poll_one() != 0) {
            if (++handlers == loop_limit)
                fail("1000000 handlers ran at one point in virtual time");
        } else if (may_stall && has_only_background_waits()) {
            return false;
        } else if (next_deadline() != time_point::max() && next_deadline() <= limit) {
            handlers = 0;
            jump();
        } else {
            return false;
        }
    }
    return true;
}

// All waits that are due complete before the first of their handlers runs, as with real timers: a handler cannot cancel
// a wait that is due at the same time as its own.
LINKSPAN_DECL void virtual_time::jump()
{
    now_ = std::max(now_, next_deadline());
    while (!waits_.empty() && next_deadline() <= now_)
        complete(waits_.begin(), {});
}

LINKSPAN_DECL virtual_time::queue::iterator virtual_time::complete(queue::iterator wait, error_code ec)
{
    auto const op = std::move(wait->second.op);
    auto const next = waits_.erase(wait);
    op->complete(ec);
    return next;
}

LINKSPAN_DECL void virtual_time::fail(std::string const& why) const
{
    std::ostringstream report;
    report << "stalled at t=+" << detail::in_seconds(now_.time_since_epoch()) << ": " << why
           << "; waits: " << waits_.size();
    if (next_deadline() != time_point::max())
        report << ", the next at t=+" << detail::in_seconds(next_deadline().time_since_epoch());
    if (has_foreign_timers())
        report << "\n  foreign timers: the context has timers of Asio, which virtual time "
                  "does not advance; use linkspan::timer";
    for (auto const& text : outstanding())
        report << "\n  " << text;
    for (auto const& describe : describe_)
        describe(report << "\n  ");
    throw stalled(report.str());
}

LINKSPAN_DECL wait_id virtual_time::add(timer const& owner, time_point deadline, std::unique_ptr<wait_op> op)
{
    wait_id const id{deadline, started_++};
    waits_.emplace(id, entry{&owner, std::move(op)});
    return id;
}

LINKSPAN_DECL void virtual_time::cancel(wait_id id)
{
    if (auto const wait = waits_.find(id); wait != waits_.end())
        complete(wait, asio::error::operation_aborted);
}

LINKSPAN_DECL void virtual_time::cancel(timer const& owner, time_point deadline)
{
    auto wait = waits_.lower_bound({deadline, 0});
    while (wait != waits_.end() && wait->first.deadline == deadline)
        wait = wait->second.owner == &owner ? complete(wait, asio::error::operation_aborted) : std::next(wait);
}

// The destructor of a handler may destroy a timer, which cancels its waits: the queue must be empty and consistent
// then.
LINKSPAN_DECL void virtual_time::shutdown() { queue const dying = std::exchange(waits_, {}); }

} // namespace linkspan::test

#endif
