#ifndef LINKSPAN_TRANSPORT_LINE_CONNECTION_HPP
#define LINKSPAN_TRANSPORT_LINE_CONNECTION_HPP

#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
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

namespace linkspan::inline LINKSPAN_ABI {

/// A bidirectional byte stream below a `line_connection`.
///
/// \par Requirements
/// - `S::config_type`: configuration of the stream. A member `max_line`, if present, is the maximum line length in
///   bytes.
/// - `S::kind`: name of the transport in reports.
/// - `S(executor, config)`: constructs the stream.
/// - `open(ec)`: establishes the connection and sets `ec` on failure. Must return promptly. Called once.
/// - `write_some(buffer, ec)`: writes as many bytes as possible without blocking and returns their number. Sets `ec` to
///   `would_block` or `try_again` if the stream accepts no more bytes at present, and to another error if the
///   connection has failed.
/// - `async_wait_writable(token)`: waits until `write_some` can make progress or fail. Signature `void(error_code)`.
/// - `async_read_some(buffer, token)`: reads at least one byte. Signature `void(error_code, std::size_t)`. The end of
///   the stream is `asio::error::eof`.
/// - `async_shutdown(token)`: closes the stream gracefully, within a bounded time. Signature `void(error_code)`.
/// - `close()`: closes the stream immediately. `noexcept` and idempotent. Outstanding operations complete later.
/// - `may_write_after_end`: optional; a constant of type `bool`. True: the peer may read after it has closed its
///   output.
/// - `diagnostics()`, `exited_cleanly()`, `S::name_server(config, name)`: optional, with the meaning that they have in
///   `Transport`.
/// - `pid()`: optional; returns the process id of the child process as an integer, 0 if there is none.
///
/// \par Executor
/// All functions must be called on the executor that is passed to the constructor. A handler is never invoked inside
/// the function that initiates its operation.
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

/// Transport that sends and receives one JSON-RPC message per line over a byte stream. `stdio` and `inproc` are
/// specializations.
///
/// Messages are collected and written together in a posted handler, or, if they are sent inside a receive handler,
/// after that handler has returned. A request whose line end was not accepted by the stream is reported as
/// `certainty::not_sent`. A line that begins with neither '{' nor '[' after spaces and tabs is delivered as
/// `inbound_notice::kind::unexpected_output`.
///
/// \tparam S Byte stream that satisfies `Stream`.
/// \par Lifetime
/// The object may be destroyed while operations are outstanding; the operations keep alive the state that they need.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe; all functions must be called on the executor of the connection,
/// which must run one handler at a time.
/// \par Specification
/// MCP 2025-11-25, basic/transports, "stdio".
template<Stream S>
class line_connection {
public:
    /// Marks the class as a transport; see `Transport`.
    using role = transport_role;
    /// Configuration of the byte stream.
    using config_type = typename S::config_type;
    /// Type of the executor of the connection.
    using executor_type = asio::any_io_executor;
    /// Name of the transport in reports.
    static constexpr std::string_view kind = S::kind;
    /// A server that does not respond to the probe, or that terminates during the probe, is treated as a server of the
    /// era `handshake`.
    static constexpr bool handshake_on_no_response = true;

    /// Constructs a connection that is not open.
    ///
    /// \param executor Executor of the connection; must run one handler at a time.
    /// \param config Configuration, passed to the constructor of `S`.
    /// \throws std::bad_alloc and the exceptions of the constructor of `S`.
    line_connection(executor_type executor, config_type const& config)
        : core_(std::make_shared<core>(std::move(executor), config))
    {}

    /// Moves the connection; outstanding operations continue. The moved-from object may only be destroyed.
    line_connection(line_connection&&) noexcept = default;
    line_connection& operator=(line_connection&&) = delete;

    /// Closes the connection, as `close` does.
    ~line_connection()
    {
        if (core_)
            core_->close();
    }

    /// Returns the executor of the connection.
    executor_type get_executor() const noexcept { return core_->executor; }
    /// Returns the number of bytes that `send` accepted and that the stream has not accepted yet.
    std::size_t queued_bytes() const noexcept { return core_->writes.size(); }
    /// Returns the byte stream below the connection.
    S& stream() noexcept { return core_->stream; }

    /// Returns text that describes why the connection failed or how it ended: the line limit that the peer exceeded, if
    /// any, and the diagnostics of the stream. Empty: nothing to describe.
    std::string diagnostics() const
    {
        auto out = core_->line_limit_text();
        if constexpr (requires { core_->stream.diagnostics(); }) {
            auto const detail = core_->stream.diagnostics();
            (out += out.empty() || detail.empty() ? "" : "\n") += detail;
        }
        return out;
    }

    /// Returns whether the peer has terminated and reported success; false if the stream cannot determine it.
    bool exited_cleanly() const
    {
        if constexpr (requires { core_->stream.exited_cleanly(); })
            return core_->stream.exited_cleanly();
        else
            return false;
    }

    /// Passes to the stream the name under which a connector adds the server. Exists only if `S::name_server` exists.
    static void name_server(config_type const& config, std::string_view name)
        requires requires { S::name_server(config, name); }
    {
        S::name_server(config, name);
    }

    /// Returns the process id of the child process of the stream; empty: there is none.
    std::optional<std::int64_t> pid() const noexcept
    {
        if constexpr (requires { core_->stream.pid(); }) {
            if (auto const id = core_->stream.pid(); id > 0)
                return id;
        }
        return std::nullopt;
    }

    /// Opens the connection. The byte stream is opened inside the initiating function; the handler reports the result.
    ///
    /// \par Preconditions
    /// Called at most once, before any other operation.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// The errors of `S::open`: for `stdio` the `errno` of the step that failed, for `inproc` the error that
    /// `inproc_config::connect` returned.
    /// \par Cancellation
    /// Not supported, because the operation does not wait.
    /// \par Executor
    /// Call on the connection's executor. The handler runs on its associated executor, by default that of the
    /// connection, never inside the initiating function.
    /// \par Lifetime
    /// The connection may be destroyed before the handler is invoked.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc` and the exceptions of `S::open`.
    /// \par Specification
    /// MCP 2025-11-25, basic/transports, "stdio".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&core::open>(core_), token);
    }

    /// Waits for the next batch: all messages that one read completes, unexpected output, and reports of requests that
    /// could not be sent.
    ///
    /// \par Preconditions
    /// `async_open` has completed without an error. No other receive is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::span<inbound const>)`. The batch is empty exactly if there is an error. The batch is
    /// valid until the next receive is initiated, also after `close`.
    /// \par Errors
    /// `stream_ended`: the peer closed the stream between two lines. `truncated_line`: the stream ended inside a line.
    /// `line_too_long`: a line is longer than the configured maximum. `operation_aborted`: the connection was closed.
    /// The error of `S::write_some` if a write failed before, except `broken_pipe` at the end of the stream. Other
    /// errors of `S::async_read_some`. An error is delivered after all messages that were received before it. Every
    /// later receive completes with an error, or delivers reports of requests that were not sent.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor abort the operation, unless it delivers reports of
    /// requests that were not sent; see `close`.
    /// \par Executor
    /// Call on the connection's executor. The handler runs on its associated executor, by default that of the
    /// connection, never inside the initiating function. The handler may initiate the next receive, call `send`, or
    /// close or destroy the connection.
    /// \par Lifetime
    /// The connection may be destroyed during the operation, which then completes with `operation_aborted`, unless it
    /// delivers reports of requests that were not sent; see `close`. If the execution context is destroyed, the handler
    /// is destroyed without being invoked.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/transports, "stdio".
    template<asio::completion_token_for<void(error_code, std::span<inbound const>)> Token = asio::deferred_t>
    auto async_receive(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::span<inbound const>)>(
            detail::initiate<&core::receive>(core_), token);
    }

    /// Writes the queued messages as far as the stream accepts them, closes the stream gracefully, and then closes the
    /// connection. An outstanding receive completes with the remaining messages, or with `stream_ended`,
    /// `truncated_line` or `operation_aborted`.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// The errors of `S::async_shutdown`; for `stdio` `operation_aborted` if the connection is closed before the child
    /// process has terminated.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor abort the operation.
    /// \par Executor
    /// Call on the connection's executor. The handler runs on its associated executor, by default that of the
    /// connection, never inside the initiating function.
    /// \par Lifetime
    /// The connection may be destroyed during the operation.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&core::shutdown>(core_), token);
    }

    /// Queues a message, which is written in a posted handler, or, inside a receive handler, after that handler has
    /// returned.
    ///
    /// If the stream fails or is closed before it accepts the line end of a message with `id != 0`, a receive delivers
    /// one `inbound_report` with that id and `certainty::not_sent`. A message with id 0 is discarded in that case.
    ///
    /// \par Preconditions
    /// `async_open` has completed without an error.
    /// \par Exception safety
    /// `noexcept`. Memory exhaustion terminates the program.
    void send(outbound const& message) noexcept { core_->send(message); }

    /// Queues bytes, which are written after the messages that were sent before, without a line end and without
    /// changes. Servers of tests use the function for invalid messages and partial lines. The delivery is not
    /// reported. No effect after `close`.
    ///
    /// \par Preconditions
    /// `async_open` has completed without an error.
    /// \par Exception safety
    /// `noexcept`. Memory exhaustion terminates the program.
    void send_bytes(std::string_view bytes) noexcept { core_->send_bytes(bytes); }

    /// Returns the memory of the queued messages; null: the connection accepts no messages. The pointer is valid until
    /// the next function of the object is called. See the operation `output` of the concept `Transport`.
    text_buffer* output() noexcept { return core_->closed || core_->write_error ? nullptr : &core_->writes.output(); }

    /// Removes the request `id` from the write queue.
    ///
    /// \returns `abandon_result::not_sent` if the request was removed, and `abandon_result::peer_not_notified` if
    ///   writing has begun or the queue does not contain the request. The caller then sends `notifications/cancelled`.
    abandon_result abandon(request_id id) noexcept
    {
        return core_->writes.remove(id) ? abandon_result::not_sent : abandon_result::peer_not_notified;
    }

    /// Closes the stream and discards the queue immediately. Idempotent. Outstanding operations complete later, with
    /// `operation_aborted` if they have no result yet. If requests were not written completely, the next receive to
    /// complete instead delivers their reports with `certainty::not_sent`, and the receive after that completes with
    /// `operation_aborted`.
    void close() noexcept { core_->close(); }

private:
    using done_handler = detail::pending_handler<void(error_code)>;
    using receive_handler = detail::pending_handler<void(error_code, std::span<inbound const>)>;

    struct core;

    std::shared_ptr<core> core_;
};

// State of a connection, shared by the connection and its outstanding operations. Invariants: at most one
// `async_read_some` and one `async_wait_writable` are outstanding on the stream, and `receiver` is set exactly while a
// receive is outstanding.
template<Stream S>
struct line_connection<S>::core : std::enable_shared_from_this<core> {
    executor_type executor;
    S stream;
    // lines that the stream has not accepted; discarded by fail_writes() and close()
    write_queue writes;
    // bytes read and not delivered; the views of the last batch refer to its memory
    read_buffer reads;
    // splits `reads` into lines; holds the final error of the framing
    line_framing framing;
    // write_error: set once by fail_writes(); read_error: set by a failed read or by the framing. Both are final.
    error_code write_error, read_error;
    // set when a flush is posted; cleared when the posted handler runs
    bool flush_posted = false;
    // set while `async_wait_writable` is outstanding
    bool waiting_writable = false;
    // set while `async_read_some` is outstanding
    bool reading = false;
    // set by on_read(); cleared when the bytes are split into lines
    bool has_new_bytes = false;
    // set while the handler of a receive runs: its messages are flushed afterwards, without a posted handler
    bool delivering = false;
    // set when a delivery is posted; cleared when the posted handler runs
    bool wake_posted = false;
    // set once by close()
    bool closed = false;
    // last batch delivered; rebuilt by deliver()
    std::vector<inbound> batch;
    // requests to report as not sent in the next batch; cleared by deliver()
    std::vector<request_id> unsent;
    // handler of the outstanding receive; set by receive(), cleared by deliver(), or by drop_receiver when the
    // execution context destroys an intermediate handler
    receive_handler receiver;

    // Scope of the invocation of a receive handler. Messages that the handler sends are flushed at the end of the
    // scope, also if the handler throws.
    struct delivery {
        explicit delivery(core& of) noexcept : self(of) { self.delivering = true; }

        ~delivery()
        {
            self.delivering = false;
            self.flush();
        }

        core& self;
    };

    // Destroys the handler of the outstanding receive.
    struct drop_receiver {
        void operator()(core& self) const noexcept { receive_handler const dropped = std::exchange(self.receiver, {}); }
    };

    // Returns a guard for an intermediate handler on the way to the completion of a receive. If the execution context
    // destroys the handler, the guard also destroys the handler of the receive, which may own this connection and would
    // otherwise form a cycle of ownership.
    auto receiver_guard()
    {
        return detail::completion_guard<core, drop_receiver>(this->shared_from_this(), drop_receiver());
    }

    core(executor_type ex, config_type const& config)
        : executor(std::move(ex)), stream(executor, config), framing(max_line_of(config))
    {}

    static constexpr bool may_write_after_end = requires { requires S::may_write_after_end; };

    static std::size_t max_line_of([[maybe_unused]] config_type const& config) noexcept
    {
        if constexpr (requires { config.max_line; })
            return config.max_line;
        else
            return line_framing::default_max_line;
    }

    executor_type const& get_executor() const noexcept { return executor; }

    // Returns the text about the line limit that the peer exceeded; empty: none was exceeded.
    std::string line_limit_text() const
    {
        if (read_error != error::line_too_long)
            return {};
        return "line of the peer exceeds max_line, " + std::to_string(framing.max_line()) +
               " bytes; raise max_line, or shorten the lines of the peer";
    }

    void open(done_handler done)
    {
        error_code ec;
        stream.open(ec);
        detail::post_handler(executor, [done = std::move(done), ec]() mutable { done.complete(ec); });
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
        flush_later();
    }

    void send_bytes(std::string_view bytes) noexcept
    {
        if (closed || write_error)
            return;
        writes.add_bytes(bytes);
        flush_later();
    }

    void flush_later()
    {
        if (!delivering && !waiting_writable && !std::exchange(flush_posted, true))
            asio::post(executor, [self = this->shared_from_this()] {
                self->flush_posted = false;
                self->flush();
            });
    }

    void flush()
    {
        while (!closed && !write_error && !waiting_writable && !writes.empty()) {
            auto const bytes = writes.front();
            error_code ec;
            writes.accepted(stream.write_some(asio::const_buffer(bytes.data(), bytes.size()), ec));
            if (ec == asio::error::would_block || ec == asio::error::try_again)
                wait_until_writable();
            else if (ec)
                fail_writes(ec);
        }
    }

    void wait_until_writable()
    {
        waiting_writable = true;
        stream.async_wait_writable([self = this->shared_from_this()](error_code ec) {
            self->waiting_writable = false;
            if (!ec)
                self->flush();
        });
    }

    // Reading continues, because the peer may still send responses.
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
        if (closed || read_error || has_new_bytes || !unsent.empty())
            wake();
        else
            read();
    }

    void wake()
    {
        if (receiver && !std::exchange(wake_posted, true))
            asio::post(executor, [guard = receiver_guard()]() mutable {
                auto const self = guard.release();
                self->wake_posted = false;
                if (self->receiver)
                    self->deliver();
            });
    }

    void read()
    {
        if (std::exchange(reading, true))
            return;
        auto const room = reads.prepare();
        stream.async_read_some(asio::mutable_buffer(room.data(), room.size()),
                               [guard = receiver_guard()](error_code ec, std::size_t size) mutable {
                                   guard.release()->on_read(ec, size);
                               });
    }

    void on_read(error_code ec, std::size_t size)
    {
        reading = false;
        has_new_bytes = true;
        reads.commit(size);
        // An earlier write error replaces the read error. Exception: `broken_pipe` with eof means that the peer has
        // exited, and is reported as the end of the stream.
        bool const has_exited = ec == asio::error::eof && write_error == asio::error::broken_pipe;
        read_error = ec && write_error && !has_exited ? write_error : ec;
        if (receiver)
            deliver();
    }

    void split_lines()
    {
        has_new_bytes = false;
        auto const lines = framing.resume(reads.bytes());
        reads.keep(lines.keep);
        for (auto const line : lines.lines)
            append(line);
        if (lines.ec)
            read_error = lines.ec;
        else if (read_error == asio::error::eof)
            read_error = framing.finish().ec;
    }

    // The receiver may initiate the next receive, or close the connection, before `complete` returns.
    void deliver()
    {
        batch.clear();
        if (has_new_bytes)
            split_lines();
        bool const may_write = may_write_after_end && read_error == error::stream_ended;
        if (read_error && !write_error && !may_write)
            fail_writes(read_error); // after the end of the stream, the peer does not receive messages either
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
