#ifndef LINKSPAN_TEST_SUPPORT_PROGRAM_RUN_HPP
#define LINKSPAN_TEST_SUPPORT_PROGRAM_RUN_HPP

// Runs a program to its end, with the streams and the environment chosen by a case.

#include <linkspan/core/detail/unique_fd.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "process_observation.hpp"

namespace program_run {

using linkspan::detail::unique_fd;

inline std::string program(std::string const& name)
{
    return std::string(std::getenv("LINKSPAN_BIN_DIR")) + "/" + name;
}

struct options {
    std::string in{};                         // contents of stdin
    std::map<std::string, std::string> env{}; // in addition to PATH; HOME is an empty directory by default
    std::string cwd{};                        // empty: an empty directory
    std::string out{};            // stdout is this file; "closed": closed; "broken": a pipe without a reader
    bool err_is_terminal = false; // whether stderr is a terminal
    std::string typed{}; // input on that terminal, which then controls the program; typed when the output ends in ": "
    std::string signal_when{}; // the signal is sent when stderr contains this text
    std::string signal_fifo{}; // and once per line written to this FIFO
    int signal = SIGINT;
};

struct result {
    std::string out{}, err{};
    int status = -1; // 128 + n if ended by signal n; a program may also exit with such a status
};

namespace detail {

inline std::pair<unique_fd, unique_fd> make_pipe()
{
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

inline std::pair<unique_fd, unique_fd> make_terminal()
{
    unique_fd ours(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    BOOST_TEST_REQUIRE((::grantpt(ours.get()) == 0 && ::unlockpt(ours.get()) == 0));
    unique_fd theirs(::open(::ptsname(ours.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    BOOST_TEST_REQUIRE(theirs.get() >= 0);
    return {std::move(ours), std::move(theirs)};
}

// Runs in the child process between fork and exec.
[[noreturn]] inline void exec(std::vector<std::string> const& words, std::map<std::string, std::string> const& env,
                              std::string const& cwd, int in, int out, int err, bool is_controlled)
{
    ::setsid(); // prompts find no terminal
    if (is_controlled)
        ::ioctl(err, TIOCSCTTY, 0);
    ::dup2(in, 0);
    if (out >= 0)
        ::dup2(out, 1);
    else
        ::close(1);
    ::dup2(err, 2);
    ::signal(SIGPIPE, SIG_DFL);
    std::vector<std::string> assignments;
    for (auto const& [name, value] : env)
        assignments.push_back(name + "=" + value);
    std::vector<char*> argv, envp;
    for (auto const& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    for (auto const& assignment : assignments)
        envp.push_back(const_cast<char*>(assignment.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    if (::chdir(cwd.c_str()) == 0)
        ::execve(argv[0], argv.data(), envp.data());
    ::_exit(126);
}

// Appends the available bytes. Returns false at the end of the stream.
inline bool take(int fd, std::string& to)
{
    std::array<char, 65536> buffer;
    auto const size = ::read(fd, buffer.data(), buffer.size());
    if (size > 0)
        to.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0 || (size < 0 && errno == EINTR);
}

// Sends the signal once per received line.
inline void signal_for_lines(int fifo, pid_t pid, int signal)
{
    std::string lines;
    take(fifo, lines);
    for (auto count = std::ranges::count(lines, '\n'); count > 0; --count)
        ::kill(pid, signal);
}

inline int wait_for(pid_t pid)
{
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace detail

inline result run(std::vector<std::string> words, options with = {})
{
    observe::folder const nowhere;
    if (auto const* const path = std::getenv("PATH"))
        with.env.emplace("PATH", path);
    with.env.emplace("HOME", nowhere.path());
    auto const cwd = with.cwd.empty() ? nowhere.path() : with.cwd;
    auto [in_read, in_write] = detail::make_pipe();
    auto [out_read, out_write] = detail::make_pipe();
    auto [err_read, err_write] = with.err_is_terminal ? detail::make_terminal() : detail::make_pipe();
    bool const is_file = !with.out.empty() && with.out != "closed" && with.out != "broken";
    unique_fd const file(is_file ? ::open(with.out.c_str(), O_WRONLY | O_CLOEXEC) : -1);
    if (with.out == "broken")
        out_read = unique_fd();
    int const out = with.out == "closed" ? -1 : is_file ? file.get() : out_write.get();
    pid_t const pid = ::fork();
    if (pid == 0)
        detail::exec(words, with.env, cwd, in_read.get(), out, err_write.get(), !with.typed.empty());
    in_read = unique_fd();
    out_write = unique_fd();
    err_write = unique_fd();
    BOOST_TEST_REQUIRE(::write(in_write.get(), with.in.data(), with.in.size()) == static_cast<ssize_t>(with.in.size()));
    in_write = unique_fd();
    result got;
    bool signalled = with.signal_when.empty();
    unique_fd const fifo(with.signal_fifo.empty() ? -1
                                                  : ::open(with.signal_fifo.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    for (bool reads_out = out_read.get() >= 0, reads_err = true; reads_out || reads_err;) {
        std::array<pollfd, 3> wanted{pollfd{reads_out ? out_read.get() : -1, POLLIN, 0},
                                     pollfd{reads_err ? err_read.get() : -1, POLLIN, 0}, pollfd{fifo.get(), POLLIN, 0}};
        auto const timeout_ms = static_cast<int>(std::chrono::milliseconds(observe::limit).count());
        if (::poll(wanted.data(), wanted.size(), timeout_ms) <= 0) {
            ::kill(pid, SIGKILL);
            BOOST_TEST_ERROR("the program did not exit in time: " << got.err);
        }
        if (wanted[0].revents != 0)
            reads_out = detail::take(out_read.get(), got.out);
        if (wanted[1].revents != 0)
            reads_err = detail::take(err_read.get(), got.err);
        if (!with.typed.empty() && got.err.ends_with(": ")) {
            auto const typed = std::exchange(with.typed, {});
            BOOST_TEST(::write(err_read.get(), typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
        }
        if (wanted[2].revents != 0)
            detail::signal_for_lines(fifo.get(), pid, with.signal);
        if (!signalled && got.err.find(with.signal_when) != got.err.npos) {
            ::kill(pid, with.signal);
            signalled = true;
        }
    }
    got.status = detail::wait_for(pid);
    return got;
}

// Runs the command line program.
inline result run_linkspan(std::vector<std::string> words, options with = {})
{
    words.insert(words.begin(), program("linkspan"));
    return run(std::move(words), std::move(with));
}

inline bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

// Returns whether a terminal can print the text: it has no control characters and no change of text direction.
inline bool is_safe(std::string const& text)
{
    return std::ranges::none_of(text,
                                [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }) &&
           !has(text, "\xc2\x9b") && !has(text, "\xe2\x80\xae") && !has(text, "\xff");
}

} // namespace program_run

#endif
