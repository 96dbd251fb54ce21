// Emulates pidfd_open for programs that run under valgrind, because valgrind 3.19 does not know this system call.
//
// A descriptor of `pidfd_open` becomes readable when the process has terminated. The emulation has the same property: a
// thread waits for the process, and then closes the other end of a pipe. Outside valgrind the function calls the
// system. To be linked with `-Wl,--wrap=syscall`.

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <valgrind/valgrind.h>

namespace {

int open_emulated(pid_t pid)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    std::thread([pid, end = ends[1]] {
        siginfo_t info{};
        while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
        }
        ::close(end);
    }).detach();
    return ends[0];
}

} // namespace

extern "C" long __real_syscall(long number, ...);

extern "C" long __wrap_syscall(long number, ...)
{
    std::va_list list;
    va_start(list, number);
    long arguments[6];
    for (auto& argument : arguments)
        argument = va_arg(list, long);
    va_end(list);
    if (number == SYS_pidfd_open && RUNNING_ON_VALGRIND)
        return open_emulated(static_cast<pid_t>(arguments[0]));
    return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
