#ifndef LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_STATE_IPP
#define LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_STATE_IPP

#include <linkspan/core/detail/erased_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/sigpipe_block.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/transport/stdio/detail/child_state.hpp>

#include <boost/asio/error.hpp>
#include <boost/assert.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void child_state::open(error_code& ec)
{
    if (pid_ != 0 || closed_) {
        ec = asio::error::already_open;
        return;
    }
    auto& keeper = child_keeper::of(executor_);
    auto child = keeper.launch(config_, ec, launch_failure_);
    if (ec)
        return;
    keeper_ = &keeper;
    pid_ = child.pid;
    process_ = std::make_unique<default_process_handle>(executor_, child.pid, std::move(child.pidfd), ec);
    enlarge(child.to);
    enlarge(child.from);
    adopt(stdin_, std::move(child.to), ec);
    adopt(stdout_, std::move(child.from), ec);
    adopt(stderr_, std::move(child.errors), ec);
    if (ec) {
        launch_failure_ = "cannot watch child process " + config_.command + ": " + ec.message();
        close();
        pid_ = 0;
        return;
    }
    await_exit();
    watch_stderr();
}

// A larger pipe reduces the number of reads for large messages. The kernel refuses if the user has many pipes.
LINKSPAN_DECL void child_state::enlarge(unique_fd const& pipe) noexcept
{
    ::fcntl(pipe.get(), F_SETPIPE_SZ, 256 * 1024);
}

LINKSPAN_DECL void child_state::adopt(descriptor& target, unique_fd source, error_code& ec)
{
    if (!ec)
        target.assign(source.get(), ec);
    if (ec)
        return;
    source.release();
    target.non_blocking(true, ec);
}

// Reads without blocking. Returns the number of bytes; 0: the end of the stream; empty: no bytes are available.
LINKSPAN_DECL std::optional<std::size_t> child_state::read_now(descriptor& source, asio::mutable_buffer buffer) noexcept
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

LINKSPAN_DECL std::size_t child_state::write_some(asio::const_buffer bytes, error_code& ec)
{
    if (exited_ || !stdin_.is_open()) {
        ec = asio::error::broken_pipe;
        return 0;
    }
    sigpipe_block const block(config_.sigpipe_is_ignored || is_sigpipe_blocked);
    bool const may_consume = block.may_consume();
    auto const size = stdin_.write_some(bytes, ec);
    if (ec == asio::error::broken_pipe && may_consume)
        block.consume();
    pipe_ended_ = pipe_ended_ || ec == asio::error::broken_pipe;
    return size;
}

LINKSPAN_DECL void child_state::wait_writable(wait_handler done)
{
    erased_handler<void(error_code)> on_ready(
        [self = shared_from_this(), done = std::move(done)](error_code ec) mutable {
            if (self->closed_ || self->shutting_down_)
                ec = asio::error::operation_aborted;
            else if (self->exited_)
                ec = {};
            done.complete(ec);
        });
    stdin_.async_wait(descriptor::wait_write, std::move(on_ready));
    error_code ignored;
    if (exited_)
        stdin_.cancel(ignored);
}

// Reading

LINKSPAN_DECL void child_state::read_some(asio::mutable_buffer buffer, read_handler done)
{
    BOOST_ASSERT(!reading_);
    reading_ = true;
    stdout_.async_read_some(
        buffer, [self = shared_from_this(), buffer, done = std::move(done)](error_code ec, std::size_t size) mutable {
            self->finish_read(buffer, std::move(done), ec, size);
        });
    // Other processes may have inherited the pipe, so its end may not be signalled.
    error_code ignored;
    if (exited_ || output_discarded_)
        stdout_.cancel(ignored);
}

LINKSPAN_DECL void child_state::finish_read(asio::mutable_buffer buffer, read_handler done, error_code ec,
                                            std::size_t size)
{
    reading_ = false;
    pipe_ended_ = pipe_ended_ || ec == asio::error::eof;
    if (exited_ && ec == asio::error::operation_aborted) {
        size = read_now(stdout_, buffer).value_or(0);
        ec = size > 0 ? error_code() : asio::error::eof;
    }
    if (closed_ || output_discarded_) {
        size = 0;
        ec = closed_ ? error_code(asio::error::operation_aborted) : error_code(asio::error::eof);
    }
    done.complete(ec, size);
}

// Termination of the child process

LINKSPAN_DECL void child_state::await_exit()
{
    process_->async_wait([self = shared_from_this()](error_code ec, exit_status status) {
        if (!self->closed_)
            self->on_exit(ec, status);
    });
}

LINKSPAN_DECL void child_state::on_exit(error_code ec, exit_status status)
{
    exited_ = true;
    forget();
    if (!ec)
        status_ = status;
    escalation_timer_.cancel();
    // The cancelled operations check `exited_`.
    error_code ignored;
    stdin_.cancel(ignored);
    stdout_.cancel(ignored);
    read_stderr();
    lines_.finish();
    stderr_.close(ignored);
    shutdown_done_.cancel();
    deliver_lines();
}

// Ends the protection of the process group. Called when the process is reaped and its group is killed, because the id
// may be reused from then on.
LINKSPAN_DECL void child_state::forget() noexcept
{
    if (auto* const keeper = std::exchange(keeper_, nullptr))
        keeper->forget(pid_);
}

LINKSPAN_DECL void child_state::shut_down(wait_handler done)
{
    start_wait(shutdown_done_, [self = shared_from_this(), done = std::move(done)](error_code) mutable {
        done.complete(self->closed_ ? asio::error::operation_aborted : error_code());
    });
    if (has_ended())
        shutdown_done_.cancel();
    if (std::exchange(shutting_down_, true) || has_ended())
        return;
    error_code ignored;
    stdin_.close(ignored);
    drain_stdout();
    escalate(config_.close_grace, SIGTERM);
}

LINKSPAN_DECL void child_state::escalate(duration grace, int signal)
{
    escalation_timer_.expires_after(grace);
    start_wait(escalation_timer_, [self = shared_from_this(), signal](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        self->sent_signal_ = signal;
        self->process_->kill_group(signal);
        if (signal != SIGKILL)
            self->escalate(self->config_.term_grace, SIGKILL);
    });
}

// A child process that blocks in a write does not read the end of its input. A read of the owner precedes this wait in
// the queue of the reactor, so no output is discarded while the owner reads.
LINKSPAN_DECL void child_state::drain_stdout()
{
    erased_handler<void(error_code)> on_ready([self = shared_from_this()](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        if (!self->reading_) {
            std::array<char, 4096> dropped;
            auto const size = read_now(self->stdout_, asio::buffer(dropped));
            if (size == std::size_t{0})
                return;
            self->output_discarded_ = self->output_discarded_ || size;
        }
        self->drain_stdout();
    });
    stdout_.async_wait(descriptor::wait_read, std::move(on_ready));
}

LINKSPAN_DECL void child_state::close() noexcept
{
    if (std::exchange(closed_, true))
        return;
    if (process_) {
        // The kernel closes the pipes of a process before the process can be reaped: a process with a closed pipe may
        // have been terminated by another signal, which the status does not distinguish from the signal of end().
        if (!exited_ && !pipe_ended_ && !process_->try_reap())
            sent_signal_ = SIGKILL;
        if (auto const status = process_->end())
            status_ = status;
        process_.reset();
        forget();
    }
    read_stderr();
    error_code ignored;
    stdin_.close(ignored);
    stdout_.close(ignored);
    stderr_.close(ignored);
    escalation_timer_.cancel();
    shutdown_done_.cancel();
}

// stderr

// Waits until stderr is readable, and then reads without blocking. An outstanding asynchronous read could already have
// taken bytes that diagnostics() needs.

LINKSPAN_DECL void child_state::watch_stderr()
{
    erased_handler<void(error_code)> on_ready([self = shared_from_this()](error_code ec) {
        if (ec || self->closed_ || self->exited_)
            return;
        if (self->read_stderr())
            self->watch_stderr();
        else
            self->lines_.finish();
        self->deliver_lines();
    });
    stderr_.async_wait(descriptor::wait_read, std::move(on_ready));
}

// Returns false at the end of the stream. One call reads at most 256 KiB, so a fast writer cannot block the event loop.
LINKSPAN_DECL bool child_state::read_stderr()
{
    std::array<char, 4096> piece;
    for (int i = 0; i < 64; ++i) {
        auto const size = read_now(stderr_, asio::buffer(piece));
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

LINKSPAN_DECL void child_state::read_pending_stderr()
{
    auto const seen = tail_.seen();
    read_stderr();
    if (config_.on_stderr && tail_.seen() != seen)
        post_handler(executor_, [self = shared_from_this()] { self->deliver_lines(); });
}

// Passes the complete lines to the callback, which may close the stream.
LINKSPAN_DECL void child_state::deliver_lines()
{
    while (config_.on_stderr && !closed_) {
        auto const line = lines_.next();
        if (!line)
            return;
        config_.on_stderr(*line);
    }
}

// Text

LINKSPAN_DECL std::string child_state::describe_status() const
{
    bool const was_terminated = status_ && status_->signalled && status_->value == sent_signal_;
    if (status_)
        return to_string(*status_) + (was_terminated ? ", which the client sent" : "");
    return exited_ || closed_ ? "ended with unknown exit status" : "running";
}

LINKSPAN_DECL std::string child_state::diagnostics()
{
    if (pid_ == 0)
        return launch_failure_.empty() ? "not started" : launch_failure_;
    if (process_ && !status_)
        status_ = process_->try_reap();
    constexpr std::size_t max_excerpt = 4096;
    auto const tail = stderr_tail();
    auto const excerpt = tail.substr(tail.size() - std::min(tail.size(), max_excerpt));
    auto text = "pid " + std::to_string(pid_) + ' ' + describe_status();
    if (!excerpt.empty())
        text += "; stderr, the last " + std::to_string(excerpt.size()) + " of " + std::to_string(stderr_size()) +
                " bytes:\n" + std::string(excerpt);
    return text;
}

} // namespace linkspan::detail

#endif
