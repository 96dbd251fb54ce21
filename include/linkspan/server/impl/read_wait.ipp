#ifndef LINKSPAN_SERVER_IMPL_READ_WAIT_IPP
#define LINKSPAN_SERVER_IMPL_READ_WAIT_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/server/detail/read_wait.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL read_wait::read_wait(served_request_pointer request, std::size_t max_bytes, handler_type done)
    : request_(std::move(request)),
      time_(time_source::of(request_->server().get_executor())),
      max_bytes_(max_bytes),
      done_(make_cancellable(std::move(done), request_->server().get_executor())),
      timer_(request_->server().get_executor())
{}

LINKSPAN_DECL void read_wait::start()
{
    auto const any = asio::cancellation_type::all;
    done_->on_cancel(any, [self = weak_from_this()] {
        if (auto const alive = self.lock())
            alive->timer_.cancel();
        return std::tuple<>();
    });
    post_handler(timer_.get_executor(), [self = shared_from_this()] { self->check(); });
}

LINKSPAN_DECL void read_wait::check()
{
    if (done_->is_over())
        return;
    if (request_->is_over())
        return done_->complete(asio::error::operation_aborted);
    auto const client = request_->from().client.lock();
    auto const unread = client ? client->unread_bytes(request_->from().stream) : 0;
    if (unread <= max_bytes_)
        return done_->complete({});
    auto const now = time_.now();
    if (unread < last_)
        since_ = now;
    last_ = unread;
    if (now - since_ >= request_->server().options().read_timeout)
        return done_->complete(asio::error::timed_out);
    pause();
}

LINKSPAN_DECL void read_wait::pause()
{
    constexpr duration max_pause = std::chrono::milliseconds(32);
    timer_.expires_after(pause_);
    pause_ = std::min(2 * pause_, max_pause);
    start_wait(timer_, [self = shared_from_this()](error_code) { self->check(); });
}

} // namespace linkspan::detail

#endif
