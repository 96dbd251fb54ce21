#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CONNECTION_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_CONNECTION_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/protocol/header_value.hpp>

#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline void append_hex(std::string& out, std::size_t value)
{
    if (value >= 16)
        append_hex(out, value / 16);
    out += "0123456789abcdef"[value % 16];
}

inline void append_field(std::string& out, std::string_view name, std::string_view value)
{
    ((out += name) += ": ") += value;
    out += "\r\n";
}

// Implementation of `http_server_connection`. Outstanding operations keep the object alive; handles of exchanges have
// weak references.
//
// Invariants: at most one exchange exists at a time, with the number `number_`; handles with other numbers have no
// effect. At most one read and one write are outstanding. `on_end_` is called at most once, and not after `abandon`.
class http_server_core final : public std::enable_shared_from_this<http_server_core>, private http_body_sink {
public:
    http_server_core(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream, http_request_handler& handler,
                     http_server_limits const& limits, std::function<void()> on_end)
        : executor_(std::move(executor)),
          stream_(std::move(stream)),
          handler_(handler),
          limits_(limits),
          on_end_(std::move(on_end)),
          deadline_(executor_),
          write_deadline_(executor_),
          comment_(executor_)
    {}

    void begin()
    {
        expect(limits_.idle_timeout);
        read();
    }

    void stop()
    {
        stops_ = true;
        if (!is_busy_)
            disconnect();
    }

    // Closes the connection, and calls `on_disconnect_` and `on_end_`.
    void disconnect()
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

    void close() noexcept
    {
        is_closed_ = true;
        stream_->close();
        deadline_.cancel();
        write_deadline_.cancel();
        comment_.cancel();
    }

    // Closes the connection without calling `on_disconnect_` and `on_end_`, and destroys both functions, because they
    // may own objects that own this one.
    void abandon() noexcept
    {
        close();
        on_end_ = {};
        on_disconnect_ = {};
    }

    bool is_current(std::uint64_t number) const noexcept { return is_busy_ && !is_closed_ && number == number_; }
    bool has_begun() const noexcept { return has_begun_; }

    void announce(int status, http_exchange::fields_type const& fields)
    {
        if (!has_begun_)
            write(head(status, fields) += "\r\n");
    }

    void respond(int status, http_exchange::fields_type const& fields, std::string_view body)
    {
        if (has_begun_)
            return cut();
        auto text = head(status, fields);
        if (!body.empty() && !has(fields, "Content-Type"))
            append_field(text, "Content-Type", "application/json");
        if (status != 204 && !has(fields, "Content-Length"))
            append_field(text, "Content-Length", std::to_string(body.size()));
        append_connection(text);
        has_begun_ = true;
        write((text += "\r\n") += body);
        finish();
    }

    void begin_stream(http_exchange::fields_type const& fields)
    {
        if (has_begun_)
            return;
        auto text = head(200, fields);
        if (!has(fields, "Content-Type"))
            append_field(text, "Content-Type", "text/event-stream");
        append_field(text, "Cache-Control", "no-store");
        append_field(text, "X-Accel-Buffering", "no");
        is_chunked_ = !is_http_1_0_;
        keeps_alive_ = keeps_alive_ && is_chunked_;
        if (is_chunked_)
            append_field(text, "Transfer-Encoding", "chunked");
        append_connection(text);
        has_begun_ = is_stream_ = true;
        write(text += "\r\n");
    }

    void event(http_server_event const& what)
    {
        std::string lines;
        if (!what.type.empty())
            append_line(lines, "event: ", what.type);
        if (!what.id.empty())
            append_line(lines, "id: ", what.id);
        if (what.retry)
            append_line(lines, "retry: ", std::to_string(what.retry->count()));
        for (auto rest = what.data; !rest.empty();) {
            auto const end = std::min(rest.find('\n'), rest.size());
            append_line(lines, "data: ", rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (what.data.empty() && what.primes)
            append_line(lines, "data:", "");
        text(lines += '\n');
    }

    void comment(std::string_view line) { text((std::string(": ") += line) += "\n\n"); }

    void text(std::string_view bytes)
    {
        if (!is_stream_)
            return;
        if (!is_chunked_)
            return write(bytes);
        std::string chunk;
        append_hex(chunk, bytes.size());
        write(((chunk += "\r\n") += bytes) += "\r\n");
    }

    void end()
    {
        if (is_stream_ && is_chunked_)
            write("0\r\n\r\n");
        finish();
    }

    void raw(std::string_view bytes)
    {
        has_begun_ = true;
        write(bytes);
    }

    void cut()
    {
        keeps_alive_ = false;
        finish();
    }

    void on_disconnect(std::function<void()> callback) { on_disconnect_ = std::move(callback); }

private:
    static bool has(http_exchange::fields_type const& fields, std::string_view name)
    {
        return std::ranges::any_of(fields, [name](auto const& field) { return equal_ignoring_case(field.name, name); });
    }

    static std::string head(int status, http_exchange::fields_type const& fields)
    {
        namespace http = boost::beast::http;
        auto const known = http::int_to_status(static_cast<unsigned>(status));
        auto text = "HTTP/1.1 " + std::to_string(status) + ' ';
        if (known != http::status::unknown)
            text += std::string_view(http::obsolete_reason(known));
        text += "\r\n";
        for (auto const& [name, value] : fields)
            append_field(text, name, value);
        return text;
    }

    static void append_line(std::string& out, std::string_view field, std::string_view value)
    {
        ((out += field) += value) += '\n';
    }

    void append_connection(std::string& text)
    {
        keeps_alive_ = keeps_alive_ && !stops_;
        if (!keeps_alive_)
            append_field(text, "Connection", "close");
        else if (is_http_1_0_)
            append_field(text, "Connection", "keep-alive");
    }

    // Keeps the stream open: proxies close connections without traffic.
    void comment_later()
    {
        if (limits_.comment_every == duration::zero())
            return;
        comment_.expires_after(limits_.comment_every);
        comment_.async_wait([self = weak_from_this()](error_code ec) {
            auto const alive = self.lock();
            if (ec || !alive || alive->is_closed_ || !alive->is_stream_)
                return;
            alive->comment("");
        });
    }

    void write(std::string_view bytes)
    {
        if (is_closed_)
            return;
        out_ += bytes;
        if (is_stream_)
            comment_later();
        if (out_.size() + piece_.size() - written_ > limits_.max_queued)
            return asio::post(executor_, [self = shared_from_this()] { self->disconnect(); });
        if (!is_writing_)
            write_piece();
    }

    void write_piece()
    {
        constexpr std::size_t max_piece = std::size_t{64} << 10;
        if (written_ == piece_.size()) {
            piece_ = std::exchange(out_, {});
            written_ = 0;
        }
        auto const bytes = std::string_view(piece_).substr(written_, max_piece);
        written_ += bytes.size();
        is_writing_ = true;
        write_deadline_.expires_after(limits_.write_timeout);
        write_deadline_.async_wait([self = weak_from_this()](error_code ec) {
            if (auto const alive = self.lock(); alive && !ec && alive->is_writing_)
                alive->disconnect();
        });
        stream_->write(asio::buffer(bytes),
                       {[self = shared_from_this()](error_code ec, std::size_t) { self->on_written(ec); }, executor_});
    }

    void on_written(error_code ec)
    {
        is_writing_ = false;
        write_deadline_.cancel();
        if (is_closed_)
            return;
        if (ec)
            return disconnect();
        if (written_ != piece_.size() || !out_.empty())
            return write_piece();
        piece_.clear();
        written_ = 0;
        rest();
    }

    // Ends the exchange. The next request is read when all bytes are written.
    void finish()
    {
        comment_.cancel();
        on_disconnect_ = {};
        is_stream_ = false;
        is_finished_ = true;
        ++number_; // handles of this exchange have no effect any more
        if (!is_writing_)
            asio::post(executor_, [self = shared_from_this()] { self->rest(); });
    }

    // Called when all bytes of the exchange are written.
    void rest()
    {
        if (is_closed_ || !is_finished_ || is_writing_)
            return;
        is_finished_ = is_busy_ = false;
        if (discards_input_)
            return expect(std::chrono::seconds(1));
        if (!keeps_alive_ || stops_)
            return disconnect();
        expect(limits_.idle_timeout);
        take();
        read();
    }

    void read()
    {
        if (is_reading_ || is_closed_ || in_.size() > limits_.max_head)
            return;
        is_reading_ = true;
        stream_->read_some(
            asio::buffer(chunk_),
            {[self = shared_from_this()](error_code ec, std::size_t size) { self->on_read(ec, size); }, executor_});
    }

    void on_read(error_code ec, std::size_t size)
    {
        is_reading_ = false;
        if (is_closed_)
            return;
        if (ec)
            return disconnect();
        if (!discards_input_)
            in_.append(chunk_.data(), size);
        if (!is_busy_ && !discards_input_)
            take();
        read();
    }

    // Parses a request from the received bytes. Called only if no exchange is outstanding.
    void take()
    {
        if (!reader_) {
            in_.erase(0, std::min(in_.find_first_not_of("\r\n"), in_.size())); // RFC 9112, 2.2
            if (in_.empty())
                return;
            request_ = {};
            reader_.emplace(static_cast<http_body_sink&>(*this),
                            http_reader<true>::limits{limits_.max_head, limits_.max_body});
            has_head_ = false;
            expect(limits_.head_timeout);
        }
        while (!reader_->is_done() && !in_.empty()) {
            error_code ec;
            auto const used = reader_->resume(in_, ec);
            in_.erase(0, used);
            if (ec)
                return refuse(status_of(ec));
            if (reader_->has_head() && !std::exchange(has_head_, true))
                on_head();
            else if (used == 0)
                break;
        }
        if (reader_->is_done())
            deliver();
    }

    void on_head()
    {
        auto const& head = reader_->head();
        is_http_1_0_ = head.version() < 11;
        request_.method = head.method();
        request_.target = head.target();
        for (std::size_t index = 0; index != head.size(); ++index) {
            auto const field = head.field_at(index);
            request_.fields.push_back({std::string(field.name), std::string(field.value)});
        }
        expect(limits_.body_timeout);
        if (!reader_->is_done() && in_.empty() && equal_ignoring_case(request_.header("Expect"), "100-continue"))
            write("HTTP/1.1 100 Continue\r\n\r\n");
    }

    void on_body(std::string_view piece) override { request_.body += piece; }

    void deliver()
    {
        namespace http = boost::beast::http;
        if (!is_http_1_0_ && reader_->head().count(http::field::host) != 1) // RFC 9112, 3.2
            return refuse(400);
        deadline_.cancel();
        keeps_alive_ = reader_->keeps_alive();
        reader_.reset();
        is_busy_ = true;
        has_begun_ = is_stream_ = false;
        auto const self = shared_from_this();
        handler_.on_request(std::move(request_), http_exchange(self, number_));
    }

    static int status_of(error_code ec) noexcept
    {
        namespace http = boost::beast::http;
        if (ec == http::error::header_limit)
            return 431;
        if (ec == http::error::body_limit)
            return 413;
        return ec == http::error::bad_version ? 505 : 400;
    }

    // Refuses a request. The rest of the input is read and dropped for a second, because closing immediately could
    // reset the connection before the peer has read the response.
    void refuse(int status)
    {
        discards_input_ = is_busy_ = true;
        keeps_alive_ = has_begun_ = is_stream_ = false;
        in_.clear();
        respond(status, {}, {});
    }

    // Starts the timeout for the next input.
    void expect(duration span)
    {
        deadline_.expires_after(span);
        deadline_.async_wait([self = weak_from_this()](error_code ec) {
            auto const alive = self.lock();
            bool const is_late = !ec && alive && alive->deadline_.now() >= alive->deadline_.expiry();
            if (!is_late || alive->is_closed_ || alive->is_busy_)
                return;
            if (alive->reader_ && !alive->discards_input_)
                alive->refuse(408);
            else
                alive->disconnect();
        });
    }

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    std::unique_ptr<byte_stream> stream_;
    http_request_handler& handler_;
    http_server_limits limits_;

    std::function<void()> on_end_;        // set by the constructor, cleared by `disconnect` and `abandon`
    std::function<void()> on_disconnect_; // set by `on_disconnect`, cleared when the exchange or the connection ends
    timer deadline_;                      // runs while input is expected, cancelled by a complete request
    timer write_deadline_;                // runs while a write is outstanding
    timer comment_; // runs between two comments on an event stream, cancelled at the end of the exchange

    std::array<char, 16384> chunk_;           // buffer of the outstanding read
    std::string in_;                          // received bytes that are not parsed
    std::optional<http_reader<true>> reader_; // set while a request is read
    http_server_request request_;             // the request that is read
    std::string out_, piece_;                 // bytes to be written, and bytes that are being written
    std::size_t written_ = 0;                 // bytes of `piece_` that were passed to the stream
    std::uint64_t number_ = 1;                // number of the exchange; incremented by its end
    bool is_busy_ = false;                    // set by a complete request, cleared when its response is written
    bool is_finished_ = false;                // set by the end of the exchange, cleared when its response is written
    bool has_head_ = false;                   // set when the head of a request is complete, cleared by the next request
    bool is_http_1_0_ = false;                // set by each request: true for HTTP/1.0
    bool keeps_alive_ = true;                 // set by each request: the connection stays open after the exchange
    // State of the response: a part was written; it is an event stream; it is chunked. Reset by each request.
    bool has_begun_ = false, is_stream_ = false, is_chunked_ = false;
    bool is_reading_ = false, is_writing_ = false; // an operation of the stream is outstanding
    bool discards_input_ = false;                  // set by `refuse`: further input is dropped
    bool stops_ = false, is_closed_ = false;       // set by `stop` and by `close`
};

} // namespace detail

LINKSPAN_DECL std::string_view http_server_request::header(std::string_view name) const noexcept
{
    for (auto const& field : fields)
        if (detail::equal_ignoring_case(field.name, name))
            return field.value;
    return {};
}

LINKSPAN_DECL std::shared_ptr<detail::http_server_core> http_exchange::current() const noexcept
{
    auto core = core_.lock();
    return core && core->is_current(number_) ? core : nullptr;
}

LINKSPAN_DECL bool http_exchange::is_over() const noexcept { return !current(); }

LINKSPAN_DECL bool http_exchange::has_begun() const noexcept
{
    auto const core = current();
    return core && core->has_begun();
}

LINKSPAN_DECL void http_exchange::announce(int status, fields_type const& fields)
{
    if (auto const core = current())
        core->announce(status, fields);
}

LINKSPAN_DECL void http_exchange::respond(int status, fields_type const& fields, std::string_view body)
{
    if (auto const core = current())
        core->respond(status, fields, body);
}

LINKSPAN_DECL void http_exchange::begin_stream(fields_type const& fields)
{
    if (auto const core = current())
        core->begin_stream(fields);
}

LINKSPAN_DECL void http_exchange::event(http_server_event const& what)
{
    if (auto const core = current())
        core->event(what);
}

LINKSPAN_DECL void http_exchange::comment(std::string_view text)
{
    if (auto const core = current())
        core->comment(text);
}

LINKSPAN_DECL void http_exchange::text(std::string_view bytes)
{
    if (auto const core = current())
        core->text(bytes);
}

LINKSPAN_DECL void http_exchange::end()
{
    if (auto const core = current())
        core->end();
}

LINKSPAN_DECL void http_exchange::raw(std::string_view bytes)
{
    if (auto const core = current())
        core->raw(bytes);
}

LINKSPAN_DECL void http_exchange::cut()
{
    if (auto const core = current())
        core->cut();
}

LINKSPAN_DECL void http_exchange::on_disconnect(std::function<void()> callback)
{
    if (auto const core = current())
        core->on_disconnect(std::move(callback));
}

LINKSPAN_DECL
http_server_connection::http_server_connection(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                                               http_request_handler& handler, http_server_limits const& limits,
                                               std::function<void()> on_end)
    : core_(std::make_shared<detail::http_server_core>(std::move(executor), std::move(stream), handler, limits,
                                                       std::move(on_end)))
{
    core_->begin();
}

LINKSPAN_DECL http_server_connection::~http_server_connection() { close(); }

LINKSPAN_DECL void http_server_connection::stop() { core_->stop(); }

LINKSPAN_DECL void http_server_connection::disconnect() { core_->disconnect(); }

LINKSPAN_DECL void http_server_connection::close() noexcept { core_->abandon(); }

} // namespace linkspan

#endif
