#ifndef LINKSPAN_HTTP_CLIENT_IMPL_CLIENT_CONNECTION_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_CLIENT_CONNECTION_IPP

#include <linkspan/http/client/detail/client_connection.hpp>
#include <linkspan/http/client/detail/http_client.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum time for the rest of a response that is not needed. The rest is read so that the connection can be reused.
inline constexpr duration drain_timeout = std::chrono::seconds(1);

LINKSPAN_DECL client_connection::client_connection(http_client& owner)
    : owner_(&owner), parser_(*this, owner.settings().limits)
{}

LINKSPAN_DECL void client_connection::dial(std::shared_ptr<client_exchange> what)
{
    attach_exchange(std::move(what));
    owner_->set_timeout(*this, owner_->settings().connect_timeout);
    dialing_ = owner_->connection_dialer().dial(
        owner_->executor(), owner_->settings().target,
        {[self = shared_from_this()](error_code ec, std::unique_ptr<byte_stream> stream) {
             self->on_dialed(ec, std::move(stream));
         },
         owner_->executor()});
}

// The read precedes the request: bytes that it finds at once were received before the request was sent.
LINKSPAN_DECL bool client_connection::begin(std::shared_ptr<client_exchange> const& what)
{
    is_reading_ = true;
    if (!stream_->read_unless_stale(parser_.space(), read_handler()))
        return false;
    is_reused_ = true;
    attach_exchange(what);
    write();
    return true;
}

LINKSPAN_DECL void client_connection::close() noexcept
{
    owner_ = nullptr;
    exchange_.reset();
    dialing_.reset();
    if (stream_)
        stream_->close();
}

LINKSPAN_DECL void client_connection::detach_exchange()
{
    exchange_.reset();
    if (!is_parsing_)
        drain();
}

LINKSPAN_DECL std::shared_ptr<client_exchange> client_connection::release_exchange()
{
    if (auto const lane = std::exchange(lane_, std::nullopt))
        owner_->on_detached(*lane);
    return std::exchange(exchange_, nullptr);
}

LINKSPAN_DECL void client_connection::on_timeout()
{
    if (!exchange_) // the connection is idle, or drains a response
        return owner_->remove(*this);
    end(asio::error::timed_out);
}

// Starts the timeout of draining once, so that a server that keeps sending cannot extend it.
LINKSPAN_DECL void client_connection::drain()
{
    if (!std::exchange(is_draining_, true))
        owner_->set_timeout(*this, drain_timeout);
}

LINKSPAN_DECL void client_connection::attach_exchange(std::shared_ptr<client_exchange> what)
{
    is_draining_ = false;
    begun_ = false;
    exchange_ = std::move(what);
    lane_ = exchange_->lane;
    owner_->on_attached(*lane_);
}

LINKSPAN_DECL void client_connection::on_dialed(error_code ec, std::unique_ptr<byte_stream> stream)
{
    if (!owner_)
        return;
    stream_ = std::move(stream);
    if (ec)
        return end(ec);
    write();
    read();
}

LINKSPAN_DECL void client_connection::write()
{
    begun_ = true;
    write_error_ = {};
    owner_->set_timeout(*this, exchange_->timeout);
    parser_.begin();
    asio::const_buffer const bytes(exchange_->request.data(), exchange_->request.size());
    auto const size = stream_->write_now(bytes); // an operation would need another turn of the event loop
    written_ = size == bytes.size();
    if (written_)
        return;
    // The handler keeps the exchange alive, because it owns the bytes.
    auto done = [self = shared_from_this(), what = exchange_](error_code ec, std::size_t) {
        self->on_written(*what, ec);
    };
    stream_->write(bytes + size,
                   {asio::bind_allocator(handler_allocator<void>(write_memory_), std::move(done)), owner_->executor()});
}

LINKSPAN_DECL void client_connection::on_written(client_exchange const& what, error_code ec)
{
    if (!owner_ || exchange_.get() != &what)
        return;
    written_ = !ec;
    write_error_ = ec;
    if (ec && !is_reading_)
        end(ec);
    // Otherwise the outstanding read completes the exchange: with the response, or with an error.
}

LINKSPAN_DECL void client_connection::read()
{
    is_reading_ = true;
    stream_->read_some(parser_.space(), read_handler());
}

LINKSPAN_DECL byte_stream::io_handler client_connection::read_handler()
{
    auto done = [self = shared_from_this()](error_code ec, std::size_t size) { self->on_read(ec, size); };
    return {asio::bind_allocator(handler_allocator<void>(read_memory_), std::move(done)), owner_->executor()};
}

LINKSPAN_DECL void client_connection::on_read(error_code ec, std::size_t size)
{
    is_reading_ = false;
    if (!owner_)
        return;
    parser_.on_received(size);
    is_parsing_ = true;
    error_code failure;
    auto const reached = parse(failure);
    if (!owner_)
        return;
    is_parsing_ = false;
    if (failure)
        return end(failure);
    if (reached == response_parser::step::done)
        return finish();
    if (ec == asio::error::eof) {
        if (parser_.on_eof(failure))
            return finish();
        return end(failure ? failure : error_code(error::stream_ended));
    }
    if (ec)
        return end(ec);
    if (!exchange_)
        drain();
    read();
}

// The exchange may close the connection in a callback.
LINKSPAN_DECL response_parser::step client_connection::parse(error_code& ec)
{
    auto reached = parser_.resume(ec);
    while (owner_ && reached == response_parser::step::head) {
        on_head();
        if (owner_)
            reached = parser_.resume(ec);
    }
    return reached;
}

LINKSPAN_DECL void client_connection::on_head()
{
    if (!exchange_)
        return;
    auto const what = exchange_; // the callback may release the exchange
    if (!what->on_head(parser_.head()) || !owner_)
        return;
    parser_.lift_body_limit();
    owner_->set_timeout(*this, duration::max());
}

LINKSPAN_DECL void client_connection::on_body(std::string_view piece)
{
    if (auto const what = exchange_)
        what->on_body(piece);
}

// Called when the response is complete.
LINKSPAN_DECL void client_connection::finish()
{
    auto const self = shared_from_this();
    bool const is_clean = written_ && parser_.can_continue();
    auto const what = release_exchange();
    if (is_clean)
        owner_->on_idle(self);
    else
        owner_->remove(*this);
    if (what)
        what->on_end({}, true);
}

LINKSPAN_DECL void client_connection::end(error_code ec)
{
    auto const self = shared_from_this();
    auto const owner = owner_->shared_from_this();
    auto const what = release_exchange();
    bool const sent = may_have_sent_all();
    auto const why = write_error_ ? write_error_ : ec;
    bool const may_repeat = is_reused_ && !sent && !parser_.has_head() && ec != asio::error::timed_out;
    bool const repeats = owner->on_failed(*this, what, may_repeat);
    if (what && !repeats)
        what->on_end(sent ? ec : why, sent);
}

} // namespace linkspan::detail

#endif
