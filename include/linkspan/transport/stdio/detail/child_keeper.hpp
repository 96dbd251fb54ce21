#ifndef LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_KEEPER_HPP
#define LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_KEEPER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/stdio/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>

namespace linkspan::detail {

namespace asio = boost::asio;

// A thread that runs one function at a time for other threads, and no signal handler.
class launching_thread {
public:
    LINKSPAN_DECL launching_thread();
    launching_thread(launching_thread const&) = delete;
    launching_thread& operator=(launching_thread const&) = delete;
    LINKSPAN_DECL ~launching_thread();

    // Runs `job`, which must not throw, and returns when it is done. Any thread.
    LINKSPAN_DECL void run(std::function<void()> job);

private:
    LINKSPAN_DECL void work();

    std::mutex callers_; // held by the thread that waits for its job
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_; // guarded by `mutex_`; set by `run`, cleared when it is done
    bool over_ = false;         // guarded by `mutex_`
    std::thread thread_;
};

// A process that kills groups of processes when ours has ended, however that came about. It is no child of ours, so
// that a program that waits for all of its children does not wait for it.
class group_watchdog {
public:
    // Starts it. Where that fails, the functions below do nothing.
    LINKSPAN_DECL group_watchdog();

    void watch(pid_t group) noexcept { tell('+', group); }
    void forget(pid_t group) noexcept { tell('-', group); }

private:
    LINKSPAN_DECL void tell(char what, pid_t group) noexcept;

    unique_fd to_; // its end is the sign
};

// Starts the children of one execution context, so that they do not outlive our process.
//
// The kernel kills a child when the thread ends that started it (PR_SET_PDEATHSIG). The main thread ends with the
// process; for any other thread a thread of this object starts the child, which ends with the context, when no child is
// left. That reaches the child only; the watchdog kills the rest of its process group.
//
// Thread safety: any thread.
class child_keeper : public asio::execution_context::service {
public:
    using key_type = child_keeper;

    // For Asio's service registry.
    explicit child_keeper(asio::execution_context& context) : service(context) {}

    LINKSPAN_DECL static child_keeper& of(asio::any_io_executor const& executor);

    // As `linkspan::launch`.
    LINKSPAN_DECL child_process launch(stdio_config const& config, error_code& ec, std::string& why);

    // To be called for each child that was launched, when it is reaped.
    LINKSPAN_DECL void forget(pid_t child) noexcept;

private:
    LINKSPAN_DECL void shutdown() override;

    std::mutex mutex_;
    std::unique_ptr<launching_thread> thread_; // made when it is needed, as the watchdog is
    std::unique_ptr<group_watchdog> watchdog_;
    pid_t process_ = 0; // that they belong to
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_keeper.ipp>
#endif

#endif
