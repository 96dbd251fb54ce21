#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_BOOST_HANDLE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_BOOST_HANDLE_HPP

#include <linkspan/core/detail/erased_handler.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/transport/stdio/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
// Included before process_handle.hpp, which does not compile alone in Boost 1.81 (test: the translation unit of this
// header).
#include <boost/process/v2/error.hpp>
#include <boost/process/v2/process_handle.hpp>
#include <boost/system/system_category.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Owner of a child process, implemented with Boost.Process v2, which is header-only before Boost 1.86. The interface
/// and the guarantees are those of `pidfd_process_handle`.
///
/// The process group ends with the child process: processes that the child process started and left in the group are
/// killed immediately before the child process is reaped.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class boost_process_handle {
public:
    /// Takes ownership of a child process that leads a process group.
    ///
    /// \param executor Default executor of the handlers.
    /// \param pid Process id, which is also the id of the process group.
    /// \param pidfd Descriptor that refers to the process.
    /// \param ec Set to an error of the system or the reactor if the process cannot be watched; the process is killed
    ///   and reaped in that case.
    boost_process_handle(asio::any_io_executor executor, pid_t pid, detail::unique_fd pidfd, error_code& ec)
        : child_(std::make_shared<child>(child{pid, pidfd.get()})), handle_(executor), exit_descriptor_(executor)
    {
        try {
            detail::unique_fd copy(::fcntl(pidfd.get(), F_DUPFD_CLOEXEC, 3));
            if (!copy)
                throw boost::system::system_error(errno, boost::system::system_category());
            handle_ = handle_type(executor, pid, pidfd.get());
            pidfd.release();
            exit_descriptor_.assign(copy.get());
            copy.release();
        } catch (boost::system::system_error const& e) {
            ec = e.code();
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
            child_->reaped = true;
        }
    }

    boost_process_handle(boost_process_handle const&) = delete;
    boost_process_handle& operator=(boost_process_handle const&) = delete;

    /// Kills the process group and reaps the child process. Outstanding waits complete later, with `operation_aborted`.
    ~boost_process_handle()
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
        wait_handler done(std::forward<Handler>(handler), handle_.get_executor());
        try_reap();
        if (child_->reaped)
            detail::post_handler(handle_.get_executor(), [child = child_, done = std::move(done)]() mutable {
                done.complete(child->error(), child->status.value_or(exit_status()));
            });
        else
            watch(std::move(done));
    }

    /// Reaps the child process if it has terminated, and returns its status. Empty: the process is running, or its
    /// status is unknown.
    std::optional<exit_status> try_reap() noexcept
    {
        siginfo_t info{};
        auto const id = static_cast<id_t>(child_->pid);
        if (child_->reaped)
            return child_->status;
        if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
            child_->on_reaped({errno, boost::system::system_category()}, 0);
        } else if (info.si_pid != 0) {
            ::kill(-child_->pid, SIGKILL);
            error_code ec;
            int code = 0;
            handle_.running(code, ec);
            child_->on_reaped(ec, code);
        }
        return child_->status;
    }

    /// Sends `signal` to the process group. Has no effect if the child process was reaped.
    void kill_group(int signal) noexcept
    {
        if (!child_->reaped)
            detail::kill_group(child_->pid, child_->pidfd, signal);
    }

    /// Kills the process group and reaps the child process. Blocks until the kernel has terminated the process. Returns
    /// the status; empty: the status is unknown.
    std::optional<exit_status> end() noexcept
    {
        kill_group(SIGKILL);
        if (!child_->reaped) {
            error_code ec;
            int code = 0;
            handle_.wait(code, ec);
            child_->on_reaped(ec, code);
        }
        return child_->status;
    }

private:
    using handle_type = boost::process::v2::basic_process_handle<asio::any_io_executor>;
    using wait_handler = detail::pending_handler<void(error_code, exit_status)>;

    // `async_wait` of Boost.Process v2 in Boost 1.81 is not used: once its descriptor is reported ready, the function
    // blocks the loop until the process has terminated. Readiness may be spurious: Asio delivers an event of a
    // descriptor that was closed in the same turn of the loop to the descriptor that reuses its state (test:
    // test/process/child_process.cpp).
    void watch(wait_handler done)
    {
        detail::erased_handler<void(error_code)> on_ready(
            [this, child = child_, done = std::move(done)](error_code ec) mutable {
                if (!child->closed && !ec)
                    try_reap();
                if (child->closed || ec || child->reaped)
                    done.complete(child->error(), child->status.value_or(exit_status()));
                else
                    watch(std::move(done));
            });
        exit_descriptor_.async_wait(asio::posix::descriptor_base::wait_read, std::move(on_ready));
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

        void on_reaped(error_code ec, int code) noexcept
        {
            reaped = true;
            if (!ec)
                status = exit_status{.signalled = WIFSIGNALED(code) != 0,
                                     .value = WIFSIGNALED(code) ? WTERMSIG(code) : WEXITSTATUS(code)};
        }

        error_code error() const noexcept
        {
            if (closed || !reaped)
                return asio::error::operation_aborted;
            return status ? error_code() : error_code(ECHILD, boost::system::system_category());
        }
    };

    std::shared_ptr<child> child_;                   // set by the constructor, never null
    handle_type handle_;                             // handle of Boost.Process v2; set by the constructor
    asio::posix::stream_descriptor exit_descriptor_; // duplicate of the pidfd that `handle_` owns
};

} // namespace linkspan

#endif
