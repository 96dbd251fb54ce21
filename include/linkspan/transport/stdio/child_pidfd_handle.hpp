#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_PIDFD_HANDLE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_PIDFD_HANDLE_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/transport/stdio/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/system_category.hpp>

#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <utility>

namespace linkspan {

/// Watches, kills and reaps a child, through its pidfd. The end of the child is the end of its process group: what it
/// started and left behind in the group is killed when it is reaped, while nobody else can have its id.
///
/// Thread safety: distinct handles, safe; one handle, not.
class pidfd_process_handle {
public:
    /// Takes over a child that leads a process group. Errors: those of the reactor; the child is dead then.
    pidfd_process_handle(asio::any_io_executor executor, pid_t pid, detail::unique_fd pidfd, error_code& ec)
        : child_(std::make_shared<child>(child{pid, pidfd.get()})), descriptor_(std::move(executor))
    {
        descriptor_.assign(pidfd.get(), ec);
        if (ec)
            end();
        else
            pidfd.release();
    }

    pidfd_process_handle(pidfd_process_handle const&) = delete;
    pidfd_process_handle& operator=(pidfd_process_handle const&) = delete;

    /// Kills and reaps. Waits that are out complete later, with `operation_aborted`.
    ~pidfd_process_handle()
    {
        end();
        child_->closed = true;
    }

    pid_t pid() const noexcept { return child_->pid; }

    /// Waits for the end of the child, and reaps it.
    ///
    /// Handler: `void(error_code, exit_status)`; never called from within this function.
    /// Errors: `operation_aborted` when the handle is destroyed; ECHILD when somebody else reaped the child, or the
    ///         program ignores SIGCHLD: it has ended then, and its status is lost.
    template<class Handler>
    void async_wait(Handler&& handler)
    {
        watch({std::forward<Handler>(handler), descriptor_.get_executor()});
    }

    /// Reaps the child if it has ended. Empty: it has not, or its status is lost.
    std::optional<exit_status> try_reap() noexcept
    {
        child_->reap();
        return child_->status;
    }

    /// Sends a signal to the child and to what it started in its group; nothing once the child is reaped.
    void kill_group(int signal) noexcept
    {
        if (!child_->reaped)
            detail::kill_group(child_->pid, child_->pidfd, signal);
    }

    /// Kills and reaps at once. Blocks until the kernel is done with the child, for some 100 us as a rule.
    std::optional<exit_status> end() noexcept
    {
        kill_group(SIGKILL);
        child_->await_end();
        child_->reap();
        return child_->status;
    }

private:
    using wait_handler = detail::pending_handler<void(error_code, exit_status)>;

    // That the descriptor is ready may be a mistake: an event of one that was closed in the same turn of the loop goes
    // to whoever took its place in Asio (test: a_stale_event_is_not_the_end_of_a_child).
    void watch(wait_handler done)
    {
        descriptor_.async_wait(asio::posix::descriptor_base::wait_read,
                               [this, child = child_, done = std::move(done)](error_code ec) mutable {
                                   if (child->closed)
                                       ec = asio::error::operation_aborted;
                                   else if (!ec)
                                       ec = child->reap();
                                   if (!ec && !child->reaped)
                                       watch(std::move(done));
                                   else
                                       done.complete(ec, child->status.value_or(exit_status()));
                               });
    }

    // A completion that is under way may outlive the handle.
    struct child {
        pid_t pid;
        int pidfd; // valid until `closed`
        bool reaped = false;
        bool closed = false;
        std::optional<exit_status> status{};

        error_code reap() noexcept;
        void await_end() const noexcept;
    };

    std::shared_ptr<child> child_;
    asio::posix::stream_descriptor descriptor_;
};

// Nothing happens while the child is running.
inline error_code pidfd_process_handle::child::reap() noexcept
{
    siginfo_t info{};
    auto const id = static_cast<id_t>(pidfd);
    if (!reaped && ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        if (info.si_pid == 0)
            return {};
        // Before the id is free: the group keeps its number only as long as it has members.
        ::kill(-pid, SIGKILL);
        ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG);
        status = exit_status{.signalled = info.si_code != CLD_EXITED, .value = info.si_status};
    }
    reaped = true;
    return status ? error_code() : error_code(ECHILD, boost::system::system_category());
}

// Asio makes the descriptor non-blocking, and on such a one waitid does not wait.
inline void pidfd_process_handle::child::await_end() const noexcept
{
    pollfd wanted{.fd = pidfd, .events = POLLIN, .revents = 0};
    while (!reaped && ::poll(&wanted, 1, -1) < 0 && errno == EINTR) {
    }
}

} // namespace linkspan

#endif
