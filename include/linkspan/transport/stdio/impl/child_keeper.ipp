#ifndef LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_KEEPER_IPP
#define LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_KEEPER_IPP

#include <linkspan/transport/stdio/detail/child_keeper.hpp>
#include <linkspan/transport/stdio/detail/launch_plan.hpp>

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// launching_thread

LINKSPAN_DECL launching_thread::launching_thread()
{
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { work(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LINKSPAN_DECL launching_thread::~launching_thread()
{
    {
        std::lock_guard const lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

LINKSPAN_DECL void launching_thread::run(std::function<void()> job)
{
    std::lock_guard const only_caller(run_mutex_);
    std::unique_lock lock(mutex_);
    job_ = std::move(job);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !job_; });
}

LINKSPAN_DECL void launching_thread::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return job_ || stopping_; });
        if (!job_)
            return;
        job_();
        job_ = nullptr;
        changed_.notify_all();
    }
}

// group_watchdog

// Reads lines "+ 12" and "- 12", which add and remove process groups. At the end of its input, kills the groups that
// are left.
inline constexpr char watchdog_script[] = R"(exec 3<&0
{
  trap '' HUP INT QUIT TERM PIPE
  groups=
  while read -r what group; do
    case $what in
    +) groups="$groups $group" ;;
    -) rest=
       for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
       groups=$rest ;;
    esac
  done
  for one in $groups; do kill -9 "-$one"; done
} <&3 3<&- &
)";

// The shell that is started here leaves a background process and terminates immediately, so the background process is
// not a child of this process.
LINKSPAN_DECL group_watchdog::group_watchdog()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    unique_fd local_end = above_standard_streams(ends[0]);
    unique_fd const shell_end = above_standard_streams(ends[1]);
    unique_fd const null_device = above_standard_streams(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!local_end || !shell_end || !null_device)
        return;
    char shell[] = "/bin/sh", option[] = "-c";
    std::string script = watchdog_script;
    char* const args[] = {shell, option, script.data(), nullptr};
    char* const environment[] = {nullptr};
    launch_plan const plan{.program = shell,
                           .args = args,
                           .environment = environment,
                           .directory = "/",
                           .streams = {shell_end.get(), null_device.get(), null_device.get()},
                           .die_with_parent = false,
                           .parent = ::getpid()};
    launch_failure failure;
    auto const pid = vfork_and_exec(plan, failure);
    if (pid < 0)
        return;
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (failure.step == nullptr)
        socket_ = std::move(local_end);
}

// The function does not block, because the watchdog reads continuously. If a line does not fit into the socket, the
// line is discarded and the group is not protected.
LINKSPAN_DECL void group_watchdog::send_command(char what, pid_t group) noexcept
{
    if (!socket_)
        return;
    std::array<char, 32> line{what, ' '};
    auto const end = std::to_chars(line.data() + 2, line.data() + line.size() - 1, group).ptr;
    *end = '\n';
    auto const size = static_cast<std::size_t>(end + 1 - line.data());
    while (::send(socket_.get(), line.data(), size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
    }
}

// child_keeper

LINKSPAN_DECL child_keeper& child_keeper::of(asio::any_io_executor const& executor)
{
    return asio::use_service<child_keeper>(asio::query(executor, asio::execution::context));
}

LINKSPAN_DECL child_process child_keeper::launch(stdio_config const& config, error_code& ec, std::string& reason)
{
    auto with = config;
    with.die_with_parent = config.die_with_parent.value_or(true);
    if (!*with.die_with_parent)
        return linkspan::launch(with, ec, reason);
    std::lock_guard const lock(mutex_);
    if (process_ != ::getpid()) { // after a fork neither exists; joining the thread would block forever
        [[maybe_unused]] auto* const thread_of_parent = thread_.release();
        watchdog_.reset();
        process_ = ::getpid();
    }
    if (!watchdog_)
        watchdog_ = std::make_unique<group_watchdog>();
    child_process child;
    auto const start = [&] { child = linkspan::launch(with, ec, reason); };
    bool const is_main_thread = ::syscall(SYS_gettid) == ::getpid();
    if (is_main_thread) {
        start();
    } else {
        if (!thread_)
            thread_ = std::make_unique<launching_thread>();
        thread_->run(start);
    }
    if (!ec)
        watchdog_->watch(child.pid);
    return child;
}

LINKSPAN_DECL void child_keeper::forget(pid_t child) noexcept
{
    std::lock_guard const lock(mutex_);
    if (watchdog_ && process_ == ::getpid())
        watchdog_->forget(child);
}

// All child processes are reaped, or are about to be killed by the objects that own them.
LINKSPAN_DECL void child_keeper::shutdown()
{
    std::lock_guard const lock(mutex_);
    if (process_ != ::getpid()) {
        [[maybe_unused]] auto* const thread_of_parent = thread_.release();
    }
    thread_.reset();
    watchdog_.reset();
}

} // namespace linkspan::detail

#endif
