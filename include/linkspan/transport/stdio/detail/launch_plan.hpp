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

namespace linkspan::detail {

// What failed, and how. The child writes it into memory that it shares with us until it executes its program.
struct launch_failure {
    char const* volatile step = nullptr;
    int volatile error = 0;
};

// All that the child needs, made before it exists: it must not allocate.
struct launch_plan {
    char const* program;
    char* const* args;
    char* const* environment;
    char const* directory; // null: stay
    int streams[3];        // all above 2, so that none is overwritten before it is used
    bool die_with_parent;
    pid_t parent;
};

// In the child, between vfork and exec: system calls only.

// Without close_range: the descriptors that /proc lists, or else all that there may be.
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
    // dirent64 as the kernel writes it; readdir would allocate.
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
    // Refused before Linux 5.11, and by some sandboxes (test: descriptors_stay_here_without_close_range_too).
    constexpr unsigned close_on_exec = 1U << 2; // CLOSE_RANGE_CLOEXEC
    if (::syscall(SYS_close_range, 3U, ~0U, close_on_exec) != 0)
        mark_each_close_on_exec();
}

// Handlers first: one that ran here would run on the memory of our process.
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

[[noreturn]] inline void become(launch_plan const& plan, launch_failure& failure) noexcept
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
        // It may have died just before.
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

// In the parent.

// Signals wait until the child has its own handlers: until then it would run ours.
inline pid_t vfork_and_become(launch_plan const& plan, launch_failure& failure) noexcept
{
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t const pid = ::vfork();
    if (pid == 0)
        become(plan, failure);
    int const error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) {
        failure.error = error;
        failure.step = "vfork";
    }
    return pid;
}

// Descriptors 0 to 2 may be free here, and must not be used: whatever prints would print into a pipe.
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
