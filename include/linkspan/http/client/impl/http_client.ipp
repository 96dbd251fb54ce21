#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CLIENT_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CLIENT_IPP

#include <linkspan/http/client/detail/http_client.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of concurrent exchanges of the lane `other_messages`. A server that sends requests without reading the
// responses must not cause a connection for each response.
inline constexpr std::size_t max_other_message_exchanges = 8;

LINKSPAN_DECL http_client::http_client(asio::any_io_executor executor, std::shared_ptr<dialer> dial, options with)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      dialer_(std::move(dial)),
      options_(std::move(with)),
      lanes_{lane_state{options_.max_connections}, lane_state{max_other_message_exchanges},
             lane_state{std::numeric_limits<std::size_t>::max()}},
      timer_(executor_)
{}

LINKSPAN_DECL http_client::~http_client() { close(); }

LINKSPAN_DECL void http_client::start(std::shared_ptr<client_exchange> what)
{
    if (auto& lane = lane_of(what->lane); lane.busy >= lane.limit) {
        what->queued_ = true;
        lane.queue.push_back(std::move(what));
        return;
    }
    dispatch(std::move(what));
}

LINKSPAN_DECL void http_client::dispatch(std::shared_ptr<client_exchange> what)
{
    while (!idle_.empty()) {
        auto const kept = std::move(idle_.back());
        idle_.pop_back();
        if (kept->begin(what))
            return;
        drop(*kept);
    }
    auto const made = std::make_shared<client_connection>(*this);
    connections_.push_back(made);
    made->dial(std::move(what));
}

LINKSPAN_DECL bool http_client::cancel(client_exchange& what)
{
    if (std::exchange(what.queued_, false)) {
        std::erase_if(lane_of(what.lane).queue, [&](auto const& queued) { return queued.get() == &what; });
        return false;
    }
    auto* const at = find(what);
    if (!at)
        return true;
    bool const sent = at->may_have_sent_all();
    remove(*at);
    return sent;
}

LINKSPAN_DECL void http_client::release(client_exchange& what)
{
    auto* const at = find(what);
    if (what.queued_ || (at && !at->has_begun()))
        cancel(what);
    else if (at)
        at->detach_exchange();
}

LINKSPAN_DECL void http_client::close() noexcept
{
    closed_ = true;
    timer_.cancel();
    idle_.clear();
    for (auto const& each : std::exchange(connections_, {})) {
        deadlines_.remove(*each);
        each->close();
    }
    for (auto& lane : lanes_) {
        lane.busy = 0;
        lane.queue.clear();
    }
}

LINKSPAN_DECL std::size_t http_client::queued_bytes() const noexcept
{
    std::size_t bytes = 0;
    for (auto const& lane : lanes_)
        for (auto const& each : lane.queue)
            bytes += each->request.size();
    for (auto const& each : connections_)
        if (each->exchange() && !each->may_have_sent_all())
            bytes += each->exchange()->request.size();
    return bytes;
}

LINKSPAN_DECL void http_client::drop(client_connection& which)
{
    auto const self = which.shared_from_this();
    deadlines_.remove(which);
    which.release_exchange();
    which.close();
    std::erase(idle_, self);
    std::erase(connections_, self);
}

LINKSPAN_DECL void http_client::remove(client_connection& which)
{
    drop(which);
    dispatch_waiting();
}

LINKSPAN_DECL bool http_client::on_failed(client_connection& which, std::shared_ptr<client_exchange> const& what,
                                          bool may_repeat)
{
    drop(which);
    bool const repeats = what && may_repeat && !std::exchange(what->repeated_, true);
    if (repeats)
        dispatch(what);
    dispatch_waiting();
    return repeats;
}

LINKSPAN_DECL void http_client::on_idle(connection_pointer which)
{
    set_timeout(*which, options_.idle_timeout);
    idle_.push_back(std::move(which));
    dispatch_waiting();
}

LINKSPAN_DECL void http_client::dispatch_waiting()
{
    for (auto& lane : lanes_)
        while (!closed_ && !lane.queue.empty() && lane.busy < lane.limit) {
            auto next = std::move(lane.queue.front());
            lane.queue.pop_front();
            next->queued_ = false;
            dispatch(std::move(next));
        }
}

LINKSPAN_DECL client_connection* http_client::find(client_exchange const& what) const noexcept
{
    auto const found = std::ranges::find_if(connections_, [&](auto const& each) { return each->exchange() == &what; });
    return found == connections_.end() ? nullptr : found->get();
}

// Time

LINKSPAN_DECL void http_client::set_timeout(client_connection& which, duration span)
{
    deadlines_.remove(which);
    if (span == duration::max())
        return;
    deadlines_.add(which, time_.after(span));
    arm_timer();
}

LINKSPAN_DECL void http_client::arm_timer()
{
    if (closed_ || deadlines_.empty() || timer_.is_armed_for(deadlines_.front().due()))
        return;
    timer_.arm(deadlines_.front().due(), [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self && !self->closed_)
            self->on_expiry();
    });
}

LINKSPAN_DECL void http_client::on_expiry()
{
    timer_.on_expiry();
    auto const now = time_.now();
    while (!closed_ && !deadlines_.empty() && deadlines_.front().due() <= now) {
        auto& due = static_cast<client_connection&>(deadlines_.front());
        deadlines_.remove(due);
        due.on_timeout();
    }
    arm_timer();
}

} // namespace linkspan::detail

#endif
