#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CORE_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CORE_IPP

#include <linkspan/http/http_headers.hpp>
#include <linkspan/http/server/detail/http_response_text.hpp>
#include <linkspan/http/server/detail/http_server_core.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void http_server_core::begin()
{
    set_deadline(due_.input, limits_.idle_timeout);
    read();
}

LINKSPAN_DECL void http_server_core::stop()
{
    stops_ = true;
    if (!is_busy_)
        disconnect();
}

LINKSPAN_DECL void http_server_core::disconnect()
{
    if (is_closed_)
        return;
    auto const self = shared_from_this();
    close();
    if (auto const callback = std::exchange(on_disconnect_, {}))
        callback();
    if (auto const callback = std::exchange(on_end_, {}))
        callback();
}

LINKSPAN_DECL void http_server_core::close() noexcept
{
    is_closed_ = true;
    remote_.on_request_end();
    requests_.on_exchange_end();
    if (group_)
        group_->output.remove(*this);
    stream_->close();
    timer_.cancel();
}

LINKSPAN_DECL void http_server_core::abandon() noexcept
{
    close();
    on_end_ = {};
    on_disconnect_ = {};
}

LINKSPAN_DECL void http_server_core::add_fields(http_exchange::fields_type const& fields)
{
    for (auto const& [name, value] : fields)
        append_header(response_.fields, name, value);
}

LINKSPAN_DECL void http_server_core::send_interim(int status, http_exchange::fields_type const& fields)
{
    if (response_.has_begun)
        return;
    start_response(head_, status, fields);
    write(head_ += "\r\n");
}

LINKSPAN_DECL void http_server_core::respond(int status, http_exchange::fields_type const& fields,
                                             std::string_view body)
{
    if (response_.has_begun)
        return cut();
    start_response(head_, status, fields);
    if (!response_.fields.empty())
        head_ += response_.fields;
    if (!body.empty() && !has_field(fields, "Content-Type"))
        append_header(head_, "Content-Type", "application/json");
    if (status != 204 && !has_field(fields, "Content-Length"))
        append_header(head_, "Content-Length", std::to_string(body.size()));
    append_connection();
    write(head_ += "\r\n", body);
    response_.has_begun = true;
    finish();
}

LINKSPAN_DECL void http_server_core::begin_stream(http_exchange::fields_type const& fields)
{
    if (response_.has_begun)
        return;
    start_response(head_, 200, fields);
    head_ += response_.fields;
    if (!has_field(fields, "Content-Type"))
        append_header(head_, "Content-Type", "text/event-stream");
    append_header(head_, "Cache-Control", "no-store");
    append_header(head_, "X-Accel-Buffering", "no");
    response_.is_chunked = !requests_.is_http_1_0();
    keeps_alive_ = keeps_alive_ && response_.is_chunked;
    if (response_.is_chunked)
        append_header(head_, "Transfer-Encoding", "chunked");
    append_connection();
    write(head_ += "\r\n");
    response_.has_begun = response_.is_stream = true;
    set_comment_deadline();
}

LINKSPAN_DECL void http_server_core::event(http_server_event const& what) { text(event_text(what)); }

LINKSPAN_DECL void http_server_core::text(std::string_view bytes)
{
    if (!response_.is_stream)
        return;
    if (!response_.is_chunked)
        return write(bytes);
    write(chunk_text(bytes));
}

LINKSPAN_DECL void http_server_core::end()
{
    if (response_.is_stream && response_.is_chunked)
        write("0\r\n\r\n");
    finish();
}

LINKSPAN_DECL void http_server_core::raw(std::string_view bytes)
{
    response_.has_begun = true;
    write(bytes);
}

LINKSPAN_DECL void http_server_core::cut() noexcept
{
    keeps_alive_ = false;
    try {
        finish();
    } catch (std::bad_alloc const&) {
        fail_output();
    }
}

LINKSPAN_DECL void http_server_core::append_connection()
{
    keeps_alive_ = keeps_alive_ && !stops_;
    if (!keeps_alive_)
        append_header(head_, "Connection", "close");
    else if (requests_.is_http_1_0())
        append_header(head_, "Connection", "keep-alive");
}

LINKSPAN_DECL void http_server_core::write(std::string_view bytes, std::string_view more)
{
    if (is_closed_ || out_.size() > limits_.max_queued) // in the second case, the end of the connection is posted
        return;
    out_.append(bytes, more);
    try {
        if (response_.is_stream)
            set_comment_deadline();
        if (out_.size() > limits_.max_queued)
            return on_excess_output();
        if (is_writing_)
            return count_output();
        write_pieces();
    } catch (std::bad_alloc const&) { // the bytes are accepted, so that an exception would cause a second copy of them
        fail_output();
    }
}

LINKSPAN_DECL void http_server_core::count_output()
{
    if (group_)
        group_->output.set(*this, out_.memory(), remote_.address);
}

// Posted, because a function of another connection or of the handler may be executing.
LINKSPAN_DECL void http_server_core::on_excess_output()
{
    try {
        asio::post(executor_, [self = shared_from_this()] { self->disconnect_unread(); });
    } catch (std::bad_alloc const&) {
        fail_output();
    }
}

LINKSPAN_DECL void http_server_core::disconnect_unread()
{
    if (group_ && !is_closed_)
        ++group_->counters.unread_connections;
    disconnect();
}

LINKSPAN_DECL void http_server_core::write_pieces()
{
    constexpr std::size_t max_piece = std::size_t{64} << 10;
    while (out_.size() != 0) {
        auto bytes = out_.next_piece(max_piece);
        bytes.remove_prefix(
            stream_->write_now(asio::buffer(bytes))); // an operation needs another turn of the event loop
        if (bytes.empty())
            continue;
        stream_->write(asio::buffer(bytes),
                       {[self = shared_from_this()](error_code ec, std::size_t) { self->on_written(ec); }, executor_});
        is_writing_ = true; // not before the write, which may throw
        set_deadline(due_.write, limits_.write_timeout);
        return count_output();
    }
    out_.clear();
}

LINKSPAN_DECL void http_server_core::on_written(error_code ec)
{
    is_writing_ = false;
    due_.write = time_point::max();
    if (is_closed_)
        return;
    if (ec)
        return disconnect();
    try {
        write_pieces();
        if (!is_writing_)
            count_output();
        on_response_written();
    } catch (std::bad_alloc const&) {
        disconnect();
    }
}

LINKSPAN_DECL void http_server_core::finish()
{
    due_.comment = time_point::max();
    on_disconnect_ = {};
    remote_.on_request_end();
    requests_.on_exchange_end();
    response_.fields.clear();
    response_.is_stream = false;
    is_finished_ = true;
    ++number_; // handles of this exchange have no effect any more
    if (is_writing_)
        return;
    // Without unread bytes, no request begins, so that the current one remains valid for the function that called this
    // one.
    bool const only_waits = keeps_alive_ && !stops_ && !discards_input_ && requests_.size() == 0;
    if (only_waits)
        on_response_written();
    else // the next request, or the end of the connection, must not begin inside a function of the handler
        asio::post(executor_, [self = shared_from_this()] { self->on_response_written(); });
}

LINKSPAN_DECL void http_server_core::on_response_written()
{
    if (is_closed_ || !is_finished_ || is_writing_)
        return;
    is_finished_ = is_busy_ = false;
    if (discards_input_)
        return set_deadline(due_.input, std::chrono::seconds(1));
    if (!keeps_alive_ || stops_)
        return disconnect();
    set_deadline(due_.input, limits_.idle_timeout);
    take();
    read();
}

LINKSPAN_DECL void http_server_core::read()
{
    if (is_reading_ || is_closed_ || requests_.size() > limits_.max_head)
        return;
    stream_->read_some(
        asio::buffer(chunk_),
        {[self = shared_from_this()](error_code ec, std::size_t size) { self->on_read(ec, size); }, executor_});
    is_reading_ = true; // not before the read, which may throw
}

LINKSPAN_DECL void http_server_core::on_read(error_code ec, std::size_t size)
{
    is_reading_ = false;
    if (is_closed_)
        return;
    if (ec)
        return disconnect();
    try {
        if (!discards_input_)
            requests_.append({chunk_.data(), size});
        if (!is_busy_ && !discards_input_)
            take();
        read();
    } catch (std::bad_alloc const&) {
        disconnect();
    }
}

LINKSPAN_DECL void http_server_core::take()
{
    using event = http_request_reader::event;
    std::optional<duration> timeout; // of the input that the request still needs; most requests arrive in one piece
    for (;;)
        switch (requests_.next()) {
        case event::none: return timeout ? set_deadline(due_.input, *timeout) : void();
        case event::begun: timeout = limits_.head_timeout; break;
        case event::head:
            timeout = limits_.body_timeout;
            if (requests_.expects_continue()) {
                if (auto const status = requests_.status_of_announced_body(); status != 0)
                    return refuse(status);
                write("HTTP/1.1 100 Continue\r\n\r\n");
            }
            break;
        case event::complete: return deliver();
        case event::invalid: return refuse(requests_.status());
        }
}

LINKSPAN_DECL void http_server_core::deliver()
{
    due_.input = time_point::max();
    keeps_alive_ = requests_.keeps_alive();
    is_busy_ = true;
    response_.has_begun = response_.is_stream = false;
    auto const self = shared_from_this();
    auto const number = number_;
    try {
        handler_.on_request(requests_.take(), http_exchange(self, number));
    } catch (std::bad_alloc const&) {
        if (is_current(number))
            fail();
    }
    requests_.release();
}

LINKSPAN_DECL void http_server_core::fail() noexcept
{
    try {
        if (!has_begun())
            return respond(503, {}, {});
    } catch (std::bad_alloc const&) {
    }
    cut();
}

LINKSPAN_DECL void http_server_core::refuse(int status)
{
    discards_input_ = is_busy_ = true;
    keeps_alive_ = response_.has_begun = response_.is_stream = false;
    due_.input = time_point::max();
    requests_.clear();
    if (group_)
        ++(status == 503 ? group_->counters.over_limit : group_->counters.invalid);
    http_exchange::fields_type fields;
    if (status == 503)
        fields.push_back({"Retry-After", "1"});
    respond(status, fields, {});
}

// Without the timer, no time of the connection would be limited.
LINKSPAN_DECL void http_server_core::arm_timer() noexcept
{
    auto const due = std::min({due_.input, due_.write, due_.comment});
    if (is_closed_ || due == time_point::max() || timer_.is_armed_for(due))
        return;
    try {
        timer_.arm(due, [weak = weak_from_this()](error_code ec) {
            if (auto const self = weak.lock(); self && !ec)
                self->on_expiry();
        });
    } catch (std::bad_alloc const&) {
        fail_output();
    }
}

LINKSPAN_DECL void http_server_core::on_expiry()
{
    timer_.on_expiry();
    auto const now = time_.now();
    if (is_closed_)
        return;
    bool const is_late = due_.input <= now;
    if (due_.write <= now)
        return disconnect_unread();
    if (is_late && (!requests_.is_reading() || discards_input_))
        return disconnect();
    if (is_late)
        refuse(408);
    if (due_.comment <= now) {
        due_.comment = time_point::max();
        comment("");
    }
    arm_timer();
}

} // namespace linkspan::detail

#endif
