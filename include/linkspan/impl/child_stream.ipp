#ifndef LINKSPAN_IMPL_CHILD_STREAM_IPP
#define LINKSPAN_IMPL_CHILD_STREAM_IPP

#include <linkspan/transport/child_stream.hpp>

#include <linkspan/time.hpp>
#include <linkspan/transport/child_handle.hpp>
#include <linkspan/transport/child_process.hpp>
#include <linkspan/transport/child_stderr.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <unistd.h>

namespace linkspan {
namespace detail {

// Keeps a write from raising SIGPIPE, without a change that the rest of the program could see.
class sigpipe_block {
public:
    sigpipe_block() noexcept
    {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }

    ~sigpipe_block()
    {
        if (!was_blocked())
            ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    // Only a signal that was blocked before can have been pending before, and must stay so.
    bool may_consume() const noexcept
    {
        sigset_t pending;
        return !was_blocked() || (::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 0);
    }

    // After EPIPE.
    void consume() const noexcept
    {
        constexpr timespec now{};
        while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
        }
    }

private:
    bool was_blocked() const noexcept { return ::sigismember(&before_, SIGPIPE) == 1; }

    sigset_t pipe_, before_;
};

// The child and its pipes. The operations that are out own it, so that the stream may go before them.
class child_state : public std::enable_shared_from_this<child_state> {
public:
    using wait_handler = pending_handler<void(error_code)>;
    using read_handler = pending_handler<void(error_code, std::size_t)>;

    child_state(asio::any_io_executor const& executor, stdio_config const& config)
        : config_(config), executor_(executor), to_(executor), from_(executor), errors_(executor), exit_grace_(executor),
          stage_(executor), finished_(executor), tail_(config.stderr_tail)
    {
        finished_.expires_at(time_point::max());
    }

    void open(error_code& ec);
    std::size_t write_some(asio::const_buffer bytes, error_code& ec);
    void wait_writable(wait_handler done);
    void read_some(asio::mutable_buffer buffer, read_handler done);
    void shut_down(wait_handler done);
    void close() noexcept;

    std::string diagnostics();
    pid_t pid() const noexcept { return pid_; }
    std::size_t stderr_size() const noexcept { return tail_.seen(); }

    std::string_view stderr_tail()
    {
        catch_up_with_stderr();
        return tail_.view();
    }

private:
    using descriptor = asio::posix::stream_descriptor;

    static void enlarge(unique_fd const& pipe) noexcept;
    static void adopt(descriptor& target, unique_fd source, error_code& ec);
    static std::optional<std::size_t> read_now(descriptor& source, asio::mutable_buffer buffer) noexcept;

    void finish_read(asio::mutable_buffer buffer, read_handler done, error_code ec, std::size_t size);
    void finish_read_at_exit(read_handler done);
    error_code end_of_stdout() const noexcept;
    void await_exit();
    void on_exit(error_code ec, exit_status status);
    bool is_over() const noexcept { return exited_ || !process_; }
    std::string describe_status() const;

    void watch_stderr();
    bool read_stderr();
    void catch_up_with_stderr();
    void deliver_lines();

    void drain_stdout();
    void escalate(duration grace, int signal);

    stdio_config const config_;
    asio::any_io_executor executor_;
    descriptor to_, from_, errors_;
    std::unique_ptr<default_process_handle> process_; // from `open` until `close`
    timer exit_grace_;                                // from the end of stdout to the exit status
    timer stage_;                                     // of a shutdown
    timer finished_;                                  // never expires: cancelled when a shutdown is over

    pid_t pid_ = 0;
    std::string launch_failure_;
    std::optional<exit_status> status_;
    bool exited_ = false; // and reaped; the status may be lost
    bool closed_ = false;
    bool shutting_down_ = false;
    bool reading_ = false;
    bool has_gap_ = false; // bytes of stdout were dropped

    byte_tail tail_;
    line_cutter lines_; // used with a callback only
};

inline void child_state::open(error_code& ec)
{
    if (pid_ != 0 || closed_) {
        ec = asio::error::already_open;
        return;
    }
    auto child = launch(config_, ec, launch_failure_);
    if (ec)
        return;
    process_ = std::make_unique<default_process_handle>(executor_, child.pid, std::move(child.pidfd), ec);
    enlarge(child.to);
    enlarge(child.from);
    adopt(to_, std::move(child.to), ec);
    adopt(from_, std::move(child.from), ec);
    adopt(errors_, std::move(child.errors), ec);
    if (ec) {
        launch_failure_ = "cannot watch " + config_.command + ": " + ec.message();
        close();
        return;
    }
    pid_ = child.pid;
    await_exit();
    watch_stderr();
}

// Fewer turns of the loop for large messages. The kernel refuses where a user has many pipes already.
inline void child_state::enlarge(unique_fd const& pipe) noexcept { ::fcntl(pipe.get(), F_SETPIPE_SZ, 256 * 1024); }

inline void child_state::adopt(descriptor& target, unique_fd source, error_code& ec)
{
    if (!ec)
        target.assign(source.get(), ec);
    if (ec)
        return;
    source.release();
    target.non_blocking(true, ec);
}

// Empty: nothing there yet. 0: the end.
inline std::optional<std::size_t> child_state::read_now(descriptor& source, asio::mutable_buffer buffer) noexcept
{
    ssize_t size;
    do
        size = ::read(source.native_handle(), buffer.data(), buffer.size());
    while (size < 0 && errno == EINTR);
    if (size < 0 && errno == EAGAIN)
        return std::nullopt;
    return static_cast<std::size_t>(std::max<ssize_t>(size, 0));
}

// Writing

inline std::size_t child_state::write_some(asio::const_buffer bytes, error_code& ec)
{
    if (exited_ || !to_.is_open()) {
        ec = asio::error::broken_pipe;
        return 0;
    }
    sigpipe_block const block;
    bool const may_consume = block.may_consume();
    auto const size = to_.write_some(bytes, ec);
    if (ec == asio::error::broken_pipe && may_consume)
        block.consume();
    return size;
}

inline void child_state::wait_writable(wait_handler done)
{
    to_.async_wait(descriptor::wait_write, [self = shared_from_this(), done = std::move(done)](error_code ec) mutable {
        if (self->closed_ || self->shutting_down_)
            ec = asio::error::operation_aborted;
        else if (self->exited_)
            ec = {};
        done.complete(ec);
    });
    error_code ignored;
    if (exited_)
        to_.cancel(ignored);
}

// Reading

inline void child_state::read_some(asio::mutable_buffer buffer, read_handler done)
{
    BOOST_ASSERT(!reading_);
    reading_ = true;
    from_.async_read_some(buffer, [self = shared_from_this(), buffer, done = std::move(done)](
                                      error_code ec, std::size_t size) mutable {
        self->finish_read(buffer, std::move(done), ec, size);
    });
    // Others may hold the pipe open, so the end need not come by itself.
    error_code ignored;
    if (exited_ || has_gap_)
        from_.cancel(ignored);
}

inline void child_state::finish_read(asio::mutable_buffer buffer, read_handler done, error_code ec, std::size_t size)
{
    reading_ = false;
    if (exited_ && ec == asio::error::operation_aborted) {
        size = read_now(from_, buffer).value_or(0);
        ec = size > 0 ? error_code() : asio::error::eof;
    }
    if (closed_ || has_gap_) {
        size = 0;
        ec = end_of_stdout();
    }
    if (ec == asio::error::eof && !exited_)
        finish_read_at_exit(std::move(done));
    else
        done.complete(ec, size);
}

// A process that ends closes its pipes a moment before it has a status. One that lives on is not waited for.
inline void child_state::finish_read_at_exit(read_handler done)
{
    exit_grace_.expires_after(std::chrono::milliseconds(100));
    exit_grace_.async_wait([self = shared_from_this(), done = std::move(done)](error_code) mutable {
        done.complete(self->end_of_stdout(), 0);
    });
}

inline error_code child_state::end_of_stdout() const noexcept
{
    return closed_ ? error_code(asio::error::operation_aborted) : error_code(asio::error::eof);
}

// The end of the child

inline void child_state::await_exit()
{
    process_->async_wait([self = shared_from_this()](error_code ec, exit_status status) {
        if (!self->closed_)
            self->on_exit(ec, status);
    });
}

inline void child_state::on_exit(error_code ec, exit_status status)
{
    exited_ = true;
    if (!ec)
        status_ = status;
    exit_grace_.cancel();
    stage_.cancel();
    // Those who wait look at `exited_`.
    error_code ignored;
    to_.cancel(ignored);
    from_.cancel(ignored);
    read_stderr();
    lines_.finish();
    errors_.close(ignored);
    finished_.cancel();
    deliver_lines();
}

inline void child_state::shut_down(wait_handler done)
{
    finished_.async_wait([self = shared_from_this(), done = std::move(done)](error_code) mutable {
        done.complete(self->closed_ ? asio::error::operation_aborted : error_code());
    });
    if (is_over())
        finished_.cancel();
    if (std::exchange(shutting_down_, true) || is_over())
        return;
    error_code ignored;
    to_.close(ignored);
    drain_stdout();
    escalate(config_.close_grace, SIGTERM);
}

inline void child_state::escalate(duration grace, int signal)
{
    stage_.expires_after(grace);
    stage_.async_wait([self = shared_from_this(), signal](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        self->process_->kill_group(signal);
        if (signal != SIGKILL)
            self->escalate(self->config_.term_grace, SIGKILL);
    });
}

// A child that blocks in a write does not see the end of its input. The owner's reads come first: they stand before
// this wait in the reactor's queue.
inline void child_state::drain_stdout()
{
    from_.async_wait(descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        if (!self->reading_) {
            std::array<char, 4096> dropped;
            auto const size = read_now(self->from_, asio::buffer(dropped));
            if (size == std::size_t{0})
                return;
            self->has_gap_ = self->has_gap_ || size;
        }
        self->drain_stdout();
    });
}

inline void child_state::close() noexcept
{
    if (std::exchange(closed_, true))
        return;
    if (process_) {
        if (auto const status = process_->end())
            status_ = status;
        process_.reset();
    }
    read_stderr();
    error_code ignored;
    to_.close(ignored);
    from_.close(ignored);
    errors_.close(ignored);
    exit_grace_.cancel();
    stage_.cancel();
    finished_.cancel();
}

// stderr. A wait and then a read, not an asynchronous read: so no byte is on its way when others look.

inline void child_state::watch_stderr()
{
    errors_.async_wait(descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        if (self->read_stderr())
            self->watch_stderr();
        else
            self->lines_.finish();
        self->deliver_lines();
    });
}

// False at the end. One call reads no more than a pipe can hold, however fast the child writes.
inline bool child_state::read_stderr()
{
    std::array<char, 4096> piece;
    for (int i = 0; i < 64; ++i) {
        auto const size = read_now(errors_, asio::buffer(piece));
        if (!size)
            return true;
        if (*size == 0)
            return false;
        std::string_view const bytes(piece.data(), *size);
        tail_.append(bytes);
        if (config_.on_stderr)
            lines_.append(bytes);
    }
    return true;
}

inline void child_state::catch_up_with_stderr()
{
    auto const seen = tail_.seen();
    read_stderr();
    if (config_.on_stderr && tail_.seen() != seen)
        asio::post(executor_, [self = shared_from_this()] { self->deliver_lines(); });
}

// The callback may close the stream.
inline void child_state::deliver_lines()
{
    while (config_.on_stderr && !closed_) {
        auto const line = lines_.next();
        if (!line)
            return;
        config_.on_stderr(*line);
    }
}

// Text

inline std::string child_state::describe_status() const
{
    if (status_)
        return to_string(*status_);
    return exited_ || closed_ ? "ended, and its exit status is lost" : "running";
}

inline std::string child_state::diagnostics()
{
    if (pid_ == 0)
        return launch_failure_.empty() ? "not started" : launch_failure_;
    if (process_ && !status_)
        status_ = process_->try_reap();
    constexpr std::size_t last_words = 4096;
    auto const tail = stderr_tail();
    auto const shown = tail.substr(tail.size() - std::min(tail.size(), last_words));
    auto text = "pid " + std::to_string(pid_) + ' ' + describe_status();
    if (!shown.empty())
        text += "; stderr, the last " + std::to_string(shown.size()) + " of " + std::to_string(stderr_size()) +
                " bytes:\n" + std::string(shown);
    return text;
}

} // namespace detail

LINKSPAN_DECL child_stream::child_stream(asio::any_io_executor executor, config_type const& config)
    : executor_(std::move(executor)), state_(std::make_shared<detail::child_state>(executor_, config))
{}

LINKSPAN_DECL child_stream::~child_stream() { close(); }

LINKSPAN_DECL void child_stream::open(error_code& ec) { state_->open(ec); }

LINKSPAN_DECL std::size_t child_stream::write_some(asio::const_buffer bytes, error_code& ec)
{
    return state_->write_some(bytes, ec);
}

LINKSPAN_DECL void child_stream::close() noexcept { state_->close(); }

LINKSPAN_DECL std::string child_stream::diagnostics() const { return state_->diagnostics(); }

LINKSPAN_DECL pid_t child_stream::pid() const noexcept { return state_->pid(); }

LINKSPAN_DECL std::string_view child_stream::stderr_tail() const { return state_->stderr_tail(); }

LINKSPAN_DECL std::size_t child_stream::stderr_size() const noexcept { return state_->stderr_size(); }

LINKSPAN_DECL void child_stream::wait_writable(detail::pending_handler<void(error_code)> done)
{
    state_->wait_writable(std::move(done));
}

LINKSPAN_DECL void child_stream::read_some(asio::mutable_buffer buffer,
                                           detail::pending_handler<void(error_code, std::size_t)> done)
{
    state_->read_some(buffer, std::move(done));
}

LINKSPAN_DECL void child_stream::shut_down(detail::pending_handler<void(error_code)> done)
{
    state_->shut_down(std::move(done));
}

} // namespace linkspan

#endif
