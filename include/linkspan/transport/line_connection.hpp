#ifndef LINKSPAN_TRANSPORT_LINE_CONNECTION_HPP
#define LINKSPAN_TRANSPORT_LINE_CONNECTION_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/protocol/line_framing.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/transport/concept.hpp>
#include <linkspan/transport/read_buffer.hpp>
#include <linkspan/transport/write_queue.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// What a `line_connection` needs below it: two byte streams, one each way.
///
/// `open(ec)` makes the connection. `write_some` never blocks: `would_block` when the peer has no room.
/// `async_read_some` reports the end as `asio::error::eof`. `async_shutdown` ends gracefully, and in bounded time.
/// `close` is immediate and idempotent; operations that are out complete later. `diagnostics()` is optional.
// clang-format 16 makes three lines of each compound requirement.
// clang-format off
template<class S>
concept Stream = requires(S& stream, error_code& ec, asio::const_buffer out, asio::mutable_buffer in) {
    typename S::config_type;
    { S::kind } -> std::convertible_to<std::string_view>;
    stream.open(ec);
    { stream.write_some(out, ec) } -> std::convertible_to<std::size_t>;
    stream.async_wait_writable(detail::any_token());
    stream.async_read_some(in, detail::any_token());
    stream.async_shutdown(detail::any_token());
    { stream.close() } noexcept;
};
// clang-format on

/// A transport of one message a line, over any stream: children and in-memory pipes are the same code.
///
/// Writes are collected and go out together at the end of the turn of the loop in which they were made. A request
/// whose line end was not accepted by the stream is reported as `not_sent`.
///
/// Specification: 2025-11-25, basic/transports, "stdio".
template<Stream S>
class line_connection {
public:
    using role = transport_role;
    using config_type = typename S::config_type;
    using executor_type = asio::any_io_executor;
    static constexpr std::string_view kind = S::kind;
    static constexpr bool silence_is_legacy = true;

    line_connection(executor_type executor, config_type const& config)
        : core_(std::make_shared<core>(std::move(executor), config))
    {}

    line_connection(line_connection&&) noexcept = default;
    line_connection& operator=(line_connection&&) = delete;

    ~line_connection()
    {
        if (core_)
            core_->close();
    }

    executor_type get_executor() const noexcept { return core_->executor; }
    std::size_t queued_bytes() const noexcept { return core_->writes.size(); }
    S& stream() noexcept { return core_->stream; }

    std::string diagnostics() const
    {
        auto out = core_->too_long();
        if constexpr (requires { core_->stream.diagnostics(); }) {
            auto const detail = core_->stream.diagnostics();
            (out += out.empty() || detail.empty() ? "" : "\n") += detail;
        }
        return out;
    }

    bool exited_cleanly() const
    {
        if constexpr (requires { core_->stream.exited_cleanly(); })
            return core_->stream.exited_cleanly();
        else
            return false;
    }

    /// Forwards the name that a connector gives the server, where the stream takes one.
    static void name_server(config_type const& config, std::string_view name)
        requires requires { S::name_server(config, name); }
    {
        S::name_server(config, name);
    }

    /// The id of the child process behind the stream; empty: there is none.
    std::optional<std::int64_t> pid() const noexcept
    {
        if constexpr (requires { core_->stream.pid(); }) {
            if (auto const id = core_->stream.pid(); id > 0)
                return id;
        }
        return std::nullopt;
    }

    /// Completion signature: `void(error_code)`. Errors: those of the stream. Not cancellable: opening is immediate.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_open{core_}, token);
    }

    /// Completion signature: `void(error_code, span<inbound const>)`.
    /// Errors: `stream_ended`, `truncated_line`, `line_too_long`, `operation_aborted` after `close`, those of the stream.
    /// Cancellation: by `close`.
    template<asio::completion_token_for<void(error_code, std::span<inbound const>)> Token = asio::deferred_t>
    auto async_receive(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::span<inbound const>)>(initiate_receive{core_}, token);
    }

    /// Completion signature: `void(error_code)`. Errors: those of the stream. Cancellation: by `close`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_shutdown{core_}, token);
    }

    void send(outbound const& message) noexcept { core_->send(message); }
    abandon_result abandon(request_id id) noexcept
    {
        return core_->writes.withdraw(id) ? abandon_result::not_sent : abandon_result::peer_not_notified;
    }
    void close() noexcept { core_->close(); }

private:
    using done_handler = detail::pending_handler<void(error_code)>;
    using receive_handler = detail::pending_handler<void(error_code, std::span<inbound const>)>;

    struct core;

    struct initiate_open {
        std::shared_ptr<core> self;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            self->open(done_handler(std::forward<Handler>(handler), self->executor));
        }
    };

    struct initiate_receive {
        std::shared_ptr<core> self;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            self->receive(receive_handler(std::forward<Handler>(handler), self->executor));
        }
    };

    struct initiate_shutdown {
        std::shared_ptr<core> self;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            self->shutdown(done_handler(std::forward<Handler>(handler), self->executor));
        }
    };

    std::shared_ptr<core> core_;
};

// What operations that are out keep alive.
template<Stream S>
struct line_connection<S>::core : std::enable_shared_from_this<core> {
    executor_type executor;
    S stream;
    write_queue writes;
    read_buffer reads;
    line_framing framing;
    error_code write_error, read_error;
    bool flush_posted = false;
    bool waiting_for_room = false;
    bool reading = false;
    bool unread = false; // bytes were read and not yet split into lines
    bool delivering = false;
    bool wake_posted = false;
    bool closed = false;
    std::vector<inbound> batch;
    std::vector<request_id> unsent;
    receive_handler receiver;

    // What is sent within a delivery is flushed behind it.
    struct delivery {
        explicit delivery(core& of) noexcept : self(of) { self.delivering = true; }

        ~delivery() // also when the receiver throws
        {
            self.delivering = false;
            self.flush();
        }

        core& self;
    };

    // A step towards completing the receive. One that is dropped, because the context has ended, drops the receive: its
    // handler may own this connection, which would keep itself alive.
    template<class Step>
    class receiving_step {
    public:
        receiving_step(std::shared_ptr<core> self, Step step) : self_(std::move(self)), step_(step) {}
        receiving_step(receiving_step&&) noexcept = default;
        receiving_step& operator=(receiving_step&&) = delete;

        ~receiving_step()
        {
            if (self_)
                receive_handler const dropped = std::exchange(self_->receiver, {});
        }

        template<class... Args>
        void operator()(Args... args)
        {
            auto const self = std::exchange(self_, nullptr);
            step_(*self, args...);
        }

    private:
        std::shared_ptr<core> self_;
        Step step_;
    };

    core(executor_type ex, config_type const& config)
        : executor(std::move(ex)), stream(executor, config), framing(max_line_of(config))
    {}

    static std::size_t max_line_of([[maybe_unused]] config_type const& config) noexcept
    {
        if constexpr (requires { config.max_line; })
            return config.max_line;
        else
            return line_framing::default_max_line;
    }

    // The limit that the peer exceeded, and what raises it; empty when it exceeded none.
    std::string too_long() const
    {
        if (read_error != error::line_too_long)
            return {};
        return "a line has more than " + std::to_string(framing.max_line()) +
               " bytes: raise `max_line` in the configuration of the server, or let it write less";
    }

    void open(done_handler done)
    {
        error_code ec;
        stream.open(ec);
        asio::post(executor, [done = std::move(done), ec]() mutable { done.complete(ec); });
    }

    void shutdown(done_handler done)
    {
        flush();
        stream.async_shutdown([self = this->shared_from_this(), done = std::move(done)](error_code ec) mutable {
            self->close();
            done.complete(ec);
        });
    }

    void close() noexcept
    {
        if (std::exchange(closed, true))
            return;
        stream.close();
        writes.fail(unsent);
        wake();
    }

    // Sending

    void send(outbound const& message) noexcept
    {
        if (closed || write_error) {
            if (message.id != 0)
                unsent.push_back(message.id);
            return wake();
        }
        writes.add(message.id, message.bytes);
        if (!delivering && !waiting_for_room && !std::exchange(flush_posted, true))
            asio::post(executor, [self = this->shared_from_this()] {
                self->flush_posted = false;
                self->flush();
            });
    }

    void flush()
    {
        while (!closed && !write_error && !waiting_for_room && !writes.empty()) {
            auto const bytes = writes.front();
            error_code ec;
            writes.accepted(stream.write_some(asio::const_buffer(bytes.data(), bytes.size()), ec));
            if (ec == asio::error::would_block || ec == asio::error::try_again)
                wait_for_room();
            else if (ec)
                fail_writes(ec);
        }
    }

    void wait_for_room()
    {
        waiting_for_room = true;
        stream.async_wait_writable([self = this->shared_from_this()](error_code ec) {
            self->waiting_for_room = false;
            if (!ec)
                self->flush();
        });
    }

    // The peer may still have answers for us, so reading goes on.
    void fail_writes(error_code ec)
    {
        write_error = ec;
        writes.fail(unsent);
        wake();
    }

    // Receiving

    void receive(receive_handler handler)
    {
        receiver = std::move(handler);
        if (closed || read_error || unread || !unsent.empty())
            wake();
        else
            read();
    }

    // Named, because clang 16 does not deduce the arguments of a class template that stands in another.
    template<class Step>
    auto step(Step what)
    {
        return receiving_step<Step>(this->shared_from_this(), what);
    }

    void wake()
    {
        if (receiver && !std::exchange(wake_posted, true))
            asio::post(executor, step([](core& self) {
                           self.wake_posted = false;
                           if (self.receiver)
                               self.deliver();
                       }));
    }

    void read()
    {
        if (std::exchange(reading, true))
            return;
        auto const room = reads.prepare();
        stream.async_read_some(asio::mutable_buffer(room.data(), room.size()),
                               step([](core& self, error_code ec, std::size_t size) { self.on_read(ec, size); }));
    }

    void on_read(error_code ec, std::size_t size)
    {
        reading = false;
        unread = true;
        reads.commit(size);
        read_error = ec;
        if (receiver)
            deliver();
    }

    void take_lines()
    {
        unread = false;
        auto const lines = framing.resume(reads.bytes());
        reads.keep(lines.keep);
        for (auto const line : lines.lines)
            append(line);
        if (lines.ec)
            read_error = lines.ec;
        else if (read_error == asio::error::eof)
            read_error = framing.finish().ec;
    }

    // The receiver may start the next receive, or close, before it returns.
    void deliver()
    {
        batch.clear();
        if (unread)
            take_lines();
        if (read_error && !write_error)
            fail_writes(read_error); // nobody is there to read them
        for (auto const id : unsent)
            append_unsent(id);
        unsent.clear();
        if (batch.empty() && !closed && !read_error)
            return read();
        auto const self = this->shared_from_this();
        error_code const ec = !batch.empty() ? error_code() : closed ? asio::error::operation_aborted : read_error;
        delivery const here(*this);
        std::exchange(receiver, {}).complete(ec, batch);
    }

    void append(std::string_view line)
    {
        auto const first = line.find_first_not_of(" \t");
        if (first != line.npos && (line[first] == '{' || line[first] == '[')) {
            inbound_message message;
            message.bytes = line;
            message.owner = reads.owner_of(line);
            batch.emplace_back(message);
        } else {
            batch.emplace_back(inbound_notice{inbound_notice::kind::unexpected_output, line});
        }
    }

    void append_unsent(request_id id)
    {
        inbound_report report;
        report.id = id;
        report.certainty = certainty_of(evidence::write_failed);
        report.ec = write_error ? write_error : error_code(asio::error::operation_aborted);
        batch.emplace_back(report);
    }
};

} // namespace linkspan

#endif
