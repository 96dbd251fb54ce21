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

namespace linkspan::inline LINKSPAN_ABI::detail {

// Thread that executes one function at a time on behalf of other threads. All signals are blocked in the thread.
//
// Invariant: while `job_` has a value, its caller is blocked in run(), so that the job may refer to variables of the
// caller.
class launching_thread {
public:
    LINKSPAN_DECL launching_thread();
    launching_thread(launching_thread const&) = delete;
    launching_thread& operator=(launching_thread const&) = delete;
    LINKSPAN_DECL ~launching_thread();

    // Executes `job`, which must not throw, in the thread, and returns when it has completed. May be called on any
    // thread.
    LINKSPAN_DECL void run(std::function<void()> job);

private:
    LINKSPAN_DECL void work();

    // locked by run() while its job is executed, so that jobs are executed one after the other
    std::mutex run_mutex_;
    // protects `job_` and `stopping_`
    std::mutex mutex_;
    // notified when `job_` or `stopping_` changes
    std::condition_variable changed_;
    std::function<void()> job_; // set by run(); cleared when the job has completed
    bool stopping_ = false;     // set by the destructor; ends the thread
    std::thread thread_;        // started by the constructor, joined by the destructor
};

// Process that kills process groups when this process has ended, for any reason. The watchdog is not a child of
// this process, so a program that waits for all of its children does not wait for the watchdog.
class group_watchdog {
public:
    // Starts the watchdog. If the start fails, watch() and forget() have no effect.
    LINKSPAN_DECL group_watchdog();

    // Adds a process group to the groups that are killed, or removes it.
    void watch(pid_t group) noexcept { send_command('+', group); }
    void forget(pid_t group) noexcept { send_command('-', group); }

private:
    LINKSPAN_DECL void send_command(char what, pid_t group) noexcept;

    unique_fd socket_; // socket to the watchdog, which kills the groups when this end is closed
};

// Service of an execution context that starts child processes which do not outlive this process.
//
// The kernel kills a child process when the thread that started it ends (PR_SET_PDEATHSIG). The main thread ends with
// the process. For every other thread, a thread of this service starts the child process; that thread ends with the
// execution context, when no child process is left. PR_SET_PDEATHSIG affects the child process only; the watchdog kills
// the other processes of its group.
//
// Invariant: `thread_` and `watchdog_` belong to `process_`. Another process, which a fork has created, discards its
// copies without using them.
//
// Thread safety: all functions are safe on any thread.
class child_keeper : public asio::execution_context::service {
public:
    using key_type = child_keeper;

    // Required by the service registry of Asio.
    explicit child_keeper(asio::execution_context& context) : service(context) {}

    // Returns the service of the execution context of `executor`.
    LINKSPAN_DECL static child_keeper& of(asio::any_io_executor const& executor);

    // Starts a child process like `linkspan::launch`, but applies `die_with_parent` on every thread.
    LINKSPAN_DECL child_process launch(stdio_config const& config, error_code& ec, std::string& reason);

    // Called once for each child process that launch() has started, when it is reaped.
    LINKSPAN_DECL void forget(pid_t child) noexcept;

private:
    LINKSPAN_DECL void shutdown() override;

    // protects all members
    std::mutex mutex_;
    // created by the first launch() on a thread that is not the main thread
    std::unique_ptr<launching_thread> thread_;
    // created by the first launch() with `die_with_parent`
    std::unique_ptr<group_watchdog> watchdog_;
    pid_t process_ = 0; // process that owns the thread and the watchdog; differs from getpid() after a fork
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_keeper.ipp>
#endif

#endif
