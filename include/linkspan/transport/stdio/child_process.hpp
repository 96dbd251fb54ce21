#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_PROCESS_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_PROCESS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

#include <string>
#include <sys/types.h>

namespace linkspan::inline LINKSPAN_ABI {

/// Exit status of a process.
struct exit_status {
    /// True if a signal terminated the process; false if the process exited. Default: false.
    bool signalled = false;
    /// Number of the signal if `signalled`, else the exit code (0 to 255).
    int value = 0;

    /// Compares all members.
    bool operator==(exit_status const&) const = default;
};

/// Returns a description such as "exited with status 1" or "killed by signal 9".
LINKSPAN_DECL std::string to_string(exit_status status);

/// A child process that was started and does not have an owner yet.
///
/// Pass `pid` and `pidfd` to a process handle, such as `default_process_handle`, which kills and reaps the process. The
/// destructor closes the descriptors only.
struct child_process {
    /// Process id, which is also the id of the process group of the child process; 0: no process.
    pid_t pid = 0;
    /// Descriptor that refers to the process (`pidfd_open`); becomes readable when the process has terminated.
    detail::unique_fd pidfd;
    /// Write end of the pipe to the child process's stdin.
    detail::unique_fd to;
    /// Read end of the pipe from the child process's stdout.
    detail::unique_fd from;
    /// Read end of the pipe from the child process's stderr.
    detail::unique_fd errors;
};

/// Starts a program with `vfork` and `execve`. The cost does not depend on the memory size of this process.
///
/// The child process is the leader of a new process group. The process has the descriptors stdin, stdout and stderr
/// only, default signal dispositions, and an empty signal mask. All descriptors in the result are close-on-exec,
/// greater than 2, and blocking.
///
/// \param config Configuration. `close_grace`, `term_grace`, `stderr_tail`, `max_line`, `on_stderr` and
/// `sigpipe_is_ignored` are not used.
/// \param ec Set to the `errno` of the step that failed, or to no error.
/// \param reason On error, set to a text that names the step or the invalid member of `config`, the program and the
/// directory. The text contains no value of the environment.
/// \returns The process; on error an empty `child_process`.
/// \par Errors
/// `EINVAL`: a text contains a NUL character, or a name in `env` is empty or contains '='. `ENOENT`, `EACCES`: the
/// program was not found, or is not executable. Errors of `pipe2`, `vfork`, `setpgid`, `prctl`, `dup2`, `chdir`,
/// `execve` and `pidfd_open`. On error, no process, zombie or descriptor remains.
/// \par Thread safety
/// Safe on any thread, but no other thread may modify the environment variables at the same time.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL child_process launch(stdio_config const& config, error_code& ec, std::string& reason);

namespace detail {

// Sends `signal` to the process group `pid`. Has no effect if the child process was already reaped, by any code,
// because its id may belong to another process then.
LINKSPAN_DECL void kill_group(pid_t pid, int pidfd, int signal) noexcept;

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_process.ipp>
#endif

#endif
