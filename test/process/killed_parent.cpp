// Child processes of a killed process end regardless of the thread that started them, even if they ignore the end of
// their input and SIGTERM; so do the processes that they have started.

#include <linkspan/connector/blocking_connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio/child_stream.hpp>
#include <linkspan/transport/stdio/detail/child_keeper.hpp>

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <fcntl.h>
#include <future>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "support/mock_fault.hpp"

BOOST_AUTO_TEST_SUITE(killed_parent_test)

using namespace harness;

namespace {

struct family {
    pid_t child = 0, grandchild = 0;
};

// Ignores all signals that can be ignored, starts a process that does the same, and executes `next`.
linkspan::stdio_config group_ignoring_sigterm(std::string const& next)
{
    return sh("trap '' TERM INT HUP PIPE; sleep 1000 <&- >&- & echo $! >&2; exec " + next);
}

// Runs `start` in a process of its own, kills that process, and waits for the end of the family that `start` returned.
template<class Start>
void check_that_all_are_killed(Start start)
{
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    linkspan::detail::unique_fd const from(ends[0]);
    linkspan::detail::unique_fd to(ends[1]);
    pid_t const parent = ::fork();
    if (parent == 0) {
        family const started = start();
        if (::write(to.get(), &started, sizeof started) == sizeof started)
            for (;;)
                ::pause();
        ::_exit(1);
    }
    to = {};
    family started;
    BOOST_TEST_REQUIRE(::read(from.get(), &started, sizeof started) == static_cast<ssize_t>(sizeof started));
    observe::process const child(started.child), grandchild(started.grandchild);
    BOOST_TEST(!child.has_ended());
    BOOST_TEST(!grandchild.has_ended());
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    BOOST_TEST(child.ends());
    BOOST_TEST(grandchild.ends());
}

// Starts a child process whose stream is never closed.
family start_connection()
{
    auto* const context = new boost::asio::io_context(1);
    family out;
    auto config = group_ignoring_sigterm("sleep 1000");
    config.on_stderr = [&out](std::string_view line) { out.grandchild = std::stoi(std::string(line)); };
    auto* const stream = new linkspan::child_stream(context->get_executor(), config);
    linkspan::error_code ec;
    stream->open(ec);
    while (!ec && out.grandchild == 0)
        context->run_one();
    out.child = stream->pid();
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(descendants_started_by_main_thread_are_killed_with_parent)
{
    check_that_all_are_killed(start_connection);
}

BOOST_AUTO_TEST_CASE(descendants_started_by_another_thread_are_killed_with_parent)
{
    check_that_all_are_killed([] { return std::async(std::launch::async, start_connection).get(); });
}

BOOST_AUTO_TEST_CASE(descendants_of_blocking_connector_are_killed_with_parent)
{
    check_that_all_are_killed([] {
        auto* const hub = new linkspan::blocking_connector<linkspan::transports<linkspan::stdio>>;
        auto* const grandchild = new std::promise<pid_t>;
        auto config = group_ignoring_sigterm(fault("stubborn").command + " stubborn");
        config.on_stderr = [grandchild](std::string_view line) { grandchild->set_value(std::stoi(std::string(line))); };
        hub->add<linkspan::stdio>("stubborn", std::move(config));
        hub->open();
        family out;
        out.child = static_cast<pid_t>(hub->state().servers[0].pid.value_or(0));
        out.grandchild = grandchild->get_future().get();
        return out;
    });
}

// The watchdog removes the entries of terminated process groups, because their ids may be reused.
BOOST_AUTO_TEST_CASE(ended_process_group_is_not_killed_by_watchdog)
{
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    linkspan::detail::unique_fd from(ends[0]), to(ends[1]);
    pid_t const unrelated_process = ::fork();
    if (unrelated_process == 0) { // runs in a group of its own until the end of its input
        ::setpgid(0, 0);
        to = {};
        char byte;
        ::_exit(::read(from.get(), &byte, 1) == 0 ? 7 : 1);
    }
    ::setpgid(unrelated_process, unrelated_process);
    pid_t const other = ::fork();
    if (other == 0) {
        ::setpgid(0, 0);
        for (;;)
            ::pause();
    }
    ::setpgid(other, other);
    {
        linkspan::detail::group_watchdog watchdog;
        watchdog.watch(unrelated_process);
        watchdog.watch(other);
        watchdog.forget(unrelated_process);
    }
    int status = 0;
    ::waitpid(other, &status, 0); // by then, the watchdog has killed all its groups
    BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    to = {};
    ::waitpid(unrelated_process, &status, 0);
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 7));
}

BOOST_AUTO_TEST_CASE(watchdog_is_not_a_child_of_its_process)
{
    observe::leaves_nothing const nothing;
    linkspan::detail::group_watchdog const watchdog;
    BOOST_TEST(!observe::has_children());
}

BOOST_AUTO_TEST_SUITE_END()
