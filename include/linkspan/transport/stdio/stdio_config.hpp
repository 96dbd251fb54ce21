#ifndef LINKSPAN_TRANSPORT_STDIO_STDIO_CONFIG_HPP
#define LINKSPAN_TRANSPORT_STDIO_STDIO_CONFIG_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/protocol/line_framing.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Selects the environment variables that a child process inherits. In both cases, the variables in `stdio_config::env`
/// are set too.
enum class environment {
    /// Inherits `HOME`, `LOGNAME`, `PATH`, `SHELL`, `TERM`, `USER`, `LANG`, `LC_*`, `TZ` and `TMPDIR`, which are not
    /// likely to contain secrets. Values that begin with "()" (functions of a shell) are not inherited.
    safe,

    /// Inherits all variables of this process.
    all,
};

/// Configuration of a server that is started as a child process: command, environment, and timeouts of its shutdown.
///
///     linkspan::stdio_config config{.command = "mcp-server-filesystem", .args = {"/srv"}};
///
/// The type is an aggregate. g++ 12 destroys a temporary object of the type twice in an expression with `co_await`: use
/// a named variable, or the function `of`.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe for modification.
struct stdio_config {
    /// Returns a configuration with a command and its arguments. The function may be called in a `co_await` expression.
    ///
    ///     co_await linkspan::session(executor, via<stdio>(stdio_config::of("server", "--root", "/srv"))).async_open();
    ///
    /// \param command Value of the member `command`.
    /// \param args Values of the member `args`, in order.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<std::convertible_to<std::string>... Args>
    static stdio_config of(std::string command, Args... args)
    {
        stdio_config out;
        out.command = std::move(command);
        (out.args.emplace_back(std::move(args)), ...);
        return out;
    }

    /// Program to execute. A value with a '/' is a path, relative to `cwd`. A value without a '/' is searched in the
    /// `PATH` of the environment of the child process, or in "/bin:/usr/bin" if it has no `PATH`. Must not be empty.
    std::string command{};

    /// Arguments of the program, without the program's name. The arguments are passed unchanged, without a shell.
    /// Default: none.
    std::vector<std::string> args{};

    /// Environment variables to set in the child process; they replace inherited variables of the same name. Names must
    /// not be empty and must not contain '='. Values never appear in errors or logs. Default: none.
    std::map<std::string, std::string> env{};

    /// Variables that the child process inherits. Default: `environment::safe`.
    environment inherit = environment::safe;

    /// Working directory of the child process. Default: empty, which means the working directory of this process.
    std::string cwd{};

    /// Specifies whether the child process is killed when this process terminates in any way, including by SIGKILL.
    ///
    /// If true, the kernel kills the child process (`PR_SET_PDEATHSIG`), and, for connections, a watchdog process kills
    /// the other processes of its process group. Empty means true for connections, on every thread. For the function
    /// `launch`, empty means true on the main thread and false on other threads, because the kernel kills the child
    /// process when the thread that started it exits. Default: empty. doc/limits.md describes the limits of the
    /// mechanism.
    std::optional<bool> die_with_parent{};

    /// Time from the beginning of a shutdown, which closes the stdin of the child process, until SIGTERM is sent to the
    /// child process and its process group. Default: 2 s.
    duration close_grace = std::chrono::seconds(2);

    /// Time from SIGTERM until SIGKILL in a shutdown. Default: 3 s; with the default of `close_grace`, SIGKILL is sent
    /// 5 s after the beginning of the shutdown.
    duration term_grace = std::chrono::seconds(3);

    /// Number of bytes of the end of stderr that are kept for `child_stream::stderr_tail()`; `diagnostics()` contains
    /// at most the last 4 KiB of them. Older bytes are read and discarded, so that a server never blocks when it writes
    /// to stderr. Default: 64 KiB.
    std::size_t stderr_tail = std::size_t{64} << 10;

    /// Maximum length in bytes of a line on the stdout of the child process, without the line end; at least 1. A
    /// longer line closes the connection with `error::line_too_long`. Default: 16 MiB. Key in configuration files:
    /// `max_line`.
    std::size_t max_line = line_framing::default_max_line;

    /// Called with each line that the child process writes to stderr, without its line end, until the connection is
    /// closed, on the executor of the connection. The function may close or destroy the connection. A line longer than
    /// 64 KiB is passed in pieces of at most 64 KiB. Default: empty, which means that no function is called.
    std::function<void(std::string_view line)> on_stderr{};

    /// Specifies whether the program ignores SIGPIPE, or blocks it on each thread that runs the executor.
    ///
    /// If true, a write makes one system call. If false, a write makes two more system calls of about 0.15 us each,
    /// which block SIGPIPE during the write, so that a child process that exits does not terminate the program. If the
    /// value is true and the program neither ignores nor blocks SIGPIPE, a write to a child process that has closed its
    /// stdin terminates the program. Has no effect for a `blocking_connector`, whose thread blocks SIGPIPE. Default:
    /// false.
    bool sigpipe_is_ignored = false;
};

} // namespace linkspan

#endif
