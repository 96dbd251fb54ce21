#ifndef LINKSPAN_TRANSPORT_CHILD_BOOST_HANDLE_HPP
#define LINKSPAN_TRANSPORT_CHILD_BOOST_HANDLE_HPP

#include <linkspan/detail/pending_handler.hpp>
#include <linkspan/detail/unique_fd.hpp>
#include <linkspan/transport/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
// Before process_handle.hpp, which does not compile alone in Boost 1.81 (test: the unit of this header).
#include <boost/process/v2/error.hpp>
#include <boost/process/v2/process_handle.hpp>
#include <boost/system/system_category.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <utility>

namespace linkspan {

/// `pidfd_process_handle` on Boost.Process v2, which is header-only before Boost 1.86. Same interface, same promises,
/// but for one: v2 reaps before it tells us, so what a child left behind in its group is killed just after its id became
/// free, where the other handle does it just before.
class boost_process_handle {
public:
    boost_process_handle(asio::any_io_executor executor, pid_t pid, detail::unique_fd pidfd, error_code& ec)
        : child_(std::make_shared<child>(child{pid, pidfd.get()})), handle_(executor)
    {
        try {
            handle_ = handle_type(executor, pid, pidfd.get());
            pidfd.release();
        } catch (boost::system::system_error const& e) {
            ec = e.code();
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
            child_->reaped = true;
        }
    }

    boost_process_handle(boost_process_handle const&) = delete;
    boost_process_handle& operator=(boost_process_handle const&) = delete;

    ~boost_process_handle()
    {
        end();
        child_->closed = true;
    }

    pid_t pid() const noexcept { return child_->pid; }

    template<class Handler>
    void async_wait(Handler&& handler)
    {
        detail::pending_handler<void(error_code, exit_status)> done(std::forward<Handler>(handler),
                                                                    handle_.get_executor());
        // A child that has ended would be reaped by v2 within this call, and we would hear of it in another turn of the
        // loop, when its id may be somebody else's.
        try_reap();
        if (child_->reaped)
            asio::post(handle_.get_executor(), [child = child_, done = std::move(done)]() mutable {
                done.complete(child->error(), child->status.value_or(exit_status()));
            });
        else
            handle_.async_wait([child = child_, done = std::move(done)](error_code ec, int code) mutable {
                if (!child->reaped && !child->closed && ec != asio::error::operation_aborted) {
                    if (!ec)
                        ::kill(-child->pid, SIGKILL);
                    child->on_reaped(ec, code);
                }
                done.complete(child->error(), child->status.value_or(exit_status()));
            });
    }

    std::optional<exit_status> try_reap() noexcept
    {
        siginfo_t info{};
        auto const id = static_cast<id_t>(child_->pid);
        if (!child_->reaped && ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
            ::kill(-child_->pid, SIGKILL);
            error_code ec;
            int code = 0;
            handle_.running(code, ec);
            child_->on_reaped(ec, code);
        }
        return child_->status;
    }

    void kill_group(int signal) noexcept
    {
        if (!child_->reaped)
            detail::kill_group(child_->pid, child_->pidfd, signal);
    }

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

    // A completion that is under way may outlive the handle.
    struct child {
        pid_t pid;
        int pidfd; // valid until `closed`
        bool reaped = false;
        bool closed = false;
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

    std::shared_ptr<child> child_;
    handle_type handle_;
};

} // namespace linkspan

#endif
