#ifndef LINKSPAN_TEST_FAULT_IMPL_PROCESS_FAULT_IPP
#define LINKSPAN_TEST_FAULT_IMPL_PROCESS_FAULT_IPP

#include <linkspan/test/fault/detail/process_fault.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Writes to stderr. Blocks while its reader does not read.
inline void write_to_stderr(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto const written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
        if (written <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

// Closes stdout, whose descriptors are replaced by such of /dev/null, because the connection has a duplicate.
inline void close_stdout()
{
    constexpr int max_descriptor = 256; // the program has few descriptors
    int const nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct stat output {};
    if (nothing < 0 || ::fstat(STDOUT_FILENO, &output) != 0)
        return;
    for (int i = 0; i != max_descriptor; ++i) {
        struct stat other {};
        if (i != nothing && ::fstat(i, &other) == 0 && other.st_dev == output.st_dev && other.st_ino == output.st_ino)
            ::dup2(nothing, i);
    }
    ::close(nothing);
}

// The process waits for a signal after the end of `main`.
inline void stay_at_exit()
{
    std::atexit([] {
        for (;;)
            ::pause();
    });
}

// Asio restores the disposition of the signal at the end of a signal_set, but not the mask.
inline void block_sigterm()
{
    sigset_t signals{};
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
}

// The child process only waits, and holds stdout. It ends by itself, so that no process stays after a failed test.
inline void leave_grandchild()
{
    constexpr unsigned seconds = 60;
    if (::fork() == 0) {
        ::close(STDIN_FILENO);
        ::close(STDERR_FILENO);
        ::sleep(seconds);
        ::_exit(0);
    }
    ::_exit(0);
}

// The child process ends, and this process does not read its status.
inline void leave_zombie()
{
    if (::fork() == 0)
        ::_exit(0);
}

LINKSPAN_DECL void affect_own_process(fault_setting const& fault)
{
    constexpr std::size_t mebibyte = 1U << 20;
    switch (fault.kind) {
    case fault_kind::exit:
    case fault_kind::exit_before_init: ::_exit(fault.amount != 0 ? static_cast<int>(fault.amount) : 1);
    case fault_kind::exit_zero: ::_exit(0);
    case fault_kind::crash:
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
        break;
    case fault_kind::stderr_flood: {
        std::string text(fault.amount != 0 ? fault.amount : mebibyte, 'e');
        for (std::size_t end = 99; end < text.size(); end += 100)
            text[end] = '\n';
        write_to_stderr(text);
        break;
    }
    case fault_kind::stderr_binary: write_to_stderr({"\x00\xff\xfe\x80\x1b[31m\x07\n", 11}); break;
    case fault_kind::half_close:
    case fault_kind::stdout_closed: close_stdout(); break;
    case fault_kind::ignore_stdin_eof: stay_at_exit(); break;
    case fault_kind::ignore_sigterm:
        block_sigterm();
        stay_at_exit();
        break;
    case fault_kind::grandchild: leave_grandchild(); break;
    case fault_kind::zombie: leave_zombie(); break;
    default: break; // `stdin_unread`; kinds of other layers are not passed to this function
    }
}

} // namespace linkspan::test::detail

#endif
