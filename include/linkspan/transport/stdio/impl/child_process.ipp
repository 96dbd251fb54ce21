#ifndef LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_PROCESS_IPP
#define LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_PROCESS_IPP

#include <linkspan/core/detail/safe_variables.hpp>
#include <linkspan/transport/stdio/child_process.hpp>
#include <linkspan/transport/stdio/detail/launch_plan.hpp>

#include <boost/system/system_category.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::map<std::string, std::string> environment_for(stdio_config const& config)
{
    auto result = config.env;
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        std::string_view const text = *entry;
        auto const name = text.substr(0, text.find('='));
        if (name.size() == text.size())
            continue;
        auto const value = text.substr(name.size() + 1);
        bool const is_function = value.starts_with("()"); // a function of a shell, which would execute the value
        if (config.inherit == environment::all || (is_safe_variable(name) && !is_function))
            result.emplace(name, value);
    }
    return result;
}

// Returns the reason for which the texts of a configuration cannot be passed to execve; empty: they can be passed.
// Arguments of execve end at a NUL character. Names of variables end at a '='.
inline std::string invalid_text(stdio_config const& config)
{
    auto const has_nul = [](std::string const& text) { return text.find('\0') != text.npos; };
    std::string const is_invalid = " contains a NUL character";
    if (has_nul(config.command))
        return "command" + is_invalid;
    if (has_nul(config.cwd))
        return "cwd" + is_invalid;
    if (auto const found = std::ranges::find_if(config.args, has_nul); found != config.args.end())
        return "args[" + std::to_string(found - config.args.begin()) + "]" + is_invalid;
    for (auto const& [name, value] : config.env) {
        if (name.empty())
            return "a name in env is empty";
        if (has_nul(name))
            return "a name in env" + is_invalid;
        if (auto const end = name.find('='); end != name.npos) // the text after '=' may be a secret value
            return "the name in env that begins with '" + name.substr(0, end) + "' contains '='";
        if (has_nul(value))
            return "env[\"" + name + "\"]" + is_invalid;
    }
    return {};
}

// Converts a path that is relative to the working directory of the child process to one that is relative to that of
// this process. An absolute path is returned unchanged.
inline std::string relative_to_this_process(std::string const& path, std::string const& cwd)
{
    return cwd.empty() || path.starts_with('/') ? path : cwd + '/' + path;
}

// Searches for the program as execvp does. The search precedes vfork, because the child process must not allocate
// memory. Empty: not found; the reason is in `errno`.
inline std::string find_program(stdio_config const& config, std::string_view path)
{
    if (config.command.find('/') != config.command.npos)
        return config.command;
    int error = ENOENT;
    for (bool more = !config.command.empty(); more;) {
        auto const end = path.find(':');
        std::string candidate(path.substr(0, end));
        candidate += (candidate.empty() ? "./" : "/") + config.command;
        auto const here = relative_to_this_process(candidate, config.cwd);
        struct stat info {};
        if (::stat(here.c_str(), &info) == 0) {
            if (S_ISREG(info.st_mode) && ::faccessat(AT_FDCWD, here.c_str(), X_OK, AT_EACCESS) == 0)
                return candidate;
            error = EACCES;
        }
        more = end != path.npos;
        path.remove_prefix(more ? end + 1 : 0);
    }
    errno = error;
    return {};
}

inline std::vector<char*> pointers_to(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (auto& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// Starts one program. The destructor closes the descriptors that were not passed on.
class launcher {
public:
    explicit launcher(stdio_config const& config) : config_(config), program_(config.command) {}

    child_process run()
    {
        child_process child;
        if (!prepare() || !start(child))
            return {};
        child.to = std::move(in_.write);
        child.from = std::move(out_.read);
        child.errors = std::move(err_.read);
        return child;
    }

    error_code error() const noexcept { return {failure_.error, boost::system::system_category()}; }

    std::string describe_failure() const
    {
        std::array<char, PATH_MAX> here{};
        std::string_view const directory = !config_.cwd.empty()                            ? config_.cwd.c_str()
                                           : ::getcwd(here.data(), here.size()) != nullptr ? here.data()
                                                                                           : "(unknown)";
        std::string text = "cannot start ";
        text.append(program_).append(" in ").append(directory).append(": ").append(failure_.step).append(": ");
        text.append(error().message()).append(" (errno ").append(std::to_string(failure_.error)).append(")");
        if (failure_.error == ENOENT && std::strcmp(failure_.step, "exec") == 0 &&
            ::access(relative_to_this_process(program_, config_.cwd).c_str(), F_OK) == 0)
            text += "; the file exists, but its interpreter ('#!' line or dynamic loader) does not";
        return text;
    }

private:
    bool fail(char const* step, int error) noexcept
    {
        failure_.step = step;
        failure_.error = error;
        return false;
    }

    bool prepare()
    {
        invalid_ = invalid_text(config_);
        if (!invalid_.empty())
            return fail(invalid_.c_str(), EINVAL);
        auto const variables = environment_for(config_);
        auto const path = variables.find("PATH");
        auto found = find_program(config_, path != variables.end() ? path->second : "/bin:/usr/bin");
        if (found.empty())
            return fail("search for the program", errno);
        program_ = std::move(found);
        for (auto const& [name, value] : variables)
            environment_.push_back(name + '=' + value);
        args_ = config_.args;
        args_.insert(args_.begin(), config_.command);
        return (make_pipe(in_) && make_pipe(out_) && make_pipe(err_)) || fail("pipe", errno);
    }

    bool start(child_process& child)
    {
        auto const args = pointers_to(args_);
        auto const environment = pointers_to(environment_);
        bool const on_main_thread = ::syscall(SYS_gettid) == ::getpid();
        launch_plan const plan{.program = program_.c_str(),
                               .args = args.data(),
                               .environment = environment.data(),
                               .directory = config_.cwd.empty() ? nullptr : config_.cwd.c_str(),
                               .streams = {in_.read.get(), out_.write.get(), err_.write.get()},
                               .die_with_parent = config_.die_with_parent.value_or(on_main_thread),
                               .parent = ::getpid()};
        child.pid = vfork_and_exec(plan, failure_);
        if (child.pid < 0)
            return false;
        if (failure_.step == nullptr) {
            // The descriptor is close-on-exec by default.
            child.pidfd = above_standard_streams(static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0)));
            if (!child.pidfd)
                fail("pidfd_open", errno);
        }
        return failure_.step == nullptr || discard(child.pid);
    }

    bool discard(pid_t pid) noexcept
    {
        ::kill(-pid, SIGKILL);
        ::kill(pid, SIGKILL); // if `vfork` is emulated, the group may not exist yet
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return false;
    }

    stdio_config const& config_;                  // set by the constructor
    std::string program_;                         // the command; replaced by its path when the search has found it
    std::string invalid_;                         // reason for which the configuration is rejected; set by prepare()
    std::vector<std::string> args_, environment_; // arguments of execve; set by prepare()
    pipe_ends in_, out_, err_;                    // the three pipes; closed by the destructor unless passed on
    launch_failure failure_;                      // set by the first step that fails
};

LINKSPAN_DECL void kill_group(pid_t pid, int pidfd, int signal) noexcept
{
    // Signal 0 tests for the existence of the process.
    if (::syscall(SYS_pidfd_send_signal, pidfd, 0, nullptr, 0) == 0)
        ::kill(-pid, signal);
}

} // namespace detail

LINKSPAN_DECL std::string to_string(exit_status status)
{
    return (status.signalled ? "killed by signal " : "exited with status ") + std::to_string(status.value);
}

LINKSPAN_DECL child_process launch(stdio_config const& config, error_code& ec, std::string& reason)
{
    detail::launcher launcher(config);
    auto child = launcher.run();
    ec = launcher.error();
    if (ec)
        reason = launcher.describe_failure();
    return child;
}

} // namespace linkspan

#endif
