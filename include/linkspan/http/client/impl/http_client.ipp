#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CLIENT_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CLIENT_IPP

#include <linkspan/core/detail/handler_memory.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/http/client/detail/http_client.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum time for the rest of a response that is not needed. The rest is read so that the connection can be reused.
inline constexpr duration drain_timeout = std::chrono::seconds(1);

// Maximum number of interim responses (1xx) before a response. Protects against an endless sequence.
inline constexpr unsigned max_interim_responses = 16;

// Maximum number of concurrent exchanges of the lane `notice`. A server that sends requests without reading the
// responses must not cause a connection for each response.
inline constexpr std::size_t max_notice_exchanges = 8;

inline constexpr std::size_t http_read_size = std::size_t{64} << 10;

// Maps an error of Beast to an error of this library.
inline error_code http_error_of(error_code ec)
{
    namespace http = boost::beast::http;
    if (ec == http::error::header_limit || ec == http::error::body_limit)
        return error::body_too_long;
    if (ec == http::error::end_of_stream || ec == http::error::partial_message)
        return error::stream_ended;
    return error::malformed_http;
}

// One connection of the pool, and the exchange that it processes.
//
// Invariants: `owner_` is null after `close`, and all handlers check it. The exchange outlives its write operation.
class http_client::connection final : public http_body_sink,
                                      public deadline_hook,
                                      public std::enable_shared_from_this<connection> {
public:
    explicit connection(http_client& owner) : owner_(&owner), reader_(*this, owner.options_.limits) {}

    client_exchange* exchange() const noexcept { return exchange_.get(); }
    bool has_begun() const noexcept { return begun_; }
    bool is_usable() noexcept { return stream_ && !stream_->is_stale(); }

    // Bytes may have arrived before the write operation has completed, so its completion is not the criterion.
    bool may_have_sent_all() const noexcept { return begun_ && !write_error_ && !stream_->has_unwritten(); }

    // Makes the connection, and then starts the exchange.
    void dial(std::shared_ptr<client_exchange> what)
    {
        take(std::move(what));
        owner_->limit(*this, owner_->options_.connect_timeout);
        dialing_ =
            owner_->dialer_->dial(owner_->executor_, owner_->options_.target,
                                  {[self = shared_from_this()](error_code ec, std::unique_ptr<byte_stream> stream) {
                                       self->on_dialed(ec, std::move(stream));
                                   },
                                   owner_->executor_});
    }

    void begin(std::shared_ptr<client_exchange> what)
    {
        is_reused_ = true;
        take(std::move(what));
        write();
    }

    // Closes the connection without calling the exchange.
    void close() noexcept
    {
        owner_ = nullptr;
        exchange_.reset();
        dialing_.reset();
        if (stream_)
            stream_->close();
    }

    // Detaches the exchange. The connection counts as busy until the rest of the response is read.
    void detach_exchange()
    {
        exchange_.reset();
        if (!is_parsing_)
            drain();
    }

    // Returns the exchange, and frees its place in the lane.
    std::shared_ptr<client_exchange> leave()
    {
        if (auto const lane = std::exchange(lane_, std::nullopt))
            --owner_->lane_of(*lane).busy;
        return std::exchange(exchange_, nullptr);
    }

    void on_timeout()
    {
        if (!exchange_) // the connection is idle, or drains a response
            return owner_->remove(*this);
        end(asio::error::timed_out);
    }

private:
    // Starts the timeout of draining once, so that a server that keeps sending cannot extend it.
    void drain()
    {
        if (!std::exchange(is_draining_, true))
            owner_->limit(*this, drain_timeout);
    }

    void take(std::shared_ptr<client_exchange> what)
    {
        is_draining_ = false;
        begun_ = false;
        exchange_ = std::move(what);
        lane_ = exchange_->lane;
        ++owner_->lane_of(*lane_).busy;
    }

    void on_dialed(error_code ec, std::unique_ptr<byte_stream> stream)
    {
        if (!owner_)
            return;
        stream_ = std::move(stream);
        if (ec)
            end(ec);
        else
            write();
    }

    void write()
    {
        written_ = false;
        begun_ = true;
        write_error_ = {};
        interim_ = 0;
        owner_->limit(*this, exchange_->timeout);
        auto const& bytes = exchange_->request;
        // The handler keeps the exchange alive, because it owns the bytes.
        auto done = [self = shared_from_this(), what = exchange_](error_code ec, std::size_t) {
            self->on_written(*what, ec);
        };
        stream_->write(
            asio::const_buffer(bytes.data(), bytes.size()),
            {asio::bind_allocator(handler_allocator<void>(write_memory_), std::move(done)), owner_->executor_});
        reader_.restart();
        has_head_ = false;
        read();
    }

    void on_written(client_exchange const& what, error_code ec)
    {
        if (!owner_ || exchange_.get() != &what)
            return;
        written_ = !ec;
        write_error_ = ec;
        if (ec && !is_reading_)
            end(ec);
        // Otherwise the outstanding read completes the exchange: with the response, or with an error.
    }

    void read()
    {
        if (begin_ == end_)
            begin_ = end_ = 0;
        if (buffer_.size() - end_ < http_read_size / 4) {
            if (begin_ != 0)
                std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
            buffer_.resize(std::max(http_read_size, end_ * 2));
        }
        is_reading_ = true;
        auto done = [self = shared_from_this()](error_code ec, std::size_t size) { self->on_read(ec, size); };
        stream_->read_some(
            asio::mutable_buffer(buffer_.data() + end_, buffer_.size() - end_),
            {asio::bind_allocator(handler_allocator<void>(read_memory_), std::move(done)), owner_->executor_});
    }

    void on_read(error_code ec, std::size_t size)
    {
        is_reading_ = false;
        if (!owner_)
            return;
        end_ += size;
        is_parsing_ = true;
        error_code failure;
        bool const done = parse(failure);
        if (!owner_)
            return;
        is_parsing_ = false;
        if (failure)
            return end(http_error_of(failure));
        if (done)
            return finish();
        if (end_ - begin_ > owner_->options_.limits.head) // an endless chunk header or trailer
            return end(error::body_too_long);
        if (ec == asio::error::eof) {
            reader_.finish(failure);
            if (!failure && reader_.is_done())
                return finish();
            return end(failure ? http_error_of(failure) : error_code(error::stream_ended));
        }
        if (ec)
            return end(ec);
        if (!exchange_)
            drain();
        read();
    }

    // Returns true if the response is complete. The exchange may close the connection in a callback.
    bool parse(error_code& ec)
    {
        while (begin_ != end_) {
            auto const used = reader_.resume({buffer_.data() + begin_, end_ - begin_}, ec);
            begin_ += used;
            if (!owner_ || ec)
                return false;
            if (!has_head_ && reader_.has_head()) {
                if (reader_.head().status() / 100 == 1) {
                    if (++interim_ > max_interim_responses || !reader_.is_done()) {
                        ec = boost::beast::http::error::bad_status;
                        return false;
                    }
                    reader_.restart();
                    continue;
                }
                on_head();
                if (!owner_)
                    return false;
            } else if (used == 0) {
                break;
            }
            if (reader_.is_done())
                return true;
        }
        return has_head_ && reader_.is_done();
    }

    void on_head()
    {
        has_head_ = true;
        if (!exchange_)
            return;
        auto const what = exchange_; // the callback may release the exchange
        if (!what->on_head(reader_.head()) || !owner_)
            return;
        reader_.lift_body_limit();
        owner_->limit(*this, duration::max());
    }

    void on_body(std::string_view piece) override
    {
        if (auto const what = exchange_)
            what->on_body(piece);
    }

    // Called when the response is complete.
    void finish()
    {
        auto const self = shared_from_this();
        bool const is_clean = begin_ == end_ && written_ && reader_.keeps_alive();
        auto const what = leave();
        if (is_clean)
            owner_->become_idle(self);
        else
            owner_->remove(*this);
        if (what)
            what->on_end({}, true);
    }

    void end(error_code ec)
    {
        auto const self = shared_from_this();
        auto const owner = owner_->shared_from_this();
        auto const what = leave();
        bool const sent = may_have_sent_all();
        auto const why = write_error_ ? write_error_ : ec;
        bool const may_repeat = is_reused_ && !sent && !has_head_ && ec != asio::error::timed_out;
        owner->drop(*this);
        bool const repeats = what && may_repeat && !std::exchange(what->repeated_, true);
        // The request is repeated before queued exchanges are started, because it already had a place in its lane.
        if (repeats)
            owner->dispatch(what);
        owner->dispatch_waiting();
        if (what && !repeats)
            what->on_end(sent ? ec : why, sent);
    }

    http_client* owner_;                        // set to null by `close`
    std::shared_ptr<client_exchange> exchange_; // current exchange; null: idle, or the exchange was released
    std::shared_ptr<void> dialing_;             // handle of the connection attempt; set by `dial`, reset by `close`
    std::unique_ptr<byte_stream> stream_;       // set when the connection is made; null before
    http_reader<false> reader_;                 // restarted by each request and after each interim response
    std::vector<char> buffer_;                  // received bytes; grows for long heads
    std::size_t begin_ = 0, end_ = 0;           // range of `buffer_` that was received and not parsed
    handler_memory read_memory_, write_memory_; // of the handlers of the outstanding operations
    error_code write_error_;                    // error of the current write; cleared by each request
    unsigned interim_ = 0;                      // interim responses to the current request; cleared by each request
    std::optional<http_lane> lane_; // lane in which the connection counts; set by `take`, cleared by `leave`
    bool is_reused_ = false;        // set when the connection starts its second exchange
    bool begun_ = false;            // set when the transmission starts, cleared by the next exchange
    bool written_ = false;          // set when the request is written, cleared by the next request
    bool has_head_ = false;         // set when the head of the response is complete, cleared by each request
    bool is_reading_ = false;       // true while a read is outstanding
    bool is_parsing_ = false;       // true while received bytes are parsed
    bool is_draining_ = false;      // set when the rest of a response is dropped, cleared by the next exchange
};

LINKSPAN_DECL http_client::http_client(asio::any_io_executor executor, std::shared_ptr<dialer> dial, options with)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      dialer_(std::move(dial)),
      options_(std::move(with)),
      lanes_{lane_state{options_.max_connections}, lane_state{max_notice_exchanges},
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
        if (kept->is_usable())
            return kept->begin(std::move(what));
        drop(*kept);
    }
    auto const made = std::make_shared<connection>(*this);
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

LINKSPAN_DECL void http_client::drop(connection& which)
{
    auto const self = which.shared_from_this();
    deadlines_.remove(which);
    which.leave();
    which.close();
    std::erase(idle_, self);
    std::erase(connections_, self);
}

LINKSPAN_DECL void http_client::remove(connection& which)
{
    drop(which);
    dispatch_waiting();
}

LINKSPAN_DECL void http_client::become_idle(connection_pointer which)
{
    limit(*which, options_.idle_timeout);
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

LINKSPAN_DECL http_client::connection* http_client::find(client_exchange const& what) const noexcept
{
    auto const found = std::ranges::find_if(connections_, [&](auto const& each) { return each->exchange() == &what; });
    return found == connections_.end() ? nullptr : found->get();
}

// Time

LINKSPAN_DECL void http_client::limit(connection& which, duration span)
{
    deadlines_.remove(which);
    if (span == duration::max())
        return;
    deadlines_.add(which, time_.after(span));
    arm_timer();
}

// The timer is not cancelled when a deadline is removed. At its expiry no deadline is due, and the timer is armed
// again. This is cheaper than one cancellation per exchange.
LINKSPAN_DECL void http_client::arm_timer()
{
    if (closed_ || deadlines_.empty() || deadlines_.front().due() >= timer_due_)
        return;
    timer_due_ = deadlines_.front().due();
    timer_.expires_at(timer_due_);
    start_wait(timer_, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->closed_)
            return;
        self->timer_due_ = time_point::max();
        auto const now = self->time_.now();
        while (!self->closed_ && !self->deadlines_.empty() && self->deadlines_.front().due() <= now) {
            auto& due = static_cast<connection&>(self->deadlines_.front());
            self->deadlines_.remove(due);
            due.on_timeout();
        }
        self->arm_timer();
    });
}

} // namespace linkspan::detail

#endif
