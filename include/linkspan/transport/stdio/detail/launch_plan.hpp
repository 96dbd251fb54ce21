#ifndef LINKSPAN_TRANSPORT_STDIO_DETAIL_LAUNCH_PLAN_HPP
#define LINKSPAN_TRANSPORT_STDIO_DETAIL_LAUNCH_PLAN_HPP

#include <linkspan/core/detail/unique_fd.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Step that failed, and its `errno`. The child process writes the object between vfork and execve, while it shares the
// memory of this process.
struct launch_failure {
    char const* volatile step = nullptr;
    int volatile error = 0;
};

// All data that the child process needs. The data is complete before vfork, because the child process must not allocate
// memory.
struct launch_plan {
    char const* program;
    char* const* args;
    char* const* environment;
    char const* directory; // null: the directory of this process
    int streams[3];        // stdin, stdout, stderr; all greater than 2, so that dup2 overwrites none before its use
    bool die_with_parent;
    pid_t parent;
};

// Functions that run in the child process between vfork and execve, and use system calls only.

// Marks the descriptors that /proc lists, or all possible descriptors if /proc is not available. Used if close_range is
// not available.
inline void mark_each_close_on_exec() noexcept
{
    constexpr int first = 3;
    int const folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        for (int fd = first; static_cast<rlim_t>(fd) < limit.rlim_cur; ++fd)
            ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        return;
    }
    // Reads dirent64 records with the system call, because readdir allocates memory.
    alignas(dirent64) std::array<char, 2048> entries;
    for (long size; (size = ::syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0;) {
        for (long at = 0; at < size;) {
            auto const* const entry = reinterpret_cast<dirent64 const*>(entries.data() + at);
            at += entry->d_reclen;
            int fd = 0;
            for (char const* digit = entry->d_name; *digit >= '0' && *digit <= '9'; ++digit)
                fd = fd * 10 + (*digit - '0');
            if (fd >= first)
                ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        }
    }
}

inline void mark_close_on_exec() noexcept
{
    // The option is not available before Linux 5.11 and in some sandboxes (test: test/process/child_process.cpp).
    constexpr unsigned close_on_exec = 1U << 2; // CLOSE_RANGE_CLOEXEC
    if (::syscall(SYS_close_range, 3U, ~0U, close_on_exec) != 0)
        mark_each_close_on_exec();
}

// Handlers are reset before signals are unblocked, because a handler would run on the memory of the parent process.
inline void reset_signals() noexcept
{
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)
        ::sigaction(signal, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] inline void exec_child(launch_plan const& plan, launch_failure& failure) noexcept
{
    auto const require = [&failure](bool done, char const* step) {
        if (done)
            return;
        failure.error = errno;
        failure.step = step;
        ::_exit(127);
    };
    require(::setpgid(0, 0) == 0, "setpgid");
    if (plan.die_with_parent) {
        require(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "prctl");
        // The parent may have ended before the call of prctl.
        if (::getppid() != plan.parent)
            ::_exit(127);
    }
    for (int target = 0; target < 3; ++target)
        require(::dup2(plan.streams[target], target) == target, "dup2");
    require(plan.directory == nullptr || ::chdir(plan.directory) == 0, "chdir");
    mark_close_on_exec();
    reset_signals();
    ::execve(plan.program, plan.args, plan.environment);
    require(false, "exec");
    std::abort();
}

// Functions that run in the parent process.

// All signals are blocked until the child process has reset its handlers, because the handlers of this process would
// run in the child process.
inline pid_t vfork_and_exec(launch_plan const& plan, launch_failure& failure) noexcept
{
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t const pid = ::vfork();
    if (pid == 0)
        exec_child(plan, failure);
    int const error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) {
        failure.error = error;
        failure.step = "vfork";
    }
    return pid;
}

// Moves a descriptor above 2: descriptors 0 to 2 may be free in this process, and a pipe in their place would receive
// output of this process.
inline unique_fd above_standard_streams(int fd) noexcept
{
    unique_fd found(fd);
    if (fd < 0 || fd > 2)
        return found;
    return unique_fd(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

struct pipe_ends {
    unique_fd read, write;
};

inline bool make_pipe(pipe_ends& ends) noexcept
{
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0)
        return false;
    ends.read = above_standard_streams(fds[0]);
    ends.write = above_standard_streams(fds[1]);
    return ends.read && ends.write;
}

} // namespace linkspan::detail

#endif
