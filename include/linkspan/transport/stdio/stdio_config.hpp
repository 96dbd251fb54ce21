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

namespace linkspan {

/// What a child gets of our own environment. Configured values come on top in either case.
enum class environment {
    safe, ///< HOME LOGNAME PATH SHELL TERM USER LANG LC_* TZ TMPDIR: nothing that is likely to be a secret
    all,  ///< everything
};

/// How to start a server as a child process, and how to end it.
///
/// An aggregate, for `{.command = "server", .args = {"--root", "/srv"}}`. g++ 12 destroys a temporary of it twice in an
/// expression with `co_await`, whatever its members: name it before, or take `of`.
struct stdio_config {
    /// Returns the configuration of a command with its arguments; safe in a `co_await` expression.
    ///
    ///     co_await linkspan::session(executor, via<stdio>(stdio_config::of("server", "--root", "/srv"))).async_open();
    template<std::convertible_to<std::string>... Args>
    static stdio_config of(std::string command, Args... args)
    {
        stdio_config out;
        out.command = std::move(command);
        (out.args.emplace_back(std::move(args)), ...);
        return out;
    }

    /// The program. With a '/' it is a path, seen from `cwd`; without, it is looked up in the PATH that the child gets.
    std::string command{};

    /// Passed on as they are: no shell sees them.
    std::vector<std::string> args{};

    /// Set for the child, in place of inherited values of the same name. Values never appear in an error or a log.
    std::map<std::string, std::string> env{};

    environment inherit = environment::safe;

    /// Working directory of the child; empty: ours.
    std::string cwd{};

    /// The child does not outlive this process, however this process ends. The kernel kills the child
    /// (PR_SET_PDEATHSIG), and a watchdog process kills the rest of its process group. Empty: on, for connections on
    /// every thread; for `launch` on the main thread only, because the kernel goes by the thread that starts the child.
    /// doc/limits.md has what Linux does not allow.
    std::optional<bool> die_with_parent{};

    /// In a shutdown: from the end of its input until the child and its process group get SIGTERM.
    duration close_grace = std::chrono::seconds(2);

    /// In a shutdown: from SIGTERM until SIGKILL. With `close_grace`, SIGKILL comes 5 s after the end of input.
    duration term_grace = std::chrono::seconds(3);

    /// bytes; how much of the end of stderr is kept. The rest is read and dropped, so that no server blocks on it.
    std::size_t stderr_tail = std::size_t{64} << 10;

    /// bytes; a line of its output that is longer ends the connection, with `line_too_long`. `max_line` in a
    /// configuration.
    std::size_t max_line = line_framing::default_max_line;

    /// Called with each line that the child writes to stderr, without its end, on the executor of the connection, until
    /// that is closed. It may close and destroy the connection. Lines over 64 KiB come in pieces.
    std::function<void(std::string_view line)> on_stderr{};
};

} // namespace linkspan

#endif
