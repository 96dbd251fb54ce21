#include <linkspan/transport/stdio/child_handle.hpp>
#include <linkspan/transport/stdio/child_pidfd_handle.hpp>
#include <linkspan/transport/stdio/child_process.hpp>
#include <linkspan/transport/stdio/detail/launch_plan.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/mp11/list.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <iostream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include "support/contains.hpp"
#include "support/folder.hpp"
#include "support/process_observation.hpp"
#include "support/shell_script.hpp"

#if BOOST_VERSION < 108600
#include <linkspan/transport/stdio/child_boost_handle.hpp>

namespace child_process_test {
#endif

using linkspan::child_process;
using linkspan::environment;
using linkspan::error_code;
using linkspan::exit_status;
using linkspan::launch;
using linkspan::stdio_config;
using linkspan::test::contains;
using linkspan::test::sh;
using observe::leaves_nothing;
using observe::run_until;
namespace asio = boost::asio;
namespace errc = boost::system::errc;
using std::filesystem::perms;

#if BOOST_VERSION < 108600
using handles = boost::mp11::mp_list<linkspan::pidfd_process_handle, linkspan::boost_process_handle>;
#else
using handles = boost::mp11::mp_list<linkspan::pidfd_process_handle>;
#endif

namespace {

struct failure {
    error_code ec;
    std::string why;
};

failure launch_fails(stdio_config const& config)
{
    failure result;
    auto const child = launch(config, result.ec, result.why);
    BOOST_TEST_REQUIRE(result.ec.failed());
    BOOST_TEST(!child.pidfd);
    return result;
}

child_process launch_works(stdio_config const& config)
{
    error_code ec;
    std::string why;
    auto child = launch(config, ec, why);
    BOOST_TEST_REQUIRE(!ec, why);
    BOOST_TEST_REQUIRE(why == "");
    return child;
}

std::string read_all(linkspan::detail::unique_fd const& fd)
{
    std::string result;
    char piece[4096];
    for (ssize_t size; (size = ::read(fd.get(), piece, sizeof piece)) > 0;)
        result.append(piece, static_cast<std::size_t>(size));
    return result;
}

std::string read_line(linkspan::detail::unique_fd const& fd)
{
    std::string result;
    for (char c; ::read(fd.get(), &c, 1) == 1 && c != '\n';)
        result += c;
    return result;
}

bool echoes(child_process const& child)
{
    return ::write(child.to.get(), "hello\n", 6) == 6 && read_line(child.from) == "hello";
}

// A child process that is killed and reaped at the end of the test.
template<class Handle>
struct held {
    explicit held(stdio_config const& config) : child(launch_works(config)), pid(child.pid)
    {
        error_code ec;
        handle.emplace(context.get_executor(), pid, std::move(child.pidfd), ec);
        BOOST_TEST_REQUIRE(!ec);
    }

    asio::io_context context{1};
    child_process child;
    pid_t pid;
    std::optional<Handle> handle;
};

using any_held = held<linkspan::default_process_handle>;

std::string output_of(stdio_config const& config)
{
    any_held const held(config);
    return read_all(held.child.from);
}

struct ended {
    bool done = false;
    error_code ec;
    exit_status status;
};

auto store_in(ended& result)
{
    return [&result](error_code ec, exit_status status) { result = {true, ec, status}; };
}

std::set<std::string> lines_of(std::string const& text)
{
    std::set<std::string> result;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        result.insert(line);
    return result;
}

// Sets an environment variable of this process for one test.
class variable {
public:
    variable(char const* name, char const* value) : name_(name)
    {
        if (char const* const old = std::getenv(name))
            old_ = old;
        ::setenv(name, value, 1);
    }

    variable(variable const&) = delete;
    variable& operator=(variable const&) = delete;
    ~variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

private:
    char const* name_;
    std::optional<std::string> old_;
};

} // namespace

} // namespace child_process_test

BOOST_FIXTURE_TEST_SUITE(child_process_test, leaves_nothing)

// Launch errors

BOOST_AUTO_TEST_CASE(missing_program_path_is_reported)
{
    auto const [ec, why] = launch_fails({.command = "/no/such/program", .cwd = "/tmp"});
    BOOST_TEST((ec == errc::no_such_file_or_directory));
    BOOST_TEST((ec.category() == boost::system::system_category()));
    BOOST_TEST(why == "cannot start /no/such/program in /tmp: exec: No such file or directory (errno 2)");
}

BOOST_AUTO_TEST_CASE(program_not_found_in_path_is_reported)
{
    auto const [ec, why] = launch_fails({.command = "linkspan-no-such-program"});
    BOOST_TEST((ec == errc::no_such_file_or_directory));
    BOOST_TEST(why == "cannot start linkspan-no-such-program in " + std::filesystem::current_path().string() +
                          ": search for the program: No such file or directory (errno 2)");
}

BOOST_AUTO_TEST_CASE(file_without_execute_permission_is_reported_by_path_and_by_name)
{
    observe::folder const folder;
    auto const file = folder.add("data", "", perms::owner_read);
    auto const by_path = launch_fails({.command = file, .cwd = "/"});
    BOOST_TEST((by_path.ec == errc::permission_denied));
    BOOST_TEST(by_path.why == "cannot start " + file + " in /: exec: Permission denied (errno 13)");
    auto const by_name = launch_fails({.command = "data", .env = {{"PATH", "/no/such:" + folder.path()}}, .cwd = "/"});
    BOOST_TEST((by_name.ec == errc::permission_denied));
    BOOST_TEST(by_name.why == "cannot start data in /: search for the program: Permission denied (errno 13)");
}

BOOST_AUTO_TEST_CASE(empty_command_is_reported)
{
    BOOST_TEST((launch_fails({}).ec == errc::no_such_file_or_directory));
}

BOOST_AUTO_TEST_CASE(directory_as_command_is_reported)
{
    BOOST_TEST((launch_fails({.command = "usr", .env = {{"PATH", "/"}}}).ec == errc::permission_denied));
    BOOST_TEST((launch_fails({.command = "/usr"}).ec == errc::permission_denied));
}

BOOST_AUTO_TEST_CASE(missing_working_directory_is_reported)
{
    auto const [ec, why] = launch_fails({.command = "/bin/cat", .cwd = "/no/such/folder"});
    BOOST_TEST((ec == errc::no_such_file_or_directory));
    BOOST_TEST(why == "cannot start /bin/cat in /no/such/folder: chdir: No such file or directory (errno 2)");
}

BOOST_AUTO_TEST_CASE(missing_interpreter_is_distinguished_from_missing_script)
{
    observe::folder const folder;
    folder.add("script", "#!/no/such/interpreter\n", perms::owner_all);
    auto const [ec, why] = launch_fails({.command = "./script", .cwd = folder.path()});
    BOOST_TEST((ec == errc::no_such_file_or_directory));
    BOOST_TEST(contains(why, "the file exists, but its interpreter ('#!' line or dynamic loader) does not"), why);
}

BOOST_AUTO_TEST_CASE(null_characters_and_invalid_variable_names_are_rejected)
{
    using namespace std::string_literals;
    struct row {
        stdio_config config;
        std::string_view reason;
    };
    row const bad[] = {
        {{.command = "/bin/cat\0"s}, "command contains a NUL character"},
        {{.command = "/bin/cat", .args = {"a", "a\0b"s}}, "args[1] contains a NUL character"},
        {{.command = "/bin/cat", .cwd = "/\0tmp"s}, "cwd contains a NUL character"},
        {{.command = "/bin/cat", .env = {{"name", "a\0b"s}}}, "env[\"name\"] contains a NUL character"},
        {{.command = "/bin/cat", .env = {{"na\0me"s, ""}}}, "a name in env contains a NUL character"},
        {{.command = "/bin/cat", .env = {{"TOKEN=hunter2", ""}}},
         "the name in env that begins with 'TOKEN' contains '='"},
        {{.command = "/bin/cat", .env = {{"", "value"}}}, "a name in env is empty"},
    };
    for (auto const& [config, reason] : bad) {
        auto const [ec, why] = launch_fails(config);
        BOOST_TEST((ec == errc::invalid_argument));
        BOOST_TEST(why.ends_with(": " + std::string(reason) + ": Invalid argument (errno 22)"), why);
        BOOST_TEST(!contains(why, "hunter2"), why);
    }
}

BOOST_AUTO_TEST_CASE(launch_error_contains_no_environment_values)
{
    for (auto const* const command : {"/no/such/program", "linkspan-no-such-program"}) {
        auto const [ec, why] = launch_fails({.command = command, .env = {{"TOKEN", "hunter2"}, {"PATH", "/hunter2"}}});
        BOOST_TEST(!contains(why, "hunter2"), why);
    }
}

BOOST_AUTO_TEST_CASE(failed_launches_leave_no_resources)
{
    for (int i = 0; i < 100; ++i)
        launch_fails({.command = i % 2 == 0 ? "/no/such/program" : "/bin/cat", .cwd = i % 2 == 0 ? "" : "/no/such"});
}

void limit_descriptors(std::size_t count)
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = count;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

BOOST_AUTO_TEST_CASE(exhausted_descriptors_are_reported_at_each_step_of_launch)
{
    BOOST_TEST(observe::is_true_in_a_fork([] {
        limit_descriptors(1000);
        while (::dup(0) < *observe::descriptors_of("self").rbegin()) {
        }
        auto const before = observe::descriptors_of("self");
        // A launch needs three pipes and a pidfd: seven descriptors.
        for (std::size_t spare = 0; spare <= 7; ++spare) {
            limit_descriptors(before.size() + spare);
            error_code ec;
            std::string why;
            {
                auto const child = launch({.command = "/bin/cat"}, ec, why);
                if (!ec)
                    ::kill(child.pid, SIGKILL), ::waitpid(child.pid, nullptr, 0);
            }
            limit_descriptors(1000);
            if ((ec == errc::too_many_files_open) != (spare < 7) || observe::has_children() ||
                observe::descriptors_of("self") != before)
                return false;
        }
        return true;
    }));
}

// Arguments, environment and directory

BOOST_AUTO_TEST_CASE(arguments_are_passed_unchanged)
{
    auto config = sh(R"(printf '[%s]' "$0" "$@")");
    for (auto const* const argument :
         {"name", "two words", "$HOME", "'", "\"", "*", "; exit 1", "\\", "", "a\nb", "-x"})
        config.args.push_back(argument);
    BOOST_TEST(output_of(config) == "[name][two words][$HOME]['][\"][*][; exit 1][\\][][a\nb][-x]");
}

BOOST_AUTO_TEST_CASE(program_is_searched_in_path_of_child)
{
    observe::folder const folder;
    folder.add("bin/linkspan-tool", "#!/bin/sh\necho ours\n", perms::owner_all);
    stdio_config config{.command = "linkspan-tool", .env = {{"PATH", "/no/such:" + folder.path() + "/bin"}}};
    BOOST_TEST(output_of(config) == "ours\n");
    config.env["PATH"] = "bin";
    config.cwd = folder.path();
    BOOST_TEST(output_of(config) == "ours\n");
    config.env["PATH"] = "/no/such:";
    config.cwd += "/bin";
    BOOST_TEST(output_of(config) == "ours\n");
    config.command = "./linkspan-tool";
    config.env.clear();
    BOOST_TEST(output_of(config) == "ours\n");
}

BOOST_AUTO_TEST_CASE(working_directory_is_configured_or_inherited)
{
    auto config = sh("pwd -P");
    BOOST_TEST(output_of(config) == std::filesystem::current_path().string() + '\n');
    config.cwd = "/";
    BOOST_TEST(output_of(config) == "/\n");
}

BOOST_AUTO_TEST_CASE(environment_consists_of_safe_list_and_configured_variables)
{
    variable const home("HOME", "/home/of/test"), language("LC_ALL", "C"), secret("LINKSPAN_SECRET", "hunter2");
    variable const zone("TZ", "UTC"), user("USER", "ours"), function("LC_TIME", "() { echo; }");
    stdio_config config{.command = "env", .env = {{"TOKEN", "a=b"}, {"USER", "theirs"}}};
    auto const lines = lines_of(output_of(config));
    for (auto const* const wanted : {"HOME=/home/of/test", "LC_ALL=C", "TZ=UTC", "TOKEN=a=b", "USER=theirs"})
        BOOST_TEST(lines.contains(wanted), wanted);
    std::set<std::string> const allowed{"HOME", "LOGNAME", "PATH", "SHELL",  "TERM",
                                        "USER", "LANG",    "TZ",   "TMPDIR", "TOKEN"};
    for (auto const& line : lines) {
        auto const name = line.substr(0, line.find('='));
        BOOST_TEST((allowed.contains(name) || name.starts_with("LC_")), name);
        BOOST_TEST(name != "LC_TIME"); // a shell would execute the function
    }
}

BOOST_AUTO_TEST_CASE(whole_environment_is_inherited_on_request)
{
    variable const ours("LINKSPAN_OURS", "1"), both("LINKSPAN_BOTH", "1");
    stdio_config const config{.command = "env", .env = {{"LINKSPAN_BOTH", "2"}}, .inherit = environment::all};
    auto const lines = lines_of(output_of(config));
    BOOST_TEST(lines.contains("LINKSPAN_OURS=1"));
    BOOST_TEST(lines.contains("LINKSPAN_BOTH=2"));
    BOOST_TEST(!lines.contains("LINKSPAN_BOTH=1"));
}

BOOST_AUTO_TEST_CASE(child_leads_a_process_group)
{
    any_held const held({.command = "cat"});
    BOOST_TEST(::getpgid(held.pid) == held.pid);
}

BOOST_AUTO_TEST_CASE(child_does_not_inherit_signal_mask_and_dispositions)
{
    sigset_t blocked, before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    auto* const handler = std::signal(SIGUSR1, SIG_IGN);
    {
        any_held const held({.command = "cat"});
        BOOST_TEST(echoes(held.child));
        BOOST_TEST(observe::status_of(held.pid, "SigBlk") == "0000000000000000");
        BOOST_TEST(observe::status_of(held.pid, "SigIgn") == "0000000000000000");
        sigset_t now;
        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
        BOOST_TEST(::sigismember(&now, SIGTERM) == 1);
        BOOST_TEST(::sigismember(&now, SIGUSR2) == 0);
    }
    BOOST_TEST((std::signal(SIGUSR1, handler) == SIG_IGN));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Descriptors

BOOST_AUTO_TEST_CASE(child_has_only_its_three_standard_streams)
{
    std::vector<linkspan::detail::unique_fd> open_ones;
    for (int i = 0; i < 10; ++i)
        open_ones.emplace_back(::fcntl(0, F_DUPFD, 3 + 50 * i));
    any_held const first({.command = "cat"}), second({.command = "cat"});
    for (auto const* const held : {&first, &second}) {
        BOOST_TEST(echoes(held->child));
        BOOST_TEST(observe::descriptors_of(std::to_string(held->pid)) == (std::set{0, 1, 2}),
                   boost::test_tools::per_element());
    }
}

// Makes the kernel refuse close_range, as Linux before 5.9 does.
bool forbid_close_range(unsigned error)
{
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog const filter{.len = std::size(program), .filter = program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

BOOST_DATA_TEST_CASE(descriptors_are_not_inherited_without_close_range,
                     boost::unit_test::data::make({ENOSYS, EINVAL, EPERM}))
{
    BOOST_TEST(observe::is_true_in_a_fork([error = static_cast<unsigned>(sample)] {
        std::vector<linkspan::detail::unique_fd> open_ones;
        for (int i = 0; i < 200; ++i)
            open_ones.emplace_back(::fcntl(0, F_DUPFD, 3 + 2 * i));
        if (!forbid_close_range(error))
            return true; // seccomp is not available in this environment
        any_held const held({.command = "cat"});
        return echoes(held.child) && observe::descriptors_of(std::to_string(held.pid)) == std::set{0, 1, 2};
    }));
}

BOOST_AUTO_TEST_CASE(process_without_standard_streams_can_start_children)
{
    for (auto const& closed : {std::vector{0, 1, 2}, {0}, {1}, {2}, {0, 2}})
        BOOST_TEST(observe::is_true_in_a_fork([&closed] {
            for (int const fd : closed)
                ::close(fd);
            auto const before = observe::descriptors_of("self");
            {
                any_held held(sh("cat; echo bye >&2"));
                bool const works = echoes(held.child);
                held.child.to = {};
                if (!works || read_all(held.child.errors) != "bye\n")
                    return false;
                for (auto const* const fd : {&held.child.from, &held.child.errors})
                    if (fd->get() < 3)
                        return false;
            }
            return observe::descriptors_of("self") == before;
        }));
}

// Handles

BOOST_AUTO_TEST_CASE(exit_status_is_printable)
{
    BOOST_TEST(to_string(exit_status{.signalled = false, .value = 1}) == "exited with status 1");
    BOOST_TEST(to_string(exit_status{.signalled = true, .value = 9}) == "killed by signal 9");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_returns_exit_status, handle_type, handles)
{
    for (auto const& [script, status] : {std::pair("exit 7", exit_status{false, 7}),
                                         {"exit 0", {false, 0}},
                                         {"kill -9 $$", {true, 9}},
                                         {"kill -15 $$", {true, 15}}}) {
        held<handle_type> held(sh(script));
        ended result;
        held.handle->async_wait(store_in(result));
        BOOST_TEST(!result.done);
        run_until(held.context, [&] { return result.done; });
        BOOST_TEST(!result.ec);
        BOOST_TEST((result.status == status), script);
        BOOST_TEST((held.handle->try_reap() == status));
        BOOST_TEST(!observe::has_children());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_reaps_child_that_ended_before, handle_type, handles)
{
    held<handle_type> held(sh("exit 7"));
    BOOST_TEST(observe::process(held.pid).ends());
    ended result;
    held.handle->async_wait(store_in(result));
    BOOST_TEST(!result.done);
    run_until(held.context, [&] { return result.done; });
    BOOST_TEST((result.status == exit_status{false, 7}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(try_reap_is_empty_until_child_has_ended, handle_type, handles)
{
    held<handle_type> held(sh("read line; exit 7"));
    observe::process const watched(held.pid);
    BOOST_TEST(!held.handle->try_reap());
    held.child.to = {};
    BOOST_TEST(watched.ends());
    BOOST_TEST((held.handle->try_reap() == exit_status{false, 7}));
    BOOST_TEST(!observe::has_children());
    BOOST_TEST((held.handle->try_reap() == exit_status{false, 7}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_completes_after_try_reap_has_reaped, handle_type, handles)
{
    held<handle_type> held(sh("read line; exit 7"));
    observe::process const watched(held.pid);
    ended result;
    held.handle->async_wait(store_in(result));
    held.child.to = {};
    BOOST_TEST(watched.ends());
    BOOST_TEST((held.handle->try_reap() == exit_status{false, 7}));
    run_until(held.context, [&] { return result.done; });
    BOOST_TEST(!result.ec);
    BOOST_TEST((result.status == exit_status{false, 7}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destroyed_handle_kills_and_reaps_child_and_aborts_wait, handle_type, handles)
{
    held<handle_type> held({.command = "cat"});
    observe::process const watched(held.pid);
    ended result;
    held.handle->async_wait(store_in(result));
    held.handle.reset();
    BOOST_TEST(watched.has_ended());
    BOOST_TEST(!observe::has_children());
    BOOST_TEST(!result.done);
    run_until(held.context, [&] { return result.done; });
    BOOST_TEST((result.ec == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(handle_may_be_destroyed_while_exit_event_is_pending, handle_type, handles)
{
    held<handle_type> held(sh("read line"));
    observe::process const watched(held.pid);
    ended result;
    held.handle->async_wait(store_in(result));
    held.child.to = {};
    BOOST_TEST(watched.ends());
    asio::post(held.context, [&held] { held.handle.reset(); });
    run_until(held.context, [&] { return result.done && !held.handle; });
    BOOST_TEST(!observe::has_children());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_returns_status_of_killed_or_ended_child, handle_type, handles)
{
    held<handle_type> killed({.command = "cat"});
    BOOST_TEST((killed.handle->end() == exit_status{true, SIGKILL}));
    held<handle_type> ended(sh("exit 7"));
    BOOST_TEST(observe::process(ended.pid).ends());
    BOOST_TEST((ended.handle->end() == exit_status{false, 7}));
    BOOST_TEST((ended.handle->end() == exit_status{false, 7}));
}

// A process that traces another one as a debugger does, and releases it on command.
class debugger {
public:
    explicit debugger(pid_t traced)
    {
        BOOST_TEST_REQUIRE(linkspan::detail::make_pipe(attached_));
        BOOST_TEST_REQUIRE(linkspan::detail::make_pipe(release_));
        pid_ = ::fork();
        if (pid_ == 0)
            run(traced);
        char answer = 0;
        is_attached_ = ::read(attached_.read.get(), &answer, 1) == 1 && answer == 'y';
    }

    debugger(debugger const&) = delete;
    debugger& operator=(debugger const&) = delete;
    ~debugger()
    {
        release();
        ::waitpid(pid_, nullptr, 0);
    }

    // False: the system permits no debuggers.
    bool is_attached() const noexcept { return is_attached_; }

    void release() const { BOOST_TEST(::write(release_.write.get(), "r", 1) == 1); }

private:
    [[noreturn]] void run(pid_t traced) const
    {
        bool const attached = ::ptrace(PTRACE_SEIZE, traced, nullptr, nullptr) == 0;
        char command = attached ? 'y' : 'n';
        bool const is_told = ::write(attached_.write.get(), &command, 1) == 1;
        bool const is_released = ::read(release_.read.get(), &command, 1) == 1;
        ::waitpid(traced, nullptr, __WALL);
        ::_exit(is_told && is_released ? 0 : 1);
    }

    linkspan::detail::pipe_ends attached_, release_;
    pid_t pid_ = -1;
    bool is_attached_ = false;
};

BOOST_AUTO_TEST_CASE_TEMPLATE(end_waits_until_debugger_releases_child, handle_type, handles)
{
    held<handle_type> held({.command = "cat"});
    debugger const tracer(held.pid);
    if (!tracer.is_attached()) {
        std::cout << "skipped: end_waits_until_debugger_releases_child: the system permits no debuggers" << std::endl;
        return;
    }
    observe::process const child(held.pid);
    std::thread releasing([&] {
        BOOST_TEST(child.ends());
        tracer.release();
    });
    auto const status = held.handle->end();
    releasing.join();
    BOOST_TEST((status == exit_status{true, SIGKILL}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(signal_reaches_whole_process_group, handle_type, handles)
{
    held<handle_type> held(sh("sleep 1000 & echo $!; wait"));
    observe::process const grandchild(std::stoi(read_line(held.child.from)));
    ended result;
    held.handle->async_wait(store_in(result));
    held.handle->kill_group(SIGTERM);
    run_until(held.context, [&] { return result.done; });
    BOOST_TEST((result.status == exit_status{true, SIGTERM}));
    BOOST_TEST(grandchild.ends());
    held.handle->kill_group(SIGTERM); // the process group is empty
}

BOOST_AUTO_TEST_CASE_TEMPLATE(remaining_process_group_is_killed_when_child_is_reaped, handle_type, handles)
{
    for (bool const by_wait : {true, false}) {
        held<handle_type> held(sh("sleep 1000 & echo $!"));
        observe::process const child(held.pid), grandchild(std::stoi(read_line(held.child.from)));
        BOOST_TEST(child.ends());
        BOOST_TEST(!grandchild.has_ended());
        ended result;
        if (by_wait) {
            held.handle->async_wait(store_in(result));
            run_until(held.context, [&] { return result.done; });
        } else {
            BOOST_TEST((held.handle->try_reap() == exit_status{false, 0}));
        }
        BOOST_TEST(grandchild.ends());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(child_reaped_elsewhere_has_no_status, handle_type, handles)
{
    held<handle_type> held({.command = "cat"});
    ended result;
    held.handle->async_wait(store_in(result));
    ::kill(held.pid, SIGKILL);
    ::waitpid(held.pid, nullptr, 0);
    BOOST_TEST(!held.handle->try_reap());
    run_until(held.context, [&] { return result.done; });
    BOOST_TEST((result.ec == errc::no_child_process));
    BOOST_TEST(!held.handle->end());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stale_event_does_not_complete_wait, handle_type, handles)
{
    // All pipes have an event in the same turn of the loop. The first handler closes the other pipes and starts a child
    // process, whose descriptor reuses their registration in Asio, so that their pending events are delivered to it.
    asio::io_context context{1};
    std::vector<asio::posix::stream_descriptor> pipes;
    std::vector<linkspan::detail::unique_fd> writers;
    child_process child;
    std::optional<handle_type> handle;
    ended result;
    for (int i = 0; i != 4; ++i) {
        int ends[2];
        BOOST_TEST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        pipes.emplace_back(context, ends[0]);
        writers.emplace_back(ends[1]);
        BOOST_TEST(::write(ends[1], "x", 1) == 1);
    }
    for (auto& pipe : pipes)
        pipe.async_wait(asio::posix::descriptor_base::wait_read, [&](error_code) {
            if (handle)
                return;
            for (auto& each : pipes)
                each.close();
            child = launch_works(sh("read line; exit 7"));
            error_code ec;
            handle.emplace(context.get_executor(), child.pid, std::move(child.pidfd), ec);
            BOOST_TEST(!ec);
            handle->async_wait(store_in(result));
        });
    run_until(context, [&] { return handle.has_value(); });
    context.poll();
    BOOST_TEST(!result.done);
    BOOST_TEST(::write(child.to.get(), "\n", 1) == 1);
    run_until(context, [&] { return result.done; });
    BOOST_TEST(!result.ec);
    BOOST_TEST((result.status == exit_status{false, 7}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(handler_runs_on_associated_executor, handle_type, handles)
{
    held<handle_type> held(sh("exit 0"));
    auto const strand = asio::make_strand(held.context);
    std::optional<bool> on_strand;
    held.handle->async_wait(
        asio::bind_executor(strand, [&](error_code, exit_status) { on_strand = strand.running_in_this_thread(); }));
    run_until(held.context, [&] { return on_strand.has_value(); });
    BOOST_TEST(*on_strand);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destroyed_context_drops_wait, handle_type, handles)
{
    auto const alive = std::make_shared<int>();
    {
        held<handle_type> held({.command = "cat"});
        held.handle->async_wait([alive](error_code, exit_status) { BOOST_ERROR("must not be called"); });
    }
    BOOST_TEST(alive.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
