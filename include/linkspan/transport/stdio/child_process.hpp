#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_PROCESS_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_PROCESS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

#include <string>
#include <sys/types.h>

namespace linkspan {

/// How a process ended.
struct exit_status {
    bool signalled = false;
    int value = 0; ///< the signal that killed it, or else what it passed to `exit`

    bool operator==(exit_status const&) const = default;
};

/// "exited with status 1", "killed by signal 9".
LINKSPAN_DECL std::string to_string(exit_status status);

/// A child that was just started. Nobody reaps it yet: give `pid` and `pidfd` to a process handle.
struct child_process {
    pid_t pid = 0;            ///< also the id of its process group
    detail::unique_fd pidfd;  ///< readable when the child has ended
    detail::unique_fd to;     ///< we write, the child reads it as stdin
    detail::unique_fd from;   ///< the child's stdout
    detail::unique_fd errors; ///< the child's stderr
};

/// Starts a program, by vfork and exec: the cost does not grow with our memory.
///
/// The child leads a process group of its own, has stdin, stdout and stderr and no other descriptor of ours, default
/// signal handlers and an empty signal mask. All descriptors here are close-on-exec, above 2, and blocking.
///
/// Errors: `errno` of the step that failed; `why` becomes a text for people that names step, program and directory.
///         Nothing is left behind then: no process, no zombie, no descriptor.
/// Thread safety: any thread, but no other thread may change the environment meanwhile.
LINKSPAN_DECL child_process launch(stdio_config const& config, error_code& ec, std::string& why);

namespace detail {

// Nothing when the child is reaped, by whomever: its id may be somebody else's then.
LINKSPAN_DECL void kill_group(pid_t pid, int pidfd, int signal) noexcept;

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_process.ipp>
#endif

#endif
