#ifndef LINKSPAN_TEST_SUPPORT_PROCESS_OBSERVATION_HPP
#define LINKSPAN_TEST_SUPPORT_PROCESS_OBSERVATION_HPP

// Observation of processes and descriptors through the kernel.

#include <linkspan/core/detail/unique_fd.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace observe {

namespace asio = boost::asio;

// Upper bound for events in real time, none of which takes long.
constexpr std::chrono::seconds limit(30);

inline std::set<int> descriptors_of(std::string const& process)
{
    std::set<int> result;
    for (auto const& entry : std::filesystem::directory_iterator("/proc/" + process + "/fd")) {
        std::error_code ec;
        auto const target = std::filesystem::read_symlink(entry.path(), ec);
        if (!ec && !target.string().starts_with("/proc/")) // excludes the descriptor of the listing itself
            result.insert(std::stoi(entry.path().filename()));
    }
    return result;
}

// Returns a field of /proc/pid/status without its name and white space, as "0000000000000000" for "SigBlk".
inline std::string status_of(pid_t pid, std::string const& name)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string key, value; file >> key && std::getline(file >> std::ws, value);)
        if (key == name + ':')
            return value;
    return {};
}

// Returns the child processes of a process that has one thread.
inline std::set<pid_t> children_of(pid_t pid)
{
    auto const process = std::to_string(pid);
    std::ifstream file("/proc/" + process + "/task/" + process + "/children");
    std::set<pid_t> out;
    for (pid_t child = 0; file >> child;)
        out.insert(child);
    return out;
}

// Waits until a child process has stopped itself with SIGSTOP, so that its earlier actions are complete.
inline void await_stop(pid_t pid)
{
    siginfo_t info{};
    BOOST_TEST_REQUIRE(::waitid(P_PID, static_cast<id_t>(pid), &info, WSTOPPED | WNOWAIT) == 0);
}

inline bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

// Refers to a process, not necessarily a child process, by a descriptor, so that a reused process id is not confused
// with it.
class process {
public:
    explicit process(pid_t pid) : fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))
    {
        BOOST_TEST_REQUIRE(fd_.get() >= 0);
    }

    bool has_ended() const { return poll(0); }
    bool ends() const { return poll(static_cast<int>(std::chrono::milliseconds(limit).count())); }

private:
    bool poll(int milliseconds) const
    {
        pollfd wanted{.fd = fd_.get(), .events = POLLIN, .revents = 0};
        return ::poll(&wanted, 1, milliseconds) == 1;
    }

    linkspan::detail::unique_fd fd_;
};

// Checks that a test leaves no process, zombie or descriptor behind.
class leaves_nothing {
public:
    ~leaves_nothing()
    {
        BOOST_TEST(!has_children());
        BOOST_TEST(descriptors_of("self") == before_, boost::test_tools::per_element());
    }

private:
    std::set<int> const before_ = descriptors_of("self");
};

template<class Done>
void run_until(asio::io_context& context, Done done)
{
    context.restart();
    while (!done())
        BOOST_TEST_REQUIRE(context.run_one_for(limit) == 1u);
}

// Runs `body` in a process of its own and returns its result.
template<class Body>
bool is_true_in_a_fork(Body body)
{
    pid_t const pid = ::fork();
    if (pid == 0)
        ::_exit(body() ? 0 : 1);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace observe

#endif
