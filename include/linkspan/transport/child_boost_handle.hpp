#ifndef LINKSPAN_TRANSPORT_CHILD_BOOST_HANDLE_HPP
#define LINKSPAN_TRANSPORT_CHILD_BOOST_HANDLE_HPP

#include <linkspan/detail/pending_handler.hpp>
#include <linkspan/detail/unique_fd.hpp>
#include <linkspan/transport/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
// Before process_handle.hpp, which does not compile alone in Boost 1.81 (test: the unit of this header).
#include <boost/process/v2/error.hpp>
#include <boost/process/v2/process_handle.hpp>
#include <boost/system/system_error.hpp>

#include <csignal>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <utility>

namespace linkspan {

/// `pidfd_process_handle` on Boost.Process v2, which is header-only before Boost 1.86. Same interface, same promises,
/// but for two that v2 cannot keep, because it reaps before it tells us:
/// - What the child left behind in its group is killed just after its id became free, not just before.
/// - A child that has ended when `async_wait` starts is reaped there, and `try_reap` is empty until the wait completes.
class boost_process_handle {
public:
    boost_process_handle(asio::any_io_executor executor, pid_t pid, detail::unique_fd pidfd, error_code& ec)
        : child_(std::make_shared<child>(child{pid})), handle_(executor)
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
        handle_.async_wait([child = child_, done = std::move(done)](error_code ec, int code) mutable {
            if (child->closed)
                ec = asio::error::operation_aborted;
            else if (child->reaped && child->status)
                ec = {};
            else if (ec != asio::error::operation_aborted)
                child->on_end(ec, code);
            done.complete(ec, child->status.value_or(exit_status()));
        });
    }

    std::optional<exit_status> try_reap() noexcept
    {
        error_code ec;
        int code = 0;
        if (!child_->reaped && !handle_.running(code, ec) && !ec)
            child_->on_end(ec, code);
        return child_->status;
    }

    void kill_group(int signal) noexcept
    {
        if (!child_->reaped)
            ::kill(-child_->pid, signal);
    }

    std::optional<exit_status> end() noexcept
    {
        if (!child_->reaped) {
            kill_group(SIGKILL);
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
        bool reaped = false;
        bool closed = false;
        std::optional<exit_status> status{};

        void on_end(error_code ec, int code) noexcept
        {
            ::kill(-pid, SIGKILL);
            on_reaped(ec, code);
        }

        void on_reaped(error_code ec, int code) noexcept
        {
            reaped = true;
            if (!ec)
                status = exit_status{.signalled = WIFSIGNALED(code) != 0,
                                     .value = WIFSIGNALED(code) ? WTERMSIG(code) : WEXITSTATUS(code)};
        }
    };

    std::shared_ptr<child> child_;
    handle_type handle_;
};

} // namespace linkspan

#endif
