#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_PIDFD_HANDLE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_PIDFD_HANDLE_HPP

#include <linkspan/core/detail/erased_handler.hpp>
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
#include <sys/wait.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Owner of a child process: waits for it, sends signals to its process group, and reaps it, through its pidfd.
///
/// The process group ends with the child process: processes that the child process started and left in the group are
/// killed immediately before the child process is reaped, while its id cannot be reused.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class pidfd_process_handle {
public:
    /// Takes ownership of a child process that leads a process group.
    ///
    /// \param executor Default executor of the handlers.
    /// \param pid Process id, which is also the id of the process group.
    /// \param pidfd Descriptor that refers to the process.
    /// \param ec Set to an error of the reactor if the descriptor cannot be registered; the process is killed and
    ///   reaped in that case.
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

    /// Kills the process group and reaps the child process. Outstanding waits complete later, with `operation_aborted`.
    ~pidfd_process_handle()
    {
        end();
        child_->closed = true;
    }

    /// Returns the process id, also after the process was reaped.
    pid_t pid() const noexcept { return child_->pid; }

    /// Waits until the child process has terminated, and reaps it.
    ///
    /// \par Completion signature
    /// `void(error_code, exit_status)`. On error, the status has no meaning.
    /// \par Errors
    /// `operation_aborted`: the handle was destroyed. `ECHILD`: the process has terminated, but its status is unknown,
    /// because other code reaped it or the program ignores SIGCHLD.
    /// \par Cancellation
    /// Cancellation signals are ignored. The destructor aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, by default that of the handle, never inside the initiating
    /// function.
    /// \par Lifetime
    /// The handle may be destroyed during the operation.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_wait(Handler&& handler)
    {
        watch({std::forward<Handler>(handler), descriptor_.get_executor()});
    }

    /// Reaps the child process if it has terminated, and returns its status. Empty: the process is running, or its
    /// status is unknown.
    std::optional<exit_status> try_reap() noexcept
    {
        child_->reap();
        return child_->status;
    }

    /// Sends `signal` to the process group. Has no effect if the child process was reaped.
    void kill_group(int signal) noexcept
    {
        if (!child_->reaped)
            detail::kill_group(child_->pid, child_->pidfd, signal);
    }

    /// Kills the process group and reaps the child process. Blocks until the kernel has terminated the process,
    /// typically for about 100 us. Returns the status; empty: the status is unknown.
    std::optional<exit_status> end() noexcept
    {
        kill_group(SIGKILL);
        child_->await_end();
        child_->reap();
        return child_->status;
    }

private:
    using wait_handler = detail::pending_handler<void(error_code, exit_status)>;

    // Readiness of the descriptor may be spurious: Asio delivers an event of a descriptor that was closed in the same
    // turn of the loop to the descriptor that reuses its state (test: test/process/child_process.cpp).
    void watch(wait_handler done)
    {
        detail::erased_handler<void(error_code)> on_ready(
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
        descriptor_.async_wait(asio::posix::descriptor_base::wait_read, std::move(on_ready));
    }

    // State of the process, shared with outstanding waits, which may outlive the handle.
    struct child {
        // process id and id of the process group
        pid_t pid;
        int pidfd; // valid until `closed`
        // set when the process was reaped, by this handle or by other code
        bool reaped = false;
        // set by the destructor of the handle
        bool closed = false;
        // set when this handle reaps the process; empty if other code did
        std::optional<exit_status> status{};

        error_code reap() noexcept;
        void await_end() const noexcept;
    };

    std::shared_ptr<child> child_;              // set by the constructor, never null
    asio::posix::stream_descriptor descriptor_; // owns the pidfd
};

// Has no effect while the process is running.
inline error_code pidfd_process_handle::child::reap() noexcept
{
    siginfo_t info{};
    auto const id = static_cast<id_t>(pidfd);
    if (!reaped && ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        if (info.si_pid == 0)
            return {};
        // The group is killed before the process is reaped, because the group id is reserved only as long as the group
        // has members.
        ::kill(-pid, SIGKILL);
        ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG);
        status = exit_status{.signalled = info.si_code != CLD_EXITED, .value = info.si_status};
    }
    reaped = true;
    return status ? error_code() : error_code(ECHILD, boost::system::system_category());
}

// Waits by the process id, because Asio makes the descriptor non-blocking, and waitid does not block on such a
// descriptor. A poll of the descriptor is not sufficient: a process that a debugger traces is terminated before its
// parent can reap it, namely when the debugger has released it.
inline void pidfd_process_handle::child::await_end() const noexcept
{
    siginfo_t info{};
    bool const is_running = !reaped &&
                            ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                            info.si_pid == 0;
    while (is_running && ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
}

} // namespace linkspan

#endif
